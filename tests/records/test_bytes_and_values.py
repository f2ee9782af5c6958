"""Each record as a table: bytes beside values, bytes that are none, values that do not fit.

And records against the golden vectors: endings, and deals of a public collection.

Every row is asked of the quick way and of the declaration. The bytes are worked out from the
descriptions of the formats, by hand or with plain shifts.
"""

from __future__ import annotations

from typing import Any

import pytest
from gmpy2 import mpz
from hypothesis import given
from hypothesis import strategies as st
from oracles import vectors
from records_support import (
    MOST_WAYS,
    SIZES,
    by_hand,
    flipped,
    packed,
    totals,
    types_in,
    word_by_hand,
)

from pavcodec import (
    Base5Number,
    Case,
    Deal,
    Layout,
    RecordError,
    SolvedDeal,
    Suit,
    SuitLayout,
    SuitWord,
    TrickTable,
    numbering,
    record,
)
from pavcodec.formats.records.boards import words_of

LIMITS = {
    "deal12": 53644737765488792839237440000,
    "balanced14": 2058009868335972036308496616883640,
    "ending15": 1068380067768858063542620835042803325,
    "legal14": 128231250273227354660026504584672,
    "base5-16": 2220446049250313080847263336181640625,
}
PLAIN = [name for name in LIMITS if name != "base5-16"]
SUITS = "AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
FOULED = "N:AKQJT98765432.A.. .KQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
LIBRARY = "N:J873.J42.Q65.KT2 AT652.A976.AJ82. Q4.85.KT9.A87643 K9.KQT3.743.QJ95"
PAST, FLAG = 5**13, 1 << 31
CASE = (73, 10, 10, 16, 16, 3)
OFF = (560, 560, 0xFFFF, 0xFFFF, 0)
# twelve cards of 0, then 0 1 1 1 from the low end of the byte, and so on: 54 = 01 01 01 00
ROUND = "000000" + "54" + "5555" + "A5" + "AAAA" + "EA" + "FFFFFF"
BACK = "FFFFFF" + "AB" + "AAAA" + "5A" + "5555" + "15" + "000000"
# by strain W N E S: 0123 4567 89ab cd01 2345, low nibbles first
TWENTY = "10325476 98badc10 3254"
TABLE = TrickTable(
    bytes([1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 0, 1, 12, 3, 4, 5, 2]),
)
HALVES = {
    "555555A9AAAAFAFFFF3F000000": f"N:{SUITS}",
    "000000545555A5AAAAEAFFFFFF": f"W:{SUITS}",
    "72527A0AE17AE4F952E041FC7C": LIBRARY,
}
"""The first 13 bytes of solved deals, which count West, North, East and South; and their deals."""
HALF = next(iter(HALVES))


def word(number: int) -> bytes:
    return number.to_bytes(4, "little")


def words(text: str) -> bytes:
    """The bytes of words in hexadecimal, high digits first."""
    return b"".join(word(int(each, 16)) for each in text.split())


def only(contract: tuple[str, str]) -> TrickTable:
    """A table with one trick, of a declarer in a strain."""
    place = 4 * ("NT", "S", "H", "D", "C").index(contract[1]) + "NESW".index(contract[0])
    return TrickTable(bytes([p == place for p in range(20)]))


def case(*fields: int) -> bytes:
    return packed(fields, CASE)


