"""What is counted and what is tested of a condition, and why there are no deals, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from pavcodec.chances.figures import many
from pavcodec.errors import PavError

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from pavcodec.constraints import (
        ConstrainedDeals,
        ConstrainedEndings,
        Expression,
        TestedDeals,
        WeightedDeals,
    )
    from pavcodec.constraints.spaces.deals import CountableSpace as Space

    CountedSpace: TypeAlias = ConstrainedDeals | ConstrainedEndings


def is_tested(space: Space | WeightedDeals) -> TypeIs[TestedDeals]:
    """Return whether a part of the condition is tested deal by deal."""
    from pavcodec.constraints import TestedDeals

    return isinstance(space, TestedDeals)


def parts_tested(space: Space) -> list[tuple[Expression, str]]:
    """Return the tested parts, each with the reason why it is not counted."""
    return list(zip(space.tested.parts, space.reasons, strict=True)) if is_tested(space) else []


def excluding(space: Space) -> tuple[Expression, ...]:
    """Return the parts that exclude each other; none if there are deals."""
    counted = space.counted
    if counted.cardinality:
        return ()
    from pavcodec.constraints.nodes.syntax import parts_of

    conflict = counted.conflict()
    if is_tested(space) and not {part.node for part in conflict} <= set(parts_of(space.where.node)):
        return (space.where,)  # what was counted follows from it, and nobody wrote it
    return conflict


def exclusion(parts: Sequence[Expression]) -> str:
    """Return why there are no deals, for a message.

    >>> from pavcodec import expression
    >>> exclusion([expression("hcp(south) >= 38")])
    "'hcp(south) >= 38' is never true"
    """
    from pavcodec.constraints.nodes.format import show

    shown = [show(part.node) for part in parts]
    if len(shown) < 2:
        return f"{' '.join(shown)} is never true"
    *others, last = shown
    return f"{', '.join(others)} and {last} exclude each other"


def no_deals(space: Space, parts: Sequence[Expression]) -> PavError:
    """Return the error that a space has no deals, for these parts exclude each other."""
    return PavError(f"there are no {space.noun}s: {exclusion(parts)}")


def plan_lines(space: Space | None) -> Iterator[str]:
    """Yield a line on the counted part of a condition that is too large as a whole."""
    if space is None or not is_tested(space) or not space.plan:
        return
    parts = len(space.tested.parts)
    tested = f"{many(parts, 'part')} of the condition {'is' if parts == 1 else 'are'} tested"
    cases = [" and ".join(_SEATS[seat] for seat in case) for case in space.plan.split("+")]
    yield f"plan: what the condition says of {'; '.join(cases)} is counted, {tested}"


_SEATS = {"N": "North", "E": "East", "S": "South", "W": "West"}
