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
from hypothesis import example, given
from hypothesis import strategies as st
from oracles import integers

from pavcodec import Archive, Board, Layout, PavError
from pavcodec.archive import (
    deduplicate_archive,
    intersect_archives,
    merge_archives,
    subtract_archives,
    unite_archives,
    verify_archive,
)
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
    return [number for numbers in archive.numbers() for number in integers(numbers)]


def made(operation: Callable[..., int], archives: object) -> Archive:
    """The archive that an operation makes, which says how many boards it has."""
    stream = io.BytesIO()
    count = operation(archives, stream)
    archive = opened(stream.getvalue())
    assert count == len(archive)
    return archive


IN_TURN = [[20, 21, 25, 26], [], [1, 2, 3, 4, 5, 5], [7], [9, 15]]
"""Parts of one sorted set, which are read in turn."""


@pytest.mark.slow
@given(
    st.lists(st.lists(st.integers(0, 12), max_size=16), min_size=1, max_size=4),
    st.sampled_from(list(OPERATIONS)),
    st.sampled_from(["set", "multiset"]),
)
@example(IN_TURN, unite_archives, "set")
@example(IN_TURN, merge_archives, "multiset")
@example([[1, 9], [3]], merge_archives, "set")
def test_operations_are_those_of_counters(
    given_numbers: list[list[int]], operation: Operation, kind: str
) -> None:
    """And of each card layout the tags are those of the first archives."""
    given_boards = [
        [Board.make(DEALS[n], tags={"Event": f"{which} {n}"}) for n in some]
        for which, some in enumerate(given_numbers)
    ]
    plain = [opened(packed([DEALS[n] for n in some], kind)) for some in given_numbers]
    tagged = [opened(packed(some, kind, all=which > 0)) for which, some in enumerate(given_boards)]
    bags = [Counter(set(some) if kind == "set" else some) for some in given_numbers]
    expected = sorted(reduce(OPERATIONS[operation], bags).elements())
    if kind == "set":
        expected = sorted(set(expected))
    archive, found = made(operation, plain), made(operation, tagged)
    assert numbers_of(archive) == numbers_of(found) == expected
    assert archive.kind == found.kind == kind
    in_turn = [board for archive in tagged for board in archive]
    if len(tagged) == 1:
        assert not any(board.entries for board in found)
    for layout, same in groupby(found, lambda board: board.layout):
        some = list(same)
        assert some == [board for board in in_turn if board.layout == layout][: len(some)]


def test_ordered_archives_one_after_another() -> None:
    first = [Board.make(deal, number=n) for n, deal in enumerate(some_deals(5), 1)]
    second = [Board.make(deal, tags={"Event": "x"}) for deal in some_deals(4, seed=8)]
    for keeps_all in (False, True):
        archives = [opened(packed(first)), opened(packed(second, all=keeps_all))]
        assert list(made(merge_archives, archives)) == [*archives[0], *archives[1]]
    plain = [opened(packed(some_deals(4))), opened(packed(some_deals(3)))]
    assert layouts_of(made(merge_archives, plain)) == [*some_deals(4), *some_deals(3)]


@pytest.mark.slow
@given(st.lists(st.integers(0, 12), max_size=16), st.sampled_from([None, 1]))
def test_without_repeats(numbers: list[int], first: int | None) -> None:
    boards = [Board.make(DEALS[n], number=first and first + i) for i, n in enumerate(numbers)]
    seen: dict[Layout | None, Board] = {}
    for board in boards:
        seen.setdefault(board.layout, board)
    assert list(made(deduplicate_archive, opened(packed(boards)))) == list(seen.values())
    of_bag = made(deduplicate_archive, opened(packed(boards, "multiset")))
    assert numbers_of(of_bag) == sorted(set(numbers))


def test_what_does_not_fit_together_is_refused(tmp_path: Path) -> None:
    some, other = (opened(packed(some_deals(3), "set", space)) for space in ("deal", "balanced"))
    ordered, bag = (opened(packed(some_deals(3), kind)) for kind in ("ordered", "multiset"))
    target = tmp_path / "x.pav"
    refusals: list[tuple[Operation, list[Archive], str]] = [
        (unite_archives, [some, other], "its space is balanced, and that of"),
        (merge_archives, [some, bag], "of the kind multiset, not set"),
        (intersect_archives, [ordered], "it is ordered"),
        (subtract_archives, [], "no archives"),
    ]
    for operation, archives, reason in refusals:
        with pytest.raises(PavError, match=reason):
            operation(archives, target)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="open each source with open_archive"):
        merge_archives(["x.pav"], target)  # type: ignore[list-item]
    assert not target.exists()
    assert unite_archives([some, some], target) == 3
    assert not verify_archive(target)
