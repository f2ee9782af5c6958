r"""Double-dummy tricks in PBN: OptimumResultTable and DoubleDummyTricks."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable

import pytest
from formats_support import DEAL, read_text, write_bytes
from hypothesis import given
from hypothesis import strategies as st
from records_support import trick_tables

from pavcodec import Board, Deal, PavError, Tag, TrickTable
from pavcodec.boards.tricks import (
    RESULT_TABLE,
    RESULT_TABLE_COLUMNS,
    TRICK_DIGITS,
    find_tricks,
    format_result_table,
    parse_ability,
    parse_result_table,
    parse_trick_digits,
)

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


def test_the_digits_and_rows_are_north_south_east_west_and_notrump_first() -> None:
    assert parse_trick_digits(DIGITS) == parse_trick_digits(DIGITS.upper()) == TABLE
    assert format_result_table(TABLE) == tuple(ROWS)
    assert parse_result_table(RESULT_TABLE_COLUMNS, ROWS) == TABLE


@given(table=trick_tables(), seed=st.integers(0, 1000))
def test_any_table_is_read_back(table: TrickTable, seed: int) -> None:
    rows = list(format_result_table(table))
    assert [len(row) for row in rows] == [7] * 20
    assert parse_result_table(RESULT_TABLE_COLUMNS, rows) == table
    digits = "".join(f"{table[seat, strain]:x}" for seat in "NSEW" for strain in ("NT", *"SHDC"))
    assert parse_trick_digits(digits) == table
    random.Random(seed).shuffle(rows)
    loose = ["\t" + row.replace(" ", "   ").lower() + " " for row in rows]
    assert parse_result_table(RESULT_TABLE_COLUMNS, loose) == table


COLUMNS = {
    r"Declarer;Denomination\2R;Result\1R": "dsr",
    "Declarer Suit Tricks": "dsr",
    "Declarer;Suit;Tricks": "dsr",
    r"Result\2R;Denomination\2R;Declarer": "rsd",
    r"+Declarer;-Denomination\2R;Result\2R": "dsr",
    "Tricks Declarer Suit": "rds",
    r"Section;Declarer;Denomination\2R;Result\2R": "xdsr",
    r"Declarer;Section;Denomination\2R;Result\2R;More": "dxsrx",
    "": "dsr",
    "one;two;three": "dsr",
}
"""The order of the words: declarer, strain, result and something else."""


def test_the_columns_say_where_things_stand() -> None:
    words = [dict(zip("dsr", row.split(), strict=True)) | {"x": "?"} for row in ROWS]
    for columns, order in COLUMNS.items():
        rows = [" ".join(row[each] for each in order) for row in words]
        assert parse_result_table(columns, rows) == TABLE, columns
    expected = "expected Declarer, Denomination/Suit, Result/Tricks"
    for columns in ("Declarer;Result", "Declarer Suit Result2", r"Declarer;Result\2R;x"):
        told = fault(parse_result_table, columns, ROWS)
        assert told == f"OptimumResultTable has columns {columns!r}, {expected}"


def test_comments_may_stand_in_between() -> None:
    for remark in ("; a remark", "{a remark}", "", "   ", "{N NT 7}", "; S NT 14", "% N NT 14"):
        for place in (0, 7, 20):
            rows = [*ROWS[:place], remark, *ROWS[place:]]
            assert parse_result_table(RESULT_TABLE_COLUMNS, rows) == TABLE, remark
    lines = [*ROWS[:7], "{a remark", "over two lines} ", *[f"{row}; N NT 14" for row in ROWS[7:]]]
    assert parse_result_table(RESULT_TABLE_COLUMNS, lines) == TABLE


BAD_ROWS = [
    ("N NT 14", "without 0 to 13 tricks: 'N NT 14'"),
    *[(f"N NT {no}", "0 to 13 tricks") for no in ("99", "007", "-1", "+7", "7.0", "٣", "?", "d")],
    ("N NT", "without declarer, strain and tricks: 'N NT'"),
    ("N", "without declarer, strain and tricks"),
    ("NNT7", "without declarer, strain and tricks: 'NNT7'"),
    ("X NT 7", "no seat is called 'X'"),
    ("N X 7", "no strain is called 'X'"),
    ("NT N 7", "no seat is called 'NT'"),
    ("S NT 1", "has two results for S NT"),
]


def fault(parse: Callable[..., object], *arguments: object) -> str:
    """Return what is said of wrong arguments."""
    with pytest.raises(PavError) as caught:
        parse(*arguments)
    return str(caught.value)


def test_a_bad_row_is_an_error() -> None:
    for row, reason in BAD_ROWS:
        for rows in ([row, *ROWS[1:]], [*ROWS, row]):
            told = fault(parse_result_table, RESULT_TABLE_COLUMNS, rows)
            assert (reason in told, "\n" in told) == (True, False), told
    assert parse_result_table(RESULT_TABLE_COLUMNS, [*ROWS, ROWS[0]]) == TABLE
    for count in (0, 1, 19):
        for rows in (ROWS[:count], ROWS[:count] * 2):
            told = fault(parse_result_table, RESULT_TABLE_COLUMNS, rows)
            assert told == f"OptimumResultTable has {count} of 20 contracts"


def test_what_is_not_twenty_digits_is_an_error() -> None:
    for digits in (
        "", "7" * 19, "7" * 21, "e" + "7" * 19, "7" * 19 + "g", "7" * 19 + "\n", " " + "7" * 19,
        "7" * 10 + " " + "7" * 9, "٣" * 20, "-" * 20, "0x" + "7" * 18,
    ):  # fmt: skip
        expected = f"DoubleDummyTricks has 20 hexadecimal digits of 0 to d, not {digits!r}"
        assert fault(parse_trick_digits, digits) == expected
    for ability in ("", "N:00000 E:00000 S:00000", "N:0000e E:00000 S:00000 W:00000"):
        expected = f"Ability has four hands as in 'N:5A5CC E:02800', not {ability!r}"
        assert fault(parse_ability, ability) == expected


OTHER = "7" * 20
ABLE = "N:01234 S:56789 E:ABCD7 W:65432"
PLAIN, DIGITS_ONLY = {RESULT_TABLE: RESULT_TABLE_COLUMNS}, {TRICK_DIGITS: DIGITS}
SUITS = {TRICK_DIGITS: OTHER, RESULT_TABLE: "Declarer Suit Tricks"}
TOLD: list[tuple[dict[str, str], list[str], TrickTable | None]] = [
    ({}, [], None),
    ({TRICK_DIGITS: "", "Ability": "?"}, [], None),
    (PLAIN, [], None),
    (DIGITS_ONLY, [], TABLE),
    (PLAIN, ROWS, TABLE),
    (PLAIN | {TRICK_DIGITS: OTHER}, ROWS, TABLE),
    (SUITS, ROWS, TABLE),
    (PLAIN | DIGITS_ONLY | {"Ability": "N:00000"}, [], TABLE),
    ({"Ability": ABLE}, [], TABLE),
]


def test_the_table_comes_before_the_digits_and_these_before_abilities() -> None:
    for tags, rows, found in TOLD:
        assert find_tricks(tags, {RESULT_TABLE: rows}) == found, tags
    with pytest.raises(PavError, match="19 of 20"):
        find_tricks(PLAIN | DIGITS_ONLY, {RESULT_TABLE: ROWS[1:]})


HEAD = r'[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]'


def test_a_board_that_was_read_tells_its_tricks() -> None:
    for lines, found in (
        ([HEAD, *ROWS], TABLE),
        ([HEAD.replace("\\\\", "\\"), *ROWS], TABLE),
        ([f'[DoubleDummyTricks "{OTHER}"]', HEAD, *ROWS], TABLE),
        ([f'[DoubleDummyTricks "{DIGITS}"]'], TABLE),
        ([HEAD, *ROWS[:7], "{over", "", "lines}", "% hidden", *ROWS[7:]], TABLE),
        ([HEAD, *ROWS[1:], f'[DoubleDummyTricks "{DIGITS}"]'], None),
        ([HEAD, "N NT 14", *ROWS[1:]], None),
        (['[DoubleDummyTricks "7"]'], None),
        ([HEAD], None),
    ):
        board = read_text("\n".join([f'[Deal "{DEAL}"]', *lines, ""])).board
        assert (board.tricks, board.layout) == (found, Deal.from_pbn(DEAL)), lines


@pytest.mark.slow
@given(table=trick_tables())
def test_tricks_go_through_written_pbn_and_pickles(table: TrickTable) -> None:
    deal = Deal.from_pbn(DEAL)
    solved, made = Board.solved(deal, table), Board.make(deal, tricks=table)
    back = read_text(write_bytes([made])).board
    twin = pickle.loads(pickle.dumps(Board.solved(deal, table)))
    assert solved.tricks == made.tricks == back.tricks == twin.tricks == table
    assert (solved, solved.tags, solved.sections) == (made, made.tags, made.sections)
    assert (twin, hash(solved)) == (made, hash(made))
    assert list(back.sections[RESULT_TABLE]) == list(made.sections[RESULT_TABLE])


def test_new_tricks_take_the_place_of_a_tag() -> None:
    tags = {"Event": "Club", RESULT_TABLE: "Declarer Suit Tricks"}
    board = Board.make(None, tags=tags, tricks=TABLE)
    assert board.entries == (
        Tag("Event", "Club"),
        Tag(RESULT_TABLE, r"Declarer;Denomination\2R;Result\2R", tuple(ROWS)),
    )
    digits = Board.make(None, tags={TRICK_DIGITS: OTHER}, tricks=TABLE)
    assert [tag.name for tag in digits.entries] == [RESULT_TABLE]
    assert Board.make(None, tags={TRICK_DIGITS: DIGITS}).tricks == TABLE
    assert Board.make(None, tags={"Event": "Club"}).tricks is None
    assert Board(None).tricks is None
