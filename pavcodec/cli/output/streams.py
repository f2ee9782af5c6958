"""Inputs, outputs and problems of commands, and the options for them."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from errno import EBADF
from typing import BinaryIO, TextIO, TypeVar, cast

from pavcodec.boards import Board, Context
from pavcodec.cli.output.folders import PartPath, TypedInput, inputs_of
from pavcodec.cli.output.problems import Problems, complain
from pavcodec.cli.output.progress import Progress
from pavcodec.cli.output.targets import (
    UsageError,
    add_force,
    refuse_same_file,
    refuse_text_suffix,
    target_of,
)
from pavcodec.cli.parsers import option_group
from pavcodec.codes import code_names
from pavcodec.errors import PavError
from pavcodec.files.compressed import (
    Decompressed,
    open_compressed_output,
    parts,
    split_suffix,
)
from pavcodec.files.opening import open_file
from pavcodec.files.stores.urls import shown_path
from pavcodec.formats import Format, format_of, recognise
from pavcodec.numberings import Numbering, numbering, numbering_names

__all__ = [
    "Problems",
    "UsageError",
    "add_as",
    "add_common",
    "add_numbering",
    "add_reading",
    "add_target",
    "boards_of",
    "chosen_numbering",
    "coder_names",
    "complain",
    "name_of",
    "named_format",
    "open_binary_output",
    "open_decompressed",
    "open_input",
    "open_text_output",
    "read_inputs",
    "refuse_nothing",
    "refuse_same_file",
    "refuse_screen",
    "target_of",
]


T = TypeVar("T")

_LISTED = "'pavcodec formats' lists them"


def name_of(path: str) -> str:
    """Return the name of an input for messages; `-` is the standard input.

    The name of a URL has no secrets.
    """
    return "stdin" if path == "-" else shown_path(path)


def refuse_nothing(output: str, done: int, problems: Problems, nothing: str = "no boards") -> None:
    """Raise `PavError` if there were problems and no results, so that no file is written.

    An existing output file stays unchanged. Without problems, the function says that there was
    nothing, unless `nothing` is empty; with `--strict` that is an error.
    """
    problems.tell()
    if done:
        return
    if problems.count and output != "-":
        raise PavError(f"nothing to write: {output} is left as it was")
    if nothing and not problems.count:
        if problems.strict:
            raise PavError(nothing)
        complain(nothing)


def refuse_screen(target: Format, output: str) -> None:
    """Raise `UsageError` if a binary format would be printed on a terminal."""
    if output == "-" and not target.is_text and sys.stdout is not None and sys.stdout.isatty():
        raise UsageError(f"{target.name} is not a text format: name a file, or use a pipe")


def add_common(parser: argparse.ArgumentParser, *, output: bool = True) -> None:
    """Add the options that all commands have."""
    group = option_group(parser, "output")
    if output:
        group.add_argument(
            "-o",
            "--output",
            default="-",
            metavar="FILE",
            help="write to FILE instead of the screen",
        )
        add_force(parser)
    group.add_argument("--json", action="store_true", help="print JSON for other programs")


def coder_names() -> list[str]:
    """Return the values of `--as` of `encode` and `decode`: numberings, `zbs` and codes."""
    return [*numbering_names(partial=True, classes=True), "zbs", *code_names()]


def add_as(
    parser: argparse._ActionsContainer,
    what: str,
    names: Iterable[str],
    *,
    default: str = "deal",
    note: str = "",
) -> None:
    """Add the option `--as`, which names a numbering; `note` is a remark about the default."""
    parser.add_argument(
        "--as",
        dest="numbering",
        default=default,
        metavar="NUMBERING",
        help=f"{what} (default: {default}{note}; one of {', '.join(names)})",
    )


def add_numbering(parser: argparse.ArgumentParser, *, codes: bool = False) -> None:
    """Add the options that choose a numbering; with `codes`, also `zbs`, codes and `--where`."""
    names = coder_names() if codes else numbering_names(partial=True, classes=True)
    group = option_group(parser, "numbering")
    choice = group.add_mutually_exclusive_group()
    add_as(choice, "the numbering", names)
    if codes:
        choice.add_argument(
            "--where",
            metavar="EXPR",
            help="number only the deals of this condition, in the order of their deal numbers",
        )
    group.add_argument("--one-based", action="store_true", help="numbers start at 1, as in books")


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the options for reading files."""
    group = option_group(parser, "input")
    group.add_argument(
        "--from",
        dest="from_format",
        metavar="FORMAT",
        help=f"read this format instead of detecting it ({_LISTED})",
    )
    group.add_argument(
        "--strict",
        action="store_true",
        help="stop at the first problem, and accept no known deviations from a format",
    )


