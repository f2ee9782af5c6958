"""Counting models against lists of whole toy decks, by the kernel and by definition; real decks."""

from __future__ import annotations

from functools import cache
from itertools import cycle
from math import comb
from random import Random

import numpy as np
import pytest
from constraints_models import Deck, hcp
from model_support import (
    CONDITIONS,
    FOUR,
    N,
    at_least,
    check,
    check_nodes,
    model_in,
    nodes_of,
    rank_of,
)
from oracles import DEALS, integers, limbs

import pavcodec as pav
from pavcodec import ConstrainedDeals
from pavcodec.arrays import Owners
from pavcodec.constraints.counting import model as models
from pavcodec.constraints.counting.automaton import is_full
from pavcodec.constraints.counting.compile import Compiler
from pavcodec.constraints.counting.model import Model, build_model, outcomes_of
from pavcodec.constraints.counting.turns import count_layouts
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import And
from pavcodec.kernel.reference.walk import rank_word, unrank_word

FOUR_HANDS = (13,) * 4
DECKS = [Deck(3, 2, (1, 2, 3)), Deck(2, 3, (2, 2, 1, 1)), Deck(2, 3, (6,)), Deck(1, 5, (0, 3, 2))]
SPACES = {
    "all deals, of one hand": "hcp(north) >= 0",
    "two hands": "hcp(north) == 2 && hcp(south) <= 1",
    "neighbours": "hearts(south) + hearts(west) == 12 && aces(south) == aces(west)",
    "three others": "hcp(north) > 15 && hcp(north) <= hcp(east) + hcp(south) - 5",
    "four hands at once": "hcp(north) - hcp(east) + hcp(south) - hcp(west) >= 38",
    "a single deal": "spades(north) == 13 && hearts(east) == 13 && diamonds(south) == 13",
    "two free hands that are full soon": "spades(north) == 13 && hearts(south) == 13",
}


@cache
def space_of(text: str) -> ConstrainedDeals:
    space = pav.deals(text)
    assert isinstance(space, ConstrainedDeals)
    return space


def rows_of(words: list[bytes]) -> Owners:
    return np.frombuffer(b"".join(words), np.uint8).reshape(len(words), -1)


def check_rows(model: Model, members: list[bytes]) -> None:
    """The numbers and words of many rows are those of the definition."""
    rows, places = rows_of(members), list(range(len(members)))
    numbers, found = np.empty((len(rows), 2), np.uint64), np.empty_like(rows)
    assert model.rank_rows(len(rows), rows, numbers) == -1
    assert integers(numbers) == places
    model.unrank_rows(len(rows), numbers, found)
    assert np.array_equal(found, rows)
    for place in places[::29]:
        assert unrank_word(model.defined, place) == members[place]
        assert rank_word(model.defined, members[place]) == place


KINDS = cycle([(0, 0), (1, 3), (2, 5), (2, 8)])
"""Kinds of sums, and the card up to which the larger ones go."""


