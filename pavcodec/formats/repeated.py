"""Boards that repeat: a file of results has each board once for each table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pavcodec.boards.board import Board
from pavcodec.formats.format import Format

__all__ = ["Repeated"]


class Repeated:
    """A filter that removes boards with the number and the deal of an earlier board.

    `chosen` is the choice of the user, or None. With None, the filter works only for formats that
    hold the boards of a session, and only on boards with a number: a file of results has each board
    once for each table.
    """

    def __init__(self, target: Format, *, chosen: bool | None) -> None:
        self.left_out = 0
        self.is_looked_for = target.is_of_boards if chosen is None else chosen
        self.is_asked_for = chosen is not None
        self._seen: set[tuple[str, bytes]] = set()

    def without(self, boards: Iterable[Board]) -> Iterator[Board]:
        """Yield the boards without repetitions; all boards without cards are yielded."""
        for board in boards:
            number = board.tags.get("Board", "")
            if self.is_looked_for and board.layout is not None and (number or self.is_asked_for):
                key = number, bytes(board.layout.owners)
                if key in self._seen:
                    self.left_out += 1
                    continue
                self._seen.add(key)
            yield board
