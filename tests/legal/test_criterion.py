"""The criterion, plans and positions against every play: of toy decks, and by suits of 52 cards."""

from __future__ import annotations

import random
from itertools import product

import pytest
from legal_support import every_play, layouts_of

import pavcodec as pav
from pavcodec import legal
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

LARGER = [(2, 2, 4), (3, 3, 2), (4, 2, 4)]
DECKS = [(2, 3, 2), *(pytest.param(*deck, marks=pytest.mark.slow) for deck in LARGER)]
TRUMPS = [None, 0, 1, 2, 3]


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


@pytest.fixture
def every_trick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search take back all tricks, and nothing of the criterion shorten it.

    `tools/legal_automaton.py` plays forwards and compares all endings of the real deck.
    """
    monkeypatch.setattr(legal._Search, "_is_possible", lambda *_: True)


def near_the_bound(rng: random.Random, most: int = 8) -> Signature:
    """A random signature of the real deck, from which one trick more decides."""
    while True:
        tricks = rng.randrange(1, most + 1)
        gone = [min(13, rng.randrange(4 * tricks + 1)) for _ in range(3)]
        gone.append(4 * tricks - sum(gone))
        some = rng.randrange(1, 15)
        masks = [some, 15 & ~some, rng.choice([3, 7, 15]), 15]
        holders = [rng.choice(masks) if cards < 13 else 0 for cards in gone]
        ending = Signature(tuple(gone), tuple(holders))
        fits = 0 <= gone[3] <= 13 and all(
            held.bit_count() <= 13 - cards for held, cards in zip(holders, gone, strict=True)
        )
        if fits and sum(ending.most_led) - tricks in (-1, 0, 1):
            return ending


def without_crossing(rng: random.Random) -> list[Signature]:
    """Endings of two and three tricks, led in two suits by seats that share none of them."""
    found = []
    for held, (one, two), third in product(range(1, 15), [(1, 1), (1, 2), (2, 1)], range(4)):
        gone = [held.bit_count() * one, (15 - held).bit_count() * two, third]
        gone.append(4 * (one + two) - sum(gone))
        if gone[3] in range(4):
            suits = rng.sample(list(zip(gone, [held, 15 - held, 15, 15], strict=True)), 4)
            found.append(Signature(*zip(*suits, strict=True)))
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("every_trick")
def test_the_criterion_against_every_play_of_few_tricks() -> None:
    rng, seen = random.Random(27), set()
    for ending in [*without_crossing(rng), *(near_the_bound(rng, 4) for _ in range(800))]:
        known = [search(ending, trump) is not None for trump in TRUMPS]
        assert is_legal(ending) == any(known)
        assert (is_legal(ending) and not has_no_crossing(ending)) == known[0]
        bars = [trump_bar(ending, trump) for trump in range(4)] if is_legal(ending) else []
        assert not bars or [bar is None for bar in bars] == known[1:]
        seen |= {bar.kind for bar in bars if bar}
    assert seen == {"crossing", "last trick", "ruffs"}


@pytest.mark.slow
def test_given_trumps_against_the_search() -> None:
    rng, seen = random.Random(25), set()
    for ending in filter(is_legal, (near_the_bound(rng) for _ in range(900))):
        assert has_no_crossing(ending) == (search(ending, None) is None)
        for trump in range(4):
            bar = trump_bar(ending, trump)
            assert (bar is not None) == (search(ending, trump) is None)
            seen |= {bar.kind} if bar else set()
    assert seen == {"crossing", "last trick", "ruffs"}


def is_reached(layout: pav.Layout, played: int) -> bool:
    """Whether play reaches a position, whatever suits North and the next seats have played."""
    ending = signature(layout.owners)
    for suits in product(range(4), repeat=played):
        gone = tuple(cards - suits.count(suit) for suit, cards in enumerate(ending.gone))
        held = list(ending.holders)
        revokes = any(suit != suits[0] and held[suits[0]] >> s & 1 for s, suit in enumerate(suits))
        for seat, suit in enumerate(suits):
            held[suit] |= 1 << seat
        before = Signature(gone, tuple(held))
        if not revokes and min(gone) >= 0 and any(search(before, t, last=0) for t in TRUMPS):
            return True
    return False


@pytest.mark.slow
@pytest.mark.usefixtures("every_trick")
def test_random_positions_in_the_middle() -> None:
    rng, verdicts = random.Random(2), []
    for _ in range(120):
        tricks, played = rng.randrange(1, 4), rng.randrange(1, 4)
        owners = bytearray(b"\4" * 52)
        sizes = [13 - tricks - (seat < played) for seat in range(4)]
        hands = [seat for seat, size in enumerate(sizes) for _ in range(size)]
        for card, seat in zip(rng.sample(range(52), len(hands)), hands, strict=True):
            owners[card] = seat
        layout = pav.Layout(bytes(owners))
        verdicts.append(is_reached(layout, played))
        assert bool(pav.legality(layout)) == verdicts[-1]
    assert 10 < sum(verdicts) < 110


def check_plan(ending: Signature, trump: int | None, tricks: list[PlannedTrick]) -> None:
    """The suits of a plan are played by the Laws, and lead to the ending."""
    gone, on_lead, void = [0] * 4, tricks[0].leader, set[tuple[int, int]]()
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


@pytest.mark.slow
def test_plans_near_the_bound() -> None:
    rng = random.Random(26)
    endings = [*without_crossing(rng), *(near_the_bound(rng) for _ in range(1000))]
    for ending in filter(is_legal, endings):
        check_plan(ending, *plan(ending))
        assert (notrump_plan(ending) is None) == has_no_crossing(ending)
        for trump in range(4):
            tricks = trump_plan(ending, trump)
            if tricks is not None:
                check_plan(ending, trump, tricks)
