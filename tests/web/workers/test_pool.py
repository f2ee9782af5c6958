"""The pool: answers and files of processes, their limits, and what remains when one ends."""

from __future__ import annotations

import asyncio
import gc
import math
import multiprocessing
import os
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from web_tasks import ACT, FILE, MUCH, Act, Done, Large

from pavcodec.errors import PavError
from pavcodec.web.settings import Settings
from pavcodec.web.tasks.number import ENCODE
from pavcodec.web.workers.pool import Pool, WorkerProcess
from pavcodec.web.workers.workers import Refusal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="processes of POSIX"),
]
Run = Callable[..., None]


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
        assert first.process in pool.pids

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
    with_pool: Run, act: str, said: str, retry: int | None
) -> None:
    async def work(pool: Pool) -> None:
        before = (await done(pool, "a")).process
        start = time.monotonic()
        with pytest.raises(Refusal, match=said) as refused:
            await done(pool, "a", act=act, size=60)
        assert (refused.value.status, refused.value.retry) == (503, retry)
        assert time.monotonic() - start < 5
        assert (await done(pool, "a")).process != before

    with_pool(work, seconds=0.6)


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
    ("settings", "seconds", "file_seconds"),
    [
        (Settings(), math.inf, math.inf),
        (Settings(seconds=3.0), 3.0, math.inf),
        (Settings(names=("bridge.example",)), 10.0, 120.0),
        (Settings(host="0.0.0.0"), 10.0, 120.0),  # noqa: S104 (nothing listens)
        (Settings(proxies=("127.0.0.1",), seconds=7.0), 7.0, 120.0),
    ],
)
def test_times_of_questions(settings: Settings, seconds: float, file_seconds: float) -> None:
    assert (settings.most_seconds, settings.most_file_seconds) == (seconds, file_seconds)


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
        assert answer.process in pool.pids
        assert caplog.text.count("a worker process ended") == 1

    with_pool(work)


