"""Parts with double-dummy tricks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from pavcodec.boards.board import Board
from pavcodec.boards.context import Problem
from pavcodec.boards.par import with_par
from pavcodec.boards.tricks import RESULT_TABLE
from pavcodec.collection.derived.making import BoardMaking, Ends, Input, boards_with_numbers
from pavcodec.errors import PavError
from pavcodec.solving.chunks import ChunkSolver
from pavcodec.solving.contracts import ALL_CONTRACTS, unsolvable

if TYPE_CHECKING:
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.boards.context import Context
    from pavcodec.collection.derived.reading import Report

__all__ = ["SolveMaking"]


@dataclass(frozen=True, kw_only=True)
class SolveMaking(BoardMaking):
    """Parts with the boards of a source and the tricks of the contracts `columns`.

    With `par`, boards get the par score; with `again`, known tricks are solved, too. Raise
    `PavError` for a format without a place for the tricks.
    """

    columns: tuple[int, ...] = ALL_CONTRACTS
    par: bool = False
    again: bool = False
    boards: Ends = ()

    kind: ClassVar[str] = "solve"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.target.shows_tag(RESULT_TABLE):
            raise PavError(f"{self.format} has no place for tricks")

    def _options(self) -> dict[str, object]:
        columns = None if self.columns == ALL_CONTRACTS else list(self.columns)
        chosen = [list(ends) for ends in self.boards]
        found = {"columns": columns, "par": self.par, "again": self.again, "boards": chosen}
        return {**found, **super()._options()}

    def _boards(
        self,
        inputs: Iterator[Input],
        context: Context,  # noqa: ARG002 (of all parts with boards)
        report: Report,
        facts: dict[str, object],
    ) -> Iterator[BoardBatch | Board]:
        solver = ChunkSolver(self.columns, again=self.again)
        without_par = 0
        for found, stream, named in inputs:
            boards = boards_with_numbers(found.read(stream, named), self.boards)
            on_unsolvable = partial(_report_unsolvable, source=named.source, report=report)
            for board in solver.boards(boards, on_unsolvable):
                if self.target.needs_tricks and board.layout is not None and board.tricks is None:
                    continue  # it was reported
                made = with_par(board) if self.par else board
                without_par += self.par and made is board
                yield made
        counts = solver.counts
        done = {"solved": counts.solved + counts.copied, "kept": counts.kept}
        done |= {"changed": counts.changed, "without_par": without_par}
        facts |= {name: number for name, number in done.items() if number}


def _report_unsolvable(board: Board, *, source: str, report: Report) -> None:
    """Report a board that cannot be solved."""
    assert board.layout is not None
    reason = unsolvable(board.layout.owners)
    report(Problem(source, board.line, reason, board.tags.get("Board")))
