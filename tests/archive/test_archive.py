"""An archive is the sequence of its boards: everything a list does, it does; and in few bytes."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

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
from formats_support import corpus_pbn_files, read_text
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import integers
from strategies import deals, layouts

import pavcodec as pav
from pavcodec import Board, Layout, LayoutError, NumberError, PavError
from pavcodec.archive import archive as contents_module
from pavcodec.archive import writer as writer_module
from pavcodec.constraints.expressions import condition

every_kind = pytest.mark.parametrize("kind", KINDS)
A_CARD = Layout.from_pbn("N:A... - - -")


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 4 boards."""
    monkeypatch.setattr(writer_module, "AT_ONCE", 4)


@pytest.mark.usefixtures("small_blocks")
@every_kind
def test_what_goes_in_comes_out(kind: str) -> None:
    for count in (0, 1, 3, 4, 5, 8):
        given_deals = [*some_deals(count), *some_deals(count // 2)]
        archive = opened(packed(given_deals, kind))
        expected = in_order(given_deals, kind)
        assert layouts_of(archive) == expected
        assert len(archive) == len(expected)
        assert [archive[-1 - i].layout for i in range(len(expected))] == expected[::-1]
        assert (archive.kind, archive.space, archive.where) == (kind, DEALS, None)
    for index in (12, -13, 10**30):
        with pytest.raises(IndexError):
            archive[index]
    with pytest.raises(TypeError):
        archive["1"]  # type: ignore[call-overload]


@pytest.mark.usefixtures("small_blocks")
@every_kind
def test_slices_are_those_of_a_list(kind: str) -> None:
    archive = opened(packed(some_deals(13), kind))
    expected = in_order(some_deals(13), kind)
    ends = [None, -20, -5, 0, 3, 4, 13]
    for start in ends:
        for stop in ends:
            for step in (None, 2, 14, -1, -3):
                part = slice(start, stop, step)
                view = archive[part]
                assert layouts_of(view) == expected[part], part
                assert len(view) == len(expected[part])
                numbers = [number for batch in view.numbers() for number in integers(batch)]
                assert numbers == [DEALS.rank(each) for each in expected[part] if each]
    assert layouts_of(archive[2:11:3][::-1]) == expected[2:11:3][::-1]


@pytest.mark.usefixtures("small_blocks")
@every_kind
def test_finding_is_that_of_a_list(kind: str) -> None:
    given_deals = [*some_deals(9), *some_deals(6), *some_deals(6)]
    archive, expected = opened(packed(given_deals, kind)), in_order(given_deals, kind)
    for part in (slice(None), slice(3, None), slice(1, -1, 2), slice(None, None, -2)):
        view, listed = archive[part], expected[part]
        for deal in [*some_deals(9), *some_deals(3, seed=8)]:
            assert (deal in view) == (Board(deal) in view) == (deal in listed)
            assert view.count(deal) == listed.count(deal)
            if deal in listed:
                assert view.index(deal) == listed.index(deal)
            else:
                with pytest.raises(LayoutError, match=r"is not in x\.pav"):
                    view.index(deal)
    for other in (Board.make(given_deals[0], number=1), "N:", A_CARD):
        assert other not in archive


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(
    ("kind", "all_tags", "kept"),
    [
        ("ordered", True, 1),
        ("ordered", False, 300),
        ("set", True, 300),
        ("multiset", True, 1 << 25),
    ],
)
def test_single_boards_are_those_of_the_whole(
    kind: str, all_tags: bool, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents_module, "_CACHE_BYTES", kept)
    boards = [
        Board.make(deal, number=place, tags={"Event": "x"} if place % 3 else None)
        for place, deal in enumerate(some_deals(30), 1)
    ]
    data = packed(boards, kind, all=all_tags)
    whole, archive = list(opened(data)), opened(data)
    places = [place for _ in range(3) for place in Random(7).sample(range(30), 30)]
    assert [archive[place] for place in places] == [whole[place] for place in places]
    assert all(board.number for board in whole)


@pytest.mark.slow
@pytest.mark.usefixtures("small_blocks")
@settings(deadline=None)
@given(st.lists(st.none() | layouts() | deals(), max_size=12), st.sampled_from(KINDS))
def test_any_boards(boards: list[Layout | None], kind: str) -> None:
    archive = opened(packed([Board(each) for each in boards], kind, space="any"))
    found = layouts_of(archive)
    if kind == "ordered":
        assert found == boards
        owners = [row.tobytes() for batch in archive.owners() for row in batch]
        assert owners == [each.owners for each in boards if each is not None]
    else:
        expected = boards if kind == "multiset" else list(set(boards))
        assert sorted(found, key=repr) == sorted(expected, key=repr)
    for each in boards:
        assert Board(each) in archive
        assert archive[archive.index(Board(each))].layout == each


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
    "boards and layouts, not 'str'": (TypeError, lambda: packed(["N:"])),  # type: ignore[list-item]
    "kind of archive": (pav.UnknownNameError, lambda: packed([], "sets")),
    "dael": (pav.UnknownNameError, lambda: packed([], space="dael")),
    "nothing satisfies": (
        PavError, lambda: packed([], space=pav.deals("hcp(south) == 38 - 0 * hcp(north)"))),
    "use space='deal'": (
        PavError, lambda: packed([], space=pav.deals(condition(lambda deal: deal["N"].hcp > 20)))),
    "no condition on legal endings alone": (
        PavError, lambda: packed([], space=pav.endings("1", cards=1, legal=True))),
    "not 'int'": (TypeError, lambda: packed([], space=7)),  # type: ignore[arg-type]
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


@pytest.mark.slow
def test_every_public_collection_comes_back_equal() -> None:
    boards: list[Board] = []
    for path in corpus_pbn_files():
        boards += read_text(path.read_bytes()).boards
    data = packed(boards, space="any", all=True)
    assert list(opened(data)) == list(pav.read(io.BytesIO(data), format="pav")) == boards
