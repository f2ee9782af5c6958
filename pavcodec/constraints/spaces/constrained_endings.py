"""Endings that satisfy a condition: equal hands of fewer than 13 cards, the rest played or unknown.

The walk and the model are those of deals, with a fifth owner, nobody. So the endings of a condition
have the order of the numbering `balanced`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, SupportsIndex, Unpack, cast

from pavcodec.constraints.counting.condition import Condition, ending_sizes
from pavcodec.constraints.expressions import condition_of
from pavcodec.constraints.known import KnownCards, with_known_cards
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.spaces.constrained import ConstrainedLayouts, ModelRanking
from pavcodec.errors import LayoutError, PavError
from pavcodec.layout import Layout
from pavcodec.legal import is_legal, signature, too_few_leads
from pavcodec.limits import MEMORY, memory_of
from pavcodec.walk import FixedSizes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pavcodec.constraints.nodes.syntax import Node


@dataclass(frozen=True)
class ConstrainedEndings(ConstrainedLayouts[Layout]):
    """The endings of a number of cards that satisfy a condition, in the order of `balanced`.

    All such endings, or those that legal play can reach. Made by `pavcodec.endings(where, cards=5)`
    or `pavcodec.endings(where, cards=5, legal=True)`. Positions run from 0 to `cardinality` - 1.

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
    def legal(self) -> bool:
        """Whether these are only endings that legal play can reach, in some denomination."""
        return self.condition.legal

    @property
    def method(self) -> str:
        """The words for the tag `Generator`: legal, or none."""
        return "legal" if self.legal else ""

    @property
    def noun(self) -> str:
        """What the layouts are: ending, or legal ending."""
        return "legal ending" if self.legal else "ending"

    @property
    def kind(self) -> str:
        """A phrase for messages: the endings before the condition is applied."""
        return _kind(self.cards, legal=self.legal)

    @property
    def probability(self) -> Fraction:
        """The exact share of all endings of so many cards."""
        return Fraction(self.cardinality, FixedSizes(self.sizes).cardinality)

    def rank(self, layout: Layout) -> int:
        """Return the number of a layout; raise `LayoutError` if it is not among them."""
        if self.legal and self._has_sizes(layout) and not _is_legal(layout):
            reason = too_few_leads(signature(layout.owners))
            raise LayoutError(f"this ending is not legal: {reason}")
        return super().rank(layout)

    def __contains__(self, layout: object) -> bool:
        if not super().__contains__(layout):
            return False
        return not self.legal or _is_legal(cast("Layout", layout))

    def contains_many(
        self, owners: NDArray[np.uint8], *, threads: SupportsIndex | None = None
    ) -> NDArray[np.bool_]:
        """Return for each of many layouts whether it is among these: `uint8[n, 52]` to `bool[n]`.

        Row k is what `in` returns for the layout of the owners in row k. This needs no counting.
        Errors are those of a space of deals.
        """
        inside = super().contains_many(owners, threads=threads)
        if not self.legal:
            return inside
        from pavcodec.numberings.legal import are_legal

        return inside & are_legal(owners, threads=threads)

    def __repr__(self) -> str:
        legal = ", legal=True" if self.legal else ""
        base = ".one_based()" if self.first else ""
        return f"endings({self.name!r}, cards={self.cards}{legal}){base}"


def endings(
    where: Expression | Node | str | int = 1,
    *,
    cards: SupportsIndex,
    legal: bool = False,
    memory: int | str = MEMORY,
    **known: Unpack[KnownCards],
) -> ConstrainedEndings:
    """Return the endings that satisfy a condition, with so many cards in each hand, 1 to 12.

    Functions read only the remaining cards: `hcp(north)` counts the cards that North still has. A
    shape has 13 cards, so `shape` is never true. With `legal`, only endings count that legal play
    can reach in some denomination; that takes a larger model. `memory` is that of `deals`. Raises
    `NumberError` for another number of cards, `PavError` for a condition that cannot be counted,
    and `ModelTooLarge` if counting takes more memory.

    Known cards are those of `deals`: each seat holds its `hands` without the cards that it played,
    and nobody holds the played and the unused cards.

    >>> from pavcodec import endings, numbering
    >>> endings(cards=3).cardinality
    76277828779152000
    >>> numbering("balanced").rank(endings(cards=12)[0]) == numbering("deal").cardinality
    True
    >>> endings(cards=4).cardinality - endings(cards=4, legal=True).cardinality == 17160**4
    True
    """
    each = ending_sizes(cards)[0]  # so that its errors precede those of the text
    node, limit = condition_of(where).node, memory_of(memory)
    node = with_known_cards(node, known, "endings", each)
    return endings_of(Condition.of_endings(node, cards, limit, legal=bool(legal)))


def endings_of(condition: Condition) -> ConstrainedEndings:
    """Return the endings of a condition; raise `PavError` where a part has to be tested."""
    split = condition.split()
    if split.tested:
        raise PavError(f"{split.reasons[0]}, and endings are only counted")
    kind = _kind(condition.sizes[0], legal=condition.legal)
    return ConstrainedEndings(
        condition.text,
        f"the {kind} that satisfy a condition, in the order of balanced",
        ModelRanking(condition),
        f"{kind} with {condition.text}",
        "",
    )


def _kind(cards: int, *, legal: bool) -> str:
    return f"{'legal ' * legal}endings of {cards} card{'s' * (cards > 1)}"


def _is_legal(layout: Layout) -> bool:
    return is_legal(signature(layout.owners))
