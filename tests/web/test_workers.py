"""The workers: answers and files of processes, their limits, and what remains when one ends."""

from __future__ import annotations

import asyncio
import gc
import math
import multiprocessing
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pydantic")
pytest.importorskip("pebble")

from starlette.exceptions import HTTPException
from web_tasks import ACT, FILE, MUCH, Act, Done, Large, taken

from pavcodec.errors import PavError
from pavcodec.web.settings import Settings
from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.number import ENCODE
from pavcodec.web.tasks.tournament import DEAL_FILE
from pavcodec.web.workers import Pool

slow = pytest.mark.slow
posix = pytest.mark.skipif(os.name != "posix", reason="processes of POSIX")
Work = Callable[[Pool], Awaitable[None]]


@asynccontextmanager
async def opened(**limits: Any) -> AsyncIterator[Pool]:
    """Start a pool; all its places are free and its processes have ended after the block."""
    before = set(multiprocessing.active_children())
    pool = Pool(Settings(**{"workers": 2, "brief": 0.3, "seconds": 5.0} | limits))
    await pool.start()
    try:
        yield pool
        assert taken(pool) == (0, 0, 0)
        assert os.listdir(pool._folder) == []
    finally:
        await pool.stop()
        assert set(multiprocessing.active_children()) <= before


def run(work: Work, **limits: Any) -> None:
    """Run a coroutine with a pool."""

    async def inside() -> None:
        async with opened(**limits) as pool, asyncio.timeout(60):
            await work(pool)

    asyncio.run(inside())


async def until_long(pool: Pool, number: int) -> None:
    """Wait until so many questions are long."""
    while taken(pool)[2] != number:
        await asyncio.sleep(0.01)


def is_alive(process: int) -> bool:
    """Return whether a process is there, and no corpse."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


async def until_ended(process: int) -> None:
    async with asyncio.timeout(10):
        while is_alive(process):
            await asyncio.sleep(0.01)


async def done(pool: Pool, client: str = "a", **question: Any) -> Done:
    """Return the answer of a process to a question."""
    answer = await pool.answer(ACT, Act(**question), client)
    assert isinstance(answer, Done)
    return answer


async def file_of(pool: Pool, **question: Any) -> bytes:
    content: bytes = await answered(pool, FILE, Act(**question))
    return content


async def answered(pool: Pool, task: Any, question: Any) -> Any:
    """Return the answer to a question, or the bytes of its file."""
    if not task.is_download:
        return await pool.answer(task, question, "a")
    stream = await pool.download(task, question, "a")
    content = await stream.content()
    assert str(len(content)) == stream.headers["content-length"]
    return content


async def end(asked: list[asyncio.Task[Any]]) -> None:
    """Let the clients of questions leave."""
    for each in asked:
        each.cancel()
    await asyncio.wait(asked)


# Places.


@pytest.mark.parametrize(
    ("settings", "limits"),
    [
        (Settings(seconds=3.0, rate=5), (3.0, math.inf, 5, 8)),
        (Settings(names=("bridge.example",)), (10.0, 120.0, 20, 2)),
        (Settings(host="0.0.0.0"), (10.0, 120.0, 20, 2)),  # noqa: S104 (nothing listens)
        (Settings(proxies=("127.0.0.1",), seconds=7.0, rate=0), (7.0, 120.0, 0, 2)),
    ],
)
def test_only_a_server_for_others_has_limits_by_itself(
    settings: Settings, limits: tuple[float, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pavcodec.web.settings.available", lambda: 2)
    found = settings.most_seconds, settings.most_file_seconds, settings.most_rate
    assert (*found, settings.by_client) == limits


class Asked:
    """A question that keeps its place until it ends."""

    def __init__(self, pool: Pool, client: str) -> None:
        self.begun = False
        self.task = asyncio.create_task(self._keep(pool, client))

    async def _keep(self, pool: Pool, client: str) -> None:
        async with pool._place(client):
            self.begun = True
            await asyncio.sleep(3600)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("clients", "begun", "said", "limits"),
    [
        ("aaaabcd", "++--++-", 0, {}),  # a client with many questions leaves places to others
        ("aaaaab", "++++--", 0, {"is_public": False}),  # on one's own machine it has all
        ("aaabbcc", "++-++--", 503, {"waiting": 3}),  # a crowd is refused
        ("aaa", "++-", 503, {"seconds": 0.05}),  # who waits too long is refused
    ],
)
def test_places(clients: str, begun: str, said: int, limits: dict[str, Any]) -> None:
    async def work() -> None:
        pool = Pool(Settings(**{"workers": 4, "is_public": True} | limits))
        asked = [Asked(pool, client) for client in clients]
        await asyncio.sleep(0.01)
        assert "".join("-+"[each.begun] for each in asked) == begun
        if said:
            with pytest.raises(HTTPException) as refused:
                await Asked(pool, "a").task
            assert refused.value.status_code == said
        await end([each.task for each in asked])
        assert taken(pool) == (0, 0, 0)
        asked.clear()
        gc.collect()  # the errors of the questions
        assert bool(said) or not pool._clients

    asyncio.run(work())


@slow
@posix
def test_long_questions_are_few_and_leave_their_places_to_brief_ones() -> None:
    async def work(pool: Pool) -> None:
        long = [asyncio.create_task(done(pool, act="spin", size=60)) for _ in range(4)]
        await until_long(pool, 4)
        for _ in range(10):
            await done(pool, "other")
        more = [asyncio.create_task(done(pool, act="sleep", size=60)) for _ in range(4)]
        while taken(pool) != (0, 4, 4):
            await asyncio.sleep(0.01)
        late = asyncio.create_task(done(pool, "other"))
        await asyncio.sleep(0.4)
        assert taken(pool) == (1, 4, 4)
        assert not any(each.done() for each in [*long, *more, late])
        await end([*long, *more])
        assert await late

    run(work, workers=4, seconds=None)


# Processes.


@slow
@posix
def test_questions_are_answered_by_other_processes() -> None:
    """On one's own machine they have no limit of time, and wrong data ends no process."""

    async def work(pool: Pool) -> None:
        asked = [done(pool, f"client {size % 7}", size=size) for size in range(50)]
        answers = await asyncio.gather(*asked)
        assert [answer.size for answer in answers] == list(range(50))
        processes = {answer.process for answer in answers}
        assert os.getpid() not in processes
        for wrong in (done(pool, act="refuse"), file_of(pool, act="refuse", size=4)):
            with pytest.raises(PavError, match="wrong data"):
                await wrong
        assert (await done(pool, act="spin", size=1)).process in processes
        content = b"".join(bytes([number]) * (1 << 16) for number in range(20))
        assert await file_of(pool, size=20) == content
        assert await file_of(pool, size=0) == b""

    run(work, brief=1.0, seconds=None)


