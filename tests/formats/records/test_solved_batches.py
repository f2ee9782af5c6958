"""Records of solved deals as arrays, against the readers and writers of boards."""

from __future__ import annotations

import io

import numpy as np
import pytest

import pavcodec as pav
from pavcodec.boards.batch import BoardBatch, Wanted, singles
from pavcodec.boards.board import Context
from pavcodec.formats import format_of
from pavcodec.records import record

NAMES = ["zrd", "gib-library"]


def solved(count: int) -> BoardBatch:
    tricks = np.random.default_rng(8).integers(0, 14, (count, 20)).astype(np.uint8)
    return BoardBatch(pav.numbering("deal").sample_many(count, seed=8), tricks=tricks)


def written(boards: object, name: str) -> bytes:
    stream = io.BytesIO()
    pav.write(boards, stream, format=name)  # type: ignore[arg-type]
    return stream.getvalue()


@pytest.mark.parametrize("name", NAMES)
def test_arrays_equal_boards(name: str) -> None:
    batch = solved(300)
    data = written(batch, name)
    stream = io.BytesIO()
    assert pav.write_owners(batch, stream, format=name) == 300
    assert stream.getvalue() == data
    ((owners, tricks),) = pav.read_solved(io.BytesIO(data), format=name)
    assert (owners == batch.owners).all()
    assert (tricks == batch.tricks).all()
    boards = list(pav.read(io.BytesIO(data), format=name))
    assert list(BoardBatch(owners, tricks=tricks)) == boards
    (found,) = format_of(name).read_batches(io.BytesIO(data), Context("x"), Wanted.BOARDS)
    assert isinstance(found, BoardBatch)
    assert list(found) == boards


@pytest.mark.parametrize("name", NAMES)
def test_wrong_records_are_the_same_problems(name: str) -> None:
    data = bytearray(written(solved(40), name))
    size = record(name).size
    data[3 * size] ^= 0x11  # cards
    data[7 * size + size - 1] = 0xFF  # tricks
    data += b"rest"
    expected: list[pav.Problem] = []
    boards = list(pav.read(io.BytesIO(bytes(data)), format=name, report=expected.append))
    found: list[pav.Problem] = []
    batches = pav.read_solved(io.BytesIO(bytes(data)), format=name, report=found.append)
    rows = [board for owners, t in batches for board in BoardBatch(owners, tricks=t)]
    assert rows == boards
    assert len(rows) < 40
    assert [problem.reason for problem in found] == [problem.reason for problem in expected]


@pytest.mark.parametrize("name", NAMES)
def test_rows_without_tricks_are_written_one_by_one(name: str) -> None:
    batch = solved(5)
    assert batch.tricks is not None
    batch.tricks[2] = 255
    written_by: list[bytes] = []
    target = format_of(name)
    for items in (singles(batch), [batch]):
        problems: list[pav.Problem] = []
        stream = io.BytesIO()
        context = Context("x", problems.append)
        assert target.write_batches(items, stream, context) == 4
        assert ["no double-dummy tricks" in problem.reason for problem in problems] == [True]
        written_by.append(stream.getvalue())
    assert written_by[0] == written_by[1]
