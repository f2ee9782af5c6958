"""Actions: the output for the deals, in the layouts of the classic dealer program.

Actions that print process the deals one by one, in order. Actions that only sum values process
batches, as arrays, if their expressions need only the cards. `rnd` draws in the order of the
actions, so an action with `rnd` processes the deals one by one as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from pavcodec.boards import Vulnerability
from pavcodec.cards import Seat
from pavcodec.constraints.evaluation.drawn import Drawn
from pavcodec.constraints.evaluation.evaluate import Evaluation
from pavcodec.constraints.evaluation.solve_ahead import drawn_ahead, kinds_in
from pavcodec.constraints.language.actions import (
    Action,
    Average,
    EvalContract,
    Export,
    Frequency,
    PrintAll,
    PrintCompact,
    PrintHands,
    PrintOneLine,
    PrintPbn,
    PrintReport,
    PrintSide,
    PrintText,
    expressions_of,
)
from pavcodec.constraints.nodes.syntax import Node, Python, Random, Tricks
from pavcodec.constraints.scripts.jobs import Dealt, Job, Run, Tally
from pavcodec.constraints.scripts.report_deals import (
    ExportingHands,
    PrintingAll,
    PrintingCompact,
    PrintingHands,
    PrintingOneLine,
    PrintingPbn,
    PrintingReport,
    PrintingSide,
    PrintingText,
)
from pavcodec.constraints.scripts.report_tables import Averaging, Counting, EvaluatingContract

if TYPE_CHECKING:
    from pavcodec.constraints.scripts.array_tallies import ArrayTallies

__all__ = ["run_actions"]

_FEW = 4096
"""The most deals for which no arrays are loaded."""

_SOLVED_AT_ONCE = 16
"""The number of deals that are solved together while earlier deals wait to be printed."""


def run_actions(  # noqa: PLR0913 (keywords)
    actions: Sequence[Action],
    drawn: Iterable[Evaluation | Drawn],
    out: TextIO,
    *,
    rows: TextIO | None = None,
    exported: TextIO | None = None,
    dealer: Seat | None = None,
    vulnerable: Vulnerability | None = None,
    first_number: int = 1,
    event: str = "Hand simulated by pavcodec",
    date: str = "????.??.??",
) -> int:
    r"""Print the results of the actions for the deals, and return the number of deals.

    The deals come with the values of their expressions, one by one or in batches; only `print`
    stores them. Boards are numbered from `first_number`; if `dealer` or `vulnerable` is None, PBN
    has those of the board's number. `event` and `date` are tags of PBN. `csvrpt` writes to `rows`
    and `export` to `exported`; the default of both is `out`.

    >>> import sys
    >>> from pavcodec import Deal
    >>> from pavcodec.constraints.language.parser import parse_script
    >>> deal = Deal(bytes(card % 4 for card in range(52)))
    >>> script = parse_script(r'action printes ("hcp ", hcp(south), \n), average spades(north)')
    >>> run_actions(script.actions, [Evaluation(deal)], sys.stdout)
    hcp 10
    4
    1
    """
    rows, exported = rows or out, exported or out
    run = Run(out, rows, exported, dealer, vulnerable, first_number, event, date)
    report = _Report(run, actions)
    for each in report.solved(drawn):
        report.take(each)
    return report.finish()


class _Report:
    """All actions at work."""

    def __init__(self, run: Run, actions: Sequence[Action]) -> None:
        self._jobs = [_JOBS[type(action)](run, action) for action in actions]
        self._first = self._number = run.first_number
        self._in_turn: list[Job] = []
        self._asked: list[Node] = []  # the expressions of these
        self._tallies: list[Tally] = []
        for job, action in zip(self._jobs, actions, strict=True):
            nodes = expressions_of(action)
            if isinstance(job, Tally) and not any(kinds_in(n) & {Random, Python} for n in nodes):
                self._tallies.append(job)
            else:
                self._in_turn.append(job)
                self._asked += nodes
        self._waiting: list[Evaluation] = []
        self._arrays: ArrayTallies | None = None

    def solved(self, drawn: Iterable[Evaluation | Drawn]) -> Iterable[Evaluation | Drawn]:
        """Yield deals, with the tricks solved that the actions need."""
        if not any(Tricks in kinds_in(node) for node in self._asked):
            return drawn
        deals = (
            each
            for some in drawn
            for each in (some.evaluations() if isinstance(some, Drawn) else (some,))
        )
        return drawn_ahead(deals, [*self._asked, *self._added_up()], most=_SOLVED_AT_ONCE)

    def _added_up(self) -> list[Node]:
        """Return the expressions of the actions that only sum values."""
        return [node for tally in self._tallies for node in tally.nodes]

    def take(self, drawn: Evaluation | Drawn) -> None:
        """Process deals."""
        if isinstance(drawn, Evaluation):
            self._see(drawn)
            if self._tallies:
                self._waiting.append(drawn)
                if len(self._waiting) >= _FEW:
                    self._tally_all(Drawn.of(self._waiting))
                    self._waiting = []
            return
        if self._in_turn:
            for each in drawn.evaluations():
                self._see(each)
        else:
            self._number += len(drawn)
        if self._tallies:
            self._tally_all(drawn)

    def _see(self, drawn: Evaluation) -> None:
        """Process a deal with the actions that need the deals in order."""
        if self._in_turn:
            dealt = Dealt(self._number, drawn)
            for job in self._in_turn:
                job.see(dealt)
        self._number += 1

    def _tally_all(self, drawn: Drawn) -> None:
        """Process deals with the actions that only sum values."""
        if self._arrays is None:
            from pavcodec.constraints.scripts.array_tallies import ArrayTallies

            self._arrays = ArrayTallies(self._tallies)
        self._arrays.take(drawn)

    def finish(self) -> int:
        """Finish all actions; return the number of deals."""
        if self._arrays is not None and self._waiting:
            self._tally_all(Drawn.of(self._waiting))
            self._waiting = []
        waiting = drawn_ahead(self._waiting, self._added_up())
        for number, each in enumerate(waiting, self._first):
            dealt = Dealt(number, each)
            for tally in self._tallies:
                tally.see(dealt)
        for job in self._jobs:
            job.finish()
        return self._number - self._first


_JOBS: dict[type[Action], Callable[..., Job]] = {
    PrintAll: PrintingAll,
    PrintSide: PrintingSide,
    PrintHands: PrintingHands,
    PrintPbn: PrintingPbn,
    PrintCompact: PrintingCompact,
    PrintOneLine: PrintingOneLine,
    PrintText: PrintingText,
    PrintReport: PrintingReport,
    Export: ExportingHands,
    Average: Averaging,
    Frequency: Counting,
    EvalContract: EvaluatingContract,
}
