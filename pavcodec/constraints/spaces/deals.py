"""The deals of a condition: counted as a whole, counted in part by a plan, or not counted.

Its endings are always counted.
"""

from __future__ import annotations

from typing import Literal, SupportsIndex, Unpack, get_args, overload

from pavcodec.cards import FOUR_HANDS
from pavcodec.constraints.counting.compile import NotCountableError
from pavcodec.constraints.counting.condition import Condition, Split, ending_sizes, plan
from pavcodec.constraints.expressions import condition_of
from pavcodec.constraints.known import KnownCards, with_known_cards
from pavcodec.constraints.nodes.syntax import Node, Not, conjunction, measure_of
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.spaces.constrained import (
    ConstrainedDeals,
    ConstrainedEndings,
    ModelRanking,
    kind_of_endings,
)
from pavcodec.constraints.spaces.rejection import (
    MAX_CONSECUTIVE_REJECTIONS,
    MAX_CONSECUTIVE_REJECTIONS_IN_ARRAYS,
    CaseSpaces,
    TestedCases,
    TestedDeals,
)
from pavcodec.errors import PavError, check_text, suggest
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


def endings(
    where: Expression | Node | str | int = 1,
    *,
    cards: SupportsIndex,
    legal: bool = False,
    memory: int | str = MEMORY,
    **known: Unpack[KnownCards],
) -> ConstrainedEndings:
    """Return the endings that satisfy a condition, with so many cards in each hand, 1 to 12.

    Functions read only the remaining cards: `hcp(north)` counts the cards that North still has. A
    shape has 13 cards, so `shape` is never true. With at most three cards, `tricks` is counted too,
    beside other tricks and lengths; such endings are in the order of their classes. With `legal`,
    only endings count that legal play can reach in some denomination; that takes a larger model.
    `memory` is that of `deals`. Raises `NumberError` for another number of cards, `PavError` for a
    condition that cannot be counted, and `ModelTooLarge` if counting takes more memory.

    Known cards are those of `deals`: each seat holds its `hands` without the cards that it played,
    and nobody holds the played and the unused cards.

    >>> from pavcodec import endings, numbering
    >>> endings(cards=3).cardinality
    76277828779152000
    >>> numbering("balanced").rank(endings(cards=12)[0]) == numbering("deal").cardinality
    True
    >>> endings(cards=4).cardinality - endings(cards=4, legal=True).cardinality == 17160**4
    True
    """
    each = ending_sizes(cards)[0]  # so that its errors precede those of the text
    node, limit = condition_of(where).node, memory_of(memory)
    node = with_known_cards(node, known, "endings", each)
    return endings_of(Condition.of_endings(node, cards, limit, legal=bool(legal)))


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


def endings_of(condition: Condition) -> ConstrainedEndings:
    """Return the endings of a condition; raise `PavError` where a part has to be tested."""
    split = condition.split()
    if split.tested:
        raise PavError(f"{split.reasons[0]}, and endings are only counted")
    kind = kind_of_endings(condition.sizes[0], legal=condition.legal)
    order = "their classes" if condition.has_classes else "balanced"
    return ConstrainedEndings(
        condition.text,
        f"the {kind} that satisfy a condition, in the order of {order}",
        ModelRanking(condition),
        f"{kind} with {condition.text}",
        "",
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
