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
    COLUMNS,
    HANDS,
    METADATA_KEY,
    NUMBER_BYTES,
    SOLVED_COLUMNS,
    TRICKS,
    description,
    values_of_board,
    values_of_solved,
)
from pavcodec.layout import Layout

__all__ = [
    "LINES",
    "SCHEMA",
    "SOLVED_SCHEMA",
    "TAG",
    "only_text",
    "rank_of",
    "table_of_boards",
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

SCHEMA = pa.schema([(column.name, _TYPES[column.type]) for column in COLUMNS])
SOLVED_SCHEMA = pa.schema([(column.name, _TYPES[column.type]) for column in SOLVED_COLUMNS])
"""The columns of files with tricks."""

_WITH_STATISTICS = [column.name for column in COLUMNS if column.name not in {*HANDS, "tags"}]
"""The columns whose least and greatest values are in the statistics of each row group."""

_WITH_DICTIONARY = [
    *(column.name for column in COLUMNS if column.name not in {"number", *HANDS, "tags"}),
    *(f"tags.list.element.{name}" for name in ("name", "value", "lines.list.element")),
]
"""The columns whose values repeat often."""
_TRICKS_ELEMENT = f"{TRICKS}.list.element"


def rank_of(context: Context) -> Callable[[Layout], int]:
    """Return the ranking of layouts in the numbering of the context."""
    if context.numbering is None:
        raise PavError("the format 'parquet' needs a numbering")
    return context.numbering.rank


def write_boards(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a row for each board, and return how many; the stream needs no seek.

    If the first board has double-dummy tricks, the file has a column of tricks.
    """
    rank = rank_of(context)
    rest = iter(boards)
    first = list(islice(rest, _AT_ONCE))
    solved = bool(first) and first[0].tricks is not None

    def tables() -> Iterator[pa.Table]:
        some = first
        while some:
            try:
                yield table_of_boards(some, rank, solved=solved)
            except UnicodeEncodeError:
                yield table_of_boards(list(only_text(some, context)), rank, solved=solved)
            some = list(islice(rest, _AT_ONCE))

    return write_tables(tables(), stream, solved=solved)


def table_of_boards(
    boards: Sequence[Board], rank: Callable[[Layout], int], *, solved: bool = False
) -> pa.Table:
    """Return the table of some boards, row by row as `values_of_board` says.

    With `solved`, the table has a column of tricks, as `values_of_solved` says.
    """
    schema, values = (SOLVED_SCHEMA, values_of_solved) if solved else (SCHEMA, values_of_board)
    rows = [values(board, rank) for board in boards]
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(each, field.type) for each, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


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


def write_tables(tables: Iterable[pa.Table], stream: BinaryIO, *, solved: bool = False) -> int:
    """Write tables of `SCHEMA` or `SOLVED_SCHEMA` as a file, and return how many rows they have."""
    forward = _Forward(stream)
    writer = pq.ParquetWriter(
        forward,
        SOLVED_SCHEMA if solved else SCHEMA,
        compression="zstd",
        use_dictionary=[*_WITH_DICTIONARY, *([_TRICKS_ELEMENT] if solved else [])],
        column_encoding=dict.fromkeys(HANDS, "DELTA_LENGTH_BYTE_ARRAY"),
        write_statistics=_WITH_STATISTICS,
        write_page_checksum=True,
        store_schema=False,  # the types of Parquet suffice
    )
    written = 0
    try:
        writer.add_key_value_metadata({METADATA_KEY: description(solved=solved)})
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
