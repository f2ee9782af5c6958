"""Where games begin and end: blank lines, comments, missing blank lines, embedded PBN, blocks."""

from __future__ import annotations

import codecs
from typing import SupportsIndex
from unittest.mock import patch

import pytest
from formats_support import DEAL, DEMO, OTHER, Dribble, read_text

from pavcodec import read
from pavcodec.boards import Problem
from pavcodec.files import text
from pavcodec.formats.pbn import reader as pbn
from pavcodec.formats.pbn import reader as pbn_games

STRICTLY = f"""\
% PBN 2.1
%Creator: nobody
[Event "one"]
{{a comment over

three lines, with " and ; and [Deal "N:x"]}}
[Deal "{DEAL}"]

; a comment by itself {{

[Event "two"] ; with a {{ brace
[Site "in a {{ string ; here"]
[Deal "{OTHER}"] {{ }} {{closed
}}
[Auction "N"]
1C Pass
"""


def test_comments_and_strings_hide_what_they_hold() -> None:
    reading = read_text(STRICTLY)
    assert reading.problems == []
    assert reading.layouts == [DEAL, OTHER]
    first, second = reading.boards
    assert first.sections["Event"] == (
        "{a comment over",
        "",
        'three lines, with " and ; and [Deal "N:x"]}',
    )
    assert [tag.name for tag in first.entries] == ["", "Event", "Deal"]
    assert second.tags["Site"] == "in a { string ; here"
    assert second.sections["Event"] == (" ; with a { brace",)
    assert second.sections["Deal"] == (" { } {closed", "}")
    assert second.sections["Auction"] == ("1C Pass",)
    assert [board.line for board in reading.boards] == [7, 13]


@pytest.mark.parametrize(
    "comment",
    ["{\n\n}", "{ {{ \n \t \n[Event }", "{a}{\n\n\nb}{\n\n}", "{%\n\n%}", '{"\n\n}', "{;\n\n}"],
)
def test_blank_lines_in_braces_end_no_game(comment: str) -> None:
    reading = read_text(f'[Event "x"]\n{comment}\n[Deal "{DEAL}"]\n\n[Deal "{OTHER}"]\n')
    assert reading.problems == []
    assert reading.layouts == [DEAL, OTHER]
    assert reading.boards[0].sections["Event"] == tuple(map(str.rstrip, comment.split("\n")))


@pytest.mark.parametrize("line", ["%{", "; {", '[Site "{"]', "% } {", "{} ; {", '{"} ; {'])
def test_braces_that_open_nothing(line: str) -> None:
    reading = read_text(f'[Event "x"]\n{line}\n\n[Deal "{DEAL}"]\n\n[Deal "{OTHER}"]\n')
    assert reading.problems == []
    assert reading.layouts == [None, DEAL, OTHER]


def test_a_comment_ends_at_the_first_brace_as_the_standard_says() -> None:
    data = f'[Event "x"]\n{{ open\n\n[Deal "{DEAL}"]\n\n{{other}}\n[Deal "{OTHER}"]\n'
    assert read_text(data).layouts == [OTHER]


def test_a_comment_never_closed_is_reported_and_the_rest_is_read() -> None:
    data = f'[Event "x"]\n\n[Board "1"]\n[Site "y"] {{oh\n\n[Deal "{DEAL}"]\n\n[Deal "{OTHER}"]\n'
    reading = read_text(data)
    assert reading.layouts == [None, None, DEAL, OTHER]
    assert reading.problem.line == 4
    assert "'{'" in reading.problem.reason
    assert "not closed" in reading.problem.reason
    assert [board.line for board in reading.boards] == [1, 3, 6, 8]


def test_a_comment_longer_than_the_limit_counts_as_never_closed() -> None:
    games = "".join(f'[Board "{n}"]\n\n' for n in range(1, 40))
    data = f'[Event "x"]\n{{\n\n{games}}}\n\n[Deal "{DEAL}"]\n'
    assert len(read_text(data).boards) == 2
    with patch.object(pbn_games, "COMMENT_LIMIT", 100):
        reading = read_text(data)
    assert reading.problems[0].line == 2
    assert "not closed" in reading.problems[0].reason
    assert [b.number for b in reading.boards[1:40]] == [*range(1, 40)]
    assert reading.boards[-1].layout is not None


def test_many_comments_in_turn_are_not_read_again_and_again() -> None:
    count = 300
    data = '[Event "x"]\n{\n\n' + "}{\n\n" * count + "}\n"
    joined: list[int] = []
    join = pbn_games._join

    def counted(held: list[pbn_games.Game]) -> pbn_games.Game:
        game = join(held)
        joined.append(len(game.text))
        return game

    with patch.object(pbn_games, "_join", counted):
        assert len(read_text(data).boards) == 1
    assert sum(joined) <= 20 * len(data), "the work grows with the square of the text"


def test_several_deals_without_a_blank_line_are_several_games() -> None:
    data = "".join(
        f'[Event "e{n}"]\n[Board "{n}"]\n[Deal "{deal}"]\n[Auction "N"]\n{n}C\n'
        for n, deal in enumerate((DEAL, OTHER, DEAL), start=1)
    )
    reading = read_text(data)
    assert reading.problems == []
    assert reading.layouts == [DEAL, OTHER, DEAL]
    assert [board.number for board in reading.boards] == [1, 2, 3]
    assert [board.tags["Event"] for board in reading.boards] == ["e1", "e2", "e3"]
    assert [board.sections["Auction"] for board in reading.boards] == [("1C",), ("2C",), ("3C",)]
    assert [board.line for board in reading.boards] == [3, 8, 13]


