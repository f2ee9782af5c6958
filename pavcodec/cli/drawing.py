"""Where the deals of `pavcodec deal` come from: drawn at random, tested, or listed in order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, cast

from pavcodec.cli.conditions import is_tested, space_of
from pavcodec.cli.figures import many, percent
from pavcodec.cli.streams import complain
from pavcodec.errors import PavError
from pavcodec.layout import Deal
from pavcodec.numberings import Numbering, numbering
from pavcodec.sampling import Stream, check_slice

if TYPE_CHECKING:
    from pavcodec.cli.conditions import Space
    from pavcodec.constraints import ConstrainedDeals, TestedDeals

__all__ = ["Draw", "Source", "draw", "list_all"]

_FEW = 4096
"""The deals without a condition for which no arrays are loaded."""
_AT_ONCE = 1 << 16
_MOST_LISTED = 10_000_000
_TIRED_AFTER = 1_000_000


class Source(ABC):
    """Deals, and what is to be said of them at the end."""

    count: int
    """How many deals there will be, at most."""

    @abstractmethod
    def deals(self) -> Iterator[Deal]:
        """Yield the deals."""

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of the deals."""
        return map(numbering("deal").rank, self.deals())

    def finish(self) -> None:  # noqa: B027 (most have nothing to say)
        """Say on the error stream how it went; nothing where every deal counts."""


@dataclass(frozen=True)
class Draw:
    """What is to be drawn: `tries` is the most deals that are tested, if any are."""

    count: int
    seed: int
    start: int = 0
    distinct: bool = False
    tries: int | None = None


class _Chosen(Source):
    """Deals at random, one by one."""

    def __init__(self, space: Numbering, draw: Draw) -> None:
        self.space = space
        self.draw = draw
        self.count = draw.count

    def deals(self) -> Iterator[Deal]:
        draw, stream = self.draw, Stream(self.draw.seed)
        choose = stream.distinct_indexes if draw.distinct else stream.indexes
        indexes = choose(self.space.cardinality, draw.count, draw.start)
        return (cast("Deal", self.space.unrank(index)) for index in indexes)


class _Drawn(Source):
    """Deals at random, many at once."""

    def __init__(self, space: ConstrainedDeals, draw: Draw) -> None:
        self.space = space
        self.draw = draw
        self.count = draw.count

    def deals(self) -> Iterator[Deal]:
        return self.space.samples(self.count, seed=self.draw.seed, start=self.draw.start)

    def numbers(self) -> Iterator[int]:
        if self.count < _FEW:
            yield from super().numbers()
            return
        end = self.draw.start + self.count
        for start in range(self.draw.start, end, _AT_ONCE):
            rows = self.space.draw(min(_AT_ONCE, end - start), seed=self.draw.seed, start=start)
            for high, low in rows.tolist():
                yield high << 64 | low


class _Passed(Source):
    """Deals at random of which a part of the condition is tested."""

    def __init__(self, space: TestedDeals, draw: Draw) -> None:
        from pavcodec.constraints import Acceptance

        check_slice(draw.start, draw.count, 1)
        self.space = space
        self.draw = draw
        self.count = draw.count
        self._acceptance = Acceptance()
        self._done = 0

    def deals(self) -> Iterator[Deal]:
        draw = self.draw
        found = self.space.samples(seed=draw.seed, acceptance=self._acceptance, tries=draw.tries)
        for _ in range(draw.start):
            if next(found, None) is None:
                return
        for deal in islice(_different(found) if draw.distinct else found, draw.count):
            self._done += 1
            yield deal

    def finish(self) -> None:
        """Tell the share of deals that passed, and whether there were too few."""
        passed, tried = self._acceptance.accepted, self._acceptance.tried
        share = f" ({percent(Fraction(passed, tried))})" if tried else ""
        complain(f"{passed:,} of {many(tried, 'deal')} passed '{self.space.tested}'{share}")
        if self._done < self.count:
            found = f"{self._done:,} of {many(self.count, 'deal')}"
            complain(
                f"only {found}: 'generate' allows {many(self.draw.tries or 0, 'try', 'tries')}"
            )


def _different(deals: Iterator[Deal]) -> Iterator[Deal]:
    """Yield each deal once; give up when only known ones come."""
    seen: set[Deal] = set()
    repeats = 0
    for deal in deals:
        repeats += 1
        if deal not in seen:
            seen.add(deal)
            repeats = 0
            yield deal
        elif repeats >= _TIRED_AFTER:
            raise PavError(f"{repeats:,} deals in a row came before: there may be no others")


class _Listed(Source):
    """Deals in the order of their numbers."""

    def __init__(self, space: Numbering, indexes: range) -> None:
        self.space = space
        self.indexes = indexes
        self.count = len(indexes)

    def deals(self) -> Iterator[Deal]:
        return (cast("Deal", self.space.unrank(index)) for index in self.indexes)


def draw(space: Space | None, wanted: Draw) -> Source:
    """Return deals at random from a space, or from all deals."""
    if space is None and (wanted.count < _FEW or wanted.distinct):
        return _Chosen(numbering("deal"), wanted)
    if space is None:
        space = space_of(None)
    if is_tested(space):
        return _Passed(space, wanted)
    from pavcodec.constraints import ConstrainedDeals

    quick = isinstance(space, ConstrainedDeals) and not wanted.distinct
    return _Drawn(space, wanted) if quick else _Chosen(space, wanted)


def list_all(space: Space | None, count: int | None, start: int) -> Source:
    """Return the deals of a space in order: all, or some from a position on."""
    if space is not None and is_tested(space):
        reason = f"'{space.tested}' is tested deal by deal"
        raise PavError(f"--all lists what can be counted: {reason}")
    listed: Numbering = numbering("deal") if space is None else space
    total = listed.cardinality
    left = total - start
    if left <= 0:
        raise PavError(f"there are {many(total, 'deal')}, numbered from 0: none at {start:,}")
    if count is None and left > _MOST_LISTED:
        raise PavError(
            f"there are {many(left, 'deal')}, too many to list: "
            f"cut them with -n (and --start), or leave out --all to draw at random"
        )
    return _Listed(listed, range(start, start + min(left, left if count is None else count)))
