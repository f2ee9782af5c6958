"""`pavcodec stats`: counts of collections beside the expectations of random deals."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pavcodec.cards import Card, Seat, Strain
from pavcodec.chances.figures import digits, many
from pavcodec.cli.asking import add_fields
from pavcodec.cli.commands.files.duplicates import add_duplicates, parts_of_files, print_duplicates
from pavcodec.cli.options.folders import (
    add_up,
    add_workers,
    is_spread,
    reading_of,
)
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.streams import (
    add_common,
    add_reading,
    complain,
    open_binary_output,
    open_text_output,
)
from pavcodec.cli.output.targets import UsageError, plot_kind, refuse_same_file
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import PavError
from pavcodec.questions.deals import (
    Deals,
    condition_of_node,
    condition_of_text,
    refuse_empty,
    space_of,
)
from pavcodec.questions.inputs import Problems
from pavcodec.questions.tables import table_lines

if TYPE_CHECKING:
    from pavcodec.constraints import Expression
    from pavcodec.statistics import Statistics, Table, Tally


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
    add_fields(parser, Deals, "memory", group="expectations")
    add_duplicates(parser)
    add_reading(parser, files=True)
    add_workers(parser)
    group = option_group(parser, "output")
    group.add_argument("--csv", action="store_true", help="print CSV, a row for each value")
    group.add_argument(
        "--plot", metavar="FILE", help="plot all differences to a file: .png, .svg or .pdf"
    )
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Print the statistics."""
    if args.json and args.csv:
        raise UsageError("--json and --csv do not go together")
    if args.duplicates:
        for name in ("given", "level", "plot", "tricks", "memory"):
            if getattr(args, name):
                raise UsageError(f"--duplicates and --{name} do not go together")
        return print_duplicates(args)
    if args.up_to is not None:
        raise UsageError("--up-to says which boards are the same: give --duplicates as well")
    kind = plot_kind(args)
    for output in (args.output, args.plot or "-"):
        refuse_same_file(args.files, output)
    problems = Problems(strict=args.strict)
    statistics = _statistics(args, problems)
    with open_text_output(args.output) as out:
        if args.json:
            out.write(f"{json.dumps(statistics.to_dict())}\n")
        else:
            out.writelines(csv_lines(statistics) if args.csv else text_lines(statistics))
    if kind:
        from pavcodec.statistics.report import draw_statistics

        with open_binary_output(args.plot) as plot:
            draw_statistics(statistics, plot, kind)
    return max(problems.exit_code, int(statistics.departs))


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
    from pavcodec.collection.derived import Tallying

    return add_up(args, Tallying(reading_of(args), where, args.tricks), tally, problems)


# Statistics as text, JSON and CSV.


_HONOURS = 4
_TESTS_SHOWN = 8
_LEAST = Fraction(1, 1000)
"""Values that did not occur and have a smaller expectation have no line."""
_SUITS = ("spades", "hearts", "diamonds", "clubs")
_OF_SEATS = ("pattern", "voids", "hcp", "controls")
_OF_SIDES = ("fit", "longest", "side-hcp", "side-controls")


def text_lines(statistics: Statistics) -> Iterator[str]:
    """Yield statistics as text, line by line."""
    for block in _blocks(statistics):
        yield from (f"{line}\n" for line in block)
        yield "\n"
    yield f"{statistics.verdict}\n"


def _blocks(statistics: Statistics) -> Iterator[Iterator[str] | list[str]]:
    """Yield the parts of the text, between which there are empty lines."""
    expected = many(statistics.expected.deals, "deal")
    given = [f"expected: {expected} with {statistics.given}"] if statistics.given else []
    yield [many(statistics.deals, "deal"), *given]
    if statistics.deals:
        for title, tables in _groups(statistics):
            yield [title, *_table(tables)]
        yield _holders(statistics)
    if statistics.observed.boards_with_tricks:
        yield _tricks(statistics)
    if statistics.deals:
        yield _tests(statistics)


def _groups(statistics: Statistics) -> Iterator[tuple[str, list[Table]]]:
    """Yield the tables that are side by side, with their titles."""
    from pavcodec.statistics.report import SECTIONS

    for suit in _SUITS:
        yield suit.capitalize(), _in_section(statistics, "length", suit)
    for section in (*_OF_SEATS, *_OF_SIDES):
        yield SECTIONS[section], _in_section(statistics, section)


def _in_section(statistics: Statistics, section: str, ending: str = "") -> list[Table]:
    return [
        table
        for table in statistics.tables
        if table.section == section and table.of.endswith(ending)
    ]


