"""Batches in the PBN export format: the bytes that `write_pbn` writes for their boards.

Rule 1: `write_pbn` is the definition. It also formats the parts that the boards of a batch share.
Rule 2: a batch that cannot be cut or written in this way is written board by board, and so is each
        board with a hand that is too large or an owner that is none.
Rule 3: `PbnWriter` chooses the encoding: it writes the first board of each batch that is not ASCII,
        and the rest of the batch has the same encoding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import numpy as np

from pavcodec import kernel
from pavcodec.boards.batch import BoardBatch, More, Wanted
from pavcodec.boards.board import Board, Context
from pavcodec.cards import HAND_SIZE
from pavcodec.files.text import decode, unify_line_ends
from pavcodec.formats.format import NOT_PLAIN
from pavcodec.formats.pbn.reader import Comments, Game, PbnReader, Stretches, games_of, text_blocks
from pavcodec.formats.pbn.writer import SEPARATOR, PbnWriter, format_board, not_pbn
from pavcodec.formats.plain.batches import (
    Pieces,
    PipelinedWriter,
    Rows,
    encoded,
    form_of,
    format_boards,
    parts_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners


_FEW = 16
"""The boards of a batch below which they are written sooner than their form is made."""


def write_pbn_batches(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write batches in the PBN export format; return how many boards fit. The rest are problems."""
    writer = PbnWriter(stream, context)
    with PipelinedWriter(partial(_write_made, writer)) as behind:
        for batch in batches:
            form, begin = form_of(batch, _text_of) if len(batch) >= _FEW else None, 0
            if form is None or not all(str(part).isascii() for parts in form for part in parts):
                behind.finish()
                begin = _write_slowly(writer, batch, until_one_is_written=form is not None)
            if form is not None and begin < len(batch):
                pieces = encoded(form, writer.encoding)
                for part in parts_of(batch.rows(begin, len(batch))):
                    behind.submit(partial(_make, part, pieces))
    return writer.written


def _write_slowly(writer: PbnWriter, batch: BoardBatch, *, until_one_is_written: bool) -> int:
    """Write boards one by one, all or until one is written; return how many were processed."""
    before = writer.written
    for position, board in enumerate(batch):
        writer.write(board)
        if until_one_is_written and writer.written > before:
            return position + 1
    return len(batch)


@dataclass(frozen=True)
class _Made:
    """The text of the first boards of a part, and how many they are."""

    part: BoardBatch
    pieces: Pieces
    boards: int
    text: NDArray[np.uint8]


def _make(part: BoardBatch, pieces: Pieces) -> _Made:
    """Format the boards of a part up to one that must be written alone."""
    boards, text = format_boards(
        part.owners, part.numbers, pieces, first=part.first, sizes=range(HAND_SIZE + 1)
    )
    return _Made(part, pieces, boards, text)


def _write_made(writer: PbnWriter, made: _Made) -> None:
    """Write formatted boards, the board that has no formatted text, and the boards after it."""
    writer.write_formatted(made.text.data, made.boards)
    done = made.boards
    while done < len(made.part):
        writer.write(made.part.board(done))
        rest = _make(made.part.rows(done + 1, len(made.part)), made.pieces)
        writer.write_formatted(rest.text.data, rest.boards)
        done += 1 + rest.boards


def _text_of(board: Board) -> str | None:
    """Return a board with the separator before it; None if PBN cannot hold it."""
    return None if not_pbn(board) else SEPARATOR + format_board(board)


# PBN files as batches: the owners of the boards of `read_pbn`, and these boards on demand.
#
# Rule 1: `read_pbn` is the definition. A loop reads stretches of plain games that inherit nothing
# and whose deals are strictly right or unknown. Rule 2: `PbnReader` reads all other games, and all
# games while a comment is open or a tag with `##` is in force, one stretch of text at a time.


_NAMES = tuple(name.encode() for name in NOT_PLAIN)
"""Games whose text has none of these names are plain."""

