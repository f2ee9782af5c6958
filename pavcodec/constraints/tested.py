"""Conditions of which a part is tested deal by deal: exact samples, estimated cardinality.

What can be counted is drawn exactly; of these deals those are kept that pass the rest. Every deal
that satisfies the condition is equally likely, however rare. How many there are is not known: the
cardinality is an `Estimate`, which no exact figure is mistaken for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count as count_from
from itertools import islice
from math import isqrt
from operator import index as as_integer
from typing import SupportsIndex, cast

from pavcodec.constraints.constrained import ConstrainedDeals
from pavcodec.constraints.evaluate import Solver, evaluate
from pavcodec.constraints.expressions import Expression
from pavcodec.errors import NumberError, PavError
from pavcodec.layout import Deal, Layout
from pavcodec.sampling import Seed, Stream, fresh_seed, seed_of

__all__ = ["Acceptance", "Estimate", "TestedDeals"]

_TRIALS = 2000
_TIRED_AFTER = 1_000_000
_Z = Fraction(196, 100)  # standard deviations of a 95 % interval


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

    @property
    def acceptance(self) -> Fraction:
        """The share of deals that passed."""
        return Fraction(self.accepted, self.tried)

    @property
    def value(self) -> int:
        """The estimate, rounded."""
        return round(self.acceptance * self.total)

    @property
    def low(self) -> int:
        """The lower end of the interval."""
        return max(0, int(self._end(-1) * self.total))

    @property
    def high(self) -> int:
        """The upper end of the interval."""
        return min(self.total, int(self._end(1) * self.total) + 1)

    def _end(self, sign: int) -> Fraction:
        """Return an end of Wilson's interval for the share, the root rounded outwards."""
        n, z2 = self.tried, _Z * _Z
        inside = self.acceptance * (1 - self.acceptance) / n + z2 / (4 * n * n)
        scale = 10**30
        root = Fraction(isqrt(int(inside * scale)) + 1, isqrt(scale))
        end = (self.acceptance + z2 / (2 * n) + sign * _Z * root) / (1 + z2 / n)
        return min(max(end, Fraction(0)), Fraction(1))

    def __str__(self) -> str:
        return f"about {self.value} (95 %: {self.low} to {self.high})"


@dataclass
class Acceptance:
    """How many deals were tried while sampling, and how many of them passed."""

    tried: int = 0
    accepted: int = 0


@dataclass(frozen=True, eq=False)
class TestedDeals:
    """The deals of a space that also satisfy a condition which nobody can count.

    Made by `pavcodec.deals(where)` for conditions with `rnd`, `tricks`, Python functions or
    divisions by what may be 0. There is no rank and no position; sampling is exact.

    >>> from pavcodec import deals
    >>> space = deals("hcp(south) >= 20 && rnd(2) == 1")
    >>> [str(part) for part in (space.counted.where, space.tested)]
    ['hcp(south) >= 20', 'rnd(2) == 1']
    >>> space.sample(1, seed=7)[0]["S"].hcp >= 20
    True
    """

    counted: ConstrainedDeals
    tested: Expression
    reasons: tuple[str, ...] = ()
    solver: Solver | None = None
    patience: int = _TIRED_AFTER
    """The deals in a row that may fail before sampling gives up."""

    @property
    def where(self) -> Expression:
        """The whole condition."""
        return self.counted.where & self.tested

    @property
    def cardinality(self) -> Estimate:
        """An estimate of the number of deals, from the first 2000 deals of a fixed seed."""
        return self.estimate(_TRIALS, seed="cardinality")

    def estimate(self, trials: int, *, seed: Seed) -> Estimate:
        """Return an estimate from so many deals."""
        if not self.counted:
            return Estimate(0, trials, 0)
        tests = self._trials(seed_of(seed), 0)
        accepted = sum(passed for _, passed in (next(tests) for _ in range(trials)))
        return Estimate(accepted, trials, self.counted.cardinality)

    def samples(
        self,
        *,
        seed: Seed | None = None,
        acceptance: Acceptance | None = None,
        tries: int | None = None,
    ) -> Iterator[Deal]:
        """Yield deals at random, all equally likely, without end; count tries in `acceptance`.

        With `tries` there is an end, after so many deals that passed or not. Raises `PavError` when
        a million deals in a row did not pass.
        """
        counts = acceptance if acceptance is not None else Acceptance()
        failed = 0
        trials = self._trials(fresh_seed() if seed is None else seed_of(seed), 0)
        for deal, passed in islice(trials, tries):
            counts.tried += 1
            failed = 0 if passed else failed + 1
            if failed >= self.patience:
                raise PavError(
                    f"{failed:,} deals in a row did not pass '{self.tested}': there may be none"
                )
            if passed:
                counts.accepted += 1
                yield deal

    def sample(
        self,
        count: SupportsIndex,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
        distinct: bool = False,
    ) -> list[Deal]:
        """Return deals at random: `count` of those that pass, from the one with index `start` on.

        To get there, all deals before are tested as well. With `distinct`, repeats are passed over;
        a million of them in a row raise `PavError`, since there may be no more deals.
        """
        first, many = as_integer(start), as_integer(count)
        if first < 0 or many < 0:
            raise NumberError("a start and a count are 0 or more")
        found = self.samples(seed=seed)
        for _ in range(first):
            next(found)
        if not distinct:
            return list(islice(found, many))
        kept: dict[Deal, None] = {}
        repeats = 0
        while len(kept) < many:
            before = len(kept)
            kept[next(found)] = None
            repeats = repeats + 1 if len(kept) == before else 0
            if repeats >= self.patience:
                raise PavError(f"{repeats:,} repeats in a row: there may be only {before} deals")
        return list(kept)

    def _key(self) -> tuple[object, ...]:
        return self.counted, self.tested.node, self.solver, self.patience

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, TestedDeals) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __contains__(self, layout: object) -> bool:
        if not isinstance(layout, Layout) or not layout.is_deal:
            return False
        return layout in self.counted and bool(
            evaluate(self.tested.node, layout, tricks=self.solver)
        )

    def _trials(self, seed: int, start: int) -> Iterator[tuple[Deal, bool]]:
        """Yield the deals of the counted space as the stream has them, and whether they pass."""
        stream = Stream(seed)
        unrank, total = self.counted.unrank, self.counted.cardinality
        for k in count_from(start):
            deal = cast("Deal", unrank(stream.index(k, total)))
            chance = _chance(seed, k)
            passed = evaluate(self.tested.node, deal, random=chance, tricks=self.solver)
            yield deal, bool(passed)


def _chance(seed: int, k: int) -> Callable[[int], int]:
    """Return the random numbers of sample k for `rnd`: blocks of pav-1 that no index is drawn from.

    Draw number d is made as an index is, from the counters (k, attempt, 1, d).
    """
    stream, draws = Stream(seed), count_from()
    return lambda below: stream.aside(1, next(draws)).index(k, below)
