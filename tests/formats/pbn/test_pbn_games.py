"""Where games begin and end: blank lines, comments, missing blank lines, embedded PBN, blocks."""

from __future__ import annotations

from time import process_time
from unittest.mock import patch

import pytest
from formats_support import DEAL, OTHER, read_text

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


def test_blank_lines_in_braces_end_no_game() -> None:
    for comment in ("{\n\n}", "{ {{ \n \t \n[Event }", "{a}{\n\n\nb}{\n\n}", "{%\n\n%}", '{"\n\n}'):
        reading = read_text(f'[Event "x"]\n{comment}\n[Deal "{DEAL}"]\n\n[Deal "{OTHER}"]\n')
        assert (reading.layouts, reading.problems) == ([DEAL, OTHER], []), comment
        assert reading.boards[0].sections["Event"] == tuple(map(str.rstrip, comment.split("\n")))
    for line in ("%{", "; {", '[Site "{"]', "% } {", "{} ; {", '{"} ; {'):  # open nothing
        reading = read_text(f'[Event "x"]\n{line}\n\n[Deal "{DEAL}"]\n\n[Deal "{OTHER}"]\n')
        assert (reading.layouts, reading.problems) == ([None, DEAL, OTHER], []), line


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


ONE, TWO = f'[Deal "{DEAL}"]\n', f'[Deal "{OTHER}"]\n'
MANY_GAMES = "".join(
    f'[Event "e{n}"]\n[Board "{n}"]\n{deal}[Auction "N"]\n{n}C\n'
    for n, deal in enumerate((ONE, TWO, ONE), start=1)
)
TRAILER = "Generated 5 hands\nProduced 1 hands\nInitial random seed 7\nTime needed   0.00 sec\n"
EMBEDDED = f"""\
Dear all, [Deal "N:not this"]

<PBN>
[Event "one"]
{ONE}
{TWO} </pbn>\t
Yours {{
<pbn>
[Board "3"]
[Deal "N:AX... - - -"]
</PBN>
[Event "not this"]
"""
LINES = '\n% x\n[Event "a"]\n\n  \n{\n\n}\n[Site "b"]\n\njunk\n\n'
NO_RANK = "'X' in 'AX...' is no rank; expected one of AKQJT98765432: 'N:AX... - - -'"
OPEN = "the comment opened by '{' here is not closed"
JUNK = "expected a tag pair such as [Event \"...\"], not 'junk'"
GAMES: dict[str, tuple[list[str | None], list[int], list[tuple[int, str]]]] = {
    f'[Event "x"]\n{{ open\n\n{ONE}\n{{other}}\n{TWO}': ([OTHER], [7], []),
    f'[Event "x"]\n\n[Board "1"]\n[Site "y"] {{oh\n\n{ONE}\n{TWO}': (
        [None, None, DEAL, OTHER], [1, 3, 6, 8], [(4, OPEN)],
    ),
    MANY_GAMES: ([DEAL, OTHER, DEAL], [3, 8, 13], []),
    f'{ONE}{TWO}[Deal ""]\n{ONE}': ([DEAL, OTHER, None, DEAL], [1, 2, 3, 4], []),
    f"{ONE}\n{TRAILER}\n{TWO}": ([DEAL, OTHER], [1, 8], []),
    f"{ONE}\n \n{TRAILER}\n \n{TWO}": ([DEAL, OTHER], [1, 10], []),
    EMBEDDED: ([DEAL, OTHER, None], [5, 7, 12], [(12, NO_RANK)]),
    LINES: ([None, None], [3, 9], [(11, JUNK)]),
    LINES.replace("\n", "\r\n"): ([None, None], [3, 9], [(11, JUNK)]),
    LINES.replace("\n", "\r"): ([None, None], [3, 9], [(11, JUNK)]),
}  # fmt: skip


def test_where_games_begin_and_end() -> None:
    for data, (layouts, begins, problems) in GAMES.items():
        reading = read_text(data)
        assert reading.layouts == layouts, data
        assert [board.line for board in reading.boards] == begins, data
        assert [(problem.line, problem.reason) for problem in reading.problems] == problems
    many = read_text(MANY_GAMES).boards
    assert [board.tags["Event"] for board in many] == ["e1", "e2", "e3"]
    assert [board.sections["Auction"] for board in many] == [("1C",), ("2C",), ("3C",)]


# Each of these takes long where the work grows with the square of the text.
MANY = 50_000
HOSTILE = {
    "escaped quotes": '[Event "x"]\n' + '\\"' * MANY,
    "escaped quotes in a comment": '[Event "x"]\n{ }' + '\\"' * MANY + "{ }",
    "braces": '[Event "x"]\n{ }' + "{" * MANY,
    "closing braces": '[Event "x"]\n' + "}" * MANY,
    "blank lines in a comment": '[Event "x"]\n{' + "\n\n" * MANY + "}",
    "comments": '[Event "x"]\n' + "{\n\n}" * (MANY // 5),
    "faults": "[Event]\n" * (MANY // 10),
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
@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_take_no_longer_than_others(data: str) -> None:
    begin = process_time()
    for board in read_text(data).boards:
        assert board.entries is board.entries
    assert process_time() - begin < 4
