"""`pavcodec convert`: one file or several into another format."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import partial

from pavcodec.boards import Board
from pavcodec.cli.asking import add_fields, add_numbering, add_reading, question_of
from pavcodec.cli.options.boards import (
    Renumbered,
    add_boards,
    add_order,
    chosen_ends,
    sorted_boards,
)
from pavcodec.cli.options.folders import (
    chosen_target,
    make_boards_folder,
    makes_folder,
    refuse_options,
)
from pavcodec.cli.options.rewriting import add_written, rewrite
from pavcodec.cli.output.streams import check_outputs
from pavcodec.cli.parsers import describe
from pavcodec.errors import PavError
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.events import OfEvent
from pavcodec.questions.workers import Workers

_EXAMPLES = """\
  pavcodec convert event.pbn deals.txt
  pavcodec convert event.pbn.zip event.lin.gz
  pavcodec convert monday.pbn tuesday.pbn --renumber -o week.pbn
  pavcodec convert event.pbn --boards 1-16,20 --event 'Club night' -o short.pbn
  pavcodec convert --to numbers --as andrews event.pbn -
  pavcodec convert --unique results.pbn deals.txt
  pavcodec convert deals/ -o archives/ --to pav --workers 4
  pavcodec convert deals/ -o one.parquet"""

_DETAILS = """\
Two files without -o are the input and the output; with -o, all files are inputs, and convert joins
their boards. The suffixes of the files give the formats, or --from and --to name them. PBN keeps
every tag, section and comment; 'lines' and 'numbers' keep only the cards; 'pavcodec formats NAME'
describes what a format keeps. For a binary file convert prints the checksum, the sum of its 32-bit
words.

--boards chooses boards before --sort and --renumber. A board that has a dealer or a vulnerability
as a tag keeps it under its new number; --by-number replaces both by those of the number.

A folder is read in the order of its parts, or of the names of its files. If the output is a folder
too, each part is converted by itself, by several processes, and the same command continues a folder
that is not complete. --sort, --renumber, --unique and --append need one file as the output."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="files to read, - is stdin; without -o the last one is the file to write, - is stdout",
    )
    add_reading(parser)
    add_boards(parser, "convert")
    add_order(parser)
    add_fields(parser, OfEvent)
    add_numbering(parser)
    add_written(parser)
    add_fields(parser, Workers, "workers", "scheduler")


def run(args: argparse.Namespace) -> int:
    """Convert the boards of the files, in the order and with the numbers of the options."""
    if args.output is None:
        if len(args.files) != 2:
            raise QuestionError("name one input and one output, IN OUT, or the output with -o")
        args.output = args.files.pop()
        if sys.stdout is None and args.output == "-":
            raise PavError("stdout: cannot be written: it is closed")
        check_outputs(args)
    if makes_folder(args.files, args.output):
        return _convert_folder(args)
    renumbered = Renumbered(args.renumber, by_number=args.by_number)
    event = question_of(args, OfEvent).event_tags

    def change(boards: Iterator[Board], _: object) -> Iterator[Board]:
        ordered = sorted_boards(boards, args.sort) if args.sort else boards
        if args.renumber or args.by_number:
            ordered = renumbered.of(ordered)
        return event.of_boards(ordered)

    is_changing = args.sort or args.renumber or args.by_number or event.tags
    code = rewrite(args, change if is_changing else None, title=event.title)
    renumbered.tell()
    return code


_NOT_BY_PARTS = {
    "sort": "it needs all boards",
    "renumber": "the numbers depend on the parts before",
    "unique": "it compares all boards",
    "append": "a part is written once",
}
"""The options that need more than one part, and why."""


def _convert_folder(args: argparse.Namespace) -> int:
    """Convert each part of a folder."""
    from pavcodec.collection.derived import ConvertMaking

    refuse_options(args, _NOT_BY_PARTS)
    target = chosen_target(args)
    event = question_of(args, OfEvent).event_tags
    making = partial(
        ConvertMaking,
        boards=chosen_ends(args),
        by_number=args.by_number,
        tags=tuple(event.tags.items()),
        title=event.title,
        encoding=args.encoding,
    )
    return make_boards_folder(args, target, making)
