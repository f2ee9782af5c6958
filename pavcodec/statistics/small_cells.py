"""The probability of a chi-square statistic with small cells, by simulation or a bound.

The chi-square distribution is the limit for large expectations. With small expectations, large
values of the statistic are more frequent, and so are very small ones: many times so in the far
tails, which matters when many tests are adjusted together.

Rule 1: Collections are drawn from the expectation until `HITS` of them have a statistic of at least
the given value, or for the lower tail of at most this value, but at most `DRAWN`. If the last hit
is collection k, the probability is `HITS`/k; if there are only g hits, it is (g + 1)/(`DRAWN` + 1).
For a random collection, it is at most p with probability at most p, for any number of drawn
collections (Besag and Clifford 1991).
Rule 2: The seed is fixed, so the same counts always have the same probability.
Rule 3: If a bound of the upper tail is below `HOPELESS`, nothing is drawn, and the chi-square
distribution is used. The counts of a collection are independent Poisson variables, given their sum.
So a probability for them is at most that for independent Poisson variables, divided by the
probability of the sum. Chernoff's inequality bounds the former.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from itertools import accumulate, count, islice
from math import exp, inf, log, pi
from threading import Lock

import numpy as np
from numpy.typing import NDArray  # noqa: TC002 (for the arguments)

__all__ = ["DRAWN", "HITS", "HOPELESS", "bound_of_tail", "simulated_tail"]

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
            places = np.flatnonzero(values <= statistic * (1 + 1e-12) + 1e-12)
        else:
            places = np.flatnonzero(values >= statistic * (1 - 1e-12))
        if hits + len(places) >= HITS:
            return Decimal(HITS) / (drawn + int(places[HITS - hits - 1]) + 1)
        drawn, hits = drawn + len(values), hits + len(places)
    return Decimal(hits + 1) / (drawn + 1)


class _Drawn:
    """The arrays of `_statistics`, which stay: tables of equal expectations share them."""

    def __init__(self, arrays: Iterator[NDArray[np.float64]]) -> None:
        self._arrays = arrays
        self._known: list[NDArray[np.float64]] = []
        self._lock = Lock()

    def __iter__(self) -> Iterator[NDArray[np.float64]]:
        for place in count():
            with self._lock:
                if place == len(self._known):
                    self._known += islice(self._arrays, 1)
                found = self._known[place : place + 1]
            if not found:
                return
            yield found[0]


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
