"""Tallies: extremes, threads, what is no deal, tricks; and the laws of sums in `test_sums.py`."""

from __future__ import annotations

import numpy as np
import pytest

from pavcodec import Deal, Layout, LayoutError, expression, numbering
from pavcodec.boards.batch import owners_of
from pavcodec.statistics import Tally
from pavcodec.statistics.tally import card_words

EXTREMES = [
    "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432",
    "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 654.8765.876.876 32.432.5432.5432",
    "N:...AKQJT98765432 AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432.",
]


def test_extreme_deals() -> None:
    some = [Deal.from_pbn(text) for text in EXTREMES]
    tally, one_by_one = Tally.of(owners_of(some)), Tally()
    for deal in some:
        one_by_one.add_deal(deal)
    assert one_by_one == tally
    assert tally.counts["hcp"][0, 37] == 1
    assert tally.counts["shapes"][0, 559] == 1
    assert tally.counts["side_lengths"][13, 0, 13] == 1


def test_tallies_are_those_of_any_number_of_threads() -> None:
    owners = numbering("deal").sample_many(50_000, seed=8)
    whole = Tally()
    whole.add(owners, threads=1)
    together = Tally()
    together.add(owners, threads=4)
    assert together == whole
    assert together + Tally.of(owners[:1]) != whole


def test_what_is_no_deal_or_outside_a_condition_is_apart() -> None:
    rows = owners_of(
        [*numbering("deal").sample(30, seed=9), Layout.from_pbn("N:AK.Q.. - .32.4. -")]
    )
    fouled = rows[:1].copy()
    fouled[0, np.flatnonzero(fouled[0] == 0)[0]] = 1
    where, tally = expression("hcp(north) > 9"), Tally()
    tally.add(np.concatenate([rows, fouled]), where=where)
    whole = Tally.of(rows[:30])
    whole.incomplete = 2
    whole.outside_condition = 30 - int(where.values(rows[:30]).sum())
    assert tally == whole
    with pytest.raises(LayoutError, match="row 2: an owner is 0 to 4, not 9"):
        Tally.of(np.array([[0] * 52, [4] * 52, [9] * 52], np.uint8))
    assert Tally.of(np.zeros((0, 52), np.uint8)) == Tally()


def test_tricks() -> None:
    tally = Tally()
    tally.add_tricks([bytes(range(14)) + bytes(6), bytes([13] * 20)])
    assert tally.boards_with_tricks == 2
    assert tally.counts["tricks"][1, 2].tolist() == [0] * 6 + [1] + [0] * 6 + [1]
    assert tally.counts["tricks"].sum() == 40


def test_no_field_of_a_word_overflows() -> None:
    total = int(card_words().sum())
    assert [total >> 16 & 63, total >> 24 & 255, total >> 32] == [40, 12, 52]
    assert total & 0xFFFF == 0xDDDD
