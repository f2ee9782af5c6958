"""Boards to a Parquet file: cards and tags to columns, columns to tables, tables to row groups.

What follows from the cards is computed for many boards at once. What follows from the tags is
asked of each board; of batches whose boards have the same tags, it is asked of one board for each
place in the cycle of dealers and vulnerabilities.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import chain, islice, product
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pavcodec import kernel
from pavcodec.boards.batch import CONTRACTS, BoardBatch, Gathered, owners_of, tricks_of
from pavcodec.boards.board import CYCLE, Board, Context
from pavcodec.boards.tricks import NOT_SOLVED, TRICK_TAGS, results_of_bytes
from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, Suit
from pavcodec.errors import LayoutError
from pavcodec.formats.parquet.columns import (
    ALL_COLUMNS,
    DERIVED,
    HANDS,
    METADATA_KEY,
    NUMBER_BYTES,
    OF_TAGS,
    QUANTITIES,
    TRICKS,
    column_of,
    description,
    has_hands,
    has_tricks,
    pattern_text,
    shape_text,
    whole_columns,
)
from pavcodec.layout.columns import Holdings, are_deals, holdings_of, suit_values
from pavcodec.layout.hand import COUNTED, LENGTH
from pavcodec.numberings.catalogue import numbering

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Limbs, Owners

_LINES = pa.list_(pa.string())
_TAG = pa.struct([("name", pa.string()), ("value", pa.string()), ("lines", _LINES)])
_TYPES = {
    f"fixed_size_binary[{NUMBER_BYTES}]": pa.binary(NUMBER_BYTES),
    "int8": pa.int8(),
    "int64": pa.int64(),
    "string": pa.string(),
    "list<struct<name: string, value: string, lines: list<string>>>": pa.list_(_TAG),
    "list<uint8>": pa.list_(pa.uint8()),
}
_TYPE_OF = {column.name: _TYPES[column.type] for column in ALL_COLUMNS}

# Arrays of numpy and texts as columns of Arrow, without `pyarrow.array`.
#
# That function imports pandas where it is installed, which costs each process a quarter of a second
# and 45 MB.


def column_of_values(values: NDArray[Any], are_known: NDArray[np.bool_] | None = None) -> pa.Array:
    """Return integers as a column of the same type; the values that are not known are null.

    >>> column_of_values(np.array([5, 0], np.int8), np.array([True, False])).to_pylist()
    [5, None]
    """
    data = np.ascontiguousarray(values)
    buffers = [_validity(are_known), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.from_numpy_dtype(data.dtype), len(data), buffers)


def text_column(texts: Sequence[str | None]) -> pa.Array:
    """Return texts as a column.

    >>> text_column(["N", None, ""]).to_pylist()
    ['N', None, '']
    """
    encoded = [(text or "").encode() for text in texts]
    offsets = np.zeros(len(encoded) + 1, np.int32)
    np.cumsum([*map(len, encoded)], out=offsets[1:])
    known = _validity(np.array([text is not None for text in texts], np.bool_))
    data = pa.py_buffer(b"".join(encoded))
    return pa.Array.from_buffers(pa.string(), len(texts), [known, pa.py_buffer(offsets), data])


def _validity(are_known: NDArray[np.bool_] | None) -> pa.Buffer | None:
    """Return the bitmap of known values; None if all are known."""
    if are_known is None or are_known.all():
        return None
    return pa.py_buffer(np.packbits(are_known, bitorder="little"))


# The columns of the cards: numbers, the texts of hands, and counts of holdings.


_HAND_ROOM = 64
"""The bytes that the kernel wants to have for any further hand."""
_LENGTHS = SUIT_SIZE + 1
_BASE = _LENGTHS ** np.arange(len(Suit) - 1, -1, -1)
"""The place of a shape among all is the number that its lengths are in this base."""
LIMBS = 16
"""The bytes of the two words of a number."""


def columns_of_cards(owners: Owners, columns: Collection[str]) -> dict[str, pa.Array]:
    """Return those of the columns that follow from the cards; only deals have a number."""
    arrays: dict[str, pa.Array] = {}
    if "number" in columns:
        arrays["number"] = _number_column(owners)
    if set(columns).isdisjoint((*HANDS, *DERIVED)):
        return arrays
    holdings = holdings_of(owners)
    for hand, suits in zip(HANDS, holdings, strict=True):
        if hand in columns:
            offsets, data = map(pa.py_buffer, hand_texts(suits))
            arrays[hand] = pa.StringArray.from_buffers(len(owners), offsets, data)
    if set(columns).isdisjoint(DERIVED):
        return arrays
    for hand, counted in zip(HANDS, counts_of(holdings), strict=True):
        for position, quantity in enumerate(QUANTITIES):
            if (name := column_of(hand, quantity)) not in columns:
                continue
            if position < len(counted):
                arrays[name] = column_of_values(counted[position])
            else:
                arrays[name] = _shapes_column(counted[-len(Suit) :], position - len(counted))
    return arrays


def _number_column(owners: Owners) -> pa.Array:
    deals, known = numbering("deal"), None
    try:
        numbers = deals.rank_many(owners)
    except LayoutError:
        known = are_deals(owners)
        numbers = np.zeros((len(owners), 2), np.uint64)
        numbers[known] = deals.rank_many(owners[known])
    big_endian = numbers.astype(">u8").view(np.uint8).reshape(-1, LIMBS)
    data = pa.py_buffer(np.ascontiguousarray(big_endian[:, LIMBS - NUMBER_BYTES :]))
    return pa.Array.from_buffers(pa.binary(NUMBER_BYTES), len(owners), [_validity(known), data])


def hand_texts(holdings: NDArray[np.uint16]) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return the texts of the hands `uint16[suits, n]`, as `offsets` and `data`.

    Text k is `data[offsets[k] : offsets[k + 1]]`.

    >>> hands = np.array([[1 << 12, 0], [0, 0], [0, 0], [1, 0]], np.uint16)
    >>> offsets, data = hand_texts(hands)
    >>> offsets.tolist(), data.tobytes()
    ([0, 5, 6], b'A...2-')
    """
    suits, rows = holdings.shape
    cards = int(np.bitwise_count(holdings).sum(dtype=np.int64))
    data = np.empty(cards + (suits - 1) * rows + _HAND_ROOM, np.uint8)
    offsets = np.empty(rows + 1, np.int32)
    written = kernel.write_hands(rows, np.ascontiguousarray(holdings), len(data), data, offsets)
    assert written == rows
    return offsets, data[: offsets[-1]]


