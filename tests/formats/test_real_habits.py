"""What programs and people write that the descriptions of their formats do not have."""

from __future__ import annotations

from clubs_support import bdset36
from formats_support import DEAL, OTHER, format_seen, read_format, read_text

from pavcodec import Board, Deal, Seat, Strain, Vulnerability
from pavcodec.boards.tricks import parse_ability

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
