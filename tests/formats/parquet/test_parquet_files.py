"""Parquet files that are not as pavcodec writes them: those of others, and damaged ones."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
import pytest
from batches_support import assert_the_same
from formats_support import DEAL, DEMO, ENDING, NUMBER, owners_read, read_format
from hypothesis import given, settings
from hypothesis import strategies as st

import pavcodec as pav
from pavcodec import Board, Layout, numbering
from pavcodec.boards import Context, Problem
from pavcodec.boards.batch import BoardBatch
from pavcodec.boards.board import Tag
from pavcodec.boards.tricks import TRICK_DIGITS
from pavcodec.formats import format_of
from pavcodec.formats.parquet.columns import HANDS, METADATA_KEY, TRICKS

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

PARQUET = format_of("parquet")
BYTES = NUMBER.to_bytes(12, "big")
PLACES = dict(zip(HANDS, DEAL.removeprefix("N:").split(" "), strict=True))
BOARD = Board.make(Layout.from_pbn(DEAL), number=7)


def saved(table: Any, described: bytes | None = None) -> bytes:
    stream = io.BytesIO()
    metadata = {} if described is None else {METADATA_KEY: described}
    pq.write_table(table.replace_schema_metadata(metadata), stream)
    return stream.getvalue()


def of_columns(**columns: Any) -> bytes:
    return saved(pa.table(columns))


def ours(boards: list[Board], form: str = "parquet", /, **changed: Any) -> bytes:
    """The bytes of boards, with other values in some columns."""
    stream = io.BytesIO()
    format_of(form).write(boards, stream, Context("x"))
    table = pq.read_table(io.BytesIO(stream.getvalue()))
    for name, values in changed.items():
        place = table.schema.names.index(name)
        table = table.set_column(place, name, pa.array(values, table.schema.field(name).type))
    return saved(table, b'{"format": "boards", "version": 1}')


class Both(NamedTuple):
    """What the two ways of reading made of a file."""

    texts: list[str | None]
    problems: list[str]


def both(data: bytes) -> Both:
    """Read a file in both ways, which agree on the cards and on what is wrong with them."""
    assert_the_same("parquet", data)
    reading = read_format("parquet", data)
    return Both(reading.layouts, [str(problem) for problem in reading.problems])


ONE = {name: [hand] for name, hand in PLACES.items()}
TWO: dict[str, Any] = {name: [hand, None] for name, hand in PLACES.items()}
SMALL = [str(numbering("deal")[number]) for number in (0, 5)]
NUMBERS = (
    pa.array([BYTES], pa.binary(12)),
    pa.array([BYTES]),
    pa.array([BYTES], pa.large_binary()),
    pa.array([BYTES], pa.binary_view()),
    pa.array([Decimal(NUMBER)], pa.decimal128(38, 0)),
    pa.array([f"{NUMBER:,}"]),
    pa.array([hex(NUMBER)], pa.string_view()),
    pa.array([str(NUMBER)]).dictionary_encode(),
)
GOOD: list[tuple[dict[str, Any], Sequence[str | None]]] = [
    *[({"number": each}, [DEAL]) for each in NUMBERS],
    *[({"number": each, **ONE}, [DEAL]) for each in NUMBERS],
    ({"number": [0, 5]}, SMALL),
    ({"number": ["0", "5"]}, SMALL),
    ({"deal": [DEAL, None, ENDING]}, [DEAL, None, ENDING]),
    (TWO, [DEAL, None]),
    ({k: pa.array(v, pa.large_string()) for k, v in TWO.items()} | {"o": [1, 2]}, [DEAL, None]),
    ({"number": [BYTES], "south": [PLACES["south"]]}, [DEAL]),
    ({"deal": [DEAL], "north_hcp": [10.25]}, [DEAL]),  # of others: it need not follow
]


def test_columns_of_others_are_read() -> None:
    for columns, texts in GOOD:
        assert both(of_columns(**columns)) == (texts, []), columns


def test_columns_of_others_become_tags() -> None:
    data = of_columns(
        number=[BYTES] * 3,
        board=[7, None, 12],
        dealer=["S", None, "x"],
        vulnerable=["Both", None, "some"],
    )
    reading = read_format("parquet", data)
    assert [dict(board.tags) for board in reading.boards] == [
        {"Board": "7", "Dealer": "S", "Vulnerable": "All"}, {}, {"Board": "12"},
    ]  # fmt: skip
    assert [str(problem) for problem in reading.problems] == [
        "in.parquet: board 12: row 2: dealer 'x' is not one of N E S W",
        "in.parquet: board 12: row 2: vulnerability 'some' is not one of None NS EW All",
    ]
    two = [("Event", "Club"), ("Site", None)]
    as_map = pa.array([two], pa.map_(pa.string(), pa.string()))
    plain = pa.struct([("name", pa.string()), ("value", pa.string())])
    as_list = pa.array([[{"name": name, "value": value} for name, value in two]], pa.list_(plain))
    for tags in (as_map, as_list):
        (board,) = read_format("parquet", of_columns(number=[BYTES], tags=tags)).boards
        assert board.entries == (Tag("Event", "Club"), Tag("Site", ""))
    (board,) = read_format("parquet", of_columns(number=[BYTES], board=["1-1"])).boards
    assert board.tags == {"Board": "1-1"}


NO_CARDS = """\
there is no column of cards: expected 'number', 'deal', or all of 'north', 'east', 'south', \
'west', not 'north, points'"""
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"north": ["A..."], "points": [3]}, NO_CARDS),
    ({"a\nb": [5]}, NO_CARDS.replace("north, points", r"a\nb")),
    ({"number": [1.5]}, "column 'number' holds 'double', expected 12 bytes, a decimal"),
    ({"deal": [5]}, "column 'deal' holds 'int64', expected a text"),
    ({"number": [5], "dealer": [1]}, "column 'dealer' holds 'int64', expected a text"),
    ({"number": [5], "tags": ["x"]}, "column 'tags' holds 'string', expected a list of"),
    ({"number": [5], "tags": [["x"]]}, "column 'tags' holds 'list<"),
]
DAMAGED = "the description in the metadata, under 'pavcodec', is damaged"
VERSION = """\
the metadata say 'boards' of version 3; this pavcodec reads 'boards' of the versions 1 and 2"""
NO_PARQUET = "this is no whole Parquet file: "


def test_files_that_are_something_else_are_one_problem() -> None:
    five = pa.table({"number": [5]})
    twice = pa.Table.from_arrays([pa.array([5]), pa.array([6])], names=["number", "number"])
    whole = ours([BOARD])
    for data, reason in (
        *((of_columns(**columns), reason) for columns, reason in REFUSED),
        (saved(twice), "there are 2 columns 'number'"),
        (saved(five, b""), DAMAGED),
        (saved(five, b"[]"), DAMAGED),
        (saved(five, b'{"format": "boards", "version": 3}'), VERSION),
        *((data, NO_PARQUET) for data in (b"", b"PAR1" * 2, b"PAR1" * 5, bytes(1000))),
        *((whole[:size], NO_PARQUET) for size in (4, len(whole) // 2, len(whole) - 1)),
    ):
        texts, (problem,) = both(data)
        assert texts == []
        assert problem.startswith(f"in.parquet: {reason}")
        assert "\n" not in problem


CARDS_ARE = f"and the cards are '{DEAL}'"
WRONG: list[tuple[str, Any, str]] = [
    ("number", (NUMBER + 1).to_bytes(12, "big"), f"the number {NUMBER + 1} is that of '"),
    ("north", PLACES["east"], "card S9 is in two hands, North's and East's: 'N:"),
    ("east", "972.A8764.A82 AK", "east is '972.A8764.A82 AK', expected a hand such as"),
    ("south_hcp", 99, f"south_hcp is 99, {CARDS_ARE}"),
    ("west_shape", "5332", f"west_shape is '5332', {CARDS_ARE}"),
]


def test_what_disagrees_is_a_problem_of_its_row() -> None:
    good = pq.read_table(io.BytesIO(ours([BOARD]))).to_pylist()[0]
    both_hands = {k: [*v, None, *v] for k, v in ONE.items()} | {"north": ONE["north"] * 3}
    souths = [PLACES["south"], "AK...", None]
    for data, reason in (
        *((ours([BOARD] * 3, **{n: [good[n], v, good[n]]}), why) for n, v, why in WRONG),
        (ours([BOARD] * 3, "parquet:number,south_hcp", south_hcp=[8, 9, 8]),
         f"south_hcp is 9, {CARDS_ARE}"),
        (of_columns(number=[BYTES] * 3, south=souths), f"south is 'AK...', {CARDS_ARE}"),
        (of_columns(number=[BYTES, bytes(11), BYTES]), "the number has 11 bytes, expected 12"),
        (of_columns(number=[BYTES, b"\xff" * 12, BYTES]), "numbering 'deal' has numbers 0 to "),
        (of_columns(**both_hands), "there is no hand for east, south, west"),
    ):  # fmt: skip
        texts, (problem,) = both(data)
        assert texts == [DEAL] * 2
        assert problem.startswith(f"in.parquet: row 1: {reason}")


def test_null_says_nothing() -> None:
    for names in (("number", "north_hcp", "west_shape", "dealer"), HANDS):
        assert both(ours([BOARD], **{name: [None] for name in names})) == ([DEAL], [])
    found = both(ours([Board.make(None, number=1)], north_hcp=[4]))
    assert found == ([], ["in.parquet: row 0: north_hcp is 4, and there are no cards"])


AGAINST_TAGS: list[tuple[dict[str, str] | None, dict[str, list[Any]], str]] = [
    ({"Board": "7"}, {"board": [8]}, "board is 8, and the tags say 7"),
    ({"Board": "7"}, {"dealer": ["N"]}, "dealer is 'N', and the tags say 'S'"),
    ({"Board": "0"}, {"board": [0]}, "board is 0, and the tags say None"),
    ({"Dealer": "X"}, {"dealer": ["X"]}, "dealer is 'X', and the tags say None"),
    ({"Vulnerable": "Love"}, {"vulnerable": ["Love"]}, "vulnerable is 'Love', and the tags"),
    ({"Event": "Club"}, {"dealer": ["N"]}, "dealer is 'N', and the tags say None"),
    ({"Event": "Club"}, {"vulnerable": ["EW"]}, "vulnerable is 'EW', and the tags say None"),
    (None, {"dealer": ["X"], "tags": [None]}, "dealer 'X' is not one of N E S W"),
]


def test_columns_that_disagree_with_the_tags() -> None:
    for tags, columns, reason in AGAINST_TAGS:
        board = Board.make(Layout.from_pbn(DEAL), tags=tags)
        texts, (problem,) = both(ours([board], **columns))
        assert texts == [DEAL]
        assert f"row 0: {reason}" in problem


@pytest.mark.parametrize("make", [pa.list_, pa.large_list, lambda kind: pa.list_(kind, 20)])
def test_tricks_of_other_programs(make: Any) -> None:
    rows = [[9] * 20, None, [None] * 4 + [3] * 16]
    results = [bytes([9] * 20), bytes([255] * 20), bytes([255] * 4 + [3] * 16)]
    for kind in (pa.uint8(), pa.int64()):
        data = of_columns(**{"deal": [DEAL] * 3, TRICKS: pa.array(rows, make(kind))})
        reading = read_format("parquet", data)
        assert [board.results for board in reading.boards] == results
        assert reading.problems == []
        found = pav.read_solved(io.BytesIO(data), format="parquet")
        assert [row.tobytes() for _, part in found for row in part] == results


def test_wrong_tricks_are_problems() -> None:
    rows = [[14] * 20, [7] * 19, [-1] * 20, [7] * 20]
    reading = read_format("parquet", of_columns(**{"deal": [DEAL] * 4, TRICKS: rows}))
    assert [board.tricks is None for board in reading.boards] == [True, True, True, False]
    for row, problem in enumerate(reading.problems):
        assert problem.reason.startswith(f"row {row}: double_dummy_tricks")
        assert "expected 20 numbers of 0 to 13" in problem.reason
    board = Board.make(Layout.from_pbn(DEAL), tags={TRICK_DIGITS: "7" * 20})
    reading = read_format("parquet", ours([board], **{TRICKS: [[6] * 20]}))
    assert reading.boards == [board]
    assert "double_dummy_tricks is [6, 6" in reading.problem.reason
    assert "the tags say [7, 7" in reading.problem.reason


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_flipped_bytes_are_problems_or_change_nothing(chance: random.Random) -> None:
    boards = list(pav.read(DEMO))[:5]
    stream = io.BytesIO()
    PARQUET.write(boards, stream, Context("x"))
    data = bytearray(stream.getvalue())
    for _ in range(chance.choice((1, 1, 3))):
        data[chance.randrange(len(data))] ^= chance.randrange(1, 256)
    reading = read_format("parquet", bytes(data))
    list(owners_read(PARQUET, io.BytesIO(bytes(data)), Context("x", lambda _: None)))
    assert all("\n" not in str(problem) for problem in reading.problems)
    if not reading.problems:
        layouts = [board.layout for board in boards]
        assert [board.layout for board in reading.boards] == layouts


def test_damaged_row_groups_are_problems() -> None:
    data = bytearray(of_columns(number=[5] * 99))
    counts = [at for at in range(len(data) - 1) if data[at : at + 2] == bytes([0x16, 198])]
    data[counts[0] + 1] -= 2  # 99 is written as 198, in the footer too
    texts, (text,) = both(bytes(data))
    assert len(texts) < 99
    assert "\n" not in text
    owners = numbering("deal").sample_many(66_000, seed=7)
    stream = io.BytesIO()
    PARQUET.write_batches([BoardBatch(owners)], stream, Context("x"))
    data = bytearray(stream.getvalue())
    data[1000] ^= 255
    problems: list[Problem] = []
    parts = owners_read(PARQUET, io.BytesIO(bytes(data)), Context("x", problems.append))
    assert (np.concatenate(list(parts)) == owners[65_536:]).all()
    (problem,) = problems
    assert str(problem).startswith("x: row group 0 is damaged from row 0 on: ")


def test_what_other_programs_write_of_our_rows_is_read(tmp_path: Any) -> None:
    duckdb = pytest.importorskip("duckdb")
    polars = pytest.importorskip("polars")
    boards = list(pav.read(DEMO))
    path = str(tmp_path / "boards.parquet")
    pav.write(boards, path)
    duckdb.read_parquet(path).write_parquet(str(tmp_path / "duckdb.parquet"))
    polars.read_parquet(path).write_parquet(tmp_path / "polars.parquet")
    for name in ("duckdb", "polars"):
        assert list(pav.read(tmp_path / f"{name}.parquet")) == boards
        both((tmp_path / f"{name}.parquet").read_bytes())
