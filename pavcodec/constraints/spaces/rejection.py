"""Conditions of which a part is tested deal by deal: exact samples, estimated cardinality.

Deals are drawn exactly from the counted part; those that fail the rest are rejected. Every deal
that satisfies the condition is equally likely, however rare. The exact number of deals is unknown:
the cardinality is an `Estimate`, a type of its own, so that it is not mistaken for an exact number.

Rule 1: what passes is a stream of *trials*: parts of the samples of the counted space, the later
the larger, with the rows that pass. Samples, batches, estimates and parts of collections follow.
Rule 2: a part of the trials that has a deal without a value ends before that deal, and the error
comes after it. So the deals before it are given, however many are tested together.

A condition such as `A || B` over several hands may imply nothing for any single hand, although A
and B do. It is split into cases, each with a counted space of its own. Indexes run through the
spaces one after another. A deal may be in several spaces: it counts in the first of them, and the
trials of the later spaces reject it. So there is exactly one index for every deal that satisfies
the condition.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice
from operator import attrgetter
from operator import index as as_integer
from typing import TYPE_CHECKING, ClassVar, NamedTuple, SupportsIndex, TypeVar, cast

import numpy as np

from pavcodec.arrays import Threads
from pavcodec.cards import DECK_SIZE, FOUR_HANDS
from pavcodec.constraints.columns import Piece, Tester, contains_rows
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.counting.implied import any_of
from pavcodec.constraints.evaluation import Evaluation, evaluate
from pavcodec.constraints.nodes.format import show
from pavcodec.constraints.nodes.syntax import Node, conjunction, measure_of
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.spaces.constrained import ConstrainedDeals
from pavcodec.constraints.spaces.estimates import Acceptance, Estimate
from pavcodec.constraints.vectors import Chunk, Places
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.layout import Deal, Layout
from pavcodec.layout.drawings import notebook_table
from pavcodec.layout.layout import check_layout
from pavcodec.limits import MEMORY, is_time_up, memory_of, processors
from pavcodec.numberings import numbering
from pavcodec.numberings.chain import Chain
from pavcodec.numberings.space import Rows, Space, different, parts_of_stream
from pavcodec.sampling import (
    AT_ONCE,
    Seed,
    check_count,
    check_many,
    check_slice,
    draw_indexes,
    given_seed,
    seed_of,
)
from pavcodec.solving.double_dummy import Solver

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Threads


T = TypeVar("T")

TRIALS = 2000
"""The number of deals that are tested for an estimate by default."""

MAX_CONSECUTIVE_REJECTIONS = 1_000_000
MAX_CONSECUTIVE_REJECTIONS_IN_ARRAYS = 100_000_000
"""The deals in a row that may fail, by default and where arrays do the testing."""

MOST_TRIALS = 1 << 20
"""The most deals to test for an estimate without a given number."""

_PASSED_ENOUGH, _SEED = 400, seed_of("cardinality")
_AT_FIRST, _AT_MOST = 64, 1 << 14  # deals that are drawn together
FEWEST_IN_BATCHES = 4096
"""The fewest deals that threads draw ahead of need."""


class Trials(NamedTuple):
    """Consecutive samples of a counted space: rows `begin` to `end` of a chunk; some pass."""

    chunk: Chunk
    begin: int
    end: int
    passed: Places


@dataclass(frozen=True, eq=False)
class TestedDeals(Space[Deal]):
    """The deals of a counted space that also satisfy a condition that is tested deal by deal.

    `pavcodec.deals(where)` makes them for conditions with `rnd`, `tricks`, Python functions or
    divisors that may be 0, and for conditions that are too large to be counted as a whole. There is
    no rank and no position; sampling is exact.

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
    max_consecutive_rejections: int = MAX_CONSECUTIVE_REJECTIONS
    """The most deals in a row that may fail, or repeat, before sampling raises `PavError`."""
    whole: Expression | None = None
    """The whole condition as written, if `counted` has conditions that follow from it."""
    plan: str = ""
    """The counted seats, such as `NW`, if the condition is too large as a whole."""
    _is_drawn_in_loops: ClassVar[bool] = True
    """Whether many deals are drawn together; otherwise one by one, as they are needed."""
    layout_type = Deal
    is_tested = True

    @property
    def where(self) -> Expression:
        """The whole condition."""
        if self.whole is not None:
            return self.whole
        parts = (*self.counted.where.parts, *self.tested.parts)
        return Expression(conjunction([part.node for part in parts]))

    @property
    def text(self) -> str:
        """The whole condition."""
        return str(self.where)

    @property
    def method(self) -> str:
        """The words for the tag `Generator`: the plan of a condition that is too large."""
        return f"plan={self.plan}" if self.plan else ""

    def rows(self, seed: int, part: range, *, threads: Threads = 1) -> Rows:  # noqa: ARG002
        """Return the deals that pass, of a part of the samples of the counted space.

        Parts can be tested in any order; one after another, they have the deals of `samples`.

        >>> from pavcodec import deals
        >>> space = deals("hcp(south) >= 20 && rnd(2) == 1")
        >>> parts = [space.rows(7, range(start, start + 5)).owners for start in (0, 5)]
        >>> rows = [row.tobytes() for part in parts for row in part]
        >>> rows == [deal.owners for deal in space.samples(len(rows), seed=7)]
        True
        """
        trials = self.trials(seed, part.stop, part.start)
        owners = [some.chunk.owners[some.passed] for some in trials]
        return Rows(np.concatenate(owners) if owners else np.empty((0, DECK_SIZE), np.uint8))

    def _each(self, seed: int, start: int, count: int | None) -> Iterator[Deal]:
        return self.samples(count, seed=seed, start=start)

    def _different(self, seed: int, start: int, count: int) -> Iterator[Deal]:
        return self.samples(count, seed=seed, start=start, distinct=True)

    @property
    def cardinality(self) -> Estimate[int]:
        """An estimate of the number of deals, from the first deals of a fixed seed.

        2000 deals are tested. If arrays test them and fewer than 400 pass, the number is doubled
        until 400 pass or a million are tested. Where time is limited, it may end sooner.
        """
        return self.estimate_until(_PASSED_ENOUGH)

    def estimate_until(self, passed: int) -> Estimate[int]:
        """Return the estimate of `cardinality`, with another number of deals that are to pass."""
        accepted, tried = self._tally(_SEED, range(TRIALS))
        while self._is_quick and accepted < passed and tried < MOST_TRIALS:
            if is_time_up():
                break
            some, more = self._tally(_SEED, range(tried, 2 * tried))
            accepted, tried = accepted + some, tried + more
        return self._guess(accepted, tried)

    @property
    def _is_quick(self) -> bool:
        """Whether arrays test the deals."""
        return self._is_drawn_in_loops and measure_of(self.tested.node).reason is None

    def exact_cardinality(self, *, memory: int | str = MEMORY) -> int:
        """Return the exact number of deals, counted without a model to draw from.

        Many conditions that are too large to draw from can be counted in some seconds. Raises
        `ModelTooLarge` if that takes more than `memory`, and `NotCountableError` if a part must be
        tested.

        >>> from pavcodec import deals
        >>> deals("hcp(south) == 37", method="test").exact_cardinality()
        337912392291465600
        """
        return Condition(self.where.node, memory_of(memory)).cardinality

    def estimate(self, trials: SupportsIndex, *, seed: Seed) -> Estimate[int]:
        """Return an estimate from so many deals, at least one.

        Where time is limited (`pavcodec.limits.time_limited`), it may be from fewer deals.
        """
        count = as_integer(trials)
        if count < 1:
            raise NumberError(f"an estimate takes at least 1 deal, not {shown(count)}")
        check_many(count)
        return self._guess(*self._tally(seed_of(seed), range(count)))

    def _tally(self, seed: int, part: range) -> tuple[int, int]:
        """Return how many deals pass, and how many of a part were tested before time was up."""
        accepted = tried = 0
        if not self.counted:
            return 0, len(part)
        for some in self.trials(seed, part.stop, part.start):
            accepted += len(some.passed)
            tried += some.end - some.begin
            if tried and is_time_up():
                break
        return accepted, tried

    def _guess(self, accepted: int, tried: int) -> Estimate[int]:
        return Estimate.of_sample(accepted, tried, self.counted.cardinality)

    def passing(
        self,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
        distinct: bool = False,
        tries: SupportsIndex | None = None,
        acceptance: Acceptance | None = None,
    ) -> Iterator[Evaluation]:
        """Yield the items of `samples` with their values of expressions.

        A number that `rnd` drew in the condition has the same value in other expressions.

        >>> from pavcodec import deals
        >>> from pavcodec.constraints.language.parser import parse_script
        >>> script = parse_script("die = rnd(6)  condition die >= 4  action average die")
        >>> [average] = script.actions
        >>> passing = deals(script.condition).passing(seed=7)
        >>> [next(passing).value(average.expression) for _ in range(5)]
        [4, 4, 4, 4, 5]
        """
        counts = Acceptance.of(acceptance)
        first, most = as_integer(start), None if tries is None else as_integer(tries)
        if first < 0:
            raise NumberError(f"a start is 0 or more, not {shown(first)}")
        if first > AT_ONCE:  # all deals before are tested
            raise NumberError(f"a start is at most 2^48 where deals are tested, not {shown(first)}")
        if most is not None and most < 0:
            raise NumberError(f"tries are 0 or more, not {shown(most)}")
        passed = self._passed(given_seed(seed), most, counts)
        later = islice(passed, first, None)
        if not distinct:
            return later
        return different(later, self.max_consecutive_rejections, attrgetter("deal"))

    def samples(  # noqa: PLR0913 (keywords)
        self,
        count: SupportsIndex | None = None,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
        distinct: bool = False,
        tries: SupportsIndex | None = None,
        acceptance: Acceptance | None = None,
    ) -> Iterator[Deal]:
        """Yield `count` random deals, all equally likely, from index `start` on; by default no end.

        To reach `start`, all deals before it are tested as well; `acceptance` counts them. With
        `tries`, the sequence ends after so many tested deals; without it, a million consecutive
        deals that fail raise `PavError`. With `distinct`, which skips repeats, a million
        consecutive repeats also raise `PavError`.
        """
        passed = self.passing(
            seed=seed, start=start, distinct=distinct, tries=tries, acceptance=acceptance
        )
        many = None if count is None else min(check_count(count), sys.maxsize)
        return (cast("Deal", each.deal) for each in islice(passed, many))

    def to_dict(self) -> dict[str, object]:
        """Return the condition and an estimate of the number of deals for JSON."""
        return {"where": str(self.where), **self.cardinality.to_dict()}

    def _repr_html_(self) -> str:
        """Return the parts of the condition in HTML; notebooks call this. It tests no deals."""
        rows = [["counted", str(self.counted.where)]]
        rows += [["tested", str(self.tested)], *(["", reason] for reason in self.reasons)]
        return notebook_table(f"{type(self).__name__}: {self.where}", [], rows, texts=(0, 1))

    def _passed(self, seed: int, tries: int | None, counts: Acceptance) -> Iterator[Evaluation]:
        """Yield the deals that pass, and count the tries."""
        for trials in self._limited(seed, tries):
            done = trials.begin
            for row in trials.passed.tolist():
                counts.tried += row + 1 - done
                counts.accepted += 1
                done = row + 1
                yield trials.chunk.evaluation(row)
            counts.tried += trials.end - done

    def batches(
        self,
        count: SupportsIndex,
        *,
        seed: int,
        start: SupportsIndex = 0,
        tries: int | None = None,
        acceptance: Acceptance | None = None,
    ) -> Iterator[Chunk]:
        """Yield the first `count` deals of `passing`, which defines them, many at a time.

        >>> from pavcodec import deals
        >>> space = deals("hcp(south) >= 20 && rnd(2) == 1")
        >>> [some] = space.batches(3, seed=7)
        >>> [each.deal for each in some.evaluations()] == space.sample(3, seed=7)
        True
        """
        begin, many, _ = check_slice(start, count, 1)
        return self._batches(many, seed, begin, tries, Acceptance.of(acceptance))

    def _batches(
        self, count: int, seed: int, start: int, tries: int | None, counts: Acceptance
    ) -> Iterator[Chunk]:
        for trials in self._limited(seed, tries) if count else ():
            rows, end = trials.passed, trials.end
            taken = rows[start : start + count]
            start, count = max(0, start - len(rows)), count - len(taken)
            if not count:
                end = int(taken[-1]) + 1
                rows = rows[rows < end]
            counts.accepted += len(rows)
            counts.tried += end - trials.begin
            if len(taken):
                yield trials.chunk.pick(taken)
            if not count:
                return

    def _limited(self, seed: int, tries: int | None) -> Iterator[Trials]:
        """Yield trials; without a number of tries, raise `PavError` if too many in a row fail."""
        most, failed = max(self.max_consecutive_rejections, 1), 0
        for trials in self.trials(seed, tries):
            chunk, begin, end, passed = trials
            start = begin - failed
            if tries is None and end - start >= most:
                for count, row in enumerate([*passed.tolist(), end]):
                    if row - start >= most:
                        yield Trials(chunk, begin, start + most, passed[:count])
                        raise PavError(self.none_passed(most, seed))
                    start = row + 1
            failed = end - 1 - int(passed[-1]) if len(passed) else end - begin + failed
            yield trials

    def trials(self, seed: int, tries: int | None, first: int = 0) -> Iterator[Trials]:
        """Yield what passes, of samples `first` to `tries - 1` of the counted space."""
        tester = Tester(self.tested.node)
        most = _AT_MOST if self._is_drawn_in_loops else 1

        def look(part: range) -> tuple[Chunk, Piece]:
            chunk = self._drawn(seed, part)
            return chunk, tester.first(chunk)

        parts = parts_of_stream(tries, first, first=min(_AT_FIRST, most), most=most)
        for chunk, looked in _worked_ahead(look, parts):
            begin = 0
            for tested in tester.tested(chunk, looked):
                end = min(tested.errors, default=tested.end)
                passed = tested.passed
                if tested.errors:
                    passed = passed[passed < end]
                yield Trials(chunk, begin, end, passed)
                if tested.errors:
                    raise tested.errors[end]
                begin = end

    def _drawn(self, seed: int, part: range) -> Chunk:
        """Return the deals of a part of the stream."""
        check_slice(part.start, len(part), self.counted.cardinality)
        owners = self.counted.rows(seed, part).owners
        first, made = part.start, Deal.unchecked
        return Chunk.of_seed(owners, seed, first, solver=self.solver, layout_of=made)

    def candidate(self, index: int) -> tuple[Deal, Node]:
        """Return the deal at an index of the counted space, and its tests."""
        return self.counted.unrank(index), self.tested.node

    def none_passed(self, most: int, seed: int) -> str:
        """Return the message that no deal passed, with the part that the fewest deals pass."""
        parts = self.tested.parts
        said = f"{most:,} deals in a row did not pass {show(self.tested.node)}: there may be none"
        if not self._is_quick or len(parts) < 2:
            return said
        owners = self.counted.sample_many(_AT_MOST, seed=seed)
        passed = [int(np.count_nonzero(part.values(owners))) for part in parts]
        least = passed.index(min(passed))
        return (
            f"{said}; the part that passes least, {passed[least]:,} of {_AT_MOST:,} deals, is "
            f"{show(parts[least].node)}: loosen it or leave it out"
        )

    def _key(self) -> tuple[object, ...]:
        return (
            self.counted,
            self.tested.node,
            self.solver,
            self.max_consecutive_rejections,
            None if self.whole is None else self.whole.node,
        )

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, TestedDeals) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __contains__(self, layout: object) -> bool:
        check_layout(layout)
        known = cast("Layout", layout)
        return known.is_deal and bool(evaluate(self.where.node, known, tricks=self.solver))

    def contains_many(
        self, owners: NDArray[np.uint8], *, threads: SupportsIndex | None = None
    ) -> NDArray[np.bool_]:
        """Return for each of many layouts whether it passes: `uint8[n, 52]` to `bool[n]`.

        Errors are those of `ConstrainedDeals.contains_many`.

        >>> from pavcodec import deals, numbering
        >>> space = deals("hcp(south) <= 9 && rnd(1) == 0")
        >>> space.contains_many(numbering("deal").sample_many(4, seed=7))
        array([False,  True,  True,  True])
        """
        where, solver = self.where.node, self.solver
        return contains_rows(where, FOUR_HANDS, owners, tricks=solver, threads=threads)


