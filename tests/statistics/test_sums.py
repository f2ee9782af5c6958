"""The laws of sums: tallies and finders of parts, added in any order, are those of the whole."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pavcodec as pav
from pavcodec.errors import PavError
from pavcodec.formats.arrays import DealRows
from pavcodec.statistics.repeats import Finder
from pavcodec.statistics.tally import Tally

WHERE = pav.expression("hcp(north) > 9")
DEALS = pav.numbering("deal").sample_many(40, seed=3)
ENDINGS = pav.numbering("ending").sample_many(5, seed=4)
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
