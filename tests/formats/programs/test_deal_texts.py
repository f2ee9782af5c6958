"""Deals as programs print them: dealer, Andrews' deal, GIB, and codes of deals one a line."""

from __future__ import annotations

import oracles
import pytest
from formats_support import DEAL, ENDING, OTHER, format_seen, read_format, write_format
from hypothesis import given, settings
from records_support import trick_tables
from strategies import deals

from pavcodec import Board, Deal, Layout, Seat, TrickTable, Vulnerability, code, code_names, record
from pavcodec.formats.programs import CODE_FORMATS
from pavcodec.records import SolvedDeal

FIXTURES = oracles.FIXTURES / "formats"
TABLE = TrickTable(bytes([9, 4, 8, 4, 6, 6, 6, 5, 8, 5, 7, 5, 3, 9, 3, 10, 11, 2, 11, 2]))
SUITS = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
COMPACT = """\
n A.KJ93.Q765.T962
e 972.A8764.A82.AK
s QJ643.QT5.K43.74
w KT85.2.JT9.QJ853
"""
ALL = """\
   7.
A                   9 7 2               Q J 6 4 3           K T 8 5 \n\
K J 9 3             A 8 7 6 4           Q T 5               2 \n\
Q 7 6 5             A 8 2               K 4 3               J T 9 \n\
T 9 6 2             A K                 7 4                 Q J 8 5 3 \n\

"""
REPORT = "Generated 2 hands\nProduced 2 hands\nInitial random seed 1\nTime needed    0.000 sec\n"
EXPECTED = {
    "dealer": "'n S.H.D.C e S.H.D.C s S.H.D.C w S.H.D.C'",
    "deal-lines": "four hands with '|' between, the suits of each with blanks between",
    "deal-digits": "52 digits from 0 to 3, or from 1 to 4",
    "deal-ddline": "four hands and four groups of five numbers, with '|' between",
    "gib": "four hands W N E S, a colon and 20 hexadecimal digits",
    **{format_.name: code(format_.name).summary for format_ in CODE_FORMATS},
}
"""The formats with a deal a line, and what a line is expected to be."""
CODES = [format_.name for format_ in CODE_FORMATS]
BOARD = Board.make(Layout.from_pbn(DEAL), number=7, tricks=TABLE)
GOOD = {
    name: write_format(name, [BOARD]).data.decode()
    for name in (*EXPECTED, "dealer-compact", "dealer-all")
}
every_format = pytest.mark.parametrize("name", GOOD)
every_line = pytest.mark.parametrize("name", EXPECTED)

LINES = {
    "dealer": "n AKQJT98765432... e .AKQJT98765432.. s ..AKQJT98765432. w ...AKQJT98765432 ",
    "deal-lines": "AKQJT98765432   | AKQJT98765432  |  AKQJT98765432 |   AKQJT98765432",
    "deal-digits": "0" * 13 + "1" * 13 + "2" * 13 + "3" * 13,
    "deal-ddline": "AKQJT98765432...|.AKQJT98765432..|..AKQJT98765432.|...AKQJT98765432"
    "|6 8 3 11 9|6 5 9 2 4|6 7 3 11 8|5 5 10 2 4",
    "gib": "...AKQJT98765432 AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432.:"
    "9998768688874333BBBB",
}


def test_a_deal_has_the_text_that_the_program_prints() -> None:
    board = Board.make(Layout.from_pbn(SUITS), tricks=TABLE)
    for name, line in LINES.items():
        assert write_format(name, [board]) == (f"{line}\n".encode(), []), name
        assert read_format(name, line.encode()).layouts == [SUITS], name
    assert (GOOD["dealer-compact"], GOOD["dealer-all"]) == (COMPACT, ALL)
    for name in CODES:
        assert GOOD[name] == f"{code(name).format(Layout.from_pbn(DEAL), board=7)}\n"
    others = {"dlm", "ber", "digits", "bri", "bhg", "cds", "zrd"}  # which stand in other formats
    assert set(code_names(rare=True)) - others == set(CODES)


@settings(max_examples=5)
@given(deal=deals(), tricks=trick_tables())
def test_gib_has_the_digits_of_its_library(deal: Deal, tricks: TrickTable) -> None:
    line = write_format("gib", [Board.make(deal, tricks=tricks)]).data.decode()
    library = record("gib-library").build(SolvedDeal(deal, tricks))
    assert line[67:] == f":{library[16:].hex().upper()}\n"


