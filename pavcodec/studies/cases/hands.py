"""Split a condition into conditions on the shape and the honours of single hands.

A case consists of the shape and the honours of each hand. So a condition has cases if it is a
conjunction of parts that each depend on the shape and the honours of one hand. `evaluate` computes
each part on one hand for each combination of its functions' values, so a part has the same meaning
as elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pavcodec.cards import DECK_SIZE, RANK_LETTERS, SUIT_SIZE, UNUSED, Seat
from pavcodec.constraints.counting.diagrams.compile import tested_for
from pavcodec.constraints.evaluation.evaluate import evaluate
from pavcodec.constraints.expressions import Expression, expression
from pavcodec.constraints.language.build import parts_of
from pavcodec.constraints.nodes.naming import show
from pavcodec.constraints.nodes.syntax import InShapes, Length, Node, OfHand, Python, Random, Tricks
from pavcodec.constraints.nodes.trees import distinct
from pavcodec.errors import PavError
from pavcodec.layout import Layout
from pavcodec.layout.hand_functions import LengthsAmong, SumOverCards, SumOverSuits, all_holdings
from pavcodec.studies.cases.cells.deck import BRIDGE, Lengths

__all__ = ["HandCondition", "Maps", "NotCasesError", "read_hands", "reason_of", "sort_parts"]

Maps = NDArray[np.int64]
"""Maps of honours, or the value of a function for each map."""

_FOREIGN = (Python, Random, Tricks)
_SAFE = 1 << 58
"""A limit for the weight of a card: sums of thirteen such weights fit into 64 bits."""


class NotCasesError(PavError):
    """A condition does not depend on the shapes and honours of one hand or two."""


@dataclass(frozen=True)
class HandCondition:
    """The condition on one hand: the conjunction of `parts`.

    >>> (hand,) = read_hands("spades(west) == 9 && hcp(west) <= 1")
    >>> hand.seat, hand.uses_shape, hand.uses_honours
    (<Seat.WEST: 3>, True, True)
    >>> hand.accepts((9, 2, 1, 1), np.array([0x0000, 0x1000, 0x2000])).tolist()
    [True, True, False]
    """

    seat: Seat
    parts: tuple[Node, ...]
    _known: dict[object, bool] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def uses_shape(self) -> bool:
        """Whether the condition depends on the shape."""
        return any(_dependence(part)[0] for part in self.parts)

    @cached_property
    def uses_honours(self) -> bool:
        """Whether the condition depends on the honours."""
        return any(_dependence(part)[1] for part in self.parts)

    def accepts(self, lengths: Lengths | None, maps: Maps | None) -> NDArray[np.bool_]:
        """Return for each map whether the hand may have it with these lengths, `bool[maps]`.

        `maps` are maps of honours that fit the lengths. None for lengths or maps means that the
        listing has no such column; without maps, the result has one element.
        """
        if not all(self._of_shape(part, lengths) for part in self._only(shape=True)):
            return np.zeros(1 if maps is None else len(maps), bool)
        if maps is None:
            return np.ones(1, bool)
        accepted = self._with_honours[maps]
        for part in self._only(shape=True, honours=True):
            places = np.flatnonzero(accepted)
            accepted[places] = self._of_both(part, lengths, maps[places])
        return accepted

    def _only(self, *, shape: bool = False, honours: bool = False) -> list[Node]:
        """Return the parts that depend on these properties only; constant parts count as shape."""
        wanted = {(shape, honours), (False, False)} if not honours else {(shape, honours)}
        return [part for part in self.parts if _dependence(part) in wanted]

    def _of_shape(self, part: Node, lengths: Lengths | None) -> bool:
        key = part, lengths
        if key not in self._known:
            self._known[key] = self._holds(part, lengths, None)
        return self._known[key]

    @cached_property
    def _with_honours(self) -> NDArray[np.bool_]:
        """Whether the parts that depend only on honours hold, by map."""
        maps = np.array(BRIDGE.maps)
        for part in self._only(honours=True):
            maps = maps[self._of_both(part, None, maps)]
        table = np.zeros(1 << 16, bool)
        table[maps] = True
        return table

    def _of_both(self, part: Node, lengths: Lengths | None, maps: Maps) -> NDArray[np.bool_]:
        """Return where a part holds; evaluate it once for each combination of values."""
        columns = [_column(leaf, lengths, maps) for leaf in _figures(part)]
        firsts, groups = _combinations(columns, len(maps))
        answers = np.zeros(len(firsts), bool)
        for group, first in enumerate(firsts.tolist()):
            key = part, tuple(column[first] for column in columns)
            if key not in self._known:
                self._known[key] = self._holds(part, lengths, int(maps[first]))
            answers[group] = self._known[key]
        return answers[groups]

    def _holds(self, part: Node, lengths: Lengths | None, honours: int | None) -> bool:
        """Return whether a part holds for a hand; an omitted property may have any value."""
        owners = bytearray([UNUSED]) * DECK_SIZE
        for card in _cards_of(lengths, honours):
            owners[card] = self.seat
        try:
            return bool(evaluate(part, Layout(bytes(owners))))
        except PavError as error:
            raise NotCasesError(f"{show(part)} makes no cases: {error}") from None


def read_hands(where: Expression | Node | str | int) -> tuple[HandCondition, ...]:
    """Return the conditions on the hands, in the order in which the condition first uses them.

    Raise `NotCasesError` unless each part depends on the shape and honours of one hand, and the
    parts together use one hand or two; raise `TextError` for a text that is no condition.
    >>> [hand.seat.letter for hand in read_hands("hcp(south) == 9 && spades(north) > 3")]
    ['S', 'N']
    """
    condition = expression(where).node
    hands, rest = sort_parts(condition)
    for part in rest:
        raise reason_of(part)
    if not 0 < len(hands) <= 2:
        named = ", ".join(hand.seat.name.lower() for hand in hands) or "none"
        raise NotCasesError(
            f"cases have one hand or two; this condition has {named}; {_instead(condition)}"
        )
    return hands


def sort_parts(condition: Node) -> tuple[tuple[HandCondition, ...], tuple[Node, ...]]:
    """Return the conditions on single hands, and the parts that have no cases."""
    by_seat: dict[Seat, list[Node]] = {}
    rest, constant = [], []
    for part in parts_of(condition):
        seats = _seats(part)
        if len(seats) > 1 or not all(map(_is_expressible, _leaves(part))):
            rest.append(part)
        elif seats:
            by_seat.setdefault(seats[0], []).append(part)
        else:
            constant.append(part)
    hands = [HandCondition(seat, tuple(parts)) for seat, parts in by_seat.items()]
    if hands and constant:
        hands[0] = HandCondition(hands[0].seat, (*constant, *hands[0].parts))
    return tuple(hands), tuple(rest if hands else (*rest, *constant))


def reason_of(part: Node) -> NotCasesError:
    """Return an error with the reason why a part has no cases."""
    return NotCasesError(f"{_reason(part)}, so it makes no cases; {_instead(part)}")


def _instead(condition: Node) -> str:
    """Return the advice for a condition without cases."""
    if tested_for(condition) is None:
        return "'pavcodec count' counts it"
    return "'pavcodec count' tests deals, and estimates their number"


def _reason(part: Node) -> str:
    seats = _seats(part)
    text = show(part)
    foreign = [leaf for leaf in _leaves(part) if not _is_expressible(leaf)]
    if foreign:
        return f"{show(foreign[0])} does not depend on shape and honours (A K Q J) alone"
    if len(seats) > 1:
        named = " and ".join(seat.name.lower() for seat in seats)
        return f"{text} depends on more than one hand ({named})"
    return f"{text} depends on no hand"


def _leaves(node: Node) -> list[Node]:
    """Return the functions in a node, each once, from left to right."""
    kinds = OfHand, *_FOREIGN
    found = distinct(node, stop=lambda part: isinstance(part, kinds))
    return [part for part in found if isinstance(part, kinds)]


def _figures(part: Node) -> list[OfHand]:
    """Return the functions of a part that has cases: all are functions of a hand."""
    return [leaf for leaf in _leaves(part) if isinstance(leaf, OfHand)]


def _seats(node: Node) -> list[Seat]:
    """Return the seats in a node, in the order of their first use."""
    return list(dict.fromkeys(part.seat for part in distinct(node) if hasattr(part, "seat")))


def _is_expressible(leaf: Node) -> bool:
    """Return whether a function depends only on shape and honours."""
    return isinstance(leaf, OfHand) and leaf.function.named_ranks <= BRIDGE.honours


def _dependence(part: Node) -> tuple[bool, bool]:
    """Return whether a part depends on the shape, and whether on the honours."""
    found = [_leaf_dependence(leaf) for leaf in _figures(part)]
    return any(shape for shape, _ in found), any(honours for _, honours in found)


def _leaf_dependence(leaf: OfHand) -> tuple[bool, bool]:
    uses_shape, uses_honours = True, not isinstance(leaf, Length | InShapes)
    if isinstance(leaf.function, SumOverCards):  # a whole hand has its 13 cards in any shape
        uses_shape = leaf.suit is not None and leaf.function.weights[-1] != 0
    return uses_shape, uses_honours


def _cards_of(lengths: Lengths | None, honours: int | None) -> list[int]:
    """Return the cards of a hand; omitted lengths or honours are filled with the lowest cards.

    >>> _cards_of((1, 0, 3, 9), 0x8001)
    [0, 36, 37, 38, 42, 44, 45, 46, 47, 48, 49, 50, 51]
    >>> _cards_of(None, 0x0001)[:4]
    [42, 51, 50, 49]
    """
    if lengths is None:
        named = BRIDGE.honour_cards(honours or 0)
        spots = [
            card for s in range(BRIDGE.suits) for card in BRIDGE.suit_cards(s, spots_only=True)
        ]
        return named + spots[::-1][: BRIDGE.hand_size - len(named)]
    cards: list[int] = []
    for suit, length in enumerate(lengths):
        whole = BRIDGE.suit_cards(suit)
        named = [card for card in BRIDGE.honour_cards(honours or 0) if card in whole]
        spots = list(BRIDGE.suit_cards(suit, spots_only=honours is not None))
        cards += named + spots[len(spots) - (length - len(named)) :]
    return cards


def _combinations(columns: Sequence[Maps], count: int) -> tuple[Maps, Maps]:
    """Return the first row of each combination of values, and the combination of each row."""
    groups: Maps = np.zeros(count, np.int64)
    for column in columns:
        values, codes = np.unique(column, return_inverse=True)
        groups = np.unique(groups * len(values) + codes, return_inverse=True)[1]
    _, firsts, groups = np.unique(groups, return_index=True, return_inverse=True)
    return firsts, groups


def _suit_bits(maps: Maps, suit: int) -> Maps:
    """Return the honours of a suit as four bits, the ace highest."""
    return maps >> BRIDGE.honours * (BRIDGE.suits - 1 - suit) & (1 << BRIDGE.honours) - 1


def _column(leaf: OfHand, lengths: Lengths | None, maps: Maps) -> Maps:
    """Return the value of a function by map; `lengths` must be given if it depends on them."""
    function = leaf.function
    suits = range(BRIDGE.suits) if leaf.suit is None else [int(leaf.suit)]
    if isinstance(function, SumOverCards):
        return _sum_over_cards(function, suits, lengths, maps)
    assert lengths is not None
    if isinstance(function, LengthsAmong):
        return np.full(len(maps), lengths in function.shapes)
    tables = [_by_honours(function, lengths[suit]) for suit in suits]
    by_suit = [table[_suit_bits(maps, suit)] for suit, table in zip(suits, tables, strict=True)]
    found: Maps = np.sum(by_suit, axis=0) + function.of_lengths(lengths[suit] for suit in suits)
    return found


def _sum_over_cards(
    function: SumOverCards, suits: Sequence[int], lengths: Lengths | None, maps: Maps
) -> Maps:
    """Return sums of weights; all spot cards of the function have the same weight."""
    kind: Any = np.int64 if max(map(abs, function.weights)) < _SAFE else object
    spot = function.weights[-1]
    whole = BRIDGE.hand_size if lengths is None else sum(lengths[suit] for suit in suits)
    more = [function.of_suit(ranks) - spot * len(ranks) for ranks in all_holdings(BRIDGE.honours)]
    table = np.array(more, kind)
    found: Maps = sum(
        (table[_suit_bits(maps, suit)] for suit in suits), np.array(spot * whole, kind)
    )
    return found


@cache
def _by_honours(function: SumOverSuits, length: int) -> Maps:
    """Return the value of a function for a suit of a length, by its honours; low cards fill it."""
    spots = [
        (ranks, RANK_LETTERS[SUIT_SIZE - max(0, length - len(ranks)) :])
        for ranks in all_holdings(BRIDGE.honours)
    ]
    return np.array([function.of_suit(honours + low) for honours, low in spots])
