"""Constraints as numberings: the deals that satisfy a condition, in the order of deal numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Self, SupportsIndex, cast

from pavcodec.constraints.cache import load_model, store_model
from pavcodec.constraints.evaluate import evaluate
from pavcodec.constraints.expressions import Expression, expression
from pavcodec.constraints.format import format_node
from pavcodec.constraints.model import Model
from pavcodec.constraints.split import MEMORY, conflict, model_of, parts_of
from pavcodec.constraints.syntax import Node
from pavcodec.layout import Deal, Layout
from pavcodec.numberings import Numbering, numbering
from pavcodec.records import NumberRecord
from pavcodec.sampling import Seed
from pavcodec.walk import NotAMemberError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ConstrainedDeals", "ModelRanking"]


@dataclass(frozen=True)
class ModelRanking:
    """The order behind a constraint: a ranking over the words of a counting model."""

    condition: Node
    memory: int = field(default=MEMORY, compare=False)

    @cached_property
    def model(self) -> Model:
        """The counting model, built or read from the cache when it is first needed."""
        text = format_node(self.condition)
        found = load_model(text)
        if found is None:
            found = model_of(parts_of(self.condition), self.memory)
            store_model(text, found)
        return found

    @property
    def cardinality(self) -> int:
        """The number of deals."""
        return self.model.cardinality

    def rank(self, word: bytes) -> int:
        """Return how many deals of the constraint come before this one."""
        number = self.model.rank(word)
        if number is None:
            raise NotAMemberError
        return number

    def unrank(self, number: int) -> bytes:
        """Return the owners of the deal with so many before it."""
        return self.model.unrank(number)

    def __reduce__(self) -> tuple[object, tuple[Node, int]]:
        return ModelRanking, (self.condition, self.memory)


@dataclass(frozen=True)
class ConstrainedDeals(Numbering):
    """The deals that satisfy a condition, as a numbering: exact, in the order of deal numbers.

    Made by `pavcodec.deals(where)`. Positions run from 0 to `cardinality` - 1, so that a condition
    and a position name a deal for ever.

    >>> from pavcodec import deals
    >>> space = deals("spades(west) == 9")
    >>> space.cardinality, space.probability
    (4968111751882804000476000, Fraction(10684349, 115366234875))
    >>> print(space[0])
    N:AKQJ.AKQJT9876.. .5432.AKQJT9876. ..5432.AKQJT9876 T98765432...5432
    >>> space.rank(space[10**20]), space[-1] in space, numbering("deal")[0] in space
    (100000000000000000000, True, False)
    """

    @classmethod
    def of(cls, where: Expression, *, memory: int = MEMORY) -> Self:
        """Return the deals of a condition that can be counted."""
        text = str(where)
        return cls(
            text,
            "the deals that satisfy a condition, in the order of deal numbers",
            ModelRanking(where.node, memory),
            f"deals with {text}",
            "deal12",
            Deal,
        )

    @property
    def where(self) -> Expression:
        """The condition."""
        return expression(self._order.condition)

    @property
    def model(self) -> Model:
        """The counting model; reading it builds it."""
        return self._order.model

    @property
    def probability(self) -> Fraction:
        """The exact share of all deals."""
        return Fraction(self.cardinality, numbering("deal").cardinality)

    @property
    def record(self) -> NumberRecord:
        """The record that holds a position, in as few bytes as the cardinality needs."""
        width = max(1, self.width)
        return NumberRecord(f"index{width}", width, "a position", lambda: self.cardinality)

    def conflict(self) -> tuple[Expression, ...]:
        """Return parts of the condition that exclude each other; none if there are any deals.

        >>> from pavcodec import deals
        >>> deals("hcp(north) >= 30 && spades(east) == 5 && hcp(south) >= 20").conflict()
        (expression('hcp(north) >= 30'), expression('hcp(south) >= 20'))
        """
        found = conflict(parts_of(self._order.condition), self._order.memory)
        return tuple(map(expression, found))

    def draw(
        self, count: SupportsIndex, *, seed: Seed | None = None, start: SupportsIndex = 0
    ) -> NDArray[np.uint64]:
        """Return the deal numbers of random deals: `uint64[n, 2]`, columns high and low.

        Row k is the number, in the numbering `deal`, of item k of `sample` with the same arguments.
        """
        from pavcodec.constraints.batch import deals_of

        return deals_of(self.model, super().draw(count, seed=seed, start=start))[0]

    def __contains__(self, layout: object) -> bool:
        if not isinstance(layout, Layout) or not layout.is_deal:
            return False
        return bool(evaluate(self._order.condition, layout))

    @property
    def _order(self) -> ModelRanking:
        return cast("ModelRanking", self.ranking)

    def __repr__(self) -> str:
        return f"deals({self.name!r})"
