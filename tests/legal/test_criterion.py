"""The criterion and the search against every play: of toy decks, and by suits of the real one."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path

import pytest
from legal_automaton import (
    SEATS,
    SUITS,
    Positions,
    checks,
    fits,
    layouts,
    renamed_seats,
    representatives,
    sizes_of,
    sorted_gone,
)
from legal_support import every_play, layouts_of

import pavcodec as pav
from pavcodec.legal import (
    PlannedTrick,
    Signature,
    has_no_crossing,
    is_legal,
    notrump_plan,
    plan,
    search,
    signature,
    trump_bar,
    trump_plan,
)

VECTORS = Path(__file__).parents[2] / "fixtures" / "vectors"
ENDINGS = json.loads((VECTORS / "legal-counts.json").read_text())
IN_THE_MIDDLE = json.loads((VECTORS / "legal-mid-counts.json").read_text())
LARGER = [(2, 2, 4), (3, 3, 2), (4, 2, 4)]
DECKS = [(2, 3, 2), *(pytest.param(*deck, marks=pytest.mark.slow) for deck in LARGER)]


@pytest.mark.parametrize(("seats", "suits", "ranks"), DECKS)
def test_every_play_of_toy_decks(seats: int, suits: int, ranks: int) -> None:
    """With real ranks; and the search finds who may have led first, and who may be on lead."""
    trumps = [None, *range(suits)]
    reached = {trump: every_play(seats, suits, ranks, trump) for trump in trumps}
    known: dict[Signature, list[int]] = {}
    for each in range(suits * ranks // seats + 1):
        for word in layouts_of(seats, suits * ranks, each):
            ending = signature(word, suits=suits, seats=seats)
            who = [reached[trump].get(word, 0) for trump in trumps]
            assert known.setdefault(ending, who) == who, "only the signature matters"
    for ending, who in known.items():
        assert is_legal(ending, seats) == any(who)
        if seats == 4:
            assert (is_legal(ending) and not has_no_crossing(ending)) == bool(who[0])
        for trump, leaders in zip(trumps[:2], who, strict=False):
            assert (search(ending, trump, seats=seats) is not None) == bool(leaders)
            for first, now in product(range(seats), repeat=2):
                found = search(ending, trump, first, now, seats=seats)
                assert (found is not None) == bool(leaders >> seats * first + now & 1)


@pytest.fixture(scope="module")
def positions() -> Positions:
    """What play of the real deck can reach in three tricks."""
    return Positions(13, tricks=3)


def number_of(holders: tuple[int, ...]) -> int:
    return sum(held << SEATS * suit for suit, held in enumerate(holders))


@pytest.mark.slow
def test_every_class_of_endings_of_three_tricks(positions: Positions) -> None:
    assert [*checks(positions.rules)] == [
        ("any denomination", 31_628, []),
        ("notrump", 31_628, []),
        ("a given trump suit", 91_810, []),
    ]


@pytest.mark.slow
def test_counts_of_positions(positions: Positions) -> None:
    """Also modulo primes, by the holders of suits: no walk through the cards."""
    [legal] = [int(row["legal"]) for row in ENDINGS if row["cards"] == 12]
    assert positions.count(1, 0) == legal
    counts = {(row["tricks"], row["table"]): int(row["legal"]) for row in IN_THE_MIDDLE}
    assert sorted(counts) == [*product(range(13), (1, 2, 3))]
    for tricks, played in ((0, 1), (1, 2)):
        assert positions.count(tricks, played) == counts[tricks, played]
    for row in IN_THE_MIDDLE:
        every = layouts(row["tricks"], row["table"])
        assert 0 < int(row["legal"]) <= int(row["layouts"]) == every
        if row["tricks"] > 9 or (row["tricks"], row["table"]) == (0, 1):
            assert int(row["legal"]) == every


@pytest.mark.slow
def test_random_positions_in_the_middle(positions: Positions) -> None:
    """`legality` tries the cards on the table and searches; the automaton knows them all."""
    rng = random.Random(2)
    verdicts = []
    for _ in range(120):
        tricks, played = rng.randrange(1, 4), rng.randrange(1, 4)
        owners = bytearray(b"\4" * 52)
        hands = [seat for seat, size in enumerate(sizes_of(tricks, played)) for _ in range(size)]
        for card, seat in zip(rng.sample(range(52), len(hands)), hands, strict=True):
            owners[card] = seat
        ending = signature(bytes(owners))
        reached = positions.rules.in_the_middle(ending.gone, played)[number_of(ending.holders)]
        assert bool(pav.legality(pav.Layout(bytes(owners)))) == reached
        verdicts.append(bool(reached))
    assert 10 < sum(verdicts) < 110


def near_the_bound(rng: random.Random) -> Signature:
    """A random signature of the real deck in which few more tricks can have been led than were."""
    while True:
        tricks = rng.randrange(1, 9)
        gone = [min(13, rng.randrange(4 * tricks + 1)) for _ in range(3)]
        gone.append(4 * tricks - sum(gone))
        some = rng.randrange(1, 15)
        masks = [some, 15 & ~some, rng.choice([3, 7, 15]), 15]
        holders = [rng.choice(masks) if cards < 13 else 0 for cards in gone]
        ending = Signature(tuple(gone), tuple(holders))
        fits = 0 <= gone[3] <= 13 and all(
            held.bit_count() <= 13 - cards for held, cards in zip(holders, gone, strict=True)
        )
        if fits and sum(ending.most_led) - tricks in (0, 1):
            return ending


@pytest.mark.slow
def test_given_trumps_against_the_search() -> None:
    """All three exceptions come up."""
    rng, seen = random.Random(25), set()
    for _ in range(600):
        ending = near_the_bound(rng)
        assert has_no_crossing(ending) == (search(ending, None) is None)
        for trump in range(4):
            bar = trump_bar(ending, trump)
            assert (bar is not None) == (search(ending, trump) is None)
            seen |= {bar.kind} if bar else set()
    assert seen == {"crossing", "last trick", "ruffs"}


def check_plan(ending: Signature, trump: int | None, tricks: list[PlannedTrick]) -> None:
    """The suits of a plan are played by the Laws, and lead to the ending."""
    gone, on_lead, void = [0] * SUITS, tricks[0].leader, set[tuple[int, int]]()
    for led, leader, suits, winner in tricks:
        played = list(enumerate(suits))
        assert (leader, suits[leader]) == (on_lead, led)
        assert not void.intersection(played), "a revoke"
        void |= {(seat, led) for seat, suit in played if suit != led}
        ruffs = [seat for seat, suit in played if suit == trump]
        assert winner in (ruffs or [seat for seat, suit in played if suit == led])
        gone = [cards + suits.count(suit) for suit, cards in enumerate(gone)]
        on_lead = winner
    assert tuple(gone) == ending.gone
    assert not any(ending.holders[suit] >> seat & 1 for seat, suit in void)


def endings_without_crossing() -> list[Signature]:
    """Those of two and three tricks, to which a ruff leads; three names of the seats for each."""
    found, few = [], representatives()
    names = [renamed_seats(order) for order in ((0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2))]
    for gone in (*sorted_gone(13, 8), *sorted_gone(13, 12)):
        for held in few[fits(gone, few, (13 - sum(gone) // 4,) * 4)].tolist():
            for each in (int(name[held]) for name in names):
                ending = Signature(gone, tuple(each >> SEATS * suit & 15 for suit in range(SUITS)))
                if is_legal(ending) and has_no_crossing(ending):
                    found.append(ending)
    return found


@pytest.mark.slow
def test_plans_near_the_bound() -> None:
    rng, crossing = random.Random(26), endings_without_crossing()
    assert len(crossing) == 3 * 59
    for ending in [*crossing, *(near_the_bound(rng) for _ in range(1000))]:
        check_plan(ending, *plan(ending))
        assert (notrump_plan(ending) is None) == has_no_crossing(ending)
        for trump in range(4):
            tricks = trump_plan(ending, trump)
            if tricks is not None:
                check_plan(ending, trump, tricks)
