"""PBN in the export format: order, lines, deals, escapes, and nothing lost on the way."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from formats_support import (
    DEAL,
    DEMO,
    ENDING,
    FOULED,
    OTHER,
    corpus_pbn_files,
    read_text,
    without_header,
    write_bytes,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pavcodec import Board, Deal, Layout, ReadError, Seat, Tag, Vulnerability, numbering
from pavcodec.formats.pbn.writer import MANDATORY_TAGS, format_board

STANDARD = [
    "Event",
    "Site",
    "Date",
    "Board",
    "West",
    "North",
    "East",
    "South",
    "Dealer",
    "Vulnerable",
    "Deal",
    "Scoring",
    "Declarer",
    "Contract",
    "Result",
]
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

CONTROL = re.compile(r"[\x00-\x1f]")  # a string has none: each is written as a blank


def names_of(lines: Sequence[str]) -> list[str]:
    """Return the names of the tags, in order."""
    return [line[1:].split(" ")[0] for line in lines if line.startswith("[")]


def test_tags_sections_and_notes_come_in_the_order_of_the_export_format() -> None:
    lines = without_header(write_bytes([read_text(ANYHOW).board]))
    assert list(MANDATORY_TAGS) == STANDARD
    assert names_of(lines) == [
        *STANDARD,
        *("ActionTable", "Annotator", "Zebra"),
        *("Auction", "Note", "Note", "Play", "Note", "OptimumResultTable"),
    ]
    assert lines[:3] == ["%Creator: nobody", "{a word before}", '[Event "Club"]']
    assert lines[lines.index('[Auction "S"]') :] == [
        '[Auction "S"]', "1C Pass", "AP", '[Note "1: strong"]', r'[Note "2: \"well\""]', " ; so",
        '[Play "W"]', "SK H3 S4 S3", "*", '[Note "1: led"]',
        r'[OptimumResultTable "Declarer;Denomination\2R;Result\2R"]', "N NT 6",
    ]  # fmt: skip
    assert lines[lines.index("{on the deal}") - 1].startswith("[Deal ")


def test_what_is_unknown_is_a_question_mark_and_what_can_be_derived_is() -> None:
    lines = without_header(write_bytes([Board.make(None, number=7)]))
    values = dict.fromkeys(STANDARD, "?")
    values |= {"Board": "7", "Dealer": "S", "Vulnerable": "All", "Deal": ""}
    assert lines == [f'[{name} "{value}"]' for name, value in values.items()]


def test_lines_end_in_crlf_and_games_are_parted_by_one_empty_line() -> None:
    data = write_bytes([read_text(ANYHOW).board] * 3)
    assert data.count(b"\n") == data.count(b"\r") == data.count(b"\r\n")
    assert data.endswith(b"\r\n")
    assert data.count(b"\r\n\r\n") == 2
    assert data.startswith(b"% PBN 2.1\r\n% EXPORT\r\n%Creator")
    assert write_bytes([]) == b"% PBN 2.1\r\n% EXPORT\r\n"


@pytest.mark.parametrize("seat", list(Seat))
def test_the_deal_starts_with_the_dealer(seat: Seat) -> None:
    deal = Deal.from_pbn(DEAL)
    lines = without_header(write_bytes([Board.make(deal, dealer=seat)]))
    assert f'[Deal "{deal.to_pbn(first=seat)}"]' in lines
    assert f'[Dealer "{seat.letter}"]' in lines


def test_without_a_dealer_the_deal_starts_with_north() -> None:
    for tags in ('[Board "1-1"]', '[Dealer "?"]'):
        board = read_text(f'{tags}\n[Deal "{Deal.from_pbn(DEAL).to_pbn(first="W")}"]\n').board
        assert f'[Deal "{DEAL}"]' in without_header(write_bytes([board]))


def test_vulnerability_is_written_in_the_words_of_the_export_format() -> None:
    for word, written in {"Love": "None", "-": "None", "Both": "All", "EW": "EW"}.items():
        board = read_text(f'[Vulnerable "{word}"]').board
        assert f'[Vulnerable "{written}"]' in without_header(write_bytes([board]))
    for vulnerable in Vulnerability:
        board = Board.make(None, vulnerable=vulnerable)
        assert f'[Vulnerable "{vulnerable.value}"]' in without_header(write_bytes([board]))


def test_what_could_not_be_read_is_written_as_it_was() -> None:
    reading = read_text('[Board "3"]\n[Deal "N:AX... - - -"]\n[Dealer "Q"]\n[Vulnerable "E"]\n')
    lines = without_header(write_bytes(reading.boards))
    assert {'[Deal "N:AX... - - -"]', '[Dealer "Q"]', '[Vulnerable "E"]'} <= set(lines)


def test_what_could_not_be_read_does_not_become_readable_by_writing_it() -> None:
    deal = DEAL.replace(" ", " \x1a ", 1)
    reading = read_text(f'[Deal "{deal}"]\n')
    assert reading.layouts == [None]
    assert read_text(write_bytes(reading.boards)).layouts == [None]
    reading = read_text('[Deal "N:A...\x1a- - -"]\n[Dealer "\x1aN"]\n')
    again = read_text(write_bytes(reading.boards))
    assert again.layouts == reading.layouts == [None]
    assert [board.dealer for board in again.boards] == [board.dealer for board in reading.boards]


def test_an_ending_is_written_with_dashes_and_ranks_descending() -> None:
    board = read_text('[Board "1"]\n[Deal "S:2A... ... KQ... -"]').board
    assert '[Deal "N:KQ... - A2... -"]' in without_header(write_bytes([board]))


def test_format_board_is_one_board_without_the_header() -> None:
    board = Board.make(numbering("deal")[0], number=1, tags={"Room": "Open"})
    text = format_board(board)
    assert text.startswith('[Event "?"]\r\n')
    assert text.endswith('[Room "Open"]\r\n')
    assert write_bytes([board]).decode() == f"% PBN 2.1\r\n% EXPORT\r\n{text}"


def longest(data: bytes) -> int:
    """Return the length of the longest line, its end included."""
    return max(map(len, data.splitlines(keepends=True)))


@pytest.mark.parametrize(
    "section",
    [
        '[Auction "N"]\n' + "Pass " * 300,
        '[Play "N"]\n' + "SA H2 D3 C4 " * 100,
        '[Event "x"]\n{' + "many words " * 100 + "}",
        '[Event "x"]\n{short\n' + "many words " * 100 + "\nshort}",
        '[Auction "N"]\n{a} ' + "1C {b} " * 100,
        '[Event "x"]\n{' + "50 % of " * 100 + "}",
    ],
)
def test_long_lines_are_broken_where_that_changes_nothing(section: str) -> None:
    board = read_text(f'[Site "s"]\n{section}\n[Zone "z"]\n').board
    data = write_bytes([board])
    assert longest(data) <= 255
    again = read_text(data).board
    assert again.tags["Zone"] == "z"
    words = {name: " ".join(lines).split() for name, lines in board.sections.items()}
    assert {name: " ".join(lines).split() for name, lines in again.sections.items()} == words
    assert write_bytes([again]) == data


@pytest.mark.parametrize(
    "section",
    [
        '[Event "x"]\n; ' + "a comment to the end of its line { " * 20,
        '[Auction "N"]\n1C ; ' + "a comment to the end of its line { " * 20,
        '[ScoreTable "Rank"]\n' + "1 2 3 " * 100,
        '[Event "x"]\n% ' + "an escape " * 40,
        f'[Event "{"x" * 500}"]',
    ],
)
def test_what_cannot_be_broken_stays_whole(section: str) -> None:
    board = read_text(f'{section}\n[Zone "z"]\n').board
    again = read_text(write_bytes([board])).board
    assert again.sections == board.sections
    assert again.tags["Event"] == board.tags.get("Event", "?")
    assert again.tags["Zone"] == "z"


@pytest.mark.slow
@given(st.text(st.sampled_from('"\\ab;{}[]% é'), max_size=12))
@settings(deadline=None, max_examples=250)
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


def test_a_table_header_is_written_as_people_write_it() -> None:
    header = r"Rank\3R;PairId\5R"
    lines = without_header(write_bytes([Board.make(None, tags={"ScoreTable": header})]))
    assert f'[ScoreTable "{header}"]' in lines


def test_no_tab_is_ever_written() -> None:
    board = read_text('[Event "a\ttab"]\n[Auction "N"]\n1C\tPass\n{a\tcomment}\n').board
    data = write_bytes([board])
    assert b"\t" not in data.replace(b"a\ttab", b""), "in a section"
    assert b"\t" not in data, "in a string"


def as_read(text: str | bytes) -> list[tuple[object, ...]]:
    """Return what must survive writing: layouts, tags, notes, sections as words."""
    facts: list[tuple[object, ...]] = []
    for board in read_text(text).boards:
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


@pytest.mark.parametrize("text", [ANYHOW, f'[Deal "{OTHER}"]\n\n[Deal "{ENDING}"]\n{{x}}\n'])
def test_reading_what_was_written_gives_the_same(text: str) -> None:
    data = write_bytes(read_text(text).boards)
    assert as_read(data) == as_read(text)
    assert write_bytes(read_text(data).boards) == data


def test_the_demonstration_file_is_in_the_export_format() -> None:
    data = DEMO.read_bytes()
    again = write_bytes(read_text(data).boards)
    assert again.splitlines() == data.splitlines()
    assert as_read(again) == as_read(data)


def test_a_comment_after_the_last_game_is_kept() -> None:
    data = write_bytes(read_text('[Event "a"]\n\n{the end}\n').boards)
    assert b"{the end}" in data


def test_comments_between_games_are_kept() -> None:
    text = '%Creator: nobody\n\n[Event "a"]\n\n{by itself}\n\n[Event "b"]\n'
    data = write_bytes(read_text(text).boards)
    assert b"{by itself}" in data
    assert b"%Creator: nobody" in data


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.builds(
            Tag,
            st.sampled_from(
                ["", "Event", "Board", "Result", "Zone", "Auction", "Play", "Note", "T"]
            ),
            st.text('ab19"\\;', max_size=5),
            st.lists(st.sampled_from(["1C", "{c}", "; d", "a b", '"s ;{"', "%x"]), max_size=3).map(
                tuple
            ),
        ),
        max_size=10,
    )
)
def test_write_read_write_is_a_fixed_point(entries: list[Tag]) -> None:
    lead = [Tag("", "", ("{lead}",)) for tag in entries if not tag.name][:1]
    board = Board(Layout.from_pbn(ENDING), (*lead, *(tag for tag in entries if tag.name)))
    data = write_bytes([board, board])
    reading = read_text(data)
    assert reading.problems == []
    assert write_bytes(reading.boards) == data


@pytest.mark.slow
def test_every_file_of_the_corpus_survives_writing() -> None:
    for path in corpus_pbn_files():
        text = path.read_bytes()
        data = write_bytes(read_text(text).boards)
        assert as_read(data) == as_read(text), path.name
        assert write_bytes(read_text(data).boards) == data, path.name
        assert not re.search(rb"(?<!\r)\n|\r(?!\n)", data), path.name


def test_a_hand_that_pbn_cannot_have_is_refused() -> None:
    board = Board(Layout.from_pbn(FOULED))
    with pytest.raises(ReadError, match="at most 13 cards"):
        write_bytes([Board.make(None, number=1), board])