@cache
def count_tables() -> NDArray[np.int8]:
    """Return HCP, controls, losers and length of each holding: `int8[4, holdings]`.

    >>> count_tables()[:, 0b1011000000000].tolist()
    [7, 2, 1, 3]
    """
    return np.array([suit_values(each) for each in (*COUNTED.values(), LENGTH)], np.int8)


def counts_of(holdings: Holdings) -> NDArray[np.int8]:
    """Return HCP, controls, losers and the suit lengths of hands: `int8[seats, 7, n]`.

    >>> hand = np.array([0b1100000000000, 0, 0, 1], np.uint16)
    >>> counts_of(np.stack([hand] * 4)[:, :, None])[0, :, 0]
    array([7, 3, 1, 2, 0, 0, 1], dtype=int8)
    """
    of_holdings = count_tables()
    summed = len(of_holdings) - 1
    words = np.ascontiguousarray(of_holdings.T).view(np.uint32)[:, 0]  # all counts of a holding
    seats, suits, rows = holdings.shape
    counts = np.empty((seats, summed + suits, rows), np.int8)
    for row, held in zip(counts, holdings, strict=True):
        found = words.take(held, mode="clip")  # without a check: the table has all holdings
        sums = found[0] + found[1] + found[2] + found[3]  # counts of 52 cards fit into their bytes
        for column in range(summed):
            row[column] = sums.view(np.int8)[column :: len(of_holdings)]
        row[summed:] = found.view(np.int8)[:, summed :: len(of_holdings)]
    return counts


def _shapes_column(lengths: NDArray[np.int8], position: int) -> pa.Array:
    """Return the texts of the shapes of hands (0) or of their patterns (1)."""
    is_usual = lengths.sum(axis=0).max(initial=0) <= HAND_SIZE
    texts = _shape_texts(HAND_SIZE if is_usual else DECK_SIZE)[position]
    return texts.take(column_of_values(_BASE @ lengths.astype(np.int64)))


