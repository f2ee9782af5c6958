"""From a condition to its deals: exact where it can be counted, tested deal by deal where not."""

from __future__ import annotations

from pavcodec.constraints.constrained import ConstrainedDeals
from pavcodec.constraints.expressions import Expression, condition_of
from pavcodec.constraints.memory import MEMORY, memory_of
from pavcodec.constraints.split import conjunction_of, split
from pavcodec.constraints.syntax import Node
from pavcodec.constraints.tested import TestedDeals

__all__ = ["deals"]


def deals(
    where: Expression | Node | str | int, *, memory: int | str = MEMORY
) -> ConstrainedDeals | TestedDeals:
    """Return the deals that satisfy a condition: an exact numbering wherever it can be counted.

    `where` is a text in the language, or an expression. A condition with parts that nobody can
    count gives `TestedDeals`, which samples exactly and estimates its cardinality. `memory` is the
    most bytes that counting may take, as a number or as text such as "2G"; `ModelTooLarge` says
    what takes more. Raises `TextError` for a text that is no condition; one that may mean something
    else than it seems to, or is the same for all deals, gives a `ConstraintWarning`.
    `NumberError` is for a memory that is no size.

    >>> deals("hcp(north) == 37").cardinality
    337912392291465600
    """
    condition = condition_of(where).node
    limit = memory_of(memory)
    parts = split(condition, limit)
    counted = ConstrainedDeals.of(
        Expression(conjunction_of(parts.counted)),
        memory=limit,
        diagrams=parts.diagrams,
        model=parts.model,
    )
    if not parts.tested:
        return counted
    return TestedDeals(counted, Expression(conjunction_of(parts.tested)), parts.reasons)
