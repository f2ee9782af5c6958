"""The criterion and the search against every play: of toy decks, and by suits of the real one."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path

import pytest
from legal_automaton import SEATS, Positions, checks, layouts, sizes_of
from legal_support import every_play, layouts_of

import pavcodec as pav
from pavcodec.legal import Signature, has_no_crossing, is_legal, search, signature, trump_bar

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
