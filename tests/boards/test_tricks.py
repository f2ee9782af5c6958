r"""Double-dummy tricks in PBN: OptimumResultTable and DoubleDummyTricks."""

from __future__ import annotations

import pickle
import random

import pytest
from formats_support import DEAL, read_text, write_bytes
from hypothesis import given
from hypothesis import strategies as st
from records_support import trick_tables

from pavcodec import Board, Deal, PavError, Tag, TrickTable, UnknownNameError
from pavcodec.boards.tricks import (
    RESULT_TABLE,
    RESULT_TABLE_COLUMNS,
    TRICK_DIGITS,
    find_tricks,
    format_result_table,
    parse_result_table,
    parse_trick_digits,
)

SEATS, STRAINS = "NSEW", ("NT", "S", "H", "D", "C")
DIGITS = "0123456789abcd765432"
"""N: 0 to 4, S: 5 to 9, E: 10 to 13 and 7, W: 7 6 5 ... in hexadecimal."""
TABLE = TrickTable(
    bytes([0, 10, 5, 6, 1, 11, 6, 5, 2, 12, 7, 4, 3, 13, 8, 3, 4, 7, 9, 2])
)  # by strain NT S H D C, in each N E S W
ROWS = [
    "N NT  0", "N  S  1", "N  H  2", "N  D  3", "N  C  4",
    "S NT  5", "S  S  6", "S  H  7", "S  D  8", "S  C  9",
    "E NT 10", "E  S 11", "E  H 12", "E  D 13", "E  C  7",
    "W NT  6", "W  S  5", "W  H  4", "W  D  3", "W  C  2",
]  # fmt: skip