def test_the_first_deal_of_the_library_is_read_as_its_notes_say() -> None:
    line = (
        b"JT852.93.KQ7.J82 AQ97.JT654.T6.A5 43.AK8.A542.7643 K6.Q72.J983.KQT9:88887777A9A977778888"
    )
    found = read_format("gib", line).board
    assert str(found.layout) == (
        "N:AQ97.JT654.T6.A5 43.AK8.A542.7643 K6.Q72.J983.KQT9 JT852.93.KQ7.J82"
    )
    assert found.tricks is not None
    # hearts: A with South, 9 with East, A with North and 9 with West on lead
    assert [found.tricks[seat, "H"] for seat in "NESW"] == [9, 13 - 10, 9, 13 - 10]
    assert write_format("gib", [found]).data == line + b"\n"


LONG = [SUITS, "N:AKQJT98765.32.2. 432.AKQJT98765.. ..AKQJT98765.432 .4.43.AKQJT98765"]


def test_long_holdings_push_the_columns_to_the_right() -> None:
    for deal in (Deal.from_pbn(f"{seat}{text[1:]}") for seat in "NESW" for text in LONG):
        rows = write_format("dealer-all", [Board(deal)]).data.decode().splitlines()[1:5]
        for suit, row in enumerate(rows):
            holdings = [str(hand.to_pbn()).split(".")[suit] for hand in deal]
            cells = ["".join(f"{rank} " for rank in holding) or "- " for holding in holdings]
            assert row == "".join(cell.ljust(20) for cell in cells[:3]) + cells[3]
        text = "\n".join(["1.", *rows])
        assert read_format("dealer-all", text.encode()).layouts == [str(deal)]


@pytest.mark.parametrize(
    ("names", "files", "count"),
    [
        ("deal-lines deal-digits deal-ddline", "spaced.txt digits.txt ddline.txt", 10),
        ("dealer dealer-compact dealer-all", "oneline.txt compact.txt printall.txt", 20),
    ],
)
def test_the_files_of_the_programs_have_the_same_deals(names: str, files: str, count: int) -> None:
    kept = []
    for name, file in zip(names.split(), files.split(), strict=True):
        data = (FIXTURES / file).read_bytes()
        reading = read_format(name, data)
        assert (len(reading.boards), reading.problems) == (count, [])
        assert write_format(name, reading.boards).data == data.partition(b"Generated")[0]
        kept.append(reading.layouts)
    assert kept[0] == kept[1] == kept[2]


@every_line
def test_damage_is_one_problem_and_the_other_lines_are_kept(name: str) -> None:
    good = GOOD[name].rstrip("\n")
    card = "1" if name == "deal-digits" else "2"
    bad = ["+", f"{good}!", f"x y {good}", good * 8]
    if name not in CODES:
        bad += [good[:-15], good.replace(card, "x", 1)]
    for each in bad:
        text = f"{good}\n{each}\n\n# a remark\n  {good.strip()} \r\n\0\n{good}"
        reading = read_format(name, text.encode())
        assert reading.layouts == [DEAL, DEAL]
        first, second = reading.problems
        assert first.line == 2
        assert f"expected {EXPECTED[name]}" in first.reason
        assert each[:20] in first.reason
        assert "this is not text" in second.reason


