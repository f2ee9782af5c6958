"""Parquet files that are not as pavcodec writes them: those of others, and damaged ones."""

from __future__ import annotations

import io
import random
import subprocess
import sys
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
import pytest
from formats_support import DEAL, DEMO, ENDING, NUMBER, census, owners_read, read_format
from hypothesis import given, settings
from hypothesis import strategies as st
from packages import needs

import pavcodec as pav
from pavcodec import Board, Layout, ReadError, numbering
from pavcodec.boards import Context, Problem
from pavcodec.boards.batch import BoardBatch, Wanted
from pavcodec.boards.board import Tag
from pavcodec.formats import format_of
from pavcodec.formats.parquet.columns import HANDS, METADATA_KEY

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

PARQUET = format_of("parquet")
BYTES = NUMBER.to_bytes(12, "big")
PLACES = dict(zip(HANDS, DEAL.removeprefix("N:").split(" "), strict=True))
BOARD = Board.make(Layout.from_pbn(DEAL), number=7)


def saved(table: Any, *, is_ours: bool = False, **options: Any) -> bytes:
    stream = io.BytesIO()
    metadata = {METADATA_KEY: b'{"format": "boards", "version": 1}'} if is_ours else {}
    pq.write_table(table.replace_schema_metadata(metadata), stream, **options)
    return stream.getvalue()


def of_columns(**columns: Any) -> bytes:
    return saved(pa.table(columns))


def ours(boards: list[Board], **changed: Any) -> bytes:
    """The bytes of boards, with other values in some columns."""
    stream = io.BytesIO()
    PARQUET.write(boards, stream, Context("x"))
    table = pq.read_table(io.BytesIO(stream.getvalue()))
    for name, values in changed.items():
        place = table.schema.names.index(name)
        kind = table.schema.field(name).type
        table = table.set_column(place, name, pa.array(values, kind))
    return saved(table, is_ours=True)


class Both(NamedTuple):
    """What the two ways of reading made of a file."""

    texts: list[str | None]
    problems: list[str]


def both(data: bytes) -> Both:
    """Read a file in both ways, which agree on the cards and on what is wrong with them."""
    reading = read_format("parquet", data)
    problems: list[Problem] = []
    context = Context("in.parquet", problems.append)
    parts = list(owners_read(PARQUET, io.BytesIO(data), context))
    layouts = [board.layout for board in reading.boards if board.layout is not None]
    assert [row.tobytes() for part in parts for row in part] == [each.owners for each in layouts]
    assert set(problems) <= set(reading.problems)
    counted, known = (
        census("parquet", io.BytesIO(data), wanted) for wanted in (Wanted.CHECKED, Wanted.BOARDS)
    )
    assert counted == known
    return Both(reading.layouts, [str(problem) for problem in reading.problems])


