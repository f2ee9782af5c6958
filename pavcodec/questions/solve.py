"""Solve: the double-dummy tricks and the par of boards, in a file, on the screen or as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from pavcodec.boards import Board, Problem
from pavcodec.boards.par import with_par
from pavcodec.chances.figures import many
from pavcodec.formats import output_format
from pavcodec.formats.drawings.diagrams import drawing_of
from pavcodec.questions.asking import Answer, QuestionError, as_in, ask, function_of, note, progress
from pavcodec.questions.folders import (
    chosen_target,
    make_boards_folder,
    makes_folder,
    refuse_options,
)
from pavcodec.questions.inputs import OfEach, Problems
from pavcodec.questions.rewriting import Rewriting, chosen_ends, rewrite
from pavcodec.questions.showing import Shown
from pavcodec.questions.solving import (
    Solving,
    check_target,
    counts_row,
    progress_note,
    report_unsolvable,
    solver_of,
    tell_counts,
    use_solved_files,
)
from pavcodec.questions.workers import Workers
from pavcodec.solving.contracts import columns_of

if TYPE_CHECKING:
    from pavcodec.formats import Format
    from pavcodec.solving.journal import ChunkSolver


@dataclass(frozen=True)
class Solve(Solving, Rewriting, OfEach):
    """Compute the double-dummy tricks and par of boards."""

    name: ClassVar[str] = "solve"
    examples: ClassVar[str] = """\
  pavcodec solve event.pbn -o solved.pbn
  pavcodec solve monday.pbn tuesday.pbn --par -o week.parquet
  pavcodec solve deals.txt -o solved.zrd
  pavcodec solve event.pbn --contracts '3NT by S, 4S by NS' -o some.pbn
  pavcodec deal -n 8 --to pbn | pavcodec solve - > solved.pbn
  pavcodec solve deals/ -o solved/ --to zrd --workers 4"""
    details: ClassVar[str] = """\
The solver is DDS in the package endplay, which uses all processors: pip install
'pavcodec[club]'. Boards that have the tricks keep them. Boards that are equal up to the
names of suits and a turn of the table are solved once, among 200 boards. Endings are solved, too:
their tricks are those of their cards. A board whose hands differ in size is a problem, and is
written without tricks.

With -o, the tricks are kept in the file OUTPUT.solving after each 200 boards. If the command is
stopped, even by a crash, the same command continues; the output is the same as without the stop.
That file is removed at the end. The formats of the output are those of 'pavcodec convert' that have
a place for tricks; the standard output gets PBN, and a screen diagrams with tricks and par. Without
-o, --json prints the boards with their tricks and par; with it, a summary.

