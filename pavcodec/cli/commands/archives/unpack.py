"""`pavcodec unpack`: the boards of an archive, in any format."""

from __future__ import annotations

import argparse

from pavcodec.cli.asking import add_common, add_numbering, add_target
from pavcodec.cli.options.rewriting import rewrite
from pavcodec.cli.output.losses import add_unique
from pavcodec.cli.parsers import describe, option_group
from pavcodec.questions.outputs import target_of

_EXAMPLES = """\
  pavcodec unpack event.pav -o event.pbn
  pavcodec unpack library.pav --to numbers
  pavcodec unpack library.pav --to lines | head"""

_DETAILS = """\
Boards have the order of the archive; the boards of sets have the order of their numbers. PBN keeps
everything in the archive. If the archive is damaged, unpack writes the boards before the damage and
names the damaged block; 'pavcodec repair' saves the boards after it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument(
        "input", nargs="?", default="-", metavar="ARCHIVE", help="archive to unpack; - is stdin"
    )
    add_numbering(parser)
    option_group(parser, "input").add_argument(
        "--strict", action="store_true", help="stop at the first problem"
    )
    add_target(parser, default="pbn")
    add_unique(parser)
    parser.set_defaults(from_format="pav", encoding=None, boards=None, append=False)
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Convert the archive."""
    args.to = target_of(args.to, args.output, default="pbn").name
    args.files = [args.input]
    return rewrite(args, None)
