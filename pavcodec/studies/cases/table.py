"""A listing in memory, computed on demand: each cell of the first hand with all of the second.

Only the running totals of the steps are stored, so a listing of many millions of cases needs little
memory. A *step* is a cell of the first hand with a range of cells of the second, or a range of
cells of the only hand. Its cases are computed together, as arrays, whenever they are needed.
"""

from __future__ import annotations

import os
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from math import comb, prod
from typing import SupportsIndex

import numpy as np

from pavcodec.arrays.words.limbs import total_of_words
from pavcodec.constraints.counting.condition import conjunction_of
from pavcodec.constraints.expressions import Expression, expression
from pavcodec.constraints.nodes.syntax import Node
from pavcodec.errors import PavError
from pavcodec.files.output import open_output
from pavcodec.records import Case
from pavcodec.studies.cases.cells.blocks import Block, running_totals
from pavcodec.studies.cases.cells.cells import Accepts, binomials, cells_of
from pavcodec.studies.cases.cells.plan import Plan
from pavcodec.studies.cases.hands import HandCondition, NotCasesError, read_hands
from pavcodec.studies.cases.sequence import CaseSequence

__all__ = ["CaseTable", "case_table", "table_of"]

_AT_ONCE = 1 << 18
"""The maximum number of cells of the last hand in a step."""
_CACHED_STEPS = 4
"""The number of cached steps, since the next access often uses the same step."""
_MOST_WORK = 1 << 37
_STEP_COSTS = 1 << 15
"""The fixed cost of a step, in cells."""