def test_the_digits_are_north_south_east_west_and_notrump_first() -> None:
    assert parse_trick_digits(DIGITS) == parse_trick_digits(DIGITS.upper()) == TABLE
    for place, digit in enumerate(DIGITS):
        assert TABLE[SEATS[place // 5], STRAINS[place % 5]] == int(digit, 16)


def test_the_table_is_written_in_the_same_order() -> None:
    assert format_result_table(TABLE) == tuple(ROWS)
    assert parse_result_table(RESULT_TABLE_COLUMNS, ROWS) == TABLE


@given(table=trick_tables())
def test_any_table_is_read_back(table: TrickTable) -> None:
    rows = format_result_table(table)
    assert len(rows) == 20
    assert {len(row) for row in rows} == {7}
    assert parse_result_table(RESULT_TABLE_COLUMNS, rows) == table
    digits = "".join(f"{table[seat, strain]:x}" for seat in SEATS for strain in STRAINS)
    assert parse_trick_digits(digits) == table


@given(table=trick_tables(), seed=st.integers(0, 1000))
def test_the_rows_may_stand_in_any_order_and_spacing(table: TrickTable, seed: int) -> None:
    rows = list(format_result_table(table))
    random.Random(seed).shuffle(rows)
    loose = ["\t" + row.replace(" ", "   ").lower() + " " for row in rows]
    assert parse_result_table(RESULT_TABLE_COLUMNS, loose) == table


def turned(order: str) -> list[str]:
    """The rows with their words in another order, d declarer, s strain, r result, x something."""
    words = [dict(zip("dsr", row.split(), strict=True)) | {"x": "?"} for row in ROWS]
    return [" ".join(row[each] for each in order) for row in words]


@pytest.mark.parametrize(
    ("columns", "order"),
    [
        (r"Declarer;Denomination\2R;Result\2R", "dsr"),
        (r"Declarer;Denomination\2R;Result\1R", "dsr"),
        (r"Declarer;Denomination;Result", "dsr"),
        (r"Declarer\1L;Denomination\2R;Result\2R", "dsr"),
        ("Declarer Suit Tricks", "dsr"),
        ("Declarer  Suit\tTricks", "dsr"),
        ("Declarer;Suit;Tricks", "dsr"),
        (r"Denomination\2R;Declarer;Result\2R", "sdr"),
        (r"Result\2R;Denomination\2R;Declarer", "rsd"),
        (r"+Declarer;-Denomination\2R;Result\2R", "dsr"),
        ("Tricks Declarer Suit", "rds"),
        (r"Section;Declarer;Denomination\2R;Result\2R", "xdsr"),
        (r"Declarer;Section;Denomination\2R;Result\2R;More", "dxsrx"),
        ("", "dsr"),
        ("?", "dsr"),
        ("one;two;three", "dsr"),
    ],
)
def test_the_columns_say_where_things_stand(columns: str, order: str) -> None:
    assert parse_result_table(columns, turned(order)) == TABLE


@pytest.mark.parametrize(
    "remark",
    [
        "; a remark",
        "{a remark}",
        "{a remark",
        "",
        "   ",
        "{N NT 7}",
        "; S NT 14",
    ],
)
@pytest.mark.parametrize("place", [0, 7, 20])
def test_comments_may_stand_in_between(remark: str, place: int) -> None:
    rows = [*ROWS[:place], remark, *ROWS[place:]]
    if remark == "{a remark":
        rows.insert(place + 1, "over two lines} ")
    assert parse_result_table(RESULT_TABLE_COLUMNS, rows) == TABLE
    commented = [row + remark if remark[:1] == ";" else row for row in ROWS]
    assert parse_result_table(RESULT_TABLE_COLUMNS, commented) == TABLE


@pytest.mark.parametrize(
    "columns", ["Declarer;Result", "Declarer Suit Result2", "Denomination", r"Declarer;Result\2R;x"]
)
def test_columns_of_which_some_are_missing_are_an_error(columns: str) -> None:
    with pytest.raises(PavError, match="expected Declarer, Denomination/Suit, Result/Tricks") as e:
        parse_result_table(columns, ROWS)
    assert repr(columns) in str(e.value)


def test_a_contract_may_stand_twice_with_one_result_only() -> None:
    assert parse_result_table(RESULT_TABLE_COLUMNS, [*ROWS, ROWS[0]]) == TABLE
    with pytest.raises(PavError, match="has two results for N NT"):
        parse_result_table(RESULT_TABLE_COLUMNS, [*ROWS, "N NT 1"])


BAD_ROWS = [
    ("N NT 14", "without 0 to 13 tricks: 'N NT 14'"),
    ("N NT 99", "without 0 to 13 tricks"),
    ("N NT 007", "without 0 to 13 tricks"),
    ("N NT -1", "without 0 to 13 tricks"),
    ("N NT +7", "without 0 to 13 tricks"),
    ("N NT 7.0", "without 0 to 13 tricks"),
    ("N NT ٣", "without 0 to 13 tricks"),
    ("N NT ?", "without 0 to 13 tricks: 'N NT ?'"),
    ("N NT *", "without 0 to 13 tricks"),
    ("N NT d", "without 0 to 13 tricks"),
    ("N NT", "without declarer, strain and tricks: 'N NT'"),
    ("N", "without declarer, strain and tricks"),
    ("NNT7", "without declarer, strain and tricks: 'NNT7'"),
    ("X NT 7", "no seat is called 'X'"),
    ("N X 7", "no strain is called 'X'"),
    ("NT N 7", "no seat is called 'NT'"),
]


@pytest.mark.parametrize(("row", "reason"), BAD_ROWS)
def test_a_bad_row_is_an_error(row: str, reason: str) -> None:
    for rows in ([row, *ROWS[1:]], [*ROWS, row]):
        with pytest.raises(PavError) as caught:
            parse_result_table(RESULT_TABLE_COLUMNS, rows)
        assert reason in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("count", [0, 1, 10, 19])
def test_a_table_that_is_not_complete_is_an_error(count: int) -> None:
    for rows in (ROWS[:count], ROWS[:count] * 2):
        with pytest.raises(PavError) as caught:
            parse_result_table(RESULT_TABLE_COLUMNS, rows)
        assert str(caught.value) == f"OptimumResultTable has {count} of 20 contracts"


@pytest.mark.parametrize(
    "digits",
    ["", "7", "7" * 19, "7" * 21, "e" + "7" * 19, "7" * 19 + "g", "7" * 19 + "\n", " " + "7" * 19,
     "7" * 10 + " " + "7" * 9, "٣" * 20, "-" * 20, "*" * 20, "0x" + "7" * 18],
)  # fmt: skip
def test_what_is_not_twenty_digits_is_an_error(digits: str) -> None:
    with pytest.raises(PavError) as caught:
        parse_trick_digits(digits)
    expected = f"DoubleDummyTricks has 20 hexadecimal digits of 0 to d, not {digits!r}"
    assert str(caught.value) == expected


OTHER = "7" * 20


@pytest.mark.parametrize(
    ("tags", "sections", "found"),
    [
        ({}, {}, None),
        ({TRICK_DIGITS: ""}, {}, None),
        ({RESULT_TABLE: RESULT_TABLE_COLUMNS}, {}, None),
        ({TRICK_DIGITS: DIGITS}, {}, TABLE),
        ({RESULT_TABLE: RESULT_TABLE_COLUMNS}, {RESULT_TABLE: ROWS}, TABLE),
        ({RESULT_TABLE: RESULT_TABLE_COLUMNS, TRICK_DIGITS: OTHER}, {RESULT_TABLE: ROWS}, TABLE),
        ({TRICK_DIGITS: OTHER, RESULT_TABLE: "Declarer Suit Tricks"}, {RESULT_TABLE: ROWS}, TABLE),
        ({RESULT_TABLE: RESULT_TABLE_COLUMNS, TRICK_DIGITS: DIGITS}, {}, TABLE),
        ({RESULT_TABLE: RESULT_TABLE_COLUMNS, TRICK_DIGITS: DIGITS}, {RESULT_TABLE: ()}, TABLE),
        ({"Event": "x"}, {"Auction": ("1C AP",)}, None),
    ],
)
def test_the_table_comes_before_the_digits(
    tags: dict[str, str], sections: dict[str, list[str]], found: TrickTable | None
) -> None:
    assert find_tricks(tags, sections) == found


def test_a_broken_table_is_an_error_even_beside_good_digits() -> None:
    tags = {RESULT_TABLE: RESULT_TABLE_COLUMNS, TRICK_DIGITS: DIGITS}
    with pytest.raises(PavError, match="19 of 20"):
        find_tricks(tags, {RESULT_TABLE: ROWS[1:]})
    with pytest.raises(UnknownNameError):
        find_tricks(tags, {RESULT_TABLE: ["X NT 7"]})
    with pytest.raises(PavError, match="20 hexadecimal digits"):
        find_tricks({TRICK_DIGITS: "7"}, {})


def pbn(*lines: str) -> str:
    """A board of a deal and more lines."""
    return "\n".join([f'[Deal "{DEAL}"]', *lines, ""])


HEAD = r'[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]'


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (pbn(HEAD, *ROWS), TABLE),
        (pbn(HEAD.replace("\\\\", "\\"), *ROWS), TABLE),
        (pbn('[OptimumResultTable "Declarer Suit Tricks"]', *ROWS), TABLE),
        (pbn(HEAD, *ROWS, f'[DoubleDummyTricks "{OTHER}"]'), TABLE),
        (pbn(f'[DoubleDummyTricks "{OTHER}"]', HEAD, *ROWS), TABLE),
        (pbn(f'[DoubleDummyTricks "{DIGITS}"]'), TABLE),
        (pbn(HEAD, *ROWS[:7], "; in between", *ROWS[7:]), TABLE),
        (pbn(HEAD, *ROWS[:7], "{over", "", "lines}", *ROWS[7:]), TABLE),
        (pbn(HEAD, *ROWS[:7], "% a hidden line", *ROWS[7:]), TABLE),
        (pbn(HEAD, *ROWS[1:]), None),
        (pbn(HEAD, "N NT 14", *ROWS[1:]), None),
        (pbn(HEAD, *ROWS[1:], f'[DoubleDummyTricks "{DIGITS}"]'), None),
        (pbn(HEAD), None),
        (pbn('[DoubleDummyTricks "7"]'), None),
        (pbn(), None),
    ],
)
def test_a_board_that_was_read_tells_its_tricks(text: str, found: TrickTable | None) -> None:
    board = read_text(text).board
    assert board.tricks == found
    assert board.layout == Deal.from_pbn(DEAL)


