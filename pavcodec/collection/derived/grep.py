"""Parts with the boards that satisfy a condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Self

from pavcodec.boards.board import Board
from pavcodec.boards.context import Problem
from pavcodec.collection.derived.making import BoardMaking, Input
from pavcodec.collection.derived.reading import Reading, Report
from pavcodec.constraints.arrays.search import Search
from pavcodec.constraints.evaluation.solve_ahead import kinds_in
from pavcodec.constraints.nodes.syntax import Node, Python, Random
from pavcodec.constraints.operators import Expression
from pavcodec.errors import PavError

if TYPE_CHECKING:
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.boards.context import Context
    from pavcodec.collection.source import SourceFile

__all__ = ["GrepMaking", "Searched", "Searching", "search_boards"]

_AT_ONCE = 4096


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
    search: Search, boards: Iterable[tuple[str, Board]], counts: Searched, report: Report
) -> Iterator[tuple[str, Board]]:
    """Yield the boards that a search wants, each with its source, and count them."""
    rest = iter(boards)
    while some := list(islice(rest, _AT_ONCE)):
        deals = [board.layout for _, board in some if board.layout and board.layout.is_deal]
        results = search.results(deals)
        for source, board in some:
            counts.boards += 1
            if board.layout is None or not board.layout.is_deal:
                counts.without_deal += 1
                continue
            result = next(results)
            if isinstance(result, PavError):
                reason = f"{result}: '{board.layout}'"
                report(Problem(source, board.line, reason, board.tags.get("Board")))
            elif result:
                counts.found += 1
                yield source, board


def check_searched(where: Node) -> None:
    """Raise `PavError` for a condition whose value is not a function of the deal."""
    if kinds_in(where) & {Random, Python}:
        raise PavError(
            "a part is a function of its source, so a condition with rnd or a Python function "
            "chooses no boards of a folder: name the files, as in deals/part-*"
        )


@dataclass(frozen=True, kw_only=True)
class GrepMaking(BoardMaking):
    """Parts with the boards of a source whose deals satisfy a condition, or with `invert` do not.

    Raise `PavError` for a condition whose value is not a function of the deal.
    """

    where: Node
    invert: bool = False

    kind: ClassVar[str] = "grep"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_searched(self.where)

    def _options(self) -> dict[str, object]:
        return {"where": str(Expression(self.where)), "invert": self.invert, **super()._options()}

    def _boards(
        self,
        inputs: Iterator[Input],
        context: Context,  # noqa: ARG002 (of all parts with boards)
        report: Report,
        facts: dict[str, object],
    ) -> Iterator[BoardBatch | Board]:
        counts, search = Searched(), Search(self.where, wanted=not self.invert)
        for _, board in search_boards(search, _named(inputs), counts, report):
            yield board
        facts["searched"] = counts.boards
        if counts.without_deal:
            facts["without_deal"] = counts.without_deal


@dataclass(frozen=True, kw_only=True)
class Searching:
    """Searches a file of boards; without `keeps` only counts.

    Raise `PavError` for a condition whose value is not a function of the deal.
    """

    where: Node
    reading: Reading = field(default_factory=Reading)
    invert: bool = False
    keeps: bool = True

    def __post_init__(self) -> None:
        check_searched(self.where)

    def __call__(self, file: SourceFile) -> tuple[list[tuple[str, Board]], Searched, Report]:
        """Return the boards that were found, each with its source, the counts and the problems."""
        counts, report = Searched(), Report(self.reading.strict)
        search = Search(self.where, wanted=not self.invert)
        with ExitStack() as stack:
            inputs = self.reading.inputs(file, report, stack)
            found = search_boards(search, _named(inputs), counts, report)
            kept = [each for each in found if self.keeps]
        return kept, counts, report


def _named(inputs: Iterator[Input]) -> Iterator[tuple[str, Board]]:
    """Yield the boards of files, each with the name of its file."""
    for found, stream, context in inputs:
        for board in found.read(stream, context):
            yield context.source, board
