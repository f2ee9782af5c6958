"""Parquet: boards to rows and back, one by one and many at once."""

from __future__ import annotations

import io
import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats_support import (
    DEAL,
    DEMO,
    ENDING,
    FOULED,
    NUMBER,
    Dribble,
    OneWay,
    owners_read,
    read_format,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import deals, layouts, sparse_layouts

import pavcodec as pav
from pavcodec import Board, Layout, PavError, ReadError, numbering
from pavcodec.boards import Context, Problem, Vulnerability
from pavcodec.boards.batch import BoardBatch, owners_of
from pavcodec.boards.board import Tag
from pavcodec.cards import Seat
from pavcodec.formats import format_of, recognise
from pavcodec.formats.parquet.columns import (
    COLUMNS,
    DERIVED,
    HANDS,
    METADATA_KEY,
    QUANTITIES,
    column_of,
    pattern_text,
    shape_text,
)

pq = pytest.importorskip("pyarrow.parquet")

from pavcodec.formats.parquet.writing import columns_of_cards  # noqa: E402

PARQUET = format_of("parquet")
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
TAGS = st.builds(Tag, WORDS, WORDS, st.lists(WORDS, max_size=3).map(tuple)) | st.builds(
    Tag,
    st.sampled_from(["Board", "Dealer", "Vulnerable", "Note"]),
    st.sampled_from(["", "?", "7", "0", "1-1", "N", "W", "Both", "None", "9" * 18, "9" * 19]),
)
ANY_LAYOUT = st.none() | deals() | layouts() | sparse_layouts()
BOARDS = st.lists(st.builds(Board, ANY_LAYOUT, st.lists(TAGS, max_size=4).map(tuple)), max_size=6)


def written(boards: list[Board]) -> bytes:
    stream = io.BytesIO()
    assert PARQUET.write(boards, stream, Context("boards")) == len(boards)
    return stream.getvalue()


def written_at_once(*batches: BoardBatch) -> bytes:
    stream = io.BytesIO()
    done = PARQUET.write_batches(batches, stream, Context("boards"))
    assert done == sum(map(len, batches))
    return stream.getvalue()


def table(data: bytes) -> Any:
    return pq.read_table(io.BytesIO(data))


def owners_in(data: bytes) -> Any:
    parts = list(owners_read(PARQUET, io.BytesIO(data), Context("x")))
    return np.concatenate([np.zeros((0, 52), np.uint8), *parts])


def random_owners(count: int) -> Any:
    return numbering("deal").sample_many(count, seed=7)


@pytest.mark.slow
@settings(deadline=None)
@given(BOARDS)
def test_boards_are_read_as_they_were_written(boards: list[Board]) -> None:
    data = written(boards)
    reading = read_format("parquet", data)
    assert (reading.boards, reading.problems) == (boards, [])
    assert [type(board.layout) for board in reading.boards] == [type(b.layout) for b in boards]
    layouts = [board.layout for board in boards if board.layout is not None]
    assert (owners_in(data) == owners_of(layouts)).all()


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.lists(deals() | layouts() | sparse_layouts(), min_size=1, max_size=20),
    st.none() | st.integers(1, 40) | st.sampled_from([10**18 - 3, 10**30]),
    st.none() | st.sampled_from(Seat),
    st.none() | st.sampled_from(Vulnerability),
    st.dictionaries(
        WORDS | st.sampled_from(["Board", "Dealer", "Vulnerable", "DealId"]),
        WORDS | st.sampled_from(["5", "E", "NS"]),
        max_size=4,
    ),
    st.booleans(),
)
def test_batches_are_written_as_their_boards_are(  # noqa: PLR0917
    some: list[Layout],
    first: int | None,
    dealer: Seat | None,
    vulnerable: Vulnerability | None,
    tags: dict[str, str],
    has_numbers: bool,
) -> None:
    limbs = np.arange(2 * len(some), dtype=np.uint64).reshape(-1, 2) * np.uint64(2**59 - 1)
    batch = BoardBatch(
        owners_of(some), first, dealer, vulnerable, tags, limbs if has_numbers else None, "base5"
    )
    quick, slow = written_at_once(batch), written(list(batch))
    assert table(quick).equals(table(slow))
    assert quick == slow
    assert read_format("parquet", quick).boards == list(batch)


