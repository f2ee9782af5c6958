"""Two hands by cases and selection for the rest, beside the exact model."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

import pavcodec as pav
from pavcodec.studies.cases import CaseDeals, NotCasesError, deals_by_cases
from pavcodec.studies.cases.table import SelectedDeals

THREE = "spades(west) == 9 && hcp(north) >= 11 && shape(east, xx66) && hearts(south) >= 5"


def selected(where: str) -> SelectedDeals:
    """The deals of a condition of which a part is tested."""
    found = deals_by_cases(where)
    assert isinstance(found, SelectedDeals)
    return found


def exact(where: str) -> int:
    """The number of deals, counted."""
    found = pav.deals(where).cardinality
    assert isinstance(found, int)
    return found


def test_two_hands_are_a_numbering() -> None:
    found = deals_by_cases("spades(west) == 9 && shape(east, xx66)")
    assert isinstance(found, CaseDeals)
    assert found.cardinality == exact("spades(west) == 9 && shape(east, xx66)")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "listed", "rest"),
    [
        (THREE, "spades(west) == 9 && shape(east, xx66)", "hcp(north) >= 11 && hearts(south) >= 5"),
        ("hcp(north) == 2 && tens(north) == 1", "hcp(north) == 2", "tens(north) == 1"),
        (
            "hcp(north) + hcp(south) > 25 && spades(south) == 7",
            "spades(south) == 7",
            "hcp(north) + hcp(south) > 25",
        ),
        ("rnd(2) == 1 && hcp(west) == 0", "hcp(west) == 0", "rnd(2) == 1"),
    ],
)
def test_the_most_constrained_hands_are_listed(where: str, listed: str, rest: str) -> None:
    found = selected(where)
    assert (str(found.counted.where), str(found.tested)) == (listed, rest)


@pytest.mark.slow
def test_what_passes_satisfies_the_whole_condition() -> None:
    space = pav.deals(THREE)
    found = selected(THREE)
    for deal in found.sample(50, seed=7):
        assert deal in space
        assert deal in found
    assert found.sample(5, seed=7)[2:] == found.sample(3, seed=7, start=2)


@pytest.mark.slow
def test_the_estimate_holds_the_exact_number() -> None:
    guess = selected(THREE).estimate(1000, seed=7)
    assert guess.total == deals_by_cases("spades(west) == 9 && shape(east, xx66)").cardinality
    assert guess.low < exact(THREE) < guess.high


@pytest.mark.slow
def test_the_distribution_is_that_of_the_exact_model() -> None:
    """How often South has so many points, where nine and more are selected: chi-square."""
    where = "spades(west) == 9 && shape(east, xx66) && hcp(south) >= 9"
    counts = Counter(min(deal["S"].hcp // 3, 6) for deal in selected(where).sample(1500, seed=7))
    at_least = [exact(f"{where} && hcp(south) >= {low}") for low in (9, 12, 15, 18)] + [0]
    chi_square = Fraction(0)
    for place, bins in enumerate(range(3, 7)):
        share = Fraction(at_least[place] - at_least[place + 1], at_least[0])
        chi_square += (counts[bins] - 1500 * share) ** 2 / (1500 * share)
    assert counts.total() == 1500
    assert Fraction(1, 10) < chi_square < 16  # three degrees of freedom


@pytest.mark.slow
def test_what_cannot_be_listed() -> None:
    with pytest.raises(NotCasesError, match="more than one hand"):
        deals_by_cases("hcp(north) + hcp(south) > 25")
    with pytest.raises(NotCasesError, match="'1' depends on no hand"):
        deals_by_cases("1")
    with pytest.raises(NotCasesError, match="too many"):
        deals_by_cases("hcp(north) > 5 && spades(south) > 3")
