"""The plain formats: one deal text or one number a line."""

from __future__ import annotations

import io

import pytest
from formats_support import DEAL, ENDING, FOULED, NUMBER, OTHER
from hypothesis import given, settings
from hypothesis import strategies as st

from pavcodec import Board, Deal, Layout, NumberError, PavError, ReadError, numbering
from pavcodec.boards import Context, Problem
from pavcodec.formats import format_of
from pavcodec.formats.plain.texts import looks_like_lines, parse_number, shorten

LINES, NUMBERS = format_of("lines"), format_of("numbers")


def lines_read(data: str | bytes, *, strict: bool = False) -> tuple[list[Board], list[Problem]]:
    """Read deal lines; problems are kept."""
    problems: list[Problem] = []
    stream = io.BytesIO(data.encode() if isinstance(data, str) else data)
    return list(LINES.read(stream, Context("d.txt", problems.append, strict))), problems


def numbers_read(data: str | bytes, name: str = "deal") -> tuple[list[Board], list[Problem]]:
    """Read numbers; problems are kept."""
    problems: list[Problem] = []
    stream = io.BytesIO(data.encode() if isinstance(data, str) else data)
    context = Context("n.numbers", problems.append, numbering=numbering(name))
    return list(NUMBERS.read(stream, context)), problems


def test_deal_lines_are_read_with_their_line_numbers() -> None:
    boards, problems = lines_read(f"# deals\n\n{DEAL}\r\n  {ENDING}  \n\t# end\n{OTHER}")
    assert problems == []
    assert [(str(board.layout), board.line) for board in boards] == [
        (DEAL, 3),
        (ENDING, 4),
        (OTHER, 6),
    ]
    assert [type(board.layout) for board in boards] == [Deal, Layout, Deal]
    assert boards[0].entries == ()


@pytest.mark.parametrize(
    "data", [DEAL.encode("utf-16"), b"\xef\xbb\xbf" + DEAL.encode(), DEAL.lower().encode() + b"\r"]
)
def test_deal_lines_in_other_clothes(data: bytes) -> None:
    boards, problems = lines_read(data)
    assert problems == []
    assert [str(board.layout) for board in boards] == [DEAL]


def test_a_fouled_deal_is_a_line_like_any_other() -> None:
    boards, problems = lines_read(FOULED)
    assert problems == []
    assert [str(board.layout) for board in boards] == [FOULED]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("N:A... A... - -", "SA is in two hands"),
        ("N:A... - -", "4 hands"),
        ("12345", "first seat"),
        ("[Deal]", "first seat"),
        ("é", "'é'"),
    ],
)
def test_a_bad_line_is_reported_and_reading_goes_on(line: str, reason: str) -> None:
    boards, problems = lines_read(f"{DEAL}\n{line}\n{OTHER}\n")
    assert [board.line for board in boards] == [1, 3]
    (problem,) = problems
    assert (problem.source, problem.line) == ("d.txt", 2)
    assert reason in problem.reason
    assert repr(line) in problem.reason
    assert "\n" not in str(problem)


def test_strict_lines_take_no_loose_deals() -> None:
    boards, problems = lines_read(f"{DEAL.lower()}\n{DEAL}\n", strict=True)
    assert [board.line for board in boards] == [2]
    assert [problem.line for problem in problems] == [1]
    stream = io.BytesIO(b"x\n")
    with pytest.raises(ReadError, match=r"^d\.txt:1: "):
        list(LINES.read(stream, Context("d.txt")))


def test_a_binary_file_is_one_problem() -> None:
    for data in (b"\x7fELF\0\0\0\n" * 5, f"{DEAL}\nN:\0\n{DEAL}\n".encode()):
        _, problems = lines_read(data)
        assert len(problems) == 1
        assert "not text" in problems[0].reason
        _, problems = numbers_read(data.replace(DEAL.encode(), b"1"))
        assert len(problems) == 1


def test_lines_are_written_north_first_in_utf8_with_newlines() -> None:
    layouts = [Deal.from_pbn(DEAL), None, Layout.from_pbn(ENDING), Layout.from_pbn(FOULED)]
    stream = io.BytesIO()
    LINES.write([Board(layout) for layout in layouts], stream, Context("d.txt"))
    assert stream.getvalue() == f"{DEAL}\n{ENDING}\n{FOULED}\n".encode()


