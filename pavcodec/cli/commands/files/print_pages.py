"""`pavcodec print`: hand records, cards and sheets of boards, as PDF or as a web page."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from pavcodec.boards import Board
from pavcodec.chances.figures import many
from pavcodec.cli.asking import add_common, add_fields, add_reading, question_of
from pavcodec.cli.options.boards import add_boards
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import PavError
from pavcodec.formats import Format, format_of
from pavcodec.printing.document import PAPERS
from pavcodec.printing.pages import LAYOUTS, SECRET_LAYOUTS, WRITERS, board_document, check_pdf
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.events import OfEvent
from pavcodec.questions.inputs import ChosenBoards, Problems, boards_of, named_format
from pavcodec.questions.outputs import (
    format_of_output,
    open_binary_output,
    refuse_same_file,
    refuse_screen,
)

_EXAMPLES = """\
  pavcodec print event.pbn -o records.pdf
  pavcodec print event.pbn --solve --title "Tuesday" -o records.pdf
  pavcodec print event.pbn --layout curtain --paper letter -o cards.pdf
  pavcodec print event.pbn --boards 1-8 --no-solutions -o boards.html"""

_DETAILS = """\
The layouts:

{layouts}

The tricks and par are those of the file; --solve computes missing tricks with the package endplay,
and par follows from the tricks. The heading has the tags Event, Site, Date, Stage and Session that
are equal in all boards, or those of the options; a Session that only names a file of SquareDeal is
left out. The footer has the number of the page and the tag Generator, such as the seed, also as a
QR code. The pages of the layouts {secret} have no seed, since
players could make the deals from it.

The suffix of -o chooses PDF or HTML. PDF needs the package typst: pip install 'pavcodec[pdf]'."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    width = max(map(len, LAYOUTS))
    listed = "\n".join(f"  {name:<{width}}  {text}" for name, text in LAYOUTS.items())
    secret = ", ".join(SECRET_LAYOUTS[:-1]) + " and " + SECRET_LAYOUTS[-1]
    describe(parser, _EXAMPLES, _DETAILS.format(layouts=listed, secret=secret))
    add_reading(parser, files=True)
    add_boards(parser, "print")
    group = option_group(parser, "pages")
    group.add_argument(
        "--layout", choices=tuple(LAYOUTS), default="records", help="the layout (default: records)"
    )
    group.add_argument(
        "--paper", choices=PAPERS, default="a4", help="the size of the paper (default: a4)"
    )
    group.add_argument(
        "--solve", action="store_true", help="compute the tricks of boards that have none"
    )
    group.add_argument(
        "--no-solutions", action="store_true", help="print no tricks, no contracts and no par"
    )
    add_fields(parser, OfEvent)
    option_group(parser, "output").add_argument(
        "--to",
        dest="to",
        choices=tuple(WRITERS),
        help="write PDF or HTML (default: by the suffix of -o)",
    )
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Write the pages."""
    problems = Problems(strict=args.strict)
    refuse_same_file(args.files, args.output)
    target = _target(args)
    if args.json and args.output == "-":
        raise QuestionError("--json prints a summary, so the pages need a file: -o FILE")
    event = question_of(args, OfEvent).event_tags
    boards = list(event.of_boards(_boards(args, problems)))
    problems.tell()
    if not boards:
        raise PavError("there are no boards to print")
    has_solutions = args.layout not in SECRET_LAYOUTS and not args.no_solutions
    unsolved = [index for index, board in enumerate(boards) if _lacks_tricks(board)]
    if args.solve and has_solutions:
        from pavcodec.solving.double_dummy import solved_boards

        solved = solved_boards([boards[index] for index in unsolved])
        for index, board in zip(unsolved, solved, strict=True):
            boards[index] = board
    elif unsolved and has_solutions:
        verb = "has" if len(unsolved) == 1 else "have"
        complain(f"{many(len(unsolved), 'board')} {verb} no tricks: --solve computes them")
    document = board_document(
        boards,
        layout=args.layout,
        title=event.title,
        paper=args.paper,
        solutions=has_solutions,
    )
    with open_binary_output(args.output, target) as out:
        out.write(WRITERS[target.name](document))
    if args.json:
        row = {"boards": len(boards), "layout": args.layout, "format": target.name}
        print(json.dumps(row | {"problems": problems.count}))
    return problems.exit_code


def _target(args: argparse.Namespace) -> Format:
    """Return the format of the pages, and check that it can be written."""
    named = format_of(args.to) if args.to else format_of_output(args.output)
    if named is None and args.output != "-":
        raise QuestionError(
            f"the name {args.output} shows no format: use a name such as {args.output}.pdf, or --to"
        )
    if named is None:
        raise QuestionError("name the file of the pages, as in -o records.pdf, or use --to")
    if named.name not in WRITERS:
        raise QuestionError(f"print writes PDF and HTML; 'pavcodec convert' writes {named.name}")
    refuse_screen(named, args.output)
    if named.name == "pdf":
        check_pdf()
    return named


def _boards(args: argparse.Namespace, problems: Problems) -> Iterator[Board]:
    """Yield the chosen boards; report the chosen numbers that no board has."""
    numbered = boards_of(args.files, problems, format_name=named_format(args))
    chosen = ChosenBoards(args.boards)
    yield from chosen.of(board for _, board in numbered)
    chosen.report_missing(args.files, problems)


def _lacks_tricks(board: Board) -> bool:
    return board.layout is not None and board.layout.is_deal and board.tricks is None
