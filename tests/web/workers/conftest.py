"""A pool of worker processes, of which nothing remains after a test."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

pytest.importorskip("pydantic")

from pavcodec.web.settings import Settings
from pavcodec.web.workers.pool import Pool


@asynccontextmanager
async def opened(**limits: Any) -> AsyncIterator[Pool]:
    """Start a pool; its processes have ended after the block."""
    before = set(multiprocessing.active_children())
    pool = Pool(Settings(**{"workers": 2, "brief": 0.3, "seconds": 5.0} | limits))
    await pool.start()
    try:
        yield pool
    finally:
        assert set(multiprocessing.active_children()) - before
        await pool.stop()
        assert set(multiprocessing.active_children()) <= before


@pytest.fixture
def with_pool() -> Callable[..., None]:
    """Return a function that runs a coroutine with a pool."""

    def run(work: Callable[[Pool], Awaitable[None]], **limits: Any) -> None:
        async def inside() -> None:
            async with opened(**limits) as pool:
                async with asyncio.timeout(60):
                    await work(pool)

        asyncio.run(inside())

    return run
