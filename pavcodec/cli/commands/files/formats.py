"""`pavcodec formats`: the list of file formats."""

from __future__ import annotations

import argparse
import json

from pavcodec.cli.output.streams import add_common
from pavcodec.cli.output.tables import print_table
from pavcodec.cli.parsers import describe
from pavcodec.formats import format_names, format_of

__all__ = ["add_arguments", "run"]

_EXAMPLES = """\
  pavcodec formats
  pavcodec formats --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES)
    add_common(parser, output=False)


def run(args: argparse.Namespace) -> int:
    """List the formats."""
    formats = [format_of(name) for name in format_names()]
    if args.json:
        keys = ("name", "suffixes", "summary", "keeps", "loses")
        print(json.dumps([{key: getattr(f, key) for key in keys} for f in formats], indent=2))
    else:
        rows = [(f.name, " ".join(f.suffixes), f.keeps, f.loses, f.summary) for f in formats]
        print_table(
            ("format", "suffixes", "what it keeps", "what it loses", "what it is"), rows, folds=True
        )
    return 0
