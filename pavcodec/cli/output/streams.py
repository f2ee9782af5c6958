"""Inputs, outputs and problems of commands, and the options for them."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO, TextIO, cast

from pavcodec.cli.output.targets import UsageError, add_force, refuse_text_suffix
from pavcodec.cli.parsers import option_group
from pavcodec.errors import PavError
from pavcodec.files.compressed import open_compressed_output
from pavcodec.formats import Format
from pavcodec.numberings import Numbering, numbering, numbering_names

if TYPE_CHECKING:
    from pavcodec.questions.inputs import Problems


def complain(line: str) -> None:
    """Print a line on the error stream, if there is one and its device is not full."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(line, file=sys.stderr)


_LISTED = "'pavcodec formats' lists them"


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


def add_numbering(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose a numbering."""
    group = option_group(parser, "numbering")
    add_as(group, "the numbering", numbering_names(partial=True, classes=True))
    group.add_argument("--one-based", action="store_true", help="numbers start at 1, as in books")


def add_reading(parser: argparse.ArgumentParser, *, files: bool = False) -> None:
    """Add the options for reading files; with `files`, also the argument that names them."""
    if files:
        what = "files to read; - or none is stdin"
        parser.add_argument("files", nargs="*", metavar="FILE", help=what)
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
        from pavcodec.cli.output.targets import open_appended, refuse_append

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
