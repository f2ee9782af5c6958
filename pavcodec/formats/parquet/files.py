"""Parquet, for DuckDB, Polars, Spark and all that read it: a row for each board.

`parquet_columns` tells the columns. What is here needs no package; pyarrow, which does the reading
and writing, is loaded when the first file comes.

Rule 1: a row holds everything that a board has, so that the boards that are read are equal to those
        that were written.
Rule 2: what stands in a row twice must agree; where it does not, that is a problem with its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.errors import PavError

if TYPE_CHECKING:
    from pavcodec.boards.batch import BoardBatch

__all__ = ["read_parquet", "read_parquet_batches", "write_parquet", "write_parquet_batches"]


def _need_pyarrow() -> None:
    """Raise `PavError` where pyarrow is not installed."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise PavError(
            "Parquet is read and written by the package pyarrow: pip install 'pavcodec[parquet]'"
        ) from None


def read_parquet(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each row; rows that are no board are problems, with their number from 0.

    A file is read some thousand rows at a time. What cannot be sought in, such as a pipe, is copied
    to a temporary file first. A damaged row group is a problem, and the others are still read.
    """
    _need_pyarrow()
    from pavcodec.formats.parquet.arrays import read_boards

    yield from read_boards(stream, context)


def read_parquet_batches(stream: BinaryIO, context: Context) -> Iterator[BoardBatch]:
    """Yield the boards of the rows that have cards; `read_parquet` has the contract.

    Boards read their tags from the stream when the first board is needed.
    """
    _need_pyarrow()
    from pavcodec.formats.parquet.arrays import read_batches

    yield from read_batches(stream, context)


def survey_parquet(stream: BinaryIO, context: Context) -> Iterator[BoardBatch | Board]:
    """Yield batches of plain boards, and the other boards; `ArrayCodec.survey` has the contract."""
    _need_pyarrow()
    from pavcodec.formats.parquet.arrays import survey

    yield from survey(stream, context)


def write_parquet(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a row for each board and return how many; it needs nothing but to write forward."""
    _need_pyarrow()
    from pavcodec.formats.parquet.writer import write_boards

    return write_boards(boards, stream, context)


def write_parquet_batches(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write the rows that `write_parquet` writes of the boards of batches."""
    _need_pyarrow()
    from pavcodec.formats.parquet.arrays import write_batches

    return write_batches(batches, stream, context)