def test_numbers_are_read_as_people_write_them() -> None:
    texts = [
        str(NUMBER),
        f"{NUMBER:,}",
        hex(NUMBER),
        f"0X{NUMBER:X}",
        f" +{NUMBER}\t",
        f"000{NUMBER}",
    ]
    boards, problems = numbers_read("# numbers\n" + "\n".join(texts))
    assert problems == []
    assert {str(board.layout) for board in boards} == {DEAL}
    assert [board.line for board in boards] == [2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("53644737765488792839237440000", "0 to 53644737765488792839237439999"),
        ("-1", "not -1"),
        ("12a", "'12a' is no number"),
        ("1.5", "'1.5'"),
        ("1e3", "'1e3'"),
        ("1,00", "'1,00'"),
        ("ff", "'ff'"),
        ("0x", "'0x'"),
        ("--1", "'--1'"),
        ("٣", "'٣'"),
        ("1_000", "'1_000'"),
        ("12 13", "'12 13'"),
        (DEAL, "no number"),
    ],
)
def test_what_is_no_number_is_reported_and_reading_goes_on(text: str, reason: str) -> None:
    boards, problems = numbers_read(f"0\n{text}\n1\n")
    assert [board.line for board in boards] == [1, 3]
    (problem,) = problems
    assert (problem.source, problem.line) == ("n.numbers", 2)
    assert reason in problem.reason
    assert "\n" not in str(problem)


@pytest.mark.parametrize("text", ["9" * 4000, "9" * 5000, "0x" + "f" * 5000, "-0x" + "f" * 5000])
def test_a_number_of_thousands_of_digits_is_a_problem_like_any_other(text: str) -> None:
    boards, problems = numbers_read(f"0\n{text}\n1\n")
    assert [board.line for board in boards] == [1, 3]
    assert [problem.line for problem in problems] == [2]


def test_the_message_on_a_long_number_is_short() -> None:
    for text in ("9" * 4000, "9" * 5000):
        _, (problem,) = numbers_read(text)
        assert len(str(problem)) < 400


def test_numbers_belong_to_a_numbering() -> None:
    boards, problems = numbers_read("0\n1\n", "base5")
    assert problems == []
    assert [str(board.layout) for board in boards] == [
        str(numbering("base5").unrank(number)) for number in (0, 1)
    ]
    with pytest.raises(PavError, match="needs a numbering"):
        list(NUMBERS.read(io.BytesIO(b"0"), Context("x")))


def test_numbers_are_written_in_decimal_and_what_has_none_is_a_problem() -> None:
    problems: list[Problem] = []
    stream = io.BytesIO()
    texts = {1: DEAL, 2: ENDING, 3: DEAL}
    boards = [Board(Layout.from_pbn(text), line=n) for n, text in texts.items()]
    context = Context("n.numbers", problems.append, numbering=numbering("deal"))
    NUMBERS.write([*boards, Board(None)], stream, context)
    assert stream.getvalue() == f"{NUMBER}\n{NUMBER}\n".encode()
    (problem,) = problems
    assert problem.line == 2
    assert "13 cards in each hand" in problem.reason


@settings(deadline=None, max_examples=100)
@given(st.integers(-(10**40), 10**40))
def test_every_number_is_read_back(number: int) -> None:
    assert parse_number(str(number)) == number
    assert parse_number(f"{number:,}") == number
    assert parse_number(f"{'-' * (number < 0)}{abs(number):#x}") == number
    assert parse_number(f"{number:x}", hexadecimal=True) == number
    assert parse_number(f"{number:X}", hexadecimal=True) == number


@pytest.mark.parametrize("text", ["", " ", "-", "+", "0x", "x1", "g", "1,2", ",1", "1 2", "１２"])
def test_what_is_no_number(text: str) -> None:
    for hexadecimal in (False, True):
        with pytest.raises(NumberError, match="no number") as caught:
            parse_number(text, hexadecimal=hexadecimal)
        assert ("hexadecimal digits" in str(caught.value)) == hexadecimal


def test_hexadecimal_digits_need_a_sign_unless_asked_for() -> None:
    assert parse_number("0xAd5") == parse_number("ad5", hexadecimal=True) == 0xAD5
    assert parse_number("10", hexadecimal=True) == 16
    with pytest.raises(NumberError):
        parse_number("ad5")


@pytest.mark.parametrize(
    ("line", "looks"),
    [
        (DEAL, True),
        ("  w:- - - -", True),
        ("N:", True),
        ("N", False),
        ("[Deal", False),
        ("", False),
    ],
)
def test_what_looks_like_a_deal_line(line: str, looks: bool) -> None:
    assert looks_like_lines(line) == looks


def test_long_texts_are_cut_and_quoted() -> None:
    assert shorten("a'b\n") == '"a\'b\\n"'
    assert shorten("x" * 60) == repr("x" * 60)
    assert shorten("x" * 61) == repr("x" * 60 + "…")
