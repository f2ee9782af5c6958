"""From conditions to their deals, for all commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from pavcodec.cli.options.conditions import condition_of_node, condition_of_text
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.streams import UsageError
from pavcodec.errors import PavError
from pavcodec.layout import Deal

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from pavcodec.constraints import (
        ConstrainedDeals,
        ConstrainedEndings,
        Expression,
        TestedDeals,
        WeightedDeals,
    )
    from pavcodec.constraints.counting.condition import Condition
    from pavcodec.constraints.spaces.deals import Method
    from pavcodec.odds.questions import Space

    CountedSpace = ConstrainedDeals | ConstrainedEndings

__all__ = [
    "counted_of",
    "excluding",
    "exclusion",
    "is_tested",
    "kind_of",
    "refuse_empty",
    "space_of",
    "space_of_text",
]


def space_of(condition: Condition, method: Method = "exact") -> Space:
    """Return the counted deals or endings of a condition; print a notice if that takes long."""
    from pavcodec.constraints.counting.stored.model_files import FOUR_HANDS
    from pavcodec.constraints.spaces.constrained_endings import endings_of
    from pavcodec.constraints.spaces.deals import deals_of

    with waiting("counting"):
        is_of_deals = condition.sizes == FOUR_HANDS
        space: Space = deals_of(condition, method) if is_of_deals else endings_of(condition)
        counted_of(space).cardinality  # noqa: B018 (builds the model)
    return space


def kind_of(space: object) -> str:
    """Return what a space holds: deals, endings or legal endings."""
    if issubclass(getattr(space, "layout_type", Deal), Deal):
        return "deal"
    return "legal ending" if getattr(space, "legal", False) else "ending"


def space_of_text(
    text: str, memory: int | None = None, cards: int | None = None
) -> ConstrainedDeals:
    """Return the deals or endings of an expression as a numbering that is not empty."""
    space = space_of(condition_of_node(condition_of_text(text), memory, cards))
    if is_tested(space):
        from pavcodec.constraints.nodes.naming import show

        what = f"{show(space.tested.node)} cannot be counted"
        raise UsageError(f"{what}, so the deals have no indexes: {space.reasons[0]}")
    refuse_empty(space)
    return cast("ConstrainedDeals", space)


def refuse_empty(space: Space) -> None:
    """Raise `PavError` with the reason if there are no deals."""
    if not counted_of(space).cardinality:
        raise PavError(f"there are no {kind_of(space)}s: {exclusion(excluding(space))}")


def is_tested(space: Space | WeightedDeals) -> TypeIs[TestedDeals]:
    """Return whether a part of the condition is tested deal by deal."""
    from pavcodec.constraints import TestedDeals

    return isinstance(space, TestedDeals)


def counted_of(space: Space) -> CountedSpace:
    """Return the part of a space that is counted."""
    return space.counted if is_tested(space) else space


def excluding(space: Space) -> tuple[Expression, ...]:
    """Return the parts that exclude each other; none if there are deals."""
    counted = counted_of(space)
    if counted.cardinality:
        return ()
    from pavcodec.constraints.language.build import parts_of

    with waiting("looking for parts that exclude each other"):
        found = counted.conflict()
    if is_tested(space) and not {part.node for part in found} <= set(parts_of(space.where.node)):
        return (space.where,)  # what was counted follows from it, and nobody wrote it
    return found


def exclusion(parts: Sequence[Expression]) -> str:
    """Return why there are no deals, for a message."""
    from pavcodec.constraints.nodes.naming import show

    shown = [show(part.node) for part in parts]
    if len(shown) < 2:
        return f"{' '.join(shown)} is never true"
    *others, last = shown
    return f"{', '.join(others)} and {last} exclude each other"
