"""Bounds of collections, against counts that are worked out in full."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb

import pytest
from archive_support import D
from hypothesis import given
from hypothesis import strategies as st

from pavcodec.archive import multiset_bits, ordered_bits, set_bits
from pavcodec.archive.coding.coder import PARTS
from pavcodec.errors import NumberError


def bits_by_definition(ways: int, count: int) -> Fraction:
    """The logarithm of the ways for each of so many, rounded down, by decimal numbers.

    They have 60 digits, and a logarithm here has less than 10 before the point. Decimal logarithms
    are correctly rounded, and have nothing in common with those of MPFR.
    """
    if ways & (ways - 1) == 0:
        return Fraction((ways.bit_length() - 1) * PARTS // count, PARTS)
    with localcontext(prec=60):
        logarithm = Decimal(ways).ln() / Decimal(2).ln()
        return Fraction(int(logarithm * PARTS / count), PARTS)


@pytest.mark.parametrize("cardinality", [1, 2, 3, 7, 8, 9, 756, 2**64 - 1, 2**64, D, 2**128])
def test_ordered(cardinality: int) -> None:
    assert ordered_bits(cardinality) == bits_by_definition(cardinality, 1)


@pytest.mark.parametrize("cardinality", range(1, 14))
def test_toy_sets_and_multisets(cardinality: int) -> None:
    for count in range(1, cardinality + 1):
        ways = comb(cardinality, count)
        assert set_bits(cardinality, count) == bits_by_definition(ways, count)
    for count in range(1, 9):
        ways = comb(cardinality + count - 1, count)
        assert multiset_bits(cardinality, count) == bits_by_definition(ways, count)


@given(cardinality=st.integers(1, 2**128), count=st.integers(1, 60))
def test_small_collections(cardinality: int, count: int) -> None:
    assert ordered_bits(cardinality) == bits_by_definition(cardinality, 1)
    many = min(count, cardinality)
    assert set_bits(cardinality, many) == bits_by_definition(comb(cardinality, many), many)
    ways = comb(cardinality + count - 1, count)
    assert multiset_bits(cardinality, count) == bits_by_definition(ways, count)


@pytest.mark.slow
@pytest.mark.parametrize("cardinality", [D, 2**128, 756, 1000, 10_000])
def test_sets_that_are_counted_in_full(cardinality: int) -> None:
    count = min(2000, cardinality // 3)
    ways = comb(cardinality, count)
    assert set_bits(cardinality, count) == bits_by_definition(ways, count)
    rest = cardinality - count
    assert set_bits(cardinality, rest) == bits_by_definition(ways, rest)


@pytest.mark.parametrize(
    ("count", "shown"),
    [(10**3, "86.908"), (10**5, "80.270"), (10**6, "76.949"), (10**7, "73.627")],
)
def test_figures_of_deals(count: int, shown: str) -> None:
    assert f"{float(set_bits(D, count)):.3f}" == shown
    assert f"{float(multiset_bits(D, count)):.3f}" == shown
    assert f"{float(ordered_bits(D)):.3f}" == "95.437"


def test_nothing_and_everything() -> None:
    assert set_bits(D, 0) == multiset_bits(D, 0) == 0
    assert set_bits(756, 756) == multiset_bits(1, 10**6) == 0
    assert set_bits(1 << 20, 1) == multiset_bits(1 << 20, 1) == 20
    assert set_bits(1 << 20, (1 << 20) - 1) == Fraction(20 * PARTS // ((1 << 20) - 1), PARTS)
    assert ordered_bits(1) == 0


def test_bad_arguments() -> None:
    with pytest.raises(NumberError, match="a set of numbers below 5 has no 6 of them"):
        set_bits(5, 6)
    with pytest.raises(NumberError, match="0 deals or more, not -1"):
        multiset_bits(5, -1)
    with pytest.raises(NumberError, match="a cardinality is from 1 to 2"):
        ordered_bits(0)
    with pytest.raises(NumberError, match="a cardinality is from 1 to 2"):
        set_bits(2**128 + 1, 1)
