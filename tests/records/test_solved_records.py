"""ZRD and ZDD: deals with their double-dummy tricks, bytes beside values."""

from __future__ import annotations

import pytest
from hypothesis import given
from records_support import packed, trick_tables
from strategies import deals

from pavcodec import (
    Deal,
    Layout,
    LayoutError,
    RecordError,
    SolvedDeal,
    TrickTable,
    numbering,
    record,
)

HALVES = [
    ("555555A9AAAAFAFFFF3F000000",
     "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"),
    ("000000545555A5AAAAEAFFFFFF",
     "W:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"),
    ("72527A0AE17AE4F952E041FC7C",
     "N:J873.J42.Q65.KT2 AT652.A976.AJ82. Q4.85.KT9.A87643 K9.KQT3.743.QJ95"),
]  # fmt: skip
"""The first 13 bytes of records, and their deals."""

ONLY = {
    # declarers W N E S from the low end, strains NT S H D C: nibbles of ten bytes
    ("W", "NT"): "01" + "00" * 9,
    ("N", "NT"): "10" + "00" * 9,
    ("E", "NT"): "0001" + "00" * 8,
    ("S", "NT"): "0010" + "00" * 8,
    ("W", "S"): "000001" + "00" * 7,
    ("N", "H"): "0000000010" + "00" * 5,
    ("E", "D"): "00" * 7 + "01" + "00" * 2,
    ("S", "C"): "00" * 9 + "10",
}


@pytest.mark.parametrize(("contract", "tricks"), ONLY.items())
def test_one_contract_is_one_nibble(contract: tuple[str, str], tricks: str) -> None:
    raw = bytes.fromhex(tricks)
    found = record("zdd")
    table = found.parse(raw)
    assert table == found.parse_by_declaration(raw)
    made = {(seat, strain) for seat in "NESW" for strain in ("NT", "S", "H", "D", "C")
            if table[seat, strain]}  # fmt: skip
    assert made == {contract}
    assert table[contract] == 1
    assert found.build(table) == found.build_by_declaration(table) == raw


def test_a_table_of_twenty_different_places() -> None:
    # by strain W N E S: 0123 4567 89ab cd01 2345, low nibbles first
    raw = bytes.fromhex("10325476 98badc10 3254".replace(" ", ""))
    table = record("zdd").parse(raw)
    assert str(table) == "N:1,5,9,13,3 E:2,6,10,0,4 S:3,7,11,1,5 W:0,4,8,12,2"
    assert table.tricks == bytes([1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 0, 1, 12, 3, 4, 5, 2])
    assert record("zdd").build(table) == raw


@pytest.mark.parametrize(("half", "text"), HALVES)
def test_the_deal_half_counts_west_north_east_south(half: str, text: str) -> None:
    tricks = bytes.fromhex("10325476 98badc10 3254".replace(" ", ""))
    raw = bytes.fromhex(half) + tricks
    value = SolvedDeal(Deal.from_pbn(text), record("zdd").parse(tricks))
    found = record("zrd")
    for parse in (found.parse, found.parse_by_declaration):
        assert parse(raw) == value
        assert (type(parse(raw)), type(parse(raw).deal)) == (SolvedDeal, Deal)
    assert found.build(value) == found.build_by_declaration(value) == raw
    assert found.build(tuple(value)) == raw


@given(deal=deals(), table=trick_tables())
def test_zdd_is_the_end_of_zrd(deal: Deal, table: TrickTable) -> None:
    raw = record("zrd").build(SolvedDeal(deal, table))
    assert raw[13:] == record("zdd").build(table)
    turned = bytes((owner + 1) % 4 for owner in deal.owners)
    assert raw[:13] == record("deal13").build(Deal(turned))


SEATS, STRAINS = "WNES", ("NT", "S", "H", "D", "C")


@pytest.mark.parametrize("taken", [14, 15])
@pytest.mark.parametrize("place", range(20))
def test_fourteen_tricks_are_refused_with_their_contract(taken: int, place: int) -> None:
    tricks = packed([taken if p == place else 13 for p in range(20)], (4,) * 20)
    contract = f"{SEATS[place % 4]} in {STRAINS[place // 4]}"
    for name, raw in (("zdd", tricks), ("zrd", bytes.fromhex(HALVES[0][0]) + tricks)):
        for parse in (record(name).parse, record(name).parse_by_declaration):
            with pytest.raises(RecordError) as caught:
                parse(raw)
            assert caught.value.record == name
            assert caught.value.reason == f"{contract} takes {taken} tricks, expected 0 to 13"