def _table(tables: Sequence[Table]) -> Iterator[str]:
    """Yield tables side by side; expectations that are the same for all have one column."""
    is_same = len({table.ways for table in tables}) == 1
    heads, cells = [""], []
    for index, table in enumerate(tables):
        seat = table.of.partition(" ")[0] if table.section == "length" else table.of
        heads += [*(["expected"] if is_same and not index else []), seat]
        heads += ["sd"] if is_same else ["expected", "sd"]
    for row, value in enumerate(tables[0].values):
        if not any(table.expected[row] >= _LEAST or table.observed[row] for table in tables):
            continue
        line = [value]
        for index, table in enumerate(tables):
            amount, seen, distance = _cell(table, row)
            line += [*([amount] if is_same and not index else []), seen]
            line += [distance] if is_same else [amount, distance]
        cells.append(line)
    yield from table_lines(heads, cells)


def _cell(table: Table, row: int) -> tuple[str, str, str]:
    """Return the expectation of a value, its count, and the difference."""
    distance = table.deviations[row]
    shown = "" if distance is None else f"{float(distance):.1f}".replace("-0.0", "0.0")
    expected = table.expected[row]
    is_small = 0 < expected < 10
    amount = digits(expected, 2) if is_small else f"{float(expected):,.1f}"
    return amount, f"{table.observed[row]:,}", shown


def _holders(statistics: Statistics) -> list[str]:
    """Return the holders of the honours."""
    heads, cells = [""], []
    for seat in Seat:
        heads += [seat.name.lower(), "expected", "sd"]
    for suit in range(4):
        for rank in range(_HONOURS):
            table = statistics["holder", str(Card(13 * suit + rank))]
            line = [table.of]
            for seat in Seat:
                amount, seen, distance = _cell(table, seat)
                line += [seen, amount, distance]
            cells.append(line)
    return [
        "Who holds the honours (of all cards: --json, --csv)",
        *table_lines(heads, cells, group=3),
    ]


def _tricks(statistics: Statistics) -> list[str]:
    """Return double-dummy tricks: boards by tricks, strain and declarer."""
    counts = statistics.observed.counts["tricks"]
    boards = many(statistics.observed.boards_with_tricks, "board")
    heads = ["", *(f"{strain.letters} {seat.letter}" for strain in Strain for seat in Seat)]
    rows = counts.reshape(len(Strain) * len(Seat), -1).T.tolist()
    cells = [[str(taken), *map(str, row)] for taken, row in enumerate(rows)]
    means = [_mean(column) for column in zip(*rows, strict=True)]
    title = f"Double-dummy tricks of {boards}: strain and declarer"
    return [title, *table_lines(heads, [*cells, ["mean", *means]])]


def _mean(column: Sequence[int]) -> str:
    tricks = sum(taken * boards for taken, boards in enumerate(column))
    return f"{tricks / sum(column):.2f}"


def _tests(statistics: Statistics) -> list[str]:
    """Return the tests with the least probable results."""
    from pavcodec.statistics.report import tail_of

    some = statistics.tests[:_TESTS_SHOWN]
    cells = [
        [
            test.table.name,
            f"{float(test.result.statistic):.1f}",
            str(test.result.freedom),
            tail_of(test.result),
            probability_text(test.result.probability),
            probability_text(test.adjusted),
        ]
        for test in some
    ]
    heads = ["", "chi-square", "freedom", "tail", "p", "adjusted p"]
    title = f"Tests: the {len(some)} least probable of {len(statistics.tests)}"
    return [f"{title}; level {digits(statistics.level)}", *table_lines(heads, cells)]


def probability_text(value: object) -> str:
    """Return a probability with three significant digits.

    >>> from decimal import Decimal
    >>> probability_text(Fraction(1, 3)), probability_text(Decimal("3.5691e-215"))
    ('0.333', '3.57e-215')
    """
    exact = Fraction(value)  # type: ignore[call-overload]
    return digits(exact, 3)


def csv_lines(statistics: Statistics) -> Iterator[str]:
    """Yield statistics as CSV, a row for each value of each table."""
    write = _csv_line
    yield write(["section", "of", "value", "observed", "expected", "sd", "ways", "cardinality"])
    for table in statistics.tables:
        for row, value in enumerate(table.values):
            distance = table.deviations[row]
            yield write(
                [
                    table.section,
                    table.of,
                    value,
                    table.observed[row],
                    f"{float(table.expected[row]):.6f}",
                    "" if distance is None else f"{float(distance):.6f}",
                    table.ways[row],
                    table.cardinality,
                ]
            )
    yield from _trick_lines(statistics, write)


def _trick_lines(statistics: Statistics, write: Callable[[list[object]], str]) -> Iterator[str]:
    """Yield rows of double-dummy tricks, which have no expectation."""
    if statistics.observed.boards_with_tricks:
        for strain, planes in zip(
            Strain, statistics.observed.counts["tricks"].tolist(), strict=True
        ):
            for seat, counts in zip(Seat, planes, strict=True):
                for taken, boards in enumerate(counts):
                    of = f"{seat.name.lower()} {strain.letters}"
                    yield write(["tricks", of, taken, boards, "", "", "", ""])


def _csv_line(cells: list[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
