"""The study's method for three or four hands: two by cases, and rejection for the others.

A listing deals the two most constrained hands. The other parts of the condition, on the other hands
or on several hands together, are tested on each deal, and deals that do not satisfy them are
rejected. All deals of the condition are equally likely, and their number is estimated.
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

    counted: CaseDeals  # type: ignore[assignment]  # also a numbering with a condition
    _is_drawn_in_loops: ClassVar[bool] = False


def select(deals: CaseDeals, rest: Sequence[Node]) -> CaseDeals | SelectedDeals:
    """Return the deals of a listing that also satisfy `rest`."""
    if not rest:
        return deals
    reasons = tuple(_BY_SELECTION for _ in rest)
    return SelectedDeals(deals, Expression(conjunction_of(rest)), reasons)


def deals_by_cases(where: Expression | Node | str | int) -> CaseDeals | SelectedDeals:
    """Return the deals of a condition by the study's method: two hands by cases, then rejection.

    The parts with cases are listed for the two hands that they constrain most, those with the
    fewest hands. If there are no other parts, the result is a numbering; otherwise the other parts
    are tested deal by deal. Raise `NotCasesError` if no part has cases, or if a listing is too
    long.

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
    """Return the two conditions with the fewest hands, in the given order."""
    if len(hands) <= 2:
        return list(hands)
    fewest = sorted(hands, key=_hands_of)[:2]
    return [hand for hand in hands if hand in fewest]


def _hands_of(condition: HandCondition) -> int:
    """Return the number of hands of 13 cards that satisfy a condition."""
    table: CaseTable = table_of([condition])
    return table.cardinality
