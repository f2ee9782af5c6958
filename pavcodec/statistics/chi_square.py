"""The chi-square test: the distance of counts from their expectations, and its probability.

Rule 1: The statistic is an exact fraction. The tails of its distribution are computed by gmpy2 and
rounded to 40 digits, which gives the same result on every machine. Below 1e-300 they are 0.
The probability is twice the smaller tail: counts may be too far from their expectations, or too
near to them.
Rule 2: All cells with an expectation below 5 are pooled into one. If the expectation of the pool is
below 5, too, it also includes the smallest other cell.
Rule 3: A tail of 0.05 or less does not come from the chi-square distribution if a cell has an
expectation below 1000; `simulated_tail` computes it.
Rule 4: Counts are integers, so small statistics are more frequent than by the distribution, above
all for few cells: 1000 of 2000 deals are in one of two equal cells with a probability of 1.8 %. If
no cell has an expectation below 1000, the lower tail is that of a larger statistic: its root is
larger by r, with r² the sum of 1/4e over the cells' expectations e. No collection of real counts is
farther than r from one of integers.
Rule 5: If an impossible value occurs, the probability is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, count, islice
from math import exp, inf, lcm, log, pi
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray  # noqa: TC002 (for the arguments)

from pavcodec.constraints.spaces.estimates import root

# The probability of a chi-square statistic with small cells, by simulation or a bound.
#
# The chi-square distribution is the limit for large expectations. With small expectations, large
# values of the statistic are more frequent, and so are very small ones: many times so in the far
# tails, which matters when many tests are adjusted together.
#
# Rule 1: Collections are drawn from the expectation until `HITS` of them have a statistic of at
# least the given value, or for the lower tail of at most this value, but at most `DRAWN`. If the
# last hit is collection k, the probability is `HITS`/k; if there are only g hits, it is (g +
# 1)/(`DRAWN` + 1). For a random collection, it is at most p with probability at most p, for any
# number of drawn collections (Besag and Clifford 1991). Rule 2: The seed is fixed, so the same
# counts always have the same probability. Rule 3: If a bound of the upper tail is below `HOPELESS`,
# nothing is drawn, and the chi-square distribution is used. The counts of a collection are
# independent Poisson variables, given their sum. So a probability for them is at most that for
# independent Poisson variables, divided by the probability of the sum. Chernoff's inequality bounds
# the former.


HITS = 100
DRAWN = 100_000
HOPELESS = 1e-8
"""A thousandth of the smallest probability that a simulation can return."""

_SEED = 1900
_FIRST, _AT_ONCE = 1 << 8, 1 << 21
_NEVER = -45.0
"""The logarithm of a negligible probability."""
_LARGE = 2000
"""The expectation from which a cell is normally distributed, up to an error of 0.01."""
_SLOPES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)


def simulated_tail(
    statistic: float, expected: Sequence[float], deals: int, *, is_low: bool = False
) -> Decimal | None:
    """Return the probability that a random collection has at least, or at most, this statistic.

    Return None if an upper tail is too small for a simulation.

    >>> simulated_tail(9.0, [5.0, 5.0, 90.0], 100)
    Decimal('0.01454757055571719522839685772')
    >>> simulated_tail(500.0, [5.0, 5.0, 90.0], 100)
    >>> simulated_tail(0.0, [5.0, 5.0, 90.0], 100, is_low=True)
    Decimal('0.03250975292587776332899869961')
    """
    if not is_low and bound_of_tail(statistic, expected, deals) < HOPELESS:
        return None
    drawn, hits = 0, 0
    for values in _drawn(tuple(expected), deals):
        if is_low:
            hits_here = np.flatnonzero(values <= statistic * (1 + 1e-12) + 1e-12)
        else:
            hits_here = np.flatnonzero(values >= statistic * (1 - 1e-12))
        if hits + len(hits_here) >= HITS:
            return Decimal(HITS) / (drawn + int(hits_here[HITS - hits - 1]) + 1)
        drawn, hits = drawn + len(values), hits + len(hits_here)
    return Decimal(hits + 1) / (drawn + 1)


class _Drawn:
    """The arrays of `_statistics`, which stay: tables of equal expectations share them."""

    def __init__(self, arrays: Iterator[NDArray[np.float64]]) -> None:
        self._arrays = arrays
        self._known: list[NDArray[np.float64]] = []
        self._lock = Lock()

    def __iter__(self) -> Iterator[NDArray[np.float64]]:
        for index in count():
            with self._lock:
                if index == len(self._known):
                    self._known += islice(self._arrays, 1)
                arrays = self._known[index : index + 1]
            if not arrays:
                return
            yield arrays[0]


@lru_cache(maxsize=16)  # at most 800 KB each
def _drawn(expected: tuple[float, ...], deals: int) -> _Drawn:
    return _Drawn(_statistics(expected, deals))


def _statistics(expected: Sequence[float], deals: int) -> Iterator[NDArray[np.float64]]:
    """Yield arrays of statistics of random collections; the first array is short."""
    wanted = np.array(expected)
    shares = wanted / wanted.sum()
    draws = np.random.RandomState(_SEED)  # its numbers are equal in all versions of numpy
    drawn, many = 0, _FIRST
    while drawn < DRAWN:
        many = min(2 * many, max(_FIRST, _AT_ONCE // len(wanted)), DRAWN - drawn)
        counts = draws.multinomial(deals, shares, many)
        yield ((counts - wanted) ** 2 / wanted).sum(axis=1)
        drawn += many


def bound_of_tail(statistic: float, expected: Sequence[float], deals: int) -> float:
    """Return an upper bound for the probability that a random collection has this statistic.

    >>> bound_of_tail(1.0, [5.0, 95.0], 100)
    1.0
    """
    given_sum = log(2 * pi * deals) / 2 + 1 / (12 * deals)  # Stirling's bound for a factorial
    least = inf
    for slope in _SLOPES:
        moments = sum(_log_moment(round(each, 9), slope) for each in expected)
        least = min(least, moments - slope * statistic)
    left_out = 2 * len(expected) * exp(_NEVER + given_sum)
    return min(1.0, exp(min(0.0, least + given_sum)) + left_out)


@cache
def _log_moment(expected: float, slope: float) -> float:
    """Return log E[exp(slope * (X - expected)² / expected)] of a Poisson variable X in reach."""
    if expected > _LARGE:
        return 0.01 - log(1 - 2 * slope) / 2
    counts, logs = _in_reach(expected)
    terms = logs + slope * (counts - expected) ** 2 / expected
    return float(np.logaddexp.reduce(terms))


@cache
def _in_reach(expected: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return all counts with a probability that matters, and the logarithms of the probabilities.

    P(X >= x) is at most exp(x - expected - x log(x/expected)) for a Poisson variable X and x above
    its expectation; so is P(X <= x) for x below it.
    """
    counts = np.arange(1.0, 4 * expected + 100)
    chernoff = counts - expected - counts * np.log(counts / expected)
    low = 0.0 if -expected > _NEVER else float(counts[(chernoff > _NEVER).argmax()])
    high = float(counts[chernoff > _NEVER][-1])
    logs = -expected + counts * log(expected) - np.array(list(accumulate(map(log, counts))))
    all_counts, all_logs = np.append(0.0, counts), np.append(-expected, logs)
    reach = (all_counts >= low) & (all_counts <= high)
    return all_counts[reach], all_logs[reach]


