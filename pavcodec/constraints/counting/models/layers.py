"""The layers of a counting model: nodes, their children, and the number of ways of each node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray  # noqa: TC002 (for the dataclass)

from pavcodec.constraints.counting.diagrams.diagram import Diagram, Ids

DEAD = -1

NODE_BYTES = 16
LINK_BYTES = 4
"""The bytes of the ways of a node, and of each of its children."""

_MOST_LAYERS = 256


class Layer(NamedTuple):
    """The nodes before a card: for each letter the child in the next layer or -1, and the ways.

    `ways` has two columns of 64 bits, high and low; for large sums of weights it has more.
    """

    children: NDArray[np.int32]
    ways: NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Counted:
    """A counted automaton, in the arrays that the kernel reads; its layers are parts of them.

    `starts` has the number of nodes before each layer, and of all. `children` has a row for each
    node. `ways` has, for each layer and for the nodes after the last card, a row of zeros, which
    are the ways of the child -1, and then a row for each node.
    """

    starts: NDArray[np.int64]
    children: NDArray[np.int32]
    ways: NDArray[np.uint64]

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """The layers, from the first card on."""
        pairs = pairwise(self.starts.tolist())
        return tuple(
            Layer(self.children[first:end], self.ways[first + card + 1 : end + card + 1])
            for card, (first, end) in enumerate(pairs)
        )

    @property
    def ends(self) -> NDArray[np.uint64]:
        """The ways of the nodes after the last card."""
        return self.ways[int(self.starts[-1]) + len(self.starts) :]


class CountedBack:
    """The arrays of an automaton that is counted from the last card back.

    They have room for the most nodes that may be, and are filled from the end; what stays empty
    takes no memory, since systems give memory only to what is written.
    """

    def __init__(self, most: int, letters: int, ends: NDArray[np.uint64]) -> None:
        self._children = np.empty((most, letters), np.int32)
        self._ways = np.empty((most + len(ends) + _MOST_LAYERS, ends.shape[1]), np.uint64)
        self._widths: list[int] = []
        self._node, self._way = most, len(self._ways)
        self._put(len(ends))[:] = ends

    def _put(self, width: int) -> NDArray[np.uint64]:
        end = self._way
        self._way = end - width - 1
        self._ways[self._way] = 0
        return self._ways[end - width : end]

    def room(self, width: int) -> Layer:
        """Return the arrays of the next layer, of so many nodes, to be written."""
        end, self._node = self._node, self._node - width
        self._widths.append(width)
        return Layer(self._children[self._node : end], self._put(width))

    def counted(self) -> Counted:
        """Return the automaton of the layers so far."""
        starts = np.cumsum([0, *self._widths[::-1]], dtype=np.int64)
        return Counted(starts, self._children[self._node :], self._ways[self._way :])


@cache
def arrangements(sizes: tuple[int, ...]) -> int:
    """Return the number of ways to deal so many cards to hands of these sizes."""
    ways = factorial(sum(sizes))
    return ways // prod(map(factorial, sizes))


def integers_of(rows: NDArray[np.uint64]) -> list[int]:
    """Return rows of 64-bit limbs, the highest first, as integers.

    >>> integers_of(np.array([[1, 5], [0, 7]], np.uint64))
    [18446744073709551621, 7]
    """
    if rows.shape[1] == 2:
        return [high << 64 | low for high, low in rows.tolist()]
    return [
        sum(limb << 64 * power for power, limb in enumerate(row[::-1])) for row in rows.tolist()
    ]


def living_steps(factor: Diagram, columns: Sequence[int]) -> list[Ids]:
    """Return the layers of a factor without nodes that only lead to 0; -1 marks dead ends.

    `columns` has for each letter of the model the letter of the factor.
    """
    alive = [constants != 0 for constants in factor.constants()]
    places = [np.where(living, np.cumsum(living) - 1, DEAD) for living in alive]
    return [
        places[card + 1][layer[alive[card]]][:, columns] for card, layer in enumerate(factor.layers)
    ]
