"""The pool: answers and files of processes, their limits, and what remains when one ends."""

from __future__ import annotations

import asyncio
import math
import multiprocessing
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pebble")

from web_tasks import ACT, FILE, MUCH, Act, Done, Large

from pavcodec.errors import PavError
from pavcodec.web.settings import Settings
from pavcodec.web.tasks.number import ENCODE
from pavcodec.web.workers.pool import Pool
from pavcodec.web.workers.workers import Refusal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="processes of POSIX"),
]
Run = Callable[..., None]


def is_alive(process: int) -> bool:
    """Return whether a process is there, and no corpse."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


async def until_ended(process: int) -> None:
    """Wait until a process has ended."""
    async with asyncio.timeout(10):
        while is_alive(process):
            await asyncio.sleep(0.01)


async def done(pool: Pool, client: str, **question: Any) -> Done:
    """Return the answer of a process to a question."""
    answer = await pool.answer(ACT, Act(**question), client)
    assert isinstance(answer, Done)
    return answer


def test_questions_are_answered_by_other_processes(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        asked = [done(pool, f"client {size % 7}", size=size) for size in range(50)]
        answers = await asyncio.gather(*asked)
        assert [answer.size for answer in answers] == list(range(50))
        assert os.getpid() not in {answer.process for answer in answers}

    with_pool(work, brief=1.0)


def test_wrong_data_is_an_error_and_the_process_stays(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        first = await done(pool, "a")
        with pytest.raises(PavError, match="wrong data"):
            await done(pool, "a", act="refuse")
        assert is_alive(first.process)

    with_pool(work)


def test_an_error_of_the_program_hides_the_words_of_the_user(
    with_pool: Run, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(pool: Pool) -> None:
        with pytest.raises(Refusal, match="An error of this server") as refused:
            await done(pool, "a", act="stumble", path="words of a user")
        assert refused.value.status == 500

    with_pool(work)
    assert "KeyError" in caplog.text
    assert "_stumble" in caplog.text
    assert "words of a user" not in caplog.text


@pytest.mark.parametrize(
    ("act", "said", "retry"),
    [("spin", r"more than 0\.6 seconds", None), ("sleep", "The server is busy", 5)],
)
def test_a_question_that_takes_too_long_ends(
    with_pool: Run, tmp_path: Path, act: str, said: str, retry: int | None
) -> None:
    path = tmp_path / "process"

    async def work(pool: Pool) -> None:
        with pytest.raises(Refusal, match=said) as refused:
            await done(pool, "a", act=act, size=60, path=str(path))
        assert (refused.value.status, refused.value.retry) == (503, retry)
        await until_ended(int(path.read_text()))
        assert await done(pool, "a")

    with_pool(work, seconds=0.6, patience=4 if act == "sleep" else 30)


def test_a_question_that_waits_for_a_processor_takes_no_time(with_pool: Run) -> None:
    """It sleeps here, as on a machine that is busy with other questions."""

    async def work(pool: Pool) -> None:
        assert await done(pool, "a", act="sleep", size=0.8)
        stream = await pool.download(FILE, Act(act="nap", size=4), "a")
        assert len(await whole(stream.chunks)) == 4 << 16

    with_pool(work, seconds=0.5, file_seconds=0.5)


def test_questions_have_no_limit_of_time_on_ones_own_machine(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        assert await done(pool, "a", act="spin", size=1)
        assert await whole((await pool.download(FILE, Act(size=4), "a")).chunks)

    with_pool(work, seconds=None)


@pytest.mark.parametrize(
    ("settings", "limits"),
    [
        (Settings(), (math.inf, math.inf, 0, 4, 4)),
        (Settings(seconds=3.0, rate=5), (3.0, math.inf, 5, 4, 4)),
        (Settings(is_public=True), (10.0, 120.0, 20, 2, 2)),
        (Settings(names=("bridge.example",)), (10.0, 120.0, 20, 2, 2)),
        (Settings(host="0.0.0.0"), (10.0, 120.0, 20, 2, 2)),  # noqa: S104 (nothing listens)
        (Settings(proxies=("127.0.0.1",), seconds=7.0, rate=0), (7.0, 120.0, 0, 2, 2)),
    ],
)
def test_only_a_server_for_others_has_limits_by_itself(
    settings: Settings, limits: tuple[float, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pavcodec.web.settings.available", lambda: 2)
    found = (
        settings.most_seconds,
        settings.most_file_seconds,
        settings.most_rate,
        settings.brief_by_client,
        settings.long_by_client,
    )
    assert found == limits


def test_a_question_that_fills_the_memory_ends(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        await done(pool, "a", act="fill", size=40)
        with pytest.raises(Refusal, match="more memory than this server gives") as refused:
            await done(pool, "a", act="fill", size=400)
        assert refused.value.status == 413
        await done(pool, "a", act="fill", size=40)

    with_pool(work, memory=200 << 20)


def test_an_endless_recursion_is_refused(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        with pytest.raises(Refusal, match="too many parts inside each other"):
            await done(pool, "a", act="sink")

    with_pool(work)


def test_an_answer_that_is_too_large_is_refused(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        answer = await pool.answer(MUCH, Act(size=10**6), "a")
        assert isinstance(answer, Large)
        assert len(answer.text) == 10**6
        with pytest.raises(Refusal, match="The answer has more than 1 MiB"):
            await pool.answer(MUCH, Act(size=2 << 20), "a")

    with_pool(work, output=1 << 20)


def test_another_process_tries_a_question_whose_process_was_killed(
    with_pool: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(pool: Pool) -> None:
        answer = await done(pool, "a", act="die once", path=str(tmp_path / "dead"))
        assert is_alive(answer.process)
        assert caplog.text.count("a worker process ended") == 1

    with_pool(work)


def test_a_question_that_kills_its_processes_is_refused(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        with pytest.raises(Refusal, match="has ended, twice") as refused:
            await done(pool, "a", act="die")
        assert (refused.value.status, refused.value.retry) == (503, 60)
        await done(pool, "a")

    with_pool(work)


def test_killed_processes_are_replaced(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        asked = asyncio.create_task(done(pool, "a", act="sleep", size=1))
        await asyncio.sleep(0.2)
        for process in multiprocessing.active_children():
            if process.name == "pebble_pool_worker":
                process.kill()
        assert (await asked).size == 1
        assert await done(pool, "a")

    with_pool(work)


async def until_long(pool: Pool, number: int) -> None:
    """Wait until so many questions are long."""
    while pool.places.long != number:
        await asyncio.sleep(0.01)


def test_brief_questions_are_answered_while_long_ones_fill_all_processors(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        long = [
            asyncio.create_task(done(pool, f"hog {number}", act="spin", size=60))
            for number in range(4)
        ]
        await until_long(pool, 4)
        for _ in range(10):
            await done(pool, "other")
        assert not any(each.done() for each in long)
        for each in long:
            each.cancel()
        await asyncio.wait(long)

    with_pool(work, workers=4, seconds=60.0)


def test_long_questions_are_few_in_all_and_by_client(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        asked = [asyncio.create_task(done(pool, "a", act="sleep", size=60)) for _ in range(2)]
        await until_long(pool, 2)
        with pytest.raises(Refusal) as own:
            await done(pool, "a", act="sleep", size=60)
        asked += [asyncio.create_task(done(pool, "b", act="sleep", size=60)) for _ in range(2)]
        await until_long(pool, 4)
        with pytest.raises(Refusal) as all_of_them:
            await done(pool, "c", act="sleep", size=60)
        assert (own.value.status, all_of_them.value.status) == (429, 503)
        assert own.value.retry == all_of_them.value.retry == 5
        assert await done(pool, "c", act="sleep", size=0.5)
        for each in asked:
            each.cancel()
        await asyncio.wait(asked)

    with_pool(work, workers=4, seconds=60.0, is_public=True)


def test_a_client_who_leaves_ends_its_question(with_pool: Run, tmp_path: Path) -> None:
    path = tmp_path / "process"

    async def work(pool: Pool) -> None:
        asked = asyncio.create_task(done(pool, "a", act="spin", size=60, path=str(path)))
        await until_long(pool, 1)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert pool.places.under_way == 0
        await until_ended(int(path.read_text()))

    with_pool(work, seconds=60.0)


def test_a_process_that_is_no_copy_has_its_packages_before_its_memory_is_limited(
    with_pool: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(pool: Pool) -> None:
        assert (await pool.answer(ENCODE, ENCODE.example, "test")).command

    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ["spawn"])
    with_pool(work, workers=1, memory=100 << 20, seconds=30.0, brief=20.0)


async def whole(parts: AsyncIterator[bytes]) -> bytes:
    return b"".join([part async for part in parts])


def test_a_file_comes_whole_and_nothing_of_it_remains(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        stream = await pool.download(FILE, Act(size=20), "a")
        assert (stream.name, stream.media_type) == ("f.txt", "text/plain")
        assert (stream.size, os.listdir(pool._folder)) == (20 << 16, [])
        expected = b"".join(bytes([number]) * (1 << 16) for number in range(20))
        assert await whole(stream.chunks) == expected
        empty = await pool.download(FILE, Act(size=0), "a")
        assert await whole(empty.chunks) == b""
        assert pool.places.under_way == 0

    with_pool(work)


@pytest.mark.parametrize(
    ("act", "said", "status"),
    [
        ("die", "has ended, twice", 503),
        ("stumble", "An error of this server", 500),
        ("sleep", "The server is busy", 503),
        ("spin", "more than 1 seconds", 503),
        ("fill", "needs more memory", 413),
    ],
)
def test_an_error_in_the_middle_of_a_file_is_no_file(
    with_pool: Run, act: str, said: str, status: int
) -> None:
    async def work(pool: Pool) -> None:
        with pytest.raises(Refusal, match=said) as refused:
            await pool.download(FILE, Act(act=act, size=20), "a")
        assert (refused.value.status, os.listdir(pool._folder)) == (status, [])
        assert pool.places.under_way == 0
        await done(pool, "a")

    with_pool(work, file_seconds=1.0, patience=1 if act == "sleep" else 20, memory=30 << 20)


def test_wrong_data_for_a_file_is_an_error(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        with pytest.raises(PavError, match="wrong data"):
            await pool.download(FILE, Act(act="refuse"), "a")

    with_pool(work)


def test_a_file_that_is_too_large_is_refused(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        with pytest.raises(Refusal, match="more than 1 MiB"):
            await pool.download(FILE, Act(size=20), "a")

    with_pool(work, file_output=1 << 20)


def test_the_first_part_of_a_file_has_the_time_of_an_answer(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        with pytest.raises(Refusal, match=r"more than 0\.5 seconds"):
            await pool.download(FILE, Act(act="spin first"), "a")

    with_pool(work, seconds=0.5, file_seconds=60.0)
