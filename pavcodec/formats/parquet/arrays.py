"""Columns of Parquet to owners and to batches of boards.

`rows.boards_of_part`, which works row by row, is the definition. The owners here are equal to its
layouts. The definition reads all rows that may be wrong, and reports their problems.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, islice, product
from typing import Any, BinaryIO, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pavcodec import kernel
from pavcodec.boards.batch import CONTRACTS, BoardBatch, ManyRanks, owners_of, with_cards
from pavcodec.boards.board import SOURCE, Board, Context, Tag, Vulnerability, dealer_of_board
from pavcodec.boards.tricks import NOT_SOLVED, TRICK_TAGS, results_of_bytes
from pavcodec.cards import DECK_SIZE, HAND_SIZE, SEAT_LETTERS, SUIT_SIZE, UNUSED
from pavcodec.errors import LayoutError, NumberError
from pavcodec.formats.format import NOT_PLAIN
from pavcodec.formats.parquet.columns import (
    DERIVED,
    HANDS,
    NUMBER_BYTES,
    QUANTITIES,
    SOURCE_FILE,
    TAG_OF_COLUMN,
    TRICKS,
    column_of,
    has_hands,
    has_tricks,
    pattern_text,
    shape_text,
    whole_columns,
)
from pavcodec.formats.parquet.rows import (
    CARDS,
    DEAL,
    FAULTS,
    LINES,
    TAG,
    TAGS,
    RowBatch,
    boards_of_part,
    boards_of_rows,
    is_bytes,
    only_deals,
    only_text,
    parts,
    ranks_of,
    schema_of,
    write_tables,
)
from pavcodec.layout.columns import Holdings, holdings_of, suit_values
from pavcodec.layout.hand import COUNTED, LENGTH
from pavcodec.layout.layout import layout_from_owners

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
    buffers = [validity(are_known), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.from_numpy_dtype(data.dtype), len(data), buffers)


def text_column(texts: Sequence[str | None]) -> pa.Array:
    """Return texts as a column.

    >>> text_column(["N", None, ""]).to_pylist()
    ['N', None, '']
    """
    encoded = [(text or "").encode() for text in texts]
    offsets = np.zeros(len(encoded) + 1, np.int32)
    np.cumsum([*map(len, encoded)], out=offsets[1:])
    known = validity(np.array([text is not None for text in texts], np.bool_))
    data = pa.py_buffer(b"".join(encoded))
    return pa.Array.from_buffers(pa.string(), len(texts), [known, pa.py_buffer(offsets), data])


def validity(are_known: NDArray[np.bool_] | None) -> pa.Buffer | None:
    """Return the bitmap of known values; None if all are known."""
    if are_known is None or are_known.all():
        return None
    return pa.py_buffer(np.packbits(are_known, bitorder="little"))


# Hands as counts and as texts, of holdings: 13 bits, the ace the highest.


_SUITS = 4
_HAND_ROOM = 64
"""The bytes that the kernel wants to have for any further hand."""


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
    counts = np.empty((len(holdings), summed + _SUITS, holdings.shape[2]), np.int8)
    for row, suits in zip(counts, holdings, strict=True):
        found = words.take(suits, mode="clip")  # without a check: the table has all holdings
        sums = found[0] + found[1] + found[2] + found[3]  # counts of 52 cards fit into their bytes
        for column in range(summed):
            row[column] = sums.view(np.int8)[column :: len(of_holdings)]
        row[summed:] = found.view(np.int8)[:, summed :: len(of_holdings)]
    return counts


def hand_texts(holdings: NDArray[np.uint16]) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return the texts of the hands `uint16[suits, n]`, as `offsets` and `data`.

    Text k is `data[offsets[k] : offsets[k + 1]]`.

    >>> hands = np.array([[1 << 12, 0], [0, 0], [0, 0], [1, 0]], np.uint16)
    >>> offsets, data = hand_texts(hands)
    >>> offsets.tolist(), data.tobytes()
    ([0, 5, 6], b'A...2-')
    """
    rows = holdings.shape[1]
    cards = int(np.bitwise_count(holdings).sum(dtype=np.int64))
    data = np.empty(cards + (_SUITS - 1) * rows + _HAND_ROOM, np.uint8)
    offsets = np.empty(rows + 1, np.int32)
    written = kernel.write_hands(rows, np.ascontiguousarray(holdings), len(data), data, offsets)
    assert written == rows
    return offsets, data[: offsets[-1]]


