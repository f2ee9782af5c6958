"""A listing that is worked out as it is asked: a cell of the first hand with all of the second.

Only the running totals of the cells of the first hand are kept, so that a listing of many millions
takes little room. A *step* is a cell of the first hand with some cells of the second, or some cells
of the only hand; its cases are worked out at once, in arrays, whenever they are needed.
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

from pavcodec.constraints.counting.condition import conjunction_of
from pavcodec.constraints.expressions import Expression, expression
from pavcodec.constraints.nodes.syntax import Node
from pavcodec.errors import PavError
from pavcodec.files.output import open_output
from pavcodec.records import Case
from pavcodec.studies.cases.cells.blocks import Block, running_totals, sum_of
from pavcodec.studies.cases.cells.cells import Accepts, binomials, cells_of
from pavcodec.studies.cases.cells.plan import Plan
from pavcodec.studies.cases.hands import HandCondition, NotCasesError, read_hands
from pavcodec.studies.cases.sequence import CaseSequence

__all__ = ["CaseTable", "case_table", "table_of"]

_AT_ONCE = 1 << 18
"""The cells of the last hand that make a step."""
_KEPT = 4
"""The steps that are kept, since what comes next often asks for the same one."""
_MOST_WORK = 1 << 37
_STEP_COSTS = 1 << 15
"""What a step costs besides its cells, in cells."""


class CaseTable(CaseSequence):
    """A listing that is worked out as it is asked; made by `pavcodec.case_table(where)`.

    It is a sequence of `Case`, with `rows` as the study prints them; see `CaseSequence`. The first
    use goes through all cases once to count them, which takes seconds for tens of millions.
    `save` writes them to a file.
    """

    def __init__(self, plan: Plan, conditions: list[Accepts], where: str = "") -> None:
        self.plan = plan
        self.where = where
        self.cells = [cells_of(plan, accepts) for accepts in conditions]
        self._choose = binomials(max(map(len, plan.groups)))
        self._at_once = _AT_ONCE
        self._parts = max(1, -(-len(self.cells[-1]) // self._at_once))
        self._recent = lru_cache(_KEPT)(self._block)
        self._refuse_too_much()

    @property
    def steps(self) -> int:
        """How many steps there are: what `blocks` goes through."""
        return self._parts * prod(map(len, self.cells[:-1]))

    def blocks(self, after: Case | None = None) -> Iterator[Block]:
        """Yield the cases of each step: all of them, or only those that come after a case.

        What comes before is not worked out. Raises `PavError` where there is no such case.
        """
        if after is None:
            return map(self._block, range(self.steps))
        step, place = self._step_of(after)
        first, last, ways = self._block(step)
        rest = last > place
        head = Block(first, last[rest], ways[rest])
        return chain([head], map(self._block, range(step + 1, self.steps)))

    def steps_after(self, case: Case | None) -> int:
        """Return how many steps `blocks` goes through after a case."""
        return self.steps if case is None else self.steps - self._step_of(case)[0]

    @property
    def cardinality(self) -> int:
        """The ways of all cases: hands for one hand, pairs of hands for two."""
        return self._index[1][-1]

    def __len__(self) -> int:
        return self._index[0][-1]

    def save(self, path: str | os.PathLike[str], *, resume: bool = False) -> int:
        """Write the listing to a file, complete or not at all, and return the number of cases.

        `pavcodec.open_cases` reads it. With `resume`, the finished blocks of an interrupted run
        stay beside it, in two files whose names end in `.part` and `.part.index`, and the next run
        with `resume` goes on from there. Where they are of another condition or were changed, a
        warning says so, and the listing is made anew. Raises `PavError` where somebody else is
        writing the same listing with `resume`.

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
        """Return the place of the case that a number picks: the first total greater than it.

        Raises `NumberError` outside 0 to `cardinality` - 1.

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
        """The cases before each step and after the last, and their running totals."""
        counts, totals = [], []
        for block in self.blocks():
            counts.append(len(block.ways))
            totals.append(sum_of(block.ways))
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
        """Return the step that a case is in, and the place of its last cell."""
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
            total = totals[step] + sum_of(block.ways[: here.start])
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
        """Refuse pairs that nobody would wait for."""
        if len(self.cells) > 1:
            first, last = map(len, self.cells)
            if first * (last + _STEP_COSTS) > _MOST_WORK:
                raise NotCasesError(
                    f"the listing pairs {first:,} cases of the first hand with {last:,} of the "
                    "second, which is too many to go through; 'pavcodec count' counts them"
                )


def case_table(where: Expression | Node | str | int) -> CaseTable:
    """Return the cases of a condition on one hand or two, as Pavlicek's study lists them.

    Each part of the condition, between `&&`, depends on the shape and on the honours (A K Q J) of
    one hand. The listing is by patterns where only shapes matter, by honours where only honours
    do, and else by both; the hands stand in the order in which the condition first speaks of them.
    Raises `NotCasesError` for other conditions, and `TextError` for a text that is none.

    >>> table = case_table("shape(east, any 5332) && hcp(east) == 34")
    >>> len(table), table.cardinality, table.row(0).hands
    (48, 756, ['5=3=3=2 S A-K-Q-J H A-K-Q D A-K-Q C A-Q'])
    >>> table.deals.cardinality
    63865442143086998400
    """
    return table_of(read_hands(where), expression(where))


def table_of(hands: Sequence[HandCondition], where: Expression | None = None) -> CaseTable:
    """Return the cases of one hand or two; `where` is what to call their condition."""
    honours = any(hand.uses_honours for hand in hands)
    patterns = any(hand.uses_shape for hand in hands) or not honours
    plan = Plan(tuple(hand.seat for hand in hands), patterns, honours)
    named = (
        where
        if where is not None
        else Expression(conjunction_of([part for hand in hands for part in hand.parts]))
    )
    return CaseTable(plan, [hand.accepts for hand in hands], str(named))
