"""The layers of a counting model: nodes, their children, and the number of ways of each node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray  # noqa: TC002 (for the dataclass)

from pavcodec.constraints.counting.diagrams.diagram import Diagram, Ids

DEAD = -1

NODE_BYTES = 16
LINK_BYTES = 4
"""The bytes of the ways of a node, and of each of its children."""


@dataclass(frozen=True, eq=False)
class Layer:
    """The nodes before a card: for each letter the child in the next layer or -1, and the ways.

    `ways` has two columns of 64 bits, high and low; for large sums of weights it has more.
    """

    children: NDArray[np.int32]
    ways: NDArray[np.uint64]


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


def sums_of(links: NDArray[np.int32], ways: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return for each node the sum of the ways of its children, with carry."""
    highs, lows = (np.append(limbs, np.uint64(0)) for limbs in ways.T)
    total = np.zeros((len(links), 2), np.uint64)
    high, low = total.T
    for children in links.T:
        more = lows[children]  # -1 is the last place
        low += more
        high += highs[children]
        high += low < more
    return total
