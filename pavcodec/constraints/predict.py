"""How many states a product will have, told from its factors before it is made.

The number is a prediction and no bound: it costs some hundredths of a second, where the product
may cost minutes. It is a pure function of the factors, and the same on every machine.

Rule 1: a state of the factors of single hands is a node of each. Before card c the hands hold c
cards together and the points of these cards, so only nodes that agree about that go together. A
node knows how many cards its hand has; of the points it knows the least and the most.
Rule 2: what factors of several hands add to that is seen from a sample of words. Of so many words,
some pairs are in the same state of the factors of single hands, and fewer in the same state of all
factors. The quotient is how many states of all factors there are for one of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.constraints.diagram import Diagram, Ids, unique
from pavcodec.constraints.memory import MEMORY
from pavcodec.constraints.model import DEAD, factors_of, living_steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["predicted_states"]

_POINTS = (4, 3, 2, 1)
_SUITS = 4
_WORDS = 1 << 12
"""The words of the sample; pairs of them are in the same state where there are some millions."""
_MOST = 1 << 62


@dataclass(frozen=True)
class _Kinds:
    """Nodes by what they know: cards, least points, most points, and how many nodes there are."""

    rows: Ids
    many: Ids

    @property
    def total(self) -> int:
        return int(self.many.sum())


def predicted_states(diagrams: Sequence[Diagram], sizes: tuple[int, ...]) -> int:
    """Return about how many states the product of some conditions has, before it is built.

    It is what `build_model` reaches from the first card on, and says nothing about what is left
    when the states without a way are gone.

    >>> from pavcodec.constraints.pieces import weighted_sum
    >>> spades = weighted_sum(0, [1, 1, 1, 0, 0, 0]).map(lambda spades: (spades == 2) * 1)
    >>> predicted_states([spades], (2, 2, 2))
    8
    """
    factors = factors_of(diagrams, sizes, MEMORY)
    if factors is None:
        return 0
    seats = tuple(sorted({seat for factor in factors for seat in factor.seats}))
    letters = len(seats) + (len(seats) < len(sizes))
    steps = [living_steps(factor, factor.columns(seats)[:letters]) for factor in factors]
    if not all(len(layers[0]) for layers in steps):
        return 0
    single = [place for place, factor in enumerate(factors) if len(factor.seats) == 1]
    cards = sum(sizes)
    points = _points(cards)
    room = sum(size for seat, size in enumerate(sizes) if seat not in seats)
    kinds = [_kinds(factors[place], points) for place in single]
    several = _several(steps, single) if len(single) < len(steps) else [(1, 1)] * cards
    held = np.concatenate([[0], np.cumsum(points)])
    total = 0
    for card in range(cards):
        here = [layers[card] for layers in kinds] + [_rest(card, int(held[card]), room)]
        most = prod(len(layers[card]) for layers in steps) * (room + 1)
        agreeing = _agreeing(here, card, int(held[card]))
        up, down = several[card]
        total += min(most, max(1, agreeing * up // down))
    return total


def _points(cards: int) -> Ids:
    """Return points of the cards, which hands share: those of honours where there are suits."""
    size = cards // _SUITS if cards % _SUITS == 0 else cards
    suit = [*_POINTS, *[0] * size][:size]
    return np.array((suit * _SUITS)[:cards], np.int64)


def _kinds(factor: Diagram, points: Ids) -> list[_Kinds]:
    """Return for each layer what the nodes of a hand's factor that lead to 1 know."""
    living = [constants != 0 for constants in factor.constants()]
    held = np.zeros(1, np.int64)
    least, most = held, held
    found = []
    for card, layer in enumerate(factor.layers):
        known = np.stack([held, least, most], axis=1)[living[card]]
        rows, place = unique(known)
        found.append(_Kinds(rows, np.bincount(place, minlength=len(rows))))
        width = len(living[card + 1])
        after = [np.zeros(width, np.int64), np.full(width, _MOST), np.zeros(width, np.int64)]
        for letter, has in ((0, 1), (1, 0)):
            children = layer[living[card], letter]
            value = has * points[card]
            np.maximum.at(after[0], children, held[living[card]] + has)
            np.minimum.at(after[1], children, least[living[card]] + value)
            np.maximum.at(after[2], children, most[living[card]] + value)
        held, least, most = after
    return found


