"""What programs and people write that the descriptions of their formats do not have."""

from __future__ import annotations

from clubs_support import bdset36
from formats_support import DEAL, OTHER, format_seen, read_format, read_text

from pavcodec import Board, Deal, Seat, Strain, Vulnerability
from pavcodec.boards.tricks import parse_ability

BARE = DEAL.removeprefix("N:")
TRICKS = "5 8 5 8 6 6 6 6 5 7 5 7 7 5 7 5 6 4 3 2"


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


GIB = "KT85.2.JT9.QJ853 A.KJ93.Q765.T962 972.A8764.A82.AK QJ643.QT5.K43.74"


def test_remarks_of_gib_over_several_lines_and_deals_without_tricks() -> None:
    text = f"{{one}}\n{{ two\n {GIB}:\n three }}\n{GIB}\n{GIB}:\n{GIB}:{'7' * 20} {{four}}\n"
    reading = read_format("gib", text.encode())
    assert reading.problems == []
    assert [board.line for board in reading.boards] == [5, 6, 7]
    assert reading.layouts == [DEAL] * 3
    assert [board.tricks is None for board in reading.boards] == [True, True, False]
    open_ended = read_format("gib", f"{GIB}\n{{ two\n{GIB}\n".encode())
    assert open_ended.layouts == [DEAL]
    assert (open_ended.problem.line, "is not closed" in open_ended.problem.reason) == (2, True)


def test_a_list_of_dds_without_its_count() -> None:
    text = f'PBN 0 0 0 0 "{DEAL}"\nTABLE {TRICKS}\nPBN 1 1 4 2 "{OTHER}"\n'
    assert format_seen(text) == "dds"
    reading = read_format("dds", text.encode())
    assert (reading.layouts, reading.problems) == ([DEAL, OTHER], [])


def test_four_bare_hands_begin_with_north() -> None:
    text = f"{BARE}\n  {BARE.lower().replace(' ', '  ')} \n{OTHER}\n"
    assert format_seen(text) == "lines"
    reading = read_format("lines", text.encode())
    assert (reading.layouts, reading.problems) == ([DEAL, DEAL, OTHER], [])
    assert read_format("lines", b"AK.Q.J AK.Q.J.T\n").boards == []


def test_digits_begin_with_0_or_1() -> None:
    deal = Deal.from_pbn(DEAL)
    for first in (0, 1):
        text = "".join(str(owner + first) for owner in deal.owners)
        assert format_seen(f"{text}\n") == "deal-digits"
        assert read_format("deal-digits", f"{text}\n".encode()).boards == [Board(deal)]


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
