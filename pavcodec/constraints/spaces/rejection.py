"""Conditions of which a part is tested deal by deal: exact samples, estimated cardinality.

Deals are drawn exactly from the counted part; those that fail the rest are rejected. Every deal
that satisfies the condition is equally likely, however rare. The exact number of deals is unknown:
the cardinality is an `Estimate`, a type of its own, so that it is not mistaken for an exact number.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from operator import attrgetter
from operator import index as as_integer
from typing import TYPE_CHECKING, ClassVar, SupportsIndex, TypeAlias, TypeVar, cast

import numpy as np

from pavcodec.cards import FOUR_HANDS
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.counting.diagrams.compile import tested_for
from pavcodec.constraints.evaluation import Evaluation, LookAhead, evaluate
from pavcodec.constraints.nodes.format import show
from pavcodec.constraints.nodes.syntax import Node
from pavcodec.constraints.nodes.trees import conjunction
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.spaces.constrained import ConstrainedDeals
from pavcodec.constraints.spaces.share import Acceptance, Estimate
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.layout import Deal, Layout
from pavcodec.layout.drawings import notebook_table
from pavcodec.layout.layout import check_layout
from pavcodec.limits import MEMORY, memory_of, processors
from pavcodec.sampling import AT_ONCE, Seed, Stream, check_count, check_many, given_seed, seed_of
from pavcodec.solving.double_dummy import Solver

if TYPE_CHECKING:
    from numpy.typing import NDArray


T = TypeVar("T")

Candidate: TypeAlias = tuple[int, Deal, Node]
"""A sample with its index, and the conditions that it must still pass."""

TRIALS = 2000
"""The number of deals that are tested for an estimate by default."""

MAX_CONSECUTIVE_REJECTIONS = 1_000_000
MAX_CONSECUTIVE_REJECTIONS_IN_ARRAYS = 100_000_000
"""The deals in a row that may fail, by default and where arrays do the testing."""

MOST_TRIALS = 1 << 20
"""The most deals to test for an estimate without a given number."""

_PASSED_ENOUGH = 400
_AT_FIRST, _AT_MOST = 64, 1 << 14  # deals that are drawn together
FEWEST_IN_BATCHES = 4096
"""The fewest deals drawn by arrays, and ahead of need: a few samples need only a few tests."""


@dataclass(frozen=True, eq=False)
class TestedDeals:
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
    """Whether deals that the caller does not use cost little."""

    @property
    def where(self) -> Expression:
        """The whole condition."""
        if self.whole is not None:
            return self.whole
        parts = (*self.counted.where.parts, *self.tested.parts)
        return Expression(conjunction([part.node for part in parts]))

    @property
    def cardinality(self) -> Estimate:
        """An estimate of the number of deals, from the first deals of a fixed seed.

        2000 deals are tested. If arrays test them and fewer than 400 pass, the number is doubled
        until 400 pass or a million are tested.
        """
        trials = TRIALS
        guess = self.estimate(trials, seed="cardinality")
        while self._is_quick and guess.accepted < _PASSED_ENOUGH and trials < MOST_TRIALS:
            trials *= 2
            guess = self.estimate(trials, seed="cardinality")
        return guess

    @property
    def _is_quick(self) -> bool:
        """Whether arrays test the deals."""
        return self._is_drawn_in_loops and tested_for(self.tested.node) is None

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

    def estimate(self, trials: SupportsIndex, *, seed: Seed) -> Estimate:
        """Return an estimate from so many deals, at least one."""
        count = as_integer(trials)
        if count < 1:
            raise NumberError(f"an estimate takes at least 1 deal, not {shown(count)}")
        check_many(count)
        if not self.counted:
            return Estimate(0, count, 0)
        accepted = sum(isinstance(each, Evaluation) for each in self.trials(seed_of(seed), count))
        return Estimate(accepted, count, self.counted.cardinality)

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

    def sample(
        self,
        count: SupportsIndex,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
        distinct: bool = False,
    ) -> list[Deal]:
        """Return the first `count` of `samples`."""
        many = check_many(count)
        return list(self.samples(many, seed=seed, start=start, distinct=distinct))

    def to_dict(self) -> dict[str, object]:
        """Return the condition and an estimate of the number of deals for JSON."""
        return {"where": str(self.where), **self.cardinality.to_dict()}

    def _repr_html_(self) -> str:
        """Return the parts of the condition in HTML; notebooks call this. It tests no deals."""
        rows = [["counted", str(self.counted.where)]]
        rows += [["tested", str(self.tested)], *(["", reason] for reason in self.reasons)]
        return notebook_table(f"{type(self).__name__}: {self.where}", [], rows, texts=(0, 1))

    def _passed(self, seed: int, tries: int | None, counts: Acceptance) -> Iterator[Evaluation]:
        """Yield the deals that pass, and count the tries; raise `PavError` if none passes."""
        most = max(self.max_consecutive_rejections, 1)
        failed = 0
        for trial in self.trials(seed, tries):
            if isinstance(trial, Evaluation):
                failed = 0
                counts.tried += 1
                counts.accepted += 1
                yield trial
            elif tries is None and failed + trial >= most:
                counts.tried += most - failed  # the rest of this batch need not have been tried
                raise PavError(self.none_passed(most, seed))
            else:
                failed += trial
                counts.tried += trial

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
        from pavcodec.constraints.arrays.evaluate import contains_rows

        where, solver = self.where.node, self.solver
        return contains_rows(where, FOUR_HANDS, owners, tricks=solver, threads=threads)

    def trials(self, seed: int, tries: int | None, first: int = 0) -> Iterator[Evaluation | int]:
        """Yield the deals that pass, of samples `first` to `tries - 1` of the counted space.

        In between, yield how many did not pass; there may be several such numbers in a row.
        """
        stream, look_ahead = Stream(seed), LookAhead(self.tested.node, self.solver)
        for batch, candidates in self._batches(seed, tries, first):
            tested = batch.start
            for k, deal, left in look_ahead(candidates):
                if k > tested:
                    yield k - tested
                trial = Evaluation(deal, stream.chance(k), self.solver)
                yield trial if trial.value(left) else 1
                tested = k + 1
            if tested < batch.stop:
                yield batch.stop - tested

    def candidate(self, index: int) -> tuple[Deal, Node]:
        """Return the deal at an index of the counted space, and its tests."""
        return self.counted.unrank(index), self.tested.node

    def _batches(
        self, seed: int, tries: int | None, first: int
    ) -> Iterator[tuple[range, Iterator[Candidate]]]:
        """Yield parts of the stream, the later the larger, with the deals of each to be tested."""
        parts = parts_of_stream(tries, first)
        for batch in parts:
            if len(batch) >= FEWEST_IN_BATCHES and self._is_drawn_in_loops:
                yield from _worked_ahead(self._in_loops(seed), chain([batch], parts))
                return
            yield batch, self._one_by_one(batch, seed)

    def _one_by_one(self, batch: range, seed: int) -> Iterator[Candidate]:
        """Yield the candidates of a part of the stream."""
        node = self.tested.node
        deals = self.counted.samples(len(batch), seed=seed, start=batch.start)
        return ((k, deal, node) for k, deal in zip(batch, deals, strict=True))

    def _in_loops(self, seed: int) -> Callable[[range], list[Candidate]]:
        """Return the function that gives the candidates of a part of the stream that may pass."""
        from pavcodec.constraints.arrays.evaluate import BatchEvaluator

        evaluator = BatchEvaluator(self.tested.node)

        def look(batch: range) -> list[Candidate]:
            owners = self.counted.sample_many(len(batch), seed=seed, start=batch.start, threads=1)
            return [
                (batch[row], Deal.unchecked(owners[row].tobytes()), left)
                for row, left in evaluator.candidates(owners)
            ]

        return look


def different(
    items: Iterable[T], most: int, deal_of: Callable[[T], object] = lambda deal: deal
) -> Iterator[T]:
    """Yield each deal once; raise `PavError` after `most` repeats in a row.

    >>> list(different(["a", "b", "a", "c"], 2))
    ['a', 'b', 'c']
    """
    seen: set[object] = set()
    repeats = 0
    for each in items:
        deal = deal_of(each)
        repeats = repeats + 1 if deal in seen else 0
        if not repeats:
            seen.add(deal)
            yield each
        elif repeats >= most:
            raise PavError(f"{repeats:,} repeats in a row: there may be only {len(seen):,} deals")


def _worked_ahead(
    look: Callable[[range], list[Candidate]], parts: Iterable[range]
) -> Iterator[tuple[range, Iterator[Candidate]]]:
    """Yield parts with their candidates, while other threads work on the next ones."""
    workers = processors()
    with ThreadPoolExecutor(workers) as threads:
        waiting: deque[tuple[range, Future[list[Candidate]]]] = deque()
        try:
            for batch in parts:
                waiting.append((batch, threads.submit(look, batch)))
                if len(waiting) > workers:
                    done, future = waiting.popleft()
                    yield done, iter(future.result())
            yield from ((done, iter(future.result())) for done, future in waiting)
        finally:
            threads.shutdown(cancel_futures=True)


def parts_of_stream(
    tries: int | None, start: int = 0, *, first: int = _AT_FIRST, most: int = _AT_MOST
) -> Iterator[range]:
    """Yield the parts of a stream that are drawn together, from `first` to `most` deals."""
    count = first
    while tries is None or start < tries:
        yield range(start, start + count if tries is None else min(start + count, tries))
        start, count = start + count, min(2 * count, most)
