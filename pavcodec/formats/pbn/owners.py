"""PBN files as batches: the owners of the boards of `read_pbn`, and these boards on demand.

Rule 1: `read_pbn` is the definition. A loop reads stretches of plain games that inherit nothing and
        whose deals are strictly right or unknown.
Rule 2: `PbnReader` reads all other games, and all games while a comment is open or a tag with `##`
        is in force, one stretch of text at a time.
Rule 3: a survey reads a block of text board by board if it names a tag of tricks or of suits, and
        yields the boards that have such tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, cast

from pavcodec.arrays.text.games import read_games
from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.boards.tricks import TRICK_TAGS
from pavcodec.files.text import decode, unify_line_ends
from pavcodec.formats.pbn.games import Comments, Game, Stretches, games_of, text_blocks
from pavcodec.formats.pbn.reader import PbnReader
from pavcodec.formats.plain.batch_readers import Rows
from pavcodec.formats.records.boards import SUIT_TAG, is_suit_alone

if TYPE_CHECKING:
    from pavcodec.boards.batch import BoardBatch

__all__ = ["read_pbn_batches", "survey_pbn"]

_NAMES = tuple(name.encode() for name in (*TRICK_TAGS, SUIT_TAG))
"""A board without these tags is plain."""

_DATA = re.compile(rb"\n[^\[\s]")
"""A line that is no tag."""


def read_pbn_batches(stream: BinaryIO, context: Context) -> Iterator[BoardBatch]:
    """Yield the boards of a PBN stream that have cards; problems do not end the reading."""
    reader = _BatchReader(context)
    return cast("Iterator[BoardBatch]", reader.rows.all_of(reader.read(stream)))


def survey_pbn(stream: BinaryIO, context: Context) -> Iterator[BoardBatch | Board]:
    """Yield batches of plain boards, and the other boards; `ArrayCodec.survey` has the contract."""
    reader = _BatchReader(context, is_survey=True)
    return reader.rows.all_of(reader.read(stream))


class _BatchReader:
    """Reads plain games in a loop, and other games one by one."""

    def __init__(self, context: Context, *, is_survey: bool = False) -> None:
        self.rows = Rows()
        self._context = context
        self._is_survey = is_survey
        self._may_say_more = False  # whether the text at hand may have boards that are not plain
        self._stretches = Stretches()
        self._comments = Comments(context)
        self._reader = PbnReader(context)
        self._last = b""  # the last game, if it was plain

    def read(self, stream: BinaryIO) -> Iterator[BoardBatch | Board]:
        """Yield full rows."""
        for data in text_blocks(stream, self._context, unified=False):
            self._stretches.add(data)
            self._may_say_more = self._is_survey and any(
                name in self._stretches.rest for name in _NAMES
            )
            yield from self._read_whole_games()
        stretch = self._stretches.last()
        if stretch is not None:
            yield from self._read_games(self._comments.join(stretch))
        yield from self._read_games(self._comments.end())

    def _read_whole_games(self) -> Iterator[BoardBatch | Board]:
        """Read the games that are complete."""
        while True:
            yield from self._read_plain_games()
            self._stretches.unify()
            stretch = self._stretches.next()
            if stretch is None:
                return
            yield from self._read_games(self._comments.join(stretch))

    def _read_plain_games(self) -> Iterator[BoardBatch | Board]:
        """Read plain games in a loop, up to another game."""
        text, rows = self._stretches, self.rows
        while not (self._may_say_more or self._comments.is_open or self._reader.has_to_give):
            found = read_games(text.rest, text.start, text.rest.rfind(b"\n") + 1, rows.room)
            if found.games:
                self._last = text.rest[found.last]
            self._context.on_skipped(found.games - found.rows)
            plain = text.rest[text.start : found.end]
            rows.wrote(
                found.rows,
                partial(_plain_boards, plain, text.line, self._context),
                partial(_has_more, plain),
            )
            text.skip(found.end, found.lines)
            if not rows.are_full:
                return
            yield rows.batch()

    def _read_games(self, games: Iterator[Game]) -> Iterator[BoardBatch | Board]:
        """Read games one by one; they follow the last plain game."""
        if self._last:
            self._reader.remember(decode(unify_line_ends(self._last)))
            self._last = b""
        boards = self._reader.read(games)
        if not self._is_survey:
            yield from self.rows.add(boards, self._context)
            return
        for board in boards:
            if board.tricks is None and not is_suit_alone(board):
                yield from self.rows.add([board], self._context)
            else:
                yield board


def _has_more(text: bytes) -> bool:
    """Return whether a line of plain games is not a deal."""
    return text.count(b"[") > text.count(b"[Deal ") or _DATA.search(text) is not None


def _plain_boards(text: bytes, line: int, context: Context) -> Iterator[Board]:
    """Yield the boards with cards of plain games that begin at a line."""
    boards = PbnReader(context).read(games_of(text, line))
    return (board for board in boards if board.layout is not None)
