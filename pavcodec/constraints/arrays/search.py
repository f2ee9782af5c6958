"""Search many deals for those that satisfy a condition: first by arrays, then what they leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING

from pavcodec.constraints.evaluation import LookAhead, evaluate
from pavcodec.errors import PavError

if TYPE_CHECKING:
    from pavcodec.constraints.arrays.evaluate import BatchEvaluator
    from pavcodec.constraints.nodes.syntax import Node
    from pavcodec.layout import Layout


_FEW_IN_BATCH = 64
"""The number of deals from which on arrays are faster."""


class Search:
    """Decides for each of many deals whether a condition holds, or with `wanted=False` does not.

    >>> from pavcodec import numbering
    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> search = Search(parse_expression("hcp(north) > 12"))
    >>> list(search.results(numbering("deal").sample(5, seed=7)))
    [False, True, True, False, False]
    """

    def __init__(self, condition: Node, *, wanted: bool = True) -> None:
        self._look_ahead = LookAhead(condition)
        self._condition = condition
        self._wanted = wanted
        self._evaluator: BatchEvaluator | None = None

    @property
    def solves(self) -> bool:
        """Whether the condition needs double-dummy tricks, so that a deal takes long."""
        return self._look_ahead.solves

    def results(self, deals: Sequence[Layout]) -> Iterator[bool | PavError]:
        """Yield whether each deal is wanted; for a deal without a value yield the error."""
        asked = zip(count(), deals, self._asked(deals), strict=False)
        for _, deal, left in self._look_ahead(asked):
            try:
                yield bool(evaluate(left, deal)) is self._wanted
            except PavError as error:
                yield error

    def _asked(self, deals: Sequence[Layout]) -> Sequence[Node]:
        """Return the rest of the condition for each deal, after a first evaluation by arrays."""
        if len(deals) < _FEW_IN_BATCH:
            return [self._condition] * len(deals)
        if self._evaluator is None:
            from pavcodec.constraints.arrays.evaluate import BatchEvaluator

            self._evaluator = BatchEvaluator(self._condition)
        return self._evaluator.left_of(deals)
