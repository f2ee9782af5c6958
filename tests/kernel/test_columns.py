"""Owners in other forms in the kernel and by their definitions."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from pavcodec import Layout, kernel, numbering
from pavcodec.formats.npy.views import ACE_FIRST, ACE_LOW, BY_RANK, BY_SUIT, MERGED, CardOrder
from pavcodec.kernel import reference
from pavcodec.statistics.tally import card_words

Owners = np.ndarray[Any, np.dtype[np.uint8]]
ORDERS = [ACE_FIRST, ACE_LOW, BY_RANK, BY_SUIT, MERGED]
SUITS = Layout.from_pbn("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
DEALS = np.vstack([numbering("deal").sample_many(40, seed=3), [list(SUITS.owners)]]).astype("u1")
LAYOUTS = np.vstack(
    [
        DEALS,
        *(np.full((1, 52), owner, np.uint8) for owner in range(5)),
        *(numbering(name).sample_many(40, seed=3) for name in ("ending", "base5")),
    ]
)


def both(name: str, *given: Any, shape: tuple[int, ...], dtype: Any) -> tuple[int, Any]:
    """Return what the kernel and what the definition give, which must be equal."""
    found = np.zeros((2, *shape), dtype)
    first, second = (
        getattr(room, name)(*given, array)
        for room, array in zip((kernel, reference), found, strict=True)
    )
    assert first == second
    assert first >= 0 or np.array_equal(*found)
    return first, found[0]


def packed(rows: Owners) -> tuple[int, Any]:
    return both("pack_hands", len(rows), rows, shape=(len(rows), 4), dtype=np.uint64)


def unpacked(hands: Any) -> tuple[int, Any]:
    return both("unpack_hands", len(hands), hands, shape=(len(hands), 52), dtype=np.uint8)


def split(rows: Owners) -> tuple[int, Any]:
    return both("split_suits", len(rows), rows, shape=(4, 4, len(rows)), dtype=np.uint16)


def counted(rows: Owners, order: CardOrder, hands: int) -> tuple[int, Any]:
    turns = np.arange(len(rows), dtype=np.uint8) % 4
    given = order.places, len(rows), rows, turns, hands, order.width
    return both("count_places", *given, shape=(len(rows), hands, order.width), dtype=np.uint8)


def placed(rows: Owners, order: CardOrder, steps: tuple[int, int]) -> tuple[int, Any]:
    turns = np.arange(len(rows), dtype=np.uint8) % 4
    given = order.at_places, len(rows), rows, turns, *steps
    return both("place_cards", *given, shape=(len(rows), 52), dtype=np.uint8)


def test_hands_and_holdings_of_layouts() -> None:
    bad, hands = packed(LAYOUTS)
    assert bad == -1
    bad, rows = unpacked(hands)
    assert bad == -1
    assert np.array_equal(rows, LAYOUTS)
    assert split(LAYOUTS)[0] == -1


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.text)
def test_cards_at_places(order: CardOrder) -> None:
    for hands in (1, 4):
        bad, counts = counted(LAYOUTS, order, hands)
        assert bad == -1
        assert hands == 1 or counts.sum() == (LAYOUTS < 4).sum()
    for steps in ((13, 1), (1, 4)) if order is not MERGED else ():
        bad, places = placed(DEALS, order, steps)
        assert bad == -1
        assert (np.sort(places) == np.arange(52)).all()


@pytest.mark.parametrize("owner", [5, 7, 8, 128, 255])
def test_the_first_row_with_an_owner_that_is_none(owner: int) -> None:
    for card in (0, 12, 13, 51):
        rows = LAYOUTS[:5].copy()
        rows[[2, 4], card] = owner
        assert packed(rows)[0] == split(rows)[0] == counted(rows, MERGED, 4)[0] == 2
        assert placed(rows, BY_RANK, (13, 1))[0] == 2
        assert packed(rows[2:])[0] == split(rows[2:])[0] == counted(rows[2:], ACE_LOW, 1)[0] == 0


@pytest.mark.parametrize("other", [0, 1, 2, 3, 4])
def test_the_first_row_that_is_no_deal(other: int) -> None:
    rows = DEALS[:4].copy()
    rows[3, np.flatnonzero(rows[3] != other)[-1]] = other
    assert placed(rows, ACE_FIRST, (1, 4))[0] == 3


def test_hands_that_are_no_layout() -> None:
    for left, right in product(range(4), repeat=2):
        hands = np.zeros((2, 4), np.uint64)
        hands[1, left] = 1 << 51
        hands[1, right] |= np.uint64(3 << 50)
        assert unpacked(hands)[0] == (-1 if left == right else 1), "they share a card"
    for bit in (52, 53, 63):
        hands = np.zeros((3, 4), np.uint64)
        hands[2, 1] = 1 << bit
        assert unpacked(hands)[0] == 2, "it is no card"


def tallied(rows: Owners, words: Any, size: int) -> tuple[int, Any, Any]:
    """Return how many deals there are, and their shapes and points."""
    results: list[Any] = []
    for room in (kernel, reference):
        shapes, holders = np.zeros((5, 4096), np.int64), np.zeros((len(words), 4), np.int64)
        points, controls = np.zeros((2, 5, 64), np.int64)
        counts = shapes, points, controls, holders
        results.append(
            (room.tally_deals(len(words), words, size, len(rows), rows, *counts), counts)
        )
    assert results[0][0] == results[1][0]
    assert all(map(np.array_equal, results[0][1], results[1][1]))
    return results[0][0], *results[0][1][:2]


def test_tallies() -> None:
    """Of layouts; and of all those of two suits of four, with points 2 1 0 0 and one control."""
    assert tallied(LAYOUTS, card_words(), 13)[0] == len(DEALS)
    rows = np.array([(*owners, 2, 3) for owners in product(range(5), repeat=6)], np.uint8)
    values = [(suit, points) for suit in range(2) for points in (2, 1, 0, 0)]
    words = [1 << 4 * s | p << 16 | (p == 2) << 24 | 1 << 32 for s, p in values]
    deals, shapes, points = tallied(rows, np.array(words, np.uint64), 2)
    assert deals == 180  # six cards to hands of 2, 2, 1 and 1
    assert shapes.sum() == points.sum() == 5 * 180
