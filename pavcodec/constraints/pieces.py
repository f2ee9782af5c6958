"""The pieces that diagrams are put together from: constants, sums over cards, suits, shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from pavcodec.constraints.diagram import Diagram, Ids, Values, reduce, unique

__all__ = ["constant", "lengths_table", "suit_table", "weighted_sum"]


def constant(cards: int, value: int) -> Diagram:
    """Return the diagram of a number."""
    return Diagram((), (np.zeros((1, 1), np.int64),) * cards, np.array([value]))


def weighted_sum(seat: int, weights: Sequence[int]) -> Diagram:
    """Return the sum of the weights of the cards that a seat holds; one weight for each card."""
    sums: Values = np.zeros(1, np.int64)
    layers = []
    for weight in weights:
        both = np.stack([sums + weight, sums], axis=1)
        sums, place = np.unique(both, return_inverse=True)
        layers.append(place.reshape(both.shape))
    return reduce((seat,), layers, sums)


def suit_table(
    seat: int, cards: int, first: int, holdings: Sequence[str], table: Callable[[str], int]
) -> Diagram:
    """Return a function of what a seat holds of a suit, whose cards stand from `first` on.

    `holdings` are all sets of the suit's cards, in the order of numbers whose bits are the cards,
    the first card highest; `table` gives the value of each.
    """
    values = np.array([table(holding) for holding in holdings], np.int64)
    size = len(values).bit_length() - 1
    different, place = np.unique(values, return_inverse=True)
    suit: list[Ids] = []
    for _ in range(size):  # from the last card back: pairs of holdings that differ in that card
        pairs = place.reshape(-1, 2)[:, ::-1]
        rows, place = unique(pairs)
        suit.append(rows)
    before = [np.zeros((1, 2), np.int64)] * first
    same = np.repeat(np.arange(len(different))[:, None], 2, axis=1)
    after = [same] * (cards - first - size)
    return reduce((seat,), [*before, *suit[::-1], *after], different)


def lengths_table(
    seat: int, suits: int, size: int, table: Callable[[tuple[int, ...]], int]
) -> Diagram:
    """Return a function of the lengths of a seat's suits: `suits` of `size` cards each."""
    shape = (size + 1,) * suits
    values = np.array([table(lengths) for lengths in product(range(size + 1), repeat=suits)])
    classes, place = np.unique(values, return_inverse=True)
    layers: list[Ids] = []
    for suit in range(suits - 1, -1, -1):
        rows = place.reshape(-1, shape[suit])  # by the suits before, then the length of this one
        kinds, place = unique(rows)
        layers = [*_count(kinds, size), *layers]
    return reduce((seat,), layers, classes)


def _count(kinds: Ids, size: int) -> list[Ids]:
    """Return the layers that count the cards of a suit, and then look up what the count means.

    Row k of `kinds` has, for each length, the node after the suit. A node within it is (k, count),
    numbered k * (size + 1) + count.
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
