"""PBN as real files have it: bytes, tags and deals, each deviation by itself."""

from __future__ import annotations

import codecs
import io

import pytest
from formats_support import DEAL, ENDING, OTHER, read_text

from pavcodec import Deal, Layout, ReadError, Seat, Vulnerability
from pavcodec.boards import Context
from pavcodec.formats.pbn.reader import read_pbn

GAME = f'[Event "Club"]\n[Board "7"]\n[Deal "{DEAL}"]\n'

ACCEPTED = {
    "plain": GAME.encode(),
    "UTF-8 mark": codecs.BOM_UTF8 + GAME.encode(),
    "UTF-16 little-endian": codecs.BOM_UTF16_LE + GAME.encode("utf-16-le"),
    "UTF-16 big-endian": codecs.BOM_UTF16_BE + GAME.encode("utf-16-be"),
    "CRLF": GAME.replace("\n", "\r\n").encode(),
    "CR": GAME.replace("\n", "\r").encode(),
    "mixed line ends": GAME.encode().replace(b"\n", b"\r", 1).replace(b"\n", b"\r\n", 1),
    "no final newline": GAME.rstrip().encode(),
    "Ctrl-Z at the end": GAME.encode() + b"\x1a",
    "Ctrl-Z, then filling": GAME.encode() + b"\x1a\r\n\r\n",
    "Ctrl-Z after a blank line": GAME.encode() + b"\n\x1a",
    "blank lines around": b"\n \t\n" + GAME.encode() + b"\n \n\n",
    "blanks at the line ends": GAME.replace("\n", "  \t\n").encode(),
    "declaration": b"% PBN 2.1\n% EXPORT\n" + GAME.encode(),
    "old declaration": b"% PBN 1.0\n" + GAME.encode(),
    "indented tags": GAME.replace("[", "  \t[").encode(),
    "several tags a line": GAME.replace("\n", " ").encode(),
    "tags side by side": GAME.replace("\n", "").encode(),
    "no blank before the value": GAME.replace(' "', '"', 3).encode(),
    "blanks inside the brackets": GAME.replace("[", "[  ").replace("]", "\t ]").encode(),
    "tags over several lines": b'[\nEvent\n"Club"\n]\n[Board\n  "7"]\n[Deal "%s"\n]'
    % DEAL.encode(),
    "comment between tags": GAME.replace('"7"]', '"7"] {why not} ; so').encode(),
    "escape lines": GAME.replace("[B", "%[Board 8]\n[B").encode(),
    "statistics at the end": GAME.encode()
    + b"\nGenerated 500 hands\nProduced 1 hands\nInitial random seed 1\nTime needed    0.1 sec\n",
}


@pytest.mark.parametrize("data", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_what_real_files_do_is_taken_without_a_problem(data: bytes) -> None:
    board = read_text(data).board
    assert board.layout == Deal.from_pbn(DEAL)
    assert isinstance(board.layout, Deal)
    assert (board.tags["Event"], board.number) == ("Club", 7)
    assert [tag.name for tag in board.entries if tag.name] == ["Event", "Board", "Deal"]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("Dvořák".encode(), "Dvořák"),
        ("Liège".encode("latin-1"), "Liège"),
        ("“O’Brien” – €".encode("cp1252"), "“O’Brien” – €"),
        (b"\x81\xe9", "\x81é"),
        (b"", ""),
    ],
)
def test_text_is_utf8_or_windows_or_latin(data: bytes, name: str) -> None:
    assert read_text(b'[West "' + data + b'"]\n').board.tags["West"] == name


def test_encodings_may_change_from_game_to_game() -> None:
    data = b'[West "\xc5\x81"]\n\n[West "\xe9"]\n\n[West "\xc3\xa9"]\n'
    assert [board.tags["West"] for board in read_text(data).boards] == ["Ł", "é", "é"]


def test_text_in_utf16_keeps_its_letters() -> None:
    data = codecs.BOM_UTF16_LE + '[West "Łukasz"]\r\n\r\n[West "é"]'.encode("utf-16-le")
    assert [board.tags["West"] for board in read_text(data).boards] == ["Łukasz", "é"]


