"""Estimated cardinalities, and what was accepted of a sample."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from operator import index as as_integer

from pavcodec.constraints.spaces.share import Share, count_row
from pavcodec.layout.drawings.notebook import notebook_table

__all__ = ["Acceptance", "Estimate"]


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
