"""`pavcodec cases`: the cases of a condition, with their ways and running totals."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import TYPE_CHECKING, TextIO

from pavcodec.cards import Seat
from pavcodec.chances.figures import many
from pavcodec.cli.asking import add_common
from pavcodec.cli.output.progress import ProgressBar, waiting
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import describe, option_group
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.deals import condition_of_text
from pavcodec.questions.outputs import open_binary_output, open_text_output, refuse_same_file
from pavcodec.questions.words import whole

if TYPE_CHECKING:
    from pavcodec.studies.cases import CaseListing, CaseRow, CaseSequence, CaseTable


_AT_ONCE = 10_000
"""The rows that are measured together to find the widths of columns."""

_EXAMPLES = """\
  pavcodec cases 'spades(west) == 9'
  pavcodec cases 'hcp(north) == 2 && hcp(south) <= 1' -o weak.cases
  pavcodec cases --listing weak.cases --select 5000000"""

_DETAILS = """\
A case is a pattern or an arrangement of honours (A K Q J) of one hand, or a pair of them for two
hands, as in Pavlicek's study of dealing with constraints. The ways of a case are the number of its
hands, or pairs of hands. The running totals end at T; a number from 0 to T - 1 selects the first
case whose total is greater.

Each part of the condition, between &&, must depend on the shape and the honours of one hand. hcp,
lengths, shape, controls, aces, losers and hascard of honours make cases; tens, quality and sums
over two hands do not. Cases are patterns if only shapes matter, honours if only honours matter, and
else both.

-o without --tsv or --json writes a binary listing of 16 bytes a case with an index, for 'pavcodec
deal --listing'. With --resume, an interrupted run leaves its finished part in FILE.part and
FILE.part.index, and the same command continues it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument("expression", nargs="?", metavar="EXPR", help="the condition")
    group = option_group(parser, "cases")
    group.add_argument("--listing", metavar="FILE", help="read the cases from a listing")
    group.add_argument(
        "--select", type=whole, metavar="R", help="print only the case that the number R selects"
    )
    group.add_argument(
        "-n", dest="count", type=whole, metavar="N", help="print only the first N cases"
    )
    group = option_group(parser, "output")
    group.add_argument("--tsv", action="store_true", help="print columns separated by tabs")
    group.add_argument(
        "--resume",
        action="store_true",
        help="keep the finished part of an interrupted listing, and continue it",
    )
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """List cases."""
    _check(args)
    if args.output != "-" and not args.tsv and not args.json:
        write = _go_on if args.resume else _write
        write(table_of_text(args.expression), args.output)
        return 0
    with _opened(args) as cases:
        with waiting("counting cases"):
            count = len(cases)
        start, stop = 0, count if args.count is None else min(args.count, count)
        if args.select is not None:
            if args.select >= cases.cardinality:
                if not cases.cardinality:
                    raise QuestionError("--select: there are no cases")
                raise QuestionError(
                    f"--select is a number of 0 to {cases.cardinality - 1}, not {args.select}"
                )
            start = cases.select(args.select)
            stop = start + 1
        rows = cases.rows(start, stop)
        watched = ProgressBar(None, "listing", "cases", output=args.output, total=stop - start)
        shown = watched.watch(rows)
        with open_text_output(args.output) as out:
            if args.json:
                _print_json(cases, shown, out)
            elif args.tsv:
                _print_plain(cases, shown, out)
            else:
                _print_table(cases, shown, out)
    return 0


def _check(args: argparse.Namespace) -> None:
    """Refuse options that exclude each other, and a listing with the suffix of another file."""
    suffix = os.path.splitext(args.output)[1].lower()
    if args.output != "-" and not args.tsv and not args.json and suffix not in ("", ".cases"):
        raise QuestionError(f"{args.output}: the output is a listing, with the suffix .cases")
    if (args.expression is None) == (args.listing is None):
        raise QuestionError(
            "give a condition, as in 'spades(west) == 9', or a file after --listing"
        )
    if args.tsv and args.json:
        raise QuestionError("--tsv and --json do not go together")
    if args.count is not None and args.select is not None:
        raise QuestionError("-n and --select do not go together")
    if args.output != "-" and not args.tsv and not args.json:
        for option in ("count", "select", "listing"):
            if getattr(args, option) is not None:
                name = "-n" if option == "count" else f"--{option}"
                raise QuestionError(f"-o writes a whole listing: {name} goes with --tsv or --json")
    elif args.resume:
        raise QuestionError("--resume goes with -o, and without --tsv and --json")
    if args.listing is not None:
        refuse_same_file([args.listing], args.output)


def _opened(args: argparse.Namespace) -> AbstractContextManager[CaseSequence]:
    """Return the cases, of a condition or of a file that is closed at the end."""
    if args.listing is not None:
        from pavcodec.studies.cases import open_cases

        listing: CaseListing = open_cases(args.listing)
        return listing
    return nullcontext(table_of_text(args.expression))


