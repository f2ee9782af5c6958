"""What dealer prints in several lines: printcompact and printall."""

from __future__ import annotations

from collections.abc import Callable

import oracles
import pytest
from formats_support import (
    DEAL,
    ENDING,
    OTHER,
    corpus_folder,
    format_seen,
    read_format,
    write_format,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import deals

from pavcodec import Board, Deal, Layout, numbering

FIXTURES = oracles.FIXTURES / "formats"
NAMES = ("dealer-compact", "dealer-all")
every_format = pytest.mark.parametrize("name", NAMES)

COMPACT = """\
n A.KJ93.Q765.T962
e 972.A8764.A82.AK
s QJ643.QT5.K43.74
w KT85.2.JT9.QJ853
"""
ALL = """\
   7.
A                   9 7 2               Q J 6 4 3           K T 8 5 \n\
K J 9 3             A 8 7 6 4           Q T 5               2 \n\
Q 7 6 5             A 8 2               K 4 3               J T 9 \n\
T 9 6 2             A K                 7 4                 Q J 8 5 3 \n\

"""
TEXTS = {"dealer-compact": COMPACT, "dealer-all": ALL}
REPORT = "Generated 2 hands\nProduced 2 hands\nInitial random seed 1\nTime needed    0.000 sec\n"


def long_suits() -> st.SearchStrategy[Deal]:
    """Deals in which a hand has ten cards of a suit and more."""

    def deal(moved: list[int], turn: int) -> Deal:
        owners = bytearray(seat for seat in range(4) for _ in range(13))
        for card, other in zip(moved[::2], moved[1::2], strict=False):
            owners[card], owners[other] = owners[other], owners[card]
        return Deal(bytes((owner + turn) % 4 for owner in owners))

    return st.builds(deal, st.lists(st.integers(0, 51), max_size=6), st.integers(0, 3))


@every_format
def test_a_deal_has_the_lines_that_dealer_prints(name: str) -> None:
    board = Board.make(Layout.from_pbn(DEAL), number=7)
    assert write_format(name, [board]) == (TEXTS[name].encode(), [])
    found = read_format(name, TEXTS[name].encode()).board
    assert (found.layout, found.line) == (board.layout, 1)
    assert found.number == (7 if name == "dealer-all" else None)


@pytest.mark.slow
@every_format
@settings(max_examples=40, deadline=None)
@given(found=st.lists(st.tuples(deals() | long_suits(), st.integers(1, 10**6)), max_size=4))
def test_what_is_written_is_read(name: str, found: list[tuple[Deal, int]]) -> None:
    boards = [Board.make(deal, number=number) for deal, number in found]
    data, problems = write_format(name, boards)
    again = read_format(name, data)
    assert problems == again.problems == []
    assert [board.layout for board in again.boards] == [board.layout for board in boards]
    if name == "dealer-all":
        assert [board.number for board in again.boards] == [number for _, number in found]
    assert write_format(name, again.boards).data == data


@settings(max_examples=30, deadline=None)
@given(deal=long_suits())
def test_long_holdings_push_the_columns_to_the_right(deal: Deal) -> None:
    rows = write_format("dealer-all", [Board(deal)]).data.decode().splitlines()[1:5]
    for suit, row in enumerate(rows):
        holdings = [str(hand.to_pbn()).split(".")[suit] for hand in deal]
        cells = ["".join(f"{rank} " for rank in holding) or "- " for holding in holdings]
        assert row == "".join(cell.ljust(20) for cell in cells[:3]) + cells[3]
    assert read_format("dealer-all", "\n".join(["1.", *rows]).encode()).layouts == [str(deal)]


def test_boards_without_numbers_are_counted() -> None:
    boards = [Board(numbering("deal")[number]) for number in (3**40, 3**50)]
    assert [
        b.number for b in read_format("dealer-all", write_format("dealer-all", boards).data).boards
    ] == [1, 2]


def test_the_three_ways_of_dealer_to_print_have_the_same_deals() -> None:
    kept = []
    for name, file in (
        ("dealer", "oneline.txt"),
        ("dealer-compact", "compact.txt"),
        ("dealer-all", "printall.txt"),
    ):
        data = (FIXTURES / file).read_bytes()
        reading = read_format(name, data)
        assert (len(reading.boards), reading.problems) == (20, [])
        assert write_format(name, reading.boards).data == data[: data.index(b"Generated")]
        kept.append(reading.layouts)
    assert kept[0] == kept[1] == kept[2]


def test_the_files_of_the_corpus_are_written_byte_for_byte() -> None:
    folder = corpus_folder() / "generated"
    one = read_format("dealer", (folder / "dealer_printoneline_500.txt").read_bytes()).layouts
    for name, file, count in (
        ("dealer-compact", "dealer_printcompact_100.txt", 100),
        ("dealer-all", "dealer_printall_50.txt", 50),
    ):
        data = (folder / file).read_bytes()
        reading = read_format(name, data)
        assert reading.problems == []
        assert reading.layouts == one[:count]
        assert write_format(name, reading.boards).data == data[: data.index(b"Generated")]


def drop(line: int) -> Callable[[str], str]:
    """Return what leaves out a line, from 0."""
    return lambda text: "".join(
        each for at, each in enumerate(text.splitlines(keepends=True)) if at != line
    )


def change(old: str, new: str) -> Callable[[str], str]:
    """Return what puts one text in the place of another."""
    return lambda text: text.replace(old, new)


IN_COMPACT = [
    (drop(0), 5, "expected a deal to begin with 'n': 'e 972"),
    (drop(1), 6, "expected the hand 'e S.H.D.C': 's QJ643"),
    (drop(3), 8, "expected the hand 'w S.H.D.C': 'n A.KJ93"),
    (change("A8764", "A87x4"), 6, "expected the hand 'e S.H.D.C': 'e 972.A87x4"),
    (change("972", "97"), 5, "here N holds 13, E 12, S 13, W 13: 'A.KJ93"),
    (change("972", "A72"), 5, "card SA is in two hands"),
    (change(COMPACT, "junk\n"), 5, "expected a hand 'n S.H.D.C': 'junk'"),
]
IN_ALL = [
    (drop(0), 7, "expected the number of a deal: 'A       "),
    (drop(1), 7, "the deal ends after 3 of 4 suits"),
    (drop(4), 7, "the deal ends after 3 of 4 suits"),
    (change("9 7 2", "9 7-2"), 8, "expected four holdings in columns of 20: 'A"),
    (change("9 7 2 ", "9 7 2"), 8, "expected four holdings in columns of 20: 'A"),
    (change("Q 7 6 5", "Q 7 6  "), 7, "here N holds 12, E 13"),
    (change("Q 7 6 5", "Q 7 6 6"), 7, "D6"),
    (change(ALL, "   8. and more\n"), 7, "expected the number of a deal: '   8. and more'"),
]


@pytest.mark.parametrize(
    ("name", "damage", "line", "reason"),
    [
        *(("dealer-compact", *each) for each in IN_COMPACT),
        *(("dealer-all", *each) for each in IN_ALL),
    ],
)
def test_damage_is_one_problem_and_the_other_deals_are_kept(
    name: str, damage: Callable[[str], str], line: int, reason: str
) -> None:
    good = TEXTS[name]
    reading = read_format(name, f"{good}{damage(good)}{good}{REPORT}".encode())
    assert reading.layouts == [DEAL, DEAL]
    problem = reading.problem
    assert (problem.line, reason in problem.reason) == (line, True), problem
    if name == "dealer-all":
        assert problem.board == (None if "the number of a deal" in reason else "7")


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("dealer-compact", COMPACT[:40], "the deal ends after 2 of 4 hands"),
        ("dealer-all", ALL[:100], "the deal ends after 1 of 4 suits"),
        ("dealer-all", ALL[:6], "the deal ends after 0 of 4 suits"),
    ],
)
def test_a_file_that_is_cut_off_is_a_problem(name: str, text: str, reason: str) -> None:
    cut = text.rpartition("\n")[0]
    reading = read_format(name, f"{TEXTS[name]}{cut}\n".encode())
    assert reading.layouts == [DEAL]
    assert reading.problem.reason == reason


