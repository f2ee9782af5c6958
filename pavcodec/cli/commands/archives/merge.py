"""`pavcodec merge`: one archive from several."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, BinaryIO

from pavcodec.cli.asking import add_common
from pavcodec.cli.commands.archives.opening import new_archive, open_input_archive, summarise
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.parsers import describe, option_group
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.inputs import Problems
from pavcodec.questions.outputs import open_binary_output

if TYPE_CHECKING:
    from pavcodec.archive import Archive


_EXAMPLES = """\
  pavcodec merge monday.pav tuesday.pav -o week.pav
  pavcodec merge --difference library.pav played.pav -o unplayed.pav
  pavcodec merge --unique week.pav -o distinct.pav"""

_DETAILS = """\
merge puts the boards of ordered archives one after another. A merged set has each deal once; a
merged multiset has each deal as often as all archives together. All archives must be of the same
kind, and have the same numbering or condition. merge reads them side by side, so they may have any
size."""

_OPERATIONS = {
    "union": "keep the deals that are in any of the sets",
    "intersection": "keep the deals that are in all sets",
    "difference": "keep the deals of the first set that are in no other set",
    "unique": "keep the first of the boards with the same cards, in one archive",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument("files", nargs="+", metavar="ARCHIVE", help="archives; - is stdin")
    choice = option_group(parser, "operation").add_mutually_exclusive_group()
    for name, meaning in _OPERATIONS.items():
        choice.add_argument(
            f"--{name}", action="store_const", const=name, dest="operation", help=meaning
        )
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Merge the archives into one."""
    target = new_archive(args)
    work = _operation(args)
    with ExitStack() as opened:
        archives = [opened.enter_context(open_input_archive(path)) for path in args.files]
        with open_binary_output(args.output, target) as out, waiting("merging"):
            boards = work(archives, out)
    summarise(args, boards, Problems())
    return 0


def _operation(args: argparse.Namespace) -> Callable[[Sequence[Archive], BinaryIO], int]:
    """Return the function for the chosen operation: from archives and an output to a number."""
    from pavcodec import archive

    if args.operation == "unique":
        if len(args.files) > 1:
            raise QuestionError("--unique needs one archive; merge several archives first")
        return lambda archives, out: archive.deduplicate_archive(archives[0], out)
    return {
        None: archive.merge_archives,
        "union": archive.unite_archives,
        "intersection": archive.intersect_archives,
        "difference": archive.subtract_archives,
    }[args.operation]
