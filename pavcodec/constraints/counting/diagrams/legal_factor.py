"""Legality as a factor of the counting model: the criterion of legal endings as a diagram.

For each suit, the criterion needs only the number of cards that were played and the set of seats
that still hold the suit. So the state before a card is a triple: the tricks that can have been led
in the suits before, the played cards of this suit, and the seats that hold cards of this suit. When
the first number reaches the number of tricks, the ending is legal, and the state drops the other
two.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pavcodec.cards import SUIT_SIZE, Suit
from pavcodec.constraints.arrays.operators import Values
from pavcodec.constraints.counting.diagrams.diagram import Diagram, Ids, reduce, unique

__all__ = ["legal_factor"]


@lru_cache(maxsize=12)
def legal_factor(
    sizes: tuple[int, ...], *, suits: int = len(Suit), suit_size: int = SUIT_SIZE
) -> Diagram:
    """Return the diagram of whether legal play can reach an ending, in some denomination: 1 or 0.

    `sizes` has the number of cards of each hand, which are equal, and then the number of played
    cards. The values are correct for hands of these sizes; for other hands they may be wrong.

    >>> factor = legal_factor((3, 3, 2), suits=2, suit_size=4)
    >>> factor.value([0, 0, 0, 2, 1, 1, 1, 2]), factor.value([0, 0, 1, 2, 1, 1, 0, 2])
    (1, 0)
    """
    seats = len(sizes) - 1
    tricks = suits * suit_size // seats - sizes[0]
    nodes: Ids = np.zeros((1, 3), np.int64)
    layers = []
    for card in range(suits * suit_size):
        children = _after(nodes, seats)
        if (card + 1) % suit_size == 0:
            children[:, 0] += children[:, 1] // _holders(seats)[children[:, 2]]
            children[:, 1:] = 0
        children[children[:, 0] >= tricks] = tricks, 0, 0
        nodes, place = unique(children)
        layers.append(place.reshape(-1, seats + 1))
    return reduce(tuple(range(seats)), layers, (nodes[:, 0] >= tricks).astype(np.int64))


def _after(nodes: Ids, seats: int) -> Ids:
    """Return the states after one more card of the suit: for each state, one for each owner."""
    children = np.repeat(nodes, seats + 1, axis=0)
    for seat in range(seats):
        children[seat :: seats + 1, 2] |= 1 << seat
    children[seats :: seats + 1, 1] += 1
    return children


def _holders(seats: int) -> Values:
    """Return the number of seats in each set of seats; 1 for the empty set."""
    return np.array([held.bit_count() or 1 for held in range(1 << seats)])
