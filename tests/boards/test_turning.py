"""Boards after the players have changed seats: every fact stays with its player."""

from __future__ import annotations

from itertools import permutations

import pytest
from formats_support import DEAL, corpus_pbn_files, read_text, write_bytes

from pavcodec import Board, Deal, PavError, Seat, Tag, Vulnerability, numbering
from pavcodec.boards.turning import IN_TURN_TAGS, Turn, turn
from pavcodec.cards import SEAT_LETTERS

SEATS = ["".join(p) for p in permutations("NESW") if abs(p.index("N") - p.index("S")) == 2]
GAME = f"""[Event "North London Club"]
[Board "7"]
[West "Will"]
[North "Nora"]
[East "Eve"]
[South "Sam"]
[NorthNA "n@x"]
[Dealer "S"]
[Vulnerable "NS"]
[Deal "{DEAL}"]
[Declarer "S"]
[Contract "3NT"]
[Result "9"]
{{South opens, West leads. N/S make 3NT by S; Northern S stays.
[show NS] Eastbourne}}
[PairNS "7"]
[PairEW "8"]
[Score "NS 600"]
[ScoreIMP "NS 5 EW -5"]
[OptimumScore "NS +600"]
[ParContract "NS 3N=; S 5C="]
[Minimax "3NS600"]
[DealId "deal:{numbering("deal").rank(Deal.from_pbn(DEAL))}"]
[Hidden "EW"]
[Auction "S"]
1C 1H =1= X Pass
1NT Pass 3NT AP
[Note "1:West has 5 hearts"]
[Play "W"]
H4 H3 HA H5
[ScoreTable "PairId_NS\\\\2R;PairId_EW\\\\2R;Contract;Declarer;Score_NS"]
7 8 3NT S 600
9 2 4H "W" -620
[DoubleDummyTricks "01234567899876543210"]
"""


def board_of(text: str) -> Board:
    return read_text(text).board


def test_a_board_keeps_every_fact_with_its_player() -> None:
    there = turn(board_of(GAME), 1, numbering=numbering)
    lines = write_bytes([there]).decode().split("\r\n")
    moved = [line for line in lines if line and line not in GAME.split("\n")]
    assert there.layout is not None
    number = numbering("deal").rank(there.layout)
    for expected in [
        '[West "Sam"]', '[North "Will"]', '[East "Nora"]', '[South "Eve"]', '[EastNA "n@x"]',
        '[Dealer "W"]', '[Vulnerable "EW"]', '[Declarer "W"]', '[PairNS "8"]', '[PairEW "7"]',
        '[Score "EW 600"]', '[ScoreIMP "EW 5 NS -5"]', '[OptimumScore "EW +600"]',
        '[ParContract "EW 3N=; W 5C="]', '[Minimax "3NW-600"]', f'[DealId "deal:{number}"]',
        '[Hidden "SN"]', '[Auction "W"]', '[Note "1:North has 5 hearts"]', '[Play "N"]',
        '7 8 3NT W 600', '9 2 4H "W" -620', '[DoubleDummyTricks "43210987650123456789"]',
        "{West opens, North leads. E/W make 3NT by W; Northern S stays.",
        "[show EW] Eastbourne}",
    ]:  # fmt: skip
        assert expected in lines, expected
        assert expected in moved or expected in GAME
    assert '[Event "North London Club"]' in lines
    assert any("PairId_EW" in line and "PairId_NS" in line and "Score_EW" in line for line in lines)


@pytest.mark.slow
def test_boards_of_the_corpus_turn_and_come_back() -> None:
    boards = [b for path in corpus_pbn_files() for b in read_text(path.read_bytes()).boards]
    for board in boards[::6]:
        # dealer and vulnerability have become tags, and DealId is left out
        first = turn(turn(board, 1), 3)
        if board.tags.get("Dealer", "").strip() and board.tags.get("Vulnerable", "").strip():
            assert first.entries == tuple(t for t in board.entries if t.name != "DealId")
        assert turn(turn(first, 2), 2) == first


def test_a_table_of_tricks_keeps_the_order_of_its_declarers() -> None:
    table = '[OptimumResultTable "Declarer;Denomination\\\\2R;Result\\\\2R"]'
    rows = [
        f"{seat}  {strain}  {n}" for seat, n in zip("NESW", "7654", strict=True) for strain in "SH"
    ]
    there = turn(board_of("\n".join([f'[Deal "{DEAL}"]', table, *rows])), 1)
    assert [row.split() for row in there.sections["OptimumResultTable"]] == [
        [seat, strain, n] for seat, n in zip("NESW", "4765", strict=True) for strain in "SH"
    ]


def test_dealer_and_vulnerability_of_a_number_become_tags() -> None:
    there = turn(board_of(f'[Board "2"]\n[Deal "{DEAL}"]\n'), 1)
    assert [tag.name for tag in there.entries] == ["Board", "Dealer", "Vulnerable", "Deal"]
    assert (there.dealer, there.vulnerable) == (Seat.SOUTH, Vulnerability.EW)
    other = {Vulnerability.NS: Vulnerability.EW, Vulnerability.EW: Vulnerability.NS}
    for vulnerable in Vulnerability:
        board = Board.make(None, number=1, vulnerable=vulnerable)
        assert turn(board, 3).vulnerable is other.get(vulnerable, vulnerable)
        assert turn(board, 2).vulnerable is vulnerable