_DATA = re.compile(rb"\n[^\[\s]")
"""A line that is no tag."""


class PlainGames(NamedTuple):
    """What the loop read: how many games and lines, and up to which position."""

    games: int
    end: int
    lines: int
    last: slice
    """The span of the last game, without the blank lines after it."""


def read_games(text: bytes, begin: int, owners: Owners) -> PlainGames:
    r"""Read plain games of PBN until `owners` is full; each fills a row.

    >>> owners = np.empty((5, 52), np.uint8)
    >>> text = b'[Event "x"]\n[Deal "N:- - - -"]\n\n[Site "##y"]\n\n'
    >>> read_games(text, 0, owners)
    PlainGames(games=1, end=32, lines=3, last=slice(0, 31, None))
    """
    at = np.array([begin, 0, begin, begin], np.int64)
    games = kernel.read_games(text, len(text), len(owners), owners, at)
    end, lines, start, stop = at.tolist()
    return PlainGames(games, end, lines, slice(start, stop))


def read_pbn_batches(
    stream: BinaryIO, context: Context, _wanted: Wanted = Wanted.CARDS
) -> Iterator[BoardBatch]:
    """Yield the boards of a PBN stream; problems do not end the reading."""
    reader = _BatchReader(context)
    return reader.rows.all_of(reader.read(stream))


class _BatchReader:
    """Reads plain games in a loop, and other games one by one."""

    def __init__(self, context: Context) -> None:
        self.rows = Rows()
        self._context = context
        self._stretches = Stretches()
        self._comments = Comments(context)
        self._reader = PbnReader(context)
        self._last = b""  # the last game, if it was plain

    def read(self, stream: BinaryIO) -> Iterator[BoardBatch]:
        """Yield full rows."""
        for data in text_blocks(stream, self._context, unified=False):
            self._stretches.add(data)
            yield from self._read_whole_games()
        stretch = self._stretches.last()
        if stretch is not None:
            yield from self._read_games(self._comments.join(stretch))
        yield from self._read_games(self._comments.end())

    def _read_whole_games(self) -> Iterator[BoardBatch]:
        """Read the games that are complete."""
        while True:
            yield from self._read_plain_games()
            self._stretches.unify()
            stretch = self._stretches.next()
            if stretch is None:
                return
            yield from self._read_games(self._comments.join(stretch))

    def _read_plain_games(self) -> Iterator[BoardBatch]:
        """Read plain games in a loop, up to another game."""
        text, rows = self._stretches, self.rows
        while not (self._comments.is_open or self._reader.has_to_give):
            plain_games = read_games(text.rest, text.start, rows.room)
            if plain_games.games:
                self._last = text.rest[plain_games.last]
            plain = text.rest[text.start : plain_games.end]
            rows.wrote(
                plain_games.games,
                partial(_plain_boards, plain, text.line, self._context),
                partial(_more, plain),
            )
            text.skip(plain_games.end, plain_games.lines)
            if not rows.are_full:
                return
            yield rows.batch()

    def _read_games(self, games: Iterator[Game]) -> Iterator[BoardBatch]:
        """Read games one by one; they follow the last plain game."""
        if self._last:
            self._reader.remember(decode(unify_line_ends(self._last)))
            self._last = b""
        yield from self.rows.add(self._reader.read(games))


def _more(text: bytes) -> More:
    """Return what plain games hold beyond their cards: more than lines of a deal each."""
    if any(name in text for name in _NAMES):
        return More.ANYTHING
    has_tags = text.count(b"[") > text.count(b"[Deal ") or _DATA.search(text)
    return More.PLAIN_TAGS if has_tags else More.NOTHING


def _plain_boards(text: bytes, line: int, context: Context) -> Iterator[Board]:
    """Yield the boards of plain games that begin at a line."""
    return PbnReader(context).read(games_of(text, line))
