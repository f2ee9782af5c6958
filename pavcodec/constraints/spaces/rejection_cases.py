"""Conditions that are split into cases, each of which is counted as far as it fits.

A condition such as `A || B` over several hands may imply nothing for any single hand, although A
and B do. Each case then has a counted space of its own. Indexes run through the spaces one after
another. A deal may be in several spaces: it counts in the first of them, and the tests of the later
spaces reject it. So there is exactly one index for every deal that satisfies the condition.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.cards import DECK_SIZE
from pavcodec.constraints.counting.implied import any_of
from pavcodec.constraints.nodes.syntax import Node
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.spaces.constrained import ConstrainedDeals
from pavcodec.constraints.spaces.rejection import Candidate, TestedDeals
from pavcodec.layout import Deal
from pavcodec.numberings import numbering
from pavcodec.sampling import Seed, Stream, seed_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Limbs, Owners


_WORD = (1 << 64) - 1


@dataclass(frozen=True)
class CaseSpaces:
    """The deals of several spaces, one space after another; a deal may occur more than once."""

    spaces: tuple[ConstrainedDeals, ...]

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(space.cardinality for space in self.spaces))

    @property
    def cardinality(self) -> int:
        """The number of indexes."""
        return self._ends[-1]

    @property
    def probability(self) -> Fraction:
        """The number of indexes as a share of all deals; it may exceed 1."""
        return Fraction(self.cardinality, numbering("deal").cardinality)

    @property
    def where(self) -> Expression:
        """The condition that holds in any of the spaces."""
        return Expression(any_of(space.where.node for space in self.spaces))

    def case_of(self, index: int) -> tuple[int, int]:
        """Return the case of an index, and the index in the space of that case."""
        case = bisect_right(self._ends, index)
        return case, index - (self._ends[case - 1] if case else 0)

    def unrank(self, index: int) -> Deal:
        """Return the deal at an index."""
        case, inner = self.case_of(index)
        return self.spaces[case].unrank(inner)

    def deals_at(self, indexes: Limbs) -> tuple[NDArray[np.intp], Owners]:
        """Return (the space, the owners) of indexes, `uint64[n, 2]`: `intp[n]`, `uint8[n, 52]`."""
        from pavcodec.constraints.counting.models.batch import deals_of

        high, low = indexes.T
        places = np.zeros(len(indexes), np.intp)
        for end in self._ends[:-1]:
            above, below = np.uint64(end >> 64), np.uint64(end & _WORD)
            places += (high > above) | ((high == above) & (low >= below))
        owners = np.empty((len(indexes), DECK_SIZE), np.uint8)
        for case, (space, begin) in enumerate(zip(self.spaces, [0, *self._ends], strict=False)):
            rows = np.flatnonzero(places == case)
            if len(rows):
                above, below = np.uint64(begin >> 64), np.uint64(begin & _WORD)
                borrow = low[rows] < below
                inner = np.stack([high[rows] - above - borrow, low[rows] - below], axis=1)
                owners[rows] = deals_of(space.model, np.ascontiguousarray(inner), 1)[1]
        return places, owners

    def sample_many(self, count: int, *, seed: Seed, start: int = 0) -> Owners:
        """Return the owners of samples of the stream: `uint8[n, 52]`."""
        from pavcodec.sampling import draw_indexes

        return self.deals_at(draw_indexes(seed_of(seed), start, count, self.cardinality))[1]

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
        case, inner = self.counted.case_of(index)
        return self.counted.spaces[case].unrank(inner), self.tests[case]

    def _one_by_one(self, batch: range, seed: int) -> Iterator[Candidate]:
        stream = Stream(seed)
        for k in batch:
            yield k, *self.candidate(stream.index(k, self.counted.cardinality))

    def _in_loops(self, seed: int) -> Callable[[range], list[Candidate]]:
        from pavcodec.constraints.arrays.evaluate import BatchEvaluator
        from pavcodec.sampling import draw_indexes

        evaluators = list(map(BatchEvaluator, self.tests))

        def look(batch: range) -> list[Candidate]:
            indexes = draw_indexes(seed, batch.start, len(batch), self.counted.cardinality)
            places, owners = self.counted.deals_at(indexes)
            candidates: list[Candidate] = []
            for case, evaluator in enumerate(evaluators):
                rows = np.flatnonzero(places == case)
                for row, left in evaluator.candidates(owners[rows]) if len(rows) else ():
                    deal = Deal.unchecked(owners[rows[row]].tobytes())
                    candidates.append((batch[int(rows[row])], deal, left))
            return sorted(candidates, key=lambda each: each[0])

        return look
