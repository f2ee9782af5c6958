"""The format `parquet`."""

from __future__ import annotations

from pavcodec.formats.format import ArrayCodec, Codec, Format

__all__ = ["PARQUET"]


def _codec() -> Codec:
    from pavcodec.formats.parquet.files import read_parquet, write_parquet

    return Codec(read_parquet, write_parquet)


def _arrays() -> ArrayCodec:
    from pavcodec.formats.parquet.files import (
        read_parquet_batches,
        survey_parquet,
        write_parquet_batches,
    )

    return ArrayCodec(read_parquet_batches, write_parquet_batches, survey_parquet)


PARQUET = Format(
    "parquet",
    (".parquet",),
    "a table with a row for each board, for DuckDB, Polars and Spark; needs pyarrow",
    "cards, every tag, section and comment",
    _codec,
    _arrays,
    keeps_tags=True,
    loses="nothing",
    is_cards_only=False,
    numbering="deal",
    is_text=False,
    starts=(b"PAR1",),
)
