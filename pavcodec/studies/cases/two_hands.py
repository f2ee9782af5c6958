"""The study's way with three hands and more: two by cases, and selection for the rest.

The two most constrained hands are dealt by a listing. What the condition says besides, of the other
hands or of several at once, is tested on each deal, and those that do not pass are thrown away. All
deals that satisfy the condition are equally likely, and how many there are is estimated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pavcodec.constraints import TestedDeals
from pavcodec.constraints.counting.condition import conjunction_of
from pavcodec.constraints.expressions import Expression, expression
from pavcodec.constraints.language.build import parts_of
from pavcodec.constraints.nodes.syntax import Node
from pavcodec.studies.cases.deals import CaseDeals
from pavcodec.studies.cases.hands import HandCondition, reason_of, sort_parts
from pavcodec.studies.cases.table import CaseTable, table_of

__all__ = ["SelectedDeals", "deals_by_cases", "select"]

_BY_SELECTION = "the deals of a listing are selected by it"


@dataclass(frozen=True, eq=False)
class SelectedDeals(TestedDeals):
    """The deals of a listing that also satisfy a condition, which is tested deal by deal."""

    counted: CaseDeals  # type: ignore[assignment]  # a numbering with a condition all the same
    _is_drawn_in_loops: ClassVar[bool] = False


def select(deals: CaseDeals, rest: Sequence[Node]) -> CaseDeals | SelectedDeals:
    """Return those of a listing's deals for which some parts hold as well."""
    if not rest:
        return deals
    reasons = tuple(_BY_SELECTION for _ in rest)
    return SelectedDeals(deals, Expression(conjunction_of(rest)), reasons)


def deals_by_cases(where: Expression | Node | str | int) -> CaseDeals | SelectedDeals:
    """Return the deals of a condition by the study's method: two hands by cases, then selection.

    The parts that make cases are listed for the two hands that they constrain most, those with the
    fewest hands; the deals are a numbering if there is nothing else in the condition. The rest is
    tested deal by deal. Raises `NotCasesError` where no part makes cases, or a listing is too long.

    >>> both = deals_by_cases("spades(west) == 9 && shape(east, xx66)")
    >>> both.cardinality
    5793043221084319200000
    >>> three = deals_by_cases("spades(west) == 9 && hcp(north) > 9 && shape(east, xx66)")
    >>> str(three.counted.where), str(three.tested)
    ('spades(west) == 9 && shape(east, xx66)', 'hcp(north) > 9')
    >>> three.sample(1, seed=7)[0]["N"].hcp
    11
    """
    condition = expression(where).node
    hands, rest = sort_parts(condition)
    if not hands:
        raise reason_of(rest[0] if rest else condition)
    listed = _most_constrained(hands)
    known = {part for hand in listed for part in hand.parts}
    left = [part for part in parts_of(condition) if part not in known]
    return select(table_of(listed).deals, left)


def _most_constrained(hands: Sequence[HandCondition]) -> list[HandCondition]:
    """Return the two hands that may be fewest, in the order given."""
    if len(hands) <= 2:
        return list(hands)
    fewest = sorted(hands, key=_hands_of)[:2]
    return [hand for hand in hands if hand in fewest]


def _hands_of(condition: HandCondition) -> int:
    """Return how many hands of 13 cards a condition leaves."""
    table: CaseTable = table_of([condition])
    return table.cardinality
