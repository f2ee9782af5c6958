"""A Parquet file to boards: record batches, their rows, and the problems of these.

Rule 1: the cards are in the hands, the text `deal` and the `number`. Each may be absent or null;
the present columns must agree. Rule 2: a column with a name of pavcodec must have a type that can
hold the same values. The reader checks columns that follow from the hands in files of pavcodec;
it ignores them in other files, where they may have another meaning. Rule 3: a row without
readable cards is a problem and no board. If the tags and the columns that repeat them disagree,
that is a problem, and the board has the tags.

`_layouts` reads the cards row by row, and `_board` the tags: they are the definition, and read all
rows that may be wrong. `_owners_of_cards` reads the cards of rows that are all right, and
`_are_plain` finds rows whose tags are all right.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, cached_property, partial
from itertools import repeat
from typing import TYPE_CHECKING, Any, BinaryIO, cast
from weakref import finalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pavcodec import kernel
from pavcodec.boards.batch import CONTRACTS, BoardBatch, More, Wanted, owners_of, singles
from pavcodec.boards.board import CYCLE, PAST_NUMBERS, SOURCE, Board, Context, Tag, Vulnerability
from pavcodec.boards.tricks import NOT_SOLVED, results_of_bytes
from pavcodec.cards import DECK_SIZE, HAND_SIZE, SEAT_LETTERS, UNUSED
from pavcodec.errors import NumberError, PavError, ReadError, TextError
from pavcodec.formats.format import NOT_PLAIN
from pavcodec.formats.parquet.columns import (
    DERIVED,
    HANDS,
    METADATA_KEY,
    NUMBER_BYTES,
    OF_TAGS,
    SOURCE_FILE,
    TRICKS,
    check_description,
    has_hands,
    has_tricks,
)
from pavcodec.formats.parquet.writing import LIMBS, columns_of_cards, text_column
from pavcodec.formats.plain.texts import parse_number, shorten
from pavcodec.layout import Layout
from pavcodec.layout.layout import layout_from_owners
from pavcodec.layout.notation import parse_owners
from pavcodec.numberings.catalogue import numbering

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Limbs, Owners

_DEAL = "deal"
_CARDS = ("number", _DEAL, *HANDS)
"""The columns of the cards."""


def read_batches(stream: BinaryIO, context: Context, wanted: Wanted) -> Iterator[BoardBatch]:
    """Yield the boards of rows; rows without one are problems, with their number from 0.

    The reader takes some thousand rows at a time. It copies streams without a seek, such as pipes,
    to a temporary file. A damaged row group is a problem, and the reader continues after it. Only
    the cards are read where nothing else is wanted; boards read their tags when the first is
    needed. Rows whose tags must be checked one by one are batches of one board.
    """
    for part in _parts(stream, context, cards_only=wanted is Wanted.CARDS):
        owners, tricks = _owners_of_cards(part), _tricks_of(part)
        is_right = owners is not None and tricks is not None
        are_plain = is_right and wanted is Wanted.CHECKED and _are_plain(part.columns)
        if wanted is not Wanted.CARDS and not are_plain:
            yield from singles(board for _, board in _boards(part, owners, context))
            continue
        rows = np.arange(len(part.columns))
        if owners is None or tricks is None:
            found = [(row, board.layout) for row, board in _boards(part, None, context)]
            rows = np.array([row for row, _ in found], np.intp)
            owners, tricks = owners_of(layout for _, layout in found), None
        if len(owners):
            more = More.PLAIN_TAGS if are_plain else More.ANYTHING
            yield _batch(part, (rows, owners, tricks), more, context)


def _batch(
    part: _Part,
    found: tuple[NDArray[np.intp], Owners, NDArray[np.uint8] | None],
    more: More,
    context: Context,
) -> BoardBatch:
    """Return the boards of some rows of a part; they read their tags, `more`, on demand."""
    rows, owners, tricks = found
    has_column = TRICKS in part.columns.schema.names
    silent = replace(context, report=lambda _: None)

    def board_of(row: int) -> Board:
        at = int(rows[row])
        whole = replace(part, columns=part.whole.slice(at, 1))
        ((_, board),) = _boards(whole, owners[row : row + 1], silent)
        return board

    def told() -> More:
        has_more = (has_column and tricks is None) or _have_tags(part.whole)
        return more if has_more else More.NOTHING

    return BoardBatch(owners, origin=board_of, more=told, tricks=tricks if has_column else None)


def _have_tags(columns: pa.Table) -> bool:
    """Return whether a row may have tags."""
    return any(
        bool(pc.sum(pc.list_value_length(column)).as_py())
        if pa.types.is_list(column.type)
        else column.null_count < len(column)
        for column in (columns.column(name) for name in columns.schema.names if name in _TAGS)
    )


# The types of Arrow that the columns may have.


def _is_one_of(kind: pa.DataType, *names: str) -> bool:
    return any(getattr(pa.types, f"is_{name}")(kind) for name in names)


def _is_text(kind: pa.DataType) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return _is_one_of(kind, "string", "large_string", "string_view")


def _is_bytes(kind: pa.DataType) -> bool:
    return _is_one_of(kind, "fixed_size_binary", "binary", "large_binary", "binary_view")


def _is_number(kind: pa.DataType) -> bool:
    """Return whether a type can hold numbers of deals: bytes, decimals, integers or their text."""
    is_whole = pa.types.is_integer(kind) or (pa.types.is_decimal(kind) and kind.scale == 0)
    return is_whole or _is_bytes(kind) or _is_text(kind)


def _is_tricks(kind: pa.DataType) -> bool:
    """Return whether a type can hold tricks: a list of integers."""
    is_list = _is_one_of(kind, "list", "large_list", "fixed_size_list")
    return is_list and pa.types.is_integer(kind.value_type)


def _is_board(kind: pa.DataType) -> bool:
    return pa.types.is_integer(kind) or _is_text(kind)


def _is_tags(kind: pa.DataType) -> bool:
    """Return whether a type can hold tags: a map of texts, or a list of names, values and lines."""
    if pa.types.is_map(kind):
        return _is_text(kind.key_type) and _is_text(kind.item_type)
    if not (_is_one_of(kind, "list", "large_list") and pa.types.is_struct(kind.value_type)):
        return False
    tag = kind.value_type
    fields = {field.name: field.type for field in map(tag.field, range(tag.num_fields))}
    lines = fields.pop("lines", pa.list_(pa.string()))
    return (
        set(fields) == {"name", "value"}
        and all(map(_is_text, fields.values()))
        and _is_one_of(lines, "list", "large_list")
        and _is_text(lines.value_type)
    )


_EXPECTED: Mapping[str, tuple[Callable[[pa.DataType], bool], str]] = {
    "number": (_is_number, f"{NUMBER_BYTES} bytes, a decimal, an integer or a text"),
    **dict.fromkeys((_DEAL, *HANDS, "dealer", "vulnerable", SOURCE_FILE), (_is_text, "a text")),
    "board": (_is_board, "an integer or a text"),
    "tags": (_is_tags, "a list of name, value and lines, or a map of texts"),
    TRICKS: (_is_tricks, "a list of integers"),
    **dict.fromkeys(DERIVED, (_is_board, "an integer or a text")),
}
"""The columns that are read if present: the check of their type, and its description."""
_TAGS = (*OF_TAGS, "tags")
"""The columns of the tags, and those that follow from tags."""


# A file to its parts.


_AT_ONCE = 1 << 14
"""The rows in memory at a time.

