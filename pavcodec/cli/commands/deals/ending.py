"""`pavcodec ending`: whether legal play can reach an ending, why not, or a line of play."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from itertools import count

from pavcodec.boards import Board, Context
from pavcodec.boards.play import board_of_line
from pavcodec.cli.asking import add_common, add_fields, add_reading, add_target, question_of
from pavcodec.cli.parsers import describe
from pavcodec.errors import LayoutError, UnknownNameError
from pavcodec.formats import Format, format_of, output_format
from pavcodec.numberings import numbering
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.ending import Ending, Verdict
from pavcodec.questions.inputs import Problems, boards_of, named_format
from pavcodec.questions.outputs import (
    open_binary_output,
    open_text_output,
    refuse_nothing,
    refuse_same_file,
    refuse_screen,
)

_OPTIONS = ("denomination", "first_leader", "on_lead", "table")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, Ending.examples.rstrip("\n"), Ending.details)
    parser.add_argument(
        "layouts", nargs="*", metavar="LAYOUT", help="endings, or files of them; - or none is stdin"
    )
    add_fields(parser, Ending, *_OPTIONS)
    add_reading(parser)
    add_target(parser, "text")
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Answer for each ending."""
    problems = Problems(strict=args.strict)
    refuse_same_file(args.layouts, args.output)
    target = _target(args)
    answers = _answers(args, problems)
    if target is not None:
        refuse_screen(target, args.output)
        with open_binary_output(args.output, target) as out:
            context = Context(args.output, problems)
            done = target.write(_boards(answers, problems), out, context)
            refuse_nothing(args.output, done, problems, "no endings")
        return problems.exit_code
    verdicts = []
    with open_text_output(args.output) as out:
        for _, _, answer in answers:
            lines = map(json.dumps, answer.documents()) if args.json else [*answer.lines(), ""]
            out.writelines(f"{line}\n" for line in lines)
            verdicts.append(bool(answer.legality))
        refuse_nothing(args.output, len(verdicts), problems, "no endings")
    return problems.exit_code or int(not all(verdicts))


def _target(args: argparse.Namespace) -> Format | None:
    """Return the format of boards to write; None for a report."""
    if args.to and args.json:
        raise QuestionError("--json prints a report, so it does not go with --to")
    if args.to or args.output == "-":
        return None if args.to in {None, "text"} else format_of(args.to)
    try:
        target = output_format(args.output, None)
    except UnknownNameError:
        return None
    return None if target.name == "lines" else target  # .txt is the suffix of any text


def _answers(
    args: argparse.Namespace, problems: Problems
) -> Iterator[tuple[str, int | None, Verdict]]:
    """Yield each ending's place and verdict; report texts and boards that are no endings."""
    asked = question_of(args, Ending, *_OPTIONS)
    boards = boards_of(
        args.layouts,
        problems,
        format_name=named_format(args),
        ranks=numbering("deal"),
    )
    for source, board in boards:
        if board.layout is None:
            continue
        try:
            answer = asked.of_layout(board.layout)
        except LayoutError as error:
            problems.report(source, board.line, f"{error}: '{board.layout}'")
        else:
            yield source, board.line, answer


def _boards(
    answers: Iterable[tuple[str, int | None, Verdict]], problems: Problems
) -> Iterator[Board]:
    """Yield the deal and play of each legal ending; report illegal endings."""
    numbers = count(1)
    for source, line, answer in answers:
        found = answer.legality
        if found.line is None:
            problems.report(source, line, f"{found.reason}: '{found.layout}'")
        else:
            yield board_of_line(found.line, next(numbers))
