"""Search boards of collections for those whose deals satisfy a condition, or do not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Self

from pavcodec.boards.board import Board, Problem
from pavcodec.constraints.evaluation import evaluate, kinds_in
from pavcodec.constraints.nodes.syntax import Node, Tricks
from pavcodec.errors import PavError

if TYPE_CHECKING:
    from pavcodec.constraints.columns import Tester
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
        self._condition = condition
        self._wanted = wanted
        self._tester: Tester | None = None
        self.solves = Tricks in kinds_in(condition)
        """Whether the condition needs double-dummy tricks, so that a deal takes long."""

    def results(self, deals: Sequence[Layout]) -> Iterator[bool | PavError]:
        """Yield whether each deal is wanted; for a deal without a value yield the error."""
        if len(deals) < (2 if self.solves else _FEW_IN_BATCH):
            return map(self._result, deals)
        return self._results(deals)

    def _result(self, deal: Layout) -> bool | PavError:
        try:
            return bool(evaluate(self._condition, deal)) is self._wanted
        except PavError as error:
            return error

    def _results(self, deals: Sequence[Layout]) -> Iterator[bool | PavError]:
        """Yield the results by arrays."""
        from pavcodec.boards.batch import owners_of
        from pavcodec.constraints.columns import Tester
        from pavcodec.constraints.vectors import Chunk

        tester = self._tester = self._tester or Tester(self._condition)
        chunk, begin = Chunk(owners_of(deals)), 0
        for tested in tester.tested(chunk, tester.first(chunk)):
            passed = set(tested.passed.tolist())
            for row in range(begin, tested.end):
                error = tested.errors.get(row)
                if error is not None and not isinstance(error, PavError):
                    raise error
                yield error or (row in passed) is self._wanted
            begin = tested.end


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
    chunks: Iterable[Sequence[tuple[str, Board]]],
    counts: Searched,
    report: Callable[[Problem], None],
) -> Iterator[tuple[str, Board]]:
    """Yield the boards that a search wants, each with its source, and count them.

    Boards of a chunk are tested together.
    """
    for some in chunks:
        deals = [board.layout for _, board in some if board.layout and board.layout.is_deal]
        wanted = search.results(deals)
        for source, board in some:
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