@pytest.mark.parametrize(
    ("half", "sizes"),
    [
        ("54" + HALVES[0][0][2:], "N holds 12, E 13, S 13, W 14"),
        ("56" + HALVES[0][0][2:], "N holds 12, E 14, S 13, W 13"),
        ("00" * 13, "N holds 0, E 0, S 0, W 52"),
        ("FF" * 13, "N holds 0, E 0, S 52, W 0"),
    ],
)
def test_fourteen_cards_in_a_hand_are_refused(half: str, sizes: str) -> None:
    for tricks in (bytes(10), b"\xff" * 10):  # the cards come before the tricks
        for parse in (record("zrd").parse, record("zrd").parse_by_declaration):
            with pytest.raises(RecordError) as caught:
                parse(bytes.fromhex(half) + tricks)
            assert caught.value.reason == f"a deal has 13 cards in each hand; here {sizes}"


TABLE = TrickTable(bytes([7] * 20))


@pytest.mark.parametrize("text", ["N:A... - - -", "N:- - - -"])
def test_what_is_no_deal_cannot_be_solved(text: str) -> None:
    for build in (record("zrd").build, record("zrd").build_by_declaration):
        with pytest.raises(RecordError, match="zrd record: a deal has 13 cards in each hand"):
            build((Layout.from_pbn(text), TABLE))


@pytest.mark.parametrize("wrong", [None, bytes([7] * 20), "7" * 20, 7, [7] * 20])
def test_only_trick_tables_hold_tricks(wrong: object) -> None:
    kind = type(wrong).__name__
    for build in (record("zdd").build, record("zdd").build_by_declaration):
        with pytest.raises(TypeError, match=f"this record holds a TrickTable, not '{kind}'"):
            build(wrong)
    for build in (record("zrd").build, record("zrd").build_by_declaration):
        with pytest.raises(TypeError, match=f"this record holds a TrickTable, not '{kind}'"):
            build((numbering("deal")[0], wrong))
        with pytest.raises(TypeError, match=f"this record holds a Deal, not '{kind}'"):
            build((wrong, TABLE))


def test_a_table_that_no_record_could_hold_cannot_be_made() -> None:
    with pytest.raises(LayoutError, match="20 numbers of 0 to 13"):
        TrickTable(bytes([14] * 20))


MIXED = TrickTable(bytes([9, 4, 8, 4, 6, 6, 6, 5, 8, 5, 7, 5, 3, 9, 3, 10, 11, 2, 11, 2]))


def test_the_library_of_gib_by_a_slow_loop() -> None:
    deal = Deal(numbering("deal").unrank(10**28).owners)
    word = dict.fromkeys(range(4), 0)
    for card, owner in enumerate(deal.owners):
        word[card // 13] |= (owner + 1) % 4 << 2 * (card % 13)  # the ace in bits 0 and 1
    data = b"".join(word[suit].to_bytes(4, "big") for suit in range(4))
    for strain in ("NT", "S", "H", "D", "C"):
        tricks = 0
        for place, declarer in enumerate("SWNE"):  # with W, N, E and S on lead
            taken = MIXED[declarer, strain]
            tricks |= (taken if declarer in "NS" else 13 - taken) << 4 * place
        data += tricks.to_bytes(2, "big")
    library = record("gib-library")
    assert library.build(SolvedDeal(deal, MIXED)) == data
    assert library.parse(data) == SolvedDeal(deal, MIXED)


def test_a_library_of_the_other_byte_order_is_refused() -> None:
    deal = Deal(numbering("deal").unrank(10**28).owners)
    data = record("gib-library").build(SolvedDeal(deal, MIXED))
    words = b"".join(data[first : first + 4][::-1] for first in range(0, 16, 4))
    with pytest.raises(RecordError, match="98 to 103 must be 0"):
        record("gib-library").parse(words + data[16:])


def test_tricks_of_the_library_that_nobody_takes_are_refused_by_their_leader() -> None:
    deal = Deal(numbering("deal").unrank(10**28).owners)
    data = bytearray(record("gib-library").build(SolvedDeal(deal, MIXED)))
    for byte, leader in ((18, "S"), (19, "N")):
        raw = bytearray(data)
        raw[byte] |= 0xE0
        with pytest.raises(RecordError, match=f"tricks in S when {leader} leads, expected 0 to 13"):
            record("gib-library").parse(raw)
