"""Solvers of tests: one without a search, and one by the tables of small endings."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from pavcodec import Layout, Seat, tricks_of_endings
from pavcodec.cards import DECK_SIZE, UNUSED, Strain
from pavcodec.solving.double_dummy import Asked, DoubleDummy, Engine
from pavcodec.solving.many import Dds

if TYPE_CHECKING:
    from numpy.typing import NDArray


def tricks_of(deal: Layout, declarer: Seat, strain: Strain) -> int:
    """Some number of 0 to 13 that depends on all it is given."""
    return (sum(deal.owners[:9]) * 7 + declarer * 5 + strain * 3) % 14


class Fake(Engine):
    """Notes what it is asked for."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int]] = []
        self.asked: list[Asked] = []

    def contracts(self, asked: Sequence[Asked]) -> list[int]:
        self.calls.append(("contracts", len(asked)))
        self.asked += asked
        return [tricks_of(*each) for each in asked]

    def strain(self, deals: Sequence[Layout], strain: Strain) -> list[list[int]]:
        self.calls.append((strain.name, len(deals)))
        self.asked += [(deal, seat, strain) for deal in deals for seat in Seat]
        return [[tricks_of(deal, seat, strain) for seat in Seat] for deal in deals]


@pytest.fixture
def engine() -> Fake:
    """An engine without a search."""
    return Fake()


@pytest.fixture
def solver(engine: Fake) -> DoubleDummy:
    """A solver with that engine."""
    return DoubleDummy(engine)


def endings(cards: int, count: int, seed: int) -> NDArray[np.uint8]:
    """Return endings at random with so many cards in each hand: `uint8[count, 52]`."""
    rng = Random(seed)
    found = np.full((count, DECK_SIZE), UNUSED, np.uint8)
    for row in found:
        row[rng.sample(range(DECK_SIZE), len(Seat) * cards)] = [*Seat] * cards
    return found


class Player(Dds):
    """A bulk engine for small endings, by their tables, that notes the boards of each call."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def strains(self, owners: NDArray[np.uint8], strains: Sequence[Strain]) -> NDArray[np.uint8]:
        self.calls.append(len(owners) * len(strains))
        return tricks_of_endings(owners).reshape(-1, 5, 4)[:, list(map(int, strains))]

    def contracts(
        self, owners: NDArray[np.uint8], columns: NDArray[np.intp] | Sequence[int]
    ) -> NDArray[np.uint8]:
        self.calls.append(len(owners))
        return tricks_of_endings(owners)[np.arange(len(owners)), columns]
