"""Counting models against lists of whole toy decks, and against what must be true of counts."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest
from constraints_models import EDGES, Deck, card_of, hcp, predealt
from model_support import (
    CONDITIONS,
    FOUR,
    SPADES,
    E,
    N,
    S,
    at_least,
    check,
    check_nodes,
    less,
    model_in,
    rank_of,
    total,
)
from oracles import DEALS, words_of_sizes

from pavcodec import ConstrainedDeals, Deal, ModelTooLarge, deals, numbering
from pavcodec.constraints.counting.automaton import is_full
from pavcodec.constraints.counting.compile import Compiler
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.counting.model import build_model, outcomes_of
from pavcodec.constraints.counting.turns import count_layouts
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import (
    And,
    HasCard,
    Node,
    Number,
)

DECKS = [
    Deck(4, 2, (2, 1, 1, 4)),
    Deck(2, 4, (4, 3, 1)),
    Deck(2, 3, (2, 2, 1, 1)),
    Deck(3, 2, (1, 2, 3)),
    Deck(1, 6, (4, 2)),
    Deck(2, 3, (6,)),
    Deck(1, 5, (0, 3, 2)),
]


def ids(deck: Deck) -> str:
    return f"{deck.suits}x{deck.suit_size}-" + "".join(map(str, deck.sizes))


"""Conditions on a deck of aces and kings, where a hand has 6, 7 or 8 points, with their seats."""
NEVER: dict[str, list[Node]] = {
    "too many points": [at_least(hcp(N), 9)],
    "too many for all hands but not for any": [
        at_least(hcp(N), 8),
        at_least(total(hcp(E), hcp(S)), 16),
    ],
    "a card in two hands": [HasCard(N, card_of(SPADES, 0)), HasCard(S, card_of(SPADES, 0))],
    "false": [less(N), Number(0)],
    "false alone": [Number(0)],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_over_a_whole_toy_deck(name: str) -> None:
    conditions, seats = CONDITIONS[name]
    model = model_in(FOUR, conditions)
    members = FOUR.members(And(tuple(conditions)))
    check(FOUR, model, members)
    check_nodes(model)
    truths = [FOUR.compiler().truth(each) for each in conditions]
    assert count_layouts(truths, FOUR.sizes) == len(members) > 0
    assert (len(members) == len(FOUR.words)) == ("always" in name)
    assert model.seats == seats
    assert model.free == tuple(seat for seat in range(4) if seat not in seats)
    assert model.nodes == sum(len(layer.children) for layer in model.layers)
    links = sum(layer.children.size for layer in model.layers)
    assert model.memory == 4 * links + 16 * model.nodes


@pytest.mark.slow
@pytest.mark.parametrize("name", NEVER)
def test_conditions_that_no_word_satisfies(name: str) -> None:
    model = model_in(FOUR, NEVER[name])
    assert FOUR.members(And(tuple(NEVER[name]))) == []
    check(FOUR, model, [])
    assert model.layers == ()
    assert (model.nodes, model.memory) == (0, 0)


@pytest.mark.parametrize("always", [[], [Number(1)], [Number(-3), Number(1)]], ids=str)
def test_conditions_that_look_at_no_seat(always: list[Node]) -> None:
    for deck in DECKS:
        model = model_in(deck, always)
        check(deck, model, deck.words)


@pytest.mark.parametrize("free", [1, 2, 3])
def test_free_hands_need_no_nodes(free: int) -> None:
    """Their cards are a multinomial factor: one state a card for each count of the others."""
    deck = Deck(1, 8, (3, 6 - free, *[1] * (free - 1)))
    model = model_in(deck, [at_least(hcp(N), 0)])
    assert model.cardinality == len(deck.words)
    assert model.seats == (N,)
    assert model.nodes == sum(min(card, 3) - max(0, card - 5) + 1 for card in range(8))


def predealt_space(deal: Deal, kept: int, condition: Node) -> tuple[ConstrainedDeals, list[Deal]]:
    """The deals of a condition with cards fixed, and the same by dealing the rest in every way."""
    fixed = list(predealt(deal, kept))
    held = {each.card for each in fixed}
    left = [card for card in range(52) if card not in held]
    found = []
    for word in words_of_sizes((13 - kept,) * 4):
        owners = bytearray(deal.owners)
        for card, owner in zip(left, word, strict=True):
            owners[card] = owner
        dealt = Deal(bytes(owners))
        if evaluate(condition, dealt):
            found.append(dealt)
    space = deals(And((*fixed, condition)))
    assert isinstance(space, ConstrainedDeals)
    return space, found


PREDEALT = {
    "hcp(north) + hcp(south) >= 20": 0,
    "losers(north) <= losers(south) && spades(east) != spades(west)": 0,
    "shape(north, any 4333 + any 4432 + any 5332) || shape(east, any 5xxx + any 6xxx)": 0,
    "quality(south, hearts) > quality(north, hearts)": 0,
    "!(hcp(east) > 10 && hearts(west) < 4)": 10,
    "(clubs(north) > 3 ? hcp(north) : hcp(west)) % 2 == 0": 0,
}
"""Conditions, and seeds of deals whose last cards decide about them."""


@pytest.mark.slow
@pytest.mark.parametrize("text", PREDEALT)
def test_all_deals_of_the_last_eight_cards(text: str) -> None:
    [deal] = numbering("deal").sample(1, seed=PREDEALT[text])
    assert isinstance(deal, Deal)
    space, members = predealt_space(deal, 11, parse_expression(text))
    assert 0 < len(members) < 2520
    assert space.cardinality == len(members)
    assert list(space) == members
    numbers = list(map(numbering("deal").rank, members))
    assert numbers == sorted(numbers)
    assert [space.rank(member) for member in members] == list(range(len(members)))


def cardinality(text: str) -> int:
    """The exact number of deals of a text."""
    space = deals(text)
    assert isinstance(space, ConstrainedDeals)
    return space.cardinality


@pytest.mark.slow
def test_every_value_has_its_share() -> None:
    by_hcp = [cardinality(f"hcp(north) == {points}") for points in range(38)]
    assert sum(by_hcp) == DEALS
    assert 0 not in by_hcp
    assert cardinality("hcp(north) > 37") == 0
    assert sum(points * many for points, many in enumerate(by_hcp)) == 10 * DEALS
    assert cardinality("hcp(north) >= 12") == sum(by_hcp[12:])


def test_lengths_are_counted_as_hands_are() -> None:
    for length in (0, 4, 13):
        hands = comb(13, length) * comb(39, 13 - length)
        assert cardinality(f"spades(north) == {length}") * comb(52, 13) == hands * DEALS


@pytest.mark.slow
@pytest.mark.parametrize("text", ["hcp({}) >= 20 && spades({}) == 5", "losers({}) + aces({}) == 7"])
def test_seats_are_alike(text: str) -> None:
    found = {cardinality(text.format(seat, seat)) for seat in ("north", "east", "south", "west")}
    assert len(found) == 1
    assert 0 < found.pop() < DEALS


@pytest.mark.slow
def test_pairs_of_seats_are_alike() -> None:
    seats = ("north", "east", "south", "west")
    text = "hcp({}) + hcp({}) >= 30 && spades({}) + spades({}) == 9"
    found = {cardinality(text.format(a, b, a, b)) for a, b in combinations(seats, 2)}
    assert len(found) == 1


@pytest.mark.slow
def test_what_must_be_true_of_a_deal() -> None:
    four = "spades(north) + spades(east) + spades(south) + spades(west)"
    assert cardinality(f"{four} == 13") == DEALS
    assert cardinality(f"{four} != 13") == 0
    three = "aces(north) + aces(east) + aces(south)"
    assert cardinality(f"{three} == 4") == cardinality("aces(west) == 0")
    hand = "spades(north) + hearts(north) + diamonds(north) + clubs(north)"
    assert cardinality(f"{hand} == 13") == DEALS
    assert cardinality(f"{hand} > 13") == 0
    assert cardinality("hcp(north) + hcp(east) + hcp(south) + hcp(west) == 40") == DEALS


@pytest.mark.slow
def test_ranks_are_in_the_order_of_deal_numbers() -> None:
    space = deals("hcp(north) + hcp(west) == 31 && hearts(east) > hearts(north)")
    assert isinstance(space, ConstrainedDeals)
    step = space.cardinality // 97
    places = [0, 1, *range(5, space.cardinality, step), space.cardinality - 1]
    found = [space.unrank(place) for place in places]
    numbers = list(map(numbering("deal").rank, found))
    assert numbers == sorted(set(numbers))
    assert [space.rank(deal) for deal in found] == places
    for deal in EDGES:
        assert rank_of(space.model, deal.owners) is None


@pytest.mark.slow
def test_a_model_keeps_within_its_memory() -> None:
    compiler = Compiler()
    diagrams = [
        compiler.truth(parse_expression(t)) for t in ("hcp(north) == 12", "hcp(south) == 9")
    ]
    whole = build_model(diagrams, (13,) * 4)
    with pytest.raises(ModelTooLarge, match=r"^too many states: [\d,]+ before card \d+$"):
        build_model(diagrams, (13,) * 4, memory=100_000)
    assert build_model(diagrams, (13,) * 4, memory=1 << 30).cardinality == whole.cardinality


@pytest.mark.slow
def test_the_real_deck_by_one_model_for_each_value() -> None:
    where = "shape(south, any 4333) && hcp(south) >= 20 && spades(west) >= 5"
    number = "hcp(north) + controls(south)"
    found = Condition(parse_expression(where)).count_values([parse_expression(number)])
    compiler = Compiler()
    parts = [compiler.truth(parse_expression(part)) for part in where.split(" && ")]
    for value in (0, 7, 12, 25):
        equal = compiler.truth(parse_expression(f"{number} == {value}"))
        assert found.get((value,), 0) == build_model([*parts, equal], (13,) * 4).cardinality
    total = build_model(parts, (13,) * 4).cardinality
    assert sum(found.values()) == total


@pytest.mark.slow
def test_limbs_carry() -> None:
    """Counts far over 64 bits, and the root's count by both directions."""
    compiler = Compiler()
    points = compiler.diagram(parse_expression("hcp(north) + hcp(south)"))
    found = outcomes_of([], [points], (13,) * 4)
    assert sum(found.values()) == DEALS
    assert max(found.values()) > 1 << 91
    full = build_model([is_full(0, 13, 52)], (13,) * 4)
    assert full.counted
    assert full.counted.words_of_ends() == [full.counted.total] == [635013559600]