# The column of double-dummy tricks as arrays; `rows` has the definition of its meaning.


_TAKEN = np.array([*range(HAND_SIZE + 1), NOT_SOLVED])
"""The possible values of tricks."""


def tricks_column(tricks: NDArray[np.uint8]) -> pa.Array:
    """Return the column of tricks, with null for rows and contracts without results."""
    are_known = (tricks != NOT_SOLVED).any(axis=1)
    rows = tricks[are_known].reshape(-1)
    values = column_of_values(rows, rows != NOT_SOLVED)
    ends = CONTRACTS * np.cumsum(are_known, dtype=np.int32)
    offsets = np.concatenate([np.zeros(1, np.int32), ends]).astype(np.int32)
    buffers = [validity(are_known), pa.py_buffer(offsets)]
    kind = pa.list_(pa.uint8())
    return pa.Array.from_buffers(kind, len(tricks), buffers, children=[values])


def tricks_of_part(part: RowBatch) -> NDArray[np.uint8] | None:
    """Return the tricks of rows, `uint8[n, 20]`; None if some are wrong."""
    tricks = np.full((len(part.columns), CONTRACTS), NOT_SOLVED, np.uint8)
    if TRICKS not in part.columns.schema.names:
        return tricks
    column = part.columns.column(TRICKS)
    are_known = np.asarray(pc.is_valid(column))
    lengths = np.asarray(pc.fill_null(pc.list_value_length(column), CONTRACTS))
    values = column.flatten()
    rows = np.asarray(pc.fill_null(values.cast(pa.int64()), NOT_SOLVED))
    if (lengths != CONTRACTS).any() or not np.isin(rows, _TAKEN).all():
        return None
    tricks[are_known] = rows.reshape(-1, CONTRACTS)
    return tricks


# Whether the tags of many rows of Parquet are plain, by columns.
#
# `rows.boards_of_rows` is the definition: it makes the board of each row and reports where tags
# and columns disagree. Rows are plain if they have no problems and their boards have no tricks and
# are no single suits. If that is not certain, the rows are not plain, and the definition reads
# them.


_BOARDS = range(1, 17)
_WORDS = {
    "dealer": text_column([*SEAT_LETTERS]),
    "vulnerable": text_column([side.value for side in Vulnerability]),
}
_CYCLES = {
    "dealer": text_column([dealer_of_board(number).letter for number in _BOARDS]),
    "vulnerable": text_column([Vulnerability.of_board(number).value for number in _BOARDS]),
}
"""The values that follow from the board number where a tag is missing."""
_PAST_NUMBERS = 10**18
"""Board numbers of tags have at most 18 digits."""


def tags_are_plain(columns: pa.RecordBatch) -> bool:
    """Return whether the boards of all rows are plain, and their tags have no problems."""
    names = [name for name in TAG_OF_COLUMN if name in columns.schema.names]
    texts = {name: columns.column(name) for name in names}
    if not all(_is_known(name, column) for name, column in texts.items()):
        return False
    if "tags" not in columns.schema.names:
        return True
    tags = columns.column("tags")
    if not pa.types.is_list(tags.type) or tags.null_count:
        return False
    entries = tags.flatten()
    tag_names = pc.struct_field(entries, "name").cast(pa.string())
    if pc.any(pc.is_in(tag_names, pa.array([*NOT_PLAIN]))).as_py():
        return False
    rows = np.repeat(np.arange(len(tags)), np.asarray(tags.value_lengths()))
    values = pc.struct_field(entries, "value").cast(pa.string())
    for name, column in texts.items():
        said = _first(tag_names, values, TAG_OF_COLUMN[name], rows, len(tags))
        if name in _CYCLES and "board" in texts:
            said = pc.coalesce(said, _of_boards(texts["board"], _CYCLES[name]))
        if not _holds(pc.equal(column.cast(pa.string()), said), column):
            return False
    return True


def _is_known(name: str, column: pa.Array) -> bool:
    """Return whether each value of a column is null, or one that a tag may repeat word for word."""
    if name in _WORDS:
        return _holds(pc.is_in(column.cast(pa.string()), _WORDS[name]), column)
    if pa.types.is_integer(column.type):
        return _holds(pc.and_(pc.greater(column, 0), pc.less(column, _PAST_NUMBERS)), column)
    return True