def _worked_ahead(look: Callable[[range], T], parts: Iterator[range]) -> Iterator[T]:
    """Yield what `look` gives for parts; from a large part on, threads look at the next ones."""
    for part in parts:
        if len(part) >= FEWEST_IN_BATCHES:
            parts = chain([part], parts)
            break
        yield look(part)
    workers = processors()
    with ThreadPoolExecutor(workers) as threads:
        waiting: deque[Future[T]] = deque()
        try:
            for part in parts:
                waiting.append(threads.submit(look, part))
                if len(waiting) > workers:
                    yield waiting.popleft().result()
            yield from (future.result() for future in waiting)
        finally:
            threads.shutdown(cancel_futures=True)


# Conditions that are split into cases, each of which is counted as far as it fits.


@dataclass(frozen=True)
class CaseSpaces(Space[Deal]):
    """The deals of several spaces, one space after another; a deal may occur more than once."""

    spaces: tuple[ConstrainedDeals, ...]
    layout_type = Deal

    @cached_property
    def chain(self) -> Chain:
        """The indexes of the spaces in a row."""
        return Chain(tuple(space.cardinality for space in self.spaces))

    @property
    def cardinality(self) -> int:
        """The number of indexes."""
        return self.chain.cardinality

    @property
    def probability(self) -> Fraction:
        """The number of indexes as a share of all deals; it may exceed 1."""
        return Fraction(self.cardinality, numbering("deal").cardinality)

    @property
    def where(self) -> Expression:
        """The condition that holds in any of the spaces."""
        return Expression(any_of(space.where.node for space in self.spaces))

    @property
    def text(self) -> str:
        """The condition that holds in any of the spaces."""
        return str(self.where)

    def unrank(self, index: int) -> Deal:
        """Return the deal at an index."""
        case, inner = self.chain.split(index)
        return self.spaces[case].unrank(inner)

    def rows(self, seed: int, part: range, *, threads: Threads = 1) -> Rows:
        """Return the samples of a part of the stream of a seed."""
        owners = np.empty((len(part), DECK_SIZE), np.uint8)
        indexes = draw_indexes(seed, part.start, len(part), self.cardinality)
        for case, rows, inner in self.chain.split_rows(indexes):
            owners[rows] = self.spaces[case].unrank_many(inner, threads=threads)
        return Rows(owners)

    def __contains__(self, layout: object) -> bool:
        return any(layout in space for space in self.spaces)

    def conflict(self) -> tuple[Expression, ...]:
        """Return parts of the first case that exclude each other."""
        return self.spaces[0].conflict()


