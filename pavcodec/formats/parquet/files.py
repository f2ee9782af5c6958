"""Parquet, for DuckDB, Polars, Spark and other programs: a row for each board.

`parquet/columns.py` describes the columns. This module imports no package; its functions import
pyarrow, which reads and writes the files.

Rule 1: a row holds all parts of a board, so that the boards that are read are equal to the boards
        that were written.
Rule 2: values that a row has twice must agree; otherwise the row has a problem.
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
    """Yield a board for each row; rows without one are problems, with their number from 0.

    The reader takes some thousand rows at a time. It copies streams without a seek, such as pipes,
    to a temporary file. A damaged row group is a problem, and the reader continues after it.
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
    """Write a row for each board, and return how many; the stream needs no seek."""
    _need_pyarrow()
    from pavcodec.formats.parquet.writer import write_boards

    return write_boards(boards, stream, context)


def write_parquet_batches(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write the rows that `write_parquet` writes of the boards of batches."""
    _need_pyarrow()
    from pavcodec.formats.parquet.arrays import write_batches

    return write_batches(batches, stream, context)
