"""Parquet: rows from arrays and their owners again, against boards one by one."""

from __future__ import annotations

import io
from typing import Any

import pytest

import pavcodec as pav
from pavcodec.boards import Context
from pavcodec.boards.batch import BoardBatch, Wanted
from pavcodec.formats import format_of
from pavcodec.formats.arrays import read_rows

pytest.importorskip("pyarrow")

DEALS = 100_000
FEW = 5_000


@pytest.fixture(scope="module")
def batch() -> BoardBatch:
    return BoardBatch(pav.numbering("deal").sample_many(DEALS, seed=2026))


def written(batch: BoardBatch) -> bytes:
    stream = io.BytesIO()
    format_of("parquet").write_batches([batch], stream, Context("deals"))
    return stream.getvalue()


def read(data: bytes) -> int:
    parts = read_rows(format_of("parquet"), io.BytesIO(data), Context("deals"))
    return sum(len(part.owners) for part in parts)


def written_one_by_one(boards: list[pav.Board]) -> bytes:
    stream = io.BytesIO()
    pav.write(boards, stream, format="parquet")
    return stream.getvalue()


def read_one_by_one(data: bytes) -> int:
    return sum(1 for _ in pav.read(io.BytesIO(data), format="parquet"))


@pytest.mark.benchmark(group="write Parquet")
def test_write_yardstick_one_by_one(benchmark: Any, batch: BoardBatch) -> None:
    benchmark.extra_info["items"] = FEW
    boards = list(BoardBatch(batch.owners[:FEW]))
    benchmark.pedantic(written_one_by_one, (boards,), rounds=5, warmup_rounds=1)


@pytest.mark.benchmark(group="write Parquet")
def test_write_batches(benchmark: Any, batch: BoardBatch) -> None:
    benchmark.extra_info["items"] = DEALS
    data = benchmark.pedantic(written, (batch,), rounds=5, warmup_rounds=1)
    assert 8 * len(data) < 480 * DEALS


@pytest.mark.benchmark(group="read Parquet")
def test_read_yardstick_one_by_one(benchmark: Any, batch: BoardBatch) -> None:
    benchmark.extra_info["items"] = FEW
    data = written(BoardBatch(batch.owners[:FEW]))
    assert benchmark.pedantic(read_one_by_one, (data,), rounds=5, warmup_rounds=1) == FEW


@pytest.mark.benchmark(group="read Parquet")
def test_read_owners(benchmark: Any, batch: BoardBatch) -> None:
    benchmark.extra_info["items"] = DEALS
    assert benchmark.pedantic(read, (written(batch),), rounds=5, warmup_rounds=1) == DEALS


def survey(data: bytes) -> int:
    parts = format_of("parquet").read_batches(io.BytesIO(data), Context("deals"), Wanted.CHECKED)
    return sum(map(len, parts))


@pytest.mark.benchmark(group="survey Parquet")
def test_survey_yardstick_one_by_one(benchmark: Any, batch: BoardBatch) -> None:
    benchmark.extra_info["items"] = FEW
    data = written(BoardBatch(batch.owners[:FEW], 1))
    assert benchmark.pedantic(read_one_by_one, (data,), rounds=5, warmup_rounds=1) == FEW


@pytest.mark.benchmark(group="survey Parquet")
def test_survey(benchmark: Any, batch: BoardBatch) -> None:
    benchmark.extra_info["items"] = DEALS
    data = written(BoardBatch(batch.owners, 1))
    assert benchmark.pedantic(survey, (data,), rounds=5, warmup_rounds=1) == DEALS