GIB = GOOD["gib"]
IN_A_LINE = [
    *((name, "2", "", "here N holds 12") for name in ("dealer", "deal-lines", "deal-ddline")),
    ("deal-digits", GOOD["deal-digits"][:52], "0" * 52, "here N holds 52, E 0, S 0, W 0"),
    ("bba", GOOD["bba"][:28], "0" * 28, "a deal has 13 cards in each hand; here N holds"),
    ("kops", GOOD["kops"][:26], "0" * 26, "a deal has 13 cards in each hand; here N holds"),
    ("deal-ddline", "11", "14", "nobody takes 14 tricks"),
    ("dealer", "K", "A", "card HA is in two hands"),
    ("dealer", "KJ93", "JK9x3", "expected 'n S.H.D.C"),
    ("gib", GIB[68:], f"E{GIB[69:]}", "the digit E is more than the 13 tricks"),
    ("gib", GIB[68:], f"G{GIB[69:]}", "20 hexadecimal digits"),
]
LAST = GOOD["dealer-all"].splitlines(keepends=True)
IN_COMPACT = [
    (COMPACT[:19], "", 5, "expected a deal to begin with 'n': 'e 972"),
    (COMPACT[19:38], "", 6, "expected the hand 'e S.H.D.C': 's QJ643"),
    (COMPACT[-19:], "", 8, "expected the hand 'w S.H.D.C': 'n A.KJ93"),
    ("A8764", "A87x4", 6, "expected the hand 'e S.H.D.C': 'e 972.A87x4"),
    ("972", "97", 5, "here N holds 13, E 12, S 13, W 13: 'A.KJ93"),
    ("972", "A72", 5, "card SA is in two hands"),
    (COMPACT, "junk\n", 5, "expected a hand 'n S.H.D.C': 'junk'"),
]
IN_ALL = [
    ("   7.\n", "", 7, "expected the number of a deal: 'A       "),
    (LAST[1], "", 7, "the deal ends after 3 of 4 suits"),
    (LAST[4], "", 7, "the deal ends after 3 of 4 suits"),
    ("9 7 2", "9 7-2", 8, "expected four holdings in columns of 20: 'A"),
    ("9 7 2 ", "9 7 2", 8, "expected four holdings in columns of 20: 'A"),
    ("Q 7 6 5", "Q 7 6  ", 7, "here N holds 12, E 13"),
    ("Q 7 6 5", "Q 7 6 6", 7, "D6"),
    (ALL, "   8. and more\n", 7, "expected the number of a deal: '   8. and more'"),
]


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "reason"),
    [
        *((name, old, new, 2, reason) for name, old, new, reason in IN_A_LINE),
        *(("dealer-compact", *each) for each in IN_COMPACT),
        *(("dealer-all", *each) for each in IN_ALL),
    ],
)
def test_other_damage_is_told_in_its_own_words(
    name: str, old: str, new: str, line: int, reason: str
) -> None:
    good = GOOD[name]
    end = REPORT if name.startswith("dealer") else ""
    reading = read_format(name, f"{good}{good.replace(old, new, 1)}{good}{end}".encode())
    assert reading.layouts == [DEAL, DEAL]
    assert (reading.problem.line, reason in reading.problem.reason) == (line, True)
    if name == "dealer-all":
        assert reading.problem.board == (None if "the number of a deal" in reason else "7")


def test_a_file_that_is_cut_off_is_a_problem() -> None:
    for name, text, reason in (
        ("dealer-compact", COMPACT[:38], "the deal ends after 2 of 4 hands"),
        ("dealer-all", "".join(LAST[:2]), "the deal ends after 1 of 4 suits"),
        ("dealer-all", LAST[0], "the deal ends after 0 of 4 suits"),
    ):
        reading = read_format(name, f"{GOOD[name]}{text}".encode())
        assert (reading.layouts, reading.problem.reason) == ([DEAL], reason)


@every_format
def test_an_ending_is_not_written(name: str) -> None:
    ending = Board.make(Layout.from_pbn(ENDING), number=5, tricks=TABLE if name != "gib" else None)
    other = Board.make(Layout.from_pbn(OTHER), tricks=TABLE)
    data, problems = write_format(name, [BOARD, ending, Board(None), other])
    if name == "gib":
        assert (read_format(name, data).layouts, problems) == ([DEAL, ENDING, OTHER], [])
        return
    assert read_format(name, data).layouts == [DEAL, OTHER]
    (problem,) = problems
    assert problem.board == "5"
    assert problem.reason == (
        f"a deal has 13 cards in each hand; here N holds 3, E 0, S 3, W 0: '{ENDING}'"
    )


def test_remarks_of_gib_over_several_lines_and_deals_without_tricks() -> None:
    deal = GIB.partition(":")[0]
    text = f"{{one}}\n{{ two\n {deal}:\n three }}\n{deal}\n{deal}:\n{deal}:{'7' * 20} {{four}}\n"
    reading = read_format("gib", text.encode())
    assert (reading.layouts, reading.problems) == ([DEAL] * 3, [])
    assert [board.line for board in reading.boards] == [5, 6, 7]
    assert [board.tricks is None for board in reading.boards] == [True, True, False]
    open_ended = read_format("gib", f"{deal}\n{{ two\n{deal}\n".encode())
    assert open_ended.layouts == [DEAL]
    assert (open_ended.problem.line, "is not closed" in open_ended.problem.reason) == (2, True)


def test_gib_has_endings_and_unknown_tricks() -> None:
    text = "N:AK.Q.. .32.4. 9..8.7 -"
    data, problems = write_format("gib", [Board(Layout.from_pbn(text))])
    assert (data.decode(), problems) == (f"... AK.Q.. .32.4. 9..8.7:{'-' * 20}\n", [])
    found = read_format("gib", f"{GIB[:68]}7---{'-' * 16}".encode()).board
    assert (found.tricks, found.sections["OptimumResultTable"]) == (None, ("E NT  6",))
    full = "A... K... Q... J...:" + "0101" * 5
    found = read_format("gib", full.encode()).board
    assert found.tricks is not None
    # North and South take none with South on lead, one with East: N declares
    assert [found.tricks[seat, "NT"] for seat in "NESW"] == [1, 1, 1, 1]
    assert write_format("gib", [found]).data == f"{full}\n".encode()
    reading = read_format("gib", full.replace("0101", "0201").encode())
    assert "the digit 2 is more than the 1 tricks there are" in reading.problem.reason
    reading = read_format("gib", full.replace("K...", "KT...").encode())
    assert "hands of equal lengths have tricks; here N holds 2" in reading.problem.reason