This thread decodes them. Threads of pyarrow may call a file of Python while Python ends, which
aborts the process.
"""

_IN_MEMORY = 1 << 24
"""The number of bytes from which on a pipe is copied to a temporary file."""

_FAULTS = (pa.ArrowException, OSError, UnicodeDecodeError)
"""The exceptions of pyarrow for damaged files."""


@dataclass(frozen=True)
class _Part:
    """Some rows of a file: the number of the first, their columns, and whether to check them."""

    first: int
    columns: pa.RecordBatch | pa.Table
    is_ours: bool
    rest: Callable[[], pa.Table]
    """Reads the columns of the tags, if `columns` has only those of the cards."""

    @cached_property
    def whole(self) -> pa.Table:
        """All columns; without the tags if these are damaged."""
        whole = pa.Table.from_batches([self.columns])
        try:
            rest = self.rest()
        except _FAULTS:
            return whole
        for name in rest.column_names:
            whole = whole.append_column(name, rest.column(name))
        return whole


def _parts(stream: BinaryIO, context: Context, *, cards_only: bool = False) -> Iterator[_Part]:
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
    chosen = [name for name in names if not (cards_only and name in _TAGS)]
    others = [name for name in names if name not in chosen]
    first = 0
    for group in range(file.num_row_groups):
        read = cache(partial(file.read_row_group, group, columns=others, use_threads=False))
        for begin, columns in _batches(file, group, chosen, first, context):
            rest = partial(_rows_of, read, begin - first, len(columns))
            yield _Part(begin, columns, is_ours, rest)
        first += file.metadata.row_group(group).num_rows


def _rows_of(read: Callable[[], pa.Table], begin: int, count: int) -> pa.Table:
    return read().slice(begin, count)


def _open(whole: BinaryIO) -> tuple[pq.ParquetFile, list[str], bool]:
    """Return a file, its columns that are to be read, and whether pavcodec wrote it.

    Raises `ReadError` if it is no whole file of Parquet, or holds no boards.
    """
    try:
        file = pq.ParquetFile(whole, page_checksum_verification=True)
        schema, metadata = file.schema_arrow, file.metadata
    except _FAULTS as error:
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
    copy = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 (`_parts` closes it)
    shutil.copyfileobj(stream, copy)
    copy.seek(0)
    return cast("BinaryIO", copy)


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
    named = [name for name in _EXPECTED if name in schema.names]
    names = [name for name in named if is_ours or name not in DERIVED]
    for name in names:
        if schema.names.count(name) > 1:
            raise ReadError(f"there are {schema.names.count(name)} columns {name!r}")
        kind = schema.field(name).type
        is_right, expected = _EXPECTED[name]
        if not (is_right(kind) or pa.types.is_null(kind)):
            raise ReadError(f"column {name!r} holds {shorten(str(kind))}, expected {expected}")
    if not ({"number", _DEAL} & set(names) or has_hands(names)):
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
        except _FAULTS as error:
            reason = f"row group {group} is damaged from row {first} on: {_reason(error)}"
            context.problem(None, reason)
            return
        if columns is None:
            return
        yield first, columns
        first += len(columns)


# The cards of a part.


def _owners_of_cards(part: _Part) -> Owners | None:
    """Return the owners of rows if all have cards and none has a problem; else None."""
    names = [name for name in part.columns.schema.names if name in _CARDS + DERIVED]
    given = {name: part.columns.column(name) for name in names}
    numbers, owners = given.get("number"), None
    try:
        if numbers is not None and _is_bytes(numbers.type):
            given["number"] = numbers = numbers.cast(pa.binary(NUMBER_BYTES))
        if has_hands(given):
            owners = _owners_of_hands([given.pop(hand) for hand in HANDS])
        elif (
            numbers is not None
            and _DEAL not in given
            and numbers.type == pa.binary(NUMBER_BYTES)
            and not numbers.null_count
        ):
            owners = numbering("deal").unrank_many(_limbs(given.pop("number")))
    except (pa.ArrowException, NumberError):
        return None
    if owners is None:
        return None
    expected = columns_of_cards(owners, given)
    agree = (name in expected and column.equals(expected[name]) for name, column in given.items())
    return owners if all(agree) else None


def _limbs(numbers: pa.Array) -> Limbs:
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
        _, offsets, data = texts.buffers()
        if texts.null_count or data is None:
            return None
        begins = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
        text = np.frombuffer(data, np.uint8)
        if kernel.read_hands(text, len(text), begins, seat, len(owners), owners) >= 0:
            return None
    return owners


def _layouts(part: _Part, context: Context) -> Iterator[Layout | PavError | None]:
    """Yield the cards of rows; an error where they are unreadable or disagree."""
    names = [name for name in part.columns.schema.names if name in _CARDS]
    found: list[Layout | PavError | None] = []
    for row in _rows(part, names):
        try:
            found.append(_layout(row, context))
        except PavError as error:
            found.append(error)
    layouts = [layout for layout in found if isinstance(layout, Layout)]
    told = [name for name in DERIVED if name in part.columns.schema.names]
    expected = columns_of_cards(owners_of(layouts), told)
    of_layouts = zip(*(expected[name].to_pylist() for name in told), strict=True)
    for layout, row in zip(found, _rows(part, told), strict=True):
        right = next(of_layouts, ()) if isinstance(layout, Layout) else (None,) * len(told)
        wrong = [
            f"{name} is {value!r}, and "
            + ("there are no cards" if layout is None else f"the cards are '{layout}'")
            for (name, value), known in zip(row.items(), right, strict=True)
            if value not in (None, known)
        ]
        yield layout if isinstance(layout, PavError) or not wrong else ReadError(wrong[0])


def _rows(part: _Part, names: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the values of some columns, row by row."""
    columns = [part.columns.column(name).to_pylist() for name in names]
    values = zip(*columns, strict=True) if columns else repeat((), len(part.columns))
    return (dict(zip(names, row, strict=True)) for row in values)


