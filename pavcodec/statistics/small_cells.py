"""The probability of a chi-square statistic where cells are small: simulated, or bounded.

The chi-square distribution is that of large expectations. Where few are expected in a cell, large
values of the statistic are more frequent than it says, many times so far out, where many tests at
once decide.

Rule 1: collections are drawn from the expectation until `HITS` of them have a statistic as large,
but no more than `DRAWN`. If the last of these was number k, the probability is `HITS`/k; if there
were only g, it is (g + 1)/(`DRAWN` + 1). Of a random collection, that is at most p with probability
p, however few were drawn (Besag and Clifford 1991).
Rule 2: the seed is fixed, so that the same counts have the same probability.
Rule 3: where a bound is below `HOPELESS`, nothing is drawn: the chi-square distribution will do.
Counts of a collection are Poisson variables given their sum, so a probability of theirs is at most
that of free Poisson variables divided by the probability of the sum; Chernoff's inequality bounds
the former.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache
from itertools import accumulate
from math import exp, inf, log, pi

import numpy as np
from numpy.typing import NDArray  # noqa: TC002 (for the arguments)

__all__ = ["DRAWN", "HITS", "HOPELESS", "bound_of_tail", "simulated_tail"]

HITS = 100
DRAWN = 100_000
HOPELESS = 1e-8
"""A thousandth of the smallest probability that is simulated."""

_SEED = 1900
_FIRST, _AT_ONCE = 1 << 8, 1 << 21
_NEVER = -45.0
"""The logarithm of a probability that does not matter."""
_LARGE = 2000
"""What is expected in a cell that is normal but for a hundredth."""
_SLOPES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)


def simulated_tail(statistic: float, expected: Sequence[float], deals: int) -> Decimal | None:
    """Return the probability that a random collection has a statistic at least so large.

    None where it is so small that nothing is drawn.

    >>> simulated_tail(9.0, [5.0, 5.0, 90.0], 100)
    Decimal('0.01454757055571719522839685772')
    >>> simulated_tail(500.0, [5.0, 5.0, 90.0], 100)
    """
    if bound_of_tail(statistic, expected, deals) < HOPELESS:
        return None
    least, drawn, hits = statistic * (1 - 1e-12), 0, 0
    for values in _statistics(expected, deals):
        places = np.flatnonzero(values >= least)
        if hits + len(places) >= HITS:
            return Decimal(HITS) / (drawn + int(places[HITS - hits - 1]) + 1)
        drawn, hits = drawn + len(values), hits + len(places)
    return Decimal(hits + 1) / (drawn + 1)


def _statistics(expected: Sequence[float], deals: int) -> Iterator[NDArray[np.float64]]:
    """Yield the statistics of random collections, at first of few and then of more at a time."""
    wanted = np.array(expected)
    shares = wanted / wanted.sum()
    draws = np.random.RandomState(_SEED)  # its numbers are the same in every version of numpy
    drawn, many = 0, _FIRST
    while drawn < DRAWN:
        many = min(2 * many, max(_FIRST, _AT_ONCE // len(wanted)), DRAWN - drawn)
        counts = draws.multinomial(deals, shares, many)
        yield ((counts - wanted) ** 2 / wanted).sum(axis=1)
        drawn += many


def bound_of_tail(statistic: float, expected: Sequence[float], deals: int) -> float:
    """Return a bound on the probability that a random collection has a statistic so large.

    >>> bound_of_tail(1.0, [5.0, 95.0], 100)
    1.0
    """
    given_sum = log(2 * pi * deals) / 2 + 1 / (12 * deals)  # by Stirling's bound for a factorial
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
    """Return the counts that are not beyond all chance, and the logarithms of their chances.

    A tail of a Poisson variable from x on is at most exp(x - expected - x log(x/expected)).
    """
    counts = np.arange(1.0, 4 * expected + 100)
    chernoff = counts - expected - counts * np.log(counts / expected)
    low = 0.0 if -expected > _NEVER else float(counts[(chernoff > _NEVER).argmax()])
    high = float(counts[chernoff > _NEVER][-1])
    logs = -expected + counts * log(expected) - np.array(list(accumulate(map(log, counts))))
    all_counts, all_logs = np.append(0.0, counts), np.append(-expected, logs)
    reach = (all_counts >= low) & (all_counts <= high)
    return all_counts[reach], all_logs[reach]
