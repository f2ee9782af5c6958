"""Codes of deals, one a line; and that no format is mistaken for another."""

from __future__ import annotations

import io

import pytest
from formats_support import DEAL, ENDING, NUMBER, OTHER, Reading, read_format, write_format
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import vectors
from strategies import deals

import pavcodec
from pavcodec import Board, Deal, Layout, Seat, TrickTable, Vulnerability, code, code_names
from pavcodec.boards import Context
from pavcodec.formats import format_names, format_of, recognise
from pavcodec.formats.programs import CODE_FORMATS

NAMES = [format_.name for format_ in CODE_FORMATS]
every_code = pytest.mark.parametrize("name", NAMES)
BBA = "6976424A64820BB4FF80D8A08EB9"
BOARD = Board.make(Layout.from_pbn(DEAL), number=7)


ELSEWHERE = ("dlm", "ber", "digits", "bri", "bhg", "cds", "zrd")


def test_every_code_is_a_format_or_stands_in_one() -> None:
    assert set(code_names(rare=True)) - set(ELSEWHERE) == set(NAMES)
    deal = Layout.from_pbn(DEAL)
    assert write_format("deal-digits", [BOARD]).data.decode() == f"{code('digits').format(deal)}\n"


@every_code
def test_a_line_is_the_code(name: str) -> None:
    number = 7 if name in ("bba", "saycbridge") else None
    text = code(name).format(Layout.from_pbn(DEAL), board=7)
    assert write_format(name, [BOARD, Board(None)]) == (f"{text}\n".encode(), [])
    found = read_format(name, f"# a remark\n\n  {text} \r\n".encode()).board
    assert (str(found.layout), found.number, found.line) == (DEAL, number, 3)


@pytest.mark.slow
@every_code
@settings(max_examples=30, deadline=None)
@given(found=st.lists(st.tuples(deals(), st.integers(1, 256)), max_size=4))
def test_what_is_written_is_read(name: str, found: list[tuple[Deal, int]]) -> None:
    boards = [Board.make(deal, number=number) for deal, number in found]
    data, problems = write_format(name, boards)
    again = read_format(name, data)
    assert problems == again.problems == []
    assert [board.layout for board in again.boards] == [board.layout for board in boards]
    if name in ("bba", "saycbridge"):
        assert [board.number for board in again.boards] == [number for _, number in found]
    assert write_format(name, again.boards).data == data


@every_code
def test_damage_is_one_problem_and_the_other_lines_are_kept(name: str) -> None:
    good = write_format(name, [BOARD]).data.decode().strip()
    for bad in ("+", f"{good}+", f"x y {good}", good * 8):
        reading = read_format(name, f"{good}\n{bad}\n{good}\n".encode())
        assert reading.layouts == [DEAL, DEAL]
        assert reading.problem.line == 2
        assert f"expected {code(name).summary}: '{bad[:20]}" in reading.problem.reason
    assert "this is not text" in read_format(name, b"\x00\n").problem.reason


@pytest.mark.parametrize("name", ["bba", "kops", "saycbridge"])
def test_a_code_that_is_no_deal_is_told_by_its_hands(name: str) -> None:
    reading = read_format(name, b"0" * (28 if name == "bba" else 26))
    assert "a deal has 13 cards in each hand; here N holds" in reading.problem.reason


@every_code
def test_an_ending_is_not_written(name: str) -> None:
    ending = Board.make(Layout.from_pbn(ENDING), number=5)
    data, (problem,) = write_format(name, [BOARD, ending, Board(Layout.from_pbn(OTHER))])
    assert read_format(name, data).layouts == [DEAL, OTHER]
    assert problem.board == "5"
    assert "a deal has 13 cards in each hand" in problem.reason


def test_bba_reads_the_lines_of_pbn() -> None:
    found = read_format("bba", f"% PBN 2.1\n% EXPORT\n% {BBA}\n%{BBA}\n".encode())
    assert found.problems == []
    assert [board.number for board in found.boards] == [99, 99]
    assert found.boards[0].layout == code("bba").parse(BBA)
    for row in vectors("bba"):
        found = read_format("bba", f"% {row['code']}\n".encode())
        assert write_format("bba", found.boards).data.decode() == f"{row['code'].upper()}\n"


