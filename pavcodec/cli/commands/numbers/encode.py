"""`pavcodec encode`: layouts to numbers, one in each line."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TextIO

from pavcodec.boards import Board
from pavcodec.boards.board import board_row
from pavcodec.cli.asking import add_fields
from pavcodec.cli.options.coders import Coder, coder_of
from pavcodec.cli.output.streams import (
    add_common,
    add_numbering,
    add_reading,
    open_text_output,
    refuse_nothing,
)
from pavcodec.cli.output.targets import UsageError, refuse_same_file
from pavcodec.cli.parsers import describe, option_group
from pavcodec.codes import Encoded, encode_all
from pavcodec.errors import LayoutError
from pavcodec.questions.deals import Deals, whole
from pavcodec.questions.inputs import ARGUMENTS, Problems, boards_of, named_format

_EXAMPLES = """\
  pavcodec encode event.pbn
  pavcodec encode 'N:AKQ... - .AKQ.. -' --as base5
  pavcodec encode --where 'spades(west) == 9' nine.pbn
  pavcodec encode --all 'N:A... K... Q... J...'"""

_DETAILS = """\
A file holds boards in any format, or one deal a line, with '-' for a hand without cards. encode
skips boards without a deal. A deal in a line is, for example,

  N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3

--where numbers the deals of the condition from 0, and reports every other layout as a problem. --as
zbs prints four words of 8 hexadecimal digits for each layout, one for each suit.

--all prints a line for each numbering and code that contains the layout: its name and the number or
the code. The codes that have the number of a board take that of the file, else 1."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument(
        "files", nargs="*", metavar="DEAL", help="deals or files of deals; - or none is stdin"
    )
    add_numbering(parser, codes=True)
    option_group(parser, "numbering").add_argument(
        "--hex", action="store_true", help="print hexadecimal numbers with 0x and all digits"
    )
    option_group(parser, "numbering").add_argument(
        "--all", action="store_true", help="print the layout in all numberings and codes"
    )
    option_group(parser, "numbering").add_argument(
        "--board",
        type=whole,
        metavar="N",
        help="the number of the board of deals in arguments, for codes that contain it",
    )
    add_fields(parser, Deals, "memory", group="numbering")
    add_reading(parser)
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Print the number of each layout."""
    problems = Problems(strict=args.strict)
    if args.all and (args.where is not None or args.numbering != "deal" or args.hex):
        raise UsageError("--all prints all numberings and codes; leave out --as, --where and --hex")
    if args.board == 0:
        raise UsageError("boards have numbers from 1")
    coder = coder_of(args)
    boards = _boards(args, coder, problems)
    refuse_same_file(args.files, args.output)
    with open_text_output(args.output) as out:
        done = _encode(args, coder, boards, problems, out)
        refuse_nothing(args.output, done, problems, "no deals")
    return problems.exit_code


def _boards(
    args: argparse.Namespace, coder: Coder, problems: Problems
) -> Iterator[tuple[str, Board]]:
    """Yield (source, board) for all arguments, which are deals as text or files."""
    boards = boards_of(
        args.files,
        problems,
        format_name=named_format(args),
        ranks=coder.numbering,
    )
    for source, board in boards:
        if source == ARGUMENTS and args.board is not None:
            yield source, board.with_tags({"Board": str(args.board)})
        else:
            yield source, board


def _encode(
    args: argparse.Namespace,
    coder: Coder,
    boards: Iterator[tuple[str, Board]],
    problems: Problems,
    out: TextIO,
) -> int:
    """Write the code of each board with a layout, and return the number of codes."""
    if args.all:
        return _encode_all(args, boards, out)
    done = 0
    encode = coder.encode
    for source, board in boards:
        layout = board.layout
        if layout is None:
            continue
        try:
            text = encode(board)
        except LayoutError as error:
            problems.report(source, board.line, f"{error}: '{layout}'", board.tags.get("Board"))
            continue
        if args.json:
            row = coder.row(text) | board_row(board, "deal label")
            text = json.dumps(row | {"file": source, "line": board.line})
        out.write(f"{text}\n")
        done += 1
    return done


def _encode_all(args: argparse.Namespace, boards: Iterator[tuple[str, Board]], out: TextIO) -> int:
    """Write the numbers and codes of each board with a layout, and return the number of boards."""
    done = 0
    for source, board in boards:
        if board.layout is None:
            continue
        done += 1
        encodings = encode_all(board.layout, board=board.number, one_based=args.one_based)
        if args.json:
            schemes = [_row(encoded) for encoded in encodings]
            row = {"schemes": schemes} | board_row(board, "deal label")
            out.write(f"{json.dumps(row | {'file': source, 'line': board.line})}\n")
            continue
        out.writelines(f"{encoded.scheme:<18} {encoded.text}\n" for encoded in encodings)
    return done


def _row(encoded: Encoded) -> dict[str, object]:
    """Return a number or a code as a JSON object."""
    if encoded.number is None:
        return {"scheme": encoded.scheme, "kind": "code", "code": encoded.text}
    row: dict[str, object] = {"scheme": encoded.scheme, "kind": "numbering"}
    return row | {"number": encoded.text, "hex": hex(encoded.number)}
