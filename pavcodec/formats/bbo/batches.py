"""LIN as batches: the owners of the boards of `read_lin`, and the bytes of `write_lin`.

Rule 1: `read_lin` and `write_lin` are the definitions.
Rule 2: a loop reads plain boards after the first board of a file: complete deals without calls,
        cards and headers. The tags of such a board cannot be wrong, and change nothing for later
        boards. `LinReader` reads all other boards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import BinaryIO

import numpy as np

from pavcodec import kernel
from pavcodec.boards.batch import BoardBatch, More, Wanted
from pavcodec.boards.board import Board, Context
from pavcodec.formats.bbo.lin import (
    EVENT_TAGS,
    HEADER_TAG,
    LinReader,
    Standing,
    boards_of_stream,
)
from pavcodec.formats.bbo.lin_writer import SURROGATE, format_lin, write_lin
from pavcodec.formats.plain.batches import Rows, write_by_form


def read_lin_batches(
    stream: BinaryIO, context: Context, _wanted: Wanted = Wanted.CARDS
) -> Iterator[BoardBatch]:
    """Yield the boards of a LIN stream; problems do not end the reading."""
    reader = _BatchReader(context)
    return reader.rows.all_of(reader.rows.add(boards_of_stream(stream, context, reader)))


class _BatchReader(LinReader):
    """Puts plain boards into rows, and yields the boards between them."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.rows = Rows()

    def _after_plain(self, data: bytes, offset: int, last: int) -> int:
        """Read plain boards that are not the last one, as many as there is room for."""
        room, at = self.rows.room, np.array([offset, 0], np.int64)
        count = kernel.read_lin(data, last + len("md|"), len(room), room, at)
        end = int(at[0])
        text = data[offset:end]
        boards = partial(_plain_boards, text, self._context, self._line, self._standing)
        self.rows.wrote(count, boards, lambda: More.PLAIN_TAGS)
        self._line += int(at[1])
        return end


def _plain_boards(text: bytes, context: Context, line: int, standing: Standing) -> Iterator[Board]:
    """Yield plain boards that begin at a line, after a header."""
    yield from LinReader(context, line, standing).read(text, len(text))


def write_lin_batches(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write batches as `write_lin` writes their boards."""
    return write_by_form(batches, stream, context, _text_of, write_lin)


def _text_of(board: Board) -> str | None:
    """Return the line of a board without an event; None if a part of it is left out or changed."""
    if not board.tags.keys().isdisjoint({*EVENT_TAGS, HEADER_TAG}):
        return None
    said: list[str] = []
    text = f"{format_lin(board, said.append, said.append)}pg||\n"
    return None if said or SURROGATE.search(text) else text