@cache
def _shape_texts(most: int) -> list[pa.Array]:
    """Return the texts of shapes and of patterns for the lengths of hands of at most `most`."""
    shapes = [
        shape if sum(shape) <= most else None
        for shape in product(range(_LENGTHS), repeat=len(Suit))
    ]
    return [
        text_column([None if shape is None else text_of(shape) for shape in shapes])
        for text_of in (shape_text, pattern_text)
    ]


# The columns of the tags, of boards one by one: the definition.


def _tags_of(board: Board) -> list[dict[str, object]]:
    return [{"name": tag.name, "value": tag.value, "lines": tag.lines} for tag in board.entries]


def _beside_tricks(board: Board) -> Board:
    """Return a board without the table of tricks that its column has."""
    table = Board(None).with_results(results_of_bytes(board.results)).entries
    *others, _ = board.entries or (None,)
    is_there = board.entries[-1:] == table and not has_tricks(others)
    return Board(board.layout, board.entries[:-1]) if is_there else board


def _table_of_boards(boards: Sequence[Board], columns: tuple[str, ...]) -> pa.Table:
    """Return the table of some boards: their cards as arrays, and their tags one by one."""
    have_cards = np.array([board.layout is not None for board in boards], np.bool_)
    owners = owners_of(board.layout for board in boards if board.layout is not None)
    arrays = columns_of_cards(owners, columns)
    if not have_cards.all():
        rows = column_of_values(np.cumsum(have_cards) - 1, have_cards)
        arrays = {name: column.take(rows) for name, column in arrays.items()}
    for name, (_, of_board) in OF_TAGS.items():
        if name in columns:
            arrays[name] = pa.array([of_board(board) for board in boards], _TYPE_OF[name])
    if TRICKS in columns:
        arrays[TRICKS] = _tricks_column(tricks_of(boards))
        boards = list(map(_beside_tricks, boards))
    if "tags" in columns:
        arrays["tags"] = pa.array([_tags_of(board) for board in boards], _TYPE_OF["tags"])
    return _table_of_arrays(arrays, columns)


def _tricks_column(tricks: NDArray[np.uint8]) -> pa.Array:
    """Return the column of tricks, with null for rows and contracts without results."""
    are_known = (tricks != NOT_SOLVED).any(axis=1)
    rows = tricks[are_known].reshape(-1)
    values = column_of_values(rows, rows != NOT_SOLVED)
    offsets = np.zeros(len(tricks) + 1, np.int32)
    np.cumsum(CONTRACTS * are_known, out=offsets[1:])
    buffers = [_validity(are_known), pa.py_buffer(offsets)]
    return pa.Array.from_buffers(_TYPE_OF[TRICKS], len(tricks), buffers, children=[values])


def _table_of_arrays(arrays: dict[str, pa.Array], columns: tuple[str, ...]) -> pa.Table:
    return pa.Table.from_arrays([arrays[name] for name in columns], schema=_schema_of(columns))


# The columns of the tags, of boards whose tags follow from the fields of their batch.


_DIGITS = 39  # of a number of two words


def _is_plain(batch: BoardBatch, columns: tuple[str, ...]) -> bool:
    """Return whether a batch defines what its boards have in the columns, with valid values."""
    if {*OF_TAGS, "tags"}.isdisjoint(columns):
        return True
    solved = TRICKS in columns
    if not batch.is_regular or (batch.has_tricks and not solved):
        return False
    if solved and not set(TRICK_TAGS).isdisjoint(batch.tags):
        return False
    try:
        "".join(part for tag in batch.tags.items() for part in tag).encode()
    except UnicodeEncodeError:
        return False
    return True


