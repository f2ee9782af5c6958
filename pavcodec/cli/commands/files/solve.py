"""`pavcodec solve`: the boards of files with their double-dummy tricks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from pavcodec.boards import Board, Problem
from pavcodec.boards.par import with_par
from pavcodec.chances.figures import many
from pavcodec.cli.asking import add_common, add_fields, chosen_numbering, print_answer
from pavcodec.cli.output.progress import ProgressBar
from pavcodec.cli.output.streams import complain, print_coloured
from pavcodec.cli.parsers import describe, option_group
from pavcodec.formats import Format, output_format
from pavcodec.formats.drawings.diagrams import drawing_of
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.folders import (
    chosen_target,
    make_boards_folder,
    makes_folder,
    refuse_options,
)
from pavcodec.questions.inputs import ChosenBoards, Problems, boards_of, named_format
from pavcodec.questions.rewriting import Rewriting, chosen_ends, rewrite
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

_EXAMPLES = """\
  pavcodec solve event.pbn -o solved.pbn
  pavcodec solve monday.pbn tuesday.pbn --par -o week.parquet
  pavcodec solve deals.txt -o solved.zrd
  pavcodec solve event.pbn --contracts '3NT by S, 4S by NS' -o some.pbn
  pavcodec deal -n 8 --to pbn | pavcodec solve - > solved.pbn
  pavcodec solve deals/ -o solved/ --to zrd --workers 4"""

_DETAILS = """\
The solver is DDS in the package endplay, which uses all processors: pip install
'pavcodec[double-dummy]'. Boards that have the tricks keep them. Boards that are equal up to the
names of suits and a turn of the table are solved once, among 200 boards. Endings are solved, too:
their tricks are those of their cards. A board whose hands differ in size is a problem, and is
written without tricks.

With -o, the tricks are kept in the file OUTPUT.solving after each 200 boards. If the command is
stopped, even by a crash, the same command continues; the output is the same as without the stop.
That file is removed at the end. The formats of the output are those of 'pavcodec convert' that have
a place for tricks; the standard output gets PBN, and a screen diagrams with tricks and par.

If the input and the output are folders, several processes solve the parts, each of them with one
thread; the same command continues, and makes only the parts that are not there."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    add_fields(parser, Solving, "contracts")
    group = option_group(parser, "double dummy")
    group.add_argument(
        "--par",
        action="store_true",
        help="add the par score and its contracts, the tags OptimumScore and ParContract",
    )
    group.add_argument(
        "--again", action="store_true", help="solve boards that have tricks, too, and compare"
    )
    add_fields(parser, Solving, "solved")
    add_fields(parser, Rewriting)
    add_fields(parser, Workers, "workers", "scheduler")
    add_common(parser, output=False)
    parser.set_defaults(numbering="deal")


def run(args: argparse.Namespace) -> int:
    """Solve the boards of the files."""
    if args.par and args.contracts:
        raise QuestionError("par needs the tricks of all contracts: --par or --contracts, not both")
    if makes_folder(args.files, args.output):
        return _solve_folder(args)
    columns = columns_of(args.contracts)
    use_solved_files(args.solved)
    if args.output == "-" and not args.to:
        if sys.stdout.isatty() and not (args.json or args.unique or args.append):
            return _print(args, columns)
        args.to = "pbn"
    target = output_format(args.output, args.to)
    check_target(target, columns)
    with solver_of(args.output, columns, force=args.force, again=args.again) as solver:
        finishing = _Finishing(target, has_par=args.par)
        note = partial(progress_note, solver.counts)
        last = ProgressBar(None, "solving the last boards", "", output=args.output, note=note)

        def change(boards: Iterator[Board], report: Callable[[Problem], None]) -> Iterator[Board]:
            with ExitStack() as stack:

                def read() -> Iterator[Board]:
                    yield from boards
                    stack.enter_context(last.shown())  # the bar of the file is gone now

                solved = solver.boards(read(), lambda each: report_unsolvable(each, report))
                yield from finishing.finished(solved)

        if args.json and args.output == "-":
            raise QuestionError("--json prints a summary, so -o must name a file")
        answer = rewrite(args, target, change, told=note, more=lambda: counts_row(solver.counts))
        code = print_answer(args, answer)
    tell_counts(solver.counts)
    finishing.print_boards_without_par()
    return code


def _print(args: argparse.Namespace, columns: tuple[int, ...]) -> int:
    """Print the boards on the screen with a table of their tricks and their par."""
    problems = Problems(strict=args.strict)
    chosen = ChosenBoards(args.boards)
    sources: list[str] = [""]

    def read() -> Iterator[Board]:
        ranks = chosen_numbering(args)
        named = boards_of(args.files, problems, format_name=named_format(args), ranks=ranks)
        for sources[0], board in named:
            if board.layout is not None:
                yield board

    def report(problem: Problem) -> None:
        problems(replace(problem, source=sources[0]))

    finishing = _Finishing(None, has_par=not args.contracts)
    with solver_of(args.output, columns, force=args.force, again=args.again) as solver:
        solved = solver.boards(chosen.of(read()), lambda board: report_unsolvable(board, report))
        for board in finishing.finished(solved):
            *drawing, last = drawing_of(board)
            score, contracts = (board.tags.get(tag) for tag in ("OptimumScore", "ParContract"))
            par = [f"par     {score}: {contracts}"] if score and contracts else []
            print_coloured([*drawing, *par, last])
    chosen.report_missing(args.files, problems)
    tell_counts(solver.counts)
    finishing.print_boards_without_par()
    return problems.exit_code


_NOT_BY_PARTS = {
    "unique": "it compares all boards",
    "append": "a part is written once",
    "solved": "workers read no solved files",
}
"""The options that need more than one part, and why."""


def _solve_folder(args: argparse.Namespace) -> int:
    """Solve the boards of each part of a folder."""
    from pavcodec.collection.derived import SolveMaking

    refuse_options(args, _NOT_BY_PARTS)
    target = chosen_target(args)
    columns = columns_of(args.contracts)
    check_target(target[0], columns)
    making = partial(
        SolveMaking,
        columns=columns,
        par=args.par,
        again=args.again,
        boards=chosen_ends(args.boards),
        encoding=args.encoding,
    )
    return print_answer(args, make_boards_folder(args, target, making))


class _Finishing:
    """What happens to boards after they are solved."""

    def __init__(self, target: Format | None, *, has_par: bool) -> None:
        self._leaves_out = target is not None and target.needs_tricks
        self._has_par = has_par
        self._without_par = 0

    def finished(self, boards: Iterator[Board]) -> Iterator[Board]:
        """Yield solved boards, with par if it is wanted; count the boards that lack it."""
        for board in boards:
            if self._leaves_out and board.layout is not None and board.tricks is None:
                continue  # it was reported
            if not self._has_par:
                yield board
                continue
            scored = with_par(board)
            self._without_par += scored is board
            yield scored

    def print_boards_without_par(self) -> None:
        """Print the number of boards without par."""
        if self._without_par:
            have = "has" if self._without_par == 1 else "have"
            boards = many(self._without_par, "board")
            complain(
                f"{boards} {have} no par: it needs a deal with tricks, a dealer and a vulnerability"
            )
