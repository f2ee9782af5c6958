"""From a condition to its deals: counted as a whole, or as far as the plan says, or not at all."""

from __future__ import annotations

from typing import Literal, get_args

from pavcodec.constraints.counting.countable import Split, conjunction_of, split
from pavcodec.constraints.counting.diagrams.compile import tested_for
from pavcodec.constraints.expressions import Expression, condition_of
from pavcodec.constraints.language.build import parts_of
from pavcodec.constraints.nodes.syntax import Node, Not
from pavcodec.constraints.spaces.constrained import ConstrainedDeals
from pavcodec.constraints.spaces.rejection import (
    MAX_CONSECUTIVE_REJECTIONS,
    MAX_CONSECUTIVE_REJECTIONS_IN_ARRAYS,
    TestedDeals,
)
from pavcodec.errors import suggest
from pavcodec.limits.memory import MEMORY, memory_of

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
    but the condition (`pavcodec.constraints.counting.plan`). The method "exact" counts all that has
    a diagram, however large, or raises `ModelTooLarge`; "test" draws from all deals and tests.
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
    if parts.cases:
        return _by_cases(condition, parts, limit)
    counted = _counted(parts, limit)
    if not parts.tested:
        return counted
    tested = Expression(conjunction_of(parts.tested))
    is_plain = not parts.plan and set(parts.counted) <= set(parts_of(condition))
    return TestedDeals(
        counted,
        tested,
        parts.reasons,
        max_consecutive_rejections=_max_consecutive_rejections(tested),
        whole=None if is_plain else Expression(condition),
        plan=parts.plan,
    )


def _counted(parts: Split, memory: int) -> ConstrainedDeals:
    """Return the deals of what is counted."""
    return ConstrainedDeals.of(
        Expression(conjunction_of(parts.counted)),
        memory=memory,
        diagrams=parts.diagrams,
        model=parts.model,
    )


def _max_consecutive_rejections(tested: Expression) -> int:
    return (
        MAX_CONSECUTIVE_REJECTIONS
        if tested_for(tested.node)
        else MAX_CONSECUTIVE_REJECTIONS_IN_ARRAYS
    )


def _by_cases(condition: Node, parts: Split, memory: int) -> TestedDeals:
    """Return the deals of a condition that is taken apart into cases."""
    from pavcodec.constraints.spaces.rejection_cases import CaseSpaces, TestedCases

    counted = CaseSpaces(tuple(_counted(case, memory) for case in parts.cases))
    before = [Not(conjunction_of(case.counted)) for case in parts.cases]
    tests = [conjunction_of([*parts.tested, *before[:place]]) for place in range(len(before))]
    tested, whole = Expression(conjunction_of(parts.tested)), Expression(condition)
    return TestedCases(
        counted,
        tested,
        parts.reasons,
        None,
        _max_consecutive_rejections(tested),
        whole,
        parts.plan,
        tuple(tests),
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
    from pavcodec.constraints.counting.plan import plan

    return plan(condition, memory)
