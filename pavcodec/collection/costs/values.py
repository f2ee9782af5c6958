"""The arguments and the results of a simulation.

Times are in microseconds. All values are integers, and shares are fractions.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from fractions import Fraction

from pavcodec.collection.plan import Ranges
from pavcodec.errors import NumberError, shown

__all__ = ["HOUR", "SECOND", "Cluster", "Job", "Outcome", "Prices"]

SECOND = 10**6
HOUR = 3600 * SECOND
_MONTH = 730 * HOUR
"""The month of prices: a twelfth of 365 days."""
_TERABYTE = 10**12


def _check(value: object) -> None:
    """Raise `NumberError` for a field that is no integer from 0 on."""
    for each in fields(value):  # type: ignore[arg-type]
        number = getattr(value, each.name)
        if type(number) is not int or number < 0:
            raise NumberError(f"{each.name} is an integer from 0 on, not {shown(number)}")


@dataclass(frozen=True, kw_only=True)
class Job:
    """A collection: its deals and parts, the nanoseconds and the bits of a deal."""

    deals: int
    parts: int
    nanoseconds: int
    """The time of a core for a deal."""
    bits: int
    """The bits of a deal in the files."""

    def __post_init__(self) -> None:
        _check(self)
        if not 1 <= self.parts <= self.deals:
            raise NumberError(
                f"{shown(self.deals)} deals make 1 to {shown(self.deals)} parts, "
                f"not {shown(self.parts)}"
            )

    @property
    def bytes(self) -> int:
        """The bytes of all parts."""
        return self.deals * self.bits // 8

    def time_of(self, part: int) -> int:
        """Return the time of a core for a part."""
        return self._deals_of(part) * self.nanoseconds // 1000

    def bytes_of(self, part: int) -> int:
        """Return the bytes of a part."""
        return self._deals_of(part) * self.bits // 8

    def price_of_month(self, prices: Prices) -> Fraction:
        """Return the price of the stored parts for a month."""
        return Fraction(self.bytes, _TERABYTE) * prices.terabyte_month

    def _deals_of(self, part: int) -> int:
        return Ranges(0, self.deals, self.parts)[part][1]


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """Workers of one core each, a scheduler, and a store that all share.

    A value of 0 means that the cluster has no such fault, or no such limit.
    """

    workers: int
    start: int = 0
    """The time until a new worker takes its first part."""
    lifetime: int = 0
    """The mean time until a worker dies; its part is lost."""
    replaced: int = 0
    """The time until another worker starts in place of a dead one."""
    slow: int = 0
    """One part in so many is slow."""
    slowness: int = 1
    """The time of a slow part, in times of other parts."""
    task: int = 0
    """The time of the scheduler for each task; it serves one after the other."""
    bandwidth: int = 0
    """The bytes that the store takes in a second, one part after the other."""
    refused: int = 0
    """One put in so many fails at its end, and the worker makes the part again."""
    row: int = 0
    """The time of the driver for each part when all parts are there, for the manifest."""

    def __post_init__(self) -> None:
        _check(self)
        if not self.workers:
            raise NumberError("a cluster has 1 worker or more")
        if self.refused == 1:
            raise NumberError("a store that refuses each put never has a part")
        if not self.slowness:
            raise NumberError("a slow part takes 1 time or more of another part")


@dataclass(frozen=True, kw_only=True)
class Prices:
    """Prices, in any unit of money: fractions of it are exact."""

    core_hour: Fraction
    terabyte_month: Fraction
    thousand_puts: Fraction = Fraction(0)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a simulation found."""

    job: Job
    time: int
    """The time until the manifest is there."""
    paid: int
    """The time of all workers from their starts to their ends."""
    work: int
    """The time of cores in parts that are in the store at the end."""
    lost: int
    """The time of cores in parts that were lost."""
    deaths: int
    puts: int
    """The puts, with those that failed."""
    shares: dict[str, Fraction] = field(default_factory=dict)
    """The shares of the time in which each part of the cluster was busy."""

    @property
    def bottleneck(self) -> str:
        """The part of the cluster that was busy for the greatest share of the time."""
        return max(self.shares, key=self.shares.__getitem__)

    @property
    def hours(self) -> Fraction:
        """The time in hours."""
        return Fraction(self.time, HOUR)

    @property
    def loss(self) -> Fraction:
        """The lost share of the time of cores."""
        done = self.work + self.lost
        return Fraction(self.lost, done) if done else Fraction(0)

    def price(self, prices: Prices) -> Fraction:
        """Return the price of the cores and the puts."""
        return (
            Fraction(self.paid, HOUR) * prices.core_hour
            + Fraction(self.puts, 1000) * prices.thousand_puts
        )
