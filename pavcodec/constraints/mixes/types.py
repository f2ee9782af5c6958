"""The types of a mix: their conditions and their deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from pavcodec.constraints.nodes.syntax import Node
from pavcodec.constraints.nodes.trees import conjunction, parts_of
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.spaces.constrained import ConstrainedDeals
from pavcodec.constraints.spaces.deals import DealSpace, deals
from pavcodec.constraints.spaces.rejection import TestedDeals
from pavcodec.constraints.spaces.share import Estimate, count_row
from pavcodec.layout.drawings import notebook_table, percent
from pavcodec.limits import MEMORY
from pavcodec.numberings import numbering

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
    def cardinality(self) -> int | Estimate[int]:
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
    return conjunction([part for each in conditions for part in parts_of(each)])


def counted_part(space: DealSpace) -> ConstrainedDeals:
    """Return the part of a space that is counted."""
    return space.counted if isinstance(space, TestedDeals) else space


# Mixes as rows of JSON: the exact numbers of each type, and estimates where a part is tested.


def estimates_of(types: Sequence[MixType]) -> list[Estimate[int] | None]:
    """Return for each type the estimate of its deals; None where they are counted."""
    cardinalities = [kind.cardinality for kind in types]
    return [each if isinstance(each, Estimate) else None for each in cardinalities]


def natural_share(types: Sequence[MixType], kind: MixType) -> Fraction | None:
    """Return the share of a type in all deals of a mix; None if it is not counted."""
    if any(isinstance(each.space, TestedDeals) for each in types):
        return None
    total = sum(counted_part(each.space).cardinality for each in types)
    return Fraction(counted_part(kind.space).cardinality, total)


def mix_row(
    types: Sequence[MixType], estimates: Sequence[Estimate[int] | None]
) -> dict[str, object]:
    """Return the numbers of a mix for JSON; the command `count` prints them.

    >>> from pavcodec import mix
    >>> types = mix([("hcp(south) >= 20", 1), ("hcp(south) >= 12", 3)]).types
    >>> mix_row(types, [None, None])["types"][1]["share"]
    '3/4'
    """
    total = None
    if not any(estimates):
        total = sum(counted_part(kind.space).cardinality for kind in types)
    rows = [_type_row(types, kind, guess) for kind, guess in zip(types, estimates, strict=True)]
    return count_row(total, numbering("deal").cardinality) | {"types": rows}


def mix_html(types: Sequence[MixType], given: str) -> str:
    """Return the types of a mix as a table in HTML; it counts no more and tests nothing."""
    heads, rows = ["type", "share, %", "weight", "deals", "condition"], []
    for number, kind in enumerate(types, start=1):
        counted = f"{counted_part(kind.space).cardinality:,}"
        shown = f"at most {counted}" if isinstance(kind.space, TestedDeals) else counted
        rows.append([number, percent(kind.share), kind.weight, shown, str(kind.where)])
    most = max(kind.share for kind in types)
    bars = [kind.share / most for kind in types]
    notes = [] if given == "1" else [f"all deals satisfy {given}"]
    return notebook_table("mix", heads, rows, texts=(4,), bars=bars, notes=notes)


def _type_row(
    types: Sequence[MixType], kind: MixType, guess: Estimate[int] | None
) -> dict[str, object]:
    natural, overlap = natural_share(types, kind), kind.overlap
    row: dict[str, object] = {"condition": str(kind.where), "weight": str(kind.weight)}
    row |= {"share": str(kind.share), "natural": None if natural is None else str(natural)}
    row["cardinality"] = str(kind.cardinality) if guess is None else None
    row["overlap"] = None if overlap is None else str(overlap)
    return row if guess is None else row | {"estimate": guess.ends()}