def _layout(row: Mapping[str, Any], context: Context) -> Layout | None:
    """Return the cards of a row; raise `PavError` if they are unreadable or disagree."""
    hands = {hand: row[hand] for hand in HANDS if row.get(hand) is not None}
    deal, number = row.get(_DEAL), row.get("number")
    layout = _layout_of_hands(hands, context) if len(hands) == len(HANDS) else None
    if deal is not None:
        of_deal = _parsed(deal, context)
        if layout is not None and of_deal != layout:
            raise ReadError(f"the deal is '{of_deal}', and the hands are '{layout}'")
        layout = of_deal
    if number is not None:
        layout = _layout_of_number(_integer(number), layout)
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


def _layout_of_number(number: int, known: Layout | None) -> Layout:
    """Return the layout of a number; raise `PavError` if it is not the known layout."""
    layout = numbering("deal").unrank(number)
    if known is not None and known != layout:
        raise ReadError(f"the number {number} is that of '{layout}', and the cards are '{known}'")
    return layout if known is None else known


def _check_hands(hands: Mapping[str, str], layout: Layout | None) -> None:
    """Raise `ReadError` if one of fewer than four hands differs from the layout."""
    if hands and layout is None:
        missing = ", ".join(name for name in HANDS if name not in hands)
        raise ReadError(f"there is no hand for {missing}")
    for name, hand in hands.items():
        if layout is not None and hand != str(layout[name]):
            raise ReadError(f"{name} is {shorten(hand)}, and the cards are '{layout}'")


