"""The types of a mix: their conditions and their deals."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from pavcodec.constraints.counting.condition import conjunction_of
from pavcodec.constraints.expressions import Expression
from pavcodec.constraints.language.build import parts_of
from pavcodec.constraints.nodes.syntax import Node
from pavcodec.constraints.spaces.constrained import ConstrainedDeals
from pavcodec.constraints.spaces.deals import DealSpace, deals
from pavcodec.constraints.spaces.estimate import Estimate
from pavcodec.constraints.spaces.rejection import TestedDeals
from pavcodec.limits.memory import MEMORY

__all__ = ["ConditionLike", "MixType", "counted_part", "joined"]


ConditionLike = Expression | Node | str | int


@dataclass(frozen=True)
class MixType:
    """A type of a mix: a condition, its deals without those of earlier types, its frequency.

    `space` holds the deals of the type: no deal has two types.
    """

    condition: Node
    weight: Fraction
    """The given weight; without one, the number of deals."""
    share: Fraction
    """The share of this type in the mix."""
    space: DealSpace
    base: Node
    """The condition that all types share."""
    memory: int = field(default=MEMORY, compare=False, repr=False)

    @property
    def where(self) -> Expression:
        """The condition as it was written."""
        return Expression(self.condition)

    @property
    def cardinality(self) -> int | Estimate:
        """The number of deals of the type; an estimate where a part is tested."""
        return self.space.cardinality

    @cached_property
    def fitting(self) -> DealSpace:
        """All deals that fit the condition, also those of earlier types."""
        whole = joined(self.base, self.condition)
        return self.space if self.space.where.node == whole else deals(whole, memory=self.memory)

    @property
    def overlap(self) -> int | None:
        """The deals of the condition with an earlier type; None if they cannot be counted."""
        fitting, left = self.fitting, self.space
        if isinstance(fitting, TestedDeals) or isinstance(left, TestedDeals):
            return None
        return fitting.cardinality - left.cardinality


def joined(*conditions: Node) -> Node:
    """Return the conjunction of some conditions."""
    return conjunction_of([part for each in conditions for part in parts_of(each)])


def counted_part(space: DealSpace) -> ConstrainedDeals:
    """Return the part of a space that is counted."""
    return space.counted if isinstance(space, TestedDeals) else space
