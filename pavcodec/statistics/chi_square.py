"""The chi-square test: the distance of counts from their expectations, and its probability.

Rule 1: The statistic is an exact fraction. The tails of its distribution are computed in decimal
arithmetic with 40 digits, which gives the same result on every machine. Below 1e-300 they are 0.
The probability is twice the smaller tail: counts may be too far from their expectations, or too
near to them.
Rule 2: All cells with an expectation below 5 are pooled into one. If the expectation of the pool is
below 5, too, it also includes the smallest other cell.
Rule 3: A tail of 0.05 or less does not come from the chi-square distribution if a cell has an
expectation below 1000; `small_cells` computes it.
Rule 4: Counts are integers, so small statistics are more frequent than by the distribution, above
all for few cells: 1000 of 2000 deals are in one of two equal cells with a probability of 1.8 %. If
no cell has an expectation below 1000, the lower tail is that of a larger statistic: its root is
larger by r, with r² the sum of 1/4e over the cells' expectations e. No collection of real counts is
farther than r from one of integers.
Rule 5: If an impossible value occurs, the probability is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from math import factorial, lcm

from pavcodec.constraints.spaces.share import root
from pavcodec.statistics.small_cells import simulated_tail

__all__ = ["FEWEST", "ChiSquare", "chi_square", "tails"]

FEWEST = 5
"""The minimum expectation of a cell."""

LARGE = 1000
"""The expectation of each cell from which the chi-square distribution is accurate."""
RARE = Decimal("0.05")
"""The tail up to which the accuracy matters."""

_Cell = tuple[int, int]
"""The expectation of a cell in units, of which `unit` are one deal, and its count."""

_DIGITS = 40
_CONTEXT = Context(prec=_DIGITS + 12, Emin=-(10**17), Emax=10**17)
_PRECISION = Decimal(10) ** -(_DIGITS + 5)
_LEAST = Decimal("1e-300")
_PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")


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
        _rounded(min(_CONTEXT.multiply(Decimal(2), tail), Decimal(1))),
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
        found = simulated_tail(float(statistic), expected, deals, is_low=is_low)
        return tail if found is None else found
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
    if not statistic:
        return Decimal(0), Decimal(1)
    c = _CONTEXT
    x = c.divide(Decimal(statistic.numerator), Decimal(2 * statistic.denominator))
    a = c.divide(Decimal(freedom), Decimal(2))
    front = c.divide(c.multiply(c.exp(c.minus(x)), c.power(x, a)), _gamma_of_half(freedom))
    if x < c.add(a, Decimal(1)):
        lower = c.multiply(front, _lower_series(a, x))
        upper = c.subtract(Decimal(1), lower)
    else:
        upper = c.multiply(front, _upper_fraction(a, x))
        lower = c.subtract(Decimal(1), upper)
    return _rounded(lower), _rounded(upper)


def _rounded(value: Decimal) -> Decimal:
    return Decimal(0) if value < _LEAST else Context(prec=_DIGITS).plus(value)


def _gamma_of_half(freedom: int) -> Decimal:
    """Return the gamma function of `freedom` / 2."""
    if freedom % 2 == 0:
        return Decimal(factorial(freedom // 2 - 1))
    n = freedom // 2
    ratio = _CONTEXT.divide(Decimal(factorial(2 * n)), Decimal(4**n * factorial(n)))
    return _CONTEXT.multiply(ratio, _CONTEXT.sqrt(_PI))


def _lower_series(a: Decimal, x: Decimal) -> Decimal:
    """Return the sum of 1/a, x/(a(a+1)), x²/(a(a+1)(a+2)) and so on."""
    c = _CONTEXT
    term = total = c.divide(Decimal(1), a)
    while term > c.multiply(total, _PRECISION):
        a = c.add(a, Decimal(1))
        term = c.divide(c.multiply(term, x), a)
        total = c.add(total, term)
    return total


def _upper_fraction(a: Decimal, x: Decimal) -> Decimal:
    """Return 1/(x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - …))), by Lentz's method."""
    c = _CONTEXT
    one, two = Decimal(1), Decimal(2)
    b = c.add(c.subtract(x, a), one)
    back = value = c.divide(one, b)
    ahead, step = Decimal("Infinity"), 0
    while True:
        step += 1
        part = c.multiply(Decimal(step), c.subtract(a, Decimal(step)))
        b = c.add(b, two)
        back = c.divide(one, c.add(c.multiply(part, back), b))
        ahead = c.add(b, c.divide(part, ahead))
        change = c.multiply(back, ahead)
        value = c.multiply(value, change)
        if c.abs(c.subtract(change, one)) < _PRECISION:
            return value
