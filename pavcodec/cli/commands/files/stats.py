"""`pavcodec stats`: counts of collections beside the expectations of random deals."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pavcodec.cli.commands.files.duplicates import add_duplicates, parts_of_files, print_duplicates
from pavcodec.cli.options.conditions import add_memory, condition_of_node, condition_of_text
from pavcodec.cli.options.folders.spread import (
    is_spread,
    reading_of,
    results_in_order,
    spread_files,
    take_report,
)
from pavcodec.cli.options.spaces import refuse_empty, space_of
from pavcodec.cli.options.workers import add_workers
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.streams import (
    Problems,
    UsageError,
    add_common,
    add_reading,
    complain,
    open_binary_output,
    open_text_output,
    refuse_same_file,
)
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import PavError
from pavcodec.odds.figures import many

if TYPE_CHECKING:
    from pavcodec.constraints import Expression
    from pavcodec.statistics import Statistics, Tally

__all__ = ["add_arguments", "run"]

_PLOTS = ("png", "svg", "pdf")

_EXAMPLES = """\
  pavcodec stats event.pbn
  pavcodec stats strong.pav --given 'hcp(south) >= 20' --plot strong.svg
  pavcodec stats 2024/*.pbn --duplicates --up-to suits,turns
  pavcodec stats deals/ --workers 4"""

_DETAILS = """\
stats counts suits, patterns, shapes, voids, points and controls of each hand; suits, points,
controls and the longest suit of North and South together; and the holder of each card. Beside each
count it prints the exact expectation for random deals, or with --given for random deals of the
condition. 'sd' is the difference in standard deviations. stats leaves out values with no
occurrences and an expectation below 0.001.

A chi-square test compares each table with its expectations; values with an expectation below 5 are
pooled, and Holm's rule adjusts the probabilities for the number of tests. Counts may be too far
from their expectations, or too even. stats also looks for deals that repeat others up to an
exchange of suits or seats, among at most 1,048,576 deals. The verdict is negative, and the exit
code 1, if an adjusted probability is at most the level, or if a deal does not satisfy the
condition. Random deals fail with at most the probability of the level.

stats does not count layouts that are no complete deals, and prints their number. --tricks adds
double-dummy tricks, without expectations; records of solved deals (zrd, zdd) always show them.

--duplicates lists repeated boards, each by its file and its position among the boards with cards in
this file. With --up-to, two boards are the same if an exchange of suits or seats turns one into the
other; stats then prints the canonical layout.

For a folder, stats counts its parts by several processes, in their order, or its files of boards in
the order of their names. The counts add up, so the output is that of one process. If parts are not
there or are damaged, the output is of the others, a line names them, and the exit code is 1. With
--workers, several files are read in the same way."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="files to read; - or none is stdin"
    )
    group = option_group(parser, "expectations")
    group.add_argument(
        "--given",
        metavar="EXPR",
        help="the condition that all deals should satisfy (default: none)",
    )
    group.add_argument("--level", metavar="P", help="the level of the verdict (default: 0.01)")
    group.add_argument(
        "--tricks", action="store_true", help="read boards one by one for double-dummy tricks"
    )
    add_memory(parser, "expectations")
    add_duplicates(parser)
    add_reading(parser)
    add_workers(parser)
    group = option_group(parser, "output")
    group.add_argument("--csv", action="store_true", help="print CSV, a row for each value")
    group.add_argument(
        "--plot", metavar="FILE", help="plot all differences to a file: .png, .svg or .pdf"
    )
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Print the statistics."""
    from pavcodec.cli.commands.files.stats_output import csv_lines, json_text, text_lines

    if args.json and args.csv:
        raise UsageError("--json and --csv do not go together")
    if args.duplicates:
        _refuse_other_counts(args)
        return print_duplicates(args)
    if args.up_to is not None:
        raise UsageError("--up-to says which boards are the same: give --duplicates as well")
    kind = args.plot.rpartition(".")[2].lower() if args.plot else ""
    if kind and kind not in _PLOTS:
        raise UsageError(f"--plot draws .png, .svg or .pdf, not {args.plot!r}")
    for output in (args.output, args.plot or "-"):
        refuse_same_file(args.files, output)
    problems = Problems(strict=args.strict)
    found = _statistics(args, problems)
    with open_text_output(args.output) as out:
        if args.json:
            out.write(f"{json_text(found)}\n")
        else:
            out.writelines(csv_lines(found) if args.csv else text_lines(found))
    if kind:
        _plot(found, args.plot, kind)
    return max(problems.exit_code, int(found.departs))


def _refuse_other_counts(args: argparse.Namespace) -> None:
    """Refuse options that have no meaning with `--duplicates`."""
    given = ("given", "level", "plot", "tricks", "memory")
    for name in given:
        if getattr(args, name):
            raise UsageError(f"--duplicates and --{name} do not go together")


def _statistics(args: argparse.Namespace, problems: Problems) -> Statistics:
    """Return the counts of all files and the expectations; raise `PavError` without deals."""
    from pavcodec.constraints import ConstrainedDeals
    from pavcodec.statistics import Statistics, expected_tally
    from pavcodec.statistics.report import LEVEL, level_of
    from pavcodec.statistics.survey import condition_to_test

    try:
        level = level_of(LEVEL if args.level is None else args.level)
    except PavError as error:
        raise UsageError(f"--level: {error}") from None
    node = None if args.given is None else condition_of_text(args.given)
    space = space_of(condition_of_node(node, args.memory))
    if not isinstance(space, ConstrainedDeals):
        reasons = getattr(space, "reasons", ("",))
        raise UsageError(f"--given: expectations are counted, and {reasons[0]}")
    refuse_empty(space)
    where = condition_to_test(space)
    tally = _tally(args, problems, where)
    if not (tally.deals or tally.boards_with_tricks):
        raise PavError("there are no complete deals to count")
    for count, what in (
        (tally.without_cards, "without cards"),
        (tally.incomplete, "without a complete deal"),
    ):
        if count:
            complain(f"{many(count, 'board')} {what} skipped")
    with waiting("counting what is expected"):
        limit = {} if args.memory is None else {"memory": args.memory}
        expected = expected_tally(space, **limit)
    given = "" if where is None else str(space.where)
    return Statistics(tally, expected, given=given, level=level)


def _tally(args: argparse.Namespace, problems: Problems, where: Expression | None) -> Tally:
    """Return the tally of all files, by workers where they are asked for; tallies add up."""
    from pavcodec.statistics import Tally

    tally = Tally()
    if not is_spread(args, args.files):
        for _, part in parts_of_files(args, problems):
            part.add_to(tally, where)
        return tally
    from pavcodec.collection.derived.survey import Tallying

    work = Tallying(reading_of(args), where, args.tricks)
    files = spread_files(args, args.files, problems)
    for some, report in results_in_order(args, work, files, problems):
        tally += some
        take_report(report, problems)
    return tally


def _plot(found: Statistics, path: str, kind: str) -> None:
    """Draw into a file, which is complete or absent."""
    from pavcodec.statistics.plots import draw_statistics

    with open_binary_output(path) as out:
        draw_statistics(found, out, kind)
