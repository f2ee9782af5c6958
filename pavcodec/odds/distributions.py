"""Distributions: how many deals give a number each of its values, exactly or in a sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Generic

from pavcodec.constraints.spaces.share import Share, root
from pavcodec.errors import PavError

__all__ = ["Distribution", "SampledDistribution", "Value", "WeightedDistribution"]

Value = int | tuple[int, ...]
"""The value of one number, or those of several."""

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Key = TypeVar("Key", bound=Value, default=Value)
else:
    from typing import TypeVar

    Key = TypeVar("Key", bound=Value)
Chance = TypeVar("Chance")


@dataclass(frozen=True)
class _Counted(Mapping[Key, Chance], Generic[Chance, Key]):
    """Deals counted by value, in ascending order. Values that no deal has are absent."""

    counts: dict[Key, int]
    """The number of deals with each value."""

    @cached_property
    def total(self) -> int:
        """How many deals were counted."""
        return sum(self.counts.values())

    @property
    def mean(self) -> Fraction:
        """The average of the number over these deals."""
        return self._average(lambda value: value)

    @property
    def variance(self) -> Fraction:
        """The average square of the distance from the mean, over these deals."""
        mean = self.mean
        return self._average(lambda value: (value - mean) ** 2)

    def _average(self, function: Callable[[int], int | Fraction]) -> Fraction:
        total = Fraction(0)
        for value, count in self.counts.items():
            if isinstance(value, tuple):
                raise PavError("only a single number has an average, not several together")
            total += count * function(value)
        return total / self.total

    def __iter__(self) -> Iterator[Key]:
        return iter(self.counts)

    def __len__(self) -> int:
        return len(self.counts)


class Distribution(_Counted[Fraction, Key], Generic[Key]):
    """The exact probability of each value of a number, or of each row of values of several.

    It is a mapping from values to fractions that add up to 1. `counts` has the numbers of deals.

    >>> from pavcodec import distribution
    >>> spades = distribution("spades(north)", given="spades(south) == 7")
    >>> spades[6], spades.mean, spades.total
    (Fraction(44, 83657), Fraction(2, 1), 472964238779242940845315200)
    """

    def __getitem__(self, value: Key) -> Fraction:
        return Fraction(self.counts[value], self.total)


class WeightedDistribution(Distribution[Key], Generic[Key]):
    """The exact probability of each value for weighted deals.

    It is a mapping like `Distribution`. `counts` has the sums of the weights of the deals with each
    value, as integers in their proportion, and `total` their sum.

    >>> from pavcodec import distribution, weighted
    >>> aces = distribution("aces(north)", given=weighted("hcp(north) == 8", joint="aces(north)"))
    >>> {value: round(float(share), 4) for value, share in aces.items()}
    {1: 0.8139, 2: 0.1861}
    """


class SampledDistribution(_Counted[Share, Key], Generic[Key]):
    """Estimates of the probability of each value, from a sample of deals.

    It is a mapping from values to shares with their confidence intervals. All values are estimates.

    >>> from pavcodec import distribution
    >>> spades = distribution("spades(north)", given="spades(south) == 7", simulate=400, seed=7)
    >>> spades.total, float(spades.mean), round(float(spades.standard_error), 3)
    (400, 2.0475, 0.053)
    """

    def __getitem__(self, value: Key) -> Share:
        return Share(self.counts[value], self.total)

    @property
    def standard_error(self) -> Fraction:
        """The standard error of the mean, from the sample itself."""
        if self.total < 2:
            raise PavError("a standard error takes at least 2 deals")
        return root(self.variance / (self.total - 1))
