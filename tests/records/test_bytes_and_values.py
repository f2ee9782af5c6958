"""Each record as a table: bytes beside values, bytes that are none, values that do not fit.

Every row is asked of the quick way and of the declaration. The bytes are worked out from the
descriptions of the formats, by hand or with plain shifts. The golden vectors are endings, and deals
of a public collection.
"""

from __future__ import annotations

from typing import Any

import pytest
from gmpy2 import mpz
from hypothesis import given
from hypothesis import strategies as st
from oracles import vectors
from records_support import LIMITS, MOST_WAYS, SIZES, types_in, word_by_hand

import pavcodec as pav
from pavcodec import Case, Deal, Layout, RecordError, SuitLayout, numbering, record
from pavcodec.formats.records.boards import words_of

PLAIN = [name for name in LIMITS if name != "base5-16"]
SUITS = "AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
LIBRARY = "N:J873.J42.Q65.KT2 AT652.A976.AJ82. Q4.85.KT9.A87643 K9.KQT3.743.QJ95"
PAST, FLAG = 5**13, 1 << 31
OFF = (560, 560, 0xFFFF, 0xFFFF)
# twelve cards of 0, then 0 1 1 1 from the low end of the byte, and so on: 54 = 01 01 01 00
ROUND = "000000" + "54" + "5555" + "A5" + "AAAA" + "EA" + "FFFFFF"
# by strain W N E S: 0123 4567 89ab cd01 2345, low nibbles first
TWENTY = "10325476 98badc10 3254"
TABLE = pav.TrickTable(bytes([1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 0, 1, 12, 3, 4, 5, 2]))
HALVES = {"555555A9AAAAFAFFFF3F000000": f"N:{SUITS}", "72527A0AE17AE4F952E041FC7C": LIBRARY}
"""The first 13 bytes of solved deals, which count West, North, East and South; and their deals."""


def words(text: str) -> str:
    """The bytes of words in hexadecimal, high digits first."""
    return "".join(int(each, 16).to_bytes(4, "little").hex() for each in text.split())


def case(*fields: int) -> bytes:
    """The bytes of a case, whose fields need not be good."""
    shifts = (0, 73, 83, 93, 109)
    return sum(field << at for field, at in zip(fields, shifts, strict=True)).to_bytes(16, "little")


