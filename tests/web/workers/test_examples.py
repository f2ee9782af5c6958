"""The example of every task has an answer in a worker, which is a copy of a process that ran some.

A library whose threads that process has started would wait for ever in its copies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from web_tasks import ACT, Act

from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.tournament.make import DEAL_FILE
from pavcodec.web.workers.pool import Pool

pytestmark = pytest.mark.slow


def test_all_examples(with_pool: Callable[..., None]) -> None:
    async def work(pool: Pool) -> None:
        for task in TASKS:
            await run(pool, task, task.example)
        records = DEAL_FILE.example.model_copy(update={"to": "records"})
        assert await run(pool, DEAL_FILE, records)

    with_pool(work, seconds=20.0)


def test_a_new_process_has_the_tables_of_long_searches(with_pool: Callable[..., None]) -> None:
    async def work(pool: Pool) -> None:
        assert await pool.answer(ACT, Act(act="search"), "test")

    with_pool(work, seconds=20.0)


async def run(pool: Pool, task: Any, question: Any) -> bytes:
    """Return the bytes of a file; none for an answer."""
    if not task.is_download:
        assert await pool.answer(task, question, "test")
        return b""
    stream = await pool.download(task, question, "test")
    return b"".join([chunk async for chunk in stream.chunks])
