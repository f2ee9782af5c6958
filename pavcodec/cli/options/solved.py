"""The option for files of solved deals, whose tricks need no solver."""

from __future__ import annotations

import argparse

from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import option_group

__all__ = ["add_solved", "use_solved_files"]


def add_solved(parser: argparse.ArgumentParser, group: str) -> None:
    """Add the option; `use_solved_files` reads its files."""
    option_group(parser, group).add_argument(
        "--solved",
        action="append",
        default=[],
        metavar="FILE",
        help="take double-dummy tricks from a solved file, and solve only other deals",
    )


def use_solved_files(args: argparse.Namespace) -> None:
    """Read the files of the option, if any; a file without tricks is an error."""
    if args.solved:
        from pavcodec.errors import ReadError
        from pavcodec.formats import use_solved

        for path in args.solved:
            if not use_solved(path, report=lambda problem: complain(str(problem))):
                raise ReadError(f"{path}: there are no deals with double-dummy tricks")
