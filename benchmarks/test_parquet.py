"""Parquet: rows from arrays and their owners again; bits for each deal."""

from __future__ import annotations

import io
from typing import Any

import pytest

import pavcodec as pav
from pavcodec.convert import format_of
from pavcodec.formats import Context
from pavcodec.formats.batches import BoardBatch

pytest.importorskip("pyarrow")

DEALS = 100_000


@pytest.fixture(scope="module")
def batch() -> BoardBatch:
    return BoardBatch(pav.numbering("deal").sample_many(DEALS, seed=2026))


def written(batch: BoardBatch) -> bytes:
    stream = io.BytesIO()
    format_of("parquet").write_batches([batch], stream, Context("deals"))
    return stream.getvalue()


def read(data: bytes) -> int:
    parts = format_of("parquet").read_owners(io.BytesIO(data), Context("deals"))
    return sum(len(part) for part in parts)


@pytest.mark.benchmark(group="Parquet, 100,000 deals")
def test_write(benchmark: Any, batch: BoardBatch) -> None:  # noqa: ANN401
    benchmark.extra_info["items"] = DEALS
    data = benchmark.pedantic(written, (batch,), rounds=5, warmup_rounds=1)
    benchmark.extra_info["bits_per_deal"] = 8 * len(data) / DEALS
    assert 8 * len(data) < 480 * DEALS


@pytest.mark.benchmark(group="Parquet, 100,000 deals")
def test_read(benchmark: Any, batch: BoardBatch) -> None:  # noqa: ANN401
    benchmark.extra_info["items"] = DEALS
    assert benchmark.pedantic(read, (written(batch),), rounds=5, warmup_rounds=1) == DEALS
