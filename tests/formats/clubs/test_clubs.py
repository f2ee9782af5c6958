"""The formats of clubs and dealing machines: each byte, every agreement, and what does not fit."""

from __future__ import annotations

import io
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase
from unittest.mock import patch

import pytest
from clubs_support import CLUBS, NUMBERED, ORDERED, SIZES, bdset36, deals_in
from formats_support import DEAL, ENDING, Dribble, read_format, read_text, write_format
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import deals

from pavcodec import Board, Deal, Layout, ReadError, Seat, Tag, Vulnerability, numbering
from pavcodec.boards import Context
from pavcodec.formats import format_of, open_boards
from pavcodec.formats.clubs import dup as club_records
from pavcodec.records.declarations import FRAMES, places_of

ONE = Deal.from_pbn(DEAL)


def numbers_of(boards: list[Board]) -> list[tuple[object, ...]]:
    return [(board.number, board.dealer, board.vulnerable) for board in boards]


@pytest.mark.parametrize("name", [name for name in CLUBS if name != "hrf"])
def test_the_files_of_big_deal_are_read_and_written_to_the_byte(name: str) -> None:
    file, expected = bdset36(name), read_text(bdset36("pbn")).boards
    boards, problems = read_format(name, file)
    assert problems == []
    assert deals_in(boards) == deals_in(expected)
    unknown: list[tuple[object, ...]] = [(None, None, None)] * 36
    assert numbers_of(boards) == (unknown if name in ORDERED else numbers_of(expected))
    if name == "dlm":
        file = file.replace(b"\n", b"\r\n")  # Big Deal ran on Linux; the machines are on Windows
        for number in range(37, 100):
            letters = f"aaaaaabffffffkkkkkklpppppp{number ^ 14:03}"
            assert f"Board {number}={letters}\r\n".encode() in file
    if name in ("dlm", "bhg", "csv"):  # texts are recognised without a name
        assert deals_in(open_boards(io.BytesIO(file), Context("x"))) == deals_in(expected)
    assert write_format(name, expected) == (file, [])
    assert write_format(name, boards) == (file, [])


@pytest.mark.slow
@settings(max_examples=60)
@given(st.sampled_from(CLUBS), st.lists(deals(), min_size=1, max_size=3), st.integers(1, 97))
def test_any_deals_are_read_back(name: str, held: list[Deal], first: int) -> None:
    boards = [Board.make(deal, number=n) for n, deal in enumerate(held, first)]
    data, problems = write_format(name, boards)
    assert problems == []
    back, problems = read_format(name, Dribble(data, 7))
    assert problems == []
    assert deals_in(back) == list(held)
    if name in NUMBERED:
        assert numbers_of(back) == numbers_of(boards)
    assert write_format(name, back).data == data


