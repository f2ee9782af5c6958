"""Parquet by arrays: batches of boards to tables, and columns to owners.

`writer.table_of_boards` and `reader.boards_of_part`, which work board by board, are the definition.
The tables and the owners here are equal to theirs. The definition reads all rows that may be wrong,
and reports their problems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, cached_property
from itertools import chain, islice, product
from typing import BinaryIO, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pavcodec.arrays.owners.holdings import holdings_of
from pavcodec.arrays.text.hand_texts import counts_of, hand_texts, place_hands
from pavcodec.boards.batch import BoardBatch, ManyRanks, owners_of, with_cards
from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.boards.tricks import TRICK_TAGS
from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, UNUSED
from pavcodec.errors import NumberError
from pavcodec.formats.parquet.columns import (
    DERIVED,
    HANDS,
    NUMBER_BYTES,
    QUANTITIES,
    TRICKS,
    column_of,
    pattern_text,
    shape_text,
)
from pavcodec.formats.parquet.reader import FAULTS, RowBatch, boards_of_part, boards_of_rows, parts
from pavcodec.formats.parquet.tags import tags_are_plain
from pavcodec.formats.parquet.tricks import tricks_column, tricks_of_part
from pavcodec.formats.parquet.types import CARDS, TAGS, is_bytes
from pavcodec.formats.parquet.writer import (
    LINES,
    SCHEMA,
    SOLVED_SCHEMA,
    TAG,
    only_text,
    rank_of,
    table_of_boards,
    write_tables,
)
from pavcodec.layout.layout import layout_from_owners

__all__ = ["read_batches", "read_boards", "survey", "table_of_batch", "write_batches"]

_AT_ONCE = 1 << 14
"""The rows of a table."""

_SUITS = 4
_LENGTHS = SUIT_SIZE + 1
_BASE = _LENGTHS ** np.arange(_SUITS - 1, -1, -1)
"""The place of a shape among all is the number that its lengths are in this base."""
_LIMBS = 16  # bytes of the two words of a number
_DIGITS = 39  # of a number of two words
_MOST_NUMBER = 10**18 - 1
_CYCLE = 16
"""The period of dealer and vulnerability in board numbers."""

Owners = NDArray[np.uint8]


def _ranks(context: Context) -> ManyRanks:
    rank_of(context)  # which refuses a context without one
    return cast("ManyRanks", context.numbering)


def write_batches(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write the rows that `write_boards` writes for the boards of batches; return how many."""
    ranks, rank = _ranks(context), rank_of(context)
    rest = (batch for batch in batches if len(batch))
    first = list(islice(rest, 1))
    solved = bool(first) and first[0].board(0).tricks is not None

    def tables() -> Iterator[pa.Table]:
        for batch in chain(first, rest):
            for begin in range(0, len(batch), _AT_ONCE):
                piece = batch.rows(begin, min(begin + _AT_ONCE, len(batch)))
                if _is_plain(piece, solved=solved):
                    yield table_of_batch(piece, ranks, solved=solved)
                else:
                    yield table_of_boards(list(only_text(piece, context)), rank, solved=solved)

    return write_tables(tables(), stream, solved=solved)


def _is_plain(batch: BoardBatch, *, solved: bool) -> bool:
    """Return whether a batch defines its boards, with valid tags and numbers."""
    if batch.needs_origin or (batch.has_tricks and not solved):
        return False
    if solved and not set(TRICK_TAGS).isdisjoint(batch.tags):
        return False
    try:
        "".join(part for tag in batch.tags.items() for part in tag).encode()
    except UnicodeEncodeError:
        return False
    return batch.first is None or batch.first <= _MOST_NUMBER - len(batch)


def table_of_batch(batch: BoardBatch, ranks: ManyRanks, *, solved: bool = False) -> pa.Table:
    """Return the table that `table_of_boards` makes of the boards of a batch, one or more.

    The tags must be text and not of tricks, and board numbers at most `_MOST_NUMBER`.
    """
    holdings = holdings_of(batch.owners)
    counts = counts_of(holdings)
    columns = _columns_of_hands(counts) | _columns_of_tags(batch)
    columns["number"] = _number_column(batch.owners, counts, ranks)
    for seat, hand in enumerate(HANDS):
        columns[hand] = _text_array(*hand_texts(holdings[seat]))
    if solved:
        columns[TRICKS] = tricks_column(batch.all_tricks())
    schema = SOLVED_SCHEMA if solved else SCHEMA
    return pa.Table.from_arrays([columns[name] for name in schema.names], schema=schema)


def _text_array(offsets: NDArray[np.int32], data: NDArray[np.uint8]) -> pa.Array:
    return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data))


def _columns_of_hands(counts: NDArray[np.int8]) -> dict[str, pa.Array]:
    """Return the columns that follow from the hands."""
    columns: dict[str, pa.Array] = {}
    for hand, counted in zip(HANDS, counts, strict=True):
        lengths = counted[-_SUITS:].astype(np.int64)
        shape = pa.array(_BASE @ lengths)
        values = [*map(pa.array, counted), *(texts.take(shape) for texts in _shape_texts())]
        names = (column_of(hand, quantity) for quantity in QUANTITIES)
        columns.update(zip(names, values, strict=True))
    return columns