def test_tricks_that_a_format_cannot_hold() -> None:
    data, (problem,) = write_format("deal-ddline", [Board(Layout.from_pbn(DEAL))])
    assert data == b""
    assert problem.reason.startswith("this format needs the double-dummy tricks of each deal")
    ending = Board.make(Layout.from_pbn("N:A... K... Q... J..."), tricks=TABLE)
    _, (problem,) = write_format("gib", [ending])
    assert "tricks are given for hands with 1 cards" in problem.reason


BBA = "6976424A64820BB4FF80D8A08EB9"
HEADS = "      North               East                South               West"


def test_deviations_are_taken() -> None:
    spaced = GOOD["dealer"].strip().replace(" e ", "   e ")
    hands, _, digits = GIB.partition(":")
    remark = f"# a remark\n\n{COMPACT.upper()}\n{REPORT}"
    headed = "\nHands\n" + ALL.replace("   7.", f"7.  \n{HEADS}").replace(" \n", "\n")
    say = GOOD["saycbridge"].removeprefix("7-").strip()
    for name, text, layouts in (
        ("dealer", f"{spaced}\r\n", [DEAL]),
        ("gib", f"{{a comment}}\n{hands}:{digits.lower()}", [DEAL]),
        ("deal-lines", LINES["deal-lines"].strip(), [SUITS]),
        ("dealer-all", headed.replace("\n", "\r\n"), [DEAL]),
        ("dealer-all", ALL * 2 + REPORT, [DEAL] * 2),
        ("dealer-compact", remark, [DEAL]),
        ("deal-digits", GOOD["deal-digits"].translate(str.maketrans("0123", "1234")), [DEAL]),
        ("bba", f"% PBN 2.1\n% EXPORT\n% {BBA}\n%{BBA}\n", [str(code("bba").parse(BBA))] * 2),
        ("saycbridge", f"{say}\n12-{say}:P,1N\n", [DEAL] * 2),
    ):
        reading = read_format(name, text.encode())
        assert (reading.layouts, reading.problems) == (layouts, []), name


def test_what_dealer_v2_prints_is_read() -> None:
    heads = "   7. North              East                South               West \n"
    rows = "".join(f"     {row}\n" for row in ALL.split("\n")[1:5])
    assert format_seen(heads + rows) == "dealer-all"
    text = f"{'':18}[Fourth suit]\n{heads}{rows}\n\f{'':18}[Fourth suit]\n{heads}{rows}\n"
    reading = read_format("dealer-all", text.encode())
    assert (reading.layouts, reading.problems) == ([DEAL, DEAL], [])
    assert [board.number for board in reading.boards] == [7, 7]


def numbers_of(name: str, boards: list[Board]) -> list[int | None]:
    """The numbers that boards have when they were written and read."""
    return [board.number for board in read_format(name, write_format(name, boards).data).boards]


def test_boards_are_numbered_in_turn() -> None:
    plain = Board(Layout.from_pbn(DEAL))
    boards = [plain, Board.make(plain.layout, number=20), *[plain] * 238]
    assert numbers_of("bba", boards) == [1, *range(20, 257), 1, 2]
    assert numbers_of("saycbridge", boards[:3]) == [None, 20, None]
    assert numbers_of("dealer-all", boards[::2][:2]) == [1, 2]


def test_bba_refuses_other_rules() -> None:
    holds = "code 'bba' holds"
    has = "that board 1 has by its number,"
    off = {"number": 1, "vulnerable": Vulnerability.NS}
    facts: list[tuple[dict[str, object], str]] = [
        ({"number": 257}, f"{holds} boards 1 to 256, not 257"),
        ({"number": 1, "dealer": Seat.EAST}, f"{holds} the dealer {has} N, not E"),
        (off, f"{holds} the vulnerability {has} None, not NS"),
    ]
    for each, reason in facts:
        board = Board.make(Layout.from_pbn(DEAL), **each)  # type: ignore[arg-type]
        data, (problem,) = write_format("bba", [board])
        assert (data, problem.reason.startswith(reason)) == (b"", True)
