"""The format `parquet`, for DuckDB, Polars, Spark and other programs: a row for each board.

`parquet/columns.py` describes the columns. pyarrow reads and writes the files.

Rule 1: a row holds all parts of a board, so that the boards that are read are equal to the boards
        that were written.
Rule 2: values that a row has twice must agree; otherwise the row has a problem.
"""

from __future__ import annotations

from pavcodec.errors import PavError
from pavcodec.formats.format import ArrayCodec, Codec, lossless_format

__all__ = ["PARQUET"]


def _need_pyarrow() -> None:
    """Raise `PavError` if pyarrow is not installed."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise PavError(
            "Parquet is read and written by the package pyarrow: pip install 'pavcodec[parquet]'"
        ) from None


def _codec() -> Codec:
    _need_pyarrow()
    from pavcodec.formats.parquet.arrays import read_boards
    from pavcodec.formats.parquet.writer import write_boards

    return Codec(read_boards, write_boards)


def _arrays() -> ArrayCodec:
    _need_pyarrow()
    from pavcodec.formats.parquet.arrays import read_batches, survey, write_batches

    return ArrayCodec(read_batches, write_batches, survey)


PARQUET = lossless_format(
    "parquet",
    (".parquet",),
    "a table with a row for each board, for DuckDB, Polars and Spark; needs pyarrow",
    codec=_codec,
    arrays=_arrays,
    numbering="deal",
    is_text=False,
    starts=(b"PAR1",),
)
