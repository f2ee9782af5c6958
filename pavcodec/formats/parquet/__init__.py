"""Parquet, a table with a row for each board."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pavcodec.errors import MissingExtraError
from pavcodec.formats.format import ArrayCodec, Format, Label, lossless_format

# The format `parquet`, for DuckDB, Polars, Spark and other programs: a row for each board.
#
# After a colon, the name of the format has the columns of a file with only some of them.
#
# `parquet/columns.py` describes the columns. pyarrow reads and writes the files.
#
# Rule 1: a row holds all parts of a board, so that the boards that are read are equal to the boards
#         that were written.
# Rule 2: values that a row has twice must agree; otherwise the row has a problem.


def _need_pyarrow() -> None:
    """Raise `PavError` if pyarrow is not installed."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise MissingExtraError("parquet") from None


def _arrays(columns: tuple[str, ...] | None = None) -> ArrayCodec:
    _need_pyarrow()
    from pavcodec.formats.parquet.reading import read_batches
    from pavcodec.formats.parquet.writing import write_batches

    return ArrayCodec(read_batches, partial(write_batches, columns=columns))


PARQUET = lossless_format(
    "parquet",
    (".parquet",),
    "a table with a row for each board, for DuckDB, Polars and Spark; needs pyarrow",
    arrays=_arrays,
    numbering="deal",
    is_text=False,
    cannot_grow="its tables end with an index",
    starts=(b"PAR1",),
    needs="parquet",
    media="application/vnd.apache.parquet",
    label=Label("Tables and numbers", "Parquet", "", 23),
)


def parquet_form(name: str) -> Format:
    """Return the format of a name such as `parquet:number,south_hcp`; `selection` has the words.

    >>> parquet_form("parquet:board,number").name, parquet_form("parquet:number").keeps
    ('parquet:number,board', 'cards of whole deals')
    """
    from pavcodec.formats.parquet.columns import (
        columns_of_form,
        kept_tags,
        name_of_form,
        what_is_kept,
    )

    columns = columns_of_form(name)
    keeps_tags = "tags" in columns
    return replace(
        PARQUET,
        name=name_of_form(columns),
        summary=f"a table of the columns {', '.join(columns)}; needs pyarrow",
        keeps=what_is_kept(columns),
        loses="nothing" if keeps_tags else "all other tags",
        arrays=partial(_arrays, columns),
        keeps_tags=keeps_tags,
        kept_tags=frozenset() if keeps_tags else kept_tags(columns),
        starts=(),
    )