def add_target(parser: argparse.ArgumentParser, default: str = "lines") -> None:
    """Add the option `--to`, which names the format of the output; see `target_of`."""
    option_group(parser, "output").add_argument(
        "--to",
        dest="to_format",
        metavar="FORMAT",
        help=f"write this format (default: by the suffix of -o, else {default}; {_LISTED})",
    )


def named_format(args: argparse.Namespace) -> str | None:
    """Return the name of the format of `--from`; None without the option.

    Raises `UnknownNameError` for an unknown format.
    """
    return format_of(args.from_format).name if args.from_format else None


def chosen_numbering(args: argparse.Namespace) -> Numbering:
    """Return the numbering that the options choose."""
    return numbering(args.numbering, one_based=args.one_based)


@contextmanager
def open_binary_output(
    path: str, target: Format | None = None, *, append: bool = False
) -> Iterator[BinaryIO]:
    """Open the output: the standard output for `-`, otherwise a file or the object of a URL.

    The file gets its name when it is complete; after an error it is absent, or has its old content.
    `target` is the format of the output, or None. The suffix decides whether it is compressed.
    With `append`, what is written is added to an existing file; raises `UsageError` for a format
    that does not allow this.
    """
    if append:
        from pavcodec.cli.output.appending import open_appended, refuse_append

        refuse_append(target, path)
        with open_appended(path, cast("Format", target)) as stream:
            yield stream
    elif path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        durable = target is not None and target.is_durable
        again = target is not None and target.is_written_again
        with open_compressed_output(path, durable=durable, again=again) as stream:
            yield stream


@contextmanager
def open_text_output(path: str, *, or_boards: bool = False) -> Iterator[TextIO]:
    """Open the output as UTF-8 text; on a terminal, each line appears immediately.

    Raises `UsageError` for a suffix that does not belong to text; with `or_boards`, the text may be
    that of boards.
    """
    refuse_text_suffix(path, or_boards=or_boards)
    with open_binary_output(path) as stream:
        watched = path == "-" and sys.stdout.isatty()
        text = io.TextIOWrapper(stream, "utf-8", newline="\n", line_buffering=watched)
        try:
            yield text
            text.flush()
        finally:
            text.detach()


def boards_of(
    paths: list[str],
    problems: Problems,
    *,
    format_name: str | None = None,
    ranks: Numbering | None = None,
    output: str = "-",
) -> Iterator[tuple[str, Board]]:
    """Yield (name of the source, board) for all files in turn; `-` is the standard input.

    A file that cannot be opened is a problem, and the function continues with the next file.
    `output` is the file of the results; there is no progress bar if they are printed on the
    terminal.
    """

    def read(
        found: Format, stream: BinaryIO, context: Context, progress: Progress
    ) -> Iterator[tuple[str, Board]]:
        for board in progress.watch(found.read(stream, context)):
            yield context.source, board

    return read_inputs(paths, problems, read, format_name=format_name, ranks=ranks, output=output)


def read_inputs(  # noqa: PLR0913
    paths: list[str],
    problems: Problems,
    read: Callable[[Format, BinaryIO, Context, Progress], Iterator[T]],
    *,
    format_name: str | None,
    ranks: Numbering | None,
    output: str,
) -> Iterator[T]:
    """Yield the results of the function `read` for all files in turn; see `boards_of`."""
    for path in inputs_of(paths or ["-"], problems, format_name):
        name = name_of(path)
        context = Context(name, problems, problems.strict, ranks)
        try:
            with open_input(path) as stream:
                for inner, part in parts(stream, path):
                    found, whole = recognise(part, path=inner, name=format_name)
                    progress = Progress(stream, name_of(inner), "boards", output=output)
                    there = replace(context, source=name_of(inner))
                    yield from read(found, whole, there, progress)
        except OSError as error:
            problems.report(name, None, f"cannot be read: {error.strerror}")


@contextmanager
def open_decompressed(path: str) -> Iterator[BinaryIO]:
    """Open a file for reading as `open_input`, and decompress it if its suffix says so."""
    suffix = split_suffix(path)[1]
    with open_input(path) as stream:
        yield cast("BinaryIO", Decompressed(stream, suffix, path)) if suffix else stream


@contextmanager
def open_input(path: str) -> Iterator[BinaryIO]:
    """Open a file or the object of a URL for reading; `-` is the standard input."""
    if path == "-":
        if sys.stdin is None:
            raise OSError(EBADF, "it is closed")
        yield sys.stdin.buffer
    elif isinstance(path, PartPath | TypedInput):
        with path.open() as stream:
            yield stream
    else:
        with open_file(path) as stream:
            yield stream
