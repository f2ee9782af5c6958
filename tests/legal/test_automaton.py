"""The criterion, the search and the kept counts against every play by suits, on the real deck."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path

import pytest
from legal_automaton import (
    BITS,
    EVERY,
    SEATS,
    SUITS,
    AnyDenomination,
    Automaton,
    Positions,
    checks,
    fits,
    layouts,
    sizes_of,
    sorted_gone,
)
from legal_support import every_play, layouts_of

import pavcodec as pav
from pavcodec.legal import Signature, search, signature

pytestmark = pytest.mark.long  # all at the start, so that one process alone makes `positions`
VECTORS = Path(__file__).parents[2] / "fixtures" / "vectors"
ENDINGS = json.loads((VECTORS / "legal-counts.json").read_text())
IN_THE_MIDDLE = json.loads((VECTORS / "legal-mid-counts.json").read_text())


@pytest.fixture(scope="module")
def positions() -> Positions:
    """What play can reach; that takes half a minute."""
    return Positions()


def number_of(holders: tuple[int, ...]) -> int:
    return sum(held << SEATS * suit for suit, held in enumerate(holders))


@pytest.mark.slow
@pytest.mark.parametrize("trump", [None, 0])
def test_a_toy_deck_against_every_play_with_real_ranks(trump: int | None) -> None:
    automaton = Automaton(2, has_trumps=trump is not None)
    reached = every_play(4, 4, 2, trump)
    for each in range(3):
        for word in layouts_of(4, 8, each):
            ending, who = signature(word, suits=4), reached.get(word, 0)
            found = automaton.with_first_on_lead(ending.gone)[number_of(ending.holders)]
            assert found == any(who >> 4 * first & 1 for first in range(4))


@pytest.mark.slow
@pytest.mark.parametrize("played", range(4))
def test_counts_of_a_toy_deck(played: int) -> None:
    """With two ranks everything is legal; so the counts are those of all layouts."""
    toy = Positions(2)
    assert [toy.count(tricks, played) for tricks in range(2)] == [
        layouts(tricks, played, 2) for tricks in range(2)
    ]


@pytest.mark.slow
def test_the_criterion_for_every_class_of_endings(positions: Positions) -> None:
    assert [*checks(positions.rules)] == [
        ("any denomination", 170_531, []),
        ("notrump", 170_531, []),
        ("a given trump suit", 543_745, []),
    ]


def random_endings(rng: random.Random, count: int) -> list[Signature]:
    """Signatures of random layouts, which are close to the bound as often as not."""
    found: list[Signature] = []
    while len(found) < count:
        tricks = rng.randrange(1, 13)
        owners = bytearray(b"\4" * 52)
        weights = [rng.random() ** 2 + 0.01 for _ in range(SUITS)]
        cards = sorted(range(52), key=lambda card: rng.random() ** (1 / weights[card // 13]))
        for place, card in enumerate(cards[: 52 - 4 * tricks]):
            owners[card] = place % 4
        ending = signature(bytes(owners))
        if abs(sum(ending.most_led) - tricks) < 2:
            found.append(ending)
    return found


@pytest.mark.slow
def test_leaders_are_those_of_the_search(positions: Positions) -> None:
    rules = positions.rules
    for ending in random_endings(random.Random(1), 300):
        held = number_of(ending.holders)
        for automaton, trump in zip(rules.automata, (None, 0), strict=True):
            found = automaton.with_first_on_lead(ending.gone)[held]
            assert found == (search(ending, trump, None, 0) is not None)


@pytest.mark.slow
@pytest.mark.parametrize("cards", [1, 2, 3, 4, 12])
def test_endings_are_counted_as_the_numbering_does(positions: Positions, cards: int) -> None:
    row = next(row for row in ENDINGS if row["cards"] == cards)
    assert positions.count(13 - cards, 0) == int(row["legal"])


@pytest.mark.slow
@pytest.mark.parametrize(("tricks", "played"), [*product((0, 1, 9, 12), (1, 2, 3))])
def test_the_middle_of_a_trick(positions: Positions, tricks: int, played: int) -> None:
    row = next(r for r in IN_THE_MIDDLE if (r["tricks"], r["table"]) == (tricks, played))
    assert positions.count(tricks, played) == int(row["legal"])


def test_kept_counts() -> None:
    assert [(row["table"], row["tricks"]) for row in IN_THE_MIDDLE] == [
        *product((1, 2, 3), range(12, -1, -1))
    ]
    for row in IN_THE_MIDDLE:
        every = layouts(row["tricks"], row["table"])
        assert 0 < int(row["legal"]) <= int(row["layouts"]) == every
        if row["tricks"] > 9 or (row["tricks"], row["table"]) == (0, 1):
            assert int(row["legal"]) == every


@pytest.mark.slow
def test_random_positions_in_the_middle(positions: Positions) -> None:
    """`legality` tries the cards on the table and searches; the automaton knows them all."""
    rng = random.Random(2)
    verdicts = set()
    for _ in range(120):
        tricks, played = rng.randrange(2, 11), rng.randrange(1, 4)
        owners = bytearray(b"\4" * 52)
        hands = [seat for seat, size in enumerate(sizes_of(tricks, played)) for _ in range(size)]
        for card, seat in zip(rng.sample(range(52), len(hands)), hands, strict=True):
            owners[card] = seat
        ending = signature(bytes(owners))
        reached = positions.rules.in_the_middle(ending.gone, played)[number_of(ending.holders)]
        assert bool(pav.legality(pav.Layout(bytes(owners)))) == reached
        verdicts.add(bool(reached))
    assert verdicts == {True, False}


def test_which_holders_hands_can_be() -> None:
    """The cards of four hands of two: by Hall's rule, and by trying them all."""
    found: dict[tuple[int, ...], set[int]] = {}
    for word in layouts_of(4, 8, 1):
        ending = signature(word, suits=4)
        found.setdefault(ending.gone, set()).add(number_of(ending.holders))
    for gone in sorted_gone(2, 4):
        which = fits(gone, EVERY, (1,) * 4, 2)
        assert set(EVERY[which].tolist()) == found[gone]


def test_no_more_bits_than_seats_and_suits() -> None:
    assert len(EVERY) == 1 << BITS == 1 << SEATS * SUITS
    assert AnyDenomination(1).endings((1, 1, 1, 1))[0]
