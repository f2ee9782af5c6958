"""An archive is the sequence of its boards: everything a list does, it does; and in few bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from container_support import (
    CONSTRAINED,
    DEALS,
    ENDINGS,
    KINDS,
    in_order,
    layouts_of,
    opened,
    packed,
    some_deals,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import integers
from strategies import deals, layouts

import pavcodec as pav
from pavcodec import Archive, Board, Layout, LayoutError, NumberError, PavError
from pavcodec.archive import archive as contents_module
from pavcodec.archive import writer as writer_module
from pavcodec.constraints.expressions import condition

every_kind = pytest.mark.parametrize("kind", KINDS)
A_CARD = Layout.from_pbn("N:A... - - -")


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 4 boards."""
    monkeypatch.setattr(writer_module, "AT_ONCE", 4)


PLACES = st.none() | st.integers(-14, 14)
SLICES = st.builds(slice, PLACES, PLACES, st.sampled_from([None, 1, 2, 3, -1, -2, 14]))
CARDS = st.none() | layouts() | deals() | st.sampled_from(some_deals(3))


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(
    st.lists(CARDS, max_size=12),
    st.tuples(st.sampled_from(KINDS), st.sampled_from(["nothing", "rules", "all tags"])),
    st.tuples(SLICES, SLICES),
    st.sampled_from([1, 300, 1 << 25]),
)
def test_an_archive_is_the_list_of_its_boards(
    cards: list[Layout | None], kept: tuple[str, str], parts: tuple[slice, slice], cache: int
) -> None:
    kind, tags = kept
    keeps, (part, more) = tags == "all tags", parts
    boards = [
        Board.make(each, number=n, tags={"Event": "x"} if n % 3 else None)
        if tags != "nothing"
        else Board(each)
        for n, each in enumerate(cards, 1)
    ]
    with (
        patch.object(writer_module, "AT_ONCE", 4),
        patch.object(contents_module, "_CACHE_BYTES", cache),
    ):
        archive = opened(packed(boards, kind, space="any", all=keeps))
        whole = list(archive)
        if kind == "ordered":
            assert layouts_of(whole) == cards
        else:
            expected = cards if kind == "multiset" else list(set(cards))
            assert sorted(layouts_of(whole), key=repr) == sorted(expected, key=repr)
        assert not keeps or (whole == boards if kind == "ordered" else set(whole) <= set(boards))
        for view, listed in (
            (archive, whole),
            (archive[part], whole[part]),
            (archive[part][more], whole[part][more]),
        ):
            check_sequence(view, listed)


def check_sequence(view: Archive, listed: list[Board]) -> None:
    """A view of an archive does what a list of the same boards does."""
    assert (list(view), len(view)) == (listed, len(listed))
    places = [*range(-len(listed), len(listed))] * 2
    Random(7).shuffle(places)
    assert [view[place] for place in places] == [listed[place] for place in places]
    for index in (len(listed), -len(listed) - 1, 10**30):
        with pytest.raises(IndexError):
            view[index]
    cards = [board.layout for board in listed]
    owners = [row.tobytes() for batch in view.owners() for row in batch]
    assert owners == [each.owners for each in cards if each is not None]
    numbers = [number for batch in view.numbers() for number in integers(batch)]
    assert len(numbers) == len(listed)
    if any(board.entries for board in listed):
        return
    for each in [*cards, *some_deals(3, seed=8)]:
        board = Board(each)
        assert (board in view, view.count(board)) == (each in cards, cards.count(each))
        if each in cards:
            assert view.index(board) == cards.index(each)
        else:
            with pytest.raises(LayoutError, match=r"is not in x\.pav"):
                view.index(board)
    if cards:
        assert Board.make(cards[0], number=99) not in view


