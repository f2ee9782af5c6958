"""The types of Arrow that the columns of a board may have."""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, partial
from itertools import repeat
from typing import Any, BinaryIO, cast
from weakref import finalize

import pyarrow as pa
import pyarrow.parquet as pq

from pavcodec.boards.board import SOURCE, Board, Context, Ranks, Tag, Vulnerability
from pavcodec.boards.tricks import NOT_SOLVED, results_of_bytes
from pavcodec.cards import HAND_SIZE, SEAT_LETTERS, Seat, Strain
from pavcodec.errors import PavError, ReadError, TextError
from pavcodec.formats.parquet.columns import (
    ALL_COLUMNS,
    DERIVED,
    HANDS,
    METADATA_KEY,
    NUMBER_BYTES,
    SOURCE_FILE,
    TRICKS,
    check_description,
    description,
    hand_texts,
    hand_values,
    has_tricks,
)
from pavcodec.formats.plain.texts import parse_number, shorten
from pavcodec.layout import Layout
from pavcodec.layout.layout import layout_from_owners
from pavcodec.layout.notation import parse_owners

DEAL = "deal"


CARDS = ("number", DEAL, *HANDS)
"""The columns of the cards."""

TAGS = ("board", "dealer", "vulnerable", SOURCE_FILE, "tags")
"""The columns of the tags, and those that follow from tags."""


def _is_text(kind: pa.DataType) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(test(kind) for test in tests)


def is_bytes(kind: pa.DataType) -> bool:
    """Return whether a type holds bytes."""
    tests = (
        pa.types.is_fixed_size_binary,
        pa.types.is_binary,
        pa.types.is_large_binary,
        pa.types.is_binary_view,
    )
    return any(test(kind) for test in tests)


def _is_number(kind: pa.DataType) -> bool:
    """Return whether a type can hold numbers of deals: bytes, decimals, integers or their text."""
    is_whole = pa.types.is_integer(kind) or (pa.types.is_decimal(kind) and kind.scale == 0)
    return is_whole or is_bytes(kind) or _is_text(kind)


def _is_tricks(kind: pa.DataType) -> bool:
    """Return whether a type can hold tricks: a list of integers."""
    tests = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    return any(test(kind) for test in tests) and pa.types.is_integer(kind.value_type)


def _is_board(kind: pa.DataType) -> bool:
    return pa.types.is_integer(kind) or _is_text(kind)


def _is_tags(kind: pa.DataType) -> bool:
    """Return whether a type can hold tags: a map of texts, or a list of names, values and lines."""
    if pa.types.is_map(kind):
        return _is_text(kind.key_type) and _is_text(kind.item_type)
    if not (pa.types.is_list(kind) or pa.types.is_large_list(kind)):
        return False
    tag = kind.value_type
    if not pa.types.is_struct(tag):
        return False
    fields = {field.name: field.type for field in map(tag.field, range(tag.num_fields))}
    lines = fields.pop("lines", pa.list_(pa.string()))
    has_lines = pa.types.is_list(lines) or pa.types.is_large_list(lines)
    return (
        set(fields) == {"name", "value"}
        and all(map(_is_text, fields.values()))
        and has_lines
        and _is_text(lines.value_type)
    )


EXPECTED: Mapping[str, tuple[Callable[[pa.DataType], bool], str]] = {
    "number": (_is_number, f"{NUMBER_BYTES} bytes, a decimal, an integer or a text"),
    **dict.fromkeys((DEAL, *HANDS, "dealer", "vulnerable", SOURCE_FILE), (_is_text, "a text")),
    "board": (_is_board, "an integer or a text"),
    "tags": (_is_tags, "a list of name, value and lines, or a map of texts"),
    TRICKS: (_is_tricks, "a list of integers"),
}
"""The columns that are read if present: the check of their type, and its description."""


# A Parquet file to boards: record batches, their rows, and the problems of these.
#
# Rule 1: the cards are in the hands, the text `deal` and the `number`. Each may be absent or null;
# the present columns must agree. Rule 2: a column with a name of pavcodec must have a type that can
# hold the same values. The reader checks columns that follow from the hands in files of pavcodec;
# it ignores them in other files, where they may have another meaning. Rule 3: a row without
# readable cards is a problem and no board. If the tags and the columns that repeat them disagree,
# that is a problem, and the board has the tags.


