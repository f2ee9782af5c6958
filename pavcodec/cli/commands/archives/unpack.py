"""`pavcodec unpack`: the boards of an archive, in any format."""

from __future__ import annotations

import argparse

from pavcodec.cli.commands.files import convert
from pavcodec.cli.output.losses import add_unique
from pavcodec.cli.output.streams import (
    add_common,
    add_numbering,
    add_target,
    target_of,
)

__all__ = ["add_arguments", "run"]

_EPILOG = """\
Boards come in the order of the archive; those of sets are in the order of their numbers. PBN keeps
all that an archive keeps. Where the archive is damaged, what comes before is written, and the
damaged block is named; 'pavcodec repair' saves what comes after it.

examples:
  pavcodec unpack event.pav -o event.pbn
  pavcodec unpack library.pav --to numbers
  pavcodec unpack library.pav --to lines | head"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    parser.epilog = _EPILOG
    parser.add_argument(
        "input", nargs="?", default="-", metavar="ARCHIVE", help="archive to unpack; - is stdin"
    )
    add_target(parser, default="pbn")
    add_numbering(parser)
    add_unique(parser)
    parser.add_argument("--strict", action="store_true", help="stop at the first problem")
    parser.set_defaults(from_format="pav", encoding=None)
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Convert the archive."""
    args.to_format = target_of(args.to_format, args.output, default="pbn").name
    return convert.run(args)