@pytest.mark.parametrize(("name", "kinds"), [*zip(CONDITIONS, KINDS, strict=False)])
def test_conditions_over_a_whole_toy_deck(
    name: str, kinds: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, cards = kinds
    monkeypatch.setattr(
        models, "_kinds", lambda *_: [max(0, kind - (card >= cards)) for card in range(8)]
    )
    conditions, seats = CONDITIONS[name]
    model = model_in(FOUR, conditions)
    members = FOUR.members(And(tuple(conditions)))
    check(FOUR, model, members, step=11)
    check_nodes(model)
    check_rows(model, members)
    for word in set(FOUR.words[::17]).difference(members):
        assert model.rank_rows(1, word, np.empty((1, 2), np.uint64)) == 0
    truths = [FOUR.compiler().truth(each) for each in conditions]
    assert count_layouts(truths, FOUR.sizes) == len(members) > 0
    assert (len(members) == len(FOUR.words)) == ("always" in name)
    assert model.seats == seats
    assert model.free == tuple(seat for seat in range(4) if seat not in seats)
    assert model.nodes == sum(len(layer.children) for layer in model.layers)
    links = sum(layer.children.size for layer in model.layers)
    assert model.memory == 4 * links + 16 * model.nodes


NEVER = {
    "too many points": "hcp(north) >= 9",
    "too many for all hands": "hcp(north) >= 8; hcp(east) + hcp(south) >= 16",
    "the first card in two hands": "hascard(north, SA); hascard(south, SA)",
    "the last card in two hands": "hascard(north, CK); hascard(south, CK)",
    "false": "spades(north) <= 1; 0",
    "false alone": "0",
}
"""Conditions on a deck of aces and kings, where a hand has 6, 7 or 8 points."""


@pytest.mark.parametrize("name", NEVER)
def test_conditions_that_no_word_satisfies(name: str) -> None:
    conditions = nodes_of(NEVER[name])
    model = model_in(FOUR, conditions)
    assert FOUR.members(And(tuple(conditions))) == []
    check(FOUR, model, [], step=5)
    assert count_layouts([FOUR.compiler().truth(each) for each in conditions], FOUR.sizes) == 0
    assert (model.layers, model.nodes, model.memory) == ((), 0, 0)


@pytest.mark.parametrize("deck", DECKS[:2], ids=str)
def test_words_of_other_sizes_have_no_number(deck: Deck) -> None:
    model = model_in(deck, [at_least(hcp(N), 0)])
    firsts = [bytes(word) for word in np.ndindex(*[len(deck.sizes)] * 4)][:60]
    others = {word + bytes(deck.cards - 4) for word in firsts}.difference(deck.words)
    for word in (*others, bytes([7] * deck.cards), bytes([255] * deck.cards)):
        assert model.rank_rows(1, word, np.empty((1, 2), np.uint64)) == 0
        assert rank_of(model, word) is None
    for word in (b"", b"\0", bytes(deck.cards + 1)):
        assert rank_of(model, word) is None


def test_the_first_row_without_a_number_is_told() -> None:
    space = space_of("spades(west) == 9")
    owners = space.sample_many(40, seed=3)
    [other] = pav.numbering("deal").sample_many(1, seed=3)
    fouled = np.where(owners[0] == 1, 0, owners[0])
    for place, wrong, reason in (
        (7, other, "this deal does not satisfy"),
        (39, fouled, "N holds 26"),
    ):
        rows = owners.copy()
        rows[place:] = wrong
        with pytest.raises(pav.LayoutError, match=f"row {place}: .*{reason}"):
            space.rank_many(rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", SPACES)
def test_edges_and_random_indexes(name: str) -> None:
    space, random = space_of(SPACES[name]), Random(name)
    model, last = space.model, space.cardinality - 1
    some = [0, last, *(random.randint(0, last) for _ in range(20))]
    places = sorted({min(max(place + step, 0), last) for place in some for step in (-1, 0, 1)})
    owners, numbers = np.empty((len(places), 52), np.uint8), np.empty((len(places), 2), np.uint64)
    model.unrank_rows(len(places), limbs(places), owners)
    words = [bytes(row) for row in owners]
    assert words == sorted(words) == list(map(model.unrank, places))
    assert words[::9] == [unrank_word(model.defined, place) for place in places[::9]]
    assert [rank_word(model.defined, word) for word in words[::9]] == places[::9]
    assert model.rank_rows(len(owners), owners, numbers) == -1
    assert integers(numbers) == places
    dealt = integers(pav.numbering("deal").rank_many(owners))
    assert dealt == sorted(set(dealt))


def test_limbs_carry() -> None:
    """Counts far over 64 bits, and the root's count by both directions."""
    points = Compiler().diagram(parse_expression("hcp(north) + hcp(south)"))
    found = outcomes_of([], [points], FOUR_HANDS)
    assert sum(found.values()) == DEALS
    assert max(found.values()) > 1 << 91
    assert sum(value[0] * many for value, many in found.items()) == 20 * DEALS
    full = build_model([is_full(0, 13, 52)], FOUR_HANDS)
    assert full.counted
    assert full.counted.words_of_ends() == [full.counted.total] == [comb(52, 13)]


def test_free_hands_need_no_nodes() -> None:
    """Their cards are a multinomial factor: one state a card for each count of the others."""
    for free in (1, 2, 3):
        deck = Deck(1, 8, (3, 6 - free, *[1] * (free - 1)))
        model = model_in(deck, [at_least(hcp(N), 0)])
        assert model.cardinality == len(deck.words)
        assert model.seats == (N,)
        assert model.nodes == sum(min(card, 3) - max(0, card - 5) + 1 for card in range(8))
