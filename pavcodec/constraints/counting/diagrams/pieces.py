"""The diagrams of the basic functions: constants, sums over cards, tables of suits and shapes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np

from pavcodec.constraints.arrays.operators import Values
from pavcodec.constraints.counting.diagrams.diagram import Diagram, Ids, reduce, unique
from pavcodec.limits.memory import MEMORY, MemoryBudget

__all__ = ["constant", "lengths_table", "suit_table", "suits_fold", "weighted_sum"]

_A_NODE = 16
_A_REDUCED_NODE = 48
"""The bytes of a new node of a diagram of one seat, and the further bytes for its reduction."""

_KNOWN: dict[Hashable, Diagram] = {}
"""Diagrams of one seat, whichever it is, by what they are made of."""
_MOST_KNOWN, _MOST_MEMORY = 256, 1 << 16
"""The number of diagrams that stay, and the most bytes of each."""


def constant(cards: int, value: int) -> Diagram:
    """Return the diagram of a constant."""
    return Diagram((), (np.zeros((1, 1), np.int64),) * cards, np.array([value]))


def weighted_sum(seat: int, weights: Sequence[int]) -> Diagram:
    """Return the diagram of the sum of the weights of a seat's cards; one weight for each card."""
    key = tuple(weights)
    return _shared(seat, key, lambda: _weighted_sum(key))


def _shared(seat: int, key: Hashable, make: Callable[[], Diagram]) -> Diagram:
    """Return a diagram of one seat from those of this process; make it at the first call.

    Most conditions have the same few sums, shapes and known cards, so only the first of them stay.
    """
    found = _KNOWN.get(key)
    if found is None:
        found = make()
        if found.memory <= _MOST_MEMORY and len(_KNOWN) < _MOST_KNOWN:
            _KNOWN[key] = found
    return Diagram((seat,), found.layers, found.values)


def _weighted_sum(weights: Sequence[int]) -> Diagram:
    sums: Values = np.zeros(1, np.int64)
    layers = []
    for weight in weights:
        if not weight:  # the sums remain, which are different and in order
            layers.append(np.arange(len(sums)).repeat(2).reshape(-1, 2))
            continue
        both = np.stack([sums + weight, sums], axis=1)
        sums, place = np.unique(both, return_inverse=True)
        layers.append(place.reshape(both.shape))
    return reduce((0,), layers, sums)


def suit_table(seat: int, cards: int, first: int, values: Sequence[int] | Values) -> Diagram:
    """Return the diagram of a function of a seat's holding in a suit.

    `first` is the first card of the suit. `values` has a value for each set of the suit's cards.
    The index of a set is the number whose bits are the cards; the first card is the highest bit.
    """
    suit, different = _of_suit(values)
    before = [np.zeros((1, 2), np.int64)] * first
    same = np.repeat(np.arange(len(different))[:, None], 2, axis=1)
    after = [same] * (cards - first - len(suit))
    return reduce((seat,), [*before, *suit, *after], different)


def suits_fold(
    seat: int,
    suits: int,
    values: Sequence[int] | Values,
    join: Callable[[Values, Values], Values] = np.add,
    *,
    memory: int = MEMORY,
) -> Diagram:
    """Return the diagram, not reduced, of the values of a seat's suits, joined from suit to suit.

    `values` has a value for each set of a suit's cards, as in `suit_table`. `join` computes the new
    value from the value so far, which is 0 before the first suit, and the value of the next suit. A
    node is a pair: the value so far, and a node of the diagram of one suit. Raises
    `ProductTooLarge` if the diagram would need more than `memory` bytes.
    """
    suit, different = _of_suit(values)
    joined: Values = np.zeros(1, np.int64)
    layers: list[Ids] = []
    room = MemoryBudget(memory)
    for card in range(suits * len(suit)):
        rows = suit[card % len(suit)]
        nodes = len(joined) * len(rows)
        room.take(
            card=card, states=nodes, resident=_A_NODE * nodes, transient=_A_REDUCED_NODE * nodes
        )
        width = int(rows.max()) + 1
        starts = np.arange(len(joined)) * width
        layers.append((starts[:, None, None] + rows).reshape(-1, 2))
        if card % len(suit) == len(suit) - 1:
            every = join(joined[:, None], different[None, :]).reshape(-1)
            joined, place = np.unique(every, return_inverse=True)
            layers[-1] = place.reshape(-1)[layers[-1]]
    return Diagram((seat,), tuple(layers), joined)


def _of_suit(values: Sequence[int] | Values) -> tuple[list[Ids], Values]:
    """Return (the layers of a suit's cards for a function of the holding, its different values)."""
    different, place = np.unique(np.array(values, np.int64), return_inverse=True)
    suit: list[Ids] = []
    for _ in range(len(values).bit_length() - 1):  # from the last card back
        pairs = place.reshape(-1, 2)[:, ::-1]  # holdings that differ in that card
        rows, place = unique(pairs)
        suit.append(rows)
    return suit[::-1], different


def lengths_table(seat: int, values: Values) -> Diagram:
    """Return the diagram of a function of the lengths of a seat's suits.

    `values` has an axis for each suit, with a value for each length.
    """
    return _shared(seat, (values.shape, values.tobytes()), lambda: _lengths_table(values))


def _lengths_table(values: Values) -> Diagram:
    shape = values.shape
    size = shape[0] - 1
    classes, place = np.unique(values, return_inverse=True)
    place = place.reshape(-1)
    layers: list[Ids] = []
    for _ in shape:
        rows = place.reshape(-1, size + 1)  # by the suits before, then the length of this one
        kinds, place = unique(rows)
        layers = [*_count(kinds, size), *layers]
    return reduce((0,), layers, classes)


def _count(kinds: Ids, size: int) -> list[Ids]:
    """Return the layers that count the cards of a suit; the last layer looks up the count.

    Row k of `kinds` has, for each length, the node after the suit. A node within the suit is
    (k, count), with the number k * (size + 1) + count.
    """
    if size == 1:
        return [kinds[:, ::-1]]
    step = size + 1
    starts = np.arange(len(kinds)) * step
    nodes = (starts[:, None] + np.arange(step)[None, :]).reshape(-1)
    held = np.minimum(nodes + 1, starts.repeat(step) + size)
    layers = [np.stack([starts + 1, starts], axis=1)]
    layers += [np.stack([held, nodes], axis=1)] * (size - 2)
    ends = kinds.reshape(-1)
    return [*layers, np.stack([ends[held], ends[nodes]], axis=1)]
