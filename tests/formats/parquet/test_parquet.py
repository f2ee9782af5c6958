"""Parquet as pavcodec writes it: boards to rows and back, one by one and many; some columns."""

from __future__ import annotations

import io
import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from batches_support import any_batches
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
    write_format,
)
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import deals, layouts, sparse_layouts

import pavcodec as pav
from pavcodec import Board, Hand, Layout, PavError, ReadError, TrickTable, kernel, numbering
from pavcodec.boards import Context, Problem
from pavcodec.boards.batch import BoardBatch, owners_of
from pavcodec.boards.board import Tag
from pavcodec.boards.tricks import TRICK_DIGITS
from pavcodec.cards import DECK_SIZE, UNUSED, Seat
from pavcodec.formats import format_of, recognise
from pavcodec.formats.parquet.columns import (
    ALL_NAMES,
    COLUMNS,
    DERIVED,
    HANDS,
    METADATA_KEY,
    QUANTITIES,
    SOURCE_FILE,
    TRICKS,
    column_of,
    columns_of_form,
    has_hands,
    name_of_form,
    pattern_text,
    shape_text,
)

pq = pytest.importorskip("pyarrow.parquet")

from pavcodec.formats.parquet.writing import columns_of_cards, count_tables  # noqa: E402

PARQUET = format_of("parquet")
FORMS = st.builds(
    lambda cards, more: tuple(name for name in ALL_NAMES if name in {*cards, *more}),
    st.sampled_from([("number",), HANDS]),
    st.sets(st.sampled_from(ALL_NAMES)),
)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
(TABLE,) = Board.make(None, tricks=TrickTable(bytes([7] * 20))).entries
TRICK_TAGS = [
    TABLE,
    Tag(TRICK_DIGITS, "7" * 20),
    Tag(TABLE.name, ""),
    Tag(TABLE.name, TABLE.value, TABLE.lines[:3]),
]
TAGS = st.builds(Tag, WORDS, WORDS, st.lists(WORDS, max_size=3).map(tuple)) | st.builds(
    Tag,
    st.sampled_from(["Board", "Dealer", "Vulnerable", "Note"]),
    st.sampled_from(["", "?", "7", "0", "1-1", "N", "W", "Both", "None", "9" * 18, "9" * 19]),
)
LAYOUTS = deals() | layouts() | sparse_layouts()
ANY_TAG = TAGS | st.sampled_from(TRICK_TAGS)
BOARDS = st.lists(
    st.builds(Board, st.none() | LAYOUTS, st.lists(ANY_TAG, max_size=4).map(tuple)), max_size=6
)


def written(boards: list[Board], name: str = "parquet") -> bytes:
    return write_format(name, boards).data


def written_at_once(*batches: BoardBatch, form: str = "parquet") -> tuple[bytes, list[Problem]]:
    stream, problems = io.BytesIO(), list[Problem]()
    format_of(form).write_batches(batches, stream, Context("in.pbn", problems.append))
    return stream.getvalue(), problems


def table(data: bytes) -> Any:
    return pq.read_table(io.BytesIO(data))


def owners_in(data: bytes) -> Any:
    parts = list(owners_read(PARQUET, io.BytesIO(data), Context("x")))
    return np.concatenate([np.zeros((0, 52), np.uint8), *parts])


@given(BOARDS)
def test_boards_are_read_as_they_were_written(boards: list[Board]) -> None:
    data = written(boards)
    reading = read_format("parquet", data)
    assert (reading.boards, reading.problems) == (boards, [])
    assert [type(board.layout) for board in reading.boards] == [type(b.layout) for b in boards]
    layouts = [board.layout for board in boards if board.layout is not None]
    assert (owners_in(data) == owners_of(layouts)).all()


