"""Deals one a line: dealer's printoneline, Andrews' deal, GIB."""

from __future__ import annotations

import oracles
import pytest
from formats_support import DEAL, ENDING, OTHER, corpus_folder, read_format, write_format
from hypothesis import given, settings
from hypothesis import strategies as st
from records_support import trick_tables
from strategies import deals

from pavcodec import Board, Deal, Layout, TrickTable, numbering, record
from pavcodec.records import SolvedDeal

FIXTURES = oracles.FIXTURES / "formats"
EXPECTED = {
    "dealer": "'n S.H.D.C e S.H.D.C s S.H.D.C w S.H.D.C'",
    "deal-lines": "four hands with '|' between, the suits of each with blanks between",
    "deal-digits": "52 digits from 0 to 3, or from 1 to 4",
    "deal-ddline": "four hands and four groups of five numbers, with '|' between",
    "gib": "four hands W N E S, a colon and 20 hexadecimal digits",
}
NAMES = list(EXPECTED)
SOLVED = ("deal-ddline", "gib")
every_format = pytest.mark.parametrize("name", NAMES)
some = settings(max_examples=40, deadline=None)

SUITS = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
TABLE = TrickTable(bytes([9, 4, 8, 4, 6, 6, 6, 5, 8, 5, 7, 5, 3, 9, 3, 10, 11, 2, 11, 2]))
LINES = {
    "dealer": "n AKQJT98765432... e .AKQJT98765432.. s ..AKQJT98765432. w ...AKQJT98765432 ",
    "deal-lines": "AKQJT98765432   | AKQJT98765432  |  AKQJT98765432 |   AKQJT98765432",
    "deal-digits": "0" * 13 + "1" * 13 + "2" * 13 + "3" * 13,
    "deal-ddline": "AKQJT98765432...|.AKQJT98765432..|..AKQJT98765432.|...AKQJT98765432"
    "|6 8 3 11 9|6 5 9 2 4|6 7 3 11 8|5 5 10 2 4",
    "gib": "...AKQJT98765432 AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432.:"
    "9998768688874333BBBB",
}


def board(text: str = SUITS) -> Board:
    return Board.make(Layout.from_pbn(text), tricks=TABLE)


def boards_of(name: str, deals: list[Deal], tables: list[TrickTable]) -> list[Board]:
    tricks = tables if name in SOLVED else [None] * len(tables)
    return [Board.make(deal, tricks=each) for deal, each in zip(deals, tricks, strict=True)]


def gib_by_hand(tricks: TrickTable) -> str:
    """The 20 digits: tricks of North and South, with South, East, North and West on lead."""
    declarers = {"S": "E", "E": "N", "N": "W", "W": "S"}
    digits = ""
    for strain in ("NT", "S", "H", "D", "C"):
        for leader in "SENW":
            taken = tricks[declarers[leader], strain]
            digits += f"{taken if declarers[leader] in 'NS' else 13 - taken:X}"
    return digits


@every_format
def test_a_deal_has_the_line_that_the_program_prints(name: str) -> None:
    line = LINES[name]
    assert write_format(name, [board()]) == (f"{line}\n".encode(), [])
    assert read_format(name, line.encode()).layouts == [SUITS]


@pytest.mark.slow
@every_format
@some
@given(found=st.lists(st.tuples(deals(), trick_tables()), max_size=4))
def test_what_is_written_is_read(name: str, found: list[tuple[Deal, TrickTable]]) -> None:
    boards = boards_of(name, [deal for deal, _ in found], [table for _, table in found])
    data, problems = write_format(name, boards)
    assert problems == []
    assert data.count(b"\n") == len(found)
    again = read_format(name, data)
    assert again.problems == []
    assert [(b.layout, b.tricks) for b in again.boards] == [(b.layout, b.tricks) for b in boards]
    assert [b.line for b in again.boards] == list(range(1, len(found) + 1))
    assert write_format(name, again.boards).data == data