class CaseTable(CaseSequence):
    """A listing that is computed on demand; `pavcodec.case_table(where)` returns it.

    It is a sequence of `Case`, with `rows` in the form of the study; see `CaseSequence`. The first
    access counts all cases, which takes seconds for tens of millions. `save` writes them to a file.
    """

    def __init__(self, plan: Plan, conditions: list[Accepts], where: str = "") -> None:
        self.plan = plan
        self.where = where
        self.cells = [cells_of(plan, accepts) for accepts in conditions]
        self._choose = binomials(max(map(len, plan.groups)))
        self._at_once = _AT_ONCE
        self._parts = max(1, -(-len(self.cells[-1]) // self._at_once))
        self._recent = lru_cache(_CACHED_STEPS)(self._block)
        self._refuse_too_much()

    @property
    def steps(self) -> int:
        """The number of steps in `blocks`."""
        return self._parts * prod(map(len, self.cells[:-1]))

    def blocks(self, after: Case | None = None) -> Iterator[Block]:
        """Yield the cases of each step; only the cases after the case `after`, if given.

        The earlier steps are not computed. Raise `PavError` if the case is not in the listing.
        """
        if after is None:
            return map(self._block, range(self.steps))
        step, place = self._step_of(after)
        first, last, ways = self._block(step)
        rest = last > place
        head = Block(first, last[rest], ways[rest])
        return chain([head], map(self._block, range(step + 1, self.steps)))

    def steps_after(self, case: Case | None) -> int:
        """Return the number of steps in `blocks` after a case."""
        return self.steps if case is None else self.steps - self._step_of(case)[0]

    @property
    def cardinality(self) -> int:
        """The ways of all cases: hands for one hand, pairs of hands for two."""
        return self._index[1][-1]

    def __len__(self) -> int:
        return self._index[0][-1]

    def save(self, path: str | os.PathLike[str], *, resume: bool = False) -> int:
        """Write the listing to a file, and return the number of cases.

        The file appears only when it is complete; `pavcodec.open_cases` reads it. With `resume`,
        the complete blocks of an interrupted run stay in two files next to it, whose names end in
        `.part` and `.part.index`, and the next run with `resume` continues there. If these belong
        to another condition or were changed, there is a warning, and the listing starts again.
        Raise `PavError` if another process writes the same listing with `resume`.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "nine.cases")
        >>> case_table("spades(west) == 9").save(path, resume=True)
        15
        """
        from pavcodec.studies.cases.partial import open_partial
        from pavcodec.studies.cases.writing import write_cases

        if not resume:
            with open_output(path) as stream:
                return write_cases(self, self.blocks(), stream)
        with open_partial(self, path) as partial:
            if partial.refused:
                warnings.warn(partial.refused, stacklevel=2)
            return partial.write(partial.blocks())

    def select(self, number: SupportsIndex) -> int:
        """Return the position of the case for a number: the first with a greater running total.

        Raise `NumberError` outside 0 to `cardinality` - 1.
        >>> case_table("spades(west) == 9 && shape(east, xx66)").select(277777777777777)
        7
        """
        wanted = self._checked(number)
        places, totals = self._index
        step = bisect_right(totals, wanted) - 1
        high, low = running_totals(self._recent(step).ways, totals[step])
        wanted_high, wanted_low = (np.uint64(part) for part in divmod(wanted, 1 << 64))
        passed = (high < wanted_high) | ((high == wanted_high) & (low <= wanted_low))
        return places[step] + int(passed.sum())

    @cached_property
    def _index(self) -> tuple[list[int], list[int]]:
        """The numbers of cases before each step and after the last, and their running totals."""
        counts, totals = [], []
        for block in self.blocks():
            counts.append(len(block.ways))
            totals.append(total_of_words(block.ways))
        return list(accumulate(counts, initial=0)), list(accumulate(totals, initial=0))

    def _block(self, step: int) -> Block:
        first, part = divmod(step, self._parts)
        last = self.cells[-1]
        here = slice(part * self._at_once, min((part + 1) * self._at_once, len(last)))
        places = np.arange(here.start, here.stop)
        available, ways = [len(group) for group in self.plan.groups], 1
        if len(self.cells) > 1:
            cells = self.cells[0]
            needs = cells.needs[:, first].tolist()
            ways = prod(map(comb, available, needs))
            available = [left - need for left, need in zip(available, needs, strict=True)]
            places = places[(last.named[here] & cells.named[first]) == 0]
        found = np.full(len(places), ways, np.uint64)
        for left, need in zip(available, last.needs, strict=True):
            found *= self._choose[left][need[places]]
        possible = found > 0
        return Block(first, places[possible], found[possible])

    def _step_of(self, case: Case) -> tuple[int, int]:
        """Return the step of a case, and the index of its last cell."""
        cells = zip(self.cells, self.plan.hands(case), strict=True)
        *first, last = (each.place_of(hand) for each, hand in cells)
        if last is None or None in first:
            raise PavError(f"{case} is no case of this listing")
        step = sum(place or 0 for place in first) * self._parts + last // self._at_once
        return step, last

    def _at(self, place: int) -> Case:
        (case,) = self._cases(place, place + 1)
        return case

    def _cases(self, start: int, stop: int) -> Iterator[Case]:
        places, totals = self._index
        for step in range(bisect_right(places, start) - 1, self.steps):
            if places[step] >= stop:
                return
            block = self._recent(step)
            here = slice(max(start - places[step], 0), stop - places[step])
            total = totals[step] + total_of_words(block.ways[: here.start])
            ways = zip(block.last[here].tolist(), block.ways[here].tolist(), strict=True)
            head = [self.cells[0][block.first]] if len(self.cells) > 1 else []
            for last, more in ways:
                total += more
                yield self.plan.case(total, [*head, self.cells[-1][last]])

    def __reduce__(self) -> tuple[object, ...]:
        return case_table, (self.where,)

    def __repr__(self) -> str:
        return f"case_table({self.where!r})"

    def _refuse_too_much(self) -> None:
        """Raise `NotCasesError` if the pairs of cells are too many to compute."""
        if len(self.cells) > 1:
            first, last = map(len, self.cells)
            if first * (last + _STEP_COSTS) > _MOST_WORK:
                raise NotCasesError(
                    f"the listing pairs {first:,} cases of the first hand with {last:,} of the "
                    "second, which is too many to go through; 'pavcodec count' counts them"
                )


def case_table(where: Expression | Node | str | int) -> CaseTable:
    """Return the cases of a condition on one hand or two, in the order of Pavlicek's study.

    Each part of the condition, between `&&`, depends on the shape and on the honours (A K Q J) of
    one hand. If only shapes matter, cases have shapes; if only honours matter, they have honours;
    otherwise they have both. The hands have the order of their first use in the condition. Raise
    `NotCasesError` for other conditions, and `TextError` for a text that is no condition.
    >>> table = case_table("shape(east, any 5332) && hcp(east) == 34")
    >>> len(table), table.cardinality, table.row(0).hands
    (48, 756, ['5=3=3=2 S A-K-Q-J H A-K-Q D A-K-Q C A-Q'])
    >>> table.deals.cardinality
    63865442143086998400
    """
    return table_of(read_hands(where), expression(where))


def table_of(hands: Sequence[HandCondition], where: Expression | None = None) -> CaseTable:
    """Return the cases of one hand or two; `where` is the condition for their name."""
    honours = any(hand.uses_honours for hand in hands)
    shapes = any(hand.uses_shape for hand in hands) or not honours
    plan = Plan(tuple(hand.seat for hand in hands), shapes, honours)
    named = (
        where
        if where is not None
        else Expression(conjunction_of([part for hand in hands for part in hand.parts]))
    )
    return CaseTable(plan, [hand.accepts for hand in hands], str(named))
