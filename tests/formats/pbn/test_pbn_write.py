"""PBN in the export format, nothing lost on the way, and the quick way to read plain games."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from unittest.mock import patch

import pytest
from formats_support import (
    DEAL,
    DEMO,
    ENDING,
    FOULED,
    OTHER,
    corpus_folder,
    corpus_pbn_files,
    pbn_texts,
    read_text,
    without_header,
    write_bytes,
    write_format,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pavcodec import Board, Deal, Layout, ReadError, Tag
from pavcodec.formats.pbn import reader as pbn
from pavcodec.formats.pbn.writer import MANDATORY_TAGS, format_board

STANDARD = [
    "Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable",
    "Deal", "Scoring", "Declarer", "Contract", "Result",
]  # fmt: skip
ANYHOW = """\
% PBN 2.0
%Creator: nobody
{a word before}
[Zebra "z"]
[Result "9"]
[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]
N NT 6
[Play "W"]
SK H3 S4 S3
*
[Note "1: led"]
[Deal "W:KT85.2.JT9.QJ853 A.KJ93.Q765.T962 972.A8764.A82.AK QJ643.QT5.K43.74"]
{on the deal}
[Board "7"]
[Auction "S"]
1C Pass
AP
[Note "1: strong"]
[Note "2: \\"well\\""] ; so
[ActionTable "Rank;Call"]
[Annotator "a"]
[Event "Club"]
[Event "again"]
[Vulnerable "Both"]
"""

EXPORTED = [
    "%Creator: nobody", "{a word before}", '[Event "Club"]', '[Site "?"]', '[Date "?"]',
    '[Board "7"]', '[West "?"]', '[North "?"]', '[East "?"]', '[South "?"]', '[Dealer "S"]',
    '[Vulnerable "All"]', f'[Deal "{Deal.from_pbn(DEAL).to_pbn(first="S")}"]', "{on the deal}",
    '[Scoring "?"]', '[Declarer "?"]', '[Contract "?"]', '[Result "9"]',
    '[ActionTable "Rank;Call"]', '[Annotator "a"]', '[Zebra "z"]',
    '[Auction "S"]', "1C Pass", "AP", '[Note "1: strong"]', r'[Note "2: \"well\""]', " ; so",
    '[Play "W"]', "SK H3 S4 S3", "*", '[Note "1: led"]',
    r'[OptimumResultTable "Declarer;Denomination\2R;Result\2R"]', "N NT 6",
]  # fmt: skip

CONTROL = re.compile(r"[\x00-\x1f]")  # a string has none: each is written as a blank


def test_tags_sections_and_notes_come_in_the_order_of_the_export_format() -> None:
    board = read_text(ANYHOW).board
    assert list(MANDATORY_TAGS) == STANDARD
    assert without_header(write_bytes([board])) == EXPORTED
    game = "".join(f"{line}\r\n" for line in EXPORTED)
    assert format_board(board) == game
    assert write_bytes([board] * 3).decode() == "\r\n".join(
        [f"% PBN 2.1\r\n% EXPORT\r\n{game}", game, game]
    )
    assert write_bytes([]) == b"% PBN 2.1\r\n% EXPORT\r\n"


def test_what_is_unknown_is_a_question_mark_and_what_can_be_derived_is() -> None:
    lines = without_header(write_bytes([Board.make(None, number=7)]))
    values = dict.fromkeys(STANDARD, "?")
    values |= {"Board": "7", "Dealer": "S", "Vulnerable": "All", "Deal": ""}
    assert lines == [f'[{name} "{value}"]' for name, value in values.items()]


FROM_WEST = Deal.from_pbn(DEAL).to_pbn(first="W")
LINES = {
    f'[Board "1-1"]\n[Deal "{FROM_WEST}"]': [f'[Deal "{DEAL}"]'],
    f'[Dealer "?"]\n[Deal "{FROM_WEST}"]': [f'[Deal "{DEAL}"]'],
    f'[Dealer "W"]\n[Deal "{DEAL}"]': [f'[Deal "{FROM_WEST}"]', '[Dealer "W"]'],
    '[Board "1"]\n[Deal "S:2A... ... KQ... -"]': ['[Deal "N:KQ... - A2... -"]'],
    '[Vulnerable "Love"]': ['[Vulnerable "None"]'],
    '[Vulnerable "-"]': ['[Vulnerable "None"]'],
    '[Vulnerable "Both"]': ['[Vulnerable "All"]'],
    '[Vulnerable "EW"]': ['[Vulnerable "EW"]'],
    '[Deal "N:AX... - - -"]\n[Dealer "Q"]': ['[Deal "N:AX... - - -"]', '[Dealer "Q"]'],
    '[Vulnerable "E"]': ['[Vulnerable "E"]'],
    '[Event "a\ttab"]\n[Auction "N"]\n1C\tPass': ['[Event "a tab"]', "1C      Pass"],
    '[Deal "N:A...\x1a- - -"]\n[Dealer "\x1aN"]': ['[Deal "N:A...?- - -"]', '[Dealer "?N"]'],
}  # fmt: skip


def test_each_value_is_written_in_the_words_of_the_export_format() -> None:
    for text, expected in LINES.items():
        boards = read_text(text).boards
        assert set(expected) <= set(without_header(write_bytes(boards))), text


BROKEN = [
    '[Auction "N"]\n' + "Pass " * 300,
    '[Play "N"]\n' + "SA H2 D3 C4 " * 100,
    '[Event "x"]\n{' + "many words " * 100 + "}",
    '[Event "x"]\n{short\n' + "many words " * 100 + "\nshort}",
    '[Auction "N"]\n{a} ' + "1C {b} " * 100,
    '[Event "x"]\n{' + "50 % of " * 100 + "}",
]
WHOLE = [
    '[Event "x"]\n; ' + "a comment to the end of its line { " * 20,
    '[Auction "N"]\n1C ; ' + "a comment to the end of its line { " * 20,
    '[ScoreTable "Rank"]\n' + "1 2 3 " * 100,
    '[Event "x"]\n% ' + "an escape " * 40,
    '[Auction "N"]\n1C\n%' + "z " * 150,
    f'[Event "{"x" * 500}"]',
]


def test_long_lines_are_broken_where_that_changes_nothing() -> None:
    for section in BROKEN:
        board = read_text(f'[Site "s"]\n{section}\n[Zone "z"]\n').board
        data = write_bytes([board])
        assert max(map(len, data.splitlines(keepends=True))) <= 255
        again = read_text(data).board
        assert again.tags["Zone"] == "z"
        words = {name: " ".join(lines).split() for name, lines in board.sections.items()}
        assert {name: " ".join(lines).split() for name, lines in again.sections.items()} == words
        assert write_bytes([again]) == data
    for section in WHOLE:
        board = read_text(f'{section}\n[Zone "z"]\n').board
        again = read_text(write_bytes([board])).board
        assert again.sections == board.sections, section
        assert again.tags["Event"] == board.tags.get("Event", "?")
        assert again.tags["Zone"] == "z"


@pytest.mark.slow
@given(st.text('"\\ab;{}[]% é', max_size=12))
@settings(deadline=None, max_examples=150)
@example("\\")
@example('\\"')
@example("a\\\\")
@example("Rank\\3R;Call\\")
def test_any_tag_value_comes_back(value: str) -> None:
    tags = {"Event": value, "Zone": value, "Deal": DEAL}
    board = Board.make(Deal.from_pbn(DEAL), tags=tags)
    again = read_text(write_bytes([board, board]))
    assert again.problems == []
    assert [b.tags["Event"] for b in again.boards] == [value, value]
    assert [b.tags["Zone"] for b in again.boards] == [value, value]
    assert again.layouts == [DEAL, DEAL]
    assert write_bytes(again.boards) == write_bytes([board, board])


def facts_of(boards: list[Board]) -> list[tuple[object, ...]]:
    """Return what must survive writing: layouts, tags, notes, sections as words."""
    facts: list[tuple[object, ...]] = []
    for board in boards:
        tags = {name: CONTROL.sub(" ", value) for name, value in board.tags.items() if value != "?"}
        sections = {name: " ".join(lines).split() for name, lines in board.sections.items()}
        for name in ("Deal", "Note", ""):  # the deal is in the layout, notes are below
            tags.pop(name, None)
        sections.pop("Note", None)
        derived = {"Dealer": board.dealer, "Vulnerable": board.vulnerable}
        read = {name: value for name, value in derived.items() if value is not None}
        notes = [(t.value, " ".join(t.lines).split()) for t in board.entries if t.name == "Note"]
        facts.append((board.layout, tags | read, sections, sorted(notes)))
    return facts


def test_reading_what_was_written_gives_the_same() -> None:
    data = DEMO.read_bytes()
    assert write_bytes(read_text(data).boards).splitlines() == data.splitlines()
    for text in (data, ANYHOW, f'[Deal "{OTHER}"]\n\n[Deal "{ENDING}"]\n{{x}}\n'):
        boards = read_text(text).boards
        again = write_bytes(boards)
        assert facts_of(read_text(again).boards) == facts_of(boards)
        assert write_bytes(read_text(again).boards) == again
    text = '%Creator: nobody\n\n[Event "a"]\n\n{by itself}\n\n[Event "b"]\n\n{the end}\n'
    for comment in (b"{by itself}", b"%Creator: nobody", b"{the end}"):
        assert comment in write_bytes(read_text(text).boards)


BLANK = "a line after Auction is blank, or would begin a tag in PBN"
UNFIT = {
    Board(Layout.from_pbn(FOULED)): "in PBN a hand has at most 13 cards; here N holds 14, E 1, ",
    Board(None, (Tag("My Tag", "x"),)): "a tag is named with letters, digits and _, not 'My Tag'",
    Board(None, (Tag("Zone", "#"),)): "the value '#' of Zone would mean inheritance in PBN",
    Board(None, (Tag("Zone", "##x"),)): "the value '##x' of Zone would mean inheritance in PBN",
    Board(None, (Tag("Auction", "N", ("1C", "", "1D")),)): BLANK,
    Board(None, (Tag("Auction", "N", ('1C\n\n[Event "x"]',)),)): BLANK,
    Board(None, (Tag("", "", ("{open\r}", "x\r")),)): BLANK.replace("Auction", "the start"),
}


def test_characters_of_no_text_become_question_marks() -> None:
    auction = Tag("Auction", "N", ("1C\x0e\x0c", "{\0\x1b}", "\x1f"))
    board = Board(Deal.from_pbn(DEAL), (Tag("Event", "\1"), auction))
    again = read_text(write_bytes([board])).board
    assert again.tags["Event"] == "?"
    assert again.sections["Auction"] == ("1C?\x0c", "{?\x1b}", "?")


def test_what_pbn_cannot_hold_is_reported_and_the_rest_is_written() -> None:
    good = Board.make(Deal.from_pbn(DEAL), number=1)
    for board, reason in UNFIT.items():
        data, (problem,) = write_format("pbn", [board, good])
        assert problem.reason.startswith(reason), problem
        assert data.count(b"[Event ") == 1
        assert read_text(data).layouts == [DEAL]
        with pytest.raises(ReadError, match=re.escape(reason)):
            write_bytes([good, board])


NEVER = re.compile(r"(?!)")


def facts_by_definition(data: str | bytes, *, strict: bool = False) -> list[tuple[object, ...]]:
    """Read with the quick way switched off."""
    with patch.object(pbn, "_PLAIN_GAME", NEVER):
        return read_text(data, strict=strict).facts


@pytest.mark.slow
@settings(deadline=None, max_examples=120)
@given(pbn_texts(), st.booleans())
@example('[Event "x\\\\"]\n[Deal "N:- - - -"]', False)
@example(f'[Deal "{DEAL}"]\n1C\n\n[T "##a"]\n\n[Deal "{DEAL}"]\n1C', False)
def test_any_text_reads_the_same_by_the_quick_way(text: str, strict: bool) -> None:
    assert read_text(text, strict=strict).facts == facts_by_definition(text, strict=strict)


TABLE = Path(__file__).with_name("corpus_pbn.tsv")
"""What the files of the corpus hold, checked by eye where they have problems."""
FAULTS = [11, 15, 39, 43, 47, 51, 55, 71, 95, 772, 773, 774, 955, 957]
"""The lines with faults in the file of the standard that is made of errors."""


@pytest.mark.slow
def test_every_file_of_the_corpus_reads_as_the_table_says_and_survives_writing() -> None:
    folder = corpus_folder()
    with TABLE.open(newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    files = [str(path.relative_to(folder)) for path in corpus_pbn_files()]
    assert [row["file"] for row in rows] == files
    for row in rows:
        text = (folder / row["file"]).read_bytes()
        reading = read_text(text)
        layouts = [board.layout for board in reading.boards if board.layout is not None]
        deals = sum(layout.is_deal for layout in layouts)
        counts = [len(reading.boards), len(layouts), deals, len(reading.problems)]
        expected = [int(row[name]) for name in ("boards", "layouts", "deals", "problems")]
        assert counts == expected, row["file"]
        if row["file"].endswith("errors_10.pbn"):
            assert [problem.line for problem in reading.problems] == FAULTS
        assert reading.facts == facts_by_definition(text), row["file"]
        data = write_bytes(reading.boards)
        again = read_text(data)
        assert facts_of(again.boards) == facts_of(reading.boards), row["file"]
        assert write_bytes(again.boards) == data, row["file"]
        assert not re.search(rb"(?<!\r)\n|\r(?!\n)", data), row["file"]
