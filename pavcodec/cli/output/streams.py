"""Inputs, outputs and problems of commands, and the options for them."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from errno import EBADF, EIO
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, ClassVar, TextIO, TypeVar, cast

from pavcodec.boards import Board, Context, Problem
from pavcodec.cli.output.progress import Progress
from pavcodec.cli.output.targets import UsageError, add_force, refuse_text_suffix
from pavcodec.cli.parsers import option_group
from pavcodec.errors import PavError, ReadError, TextError
from pavcodec.files.compressed import Decompressed, open_compressed_output, parts, split_suffix
from pavcodec.files.opening import open_file
from pavcodec.files.paths import shown_path
from pavcodec.formats import Format, format_of, recognise
from pavcodec.formats.plain.texts import shorten
from pavcodec.numberings import Numbering, numbering, numbering_names

if TYPE_CHECKING:
    from pavcodec.collection.source import SourceFile, SourceFolder


# The problems of inputs, as lines on the error stream.


def complain(line: str) -> None:
    """Print a line on the error stream, if there is one and its device is not full."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(line, file=sys.stderr)


_SHOWN = 3
"""The number of problems of a kind that are printed immediately."""
_FEW = 5
"""The greatest number of problems of a kind that are all printed."""

_VALUES = re.compile(r"'[^']*'|\"[^\"]*\"|[0-9]+")
"""The parts of a reason that differ between problems of the same kind."""

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


@dataclass(slots=True)
class _Kind:
    """The problems of a source with the same reason, apart from quoted texts and numbers."""

    held: list[Problem] = field(default_factory=list)
    count: int = 0

    def take(self, problem: Problem) -> None:
        """Print a problem, or store it for `tell`."""
        self.count += 1
        if self.count <= _SHOWN:
            complain(str(problem))
        elif self.count <= _FEW:
            self.held.append(problem)

    def tell(self) -> None:
        """Print the stored problems if they are few, otherwise their number."""
        if self.count <= _FEW:
            for problem in self.held:
                complain(str(problem))
        else:
            first = self.held[0]
            reason = _QUOTED.sub("'…'", first.reason)
            more = f"{self.count - _SHOWN:,} more of the same kind: {reason}"
            complain(str(Problem(first.source, None, more)))


class Problems:
    """A counter of problems that prints each problem as a line on the error stream.

    If many problems are of the same kind, only the first ones are printed. At the end, `tell`
    prints the number of the others in one line.
    """

    _made: ClassVar[list[Problems]] = []

    def __init__(self, *, strict: bool = False) -> None:
        self.count = 0
        self.strict = strict
        self._kinds: dict[tuple[str, str], _Kind] = {}
        self._made.append(self)

    def __call__(self, problem: Problem) -> None:
        """Count and print a problem; raise it as a `ReadError` with `--strict`."""
        if self.strict:
            raise ReadError(str(problem))
        self.count += 1
        key = problem.source, _VALUES.sub("", problem.reason)
        self._kinds.setdefault(key, _Kind()).take(problem)

    def tell(self) -> None:
        """Print the number of further problems of each kind, and forget them."""
        for kind in self._kinds.values():
            kind.tell()
        self._kinds.clear()

    @classmethod
    def tell_all(cls) -> None:
        """Call `tell` for every object of this class, at the end of a command."""
        while cls._made:
            cls._made.pop(0).tell()

    def report(self, source: str, line: int | None, reason: str, board: str | None = None) -> None:
        """Report a problem by its parts."""
        self(Problem(source, line, reason, board))

    @property
    def exit_code(self) -> int:
        """1 if there was a problem, otherwise 0."""
        return 1 if self.count else 0


# The inputs of commands: files, the files of folders in order, and deals in place of files.


ARGUMENTS = "arguments"
"""The source of deals that stand in place of files, in messages."""

_MOST_RUNS = 10
"""The runs of parts that a line lists."""


class PartPath(str):
    """The path or the URL of a file in a folder, with what the manifest says about the file."""

    __slots__ = ("file",)

    file: SourceFile

    @classmethod
    def of(cls, file: SourceFile) -> PartPath:
        """Return the path of a file of a source."""
        path = cls(file.shown)
        path.file = file
        return path

    def open(self) -> BinaryIO:
        """Open the file after a check; raise `OSError` if it is not as its row says."""
        try:
            return self.file.open()
        except ReadError as error:
            raise OSError(EIO, str(error).removeprefix(f"{self}: "), str(self)) from None


