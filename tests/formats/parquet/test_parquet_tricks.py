"""The column of tricks of Parquet: arrays against boards, other writers, damage, old files."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tricks_support import rows_of_tricks

import pavcodec as pav
from pavcodec.boards.batch import BoardBatch
from pavcodec.boards.board import Board, Tag
from pavcodec.boards.tricks import RESULT_TABLE, TRICK_DIGITS

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

DEALS = pav.numbering("deal").sample_many(8, seed=5)
COLUMN = "double_dummy_tricks"


def written(boards: object) -> bytes:
    stream = io.BytesIO()
    pav.write(boards, stream, format="parquet")  # type: ignore[arg-type]
    return stream.getvalue()


def read(data: bytes) -> tuple[list[Board], list[str]]:
    problems: list[pav.Problem] = []
    found = pav.read(io.BytesIO(data), format="parquet", report=problems.append)
    return list(found), [problem.reason for problem in problems]


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(rows_of_tricks(8), st.booleans(), st.booleans())
def test_arrays_equal_boards(rows: list[list[int]], tags: bool, solved: bool) -> None:
    tricks = np.array(rows, np.uint8)
    if solved:
        tricks[0] = 7
    more: dict[str, object] = {"first": 3, "tags": {"Event": "Club"}} if tags else {}
    batch = BoardBatch(DEALS[: len(rows)], tricks=tricks, **more)  # type: ignore[arg-type]
    data = written(list(batch))
    stream = io.BytesIO()
    pav.write_owners(batch, stream, format="parquet")
    assert stream.getvalue() == data
    has_column = COLUMN in pq.read_schema(io.BytesIO(data)).names
    assert has_column == (255 not in tricks[0])
    assert read(data) == (list(batch), [])
    ((owners, found),) = pav.read_solved(io.BytesIO(data), format="parquet")
    assert (owners == batch.owners).all()
    assert (found == tricks).all()


def test_tables_stay_where_they_are() -> None:
    solved = Board.make(
        pav.Deal(DEALS[0].tobytes()), number=3, tricks=pav.TrickTable(bytes([7] * 20))
    )
    *rest, tag = solved.entries
    digits = Tag(TRICK_DIGITS, "7" * 20)
    entries: list[list[Tag]] = [
        [*rest, tag],
        [tag, *rest],
        [*rest, digits],
        [*rest, digits, tag],
        [*rest, tag, tag],
        [*rest, Tag(RESULT_TABLE, "")],
        [*rest, Tag(RESULT_TABLE, tag.value, tag.lines[:3])],
        [tag],
        rest,
        [],
    ]
    boards = [Board(solved.layout, tuple(each)) for each in entries]
    boards.append(Board(None, solved.entries))
    data = written(boards)
    assert read(data) == (boards, [])
    column = pq.read_table(io.BytesIO(data)).column(COLUMN).to_pylist()
    assert column[0] == column[2] == column[7] == [7] * 20
    assert column[6].count(None) == 17
    assert column[5] is column[8] is column[9] is None


def test_files_without_tricks_have_the_same_columns_as_before() -> None:
    names = pq.read_schema(io.BytesIO(written(list(BoardBatch(DEALS, first=1))))).names
    assert COLUMN not in names
    assert names[-1] == "tags"


@pytest.mark.parametrize("kind", [pa.uint8(), pa.int64()])
@pytest.mark.parametrize("make", [pa.list_, pa.large_list, lambda kind: pa.list_(kind, 20)])
def test_columns_of_other_programs(kind: object, make: object) -> None:
    rows = [[9] * 20, None, [None] * 4 + [3] * 16]
    texts = [str(board.layout) for board in BoardBatch(DEALS[:3])]
    tricks = pa.array(rows, make(kind))  # type: ignore[operator]
    stream = io.BytesIO()
    pq.write_table(pa.table({"deal": texts, COLUMN: tricks}), stream)
    boards, problems = read(stream.getvalue())
    assert problems == []
    assert [board.results for board in boards] == [
        bytes([9] * 20),
        bytes([255] * 20),
        bytes([255] * 4 + [3] * 16),
    ]
    found = list(pav.read_solved(io.BytesIO(stream.getvalue()), format="parquet"))
    results = [row.tobytes() for _, part in found for row in part]
    assert results == [board.results for board in boards]


def test_wrong_tricks_are_problems() -> None:
    rows = [[14] * 20, [7] * 19, [-1] * 20, [7] * 20]
    texts = [str(board.layout) for board in BoardBatch(DEALS[:4])]
    stream = io.BytesIO()
    pq.write_table(pa.table({"deal": texts, COLUMN: rows}), stream)
    boards, problems = read(stream.getvalue())
    assert [board.tricks is None for board in boards] == [True, True, True, False]
    assert [reason[:26] for reason in problems] == [
        f"row {row}: double_dummy_tricks" for row in range(3)
    ]
    assert all("expected 20 numbers of 0 to 13" in reason for reason in problems)


def test_tags_that_disagree_are_a_problem() -> None:
    board = Board.make(pav.Deal(DEALS[0].tobytes()), tags={TRICK_DIGITS: "7" * 20})
    table = pq.read_table(io.BytesIO(written([board])))
    place = table.schema.get_field_index(COLUMN)
    changed = table.set_column(place, COLUMN, pa.array([[6] * 20], pa.list_(pa.uint8())))
    stream = io.BytesIO()
    pq.write_table(changed, stream)
    boards, (reason,) = read(stream.getvalue())
    assert boards == [board]
    assert "double_dummy_tricks is [6, 6" in reason
    assert "the tags say [7, 7" in reason
