"""Tests of many deals at a time, for conditions of which a part is tested."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.cards import DECK_SIZE
from pavcodec.constraints.arrays.evaluate import NOTHING, BatchEvaluator
from pavcodec.constraints.evaluation import Drawn, Evaluation, kinds_in
from pavcodec.constraints.nodes.syntax import Tricks
from pavcodec.constraints.spaces.rejection import TestedDeals, parts_of_stream
from pavcodec.constraints.spaces.share import Acceptance
from pavcodec.errors import PavError
from pavcodec.layout import Deal
from pavcodec.sampling import Stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners


_NEVER = 1 << 62
_AT_FIRST, _AT_MOST = 1 << 10, 1 << 15  # candidates that are drawn together


def comes_in_batches(space: TestedDeals) -> bool:
    """Return whether batches test the deals faster: deals without `tricks`."""
    return type(space) is TestedDeals and Tricks not in kinds_in(space.tested.node)


def passing_batches(  # noqa: PLR0913
    space: TestedDeals,
    count: int,
    *,
    seed: int,
    start: int = 0,
    tries: int | None = None,
    acceptance: Acceptance | None = None,
) -> Iterator[Drawn]:
    """Yield the first `count` deals of `space.passing`, which defines them, many at a time.

    >>> from pavcodec import deals
    >>> space = deals("hcp(south) >= 20 && rnd(2) == 1")
    >>> [some] = passing_batches(space, 3, seed=7)
    >>> [each.deal for each in some.evaluations()] == space.sample(3, seed=7)
    True
    """
    counts = acceptance if acceptance is not None else Acceptance()
    tester, failed = _Tester(space, seed), 0
    tired_after = max(space.max_consecutive_rejections, 1) if tries is None else _NEVER
    parts = parts_of_stream(tries, first=_AT_FIRST, most=_AT_MOST)
    for part in parts if count else ():
        rows, tried, failed = _until_tired(tester.passing_rows(part), part, failed, tired_after)
        taken = rows[start : start + count]
        start, count = max(0, start - len(rows)), count - len(taken)
        if not count:
            tried = int(taken[-1]) + 1
            rows = rows[: int(np.searchsorted(rows, tried))]
        counts.accepted += len(rows)
        counts.tried += tried
        if len(taken):
            yield tester.drawn(taken)
        if not count:
            return
        if failed < 0:
            raise PavError(space.none_passed(tired_after, seed))


def passing_in(space: TestedDeals, samples: range, *, seed: int) -> Owners:
    """Return the owners of the deals that pass, of a range of samples: `uint8[n, 52]`.

    The samples are those of the counted space, so ranges can be tested in any order; one after
    another, they have the deals of `space.samples`.

    >>> from pavcodec import deals
    >>> space = deals("hcp(south) >= 20 && rnd(2) == 1")
    >>> parts = [passing_in(space, range(start, start + 5), seed=7) for start in (0, 5)]
    >>> rows = [row.tobytes() for part in parts for row in part]
    >>> rows == [deal.owners for deal in space.samples(len(rows), seed=7)]
    True
    """
    if comes_in_batches(space):
        tester = _Tester(space, seed)
        return tester.drawn(tester.passing_rows(samples)).owners
    trials = space.trials(seed, samples.stop, samples.start)
    deals = (each.deal for each in trials if isinstance(each, Evaluation))
    owners = b"".join(deal.owners for deal in deals)
    return np.frombuffer(owners, np.uint8).reshape(-1, DECK_SIZE)


def _until_tired(
    rows: NDArray[np.intp], part: range, failed: int, tired_after: int
) -> tuple[NDArray[np.intp], int, int]:
    """Return (rows that pass before too many in a row do not, how many were tried, failures).

    Failures are those in a row at the end of the part, or -1 if they were too many; `failed` are
    those before the part.
    """
    gaps = np.diff(rows, prepend=-1, append=len(part)) - 1
    gaps[0] += failed
    tired = np.flatnonzero(gaps >= tired_after)
    if not len(tired):
        return rows, len(part), int(gaps[-1])
    before = rows[: tired[0]]
    tried = int(before[-1]) + 1 + tired_after if len(before) else tired_after - failed
    return before, tried, -1


class _Tester:
    """Tests parts of a stream, and stores the values of the deals of the last part."""

    def __init__(self, space: TestedDeals, seed: int) -> None:
        self._space = space
        self._seed = seed
        self._stream = Stream(seed)
        self._evaluator = BatchEvaluator(space.tested.node)

    def passing_rows(self, part: range) -> NDArray[np.intp]:
        """Return which deals of a part of the stream pass, in order."""
        self._first = part.start
        self._owners = self._space.counted.sample_many(len(part), seed=self._seed, start=part.start)
        self._asked: dict[int, Evaluation] = {}
        values, asked = self._evaluator.look(self._owners)
        passes = values != 0
        for row in np.flatnonzero(asked != NOTHING).tolist():
            trial = self._evaluation(self._owners, self._first, row)
            passes[row] = bool(trial.value(self._evaluator.left[asked[row]]))
            if passes[row]:
                self._asked[row] = trial
        return np.flatnonzero(passes)

    def _evaluation(self, owners: Owners, first: int, row: int) -> Evaluation:
        deal = Deal.unchecked(owners[row].tobytes())
        return Evaluation(deal, self._stream.chance(first + row), self._space.solver)

    def drawn(self, rows: NDArray[np.intp]) -> Drawn:
        """Return some deals of the last part, with the random numbers drawn for them so far."""
        places, asked, first, owners = rows.tolist(), self._asked, self._first, self._owners

        def evaluation(index: int) -> Evaluation:
            row = places[index]
            return asked.get(row) or self._evaluation(owners, first, row)

        return Drawn(owners[rows], evaluation)
