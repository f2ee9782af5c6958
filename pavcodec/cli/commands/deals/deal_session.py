"""The boards of a run of `deal`, the request behind them, and how they are solved and written."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import count
from typing import TYPE_CHECKING, TypeVar, cast

from pavcodec.boards import Board, Context
from pavcodec.boards.tricks import find_results, results_row
from pavcodec.cli.asking import add_fields
from pavcodec.cli.output.progress import ProgressBar
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import option_group
from pavcodec.collection.session import Session
from pavcodec.errors import PavError
from pavcodec.formats import Format
from pavcodec.questions.dealing import batches_of, boards_of, is_in_batches
from pavcodec.questions.inputs import Problems
from pavcodec.questions.losses import Differences
from pavcodec.questions.outputs import open_binary_output, refuse_nothing
from pavcodec.questions.solving import (
    Solving,
    check_target,
    progress_note,
    report_unsolvable,
    solver_of,
    tell_counts,
)
from pavcodec.questions.sources import DealSource, OrderedSource
from pavcodec.sampling import preface
from pavcodec.solving.contracts import columns_of

if TYPE_CHECKING:
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.layout import Deal
    from pavcodec.solving.journal import ChunkSolver

T = TypeVar("T")


def watched(
    source: DealSource, items: Iterator[T], output: str, size: Callable[[T], int] | None = None
) -> Iterator[T]:
    """Yield the items of a source under a progress bar; `size` counts the deals of an item."""
    progress = ProgressBar(
        None, "dealing", "deals", output=output, total=source.count, note=source.note
    )
    return progress.watch(items, size)


def add_solve(parser: argparse.ArgumentParser) -> None:
    """Add the options of double dummy."""
    group = option_group(parser, "double dummy")
    group.add_argument(
        "--solve",
        action="store_true",
        help="compute the double-dummy tricks of each deal (default format: pbn); see 'solve'",
    )
    add_fields(parser, Solving, "contracts")


def check_solved_target(args: argparse.Namespace, target: Format) -> None:
    """Refuse a format that needs tricks without `--solve`, or that has no place for them."""
    if args.solve:
        check_target(target, columns_of(args.contracts))
    elif target.needs_tricks:
        raise PavError(f"{target.name} needs the double-dummy tricks of each deal: use --solve")


def write_deals(
    args: argparse.Namespace, target: Format | None, source: DealSource, session: Session
) -> Problems:
    """Write the deals in a format, or as JSON without one."""
    solving = (
        solver_of(args.output, columns_of(args.contracts), force=args.force)
        if args.solve
        else nullcontext()
    )
    with solving as solver:
        if solver is not None:
            source.note = lambda: progress_note(solver.counts)
        problems = _Writer(args, target, source, session, solver).write()
    if solver is not None:
        tell_counts(solver.counts)
    return problems


def write_set_archive(source: OrderedSource, output: str, target: Format) -> Problems:
    """Write the deals of a sorted set as an archive of the kind `set`."""
    from pavcodec.collection import distinct

    progress = ProgressBar(None, "dealing", "deals", output=output, total=source.count)
    with open_binary_output(output, target) as stream:
        distinct.write_set_archive(source.space, progress.watch(source.positions(), len), stream)
    return Problems()


class _Writer:
    """Writes the deals of a source; `solver` computes their tricks, if there is one."""

    def __init__(
        self,
        args: argparse.Namespace,
        target: Format | None,
        source: DealSource,
        session: Session,
        solver: ChunkSolver | None,
    ) -> None:
        self._args = args
        self._target = target
        self._source = source
        self._session = session
        self._solver = solver
        self._problems = Problems()

    def write(self) -> Problems:
        """Write all deals."""
        args, target, session = self._args, self._target, self._session
        differences = Differences()
        context = Context(
            "deal",
            self._problems,
            numbering=session.ranks,
            preface=preface(session.where, session.generator),
            note=complain,
            differ=differences.note,
            title=args.title or "",
        )
        with open_binary_output(args.output, target, append=args.append) as out:
            if target is None:
                out.writelines(f"{json.dumps(row)}\n".encode() for row in self._rows())
                return self._problems
            if is_in_batches(self._source, target):
                written = target.write_batches(self._batches(target), out, context)
            else:
                written = target.write(self._solved(self._boards(target)), out, context)
            refuse_nothing(args.output, written, self._problems)
        differences.tell(target)
        return self._problems

    def _deals(self) -> Iterator[Deal]:
        """Yield the deals, watched here unless they are watched after they are solved."""
        deals = self._source.deals()
        return deals if self._solver else watched(self._source, deals, self._args.output)

    def _solved(self, boards: Iterator[Board]) -> Iterator[Board]:
        """Yield boards with their tricks, if there is a solver."""
        if self._solver is None:
            return boards
        solved = self._solver.boards(boards, lambda each: report_unsolvable(each, self._problems))
        return watched(self._source, solved, self._args.output)

    def _rows(self) -> Iterator[dict[str, object]]:
        """Yield the objects of JSON."""
        boards = self._solved(map(Board, self._deals()))
        told = zip(count(self._session.start + 1), boards, self._source.extras(), strict=False)
        for number, board, extra in told:
            row = self._session.row(number, cast("Deal", board.layout)) | extra
            if self._solver is not None:
                results = board.tricks or find_results(board.tags, board.sections)
                row["tricks"] = results_row(results)
            yield row

    def _boards(self, target: Format) -> Iterator[Board]:
        """Yield the boards, one by one."""
        deals = self._deals()
        if target.is_cards_only:
            return map(Board, deals)
        return boards_of(self._source, self._session, deals, target.cycle)

    def _batches(self, target: Format) -> Iterator[BoardBatch]:
        """Yield the boards in batches, with their tricks if there is a solver."""
        batches = batches_of(self._source, self._session, target)
        if self._solver is not None:
            batches = self._solver.batches(batches)
        return watched(self._source, batches, self._args.output, len)