def test_a_line_may_be_as_long_as_it_likes() -> None:
    value = "x" * 100_000
    board = read_text(f'[Event "{value}"]\n[Auction "N"]\n{"Pass " * 10_000}\n').board
    assert board.tags["Event"] == value
    assert board.sections["Auction"] == (("Pass " * 10_000).rstrip(),)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (r"a \"quoted\" word", 'a "quoted" word'),
        (r"back\\slash", r"back\slash"),
        (r"Rank\3R;Call", r"Rank\3R;Call"),
        (r"\\\"", r"\""),
        (r"braces { and } ; and [brackets]", "braces { and } ; and [brackets]"),
        ("  blanks kept  ", "  blanks kept  "),
        ("% no escape", "% no escape"),
        (r"\a", r"\a"),
    ],
)
def test_strings_keep_everything_but_two_escapes(written: str, value: str) -> None:
    board = read_text(f'[Event "{written}"]\n[Deal "{DEAL}"]\n').board
    assert board.tags["Event"] == value
    assert board.layout == Deal.from_pbn(DEAL)


DEALS = {
    DEAL: DEAL,
    "W:KT85.2.JT9.QJ853 A.KJ93.Q765.T962 972.A8764.A82.AK QJ643.QT5.K43.74": DEAL,
    DEAL.lower(): DEAL,
    DEAL.replace("T", "10"): DEAL,
    DEAL.replace(" ", "   "): DEAL,
    DEAL.replace("972.A8764", "279.4A687"): DEAL,
    "N:SA.HKJ93.DQ765.CT962 S972.HA8764.DA82.CAK SQJ643.HQT5.DK43.C74 KT85.2.JT9.QJ853": DEAL,
    "N:A.KJ93.Q765.T962 - - -": "N:A.KJ93.Q765.T962 - - -",
    "N:A.KJ93.Q765.T962 ... ... ...": "N:A.KJ93.Q765.T962 - - -",
    "S:- A.KJ93.Q765.T962 - 972.A8764.A82.AK": "N:- 972.A8764.A82.AK - A.KJ93.Q765.T962",
    "N:... ... ... ...": "N:- - - -",
    "W:- - - -": "N:- - - -",
    ENDING: ENDING,
    "N:... KQJT... ... 7642...": "N:- KQJT... - 7642...",
    "E:86.5.. Q.3.4. ...QJ5 J2.K..": "N:J2.K.. 86.5.. Q.3.4. ...QJ5",
    "N:A... K... Q... -": "N:A... K... Q... -",
}


@pytest.mark.parametrize(("written", "meant"), DEALS.items())
def test_deals_as_people_write_them(written: str, meant: str) -> None:
    board = read_text(f'[Board "1"]\n[Deal "{written}"]\n').board
    assert board.layout == Layout.from_pbn(meant)
    assert isinstance(board.layout, Deal) == (meant == DEAL)
    assert board.tags["Deal"] == written


@pytest.mark.parametrize("value", ["", "?"])
def test_a_game_without_a_deal_is_a_board_without_a_layout(value: str) -> None:
    board = read_text(f'[Board "4"]\n[Deal "{value}"]\n[Result "9"]\n').board
    assert board.layout is None
    assert (board.number, board.tags["Result"]) == (4, "9")
    assert read_text('[Board "4"]\n').board.layout is None


BAD_DEALS = {
    "N:xxx.xx.xxxx.xxxx - - -": ["'x'", "xxx.xx.xxxx.xxxx"],
    "N:AKQJT98765432.A.. - - -": ["at most 13", "N holds 14"],
    "N:A... A... - -": ["SA", "North", "East"],
    "N:AA... - - -": ["SA", "twice", "North"],
    "N:A... - -": ["4 hands", "not 3"],
    "N:A... - - - -": ["4 hands", "not 5"],
    "N:A.. - - -": ["4 suits", "'A..'"],
    "N:SA7.H864 - - -": ["4 suits", "SA7.H864"],
    "A... - - -": ["first seat", "'A... - -"],
    "X:A... - - -": ["first seat"],
    "#": ["first seat", "'#'"],
    "N:A1... - - -": ["'1'", "no rank"],
    "garbage": ["'garbage'"],
}


