"""Lower bounds for the size of a collection, in bits a deal.

A collection of n numbers below T is one of N possible collections. No coder needs fewer than
log2(N) bits for each of them:

- ordered: N = T^n
- a set: N = C(T, n)
- a multiset: N = C(T + n - 1, n)

Each logarithm is enclosed between two bounds, computed with MPFR's correctly rounded functions; all
steps of one bound round down, and all steps of the other round up. The precision doubles until both
bounds have the same billionths. This always ends, since log2(N) is irrational unless N is a power
of two, and C(T, n) is no power of a prime for n from 2 to T - 2 (Erdős).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import count as count_from
from operator import index as as_integer
from typing import Any, SupportsIndex, TypeAlias

from pavcodec.archive.coding.coder import check_cardinality
from pavcodec.errors import NumberError, shown

__all__ = ["PARTS", "multiset_bits", "ordered_bits", "set_bits"]

PARTS = 10**9
"""The number of parts of a bit in which bounds are rounded: billionths."""

_FIRST_PRECISION = 256
"""The first precision in bits. T has 128 and its logarithm 7, so half remain for the result."""

Context: TypeAlias = Any
"""A context of gmpy2, which rounds up or down."""
Real: TypeAlias = Any
"""A real number of gmpy2."""


def ordered_bits(cardinality: SupportsIndex) -> Fraction:
    """Return log2(T), the bits a deal of an ordered collection, rounded down to billionths.

    >>> ordered_bits(256)
    Fraction(8, 1)
    >>> float(ordered_bits(53644737765488792839237440000))
    95.437423314
    """
    total = check_cardinality(cardinality)
    return _per_deal(total, 1)


def set_bits(cardinality: SupportsIndex, count: SupportsIndex) -> Fraction:
    """Return log2(C(T, n)) / n, the bits a deal of a set of n deals, rounded down to billionths.

    It is 0 for the empty set. Raise `NumberError` if `count` exceeds the cardinality.

    >>> float(set_bits(53644737765488792839237440000, 10**5))
    80.270381575
    """
    total, many = check_cardinality(cardinality), _check_count(count)
    if many > total:
        raise NumberError(f"a set of numbers below {total} has no {many} of them")
    return _of_set(total, many)


def multiset_bits(cardinality: SupportsIndex, count: SupportsIndex) -> Fraction:
    """Return log2(C(T + n - 1, n)) / n, the bits a deal of a multiset, rounded down to billionths.

    It is 0 for the empty multiset.

    >>> float(multiset_bits(2, 3))
    0.666666666
    """
    total, many = check_cardinality(cardinality), _check_count(count)
    return _of_set(total + many - 1, many)


def _check_count(count: SupportsIndex) -> int:
    many = as_integer(count)
    if many < 0:
        raise NumberError(f"a collection has 0 deals or more, not {shown(many)}")
    return many


def _of_set(total: int, count: int) -> Fraction:
    """Return log2(C(total, count)) / count, rounded down."""
    fewer = min(count, total - count)
    if fewer == 0:
        return Fraction(0)
    if fewer == 1:
        return _per_deal(total, count)

    return _rounded_down(lambda down, up: _log2_choose(total, fewer, down, up), count)


def _log2_choose(total: int, count: int, down: Context, up: Context) -> Real:
    """Return log2(C(total, count)), a lower bound if `down` rounds down, an upper one if up."""
    from gmpy2 import mpfr

    parts = up.add(up.lgamma(count + 1)[0], up.lgamma(total - count + 1)[0])
    logarithm = down.sub(down.lgamma(total + 1)[0], parts)
    return down.div(logarithm, up.log(mpfr(2)))


def _per_deal(total: int, count: int) -> Fraction:
    """Return log2(total) / count, rounded down."""
    if total & (total - 1) == 0:
        return Fraction((total.bit_length() - 1) * PARTS // count, PARTS)
    return _rounded_down(lambda down, _: down.log2(total), count)


def _rounded_down(bits: Callable[[Context, Context], Real], count: int) -> Fraction:
    """Return bits / count, rounded down to billionths; `bits` must be irrational.

    `bits` takes two contexts of gmpy2 and returns a bound of the true value. If the first context
    rounds down and the second up, it returns a lower bound; if they are exchanged, an upper bound.
    """
    import gmpy2

    for doublings in count_from():
        precision = _FIRST_PRECISION << doublings
        down = gmpy2.context(precision=precision, round=gmpy2.RoundDown)
        up = gmpy2.context(precision=precision, round=gmpy2.RoundUp)
        least, most = (_floor(bits(*contexts), count) for contexts in ((down, up), (up, down)))
        if least == most:
            return Fraction(least, PARTS)
    raise AssertionError("two irrational bounds never agree")


def _floor(bits: Real, count: int) -> int:
    """Return bits / count in billionths, rounded down."""
    numerator, denominator = (int(part) for part in bits.as_integer_ratio())
    return numerator * PARTS // (denominator * count)
