"""Records of cards as arrays: what `RecordFormat` reads and writes board by board.

`RecordFormat` is the definition. It parses each wrong record, for the reason of the problem, and
writes each part of a batch that has no bytes here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

import numpy as np

from pavcodec.arrays.words.limbs import add, below
from pavcodec.boards.batch import BoardBatch, ManyRanks
from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.cards import HAND_SIZE, SEAT_LETTERS, UNUSED
from pavcodec.errors import RecordError
from pavcodec.formats.plain.batch_writers import numbers_of_batch, write_parts
from pavcodec.formats.records.boards import RECORD_FORMATS, SPARE_TAG
from pavcodec.records import record, record_blocks
from pavcodec.records.bits.arrays import join_rows, split_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.arrays.words.limbs import Limbs

    Bytes: TypeAlias = NDArray[np.uint8]
    Columns: TypeAlias = list[NDArray[Any]]
    Flags: TypeAlias = NDArray[np.bool_]

__all__ = ["read_record_batches", "write_record_batches"]

_WITH_TAG = "base5-16"
"""The record whose boards have a tag in addition to their cards."""


def read_record_batches(stream: BinaryIO, context: Context, *, name: str) -> Iterator[BoardBatch]:
    """Yield the boards of records that hold cards; other bytes are problems."""
    kind, unpack = record(name), _RECORDS[name]
    board_of = RECORD_FORMATS[name].board_of

    def batch(owners: Owners, found: Bytes) -> BoardBatch:
        def board(row: int) -> Board:
            return board_of(kind.parse(found[row].tobytes()), context)

        return BoardBatch(owners, origin=board, has_more=name == _WITH_TAG)

    def report(error: RecordError) -> None:
        context.problem(None, str(error))

    for index, block in record_blocks(kind, stream, report):
        records = np.frombuffer(block, np.uint8).reshape(-1, kind.size)
        columns, are_good = split_rows(kind.specification, records)
        owners, are_right = unpack(columns, context)
        are_right &= are_good
        for row in np.flatnonzero(~are_right).tolist():
            try:
                kind.parse_at(index + row, records[row].tobytes())
            except RecordError as error:
                try:
                    report(error)
                except Exception:
                    before = are_right[:row]
                    yield batch(owners[:row][before], records[:row][before])
                    raise
        are_whole = are_right.all()
        yield batch(owners, records) if are_whole else batch(owners[are_right], records[are_right])


def _of_numbers(columns: Columns, context: Context) -> tuple[Owners, Flags]:
    """Return the owners of numbers that count from 0."""
    ranks: object = context.numbering
    assert isinstance(ranks, ManyRanks), "the formats of records have numberings of their own"
    numbers = columns[0]
    are_right = below(numbers, ranks.last - ranks.first + 1)
    numbers[~are_right] = 0
    return ranks.unrank_many(add(numbers, ranks.first)), are_right


def _of_deals(columns: Columns, _context: Context) -> tuple[Owners, Flags]:
    """Return the owners of deals."""
    owners = columns[0]
    return owners, _are_deals(owners)


def _of_layouts(columns: Columns, _context: Context) -> tuple[Owners, Flags]:
    """Return the owners of layouts."""
    owners = columns[0]
    return owners, owners.max(axis=1) <= UNUSED


_RECORDS: dict[str, Callable[[Columns, Context], tuple[Owners, Flags]]] = {
    "deal12": _of_numbers,
    "balanced14": _of_numbers,
    "ending15": _of_numbers,
    "legal14": _of_numbers,
    "base5-16": _of_numbers,
    "deal13": _of_deals,
    "layout20": _of_layouts,
}


def write_record_batches(
    batches: Iterable[BoardBatch], stream: BinaryIO, context: Context, *, name: str
) -> int:
    """Write a record for each board, as the format of this name does."""
    made = record(name).specification

    def make(part: BoardBatch) -> Bytes | None:
        columns = _COLUMNS[name](part, context)
        return None if columns is None else join_rows(made, columns)

    slow = RECORD_FORMATS[name]
    return write_parts(batches, stream, make, lambda part: slow.write(part, stream, context))


def _number_columns(part: BoardBatch, context: Context) -> list[Limbs] | None:
    """Return numbers that count from 0."""
    numbers = None if SPARE_TAG in part.tags else numbers_of_batch(part, context, from_0=True)
    return None if numbers is None else [numbers]


def _base5_columns(part: BoardBatch, context: Context) -> list[Limbs] | None:
    """Return numbers, and spare bits that are 0."""
    columns = _number_columns(part, context)
    return columns and [*columns, np.zeros(1, np.uint64)]


def _deal_columns(part: BoardBatch, _context: Context) -> list[Owners] | None:
    """Return the owners of deals."""
    return [part.owners] if _are_deals(part.owners).all() else None


def _are_deals(owners: Owners) -> Flags:
    """Return for each row whether every hand has 13 cards."""
    are_right = np.ones(len(owners), np.bool_)
    for seat in range(len(SEAT_LETTERS)):
        are_right &= (owners == seat).sum(axis=1) == HAND_SIZE
    return are_right


def _layout_columns(part: BoardBatch, _context: Context) -> list[Owners]:
    """Return the owners of layouts."""
    return [part.owners]


_COLUMNS: dict[str, Callable[[BoardBatch, Context], list[Limbs] | list[Owners] | None]] = {
    "deal12": _number_columns,
    "balanced14": _number_columns,
    "ending15": _number_columns,
    "legal14": _number_columns,
    "base5-16": _base5_columns,
    "deal13": _deal_columns,
    "layout20": _layout_columns,
}