_AT_ONCE = 1 << 14
"""The rows in memory at a time.

This thread decodes them. Threads of pyarrow may call a file of Python while Python ends, which
aborts the process.
"""

_IN_MEMORY = 1 << 24
"""The number of bytes from which on a pipe is copied to a temporary file."""


@dataclass(frozen=True)
class RowBatch:
    """Some rows of a file: the number of the first, their columns, and whether to check them."""

    first: int
    columns: pa.RecordBatch
    is_ours: bool
    all_columns: Callable[[], pa.RecordBatch]
    """Returns `columns` with those of the tags, where they have only the cards."""


def parts(stream: BinaryIO, context: Context, *, cards_only: bool = False) -> Iterator[RowBatch]:
    """Yield the readable rows of a file, some thousands at a time; `cards_only` leaves out tags."""
    whole = _seekable(stream)
    try:
        file, names, is_ours = _open(whole)
    except ReadError as error:
        if whole is not stream:
            whole.close()
        context.problem(None, str(error))
        return
    if whole is not stream:
        finalize(file, whole.close)  # parts may read their tags from it later
    chosen = [name for name in names if not cards_only or name in (*CARDS, *DERIVED, TRICKS)]
    rest = [name for name in names if name not in chosen]
    first = 0
    for group in range(file.num_row_groups):
        read = cache(partial(file.read_row_group, group, columns=rest, use_threads=False))
        for begin, columns in _batches(file, group, chosen, first, context):
            all_columns = partial(_with_rest, columns, read, begin - first)
            yield RowBatch(begin, columns, is_ours, all_columns)
        first += file.metadata.row_group(group).num_rows


def _with_rest(columns: pa.RecordBatch, read: Callable[[], pa.Table], begin: int) -> pa.RecordBatch:
    """Return columns with the same rows of a table, from `begin` on."""
    rest = read().slice(begin, len(columns)).combine_chunks()
    arrays = dict(zip(columns.schema.names, columns.columns, strict=True))
    for name in rest.schema.names:
        chunks = rest.column(name).combine_chunks()
        arrays[name] = chunks.chunk(0) if isinstance(chunks, pa.ChunkedArray) else chunks
    return pa.RecordBatch.from_pydict(arrays)


def _open(whole: BinaryIO) -> tuple[pq.ParquetFile, list[str], bool]:
    """Return a file, its columns that are to be read, and whether pavcodec wrote it.

    Raises `ReadError` if it is no whole file of Parquet, or holds no boards.
    """
    try:
        file = pq.ParquetFile(whole, page_checksum_verification=True)
        schema, metadata = file.schema_arrow, file.metadata
    except FAULTS as error:
        raise ReadError(f"this is no whole Parquet file: {_reason(error)}") from None
    rows = sum(metadata.row_group(group).num_rows for group in range(file.num_row_groups))
    if rows != metadata.num_rows:
        reason = f"its metadata have {metadata.num_rows} rows, and its row groups {rows}"
        raise ReadError(f"this is no whole Parquet file: {reason}")
    return file, *_columns(schema, metadata.metadata or {})


def _seekable(stream: BinaryIO) -> BinaryIO:
    """Return a stream with a seek: this one, or a copy of the rest of it."""
    seekable = getattr(stream, "seekable", None)
    if seekable is not None and seekable() and stream.tell() == 0:
        return stream
    copy = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 (`parts` closes it)
    shutil.copyfileobj(stream, copy)
    copy.seek(0)
    return cast("BinaryIO", copy)


FAULTS = (pa.ArrowException, OSError, UnicodeDecodeError)
"""The exceptions of pyarrow for damaged files."""


def _reason(error: Exception) -> str:
    """Return the message of pyarrow in a line; raise errors that are no fault of the file."""
    if isinstance(error, OSError) and error.errno is not None:
        raise error
    line = str(error).strip().partition("\n")[0][:200].rstrip(". ")
    return "".join(letter if letter.isprintable() else "?" for letter in line)


