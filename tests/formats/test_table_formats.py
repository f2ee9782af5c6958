"""Texts of tables and deals: what a damage is, and habits that no description has."""

from __future__ import annotations

import io

import pytest
from clubs_support import bdset36
from formats_support import DEAL, OTHER, format_seen, read_format, read_text

from pavcodec import Board, Deal, ReadError, Seat, Strain, Vulnerability, read
from pavcodec.boards.tricks import parse_ability

VIEWER = "https://www.bridgebase.com/tools/handviewer.html"
HANDS = "SQJ643HQT5DK43C74,SKT85H2DJT9CQJ853,SAHKJ93DQ765CT962,S972HA8764DA82CAK"
AUCTION = "an auction a= needs the dealer d= or a board number b=: "
LIN_TAG = "expected a tag and its value, as in 'mb|1C|'"
DAMAGES = [
    ("lin", "md|1SAA,,,|", 1, "card SA occurs twice in South's hand: '1SAA,,,'"),
    ("lin", "\nah|Board 3|md|1SA,SA,,|", 2, "card SA is in two hands, South's and West's: '1SA,"),
    ("lin", "md|1SAX,,,|", 1, "expected a suit, or one of AKQJT98765432 at 'X' in the hand 'SAX'"),
    ("lin", "md|1AKQ,,,|", 1, "expected a suit S H D C at 'AKQ' in the hand 'AKQ': '1AKQ,,,'"),
    ("lin", "md|1,,,,SA|", 1, "a deal has 4 hands, South first, after the dealer's number"),
    ("lin", "md|1SAKQJT98765432HA,,,|", 1, "a hand has at most 13 cards; here N holds 0, E 0,"),
    ("lin", f"md|1{HANDS}|\nsv|x|", 1, "vulnerability 'x' is not one of o n e b"),
    ("lin", f"md|1{HANDS}|sv|o|\nmbp|p|", 2, f"{LIN_TAG}: 'mbp|p|'"),
    ("lin", "hello\nmd|1SA|", 1, f"{LIN_TAG}: 'hello'"),
    ("handviewer", f"\n{VIEWER}?\n", 2, "expected the cards in lin=, or in n= e= s= w="),
    ("handviewer", f"\n{VIEWER}?myhand=M-1-2\n", 2, "expected the cards in lin="),
    ("handviewer", f"\n{VIEWER}?n=sax\n", 2, "expected a suit, or one of AKQJT98765432 at 'X'"),
    ("handviewer", f"\n{VIEWER}?n=sa&e=sa\n", 2, "card SA is in two hands"),
    ("handviewer", f"\n{VIEWER}?n=sa&d=x\n", 2, "the dealer d= is n, e, s or w, not 'X'"),
    ("handviewer", f"\n{VIEWER}?n=sa&v=x\n", 2, "the vulnerability v= is -, n, e or b, not 'x'"),
    ("handviewer", f"\n{VIEWER}?n=sa&a=1c\n", 2, AUCTION),
    ("handviewer", f"\n{VIEWER}?n=sa&d=n&a=1cz\n", 2, "expected a call at 'z' in the auction a="),
    ("handviewer", f"\n{VIEWER}?n=sa&p=sa3\n", 2, "expected cards such as sasks2 in the play p=, "),
    ("handviewer", f"\n{VIEWER}?lin=md|1SAA|\n", 2, "card SA occurs twice in South's hand"),
    ("rbn", "B 1\nH W:A:A\n", 2, "card SA is in two hands, North's and West's: 'W:A:A'"),
    ("rbn", "H W:Ax\n", 1, "'X' in 'AX...' is no rank"),
    ("rbn", "H W:A?\n", 1, "'?' in 'A?...' is no rank"),
    ("rbn", "H X:A\n", 1, "hands are a seat N E S W and a colon before each hand, at most 4: "),
    ("rbn", "H W:A.K.Q.J.T\n", 1, "a hand has 4 suits S.H.D.C between dots, not 5 in 'A.K.Q.J.T'"),
    ("rbn", "H W:AKQJT98765432.A\n", 1, "a hand has at most 13 cards"),
    ("rbn", "H W:A\nA NZ:8C\n", 1, "expected a call at '8C' in the auction"),
    ("rbn", "H W:A\nA NZ:1CAP\n", 1, "nothing follows A, all pass, in an auction, not 'P'"),
    ("rbn", "H W:A\nA NZ:^1\n", 1, "expected a call at '^1' in the auction"),
    ("rbn", "H W:A\nP 23\n", 1, "a trick begins with a suit, not '23'"),
    ("rbn", "H W:A\nP SAS\n", 1, "a trick is up to 4 cards such as SK2A4, not 'SAS'"),
    ("rbn", "H W:A\nX nothing\n", 2, "expected a label and its text, as in 'B 7', not 'X nothing'"),
    ("rbn", "H W:A\nHN\n", 2, "expected a label and its text, as in 'B 7', not 'HN'"),
    ("rbn", "H W:A\nH W:K\n", 2, "the label H comes twice in a record: 'W:K'"),
    ("rbn", "H W:A\n{open\n", 2, "the free text opened by '{' here is not closed"),
    ("rbn", "{open\n\nH W:A\n", 1, "the free text opened by '{' here is not closed"),
    ("rbx", "H{W:A}junk B{2}", 1, "expected a label and its text, as in 'B{7}': 'junk B{2}'"),
    ("rbx", "H{W:A", 1, "expected a label and its text, as in 'B{7}': 'H{W:A'"),
]
WITHOUT_BOARD = ("html?", "M-1-2", "n=sax", "e=sa", "H{W:A")
"""How the texts end that have no board."""