If the input and the output are folders, several processes solve the parts, each of them with one
thread; the same command continues, and makes only the parts that are not there."""
    takes: ClassVar[tuple[str, str]] = "FILE", "files to read; - or none is stdin"
    nothing: ClassVar[str] = "no boards"
    draws: ClassVar[bool] = True

    par: bool = ask(
        "add the par score and its contracts, the tags OptimumScore and ParContract",
        default=False, group="double dummy",
    )  # fmt: skip
    again: bool = ask(
        "solve boards that have tricks, too, and compare", default=False, group="double dummy"
    )
    to: str | None = as_in(Rewriting, "to", local=True)  # a server shows the boards
    encoding: str | None = as_in(Rewriting, "encoding", local=True)
    unique: bool | None = as_in(Rewriting, "unique", local=True)
    source_file: bool = as_in(Rewriting, "source_file", local=True)
    workers: int | None = as_in(Workers, "workers")
    scheduler: str | None = as_in(Workers, "scheduler")

    keys: ClassVar[dict[str, str]] = {
        "boards": "without an output, the boards as 'show' has them, with their tricks and par; "
        "with one, a summary of the file: the number of boards, of the solved ones, and others",
    }

    @property
    def is_shown(self) -> bool:
        """Whether the boards are shown, and not written in a format."""
        return self.output == "-" and not (self.to or self.unique or self.append)

    def find(self) -> Answer:
        """Return the solved boards, or write them into the output."""
        if self.is_shown:
            boards = self._solved(Problems(strict=self.strict))
            return Solved(list(boards))
        if self.par and self.contracts:
            raise QuestionError("par needs the tricks of all contracts: {par} or {contracts}")
        if makes_folder(self.files, self.output):
            return self._folder()
        columns = columns_of(self.contracts)
        use_solved_files(self.solved)
        target = output_format(self.output, self.to or ("pbn" if self.output == "-" else None))
        check_target(target, columns)
        with solver_of(self.output, columns, force=self.force, again=self.again) as solver:
            finishing = _Finishing(solver, target, has_par=self.par)
            answer = rewrite(
                self,
                target,
                finishing.solved,
                told=finishing.told,
                more=lambda: counts_row(solver.counts),
            )
        finishing.tell()
        return answer

    def answers(self, inputs: Sequence[str], problems: Problems) -> Iterator[Answer]:  # noqa: ARG002
        """Return each board with its tricks."""
        return (Solved([board]) for board in self._solved(problems))

    def _solved(self, problems: Problems) -> Iterator[Board]:
        """Yield the boards that have cards with their tricks and, of all contracts, their par."""
        columns = columns_of(self.contracts)
        use_solved_files(self.solved)
        sources = [""]

        def boards() -> Iterator[Board]:
            for sources[0], board in self.read_named(problems, self.ranks):
                if board.layout is not None:
                    yield board

        def report(problem: Problem) -> None:
            problems(replace(problem, source=sources[0]))

        with solver_of(self.output, columns, again=self.again) as solver:
            finishing = _Finishing(solver, None, has_par=not self.contracts)
            yield from finishing.solved(boards(), report)
        finishing.tell()

    def _folder(self) -> Answer:
        """Solve the boards of each part of a folder."""
        from pavcodec.collection.derived import SolveMaking

        refuse_options(
            self,
            {
                "unique": "it compares all boards",
                "append": "a part is written once",
                "solved": "workers read no solved files",
                "where": "'pavcodec grep' makes a folder of the boards that it finds",
            },
        )
        target, columns = chosen_target(self), columns_of(self.contracts)
        check_target(target[0], columns)
        making = partial(
            SolveMaking,
            columns=columns,
            par=self.par,
            again=self.again,
            boards=chosen_ends(self.boards),
            encoding=self.encoding,
        )
        return make_boards_folder(self, target, making)


solve = function_of(Solve)


@dataclass
class Solved(Shown):
    """Boards as diagrams and as data, with their tricks and par."""

    def lines(self) -> Iterator[str]:
        """Yield the diagrams, with the par below the tricks."""
        for board in self.boards:
            *drawing, last = drawing_of(board)
            score, contracts = (board.tags.get(tag) for tag in ("OptimumScore", "ParContract"))
            yield from drawing
            yield from [f"par     {score}: {contracts}"] if score and contracts else []
            yield last


@dataclass
class _Finishing:
    """Solves boards, and does what happens to them after that."""

    solver: ChunkSolver
    target: Format | None
    has_par: bool = field(kw_only=True)
    _read: int = 0
    _is_all_read: bool = False
    _without_par: int = 0

    def told(self) -> str:
        """Return what is done, and the time that is left once all boards are read."""
        return progress_note(self.solver.counts, self._read if self._is_all_read else None)

    def solved(self, boards: Iterator[Board], report: Callable[[Problem], None]) -> Iterator[Board]:
        """Yield boards with their tricks, and with par if it is wanted."""
        last = progress(None, "solving the last boards", "", note=self.told)
        with ExitStack() as stack:

            def read() -> Iterator[Board]:
                for board in boards:
                    self._read += board.layout is not None
                    yield board
                self._is_all_read = True
                stack.enter_context(last.shown())  # the bar of the file is gone now

            for board in self.solver.boards(read(), lambda each: report_unsolvable(each, report)):
                needs_tricks = self.target is not None and self.target.needs_tricks
                if needs_tricks and board.layout is not None and board.tricks is None:
                    continue  # it was reported
                scored = with_par(board) if self.has_par else board
                self._without_par += self.has_par and scored is board
                yield scored

    def tell(self) -> None:
        """Tell what was done with the boards, and how many have no par."""
        tell_counts(self.solver.counts)
        if self._without_par:
            have = "has" if self._without_par == 1 else "have"
            boards = many(self._without_par, "board")
            note(
                f"{boards} {have} no par: it needs a deal with tricks, a dealer and a vulnerability"
            )
