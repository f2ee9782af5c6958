"""An archive is the sequence of its boards: everything a list does, it does."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

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
    some_boards,
    some_deals,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import deals, layouts

import pavcodec as pav
from pavcodec import Board, Deal, Layout, LayoutError, NumberError, PavError
from pavcodec.archive import archive as contents_module
from pavcodec.archive import writer as writer_module
from pavcodec.constraints.expressions import condition


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 4 boards."""
    monkeypatch.setattr(writer_module, "AT_ONCE", 4)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 8, 15])
def test_what_goes_in_comes_out(kind: str, count: int) -> None:
    given_deals = [*some_deals(count), *some_deals(count // 2)]
    archive = opened(packed(given_deals, kind))
    expected = in_order(given_deals, kind)
    assert layouts_of(archive) == expected
    assert len(archive) == len(expected)
    assert [archive[i].layout for i in range(len(expected))] == expected
    assert [archive[-1 - i].layout for i in range(len(expected))] == expected[::-1]
    assert archive.kind == kind
    assert archive.space == DEALS
    assert archive.where is None


@pytest.mark.slow
@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("kind", KINDS)
def test_slices_are_those_of_a_list(kind: str) -> None:
    given_deals = some_deals(13)
    archive = opened(packed(given_deals, kind))
    expected = in_order(given_deals, kind)
    ends = [None, -20, -5, 0, 1, 3, 4, 7, 12, 13, 20]
    for start in ends:
        for stop in ends:
            for step in (None, 2, 5, 14, -1, -3, -14):
                part = slice(start, stop, step)
                view = archive[part]
                assert layouts_of(view) == expected[part], part
                assert len(view) == len(expected[part])
                numbers = [row for batch in view.numbers() for row in batch.tolist()]
                assert [h << 64 | low for h, low in numbers] == [
                    DEALS.rank(each) for each in expected[part] if each
                ]
    view = archive[2:11:3]
    assert layouts_of(view[::-1]) == expected[2:11:3][::-1]


@pytest.mark.slow
@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("kind", KINDS)
def test_finding_is_that_of_a_list(kind: str) -> None:
    given_deals = [*some_deals(9), *some_deals(6), *some_deals(6)]
    archive = opened(packed(given_deals, kind))
    expected = in_order(given_deals, kind)
    for view, listed in (
        (archive, expected),
        (archive[3:], expected[3:]),
        (archive[1:-1:2], expected[1:-1:2]),
        (archive[::-2], expected[::-2]),
    ):
        for deal in [*some_deals(9), *some_deals(3, seed=8)]:
            assert (deal in view) == (deal in listed)
            assert (Board(deal) in view) == (deal in listed)
            assert view.count(deal) == listed.count(deal)
            if deal in listed:
                assert view.index(deal) == listed.index(deal)
            else:
                with pytest.raises(LayoutError, match=r"is not in x\.pav"):
                    view.index(deal)
    assert Board.make(given_deals[0], number=1) not in archive
    assert "N:" not in archive
    assert Layout.from_pbn("N:A... - - -") not in archive


@pytest.mark.slow
@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("all_tags", [True, False])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("kept", [1, 300, 1 << 25])
def test_single_boards_are_those_of_the_whole(
    kind: str,
    all_tags: bool,
    kept: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(contents_module, "_CACHE_BYTES", kept)
    boards = [
        Board.make(deal, number=place, tags={"Event": "x"} if place % 3 else None)
        for place, deal in enumerate(some_deals(30), 1)
    ]
    data = packed(boards, kind, all=all_tags)
    whole = list(opened(data))
    places = [place for _ in range(3) for place in Random(7).sample(range(30), 30)]
    archive = opened(data)
    assert [archive[place] for place in places] == [whole[place] for place in places]
    assert any(board.number for board in whole) == (all_tags or kind == "ordered")


def test_positions_past_the_end_are_refused() -> None:
    archive = opened(packed(some_deals(3)))
    for index in (3, -4, 10**30):
        with pytest.raises(IndexError):
            archive[index]
    with pytest.raises(TypeError):
        archive["1"]  # type: ignore[call-overload]


@pytest.mark.slow
@pytest.mark.usefixtures("small_blocks")
def test_boards_of_all_kinds_in_their_order() -> None:
    boards = some_boards()
    archive = opened(packed(boards, space="any"))
    assert layouts_of(archive) == layouts_of(boards)
    assert [archive[i].layout for i in range(len(boards))] == layouts_of(boards)
    assert archive.index(Board(None)) == 5
    owners = [row.tobytes() for batch in archive.owners() for row in batch]
    assert owners == [each.owners for each in layouts_of(boards) if each]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("kind", ["set", "multiset"])
def test_sets_of_all_kinds(kind: str) -> None:
    boards = some_boards()
    archive = opened(packed(boards, kind, space="any"))
    found = layouts_of(archive)
    assert set(found) == set(layouts_of(boards))
    assert len(found) == (10 if kind == "multiset" else 9) + (kind == "multiset")
    assert all(board in archive for board in found if board)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("space", [CONSTRAINED, ENDINGS], ids=["deals", "endings"])
def test_deals_and_endings_of_a_condition(kind: str, space: pav.Numbering) -> None:
    members = space.sample(20, seed=7)
    archive = opened(packed(members, kind, space=space))
    assert set(layouts_of(archive)) == set(members)
    assert archive.space == space
    assert str(archive.where) == space.name
    assert archive.bits_per_deal < 8 * 20
    with pytest.raises(LayoutError, match="board 2 of those given"):
        packed([members[0], Layout.from_pbn("N:A.Q.. - .32.. -")], space=space)


def test_a_condition_has_its_model_counted_when_it_is_needed() -> None:
    archive = opened(packed(CONSTRAINED.sample(3, seed=7), space=CONSTRAINED))
    assert "numbering" not in archive._contents.codec.space.parts[0].__dict__
    assert archive.cardinality == CONSTRAINED.cardinality


@pytest.mark.slow
@pytest.mark.parametrize("name", pav.numbering_names())
def test_every_numbering(name: str) -> None:
    ranks = pav.numbering(name)
    members = ranks.sample(5, seed=7)
    assert layouts_of(opened(packed(members, space=name))) == members
    assert layouts_of(opened(packed(members, space=ranks.one_based()))) == members


@pytest.mark.usefixtures("small_blocks")
def test_arrays_are_kept_as_their_layouts() -> None:
    members = some_deals(9)
    owners = pav.numbering("deal").unrank_many(DEALS.rank_many(_owners(members)))
    expected = packed(members)
    assert packed(owners) == expected
    assert packed([owners[:1], owners[1:7], owners[7:]]) == expected  # type: ignore[list-item]
    assert packed(DEALS.rank_many(owners)) == expected
    mixed = [members[0], owners[1:7], *members[7:]]
    assert layouts_of(opened(packed(mixed))) == list(members)  # type: ignore[arg-type]


def _owners(layouts_: tuple[Deal, ...]) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    return np.array([list(each.owners) for each in layouts_], np.uint8)


def test_what_is_no_member_is_refused() -> None:
    with pytest.raises(LayoutError, match="board 2 of those given: numbering 'deal' holds deals"):
        packed([some_deals(1)[0], Layout.from_pbn("N:A... - - -")])
    with pytest.raises(LayoutError, match="board 1 of those given: a board without cards"):
        packed([Board(None)])
    with pytest.raises(NumberError, match="row 1"):
        packed(np.array([[0, 1], [2**63, 0]], np.uint64))
    with pytest.raises(TypeError, match="boards and layouts, not 'str'"):
        packed(["N:"])  # type: ignore[list-item]
    with pytest.raises(pav.UnknownNameError, match="kind of archive"):
        packed([], "sets")
    with pytest.raises(pav.UnknownNameError, match="dael"):
        packed([], space="dael")
    with pytest.raises(PavError, match="nothing satisfies"):
        packed([], space=pav.deals("hcp(south) == 38 - 0 * hcp(north)"))
    with pytest.raises(PavError, match="use space='deal'"):
        packed([], space=pav.deals(condition(lambda deal: deal["N"].hcp > 20)))
    with pytest.raises(TypeError, match="not 'int'"):
        packed([], space=7)  # type: ignore[arg-type]


def test_figures() -> None:
    archive = opened(packed(some_deals(1000), "set"))
    assert archive.bits_per_deal == Fraction(8 * archive.size, 1000)
    assert 86.9 < archive.bound_bits_per_deal < archive.bits_per_deal < 90
    assert opened(packed([])).bits_per_deal == 0
    mixed = opened(packed(some_boards(), space="any"))
    assert 70 < mixed.bound_bits_per_deal < 95


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
@settings(deadline=None, max_examples=50)
@given(st.lists(st.none() | layouts() | deals(), max_size=12), st.sampled_from(KINDS))
def test_any_boards(boards: list[Layout | None], kind: str) -> None:
    archive = opened(packed([Board(each) for each in boards], kind, space="any"))
    found = layouts_of(archive)
    if kind == "ordered":
        assert found == boards
    elif kind == "set":
        assert len(found) == len(set(found))
        assert set(found) == set(boards)
    else:
        assert sorted(found, key=repr) == sorted(boards, key=repr)
    for each in boards:
        assert Board(each) in archive
        assert archive[archive.index(Board(each))].layout == each


def test_equal_archives_have_equal_bytes() -> None:
    assert packed(some_deals(9), "set") == packed(reversed(some_deals(9)), "set")
