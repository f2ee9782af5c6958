"""The tag OptimumResultTable of boards, taken out of them into an array of tricks, and put back.

Rule 1: a table that is not written as `Board.with_results` writes it stays in its board.
Rule 2: in boards with all tags, an empty tag OptimumResultTable keeps the place of the table.
Rule 3: boards without their other tags have the table as their last tag.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.boards.batch import CONTRACTS, tricks_of
from pavcodec.boards.board import Board, Tag
from pavcodec.boards.tricks import NOT_SOLVED, RESULT_TABLE, results_of_bytes
from pavcodec.errors import ReadError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["PLACE", "put_back", "put_last", "take_out"]

PLACE = Tag(RESULT_TABLE, "")
"""The tag that keeps the place of a table."""


def take_out(boards: Sequence[Board]) -> tuple[list[Board], NDArray[np.uint8]]:
    """Return boards with empty tags in the place of their tables, and the tricks of these.

    >>> board = Board.make(None, tags={"Event": "Club"}).with_results({(0, 1): 9})
    >>> (rest,), tricks = take_out([board])
    >>> [tag.name for tag in rest.entries], int(tricks[0, 4]), put_back([rest], tricks) == [board]
    (['Event', 'OptimumResultTable'], 9, True)
    """
    tricks = np.full((len(boards), CONTRACTS), NOT_SOLVED, np.uint8)
    rest = []
    for row, board in enumerate(boards):
        entries = board.entries
        place = next((i for i, tag in enumerate(entries) if tag.name == RESULT_TABLE), -1)
        if place >= 0:
            (found,) = tricks_of([Board(None, (entries[place],))])
            if _table(found.tobytes()) == entries[place]:
                tricks[row] = found
                entries = (*entries[:place], PLACE, *entries[place + 1 :])
        rest.append(Board(board.layout, entries))
    return rest, tricks


def put_back(boards: Iterable[Board], tricks: NDArray[np.uint8]) -> list[Board]:
    """Return boards with their tables; raise `ReadError` where a table has no place."""
    found = []
    for board, row in zip(boards, tricks, strict=True):
        table = _table(row.tobytes())
        if table is None:
            found.append(board)
            continue
        entries = board.entries
        place = next((i for i, tag in enumerate(entries) if tag.name == RESULT_TABLE), -1)
        if place < 0 or entries[place] != PLACE:
            raise ReadError("tricks: a board has results and no place for them")
        found.append(Board(board.layout, (*entries[:place], table, *entries[place + 1 :])))
    return found


def put_last(boards: Iterable[Board], tricks: NDArray[np.uint8]) -> list[Board]:
    """Return boards with their tables as the last tags."""
    rows = (results_of_bytes(row.tobytes()) for row in tricks)
    return [board.with_results(row) for board, row in zip(boards, rows, strict=True)]


def _table(row: bytes) -> Tag | None:
    """Return the tag of a row; None without results."""
    entries = Board(None).with_results(results_of_bytes(row)).entries
    return entries[0] if entries else None
