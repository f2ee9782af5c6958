"""Sources of the deals of a command: drawn at random, tested, or listed in order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, repeat
from typing import TYPE_CHECKING, TypeVar, cast

from pavcodec.chances.figures import many, percent
from pavcodec.chances.plans import is_tested, kind_of
from pavcodec.cli.output.progress import ProgressBar
from pavcodec.cli.output.streams import complain
from pavcodec.cli.output.targets import UsageError
from pavcodec.errors import PavError
from pavcodec.formats import Format
from pavcodec.layout.layout import layout_from_owners
from pavcodec.numberings import Numbering, numbering, ranks_of
from pavcodec.sampling import Stream, check_slice

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs, Owners
    from pavcodec.chances.questions import Space
    from pavcodec.constraints import Acceptance, Mix, TestedDeals, WeightedDeals
    from pavcodec.constraints.evaluation import Drawn, Evaluation
    from pavcodec.constraints.known import Position
    from pavcodec.layout import Deal


T = TypeVar("T")

FEW = 4096
"""The most deals for which no arrays are loaded."""
_AT_ONCE = 1 << 16
_MOST_LISTED = 10_000_000


class DealSource(ABC):
    """Deals, and a report about them at the end."""

    count: int
    """The most deals of this source."""
    seed = 0
    """The seed of the random numbers that expressions use."""
    start = 0
    """The position of the first deal."""
    is_in_batches = False
    """Whether the deals come in batches for expressions as well."""
    note: Callable[[], str] | None = None
    """Describes its progress if the number of deals does not show it."""

    @property
    def ranks(self) -> Numbering:
        """The numbering of the numbers."""
        return numbering("deal")

    @abstractmethod
    def deals(self) -> Iterator[Deal]:
        """Yield the deals."""

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the deals with the values that expressions have for them."""
        from pavcodec.constraints.evaluation import evaluations

        return evaluations(self.deals(), self.seed, self.start)

    def drawn(self) -> Iterator[Evaluation | Drawn]:
        """Yield the items of `evaluations`, in batches if the deals come in batches."""
        return self._drawn_batches() if self.is_in_batches else self.evaluations()

    def _drawn_batches(self) -> Iterator[Drawn]:
        from pavcodec.constraints.evaluation import Drawn

        start = self.start
        for owners in self.batches():
            yield Drawn.by_seed(owners, self.seed, start)
            start += len(owners)

    def deals_of_batches(self) -> Iterator[Deal]:
        """Yield the deals of `batches` one by one."""
        rows = (owners for batch in self.batches() for owners in batch)
        return (cast("Deal", layout_from_owners(owners.tobytes())) for owners in rows)

    def batches(self) -> Iterator[Owners]:
        """Yield the owners of the deals, `uint8[n, 52]`, many at a time."""
        from pavcodec.boards.batch import batches_of

        return batches_of(self.deals())

    def numbered(self) -> Iterator[tuple[Owners, Limbs]]:
        """Yield the items of `batches` with their numbers: `uint64[n, 2]`, high and low."""
        return ((owners, self.ranks.rank_many(owners)) for owners in self.batches())

    def extras(self) -> Iterator[dict[str, object]]:
        """Yield the additional keys of each deal for JSON."""
        return repeat({})

    @property
    def is_named(self) -> bool:
        """Whether each deal has a type with a name."""
        return False

    def method(self, plan: str) -> str:
        """Return the words on the method in the tag `Generator`, after those of the plan."""
        return plan

    def finish(self) -> bool:
        """Print a report on the error stream; return whether there were enough deals."""
        return True


@dataclass(frozen=True)
class Draw:
    """A requested draw; `tries` is the most deals to test."""

    count: int
    seed: int
    start: int = 0
    distinct: bool = False
    tries: int | None = None


