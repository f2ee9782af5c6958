"""Boards with their double-dummy tricks, computed by the default solver."""

from __future__ import annotations

from collections.abc import Sequence

from pavcodec.boards import Board, Tag
from pavcodec.boards.tricks import (
    RESULT_TABLE,
    RESULT_TABLE_COLUMNS,
    TRICK_TAGS,
    format_result_table,
)
from pavcodec.cards import Seat, Strain
from pavcodec.constraints.evaluation.double_dummy import double_dummy
from pavcodec.layout import TrickTable

__all__ = ["solved_boards"]


def solved_boards(boards: Sequence[Board]) -> list[Board]:
    """Return boards of deals with their tricks in the tag OptimumResultTable, solved together.

    Raises `PavError` without endplay.
    """
    double_dummy.solve(
        (board.layout, seat, strain)
        for board in boards
        if board.layout is not None
        for seat in Seat
        for strain in Strain
    )
    return list(map(_solved, boards))


def _solved(board: Board) -> Board:
    deal = board.layout
    if deal is None:
        return board
    table = TrickTable(bytes(double_dummy(deal, seat, s) for s in Strain for seat in Seat))
    kept = [tag for tag in board.entries if tag.name not in TRICK_TAGS]
    made = Tag(RESULT_TABLE, RESULT_TABLE_COLUMNS, format_result_table(table))
    return Board(deal, (*kept, made), line=board.line)