@pytest.mark.parametrize(("name", "text", "line", "reason"), DAMAGES)
def test_each_damage_is_one_problem_with_its_place(
    name: str, text: str, line: int, reason: str
) -> None:
    reading = read_format(name, text.encode())
    assert reading.problem.line == line
    assert reading.problem.reason.startswith(reason)
    assert reading.problem.board == ("3" if "Board 3" in text else reading.problem.board)
    assert len(reading.boards) == (not text.rstrip().endswith(WITHOUT_BOARD))
    with pytest.raises(ReadError):
        list(read(io.BytesIO(text.encode()), format=name, strict=True))


# What programs and people write that the descriptions of their formats do not have.

BARE = DEAL.removeprefix("N:")


def test_vulnerabilities_with_blanks_and_dashes() -> None:
    for word, told in {"None ": "None", "N-S ": "NS", " E-W": "EW", "N-S": "NS"}.items():
        text = f'[Dealer "E "]\n[Vulnerable "{word}"]\n[Deal "{DEAL}"]\n'
        board = read_text(text).board
        assert (board.vulnerable, board.dealer) == (Vulnerability(told), Seat.EAST)
        assert board.tags["Vulnerable"] == word
        assert len(read_text(text, strict=True).problems) == 2
    assert read_text('[Vulnerable "E"]\n').problem.reason.startswith("vulnerability 'E'")
    assert read_text('[Vulnerable "-"]\n', strict=True).problems == []


def test_other_sections_of_dlm_are_passed_over() -> None:
    data = bdset36("dlm")
    plain = read_format("dlm", data)
    more = b"[STARTUP]\r\nStatus=Sealed\r\nBoard 01=x\r\nanything\r\n"
    other = read_format("dlm", data + more)
    assert (other.boards, other.problems) == (plain.boards, [])
    other = read_format("dlm", data + b"[a b]\r\n")
    assert other.problem.reason.startswith("expected '[Document]'")


def test_what_is_said_of_cards_in_plays_of_rbn() -> None:
    text = "H W:KT85.2.JT9.QJ853:A.KJ93.Q765.T962:972.A8764.A82.AK:\nA WZ:PPP1HXXA\nP S4!5A??2:H3^1"
    reading = read_format("rbn", f"{text}\n".replace("1HXXA", "1HA").encode())
    assert reading.problems == []
    assert reading.boards[0].sections["Play"] == ("S4 S5 SA S2", "- - H3 -")
    assert reading.boards[0].tags["RbnP"] == "S4!5A??2:H3^1"


def test_four_bare_hands_begin_with_north() -> None:
    text = f"{BARE}\n  {BARE.lower().replace(' ', '  ')} \n{OTHER}\n"
    assert format_seen(text) == "lines"
    reading = read_format("lines", text.encode())
    assert (reading.layouts, reading.problems) == ([DEAL, DEAL, OTHER], [])
    assert read_format("lines", b"AK.Q.J AK.Q.J.T\n").boards == []


def test_abilities_are_tricks() -> None:
    deal = Deal.from_pbn("N:AQ63.J7.Q42.AKJ7 T942.T5.KT6.9643 J85.4.AJ8753.Q82 K7.AKQ98632.9.T5")
    board = Board.make(deal, tags={"Ability": "N:5A5CC E:02800 S:5A5CC W:02800"})
    assert board.tricks is not None
    assert [board.tricks[Seat.NORTH, s] for s in (Strain.NOTRUMP, Strain.SPADES, Strain.CLUBS)] == [
        5, 10, 12,
    ]  # fmt: skip
    assert board.tricks[Seat.WEST, Strain.HEARTS] == 8
    assert parse_ability("W:02800 S:5A5CC E:02800 N:5A5CC") == board.tricks
    for wrong in ("", "N:5A5CC", "N:5A5CC E:02800 S:5A5CC W:0280E", "N:5A5CC x"):
        assert Board.make(deal, tags={"Ability": wrong}).tricks is None