@pytest.mark.slow
@some
@given(deal=deals(), tricks=trick_tables())
def test_gib_has_the_digits_of_its_library(deal: Deal, tricks: TrickTable) -> None:
    line = write_format("gib", [Board.make(deal, tricks=tricks)]).data.decode()
    assert line == f"{line[:67]}:{gib_by_hand(tricks)}\n"
    library = record("gib-library").build(SolvedDeal(deal, tricks))
    assert library[16:].hex().upper() == line[68:88]


def test_the_first_deal_of_the_library_is_read_as_its_notes_say() -> None:
    line = (
        b"JT852.93.KQ7.J82 AQ97.JT654.T6.A5 43.AK8.A542.7643 K6.Q72.J983.KQT9:88887777A9A977778888"
    )
    found = read_format("gib", line).board
    assert str(found.layout) == (
        "N:AQ97.JT654.T6.A5 43.AK8.A542.7643 K6.Q72.J983.KQT9 JT852.93.KQ7.J82"
    )
    tricks = found.tricks
    assert tricks is not None
    # hearts: A with South, 9 with East, A with North and 9 with West on lead
    assert [tricks[seat, "H"] for seat in "NESW"] == [9, 13 - 10, 9, 13 - 10]
    assert write_format("gib", [found]).data == line + b"\n"


def test_the_files_of_the_programs_have_the_same_deals_and_are_written_alike() -> None:
    numbers = numbering("deal")
    kept = {}
    for name, file in {
        "deal-lines": "spaced.txt",
        "deal-digits": "digits.txt",
        "deal-ddline": "ddline.txt",
    }.items():
        data = (FIXTURES / file).read_bytes()
        reading = read_format(name, data)
        assert reading.problems == []
        assert write_format(name, reading.boards).data == data
        kept[name] = [numbers.rank(b.layout) for b in reading.boards if b.layout is not None]
    assert kept["deal-lines"] == kept["deal-digits"] == kept["deal-ddline"]
    assert len(set(kept["deal-lines"])) == 10
    data = (FIXTURES / "oneline.txt").read_bytes()
    reading = read_format("dealer", data)
    assert (len(reading.boards), reading.problems) == (20, [])
    assert write_format("dealer", reading.boards).data == data[: data.index(b"Generated")]


def test_the_files_of_the_corpus_are_written_byte_for_byte() -> None:
    folder = corpus_folder()
    for name, file, count in (
        ("deal-lines", "generated/deal_l.txt", 100),
        ("deal-digits", "generated/deal_numeric.txt", 100),
        ("deal-ddline", "generated/deal_ddline.txt", 10),
        ("gib", "gib/dds-bridge__dds__hands__sol10.txt", 10),
    ):
        data = (folder / file).read_bytes()
        reading = read_format(name, data)
        assert (len(reading.boards), reading.problems) == (count, [])
        assert write_format(name, reading.boards).data == data
    pbn = read_format("pbn", (folder / "generated" / "deal_pbn.txt").read_bytes())
    lines = read_format("deal-lines", (folder / "generated" / "deal_l.txt").read_bytes())
    assert pbn.layouts == lines.layouts
    pbn = read_format("pbn", (folder / "generated" / "dealer_printpbn_500.pbn").read_bytes())
    one = read_format("dealer", (folder / "generated/dealer_printoneline_500.txt").read_bytes())
    assert pbn.layouts[:500] == one.layouts


GOOD = {name: write_format(name, [board(DEAL)]).data.decode().removesuffix("\n") for name in NAMES}


@every_format
def test_damage_is_one_problem_and_the_other_lines_are_kept(name: str) -> None:
    good = GOOD[name]
    card = "1" if name == "deal-digits" else "2"
    for bad in (good[:-15], f"{good}!", good.replace(card, "x", 1), "junk", "12345", good * 2):
        text = f"{good}\n{bad}\n\n# a remark\n{good}\n"
        reading = read_format(name, text.encode())
        assert reading.layouts == [DEAL, DEAL]
        problem = reading.problem
        assert problem.line == 2
        assert f"expected {EXPECTED[name]}" in problem.reason
        assert bad[:20] in problem.reason


