"""The plain formats: one deal text or one number a line."""

from __future__ import annotations

import io

import pytest
from formats_support import DEAL, ENDING, FOULED, NUMBER, OTHER, Reading, write_format
from hypothesis import given, settings
from hypothesis import strategies as st

from pavcodec import Board, Deal, Layout, NumberError, PavError, ReadError, numbering
from pavcodec.boards import Context, Problem
from pavcodec.formats import format_of
from pavcodec.formats.plain.texts import looks_like_lines, parse_number, shorten

LINES, NUMBERS = format_of("lines"), format_of("numbers")


def lines_read(data: str | bytes, *, strict: bool = False) -> Reading:
    """Read deal lines; problems are kept."""
    problems: list[Problem] = []
    stream = io.BytesIO(data.encode() if isinstance(data, str) else data)
    return Reading(list(LINES.read(stream, Context("d.txt", problems.append, strict))), problems)


def numbers_read(data: str | bytes, name: str = "deal") -> Reading:
    """Read numbers; problems are kept."""
    problems: list[Problem] = []
    stream = io.BytesIO(data.encode() if isinstance(data, str) else data)
    context = Context("n.numbers", problems.append, numbering=numbering(name))
    return Reading(list(NUMBERS.read(stream, context)), problems)


def test_deal_lines_are_read_with_their_line_numbers() -> None:
    boards, problems = lines_read(f"# deals\n\n{DEAL}\r\n  {ENDING}  \n\t# end\n{OTHER}\n{FOULED}")
    assert problems == []
    expected = [(DEAL, 3), (ENDING, 4), (OTHER, 6), (FOULED, 7)]
    assert [(str(board.layout), board.line) for board in boards] == expected
    assert [type(board.layout) for board in boards] == [Deal, Layout, Deal, Layout]
    assert boards[0].entries == ()
    for data in (DEAL.encode("utf-16"), b"\xef\xbb\xbf" + DEAL.encode(), DEAL.lower().encode()):
        assert str(lines_read(data).board.layout) == DEAL


BAD_LINES = {
    "N:A... A... - -": "SA is in two hands",
    "N:A... - -": "4 hands",
    "12345": "first seat",
    "[Deal]": "first seat",
    "é": "'é'",
}
BAD_NUMBERS = {
    "53644737765488792839237440000": "0 to 53644737765488792839237439999",
    "-1": "not -1",
    "12a": "'12a' is no number; expected decimal, or hexadecimal after 0x",
    **{text: f"{text!r} is no number" for text in ("1.5", "1e3", "1,00", "ff", "0x", "--1", "٣")},
    **{text: f"{text!r} is no number" for text in ("1_000", "12 13")},
    DEAL: "no number",
    "9" * 4000: f"'{'9' * 60}…' has 4000 characters; no number is that long",
    "-0x" + "f" * 5000: f"'-0x{'f' * 57}…' has 5003 characters; no number is that long",
}


def test_what_cannot_be_read_is_reported_and_reading_goes_on() -> None:
    for line, reason in BAD_LINES.items():
        boards, (problem,) = lines_read(f"{DEAL}\n{line}\n{OTHER}\n")
        assert [board.line for board in boards] == [1, 3]
        assert (problem.source, problem.line, "\n" in str(problem)) == ("d.txt", 2, False)
        assert reason in problem.reason
        assert repr(line) in problem.reason
    for text, reason in BAD_NUMBERS.items():
        boards, (problem,) = numbers_read(f"0\n{text}\n1\n")
        assert [board.line for board in boards] == [1, 3]
        assert (problem.source, problem.line, "\n" in str(problem)) == ("n.numbers", 2, False)
        assert reason in problem.reason


def test_strict_lines_take_no_loose_deals() -> None:
    boards, problems = lines_read(f"{DEAL.lower()}\n{DEAL}\n", strict=True)
    assert [board.line for board in boards] == [2]
    assert [problem.line for problem in problems] == [1]
    with pytest.raises(ReadError, match=r"^d\.txt:1: "):
        list(LINES.read(io.BytesIO(b"x\n"), Context("d.txt")))


