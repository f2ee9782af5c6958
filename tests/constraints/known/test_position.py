"""Known cards: every deal that agrees with them, and no other, found by filtering small parts."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import deals as any_deals

import pavcodec as pav
from pavcodec import ConstrainedDeals, Deal, Hand, Layout, Seat, Suit
from pavcodec.constraints.known import check_room
from pavcodec.errors import LayoutError, PavError

NOBODY = 4
SOUTH, NORTH = "AKQ2.K85.AJ4.T63", "J754.A2.KQ3.A982"
BOTH = {"S": SOUTH, "N": NORTH}
FEW = 4
"""The unseen cards of a drawn position: all their placings are tried."""


def exact(where: Any = 1, **known: Any) -> ConstrainedDeals:
    """The deals of a condition, which is counted."""
    space = pav.deals(where, **known)
    assert isinstance(space, ConstrainedDeals)
    return space


def exchanges(owners: bytes, cards: list[int]) -> Iterator[bytes]:
    """All ways to exchange some cards of a deal among the hands that hold them, each once."""
    if not cards:
        yield owners
        return
    first, *others = cards
    for owner in sorted({owners[card] for card in cards}):
        other = next(card for card in cards if owners[card] == owner)
        found = bytearray(owners)
        found[other], found[first] = owners[first], owner
        yield from exchanges(bytes(found), others)


@st.composite
def middles(draw: st.DrawFn) -> tuple[Deal, dict[str, Any], list[int]]:
    """A deal, what is known of it in the middle of its play, and the unseen cards."""
    deal = draw(any_deals())
    unseen = draw(st.lists(st.integers(0, 51), min_size=2, max_size=FEW, unique=True))
    gone = set(draw(st.lists(st.integers(0, 51), max_size=44, unique=True))) - set(unseen)
    nameless = set(draw(st.lists(st.sampled_from(sorted(gone)), max_size=2))) if gone else set()
    hands, played, voids = {}, {}, {}
    for seat in Seat:
        own = [card for card in range(52) if deal.owners[card] == seat and card not in unseen]
        played[seat.letter] = Hand(card for card in own if card in gone - nameless)
        hands[seat.letter] = Hand(card for card in own if card not in gone)
        live = [deal.owners[card] == seat and card not in gone for card in range(52)]
        voids[seat.letter] = [
            suit
            for suit in Suit
            if not any(live[13 * suit : 13 * suit + 13]) and draw(st.booleans())
        ]
    known = {"hands": hands, "played": played, "shown_out": voids, "unused": sorted(nameless)}
    return deal, known, sorted({*unseen, *nameless})


def agrees(owners: bytes, known: dict[str, Any]) -> bool:
    """Whether a deal has 13 cards in each hand, and no seat live cards of a suit it is out of."""
    gone = {*known["unused"], *(card for cards in known["played"].values() for card in cards)}
    live = [NOBODY if card in gone else owner for card, owner in enumerate(owners)]
    return all(owners.count(seat) == 13 for seat in Seat) and not any(
        int(Seat.of(seat)) in live[13 * suit : 13 * suit + 13]
        for seat, suits in known["shown_out"].items()
        for suit in suits
    )


@pytest.mark.slow
@settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow])
@given(middles())
def test_the_deals_of_a_position_are_those_that_agree(
    drawn: tuple[Deal, dict[str, Any], list[int]],
) -> None:
    deal, known, hidden = drawn
    expected = {owners for owners in exchanges(deal.owners, hidden) if agrees(owners, known)}
    space = exact(**known)
    assert {each.owners for each in space} == expected
    assert space.cardinality == len(expected)
    assert deal in space
    strong = {each for each in expected if Deal(each)["E"].hcp >= 10}
    assert {each.owners for each in exact("hcp(east) >= 10", **known)} == strong
    assert pav.probability("hcp(east) >= 10", **known) * len(expected) == len(strong)
    counts = pav.distribution("hcp(east)", **known).counts
    assert counts == Counter(Deal(each)["E"].hcp for each in expected)
    table = pav.position(**known)
    left = table.remaining(deal)
    for card, owner in enumerate(left.owners):
        assert owner == (NOBODY if card in table.gone else deal.owners[card])
    some = sorted(expected)[:3]
    owners = np.frombuffer(b"".join(some), np.uint8).reshape(-1, 52)
    many = [row.tobytes() for row in table.remaining_many(owners)]
    assert many == [table.remaining(Deal(each)).owners for each in some]
    assert table.sizes == (None if known["unused"] else left.sizes)
    assert pickle.loads(pickle.dumps(table)) == table


@pytest.mark.slow
def test_endings_after_known_tricks_are_as_many_as_deals() -> None:
    play = pav.Play("W", "DT D3 D2 DJ, SA S9 S4 S3, SK S8 S5 H3", "NT")
    table = pav.position(hands=BOTH, played=play)
    original = pav.deals("hcp(west) >= 6", known=table)
    left = pav.endings("hcp(west) >= 6", cards=10, known=table)
    assert original.cardinality == left.cardinality
    for deal in original.sample(20, seed=7):
        assert table.remaining(deal) in left
    assert pav.probability("hcp(west) >= 6", known=table) == pav.probability(
        "hcp(west) >= 6", given=pav.endings(cards=10, known=table)
    )


def test_a_seat_and_its_cards_have_many_names() -> None:
    forms: list[Any] = [
        {"S": SOUTH},
        {"south": SOUTH.lower()},
        {2: Hand.from_pbn(SOUTH)},
        {Seat.SOUTH: list(Hand.from_pbn(SOUTH))},
        {"s": "SAKQ2 HK85, DAJ4,CT63"},
        {"S": "AS KS QS 2S KH 8h H5 DA DJ D4 C10 C6 C3"},
        {"S": [str(card) for card in Hand.from_pbn(SOUTH)]},
    ]
    text = f"N:- - {SOUTH} -"
    assert len({pav.position(hands=form) for form in [*forms, text, Layout.from_pbn(text)]}) == 1
    outs: list[Any] = [{"E": "spades, d"}, {1: [0, "D"]}, {"east": [Suit.DIAMONDS, Suit.SPADES]}]
    assert len({pav.position(shown_out=form) for form in outs}) == 1
    held: list[Any] = [{"S": SOUTH}, {"S": "KQ2.85.AJ4.T63"}]  # with the played cards or not
    [whole] = {pav.position(hands=form, played={"S": "SA HK"}) for form in held}
    assert whole.live[Seat.SOUTH] == Hand.from_pbn("KQ2.85.AJ4.T63")


@pytest.mark.slow
def test_known_cards_join_the_condition_of_a_space() -> None:
    counted = pav.deals("hcp(east) >= 8")
    tested = pav.deals("hcp(east) >= 8 && rnd(1) == 0")
    direct = pav.probability("spades(east) == 2", given="hcp(east) >= 8", hands=BOTH)
    assert pav.probability("spades(east) == 2", given=counted, hands=BOTH) == direct
    share = pav.probability("spades(east) == 2", given=tested, hands=BOTH, simulate=400, seed=7)
    assert share.low <= direct <= share.high
    mixed = pav.mix([("hcp(east) >= 8", 1), ("hcp(east) <= 4", 2)], hands=BOTH)
    known = {(str(deal["N"]), str(deal["S"])) for deal in mixed.sample(9, seed=7)}
    assert known == {(NORTH, SOUTH)}
    assert mixed.types[0].cardinality == pav.deals("hcp(east) >= 8", hands=BOTH).cardinality
    few = pav.endings("hcp(east) >= 4", cards=2)
    assert pav.distribution("spades(south)", given=few, hands={"S": "AK..."}).counts.keys() == {2}


def test_a_seat_with_a_known_hand_may_be_out_of_a_suit() -> None:
    space = exact(hands=BOTH, played={"S": "CT63"}, shown_out={"S": "C"})
    assert space.cardinality == comb(26, 13)


def test_a_condition_without_deals_is_named_without_the_known_cards() -> None:
    message = r"^there are no deals with 'hcp\(south\) > 20' and the known cards$"
    for given_ in ("hcp(south) > 20", pav.deals("hcp(south) > 20")):
        with pytest.raises(PavError, match=message):
            pav.probability("spades(east) == 2", given=given_, hands=BOTH)


PLAY = pav.Play("W", "SA S4 H3 S2", "NT")
CONTRADICTIONS: dict[str, dict[str, Any]] = {
    "SA is in two hands, South's and West's": {"hands": {"S": "SAK", "W": "AS"}},
    "South: SA occurs twice": {"hands": {"S": "SA SA"}},
    "SA is played by two seats, South and West": {"played": {"S": "SAK", "W": "AS"}},
    "hands have South twice, under two names": {"hands": {"S": "SA", "south": "SK"}},
    "South has 13 cards at most, not 14": {"hands": {"S": "AKQJT98765432.A.."}},
    "East plays SA, but it is in South's hand": {"hands": BOTH, "played": {"E": "SA"}},
    "South plays S9, but its hand has 13 cards without it: together they are 14":
        {"hands": BOTH, "played": {"S": "S9"}},
    "trick 1: South plays S2, but it is in East's hand": {"hands": {"E": "S2"}, "played": PLAY},
    "trick 1: East shows out of spades, but still holds S7":
        {"hands": {"E": "S7"}, "played": PLAY},
    "East shows out of spades, but still holds SA":
        {"hands": {"E": "SA"}, "shown_out": {"E": "S"}},
    "SA is unused, but in South's hand": {"hands": BOTH, "unused": "SA"},
    "SA is unused, but played by West": {"played": PLAY, "unused": "SA"},
    "5 unseen spades, and 0 places for them (the others are full; East and West have none":
        {"hands": BOTH, "shown_out": {"E": "S", "W": "S"}},
    "10 unseen spades and hearts, and 7 places for them (East 7; West has none of them)":
        {"hands": {"S": "AKQ2.AK876..JT63", "N": "J754.QJ2.KQ3.A98", "E": "..AJT985."},
         "shown_out": {"W": "spades hearts"}},
    "unused: no card is called 'S1'; expected cards such as SA, AS or SAQ5": {"unused": "S1"},
    "East: no card is called 'AK'; expected cards such as": {"played": {"E": "AK"}},
    "an item of a list of cards is one card, not 'SAK'": {"unused": ["SAK"]},
    "no suit is called 'x'": {"shown_out": {"E": "x"}},
    "no seat is called 'Q'": {"hands": {"Q": "SA"}},
    "North holds 13 known cards, and here a hand has 3": {"cards": 3, "hands": BOTH},
    "South played 2 cards, so it does not hold 12 any more": {"cards": 12, "played": {"S": "SAK"}},
    "45 cards are gone: hands of 3 cards cannot remain": {"cards": 3, "unused": range(45)},
}  # fmt: skip


@pytest.mark.parametrize("message", CONTRADICTIONS)
def test_a_contradiction_is_one_clear_error(message: str) -> None:
    known = CONTRADICTIONS[message]
    with pytest.raises(PavError) as caught:
        pav.endings(**known) if "cards" in known else pav.deals(**known)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_arguments_of_other_kinds_are_refused() -> None:
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("deals() got an unexpected keyword argument 'hnds'; did you mean 'hands'?", {"hnds": 1}),
        ("deals() takes known= or hands=, not both", {"known": pav.position(), "hands": {}}),
    ]
    for message, arguments in wrong:
        with pytest.raises(TypeError) as caught:
            pav.deals(**arguments)
        assert message in str(caught.value)
    mapped: Any = {"hnds": 1}
    for function in (pav.probability, pav.distribution):
        with pytest.raises(TypeError, match=rf"{function.__name__}\(\) got an unexpected"):
            function("hcp(north)", **mapped)


def test_deals_that_do_not_agree_have_no_rest() -> None:
    table = pav.position(hands={"S": SOUTH}, shown_out={"E": "hearts"})
    good = pav.deals(known=table).sample(1, seed=7)[0]
    other = pav.numbering("deal")[0]
    with pytest.raises(LayoutError, match="not agree with the position: South does not hold SA"):
        table.remaining(other)
    both = np.array([list(good.owners), list(other.owners)], np.uint8)
    with pytest.raises(LayoutError, match="row 1: this deal does not agree"):
        table.remaining_many(both)
    swapped = bytearray(good.owners)
    west = next(card for card in range(13, 26) if swapped[card] == Seat.WEST)
    east = next(card for card in range(52) if swapped[card] == Seat.EAST)
    swapped[west], swapped[east] = Seat.EAST, Seat.WEST
    with pytest.raises(LayoutError, match=r"East still holds H\w, but has no hearts"):
        table.remaining(Deal(bytes(swapped)))
    with pytest.raises(LayoutError, match="a position is of a deal"):
        table.remaining(Layout.from_pbn("N:AK... - - -"))


def fits(rooms: list[int], unseen: list[int], voids: set[tuple[int, int]]) -> bool:
    """Whether cards of suits fit into hands, by trying all lengths: the definition."""
    if not unseen:
        return True
    suit = len(unseen) - 1
    ranges = [range(1 if (seat, suit) in voids else room + 1) for seat, room in enumerate(rooms)]
    return any(
        fits([room - n for room, n in zip(rooms, held, strict=True)], unseen[:-1], voids)
        for held in product(*ranges)
        if sum(held) == unseen[-1]
    )


@pytest.mark.slow
@settings(max_examples=80)
@given(
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
    st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=11),
)
def test_unseen_cards_fit_where_a_placing_exists(
    rooms: list[int], unseen: list[int], voids: set[tuple[int, int]]
) -> None:
    named = [(Seat(seat), Suit(suit)) for seat, suit in voids]
    try:
        check_room("deal", rooms, unseen, named)
    except PavError:
        assert not fits(rooms, unseen, voids)
    else:
        assert fits(rooms, unseen, voids)