def _first(
    names: pa.Array, values: pa.Array, name: str, rows: NDArray[np.intp], count: int
) -> pa.Array:
    """Return the first value of a tag in each row; null in rows without this tag."""
    positions = np.flatnonzero(np.asarray(pc.is_in(names, pa.array([name]))))
    having, first = np.unique(rows[positions], return_index=True)
    taken = np.full(count, -1)
    taken[having] = positions[first]
    return values.take(pa.array(taken, mask=taken < 0))


def _of_boards(numbers: pa.Array, cycle: pa.Array) -> pa.Array:
    """Return what follows from board numbers; null where they are no integers."""
    if not pa.types.is_integer(numbers.type):
        return pa.nulls(len(numbers), pa.string())
    positions = (np.asarray(pc.fill_null(numbers, 1)) - 1) % len(cycle)
    return cycle.take(pa.array(positions, mask=np.asarray(pc.is_null(numbers))))


def _holds(truth: pa.Array, column: pa.Array) -> bool:
    """Return whether something is true of each value of a column that is not null."""
    truth = truth.filter(pc.is_valid(column))
    return not truth.null_count and pc.all(truth).as_py() is not False


# Batches of boards to Parquet tables, column by column.
#
# `table_of_boards`, which takes the tags board by board, is the definition. `table_of_batch` makes
# an equal table of boards whose tags follow from the fields of their batch.


_AT_ONCE = 1 << 14
"""The rows of a table."""
_BOARDS_AT_ONCE = 1 << 12
"""The most boards that wait for a table."""

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
    return cast("ManyRanks", ranks_of(context))


def write_boards(
    boards: Iterable[Board],
    stream: BinaryIO,
    context: Context,
    columns: tuple[str, ...] | None = None,
) -> int:
    """Write a row for each board, and return how many; the stream needs no seek.

    Without names of columns, the file has those of `whole_columns`. Boards that the columns cannot
    hold are problems, and those without cards need the column `tags`.
    """
    rest = iter(boards)
    return _write(iter(lambda: list(islice(rest, _BOARDS_AT_ONCE)), []), stream, context, columns)


def write_batches(
    batches: Iterable[BoardBatch],
    stream: BinaryIO,
    context: Context,
    columns: tuple[str, ...] | None = None,
) -> int:
    """Write the rows that `write_boards` writes for the boards of batches; return how many."""
    pieces = (
        batch.rows(begin, min(begin + _AT_ONCE, len(batch)))
        for batch in batches
        for begin in range(0, len(batch), _AT_ONCE)
    )
    return _write(pieces, stream, context, columns)


def _write(
    parts: Iterator[BoardBatch | list[Board]],
    stream: BinaryIO,
    context: Context,
    columns: tuple[str, ...] | None,
) -> int:
    """Write a table for each part; the first board decides on the columns of a whole file."""
    first = list(islice(parts, 1))
    chosen = columns or whole_columns(next((board for part in first for board in part), None))
    tables = (_table(part, context, chosen) for part in chain(first, parts))
    return write_tables(tables, stream, chosen)


def _table(part: BoardBatch | list[Board], context: Context, columns: tuple[str, ...]) -> pa.Table:
    """Return the table of those boards that the columns can hold; the others are problems."""
    ranks = many_ranks(context)
    if isinstance(part, BoardBatch) and _is_plain(part, columns):
        with suppress(LayoutError):  # a layout is no deal, and the columns have no place for it
            return table_of_batch(part, ranks, columns)
    some = list(part)
    if "tags" not in columns:
        some = [board for board in some if board.layout is not None]
    if not has_hands(columns):
        some = list(only_deals(some, context))
    try:
        return table_of_boards(some, ranks, columns)
    except UnicodeEncodeError:
        return table_of_boards(list(only_text(some, context)), ranks, columns)


def table_of_boards(
    boards: Sequence[Board], ranks: ManyRanks, columns: tuple[str, ...]
) -> pa.Table:
    """Return the table of some boards: their cards as arrays, and their tags one by one."""
    layouts = [board.layout for board in boards]
    have_cards = np.array([layout is not None for layout in layouts], np.bool_)
    arrays = {}
    if have_cards.any():
        owners = owners_of(layout for layout in layouts if layout is not None)
        arrays = columns_of_cards(owners, ranks, columns, only_deals=False)
        if not have_cards.all():
            rows = column_of_values(np.cumsum(have_cards) - 1, have_cards)
            arrays = {name: column.take(rows) for name, column in arrays.items()}
    makers = _OF_BOARD | ({"tags": _tags_beside_tricks} if TRICKS in columns else {})
    schema = schema_of(columns)
    for each in schema:
        if each.name not in arrays:
            make = makers.get(each.name)
            values = [None if make is None else make(board) for board in boards]
            arrays[each.name] = pa.array(values, each.type)
    return pa.Table.from_arrays([arrays[name] for name in columns], schema=schema)