class RandomSource(DealSource):
    """The deals of a draw."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.count, self.seed, self.start = draw.count, draw.seed, draw.start

    def _parts(self) -> Iterator[tuple[int, int]]:
        """Yield start and count of the samples of each batch."""
        end = self.start + self.count
        for start in range(self.start, end, _AT_ONCE):
            yield start, min(_AT_ONCE, end - start)


class _Chosen(RandomSource):
    """Deals at random, one by one."""

    def __init__(self, space: Numbering, draw: Draw) -> None:
        super().__init__(draw)
        self.space = space

    @property
    def ranks(self) -> Numbering:
        return ranks_of(self.space)

    def deals(self) -> Iterator[Deal]:
        draw, stream = self.draw, Stream(self.draw.seed)
        choose = stream.distinct_indexes if draw.distinct else stream.indexes
        indexes = choose(self.space.cardinality, draw.count, draw.start)
        return (cast("Deal", self.space.unrank(index)) for index in indexes)


class _Drawn(_Chosen):
    """Deals at random, in batches."""

    is_in_batches = True

    def batches(self) -> Iterator[Owners]:
        for start, count in self._parts():
            yield self.space.sample_many(count, seed=self.draw.seed, start=start)

    def numbered(self) -> Iterator[tuple[Owners, Limbs]]:
        if self.space != self.ranks:
            yield from super().numbered()
            return
        for start, count in self._parts():  # the numbers are drawn
            numbers = self.space.draw(count, seed=self.draw.seed, start=start)
            yield self.space.unrank_many(numbers), numbers

    def deals(self) -> Iterator[Deal]:
        return self.deals_of_batches()


class _Different(_Drawn):
    """Different deals at random, in batches."""

    def _positions(self) -> Iterator[Limbs]:
        """Yield the positions of the deals, as arrays."""
        from pavcodec.sampling import draw_distinct

        draw, total = self.draw, self.space.cardinality
        Stream(draw.seed).distinct_indexes(total, draw.count, draw.start)  # which checks them
        return draw_distinct(draw.seed, draw.start, draw.count, total, at_once=_AT_ONCE)

    def batches(self) -> Iterator[Owners]:
        return map(self.space.unrank_many, self._positions())

    def numbered(self) -> Iterator[tuple[Owners, Limbs]]:
        if self.space != self.ranks:
            return DealSource.numbered(self)
        return ((self.space.unrank_many(places), places) for places in self._positions())


class _Passed(RandomSource):
    """Deals at random of which a part of the condition is tested."""

    def __init__(self, space: TestedDeals, draw: Draw) -> None:
        from pavcodec.constraints import Acceptance

        check_slice(draw.start, draw.count, 1)
        super().__init__(draw)
        self.space = space
        self._acceptance = Acceptance()
        self._done = 0
        self.note = lambda: f"{self._acceptance.tried:,} tested"

    def deals(self) -> Iterator[Deal]:
        return (cast("Deal", each.deal) for each in self.evaluations())

    def evaluations(self) -> Iterator[Evaluation]:
        draw = self.draw
        passing = self.space.passing(
            seed=draw.seed,
            start=draw.start,
            distinct=draw.distinct,
            tries=draw.tries,
            acceptance=self._acceptance,
        )
        for self._done, each in enumerate(islice(passing, draw.count), start=1):
            yield each

    def drawn(self) -> Iterator[Evaluation | Drawn]:
        from pavcodec.constraints.spaces.rejection_batches import comes_in_batches, passing_batches

        draw = self.draw
        if draw.distinct or draw.count < FEW or not comes_in_batches(self.space):
            yield from self.evaluations()
            return
        for some in passing_batches(
            self.space,
            draw.count,
            seed=draw.seed,
            start=draw.start,
            tries=draw.tries,
            acceptance=self._acceptance,
        ):
            self._done += len(some)
            yield some

    def finish(self) -> bool:
        """Print the share of deals that passed, and whether there were too few."""
        from pavcodec.constraints.nodes.format import show

        parts = self.space.tested.parts
        tests = show(parts[0].node) if len(parts) == 1 else f"{len(parts)} tests"
        _tell(self._acceptance, tests)
        if self._done == self.count:
            return True
        made = f"{self._done:,} of {many(self.count, 'deal')}"
        complain(f"only {made}: 'generate' allows {many(self.draw.tries or 0, 'try', 'tries')}")
        return False


def _tell(acceptance: Acceptance, tests: str) -> None:
    passed, tried = acceptance.accepted, acceptance.tried
    share = f" ({percent(Fraction(passed, tried))})" if tried else ""
    complain(f"{passed:,} of {many(tried, 'deal')} passed {tests}{share}")


class MixedSource(RandomSource):
    """Deals of a mix."""

    def __init__(self, mix: Mix, draw: Draw) -> None:
        from pavcodec.constraints import Acceptance

        super().__init__(draw)
        self.mix = mix
        self._acceptance = Acceptance()
        self._tests = any(is_tested(kind.space) for kind in mix.types)
        if self._tests:
            self.note = lambda: f"{self._acceptance.tried:,} tested"

    def deals(self) -> Iterator[Deal]:
        """Yield the deals."""
        return (cast("Deal", each.deal) for each in self.evaluations())

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the deals with the values that expressions have for them."""
        draw, counts = self.draw, self._acceptance
        return self.mix.evaluations(draw.count, seed=draw.seed, start=draw.start, acceptance=counts)

    @property
    def is_named(self) -> bool:
        """Whether the types have names."""
        from pavcodec.constraints import Levelled

        return isinstance(self.mix, Levelled)

    def extras(self) -> Iterator[dict[str, object]]:
        """Yield the type of each deal for JSON."""
        draw = self.draw
        places = self.mix.places(draw.count, seed=draw.seed, start=draw.start)
        return ({"type": self._type(kind)} for kind in places)

    def _type(self, kind: int) -> object:
        """Return the name of a type: its number, or the names that a script gives it."""
        from pavcodec.constraints import Levelled

        if not isinstance(self.mix, Levelled):
            return kind + 1
        names = self.mix.names_of(kind)
        return names[0] if len(names) == 1 else list(names)

    def finish(self) -> bool:
        """Print the share of deals that passed, if types are tested."""
        if self._tests:
            _tell(self._acceptance, "the tests of their types")
        return True