NUMBERS = {
    "fixed": pa.array([BYTES], pa.binary(12)),
    "bytes": pa.array([BYTES]),
    "large": pa.array([BYTES], pa.large_binary()),
    "view": pa.array([BYTES], pa.binary_view()),
    "decimal": pa.array([Decimal(NUMBER)], pa.decimal128(38, 0)),
    "text": pa.array([f"{NUMBER:,}"]),
    "hexadecimal": pa.array([hex(NUMBER)], pa.string_view()),
    "dictionary": pa.array([str(NUMBER)]).dictionary_encode(),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_of_any_type_are_read(name: str) -> None:
    assert both(of_columns(number=NUMBERS[name])) == ([DEAL], [])
    assert both(of_columns(number=NUMBERS[name], **{k: [v] for k, v in PLACES.items()})) == (
        [DEAL], [],
    )  # fmt: skip


def test_small_numbers_are_integers() -> None:
    texts = [str(numbering("deal")[number]) for number in (0, 5)]
    assert both(of_columns(number=[0, 5])) == (texts, [])
    assert both(of_columns(number=["123456789012"])).texts == [
        str(numbering("deal")[123456789012])
    ]  # fmt: skip


def test_a_deal_or_four_hands_are_enough() -> None:
    assert both(of_columns(deal=[DEAL, None, ENDING])) == ([DEAL, None, ENDING], [])
    hands: dict[str, Any] = {name: [hand, None] for name, hand in PLACES.items()}
    assert both(of_columns(**hands)) == ([DEAL, None], [])
    large = {name: pa.array(texts, pa.large_string()) for name, texts in hands.items()}
    assert both(of_columns(**large, other=[1, 2])) == ([DEAL, None], [])


def test_a_part_of_the_hands_is_checked_against_the_number() -> None:
    assert both(of_columns(number=[BYTES], south=[PLACES["south"]])) == ([DEAL], [])
    found = both(of_columns(number=[BYTES] * 2, south=[PLACES["south"], "AK..."]))
    assert found.texts == [DEAL]
    assert found.problems == [f"in.parquet: row 1: south is 'AK...', and the cards are '{DEAL}'"]
    hands = {name: [hand, None] for name, hand in PLACES.items()} | {"north": ["A...", "A..."]}
    assert (
        both(of_columns(**hands))
        .problems[-1]
        .endswith("row 1: there is no hand for east, south, west")
    )


def test_what_follows_from_the_hands_is_not_asked_of_the_files_of_others() -> None:
    assert both(of_columns(deal=[DEAL], north_hcp=[10.25])) == ([DEAL], [])


def test_columns_of_others_become_tags() -> None:
    data = of_columns(
        number=[BYTES] * 3,
        board=[7, None, 12],
        dealer=["S", None, "x"],
        vulnerable=["Both", None, "some"],
    )
    reading = read_format("parquet", data)
    assert [[(tag.name, tag.value) for tag in board.entries] for board in reading.boards] == [
        [("Board", "7"), ("Dealer", "S"), ("Vulnerable", "All")], [], [("Board", "12")],
    ]  # fmt: skip
    assert [str(problem) for problem in reading.problems] == [
        "in.parquet: board 12: row 2: dealer 'x' is not one of N E S W",
        "in.parquet: board 12: row 2: vulnerability 'some' is not one of None NS EW All",
    ]


def test_tags_of_others_are_a_list_or_a_map() -> None:
    two = [("Event", "Club"), ("Site", None)]
    as_map = pa.array([two], pa.map_(pa.string(), pa.string()))
    plain = pa.struct([("name", pa.string()), ("value", pa.string())])
    as_list = pa.array([[{"name": name, "value": value} for name, value in two]], pa.list_(plain))
    for tags in (as_map, as_list):
        (board,) = read_format("parquet", of_columns(number=[BYTES], tags=tags)).boards
        assert board.entries == (Tag("Event", "Club"), Tag("Site", ""))
    number = pa.array(["1-1"])
    (board,) = read_format("parquet", of_columns(number=[BYTES], board=number)).boards
    assert board.tags == {"Board": "1-1"}


NO_CARDS = """\
there is no column of cards: expected 'number', 'deal', or all of 'north', 'east', 'south', \
'west', not 'north, points'"""
REFUSED = {
    "no cards": ({"north": ["A..."], "points": [3]}, NO_CARDS),
    "number": ({"number": [1.5]}, "column 'number' holds 'double', expected 12 bytes, a decimal"),
    "deal": ({"deal": [5]}, "column 'deal' holds 'int64', expected a text"),
    "dealer": ({"number": [5], "dealer": [1]}, "column 'dealer' holds 'int64', expected a text"),
    "tags": ({"number": [5], "tags": ["x"]}, "column 'tags' holds 'string', expected a list of"),
    "a line end": ({"a\nb": [5]}, NO_CARDS.replace("north, points", r"a\nb")),
    "lists": ({"number": [5], "tags": [["x"]]}, "column 'tags' holds 'list<"),
}


@pytest.mark.parametrize(("columns", "reason"), REFUSED.values(), ids=REFUSED)
def test_columns_that_mean_something_else_are_refused(columns: Any, reason: str) -> None:
    texts, (problem,) = both(of_columns(**columns))
    assert texts == []
    assert problem.startswith(f"in.parquet: {reason}")


def test_a_column_that_comes_twice_is_refused() -> None:
    table = pa.Table.from_arrays([pa.array([5]), pa.array([6])], names=["number", "number"])
    assert both(saved(table)).problems == ["in.parquet: there are 2 columns 'number'"]


WRONG = {
    "number": ([(NUMBER + 1).to_bytes(12, "big")], f"the number {NUMBER + 1} is that of '"),
    "north": ([PLACES["east"]], "card S9 is in two hands, North's and East's: 'N:"),
    "east": (["972.A8764.A82 AK"], "east is '972.A8764.A82 AK', expected a hand such as"),
    "south_hcp": ([99], f"south_hcp is 99, and the cards are '{DEAL}'"),
    "west_shape": (["5332"], f"west_shape is '5332', and the cards are '{DEAL}'"),
}


@pytest.mark.parametrize(("name", "case"), WRONG.items())
def test_what_disagrees_is_a_problem_of_its_row(name: str, case: tuple[list[Any], str]) -> None:
    values, reason = case
    boards = [BOARD] * 3
    good = pq.read_table(io.BytesIO(ours(boards)), columns=[name])[name].to_pylist()
    texts, (problem,) = both(ours(boards, **{name: [good[0], *values, good[2]]}))
    assert texts == [DEAL] * 2
    assert problem.startswith(f"in.parquet: row 1: {reason}")


def test_strict_reading_stops_at_a_row_that_disagrees() -> None:
    data = ours([BOARD] * 2, south_hcp=[8, 12])
    boards = pav.read(io.BytesIO(data), format="parquet", strict=True)
    assert next(boards) == BOARD
    with pytest.raises(ReadError, match="row 1: south_hcp is 12, and the cards are"):
        next(boards)


def test_null_says_nothing() -> None:
    nothing = {name: [None] for name in ("number", "north_hcp", "west_shape", "dealer")}
    assert both(ours([BOARD], **nothing)) == ([DEAL], [])
    hands = {name: [None] for name in HANDS}
    assert both(ours([BOARD], **hands)) == ([DEAL], [])


def test_without_cards_nothing_follows() -> None:
    found = both(ours([Board.make(None, number=1)], north_hcp=[4]))
    assert found == ([], ["in.parquet: row 0: north_hcp is 4, and there are no cards"])


def test_tags_that_disagree_are_a_problem_and_the_board_is_read() -> None:
    data = ours([BOARD], board=[8], dealer=["N"], vulnerable=["All"])
    reading = read_format("parquet", data)
    assert reading.boards == [BOARD]
    assert [str(problem) for problem in reading.problems] == [
        "in.parquet: board 7: row 0: board is 8, and the tags say 7",
        "in.parquet: board 7: row 0: dealer is 'N', and the tags say 'S'",
    ]


def test_numbers_out_of_range_are_problems() -> None:
    rows = [bytes(12), b"\xff" * 12, bytes(11), BYTES]
    texts, problems = both(of_columns(number=rows))
    assert texts == [str(numbering("deal")[0]), DEAL]
    assert problems[0].startswith("in.parquet: row 1: numbering 'deal' has numbers 0 to ")
    assert problems[1] == "in.parquet: row 2: the number has 11 bytes, expected 12"


@pytest.mark.parametrize(
    ("described", "reason"),
    [
        (b"", "the description in the metadata, under 'pavcodec', is damaged"),
        (b"[]", "the description in the metadata, under 'pavcodec', is damaged"),
        (
            b'{"format": "boards", "version": 3}',
            (
                "the metadata say 'boards' of version 3; this pavcodec reads 'boards' of the "
                "versions 1 and 2"
            ),
        ),
    ],
)
def test_the_description_is_checked(described: bytes, reason: str) -> None:
    table = pa.table({"number": [5]}).replace_schema_metadata({METADATA_KEY: described})
    stream = io.BytesIO()
    pq.write_table(table, stream)
    assert both(stream.getvalue()) == ([], [f"in.parquet: {reason}"])


@pytest.mark.parametrize(
    "data", [b"", b"PAR1", b"PAR1PAR1", b"PAR1" * 5, DEAL.encode(), bytes(1000)]
)
def test_bytes_that_are_no_parquet_are_one_problem(data: bytes) -> None:
    texts, (problem,) = both(data)
    assert texts == []
    assert problem.startswith("in.parquet: this is no whole Parquet file: ")
    assert "\n" not in problem


def test_a_file_that_is_cut_off_is_one_problem() -> None:
    data = ours(list(pav.read(DEMO)))
    for size in [*range(0, len(data), len(data) // 40), len(data) - 1]:
        texts, (problem,) = both(data[:size])
        assert texts == []
        assert problem.startswith("in.parquet: this is no whole Parquet file: ")


@pytest.mark.slow
@settings(max_examples=75, deadline=None)
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


def test_row_groups_that_are_not_those_of_the_footer_are_a_problem() -> None:
    data = bytearray(of_columns(number=[5] * 99))
    counts = [at for at in range(len(data) - 1) if data[at : at + 2] == bytes([0x16, 198])]
    data[counts[0] + 1] -= 2  # 99 is written as 198
    texts, (problem,) = both(bytes(data))
    assert len(texts) < 99
    assert "\n" not in problem


@pytest.mark.slow
def test_a_damaged_row_group_is_a_problem_and_the_others_are_read() -> None:
    owners = numbering("deal").sample_many(70_000, seed=7)
    stream = io.BytesIO()
    PARQUET.write_batches([BoardBatch(owners)], stream, Context("x"))
    data = bytearray(stream.getvalue())
    data[1000] ^= 255
    problems: list[Problem] = []
    parts = owners_read(PARQUET, io.BytesIO(bytes(data)), Context("x", problems.append))
    assert (np.concatenate(list(parts)) == owners[65_536:]).all()
    (problem,) = problems
    assert str(problem).startswith("x: row group 0 is damaged from row 0 on: ")


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("tags", "columns"),
    [
        ({"Board": "0"}, {"board": [0]}),
        ({"Board": "7"}, {"board": [8], "dealer": [None], "vulnerable": [None]}),
        ({"Dealer": "X"}, {"dealer": ["X"]}),
        ({"Vulnerable": "Love"}, {"vulnerable": ["Love"]}),
        ({"Event": "Club"}, {"dealer": ["N"]}),
        ({"Event": "Club"}, {"vulnerable": ["EW"]}),
        ({"Board": "7"}, {"dealer": ["N"]}),
        (None, {"dealer": ["X"]}),
    ],
    ids=str,
)
def test_columns_that_disagree_with_the_tags(
    tags: dict[str, str] | None, columns: dict[str, list[Any]]
) -> None:
    names = () if tags is None else tuple(Tag(*tag) for tag in tags.items())
    changed = columns if tags is not None else columns | {"tags": [None]}
    reading = both(ours([Board(Layout.from_pbn(DEAL), names)], **changed))
    assert len(reading.problems) == 1


@pytest.mark.slow
def test_reading_and_writing_many_rows_loads_no_pandas() -> None:
    needs("pandas")
    program = """
import io, sys
import numpy as np
import pavcodec as pav
owners = pav.numbering("deal").sample_many(5000, seed=7)
numbers = pav.numbering("deal").rank_many(owners)
tricks = np.full((5000, 20), 6, np.uint8)
tricks[7] = 255
batch = pav.BoardBatch(owners, first=1, tags={"Event": "x"}, numbers=numbers, tricks=tricks)
for form in ("parquet", "parquet:number", "parquet:hands,hcp"):
    stream = io.BytesIO()
    pav.write_owners(batch, stream, format=form)
stream = io.BytesIO()
pav.write_owners(owners, stream, format="parquet")
stream.seek(0)
assert sum(map(len, pav.read_owners(stream))) == 5000
print("pandas" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
