"""What the tests of case listings share: the study's tables, and toy decks whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from oracles import FIXTURES, words_of_sizes

from pavcodec.studies.cases.cells import Accepts, Deck, Lengths, Plan
from pavcodec.studies.cases.sequence import CaseRow
from pavcodec.studies.cases.table import CaseTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.studies.cases.cells import Numbers

STUDY = json.loads((FIXTURES / "vectors" / "article-case-tables.json").read_text())
"""The rows of the five tables, by name."""
CONDITIONS = {
    "west-9-spades": "spades(west) == 9",
    "west-9-spades-east-6-6-minors": "spades(west) == 9 && shape(east, xx66)",
    "north-3-hcp": "hcp(north) == 3",
    "north-2-hcp-south-0-1-hcp": "hcp(north) == 2 && hcp(south) <= 1",
    "east-5332-34-hcp": "shape(east, any 5332) && hcp(east) == 34",
}
"""What the tables list, in the language."""
TOTALS = {
    "west-9-spades": 58809465,
    "west-9-spades-east-6-6-minors": 556991252532000,
    "north-3-hcp": 15636342960,
    "north-2-hcp-south-0-1-hcp": 122891799377692800,
    "east-5332-34-hcp": 756,
}
"""T of the tables, as printed."""

TOY = Deck(suits=2, honours=2, spots=2, seats=4)
"""Eight cards: two suits of ace, king and two spot cards; two cards a hand, 2520 deals."""

Hand = tuple[Lengths, int]
"""The lengths and the map of a hand."""


def as_in_the_study(row: CaseRow) -> dict[str, object]:
    """A row with the keys of the study's tables."""
    told: dict[str, object] = {"case": row.number, "hands": row.hands}
    if row.bitmaps:
        told["bitmaps"] = row.bitmaps
    return told | {"calculation": row.calculation, "ways": row.ways, "total": row.total}


def hand_of(deck: Deck, word: bytes, seat: int) -> Hand:
    """What a seat holds in a word, in the slow and obvious way."""
    cards = [card for card, owner in enumerate(word) if owner == seat]
    lengths = tuple(
        sum(card // deck.suit_size == suit for card in cards) for suit in range(deck.suits)
    )
    named = 0
    for suit in range(deck.suits):
        for rank in range(deck.honours):
            named = named << 1 | (suit * deck.suit_size + rank in cards)
    return lengths, named


def words_of(deck: Deck) -> Iterator[bytes]:
    """All deals of a deck."""
    yield from words_of_sizes((deck.hand_size,) * deck.seats)


Test = Callable[[Lengths | None, int | None], bool]
"""A test of the lengths and the map of a hand; what is off is None."""


def accepting(plan: Plan, test: Test) -> Accepts:
    """What cells are made of, from a test of one hand in all columns of a plan."""

    def accepts(shapes: Numbers | None, maps: Numbers | None) -> NDArray[np.bool_]:
        count = next(len(column) for column in (shapes, maps) if column is not None)
        if (shapes is not None, maps is not None) != (plan.patterns, plan.honours):
            return np.ones(count, np.bool_)
        lengths = [None] * count if shapes is None else map(tuple, TOY.lengths.T[shapes].tolist())
        listed = [None] * count if maps is None else maps.tolist()
        return np.array(list(map(test, lengths, listed)), np.bool_)

    return accepts


def toy_table(
    seats: tuple[int, ...], tests: list[Test], *, patterns: bool, honours: bool
) -> CaseTable:
    """The listing of a toy deck."""
    plan = Plan(seats, patterns, honours, TOY)
    return CaseTable(plan, [accepting(plan, test) for test in tests])
