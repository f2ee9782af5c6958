"""The pages through the real server: a user alone, and many users for some seconds.

The whole minute of 200 users is `python benchmarks/web_load.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

pytest.importorskip("uvicorn")

from web_load import KINDS, alone, counts, play, served


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served() as port:
        asyncio.run(alone(port, [KINDS[kind](Random(1)) for kind in KINDS]))
        yield port


def test_page_yardstick_the_style_sheet(benchmark: Any, port: int) -> None:
    benchmark.group = "a request to the server"
    benchmark(lambda: asyncio.run(alone(port, [KINDS["style sheet"](Random(1))])))


@pytest.mark.parametrize("kind", ["first page", "number", "deal", "odds", "JSON: number"])
def test_page(benchmark: Any, port: int, kind: str) -> None:
    benchmark.group = "a request to the server"
    benchmark(lambda: asyncio.run(alone(port, [KINDS[kind](Random(1))])))


def test_count_of_two_hands(benchmark: Any, port: int) -> None:
    benchmark.group = "a request to the server"
    new = iter(counts(20))
    benchmark.pedantic(lambda: asyncio.run(alone(port, [next(new)])), rounds=5)


def test_users_lose_nothing(port: int) -> None:
    result = asyncio.run(play(port, users=20, seconds=3.0))
    assert result.lost == []
    assert len(result.all_times()) > 20
