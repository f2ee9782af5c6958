"""Turns: places go to the clients in turn, and nothing keeps a place after its end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("pydantic")

from hypothesis import given
from hypothesis import strategies as st

from pavcodec.web.settings import Settings
from pavcodec.web.workers.pool import Turn, Turns
from pavcodec.web.workers.workers import Refusal


def run(work: Callable[[Turns], Awaitable[None]], **limits: Any) -> None:
    async def inside() -> None:
        await work(Turns(Settings(**{"workers": 2} | limits)))

    asyncio.run(inside())


async def waiting(turns: Turns, *clients: str) -> list[asyncio.Task[Turn]]:
    found = [asyncio.create_task(turns.begin(client)) for client in clients]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return found


def test_a_client_with_many_questions_waits_behind_others() -> None:
    async def work(turns: Turns) -> None:
        first = await turns.begin("a")
        asked = await waiting(turns, "a", "a", "a", "b", "c")
        assert [each.done() for each in asked] == [False, False, False, True, False]
        first.end()
        await asyncio.sleep(0)
        assert [each.done() for each in asked] == [False, False, True, True, False]
        asked[2].result().end()
        await asyncio.sleep(0)
        assert [each.done() for each in asked] == [False, False, True, True, True]
        for each in asked[:]:
            each.cancel()

    run(work)


def test_the_newest_question_of_a_client_comes_before_its_crowd() -> None:
    async def work(turns: Turns) -> None:
        first = await turns.begin("a")
        crowd = await waiting(turns, *"a" * 20)
        (newest,) = await waiting(turns, "a")
        first.end()
        await asyncio.sleep(0)
        assert newest.done()
        newest.result().end()
        await asyncio.sleep(0)
        assert [each.done() for each in crowd] == [False] * 19 + [True]
        for each in crowd:
            each.cancel()

    run(work)


def test_crowds_are_refused() -> None:
    async def work(turns: Turns) -> None:
        await turns.begin("a")
        await turns.begin("b")
        asked = await waiting(turns, "a", "a", "b")
        with pytest.raises(Refusal) as own:
            await turns.begin("a")
        with pytest.raises(Refusal) as all_of_them:
            await turns.begin("c")
        assert (own.value.status, all_of_them.value.status) == (429, 503)
        for each in asked:
            each.cancel()

    run(work, waiting=3, waiting_by_client=2)


def test_who_waits_too_long_is_refused() -> None:
    async def work(turns: Turns) -> None:
        await turns.begin("a")
        with pytest.raises(Refusal) as refused:
            await turns.begin("a")
        assert (refused.value.status, turns.waiting) == (503, 0)

    run(work, seconds=0.05)


def test_a_long_question_gives_its_place_free() -> None:
    async def work(turns: Turns) -> None:
        first, second = await turns.begin("a"), await turns.begin("b")
        (asked,) = await waiting(turns, "c")
        first.lengthen()
        await asyncio.sleep(0)
        assert asked.done()
        second.lengthen()
        assert (turns.brief, turns.long) == (1, 2)
        with pytest.raises(Refusal):
            asked.result().lengthen()
        first.end()
        first.end()
        asked.result().lengthen()
        assert (turns.brief, turns.long) == (0, 2)

    run(work, long=2)


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["begin", "end", "long", "leave"])))
)
def test_no_place_is_lost_or_given_twice(steps: list[tuple[str, str]]) -> None:
    async def work(turns: Turns) -> None:
        asked: list[asyncio.Task[Turn]] = []
        for client, step in steps:
            if step == "begin":
                asked += await waiting(turns, client)
            elif asked and step == "leave":
                asked.pop(0).cancel()
            elif asked and asked[0].done() and not asked[0].exception():
                if step == "end":
                    asked.pop(0).result().end()
                else:
                    asked[0].result().end()
            await asyncio.sleep(0)
            assert 0 <= turns.brief <= 3
            assert turns.brief + turns._free == 3
            eligible = [client for client in turns._queues if turns._may_begin(client)]
            assert not (eligible and turns._free)
        for each in asked:
            if each.done() and not each.exception():
                each.result().end()
            each.cancel()
        await asyncio.sleep(0)

    run(work, workers=3)
