"""Boards with their double-dummy tricks, computed by the default solver."""

from __future__ import annotations

from collections.abc import Sequence

from pavcodec.boards import Board
from pavcodec.cards import Seat, Strain
from pavcodec.layout import TrickTable
from pavcodec.solving.double_dummy import double_dummy

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
    taken = bytes(double_dummy(deal, seat, s) for s in Strain for seat in Seat)
    return board.with_tricks(TrickTable(taken))
