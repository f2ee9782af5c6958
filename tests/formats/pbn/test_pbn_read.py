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
    "UTF-8 mark": codecs.BOM_UTF8 + GAME.encode(),
    "UTF-16 little-endian": codecs.BOM_UTF16_LE + GAME.encode("utf-16-le"),
    "UTF-16 big-endian": codecs.BOM_UTF16_BE + GAME.encode("utf-16-be"),
    "CRLF": GAME.replace("\n", "\r\n").encode(),
    "CR": GAME.replace("\n", "\r").encode(),
    "mixed line ends": GAME.encode().replace(b"\n", b"\r", 1).replace(b"\n", b"\r\n", 1),
    "no final newline": GAME.rstrip().encode(),
    "Ctrl-Z at the end": GAME.encode() + b"\x1a",
    "Ctrl-Z after a blank line": GAME.encode() + b"\n\x1a",
    "blank lines around": b"\n \t\n" + GAME.encode() + b"\n \n\n",
    "blanks at the line ends": GAME.replace("\n", "  \t\n").encode(),
    "declaration": b"% PBN 2.1\n% EXPORT\n" + GAME.encode(),
    "indented tags": GAME.replace("[", "  \t[").encode(),
    "tags side by side": GAME.replace("\n", "").encode(),
    "no blank before the value": GAME.replace(' "', '"', 3).encode(),
    "blanks inside the brackets": GAME.replace("[", "[  ").replace("]", "\t ]").encode(),
    "tags over several lines": GAME.replace("[", "[\n").replace(' "', '\n "').encode(),
    "comment between tags": GAME.replace('"7"]', '"7"] {why not} ; so').encode(),
    "escape lines": GAME.replace("[B", "%[Board 8]\n[B").encode(),
    "statistics at the end": GAME.encode() + b"\nGenerated 500 hands\nTime needed    0.1 sec\n",
}


def test_what_real_files_do_is_taken_without_a_problem() -> None:
    for deviation, data in ACCEPTED.items():
        board = read_text(data).board
        assert isinstance(board.layout, Deal)
        assert (str(board.layout), board.number) == (DEAL, 7), deviation
        tags = [(tag.name, tag.value) for tag in board.entries if tag.name]
        assert tags == [("Event", "Club"), ("Board", "7"), ("Deal", DEAL)], deviation


NAMES = {
    "Dvořák".encode(): "Dvořák",
    "Liège".encode("latin-1"): "Liège",
    "“O’Brien” – €".encode("cp1252"): "“O’Brien” – €",
    b"\x81\xe9": "\x81é",
    b"": "",
    rb"a \"quoted\" word": 'a "quoted" word',
    rb"back\\slash": r"back\slash",
    rb"Rank\3R;Call": r"Rank\3R;Call",
    rb"\\\"": r"\"",
    b"braces { and } ; and [brackets]": "braces { and } ; and [brackets]",
    b"  blanks kept  ": "  blanks kept  ",
    b"% no escape": "% no escape",
    rb"\a": r"\a",
    b"x" * 100_000: "x" * 100_000,
}


def test_text_is_utf8_or_windows_or_latin_with_two_escapes() -> None:
    for data, name in NAMES.items():
        board = read_text(b'[West "%b"]\n[Deal "%b"]\n' % (data, DEAL.encode())).board
        assert (board.tags["West"], str(board.layout)) == (name, DEAL)
    utf16 = codecs.BOM_UTF16_LE + '[West "Ł"]\r\n\r\n[West "é"]'.encode("utf-16-le")
    assert [board.tags["West"] for board in read_text(utf16).boards] == ["Ł", "é"]
    changing = b'[West "\xc5\x81"]\n\n[West "\xe9"]\n\n[West "\xc3\xa9"]\n'
    assert [board.tags["West"] for board in read_text(changing).boards] == ["Ł", "é", "é"]


