"""The boards of a run of `deal`, the request behind them, and how they are solved and written."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, cast

from pavcodec.boards import Board, Context
from pavcodec.boards.tricks import find_results, results_row
from pavcodec.chances.plans import is_tested
from pavcodec.cli.commands.deals.deal_sources import (
    FEW,
    DealSource,
    Draw,
    MixedSource,
    WeightedSource,
    draw,
    watched,
)
from pavcodec.cli.commands.deals.methods import Dealt1999
from pavcodec.cli.options.solving import (
    add_contracts,
    check_target,
    print_counts,
    progress_note,
    report_unsolvable,
    solver_of,
)
from pavcodec.cli.output.losses import Differences
from pavcodec.cli.output.streams import complain, open_binary_output, refuse_nothing
from pavcodec.cli.parsers import option_group
from pavcodec.collection.session import Session
from pavcodec.errors import PavError
from pavcodec.formats import Format
from pavcodec.questions.inputs import Problems
from pavcodec.questions.shares import level_lines, mix_lines, weighted_lines
from pavcodec.sampling import preface
from pavcodec.solving.contracts import columns_of

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs, Owners
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.chances.questions import Space
    from pavcodec.constraints import Levelled, Mix, WeightedDeals
    from pavcodec.layout import Deal
    from pavcodec.solving.journal import ChunkSolver
    from pavcodec.studies.dealer1999 import Dealer1999


@dataclass(frozen=True)
class Asked:
    """The requested deals: a space, with or without weights, a mix, the dealer of 1999, or all."""

    space: Space | None = None
    mix: Mix | None = None
    levelled: Levelled | None = None
    dealer1999: Dealer1999 | None = None
    method: str = ""
    weighted: WeightedDeals | None = None

    @property
    def where(self) -> str:
        """The condition."""
        if self.dealer1999 is not None:
            return str(self.dealer1999.where)
        if self.weighted is not None:
            return str(self.weighted)
        if self.space is None:
            return str(self.mix or "")
        return str(self.space.where) if is_tested(self.space) else self.space.name

    def source(self, wanted: Draw) -> DealSource:
        """Return the source of the deals of a draw."""
        if self.dealer1999 is not None:
            return Dealt1999(self.dealer1999, wanted)
        if self.weighted is not None:
            return WeightedSource(self.weighted, wanted)
        return draw(self.space, wanted) if self.mix is None else MixedSource(self.mix, wanted)

    def lines(self) -> Iterator[str]:
        """Yield the lines on the types."""
        if self.levelled is not None:
            yield from level_lines(self.levelled)
        elif self.mix is not None:
            yield from mix_lines(self.mix)
        elif self.weighted is not None:
            yield from weighted_lines(self.weighted)


def add_solve(parser: argparse.ArgumentParser) -> None:
    """Add the options of double dummy."""
    group = option_group(parser, "double dummy")
    group.add_argument(
        "--solve",
        action="store_true",
        help="compute the double-dummy tricks of each deal (default format: pbn); see 'solve'",
    )
    add_contracts(group)


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
    solving = solver_of(args, columns_of(args.contracts)) if args.solve else nullcontext()
    with solving as solver:
        if solver is not None:
            source.note = lambda: progress_note(solver.counts)
        problems = _Writer(args, target, source, session, solver).write()
    if solver is not None:
        print_counts(solver.counts)
    return problems


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
            in_turn = self._source.is_named or target.cycle is not None
            if self._source.count < FEW or (in_turn and not target.is_cards_only):
                written = target.write(self._solved(self._boards(target)), out, context)
            else:
                written = target.write_batches(self._batches(target), out, context)
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
        source, session, deals = self._source, self._session, self._deals()
        if target.is_cards_only:
            return map(Board, deals)
        first, most = session.start + 1, target.cycle
        numbers = (number if most is None else (number - 1) % most + 1 for number in count(first))
        numbered = zip(numbers, deals, strict=False)
        if not source.is_named:
            return (session.board(*each) for each in numbered)
        kinds = (extra["type"] for extra in source.extras())
        return (session.board(*each, kind) for each, kind in zip(numbered, kinds, strict=False))

    def _batches(self, target: Format) -> Iterator[BoardBatch]:
        """Yield the boards in batches, with their tricks if there is a solver."""
        batches = self._unsolved(target)
        if self._solver is not None:
            batches = self._solver.batches(batches)
        return watched(self._source, batches, self._args.output, len)

    def _unsolved(self, target: Format) -> Iterator[BoardBatch]:
        """Yield the boards in batches."""
        source, session = self._source, self._session
        numbered: Iterator[tuple[Owners, Limbs | None]] = source.numbered()
        if not target.keeps_tag("DealId"):
            numbered = ((owners, None) for owners in source.batches())
        number = session.start + 1
        for owners, numbers in numbered:
            yield session.batch(number, owners, numbers)
            number += len(owners)