@pytest.mark.parametrize(("deal", "reasons"), BAD_DEALS.items())
def test_a_bad_deal_is_reported_and_reading_goes_on(deal: str, reasons: list[str]) -> None:
    text = f'[Event "x"]\n[Board "5"]\n[Deal "{deal}"]\n[Result "9"]\n\n[Deal "{OTHER}"]\n'
    reading = read_text(text)
    assert reading.layouts == [None, OTHER]
    assert (reading.problem.line, reading.problem.board) == (3, "5")
    for reason in [*reasons, repr(deal)]:
        assert reason in reading.problem.reason
    assert str(reading.problem).startswith("event.pbn:3: board 5: ")
    assert "\n" not in str(reading.problem)
    assert dict(reading.boards[0].tags)["Deal"] == deal
    assert reading.boards[0].tags["Result"] == "9"


@pytest.mark.parametrize("number", ["1-1", "a", "1A", "0", "-3", "", "?", "²", "٣"])
def test_an_odd_board_number_stays_a_text(number: str) -> None:
    board = read_text(f'[Board "{number}"]\n[Deal "{DEAL}"]\n').board
    assert (board.tags["Board"], board.number) == (number, None)
    assert (board.dealer, board.vulnerable) == (None, None)


def test_a_board_number_may_start_with_a_zero() -> None:
    board = read_text(f'[Board "01"]\n[Deal "{DEAL}"]\n').board
    assert (board.tags["Board"], board.number, board.dealer) == ("01", 1, Seat.NORTH)


def test_a_board_number_of_any_length_is_read() -> None:
    digits = "1" * 5000  # int() refuses more than 4300
    board = read_text(f'[Board "{digits}"]\n[Deal "{DEAL}"]\n').board
    assert board.tags["Board"] == digits
    assert board.number is None or board.number > 0
    assert board.dealer in (None, *Seat)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("None", "None"), ("Love", "None"), ("-", "None"), ("NS", "NS"), ("EW", "EW"),
        ("All", "All"), ("Both", "All"),
    ],
)  # fmt: skip
def test_vulnerability_words(word: str, meant: str) -> None:
    board = read_text(f'[Board "2"]\n[Vulnerable "{word}"]\n').board
    assert board.vulnerable is Vulnerability(meant)
    assert board.tags["Vulnerable"] == word


def test_dealer_and_vulnerability_are_derived_only_when_absent() -> None:
    absent = read_text('[Board "7"]\n').board
    assert (absent.dealer, absent.vulnerable) == (Seat.SOUTH, Vulnerability.ALL)
    empty = read_text('[Board "7"]\n[Dealer ""]\n[Vulnerable ""]\n').board
    assert (empty.dealer, empty.vulnerable) == (Seat.SOUTH, Vulnerability.ALL)
    given = read_text('[Board "7"]\n[Dealer "N"]\n[Vulnerable "None"]\n').board
    assert (given.dealer, given.vulnerable) == (Seat.NORTH, Vulnerability.NONE)
    unknown = read_text('[Board "7"]\n[Dealer "?"]\n[Vulnerable "?"]\n').board
    assert (unknown.dealer, unknown.vulnerable) == (None, None)


@pytest.mark.parametrize(
    ("tag", "value"),
    [
        ("Dealer", "Black"), ("Dealer", "X"), ("Dealer", "#"), ("Dealer", "North"),
        ("Dealer", "NE"), ("Dealer", "ES"), ("Dealer", "NESW"), ("Dealer", "n"),
        ("Vulnerable", "E"), ("Vulnerable", "#"), ("Vulnerable", "none"),
    ],
)  # fmt: skip
def test_a_dealer_or_vulnerability_that_says_nothing_is_reported(tag: str, value: str) -> None:
    reading = read_text(f'[Board "3"]\n[Event "x"]\n[{tag} "{value}"]\n\n[Deal "{DEAL}"]\n')
    assert (reading.problem.line, reading.problem.board) == (3, "3")
    assert repr(value) in reading.problem.reason
    first, second = reading.boards
    assert first.tags[tag] == value
    assert (first.dealer if tag == "Dealer" else first.vulnerable) is None
    assert second.layout == Deal.from_pbn(DEAL)


