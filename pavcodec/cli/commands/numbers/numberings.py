"""`pavcodec numberings`: the list of numberings, and the properties of one numbering."""

from __future__ import annotations

import argparse
import json

from pavcodec.cards import DECK_SIZE, Seat
from pavcodec.cli.output.streams import add_common
from pavcodec.cli.output.targets import UsageError
from pavcodec.cli.parsers import describe, option_group
from pavcodec.numberings import Numbering, numbering, numbering_names
from pavcodec.numberings.rankings import EqualHands
from pavcodec.questions.tables import fact_lines, print_table
from pavcodec.records import record

_EXAMPLES = """\
  pavcodec numberings
  pavcodec numberings deal
  pavcodec numberings balanced --table"""

_DETAILS = """\
The rows 'bits a card' are the plain ways to store a layout, for comparison: two bits a card hold a
deal, and three bits a card hold any layout."""

_PLAIN_BITS = {
    "2 bits a card": (2 * DECK_SIZE, "deal13", "for comparison: the owner of each card of a deal"),
    "3 bits a card": (
        3 * DECK_SIZE,
        "layout20",
        "for comparison: the owner of each card, or unused",
    ),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument("name", nargs="?", metavar="NAME", help="describe this numbering")
    option_group(parser, "output").add_argument(
        "--table", action="store_true", help="print the table of N[J] of the numbering 'balanced'"
    )
    add_common(parser, output=False)


def run(args: argparse.Namespace) -> int:
    """List the numberings, or describe one."""
    if args.name:
        chosen = numbering(args.name)
        if args.table:
            _print_table_of(chosen, as_json=args.json)
        else:
            _describe(chosen, as_json=args.json)
    elif args.table:
        _print_table_of(numbering("balanced"), as_json=args.json)
    else:
        _list(as_json=args.json)
    return 0


def _list(*, as_json: bool) -> None:
    """Print all numberings with their sizes."""
    chosen = [numbering(name) for name in numbering_names(partial=True, classes=True)]
    if as_json:
        print(json.dumps([_row(ranks) for ranks in chosen], indent=2))
        return
    rows = [
        (
            ranks.name,
            str(ranks.bits),
            str(ranks.record.size),
            ranks.record.name,
            f"{ranks.cardinality:,}",
            ranks.summary,
        )
        for ranks in chosen
    ]
    rows += [
        (name, str(bits), str(record(of).size), of, "", summary)
        for name, (bits, of, summary) in _PLAIN_BITS.items()
    ]
    columns = ("numbering", "bits", "bytes", "record", "cardinality", "what it numbers")
    print_table(columns, rows, folds=True)


def _row(ranks: Numbering) -> dict[str, object]:
    """Return a numbering as a JSON object; the cardinality is a string of decimal digits."""
    return {
        "name": ranks.name,
        "summary": ranks.summary,
        "members": ranks.members,
        "cardinality": str(ranks.cardinality),
        "bits": ranks.bits,
        "bytes": ranks.width,
        "record": ranks.record.name,
    }


def _describe(ranks: Numbering, *, as_json: bool) -> None:
    """Print the properties of a numbering."""
    ends = {"first": str(ranks[0]), "last": str(ranks[-1])}
    if as_json:
        print(json.dumps(_row(ranks) | ends, indent=2))
        return
    rows = [
        ("numbering", ranks.name),
        ("what", ranks.summary),
        ("members", ranks.members),
        ("numbers", f"0 to {ranks.last:,}"),
        ("", f"0x0 to {ranks.last:#x}"),
        ("size", f"{ranks.bits} bits, {ranks.width} bytes"),
        ("record", ranks.record.name),
        ("first", ends["first"]),
        ("last", ends["last"]),
    ]
    for line in fact_lines(rows, 11):
        print(line)


def _print_table_of(ranks: Numbering, *, as_json: bool) -> None:
    """Print N[J], the number of endings with J cards in each hand, and their first number."""
    ranking = ranks.ranking
    if not isinstance(ranking, EqualHands):
        raise UsageError(f"numbering {ranks.name!r} has no table; --table is for 'balanced'")
    sizes = ranking.counts
    if as_json:
        rows = [
            {"cards": size, "endings": str(n), "bits": (n - 1).bit_length(), "first": str(first)}
            for (size, n), first in zip(sizes.items(), ranking.firsts.values(), strict=True)
        ]
        print(json.dumps(rows, indent=2))
        return
    cells = [
        (
            str(size),
            f"52!/({size}!^4 {DECK_SIZE - len(Seat) * size}!)",
            f"{n:,}",
            str((n - 1).bit_length()),
            f"{ranking.firsts[size]:,}",
        )
        for size, n in sizes.items()
    ]
    cells.append(("all", "", f"{ranks.cardinality:,}", str(ranks.bits), ""))
    print_table(("J", "N[J] =", "endings", "bits", "first number"), cells)