class TypedInput(str):
    """The source in messages of a deal, a number, a code or a link in place of a file."""

    __slots__ = ("contents",)

    contents: bytes

    @classmethod
    def of(cls, text: str, position: int, format_name: str | None) -> TypedInput | None:
        """Return an argument as an input, at its place from 1 on; None if it names a file.

        A file of that name comes first. With a format, the text is in this format. Raises
        `PavError` for a text that looks like a deal and is none.
        """
        if text == "-" or os.path.exists(text):
            return None
        from pavcodec.formats.pasted import as_file

        contents = as_file(text)
        if contents is None:
            return None
        typed = cls(ARGUMENTS)
        if format_name is not None:
            contents = text.encode(errors="replace")
        typed.contents = b"\n" * (position - 1) + contents  # so the line in messages is the place
        return typed

    def open(self) -> BinaryIO:
        """Return the deal as a stream."""
        return BytesIO(self.contents)


def is_folder(path: str) -> bool:
    """Return whether an input is a folder: of this machine, or a URL without a file's suffix."""
    if path == "-" or not ("://" in path or os.path.isdir(path)):
        return False
    from pavcodec.collection.source import is_folder as is_folder_of_boards

    return is_folder_of_boards(path)


def inputs_of(
    paths: Iterable[str], problems: Problems, format_name: str | None = None
) -> Iterator[str]:
    """Yield the inputs of a command; for a folder its files, in the order of the parts or names.

    A deal, a number, a code or an address of a hand viewer is an input as well, unless a file has
    that name. What is wrong with a folder or a deal is a problem, and the other inputs follow.
    """
    for position, path in enumerate(paths, 1):
        try:
            typed = TypedInput.of(path, position, format_name)
        except PavError as error:
            reason = error.message if isinstance(error, TextError) else str(error)
            problems.report(
                ARGUMENTS, position, f"{shorten(path)} names no file; as a deal: {reason}"
            )
            continue
        if typed is not None:
            yield typed
        elif is_folder(path):
            yield from map(PartPath.of, files_of_folder(path, problems, format_name))
        else:
            yield path


def files_of_folder(path: str, problems: Problems, format_name: str | None) -> list[SourceFile]:
    """Return the files of a folder that are there; report what is missing, or wrong with it.

    With a format, all files of a folder without a plan are its files.
    """
    from pavcodec.collection.source import source_of

    try:
        source = source_of(path, any_suffix=format_name is not None)
    except (OSError, ReadError) as error:
        report_folder(path, error, problems)
        return []
    report_missing(source, problems)
    return source.present


def report_folder(path: str, error: OSError | ReadError, problems: Problems) -> None:
    """Report why a folder cannot be read."""
    reason = str(error.strerror if isinstance(error, OSError) else error)
    problems.report(path, None, f"cannot be read: {reason.removeprefix(f'{path}: ')}")


def report_missing(source: SourceFolder, problems: Problems) -> None:
    """Report the parts of a source that are not there; print the number of skipped files."""
    if source.skipped:
        from pavcodec.chances.figures import many

        skipped = many(source.skipped, "file")
        complain(f"{source.storage}: {skipped} skipped: the suffix is of no format of boards")
    if source.absent:
        which = ranges_text(source.absent)
        problems.report(str(source.storage), None, f"{which} not there, of {len(source)}")


def ranges_text(indexes: Iterable[int]) -> str:
    """Return the indexes of parts in words.

    >>> ranges_text([3]), ranges_text([0, 1, 2, 9])
    ('part 3 is', 'parts 0-2,9 are')
    """
    from pavcodec.collection.run import Indexes, shown_ranges

    chosen = Indexes(range(index, index + 1) for index in indexes)
    text = shown_ranges(chosen.ranges[:_MOST_RUNS])
    more = ",…" if len(chosen.ranges) > _MOST_RUNS else ""
    return f"part {text} is" if len(chosen) == 1 else f"parts {text}{more} are"


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
        source: Format, stream: BinaryIO, context: Context, progress: Progress
    ) -> Iterator[tuple[str, Board]]:
        for board in progress.watch(source.read(stream, context)):
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
                    source, whole = recognise(part, path=inner, name=format_name)
                    progress = Progress(stream, name_of(inner), "boards", output=output)
                    there = replace(context, source=name_of(inner))
                    yield from read(source, whole, there, progress)
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