class _Listed(DealSource):
    """Deals in the order of their numbers."""

    def __init__(self, space: Numbering, indexes: range) -> None:
        self.space = space
        self.indexes = indexes
        self.count, self.start = len(indexes), indexes.start
        self.is_in_batches = self.count >= FEW and _has_loops(space)

    @property
    def ranks(self) -> Numbering:
        return ranks_of(self.space)

    def deals(self) -> Iterator[Deal]:
        return (cast("Deal", self.space.unrank(index)) for index in self.indexes)

    def batches(self) -> Iterator[Owners]:
        if not _has_loops(self.space):
            return super().batches()
        from pavcodec.arrays import consecutive

        end = self.indexes.stop
        parts = (
            consecutive(number, min(_AT_ONCE, end - number))
            for number in range(self.indexes.start, end, _AT_ONCE)
        )
        return map(self.space.unrank_many, parts)


def draw(space: Space | None, wanted: Draw) -> DealSource:
    """Return deals at random from a space, or from all deals."""
    if space is not None and is_tested(space):
        return _Passed(space, wanted)
    chosen: Numbering = numbering("deal") if space is None else space
    if wanted.count < FEW or not _has_loops(chosen):
        return _Chosen(chosen, wanted)
    return _Different(chosen, wanted) if wanted.distinct else _Drawn(chosen, wanted)


def _has_loops(space: Numbering) -> bool:
    """Return whether a space makes its deals in batches."""
    if type(space) is Numbering:
        return True
    from pavcodec.constraints.spaces.constrained import ConstrainedLayouts

    return isinstance(space, ConstrainedLayouts)


def list_all(space: Space | None, count: int | None, start: int) -> DealSource:
    """Return the deals of a space in order: all, or some from a position on."""
    if space is not None and is_tested(space):
        from pavcodec.constraints.nodes.format import show

        reason = f"{show(space.tested.node)} is tested deal by deal"
        raise PavError(f"--all lists what can be counted: {reason}")
    listed: Numbering = numbering("deal") if space is None else space
    total = listed.cardinality
    left = total - start
    if left <= 0:
        raise PavError(
            f"there are {many(total, kind_of(space))}, numbered from 0: none at {start:,}"
        )
    if count is None and left > _MOST_LISTED:
        raise PavError(
            f"there are {many(left, kind_of(space))}, too many to list: "
            f"limit them with -n (and --start), or leave out --all to draw at random"
        )
    return _Listed(listed, range(start, start + min(left, left if count is None else count)))


def watched(
    source: DealSource, items: Iterator[T], output: str, size: Callable[[T], int] | None = None
) -> Iterator[T]:
    """Yield the items of a source under a progress bar; `size` counts the deals of an item."""
    progress = ProgressBar(
        None, "dealing", "deals", output=output, total=source.count, note=source.note
    )
    return progress.watch(items, size)


# The sources of weighted deals and of what remains of deals, for `pavcodec deal`.


class WeightedSource(RandomSource):
    """Weighted deals at random: many in batches, few or different ones one by one."""

    def __init__(self, space: WeightedDeals, draw: Draw) -> None:
        super().__init__(draw)
        self.space = space
        self.is_in_batches = self.count >= FEW and not draw.distinct

    def deals(self) -> Iterator[Deal]:
        """Yield the deals."""
        draw, space = self.draw, self.space
        if draw.distinct:
            sample = space.sample(draw.count, seed=draw.seed, start=draw.start, distinct=True)
            return iter(sample)
        return space.samples(draw.count, seed=draw.seed, start=draw.start)

    def batches(self) -> Iterator[Owners]:
        """Yield the owners of the deals, many at a time."""
        if not self.is_in_batches:
            yield from super().batches()
            return
        for start, count in self._parts():
            yield self.space.sample_many(count, seed=self.seed, start=start)

    def extras(self) -> Iterator[dict[str, object]]:
        """Yield the weight of each deal for JSON."""
        return ({"weight": str(self.space.weight(deal))} for deal in self.deals())


class RemainingSource(DealSource):
    """What remains of the deals of another source at a position: layouts without the gone cards."""

    def __init__(self, original: DealSource, position: Position) -> None:
        self._original = original
        self._position = position
        self.count = original.count
        self.note = original.note

    def deals(self) -> Iterator[Deal]:
        """Yield the layouts that remain."""
        return (cast("Deal", self._position.remaining(deal)) for deal in self._original.deals())

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the original deals with the values that expressions have for them."""
        return self._original.evaluations()

    def batches(self) -> Iterator[Owners]:
        """Yield the owners of the layouts that remain, many at a time."""
        return map(self._position.remaining_many, self._original.batches())

    def method(self, plan: str) -> str:
        """Return the words on the method of the original deals."""
        return self._original.method(plan)

    def finish(self) -> bool:
        """Print the report of the original deals."""
        return self._original.finish()


def check_remaining(target: Format | None) -> None:
    """Refuse `--remaining` with actions of a script, and with a format that has boards."""
    if target is None:
        raise UsageError("--remaining replaces the actions of a script: use --to lines")
    if not target.is_cards_only:
        raise UsageError(
            f"{target.name} has boards, and --remaining leaves layouts: use a format of cards, "
            "such as lines"
        )
