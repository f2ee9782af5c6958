"""The readable part of an auction or a play, and the places of the comments in a board."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from pavcodec.boards.auction import call_of, remarks_cut
from pavcodec.boards.board import Board
from pavcodec.errors import PavError
from pavcodec.formats.parts import COMMENT

__all__ = ["comments_in", "first_part"]

_ALL_PASS = re.compile(r"(?i:AP|ALL)")
_CARD = re.compile(r"(?i:[SHDC](?:10|[AKQJT2-9]))|-")
_COLUMNS = 4

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


def comments_in(board: Board, calls: int, cards: int) -> Iterator[tuple[int, str]]:
    """Yield the comments of a board, each after the number of calls and cards before it.

    A comment within a trick is after the tricks before it, since the columns of PBN are not the
    order of play.
    """
    for tag in board.entries:
        if not tag.lines:
            continue
        text = "\n".join(tag.lines)
        place, done, is_over = 0, 0, False
        for found in COMMENT.finditer(text):
            words = text[place : found.start()].split()
            place = found.end()
            before = 0
            if tag.name == "Auction":
                is_over = is_over or any(map(_ALL_PASS.fullmatch, words))
                done += sum(map(_is_call, words))
                before = calls if is_over else min(calls, done)
            elif tag.name == "Play":
                done += sum(map(bool, map(_CARD.fullmatch, words)))
                before = calls + min(cards, done // _COLUMNS * _COLUMNS)
            said = found[1] or found[2] or ""
            if said.strip():
                yield before, said


def _is_call(word: str) -> bool:
    return call_of(word) is not None
