"""What the tests of the counting models share: toy decks, expressions over them, brute force."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise, product
from typing import Any

import numpy as np
from constraints_support import TOP, compounds, leaves
from hypothesis import strategies as st
from oracles import words_of_sizes

from pavcodec import Deal, Layout, Seat, Suit
from pavcodec.constraints.counting.automaton import Diagram, Ids
from pavcodec.constraints.counting.compile import Compiler
from pavcodec.constraints.evaluation import Evaluation
from pavcodec.constraints.functions import POINTS, card_sum, cccc
from pavcodec.constraints.nodes.syntax import (
    Arithmetic,
    Choice,
    HandValue,
    Node,
    Number,
    OfHand,
    distinct,
)
from pavcodec.shapes import SHAPES

NOTHING = Layout(bytes([4] * 52))
SHARED: dict[tuple[int, int], Compiler] = {}


@dataclass(frozen=True)
class Deck:
    """A deck of `suits` suits of `suit_size` cards, the ace first, dealt to hands of some sizes."""

    suits: int
    suit_size: int
    sizes: tuple[int, ...]

    @property
    def cards(self) -> int:
        return self.suits * self.suit_size

    @property
    def seats(self) -> list[Seat]:
        return list(Seat)[: len(self.sizes)]  # a fifth owner is nobody

    @cached_property
    def words(self) -> list[bytes]:
        """The words with hands of the right sizes, in dictionary order."""
        return words_of_sizes(self.sizes)

    def value(self, node: Node, word: bytes) -> int:
        """What an expression is worth for a word, by the definition of the language."""
        found, hands = Evaluation(NOTHING), hands_of(word, self.suit_size)
        for each in of_hands(node):
            found.keep(each, of_hand(each, hands[each.seat]))
        return found.value(node)

    def members(self, node: Node) -> list[bytes]:
        """The words for which a condition is true, in dictionary order."""
        return [word for word in self.words if self.value(node, word)]

    def compiler(self) -> Compiler:
        """A compiler for this deck, which remembers what it has made."""
        kind = self.suits, self.suit_size
        return SHARED.setdefault(kind, Compiler(suit_size=self.suit_size, suits=self.suits))

    def shapes(self) -> list[tuple[int, ...]]:
        """All lengths that a hand may have; on toys a hand of any size."""
        if self.suit_size == 13:
            return [tuple(shape) for shape in SHAPES]
        return list(product(range(self.suit_size + 1), repeat=self.suits))

    def nodes(self, most: int = 6) -> st.SearchStrategy[Node]:
        """Any expression that can be counted."""
        return nodes_of(self, most)


@lru_cache(1 << 16)
def hands_of(word: bytes, size: int) -> list[tuple[str, ...]]:
    """The ranks that each seat holds of suits of some cards, suit by suit."""
    suits = [word[start : start + size] for start in range(0, len(word), size)]
    return [
        tuple("".join(TOP[card] for card in range(size) if suit[card] == seat) for suit in suits)
        for seat in Seat
    ]


@cache
def of_hands(node: Node) -> list[OfHand]:
    """The parts of an expression that look at a hand."""
    return [part for part in distinct(node) if isinstance(part, OfHand)]


@lru_cache(1 << 16)
def of_hand(node: OfHand, hand: tuple[str, ...]) -> int:
    """The value of a function of a hand, of which a toy deck has few suits."""
    return node.function.value(hand if node.suit is None else [hand[node.suit]])


@cache
def nodes_of(deck: Deck, most: int) -> st.SearchStrategy[Node]:
    """Any expression over a deck that can be counted; made once."""
    shapes: Any = st.frozensets(st.sampled_from(deck.shapes()), min_size=1, max_size=8)
    first = leaves(deck.seats, map(Suit, range(deck.suits)), deck.suit_size, shapes)
    if deck.suit_size < 13:  # large on the real deck
        first.append(st.builds(cccc.make, st.sampled_from(deck.seats)))

    def extend(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        divisors = st.integers(1, 9).flatmap(lambda n: st.sampled_from([Number(n), Number(-n)]))
        tricks = children.map(lambda node: Arithmetic("%", node, Number(14)))
        return st.one_of(*compounds(children, divisors | children.map(safe), tricks))

    return st.recursive(st.one_of(st.integers(-5, 5).map(Number), *first), extend, max_leaves=most)


def safe(node: Node) -> Node:
    """A divisor that is never 0: the value, or 3 in place of 0."""
    return Choice(node, node, Number(3))


FOUR_SIZES = (13, 13, 13, 13)
WHOLE = Deck(4, 13, FOUR_SIZES)
"""The real deck; its words are not to be listed."""

EDGES = [
    Deal(bytes(owners))
    for owners in (
        [card // 13 for card in range(52)],
        [3 - card // 13 for card in range(52)],
        [card % 4 for card in range(52)],
        [card % 13 // 3 if card % 13 < 12 else card // 13 for card in range(52)],
        [(card % 13 + card // 13) % 4 for card in range(52)],
        [0] * 7 + [1] * 6 + [1] * 7 + [0] * 6 + [2] * 7 + [3] * 6 + [3] * 7 + [2] * 6,
    )
]
"""Deals with hands of one suit, with all honours, with two suits, and as even as can be."""


@dataclass(frozen=True)
class Walker:
    """A diagram whose value is looked up for many words at once."""

    diagram: Diagram

    def values(self, words: Sequence[bytes]) -> list[int]:
        """The values for words, by a table of letters: what `Diagram.value` says, in a batch."""
        seats, layers = self.diagram.seats, self.diagram.layers
        letters = np.full(256, len(seats))
        letters[list(seats)] = range(len(seats))
        owners = np.frombuffer(b"".join(words), np.uint8).reshape(len(words), -1)
        nodes = np.zeros(len(words), np.int64)
        for layer, column in zip(layers, letters[owners].T, strict=True):
            nodes = layer[nodes, column]
        found: list[int] = self.diagram.values[nodes].tolist()
        return found


def assert_reduced(diagram: Diagram) -> None:
    """No two nodes of a layer are alike, and words lead to all of them."""
    assert len(diagram.layers[0]) == 1
    below = [*map(len, diagram.layers[1:]), len(diagram.values)]
    for layer, count in zip(diagram.layers, below, strict=True):
        assert layer.shape == (len(layer), len(diagram.seats) + 1)
        rows = [tuple(row) for row in layer.tolist()]
        assert len(set(rows)) == len(rows)
        assert {child for row in rows for child in row} == set(range(count))
    values = diagram.values.tolist()
    assert len(set(values)) == len(values)


def same(one: Diagram, other: Diagram) -> bool:
    """Whether two diagrams are equal, node by node."""
    pairs = zip(one.layers, other.layers, strict=True)
    return (
        one.seats == other.seats
        and all(np.array_equal(left, right) for left, right in pairs)
        and np.array_equal(one.values, other.values)
    )


SMALL = st.integers(-4, 4)


@st.composite
def automata(
    draw: st.DrawFn, cards: int, owners: int, values: st.SearchStrategy[int] = SMALL
) -> Diagram:
    """Diagrams of any seats with up to four nodes in a layer, not reduced."""
    seats = tuple(sorted(draw(st.sets(st.integers(0, owners - 1), max_size=3))))
    widths = [1, *(draw(st.integers(1, 4)) for _ in range(cards))]
    layers = []
    for width, below in pairwise(widths):
        children = st.lists(
            st.integers(0, below - 1), min_size=len(seats) + 1, max_size=len(seats) + 1
        )
        layers.append(np.array(draw(st.lists(children, min_size=width, max_size=width))))
    ends = draw(st.lists(values, min_size=widths[-1], max_size=widths[-1]))
    return Diagram(seats, tuple(layers), np.array(ends))


def tree(seats: tuple[int, ...], cards: int, table: Callable[[tuple[int, ...]], int]) -> Diagram:
    """The diagram that keeps the whole word of letters, and looks the value up at the end."""
    letters = len(seats) + 1
    layers: list[Ids] = [
        np.arange(letters ** (card + 1)).reshape(-1, letters) for card in range(cards)
    ]
    ends = [table(word) for word in product(range(letters), repeat=cards)]
    return Diagram(seats, tuple(layers), np.array(ends))


def hcp(seat: Seat, suit: Suit | None = None) -> HandValue:
    """The high-card points of a seat."""
    return card_sum(seat, suit, POINTS["hcp"])
