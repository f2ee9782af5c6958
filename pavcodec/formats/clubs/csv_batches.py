"""Big Deal's CSV in batches: rows as owners, and boards on demand from their text.

`read_csv` is the definition. A plain row becomes a deal text, which a compiled loop reads; the
reader of boards reads each other row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

import numpy as np

from pavcodec.boards.batch import BoardBatch, More, Wanted
from pavcodec.boards.board import Board, Context
from pavcodec.cards import HAND_SIZE, Seat
from pavcodec.files.text import decode
from pavcodec.formats.clubs.texts import boards_of_rows
from pavcodec.formats.plain.batches import Rows, read_deals, whole_lines

_FIELDS = 18
_LENGTH = len(b"N:" + b"." * 12 + b" " * 3) + 52
_DEAL = b"N:" + b" ".join([b".".join([b"%b"] * 4)] * 4) + b"\n"
_END = re.compile(rb"[NESW]/(-|NS|EW|All)")
_NUMBER = re.compile(rb"(?!0+$)[0-9]{1,18}")


def read_csv_batches(stream: BinaryIO, context: Context, _wanted: Wanted) -> Iterator[BoardBatch]:
    """Yield the boards of rows of CSV in batches."""
    rows = Rows()
    return rows.all_of(_batches(stream, context, rows))


def _batches(stream: BinaryIO, context: Context, rows: Rows) -> Iterator[BoardBatch]:
    done = 0

    def boards(first: int, some: list[bytes]) -> Iterator[Board]:
        return boards_of_rows(enumerate(map(decode, some), first), context)

    for text in whole_lines(stream):
        lines = text.split(b"\n")[:-1]
        begin = 0
        while begin < len(lines):
            count = _read(lines, begin, rows)
            some = partial(boards, done + 1, lines[begin : begin + count])
            rows.wrote(count, some, lambda: More.PLAIN_TAGS)
            begin, done = begin + count, done + count
            if rows.are_full:
                yield rows.batch()
            elif begin < len(lines):
                yield from rows.add(boards(done + 1, lines[begin : begin + 1]))
                begin, done = begin + 1, done + 1


def _read(lines: list[bytes], begin: int, rows: Rows) -> int:
    """Write the owners of plain rows into the room of `rows`; return how many there are."""
    room = rows.room
    texts = []
    for line in lines[begin : begin + len(room)]:
        text = _deal_text(line)
        if text is None:
            break
        texts.append(text)
    if not texts:
        return 0
    count, _ = read_deals(b"".join(texts), 0, room)
    are_full = np.ones(count, bool)
    for seat in Seat:
        are_full &= (room[:count] == seat).sum(axis=1) == HAND_SIZE
    return count if are_full.all() else int(are_full.argmin())


def _deal_text(line: bytes) -> bytes | None:
    """Return the deal of a plain row as a line of text; None for any other row."""
    if not (line.startswith(b'"') and line.endswith(b'"')):
        return None
    fields = line[1:-1].split(b'","')
    if (
        len(fields) != _FIELDS
        or not _END.fullmatch(fields[17])
        or not _NUMBER.fullmatch(fields[16])
    ):
        return None
    text = _DEAL % tuple(fields[:16])
    return text if len(text) == _LENGTH + 1 else None
