"""Forms of Parquet: files with some of the columns."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from formats_support import DEAL, ENDING, owners_read, read_format
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import deals, layouts

import pavcodec as pav
from pavcodec import Board, Layout, PavError, TrickTable, numbering
from pavcodec.boards import Context, Problem
from pavcodec.boards.batch import BoardBatch, owners_of
from pavcodec.cards import Seat
from pavcodec.formats import format_of, recognise
from pavcodec.formats.parquet.columns import (
    ALL_NAMES,
    HANDS,
    QUANTITIES,
    SOURCE_FILE,
    TRICKS,
    columns_of_form,
    has_hands,
    name_of_form,
)

pq = pytest.importorskip("pyarrow.parquet")

FORMS = st.builds(
    lambda cards, more: tuple(name for name in ALL_NAMES if name in {*cards, *more}),
    st.sampled_from([("number",), HANDS]),
    st.sets(st.sampled_from(ALL_NAMES)),
)
BOARDS = st.lists(
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


def written(boards: list[Board], name: str, problems: list[Problem] | None = None) -> bytes:
    stream = io.BytesIO()
    found: list[Problem] = [] if problems is None else problems
    format_of(name).write(boards, stream, Context("boards", found.append))
    return stream.getvalue()


def written_at_once(batch: BoardBatch, name: str, problems: list[Problem]) -> bytes:
    stream = io.BytesIO()
    format_of(name).write_batches([batch], stream, Context("boards", problems.append))
    return stream.getvalue()


def table(data: bytes) -> Any:
    return pq.read_table(io.BytesIO(data))


@pytest.mark.slow
@settings(deadline=None)
@given(BOARDS, FORMS)
def test_a_form_has_columns_of_the_whole_file(boards: list[Board], names: tuple[str, ...]) -> None:
    problems: list[Problem] = []
    found = table(written(boards, name_of_form(names), problems))
    fitting = [board for board in boards if board.layout is not None or "tags" in names]
    if not has_hands(names):
        fits = [board.layout is None or board.layout.is_deal for board in fitting]
        assert len(problems) == fits.count(False)
        fitting = [board for board, is_good in zip(fitting, fits, strict=True) if is_good]
    assert len(found) == len(fitting)
    # The whole file has the columns of tricks and of the source if its first board has some.
    first = Board.make(
        Layout.from_pbn(DEAL),
        tricks=TrickTable(bytes(20)) if TRICKS in names else None,
        tags={"SourceFile": "a"} if SOURCE_FILE in names else {},
    )
    whole = table(written([first, *fitting], "parquet")).slice(1)
    if not ("tags" in names and TRICKS not in names):
        assert found.to_pydict() == whole.select(list(names)).to_pydict()


@pytest.mark.slow
@settings(deadline=None)
@given(BOARDS, FORMS)
def test_a_form_keeps_what_it_says(boards: list[Board], names: tuple[str, ...]) -> None:
    form = format_of(name_of_form(names))
    data = written(boards, form.name)
    reading = read_format("parquet", data)
    assert reading.problems == []
    kept = [
        board
        for board in boards
        if (board.layout is None and form.keeps_tags)
        or (board.layout is not None and (has_hands(names) or board.layout.is_deal))
    ]
    assert [board.layout for board in reading.boards] == [board.layout for board in kept]
    for found, board in zip(reading.boards, kept, strict=True):
        if form.keeps_tags:
            assert found.tags == board.tags
        if "board" in names:
            assert found.number == board.number
        if "dealer" in names:
            assert found.dealer == board.dealer
        if TRICKS in names:
            assert found.tricks == board.tricks
        if SOURCE_FILE in names:
            assert found.tags.get("SourceFile") == board.tags.get("SourceFile")
        lost = form.lost_parts(board)
        assert lost == [] or not form.keeps_tags
    owners = list(owners_read(form, io.BytesIO(data), Context("x")))
    layouts = [board.layout.owners for board in kept if board.layout is not None]
    assert [row.tobytes() for some in owners for row in some] == layouts


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.lists(deals() | layouts(), min_size=1, max_size=8),
    st.none() | st.integers(1, 40),
    st.dictionaries(
        st.sampled_from(["Event", "Dealer", "SourceFile"]), st.sampled_from(["N", "x"])
    ),
    FORMS,
)
def test_batches_of_forms_are_written_as_their_boards_are(
    some: list[Layout], first: int | None, tags: dict[str, str], names: tuple[str, ...]
) -> None:
    batch = BoardBatch(owners_of(some), first, tags=tags)
    slow_problems: list[Problem] = []
    quick_problems: list[Problem] = []
    form = name_of_form(names)
    slow = written(list(batch), form, slow_problems)
    assert written_at_once(batch, form, quick_problems) == slow
    assert quick_problems == slow_problems


def test_names_of_forms_are_canonical() -> None:
    for name in ("number", "board,number", "hands", "hands,number,hcp", "number,tags,north"):
        columns = columns_of_form(f"parquet:{name}")
        assert columns_of_form(name_of_form(columns)) == columns
    assert name_of_form(columns_of_form("parquet:hcp,hands,number")) == "parquet:number,hands,hcp"
    every = name_of_form(ALL_NAMES)
    assert columns_of_form(every) == ALL_NAMES
    assert every == (
        f"parquet:number,board,dealer,vulnerable,{SOURCE_FILE},hands,{','.join(QUANTITIES)},tags,{TRICKS}"
    )


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("parquet:", "no column of parquet is called '': name columns with commas, such as"),
        ("parquet:numbre", "did you mean 'number'?"),
        ("parquet:number,", "no column of parquet is called '': name columns with commas, such as"),
        ("parquet:hcp", "'parquet:hcp' has no cards: name the column number, or hands"),
        ("parquet:north,east,south", "has no cards"),
    ],
)
def test_other_names_are_refused(name: str, reason: str) -> None:
    with pytest.raises(PavError) as info:
        format_of(name)
    assert reason in str(info.value)


def test_numbers_alone_take_twelve_bytes_and_hold_whole_deals() -> None:
    owners = numbering("deal").sample_many(20_000, seed=7)
    stream = io.BytesIO()
    assert pav.write_owners(owners, stream, format="parquet:number") == 20_000
    data = stream.getvalue()
    assert 12 * 20_000 < len(data) < 12.1 * 20_000
    assert (next(pav.read_owners(io.BytesIO(data)))[:5] == owners[:5]).all()
    problems: list[Problem] = []
    assert (
        table(written([Board(Layout.from_pbn(ENDING))], "parquet:number", problems)).num_rows == 0
    )
    assert [problem.reason for problem in problems] == [
        f"no whole deal, so the columns must have hands: '{Layout.from_pbn(ENDING)}'"
    ]


def test_a_wrong_value_beside_the_number_is_a_problem() -> None:
    boards = [Board(deal) for deal in numbering("deal").sample(3, seed=7)]
    good = table(written(boards, "parquet:number,south_hcp,north"))
    points = good.column("south_hcp").to_pylist()
    place = good.schema.names.index("south_hcp")
    wrong = good.set_column(place, "south_hcp", [[points[0], points[1] + 1, points[2]]])
    wrong = wrong.cast(good.schema)
    stream = io.BytesIO()
    pq.write_table(wrong.replace_schema_metadata(metadata_of(boards)), stream)
    reading = read_format("parquet", stream.getvalue())
    assert [board.layout for board in reading.boards] == [boards[0].layout, boards[2].layout]
    assert [str(each) for each in reading.problems if "south_hcp" in str(each)] != []


def metadata_of(boards: list[Board]) -> Any:
    return pq.ParquetFile(io.BytesIO(written(boards, "parquet:number"))).metadata.metadata


def test_the_metadata_describe_only_the_columns_of_the_form(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pav.write([Layout.from_pbn(DEAL)], path, format="parquet:number,hands")
    file = pq.ParquetFile(path)
    assert file.schema_arrow.names == ["number", *HANDS]
    assert b'"columns": {"number": ' in file.metadata.metadata[b"pavcodec"]
    with path.open("rb") as stream:
        assert recognise(stream, path=str(path))[0].name == "parquet"
