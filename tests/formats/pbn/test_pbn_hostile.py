"""Texts made to be slow, and boards that PBN cannot hold."""

from __future__ import annotations

import io

import pytest
from formats_support import DEAL, read_text

from pavcodec import Board, Deal, Layout, Problem, Tag, read, write
from pavcodec.boards import Context
from pavcodec.formats.pbn.writer import write_pbn

# Each of these takes hours where the work grows with the square of the text, and no time where not.
MANY = 100_000
HOSTILE = {
    "escaped quotes": '[Event "x"]\n' + '\\"' * MANY,
    "escaped quotes in a comment": '[Event "x"]\n{ }' + '\\"' * MANY + "{ }",
    "braces": '[Event "x"]\n{ }' + "{" * MANY,
    "closing braces": '[Event "x"]\n' + "}" * MANY,
    "blank lines in a comment": '[Event "x"]\n{' + "\n\n" * MANY + "}",
    "comments": '[Event "x"]\n' + "{\n\n}" * MANY,
    "faults": "[Event]\n" * MANY,
    "deals": f'[Board "1"]\n[Deal "{DEAL}"]\n' * (MANY // 20),
    "bad deals": '[Board "1"]\n[Deal "N:x"]\n' * (MANY // 10),
    "brackets": '[Event "x"]\n' + "[" * MANY,
    "brackets and blanks": '[Event "x"]\n' + "[ " * MANY,
    "blanks": '[Event "x"]\n[' + " " * MANY,
    "quotes": '[Event "x"]\n' + '"' * (MANY + 1),
    "one long tag": f'[Event "{"x" * MANY}',
    "blank lines": " \n" * MANY,
    "tags": "".join(f'[T{n} "{n}"]\n' for n in range(MANY // 10)),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_take_no_longer_than_others(text: str) -> None:
    reading = read_text(text)
    for board in reading.boards:
        assert board.entries is board.entries


def problems_of(*boards: Board) -> tuple[list[str], bytes]:
    """What the writer reports of boards, and what it writes of the others."""
    problems: list[Problem] = []
    stream = io.BytesIO()
    write_pbn(boards, stream, Context("boards", problems.append))
    return [problem.reason for problem in problems], stream.getvalue()


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        (Board(Layout(bytes(14) + bytes([4]) * 38)), "at most 13 cards; here N holds 14"),
        (Board(None, (Tag("My Tag", "x"),)), "letters, digits and _, not 'My Tag'"),
        (Board(None, (Tag("Zone", "#"),)), "'#' of Zone would mean inheritance"),
        (Board(None, (Tag("Zone", "##x"),)), "'##x' of Zone would mean inheritance"),
        (Board(None, (Tag("Auction", "N", ("1C", "", "1D")),)), "a line after Auction is blank"),
        (Board(None, (Tag("Auction", "N", ('1C\n\n[Event "x"]',)),)), "would begin a tag"),
        (Board(None, (Tag("", "", ("{open\r}", "x\r")),)), "a line after the start is blank"),
    ],
)
def test_what_pbn_cannot_hold_is_reported_and_the_rest_is_written(
    board: Board, reason: str
) -> None:
    good = Board.make(Deal.from_pbn(DEAL), number=1)
    reasons, data = problems_of(board, good)
    assert len(reasons) == 1
    assert reason in reasons[0]
    assert data.count(b"[Event ") == 1
    assert [again.layout for again in read(io.BytesIO(data))] == [good.layout]


@pytest.mark.parametrize("value", ["é", "Ã©", "\x92", "ÿþ", "Ł", "’"])
def test_any_text_is_read_as_it_was_written(value: str) -> None:
    stream = io.BytesIO()
    boards = [Board.make(None, tags={"West": text}) for text in ("é", value, "é")]
    write(boards, stream, format="pbn")
    stream.seek(0)
    assert [board.tags["West"] for board in read(stream)] == ["é", value, "é"]


def test_tags_come_in_the_order_of_the_file() -> None:
    board = read_text('{c}\n[B "1"]\n[A "2"]\nx\n[B "3"]\ny\n[C "4"]\nz\n').boards[0]
    assert dict(board.tags) == {"B": "1", "A": "2", "C": "4"}
    assert list(board.tags) == ["B", "A", "C"]
    assert list(board.sections.items()) == [("A", ("x",)), ("B", ("y",)), ("C", ("z",))]


def test_an_escape_line_is_never_broken() -> None:
    escape = "%" + "z " * 150
    reasons, data = problems_of(Board(None, (Tag("Auction", "N", ("1C", escape.strip())),)))
    assert reasons == []
    (board,) = read(io.BytesIO(data))
    assert board.sections["Auction"] == ("1C", escape.strip())


@pytest.mark.slow
def test_few_tags_may_stand_for_the_games_that_follow() -> None:
    """Else a file of some hundred kilobytes could mean gigabytes."""
    tags = "".join(f'[T{n} "##x"]\n' for n in range(3000))
    reading = read_text(tags + "\n" + '[Board "1"]\n\n' * 3000)
    assert len(reading.boards) == 3001
    assert len(reading.boards[-1].tags) == 1 + 256
    assert len(reading.problems) == 3000 - 256
    assert "more than 256 tags stand with '##'" in reading.problems[0].reason
