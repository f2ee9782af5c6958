"""Records of cards as arrays: what `RecordFormat` reads and writes board by board.

`RecordFormat` is the definition. It parses each wrong record, for the reason of the problem, and
writes each part of a batch that has no bytes here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

import numpy as np

from pavcodec.arrays import add, below
from pavcodec.boards.batch import CONTRACTS, BoardBatch, ManyRanks, More, Wanted
from pavcodec.boards.board import Board, Context
from pavcodec.cards import HAND_SIZE, SEAT_LETTERS, UNUSED, Strain
from pavcodec.errors import RecordError
from pavcodec.formats.plain.batches import numbers_of_batch, write_parts
from pavcodec.formats.records.boards import RECORD_FORMATS, SPARE_TAG
from pavcodec.layout.columns import are_deals
from pavcodec.records import record, record_blocks
from pavcodec.records.arrays import join_rows, split_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Limbs, Owners

    Bytes: TypeAlias = NDArray[np.uint8]
    Columns: TypeAlias = list[NDArray[Any]]
    Flags: TypeAlias = NDArray[np.bool_]


_WITH_TAG = "base5-16"
"""The record whose boards have a tag in addition to their cards."""


def read_record_batches(
    stream: BinaryIO, context: Context, _wanted: Wanted, *, name: str
) -> Iterator[BoardBatch]:
    """Yield the boards of records that hold cards; other bytes are problems."""
    kind, unpack = record(name), _KINDS[name][0]
    board_of = RECORD_FORMATS[name].board_of
    more = More.PLAIN_TAGS if name == _WITH_TAG else More.NOTHING

    def batch(owners: Owners, tricks: Bytes | None, chosen: Bytes) -> BoardBatch:
        def board(row: int) -> Board:
            return board_of(kind.parse(chosen[row].tobytes()), context)

        return BoardBatch(owners, origin=board, more=more, tricks=tricks)

    def report(error: RecordError) -> None:
        context.problem(None, str(error))

    for index, block in record_blocks(name, kind.size, stream, report):
        records = np.frombuffer(block, np.uint8).reshape(-1, kind.size)
        columns, are_good = split_rows(kind.table, records)
        owners, tricks, are_right = unpack(columns, context)
        are_right &= are_good
        for row in np.flatnonzero(~are_right).tolist():
            try:
                kind.parse_at(index + row, records[row].tobytes())
            except RecordError as error:
                try:
                    report(error)
                except Exception:
                    are_right[row:] = False
                    yield batch(*_chosen(are_right, owners, tricks, records))
                    raise
        yield batch(*_chosen(are_right, owners, tricks, records))


def _chosen(
    are_right: Flags, owners: Owners, tricks: Bytes | None, records: Bytes
) -> tuple[Owners, Bytes | None, Bytes]:
    if are_right.all():
        return owners, tricks, records
    return owners[are_right], None if tricks is None else tricks[are_right], records[are_right]


_Unpacked: TypeAlias = "tuple[Owners, Bytes | None, Flags]"
"""The owners and the tricks of records, and whether each record is right."""
_Unpack: TypeAlias = "Callable[[Columns, Context], _Unpacked]"
_Pack: TypeAlias = "Callable[[BoardBatch, Context], list[Limbs] | list[Owners] | None]"


def _of_numbers(columns: Columns, context: Context) -> _Unpacked:
    """Return the owners of numbers that count from 0."""
    ranks: object = context.numbering
    assert isinstance(ranks, ManyRanks), "the formats of records have numberings of their own"
    numbers = columns[0]
    are_right = below(numbers, ranks.last - ranks.first + 1)
    numbers[~are_right] = 0
    return ranks.unrank_many(add(numbers, ranks.first)), None, are_right


def _of_deals(columns: Columns, _context: Context) -> _Unpacked:
    return columns[0], None, are_deals(columns[0])


def _of_layouts(columns: Columns, _context: Context) -> _Unpacked:
    return columns[0], None, columns[0].max(axis=1) <= UNUSED


def _of_solved(columns: Columns, _context: Context) -> _Unpacked:
    """Return the owners and tricks of ZRD, whose seats are W N E S."""
    owners = (columns[0] + _TO_NESW) % _SEATS
    tricks = columns[1].reshape(-1, len(Strain), _SEATS)
    are_right = are_deals(owners) & (tricks.max(axis=(1, 2)) <= HAND_SIZE)
    return owners, np.roll(tricks, -1, axis=2).reshape(-1, CONTRACTS), are_right


def _of_library(columns: Columns, _context: Context) -> _Unpacked:
    """Return the owners and tricks of GIB's library: those of North and South for each leader."""
    *some, tricks = columns
    owners = (np.concatenate(some, axis=1)[:, _FROM_LIBRARY] + _TO_NESW) % _SEATS
    are_right = are_deals(owners) & (tricks.max(axis=1) <= HAND_SIZE)
    return owners, _declarers(np.minimum(tricks, HAND_SIZE)), are_right


