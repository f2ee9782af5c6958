"""Double dummy: the fields of what is solved, and the solver with its journal and its summary."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pavcodec.boards import Board, Problem
from pavcodec.boards.tricks import RESULT_TABLE
from pavcodec.chances.figures import many
from pavcodec.files.paths import local_path
from pavcodec.formats import Format
from pavcodec.questions.asking import Question, QuestionError, ask, note
from pavcodec.solving.contracts import ALL_CONTRACTS, unsolvable

if TYPE_CHECKING:
    from pavcodec.solving.journal import ChunkSolver, Counts, Journal


@dataclass(frozen=True, kw_only=True)
class Solving(Question):
    """The fields of a question that computes double-dummy tricks."""

    contracts: str | None = ask(
        "solve only these, such as '3NT by S', 'NT', 'N S' or '4S by NS, 4H by NS'",
        default=None, group="double dummy", metavar="LIST", local=True,
    )  # fmt: skip
    solved: tuple[str, ...] = ask(
        "take double-dummy tricks from a solved file, and solve only other deals",
        default=(), group="double dummy", metavar="FILE", local=True,
    )  # fmt: skip


def check_target(target: Format | None, columns: tuple[int, ...]) -> None:
    """Raise `QuestionError` if a format cannot hold the tricks of these contracts."""
    if target is None:
        return
    if not target.shows_tag(RESULT_TABLE):
        raise QuestionError(
            f"{target.name} has no place for tricks: use a format such as pbn, zrd, parquet or pav"
        )
    if target.needs_tricks and columns != ALL_CONTRACTS:
        raise QuestionError(f"{target.name} needs the tricks of all contracts, without --contracts")


@contextmanager
def solver_of(
    output: str, columns: tuple[int, ...], *, force: bool = False, again: bool = False
) -> Iterator[ChunkSolver]:
    """Yield the solver of a run; its journal is beside the output until the output is complete."""
    from pavcodec.solving.journal import ChunkSolver

    journal = _journal_of(output, force=force)
    try:
        yield ChunkSolver(columns, again=again, journal=journal)
    except BaseException as error:
        if journal is not None:
            journal.close()
            if isinstance(error, KeyboardInterrupt) and os.path.exists(journal.path):
                note(f"stopped: {journal.path} has the tricks so far; the same run continues")
        raise
    if journal is not None:
        journal.remove()


def _journal_of(output: str, *, force: bool) -> Journal | None:
    """Return the journal of an output; None for the standard output, a device, a pipe or a URL."""
    from pavcodec.solving.journal import SUFFIX, Journal

    here = local_path(output)
    if here is None or here == "-" or (os.path.exists(here) and not os.path.isfile(here)):
        return None
    return Journal(here + SUFFIX, force=force)


def report_unsolvable(board: Board, report: Callable[[Problem], None]) -> None:
    """Report a board that cannot be solved."""
    assert board.layout is not None
    reason = unsolvable(board.layout.owners)
    report(Problem("deal", board.line, reason, board.tags.get("Board")))


def progress_note(counts: Counts, boards: int | None = None) -> str:
    """Return the number of solved boards, their rate, and of so many `boards` the time left."""
    told = f"{counts.solved:,} solved, {counts.rate:.1f} a second"
    if boards is None or not counts.rate:
        return told
    done = counts.solved + counts.looked_up + counts.copied + counts.resumed + counts.kept
    minutes, seconds = divmod(round(max(0, boards - done) / counts.rate), 60)
    return f"{told}, {minutes}:{seconds:02} left"


def tell_counts(counts: Counts) -> None:
    """Tell what was done with the boards, and how many of them the engine solved in a second."""
    done = [
        (counts.solved, f"solved, {counts.rate:.1f} a second"),
        (counts.looked_up, "found in a solved file"),
        (counts.copied, "equal to others up to symmetry"),
        (counts.resumed, "solved by an earlier run"),
        (counts.kept, "with tricks already"),
        (counts.changed, "with other tricks before"),
    ]
    parts = [(count, what) for count, what in done if count]
    if not parts:
        note("no boards to solve")
        return
    (first, what), *others = parts
    rest = [f"{count:,} {what}" for count, what in others]
    note("; ".join([f"{many(first, 'board')} {what}", *rest]))


def counts_row(counts: Counts) -> dict[str, object]:
    """Return what was done, for JSON."""
    return {
        "solved": counts.solved,
        "looked_up": counts.looked_up,
        "copied": counts.copied,
        "resumed": counts.resumed,
        "kept": counts.kept,
        "changed": counts.changed,
        "seconds": round(counts.seconds, 3),
        "rate": round(counts.rate, 2),
    }


def use_solved_files(paths: Iterable[str]) -> None:
    """Read solved files, whose tricks need no solver; a file without tricks is an error."""
    for path in paths:
        from pavcodec.errors import ReadError
        from pavcodec.formats import use_solved

        if not use_solved(path, report=lambda problem: note(str(problem))):
            raise ReadError(f"{path}: there are no deals with double-dummy tricks")
