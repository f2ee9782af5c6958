"""From a condition to its deals: counted as a whole, or as far as the plan says, or not at all."""

from __future__ import annotations

from typing import Literal, get_args

from pavcodec.constraints.build import parts_of
from pavcodec.constraints.compile import tested_for
from pavcodec.constraints.constrained import ConstrainedDeals
from pavcodec.constraints.expressions import Expression, condition_of
from pavcodec.constraints.memory import MEMORY, memory_of
from pavcodec.constraints.split import Split, conjunction_of, split
from pavcodec.constraints.syntax import Node
from pavcodec.constraints.tested import PATIENCE, PATIENCE_IN_ARRAYS, TestedDeals
from pavcodec.errors import suggest

__all__ = ["METHODS", "Method", "deals"]

Method = Literal["plan", "exact", "test"]
METHODS: tuple[str, ...] = get_args(Method)

_ASKED_FOR = "the method 'test' counts nothing"


def deals(
    where: Expression | Node | str | int, *, memory: int | str = MEMORY, method: Method = "plan"
) -> ConstrainedDeals | TestedDeals:
    """Return the deals that satisfy a condition: an exact numbering wherever it can be counted.

    `where` is a text in the language, or an expression. A condition that cannot be counted as a
    whole gives `TestedDeals`: they are drawn from a part that is counted, and the rest is tested,
    so the sample is exact and the cardinality an estimate. Which part that is depends on nothing
    but the condition (`pavcodec.constraints.plan`). The method "exact" counts all that has a
    diagram, however large, or raises `ModelTooLarge`; "test" draws from all deals and tests.
    `memory` is the most bytes that counting may take, as a number or as text such as "2G";
    `ModelTooLarge` says what takes more.

    Raises `TextError` for a text that is no condition. A text that may mean something else than it
    seems to, or is the same for all deals, gives a `ConstraintWarning`. `NumberError` is for a
    memory that is no size, `UnknownNameError` for another method.

    >>> deals("hcp(north) == 37").cardinality
    337912392291465600
    """
    condition = condition_of(where).node
    limit = memory_of(memory)
    parts = _split(condition, limit, method)
    counted = ConstrainedDeals.of(
        Expression(conjunction_of(parts.counted)),
        memory=limit,
        diagrams=parts.diagrams,
        model=parts.model,
    )
    if not parts.tested:
        return counted
    tested = Expression(conjunction_of(parts.tested))
    whole = None if set(parts.counted) <= set(parts_of(condition)) else Expression(condition)
    patience = PATIENCE if tested_for(tested.node) else PATIENCE_IN_ARRAYS
    return TestedDeals(
        counted, tested, parts.reasons, patience=patience, whole=whole, plan=parts.plan
    )


def _split(condition: Node, memory: int, method: str) -> Split:
    """Return what is counted and what is tested by a method."""
    if method == "exact":
        return split(condition, memory)
    if method == "test":
        parts = parts_of(condition)
        return Split((), parts, (_ASKED_FOR,) * len(parts))
    if method != "plan":
        raise suggest("method", method, list(METHODS))
    from pavcodec.constraints.plan import plan

    return plan(condition, memory)