def _columns(schema: pa.Schema, metadata: Mapping[bytes, bytes]) -> tuple[list[str], bool]:
    """Return the names of the columns to read, and whether pavcodec wrote the file.

    Raises `ReadError` for files without a column of cards, and for columns of other types.
    """
    is_ours = METADATA_KEY in metadata
    if is_ours:
        check_description(metadata[METADATA_KEY])
    names = [name for name in (*EXPECTED, *(DERIVED if is_ours else ())) if name in schema.names]
    for name in names:
        if schema.names.count(name) > 1:
            raise ReadError(f"there are {schema.names.count(name)} columns {name!r}")
        kind = schema.field(name).type
        is_right, expected = EXPECTED.get(name, (_is_board, "an integer or a text"))
        if not (is_right(kind) or pa.types.is_null(kind)):
            raise ReadError(f"column {name!r} holds {shorten(str(kind))}, expected {expected}")
    if not ({"number", DEAL} & set(names) or set(HANDS) <= set(names)):
        raise ReadError(
            "there is no column of cards: expected 'number', 'deal', or all of "
            f"{', '.join(map(repr, HANDS))}, not {shorten(', '.join(schema.names))}"
        )
    return names, is_ours


def _batches(
    file: pq.ParquetFile, group: int, names: list[str], first: int, context: Context
) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield (number of the first row, rows) of a row group; its damage is a problem."""
    end = first + file.metadata.row_group(group).num_rows
    batches = None
    while True:
        try:
            if batches is None:
                batches = file.iter_batches(
                    _AT_ONCE, row_groups=[group], columns=names, use_threads=False
                )
            columns = next(batches, None)
            if columns is not None:
                columns.validate(full=True)
            elif first != end:
                raise pa.ArrowInvalid(f"row {end} should come next")
        except FAULTS as error:
            reason = f"row group {group} is damaged from row {first} on: {_reason(error)}"
            context.problem(None, reason)
            return
        if columns is None:
            return
        yield first, columns
        first += len(columns)


def boards_of_part(part: RowBatch, context: Context) -> Iterator[Board]:
    """Yield the boards of some rows, one by one: the definition of the meaning of rows."""
    values_of = part.columns.to_pydict()
    nothing = [None] * len(part.columns)
    used = {name: values for name, values in values_of.items() if name in EXPECTED}
    rows = zip(*used.values(), strict=True)
    counted = zip(*(values_of.get(name, nothing) for name in DERIVED), strict=True)
    for number, (values, derived) in enumerate(zip(rows, counted, strict=True), part.first):
        row = dict(zip(used, values, strict=True))
        try:
            layout = _layout(row, context)
            if part.is_ours:
                _check_derived(derived, layout)
        except PavError as error:
            context.problem(None, f"row {number}: {error}")
            continue
        board, faults = _board(row, layout)
        for fault in faults:
            context.problem(None, f"row {number}: {fault}", board.tags.get("Board"))
        yield board


def boards_of_rows(part: RowBatch, layouts: Iterable[Layout], context: Context) -> Iterator[Board]:
    """Yield the boards of rows whose cards are known and right, with their tags."""
    used = {
        name: part.columns.column(name).to_pylist()
        for name in part.columns.schema.names
        if name in EXPECTED and name not in CARDS
    }
    rows = zip(*used.values(), strict=True) if used else repeat(())
    for number, (layout, values) in enumerate(zip(layouts, rows, strict=False), part.first):
        board, faults = _board(dict(zip(used, values, strict=True)), layout)
        for fault in faults:
            context.problem(None, f"row {number}: {fault}", board.tags.get("Board"))
        yield board


def _layout(row: Mapping[str, Any], context: Context) -> Layout | None:
    """Return the cards of a row; raise `PavError` if they are unreadable or disagree."""
    hands = {hand: row[hand] for hand in HANDS if row.get(hand) is not None}
    deal, number = row.get(DEAL), row.get("number")
    layout = _layout_of_hands(hands, context) if len(hands) == len(HANDS) else None
    if deal is not None:
        of_deal = _parsed(deal, context)
        if layout is not None and of_deal != layout:
            raise ReadError(f"the deal is '{of_deal}', and the hands are '{layout}'")
        layout = of_deal
    if number is not None:
        layout = _layout_of_number(_integer(number), layout, context)
    if len(hands) < len(HANDS):
        _check_hands(hands, layout)
    return layout


def _layout_of_hands(hands: Mapping[str, str], context: Context) -> Layout:
    for name, hand in hands.items():
        if len(hand.split()) != 1:
            raise ReadError(
                f"{name} is {shorten(hand)}, expected a hand such as 'AK.QT..32' or '-'"
            )
    return _parsed(f"N:{' '.join(hands.values())}", context)


def _parsed(text: str, context: Context) -> Layout:
    try:
        return layout_from_owners(parse_owners(text, lenient=not context.strict))
    except TextError as error:
        raise ReadError(f"{error.message}: {shorten(text)}") from None


def _integer(number: bytes | int | Decimal | str) -> int:
    """Return the number that a value of any type means."""
    if isinstance(number, bytes):
        if len(number) != NUMBER_BYTES:
            raise ReadError(f"the number has {len(number)} bytes, expected {NUMBER_BYTES}")
        return int.from_bytes(number, "big")
    return parse_number(number) if isinstance(number, str) else int(number)


def _layout_of_number(number: int, known: Layout | None, context: Context) -> Layout:
    """Return the layout of a number; raise `PavError` if it is not the known layout."""
    ranks = ranks_of(context)
    if known is not None and known.is_deal and ranks.rank(known) == number:
        return known
    layout = ranks.unrank(number)
    if known is not None:
        raise ReadError(f"the number {number} is that of '{layout}', and the cards are '{known}'")
    return layout


def _check_hands(hands: Mapping[str, str], layout: Layout | None) -> None:
    """Raise `ReadError` if one of fewer than four hands differs from the layout."""
    if hands and layout is None:
        missing = ", ".join(name for name in HANDS if name not in hands)
        raise ReadError(f"there is no hand for {missing}")
    for name, hand in hands.items():
        if layout is not None and hand != str(layout[name]):
            raise ReadError(f"{name} is {shorten(hand)}, and the cards are '{layout}'")


def _check_derived(derived: tuple[int | str | None, ...], layout: Layout | None) -> None:
    """Raise `ReadError` if a derived column disagrees with the hands; null is no value."""
    expected: tuple[int | str | None, ...] = (None,) * len(DERIVED)
    if layout is not None:
        expected = tuple(value for text in hand_texts(layout) for value in hand_values(text))
    if derived != expected:
        for name, value, right in zip(DERIVED, derived, expected, strict=True):
            if value is not None and value != right:
                cards = "there are no cards" if layout is None else f"the cards are '{layout}'"
                raise ReadError(f"{name} is {value!r}, and {cards}")


def _board(row: Mapping[str, Any], layout: Layout | None) -> tuple[Board, list[str]]:
    """Return the board of a row, and the problems of its tags and tricks."""
    board, faults = _board_of_tags(row, layout)
    if row.get(TRICKS) is None:
        return board, faults
    tricks = [NOT_SOLVED if taken is None else taken for taken in row[TRICKS]]
    known = (*range(HAND_SIZE + 1), NOT_SOLVED)
    if len(tricks) != len(Strain) * len(Seat) or any(taken not in known for taken in tricks):
        reason = f"{TRICKS} is {shorten(str(row[TRICKS]))}, expected 20 numbers of 0 to {HAND_SIZE}"
        return board, [*faults, reason]
    results = bytes(tricks)
    if not has_tricks(board.entries):
        return board.with_results(results_of_bytes(results)), faults
    if board.results != results:
        faults = [*faults, f"{TRICKS} is {tricks}, and the tags say {list(board.results)}"]
    return board, faults


def _board_of_tags(row: Mapping[str, Any], layout: Layout | None) -> tuple[Board, list[str]]:
    """Return the board of a row without its column of tricks, and the problems of its tags."""
    entries = row.get("tags")
    if entries is None:
        return _board_of_columns(row, layout)
    board = Board(layout, tuple(map(_tag, entries)))
    number = board.tags.get("Board") if isinstance(row.get("board"), str) else board.number
    known = {
        "board": number,
        "dealer": None if board.dealer is None else board.dealer.letter,
        "vulnerable": None if board.vulnerable is None else board.vulnerable.value,
        SOURCE_FILE: board.tags.get(SOURCE),
    }
    return board, [
        f"{name} is {row[name]!r}, and the tags say {value!r}"
        for name, value in known.items()
        if row.get(name) not in (None, value)
    ]


def _tag(entry: Mapping[str, Any] | tuple[str, str] | None) -> Tag:
    """Return the tag of an item of a list or of a map; null is an empty text."""
    if isinstance(entry, tuple):
        name, value = entry
        return Tag(name, value or "")
    fields = entry or {}
    lines = tuple(line or "" for line in fields.get("lines") or ())
    return Tag(fields.get("name") or "", fields.get("value") or "", lines)


def _board_of_columns(row: Mapping[str, Any], layout: Layout | None) -> tuple[Board, list[str]]:
    """Return the board of a row without tags, and its problems."""
    number, dealer, vulnerable = (row.get(name) for name in ("board", "dealer", "vulnerable"))
    faults = []
    if dealer is not None and (len(dealer) != 1 or dealer not in SEAT_LETTERS):
        faults.append(f"dealer {shorten(dealer)} is not one of N E S W")
        dealer = None
    side = None if vulnerable is None else Vulnerability.parse(vulnerable)
    if vulnerable is not None and side is None:
        faults.append(f"vulnerability {shorten(vulnerable)} is not one of None NS EW All")
    board = Board.make(
        layout,
        dealer=None if dealer is None else Seat(SEAT_LETTERS.index(dealer)),
        vulnerable=side,
    )
    tag = () if number is None else (Tag("Board", str(number)),)
    source = row.get(SOURCE_FILE)
    named = () if source is None else (Tag(SOURCE, source),)
    return Board(layout, (*tag, *board.entries, *named)), faults


# Boards to a Parquet file: boards to tables, and tables to row groups.


_ROW_GROUP = 1 << 16
"""The rows of a row group; the last one may have fewer."""

LINES = pa.list_(pa.string())
TAG = pa.struct([("name", pa.string()), ("value", pa.string()), ("lines", LINES)])

_TYPES = {
    f"fixed_size_binary[{NUMBER_BYTES}]": pa.binary(NUMBER_BYTES),
    "int8": pa.int8(),
    "int64": pa.int64(),
    "string": pa.string(),
    "list<struct<name: string, value: string, lines: list<string>>>": pa.list_(TAG),
    "list<uint8>": pa.list_(pa.uint8()),
}

_TYPE_OF = {column.name: _TYPES[column.type] for column in ALL_COLUMNS}

_ELEMENTS = {
    "tags": [f"tags.list.element.{name}" for name in ("name", "value", "lines.list.element")],
    TRICKS: [f"{TRICKS}.list.element"],
}
"""The parts of the columns that are lists."""


def schema_of(columns: Sequence[str]) -> pa.Schema:
    """Return the schema of a file with these columns."""
    return pa.schema([(name, _TYPE_OF[name]) for name in columns])


def ranks_of(context: Context) -> Ranks:
    """Return the numbering of the context; raise `PavError` if there is none."""
    if context.numbering is None:
        raise PavError("the format 'parquet' needs a numbering")
    return context.numbering


def only_deals(boards: Iterable[Board], context: Context) -> Iterator[Board]:
    """Yield boards with whole deals and those without cards; other boards are problems."""
    for board in boards:
        if board.layout is None or board.layout.is_deal:
            yield board
        else:
            reason = f"no whole deal, so the columns must have hands: '{board.layout}'"
            context.problem(board.line, reason, board.tags.get("Board"))


def only_text(boards: Iterable[Board], context: Context) -> Iterator[Board]:
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

    def write(self, data: Any) -> int:  # noqa: ANN401 (bytes of any kind)
        whole = memoryview(data)
        if not self.failed:
            self._stream.write(whole)
        return whole.nbytes


def write_tables(tables: Iterable[pa.Table], stream: BinaryIO, columns: tuple[str, ...]) -> int:
    """Write tables of these columns as a file, and return how many rows they have."""
    forward = _Forward(stream)
    elements = (_ELEMENTS.get(name, [name]) for name in columns if name not in {"number", *HANDS})
    repeating = [part for column in elements for part in column]  # their values repeat often
    writer = pq.ParquetWriter(
        forward,
        schema_of(columns),
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
