"""Chi-square: known values, laws of the incomplete gamma function, and what is pooled."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb, erfc, exp, fsum, lgamma, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pavcodec.statistics.chi_square import FEWEST, chi_square, tails


def by_floats(x: float, freedom: int) -> float:
    """The sum for whole and half freedoms: the definition, as far as floats go."""
    half, odd = x / 2, freedom % 2
    start = erfc(sqrt(half)) if odd else 0.0
    powers = (j + odd / 2 for j in range(freedom // 2))
    return start + fsum(exp(-half + p * log(half) - lgamma(p + 1)) for p in powers)


@pytest.mark.slow
@given(st.integers(1, 60), st.fractions(Fraction(1, 1000), 300, max_denominator=1000))
def test_it_is_the_finite_sum(freedom: int, statistic: Fraction) -> None:
    found = tails(statistic, freedom)[1]
    assert float(found) == pytest.approx(by_floats(float(statistic), freedom), rel=1e-9)
    assert 0 < found <= 1


@pytest.mark.parametrize("freedom", [2, 38, 560])
@pytest.mark.parametrize("x", [1, 37, 38, 39, 40, 41, 559, 1000])
def test_it_is_exact_to_30_digits(freedom: int, x: int) -> None:
    """For even freedoms it is a sum of fractions times a power of e."""
    half = Fraction(x, 2)
    terms, term = Fraction(1), Fraction(1)
    for j in range(1, freedom // 2):
        term = term * half / j
        terms += term
    with localcontext(prec=60, Emin=-(10**9)) as context:
        wanted = context.exp(Decimal(-x) / 2) * terms.numerator / terms.denominator
        assert abs(tails(Fraction(x), freedom)[1] / wanted - 1) < Decimal("1e-30")


def test_it_does_not_depend_on_the_context_of_the_caller() -> None:
    wanted = tails(Fraction(50), 33)[1]
    with localcontext(prec=3):
        assert tails(Fraction(50), 33)[1] == wanted


@pytest.mark.parametrize("statistic", [10**6, 10**9, 10**15])
def test_what_is_far_off_takes_no_time(statistic: int) -> None:
    """A probability of 1e-40000000 once kept a verdict waiting for hours."""
    assert tails(Fraction(statistic), 559)[1] == 0
    assert tails(Fraction(0), 7) == (Decimal(0), Decimal(1))


@pytest.mark.slow
@given(st.integers(1, 200), st.fractions(Fraction(1, 1000), 300, max_denominator=1000))
def test_the_tails_make_a_whole(freedom: int, statistic: Fraction) -> None:
    lower, upper = tails(statistic, freedom)
    assert abs(lower + upper - 1) < Decimal("1e-27")
    assert 0 <= lower <= 1


@pytest.mark.slow
@pytest.mark.parametrize("deals", [60, 300])
def test_even_counts_are_as_rare_as_their_probability(deals: int) -> None:
    """The chi-square distribution gives the most even counts of two cells no probability at all."""
    results = [
        chi_square([seen, deals - seen], [Fraction(deals, 2)] * 2) for seen in range(deals + 1)
    ]
    for level in ("0.05", "0.02", "0.01", "0.001"):
        rare = [
            comb(deals, seen)
            for seen, found in enumerate(results)
            if found is not None and found.is_low and found.probability <= Decimal(level)
        ]
        assert Fraction(sum(rare), 2**deals) <= Fraction(level) / 2


@pytest.mark.parametrize(
    ("counts", "expected", "freedom", "pooled", "statistic"),
    [
        ((41, 49, 1, 1, 8), (40, 50, 3, 2, 5), 3, 2, "1/40 1/50 9/5 9/5"),
        ((44, 47, 8, 1), (40, 50, 8, 2), 2, 2, "16/40 9/50 1/10"),  # it takes in the next cell
    ],
)
def test_small_cells_are_pooled(
    counts: tuple[int, ...], expected: tuple[int, ...], freedom: int, pooled: int, statistic: str
) -> None:
    found = chi_square(counts, list(map(Fraction, expected)))
    assert found is not None
    assert (found.freedom, found.pooled) == (freedom, pooled)
    assert found.statistic == sum(map(Fraction, statistic.split()))
    for few in ([7], [3, 1], [7, 0]):
        assert chi_square(few, list(map(Fraction, few))) is None
    impossible = chi_square([7, 1], [Fraction(8), Fraction(0)])
    assert impossible is not None
    assert impossible.probability == 0


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 99), st.integers(1, 99)), min_size=2, max_size=9))
def test_no_cell_that_is_tested_is_small(cells: list[tuple[int, int]]) -> None:
    total, weights = sum(seen for seen, _ in cells), sum(weight for _, weight in cells)
    expected = [Fraction(total * weight, weights) for _, weight in cells]
    found = chi_square([seen for seen, _ in cells], expected)
    if found is not None:
        assert found.freedom == len(cells) - max(found.pooled - 1, 0) - 1
        assert total >= FEWEST * (found.freedom + 1)
