"""Batches of boards to Parquet tables, column by column.

`writer.table_of_boards`, which works board by board, is the definition. The tables here are equal
to its tables, and it makes those of boards that may be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, islice, product
from typing import BinaryIO, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pavcodec.arrays.owners.holdings import Holdings, holdings_of
from pavcodec.arrays.text.hand_texts import counts_of, hand_texts
from pavcodec.boards.batch import BoardBatch, ManyRanks
from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.boards.tricks import TRICK_TAGS
from pavcodec.cards import HAND_SIZE, SUIT_SIZE
from pavcodec.errors import LayoutError
from pavcodec.formats.parquet.columns import (
    HANDS,
    NUMBER_BYTES,
    QUANTITIES,
    TRICKS,
    column_of,
    pattern_text,
    shape_text,
)
from pavcodec.formats.parquet.from_numpy import column_of_values, text_column, validity
from pavcodec.formats.parquet.selection import has_hands, whole_columns
from pavcodec.formats.parquet.tricks import tricks_column
from pavcodec.formats.parquet.types import TAGS
from pavcodec.formats.parquet.writer import (
    LINES,
    TAG,
    rank_of,
    schema_of,
    table_of_some,
    write_tables,
)

__all__ = ["LIMBS", "Owners", "columns_of_cards", "many_ranks", "table_of_batch", "write_batches"]

_AT_ONCE = 1 << 14
"""The rows of a table."""

_SUITS = 4
_LENGTHS = SUIT_SIZE + 1
_BASE = _LENGTHS ** np.arange(_SUITS - 1, -1, -1)
"""The place of a shape among all is the number that its lengths are in this base."""
LIMBS = 16
"""The bytes of the two words of a number."""
_DIGITS = 39  # of a number of two words
_MOST_NUMBER = 10**18 - 1
_CYCLE = 16
"""The period of dealer and vulnerability in board numbers."""

Owners = NDArray[np.uint8]


def many_ranks(context: Context) -> ManyRanks:
    """Return the numbering of the context, for arrays."""
    rank_of(context)  # which refuses a context without one
    return cast("ManyRanks", context.numbering)


def write_batches(
    batches: Iterable[BoardBatch],
    stream: BinaryIO,
    context: Context,
    columns: tuple[str, ...] | None = None,
) -> int:
    """Write the rows that `write_boards` writes for the boards of batches; return how many."""
    ranks = many_ranks(context)
    rest = (batch for batch in batches if len(batch))
    first = list(islice(rest, 1))
    solved = bool(first) and first[0].board(0).tricks is not None
    chosen = whole_columns(solved=solved) if columns is None else columns

    def tables() -> Iterator[pa.Table]:
        for batch in chain(first, rest):
            for begin in range(0, len(batch), _AT_ONCE):
                piece = batch.rows(begin, min(begin + _AT_ONCE, len(batch)))
                quick = _quick_table(piece, ranks, chosen)
                yield table_of_some(list(piece), context, chosen) if quick is None else quick

    return write_tables(tables(), stream, chosen)


def _quick_table(batch: BoardBatch, ranks: ManyRanks, columns: tuple[str, ...]) -> pa.Table | None:
    """Return the table of a batch; None if the definition must make it."""
    if not _is_plain(batch, columns):
        return None
    try:
        return table_of_batch(batch, ranks, columns)
    except LayoutError:
        if has_hands(columns):
            raise
        return None  # a layout is no deal, and the columns have no place for it


def _is_plain(batch: BoardBatch, columns: tuple[str, ...]) -> bool:
    """Return whether a batch defines what its boards have in the columns, with valid values."""
    if set(TAGS).isdisjoint(columns):
        return True
    solved = TRICKS in columns
    if batch.needs_origin or (batch.has_tricks and not solved):
        return False
    if solved and not set(TRICK_TAGS).isdisjoint(batch.tags):
        return False
    try:
        "".join(part for tag in batch.tags.items() for part in tag).encode()
    except UnicodeEncodeError:
        return False
    return batch.first is None or batch.first <= _MOST_NUMBER - len(batch)


def table_of_batch(batch: BoardBatch, ranks: ManyRanks, columns: tuple[str, ...]) -> pa.Table:
    """Return the table that `table_of_boards` makes of the boards of a batch, one or more.

    The tags must be text and not of tricks, and board numbers at most `_MOST_NUMBER`. Without the
    hands among the columns, raises `LayoutError` for a layout that is no deal.
    """
    only_deals = not has_hands(columns)
    found = columns_of_cards(batch.owners, ranks, columns, only_deals=only_deals)
    found |= _columns_of_tags(batch, columns)
    if TRICKS in columns:
        found[TRICKS] = tricks_column(batch.all_tricks())
    return pa.Table.from_arrays([found[name] for name in columns], schema=schema_of(columns))


def columns_of_cards(
    owners: Owners, ranks: ManyRanks, columns: Collection[str], *, only_deals: bool
) -> dict[str, pa.Array]:
    """Return those of the columns that follow from the cards.

    A layout that is no deal has no number; with `only_deals` it raises `LayoutError`.
    """
    cards = _Cards(owners)
    found: dict[str, pa.Array] = {}
    if "number" in columns:
        found["number"] = _number_column(owners, None if only_deals else cards.are_deals, ranks)
    for seat, hand in enumerate(HANDS):
        if hand in columns:
            found[hand] = _text_array(*hand_texts(cards.holdings[seat]))
        for place, quantity in enumerate(QUANTITIES):
            if (name := column_of(hand, quantity)) in columns:
                found[name] = cards.quantity(seat, place)
    return found


@dataclass(frozen=True, eq=False)
class _Cards:
    """The owners of some layouts, and what follows from them, computed at the first use."""

    owners: Owners

    @cached_property
    def holdings(self) -> Holdings:
        return holdings_of(self.owners)

    @cached_property
    def counts(self) -> NDArray[np.int8]:
        return counts_of(self.holdings)

    @property
    def are_deals(self) -> NDArray[np.bool_]:
        lengths = self.counts[:, -_SUITS:].sum(axis=1, dtype=np.int8)
        return np.asarray((lengths == HAND_SIZE).all(axis=0))

    def quantity(self, seat: int, place: int) -> pa.Array:
        """Return the values of a place of `QUANTITIES` of a seat."""
        counted = self.counts[seat]
        if place < len(counted):
            return column_of_values(counted[place])
        shapes = column_of_values(_BASE @ counted[-_SUITS:].astype(np.int64))
        return _shape_texts()[place - len(counted)].take(shapes)


def _text_array(offsets: NDArray[np.int32], data: NDArray[np.uint8]) -> pa.Array:
    return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data))


@cache
def _shape_texts() -> tuple[pa.Array, pa.Array]:
    """Return the texts of shapes and of patterns for all lengths of four suits."""
    shapes = list(product(range(_LENGTHS), repeat=_SUITS))
    return text_column([*map(shape_text, shapes)]), text_column([*map(pattern_text, shapes)])


def _number_column(
    owners: Owners, are_deals: NDArray[np.bool_] | None, ranks: ManyRanks
) -> pa.Array:
    """Return the numbers of the layouts that are deals; None if they all are."""
    if are_deals is None or are_deals.all():
        numbers, known = ranks.rank_many(owners), None
    else:
        numbers, known = np.zeros((len(owners), 2), np.uint64), validity(are_deals)
        numbers[are_deals] = ranks.rank_many(owners[are_deals])
    big_endian = numbers.astype(">u8").view(np.uint8).reshape(-1, LIMBS)
    data = np.ascontiguousarray(big_endian[:, LIMBS - NUMBER_BYTES :])
    return pa.Array.from_buffers(pa.binary(NUMBER_BYTES), len(owners), [known, pa.py_buffer(data)])


def _columns_of_tags(batch: BoardBatch, columns: Collection[str]) -> dict[str, pa.Array]:
    """Return those of the columns that are the tags, or that follow from tags."""
    wanted = [name for name in TAGS if name in columns]
    if not wanted:
        return {}
    numbers = _board_numbers(batch)
    places = np.where(numbers, (numbers - 1) % _CYCLE + 1, 0)
    cycle = [_sample(batch, number or None) for number in range(_CYCLE + 1)]
    dealers = [None if board.dealer is None else board.dealer.letter for board in cycle]
    sides = [None if board.vulnerable is None else board.vulnerable.value for board in cycle]
    makers: dict[str, Callable[[], pa.Array]] = {
        "board": lambda: column_of_values(numbers.astype(np.int64), numbers != 0),
        "dealer": lambda: text_column(dealers).take(column_of_values(places)),
        "vulnerable": lambda: text_column(sides).take(column_of_values(places)),
        "tags": lambda: _tags(batch),
    }
    return {name: makers[name]() for name in wanted}


def _sample(batch: BoardBatch, number: int | None) -> Board:
    """Return the first board of a batch with another number, or without one."""
    first = None if batch.first is None else number
    rows = slice(0, 1)
    numbers = None if batch.numbers is None else batch.numbers[rows]
    sample = replace(
        batch,
        owners=batch.owners[rows],
        first=first,
        numbers=numbers,
        origin=None,
        tricks=None,
    )
    return sample.board(0)


def _board_numbers(batch: BoardBatch) -> NDArray[np.int64]:
    """Return the board numbers; 0 for boards without one."""
    if batch.first is None or "Board" in batch.tags:
        return np.full(len(batch), _sample(batch, batch.first).number or 0)
    return np.arange(batch.first, batch.first + len(batch))


def _tags(batch: BoardBatch) -> pa.Array:
    """Return the tags: those that all boards share are taken from the first board."""
    rows = len(batch)
    entries = _sample(batch, batch.first).entries
    pool = [text_column([tag.value for tag in entries])]
    places = np.tile(np.arange(len(entries)), (rows, 1))
    for column, tag in enumerate(entries):
        if tag.name == "Board" and batch.first is not None and "Board" not in batch.tags:
            pool.append(column_of_values(_board_numbers(batch)).cast(pa.string()))
        elif tag.name == "DealId" and batch.numbers is not None:
            pool.append(_deal_ids(batch.numbering, batch.numbers))
        else:
            continue
        places[:, column] = len(entries) + rows * (len(pool) - 2) + np.arange(rows)
    names = text_column([tag.name for tag in entries])
    without_lines = np.zeros(rows * len(entries) + 1, np.int32)
    columns = [
        names.take(column_of_values(np.tile(np.arange(len(entries)), rows))),
        pa.concat_arrays(pool).take(column_of_values(places.ravel())),
        pa.ListArray.from_arrays(column_of_values(without_lines), text_column([]), type=LINES),
    ]
    offsets = np.arange(rows + 1, dtype=np.int32) * len(entries)
    return pa.ListArray.from_arrays(
        column_of_values(offsets), pa.StructArray.from_arrays(columns, fields=list(TAG))
    )


def _deal_ids(numbering: str, numbers: NDArray[np.uint64]) -> pa.Array:
    """Return the values of the tag DealId: pyarrow writes 128 bits as decimals of 256."""
    words = np.zeros((len(numbers), 4), "<u8")
    words[:, 0], words[:, 1] = numbers[:, 1], numbers[:, 0]
    kind = pa.decimal256(_DIGITS, 0)
    decimals = pa.Array.from_buffers(kind, len(words), [None, pa.py_buffer(words)])
    name, colon = text_column([numbering, ":"])
    return pc.binary_join_element_wise(name, decimals.cast(pa.string()), colon)