def test_bba_numbers_boards_in_turn_and_refuses_other_rules() -> None:
    plain = Board(Layout.from_pbn(DEAL))
    boards = [plain, Board.make(plain.layout, number=20), plain, *[plain] * 237]
    again = read_format("bba", write_format("bba", boards).data)
    assert [board.number for board in again.boards][:4] == [1, 20, 21, 22]
    assert [board.number for board in again.boards][-2:] == [1, 2]
    assert again.boards[1].dealer is Seat.WEST
    for bad, reason in (
        (Board.make(plain.layout, number=257), "code 'bba' holds boards 1 to 256, not 257"),
        (
            Board.make(plain.layout, number=1, dealer=Seat.EAST),
            "code 'bba' holds the dealer that board 1 has by its number, N, not E",
        ),
        (
            Board.make(plain.layout, number=1, vulnerable=Vulnerability.NS),
            "code 'bba' holds the vulnerability that board 1 has by its number, None, not NS",
        ),
    ):
        data, (problem,) = write_format("bba", [bad])
        assert data == b""
        assert problem.reason.startswith(reason)


def test_saycbridge_needs_no_number_and_loses_calls() -> None:
    text = code("saycbridge").format(Layout.from_pbn(DEAL))
    found: Reading = read_format("saycbridge", f"{text}\n12-{text}:P,1N\n".encode())
    assert [board.number for board in found.boards] == [None, 12]
    assert write_format("saycbridge", found.boards).data.decode() == f"{text}\n12-{text}\n"


TOLD_BY_THE_FIRST_LINE = [
    "pbn", "lines", "dealer", "dealer-compact", "dealer-all", "deal-lines", "deal-digits",
    "deal-ddline", "gib", "dds", "numbers", "bba", "saycbridge", "diagram",
]  # fmt: skip


def text_of(name: str) -> bytes:
    """What a format makes of two boards that all can hold."""
    table = TrickTable(bytes([7] * 20))
    boards = [Board.make(Layout.from_pbn(t), number=7, tricks=table) for t in (DEAL, OTHER)]
    context = Context("x", numbering=pavcodec.numbering("deal"))
    stream = io.BytesIO()
    format_of(name).write(boards, stream, context)
    return stream.getvalue()


@pytest.mark.parametrize("name", TOLD_BY_THE_FIRST_LINE)
def test_a_format_is_recognised_by_its_first_line_and_is_no_other(name: str) -> None:
    data = text_of(name)
    for path in ("", "a.txt", "-"):
        found, stream = recognise(io.BytesIO(data), path=path)
        assert found.name == name
        assert stream.read(1 << 20) == data
    line = next(line for line in data.decode().split("\n") if line.strip())
    takers = [
        other
        for other in format_names()
        if (recognises := format_of(other).recognises) is not None and recognises(line)
    ]
    expected = ["deal-digits", "numbers"] if name == "deal-digits" else [name]
    assert takers == ([] if name == "pbn" else expected)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (f"{NUMBER}", "numbers"),
        ("1234567890123456789012345678", "numbers"),  # as long as a code of bba
        ("12345678901234567890123456", "numbers"),  # as long as one of kops
        ("0x" + "ab" * 14, "numbers"),
        ("% 6976424A64820BB4FF80D8A08EB9", "pbn"),  # a remark of PBN
        (BBA, "bba"),
        (f"7-{'ab' * 13}:P", "saycbridge"),
        ("3" * 53, "numbers"),
        ("N:AK.Q.. - .32.4. -", "lines"),
        ("n AK.Q..", "dealer-compact"),
        ("1.", "dealer-all"),
        ("1.5", "pbn"),
        ("NUMBER 10", "dds"),
        ('[Board "1"]', "pbn"),
        ("Board 7", "diagram"),
        ("Deal: 1", "diagram"),
        ("          ? KQT542", "diagram"),
        ("                ♠ -", "diagram"),
        ("Dealer", "pbn"),
        ("hello world", "pbn"),
    ],
)
def test_what_a_first_line_is_taken_for(line: str, name: str) -> None:
    assert recognise(io.BytesIO(f"# x\n\n{line}\n".encode()))[0].name == name