# The tags and tricks of a part, row by row.


def _boards(part: _Part, owners: Owners | None, context: Context) -> Iterator[tuple[int, Board]]:
    """Yield (row in the part, board); with `owners`, the cards of all rows are known and right."""
    known = (
        _layouts(part, context) if owners is None else map(layout_from_owners, map(bytes, owners))
    )
    names = [name for name in part.columns.schema.names if name in (*_TAGS, TRICKS)]
    for row, (layout, values) in enumerate(zip(known, _rows(part, names), strict=True)):
        number = part.first + row
        if isinstance(layout, PavError):
            context.problem(None, f"row {number}: {layout}")
            continue
        board, faults = _board(values, layout)
        for fault in faults:
            context.problem(None, f"row {number}: {fault}", board.tags.get("Board"))
        yield row, board


def _board(row: Mapping[str, Any], layout: Layout | None) -> tuple[Board, list[str]]:
    """Return the board of a row, and the problems of its tags and tricks."""
    with_tags = _board_of_columns if row.get("tags") is None else _board_of_tags
    board, faults = with_tags(row, layout)
    if row.get(TRICKS) is None:
        return board, faults
    tricks = [NOT_SOLVED if taken is None else taken for taken in row[TRICKS]]
    if len(tricks) != CONTRACTS or not set(tricks) <= {*_TAKEN}:
        reason = f"{TRICKS} is {shorten(str(row[TRICKS]))}, expected 20 numbers of 0 to {HAND_SIZE}"
        return board, [*faults, reason]
    results = bytes(tricks)
    if not has_tricks(board.entries):
        return board.with_results(results_of_bytes(results)), faults
    if board.results != results:
        faults = [*faults, f"{TRICKS} is {tricks}, and the tags say {list(board.results)}"]
    return board, faults


