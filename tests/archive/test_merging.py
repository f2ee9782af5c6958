"""Archives of archives: what Python's sets and counters do, with numbers in blocks."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import groupby
from pathlib import Path

import pytest
from container_support import DEALS, layouts_of, opened, packed, some_deals
from hypothesis import given
from hypothesis import strategies as st

from pavcodec import Archive, Board, Layout, PavError
from pavcodec.archive import (
    deduplicate_archive,
    intersect_archives,
    merge_archives,
    subtract_archives,
    unite_archives,
    verify_archive,
)
from pavcodec.archive import operations as merging_module
from pavcodec.archive import writer as writer_module

Bag = Counter[int]
Operation = Callable[[Sequence[Archive], io.BytesIO], int]
OPERATIONS: dict[Operation, Callable[[Bag, Bag], Bag]] = {
    unite_archives: Bag.__or__,
    intersect_archives: Bag.__and__,
    subtract_archives: Bag.__sub__,
    merge_archives: Bag.__add__,
}


@pytest.fixture(autouse=True, scope="module")
def small_blocks() -> object:
    """Blocks of 3 boards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer_module, "AT_ONCE", 3)
        yield


def numbers_of(archive: Archive) -> list[int]:
    """The numbers of an archive."""
    return [high << 64 | low for numbers in archive.numbers() for high, low in numbers.tolist()]


@pytest.mark.slow
@given(
    st.lists(st.lists(st.integers(0, 12), max_size=16), min_size=1, max_size=4),
    st.sampled_from(list(OPERATIONS)),
    st.sampled_from(["set", "multiset"]),
)
def test_operations_are_those_of_counters(
    given_numbers: list[list[int]], operation: Operation, kind: str
) -> None:
    archives = [opened(packed([DEALS[n] for n in some], kind)) for some in given_numbers]
    bags = [Counter(set(some) if kind == "set" else some) for some in given_numbers]
    expected = sorted(reduce(OPERATIONS[operation], bags).elements())
    if kind == "set":
        expected = sorted(set(expected))
    stream = io.BytesIO()
    assert operation(archives, stream) == len(expected)
    archive = opened(stream.getvalue())
    assert numbers_of(archive) == expected
    assert archive.kind == kind


@pytest.mark.slow
@given(
    st.lists(st.lists(st.integers(0, 12), max_size=16), min_size=1, max_size=4),
    st.sampled_from(list(OPERATIONS)),
    st.sampled_from(["set", "multiset"]),
)
def test_tags_of_the_first_archives_stay(
    given_numbers: list[list[int]], operation: Operation, kind: str
) -> None:
    given_boards = [
        [Board.make(DEALS[n], tags={"Event": f"{which} {n}"}) for n in some]
        for which, some in enumerate(given_numbers)
    ]
    archives = [
        opened(packed(some, kind, all=which > 0)) for which, some in enumerate(given_boards)
    ]
    stream = io.BytesIO()
    operation(archives, stream)
    found = list(opened(stream.getvalue()))
    in_turn = [board for archive in archives for board in archive]
    if len(archives) == 1:
        assert not any(board.entries for board in found)
    for layout, same in groupby(found, lambda board: board.layout):
        some = list(same)
        assert some == [board for board in in_turn if board.layout == layout][: len(some)]


def test_ordered_archives_one_after_another() -> None:
    first = [Board.make(deal, number=n) for n, deal in enumerate(some_deals(5), 1)]
    second = [Board.make(deal, tags={"Event": "x"}) for deal in some_deals(4, seed=8)]
    for keeps_all in (False, True):
        stream = io.BytesIO()
        archives = [opened(packed(first)), opened(packed(second, all=keeps_all))]
        assert merge_archives(archives, stream) == 9
        assert list(opened(stream.getvalue())) == [*archives[0], *archives[1]]
    stream = io.BytesIO()
    merge_archives([opened(packed(some_deals(4))), opened(packed(some_deals(3)))], stream)
    assert layouts_of(opened(stream.getvalue())) == [*some_deals(4), *some_deals(3)]


@pytest.mark.slow
@given(st.lists(st.integers(0, 12), max_size=16), st.sampled_from([None, 1]))
def test_without_repeats(numbers: list[int], first: int | None) -> None:
    boards = [Board.make(DEALS[n], number=first and first + i) for i, n in enumerate(numbers)]
    stream = io.BytesIO()
    deduplicate_archive(opened(packed(boards)), stream)
    seen: dict[Layout | None, Board] = {}
    for board in boards:
        seen.setdefault(board.layout, board)
    assert list(opened(stream.getvalue())) == list(seen.values())
    stream = io.BytesIO()
    deduplicate_archive(opened(packed(boards, "multiset")), stream)
    assert numbers_of(opened(stream.getvalue())) == sorted(set(numbers))


def test_what_does_not_fit_together_is_refused(tmp_path: Path) -> None:
    some = opened(packed(some_deals(3), "set"))
    target = tmp_path / "x.pav"
    with pytest.raises(PavError, match="its space is balanced, and that of"):
        unite_archives([some, opened(packed(some_deals(3), "set", "balanced"))], target)
    with pytest.raises(PavError, match="of the kind multiset, not set"):
        merge_archives([some, opened(packed(some_deals(3), "multiset"))], target)
    with pytest.raises(PavError, match="it is ordered"):
        intersect_archives([opened(packed(some_deals(3)))], target)
    with pytest.raises(PavError, match="no archives"):
        subtract_archives([], target)
    assert not target.exists()
    assert unite_archives([some, some], target) == 3
    assert not verify_archive(target)


@pytest.mark.parametrize("kind", ["set", "multiset"])
@pytest.mark.parametrize("operation", [merge_archives, unite_archives])
def test_parts_of_one_sorted_set_are_read_in_turn(
    operation: Operation, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bytes are those of archives that are read side by side."""
    parts = [[20, 21, 25, 26], [], [1, 2, 3, 4, 5, 5], [7], [9, 15]]
    archives = [opened(packed([DEALS[number] for number in part], kind)) for part in parts]
    in_turn, side_by_side = io.BytesIO(), io.BytesIO()
    found = operation(archives, in_turn)
    turns = merging_module._in_turn(archives)
    assert turns is not None
    assert [numbers_of(each)[0] for each in turns] == [1, 7, 9, 20]
    monkeypatch.setattr(merging_module, "_in_turn", lambda _: None)
    assert operation(archives, side_by_side) == found
    assert in_turn.getvalue() == side_by_side.getvalue()


def test_archives_that_overlap_are_read_side_by_side() -> None:
    for first, second in (([1, 5], [5, 7]), ([1, 9], [3]), ([4], [4])):
        archives = [opened(packed([DEALS[n] for n in some], "set")) for some in (first, second)]
        assert merging_module._in_turn(archives) is None
    backwards = opened(packed([DEALS[n] for n in (1, 2, 3)], "set"))[::-1]
    assert merging_module._in_turn([backwards]) is None
