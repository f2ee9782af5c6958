"""Solvers of tests: one without a search, and one that tries all plays of endings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from pavcodec import Layout, Seat
from pavcodec.cards import DECK_SIZE, SUIT_SIZE, UNUSED, Strain
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


Hands = tuple[frozenset[int], ...]


def tricks_by_play(owners: bytes, declarer: int, strain: int) -> int:
    """Return the tricks of a declarer, by trying all plays: the definition of double dummy."""
    hands = tuple(frozenset(c for c in range(DECK_SIZE) if owners[c] == seat) for seat in Seat)
    return plays_of(owners, declarer % 2, strain - 1)(hands, (declarer + 1) % len(Seat))


@lru_cache(2)  # a side has two declarers, which play many tricks from the same hands
def plays_of(_: bytes, side: int, trump: int) -> Callable[[Hands, int], int]:
    """Return the function that tries all plays of some cards, and remembers what it has tried."""

    @cache
    def most(hands: Hands, leader: int) -> int:
        """Return the tricks that a side still takes, before a trick."""
        return after(hands, leader, ())

    def after(hands: Hands, leader: int, trick: tuple[int, ...]) -> int:
        """Return the tricks that a side still takes, after some cards of a trick."""
        if len(trick) == len(Seat):
            led = trick[0] // SUIT_SIZE
            suit = trump if any(card // SUIT_SIZE == trump for card in trick) else led
            best = min(card for card in trick if card // SUIT_SIZE == suit)
            winner = (leader + trick.index(best)) % len(Seat)
            return int(winner % 2 == side) + most(hands, winner)
        seat = (leader + len(trick)) % len(Seat)
        if not hands[seat]:
            return 0
        follows = {card for card in hands[seat] if trick and card // SUIT_SIZE == trick[0] // 13}
        results = []
        for card in follows or hands[seat]:
            rest = (*hands[:seat], hands[seat] - {card}, *hands[seat + 1 :])
            results.append(after(rest, leader, (*trick, card)))
        return max(results) if seat % 2 == side else min(results)

    return most


def endings(cards: int, count: int, seed: int) -> NDArray[np.uint8]:
    """Return endings at random with so many cards in each hand: `uint8[count, 52]`."""
    rng = Random(seed)
    found = np.full((count, DECK_SIZE), UNUSED, np.uint8)
    for row in found:
        row[rng.sample(range(DECK_SIZE), len(Seat) * cards)] = [*Seat] * cards
    return found


class Player(Dds):
    """A bulk engine that tries all plays, and notes the boards of each call."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def strains(self, owners: NDArray[np.uint8], strains: Sequence[Strain]) -> NDArray[np.uint8]:
        self.calls.append(len(owners) * len(strains))
        tricks = [
            [[tricks_by_play(row.tobytes(), seat, strain) for seat in Seat] for strain in strains]
            for row in owners
        ]
        return np.array(tricks, np.uint8)

    def contracts(
        self, owners: NDArray[np.uint8], columns: NDArray[np.intp] | Sequence[int]
    ) -> NDArray[np.uint8]:
        self.calls.append(len(owners))
        tricks = [
            tricks_by_play(row.tobytes(), each % 4, each // 4)
            for row, each in zip(owners, columns, strict=True)
        ]
        return np.array(tricks, np.uint8)
