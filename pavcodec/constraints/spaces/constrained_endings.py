"""Endings that satisfy a condition: equal hands of fewer than 13 cards, the rest played or unknown.

The walk and the model are those of deals, with a fifth owner: nobody. So the endings of a condition
stand in the order of the numbering `balanced`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from operator import index as as_integer
from typing import TYPE_CHECKING, SupportsIndex

from pavcodec.cards import DECK_SIZE, HAND_SIZE, Seat
from pavcodec.constraints.counting.countable import split
from pavcodec.constraints.counting.models.layers import arrangements
from pavcodec.constraints.expressions import Expression, condition_of
from pavcodec.constraints.spaces.constrained import ConstrainedLayouts, ModelRanking
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.limits.memory import MEMORY, memory_of

if TYPE_CHECKING:
    from pavcodec.constraints.nodes.syntax import Node

__all__ = ["ConstrainedEndings", "endings"]


@dataclass(frozen=True)
class ConstrainedEndings(ConstrainedLayouts):
    """The endings of a number of cards that satisfy a condition, in the order of `balanced`.

    Made by `pavcodec.endings(where, cards=5)`. Positions run from 0 to `cardinality` - 1.

    >>> from pavcodec import endings
    >>> space = endings("spades(south) == 5 && hcp(west) == 0", cards=5)
    >>> space.cardinality, float(space.probability)
    (105868213141224990456, 7.161663678991691e-05)
    >>> space.sample(1, seed=7)
    [Layout.from_pbn('N:T.A2.8.4 7.84.J.A K8532... .93.74.3')]
    """

    @property
    def cards(self) -> int:
        """The cards in each hand."""
        return self.sizes[0]

    @property
    def probability(self) -> Fraction:
        """The exact share of all endings of so many cards."""
        return Fraction(self.cardinality, arrangements(self.sizes))

    def __repr__(self) -> str:
        return f"endings({self.name!r}, cards={self.cards}){'.one_based()' if self.first else ''}"


def endings(
    where: Expression | Node | str | int = 1,
    *,
    cards: SupportsIndex,
    memory: int | str = MEMORY,
) -> ConstrainedEndings:
    """Return the endings that satisfy a condition, with so many cards in each hand, 1 to 12.

    Functions look only at the cards that are held: `hcp(north)` counts what North has left. A shape
    has 13 cards, so `shape` is never true. `memory` is that of `deals`. Raises `NumberError` for
    another number of cards, and `NotCountableError` for a condition that nobody can count.

    >>> from pavcodec import endings, numbering
    >>> endings(cards=3).cardinality
    76277828779152000
    >>> numbering("balanced").rank(endings(cards=12)[0]) == numbering("deal").cardinality
    True
    """
    each, nobody = as_integer(cards), DECK_SIZE - len(Seat) * as_integer(cards)
    if not 1 <= each < HAND_SIZE:
        raise NumberError(
            f"an ending has 1 to {HAND_SIZE - 1} cards in each hand, not {shown(each)}"
        )
    sizes, limit = (*[each] * len(Seat), nobody), memory_of(memory)
    condition = condition_of(where)
    parts = split(condition.node, limit, sizes)
    if parts.tested:
        raise PavError(f"{parts.reasons[0]}, and endings are only counted")
    ranking = ModelRanking(condition.node, limit, sizes, parts.diagrams)
    text = str(condition)
    return ConstrainedEndings(
        text,
        f"the endings of {each} cards that satisfy a condition, in the order of balanced",
        ranking,
        f"endings of {each} card{'s' * (each > 1)} with {text}",
        "",
    )