DEALS = {
    DEAL: DEAL,
    "W:KT85.2.JT9.QJ853 A.KJ93.Q765.T962 972.A8764.A82.AK QJ643.QT5.K43.74": DEAL,
    DEAL.lower(): DEAL,
    DEAL.replace("T", "10"): DEAL,
    DEAL.replace(" ", "   "): DEAL,
    DEAL.replace("972.A8764", "279.4A687"): DEAL,
    "N:SA.HKJ93.DQ765.CT962 S972.HA8764.DA82.CAK SQJ643.HQT5.DK43.C74 KT85.2.JT9.QJ853": DEAL,
    "S:- A.KJ93.Q765.T962 - 972.A8764.A82.AK": "N:- 972.A8764.A82.AK - A.KJ93.Q765.T962",
    "N:... ... ... ...": "N:- - - -",
    ENDING: ENDING,
    "E:86.5.. Q.3.4. ...QJ5 J2.K..": "N:J2.K.. 86.5.. Q.3.4. ...QJ5",
}


def test_deals_as_people_write_them() -> None:
    for written, meant in DEALS.items():
        board = read_text(f'[Board "1"]\n[Deal "{written}"]\n').board
        assert board.layout == Layout.from_pbn(meant), written
        assert isinstance(board.layout, Deal) == (meant == DEAL)
        assert board.tags["Deal"] == written


def test_dealer_and_vulnerability_are_derived_only_when_absent() -> None:
    for tags, dealer, vulnerable in (
        ("", Seat.SOUTH, Vulnerability.ALL),
        ('[Dealer ""]\n[Vulnerable ""]\n', Seat.SOUTH, Vulnerability.ALL),
        ('[Dealer "N"]\n[Vulnerable "None"]\n', Seat.NORTH, Vulnerability.NONE),
        ('[Dealer "?"]\n[Vulnerable "?"]\n', None, None),
    ):
        board = read_text(f'[Board "7"]\n{tags}').board
        assert (board.dealer, board.vulnerable, board.layout) == (dealer, vulnerable, None)


NO_RANK = "no rank; expected one of AKQJT98765432"
NO_SEAT = "a deal starts with the first seat and a colon, such as 'N:', not"
NO_HANDS = "a deal has 4 hands between single blanks ('-' for none), not"
NO_SUITS = "a hand has 4 suits S.H.D.C between dots, not"
BAD_DEALS = {
    "N:xxx.xx.xxxx.xxxx - - -": f"'x' in 'xxx.xx.xxxx.xxxx' is {NO_RANK}",
    "N:A1... - - -": f"'1' in 'A1...' is {NO_RANK}",
    "N:AKQJT98765432.A.. - - -": "a hand has at most 13 cards; here N holds 14, E 0, S 0, W 0",
    "N:A... A... - -": "card SA is in two hands, North's and East's",
    "N:AA... - - -": "card SA occurs twice in North's hand",
    "N:A... - -": f"{NO_HANDS} 3",
    "N:A... - - - -": f"{NO_HANDS} 5",
    "N:A.. - - -": f"{NO_SUITS} 3 in 'A..'",
    "N:SA7.H864 - - -": f"{NO_SUITS} 2 in 'SA7.H864'",
    "A... - - -": f"{NO_SEAT} 'A... - -'",
    "X:A... - - -": f"{NO_SEAT} 'X:A... -'",
    "#": f"{NO_SEAT} '#'",
}
BAD_LINES = {
    **{f'[Deal "{deal}"]': f"{reason}: {deal!r}" for deal, reason in BAD_DEALS.items()},
    **{
        f'[Dealer "{word}"]': f"dealer {word!r} is not one of N E S W"
        for word in ("X", "#", "North", "NE", "ES", "NESW", "n")
    },
    **{
        f'[Vulnerable "{word}"]': f"vulnerability {word!r} is not one of None NS EW All"
        for word in ("E", "#", "none")
    },
    **{
        line: f'expected a tag pair such as [Event "..."], not {line!r}'
        for line in (
            "[Event]", "[Event No_quotes]", '[Event "open]', '[Event "x" and more]', '["x"]',
            r'[ActionTable "Rank;Call\"]', '[Deal "N:A... K... Q... J..." x]',
        )
    },
}  # fmt: skip