class Watched(str):
    """A text that tells how many characters were looked through to count lines."""

    looked_through = 0
    __slots__ = ()

    def count(self, sub: str, *place: SupportsIndex | None) -> int:
        Watched.looked_through += len(self[slice(*place)] if len(place) > 1 else self)
        return super().count(sub, *place)


def test_lines_are_not_counted_from_the_start_for_every_deal() -> None:
    data = f'[Board "1"]\n[Deal "{DEAL}"]\n' * 400
    Watched.looked_through = 0
    with patch.object(pbn, "games", lambda *_: iter([pbn_games.Game(1, Watched(data))])):
        assert len(read_text(data).boards) == 400
    assert Watched.looked_through <= 20 * len(data), "the work grows with the square of the text"


def test_bare_deals_line_by_line() -> None:
    reading = read_text(f'[Deal "{DEAL}"]\n[Deal "{OTHER}"]\n[Deal ""]\n[Deal "{DEAL}"]\n')
    assert reading.problems == []
    assert reading.layouts == [DEAL, OTHER, None, DEAL]
    assert [board.line for board in reading.boards] == [1, 2, 3, 4]


def test_a_statistics_trailer_is_no_game() -> None:
    trailer = "Generated 5 hands\nProduced 1 hands\nInitial random seed 7\nTime needed   0.00 sec\n"
    for gap in ("\n", "\n \n"):
        reading = read_text(f'[Deal "{DEAL}"]\n{gap}{trailer}{gap}[Deal "{OTHER}"]\n')
        assert reading.problems == []
        assert reading.layouts == [DEAL, OTHER]


def test_pbn_inside_another_text() -> None:
    data = f"""\
Dear all, [Deal "N:not this"]

<PBN>
[Event "one"]
[Deal "{DEAL}"]

[Deal "{OTHER}"]
 </pbn>\t
Yours {{
<pbn>
[Board "3"]
[Deal "N:AX... - - -"]
</PBN>
[Event "not this"]
"""
    reading = read_text(data)
    assert reading.layouts == [DEAL, OTHER, None]
    assert [board.line for board in reading.boards] == [5, 7, 12]
    assert (reading.problem.line, reading.problem.board) == (12, "3")


def test_lines_are_counted_through_every_kind_of_line_end() -> None:
    lines = ["", "% x", '[Event "a"]', "", "  ", "{", "", "}", '[Site "b"]', "", "junk", ""]
    for end in ("\n", "\r\n", "\r"):
        reading = read_text(end.join(lines) + end)
        assert [board.line for board in reading.boards] == [3, 9], repr(end)
        assert reading.problem.line == 11, repr(end)
        assert "'junk'" in reading.problem.reason


SAMPLES = {
    "strictly": STRICTLY.encode(),
    "CRLF": STRICTLY.replace("\n", "\r\n").encode(),
    "CR": STRICTLY.replace("\n", "\r").encode(),
    "blank lines": b"\r\n\r\n \t\r\n[Event \"a\"]\r\n \r\n\t\r\n\r\n[Event \"b\"]\r\n\r\n\x1a\r\n",
    "Latin-1": '[West "é"]\n\n[West "Ł"]\n'.encode() + b'\n[West "\xe9\xe9"]\n',
    "problems": b'junk\n\n[Event]\n[Deal "x"]\n\n\n{open\n\n[Dealer "Q"]\n',
    "trailer": f'[Deal "{DEAL}"]\n\nGenerated 5 hands\n'.encode(),
}  # fmt: skip


@pytest.mark.parametrize("block", [1, 2, 3, 7, 64, 1000])
@pytest.mark.parametrize("data", SAMPLES.values(), ids=SAMPLES.keys())
def test_the_block_size_changes_nothing(data: bytes, block: int) -> None:
    whole = read_text(data).facts
    with patch.object(text, "BLOCK", block):
        assert read_text(data).facts == whole


@pytest.mark.parametrize("block", [3, 4, 7, 64])
@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + STRICTLY.encode(),
        STRICTLY.replace("\n", "\r\n").encode("utf-16"),
        codecs.BOM_UTF16_BE + STRICTLY.encode("utf-16-be"),
    ],
    ids=["UTF-8", "UTF-16", "UTF-16 big-endian"],
)
def test_the_block_size_changes_nothing_after_a_mark(data: bytes, block: int) -> None:
    with patch.object(text, "BLOCK", block):
        assert read_text(data).facts == read_text(STRICTLY).facts


@pytest.mark.parametrize("block", [1, 5, 61, 4096])
def test_the_demonstration_file_in_small_blocks(block: int) -> None:
    data = DEMO.read_bytes()
    whole = read_text(data).facts
    with patch.object(text, "BLOCK", block):
        assert read_text(data).facts == whole


@pytest.mark.parametrize(
    "data",
    [
        STRICTLY.encode(),
        codecs.BOM_UTF8 + STRICTLY.encode(),
        STRICTLY.encode("utf-16"),
        b"Hello\n<PBN>\n" + STRICTLY.encode() + b"</PBN>\nBye\n",
        b"\x7fELF\0\0\0",
    ],
    ids=["plain", "UTF-8 mark", "UTF-16", "embedded", "binary"],
)
def test_a_stream_may_give_a_few_bytes_at_a_time(data: bytes) -> None:
    whole = read_text(data)
    problems: list[Problem] = []
    boards = list(read(Dribble(data), format="pbn", report=problems.append))  # type: ignore[arg-type]
    assert [(b.layout, b.entries, b.line) for b in boards] == [
        (b.layout, b.entries, b.line) for b in whole.boards
    ]
    assert [(p.line, p.reason) for p in problems] == [(p.line, p.reason) for p in whole.problems]
