"""Batches of boards with arrays of tricks: the boards of the rows, slices, and written bytes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tricks_support import rows_of_tricks

import pavcodec as pav
from pavcodec.boards.batch import Arrivals, BoardBatch, tricks_of
from pavcodec.boards.board import Board, Context, Problem, Tag
from pavcodec.boards.tricks import RESULT_TABLE, RESULT_TABLE_COLUMNS, TRICK_DIGITS
from pavcodec.cards import Seat, Strain
from pavcodec.errors import LayoutError, ReadError
from pavcodec.formats import format_of
from pavcodec.layout import TrickTable

DEALS = pav.numbering("deal").sample_many(6, seed=7)


def batch_of(rows: list[list[int]], **more: Any) -> BoardBatch:
    """Return a batch of as many deals with these tricks."""
    return BoardBatch(DEALS[: len(rows)], tricks=np.array(rows, np.uint8), **more)


@pytest.mark.slow
@given(rows_of_tricks(6))
def test_boards_have_the_results_of_their_rows(rows: list[list[int]]) -> None:
    batch = batch_of(rows, first=3, tags={"Event": "Club"})
    for row, board in zip(rows, batch, strict=True):
        found = {
            (Seat(place % 4), Strain(place // 4)): taken
            for place, taken in enumerate(row)
            if taken != 255
        }
        assert (board.tricks is not None) == (len(found) == 20)
        if board.tricks is not None:
            assert board.tricks == TrickTable(bytes(row))
        assert (RESULT_TABLE in board.tags) == bool(found)
        expected = {f"{seat.letter} {strain.letters} {n}" for (seat, strain), n in found.items()}
        lines = board.sections.get(RESULT_TABLE, ())
        assert {" ".join(line.split()) for line in lines} == expected
        assert board.tags["Event"] == "Club"
    assert tricks_of(batch).tolist() == rows
    assert batch.has_tricks == any(each != 255 for row in rows for each in row)
    assert list(batch.rows(1, len(rows))) == list(batch)[1:]


def test_other_results_of_the_origin_are_replaced() -> None:
    old = Board.make(pav.numbering("deal")[5], tags={TRICK_DIGITS: "5" * 20, "Event": "Club"})
    tricks = np.full((1, 20), 7, np.uint8)
    batch = BoardBatch(DEALS[:1], origin=lambda _: old, tricks=tricks)
    assert batch.board(0) == old.with_tricks(TrickTable(bytes([7] * 20)))
    tricks[:] = 5
    assert batch.board(0) is old
    tricks[0, 4:] = 255
    assert batch.board(0) is old  # which has these results, and more
    tricks[0, :] = 255
    assert batch.board(0) is old
    tricks[0, 0] = 4
    rows = ("N NT  4",)
    assert batch.board(0).entries == (
        Tag("Event", "Club"),
        Tag(RESULT_TABLE, RESULT_TABLE_COLUMNS, rows),
    )


def test_wrong_tricks_are_refused() -> None:
    with pytest.raises(TypeError, match=r"uint8\[2, 20\], not uint8\[1, 20\]"):
        BoardBatch(DEALS[:2], tricks=np.zeros((1, 20), np.uint8))
    with pytest.raises(TypeError, match=r"uint8\[1, 20\]"):
        BoardBatch(DEALS[:1], tricks=np.zeros((1, 20), np.int64))
    tricks = np.full((2, 20), 255, np.uint8)
    tricks[1, 3] = 14
    with pytest.raises(LayoutError, match=r"row 1: .* 0 to 13, or 255"):
        pav.write_owners(BoardBatch(DEALS[:2], tricks=tricks), io.BytesIO(), format="pbn")
    tricks[1] = 14
    with pytest.raises(LayoutError, match="0 to 13"):
        BoardBatch(DEALS[:2], tricks=tricks).board(1)


def test_rows_without_cards_are_boards() -> None:
    owners = DEALS.copy()
    owners[[0, 3, 4]] = 255
    tricks = np.full((6, 20), 7, np.uint8)
    made = BoardBatch(owners, first=7, tags={"Event": "Club"}, tricks=tricks)
    whole = list(made)
    for batch in (made, BoardBatch(owners, origin=whole.__getitem__, tricks=tricks)):
        assert [board.layout is None for board in batch] == [True, False, False, True, True, False]
        assert batch.have_cards.tolist() == [False, True, True, False, False, True]
        chosen = batch.with_cards()
        assert list(chosen) == [board for board in whole if board.layout is not None]
        assert list(chosen.rows(1, 3)) == list(chosen)[1:]
        assert (chosen.owners == DEALS[[1, 2, 5]]).all()
        assert chosen.needs_origin
        assert chosen.with_cards() is chosen


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pbn", "lin", "lines", "parquet", "pav", "deal13", "npy", "json"])
def test_results_and_rows_without_cards_are_written_as_their_boards(name: str) -> None:
    owners = DEALS.copy()
    owners[[0, 3]] = 255
    tricks = np.arange(6 * 20, dtype=np.uint8).reshape(6, 20) % 14
    tricks[2, 5:], tricks[4] = 255, 255
    for batch in (
        BoardBatch(owners, first=7, tags={"Generator": "x"}),
        BoardBatch(DEALS, first=1, tags={"Event": "Club"}, tricks=tricks),
    ):
        quick, slow = io.BytesIO(), io.BytesIO()
        context = Context("boards")
        written = format_of(name).write_batches([batch], quick, context)
        assert written == format_of(name).write(list(batch), slow, context)
        assert quick.getvalue() == slow.getvalue()


@given(st.lists(st.booleans(), max_size=100), st.booleans())
def test_boards_and_problems_of_a_reader_keep_their_order(events: list[bool], ends: bool) -> None:
    """A true event is a board, another one a problem; an error may be the end."""
    told: list[object] = []
    arrivals = Arrivals[Board](lambda problem: told.append(problem.line), alone=9, at_once=20)

    def reader() -> Iterator[Board]:
        for line, is_board in enumerate(events):
            if is_board:
                yield Board(None, line=line)
            else:
                arrivals.hold(Problem("x", line, "wrong"))
        if ends:
            raise ReadError("the end")

    try:
        for batch in arrivals.of(reader()):
            told += [board.line for board in batch]
    except ReadError:
        told.append("the end")
    assert told == [*range(len(events)), *["the end"] * ends]


def test_slow_boards_and_the_first_boards_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    arrivals = Arrivals[int](print, alone=2, at_once=7)
    assert list(map(len, arrivals.of(range(17)))) == [1, 1, 7, 7, 1]
    monkeypatch.setattr(f"{Arrivals.__module__}.monotonic", count(0).__next__)
    assert set(map(len, arrivals.of(range(17)))) == {1}