@every_format
def test_an_ending_is_not_written(name: str) -> None:
    ending = Board.make(Layout.from_pbn(ENDING), number=5)
    boards = [Board(Layout.from_pbn(DEAL)), ending, Board(None), Board(Layout.from_pbn(OTHER))]
    data, (problem,) = write_format(name, boards)
    assert read_format(name, data).layouts == [DEAL, OTHER]
    assert problem.board == "5"
    assert "a deal has 13 cards in each hand" in problem.reason


def test_deviations_are_taken() -> None:
    heads = "      North               East                South               West"
    loose = "\nHands\n" + ALL.replace("   7.", f"7.  \n{heads}").replace(" \n", "\n")
    assert read_format("dealer-all", loose.replace("\n", "\r\n").encode()).layouts == [DEAL]
    assert read_format("dealer-all", ALL.encode() * 2 + REPORT.encode()).problems == []
    loose = f"# a remark\n\n{COMPACT.upper()}\n{REPORT}"
    assert read_format("dealer-compact", loose.encode()).layouts == [DEAL]


def test_what_dealer_v2_prints_is_read() -> None:
    heads = "   7. North              East                South               West \n"
    rows = "".join(f"     {row}\n" for row in ALL.split("\n")[1:5])
    assert format_seen(heads + rows) == "dealer-all"
    text = f"{'':18}[Fourth suit]\n{heads}{rows}\n\f{'':18}[Fourth suit]\n{heads}{rows}\n"
    reading = read_format("dealer-all", text.encode())
    assert (reading.layouts, reading.problems) == ([DEAL, DEAL], [])
    assert [board.number for board in reading.boards] == [7, 7]