FEWEST = 5
"""The minimum expectation of a cell."""

LARGE = 1000
"""The expectation of each cell from which the chi-square distribution is accurate."""
RARE = Decimal("0.05")
"""The tail up to which the accuracy matters."""

_Cell = tuple[int, int]
"""The expectation of a cell in units, of which `unit` are one deal, and its count."""

_DIGITS = 40
_LEAST = Decimal("1e-300")
_PRECISIONS, _SMALL = (256, 1280), 2.0**-100
"""Bits of gmpy2: 1 - x has lost 100 of them if it is smaller than `_SMALL`, and takes more."""
_FAR = 700
"""By Chernoff's bound, an upper tail is below `_LEAST` if the logarithm of it is below -`_FAR`."""


@dataclass(frozen=True)
class ChiSquare:
    """A test: the statistic, the degrees of freedom, and the probability of a value so far off.

    `pooled` is the number of pooled cells, 0 if none are. `is_low` tells whether the statistic is
    in the lower tail: whether the counts are nearer to their expectations than most.
    """

    statistic: Fraction
    freedom: int
    probability: Decimal
    pooled: int = 0
    is_low: bool = False

    @property
    def tail(self) -> str:
        """The tail that the statistic is in: lower of even counts, upper of uneven ones."""
        return "lower" if self.is_low else "upper"


