"""Shares that are estimated from samples, with their confidence intervals."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isqrt
from operator import index as as_integer

from pavcodec.errors import NumberError
from pavcodec.layout.drawings import notebook_table, percent

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
        for number in (self.accepted, self.tried):
            as_integer(number)
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

    def to_dict(self) -> dict[str, object]:
        """Return the estimate for JSON, as `pavcodec odds --json` prints it."""
        return chance_row(self)

    def _repr_html_(self) -> str:
        """Return the estimate with its interval in HTML; notebooks call this."""
        heads = ["estimate, %", "95 %: from", "to", "passed", "of deals"]
        ends = map(percent, (self.value, self.low, self.high))
        row = [*ends, f"{self.accepted:,}", f"{self.tried:,}"]
        return notebook_table("estimated share", heads, [row], texts=())

    def __str__(self) -> str:
        value, low, high = (f"{float(each):.4g}" for each in (self.value, self.low, self.high))
        return f"about {value} (95 %: {low} to {high})"


def chance_row(chance: Fraction | Share) -> dict[str, object]:
    """Return a probability, or the estimate of one, for JSON.

    >>> chance_row(Fraction(1, 4))
    {'probability': '1/4', 'exact': True}
    """
    if isinstance(chance, Fraction):
        return {"probability": str(chance), "exact": True}
    ends = {name: float(getattr(chance, name)) for name in ("value", "low", "high")}
    tries = {"accepted": chance.accepted, "tried": chance.tried}
    return {"probability": None, "exact": False, "estimate": ends | tries}


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


# Estimated cardinalities, and what was accepted of a sample.


@dataclass(frozen=True)
class Estimate:
    """How many deals there may be: `accepted` of `tried` deals out of `total` passed.

    `value` is the estimate, `low` and `high` the ends of its 95 % confidence interval (Wilson's),
    rounded outwards. None of them is exact, and an `Estimate` is no number.

    >>> guess = Estimate(accepted=25, tried=100, total=10**6)
    >>> guess.value, guess.low, guess.high
    (250000, 175450, 343047)
    """

    accepted: int
    tried: int
    total: int

    def __post_init__(self) -> None:
        for number in (self.accepted, self.tried, self.total):
            as_integer(number)

    @property
    def share(self) -> Share:
        """The share of deals that passed, with its interval."""
        return Share(self.accepted, self.tried)

    @property
    def acceptance(self) -> Fraction:
        """The share of deals that passed."""
        return self.share.value

    @property
    def value(self) -> int:
        """The estimate, rounded."""
        return round(self.acceptance * self.total)

    @property
    def low(self) -> int:
        """The lower end of the interval."""
        return int(self.share.low * self.total)

    @property
    def high(self) -> int:
        """The upper end of the interval."""
        return min(self.total, int(self.share.high * self.total) + 1)

    def ends(self) -> dict[str, object]:
        """Return the estimate, its interval and its trials for JSON."""
        ends = {name: str(getattr(self, name)) for name in ("value", "low", "high")}
        return {**ends, "accepted": self.accepted, "tried": self.tried}

    def to_dict(self) -> dict[str, object]:
        """Return the estimate for JSON, as `pavcodec count --json` prints it.

        >>> Estimate(accepted=25, tried=100, total=10**6).to_dict()["estimate"]["value"]
        '250000'
        """
        return count_row(None, 1) | {"estimate": self.ends()}

    def _repr_html_(self) -> str:
        """Return the estimate with its interval in HTML; notebooks call this."""
        heads = ["about", "95 %: from", "to", "passed", "of deals"]
        numbers = (self.value, self.low, self.high, self.accepted, self.tried)
        row = [f"{number:,}" for number in numbers]
        return notebook_table("estimated number of deals", heads, [row], texts=())

    def __str__(self) -> str:
        return f"about {self.value} (95 %: {self.low} to {self.high})"


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
