"""Division by 0: an error where the evaluator meets it, left to right, after what is counted."""

from __future__ import annotations

from contextlib import suppress

import pytest

import pavcodec as pav
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.language.parser import parse_expression

QUOTIENT = "hcp(north) / spades(north) >= 2"
DEALS = pav.numbering("deal").sample(150, seed=7) + pav.deals("spades(north) == 0").sample(
    50, seed=7
)


def outcome(text: str, deal: pav.Layout) -> bool | None:
    """What the evaluator says, from left to right; None for an error."""
    with suppress(pav.PavError):
        return bool(evaluate(parse_expression(text), deal))
    return None


def membership(space: pav.ConstrainedDeals | pav.TestedDeals, deal: pav.Layout) -> bool | None:
    with suppress(pav.PavError):
        return deal in space
    return None


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        f"spades(north) > 0 && {QUOTIENT}",
        f"{QUOTIENT} && spades(north) > 0",
        f"!({QUOTIENT}) && spades(north) > 0 && hcp(south) % (spades(north) - 1) == 1",
        f"(spades(north) > 0 && {QUOTIENT}) || hcp(south) > 12",
        f"hcp(south) > 12 || {QUOTIENT}",
        f"(spades(north) ? {QUOTIENT} : hcp(north) > 9) && hcp(east) > 4",
        f"{QUOTIENT} && hcp(east) > 9 && hcp(west) / (spades(north) - 2) > 1",
        f"cccc(north) * 9999999999999999 > hcp(south) && {QUOTIENT}",
    ],
)
def test_a_space_holds_what_the_evaluator_says(text: str) -> None:
    space = pav.deals(text)
    assert isinstance(space, pav.TestedDeals)
    said = [outcome(text, deal) for deal in DEALS]
    found = [membership(space, deal) for deal in DEALS]
    for one, other in zip(said, found, strict=True):
        assert other == one if one is not None else not other
    assert True in found
    assert False in found


@pytest.mark.slow
def test_a_part_that_is_counted_guards_wherever_it_stands() -> None:
    first, last = f"spades(north) > 0 && {QUOTIENT}", f"{QUOTIENT} && spades(north) > 0"
    assert {outcome(first, deal) for deal in DEALS} == {True, False}
    assert {outcome(last, deal) for deal in DEALS} == {True, False, None}
    one, other = pav.deals(first), pav.deals(last)
    assert one.cardinality == other.cardinality
    assert one.sample(5, seed=7) == other.sample(5, seed=7)


def test_a_division_that_nothing_guards_is_an_error() -> None:
    space = pav.deals(QUOTIENT)
    with pytest.raises(pav.PavError, match="division by 0"):
        space.sample(1000, seed=7)


def test_what_no_deal_divides_by_is_counted() -> None:
    assert isinstance(pav.deals("hcp(north) / (spades(north) + 1) >= 2"), pav.ConstrainedDeals)