@pytest.mark.slow
def test_row_groups_do_not_depend_on_batches() -> None:
    owners = random_owners(150_000)
    whole = written_at_once(BoardBatch(owners, first=1))
    ends = [0, 5, 5, 20_000, 85_541, 85_542, 150_000]
    batches = [BoardBatch(owners[begin:end], first=begin + 1) for begin, end in pairwise(ends)]
    assert written_at_once(*batches) == whole
    file = pq.ParquetFile(io.BytesIO(whole))
    rows = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
    assert rows == [65_536, 65_536, 18_928]
    assert (owners_in(whole) == owners).all()


def test_the_schema_is_that_of_the_columns() -> None:
    file = pq.ParquetFile(io.BytesIO(written([])))
    found = {field.name: str(field.type) for field in file.schema_arrow}
    expected = {
        column.name: column.type.replace("<string", "<element: string") for column in COLUMNS
    }
    tags = expected.pop("tags").replace("list<struct", "list<element: struct")
    assert found == expected | {"tags": tags}
    described = json.loads(file.metadata.metadata[METADATA_KEY])
    assert (described["format"], described["version"]) == ("boards", 1)
    assert described["columns"] == {column.name: column.meaning for column in COLUMNS}
    assert read_format("parquet", written([])) == ([], [])


def test_the_values_of_a_row() -> None:
    board = Board.make(Layout.from_pbn(DEAL), number=7, tags={"Event": "Club"})
    (row,) = table(written([board])).to_pylist()
    assert row["number"] == NUMBER.to_bytes(12, "big")
    assert (row["board"], row["dealer"], row["vulnerable"]) == (7, "S", "All")
    assert [row[hand] for hand in HANDS] == DEAL.removeprefix("N:").split(" ")
    assert (row["north_shape"], row["north_pattern"]) == ("1444", "4441")
    assert (row["west_hcp"], row["west_controls"], row["west_losers"]) == (7, 1, 8)
    assert [row[f"south_{suit}"] for suit in ("spades", "hearts", "diamonds", "clubs")] == [
        5, 3, 3, 2,
    ]  # fmt: skip
    assert row["tags"] == [
        {"name": "Board", "value": "7", "lines": []},
        {"name": "Event", "value": "Club", "lines": []},
    ]


@pytest.mark.parametrize("text", [ENDING, FOULED])
def test_only_deals_have_a_number(text: str) -> None:
    (row,) = table(written([Board(Layout.from_pbn(text))])).to_pylist()
    assert row["number"] is None
    assert text.startswith(f"N:{row['north']} ")


def test_a_board_without_cards_has_tags() -> None:
    (row,) = table(written([Board.make(None, number=2)])).to_pylist()
    assert {name for name, value in row.items() if value is not None} == {
        "board", "dealer", "vulnerable", "tags",
    }  # fmt: skip


@pytest.mark.slow
@settings(deadline=None)
@given(deals() | layouts() | sparse_layouts())
def test_what_is_told_of_a_hand_is_what_a_hand_tells(layout: Layout) -> None:
    columns = columns_of_cards(owners_of([layout]), DERIVED)
    for name, hand in zip(HANDS, layout, strict=True):
        told = {each: columns[column_of(name, each)][0].as_py() for each in QUANTITIES}
        spades, hearts, diamonds, clubs = hand.shape
        assert told == {
            "hcp": hand.hcp, "controls": hand.controls, "losers": hand.losers,
            "spades": spades, "hearts": hearts, "diamonds": diamonds, "clubs": clubs,
            "shape": shape_text(hand.shape), "pattern": pattern_text(hand.pattern),
        }  # fmt: skip


