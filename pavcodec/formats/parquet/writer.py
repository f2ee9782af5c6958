"""Boards to a Parquet file: boards to tables, and tables to row groups."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.errors import PavError
from pavcodec.formats.parquet.columns import (
    HANDS,
    METADATA_KEY,
    NUMBER_BYTES,
    SOLVED_COLUMNS,
    TRICKS,
    description,
    values_of_board,
    values_of_solved,
)
from pavcodec.formats.parquet.selection import has_hands, whole_columns
from pavcodec.layout import Layout

__all__ = [
    "LINES",
    "TAG",
    "only_text",
    "rank_of",
    "schema_of",
    "table_of_boards",
    "table_of_some",
    "write_boards",
    "write_tables",
]

_ROW_GROUP = 1 << 16
"""The rows of a row group; the last one may have fewer."""

_AT_ONCE = 1 << 12
"""The most boards that wait for a table."""

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

_TYPE_OF = {column.name: _TYPES[column.type] for column in SOLVED_COLUMNS}

_ELEMENTS = {
    "tags": [f"tags.list.element.{name}" for name in ("name", "value", "lines.list.element")],
    TRICKS: [f"{TRICKS}.list.element"],
}
"""The parts of the columns that are lists."""


def schema_of(columns: Sequence[str]) -> pa.Schema:
    """Return the schema of a file with these columns."""
    return pa.schema([(name, _TYPE_OF[name]) for name in columns])


def _with_statistics(columns: Iterable[str]) -> list[str]:
    """Return the columns with their least and greatest values in each row group's statistics."""
    return [name for name in columns if name not in {*HANDS, *_ELEMENTS}]


def _with_dictionary(columns: Iterable[str]) -> list[str]:
    """Return the columns and parts of columns whose values repeat often."""
    parts = (_ELEMENTS.get(name, [name]) for name in columns if name not in {"number", *HANDS})
    return [part for some in parts for part in some]


def rank_of(context: Context) -> Callable[[Layout], int]:
    """Return the ranking of layouts in the numbering of the context."""
    if context.numbering is None:
        raise PavError("the format 'parquet' needs a numbering")
    return context.numbering.rank


def write_boards(
    boards: Iterable[Board],
    stream: BinaryIO,
    context: Context,
    columns: tuple[str, ...] | None = None,
) -> int:
    """Write a row for each board, and return how many; the stream needs no seek.

    Without names of columns, the file has all; that of tricks if the first board has some. Boards
    that the columns cannot hold are problems, and those without cards need the column `tags`.
    """
    rest = iter(boards)
    first = list(islice(rest, _AT_ONCE))
    solved = bool(first) and first[0].tricks is not None
    chosen = whole_columns(solved=solved) if columns is None else columns

    def tables() -> Iterator[pa.Table]:
        some = first
        while some:
            yield table_of_some(some, context, chosen)
            some = list(islice(rest, _AT_ONCE))

    return write_tables(tables(), stream, chosen)


def table_of_some(boards: Sequence[Board], context: Context, columns: tuple[str, ...]) -> pa.Table:
    """Return the table of those boards that the columns can hold; the others are problems."""
    rank, some = rank_of(context), boards
    if "tags" not in columns:
        some = [board for board in some if board.layout is not None]
    if not has_hands(columns):
        some = list(_only_deals(some, context))
    try:
        return table_of_boards(some, rank, columns)
    except UnicodeEncodeError:
        return table_of_boards(list(only_text(some, context)), rank, columns)


def table_of_boards(
    boards: Sequence[Board], rank: Callable[[Layout], int], columns: tuple[str, ...]
) -> pa.Table:
    """Return the table of some boards, row by row as `values_of_board` says.

    With the column of tricks, the values are those of `values_of_solved`.
    """
    solved = TRICKS in columns
    values = values_of_solved if solved else values_of_board
    rows = [values(board, rank) for board in boards]
    names = whole_columns(solved=solved)
    found = dict(zip(names, zip(*rows, strict=True) if rows else [()] * len(names), strict=True))
    schema = schema_of(columns)
    arrays = [pa.array(found[field.name], field.type) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def _only_deals(boards: Iterable[Board], context: Context) -> Iterator[Board]:
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
    writer = pq.ParquetWriter(
        forward,
        schema_of(columns),
        compression="zstd",
        use_dictionary=_with_dictionary(columns),
        column_encoding={hand: "DELTA_LENGTH_BYTE_ARRAY" for hand in HANDS if hand in columns},
        write_statistics=_with_statistics(columns),
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