BAD_LINES = {
    "[Event]": "[Event]",
    "[Event No_quotes]": "[Event No_quotes]",
    '[Event "open]': '[Event "open]',
    '[Event "x" and more]': '[Event "x" and more]',
    '["x"]': '["x"]',
    '[ActionTable "Rank;Call\\"]': "[ActionTable",
}


@pytest.mark.parametrize(("line", "shown"), BAD_LINES.items())
def test_a_broken_tag_is_reported_and_its_game_goes_on(line: str, shown: str) -> None:
    reading = read_text(f'[Board "8"]\n{line}\n[Deal "{DEAL}"]\n\n[Deal "{OTHER}"]\n')
    assert reading.layouts == [DEAL, OTHER]
    assert (reading.problem.line, reading.problem.board) == (2, "8")
    assert shown in reading.problem.reason
    assert "tag pair" in reading.problem.reason


def test_each_broken_tag_is_a_problem_of_its_own() -> None:
    reading = read_text(f'[Dealer N]\n[Vulnerable None]\n[Deal "{DEAL}"]\n[Result 9]\nx\n[Score]\n')
    assert reading.layouts == [DEAL]
    assert [problem.line for problem in reading.problems] == [1, 2, 4, 6]


def test_a_problem_names_the_board_it_stands_in() -> None:
    text = f'[Board "1"]\n[Deal "{DEAL}"]\n[Board "2"]\n[Deal "N:AX... - - -"]\n'
    reading = read_text(text)
    assert reading.layouts == [DEAL, None]
    assert (reading.problem.line, reading.problem.board) == (4, "2")


def test_a_problem_does_not_take_its_board_from_a_comment() -> None:
    reading = read_text('{like [Board "9"]}\n[Board "2"]\n[Deal "N:AX... - - -"]\n')
    assert (reading.problem.line, reading.problem.board) == (3, "2")


def test_text_that_is_no_pbn_is_one_problem() -> None:
    reading = read_text("Dear all,\nthe deals of Monday are attached.\nBest wishes\n")
    assert reading.boards == []
    assert reading.problem.line == 1
    assert "'Dear all,'" in reading.problem.reason


def test_long_nonsense_is_cut_in_the_message() -> None:
    reading = read_text("z" * 5000)
    assert len(str(reading.problem)) < 250
    assert "zzz…" in reading.problem.reason


@pytest.mark.parametrize(
    "data", [b"\x7fELF\x02\x01\x01\0\0", b"PK\x03\x04\x14\0", b"\x1f\x8b\x08\0", b"[Event \0"]
)
def test_a_binary_file_is_one_problem(data: bytes) -> None:
    reading = read_text(b"\n" + data + bytes(range(256)) * 50)
    assert reading.boards == []
    assert reading.problem.line == 2
    assert "no text" in reading.problem.reason
    assert "offset" in reading.problem.reason


def test_an_empty_file_has_no_boards_and_no_problems() -> None:
    for data in (b"", b"\n\n", b" \t", b"\x1a", codecs.BOM_UTF8, b"% PBN 2.1\r\n% EXPORT\r\n"):
        assert read_text(data) == ([], [])


def test_strict_reading_stops_at_the_first_problem() -> None:
    text = f'[Deal "{DEAL}"]\n\n[Board "5"]\n[Deal "N:AX... - - -"]\n\n[Dealer "X"]\n'
    boards = read_pbn(io.BytesIO(text.encode()), Context("event.pbn", strict=True))
    assert next(boards).layout == Deal.from_pbn(DEAL)
    with pytest.raises(ReadError, match=r"^event\.pbn:4: board 5: 'X' in 'AX\.\.\.' is no rank"):
        next(boards)


@pytest.mark.parametrize(
    "deal",
    [DEAL.lower(), DEAL.replace("T", "10"), DEAL.replace(" ", "  "), DEAL.replace(":A", ":SA")],
)
def test_strict_reading_takes_no_loose_deals(deal: str) -> None:
    assert read_text(f'[Deal "{deal}"]\n').layouts == [DEAL]
    reading = read_text(f'[Deal "{deal}"]\n', strict=True)
    assert reading.layouts == [None]
    assert reading.problem.line == 1
