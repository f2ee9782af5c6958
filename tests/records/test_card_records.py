"""Records of owners: deal13 and layout20, bytes beside values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from records_support import flipped, packed
from strategies import deals, layouts

from pavcodec import Deal, Layout, RecordError, record

SUIT_EACH = "AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
FOULED = "N:AKQJT98765432.A.. .KQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"

# twelve cards of 0, then 0 1 1 1 from the low end of the byte, and so on: 54 = 01 01 01 00
ROUND = "000000" + "54" + "5555" + "A5" + "AAAA" + "EA" + "FFFFFF"
BACK = "FFFFFF" + "AB" + "AAAA" + "5A" + "5555" + "15" + "000000"


def owners_of(text: str) -> list[int]:
    """The owner of each card of a deal text, by searching for it."""
    first, hands = text.split(":")
    owners = [4] * 52
    for turn, hand in enumerate(hands.split(" ")):
        for suit, ranks in enumerate(hand.split(".") if hand != "-" else []):
            for rank in ranks:
                owners[13 * suit + "AKQJT98765432".index(rank)] = ("NESW".index(first) + turn) % 4
    return owners


@pytest.mark.parametrize("data", [ROUND, BACK, "E4" * 13, "1B" * 13])
def test_a_deal_is_two_bits_a_card_for_north_east_south_west(data: str) -> None:
    raw = bytes.fromhex(data)
    whole = int.from_bytes(raw, "little")
    owners = bytes(whole >> 2 * card & 3 for card in range(52))
    found = record("deal13")
    assert found.parse(raw) == found.parse_by_declaration(raw) == Deal(owners)
    assert type(found.parse(raw)) is type(found.parse_by_declaration(raw)) is Deal
    assert found.build(Deal(owners)) == found.build_by_declaration(Deal(owners)) == raw


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (ROUND, f"N:{SUIT_EACH}"),
        (BACK, "W:AKQJT98765432... ...AKQJT98765432 ..AKQJT98765432. .AKQJT98765432.."),
    ],
)
def test_deals_beside_their_bytes(data: str, text: str) -> None:
    raw, deal = bytes.fromhex(data), Deal.from_pbn(text)
    assert bytes(owners_of(text)) == deal.owners
    assert record("deal13").parse(raw) == deal
    assert record("deal13").build(deal) == raw
    assert record("deal13").build(Layout(deal.owners)) == raw


@pytest.mark.parametrize(
    ("first", "sizes"),
    [(1, "N holds 12, E 14, S 13, W 13"), (2, "N holds 12, E 13, S 14, W 13")],
)
def test_fourteen_cards_in_a_hand_are_no_deal(first: int, sizes: str) -> None:
    owners = [first, *owners_of(f"N:{SUIT_EACH}")[1:]]
    raw = packed(owners, (2,) * 52)
    for parse in (record("deal13").parse, record("deal13").parse_by_declaration):
        with pytest.raises(RecordError) as caught:
            parse(raw)
        assert caught.value.reason == f"a deal has 13 cards in each hand; here {sizes}"


@pytest.mark.parametrize("text", ["N:A... - - -", FOULED, "N:- - - -"])
def test_what_is_no_deal_does_not_go_into_deal13(text: str) -> None:
    for build in (record("deal13").build, record("deal13").build_by_declaration):
        with pytest.raises(RecordError, match="a deal has 13 cards in each hand; here N holds"):
            build(Layout.from_pbn(text))


@pytest.mark.parametrize("name", ["deal13", "layout20"])
@pytest.mark.parametrize("wrong", [bytes(52), "N:- - - -", None, [0] * 52])
def test_only_layouts_go_into_records_of_owners(name: str, wrong: object) -> None:
    kind = type(wrong).__name__
    for build in (record(name).build, record(name).build_by_declaration):
        with pytest.raises(TypeError, match=f"this record holds a [A-Z][a-z]+, not '{kind}'"):
            build(wrong)


# 100 eight times is 24 bits: 0x924924; the lowest bit of a card is bit 3 * card
LAYOUTS = [
    ("244992" * 6 + "2409", "N:- - - -"),
    ("204992" + "244992" * 5 + "2409", "N:A... - - -"),
    ("214992" + "244992" * 5 + "2409", "N:- A... - -"),
    ("004992" + "244992" * 5 + "2409", "N:AK... - - -"),
    ("244992" * 6 + "2407", "N:- - - ...2"),
    ("244992" * 6 + "2401", "N:...2 - - -"),
    ("00" * 20, "N:AKQJT98765432.AKQJT98765432.AKQJT98765432.AKQJT98765432 - - -"),
]


@pytest.mark.parametrize(("data", "text"), LAYOUTS)
def test_layouts_beside_their_bytes(data: str, text: str) -> None:
    raw, layout = bytes.fromhex(data), Layout.from_pbn(text)
    assert len(raw) == 20
    found = record("layout20")
    assert found.parse(raw) == found.parse_by_declaration(raw) == layout
    assert type(found.parse(raw)) is type(found.parse_by_declaration(raw)) is Layout
    assert found.build(layout) == found.build_by_declaration(layout) == raw


@given(layout=layouts() | deals())
def test_a_layout_is_three_bits_a_card(layout: Layout) -> None:
    whole = sum(owner << 3 * card for card, owner in enumerate(layout.owners))
    raw = whole.to_bytes(20, "little")
    assert record("layout20").build(layout) == raw
    back = record("layout20").parse(raw)
    assert back == layout
    assert type(back) is (Deal if layout.is_deal else Layout)


@pytest.mark.parametrize("owner", [5, 6, 7])
@pytest.mark.parametrize(("card", "name"), [(0, "SA"), (13, "HA"), (25, "H2"), (51, "C2")])
def test_owners_past_unused_are_refused_with_their_card(owner: int, card: int, name: str) -> None:
    raw = packed([owner if c == card else 4 for c in range(52)] + [0], [3] * 52 + [4])
    for parse in (record("layout20").parse, record("layout20").parse_by_declaration):
        with pytest.raises(RecordError) as caught:
            parse(raw)
        assert caught.value.reason == f"card {name} has owner {owner}, expected 0 to 4"


@pytest.mark.parametrize("bit", [156, 157, 158, 159])
@pytest.mark.parametrize("text", ["N:- - - -", f"N:{SUIT_EACH}"])
def test_the_four_highest_bits_of_layout20_must_be_clear(bit: int, text: str) -> None:
    raw = flipped(record("layout20").build(Layout.from_pbn(text)), bit)
    for parse in (record("layout20").parse, record("layout20").parse_by_declaration):
        with pytest.raises(RecordError) as caught:
            parse(raw)
        assert caught.value.reason == "bits 156 to 159 must be 0"


@given(deal=deals(), card=st.integers(0, 51), seat=st.integers(0, 3))
def test_a_deal_with_one_card_in_another_hand_is_none(deal: Deal, card: int, seat: int) -> None:
    owners = bytes(seat if c == card else owner for c, owner in enumerate(deal.owners))
    raw = packed(list(owners), (2,) * 52)
    if owners == deal.owners:
        assert record("deal13").parse(raw) == deal
        return
    for parse in (record("deal13").parse, record("deal13").parse_by_declaration):
        with pytest.raises(RecordError, match=r"(holds|E|S|W) 14"):
            parse(raw)