def _table_of_batch(batch: BoardBatch, columns: tuple[str, ...]) -> pa.Table | None:
    """Return the table that `_table_of_boards` makes of the boards of a plain batch.

    None if a layout is no deal, and the columns have no place for it.
    """
    arrays = columns_of_cards(batch.owners, columns)
    if not has_hands(columns) and arrays["number"].null_count:
        return None
    if not set(OF_TAGS).isdisjoint(columns):
        numbers = _board_numbers(batch)
        classes = column_of_values(np.where(numbers, (numbers - 1) % CYCLE + 1, 0))
        cycle = [_sample(batch, number or None) for number in range(CYCLE + 1)]
        for name, (_, of_board) in OF_TAGS.items():
            if name == "board":
                arrays[name] = column_of_values(numbers, numbers != 0)
            elif name in columns:
                arrays[name] = text_column([of_board(board) for board in cycle]).take(classes)
    if "tags" in columns:
        arrays["tags"] = _tags_of_batch(batch)
    if TRICKS in columns:
        arrays[TRICKS] = _tricks_column(batch.all_tricks())
    return _table_of_arrays(arrays, columns)


def _sample(batch: BoardBatch, number: int | None) -> Board:
    """Return the first board of a batch with another number, or without one."""
    sample = replace(
        batch,
        owners=batch.owners[:1],
        first=None if batch.first is None else number,
        numbers=None if batch.numbers is None else batch.numbers[:1],
        origin=None,
        tricks=None,
    )
    return sample.board(0)


def _board_numbers(batch: BoardBatch) -> NDArray[np.int64]:
    """Return the board numbers; 0 for boards without one."""
    if batch.first is None or "Board" in batch.tags:
        return np.full(len(batch), _sample(batch, batch.first).number or 0, np.int64)
    return np.arange(batch.first, batch.first + len(batch), dtype=np.int64)


def _tags_of_batch(batch: BoardBatch) -> pa.Array:
    """Return the tags: a column of values for each tag of the first board, row by row."""
    entries = _sample(batch, batch.first).entries
    shape = len(batch), len(entries)
    values = [text_column([])]
    for tag in entries:
        if tag.name == "Board" and batch.first is not None and "Board" not in batch.tags:
            values.append(column_of_values(_board_numbers(batch)).cast(pa.string()))
        elif tag.name == "DealId" and batch.numbers is not None:
            values.append(_deal_ids(batch.numbering, batch.numbers))
        else:
            of_all = column_of_values(np.zeros(len(batch), np.int32))
            values.append(text_column([tag.value]).take(of_all))
    by_row = np.arange(shape[0] * shape[1]).reshape(shape[::-1]).T.ravel()
    which = np.tile(np.arange(shape[1]), shape[0])
    without_lines = column_of_values(np.zeros(len(which) + 1, np.int32))
    fields = [
        text_column([tag.name for tag in entries]).take(column_of_values(which)),
        pa.concat_arrays(values).take(column_of_values(by_row)),
        pa.ListArray.from_arrays(without_lines, text_column([]), type=_LINES),
    ]
    offsets = column_of_values(np.arange(shape[0] + 1, dtype=np.int32) * shape[1])
    return pa.ListArray.from_arrays(offsets, pa.StructArray.from_arrays(fields, fields=list(_TAG)))


def _deal_ids(name: str, numbers: Limbs) -> pa.Array:
    """Return the values of the tag DealId: pyarrow writes 128 bits as decimals of 256."""
    words = np.zeros((len(numbers), 4), "<u8")
    words[:, 0], words[:, 1] = numbers[:, 1], numbers[:, 0]
    kind = pa.decimal256(_DIGITS, 0)
    decimals = pa.Array.from_buffers(kind, len(words), [None, pa.py_buffer(words)])
    before, between = text_column([name, ":"])
    return pc.binary_join_element_wise(before, decimals.cast(pa.string()), between)


# Boards to tables.


_ROWS_AT_ONCE = 1 << 14
"""The rows of a table of a batch."""


def write_batches(
    batches: Iterable[BoardBatch],
    stream: BinaryIO,
    context: Context,
    columns: tuple[str, ...] | None = None,
) -> int:
    """Write a row for each board, and return how many; the stream needs no seek.

    Without names of columns, the file has those of `whole_columns` by its first board. Boards that
    the columns cannot hold are problems, and those without cards need the column `tags`.
    """
    parts = (
        batch.rows(begin, min(begin + _ROWS_AT_ONCE, len(batch)))
        for batch in batches
        for begin in range(0, len(batch), _ROWS_AT_ONCE)
    )
    first = list(islice(parts, 1))
    chosen = columns or whole_columns(next((board for part in first for board in part), None))
    tables = (_table(part, context, chosen) for part in chain(first, parts))
    return _write_tables(tables, stream, chosen)