@dataclass(frozen=True, eq=False)
class TestedCases(TestedDeals):
    """The deals of a condition by cases: `tests` has the tests for the deals of each space."""

    counted: CaseSpaces  # type: ignore[assignment]  # it draws as a space does
    tests: tuple[Node, ...] = ()

    def candidate(self, index: int) -> tuple[Deal, Node]:
        """Return the deal at an index of the counted spaces, and its tests."""
        case, inner = self.counted.chain.split(index)
        return self.counted.spaces[case].unrank(inner), self.tests[case]

    def trials(self, seed: int, tries: int | None, first: int = 0) -> Iterator[Trials]:
        """Yield what passes, without deals of a space before the one that they are drawn from."""
        total = self.counted.cardinality
        for chunk, begin, end, rows in super().trials(seed, tries, first):
            indexes = draw_indexes(seed, chunk.start + begin, end - begin, total)
            passed, cases = rows, self.counted.chain.parts_of(indexes)[rows - begin]
            for case, space in enumerate(self.counted.spaces[:-1]):
                later = np.flatnonzero(cases > case)
                if len(later):
                    is_new = ~space.contains_many(chunk.owners[passed[later]], threads=1)
                    keep = np.sort(np.append(np.flatnonzero(cases <= case), later[is_new]))
                    passed, cases = passed[keep], cases[keep]
            yield Trials(chunk, begin, end, passed)
