"""A Parquet file to boards: record batches, their rows, and the problems of these.

Rule 1: the cards are in the hands, the text `deal` and the `number`. Each may be absent or null;
        the present columns must agree.
Rule 2: a column with a name of pavcodec must have a type that can hold the same values. The reader
        checks columns that follow from the hands in files of pavcodec; it ignores them in other
        files, where they may have another meaning.
Rule 3: a row without readable cards is a problem and no board. If the tags and the columns that
        repeat them disagree, that is a problem, and the board has the tags.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, partial
from itertools import repeat
from typing import Any, BinaryIO, cast
from weakref import finalize

import pyarrow as pa
import pyarrow.parquet as pq

from pavcodec.boards.board import Board, Tag
from pavcodec.boards.context import Context
from pavcodec.boards.tricks import NOT_SOLVED, results_of_bytes
from pavcodec.boards.vulnerability import Vulnerability
from pavcodec.cards import HAND_SIZE, SEAT_LETTERS, Seat, Strain
from pavcodec.errors import PavError, ReadError, TextError
from pavcodec.formats.parquet.columns import (
    DERIVED,
    HANDS,
    METADATA_KEY,
    NUMBER_BYTES,
    TRICKS,
    check_description,
    hand_texts,
    hand_values,
    has_tricks,
)
from pavcodec.formats.parquet.types import CARDS, DEAL, EXPECTED, _is_board
from pavcodec.formats.plain.texts import parse_number, shorten
from pavcodec.layout import Layout
from pavcodec.layout.layout import layout_from_owners
from pavcodec.layout.notation import parse_owners

__all__ = ["FAULTS", "RowBatch", "boards_of_part", "boards_of_rows", "parts", "read_boards"]

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


def read_boards(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield the boards of a file, row by row; `arrays.read_boards` is the faster reader."""
    for part in parts(stream, context):
        yield from boards_of_part(part, context)


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
    found = dict(zip(columns.schema.names, columns.columns, strict=True))
    for name in rest.schema.names:
        chunks = rest.column(name).combine_chunks()
        found[name] = chunks.chunk(0) if isinstance(chunks, pa.ChunkedArray) else chunks
    return pa.RecordBatch.from_pydict(found)


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
    found = None
    while True:
        try:
            if found is None:
                found = file.iter_batches(
                    _AT_ONCE, row_groups=[group], columns=names, use_threads=False
                )
            columns = next(found, None)
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
    found = part.columns.to_pydict()
    nothing = [None] * len(part.columns)
    told = {name: values for name, values in found.items() if name in EXPECTED}
    rows = zip(*told.values(), strict=True)
    counted = zip(*(found.get(name, nothing) for name in DERIVED), strict=True)
    for number, (values, derived) in enumerate(zip(rows, counted, strict=True), part.first):
        row = dict(zip(told, values, strict=True))
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
    told = {
        name: part.columns.column(name).to_pylist()
        for name in part.columns.schema.names
        if name in EXPECTED and name not in CARDS
    }
    rows = zip(*told.values(), strict=True) if told else repeat(())
    for number, (layout, values) in enumerate(zip(layouts, rows, strict=False), part.first):
        board, faults = _board(dict(zip(told, values, strict=True)), layout)
        for fault in faults:
            context.problem(None, f"row {number}: {fault}", board.tags.get("Board"))
        yield board


def _layout(row: Mapping[str, Any], context: Context) -> Layout | None:
    """Return the cards of a row; raise `PavError` if they are unreadable or disagree."""
    hands = {hand: row[hand] for hand in HANDS if row.get(hand) is not None}
    deal, number = row.get(DEAL), row.get("number")
    layout = _layout_of_hands(hands, context) if len(hands) == len(HANDS) else None
    if deal is not None:
        found = _parsed(deal, context)
        if layout is not None and found != layout:
            raise ReadError(f"the deal is '{found}', and the hands are '{layout}'")
        layout = found
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
    ranks = context.numbering
    if ranks is None:
        raise PavError("the format 'parquet' needs a numbering")
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


def _check_derived(found: tuple[int | str | None, ...], layout: Layout | None) -> None:
    """Raise `ReadError` if a derived column disagrees with the hands; null is no value."""
    expected: tuple[int | str | None, ...] = (None,) * len(DERIVED)
    if layout is not None:
        expected = tuple(value for text in hand_texts(layout) for value in hand_values(text))
    if found != expected:
        for name, value, right in zip(DERIVED, found, expected, strict=True):
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
    found = entry or {}
    lines = tuple(line or "" for line in found.get("lines") or ())
    return Tag(found.get("name") or "", found.get("value") or "", lines)


def _board_of_columns(row: Mapping[str, Any], layout: Layout | None) -> tuple[Board, list[str]]:
    """Return the board of a row without tags, and its problems."""
    number, dealer, vulnerable = (row.get(name) for name in ("board", "dealer", "vulnerable"))
    faults = []
    if dealer is not None and (len(dealer) != 1 or dealer not in SEAT_LETTERS):
        faults.append(f"dealer {shorten(dealer)} is not one of N E S W")
        dealer = None
    found = None if vulnerable is None else Vulnerability.parse(vulnerable)
    if vulnerable is not None and found is None:
        faults.append(f"vulnerability {shorten(vulnerable)} is not one of None NS EW All")
    board = Board.make(
        layout,
        dealer=None if dealer is None else Seat(SEAT_LETTERS.index(dealer)),
        vulnerable=found,
    )
    tag = () if number is None else (Tag("Board", str(number)),)
    return Board(layout, tag + board.entries), faults