@given(any_batches(6), st.none() | FORMS)
@example(BoardBatch(numbering("deal").sample_many(2, seed=7), 10**30), ("number",))
def test_batches_are_written_as_their_boards_are(
    batch: BoardBatch, names: tuple[str, ...] | None
) -> None:
    form = "parquet" if names is None else name_of_form(names)
    data, problems = written_at_once(batch, form=form)
    assert (data, problems) == write_format(form, batch)
    if names is None and len(batch) and not problems:
        assert read_format("parquet", data) == (list(batch), [])
        ((owners, found),) = pav.read_solved(io.BytesIO(data), format="parquet")
        assert (owners == batch.owners).all()
        assert (found == (255 if batch.tricks is None else batch.tricks)).all()
        has_column = TRICKS in pq.read_schema(io.BytesIO(data)).names
        assert has_column == (batch.tricks is not None and 255 not in batch.tricks[0])


PLAIN_BOARDS = st.lists(
    st.builds(
        Board.make,
        deals() | layouts() | st.none(),
        number=st.none() | st.integers(1, 40),
        dealer=st.none() | st.sampled_from(Seat),
        tags=st.dictionaries(
            st.sampled_from(["Event", "Room", "SourceFile"]), st.sampled_from(["", "a"])
        ),
        tricks=st.none() | st.just(TrickTable(bytes([7, 6, 7, 6] * 5))),
    ),
    max_size=6,
)


@given(PLAIN_BOARDS, FORMS)
def test_a_form_has_columns_of_the_whole_file_and_keeps_what_it_says(
    boards: list[Board], names: tuple[str, ...]
) -> None:
    form = format_of(name_of_form(names))
    data, problems = write_format(form.name, boards)
    fitting = [board for board in boards if board.layout is not None or form.keeps_tags]
    kept = [b for b in fitting if b.layout is None or has_hands(names) or b.layout.is_deal]
    assert len(problems) == len(fitting) - len(kept)
    # The whole file has the columns of tricks and of the source if its first board has some.
    tricks = TrickTable(bytes(20)) if TRICKS in names else None
    tags = {"SourceFile": "a"} if SOURCE_FILE in names else {}
    first = Board.make(Layout.from_pbn(DEAL), tricks=tricks, tags=tags)
    whole = table(written([first, *kept])).slice(1)
    if not form.keeps_tags or TRICKS in names:
        assert table(data).to_pydict() == whole.select(list(names)).to_pydict()
    reading = read_format("parquet", data)
    assert reading.problems == []
    for found, board in zip(reading.boards, kept, strict=True):
        assert found.layout == board.layout
        assert not form.keeps_tags or found.tags == board.tags
        assert "board" not in names or found.number == board.number
        assert "dealer" not in names or found.dealer == board.dealer
        assert TRICKS not in names or found.tricks == board.tricks
        assert form.lost_parts(board) == [] or not form.keeps_tags


def test_names_of_forms_are_canonical() -> None:
    every = ",".join((*("number", "board", "dealer", "vulnerable", SOURCE_FILE, "hands"),
                      *QUANTITIES, "tags", TRICKS))  # fmt: skip
    for name, canonical in (
        ("number", "number"),
        ("board,number", "number,board"),
        ("hcp,hands,number", "number,hands,hcp"),
        (every, every),
    ):
        columns = columns_of_form(f"parquet:{name}")
        assert name_of_form(columns) == f"parquet:{canonical}"
    assert columns == ALL_NAMES
    for name, reason in (
        ("", "no column of parquet is called '': name columns with commas, such as"),
        ("numbre", "did you mean 'number'?"),
        ("number,", "no column of parquet is called '': name columns with commas, such as"),
        ("hcp", "'parquet:hcp' has no cards: name the column number, or hands"),
        ("north,east,south", "has no cards"),
    ):
        with pytest.raises(PavError) as info:
            format_of(f"parquet:{name}")
        assert reason in str(info.value)


def test_numbers_alone_take_twelve_bytes_and_hold_whole_deals(tmp_path: Path) -> None:
    owners = numbering("deal").sample_many(20_000, seed=7)
    data, _ = written_at_once(BoardBatch(owners), form="parquet:number")
    assert 12 * 20_000 < len(data) < 12.1 * 20_000
    _, (problem,) = write_format("parquet:number", [Board(Layout.from_pbn(ENDING))])
    assert problem.reason == f"no whole deal, so the columns must have hands: '{ENDING}'"
    path = tmp_path / "x.parquet"
    pav.write([Layout.from_pbn(DEAL)], path, format="parquet:number,hands")
    file = pq.ParquetFile(path)
    assert file.schema_arrow.names == ["number", *HANDS]
    assert list(json.loads(file.metadata.metadata[METADATA_KEY])["columns"]) == ["number", *HANDS]
    with path.open("rb") as stream:
        assert recognise(stream, path=str(path))[0].name == "parquet"