def _tags_of(entries: Iterable[Tag]) -> list[dict[str, object]]:
    return [{"name": tag.name, "value": tag.value, "lines": tag.lines} for tag in entries]


def _tags_beside_tricks(board: Board) -> list[dict[str, object]]:
    """Return the tags of a board without the table that its column of tricks has."""
    table = Board(None).with_results(results_of_bytes(board.results)).entries
    *others, _ = board.entries or (None,)
    is_there = board.entries[-1:] == table and not has_tricks(others)
    return _tags_of(board.entries[:-1] if is_there else board.entries)


def _tricks_of(board: Board) -> list[int | None] | None:
    tricks = [None if taken == NOT_SOLVED else taken for taken in board.results]
    return None if set(tricks) == {None} else tricks


_OF_BOARD: dict[str, Callable[[Board], object]] = {
    "board": lambda board: board.number,
    "dealer": lambda board: None if board.dealer is None else board.dealer.letter,
    "vulnerable": lambda board: None if board.vulnerable is None else board.vulnerable.value,
    "tags": lambda board: _tags_of(board.entries),
    TRICKS: _tricks_of,
    SOURCE_FILE: lambda board: board.tags.get(SOURCE),
}
"""The values of the columns that do not follow from the cards; None is null."""


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
    arrays = columns_of_cards(batch.owners, ranks, columns, only_deals=only_deals)
    arrays |= _columns_of_tags(batch, columns)
    if TRICKS in columns:
        arrays[TRICKS] = tricks_column(batch.all_tricks())
    return pa.Table.from_arrays([arrays[name] for name in columns], schema=schema_of(columns))


def columns_of_cards(
    owners: Owners, ranks: ManyRanks, columns: Collection[str], *, only_deals: bool
) -> dict[str, pa.Array]:
    """Return those of the columns that follow from the cards.

    A layout that is no deal has no number; with `only_deals` it raises `LayoutError`.
    """
    cards = _Cards(owners)
    arrays: dict[str, pa.Array] = {}
    if "number" in columns:
        arrays["number"] = _number_column(owners, None if only_deals else cards.are_deals, ranks)
    for seat, hand in enumerate(HANDS):
        if hand in columns:
            offsets, data = map(pa.py_buffer, hand_texts(cards.holdings[seat]))
            arrays[hand] = pa.StringArray.from_buffers(len(owners), offsets, data)
        for position, quantity in enumerate(QUANTITIES):
            if (name := column_of(hand, quantity)) in columns:
                arrays[name] = cards.quantity(seat, position)
    return arrays


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

    def quantity(self, seat: int, position: int) -> pa.Array:
        """Return the values of a position of `QUANTITIES` of a seat."""
        counted = self.counts[seat]
        if position < len(counted):
            return column_of_values(counted[position])
        lengths = counted[-_SUITS:]
        is_usual = lengths.sum(axis=0).max(initial=0) <= HAND_SIZE
        texts = _shape_texts(HAND_SIZE if is_usual else DECK_SIZE)
        shapes = column_of_values(_BASE @ lengths.astype(np.int64))
        return texts[position - len(counted)].take(shapes)


@cache
def _shape_texts(most: int) -> list[pa.Array]:
    """Return the texts of shapes and of patterns for the lengths of hands of at most `most`."""
    shapes = [
        shape if sum(shape) <= most else None for shape in product(range(_LENGTHS), repeat=_SUITS)
    ]
    return [
        text_column([None if shape is None else text_of(shape) for shape in shapes])
        for text_of in (shape_text, pattern_text)
    ]


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
    classes = np.where(numbers, (numbers - 1) % _CYCLE + 1, 0)
    cycle = [_sample(batch, number or None) for number in range(_CYCLE + 1)]
    dealers = [None if board.dealer is None else board.dealer.letter for board in cycle]
    sides = [None if board.vulnerable is None else board.vulnerable.value for board in cycle]
    makers: dict[str, Callable[[], pa.Array]] = {
        "board": lambda: column_of_values(numbers.astype(np.int64), numbers != 0),
        "dealer": lambda: text_column(dealers).take(column_of_values(classes)),
        "vulnerable": lambda: text_column(sides).take(column_of_values(classes)),
        SOURCE_FILE: lambda: text_column([cycle[0].tags.get(SOURCE)] * len(batch)),
        "tags": lambda: _tags(batch),
    }
    return {name: makers[name]() for name in wanted}


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
        return np.full(len(batch), _sample(batch, batch.first).number or 0)
    return np.arange(batch.first, batch.first + len(batch))