@cache
def _shape_texts() -> tuple[pa.Array, pa.Array]:
    """Return the texts of shapes and of patterns for all lengths of four suits."""
    shapes = list(product(range(_LENGTHS), repeat=_SUITS))
    return pa.array(map(shape_text, shapes)), pa.array(map(pattern_text, shapes))


def _number_column(owners: Owners, counts: NDArray[np.int8], ranks: ManyRanks) -> pa.Array:
    """Return the numbers of the layouts that are deals."""
    is_deal = (counts[:, -_SUITS:].sum(axis=1, dtype=np.int8) == HAND_SIZE).all(axis=0)
    numbers = np.zeros((len(owners), 2), np.uint64)
    numbers[is_deal] = ranks.rank_many(owners if is_deal.all() else owners[is_deal])
    big_endian = numbers.astype(">u8").view(np.uint8).reshape(-1, _LIMBS)
    data = np.ascontiguousarray(big_endian[:, _LIMBS - NUMBER_BYTES :])
    known = None if is_deal.all() else pa.array(is_deal).buffers()[1]
    return pa.Array.from_buffers(pa.binary(NUMBER_BYTES), len(owners), [known, pa.py_buffer(data)])


def _columns_of_tags(batch: BoardBatch) -> dict[str, pa.Array]:
    """Return the columns of the tags, and those that follow from tags."""
    numbers = _board_numbers(batch)
    places = np.where(numbers, (numbers - 1) % _CYCLE + 1, 0)
    cycle = [_sample(batch, number or None) for number in range(_CYCLE + 1)]
    dealers = [None if board.dealer is None else board.dealer.letter for board in cycle]
    sides = [None if board.vulnerable is None else board.vulnerable.value for board in cycle]
    return {
        "board": pa.array(numbers, pa.int64(), mask=numbers == 0),
        "dealer": pa.array(dealers, pa.string()).take(pa.array(places)),
        "vulnerable": pa.array(sides, pa.string()).take(pa.array(places)),
        "tags": _tags(batch),
    }


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
    pool = [pa.array([tag.value for tag in entries], pa.string())]
    places = np.tile(np.arange(len(entries)), (rows, 1))
    for column, tag in enumerate(entries):
        if tag.name == "Board" and batch.first is not None and "Board" not in batch.tags:
            pool.append(pa.array(_board_numbers(batch)).cast(pa.string()))
        elif tag.name == "DealId" and batch.numbers is not None:
            pool.append(_deal_ids(batch.numbering, batch.numbers))
        else:
            continue
        places[:, column] = len(entries) + rows * (len(pool) - 2) + np.arange(rows)
    names = pa.array([tag.name for tag in entries], pa.string())
    without_lines = np.zeros(rows * len(entries) + 1, np.int32)
    columns = [
        names.take(pa.array(np.tile(np.arange(len(entries)), rows))),
        pa.concat_arrays(pool).take(pa.array(places.ravel())),
        pa.ListArray.from_arrays(pa.array(without_lines), pa.array([], pa.string()), type=LINES),
    ]
    offsets = np.arange(rows + 1, dtype=np.int32) * len(entries)
    return pa.ListArray.from_arrays(
        pa.array(offsets), pa.StructArray.from_arrays(columns, fields=list(TAG))
    )


def _deal_ids(numbering: str, numbers: NDArray[np.uint64]) -> pa.Array:
    """Return the values of the tag DealId: pyarrow writes 128 bits as decimals of 256."""
    words = np.zeros((len(numbers), 4), "<u8")
    words[:, 0], words[:, 1] = numbers[:, 1], numbers[:, 0]
    kind = pa.decimal256(_DIGITS, 0)
    decimals = pa.Array.from_buffers(kind, len(words), [None, pa.py_buffer(words)])
    return pc.binary_join_element_wise(numbering, decimals.cast(pa.string()), ":")


def read_batches(stream: BinaryIO, context: Context) -> Iterator[BoardBatch]:
    """Yield the boards of a file that have cards; they read their tags when the first is needed."""
    _ranks(context)  # which refuses a context without one
    for part in parts(stream, context, cards_only=True):
        tricks = tricks_of_part(part)
        owners = None if tricks is None else _owners_of_cards(part, context)
        boards = _RowBoards(part, owners, context)
        has_column = TRICKS in part.columns.schema.names
        has_more: bool | Callable[[], bool] = boards.have_tags
        if owners is None:
            found = with_cards(boards_of_part(part, context), context)
            owners = owners_of(each.layout for each in found if each.layout is not None)
            has_more = has_column or boards.have_tags
            has_column = False
        if len(owners):
            rows = tricks if has_column else None
            yield BoardBatch(owners, origin=boards, has_more=has_more, tricks=rows)