def test_a_binary_file_is_one_problem() -> None:
    for data in (b"\x7fELF\0\0\0\n" * 5, f"{DEAL}\nN:\0\n{DEAL}\n".encode()):
        reason = "this is not text: expected one item a line"
        assert lines_read(data).problem.reason == reason
        assert numbers_read(data.replace(DEAL.encode(), b"1")).problem.reason == reason


def test_lines_are_written_north_first_in_utf8_with_newlines() -> None:
    layouts = [Deal.from_pbn(DEAL), None, Layout.from_pbn(ENDING), Layout.from_pbn(FOULED)]
    written = write_format("lines", [Board(layout) for layout in layouts])
    assert written.data == f"{DEAL}\n{ENDING}\n{FOULED}\n".encode()


def test_numbers_are_read_as_people_write_them() -> None:
    texts = [f"{NUMBER}", f"{NUMBER:,}", hex(NUMBER), f"0X{NUMBER:X}", f" +{NUMBER}\t"]
    boards, problems = numbers_read("\n".join(["# numbers", *texts, f"00{NUMBER}"]))
    assert problems == []
    assert {str(board.layout) for board in boards} == {DEAL}
    assert [board.line for board in boards] == [2, 3, 4, 5, 6, 7]


def test_numbers_belong_to_a_numbering() -> None:
    base5 = numbering("base5")
    assert numbers_read("0\n1\n", "base5").layouts == [str(base5.unrank(n)) for n in (0, 1)]
    with pytest.raises(PavError, match="needs a numbering"):
        list(NUMBERS.read(io.BytesIO(b"0"), Context("x")))


def test_numbers_are_written_in_decimal_and_what_has_none_is_a_problem() -> None:
    problems: list[Problem] = []
    stream = io.BytesIO()
    boards = [Board(Layout.from_pbn(text), line=n) for n, text in enumerate([DEAL, ENDING, DEAL])]
    context = Context("n.numbers", problems.append, numbering=numbering("deal"))
    NUMBERS.write([*boards, Board(None)], stream, context)
    assert stream.getvalue() == f"{NUMBER}\n{NUMBER}\n".encode()
    (problem,) = problems
    assert problem.line == 1
    assert "13 cards in each hand" in problem.reason


@settings(deadline=None, max_examples=100)
@given(st.integers(-(10**40), 10**40))
def test_every_number_is_read_back(number: int) -> None:
    assert parse_number(str(number)) == number
    assert parse_number(f"{number:,}") == number
    assert parse_number(f"{'-' * (number < 0)}{abs(number):#x}") == number
    assert parse_number(f"{number:x}", hexadecimal=True) == number
    assert parse_number(f"{number:X}", hexadecimal=True) == number


def test_what_is_no_number_and_hexadecimal_digits() -> None:
    for text in ("", " ", "-", "+", "0x", "x1", "g", "1,2", ",1", "1 2", "１２"):
        for hexadecimal in (False, True):
            with pytest.raises(NumberError, match="no number") as caught:
                parse_number(text, hexadecimal=hexadecimal)
            assert ("expected hexadecimal digits" in str(caught.value)) == hexadecimal
    assert parse_number("0xAd5") == parse_number("0xAd5", hexadecimal=True) == 0xAD5
    assert parse_number("1" * 200) == int("1" * 200)
    with pytest.raises(NumberError, match="has 201 characters"):
        parse_number("1" * 201)


def test_what_looks_like_a_deal_line_and_how_long_texts_are_cut() -> None:
    looks = {DEAL: True, "  w:- - - -": True, "N:": True, "N": False, "[Deal": False, "": False}
    assert {line: looks_like_lines(line) for line in looks} == looks
    assert shorten("a'b\n") == '"a\'b\\n"'
    assert shorten("x" * 60) == repr("x" * 60)
    assert shorten("x" * 61) == repr("x" * 60 + "…")
