"""Hands as texts and as counts, against `Hand` and the notation."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import layouts, sparse_layouts

from pavcodec import Hand, Layout, kernel
from pavcodec.arrays import Owners
from pavcodec.boards.batch import owners_of
from pavcodec.cards import DECK_SIZE, UNUSED
from pavcodec.layout.columns import holdings_of

pytest.importorskip("pyarrow")

from pavcodec.formats.parquet.writing import count_tables, counts_of, hand_texts

LAYOUTS = st.lists(layouts() | sparse_layouts(), max_size=5)


def texts_of(owners: Owners, seat: int) -> list[str]:
    offsets, data = hand_texts(holdings_of(owners)[seat])
    whole = data.tobytes().decode()
    return [whole[begin:end] for begin, end in pairwise(offsets)]


def placed(texts: list[str], owners: Owners, seat: int = 0) -> bool:
    offsets = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    data = "".join(texts).encode()
    return bool(kernel.read_hands(data, len(data), offsets, seat, len(owners), owners) < 0)


@pytest.mark.slow
def test_every_holding_counts_as_a_hand_of_it_does() -> None:
    for holding, (hcp, controls, losers, length) in enumerate(count_tables().T):
        hand = Hand(rank for rank in range(13) if holding >> 12 - rank & 1)
        assert (hcp, controls, losers) == (hand.hcp, hand.controls, hand.losers)
        assert length == len(hand)
    assert holding == 2**13 - 1


@pytest.mark.slow
@settings(deadline=None)
@given(LAYOUTS)
def test_the_counts_of_hands(some: list[Layout]) -> None:
    counts = counts_of(holdings_of(owners_of(some)))
    assert counts.shape == (4, 7, len(some))
    for row, layout in enumerate(some):
        for seat, hand in enumerate(layout):
            counted = (hand.hcp, hand.controls, hand.losers, *hand.shape)
            assert tuple(counts[seat, :, row]) == counted


@pytest.mark.slow
@settings(deadline=None)
@given(LAYOUTS)
def test_texts_are_those_of_the_notation_and_give_the_hands_again(some: list[Layout]) -> None:
    owners = owners_of(some)
    again = np.full((len(some), DECK_SIZE), UNUSED, np.uint8)
    for seat in range(4):
        texts = texts_of(owners, seat)
        assert texts == [str(layout[seat]) for layout in some]
        assert placed(texts, again, seat)
    assert (again == owners).all()


@settings(deadline=None)
@given(st.lists(st.text("AKQJT98765432.-x", max_size=9), min_size=1, max_size=3))
def test_only_texts_of_the_notation_are_placed(texts: list[str]) -> None:
    owners = np.full((len(texts), DECK_SIZE), UNUSED, np.uint8)

    def is_written(text: str) -> bool:
        try:
            return str(Hand.from_pbn(text)) == text
        except ValueError:
            return False

    assert placed(texts, owners) == all(map(is_written, texts))


def test_a_card_that_somebody_has_is_not_placed() -> None:
    owners = np.full((1, DECK_SIZE), UNUSED, np.uint8)
    assert placed(["A..."], owners)
    assert not placed(["KA..."], owners, 1)
    assert not placed(["A..."], owners, 1)