def _tags(batch: BoardBatch) -> pa.Array:
    """Return the tags: those that all boards share are taken from the first board."""
    rows = len(batch)
    entries = _sample(batch, batch.first).entries
    pool = [text_column([tag.value for tag in entries])]
    positions = np.tile(np.arange(len(entries)), (rows, 1))
    for column, tag in enumerate(entries):
        if tag.name == "Board" and batch.first is not None and "Board" not in batch.tags:
            pool.append(column_of_values(_board_numbers(batch)).cast(pa.string()))
        elif tag.name == "DealId" and batch.numbers is not None:
            pool.append(_deal_ids(batch.numbering, batch.numbers))
        else:
            continue
        positions[:, column] = len(entries) + rows * (len(pool) - 2) + np.arange(rows)
    names = text_column([tag.name for tag in entries])
    without_lines = np.zeros(rows * len(entries) + 1, np.int32)
    columns = [
        names.take(column_of_values(np.tile(np.arange(len(entries)), rows))),
        pa.concat_arrays(pool).take(column_of_values(positions.ravel())),
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


def read_batches(stream: BinaryIO, context: Context) -> Iterator[BoardBatch]:
    """Yield the boards of a file that have cards; they read their tags when the first is needed."""
    many_ranks(context)  # which refuses a context without one
    for part in parts(stream, context, cards_only=True):
        tricks = tricks_of_part(part)
        owners = None if tricks is None else _owners_of_cards(part, context)
        boards = _RowBoards(part, owners, context)
        has_column = TRICKS in part.columns.schema.names
        has_more: bool | Callable[[], bool] = boards.have_tags
        if owners is None:
            with_layouts = with_cards(boards_of_part(part, context), context)
            owners = owners_of(board.layout for board in with_layouts if board.layout is not None)
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
        of_tags = (columns.column(name) for name in columns.schema.names if name in TAGS)
        return any(
            bool(pc.sum(pc.list_value_length(column)).as_py())
            if pa.types.is_list(column.type)
            else column.null_count < len(column)
            for column in of_tags
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
    return _owners_of_part(replace(part, columns=part.columns.select(names)), many_ranks(context))


def _owners_of_part(part: RowBatch, ranks: ManyRanks) -> Owners | None:
    """Return the owners of rows if all have cards and none has a problem; else None."""
    given = {name: part.columns.column(name) for name in part.columns.schema.names}
    are_hands, owners = has_hands(given), None
    numbers = given.get("number")
    try:
        if numbers is not None and is_bytes(numbers.type):
            given["number"] = numbers = numbers.cast(pa.binary(NUMBER_BYTES))
        if are_hands:
            owners = _owners_of_hands([given.pop(hand) for hand in HANDS])
        elif (
            numbers is not None
            and DEAL not in given
            and numbers.type == pa.binary(NUMBER_BYTES)
            and not numbers.null_count
        ):
            owners = ranks.unrank_many(_limbs(given.pop("number")))
    except (pa.ArrowException, NumberError):
        return None
    if owners is None:
        return None
    expected = columns_of_cards(owners, ranks, given, only_deals=not are_hands)
    agree = (name in expected and column.equals(expected[name]) for name, column in given.items())
    return owners if all(agree) else None


def _limbs(numbers: pa.Array) -> NDArray[np.uint64]:
    """Return numbers of `NUMBER_BYTES` bytes as rows of two words, high and low."""
    data = np.frombuffer(numbers.buffers()[1], np.uint8).reshape(-1, NUMBER_BYTES)
    words = np.zeros((len(numbers), LIMBS), np.uint8)
    words[:, LIMBS - NUMBER_BYTES :] = data[numbers.offset : numbers.offset + len(numbers)]
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
        if data is None:
            return None
        text = np.frombuffer(data, np.uint8)
        if kernel.read_hands(text, len(text), begins, seat, len(owners), owners) >= 0:
            return None
    return owners
