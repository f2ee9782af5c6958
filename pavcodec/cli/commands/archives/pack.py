"""`pavcodec pack`: write boards to an archive."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from pavcodec.cli.asking import add_as, add_common, add_fields, print_answer
from pavcodec.cli.commands.archives.opening import (
    PackedFiles,
    add_collected,
    new_archive,
    summarise,
)
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import suggest
from pavcodec.numberings import numbering_names
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.deals import Deals, Endings, space_of_text
from pavcodec.questions.folders import make_folder, makes_folder
from pavcodec.questions.inputs import Problems, named_format
from pavcodec.questions.outputs import open_binary_output, refuse_nothing
from pavcodec.questions.workers import Workers

if TYPE_CHECKING:
    from pavcodec.constraints import ConstrainedDeals


_EXAMPLES = """\
  pavcodec pack event.pbn -o event.pav
  pavcodec pack --set --from numbers numbers.txt -o library.pav
  pavcodec pack --where 'hcp(south) >= 20' strong.pbn -o strong.pav
  pavcodec pack --set --cards-only --tricks solved.zrd -o solved.pav
  pavcodec pack --cards-only deals/ -o archives/ --workers 4"""

_DETAILS = """\
An archive keeps the boards in their order, or the deals as a set: each deal once, sorted, in fewer
bits. pack keeps cards, board numbers, dealers and vulnerabilities; with --all it keeps every tag,
section and comment, so that 'unpack' gives equal boards. A set keeps only the cards, or with --all
the rest of the first board of each deal. --as deal-suits keeps deals up to the order of the suits,
and --as deal-suits-turns also up to turns of the table: a set or multiset of canonical deals,
without anything but cards.

With --tricks, the double-dummy tricks of a deal have a column of their own, in some 18 bits for a
random deal, also with --cards-only. 'get --find' finds the tricks of a deal.

With --where, a deal takes about the logarithm of the number of deals of the condition. pack reports
boards that do not satisfy the condition as problems, and leaves them out. Input numbers are numbers
of --as, else deal numbers, also with --where.

A folder is read in the order of its parts, or of the names of its files. If the output is a folder
too, each part is an archive, packed by several processes, and the same command continues a folder
that is not complete. Parts are sets only if the deals of the folder are sorted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument("files", nargs="*", metavar="IN", help="files to pack; - or none is stdin")
    group = option_group(parser, "archive")
    kind = group.add_mutually_exclusive_group()
    kind.add_argument(
        "--set", action="store_const", const="set", dest="kind", help="keep each deal once, sorted"
    )
    kind.add_argument(
        "--multiset",
        action="store_const",
        const="multiset",
        dest="kind",
        help="keep each deal as often as it occurs, sorted",
    )
    parser.set_defaults(kind="ordered")
    group.add_argument("--all", action="store_true", help="keep every tag, section and comment")
    group.add_argument(
        "--tricks", action="store_true", help="keep double-dummy tricks, in few bits"
    )
    add_collected(parser)
    _add_space(parser)
    add_fields(parser, Workers, "workers", "scheduler")
    add_common(parser)


def _add_space(parser: argparse.ArgumentParser) -> None:
    """Add the options for the space of the archive, which defines its numbers."""
    choice = option_group(parser, "numbering").add_mutually_exclusive_group()
    what, all_of_them = "keep numbers of this numbering", ", which holds every board"
    add_as(
        choice, what, numbering_names(partial=True, classes=True), default="any", note=all_of_them
    )
    choice.add_argument("--where", metavar="EXPR", help="keep the deals of this condition")
    add_fields(parser, Endings, "cards", group="numbering")
    add_fields(parser, Deals, "memory", group="numbering")


def run(args: argparse.Namespace) -> int:
    """Pack files into one archive."""
    from pavcodec.archive import write_archive
    from pavcodec.archive.spaces import space_of

    problems = Problems(strict=args.strict)
    if args.all and args.cards_only:
        raise QuestionError("--all keeps everything, and --cards-only keeps only cards")
    if makes_folder(args.files, args.output):
        return _pack_folder(args)
    target = new_archive(args)
    space = _space(args)
    packed = PackedFiles(args, problems, space_of(space))
    with open_binary_output(args.output, target) as out:
        items = packed.items(args.files)
        boards = write_archive(
            items, out, kind=args.kind, space=space, all=args.all, tricks=args.tricks
        )
        nothing = "" if packed.without_cards else "no boards"
        refuse_nothing(args.output, boards, problems, nothing)
    summarise(args, boards, problems, packed.without_cards)
    return problems.exit_code


def _pack_folder(args: argparse.Namespace) -> int:
    """Pack each part of a folder."""
    from pavcodec.collection.derived import PackMaking, ReadingOptions

    making = partial(
        PackMaking,
        reading=ReadingOptions(named_format(args), strict=args.strict),
        order=args.kind,
        space=_space(args),
        cards_only=args.cards_only,
        all=args.all,
        tricks=args.tricks,
    )
    return print_answer(args, make_folder(args, making))


def _space(args: argparse.Namespace) -> str | ConstrainedDeals:
    """Return the space that the options choose."""
    if args.where is not None:
        return space_of_text(args.where, args.memory, args.cards)
    if args.cards is not None:
        raise QuestionError("--cards needs a condition: give --where as well")
    names = ["any", *numbering_names(partial=True, classes=True)]
    if args.numbering not in names:
        raise suggest("numbering", args.numbering, names)
    name: str = args.numbering
    return name