def test_there_are_eight_ways_to_seat_two_pairs() -> None:
    board = board_of(GAME)
    assert all(turn(board, places) is board for places in (4, -4, 0, 8))
    assert len(SEATS) == 8
    assert sum(Turn.of(seats=seats).is_rotation for seats in SEATS) == 4
    for places in range(4):
        assert Turn.of(seats=SEAT_LETTERS[places:] + SEAT_LETTERS[:places]) == Turn.of(places)
    for seats in ("", "NES", "NNSW", "NSEW", "ENSW", "NESX"):  # some of them part partners
        with pytest.raises(PavError):
            Turn.of(seats=seats)
    with pytest.raises(PavError, match="not both"):
        turn(board, 1, seats="ESWN")


def test_every_seating_moves_cards_and_names() -> None:
    board = board_of(GAME)
    for seats in SEATS:
        there = turn(board, seats=seats)
        assert there.layout is not None
        assert board.layout is not None
        for seat, letter in zip(Seat, seats, strict=True):
            assert there.layout[letter] == board.layout[seat]
            assert there.tags[Seat.parse(letter).name.title()] == board.tags[seat.name.title()]
        if not Turn.of(seats=seats).is_rotation:
            assert not {*IN_TURN_TAGS, "Note"} & set(there.tags)
            assert there.tags["Declarer"] == seats[2]
        assert read_text(write_bytes([there])).board.layout == there.layout


def test_the_comments_of_parts_that_are_left_out_stay() -> None:
    text = f'[Board "1"]\n[Deal "{DEAL}"]\n[Auction "N"]\n1C {{a strong club}} AP\n'
    assert board_of(text) == turn(board_of(text), seats="NESW")
    there = turn(board_of(text), seats="SENW")
    assert [tag.name for tag in there.entries] == ["Board", "Dealer", "Vulnerable", "Deal"]
    assert there.entries[-1].lines == ("{a strong club}",)


TEXTS = [
    ("South opens 1S, West passes.", "West opens 1S, North passes."),
    ("SOUTH and the east hand", "WEST and the south hand"),
    ("North's lead; Norths, Northern, Northeast", "East's lead; Norths, Northern, Northeast"),
    ("N-S, N/S, NS, n/s; E-W E/W EW", "E-W, E/W, EW, e/w; N-S N/S NS"),
    ("North-South and East/West", "East-West and North/South"),
    ("North and South are vulnerable", "East and West are vulnerable"),
    ("North and East pass", "East and South pass"),
    (r"the \S and \SK, 4S, S, W to raise", r"the \S and \SK, 4S, S, W to raise"),
    (r"3NT by E, 4\S by S, 2CX by N", r"3NT by S, 4\S by W, 2CX by E"),
    ("dealer N; Dealer: W; dlr E", "dealer E; Dealer: N; dlr S"),
    ("[show NS][hide E] [PLAY W:D9]", "[show EW][hide S] [PLAY N:D9]"),
    ("The answers: NEWS, SNEW, WE, ANSWER", "The answers: NEWS, SNEW, WE, ANSWER"),
    ("NS +110, N-S's game", "EW +110, E-W's game"),
]


def test_names_of_seats_in_texts() -> None:
    for told, turned in TEXTS:
        assert Turn.of(1).text(told) == turned
        assert Turn.of(3).text(turned) == told
    half = Turn.of(2).text("N/S, North-South: North leads")
    assert half == "N/S, North-South: South leads"


def test_only_comments_and_notes_change() -> None:
    board = board_of(
        f'[Event "North Club"]\n[Site "West End"]\n[Deal "{DEAL}"]\n; South\n%South\n[X "South"]\n'
    )
    there = turn(board, 1)
    assert [tag.value for tag in there.entries[:2]] == ["North Club", "West End"]
    assert there.entries[2].lines == ("; West", "%South")
    assert there.entries[-1] == Tag("X", "South")


def test_an_own_number_of_a_deal_is_left_out() -> None:
    for number in ("1", "deal:5", "mine:5"):
        board = Board.make(Deal.from_pbn(DEAL), tags={"DealId": number})
        assert "DealId" not in turn(board, 1, numbering=numbering).tags


def test_tags_of_other_formats_turn_too() -> None:
    entries = [
        ("LinHeader", "vg|Final,I|rs|4HE=,3NW+1,5DSx-2,PASS"),
        ("LinComments", "0|jo: west has a 14 count|3|ann: Northern light"),
        ("DdsFirst", "3"),
        ("DdsPar", '"NS -110" "EW 110"'),
    ]
    board = Board(Deal.from_pbn(DEAL), tuple(Tag(*entry) for entry in entries))
    assert dict(turn(board, 1).tags) == {
        "LinHeader": "vg|Final,I|rs|4HS=,3NN+1,5DWx-2,PASS",
        "LinComments": "0|jo: north has a 14 count|3|ann: Northern light",
        "DdsFirst": "0",
    }
