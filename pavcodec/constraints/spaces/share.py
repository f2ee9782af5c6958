"""Shares that are estimated from samples, with their confidence intervals."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isqrt

from pavcodec.errors import NumberError

__all__ = ["Share", "root"]

_Z = Fraction(196, 100)  # standard deviations of a 95 % interval
_SCALE = 10**15


@dataclass(frozen=True)
class Share:
    """An estimated share: `accepted` of `tried` deals passed, from the tested share `of`.

    `value` is the estimate, `low` and `high` the ends of its 95 % confidence interval (Wilson's),
    rounded outwards. Only `of` is exact, and a `Share` is no number. Raises `NumberError` unless
    `tried` is 1 or more and `accepted` is 0 to `tried`.

    >>> share = Share(accepted=25, tried=100)
    >>> share.value, float(share.low), float(share.high)
    (Fraction(1, 4), 0.1754509400372412, 0.34304646370075975)
    >>> print(share)
    about 0.25 (95 %: 0.1755 to 0.343)
    """

    accepted: int
    tried: int
    of: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if not (self.tried and 0 <= self.accepted <= self.tried):
            tried = f"{self.accepted} of {self.tried} deals"
            raise NumberError(f"a share is of 1 deal at least, and of all at most, not {tried}")

    @property
    def value(self) -> Fraction:
        """The estimate."""
        return Fraction(self.accepted, self.tried) * self.of

    @property
    def low(self) -> Fraction:
        """The lower end of the interval."""
        return self._end(-1) * self.of

    @property
    def high(self) -> Fraction:
        """The upper end of the interval."""
        return self._end(1) * self.of

    def _end(self, sign: int) -> Fraction:
        """Return an end of Wilson's interval, the root rounded outwards."""
        n, share, z2 = self.tried, Fraction(self.accepted, self.tried), _Z * _Z
        spread = root(share * (1 - share) / n + z2 / (4 * n * n))
        end = (share + z2 / (2 * n) + sign * _Z * spread) / (1 + z2 / n)
        return min(max(end, Fraction(0)), Fraction(1))

    def __str__(self) -> str:
        value, low, high = (f"{float(each):.4g}" for each in (self.value, self.low, self.high))
        return f"about {value} (95 %: {low} to {high})"


def root(square: Fraction) -> Fraction:
    """Return a square root, rounded up at the 15th decimal.

    >>> root(Fraction(9, 4)), float(root(Fraction(2)))
    (Fraction(3, 2), 1.414213562373096)
    """
    scaled = square * _SCALE * _SCALE
    return Fraction(isqrt(ceil(scaled) - 1) + 1 if scaled else 0, _SCALE)