SUITS = Deal.from_pbn("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
RANKS = "AKQJT98765432"
WRITTEN = {  # board 7 of four hands of one suit each: South deals, all are vulnerable
    "bri": "".join(f"{card:02}" for card in range(1, 40)).ljust(110) + "\0" * 18,
    "dge": f"\6{RANKS}\3\4\5\6\3{RANKS}\4\5\6\3\4{RANKS}\5\6\3\4\5{RANKS}" + "\0" * 60,
    "ber": "1" * 13 + "2" * 13 + "3" * 13 + "4" * 13,
    "rzd": "\1\0" + " " * 11 + "\x1b" * 13,
    "cds": "\7" + "l" * 13,
    "hrf": f"7S{RANKS}HDCSH{RANKS}DCSHD{RANKS}CSHDC{RANKS}".ljust(128),
    "bhg": "\n" * 7 + f"{ascii_lowercase}{ascii_uppercase}\n",
    "csv": ",".join(f'"{RANKS if k % 5 == 0 else ""}"' for k in range(16)) + ',"7","S/All"\n',
    "goe": f"{numbering('bigdeal').rank(SUITS):,}".rjust(38) + "\n",
}
WRITTEN["dup"] = WRITTEN["bri"][:78] + WRITTEN["dge"][:68] + "YN7  0 07 "


def test_every_byte_of_a_board() -> None:
    board = Board.make(SUITS, number=7)
    for name, text in WRITTEN.items():
        assert write_format(name, [board]) == (text.encode("latin-1"), []), name
    lines = write_format("dlm", [board]).data.split(b"\r\n")
    assert {b"From board=7", b"To board=7", b"Checksum=1"} < set(lines)
    assert b"Board 07=aaaaaabffffffkkkkkklpppppp009" in lines


@pytest.mark.parametrize("name", CLUBS)
def test_boards_are_counted_from_1_and_only_deals_are_written(name: str) -> None:
    assert write_format(name, [Board(None, (Tag("Board", "1"),))]) == (b"", [])
    assert read_format(name, b"") == ([], [])
    held = [numbering("deal")[k] for k in (5, 10**20, 10**27)]
    written = write_format(name, map(Board, held))
    assert written == write_format(name, [Board.make(d, number=n) for n, d in enumerate(held, 1)])
    boards = read_format(name, written.data).boards
    assert (deals_in(boards), written.problems) == (held, [])
    assert [board.number for board in boards] == ([1, 2, 3] if name in NUMBERED else [None] * 3)
    odd = Board(Layout.from_pbn(ENDING), (Tag("Board", "1"),), line=9)
    data, (problem,) = write_format(name, [odd, Board.make(ONE, number=1)])
    assert str(problem) == (
        "in.pbn:9: board 1: a deal has 13 cards in each hand; here N holds 3, E 0, S 3, W 0: "
        f"'{ENDING}'"
    )
    assert deals_in(read_format(name, data).boards) == [ONE]


def numbered(*numbers: int | str) -> list[Board]:
    return [Board(ONE, (Tag("Board", str(number)),)) for number in numbers]


MISFITS: list[tuple[str, tuple[int | str, ...], list[int], str]] = [
    ("dup", (99, 100), [99], "dup numbers boards 1 to 99, not 100"),
    ("dlm", (100, 5), [5], "dlm numbers boards 1 to 99, not 100"),
    ("cds", (255, 3, 256), [255, 3], "cds numbers boards 1 to 255, not 256"),
    ("hrf", (1000, 4), [4], "hrf numbers boards 1 to 999, not 1000"),
    ("bhg", (2, 10000), [2], "bhg numbers boards 1 to 9999, not 10000"),
    ("csv", ("1-1", 7), [7], "csv numbers boards 1 to 999999999999999999, not '1-1'"),
    ("cds", ("0", 1), [1], "cds numbers boards 1 to 255, not '0'"),
    ("dup", (17, 19, 18), [17, 18], "in dup after board 17 comes 18, without gaps, not 19"),
    ("dlm", (3, 3), [3], "in dlm after board 3 comes 4, without gaps, not 3"),
    ("bhg", (3, 5, 2), [3, 5], "in bhg after board 5 come greater numbers, not 2"),
]


def test_numbers_that_do_not_fit() -> None:
    for name, numbers, left, reason in MISFITS:
        data, problems = write_format(name, numbered(*numbers))
        assert [problem.reason for problem in problems] == [f"{reason}: '{ONE}'"]
        assert [board.number for board in read_format(name, data).boards] == left


def test_more_boards_than_fit() -> None:
    data, problems = write_format("dup", [Board(ONE)] * 101)
    assert (len(data), len(problems)) == (99 * 156, 2)
    assert problems[0].reason.startswith("dup numbers boards 1 to 99, not 100")
    with patch.object(club_records, "MOST_IN_RZD", 3):
        data, (problem,) = write_format("rzd", [Board(ONE)] * 4)
    assert data == write_format("rzd", [Board(ONE)] * 3).data
    assert problem.reason.startswith("rzd holds at most 3 boards")
    assert club_records.MOST_IN_RZD == 65_535


# damage: the place, what was expected, what is there; the rest is kept

THREE = [Board.make(numbering("deal")[k], number=n) for n, k in enumerate((7, 3**50, 10**28), 1)]


BRI = "is not a code 'bri': 78 digits: the cards 01 (SA) to 52 (C2) of N, E and S"
NO_DEALS = {
    "bri": (b"x", BRI),
    "dup": (b" ", BRI),
    "ber": (b"5", "is not a code 'ber': 52 digits 1 to 4, N E S W, SA to C2"),
    "dge": (b"\x01", "the hand of N has a sign (06 03 04 05) before the ranks of each suit"),
    "rzd": (b"\xff", "a deal has 13 cards in each hand; here N holds 11, E 13, S 13, W 15"),
    "cds": (b"\0", "boards are numbered 1 to 255, not 0"),
    "hrf": (b"?", "a record has the number of the board and four times S H D C"),
}


@pytest.mark.parametrize("name", SIZES)
def test_a_record_that_is_cut_off_or_no_deal(name: str) -> None:
    data, size = write_format(name, THREE).data, SIZES[name]
    boards, problems = read_format(name, data[:-5])
    assert deals_in(boards) == deals_in(THREE[:2])
    record, end = f"{name} record 2 at byte {len(data) - size}", f"after {size - 5} of {size} bytes"
    assert problems[0].reason == f"{record}: the file ends {end}"
    assert len(problems) == 1 + (name in ("rzd", "dup"))
    start = len(data) - 2 * size
    byte, reason = NO_DEALS[name]
    wrong = data[:start] + byte + data[start + 1 :]
    boards, (problem,) = read_format(name, wrong)
    assert deals_in(boards) == deals_in([THREE[0], THREE[2]])
    assert problem.reason.startswith(f"{name} record 1 at byte {start}: ")
    assert reason in problem.reason
    assert "\n" not in problem.reason
    with pytest.raises(ReadError, match=f"^a: {name} record 1 at byte {start}: "):
        list(format_of(name).read(io.BytesIO(wrong), Context("a", strict=True)))


(SECOND,) = (
    line for line in write_format("dlm", THREE).data.split(b"\r\n") if line.startswith(b"Board 02=")
)
END = b"YN1  0 03 "  # of each record of dup
CHECK = SECOND[-3:].decode()
DAMAGES = [  # the boards that are kept, and the problem
    ("bri", b"02", b"01", "23", "the code has a card twice, or a card that does not exist: '0101"),
    ("ber", b"1", b"2", "23",
     "a deal has 13 cards in each hand; here N holds 12, E 14, S 13, W 13"),
    ("dge", b"AKQJT", b"AKQJ9", "23", "card S9 occurs twice in North's hand"),
    ("hrf", b"SAK", b"SKK", "23", "card SK occurs twice in North's hand"),
    ("rzd", b"\3\0", b"\4\0", "123", "rzd: the header has 4 boards, and the file has 3"),
    ("bhg", b"A", b"9", "23", "in.bhg:2: board 1: "),
    ("bhg", b"A", b"9", "23", "is not a code 'bhg': 52 letters"),
    ("bhg", b"\n", b"", "123", "expected a blank first line, not "),
    ("csv", b'"1"', b'"x"', "23", "in.csv:1: 'x' is no number of a board"),
    ("csv", b'"1"', b'"0"', "23", "in.csv:1: '0' is no number of a board"),
    ("csv", b'"N/-"', b'"N"', "23", "dealer and vulnerability are as in 'N/-' or 'E/NS', not 'N'"),
    ("csv", b',"N/-"', b"", "23",
     "a row has 16 suits, the board, and dealer/vulnerability, not 17"),
    ("csv", b'"N/-"', b'"N/-', "23", "this is no row of CSV"),
    ("csv", b'"AKQ', b'"KKQ', "23", "K"),
    ("dup", END, b"YN1  0 36 ", "123", "dup: the set should have boards 1 to 36, and here"),
    ("dup", END, b"YY1  0 03 ", "123", "dup: the boards count backwards"),
    ("dup", END, b"  1  0 03 ", "123", "dup: the first record ends with Y or N"),
    ("dup", END, b"YN0  0 03 ", "123", "dup: the first record ends with Y or N"),
    ("dup", b"AKQJT", b"AKQJ\x06", "123", "dup: record 0: the cards are read, for the hand of N"),
    ("dlm", b"Checksum=3", b"Checksum=77", "123", ""),
    ("dlm", b"From board=1\r\n", b"", "123", "'From board=' needs a number, and there is none"),
    ("dlm", b"To board=3", b"To board=x", "123", "'To board=' needs a number, not 'x'"),
    ("dlm", b"To board=3", b"To board=0", "123", "boards go from 1 to 99 at most, not from 1 to 0"),
    ("dlm", b"Crypto key=0", b"Crypto key=9", "123", "'Crypto key=9' may hide the boards"),
    ("dlm", b"[Document]", b"[Documents]", "123", "expected '[Document]' or 'key=value'"),
    ("dlm", b"\r\n", b"\n", "123", ""),
    ("dlm", b"Board 01=", b"board  1 = ", "123", ""),
    ("dlm", SECOND, SECOND[:-3] + b"999", "123", "in.dlm:14: board 2: "),
    ("dlm", SECOND, SECOND[:-3] + b"999", "123", f"is {CHECK}, not '999'"),
    ("dlm", SECOND, SECOND[:9] + b"z" + SECOND[10:], "13", "is not a code 'dlm'"),
    ("dlm", SECOND, SECOND[:9] + b"p" + SECOND[10:], "13", "13 cards"),
    ("dlm", SECOND + b"\r\n", b"", "13", "in.dlm: board 2: there is no line 'Board 02='"),
    ("dlm", SECOND, SECOND + b"\n" + SECOND, "123", "this board was there before"),
]  # fmt: skip


def test_each_damage_is_one_problem_and_the_other_boards_are_kept() -> None:
    for name, old, new, kept, reason in DAMAGES:
        data = write_format(name, THREE).data
        assert old in data
        every = old.startswith(b"YN") or old == b"\r\n"
        boards, problems = read_format(name, data.replace(old, new, -1 if every else 1))
        assert deals_in(boards) == deals_in([THREE[int(place) - 1] for place in kept]), reason
        assert [reason in str(problem) for problem in problems] == [True] * bool(reason), problems
    assert read_format("rzd", b"\3\0  ").problem.reason == (
        "rzd: the file ends after 4 of 13 bytes of its header"
    )


# DUP


def test_a_dup_of_other_programs() -> None:
    data = write_format("dup", THREE).data
    first_only = b"".join([data[:302], bytes(10), data[312:458], bytes(10)])
    boards, problems = read_format("dup", first_only)
    assert ([board.number for board in boards], problems) == ([1, 2, 3], [])
    for blank in (b" " * 68, bytes(68)):
        boards, problems = read_format("dup", data[:78] + blank + data[146:])
        assert (deals_in(boards), problems) == (deals_in(THREE), [])
    boards, problems = read_format("dup", data.replace(b"AKQJT", b"TJQKA"))
    assert (deals_in(boards), problems) == (deals_in(THREE), [])

    data = write_format("dup", numbered(17, 18)).data
    boards, problems = read_format("dup", data.replace(b"YN17 0 18 ", b"YN17 0 2  "))
    assert ([board.number for board in boards], problems) == ([17, 18], [])


def test_a_dup_that_holds_two_deals_or_two_sets() -> None:
    data = write_format("dup", THREE).data
    mixed = data[:78] + data[156 + 78 : 156 + 146] + data[146:]
    boards, (problem,) = read_format("dup", mixed)
    assert deals_in(boards) == deals_in(THREE)
    assert problem.board == "1"
    assert problem.reason == (
        f"dup: record 0 has the cards of {THREE[0].layout}, which are read, and the hands of "
        f"{THREE[1].layout}"
    )
    with pytest.raises(ReadError, match=r"^a: board 1: dup: record 0 has the cards of"):
        list(format_of("dup").read(io.BytesIO(mixed), Context("a", strict=True)))
    other = data[:-10] + b"YN5  0 07 "
    (problem,) = read_format("dup", other).problems
    assert (
        problem.reason
        == "dup: record 2 ends with 'YN5  0 07 ', and the first one with 'YN1  0 03 '"
    )


def test_the_older_dup_of_lines() -> None:
    bri = write_format("bri", THREE).data
    data = b"".join(bri[start : start + 78] + b"\r\n" for start in (0, 128, 256))
    boards, problems = read_format("dup", data)
    assert (deals_in(boards), problems) == (deals_in(THREE), [])
    assert [(board.number, board.line) for board in boards] == [(None, 1), (None, 2), (None, 3)]
    boards, (problem,) = read_format("dup", data[:80] + b"x" + data[81:])
    assert (len(boards), problem.line) == (2, 2)


def test_the_example_of_duplimate() -> None:
    """One board in three forms: cards in no order, hands with signs, and hands with letters."""
    cards = b"180437272408224221062507175150321516492941264031464543351128302039140152133403"
    signs = {"S": "\x06", "H": "\x03", "D": "\x04", "C": "\x05"}
    hands = "SJ987HJT7643DA4CQ SHKQ2DQT9CAK98543 SAQ42HA8DKJ762CJ2 SKT653H95D853CT76"
    picture = "".join(signs.get(letter, letter) for letter in hands.replace(" ", "")).encode()
    deal = Deal.from_pbn("N:J987.JT7643.A4.Q .KQ2.QT9.AK98543 AQ42.A8.KJ762.J2 KT653.95.853.T76")
    assert len(cards) == 78
    assert len(picture) == 68
    boards, problems = read_format("dup", cards + picture + b"YN1  1 32 ")
    assert deals_in(boards) == [deal]
    assert [problem.reason for problem in problems] == [
        "dup: the set should have boards 1 to 32, and here are 1"
    ]
    hrf = f"1{hands.replace(' ', '')}".encode().ljust(128)
    board = read_format("hrf", hrf).board
    assert (board.layout, board.number) == (deal, 1)
    assert write_format("hrf", [board]).data == hrf


# DLM


def test_the_headline_of_dlm() -> None:
    board = Board.make(ONE, number=5, tags={"Event": "Club  night"})
    data = write_format("dlm", [board]).data
    assert b"Headline=Club night\r\n" in data
    assert read_format("dlm", data).board.tags == {"Board": "5", "Event": "Club night"}
    for title, encoding in (("Dvořák", "utf-8"), ("Liège", "cp1252"), ("Ã©", "utf-8")):
        data = write_format("dlm", [Board.make(ONE, number=5, tags={"Event": title})]).data
        assert f"Headline={title}\r\n".encode(encoding) in data
        assert read_format("dlm", data).board.tags["Event"] == title
    plain = write_format("dlm", [Board.make(ONE, number=5, tags={"Event": "?"})]).data
    assert b"Headline=Generated by pavcodec " in plain


def test_the_check_of_the_header_counts_where_reading_is_strict() -> None:
    data = write_format("dlm", THREE).data
    strictly = Context("a", strict=True)
    assert len(list(format_of("dlm").read(io.BytesIO(data), strictly))) == 3
    unknown = data.replace(b"\nDuplicates=0", b"\nDuplicates=x")  # counts as none
    assert unknown != data
    assert len(list(format_of("dlm").read(io.BytesIO(unknown), strictly))) == 3
    wrong = data.replace(b"Checksum=3", b"Checksum=77")
    with pytest.raises(ReadError, match=r"^a:10: the check of the header is 3, not '77'$"):
        list(format_of("dlm").read(io.BytesIO(wrong), strictly))


# BHG and CSV


def test_bhg_leaves_out_boards_by_blank_lines() -> None:
    boards = [Board.make(deal, number=n) for n, deal in ((2, ONE), (5, ONE))]
    data, problems = write_format("bhg", boards)
    assert problems == []
    assert [len(line) for line in data.split(b"\n")] == [0, 0, 52, 0, 0, 52, 0]
    back = read_format("bhg", data.replace(b"\n", b"\r\n"))
    assert back.problems == []
    assert [(board.number, board.layout, board.line) for board in back.boards] == [
        (2, ONE, 3),
        (5, ONE, 6),
    ]


def test_csv_keeps_a_dealer_and_a_vulnerability_of_their_own() -> None:
    for dealer, vulnerable in zip(Seat, reversed(Vulnerability), strict=True):
        board = Board.make(ONE, number=2, dealer=dealer, vulnerable=vulnerable)
        data = write_format("csv", [board]).data
        word = "-" if vulnerable is Vulnerability.NONE else vulnerable.value
        assert data.endswith(f',"2","{dealer.letter}/{word}"\n'.encode())
        assert read_format("csv", data).board.entries == board.entries
    odd = Board(ONE, (Tag("Board", "1"), Tag("Vulnerable", "E")))
    (problem,) = write_format("csv", [odd]).problems
    assert problem.reason.startswith("csv has no dealer or vulnerability 'E'")
    saved = write_format("csv", THREE).data.replace(b'"', b"").replace(b"\n", b"\r\n")
    boards, problems = read_format("csv", saved)  # as a spreadsheet saves it
    assert (deals_in(boards), problems) == (deals_in(THREE), [])


def test_frames_have_no_gaps() -> None:
    for name, size in SIZES.items():
        rows = places_of(FRAMES[name])
        assert (FRAMES[name].sizeof(), rows[0].first, rows[-1].last) == (size, 0, 8 * size - 1)
        assert all(row.first == before.last + 1 for before, row in pairwise(rows))