BESIDE: list[tuple[str, str | bytes, Any]] = [
    *((name, "00" * SIZES[name], 0) for name in PLAIN),
    *((name, "0201" + "00" * (SIZES[name] - 2), 258) for name in PLAIN),
    *((n, (LIMITS[n] - 1).to_bytes(SIZES[n], "little"), LIMITS[n] - 1) for n in PLAIN),
    # 12345678901234567890123456789 = 0x27e41b3246bec9b16e398115
    ("deal12", "1581396eb1c9be46321be427", 12345678901234567890123456789),
    # 52!/13!^4 - 1 = 0xad55e315634dda658bf491ff
    ("deal12", "ff91f48b65da4d6315e355ad", 53644737765488792839237439999),
    ("base5-16", "00" * 16, Base5Number(0, 0)),
    ("base5-16", "00" * 15 + "01", Base5Number(1 << 120, 0)),
    ("base5-16", "00" * 15 + "02", Base5Number(0, 1)),
    ("base5-16", "00" * 15 + "fe", Base5Number(0, 127)),
    ("base5-16", (127 * 2**121 + 5**52 - 1).to_bytes(16, "little"), Base5Number(5**52 - 1, 127)),
    ("deal13", ROUND, Deal.from_pbn(f"N:{SUITS}")),
    ("deal13", BACK, Deal(bytes(3 - card // 13 for card in range(52)))),
    ("deal13", "E4" * 13, Deal(bytes(range(4)) * 13)),
    # 100 eight times is 24 bits: 0x924924; the lowest bit of a card is bit 3 * card
    ("layout20", "244992" * 6 + "2409", Layout.from_pbn("N:- - - -")),
    ("layout20", "204992" + "244992" * 5 + "2409", Layout.from_pbn("N:A... - - -")),
    ("layout20", "004992" + "244992" * 5 + "2409", Layout.from_pbn("N:AK... - - -")),
    ("layout20", "244992" * 6 + "2407", Layout.from_pbn("N:- - - ...2")),
    ("layout20", "244992" * 6 + "2401", Layout.from_pbn("N:...2 - - -")),
    ("layout20", "00" * 20, Layout(bytes(52))),
    *(
        ("zbs-word", words(number)[:3] + bytes([words(number)[3] | flag << 7]),
         SuitWord(SuitLayout.from_text(text), joined=bool(flag)))
        for number, text in {
            "00000000": "N:- - - -",
            "12309CE5": "N:- - - AKQJT98765432",
            "246139CA": "N:AKQJT98765432 - - -",
            "3691D6AF": "N:- AKQJT98765432 - -",
            "48C27394": "N:- - AKQJT98765432 -",
            "48BAF0DA": "N:JT9 876 5432 AKQ",
            "00000005": "N:- - - K",
            "3A352944": "N:- - 2 -",
        }.items()
        for flag in (0, 1)
    ),
    ("zbs-diagram", words("80000000 80000000 80000000 00000000"), Layout.from_pbn("N:- - - -")),
    ("zbs-diagram", words("80000002 80000000 80000000 00000000"), Layout.from_pbn("N:A... - - -")),
    ("zbs-diagram", words("80000000 80000000 80000000 0E8D4A51"), Layout.from_pbn("N:- - - ...2")),
    ("zbs-diagram", words("800000F2 80000000 80000000 00000000"),
     Layout.from_pbn("N:A... K... Q... J...")),
    ("zbs-diagram", words("8000000C 80000012 80000018 00000006"),
     Layout.from_pbn("N:AK... .AK.. ..AK. ...AK")),
    ("zbs-diagram", words("A46139CA B691D6AF C8C27394 12309CE5"), Deal.from_pbn(f"N:{SUITS}")),
    # declarers W N E S from the low end, strains NT S H D C: nibbles of ten bytes
    ("zdd", "10" + "00" * 9, only(("N", "NT"))),
    ("zdd", "00" * 7 + "01" + "00" * 2, only(("E", "D"))),
    ("zdd", TWENTY, TABLE),
    *(("zrd", half + TWENTY, SolvedDeal(Deal.from_pbn(text), TABLE))
      for half, text in HALVES.items()),
    *(
        ("case16", case(*fields), value)
        for value, fields in [
            (Case(MOST_WAYS), (MOST_WAYS, *OFF)),
            (Case(0, 559, 0), (0, 559, 0, 0xFFFF, 0xFFFF, 0)),
            (Case(0, None, 559, None, 0), (0, 560, 559, 0xFFFF, 0, 0)),
            (Case(9, 1, 2, 0x8000, 0x7000), (9, 1, 2, 0x8000, 0x7000, 0)),
            (Case(9, 1, None, 0xFFF8, None), (9, 1, 560, 0xFFF8, 0xFFFF, 0)),
        ]
    ),
    # total 1; patterns from bit 73 and 83, honours from bit 93 and 109
    ("case16", "01" + "00" * 15, Case(1, 0, 0, 0, 0)),
    ("case16", "00" * 9 + "02" + "00" * 6, Case(0, 1, 0, 0, 0)),
    ("case16", "00" * 10 + "08" + "00" * 5, Case(0, 0, 1, 0, 0)),
    ("case16", "00" * 11 + "20" + "00" * 4, Case(0, 0, 0, 1, 0)),
    ("case16", "00" * 13 + "20" + "00" * 2, Case(0, 0, 0, 0, 1)),
    # both patterns 560 = 10 0011 0000, all 32 bits of honours
    ("case16", "00" * 9 + "60" + "84" + "f1" + "ff" * 3 + "1f", Case(0)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data", "value"), BESIDE)
def test_bytes_beside_values(name: str, data: str | bytes, value: Any) -> None:
    found, raw = record(name), bytes.fromhex(data) if isinstance(data, str) else data
    for parse in (found.parse, found.parse_by_declaration):
        assert parse(raw) == value
        assert types_in(parse(raw)) == types_in(value)
    for build in (found.build, found.build_by_declaration):
        assert build(value) == raw
        if isinstance(value, tuple):
            assert build(tuple(value)) == raw


ENDINGS = vectors("endings")
SOLVED_DEALS = vectors("rpdd")


def test_there_are_as_many_vectors_as_are_known() -> None:
    assert (len(ENDINGS), len(SOLVED_DEALS)) == (81, 25)


@pytest.mark.parametrize("row", ENDINGS, ids=lambda row: row["pbn"][:40])
def test_an_ending_has_its_words(row: dict[str, str]) -> None:
    layout = Layout.from_pbn(row["pbn"])
    numbers = [int(each, 16) for each in row["zbs"]]
    raw = b"".join(map(word, numbers))
    found = record("zbs-diagram")
    assert found.build(layout) == found.build_by_declaration(layout) == raw
    assert found.parse(raw) == found.parse_by_declaration(raw) == layout
    assert list(words_of(layout)) == numbers
    for suit, number in zip(Suit, numbers, strict=True):
        alone = SuitLayout.of(layout, suit)
        assert alone.to_zbs() == number & ~FLAG == word_by_hand(alone.owners)
        assert SuitLayout.from_zbs(number & ~FLAG) == alone
        one = record("zbs-word").parse(word(number))
        assert one == SuitWord(alone, joined=suit is not Suit.CLUBS)


@pytest.mark.parametrize("row", SOLVED_DEALS, ids=lambda row: str(row["index"]))
def test_a_solved_deal_is_that_of_the_collection(row: dict[str, str]) -> None:
    deal, half = Deal.from_pbn(row["pbn"]), bytes.fromhex(row["zrd_deal_hex"])
    raw = half + bytes([0x77] * 10)
    solved = SolvedDeal(deal, TrickTable(bytes([7] * 20)))
    assert record("zrd").parse(raw) == record("zrd").parse_by_declaration(raw) == solved
    assert record("zrd").build(solved) == record("zrd").build_by_declaration(solved) == raw
    number = int(row["number_wnes"]).to_bytes(12, "little")  # with West first
    assert numbering("deal-wnes").to_bytes(deal) == number
    assert numbering("deal-wnes").from_bytes(number) == deal


def thirteen(sizes: str) -> str:
    return f"a deal has 13 cards in each hand; here {sizes}"


def moved(card: int, owner: int, bits: int = 2) -> bytes:
    """A deal of whole suits, or nobody's cards, with another owner of a card."""
    owners = [c // 13 if bits == 2 else 4 for c in range(52)]
    owners[card] = owner
    return packed([*owners, *[0] * (bits == 3)], [bits] * 52 + [4] * (bits == 3))


def with_tricks(taken: int, place: int) -> bytes:
    return packed([taken if p == place else 13 for p in range(20)], (4,) * 20)


def diagram(place: int, number: int) -> bytes:
    numbers = [FLAG, FLAG, FLAG, 0]
    numbers[place] ^= number
    return b"".join(map(word, numbers))


SEATS, STRAINS = "WNES", ("NT", "S", "H", "D", "C")
HONOURS = "honours are 16 bits, at most 13 of them set, not"
MANY = f"a running total is 0 to {MOST_WAYS}, not"
NO_RECORD: list[tuple[str, bytes, str]] = [
    *(
        (name, number.to_bytes(SIZES[name], "little"), f"numbers are 0 to {limit - 1}, not {limit}")
        for name, limit in LIMITS.items()
        for number in ([limit, 5 << 121 | limit] if name == "base5-16" else [limit])
    ),
    *(
        ("legal14", (1 << bit).to_bytes(14, "little"), "bits 107 to 111 must be 0")
        for bit in (107, 111)
    ),
    ("balanced14", (1 << 111 | 258).to_bytes(14, "little"), "bit 111 must be 0"),
    ("deal13", moved(0, 1), thirteen("N holds 12, E 14, S 13, W 13")),
    ("deal13", moved(0, 2), thirteen("N holds 12, E 13, S 14, W 13")),
    *(
        ("layout20", moved(card, owner, 3), f"card {name} has owner {owner}, expected 0 to 4")
        for owner, card, name in ((5, 0, "SA"), (6, 25, "H2"), (7, 51, "C2"))
    ),
    *(
        ("layout20", flipped(by_hand("layout20", Layout.from_pbn(text)), bit),
         "bits 156 to 159 must be 0")
        for bit, text in ((156, "N:- - - -"), (159, f"N:{SUITS}"))
    ),
    *(
        ("zbs-word", word(number | flag), f"a suit has numbers 0 to {PAST - 1}, not {number}")
        for number, flag in ((PAST, FLAG), (FLAG - 1, 0))
    ),
    *(
        ("zbs-diagram", diagram(place, number),
         f"a suit has numbers 0 to {PAST - 1}, not {number}")
        for place, number in ((0, PAST), (1, FLAG - 1), (3, PAST))
    ),
    *(
        ("zbs-diagram", diagram(place, FLAG), f"the flag of the {suit} word is not set")
        for place, suit in enumerate(("spades", "hearts", "diamonds"))
    ),
    *(
        (name, half + with_tricks(taken, place),
         f"{SEATS[place % 4]} in {STRAINS[place // 4]} takes {taken} tricks, expected 0 to 13")
        for name, half in (("zdd", b""), ("zrd", bytes.fromhex(HALF)))
        for taken, place in ((14, 0), (14, 7), (15, 18), (15, 19))
    ),
    *(
        ("zrd", bytes.fromhex(half) + tricks, thirteen(sizes))
        for half, sizes in {
            "54" + HALF[2:]: "N holds 12, E 13, S 13, W 14",
            "56" + HALF[2:]: "N holds 12, E 14, S 13, W 13",
            "00" * 13: "N holds 0, E 0, S 0, W 52",
            "FF" * 13: "N holds 0, E 0, S 52, W 0",
        }.items()
        for tricks in (bytes(10), b"\xff" * 10)  # the cards come before the tricks
    ),
    ("case16", case(MOST_WAYS + 1, *OFF), f"{MANY} {MOST_WAYS + 1}"),
    ("case16", case((1 << 73) - 1, *OFF), f"{MANY} {(1 << 73) - 1}"),
    ("case16", case(0, 561, *OFF[1:]), "a pattern is 0 to 559, not 561"),
    ("case16", case(0, 560, 561, *OFF[2:]), "a pattern is 0 to 559, not 561"),
    ("case16", case(0, 560, 560, 0x3FFF, 0xFFFF, 0), f"{HONOURS} 0x3fff"),
    ("case16", case(0, 560, 560, 0xFFFF, 0x7FFF, 0), f"{HONOURS} 0x7fff"),
    ("case16", case(0, 560, 560, 0x8001, 0x8000, 0), "honours 0x8000 are in both hands"),
    *(("case16", flipped(case(5, *OFF), bit), "bits 125 to 127 must be 0")
      for bit in (125, 127)),
    ("gib-library", b"\4" + bytes(25), "bits 2 to 7, 34 to 39, 66 to 71, 98 to 103 must be 0"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "raw", "reason"), NO_RECORD)
def test_bytes_that_are_no_record(name: str, raw: bytes, reason: str) -> None:
    for parse in (record(name).parse, record(name).parse_by_declaration):
        with pytest.raises(RecordError) as caught:
            parse(raw)
        assert caught.value.record == name
        assert caught.value.reason == reason


ONE = Layout.from_pbn("N:A... - - -")
NO_VALUE: list[tuple[str, Any, str]] = [
    *(
        (name, Base5Number(number) if name == "base5-16" else number,
         f"numbers are 0 to {limit - 1}, not {number}")
        for name, limit in LIMITS.items()
        for number in (limit, -1, 1 << 200)
    ),
    *(("base5-16", Base5Number(5, spare), f"the spare bits hold 0 to 127, not {spare}")
      for spare in (-1, 128)),
    *(("deal13", Layout.from_pbn(text), "a deal has 13 cards in each hand; here N holds")
      for text in ("N:A... - - -", FOULED, "N:- - - -")),
    *(("zrd", (layout, TABLE), "a deal has 13 cards in each hand")
      for layout in (ONE, Layout.from_pbn("N:- - - -"))),
    *(("case16", Case(total), "a running total is 0 to") for total in (-1, MOST_WAYS + 1)),
    ("case16", Case(0, -1), "a pattern is 0 to 559, not -1"),
    ("case16", Case(0, None, 560), "a pattern is 0 to 559, not 560"),
    ("case16", Case(0, None, None, 0xFFFF), f"{HONOURS} 0xffff"),
    ("case16", Case(0, None, None, 0, 0xFFFF), f"{HONOURS} 0xffff"),
    ("case16", Case(0, None, None, 0x10000), "honours are 16 bits"),
    ("case16", Case(0, None, None, None, -1), "honours are 16 bits"),
    ("case16", Case(0, None, None, 0x4000, 0xC000), "honours 0x4000 are in both hands"),
]  # fmt: skip
DEAL = Deal.from_pbn(LIBRARY)
NO_TYPE: list[tuple[str, list[Any], str]] = [
    *((name, [5.0, "5", None, b"5", [5]], "") for name in PLAIN),
    ("base5-16", [pair for n in (5.0, "5", None, b"5", [5]) for pair in ((n, 0), (0, n))], ""),
    ("deal13", [bytes(52), "N:- - - -", None, [0] * 52], "this record holds a Deal, not '{}'"),
    ("layout20", [bytes(52), "N:- - - -", None, [0] * 52], "this record holds a Layout, not '{}'"),
    ("zbs-diagram", [None, "N:- - - -", bytes(52), SuitLayout(bytes(13)), 5],
     "a diagram holds a Layout, not '{}'"),
    ("zbs-word", [(5, True), (None, True), ("N:- - - -", True), (ONE, True)],
     "a word holds a SuitLayout, not"),
    ("zdd", [None, bytes(20), "7" * 20, 7, [7] * 20], "this record holds a TrickTable, not '{}'"),
    ("zrd", [(DEAL, wrong) for wrong in (None, bytes(20), "7" * 20, 7)],
     "this record holds a TrickTable, not"),
    ("zrd", [(wrong, TABLE) for wrong in (None, bytes(20), "7" * 20, 7)],
     "this record holds a Deal, not"),
    ("base5-16", [(1, 2, 3), 5], ""),
    ("zbs-word", [DEAL, SuitLayout(bytes(13))], ""),
    ("zrd", [DEAL, (DEAL,)], ""),
    ("gib-library", [DEAL, (DEAL,), (DEAL, None)], ""),
    ("case16", [(), 5, (None, 0, 0, 0, 0), *(
        tuple("5" if p == place else None if p else 0 for p in range(5))
        for place in range(5))], ""),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "reason"), NO_VALUE)
def test_values_that_do_not_fit(name: str, value: Any, reason: str) -> None:
    for build in (record(name).build, record(name).build_by_declaration):
        with pytest.raises(RecordError) as caught:
            build(value)
        assert reason in caught.value.reason


@pytest.mark.parametrize(("name", "values", "reason"), NO_TYPE)
def test_values_of_other_types(name: str, values: list[Any], reason: str) -> None:
    for value in values:
        for build in (record(name).build, record(name).build_by_declaration):
            with pytest.raises(TypeError) as caught:
                build(value)
            assert reason.format(type(value).__name__) in str(caught.value)


def test_the_limits_are_those_that_counting_finds() -> None:
    assert totals() == LIMITS
    assert {name: getattr(record(name), "cardinality", None) for name in LIMITS} == LIMITS
    assert MOST_WAYS == 5157850293780050462400


@given(number=st.integers(0, 5**52 - 1), spare=st.integers(0, 127))
def test_the_spare_bits_do_not_touch_the_number(number: int, spare: int) -> None:
    raw = (spare << 121 | number).to_bytes(16, "little")
    assert numbering("base5").from_bytes(raw) == numbering("base5")[number]


def test_any_integer_is_a_number_and_comes_back_as_a_plain_one() -> None:
    heavy = mpz(100)
    values: dict[str, Any] = dict.fromkeys(PLAIN, heavy)
    values |= {"base5-16": (heavy, heavy), "case16": (heavy, heavy, None, mpz(1), mpz(6))}
    for name, value in values.items():
        found = record(name)
        raw = found.build(value)
        assert raw == found.build_by_declaration(value)
        back: Any = found.parse(raw)
        assert back == value
        assert {type(each) for each in (back if isinstance(back, tuple) else [back])} <= {
            int, type(None),
        }  # fmt: skip


MIXED = TrickTable(bytes([9, 4, 8, 4, 6, 6, 6, 5, 8, 5, 7, 5, 3, 9, 3, 10, 11, 2, 11, 2]))
SOLVED = SolvedDeal(Deal(numbering("deal").unrank(10**28).owners), MIXED)


def test_the_library_of_gib_by_a_slow_loop() -> None:
    suits = dict.fromkeys(range(4), 0)
    for card, owner in enumerate(SOLVED.deal.owners):
        suits[card // 13] |= (owner + 1) % 4 << 2 * (card % 13)  # the ace in bits 0 and 1
    data = b"".join(suits[suit].to_bytes(4, "big") for suit in range(4))
    for strain in STRAINS:
        tricks = 0
        for place, declarer in enumerate("SWNE"):  # with W, N, E and S on lead
            taken = MIXED[declarer, strain]
            tricks |= (taken if declarer in "NS" else 13 - taken) << 4 * place
        data += tricks.to_bytes(2, "big")
    library = record("gib-library")
    assert library.build(SOLVED) == data
    assert library.parse(data) == SOLVED
    for byte, leader in ((18, "S"), (19, "N")):
        raw = bytearray(data)
        raw[byte] |= 0xE0
        with pytest.raises(RecordError, match=f"tricks in S when {leader} leads, expected 0 to 13"):
            library.parse(raw)