@every_kind
def test_an_archive_of_deals_has_their_numbers_in_order(kind: str) -> None:
    archive = opened(packed([*some_deals(8), *some_deals(4)], kind))
    expected = in_order([*some_deals(8), *some_deals(4)], kind)
    assert layouts_of(archive) == expected
    assert (archive.kind, archive.space, archive.where) == (kind, DEALS, None)
    numbers = [number for batch in archive.numbers() for number in integers(batch)]
    assert numbers == [DEALS.rank(each) for each in expected if each]
    assert some_deals(1)[0] in archive
    for other in ("N:", A_CARD):
        assert other not in archive
    with pytest.raises(TypeError):
        archive["1"]  # type: ignore[call-overload]


@pytest.mark.slow
def test_every_space() -> None:
    spaces = [CONSTRAINED, ENDINGS, *map(pav.numbering, pav.numbering_names())]
    for space in spaces:
        members = space.sample(5, seed=7)
        archive = opened(packed(members, space=space))
        assert layouts_of(archive) == members
        assert archive.space == space
        assert layouts_of(opened(packed(members, space=space.one_based()))) == members
        if space in (CONSTRAINED, ENDINGS):
            assert str(archive.where) == space.name
            turned = members[0].permuted(pav.Permutation((1, 0, 2, 3), (1, 2, 3, 0)))
            assert 0 in {found.position for found in archive.find(turned, "suits,turns")}
            with pytest.raises(LayoutError, match="board 2 of those given"):
                packed([members[0], A_CARD], space=space)


@pytest.mark.usefixtures("small_blocks")
def test_arrays_are_kept_as_their_layouts() -> None:
    members = some_deals(9)
    owners = np.array([list(each.owners) for each in members], np.uint8)
    expected, given_rows = packed(members), DEALS.rank_many(owners)
    in_parts = [owners[:1], owners[1:7], owners[7:]]
    same: list[Any] = [owners, in_parts, given_rows]
    assert [packed(each) for each in same] == [expected] * 3
    mixed: Any = [members[0], owners[1:7], *members[7:]]
    assert layouts_of(opened(packed(mixed))) == list(members)
    assert packed(members, "set") == packed(owners[::-1], "set")


WRONG: dict[str, tuple[type[Exception], Callable[[], object]]] = {
    "board 2 of those given: numbering 'deal' holds deals": (
        LayoutError, lambda: packed([some_deals(1)[0], A_CARD])),
    "board 1 of those given: a board without cards": (LayoutError, lambda: packed([Board(None)])),
    "row 1": (NumberError, lambda: packed(np.array([[0, 1], [2**63, 0]], np.uint64))),
    "kind of archive": (pav.UnknownNameError, lambda: packed([], "sets")),
    "dael": (pav.UnknownNameError, lambda: packed([], space="dael")),
    "nothing satisfies": (
        PavError, lambda: packed([], space=pav.deals("hcp(south) == 38 - 0 * hcp(north)"))),
    "use space='deal'": (
        PavError, lambda: packed([], space=pav.deals(condition(lambda deal: deal["N"].hcp > 20)))),
    "no condition on legal endings alone": (
        PavError, lambda: packed([], space=pav.endings("1", cards=1, legal=True))),
    "deal-suits numbers classes of deals .* use a set": (
        PavError, lambda: packed(some_deals(2), "ordered", "deal-suits")),
    "deal-suits-turns numbers classes of deals .* use a set": (
        PavError, lambda: packed(some_deals(2), "set", "deal-suits-turns", all=True)),
}  # fmt: skip


@pytest.mark.parametrize("reason", WRONG)
def test_what_is_refused(reason: str) -> None:
    error, call = WRONG[reason]
    with pytest.raises(error, match=reason):
        call()


def test_a_closed_archive_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.pav"
    pav.write_archive(some_deals(3), path)
    with pav.open_archive(path) as archive:
        view = archive[1:]
        with view:
            pass
        assert view[0].layout == some_deals(3)[1]
    for call in (lambda: archive[0], lambda: list(view), lambda: some_deals(1)[0] in archive):
        with pytest.raises(ValueError, match="closed"):
            call()