def _table(part: BoardBatch, context: Context, columns: tuple[str, ...]) -> pa.Table:
    """Return the table of those boards that the columns can hold; the others are problems."""
    if not isinstance(part, Gathered) and _is_plain(part, columns):
        with suppress(LayoutError):  # the boards tell which owners are wrong
            table = _table_of_batch(part, columns)
            if table is not None:
                return table
    some = list(part)
    if "tags" not in columns:
        some = [board for board in some if board.layout is not None]
    if not has_hands(columns):
        some = list(_only_deals(some, context))
    try:
        return _table_of_boards(some, columns)
    except UnicodeEncodeError:
        return _table_of_boards(list(_only_text(some, context)), columns)


def _only_deals(boards: Iterable[Board], context: Context) -> Iterator[Board]:
    """Yield boards with whole deals and those without cards; other boards are problems."""
    for board in boards:
        if board.layout is None or board.layout.is_deal:
            yield board
        else:
            reason = f"no whole deal, so the columns must have hands: '{board.layout}'"
            context.problem(board.line, reason, board.tags.get("Board"))


def _only_text(boards: Iterable[Board], context: Context) -> Iterator[Board]:
    """Yield the boards whose tags can be written in UTF-8; other boards are problems."""
    for board in boards:
        try:
            for tag in board.entries:
                "\n".join((tag.name, tag.value, *tag.lines)).encode()
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            reason = f"{character!r} in the tag {tag.name} is no character of a text"
            context.problem(board.line, reason)
        else:
            yield board


# Tables to a file.


_ROW_GROUP = 1 << 16
"""The rows of a row group; the last one may have fewer."""
_ELEMENTS = {
    "tags": [f"tags.list.element.{name}" for name in ("name", "value", "lines.list.element")],
    TRICKS: [f"{TRICKS}.list.element"],
}
"""The parts of the columns that are lists."""


def _schema_of(columns: Sequence[str]) -> pa.Schema:
    return pa.schema([(name, _TYPE_OF[name]) for name in columns])


class _Forward(io.RawIOBase):
    """The output stream of pyarrow: it writes bytes, and drops them after a failure of the writing.

    pyarrow writes the end of a file even after an error; without it, a reader sees that the file is
    cut off.
    """

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self._stream = stream
        self.failed = False

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        whole = memoryview(data)
        if not self.failed:
            self._stream.write(whole)
        return whole.nbytes


def _write_tables(tables: Iterable[pa.Table], stream: BinaryIO, columns: tuple[str, ...]) -> int:
    """Write tables of these columns as a file, and return how many rows they have."""
    forward = _Forward(stream)
    elements = (_ELEMENTS.get(name, [name]) for name in columns if name not in {"number", *HANDS})
    repeating = [part for column in elements for part in column]  # their values repeat often
    writer = pq.ParquetWriter(
        forward,
        _schema_of(columns),
        compression="zstd",
        use_dictionary=repeating,
        column_encoding={hand: "DELTA_LENGTH_BYTE_ARRAY" for hand in HANDS if hand in columns},
        write_statistics=[name for name in columns if name not in {*HANDS, *_ELEMENTS}],
        write_page_checksum=True,
        store_schema=False,  # the types of Parquet suffice
    )
    written = 0
    try:
        writer.add_key_value_metadata({METADATA_KEY: description(columns)})
        for table in _row_groups(tables):
            writer.write_table(table, row_group_size=_ROW_GROUP)
            written += len(table)
        writer.close()
    except BaseException:
        forward.failed = True
        with suppress(pa.ArrowException):
            writer.close()
        raise
    return written


def _row_groups(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Yield the rows of tables in tables of `_ROW_GROUP` rows, and what remains."""
    held: list[pa.Table] = []
    room = _ROW_GROUP
    for table in tables:
        begin = 0
        while len(table) - begin >= room:
            yield pa.concat_tables([*held, table.slice(begin, room)])
            begin, held, room = begin + room, [], _ROW_GROUP
        if begin < len(table):
            held.append(table.slice(begin))
            room -= len(table) - begin
    if held:
        yield pa.concat_tables(held)