@pytest.mark.parametrize("name", ["dealer", "deal-lines", "deal-ddline"])
def test_hands_that_are_not_full_are_problems(name: str) -> None:
    reading = read_format(name, f"{GOOD[name].replace('2', '', 1)}\n{GOOD[name]}".encode())
    assert reading.layouts == [DEAL]
    assert "a deal has 13 cards in each hand; here N holds 12" in reading.problem.reason


def test_other_damage_is_told_in_its_own_words() -> None:
    for name, bad, reason in (
        ("deal-digits", "0" * 52, "here N holds 52, E 0, S 0, W 0"),
        ("deal-ddline", GOOD["deal-ddline"].replace("11", "14", 1), "nobody takes 14 tricks"),
        ("dealer", GOOD["dealer"].replace("K", "A", 1), "card HA is in two hands"),
        ("dealer", GOOD["dealer"].replace("KJ93", "JK9x3"), "expected 'n S.H.D.C"),
        ("gib", f"{GOOD['gib'][:68]}E{GOOD['gib'][69:]}", "the digit E is more than the 13 tricks"),
        ("gib", f"{GOOD['gib'][:68]}G{GOOD['gib'][69:]}", "20 hexadecimal digits"),
    ):
        reading = read_format(name, f"{bad}\n{GOOD[name]}\n".encode())
        assert reading.layouts == [DEAL]
        assert reason in reading.problem.reason
        assert reading.problem.line == 1


@every_format
def test_bytes_that_are_no_text_end_the_reading(name: str) -> None:
    reading = read_format(name, GOOD[name].encode() + b"\n\x00\x01\n" + GOOD[name].encode())
    assert reading.layouts == [DEAL]
    assert "this is not text" in reading.problem.reason


def test_deviations_are_taken() -> None:
    loose = GOOD["dealer"].strip().replace(" e ", "   e ") + "\r\n"
    assert read_format("dealer", loose.encode()).layouts == [DEAL]
    assert read_format("gib", f"{{name=x}}\n{GOOD['gib'].lower()}".encode()).problems != []
    hands, _, digits = GOOD["gib"].partition(":")
    assert read_format("gib", f"{{a comment}}\n{hands}:{digits.lower()}".encode()).layouts == [DEAL]
    void = "|AKQJT98765432  |".join(["   AKQJT98765432", ""]).strip("|")
    assert read_format("deal-lines", void.encode()).problems != []
    assert read_format("deal-lines", LINES["deal-lines"].strip().encode()).layouts == [SUITS]


def test_gib_has_endings_and_unknown_tricks() -> None:
    text = "N:AK.Q.. .32.4. 9..8.7 -"
    endings = [Board(Layout.from_pbn(text)), Board(Layout.from_pbn(ENDING))]
    data, problems = write_format("gib", endings)
    assert problems == []
    assert data.decode().splitlines()[0] == f"... AK.Q.. .32.4. 9..8.7:{'-' * 20}"
    assert read_format("gib", data).layouts == [text, ENDING]
    some = GOOD["gib"][:68] + "7---" + "-" * 16
    found = read_format("gib", some.encode()).board
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


@pytest.mark.parametrize("name", [name for name in NAMES if name != "gib"])
def test_an_ending_is_not_written(name: str) -> None:
    ending = Board.make(Layout.from_pbn(ENDING), number=5, tricks=TABLE)
    data, (problem,) = write_format(name, [board(), ending, Board(None), board(OTHER)])
    assert data.count(b"\n") == 2
    assert problem.board == "5"
    assert problem.reason == (
        "a deal has 13 cards in each hand; here N holds 3, E 0, S 3, W 0: 'N:AK.Q.. - .32.4. -'"
    )


def test_what_has_no_tricks_cannot_be_written_with_tricks() -> None:
    data, (problem,) = write_format("deal-ddline", [Board(Layout.from_pbn(DEAL))])
    assert data == b""
    assert problem.reason.startswith("this format needs the double-dummy tricks of each deal")
    ending = Board.make(Layout.from_pbn("N:A... K... Q... J..."), tricks=TABLE)
    _, (problem,) = write_format("gib", [ending])
    assert "tricks are given for hands with 1 cards" in problem.reason