@pytest.mark.slow
def test_numbers_sort_as_bytes_and_row_groups_tell_their_range() -> None:
    deal = numbering("deal")
    numbers = [deal.cardinality * part // 140_000 for part in range(140_000)]
    rows = np.array([divmod(number, 2**64) for number in numbers], np.uint64)
    data = written_at_once(BoardBatch(deal.unrank_many(rows)))
    file = pq.ParquetFile(io.BytesIO(data))
    place = file.schema_arrow.names.index("number")
    found = []
    for group in range(file.num_row_groups):
        statistics = file.metadata.row_group(group).column(place).statistics
        found += [statistics.min, statistics.max]
    ends = [0, 65_535, 65_536, 131_071, 131_072, 139_999]
    assert found == [numbers[end].to_bytes(12, "big") for end in ends]


def test_pbn_comes_back_through_parquet(tmp_path: Path) -> None:
    boards = list(pav.read(DEMO))
    path = tmp_path / "event.parquet"
    assert pav.write(boards, path) == len(boards)
    assert list(pav.read(path)) == boards
    pav.write(pav.read(path), tmp_path / "event.pbn")
    pav.write(boards, tmp_path / "direct.pbn")
    assert (tmp_path / "event.pbn").read_bytes() == (tmp_path / "direct.pbn").read_bytes()


@pytest.mark.slow
def test_pipes_are_written_and_read_and_recognised() -> None:
    boards = list(pav.read(DEMO))
    pipe = OneWay()
    PARQUET.write(boards, pipe, Context("x"))
    data = pipe.getvalue()
    assert data == written(boards)
    for portion in (3, 1000, 10**6):
        assert read_format("parquet", Dribble(data, portion)).boards == boards
        found, whole = recognise(Dribble(data, portion))  # type: ignore[arg-type]
        assert found.name == "parquet"
        assert list(found.read(whole, Context("x"))) == boards


def test_a_stream_that_stands_in_its_middle_is_read_from_there() -> None:
    boards = list(pav.read(DEMO))
    stream = io.BytesIO(b"head" + written(boards))
    stream.seek(4)
    assert list(PARQUET.read(stream, Context("x"))) == boards
    assert not stream.closed


class Full(io.RawIOBase):
    """An output that takes so many pieces and then has no room."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room
        self.data = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.room -= 1
        if self.room < 0:
            raise OSError(28, "No space left on device")
        self.data += bytes(data)
        return len(data)


@pytest.mark.parametrize("room", [0, 1, 5, 60, 150])
def test_an_output_without_room_is_an_error_of_the_output(room: int) -> None:
    with pytest.raises(OSError, match="No space left") as caught:
        PARQUET.write(list(pav.read(DEMO)), Full(room), Context("x"))  # type: ignore[arg-type]
    assert caught.value.errno == 28


def test_what_fails_on_the_way_leaves_no_file_that_looks_whole(tmp_path: Path) -> None:
    def boards() -> Any:
        yield from pav.read(DEMO)
        raise ReadError("stop")

    pipe = OneWay()
    with pytest.raises(ReadError, match="stop"):
        PARQUET.write(boards(), pipe, Context("x"))
    assert not pipe.getvalue()[4:].endswith(b"PAR1")
    with pytest.raises(ReadError, match="stop"):
        pav.write(boards(), tmp_path / "x.parquet")
    assert list(tmp_path.iterdir()) == []


def test_tags_that_are_no_text_are_problems() -> None:
    good = Board.make(Layout.from_pbn(DEAL), number=1)
    bad = [Board(None, (Tag("A", "\ud800"),)), Board(None, (Tag("B", "", ("\udfff",)),))]
    problems: list[Problem] = []
    stream = io.BytesIO()
    assert PARQUET.write([bad[0], good, bad[1]], stream, Context("x", problems.append)) == 1
    assert read_format("parquet", stream.getvalue()).boards == [good]
    assert [problem.reason for problem in problems] == [
        "'\\ud800' in the tag A is no character of a text",
        "'\\udfff' in the tag B is no character of a text",
    ]
    batch = BoardBatch(random_owners(3), tags={"\udc80": ""})
    assert PARQUET.write_batches([batch], io.BytesIO(), Context("x", problems.append)) == 0
    assert len(problems) == 5


def test_without_pyarrow_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    data = written([])
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyarrow"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    batch = BoardBatch(random_owners(1))
    for use in (
        lambda: PARQUET.write([], io.BytesIO(), Context("x")),
        lambda: PARQUET.write_batches([batch], io.BytesIO(), Context("x")),
        lambda: list(PARQUET.read(io.BytesIO(data), Context("x"))),
        lambda: list(owners_read(PARQUET, io.BytesIO(data), Context("x"))),
    ):
        with pytest.raises(PavError, match=r"pyarrow: pip install 'pavcodec\[parquet\]'$"):
            use()


def test_the_page_tells_of_every_column_what_the_metadata_say() -> None:
    page = Path(__file__).parents[3] / "docs" / "formats" / "data.md"
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line[:3] == "| `"]
    others = tuple(HANDS[1:])
    expected = [
        f"| `{column.name}` | `{column.type}` | {column.meaning} |"
        for column in COLUMNS
        if not column.name.startswith(others)
    ]
    assert rows[: len(expected)] == expected
    for hand in others:  # of which the page says that they are told as North is
        mine = [column for column in COLUMNS if column.name.startswith(hand)]
        norths = [column for column in COLUMNS if column.name.startswith("north")]
        for column, north in zip(mine, norths, strict=True):
            assert column.name == north.name.replace("north", hand)
            assert column.type == north.type
            assert column.meaning == north.meaning.replace("North", hand.title())