def _rest(card: int, points: int, room: int) -> _Kinds:
    """Return what the free hands may have together; no more than is there, and they have room."""
    many = min(card, room) + 1
    rows = np.zeros((many, 3), np.int64)
    rows[:, 0], rows[:, 2] = np.arange(many), points
    return _Kinds(rows, np.ones(many, np.int64))


def _agreeing(kinds: Sequence[_Kinds], cards: int, points: int) -> int:
    """Return how many rows of nodes have so many cards, and may have so many points, together."""
    if prod(kind.total for kind in kinds) >= _MOST:
        return prod(kind.total for kind in kinds)
    half = (len(kinds) + 1) // 2
    first, second = _together(kinds[:half], cards, points), _together(kinds[half:], cards, points)
    table = np.zeros((cards + 1, points + 1, points + 1), np.int64)
    table[tuple(second.rows.T)] = second.many
    table = table.cumsum(axis=1)[:, :, ::-1].cumsum(axis=2)[:, :, ::-1]
    held, least, most = first.rows.T
    return int(
        (first.many * table[cards - held, points - least, np.maximum(points - most, 0)]).sum()
    )


def _together(kinds: Sequence[_Kinds], cards: int, points: int) -> _Kinds:
    """Return what rows of nodes know, of no more cards and points than there are."""
    found = _Kinds(np.zeros((1, 3), np.int64), np.ones(1, np.int64))
    for kind in kinds:
        rows = (found.rows[:, None] + kind.rows[None]).reshape(-1, 3)
        rows[:, 2] = np.minimum(rows[:, 2], points)
        many = (found.many[:, None] * kind.many[None]).reshape(-1)
        fit = (rows[:, 0] <= cards) & (rows[:, 1] <= points)
        rows, place = unique(rows[fit])
        sums = np.zeros(len(rows), np.int64)
        np.add.at(sums, place, many[fit])
        found = _Kinds(rows, sums)
    return found


def _several(steps: Sequence[Sequence[Ids]], single: Sequence[int]) -> list[tuple[int, int]]:
    """Return for each layer how many states of all factors there are for one of single hands."""
    nodes = np.zeros((_WORDS, len(steps)), np.int64)
    found = []
    for card in range(len(steps[0])):
        found.append((_pairs(nodes[:, single]) + 1, _pairs(nodes) + 1))
        nodes = _walked(nodes, [layers[card] for layers in steps], card)
    return found


def _pairs(nodes: Ids) -> int:
    """Return how many pairs of rows are the same."""
    if not nodes.shape[1]:
        return len(nodes) * (len(nodes) - 1) // 2
    _, place = unique(nodes)
    many = np.bincount(place)
    return int((many * (many - 1)).sum()) // 2


def _walked(nodes: Ids, steps: Sequence[Ids], card: int) -> Ids:
    """Give a card of every word to one of those who may have it; a word without any begins anew.

    That is the word of another row, which goes on.
    """
    children = np.stack([step[nodes[:, place]] for place, step in enumerate(steps)], axis=2)
    living = (children != DEAD).all(axis=2)
    many = living.sum(axis=1)
    chosen = (_noise(len(nodes), card) % np.maximum(many, 1).astype(np.uint64)).astype(np.int64)
    letter = (living.cumsum(axis=1) > chosen[:, None]).argmax(axis=1)
    after: Ids = children[np.arange(len(nodes)), letter]
    good = np.flatnonzero(many)
    if len(good) < len(nodes) and len(good):
        bad = np.flatnonzero(many == 0)
        after[bad] = after[good[np.arange(len(bad)) % len(good)]]
    return after


def _noise(count: int, card: int) -> NDArray[np.uint64]:
    """Return numbers that look random: the steps of splitmix64, the same everywhere."""
    x = (np.arange(count, dtype=np.uint64) + np.uint64(card * count + 1)) * np.uint64(
        0x9E3779B97F4A7C15
    )
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return x ^ (x >> np.uint64(31))
