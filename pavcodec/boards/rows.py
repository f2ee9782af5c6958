"""Boards as rows of JSON: the values of a board by key, for `--json` and the formats of JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from pavcodec.boards.context import Ranks
from pavcodec.boards.vulnerability import Vulnerability
from pavcodec.cards import Seat
from pavcodec.layout import Layout

__all__ = ["board_object", "board_row"]


class _Tag(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def lines(self) -> tuple[str, ...]: ...


class _Board(Protocol):
    """The parts of a board that rows have."""

    @property
    def layout(self) -> Layout | None: ...
    @property
    def number(self) -> int | None: ...
    @property
    def dealer(self) -> Seat | None: ...
    @property
    def vulnerable(self) -> Vulnerability | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def tags(self) -> Mapping[str, str]: ...
    @property
    def sections(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def entries(self) -> Sequence[_Tag]: ...


def _deal(board: _Board) -> str | None:
    return None if board.layout is None else str(board.layout)


def _dealer(board: _Board) -> str | None:
    return None if board.dealer is None else board.dealer.letter


def _vulnerable(board: _Board) -> str | None:
    return None if board.vulnerable is None else board.vulnerable.value


def _label(board: _Board) -> str | None:
    return board.tags.get("Board")


_VALUES: dict[str, tuple[str, Callable[[_Board], object]]] = {
    "deal": ("deal", _deal),
    "board": ("board", lambda board: board.number),
    "label": ("board", _label),
    "dealer": ("dealer", _dealer),
    "vulnerable": ("vulnerable", _vulnerable),
    "line": ("line", lambda board: board.line),
}
"""The key and the value of each part of a row."""


def board_row(board: _Board, parts: str, ranks: Ranks | None = None) -> dict[str, object]:
    """Return parts of a board by their keys, in the order of `parts`; unknown values are None.

    The parts are `deal`, the text of the cards; `number`, the decimal digits of the number of the
    cards in `ranks`; `board`, the board number; `label`, the text of the tag Board, under the key
    `board`; `dealer`; `vulnerable`; and `line`. Raises `LayoutError` for cards without a number.

    >>> from pavcodec import Board, numbering
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


def board_object(board: _Board) -> dict[str, object]:
    """Return all of a board for JSON: an object of the formats `json` and `jsonl`.

    `entries` has all tags if `tags` and `sections` do not determine them, as for two tags with one
    name. Unknown values are left out.

    >>> from pavcodec import Board
    >>> board_object(Board.make(None, number=3, tags={"Event": "Club"}))
    {'board': 3, 'dealer': 'S', 'vulnerable': 'EW', 'tags': {'Board': '3', 'Event': 'Club'}}
    """
    row = board_row(board, "deal board dealer vulnerable")
    made = {key: value for key, value in row.items() if value is not None}
    tags, sections = dict(board.tags), dict(board.sections)
    made["tags"] = tags
    if sections:
        made["sections"] = {name: list(lines) for name, lines in sections.items()}
    known = [(name, value, sections.get(name, ())) for name, value in tags.items()]
    if known != [(tag.name, tag.value, tuple(tag.lines)) for tag in board.entries]:
        made["entries"] = [
            [tag.name, tag.value, list(tag.lines)] if tag.lines else [tag.name, tag.value]
            for tag in board.entries
        ]
    return made