BESIDE: list[tuple[str, str, Any]] = [
    *((name, "0201" + "00" * (SIZES[name] - 2), 258) for name in PLAIN),
    *((n, (LIMITS[n] - 1).to_bytes(SIZES[n], "little").hex(), LIMITS[n] - 1) for n in PLAIN),
    # 12345678901234567890123456789 = 0x27e41b3246bec9b16e398115
    ("deal12", "1581396eb1c9be46321be427", 12345678901234567890123456789),
    # 52!/13!^4 - 1 = 0xad55e315634dda658bf491ff
    ("deal12", "ff91f48b65da4d6315e355ad", 53644737765488792839237439999),
    ("base5-16", "00" * 15 + "01", pav.Base5Number(1 << 120, 0)),
    ("base5-16", "00" * 15 + "02", pav.Base5Number(0, 1)),
    ("base5-16", "05" + "00" * 14 + "fe", pav.Base5Number(5, 127)),
    ("deal13", ROUND, Deal.from_pbn(f"N:{SUITS}")),
    ("deal13", "E4" * 13, Deal(bytes(range(4)) * 13)),
    # 100 eight times is 24 bits: 0x924924; the lowest bit of a card is bit 3 * card
    ("layout20", "244992" * 6 + "2409", Layout.from_pbn("N:- - - -")),
    ("layout20", "004992" + "244992" * 5 + "2409", Layout.from_pbn("N:AK... - - -")),
    ("layout20", "244992" * 6 + "2407", Layout.from_pbn("N:- - - ...2")),
    *(
        ("zbs-word", words(number), pav.SuitWord(SuitLayout.from_text(text), joined=joined))
        for number, text, joined in (
            ("00000000", "N:- - - -", False),
            ("92309CE5", "N:- - - AKQJT98765432", True),
            ("246139CA", "N:AKQJT98765432 - - -", False),
            ("48BAF0DA", "N:JT9 876 5432 AKQ", False),
            ("80000005", "N:- - - K", True),
            ("3A352944", "N:- - 2 -", False),
        )
    ),
    ("zbs-diagram", words("80000000 80000000 80000000 0E8D4A51"), Layout.from_pbn("N:- - - ...2")),
    ("zbs-diagram", words("8000000C 80000012 80000018 00000006"),
     Layout.from_pbn("N:AK... .AK.. ..AK. ...AK")),
    ("zbs-diagram", words("A46139CA B691D6AF C8C27394 12309CE5"), Deal.from_pbn(f"N:{SUITS}")),
    # declarers W N E S from the low end, strains NT S H D C: nibbles of ten bytes
    ("zdd", TWENTY, TABLE),
    *(("zrd", half + TWENTY, pav.SolvedDeal(Deal.from_pbn(text), TABLE))
      for half, text in HALVES.items()),
    ("gib-library", "00f5595100af8eb801bc1fe703482128" + "9998768688874333bbbb", pav.SolvedDeal(
        Deal.from_pbn("N:AQJT8765..K82.T3 9.KJT743.Q3.KQ85 43.Q965.AJT954.2 K2.A82.76.AJ9764"),
        pav.TrickTable(bytes([9, 4, 8, 4, 6, 6, 6, 5, 8, 5, 7, 5, 3, 9, 3, 10, 11, 2, 11, 2])))),
    *(
        ("case16", case(*fields).hex(), value)
        for value, fields in [
            (Case(MOST_WAYS), (MOST_WAYS, *OFF)),
            (Case(0, 559, 0), (0, 559, 0, 0xFFFF, 0xFFFF)),
            (Case(0, None, 559, None, 0), (0, 560, 559, 0xFFFF, 0)),
            (Case(9, 1, 2, 0x8000, 0x7000), (9, 1, 2, 0x8000, 0x7000)),
            (Case(9, 1, None, 0xFFF8, None), (9, 1, 560, 0xFFF8, 0xFFFF)),
        ]
    ),
    # patterns from bit 73 and 83, honours from bit 93 and 109
    ("case16", "00" * 9 + "02" + "00" * 6, Case(0, 1, 0, 0, 0)),
    ("case16", "00" * 10 + "08" + "00" * 5, Case(0, 0, 1, 0, 0)),
    ("case16", "00" * 11 + "20" + "00" * 4, Case(0, 0, 0, 1, 0)),
    ("case16", "00" * 13 + "20" + "00" * 2, Case(0, 0, 0, 0, 1)),
    # both patterns 560 = 10 0011 0000, all 32 bits of honours
    ("case16", "00" * 9 + "60" + "84" + "f1" + "ff" * 3 + "1f", Case(0)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data", "value"), BESIDE)
def test_bytes_beside_values(name: str, data: str, value: Any) -> None:
    found, raw = record(name), bytes.fromhex(data)
    for parse in (found.parse, found.parse_by_declaration):
        assert parse(raw) == value
        assert types_in(parse(raw)) == types_in(value)
    for build in (found.build, found.build_by_declaration):
        assert build(value) == raw
        assert not isinstance(value, tuple) or build(tuple(value)) == raw


def test_endings_have_their_words() -> None:
    rows = vectors("endings")
    assert len(rows) == 81
    found = record("zbs-diagram")
    for row in rows:
        layout, raw = Layout.from_pbn(row["pbn"]), bytes.fromhex(words(" ".join(row["zbs"])))
        assert found.build(layout) == found.build_by_declaration(layout) == raw
        assert found.parse(raw) == found.parse_by_declaration(raw) == layout
        assert list(words_of(layout)) == [int(each, 16) for each in row["zbs"]]
        for suit, text in zip(pav.Suit, row["zbs"], strict=True):
            alone, number = SuitLayout.of(layout, suit), int(text, 16) & ~FLAG
            assert alone.to_zbs() == number == word_by_hand(alone.owners)
            assert SuitLayout.from_zbs(number) == alone


def test_solved_deals_are_those_of_the_collection() -> None:
    rows = vectors("rpdd")
    assert len(rows) == 25
    found = record("zrd")
    for row in rows:
        deal, raw = Deal.from_pbn(row["pbn"]), bytes.fromhex(row["zrd_deal_hex"] + "77" * 10)
        solved = pav.SolvedDeal(deal, pav.TrickTable(bytes([7] * 20)))
        assert found.parse(raw) == found.parse_by_declaration(raw) == solved
        assert found.build(solved) == found.build_by_declaration(solved) == raw
        number = int(row["number_wnes"]).to_bytes(12, "little")  # with West first
        assert numbering("deal-wnes").to_bytes(deal) == number
        assert numbering("deal-wnes").from_bytes(number) == deal


HALF = bytes.fromhex("555555A9AAAAFAFFFF3F000000")
THIRTEEN = "a deal has 13 cards in each hand; here"
HONOURS = "honours are 16 bits, at most 13 of them set, not"
TOTAL = "a running total is 0 to"
RANGE = f"a suit has numbers 0 to {PAST - 1}, not"


def changed(name: str, value: Any, first: int, bits: int, new: int) -> bytes:
    """The record of a value with other bits from one on."""
    raw = int.from_bytes(record(name).build(value), "little")
    mask = (1 << bits) - 1 << first
    return (raw & ~mask | new << first).to_bytes(SIZES[name], "little")


DEAL, EMPTY = Deal.from_pbn(f"N:{SUITS}"), Layout.from_pbn("N:- - - -")
NO_RECORD: list[tuple[str, bytes, str]] = [
    *((name, limit.to_bytes(SIZES[name], "little"), f"numbers are 0 to {limit - 1}, not {limit}")
      for name, limit in LIMITS.items()),
    ("balanced14", changed("balanced14", 258, 111, 1, 1), "bit 111 must be 0"),
    ("legal14", changed("legal14", 258, 107, 1, 1), "bits 107 to 111 must be 0"),
    ("deal13", changed("deal13", DEAL, 0, 2, 1), f"{THIRTEEN} N holds 12, E 14, S 13, W 13"),
    ("layout20", changed("layout20", EMPTY, 0, 3, 5), "card SA has owner 5, expected 0 to 4"),
    ("layout20", changed("layout20", EMPTY, 153, 3, 7), "card C2 has owner 7, expected 0 to 4"),
    ("layout20", changed("layout20", DEAL, 156, 4, 8), "bits 156 to 159 must be 0"),
    ("zbs-word", (PAST | FLAG).to_bytes(4, "little"), f"{RANGE} {PAST}"),
    *(("zbs-diagram", changed("zbs-diagram", EMPTY, first, 31, PAST), f"{RANGE} {PAST}")
      for first in (0, 96)),
    *(("zbs-diagram", changed("zbs-diagram", EMPTY, 32 * place + 31, 1, 0),
       f"the flag of the {suit} word is not set")
      for place, suit in enumerate(("spades", "hearts", "diamonds"))),
    *(("zdd", changed("zdd", TABLE, 4 * place, 4, taken),
       f"{contract} takes {taken} tricks, expected 0 to 13")
      for place, taken, contract in ((0, 14, "W in NT"), (7, 15, "S in S"), (18, 14, "E in C"))),
    ("zrd", HALF + b"\xdd" * 9 + b"\xed", "S in C takes 14 tricks, expected 0 to 13"),
    # the cards come before the tricks
    ("zrd", b"\x54" + HALF[1:] + b"\xff" * 10, f"{THIRTEEN} N holds 12, E 13, S 13, W 14"),
    ("zrd", b"\xff" * 23, f"{THIRTEEN} N holds 0, E 0, S 52, W 0"),
    ("case16", case(MOST_WAYS + 1, *OFF), f"{TOTAL} {MOST_WAYS}, not {MOST_WAYS + 1}"),
    ("case16", case(0, 561, *OFF[1:]), "a pattern is 0 to 559, not 561"),
    ("case16", case(0, 560, 561, *OFF[2:]), "a pattern is 0 to 559, not 561"),
    ("case16", case(0, 560, 560, 0x3FFF, 0xFFFF), f"{HONOURS} 0x3fff"),
    ("case16", case(0, 560, 560, 0xFFFF, 0x7FFF), f"{HONOURS} 0x7fff"),
    ("case16", case(0, 560, 560, 0x8001, 0x8000), "honours 0x8000 are in both hands"),
    ("case16", changed("case16", Case(5), 125, 3, 4), "bits 125 to 127 must be 0"),
    *(("gib-library", changed("gib-library", pav.SolvedDeal(DEAL, TABLE), 8 * byte + 4, 4, 15),
       f"N and S take 15 tricks in S when {leader} leads, expected 0 to 13")
      for byte, leader in ((18, "S"), (19, "N"))),
    ("gib-library", b"\4" + bytes(25), "bits 2 to 7, 34 to 39, 66 to 71, 98 to 103 must be 0"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "raw", "reason"), NO_RECORD)
def test_bytes_that_are_no_record(name: str, raw: bytes, reason: str) -> None:
    for parse in (record(name).parse, record(name).parse_by_declaration):
        with pytest.raises(RecordError) as caught:
            parse(raw)
        assert (caught.value.record, caught.value.reason) == (name, reason)


NO_VALUE: list[tuple[str, Any, str]] = [
    *((name, number, f"numbers are 0 to {LIMITS[name] - 1}, not {number}")
      for name in PLAIN for number in (LIMITS[name], -1)),
    *(("base5-16", pav.Base5Number(number), f"numbers are 0 to {5**52 - 1}, not {number}")
      for number in (5**52, -1)),
    ("deal12", 1 << 20_000, "numbers are 0 to"),
    ("case16", Case(1 << 20_000), TOTAL),
    *(("base5-16", pav.Base5Number(5, spare), f"the spare bits hold 0 to 127, not {spare}")
      for spare in (-1, 128)),
    ("deal13", EMPTY, f"{THIRTEEN} N holds"),
    ("zrd", (Layout.from_pbn("N:A... - - -"), TABLE), THIRTEEN),
    *(("case16", Case(total), TOTAL) for total in (-1, MOST_WAYS + 1)),
    ("case16", Case(0, -1), "a pattern is 0 to 559, not -1"),
    ("case16", Case(0, None, 560), "a pattern is 0 to 559, not 560"),
    ("case16", Case(0, None, None, 0xFFFF), f"{HONOURS} 0xffff"),
    ("case16", Case(0, None, None, 0x10000), "honours are 16 bits"),
    ("case16", Case(0, None, None, None, -1), "honours are 16 bits"),
    ("case16", Case(0, None, None, 0x4000, 0xC000), "honours 0x4000 are in both hands"),
]  # fmt: skip
NO_TYPE: list[tuple[str, list[Any], str]] = [
    *((name, [5.0, "5", None, b"5", [5], object()], "") for name in PLAIN),
    ("base5-16", [(None, 0), (0, "5"), (1, 2, 3), 5, {1, 2}], ""),
    ("deal13", [bytes(52), "N:- - - -", None, [0] * 52], "this record holds a Deal, not '{}'"),
    ("layout20", [bytes(52), None, {}], "this record holds a Layout, not '{}'"),
    ("zbs-diagram", [None, bytes(52), SuitLayout(bytes(13))], "a diagram holds a Layout, not '{}'"),
    ("zbs-word", [(5, True), (None, True), (EMPTY, True)], "a word holds a SuitLayout, not"),
    ("zbs-word", [DEAL, SuitLayout(bytes(13))], ""),
    ("zdd", [None, bytes(20), "7" * 20, [7] * 20], "this record holds a TrickTable, not '{}'"),
    ("zrd", [(DEAL, None), (DEAL, bytes(20))], "this record holds a TrickTable, not"),
    ("zrd", [(None, TABLE), (TABLE, DEAL)], "this record holds a Deal, not"),
    ("zrd", [DEAL, (DEAL,), (DEAL, TABLE, 0)], ""),
    ("gib-library", [DEAL, (DEAL,), (DEAL, None)], ""),
    ("case16", [(), 5, (None, 0, 0, 0, 0), *(
        tuple("5" if p == at else None if p else 0 for p in range(5)) for at in range(5))], ""),
]  # fmt: skip


def test_values_that_do_not_fit() -> None:
    for name, value, reason in NO_VALUE:
        for build in (record(name).build, record(name).build_by_declaration):
            with pytest.raises(RecordError) as caught:
                build(value)
            assert reason in caught.value.reason, name


def test_values_of_other_types() -> None:
    for name, values, reason in NO_TYPE:
        for value in values:
            for build in (record(name).build, record(name).build_by_declaration):
                with pytest.raises(TypeError) as caught:
                    build(value)
                assert reason.format(type(value).__name__) in str(caught.value), name


def test_the_limits_are_those_of_the_records() -> None:
    assert {name: getattr(record(name), "cardinality", None) for name in LIMITS} == LIMITS


@given(number=st.integers(0, 5**52 - 1), spare=st.integers(0, 127))
def test_the_spare_bits_do_not_touch_the_number(number: int, spare: int) -> None:
    raw = (spare << 121 | number).to_bytes(16, "little")
    assert numbering("base5").from_bytes(raw) == numbering("base5")[number]


def test_any_integer_is_a_number_and_comes_back_as_a_plain_one() -> None:
    heavy = mpz(100)
    values: dict[str, Any] = dict.fromkeys(PLAIN, heavy)
    values |= {"base5-16": (heavy, heavy), "case16": (heavy, heavy, None, mpz(1), mpz(6))}
    for name, value in values.items():
        raw = record(name).build(value)
        assert raw == record(name).build_by_declaration(value)
        back: Any = record(name).parse(raw)
        assert back == value
        assert {type(n) for n in (back if name not in PLAIN else [back])} <= {int, type(None)}