def test_a_question_that_kills_its_processes_is_refused(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        with pytest.raises(Refusal, match="has ended, twice") as refused:
            await done(pool, "a", act="die")
        assert (refused.value.status, refused.value.retry) == (503, 60)
        await done(pool, "a")

    with_pool(work)


def test_a_killed_ready_process_is_replaced_unseen(
    with_pool: Run, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(pool: Pool) -> None:
        await done(pool, "a")
        for pid in pool.pids:
            os.kill(pid, 9)
        while not all(worker.reader.at_eof() for worker in pool._crew._ready):
            await asyncio.sleep(0.01)
        await done(pool, "a")
        assert "a worker process ended" not in caplog.text

    with_pool(work)


async def until_long(pool: Pool, number: int) -> None:
    """Wait until so many questions are long."""
    while pool.turns.long != number:
        await asyncio.sleep(0.01)


def test_brief_questions_are_answered_while_long_ones_fill_all_processors(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        long = [
            asyncio.create_task(done(pool, f"hog {number}", act="spin", size=60))
            for number in range(4)
        ]
        await until_long(pool, 4)
        for _ in range(10):
            assert (await done(pool, "other")).nice == 0
        assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in pool.pids[:4]} == {10}
        assert not any(each.done() for each in long)
        for each in long:
            each.cancel()
        await asyncio.wait(long)

    with_pool(work, long=4, seconds=60.0)


def test_a_question_is_long_by_its_own_time_and_not_by_that_of_others(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        spinning = asyncio.create_task(done(pool, "a", act="spin", size=2.5))
        sleeping = asyncio.create_task(done(pool, "b", act="sleep", size=1.4))
        answers = await asyncio.gather(spinning, sleeping)
        assert [answer.nice for answer in answers] == [10, 0]

    with_pool(work, brief=0.5)


def test_long_questions_are_few_in_all_and_by_client(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        asked = [asyncio.create_task(done(pool, "a", act="sleep", size=60))]
        await until_long(pool, 1)
        with pytest.raises(Refusal) as own:
            await done(pool, "a", act="sleep", size=60)
        asked.append(asyncio.create_task(done(pool, "b", act="sleep", size=60)))
        await until_long(pool, 2)
        with pytest.raises(Refusal) as all_of_them:
            await done(pool, "c", act="sleep", size=60)
        assert (own.value.status, all_of_them.value.status) == (429, 503)
        assert own.value.retry == all_of_them.value.retry == 5
        for each in asked:
            each.cancel()
        await asyncio.wait(asked)

    with_pool(work, long=2, long_by_client=1, seconds=60.0)


async def until_ended(process: int) -> None:
    """Wait until the system knows no such process."""
    while True:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        await asyncio.sleep(0.01)


def test_a_client_who_leaves_ends_its_question(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        asked = asyncio.create_task(done(pool, "a", act="spin", size=60))
        await until_long(pool, 1)
        (busy, *_) = pool.pids
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        await asyncio.sleep(0.2)
        assert busy not in pool.pids
        assert pool.turns.long == 0
        async with asyncio.timeout(10):
            await until_ended(busy)

    with_pool(work, seconds=60.0)


def test_a_process_ends_once_also_if_its_client_leaves_while_the_pool_stops() -> None:
    failures: list[Any] = []

    async def work() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, found: failures.append(found))
        pool = Pool(Settings(workers=2, brief=0.1, seconds=60.0))
        await pool.start()
        asked = asyncio.create_task(done(pool, "a", act="spin", size=60))
        await until_long(pool, 1)
        stopping = asyncio.create_task(pool.stop())
        await asyncio.sleep(0)
        asked.cancel()
        await asyncio.wait([asked, stopping])
        assert pool.pids == []

    asyncio.run(work())
    gc.collect()
    assert failures == []


def test_a_start_that_nobody_waits_for_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(**_: Any) -> None:
        await asyncio.sleep(60)

    async def inside() -> None:
        before = set(multiprocessing.active_children())
        monkeypatch.setattr("pavcodec.web.workers.pool.asyncio.open_connection", never)
        starting = asyncio.create_task(WorkerProcess.start(Settings()))
        async with asyncio.timeout(20):
            while not set(multiprocessing.active_children()) - before:
                await asyncio.sleep(0.01)
            starting.cancel()
            while set(multiprocessing.active_children()) - before:
                await asyncio.sleep(0.01)

    asyncio.run(inside())


def test_a_process_that_is_no_copy_has_its_packages_before_its_memory_is_limited(
    with_pool: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(pool: Pool) -> None:
        assert (await pool.answer(ENCODE, ENCODE.example, "test")).command

    monkeypatch.setattr("pavcodec.web.workers.pool._FORKS", False)
    with_pool(work, memory=100 << 20, seconds=30.0, brief=20.0)


def test_the_process_with_the_tables_of_a_condition_is_chosen(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        await asyncio.gather(*(pool.answer(ACT, Act(size=n), str(n)) for n in range(4)))
        worker = pool._crew._ready[0]
        worker.remember(("hcp(south) >= 20", ""))
        taken = await pool._crew.take(("hcp(south) >= 20", ""))
        assert taken is worker
        pool._crew.give_back(taken, None)

    with_pool(work)


async def whole(parts: AsyncIterator[bytes]) -> bytes:
    return b"".join([part async for part in parts])


def test_a_file_comes_whole(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        stream = await pool.download(FILE, Act(size=20), "a")
        assert (stream.name, stream.media_type) == ("f.txt", "text/plain")
        expected = b"".join(bytes([number]) * (1 << 16) for number in range(20))
        assert await whole(stream.chunks) == expected
        empty = await pool.download(FILE, Act(size=0), "a")
        assert await whole(empty.chunks) == b""
        assert pool.turns.brief == 0

    with_pool(work)


def test_an_early_error_of_a_file_is_an_error_and_no_file(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        with pytest.raises(PavError, match="wrong data"):
            await pool.download(FILE, Act(act="refuse"), "a")

    with_pool(work)


@pytest.mark.parametrize(
    ("act", "status"), [("die", 503), ("stumble", 500), ("sleep", 503), ("fill", 413)]
)
def test_an_error_in_the_middle_of_a_file_is_no_end(with_pool: Run, act: str, status: int) -> None:
    async def work(pool: Pool) -> None:
        stream = await pool.download(FILE, Act(act=act, size=20), "a")
        with pytest.raises(Refusal) as refused:
            await whole(stream.chunks)
        assert refused.value.status == status
        assert pool.turns.brief == pool.turns.long == 0
        await done(pool, "a")

    with_pool(work, file_seconds=1.0, memory=30 << 20)


def test_a_file_that_is_too_large_has_no_end(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        stream = await pool.download(FILE, Act(size=20), "a")
        with pytest.raises(Refusal, match="more than 1 MiB"):
            await whole(stream.chunks)

    with_pool(work, file_output=1 << 20)


def test_a_process_waits_for_a_slow_client_and_not_for_ever(with_pool: Run, tmp_path: Path) -> None:
    path = tmp_path / "part"

    async def work(pool: Pool) -> None:
        stream = await pool.download(FILE, Act(size=10**4, path=str(path)), "a")
        (busy, *_) = pool.pids
        assert len(await anext(stream.chunks)) == 1 << 16
        await asyncio.sleep(0.4)
        made = int(path.read_text())
        await asyncio.sleep(0.3)
        assert int(path.read_text()) == made < 50
        await asyncio.sleep(0.8)
        assert busy not in pool.pids
        with pytest.raises(Refusal, match="too slowly"):
            await whole(stream.chunks)

    with_pool(work, stalled=1.0)


def test_a_client_who_leaves_a_file_ends_its_process(with_pool: Run) -> None:
    async def work(pool: Pool) -> None:
        stream = await pool.download(FILE, Act(size=10**4), "a")
        (busy, *_) = pool.pids
        await anext(stream.chunks)
        await stream.chunks.aclose()  # type: ignore[attr-defined]
        await asyncio.sleep(0.2)
        assert busy not in pool.pids
        assert pool.turns.long == pool.turns.brief == 0

    with_pool(work)