@pytest.mark.slow
@given(table=trick_tables())
def test_tricks_go_through_written_pbn(table: TrickTable) -> None:
    board = Board.make(Deal.from_pbn(DEAL), number=1, tricks=table)
    assert board.tricks == table
    back = read_text(write_bytes([board])).board
    assert back.tricks == table
    assert list(back.sections[RESULT_TABLE]) == list(board.sections[RESULT_TABLE])


@given(table=trick_tables())
def test_a_solved_board_is_the_same_as_one_that_was_made(table: TrickTable) -> None:
    deal = Deal.from_pbn(DEAL)
    solved, made = Board.solved(deal, table), Board.make(deal, tricks=table)
    assert solved.tricks == table
    assert solved == made
    assert (solved.tags, solved.sections, hash(solved)) == (made.tags, made.sections, hash(made))
    twin = pickle.loads(pickle.dumps(Board.solved(deal, table)))
    assert (twin, twin.tricks) == (made, table)


def test_new_tricks_take_the_place_of_a_tag() -> None:
    tags = {"Event": "Club", RESULT_TABLE: "Declarer Suit Tricks"}
    board = Board.make(None, tags=tags, tricks=TABLE)
    assert board.entries == (
        Tag("Event", "Club"),
        Tag(RESULT_TABLE, RESULT_TABLE_COLUMNS, format_result_table(TABLE)),
    )
    digits = Board.make(None, tags={TRICK_DIGITS: OTHER}, tricks=TABLE)
    assert [tag.name for tag in digits.entries] == [RESULT_TABLE]
    assert Board.make(None, tags={TRICK_DIGITS: DIGITS}).tricks == TABLE
    assert Board.make(None, tags={"Event": "Club"}).tricks is None
    assert Board(None).tricks is None