class _RowBoards:
    """The boards with cards of some rows; `owners` is None where a row may be wrong."""

    def __init__(self, part: RowBatch, owners: Owners | None, context: Context) -> None:
        self._part = part
        self._owners = owners
        self._context = replace(context, report=lambda _: None, on_skipped=lambda _: None)

    @cached_property
    def _whole(self) -> RowBatch:
        try:
            return replace(self._part, columns=self._part.all_columns())
        except FAULTS:  # the cards are right, and the tags are damaged
            return self._part

    @cached_property
    def _boards(self) -> list[Board]:
        boards = boards_of_part(self._whole, self._context)
        return [board for board in boards if board.layout is not None]

    def __call__(self, row: int) -> Board:
        """Return the board of a row."""
        if self._owners is None:
            return self._boards[row]
        columns = self._whole.columns.slice(row, 1)
        part = replace(self._whole, first=self._whole.first + row, columns=columns)
        layout = layout_from_owners(self._owners[row].tobytes())
        (board,) = boards_of_rows(part, [layout], self._context)
        return board

    def have_tags(self) -> bool:
        """Whether a row may have tags."""
        columns = self._whole.columns
        found = (columns.column(name) for name in columns.schema.names if name in TAGS)
        return any(
            bool(pc.sum(pc.list_value_length(column)).as_py())
            if pa.types.is_list(column.type)
            else column.null_count < len(column)
            for column in found
        )


def read_boards(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each row; rows without one are problems, with their number from 0.

    The reader takes some thousand rows at a time. It copies streams without a seek, such as pipes,
    to a temporary file. A damaged row group is a problem, and the reader continues after it. Where
    all cards of a part are right, it parses only the tags row by row.
    """
    for part in parts(stream, context):
        yield from _boards_of_part(part, _owners_of_cards(part, context), context)


def survey(stream: BinaryIO, context: Context) -> Iterator[BoardBatch | Board]:
    """Yield batches of plain boards, and the other boards; `ArrayCodec.survey` has the contract."""
    for part in parts(stream, context):
        owners, tricks = _owners_of_cards(part, context), tricks_of_part(part)
        if owners is not None and tricks is not None and tags_are_plain(part.columns):
            rows = tricks if TRICKS in part.columns.schema.names else None
            yield BoardBatch(owners, origin=_RowBoards(part, owners, context), tricks=rows)
        else:
            yield from _boards_of_part(part, owners, context)


def _boards_of_part(part: RowBatch, owners: Owners | None, context: Context) -> Iterator[Board]:
    """Yield the boards of some rows; `owners` is None where a row may be wrong."""
    if owners is None:
        return boards_of_part(part, context)
    return boards_of_rows(part, map(layout_from_owners, map(bytes, owners)), context)


def _owners_of_cards(part: RowBatch, context: Context) -> Owners | None:
    """Return the owners of rows of which some columns are tags, as `_owners_of_part` does."""
    if context.numbering is None:
        return None
    names = [name for name in part.columns.schema.names if name in CARDS + DERIVED]
    return _owners_of_part(replace(part, columns=part.columns.select(names)), _ranks(context))


def _owners_of_part(part: RowBatch, ranks: ManyRanks) -> Owners | None:
    """Return the owners of rows if all have cards and none has a problem; else None."""
    found = {name: part.columns.column(name) for name in part.columns.schema.names}
    try:
        if "number" in found and is_bytes(found["number"].type):
            found["number"] = found["number"].cast(pa.binary(NUMBER_BYTES))
        if found.keys() == {"number"} and _is_whole(found["number"]):
            return ranks.unrank_many(_limbs(found["number"]))
    except (pa.ArrowException, NumberError):
        return None
    if not set(HANDS) <= found.keys():
        return None
    owners = _owners_of_hands([found.pop(hand) for hand in HANDS])
    if owners is None:
        return None
    counts = counts_of(holdings_of(owners))
    expected = _columns_of_hands(counts) | {"number": _number_column(owners, counts, ranks)}
    agree = (name in expected and column.equals(expected[name]) for name, column in found.items())
    return owners if all(agree) else None


def _is_whole(numbers: pa.Array) -> bool:
    """Return whether all rows have numbers, as bytes."""
    return bool(numbers.type == pa.binary(NUMBER_BYTES) and not numbers.null_count)


def _limbs(numbers: pa.Array) -> NDArray[np.uint64]:
    """Return numbers of `NUMBER_BYTES` bytes as rows of two words, high and low."""
    data = np.frombuffer(numbers.buffers()[1], np.uint8).reshape(-1, NUMBER_BYTES)
    words = np.zeros((len(numbers), _LIMBS), np.uint8)
    words[:, _LIMBS - NUMBER_BYTES :] = data[numbers.offset : numbers.offset + len(numbers)]
    return words.view(">u8").astype(np.uint64)


def _owners_of_hands(hands: list[pa.Array]) -> Owners | None:
    """Return the owners of the texts of four hands, if all are there and plainly written."""
    owners = np.full((len(hands[0]), DECK_SIZE), UNUSED, np.uint8)
    for seat, hand in enumerate(hands):
        texts = hand.cast(pa.string())
        if texts.null_count:
            return None
        _, offsets, data = texts.buffers()
        begins = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
        if data is None or not place_hands(begins, np.frombuffer(data, np.uint8), seat, owners):
            return None
    return owners
