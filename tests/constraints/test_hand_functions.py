"""The table of functions of a hand, against their definitions from text and all that reads it."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from constraints_support import of_hand_by_text

from pavcodec import Layout, Seat, Suit, numbering
from pavcodec.cards import DECK_SIZE, RANK_LETTERS, SUIT_SIZE, UNUSED
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.functions import ALTERNATIVES, FUNCTIONS
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import Holding, Length, OfHand, SmallHolding
from pavcodec.constraints.vectors import Chunk, look_up_of
from pavcodec.layout.columns import suit_values
from pavcodec.layout.hand import (
    LENGTH,
    OfLengths,
    SumOverCards,
    SumOverSuits,
    all_holdings,
    weights_of,
)

SEAT = Seat.EAST
SUITS = {suit.name.lower() for suit in Suit}
TABLE = {
    name: row.function
    for name, row in FUNCTIONS.items()
    if row.function is not None and not name.startswith("pt")
}
WHOLE = [n for n in TABLE if FUNCTIONS[n].arguments == ("seat",) and n not in SUITS]
"""The functions of a whole hand."""
HANDS = [
    [tuple(hand.split(".")) for hand in str(deal)[2:].split()]
    for deal in numbering("deal").sample(250, seed=1)
]
HOLDINGS = all_holdings(SUIT_SIZE)
ANY_WEIGHTS = SumOverCards(weights_of(5, -2, 0, 7, 1, -1, 2, 3, -9, 4, 1, 1, 6))


def node_of(text: str) -> OfHand:
    """The node of a text that is a function of a hand."""
    node = parse_expression(text)
    assert isinstance(node, OfHand)
    return node


def of_hearts(name: str) -> OfHand:
    """A function of the table: of hearts, or of the whole hand where it takes no suit."""
    return node_of(f"{name}(east)" if name in WHOLE else f"{name}(east, hearts)")


@cache
def rows() -> Any:
    """Layouts in which East holds each holding of hearts, and nobody any other card."""
    bits = np.arange(1 << SUIT_SIZE)[:, None] >> np.arange(SUIT_SIZE)[::-1] & 1
    owners = np.full((len(bits), DECK_SIZE), UNUSED, np.uint8)
    owners[:, SUIT_SIZE : 2 * SUIT_SIZE] = np.where(bits, SEAT, UNUSED)
    return owners


@cache
def layouts() -> list[Layout]:
    """The same one by one."""
    return [Layout(row.tobytes()) for row in rows()]


@pytest.mark.parametrize("name", [name for name in TABLE if name not in SUITS])
def test_each_function_is_what_its_text_says(name: str) -> None:
    """`of_hand_by_text` has the meaning of each function, written a second time."""
    row, hands = FUNCTIONS[name], [hand for deal in HANDS for hand in deal]
    texts = [f"{name}(east)"] * (row.least == 1) + [f"{name}(east, hearts)"] * (
        "suit" in row.arguments
    )
    for node in map(node_of, texts):
        expected = [of_hand_by_text(node, hand) for hand in hands]
        suits = range(len(Suit)) if node.suit is None else [node.suit]
        assert [node.function.value([hand[suit] for suit in suits]) for hand in hands] == expected
        assert len(set(expected)) > 1


OF_A_SUIT = [
    *(of_hearts(name) for name in TABLE if name not in SUITS),
    Length(SEAT, Suit.HEARTS),
    node_of("hascard(east, QH)"),
    *(Holding(SEAT, Suit.HEARTS, SmallHolding.parse(text)) for text in ("void", "K9x")),
    node_of("points(east, hearts, 5 -2 0 7 1 -1 2 3 -9 4 1 1 6)"),
]


@pytest.mark.slow
@pytest.mark.parametrize("node", OF_A_SUIT, ids=range(len(OF_A_SUIT)))
def test_every_holding_of_a_suit(node: OfHand) -> None:
    """The definition and the arrays of a function agree for all holdings of hearts."""
    function, empty = node.function, [""] * (node.suit is None)
    expected = [function.value([*empty * 3, ranks]) for ranks in HOLDINGS]
    assert [evaluate(node, layout) for layout in layouts()] == expected
    look_up = look_up_of(node)
    assert look_up is not None
    assert Chunk(rows()).look_up(look_up).tolist() == expected
    assert (look_up.low, look_up.high) == (min(expected), max(expected)) or node.suit is None
    if isinstance(function, SumOverSuits):
        assert suit_values(function).tolist() == [function.of_suit(ranks) for ranks in HOLDINGS]


def test_names() -> None:
    for name in SUITS:
        assert node_of(f"{name}(east)") == Length(SEAT, Suit.parse(name))
        assert TABLE[name] == LENGTH
    for number, name in enumerate(ALTERNATIVES):
        assert node_of(f"pt{number}(east)") == node_of(f"{name}(east)")


NAMED = {
    **{name: function for name, function in TABLE.items() if not isinstance(function, OfLengths)},
    "any": ANY_WEIGHTS,
    "card": node_of("hascard(east, 9H)").function,
    **{
        text: Holding(SEAT, Suit.HEARTS, SmallHolding.parse(text)).function
        for text in ("void", "KTx", "9xx", "2")
    },
}


@pytest.mark.parametrize("name", NAMED)
def test_ranks_below_the_named_ones_count_alike(name: str) -> None:
    function = NAMED[name]
    assert isinstance(function, SumOverCards | SumOverSuits)
    values = dict(zip(HOLDINGS, map(function.of_suit, HOLDINGS), strict=True))

    def are_alike(rank: int) -> bool:
        """Whether a rank and the next one may change places."""
        one, other = RANK_LETTERS[rank], RANK_LETTERS[rank + 1]
        return all(
            values[ranks] == values[ranks.replace(one, other)]
            for ranks in HOLDINGS
            if one in ranks and other not in ranks
        )

    assert all(map(are_alike, range(function.named_ranks, SUIT_SIZE - 1)))
    if name not in ("void", "2") and function.named_ranks:
        assert not are_alike(function.named_ranks - 1)
