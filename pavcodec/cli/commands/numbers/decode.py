"""`pavcodec decode`: numbers to layouts, one in each line."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import BinaryIO

from pavcodec.boards import Board, Context
from pavcodec.cli.asking import add_common, add_fields, add_target, question_of
from pavcodec.cli.output.progress import ProgressBar
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import PavError
from pavcodec.formats.plain.texts import numbered_lines
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.coders import Coder, Row
from pavcodec.questions.decode import Decode, Decoded
from pavcodec.questions.inputs import ARGUMENTS, Problems, name_of, open_decompressed
from pavcodec.questions.outputs import (
    open_binary_output,
    refuse_nothing,
    refuse_same_file,
    refuse_screen,
    target_of,
)

_CHOICE = ("numbering", "where", "one_based", "hex", "memory")
"""The fields that choose the form of all numbers."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, Decode.examples.rstrip("\n"), Decode.details)
    parser.add_argument(
        "numbers",
        nargs="*",
        metavar="NUMBER",
        help="numbers or files of numbers; - or none is stdin",
    )
    add_fields(parser, Decode, "numbering", "where", "one_based")
    add_fields(parser, Decode, "hex")
    add_fields(parser, Decode, "memory")
    option_group(parser, "input").add_argument(
        "--strict", action="store_true", help="stop at the first problem"
    )
    add_target(parser)
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Print the layout of each number."""
    problems = Problems(strict=args.strict)
    coder = question_of(args, Decode, *_CHOICE).coder
    if args.json and args.to:
        raise QuestionError("--json prints JSON, so --to cannot name another format")
    target = None if args.json else target_of(args.to, args.output)
    if target is not None:
        refuse_screen(target, args.output)
    refuse_same_file(args.numbers, args.output)
    texts = _texts(args, coder, problems)
    decoded = coder.decode(texts, lambda at, reason: problems.report(*at, reason))
    with open_binary_output(args.output, target) as out:
        if target is None:
            written = _write_json(decoded, out)
        else:
            context = Context("numbers", problems, problems.strict, coder.numbering)
            written = target.write((board for _, board in decoded), out, context)
        refuse_nothing(args.output, written, problems, "no numbers")
    return problems.exit_code


def _write_json(decoded: Iterator[tuple[Row, Board]], out: BinaryIO) -> int:
    """Write a line of JSON for each code, and return the number of lines."""
    written = 0
    for row, board in decoded:
        out.writelines(
            f"{line}\n".encode() for line in map(json.dumps, Decoded(row, board).documents())
        )
        written += 1
    return written


def _texts(
    args: argparse.Namespace, coder: Coder, problems: Problems
) -> Iterator[tuple[tuple[str, int], str]]:
    """Yield ((source, line), text) for each code of the arguments, files and standard input."""
    for position, word in enumerate(args.numbers or ["-"], start=1):
        reason = "" if word == "-" else _why_no_code(word, coder)
        if word != "-" and not reason:
            yield (ARGUMENTS, position), word
            continue
        try:
            with open_decompressed(word) as stream:
                context = Context(name_of(word), problems, problems.strict)
                progress = ProgressBar(stream, context.source, "numbers", output=args.output)
                for line, text in progress.watch(numbered_lines(stream, context)):
                    yield (context.source, line), text
        except OSError as error:
            if word == "-":
                problems.report("stdin", None, f"cannot be read: {error.strerror}")
            else:
                reason = f"{reason}, or the name of a file ({error.strerror})"
                problems.report(ARGUMENTS, position, reason)


def _why_no_code(word: str, coder: Coder) -> str:
    """Return the reason why an argument is no code; "" for a code."""
    try:
        coder.check(word)
    except PavError as error:
        return str(error)
    return ""
