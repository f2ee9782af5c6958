"""Places: one client leaves some to others, and nothing keeps a place after its end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

pytest.importorskip("pydantic")
pytest.importorskip("pebble")

from hypothesis import given
from hypothesis import strategies as st

from pavcodec.web.settings import Settings
from pavcodec.web.workers.pool import Place, Places
from pavcodec.web.workers.workers import Refusal


class Asked:
    """A question that keeps its place until it ends."""

    def __init__(self, places: Places, client: str) -> None:
        self.places = places
        self.place: Place | None = None
        self.ends = asyncio.Event()
        self.task = asyncio.create_task(self._keep(client))

    async def _keep(self, client: str) -> None:
        async with AsyncExitStack() as held:
            self.place = await held.enter_async_context(self.places.taken(client))
            await self.ends.wait()

    async def end(self) -> None:
        self.ends.set()
        await self.task


def run(work: Callable[[Places], Awaitable[None]], **limits: Any) -> None:
    async def inside() -> None:
        await work(Places(Settings(**{"workers": 4, "is_public": True} | limits)))

    asyncio.run(inside())


async def waiting(places: Places, clients: str) -> list[Asked]:
    asked = [Asked(places, client) for client in clients]
    await asyncio.sleep(0.01)
    return asked


async def ended(*asked: Asked) -> None:
    for each in asked:
        each.task.cancel()
    await asyncio.wait([each.task for each in asked])


def begun(asked: list[Asked]) -> str:
    return "".join("-+"[each.place is not None] for each in asked)


def test_a_client_with_many_questions_leaves_places_to_others() -> None:
    async def work(places: Places) -> None:
        asked = await waiting(places, "aaaabcd")
        assert begun(asked) == "++--++-"
        await asked[0].end()
        await asyncio.sleep(0.01)
        assert begun(asked).count("+") == 5
        await ended(*asked)
        assert (places.waiting, places.under_way, places.long) == (0, 0, 0)

    run(work)


def test_the_only_client_of_ones_own_machine_has_all_places() -> None:
    async def work(places: Places) -> None:
        asked = await waiting(places, "aaaaa")
        assert begun(asked) == "++++-"
        await ended(*asked)

    run(work, is_public=False)


def test_crowds_are_refused() -> None:
    async def work(places: Places) -> None:
        asked = await waiting(places, "aaaaabbb")
        with pytest.raises(Refusal) as own:
            await Asked(places, "a").task
        with pytest.raises(Refusal) as all_of_them:
            await Asked(places, "c").task
        assert (own.value.status, all_of_them.value.status) == (429, 503)
        await ended(*asked)

    run(work, waiting=4, waiting_by_client=5)


def test_who_waits_too_long_is_refused() -> None:
    async def work(places: Places) -> None:
        asked = await waiting(places, "aa")
        with pytest.raises(Refusal) as refused:
            await Asked(places, "a").task
        assert (refused.value.status, places.waiting) == (503, 0)
        await ended(*asked)

    run(work, seconds=0.05)


def test_long_questions_give_their_places_free_and_are_few() -> None:
    async def work(places: Places) -> None:
        asked = await waiting(places, "aaaabb")
        assert begun(asked) == "++--++"
        said = []
        for each in asked[:2]:
            assert each.place is not None
            said.append(places.lengthen(each.place))
        await asyncio.sleep(0.01)
        assert begun(asked) == "++++++"
        for each in (asked[2], asked[4], asked[5]):
            assert each.place is not None
            said.append(places.lengthen(each.place))
        await asyncio.sleep(0.01)
        (other,) = await waiting(places, "c")
        assert other.place is not None
        said.append(places.lengthen(other.place))
        assert [refusal.status if refusal else 0 for refusal in said] == [0, 0, 429, 0, 0, 503]
        await asked[0].end()
        assert places.lengthen(other.place) is None
        await ended(*asked, other)
        assert (places.waiting, places.under_way, places.long) == (0, 0, 0)

    run(work)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["begin", "end", "long"]))))
def test_no_place_is_lost_or_given_twice(steps: list[tuple[str, str]]) -> None:
    async def work(places: Places) -> None:
        asked: list[Asked] = []
        for client, step in steps:
            if step == "begin":
                asked.append(Asked(places, client))
            elif asked and step == "end":
                await ended(asked.pop(0))
            elif asked and asked[0].place is not None and not asked[0].place.is_long:
                places.lengthen(asked[0].place)
            for _ in range(5):
                await asyncio.sleep(0)
            places_of = [each.place for each in asked if each.place is not None]
            assert len([place for place in places_of if not place.is_long]) <= 4
            assert places.long == len([place for place in places_of if place.is_long]) <= 4
            assert places.under_way == len(asked)
        if asked:
            await ended(*asked)
        assert (places.waiting, places.under_way, places.long) == (0, 0, 0)
        assert await asyncio.wait_for(_all_at_once(places), 1) == "++++"

    run(work)


async def _all_at_once(places: Places) -> str:
    asked = await waiting(places, "xxyy")
    found = begun(asked)
    await ended(*asked)
    return found
