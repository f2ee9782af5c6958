"""The readable part of an auction or a play that cannot be read as a whole."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from pavcodec.boards.auction import remarks_cut
from pavcodec.boards.board import Board
from pavcodec.errors import PavError

__all__ = ["first_part"]

T = TypeVar("T")


def first_part(read: Callable[[Board], T], board: Board, section: str) -> T | None:
    """Return the result of a function for a section up to the first unreadable word.

    `read` raises `PavError` from that word on. Returns None if it can read nothing.
    """
    place = next(
        (n for n, tag in enumerate(board.entries) if tag.name == section and tag.lines), None
    )
    if place is None:
        return None
    words = remarks_cut(board.entries[place].lines).split()

    def attempt(count: int) -> T | None:
        entries = list(board.entries)
        entries[place] = replace(entries[place], lines=(" ".join(words[:count]),))
        try:
            return read(Board(board.layout, tuple(entries)))
        except PavError:
            return None

    wrong = bisect_left(range(len(words)), True, lo=1, key=lambda n: attempt(n + 1) is None)  # noqa: FBT003
    return attempt(wrong)