def table_of_text(text: str) -> CaseTable:
    """Return the cases of a condition; raise `QuestionError` if it has none."""
    node = condition_of_text(text)
    from pavcodec.studies.cases import NotCasesError, case_table

    try:
        with waiting("looking for hands"):
            return case_table(node)
    except NotCasesError as error:
        raise QuestionError(str(error)) from None


def _write(table: CaseTable, output: str) -> None:
    """Write a binary listing."""
    from pavcodec.studies.cases.files import write_cases

    progress = ProgressBar(None, "listing", "steps", output=output, total=table.steps)
    with open_binary_output(output) as out:
        count = write_cases(table, progress.watch(table.blocks()), out)
    complain(f"{many(count, 'case')} written to {output}")


def _go_on(table: CaseTable, output: str) -> None:
    """Write the rest of a binary listing after an interrupted run."""
    from pavcodec.studies.cases.files import open_partial

    with open_partial(table, output) as partial:
        if partial.refused:
            complain(partial.refused)
        if partial.count:
            complain(f"continuing after {many(partial.count, 'case')}")
        progress = ProgressBar(None, "listing", "steps", output=output, total=partial.steps)
        try:
            count = partial.write(progress.watch(partial.blocks()))
        except BaseException:
            if partial.count:
                kept = many(partial.count, "case")
                complain(f"{kept} kept in {partial.name}: the same command continues from there")
            raise
    complain(f"{many(count, 'case')} written to {output}")


def _print_json(cases: CaseSequence, rows: Iterator[CaseRow], out: TextIO) -> None:
    """Print one object, row by row."""
    out.write('{"cases": [')
    for index, row in enumerate(rows):
        told = {"bitmaps": row.bitmaps} if row.bitmaps else {}
        fields = {"case": row.number, "hands": row.hands} | told
        fields |= {"calculation": row.calculation, "ways": row.ways, "total": row.total}
        out.write(("," if index else "") + "\n" + json.dumps(fields, ensure_ascii=False))
    total = {"where": cases.where, "total": cases.cardinality}
    total["cardinality"] = str(cases.deals.cardinality)
    out.write(f"\n], {json.dumps(total)[1:]}\n")


def _print_plain(cases: CaseSequence, rows: Iterator[CaseRow], out: TextIO) -> None:
    """Print columns between tabs."""
    seats = [Seat(seat).name.lower() for seat in cases.plan.seats]
    maps = [f"{seat}_bitmap" for seat in seats] if cases.plan.honours else []
    out.write("\t".join(["case", *seats, *maps, "calculation", "ways", "total"]) + "\n")
    for row in rows:
        figures = [row.calculation, str(row.ways), str(row.total)]
        out.write("\t".join([str(row.number), *row.hands, *row.bitmaps, *figures]) + "\n")


def _print_table(cases: CaseSequence, rows: Iterator[CaseRow], out: TextIO) -> None:
    """Print a table in the form of the study, and the totals."""
    plan = cases.plan
    hands, ways = [Seat(seat).name.title() for seat in plan.seats], "Combinations"
    if len(hands) == 1:
        hands, ways = ["Pattern"] * plan.patterns + ["High cards"] * plan.honours, "Hands"
    heads = ["Case", *hands, "Calculation", ways, "Total"]
    widths = [len(head) for head in heads]
    printed = False
    while chunk := list(islice(rows, _AT_ONCE)):
        cells = [_cells(row, cases) for row in chunk]
        widths = [
            max(width, *map(len, column))
            for width, column in zip(widths, zip(*cells, strict=True), strict=True)
        ]
        if not printed:
            out.write(_line(heads, widths))
            out.write(_line(["─" * width for width in widths], widths))
            printed = True
        out.writelines(_line(row, widths) for row in cells)
    out.write("\n" * printed + ", ".join(_sums(cases)) + "\n")


def _sums(cases: CaseSequence) -> Iterator[str]:
    """Yield how many cases, hands and deals there are."""
    kind = ("hand", "hands") if len(cases.plan.seats) == 1 else ("pair of hands", "pairs of hands")
    yield many(len(cases), "case")
    yield many(cases.cardinality, *kind)
    yield many(cases.deals.cardinality, "deal")


def _cells(row: CaseRow, cases: CaseSequence) -> list[str]:
    """Return the cells of a row; the total of the last case is T."""
    hands = row.hands if len(row.plan.seats) > 1 else row.parts
    total = f"T = {row.total:,}" if row.number == len(cases) else f"{row.total:,}"
    return [str(row.number), *hands, row.calculation, f"{row.ways:,}", total]


def _line(cells: list[str], widths: list[int]) -> str:
    """Return a line of a table; numbers are aligned on the right."""
    right = {0, len(cells) - 2, len(cells) - 1}
    aligned = [
        cell.rjust(width) if column in right else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(aligned).rstrip() + "\n"
