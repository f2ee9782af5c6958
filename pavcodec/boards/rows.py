"""Boards as rows of JSON: the values of a board by key, for `--json` and the formats of JSON."""

from __future__ import annotations

from collections.abc import Callable

from pavcodec.boards.board import Board
from pavcodec.boards.context import Ranks

__all__ = ["board_row"]


def _deal(board: Board) -> str | None:
    return None if board.layout is None else str(board.layout)


def _dealer(board: Board) -> str | None:
    return None if board.dealer is None else board.dealer.letter


def _vulnerable(board: Board) -> str | None:
    return None if board.vulnerable is None else board.vulnerable.value


def _label(board: Board) -> str | None:
    return board.tags.get("Board")


_VALUES: dict[str, tuple[str, Callable[[Board], object]]] = {
    "deal": ("deal", _deal),
    "board": ("board", lambda board: board.number),
    "label": ("board", _label),
    "dealer": ("dealer", _dealer),
    "vulnerable": ("vulnerable", _vulnerable),
    "line": ("line", lambda board: board.line),
}
"""The key and the value of each part of a row."""


def board_row(board: Board, parts: str, ranks: Ranks | None = None) -> dict[str, object]:
    """Return parts of a board by their keys, in the order of `parts`; unknown values are None.

    The parts are `deal`, the text of the cards; `number`, the decimal digits of the number of the
    cards in `ranks`; `board`, the board number; `label`, the text of the tag Board, under the key
    `board`; `dealer`; `vulnerable`; and `line`. Raises `LayoutError` for cards without a number.

    >>> from pavcodec import numbering
    >>> board_row(Board.make(numbering("andrews")[5], number=7), "board dealer vulnerable")
    {'board': 7, 'dealer': 'S', 'vulnerable': 'All'}
    """
    row: dict[str, object] = {}
    for part in parts.split():
        if part == "number":
            layout = board.layout
            row[part] = None if ranks is None or layout is None else str(ranks.rank(layout))
        else:
            key, value = _VALUES[part]
            row[key] = value(board)
    return row
