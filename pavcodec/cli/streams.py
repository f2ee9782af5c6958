"""What the commands share: inputs, outputs, problems, progress, and the options for them."""

from __future__ import annotations

import argparse
import io
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EBADF, EISDIR
from typing import TYPE_CHECKING, BinaryIO, Self, TextIO, cast

from pavcodec.convert import open_boards, open_output
from pavcodec.errors import PavError, ReadError
from pavcodec.formats import Board, Context, Problem
from pavcodec.numberings import Numbering, numbering, numbering_names

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

__all__ = [
    "Problems",
    "UsageError",
    "add_common",
    "add_numbering",
    "boards_of",
    "chosen_numbering",
    "name_of",
    "open_binary_output",
    "open_text_output",
    "refuse_nothing",
    "standard_input",
]

PROGRESS_AFTER = 1.0  # seconds before a progress bar is worth its lines


class UsageError(PavError):
    """The options do not go together; the command ends with exit code 2."""


def name_of(path: str) -> str:
    """Return what messages call an input: `-` is the standard input."""
    return "stdin" if path == "-" else path


def standard_input() -> BinaryIO:
    """Return the bytes of the standard input."""
    if sys.stdin is None:
        raise OSError(EBADF, "it is closed")
    return sys.stdin.buffer


def refuse_nothing(output: str, done: int, problems: Problems) -> None:
    """Leave a file as it was, or absent, where all that came were problems."""
    if problems.count and not done and output != "-":
        raise PavError(f"nothing could be read: {output} is not written")


class Problems:
    """Prints each problem as one line on the error stream, and counts them."""

    def __init__(self, *, strict: bool = False) -> None:
        self.count = 0
        self.strict = strict

    def __call__(self, problem: Problem) -> None:
        """Take a problem; raise it where reading is strict."""
        if self.strict:
            raise ReadError(str(problem))
        self.count += 1
        print(problem, file=sys.stderr)

    def report(self, source: str, line: int | None, reason: str, board: str | None = None) -> None:
        """Report a problem by its parts."""
        self(Problem(source, line, reason, board))

    @property
    def exit_code(self) -> int:
        """1 if anything was wrong, else 0."""
        return 1 if self.count else 0


def add_common(parser: argparse.ArgumentParser, *, output: bool = True) -> None:
    """Add the options that every command takes."""
    if output:
        parser.add_argument(
            "-o",
            "--output",
            default="-",
            metavar="FILE",
            help="write to FILE instead of the screen",
        )
    parser.add_argument("--json", action="store_true", help="print JSON for programs to read")


def add_numbering(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose a numbering."""
    parser.add_argument(
        "--as",
        dest="numbering",
        default="deal",
        metavar="NUMBERING",
        help=f"the numbering (default: deal; one of {', '.join(numbering_names())})",
    )
    parser.add_argument(
        "--one-based", action="store_true", help="numbers start at 1, as books print them"
    )


def chosen_numbering(args: argparse.Namespace) -> Numbering:
    """Return the numbering that the options choose."""
    return numbering(args.numbering, one_based=args.one_based)


@contextmanager
def open_binary_output(path: str) -> Iterator[BinaryIO]:
    """Open the output: the screen for `-`, else a file that is complete or absent."""
    if path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        with open_output(path) as stream:
            yield stream


@contextmanager
def open_text_output(path: str) -> Iterator[TextIO]:
    """Open the output as UTF-8 text; lines appear as they come when a person is watching."""
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
) -> Iterator[tuple[str, Board]]:
    """Yield (name of the source, board) for all files in turn; `-` is the standard input.

    A file that cannot be opened is a problem, and the others are still read.
    """
    for path in paths or ["-"]:
        name = name_of(path)
        context = Context(name, problems, problems.strict, ranks)
        try:
            with _open_input(path) as stream, Progress(stream, name) as progress:
                for board in open_boards(stream, context, path=path, name=format_name):
                    progress.step()
                    yield name, board
        except OSError as error:
            problems.report(name, None, f"cannot be read: {error.strerror}")


@contextmanager
def _open_input(path: str) -> Iterator[BinaryIO]:
    if path == "-":
        yield standard_input()
    else:
        with open(path, "rb") as stream:
            if os.path.isdir(path):  # some systems open folders and fail later
                raise IsADirectoryError(EISDIR, "Is a directory", path)
            yield cast("BinaryIO", stream)


class Progress:
    """A progress bar on the error stream, once a second has passed and only on a terminal."""

    EVERY = 256

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self._steps = 0
        self._start = time.monotonic()
        self._bar: RichProgress | None = None
        self._watched = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def step(self) -> None:
        """Count one board."""
        self._steps += 1
        if self._watched and self._steps % self.EVERY == 0:
            self._show()

    def _show(self) -> None:
        if self._bar is None and time.monotonic() - self._start > PROGRESS_AFTER:
            self._bar = self._begin()
        if self._bar is not None:
            done = self._stream.tell() if self._stream.seekable() else None
            self._bar.update(self._bar.task_ids[0], completed=done, boards=self._steps)

    def _begin(self) -> RichProgress:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        total = os.fstat(self._stream.fileno()).st_size if self._stream.seekable() else None
        bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[boards]:,} boards"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        bar.add_task(self._name, total=total, boards=0)
        bar.start()
        return bar
