"""`pavcodec show`: boards as diagrams."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pavcodec.boards import Board, Context
from pavcodec.boards.board import board_row, caption_of
from pavcodec.cards import SUIT_SYMBOLS, Suit
from pavcodec.cli.asking import add_common, add_numbering, add_reading, chosen_numbering
from pavcodec.cli.options.boards import add_boards
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import PavError
from pavcodec.formats import format_of
from pavcodec.formats.drawings.diagrams import drawing_of
from pavcodec.layout.drawings import diagram
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.inputs import ChosenBoards, Problems, boards_of, named_format
from pavcodec.questions.outputs import (
    format_of_output,
    open_binary_output,
    refuse_existing,
    refuse_nothing,
    refuse_same_file,
)

if TYPE_CHECKING:
    from typing import BinaryIO


_DRAWN = ("html", "pdf", "svg")
_RED = {Suit.HEARTS, Suit.DIAMONDS}

_NUMBER = "#"
"""The place of the board number in the name of an output."""

_EXAMPLES = """\
  pavcodec show event.pbn --boards 3,5-7
  pavcodec show 12345678901234567890123456789
  pavcodec show event.pbn -o event.html
  pavcodec show event.pbn -o 'board-#.svg'
  pavcodec deal 'hcp(south) >= 20' | pavcodec show"""

_DETAILS = """\
show draws diagrams on the screen, in colour if the screen has colours. --to or the suffix of -o
chooses hand records as HTML or PDF, or a picture in SVG. If the name of an SVG file has a '#', each
board is a file of its own, with its number for the '#'. 'pavcodec print' has more layouts.

A deal, a number, a code or a link of a hand viewer may stand in place of a file, here and in all
commands that read boards."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    add_reading(parser, files=True)
    add_boards(parser, "show")
    add_numbering(parser)
    option_group(parser, "output").add_argument(
        "--to",
        dest="to",
        choices=("text", "html", "pdf", "svg"),
        help="draw text, pages of HTML or PDF, or SVG (default: by the suffix of -o, else text)",
    )
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Draw the boards."""
    problems = Problems(strict=args.strict)
    refuse_same_file(args.files, args.output)
    kind = _kind(args)
    boards = _chosen(args, problems)
    if kind == "svg" and _NUMBER in os.path.basename(args.output):  # a picture of each board
        refuse_nothing(args.output, _write_pictures(args, boards), problems)
        return problems.exit_code
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
    if args.to and args.json:
        raise QuestionError("--json prints JSON for each board, so it does not go with --to")
    if args.to:
        kind: str = args.to
        return kind
    target = None if args.json else format_of_output(args.output)
    name = "text" if target is None else target.name
    if name not in (*_DRAWN, "lines", "text"):  # .txt is the suffix of any text
        raise QuestionError(f"show draws boards; 'pavcodec convert' writes {name}")
    return name if name in _DRAWN else "text"


def _chosen(args: argparse.Namespace, problems: Problems) -> Iterator[Board]:
    """Yield the requested boards that have cards."""
    boards = boards_of(
        args.files,
        problems,
        format_name=named_format(args),
        ranks=chosen_numbering(args),
    )
    chosen = ChosenBoards(args.boards)
    yield from chosen.of(board for _, board in boards if board.layout is not None)
    chosen.report_missing(args.files, problems)


def _write_pictures(args: argparse.Namespace, boards: Iterator[Board]) -> int:
    """Write a picture of each board into a file of its number; return how many."""
    folder, name = os.path.split(args.output)
    files: dict[str, Board] = {}
    for position, board in enumerate(boards, 1):
        path = os.path.join(folder, name.replace(_NUMBER, str(board.number or position)))
        if path in files:
            raise PavError(f"{path}: two boards have the same number")
        files[path] = board
    refuse_existing(files, force=args.force)
    for path, board in files.items():
        with open_binary_output(path) as out:
            format_of("svg").write([board], out, Context("show"))
    return len(files)


def _write_text(boards: Iterator[Board], out: BinaryIO) -> int:
    """Write diagrams as text, and return how many."""
    done = 0
    for board in boards:
        done += 1
        out.write("".join(f"{line}\n" for line in drawing_of(board)).encode())
        out.flush()
    return done


def _print(boards: Iterator[Board]) -> int:
    """Print diagrams on a terminal, and return how many."""
    done = 0
    for board in boards:
        print_coloured(drawing_of(board))
        done += 1
    return done


def print_coloured(lines: Iterable[str]) -> None:
    """Print the lines of a drawing on a terminal, in the colours that it has."""
    from rich.console import Console

    console = Console(highlight=False)
    for line in lines:
        console.print(coloured(line), soft_wrap=True)


def _write_json(boards: Iterator[Board], out: BinaryIO) -> int:
    """Write the texts of the diagrams as JSON, a line each; return how many."""
    done = 0
    for board in boards:
        done += 1
        assert board.layout is not None
        caption = caption_of(board)
        row = board_row(board, "deal") | {"heading": caption.heading}
        row |= {"notes": [*caption.notes, *caption.table_lines], "diagram": diagram(board.layout)}
        out.write(f"{json.dumps(row, ensure_ascii=False)}\n".encode())
    return done


def coloured(line: str) -> str:
    """Return a line of a drawing with the markup of rich for coloured suits.

    >>> coloured("♥ AK")
    '[red]♥[/red] AK'
    """
    from rich.markup import escape

    line = escape(line)
    for suit in Suit:
        tag = "red" if suit in _RED else "bold"
        line = line.replace(SUIT_SYMBOLS[suit], f"[{tag}]{SUIT_SYMBOLS[suit]}[/{tag}]")
    return line
