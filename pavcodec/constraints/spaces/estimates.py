"""Numbers and shares that are estimated from samples, with their confidence intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isqrt
from operator import index as as_integer
from typing import Any, Generic, TypeVar

from pavcodec.errors import NumberError
from pavcodec.layout.drawings import notebook_table, percent

_Z = Fraction(196, 100)  # standard deviations of a 95 % interval
_SCALE = 10**15


Of = TypeVar("Of", int, Fraction)


@dataclass(frozen=True)
class Estimate(Generic[Of]):
    """An estimated number of deals, or an estimated share, with its 95 % confidence interval.

    `value` is the estimate, `low` and `high` are the ends of the interval. Of the sample that it is
    from, `accepted` of `tried` deals passed, and `total` is the number of deals, or the share, that
    they were drawn from. An `Estimate` is no number. Sums of exact numbers have equal ends.

    >>> guess = Estimate.of_sample(accepted=25, tried=100, total=10**6)
    >>> guess.value, guess.low, guess.high
    (250000, 175450, 343047)
    """

    value: Of
    low: Of
    high: Of
    accepted: int = 0
    tried: int = 0
    total: Of | int = 0

    @classmethod
    def of_sample(cls, accepted: int, tried: int, total: Of = Fraction(1)) -> Estimate[Of]:  # type: ignore[assignment]
        """Return the estimate from a sample, with the interval of Wilson, rounded outwards.

        It is a whole number of deals for an integer `total`, and a share for a fraction. Raises
        `NumberError` unless `tried` is 1 or more and `accepted` is 0 to `tried`.

        >>> share = Estimate.of_sample(25, 100)
        >>> share.value, float(share.low), float(share.high)
        (Fraction(1, 4), 0.1754509400372412, 0.34304646370075975)
        >>> print(share)
        about 0.25 (95 %: 0.1755 to 0.343)
        """
        for number in (accepted, tried):
            as_integer(number)
        if not (tried and 0 <= accepted <= tried):
            of = f"{accepted} of {tried} deals"
            raise NumberError(f"a share is of 1 deal at least, and of all at most, not {of}")
        share, z2 = Fraction(accepted, tried), _Z * _Z
        spread = _Z * root(share * (1 - share) / tried + z2 / (4 * tried * tried))
        middle, scale = share + z2 / (2 * tried), 1 + z2 / tried
        low = max((middle - spread) / scale, Fraction(0)) * total
        high = min((middle + spread) / scale, Fraction(1)) * total
        if isinstance(total, Fraction):
            return cls(share * total, low, high, accepted, tried, total)
        return cls(
            round(share * total), int(low), min(total, int(high) + 1), accepted, tried, total
        )

    @classmethod
    def exact(cls, value: Of) -> Estimate[Of]:
        """Return an exact number, to be added to estimates."""
        if not isinstance(value, Fraction):
            as_integer(value)
        return cls(value, value, value)

    @property
    def is_exact(self) -> bool:
        """Whether it is a number after all."""
        return self.low == self.high

    @property
    def _is_share(self) -> bool:
        return isinstance(self.value, Fraction)

    @property
    def acceptance(self) -> Fraction:
        """The share of deals that passed."""
        return Fraction(self.accepted, self.tried)

    def __add__(self, other: Estimate[Of]) -> Estimate[Of]:
        if not isinstance(other, Estimate):
            return NotImplemented
        return Estimate(self.value + other.value, self.low + other.low, self.high + other.high)

    def among(self, others: Estimate[Of]) -> Estimate[Fraction] | None:
        """Return the share of this number in the sum of both; None if the sum is 0."""
        if not self.value + others.value:
            return None
        low = Fraction(self.low, self.low + others.high) if self.low else Fraction(0)
        high = Fraction(self.high, self.high + others.low) if self.high else Fraction(0)
        return Estimate(Fraction(self.value, self.value + others.value), low, high)

    def over(self, share: Fraction) -> Estimate[Fraction]:
        """Return this number divided by an exact share."""
        return Estimate(self.value / share, self.low / share, self.high / share)

    def ends(self) -> dict[str, object]:
        """Return the estimate, its interval and its sample for JSON."""
        shown: Callable[[Any], object] = float if self._is_share else str
        ends = {name: shown(getattr(self, name)) for name in ("value", "low", "high")}
        return ends | {"accepted": self.accepted, "tried": self.tried}

    def to_dict(self) -> dict[str, object]:
        """Return the estimate for JSON, as `pavcodec count --json` and `odds --json` print it.

        >>> Estimate.of_sample(accepted=25, tried=100, total=10**6).to_dict()["estimate"]["value"]
        '250000'
        """
        row: dict[str, object] = {} if self._is_share else {"cardinality": None}
        return row | {"probability": None, "exact": False, "estimate": self.ends()}

    def _repr_html_(self) -> str:
        """Return the estimate with its interval in HTML; notebooks call this."""
        shown: Callable[[Any], str] = percent if self._is_share else "{:,}".format
        first, title = ("estimate, %", "share") if self._is_share else ("about", "number of deals")
        row = [*map(shown, (self.value, self.low, self.high))]
        row += [f"{self.accepted:,}", f"{self.tried:,}"]
        heads = [first, "95 %: from", "to", "passed", "of deals"]
        return notebook_table(f"estimated {title}", heads, [row], texts=())

    def __str__(self) -> str:
        values: list[Any] = [self.value, self.low, self.high]
        if self._is_share:
            values = [f"{float(each):.4g}" for each in values]
        value, low, high = values
        return f"about {value} (95 %: {low} to {high})"


def chance_row(chance: Fraction | Estimate[Fraction]) -> dict[str, object]:
    """Return a probability, or the estimate of one, for JSON.

    >>> chance_row(Fraction(1, 4))
    {'probability': '1/4', 'exact': True}
    """
    if isinstance(chance, Fraction):
        return {"probability": str(chance), "exact": True}
    return chance.to_dict()


def count_row(total: int | None, among: int) -> dict[str, object]:
    """Return an exact number, and its share of others, for JSON; None without an exact number.

    >>> count_row(1, 4)
    {'cardinality': '1', 'probability': '1/4', 'exact': True}
    """
    if total is None:
        return {"cardinality": None, "probability": None, "exact": False}
    return {"cardinality": str(total), "probability": str(Fraction(total, among)), "exact": True}


def root(square: Fraction) -> Fraction:
    """Return a square root, rounded up at the 15th decimal.

    >>> root(Fraction(9, 4)), float(root(Fraction(2)))
    (Fraction(3, 2), 1.414213562373096)
    """
    scaled = square * _SCALE * _SCALE
    return Fraction(isqrt(ceil(scaled) - 1) + 1 if scaled else 0, _SCALE)


@dataclass
class Acceptance:
    """How many deals were tried while sampling, and how many of them passed."""

    tried: int = 0
    accepted: int = 0

    @classmethod
    def of(cls, acceptance: Acceptance | None) -> Acceptance:
        """Return an acceptance, or a new one; raise `TypeError` for another value."""
        if acceptance is None:
            return cls()
        if not isinstance(acceptance, cls):
            given = type(acceptance).__name__
            raise TypeError(f"an acceptance is an Acceptance, which counts, not {given!r}")
        return acceptance
