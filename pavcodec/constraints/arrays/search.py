"""Search many deals for those that satisfy a condition: first by arrays, then what they leave."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import TYPE_CHECKING, Self

from pavcodec.boards.board import Board, Problem
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


@dataclass
class Searched:
    """The boards that were searched: how many, those found, and those without a complete deal."""

    boards: int = 0
    found: int = 0
    without_deal: int = 0

    def __iadd__(self, other: Searched) -> Self:
        """Add the counts of other boards."""
        self.boards += other.boards
        self.found += other.found
        self.without_deal += other.without_deal
        return self


def search_boards(
    search: Search,
    chunks: Iterable[Sequence[tuple[str, Board] | Problem]],
    counts: Searched,
    report: Callable[[Problem], None],
) -> Iterator[tuple[str, Board]]:
    """Yield the boards that a search wants, each with its source, and count them.

    Boards of a chunk are tested together; problems among them are reported in their order.
    """
    for some in chunks:
        boards = [each[1] for each in some if not isinstance(each, Problem)]
        deals = [board.layout for board in boards if board.layout and board.layout.is_deal]
        wanted = search.results(deals)
        for each in some:
            if isinstance(each, Problem):
                report(each)
                continue
            source, board = each
            counts.boards += 1
            if board.layout is None or not board.layout.is_deal:
                counts.without_deal += 1
                continue
            is_wanted = next(wanted)
            if isinstance(is_wanted, PavError):
                reason = f"{is_wanted}: '{board.layout}'"
                report(Problem(source, board.line, reason, board.tags.get("Board")))
            elif is_wanted:
                counts.found += 1
                yield source, board


_TESTED_AT_ONCE = 4096


def in_chunks(boards: Iterator[tuple[str, Board]]) -> Iterator[list[tuple[str, Board]]]:
    """Yield boards in chunks that are tested together."""
    while some := list(islice(boards, _TESTED_AT_ONCE)):
        yield some