def _declarers(tricks: Bytes) -> Bytes:
    """Convert tricks of North and South to tricks of the declarers N E S W, or the reverse."""
    by_strain = tricks.reshape(-1, len(Strain), _SEATS).copy()
    by_strain[:, :, 1::2] = HAND_SIZE - by_strain[:, :, 1::2]
    return by_strain.reshape(-1, CONTRACTS)


_SEATS = len(SEAT_LETTERS)
_TO_NESW = np.uint8(3)
"""What makes a seat of W N E S a seat of N E S W, modulo 4."""
_LOWEST_FIRST = (12, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3)
"""The cards of a suit in GIB's library: the lowest, then three bytes of four cards."""
_TO_LIBRARY = np.concatenate([np.array(_LOWEST_FIRST) + first for first in range(0, 52, 13)])
_FROM_LIBRARY = np.argsort(_TO_LIBRARY)
_CUTS = (1, 14, 27, 40)
"""Where the reserved bits of GIB's library cut the cards: after the lowest card of each suit."""


def write_record_batches(
    batches: Iterable[BoardBatch], stream: BinaryIO, context: Context, *, name: str
) -> int:
    """Write a record for each board, as the format of this name does."""
    table = record(name).table

    def make(part: BoardBatch) -> Bytes | None:
        columns = _KINDS[name][1](part, context)
        return None if columns is None else join_rows(table, columns)

    slow = RECORD_FORMATS[name]
    having = (batch.with_cards() for batch in batches)
    return write_parts(having, stream, make, lambda part: slow.write(part, stream, context))


def _number_columns(part: BoardBatch, context: Context) -> list[Limbs] | None:
    """Return numbers that count from 0."""
    numbers = None if SPARE_TAG in part.tags else numbers_of_batch(part, context, from_0=True)
    return None if numbers is None else [numbers]


def _base5_columns(part: BoardBatch, context: Context) -> list[Limbs] | None:
    """Return numbers, and spare bits that are 0."""
    columns = _number_columns(part, context)
    return columns and [*columns, np.zeros(1, np.uint64)]


def _solved_columns(part: BoardBatch, _context: Context) -> list[Owners] | None:
    """Return the owners and the tricks of ZRD."""
    if not _are_solved(part):
        return None
    assert part.tricks is not None
    tricks = part.tricks.reshape(-1, len(Strain), _SEATS)
    return [(part.owners + 1) % _SEATS, np.roll(tricks, 1, axis=2).reshape(-1, CONTRACTS)]


def _library_columns(part: BoardBatch, _context: Context) -> list[Owners] | None:
    if not _are_solved(part):
        return None
    assert part.tricks is not None
    cards = ((part.owners + 1) % _SEATS)[:, _TO_LIBRARY]
    return [*np.hsplit(cards, _CUTS), _declarers(part.tricks)]


def _are_solved(part: BoardBatch) -> bool:
    """Return whether all rows are deals with the tricks of 20 contracts."""
    return (
        part.tricks is not None
        and len(part) > 0
        and bool(part.tricks.max() <= HAND_SIZE and are_deals(part.owners).all())
    )


_NUMBERED = (_of_numbers, _number_columns)
_KINDS: dict[str, tuple[_Unpack, _Pack]] = {
    "deal12": _NUMBERED,
    "balanced14": _NUMBERED,
    "ending15": _NUMBERED,
    "legal14": _NUMBERED,
    "base5-16": (_of_numbers, _base5_columns),
    "deal13": (_of_deals, lambda part, _: [part.owners] if are_deals(part.owners).all() else None),
    "layout20": (_of_layouts, lambda part, _: [part.owners]),
    "zrd": (_of_solved, _solved_columns),
    "gib-library": (_of_library, _library_columns),
}
"""How the columns of a record become owners and tricks, and the boards of a batch columns."""
