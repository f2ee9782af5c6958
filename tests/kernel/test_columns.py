"""Owners in other forms in the kernel and by their definitions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pavcodec import Layout, kernel, numbering
from pavcodec.formats.npy.views import ACE_FIRST, ACE_LOW, BY_RANK, BY_SUIT, MERGED, CardOrder
from pavcodec.kernel import reference
from pavcodec.statistics.tally import card_words

Owners = np.ndarray[Any, np.dtype[np.uint8]]
ORDERS = [ACE_FIRST, ACE_LOW, BY_RANK, BY_SUIT, MERGED]


def extremes() -> Owners:
    """Return layouts at the edges: whole suits, one owner, no card."""
    texts = ["N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
    rows = [Layout.from_pbn(text).owners for text in texts]
    rows += [bytes([owner] * 52) for owner in range(5)]
    return np.frombuffer(b"".join(rows), np.uint8).reshape(-1, 52)


DEALS = np.concatenate([numbering("deal").sample_many(40, seed=3), extremes()[:1]])
LAYOUTS = np.concatenate([DEALS, extremes(), numbering("ending").sample_many(40, seed=3)])


def both(name: str, call: Callable[[Any], tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return what the kernel and what the definition give, which must be equal."""
    (result, *compiled), (other, *defined) = (
        call(getattr(room, name)) for room in (kernel, reference)
    )
    assert result == other
    if result is None or result < 0:
        for one, two in zip(compiled, defined, strict=True):
            assert one.tolist() == two.tolist()
    return result, *compiled


def packed(rows: Owners) -> tuple[Any, ...]:
    def call(pack: Any) -> tuple[Any, ...]:
        hands = np.zeros((len(rows), 4), np.uint64)
        return pack(len(rows), rows, hands), hands

    return both("pack_hands", call)


def unpacked(hands: Any) -> tuple[Any, ...]:
    def call(unpack: Any) -> tuple[Any, ...]:
        rows = np.zeros((len(hands), 52), np.uint8)
        return unpack(len(hands), hands, rows), rows

    return both("unpack_hands", call)


def split(rows: Owners) -> tuple[Any, ...]:
    def call(split_suits: Any) -> tuple[Any, ...]:
        holdings = np.zeros((4, 4, len(rows)), np.uint16)
        return split_suits(len(rows), rows, holdings), holdings

    return both("split_suits", call)


def counted(rows: Owners, order: CardOrder, hands: int) -> tuple[Any, ...]:
    turns = np.arange(len(rows), dtype=np.uint8) % 4

    def call(count: Any) -> tuple[Any, ...]:
        counts = np.full((len(rows), hands, order.width), 255, np.uint8)
        sizes = hands, order.width
        return count(order.places, len(rows), rows, turns, *sizes, counts), counts

    return both("count_places", call)


def placed(rows: Owners, order: CardOrder, steps: tuple[int, int]) -> tuple[Any, ...]:
    turns = np.arange(len(rows), dtype=np.uint8) % 4

    def call(place: Any) -> tuple[Any, ...]:
        places = np.zeros((len(rows), 52), np.uint8)
        return place(order.at_places, len(rows), rows, turns, *steps, places), places

    return both("place_cards", call)


def test_hands_of_layouts_and_back() -> None:
    bad, hands = packed(LAYOUTS)
    assert bad == -1
    bad, rows = unpacked(hands)
    assert bad == -1
    assert rows.tolist() == LAYOUTS.tolist()


def test_holdings_of_layouts() -> None:
    assert split(LAYOUTS)[0] == -1


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.text)
@pytest.mark.parametrize("hands", [1, 4])
def test_numbers_of_cards_at_places(order: CardOrder, hands: int) -> None:
    bad, counts = counted(LAYOUTS, order, hands)
    assert bad == -1
    assert hands == 1 or counts.sum() == (LAYOUTS < 4).sum()


@pytest.mark.parametrize("order", ORDERS[:-1], ids=lambda order: order.text)
@pytest.mark.parametrize("steps", [(13, 1), (1, 4)])
def test_places_of_cards(order: CardOrder, steps: tuple[int, int]) -> None:
    bad, places = placed(DEALS, order, steps)
    assert bad == -1
    assert (np.sort(places) == np.arange(52)).all()


@pytest.mark.parametrize("owner", [5, 7, 8, 12, 128, 255])
@pytest.mark.parametrize("card", [0, 12, 13, 51])
def test_the_first_row_with_an_owner_that_is_none(owner: int, card: int) -> None:
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


@pytest.mark.parametrize(("left", "right"), list(product(range(4), repeat=2)))
def test_hands_that_share_a_card(left: int, right: int) -> None:
    hands = np.zeros((2, 4), np.uint64)
    hands[1, left] = 1 << 51
    hands[1, right] |= np.uint64(3 << 50)
    assert unpacked(hands)[0] == (-1 if left == right else 1)


@pytest.mark.parametrize("bit", [52, 53, 63])
def test_hands_with_a_bit_that_is_no_card(bit: int) -> None:
    hands = np.zeros((3, 4), np.uint64)
    hands[2, 1] = 1 << bit
    assert unpacked(hands)[0] == 2


def tallied(rows: Owners, words: Any, size: int) -> tuple[Any, ...]:
    def call(tally: Any) -> tuple[Any, ...]:
        shapes, holders = np.zeros((5, 4096), np.int64), np.zeros((len(words), 4), np.int64)
        points, controls = np.zeros((2, 5, 64), np.int64)
        counts = shapes, points, controls, holders
        return np.array([tally(len(words), words, size, len(rows), rows, *counts)]), *counts

    results = [call(room.tally_deals) for room in (kernel, reference)]
    for one, two in zip(*results, strict=True):
        assert one.tolist() == two.tolist()
    return results[0]


def test_tallies_of_deals_and_other_layouts() -> None:
    (deals,), *_ = tallied(LAYOUTS, card_words(), 13)
    assert deals == len(DEALS) + 1


def test_tallies_of_whole_toy_decks() -> None:
    """All layouts of eight cards: two suits of four, with points 2 1 0 0 and one control."""
    rows = np.array(list(product(range(5), repeat=6)), np.uint8)
    rows = np.concatenate([rows, np.repeat([[2, 3]], len(rows), axis=0)], axis=1).astype(np.uint8)
    values = [(suit, points) for suit in range(2) for points in (2, 1, 0, 0)]
    words = [1 << 4 * s | p << 16 | (p == 2) << 24 | 1 << 32 for s, p in values]
    (deals,), shapes, points, *_ = tallied(rows, np.array(words, np.uint64), 2)
    assert deals == 180  # six cards to hands of 2, 2, 1 and 1
    assert shapes.sum() == points.sum() == 5 * 180


@pytest.mark.slow
@given(st.lists(st.lists(st.integers(0, 4), min_size=52, max_size=52), min_size=1, max_size=3))
def test_any_layouts(some: list[list[int]]) -> None:
    rows = np.array(some, np.uint8)
    assert unpacked(packed(rows)[1])[1].tolist() == some
    split(rows)
    counted(rows, MERGED, 4)
    placed(rows, BY_SUIT, (13, 1))
    tallied(rows, card_words(), 13)
