"""Splits: exact sizes, and no deal in two of them, also up to symmetry and in tiny spaces."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import layouts

import pavcodec as pav
from pavcodec.learning.splitting import (
    class_numbers,
    draw_apart,
    split_of_class,
    splits_of_classes,
)
from pavcodec.numberings.space import Rows, Space
from pavcodec.sampling import Stream

DEALS = pav.numbering("deal")
THIRDS = [Fraction(1, 3)] * 3
weights = st.lists(
    st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=1000),
    min_size=1,
    max_size=6,
)


class Tiny(Space[pav.Deal]):
    """A space of 60 deals: 10 deals, each in six orders of suits, so ten classes up to suits."""

    text = "sixty deals"

    def __init__(self) -> None:
        orders = ["0123", "1023", "2103", "3210", "1230", "3021"]
        rows = DEALS.sample_many(10, seed=7).reshape(10, 4, 13)
        self.owners = np.concatenate(
            [rows[:, [*map(int, order)]].reshape(10, 52) for order in orders]
        )

    def rows(self, seed: int, part: range, *, threads: Any = 1) -> Rows:  # noqa: ARG002
        numbers = Stream(seed).indexes(len(self.owners), len(part), part.start)
        return Rows(self.owners[np.fromiter(numbers, np.intp)])


@pytest.mark.slow
@given(n=st.integers(0, 10**30), shares=weights, start=st.integers(0, 10**6))
def test_sizes_are_the_shares_and_the_largest_remainders_get_the_rest(
    n: int, shares: list[Fraction], start: int
) -> None:
    if max(shares) < 1:  # then they are parts of a whole
        shares = [share / sum(shares) for share in shares]
    ranges = list(pav.splits(n, shares, start=start).values())
    assert ranges[0].start == start
    assert all(one.stop == other.start for one, other in pairwise(ranges))
    exact = [n * share / sum(shares) for share in shares]
    sizes = [int(size) for size in exact]
    rests = sorted(range(len(shares)), key=lambda place: (sizes[place] - exact[place], place))
    for place in rests[: n - sum(sizes)]:
        sizes[place] += 1
    assert [part.stop - part.start for part in ranges] == sizes


def test_names_and_texts() -> None:
    assert list(pav.splits(10, "0.8/0.1/0.1")) == ["train", "validation", "test"]
    assert list(pav.splits(10, "9/1")) == ["train", "test"]
    assert list(pav.splits(10, (1,))) == ["part1"]
    assert list(pav.splits(10, [1, 1, 1, 1])) == ["part1", "part2", "part3", "part4"]
    assert pav.splits(10, "big=0.9,small=0.1") == {"big": range(9), "small": range(9, 10)}
    assert pav.splits(9, {"x": 1, "y": Fraction(1, 2)}) == {"x": range(6), "y": range(6, 9)}
    assert pav.splits(3, "1/3,1/3,1/3")["test"] == range(2, 3)


REFUSED: list[tuple[Any, type[Exception], str]] = [
    ((0.8, 0.2), TypeError, "write '0.8' instead of 0.8"),
    (0.8, TypeError, "shares are a text such as"),
    ("0.8/0", pav.NumberError, "a weight is more than 0"),
    ("0.8/x", pav.NumberError, "not 'x'"),
    ("", pav.NumberError, "not ''"),
    ([], pav.NumberError, "one split or more"),
    ("0.8/0.3", pav.NumberError, "have the sum 1, as in 0.8/0.1/0.1, not 11/10"),
    ("1/3,1/3", pav.NumberError, "not 2/3; or give weights, as in 8/1/1"),
    ("a=1,a=2", pav.PavError, "different names"),
    ("a/b=1,c=2", pav.PavError, "letters, digits"),
    ("a=1,2", pav.PavError, "letters, digits"),
    ({3: 1}, pav.PavError, "letters, digits"),
]


def test_what_is_no_split_is_refused() -> None:
    for shares, error, reason in REFUSED:
        with pytest.raises(error, match=reason):
            pav.splits(10, shares)
    with pytest.raises(pav.NumberError, match="a count is 0 or more, not -1"):
        pav.splits(-1, "1/1")
    with pytest.raises(pav.NumberError, match="a sample is 0 or more, not -1"):
        pav.splits(1, "1/1", start=-1)
    for number in (-1, 2**128):
        with pytest.raises(pav.NumberError, match="a number to hash is 0 to"):
            Stream(7).hash_of(number)


@pytest.mark.slow
@pytest.mark.parametrize("symmetry", [None, "suits", "turns", "suits,turns", "seats"])
@given(some=st.lists(layouts(), min_size=1, max_size=5), shares=weights)
def test_the_split_of_a_class_is_that_of_the_definition(
    symmetry: str | None, some: list[pav.Layout], shares: list[Fraction]
) -> None:
    owners = np.array([list(layout.owners) for layout in some], np.uint8)
    found = splits_of_classes(owners, shares, 7, symmetry).tolist()
    assert found == [split_of_class(layout, shares, 7, symmetry) for layout in some]
    if symmetry == "suits":
        other = owners.reshape(-1, 4, 13)[:, [2, 0, 3, 1]].reshape(-1, 52)
        assert splits_of_classes(other, shares, 7, symmetry).tolist() == found


@pytest.mark.parametrize("symmetry", [None, "suits", "suits,turns"])
def test_no_class_is_in_two_splits_of_a_tiny_space(symmetry: str | None) -> None:
    parts = {
        str(place): np.concatenate(
            [*draw_apart(Tiny(), 200, place, THIRDS, seed=7, symmetry=symmetry)]
        )
        for place in range(3)
    }
    assert [len(rows) for rows in parts.values()] == [200, 200, 200]
    found = pav.check_splits(parts, apart=symmetry)
    assert found.are_disjoint
    assert sum(found.classes.values()) <= (60 if symmetry is None else 10)
    for one, other in combinations(parts.values(), 2):
        classes = [set(map(tuple, class_numbers(rows, symmetry).tolist())) for rows in (one, other)]
        assert not classes[0] & classes[1]
    assert pav.check_splits(parts).are_disjoint
    assert pav.check_splits(parts, apart="suits").are_disjoint == (symmetry is not None)


def test_splits_apart_are_samples_of_the_stream_in_order() -> None:
    space = cast("pav.ConstrainedDeals", pav.deals("hcp(south) >= 20"))
    stream = space.sample_many(4000, seed=7, start=100)
    places = splits_of_classes(stream, THIRDS, 7, "suits,turns")
    for place in range(3):
        found = draw_apart(space, 900, place, THIRDS, seed=7, start=100, symmetry="suits,turns")
        assert np.array_equal(np.concatenate(list(found)), stream[places == place][:900])


def test_a_space_with_one_class_has_one_split() -> None:
    class One(Tiny):
        def __init__(self) -> None:
            super().__init__()
            self.owners = self.owners[::10]

    home = splits_of_classes(One().owners, THIRDS, 7, "suits")[0]
    for place in range(3):
        found = draw_apart(One(), 5, place, THIRDS, seed=7, symmetry="suits")
        if place == home:
            assert sum(map(len, found)) == 5
        else:
            with pytest.raises(pav.NumberError, match="too few classes of deals for such splits"):
                list(found)


def test_sets_of_all_kinds_are_compared(tmp_path: Path) -> None:
    owners = DEALS.sample_many(30, seed=7)
    pav.write_owners(owners[:10], tmp_path / "a.npy")
    pav.write_owners(owners[5:15], tmp_path / "b.pbn")
    pav.write_archive(owners[20:], tmp_path / "c.pav")
    with pav.open_archive(tmp_path / "c.pav") as archive:
        some = [pav.Deal(owners[29].tobytes()), pav.Board(pav.Deal(owners[3].tobytes()))]
        sets = {
            "a": tmp_path / "a.npy", "b": str(tmp_path / "b.pbn"), "c": archive, "d": some,
            "e": DEALS.rank_many(owners[16:18]), "f": np.empty((0, 52), np.uint8),
        }  # fmt: skip
        found = pav.check_splits(sets)
    assert found.counts == {"a": 10, "b": 10, "c": 10, "d": 2, "e": 2, "f": 0}
    assert found.common == {("a", "b"): 5, ("a", "d"): 1, ("c", "d"): 1}
    assert not found.are_disjoint
    assert found.example is not None
    assert found.example.owners in [row.tobytes() for row in owners[5:10]]
    with pytest.raises(TypeError, match="deals come from a space, a path, an array"):
        pav.check_splits({"a": 5})
    for space in (DEALS, pav.deals("hcp(south) >= 20")):
        with pytest.raises(TypeError, match="a space has no end: draw deals from it"):
            pav.check_splits({"a": space})
    with pytest.raises(TypeError, match="deals are layouts, boards or batches, not 'int'"):
        pav.check_splits({"a": [5]})