def test_row_groups_do_not_depend_on_batches_and_tell_their_range() -> None:
    deal, count = numbering("deal"), 70_000
    numbers = [deal.cardinality * part // count for part in range(count)]
    owners = deal.unrank_many(np.array([divmod(n, 2**64) for n in numbers], np.uint64))
    whole, _ = written_at_once(BoardBatch(owners, first=1))
    ends = [0, 5, 5, 20_000, 65_541, 65_542, count]
    batches = [BoardBatch(owners[begin:end], first=begin + 1) for begin, end in pairwise(ends)]
    assert written_at_once(*batches)[0] == whole
    file = pq.ParquetFile(io.BytesIO(whole))
    groups = [file.metadata.row_group(group) for group in range(file.num_row_groups)]
    assert [group.num_rows for group in groups] == [65_536, 4464]
    statistics = [group.column(file.schema_arrow.names.index("number")) for group in groups]
    found = [
        each for column in statistics for each in (column.statistics.min, column.statistics.max)
    ]
    assert found == [numbers[at].to_bytes(12, "big") for at in (0, 65_535, 65_536, count - 1)]
    assert (owners_in(whole) == owners).all()


def test_the_schema_is_that_of_the_columns() -> None:
    file = pq.ParquetFile(io.BytesIO(written([])))
    found = {field.name: str(field.type) for field in file.schema_arrow}
    expected = {c.name: c.type.replace("<string", "<element: string") for c in COLUMNS}
    tags = expected.pop("tags").replace("list<struct", "list<element: struct")
    assert found == expected | {"tags": tags}
    described = json.loads(file.metadata.metadata[METADATA_KEY])
    assert (described["format"], described["version"]) == ("boards", 1)
    assert described["columns"] == {column.name: column.meaning for column in COLUMNS}


def test_the_values_of_a_row() -> None:
    boards = [
        Board.make(Layout.from_pbn(DEAL), number=7, tags={"Event": "Club"}),
        Board(Layout.from_pbn(ENDING)),
        Board(Layout.from_pbn(FOULED)),
        Board.make(None, number=2),
    ]
    row, ending, fouled, empty = table(written(boards)).to_pylist()
    assert row["number"] == NUMBER.to_bytes(12, "big")
    assert (row["board"], row["dealer"], row["vulnerable"]) == (7, "S", "All")
    assert [row[hand] for hand in HANDS] == DEAL.removeprefix("N:").split(" ")
    assert (row["north_shape"], row["north_pattern"]) == ("1444", "4441")
    assert (row["west_hcp"], row["west_controls"], row["west_losers"]) == (7, 1, 8)
    suits = ("spades", "hearts", "diamonds", "clubs")
    assert [row[f"south_{suit}"] for suit in suits] == [5, 3, 3, 2]
    assert row["tags"] == [
        {"name": "Board", "value": "7", "lines": []},
        {"name": "Event", "value": "Club", "lines": []},
    ]
    assert (ending["number"], fouled["number"]) == (None, None)
    told = {name for name, value in empty.items() if value is not None}
    assert told == {"board", "dealer", "vulnerable", "tags"}


def test_tables_of_tricks_are_a_column() -> None:
    boards = [Board(numbering("deal")[5], (tag,)) for tag in TRICK_TAGS]
    assert table(written(boards)).column(TRICKS).to_pylist() == [
        [7] * 20, [7] * 20, None, [7, None, None, None] * 3 + [None] * 8,
    ]  # fmt: skip


@given(st.lists(LAYOUTS, min_size=1, max_size=3))
def test_what_is_told_of_a_hand_is_what_a_hand_tells(some: list[Layout]) -> None:
    columns = columns_of_cards(owners_of(some), (*HANDS, *DERIVED))
    for row, layout in enumerate(some):
        for name, hand in zip(HANDS, layout, strict=True):
            told = {each: columns[column_of(name, each)][row].as_py() for each in QUANTITIES}
            spades, hearts, diamonds, clubs = hand.shape
            assert columns[name][row].as_py() == str(hand)
            assert told == {
                "hcp": hand.hcp, "controls": hand.controls, "losers": hand.losers,
                "spades": spades, "hearts": hearts, "diamonds": diamonds, "clubs": clubs,
                "shape": shape_text(hand.shape), "pattern": pattern_text(hand.pattern),
            }  # fmt: skip


def test_every_holding_counts_as_a_hand_of_it_does() -> None:
    for holding, (hcp, controls, losers, length) in enumerate(count_tables().T):
        hand = Hand(rank for rank in range(13) if holding >> 12 - rank & 1)
        assert (hcp, controls, losers) == (hand.hcp, hand.controls, hand.losers)
        assert length == len(hand)
    assert holding == 2**13 - 1


@given(st.lists(st.text("AKQJT98765432.-x", max_size=9), min_size=1, max_size=3))
def test_only_texts_of_the_notation_are_hands(texts: list[str]) -> None:
    owners = np.full((len(texts), DECK_SIZE), UNUSED, np.uint8)
    offsets = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    data = "".join(texts).encode()
    bad = kernel.read_hands(data, len(data), offsets, 0, len(owners), owners)

    def is_written(text: str) -> bool:
        try:
            return str(Hand.from_pbn(text)) == text
        except ValueError:
            return False

    assert (bad < 0) == all(map(is_written, texts))


def test_pipes_are_written_and_read_and_recognised() -> None:
    boards = list(pav.read(DEMO))
    pipe = OneWay()
    PARQUET.write(boards, pipe, Context("x"))
    data = pipe.getvalue()
    assert data == written(boards)
    for portion in (100, 10**6):
        found, whole = recognise(Dribble(data, portion))  # type: ignore[arg-type]
        assert found.name == "parquet"
        assert list(found.read(whole, Context("x"))) == boards
    stream = io.BytesIO(b"head" + data)
    stream.seek(4)
    assert list(PARQUET.read(stream, Context("x"))) == boards
    assert not stream.closed


def test_what_fails_on_the_way_leaves_no_file_that_looks_whole() -> None:
    def boards() -> Any:
        yield from pav.read(DEMO)
        raise ReadError("stop")

    pipe = OneWay()
    with pytest.raises(ReadError, match="stop"):
        PARQUET.write(boards(), pipe, Context("x"))
    assert not pipe.getvalue()[4:].endswith(b"PAR1")


def test_tags_that_are_no_text_are_problems() -> None:
    good = Board.make(Layout.from_pbn(DEAL), number=1)
    bad = [Board(None, (Tag("A", "\ud800"),)), Board(None, (Tag("B", "", ("\udfff",)),))]
    data, problems = write_format("parquet", [bad[0], good, bad[1]])
    assert read_format("parquet", data).boards == [good]
    assert [problem.reason for problem in problems] == [
        "'\\ud800' in the tag A is no character of a text",
        "'\\udfff' in the tag B is no character of a text",
    ]
    owners = numbering("deal").sample_many(3, seed=7)
    assert len(written_at_once(BoardBatch(owners, tags={"\udc80": ""}))[1]) == 3


def test_without_pyarrow_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    data = written([])
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyarrow"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for use in (
        lambda: written([]),
        lambda: written_at_once(BoardBatch(numbering("deal").sample_many(1, seed=7))),
        lambda: read_format("parquet", data),
        lambda: owners_in(data),
    ):
        with pytest.raises(PavError, match=r"pyarrow: pip install 'pavcodec\[parquet\]'$"):
            use()


def test_the_page_tells_of_every_column_what_the_metadata_say() -> None:
    page = Path(__file__).parents[3] / "docs" / "formats" / "data.md"
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line[:3] == "| `"]
    others = tuple(HANDS[1:])  # of which the page says that they are told as North is
    expected = [
        f"| `{column.name}` | `{column.type}` | {column.meaning} |"
        for column in COLUMNS
        if not column.name.startswith(others)
    ]
    assert rows[: len(expected)] == expected
