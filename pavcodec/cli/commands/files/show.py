"""`pavcodec show`: boards as diagrams."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pavcodec.boards import Board, Context
from pavcodec.boards.rows import board_row
from pavcodec.cli.output.diagram import coloured
from pavcodec.cli.output.streams import (
    Problems,
    UsageError,
    add_common,
    add_numbering,
    add_reading,
    boards_of,
    chosen_numbering,
    name_of,
    named_format,
    open_binary_output,
    refuse_nothing,
    refuse_same_file,
)
from pavcodec.cli.output.targets import format_of_output
from pavcodec.cli.parsers import describe, option_group
from pavcodec.formats import format_of
from pavcodec.formats.drawings.diagrams import drawing_of
from pavcodec.formats.drawings.pages import drawn
from pavcodec.layout.drawings.diagram import diagram

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["add_arguments", "run"]

_DRAWN = ("html", "pdf", "svg")

_MOST_RUNS = 10
"""The runs of board numbers that a message lists."""

_EXAMPLES = """\
  pavcodec show event.pbn --boards 3,5-7
  pavcodec show event.pbn -o event.html
  pavcodec deal 'hcp(south) >= 20' | pavcodec show"""

_DETAILS = """\
show draws diagrams on the screen, in colour if the screen has colours. --to or the suffix of -o
chooses a page of HTML for printing, or a picture in SVG."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="files to read; - or none is stdin"
    )
    add_reading(parser)
    option_group(parser, "input").add_argument(
        "--boards", type=_numbers, metavar="N,A-B", help="show the boards with these numbers"
    )
    add_numbering(parser)
    option_group(parser, "output").add_argument(
        "--to",
        dest="to_format",
        choices=("text", "html", "pdf", "svg"),
        help="draw text, pages of HTML or PDF, or SVG (default: by the suffix of -o, else text)",
    )
    add_common(parser)


def _numbers(text: str) -> list[range]:
    """Read board numbers such as 3,5-7, for argparse."""
    found = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise argparse.ArgumentTypeError(f"{part!r} is no board number, nor several as in 5-7")
        found.append(range(int(first), int(last if dash else first) + 1))
    return found


def run(args: argparse.Namespace) -> int:
    """Draw the boards."""
    problems = Problems(strict=args.strict)
    refuse_same_file(args.files, args.output)
    kind = _kind(args)
    boards = _chosen(args, problems)
    with open_binary_output(args.output) as out:
        if args.json:
            done = _write_json(boards, out)
        elif kind == "text":
            is_watched = args.output == "-" and sys.stdout.isatty()
            done = _print(boards) if is_watched else _write_text(boards, out)
        else:
            done = format_of(kind).write(boards, out, Context("show", problems))
        refuse_nothing(args.output, done, problems)
    return problems.exit_code


def _kind(args: argparse.Namespace) -> str:
    """Return the kind of drawing: that of `--to`, or that of the output's suffix."""
    if args.to_format and args.json:
        raise UsageError("--json prints JSON for each board, so it does not go with --to")
    if args.to_format:
        kind: str = args.to_format
        return kind
    target = None if args.json else format_of_output(args.output)
    found = "text" if target is None else target.name
    if found not in (*_DRAWN, "lines", "text"):  # .txt is the suffix of any text
        raise UsageError(f"show draws boards; 'pavcodec convert' writes {found}")
    return found if found in _DRAWN else "text"


def _chosen(args: argparse.Namespace, problems: Problems) -> Iterator[Board]:
    """Yield the requested boards that have cards."""
    boards = boards_of(
        args.files,
        problems,
        format_name=named_format(args),
        ranks=chosen_numbering(args),
        output=args.output,
    )
    there: list[int] = []
    for _, board in boards:
        if board.layout is not None:
            there += [] if board.number is None else [board.number]
            if args.boards is None or any(board.number in some for some in args.boards):
                yield board
    for some in args.boards or ():
        if not any(number in some for number in there):
            asked = f"{some[0]}-{some[-1]}" if len(some) > 1 else f"{some[0]}"
            source = ", ".join(map(name_of, args.files or ["-"]))
            problems.report(source, None, f"no board {asked}: {_told(there)}")


def _told(numbers: list[int]) -> str:
    """Return a list of the board numbers, such as `there are 1-8, 12`."""
    runs: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    told = [f"{first}-{last}" if last > first else f"{first}" for first, last in runs]
    if len(told) > _MOST_RUNS:
        told = [*told[:_MOST_RUNS], f"... {told[-1]}"]
    return f"there are {', '.join(told)}" if told else "there are no boards with numbers"


def _write_text(boards: Iterator[Board], out: BinaryIO) -> int:
    """Write diagrams as text, and return how many."""
    done = 0
    for board in boards:
        done += 1
        out.write("".join(f"{line}\n" for line in drawing_of(board)).encode())
        out.flush()
    return done


def _print(boards: Iterator[Board]) -> int:
    """Print diagrams on a terminal, in the colours that it has, and return how many."""
    from rich.console import Console

    console = Console(highlight=False)
    done = 0
    for board in boards:
        done += 1
        for line in drawing_of(board):
            console.print(coloured(line), soft_wrap=True)
    return done


def _write_json(boards: Iterator[Board], out: BinaryIO) -> int:
    """Write the texts of the diagrams as JSON, a line each; return how many."""
    done = 0
    for board in boards:
        done += 1
        ((layout, caption),) = drawn([board])
        row = board_row(board, "deal") | {"heading": caption.heading}
        row |= {"notes": caption.notes, "diagram": diagram(layout)}
        out.write(f"{json.dumps(row, ensure_ascii=False)}\n".encode())
    return done