def _board_of_tags(row: Mapping[str, Any], layout: Layout | None) -> tuple[Board, list[str]]:
    """Return the board of a row with tags, and the columns that disagree with these."""
    board = Board(layout, tuple(map(_tag, row["tags"])))
    faults = []
    for name, (tag, of_board) in OF_TAGS.items():
        told = row.get(name)
        if told is not None:
            is_text = name == "board" and isinstance(told, str)
            value = board.tags.get(tag) if is_text else of_board(board)
            if told != value:
                faults.append(f"{name} is {told!r}, and the tags say {value!r}")
    return board, faults


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
    values = {
        "Board": None if number is None else str(number),
        "Dealer": dealer,
        "Vulnerable": None if side is None else side.value,
        SOURCE: row.get(SOURCE_FILE),
    }
    entries = (Tag(name, value) for name, value in values.items() if value is not None)
    return Board(layout, tuple(entries)), faults


# The tricks and tags of many rows.


_TAKEN = (*range(HAND_SIZE + 1), NOT_SOLVED)
"""The possible values of tricks."""
_CYCLES = {
    name: text_column(
        [str(OF_TAGS[name][1](Board.make(None, number=number))) for number in range(1, CYCLE + 1)]
    )
    for name in ("dealer", "vulnerable")
}
"""The values that follow from the board number where a tag is missing: all values there are."""


def _tricks_of(part: _Part) -> NDArray[np.uint8] | None:
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


def _are_plain(columns: pa.RecordBatch) -> bool:
    """Return whether the boards of all rows are plain, and their tags have no problems.

    Boards are plain if they have no tricks and are no single suits. False if that is not certain.
    """
    texts = {name: columns.column(name) for name in OF_TAGS if name in columns.schema.names}
    if not all(_is_known(name, column) for name, column in texts.items()):
        return False
    if "tags" not in columns.schema.names:
        return True
    tags = columns.column("tags")
    if not pa.types.is_list(tags.type) or tags.null_count:
        return False
    entries = tags.flatten()
    names, values = (pc.struct_field(entries, name).cast(pa.string()) for name in ("name", "value"))
    if pc.any(pc.is_in(names, pa.array([*NOT_PLAIN]))).as_py():
        return False
    rows = np.repeat(np.arange(len(tags)), np.asarray(tags.value_lengths()))
    for name, column in texts.items():
        places = np.flatnonzero(np.asarray(pc.is_in(names, text_column([OF_TAGS[name][0]]))))
        having, first = np.unique(rows[places], return_index=True)
        taken = np.full(len(tags), -1)
        taken[having] = places[first]
        said = values.take(pa.array(taken, mask=taken < 0))
        if name in _CYCLES and "board" in texts:
            said = pc.coalesce(said, _of_boards(texts["board"], _CYCLES[name]))
        if not _holds(pc.equal(column.cast(pa.string()), said), column):
            return False
    return True


def _is_known(name: str, column: pa.Array) -> bool:
    """Return whether each value of a column is null, or one that a tag may repeat word for word."""
    if name in _CYCLES:
        return _holds(pc.is_in(column.cast(pa.string()), _CYCLES[name]), column)
    if pa.types.is_integer(column.type):
        return _holds(pc.and_(pc.greater(column, 0), pc.less(column, PAST_NUMBERS)), column)
    return True


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
