"""From conditions to their deals, for all commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from pavcodec.cli.options.conditions import condition_of_node, condition_of_text
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.streams import UsageError
from pavcodec.odds import plans
from pavcodec.odds.plans import counted_of, is_tested, no_deals

if TYPE_CHECKING:
    from pavcodec.constraints import ConstrainedDeals, Expression
    from pavcodec.constraints.counting.condition import Condition
    from pavcodec.constraints.spaces.deals import Method
    from pavcodec.odds.questions import Space

__all__ = [
    "excluding",
    "refuse_empty",
    "space_of",
    "space_of_text",
]


def space_of(condition: Condition, method: Method = "exact") -> Space:
    """Return the counted deals or endings of a condition; print a notice if that takes long."""
    from pavcodec.cards import FOUR_HANDS
    from pavcodec.constraints.spaces.constrained_endings import endings_of
    from pavcodec.constraints.spaces.deals import deals_of

    with waiting("counting"):
        is_of_deals = condition.sizes == FOUR_HANDS
        space: Space = deals_of(condition, method) if is_of_deals else endings_of(condition)
        counted_of(space).cardinality  # noqa: B018 (builds the model)
    return space


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
        raise no_deals(space, excluding(space))


def excluding(space: Space) -> tuple[Expression, ...]:
    """Return the parts that exclude each other; print a notice if that takes long."""
    with waiting("looking for parts that exclude each other"):
        return plans.excluding(space)