def chi_square(observed: Sequence[int], expected: Sequence[Fraction]) -> ChiSquare | None:
    """Compare counts with their expectations; return None if there is only one cell.

    `expected` are exact, and have the same sum as `observed`.

    >>> found = chi_square([44, 56], [Fraction(50), Fraction(50)])
    >>> found.statistic, found.freedom, round(found.probability, 6)
    (Fraction(36, 25), 1, Decimal('0.460279'))
    """
    if any(seen and not wanted for seen, wanted in zip(observed, expected, strict=True)):
        return ChiSquare(Fraction(0), 0, Decimal(0))
    unit = lcm(*(wanted.denominator for wanted in expected))
    cells = [
        (wanted.numerator * (unit // wanted.denominator), seen)
        for seen, wanted in zip(observed, expected, strict=True)
        if wanted
    ]
    kept, pooled = _pooled(cells, FEWEST * unit)
    if len(kept) < 2:
        return None
    squares = (Fraction((seen * unit - wanted) ** 2, wanted) for wanted, seen in kept)
    statistic = sum(squares, Fraction(0)) / unit
    freedom = len(kept) - 1
    lower, upper = tails(statistic, freedom)
    is_low = lower < upper
    tail = _accurate(min(lower, upper), statistic, kept, unit, is_low=is_low)
    return ChiSquare(
        statistic,
        freedom,
        _rounded(min(Context(prec=2 * _DIGITS).multiply(Decimal(2), tail), Decimal(1))),
        pooled,
        is_low,
    )


def _accurate(
    tail: Decimal, statistic: Fraction, cells: list[_Cell], unit: int, *, is_low: bool
) -> Decimal:
    """Return a tail for counts that are integers, from that of the chi-square distribution."""
    if min(cells)[0] < LARGE * unit:
        if tail > RARE:
            return tail
        deals = sum(seen for _, seen in cells)
        expected = [wanted / unit for wanted, _ in cells]
        simulated = simulated_tail(float(statistic), expected, deals, is_low=is_low)
        return tail if simulated is None else simulated
    if not is_low:
        return tail
    reach = root(sum((Fraction(unit, 4 * wanted) for wanted, _ in cells), Fraction(0)))
    return tails((root(statistic) + reach) ** 2, len(cells) - 1)[0]


def _pooled(cells: list[_Cell], fewest: int) -> tuple[list[_Cell], int]:
    """Return the cells with those below `fewest` pooled, and the number of pooled cells."""
    ordered = sorted(cells)
    many = sum(wanted < fewest for wanted, _ in ordered)
    if many and sum(wanted for wanted, _ in ordered[:many]) < fewest:
        many += 1
    small = ordered[:many]
    if len(small) < 2:
        return ordered, 0
    together = (sum(wanted for wanted, _ in small), sum(seen for _, seen in small))
    return [together, *ordered[many:]], len(small)


def tails(statistic: Fraction, freedom: int) -> tuple[Decimal, Decimal]:
    """Return the probabilities that chi-square is at most, and at least, `statistic`.

    They are the lower and the upper incomplete gamma function.

    >>> [round(tail, 12) for tail in tails(Fraction("3.841458820694124"), 1)]
    [Decimal('0.950000000000'), Decimal('0.050000000000')]
    >>> [f"{tail:.3e}" for tail in (*tails(Fraction(1000), 4), tails(Fraction(1, 1000), 99)[0])]
    ['1.000e+0', '3.569e-215', '9.253e-228']
    """
    import gmpy2

    if not statistic:
        return Decimal(0), Decimal(1)
    half = gmpy2.mpq(statistic.numerator, 2 * statistic.denominator)
    for precision in _PRECISIONS:
        with gmpy2.context(precision=precision):
            a, x = gmpy2.mpfr(freedom) / 2, gmpy2.mpfr(half)
            if x > a and x - a - a * gmpy2.log(x / a) > _FAR:
                return Decimal(1), Decimal(0)
            upper = gmpy2.gamma_inc(a, x) / gmpy2.gamma(a)
            lower = 1 - upper
        if lower > _SMALL:
            break
    return _decimal(lower), _decimal(upper)


def _decimal(tail: Any) -> Decimal:
    """Return a number of gmpy2 in decimal, rounded to so many digits."""
    return _rounded(Decimal(f"{tail:.{2 * _DIGITS}e}"))


def _rounded(value: Decimal) -> Decimal:
    return Decimal(0) if value < _LEAST else Context(prec=_DIGITS).plus(value)