def test_a_bad_line_is_reported_and_its_game_goes_on() -> None:
    for line, reason in BAD_LINES.items():
        reading = read_text(f'[Board "5"]\n{line}\n[Result "9"]\n\n[Deal "{OTHER}"]\n')
        assert str(reading.problem) == f"event.pbn:2: board 5: {reason}"
        assert reading.layouts == [None, OTHER], line
        board = reading.boards[0]
        assert board.tags["Result"] == "9"
        if not reason.startswith("expected"):
            name, value = line[1:-2].split(' "')
            assert board.tags[name] == value
        assert (board.dealer is None) == line.startswith("[Dealer"), line
        assert (board.vulnerable is None) == line.startswith("[Vulnerable"), line
    reading = read_text(f'[Dealer N]\n[Vulnerable None]\n[Deal "{DEAL}"]\n[Result 9]\nx\n[Score]\n')
    assert reading.layouts == [DEAL]
    assert [problem.line for problem in reading.problems] == [1, 2, 4, 6]


def test_a_problem_names_the_board_it_stands_in() -> None:
    bad = '[Board "2"]\n[Deal "N:AX... - - -"]\n'
    for text, line in (
        (f'[Board "1"]\n[Deal "{DEAL}"]\n{bad}', 4),
        ('{like [Board "9"]}\n' + bad, 3),
    ):
        problem = read_text(text).problem
        assert (problem.line, problem.board) == (line, "2")


def test_what_is_no_pbn_or_no_text_is_one_problem() -> None:
    reading = read_text("Dear all,\nthe deals of Monday are attached.\nBest wishes\n")
    assert reading.boards == []
    assert reading.problem.line == 1
    assert "'Dear all,'" in reading.problem.reason
    long = read_text("z" * 5000).problem
    assert long.reason.endswith(f"not '{'z' * 60}…'")
    binary = {b"\x7fELF\x02\0": "0x02 at offset 5", b"PK\x03\0": "0x03 at offset 3"}
    for data, place in {**binary, b"[Event \0": "0x00 at offset 8"}.items():
        reading = read_text(b"\n" + data + bytes(range(256)) * 50)
        assert reading.boards == []
        assert reading.problem.line == 2
        assert reading.problem.reason == (
            f'byte {place}: this is no text, expected PBN tag pairs such as [Deal "N:..."]'
        )


def test_an_empty_file_has_no_boards_and_no_problems() -> None:
    for data in (b"", b"\n\n", b" \t", b"\x1a", codecs.BOM_UTF8, b"% PBN 2.1\r\n% EXPORT\r\n"):
        assert read_text(data) == ([], [])


def test_strict_reading_stops_at_the_first_problem() -> None:
    text = f'[Deal "{DEAL}"]\n\n[Board "5"]\n[Deal "N:AX... - - -"]\n\n[Dealer "X"]\n'
    boards = read_pbn(io.BytesIO(text.encode()), Context("event.pbn", strict=True))
    assert next(boards).layout == Deal.from_pbn(DEAL)
    with pytest.raises(ReadError, match=r"^event\.pbn:4: board 5: 'X' in 'AX\.\.\.' is no rank"):
        next(boards)


def test_strict_reading_takes_no_loose_deals() -> None:
    for old, new in (("A", "a"), ("T", "10"), (" ", "  "), (":A", ":SA")):
        deal = DEAL.replace(old, new)
        assert read_text(f'[Deal "{deal}"]\n').layouts == [DEAL]
        reading = read_text(f'[Deal "{deal}"]\n', strict=True)
        assert reading.layouts == [None]
        assert reading.problem.line == 1
