"""Tallies: extremes, threads, what is no deal, tricks; and the sums of parts."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pavcodec import Deal, Layout, LayoutError, expression, numbering
from pavcodec.boards.batch import owners_of
from pavcodec.errors import PavError
from pavcodec.formats.arrays import DealRows
from pavcodec.statistics.repeats import Finder
from pavcodec.statistics.tally import Tally, card_words

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


# sums of parts, added in any order

WHERE = expression("hcp(north) > 9")
DEALS = numbering("deal").sample_many(40, seed=3)
ENDINGS = numbering("ending").sample_many(5, seed=4)
ROWS = np.concatenate([DEALS, ENDINGS, DEALS[5:12], ENDINGS[:2], (DEALS[:3] + 1) % 4])
TRICKS = [bytes([7] * 20), bytes(range(13)) + bytes(7)]


@st.composite
def splits(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Return where the rows are cut, and the order in which their parts are added."""
    cuts = sorted(draw(st.lists(st.integers(0, len(ROWS)), max_size=6)))
    return cuts, draw(st.permutations(range(len(cuts) + 1)))


def tally_of(rows: np.ndarray) -> Tally:
    tally = Tally()
    tricks = np.array([list(TRICKS[int(row[0]) % 2]) for row in rows if row[0] < 2], np.uint8)
    part = DealRows(rows, tricks.reshape(-1, 20), int((rows[:, 1] == 3).sum()))
    tally.add_part(part, where=WHERE)
    return tally


@pytest.mark.slow
@given(splits())
def test_tallies_of_parts_add_up_to_that_of_the_whole(split: tuple[list[int], list[int]]) -> None:
    cuts, order = split
    parts = [pickle.loads(pickle.dumps(tally_of(rows))) for rows in np.split(ROWS, cuts)]
    total = Tally()
    for place in order:
        total += parts[place]
    whole = tally_of(ROWS)
    assert whole.incomplete
    assert whole.outside_condition
    assert whole.without_cards
    assert whole.boards_with_tricks
    assert total == whole


@pytest.mark.slow
@pytest.mark.parametrize("up_to", ["", "turns"])
@given(splits())
def test_finders_of_parts_add_up_to_that_of_the_whole(
    up_to: str, split: tuple[list[int], list[int]]
) -> None:
    cuts, order = split
    whole, parts = Finder(up_to), []
    for place, rows in enumerate(np.split(ROWS, cuts)):
        part = Finder(up_to)
        source = f"file {place % 3}"
        part.without_cards = place
        part.add(rows, source, place=place)
        parts.append(pickle.loads(pickle.dumps(part)))
        whole.add(rows, source)
        whole.without_cards += place
    total = Finder(up_to)
    for place in order:
        total += parts[place]
    found = whole.found()
    assert found.again == (12 if up_to else 9)
    assert total.found() == found


def test_finders_of_different_symmetries_do_not_add_up() -> None:
    finder = Finder()
    with pytest.raises(PavError, match="'' and 'turns'"):
        finder += Finder("turns")
