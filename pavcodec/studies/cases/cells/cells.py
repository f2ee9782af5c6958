"""The cells of a hand: each shape with each arrangement of honours that it may have, in order.

A case is a cell of one hand, or a pair of cells of two hands. Cells are stored in arrays, so one
operation combines a cell of the first hand with all cells of the second.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from pavcodec.records.cases import HONOURS_OFF, PATTERN_OFF
from pavcodec.studies.cases.cells.deck import Lengths
from pavcodec.studies.cases.cells.plan import Held, Plan

__all__ = ["Accepts", "Cells", "binomials", "cells_of"]

Accepts = Callable[[Lengths | None, NDArray[np.int64] | None], NDArray[np.bool_]]
"""Returns for each map whether a hand may have it with these lengths; None means "no column"."""

Small = NDArray[np.int8]
"""The number of cards of each group, a row for each group; int8 saves memory."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a hand, in the order of a listing: each array has an element for each cell.

    `shapes` and `honours` have the values of the records, including those for "off". `needs` has a
    row for each group of cards: the number of cards that the hand needs from it.
    """

    shapes: NDArray[np.uint16]
    honours: NDArray[np.uint16]
    needs: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.shapes)

    def __getitem__(self, place: int) -> Held:
        shape, honours = int(self.shapes[place]), int(self.honours[place])
        off = shape == PATTERN_OFF, honours == HONOURS_OFF
        return None if off[0] else shape, None if off[1] else honours

    def place_of(self, held: Held) -> int | None:
        """Return the index of the cell of a hand; None if there is none."""
        shape, honours = held
        same = self.shapes == (PATTERN_OFF if shape is None else shape)
        same &= self.honours == (HONOURS_OFF if honours is None else honours)
        places = np.flatnonzero(same).tolist()
        return places[0] if places else None

    @cached_property
    def named(self) -> NDArray[np.uint16]:
        """The honours as bits for comparison; 0 if honours are off."""
        off = self.honours == HONOURS_OFF
        return np.where(off, np.uint16(0), self.honours)


def cells_of(plan: Plan, accepts: Accepts) -> Cells:
    """Return the cells of a hand that a condition accepts.

    >>> from pavcodec.studies.cases.cells.deck import BRIDGE
    >>> plan = Plan((3,), patterns=True, honours=False)
    >>> cells = cells_of(plan, lambda lengths, _: np.array([max(lengths) > 11]))
    >>> len(cells), [BRIDGE.shape_of[index] for index in cells.shapes.tolist()[:2]]
    (16, [(12, 1, 0, 0), (12, 0, 1, 0)])
    """
    maps = np.array(plan.deck.maps) if plan.honours else None
    by_suit = None if maps is None else _honours_by_suit(plan, maps)
    parts = []
    for index, lengths in plan.deck.shape_of.items() if plan.patterns else [(PATTERN_OFF, None)]:
        needs = _needs(plan, lengths, by_suit)
        fits = np.flatnonzero(_fits(plan, needs))
        here = None if maps is None else maps[fits]
        kept = fits[accepts(lengths, here)]
        honours = np.full(len(kept), HONOURS_OFF) if maps is None else maps[kept]
        parts.append((np.full(len(kept), index), honours, needs[:, kept]))
    shapes, honours, needs = (np.concatenate(each, axis=-1) for each in zip(*parts, strict=True))
    return Cells(shapes.astype(np.uint16), honours.astype(np.uint16), needs.astype(np.uint8))


def _honours_by_suit(plan: Plan, maps: NDArray[np.int64]) -> Small:
    """Return the number of honours of each suit in each map, a row for each suit."""
    bits = plan.deck.honours
    ones = np.array([each.bit_count() for each in range(1 << bits)], np.int8)
    places = reversed(range(plan.deck.suits))
    return np.stack([ones[maps >> bits * place & (1 << bits) - 1] for place in places])


def _needs(plan: Plan, lengths: Lengths | None, by_suit: Small | None) -> Small:
    """Return `Plan.needs` for some lengths and all maps: a row for each group."""
    if lengths is None:
        assert by_suit is not None
        needed: Small = plan.deck.hand_size - by_suit.sum(axis=0, dtype=np.int8, keepdims=True)
        return needed
    column = np.array(lengths, np.int8)[:, None]
    return column if by_suit is None else column - by_suit


def _fits(plan: Plan, needs: Small) -> NDArray[np.bool_]:
    """Return for which cells each group has enough cards."""
    sizes = np.array([len(group) for group in plan.groups], np.int8)[:, None]
    fits: NDArray[np.bool_] = np.all((needs >= 0) & (needs <= sizes), axis=0)
    return fits


def binomials(most: int) -> NDArray[np.uint64]:
    """Return C(n, k) for n and k from 0 to `most`, a row for each n; 0 if k exceeds n."""
    rows = [[comb(n, k) for k in range(most + 1)] for n in range(most + 1)]
    return np.array(rows, np.uint64)
