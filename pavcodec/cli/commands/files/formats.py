"""`pavcodec formats`: the list of file formats, and what survives in each."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from pavcodec.cli.output.losses import listed
from pavcodec.cli.output.streams import add_common, complain
from pavcodec.cli.output.targets import UsageError
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import PavError
from pavcodec.formats import Format, format_names, format_of
from pavcodec.formats.losing import GROUPS, Survival, survival_of
from pavcodec.questions.tables import fact_lines, print_table

_EXAMPLES = """\
  pavcodec formats
  pavcodec formats lin csv
  pavcodec formats --json
  pavcodec formats --survives
  pavcodec formats --survives lin csv"""

_DETAILS = """\
With names, formats prints what each of these formats keeps and loses.

--survives writes a board with all parts in each format, reads it again, and compares. The columns
are: the board number, dealer, vulnerability, names of the players, event (with site, date and
session), calls of the auction, alerts and notes of the calls, play, score (with contract and
tricks), double-dummy tricks, par, and comments. 'yes' is all of them, 'part' some, '-' none;
'rule' is a dealer or vulnerability that survives if it follows from the board number. With --json,
"kept" and "lost" have the names of the parts and tags."""

_START = 15
"""The column of the facts of a format."""
_HEADS = {
    "number": "no.",
    "vulnerability": "vul",
    "auction": "calls",
    "notes": "note",
    "comments": "text",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument(
        "formats", nargs="*", metavar="FORMAT", help="formats to describe (default: all)"
    )
    option_group(parser, "output").add_argument(
        "--survives", action="store_true", help="show the parts of a board that survive"
    )
    add_common(parser, output=False)


def run(args: argparse.Namespace) -> int:
    """List the formats, or describe some."""
    named = [format_of(name) for name in args.formats]
    if args.survives:
        return _show_survivals(named, as_json=args.json)
    formats = named or [format_of(name) for name in format_names()]
    if args.json:
        keys = ("name", "suffixes", "summary", "keeps", "loses")
        print(json.dumps([{key: getattr(f, key) for key in keys} for f in formats], indent=2))
    elif named:
        for number, each in enumerate(named):
            print(*([""] if number else []), *fact_lines(_facts(each), _START), sep="\n")
    else:
        rows = [(f.name, " ".join(f.suffixes), f.summary) for f in formats]
        print_table(("format", "suffixes", "what it is"), rows, folds=True)
    return 0


def _facts(format_: Format) -> Iterator[tuple[str, str]]:
    """Yield the facts of a format, as (head, text)."""
    yield "format", format_.name
    yield "suffixes", " ".join(format_.suffixes) or "none"
    yield "what it is", format_.summary
    yield "what it keeps", format_.keeps
    yield "what it loses", format_.loses


def _show_survivals(named: list[Format], *, as_json: bool) -> int:
    """Print the parts that survive in some formats, or in all that are read."""
    unread = [each.name for each in named if not each.is_read]
    if unread:
        raise UsageError(f"pavcodec writes {listed(unread)}, and does not read it")
    every = [format_of(name) for name in format_names()]
    survivals = list(_survivals(named or [each for each in every if each.is_read]))
    if as_json:
        rows = [
            {"format": each.format}
            | {group: each.of(group) for group in GROUPS}
            | {"kept": each.kept, "lost": each.lost}
            for each in survivals
        ]
        print(json.dumps(rows, indent=2))
        return 0
    cells = [["format", *(_HEADS.get(group, group) for group in GROUPS)]]
    cells += [
        [each.format, *(each.of(group).replace("no", "-") for group in GROUPS)]
        for each in survivals
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        print(" ".join(map(str.ljust, row, widths)).rstrip())
    if not named:
        written = [each.name for each in every if not each.is_read]
        print(f"\n{listed(written)} are written, and not read.")
    return 0


def _survivals(formats: list[Format]) -> Iterator[Survival]:
    """Yield what survives in formats; print a line for those whose package is missing."""
    for each in formats:
        try:
            yield survival_of(each)
        except PavError as error:
            complain(f"{each.name}: {error}")