@slow
@posix
@pytest.mark.parametrize(
    ("question", "said", "status", "limits"),
    [
        ({"act": "stumble", "path": "words of a user"}, "An error of this server", 500, {}),
        ({"act": "fill", "size": 400}, "more memory than this server gives", 413, {}),
        ({"act": "sink"}, "too many parts inside each other", 413, {}),
        ({"act": "die"}, "has ended, twice", 503, {}),
        ({"act": "spin", "size": 60}, r"more than 0\.6 seconds", 503, {"seconds": 0.6}),
        ({"act": "sleep", "size": 60}, "is busy", 503, {"seconds": 0.6, "patience": 1}),
    ],
)
def test_a_question_that_fails_is_a_sentence_and_leaves_nothing(
    question: dict[str, Any],
    said: str,
    status: int,
    limits: dict[str, Any],
    *,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
) -> None:
    path = tmp_path / "process"

    async def work(pool: Pool) -> None:
        for task, more in ((ACT, {}), (FILE, {"size": 20})):
            with pytest.raises(HTTPException, match=said) as refused:
                await answered(pool, task, Act(**{"path": str(path)} | question | more))
            retry = {"is busy": "5", "has ended, twice": "60"}.get(said)
            assert refused.value.status_code == status
            assert (refused.value.headers or {}).get("Retry-After") == retry
            if path.exists():
                await until_ended(int(path.read_text()))
            assert await done(pool)

    most = {"file_seconds": limits["seconds"]} if "seconds" in limits else {}
    run(work, **{"memory": 200 << 20, "patience": 30} | limits | most)
    assert ("KeyError" in caplog.text) == ("_stumble" in caplog.text) == (status == 500)
    assert "words of a user" not in caplog.text


@slow
@posix
def test_a_question_that_waits_for_a_processor_takes_no_time() -> None:
    """It sleeps here, as on a machine that is busy with other questions."""

    async def work(pool: Pool) -> None:
        assert await done(pool, act="sleep", size=0.8)
        assert len(await file_of(pool, act="nap", size=4)) == 4 << 16

    run(work, seconds=0.5, file_seconds=0.5)


@slow
@posix
def test_answers_and_processes_that_are_too_large_are_refused_or_replaced() -> None:
    async def work(pool: Pool) -> None:
        answer = await pool.answer(MUCH, Act(size=10**6), "a")
        assert isinstance(answer, Large)
        assert len(answer.text) == 10**6
        too_large = (pool.answer(MUCH, Act(size=2 << 20), "a"), file_of(pool, size=20))
        for each in too_large:
            with pytest.raises(HTTPException, match="The answer has more than 1 MiB"):
                await each
        first = await done(pool, act="keep", size=40)
        assert (await done(pool)).process == first.process
        assert (await done(pool, act="keep", size=80)).process == first.process
        assert (await done(pool)).process != first.process

    run(work, memory=200 << 20, output=1 << 20, file_output=1 << 20)


@slow
@posix
def test_a_process_ends_alone_or_with_its_client(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "process"

    async def work(pool: Pool) -> None:
        answer = await done(pool, act="die once", path=str(tmp_path / "dead"))
        assert is_alive(answer.process), "another process tries again"
        assert caplog.text.count("a worker process ended") == 1
        asked = asyncio.create_task(done(pool, act="sleep", size=1))
        await asyncio.sleep(0.2)
        for process in multiprocessing.active_children():
            if process.name == "pebble_pool_worker":
                process.kill()
        assert (await asked).size == 1
        asked = asyncio.create_task(done(pool, act="spin", size=60, path=str(path)))
        await until_long(pool, 1)
        await end([asked])
        assert taken(pool) == (0, 0, 0)
        await until_ended(int(path.read_text()))

    run(work, seconds=60.0)


@slow
@posix
def test_a_process_that_is_no_copy_has_its_packages_before_its_memory_is_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def work(pool: Pool) -> None:
        assert (await pool.answer(ENCODE, ENCODE.example, "test")).command

    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ["spawn"])
    run(work, workers=1, memory=100 << 20, seconds=30.0, brief=20.0)


@slow
@posix
def test_all_examples_have_answers_in_copies_of_a_process_that_ran_some() -> None:
    """A library whose threads that process has started would wait for ever in its copies."""

    async def work(pool: Pool) -> None:
        assert await done(pool, act="search")
        for task in TASKS:
            assert await answered(pool, task, task.example)
        records = DEAL_FILE.example.model_copy(update={"to": "records"})
        assert await answered(pool, DEAL_FILE, records)

    run(work, seconds=20.0)
