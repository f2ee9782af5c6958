"""The deals of a condition: counted as a whole, counted in part by a plan, or not counted."""

from __future__ import annotations

from typing import Literal, Unpack, get_args, overload

from pavcodec.cards import FOUR_HANDS
from pavcodec.constraints.counting.compile import NotCountableError
from pavcodec.constraints.counting.condition import Condition, Split, plan
from pavcodec.constraints.expressions import condition_of
from pavcodec.constraints.known import KnownCards, with_known_cards
from pavcodec.constraints.nodes.syntax import Node, Not, conjunction, measure_of
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.spaces.constrained import ConstrainedDeals
from pavcodec.constraints.spaces.constrained_endings import ConstrainedEndings, endings_of
from pavcodec.constraints.spaces.rejection import (
    MAX_CONSECUTIVE_REJECTIONS,
    MAX_CONSECUTIVE_REJECTIONS_IN_ARRAYS,
    CaseSpaces,
    TestedCases,
    TestedDeals,
)
from pavcodec.errors import check_text, suggest
from pavcodec.limits import MEMORY, memory_of

DealSpace = ConstrainedDeals | TestedDeals
CountableSpace = DealSpace | ConstrainedEndings

Method = Literal["plan", "exact", "counted", "test"]


@overload
def deals(
    where: Expression | Node | str | int = 1,
    *,
    memory: int | str = MEMORY,
    method: Literal["counted"],
    **known: Unpack[KnownCards],
) -> ConstrainedDeals: ...
@overload
def deals(
    where: Expression | Node | str | int = 1,
    *,
    memory: int | str = MEMORY,
    method: Method = "plan",
    **known: Unpack[KnownCards],
) -> DealSpace: ...
def deals(
    where: Expression | Node | str | int = 1,
    *,
    memory: int | str = MEMORY,
    method: Method = "plan",
    **known: Unpack[KnownCards],
) -> DealSpace:
    """Return the deals that satisfy a condition: an exact numbering if it can be counted.

    `where` is a text in the language, or an expression. A condition that cannot be counted as a
    whole gives `TestedDeals`: they are drawn from a part that is counted, and the rest is tested,
    so the sample is exact and the cardinality an estimate. The counted part depends only on the
    condition (`pavcodec.constraints.counting`). The method "exact" counts all parts with a
    diagram, of any size, or raises `ModelTooLarge`; "counted" also raises `NotCountableError` for a
    part without a diagram, so its result is a `ConstrainedDeals`, for people and for type checkers;
    "test" draws from all deals and tests. `memory`
    is the most bytes that counting may take, as a number or as text such as "2G"; `ModelTooLarge`
    names the part that takes more.

    The other arguments are known cards, as `pavcodec.position` describes them: `hands`, `played`,
    `shown_out` and `unused`, or `known`, a position. They become parts of the condition.

    Raises `TextError` for a text that is no condition. A text whose meaning may surprise its
    author, or that is the same for all deals, gives a `ConstraintWarning`. Raises `NumberError` for
    an invalid memory size, and `UnknownNameError` for another method.

    >>> deals("hcp(north) == 37").cardinality
    337912392291465600
    >>> deals("spades(east) >= 3", hands={"S": "AKQ2.K85.AJ4.T63", "N": "J4.AQ7.."}).cardinality
    104276953831050
    """
    node = with_known_cards(condition_of(where).node, known, "deals")
    return deals_of(Condition(node, memory_of(memory)), method)


def deals_of(condition: Condition, method: Method = "plan") -> DealSpace:
    """Return the deals of a condition; `method` and the errors are those of `deals`."""
    check_text("the name of a method", method)
    match method:
        case "plan":
            split = plan(condition)
        case "exact":
            split = condition.split()
        case "counted":
            split = condition.split()
            if split.tested:
                raise NotCountableError(
                    f"{split.reasons[0]}, and the method 'counted' tests nothing: leave out that "
                    "part, or choose another method"
                )
        case "test":
            reasons = ("the method 'test' counts nothing",) * len(condition.parts)
            split = Split(condition.of(()), condition.parts, reasons)
        case _:
            raise suggest("method", method, list(get_args(Method)))
    if split.cases:
        return _by_cases(condition, split)
    counted = ConstrainedDeals.of(split.counted)
    if not split.tested:
        return counted
    tested = Expression(conjunction(split.tested))
    is_plain = not split.plan and set(split.counted.parts) <= set(condition.parts)
    return TestedDeals(
        counted,
        tested,
        split.reasons,
        max_consecutive_rejections=_max_consecutive_rejections(tested),
        whole=None if is_plain else Expression(condition.node),
        plan=split.plan,
    )


def space_of(condition: Condition, method: Method) -> CountableSpace:
    """Return the deals of a condition, or its endings, which are always counted."""
    return deals_of(condition, method) if condition.sizes == FOUR_HANDS else endings_of(condition)


def _max_consecutive_rejections(tested: Expression) -> int:
    needs_rows = measure_of(tested.node).reason
    return MAX_CONSECUTIVE_REJECTIONS if needs_rows else MAX_CONSECUTIVE_REJECTIONS_IN_ARRAYS


def _by_cases(condition: Condition, split: Split) -> TestedDeals:
    """Return the deals of a condition that is split into cases."""
    counted = CaseSpaces(tuple(ConstrainedDeals.of(case.counted) for case in split.cases))
    before = [Not(case.counted.node) for case in split.cases]
    tests = [conjunction([*split.tested, *before[:index]]) for index in range(len(before))]
    tested, whole = Expression(conjunction(split.tested)), Expression(condition.node)
    return TestedCases(
        counted,
        tested,
        split.reasons,
        None,
        _max_consecutive_rejections(tested),
        whole,
        split.plan,
        tuple(tests),
    )
