"""Inputs: files, folders, objects of stores, and deals in place of files; and their problems.

A question whose fields are those of `Inputs` reads boards. What is wrong with an input is a
problem: the asker hears it as a note, and the other inputs follow.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from errno import EBADF, EIO
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, TypeAlias, TypeVar, cast

from pavcodec.boards import Board, Context, Problem
from pavcodec.errors import PavError, ReadError, TextError
from pavcodec.files.compressed import Decompressed, parts, split_suffix
from pavcodec.files.opening import open_file, size_if_file
from pavcodec.files.paths import shown_path
from pavcodec.formats import Format, format_of, recognise
from pavcodec.formats.plain.texts import shorten
from pavcodec.numberings import Numbering, numbering, numbering_names
from pavcodec.questions.asking import (
    Answer,
    Progress,
    Question,
    as_in,
    ask,
    listener,
    note,
    progress,
    when_done,
)

if TYPE_CHECKING:
    from pavcodec.collection.source import SourceFile, SourceFolder

T = TypeVar("T")
Asked: TypeAlias = Any
"""A question with the fields of this room, or parsed arguments with the same names."""

# The problems of inputs, as lines that the asker hears.


_SHOWN = 3
"""The number of problems of a kind that are printed immediately."""
_FEW = 5
"""The greatest number of problems of a kind that are all printed."""

_VALUES = re.compile(r"'[^']*'|\"[^\"]*\"|[0-9]+")
"""The parts of a reason that differ between problems of the same kind."""

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


class Problems:
    """A counter of problems; the asker hears each of them.

    If many problems are of the same kind, only the first ones are told at once. At the end, `tell`
    says the number of the others in one line.
    """

    def __init__(self, *, strict: bool = False) -> None:
        self.count = 0
        self.strict = strict
        self._kinds: dict[tuple[str, str], list[Problem]] = {}
        """Problems to tell at the end, by source and by reason without its values."""
        self._counts: Counter[tuple[str, str]] = Counter()
        self._say = listener()
        when_done(self.tell)

    def __call__(self, problem: Problem) -> None:
        """Count and tell a problem; raise it as a `ReadError` with `--strict`."""
        if self.strict:
            raise ReadError(str(problem))
        self.count += 1
        kind = problem.source, _VALUES.sub("", problem.reason)
        self._counts[kind] += 1
        held = self._kinds.setdefault(kind, [])
        if self._counts[kind] <= _SHOWN:
            self._say(str(problem))
        elif self._counts[kind] <= _FEW:
            held.append(problem)

    def tell(self) -> None:
        """Tell the number of further problems of each kind, and forget them."""
        for kind, held in self._kinds.items():
            if self._counts[kind] > _FEW:
                reason = _QUOTED.sub("'…'", held[0].reason)
                more = f"{self._counts[kind] - _SHOWN:,} more of the same kind: {reason}"
                held[:] = [Problem(held[0].source, None, more)]
            for problem in held:
                self._say(str(problem))
        self._kinds.clear()
        self._counts.clear()

    def report(self, source: str, line: int | None, reason: str, board: str | None = None) -> None:
        """Report a problem by its parts."""
        self(Problem(source, line, reason, board))

    @property
    def sources(self) -> set[str]:
        """The sources of the problems that are not told to the end yet."""
        return {source for source, _ in self._counts}

    @property
    def exit_code(self) -> int:
        """1 if there was a problem, otherwise 0."""
        return 1 if self.count else 0


# The inputs of commands: files, the files of folders in order, and deals in place of files.


ARGUMENTS = "arguments"
"""The source of deals that stand in place of files, in messages."""

_MOST_RUNS = 10
"""The runs of parts or of board numbers that a line lists."""


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
        return cls.of_deal(text, position, format_name)

    @classmethod
    def of_deal(cls, text: str, position: int, format_name: str | None = None) -> TypedInput | None:
        """Return a text as an input, whether there is a file of that name or not."""
        from pavcodec.formats.pasted import as_file

        contents = as_file(text)
        if contents is None:
            return None
        typed = cls(ARGUMENTS)
        if format_name is not None:
            contents = text.encode(errors="replace")
        typed.contents = b"\n" * (position - 1) + contents  # so the line in messages is the place
        return typed

    @classmethod
    def of_file(cls, name: str, data: bytes) -> TypedInput:
        """Return a file in memory as an input."""
        typed = cls(name)
        typed.contents = data
        return typed

    def open(self) -> BinaryIO:
        """Return the deal as a stream."""
        return BytesIO(self.contents)


class SentFile(TypedInput):
    """The name of a file that somebody sent, with its bytes; `counts` hears what it expands to."""

    __slots__ = ("counts",)

    counts: Callable[[int, str], None]

    @classmethod
    def make(cls, name: str, contents: bytes, counts: Callable[[int, str], None]) -> SentFile:
        """Return a file that was sent."""
        sent = cls(name)
        sent.contents, sent.counts = contents, counts
        return sent

    def expanded(self, part: BinaryIO, suffix: str, inner: str) -> BinaryIO:
        """Return the decompressed bytes of a part of the file, counted."""
        if suffix:
            part = cast("BinaryIO", Decompressed(part, suffix, inner))
        return part if isinstance(part, BytesIO) else cast("BinaryIO", _Counted(part, self))


class _Counted:
    """A stream that tells how many decompressed bytes a reader takes of a file that was sent."""

    def __init__(self, stream: BinaryIO, file: SentFile) -> None:
        self._stream, self._file = stream, file

    def read(self, size: int = -1) -> bytes:
        """Return `size` bytes, or fewer at the end; without a size, all remaining bytes."""
        blocks: list[bytes] = []
        while size:
            block = self._stream.read(min(size, 1 << 16) if size > 0 else 1 << 16)
            self._file.counts(len(block), self._file)
            if not block:
                break
            blocks.append(block)
            size -= len(block) if size > 0 else 0
        return b"".join(blocks)

    def read1(self, size: int = -1) -> bytes:
        """Return the bytes of one read."""
        return self.read(min(size, 1 << 20) if size > 0 else 1 << 20)

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return False: the stream can be read only once, from start to end."""
        return False


def size_of(path: str) -> int:
    """Return the number of bytes of an input; 0 if nobody knows."""
    return len(path.contents) if isinstance(path, TypedInput) else size_if_file(path) or 0


def is_folder(path: str) -> bool:
    """Return whether an input is a folder: of this machine, or a URL without a file's suffix."""
    is_open = path == "-" or isinstance(path, TypedInput)
    if is_open or not ("://" in path or os.path.isdir(path)):
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
        if isinstance(path, TypedInput):
            yield path
            continue
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
        note(f"{source.storage}: {skipped} skipped: the suffix is of no format of boards")
    if source.absent:
        which = ranges_text(source.absent)
        problems.report(str(source.storage), None, f"{which} not there, of {len(source)}")


def ranges_text(indexes: Iterable[int]) -> str:
    """Return the indexes of parts in words.

    >>> ranges_text([3]), ranges_text([0, 1, 2, 9])
    ('part 3 is', 'parts 0-2,9 are')
    """
    runs = runs_of(indexes)
    text = ",".join([*runs[:_MOST_RUNS], *(["…"] if len(runs) > _MOST_RUNS else [])])
    return f"parts {text} are" if len(runs) > 1 or "-" in text else f"part {text} is"


def name_of(path: str) -> str:
    """Return the name of an input for messages; `-` is the standard input.

    The name of a URL has no secrets.
    """
    return "stdin" if path == "-" else shown_path(path)


def boards_of(
    paths: Iterable[str],
    problems: Problems,
    *,
    format_name: str | None = None,
    ranks: Numbering | None = None,
) -> Iterator[tuple[str, Board]]:
    """Yield (name of the source, board) for all files in turn; `-` is the standard input.

    A file that cannot be opened is a problem, and the function continues with the next file.
    """

    def read(
        source: Format, stream: BinaryIO, context: Context, watching: Progress
    ) -> Iterator[tuple[str, Board]]:
        for board in watching.watch(source.read(stream, context)):
            yield context.source, board

    return read_inputs(paths, problems, read, format_name=format_name, ranks=ranks)


def read_inputs(
    paths: Iterable[str],
    problems: Problems,
    read: Callable[[Format, BinaryIO, Context, Progress], Iterator[T]],
    *,
    format_name: str | None,
    ranks: Numbering | None,
) -> Iterator[T]:
    """Yield the results of the function `read` for all files in turn; see `boards_of`."""
    for path in inputs_of(paths or ["-"], problems, format_name):
        name = name_of(path)
        context = Context(name, problems, problems.strict, ranks)
        try:
            with open_input(path) as stream:
                for inner, source, whole in opened_parts(stream, path, format_name):
                    watching = progress(stream, inner, "boards")
                    there = replace(context, source=inner)
                    yield from read(source, whole, there, watching)
        except OSError as error:
            problems.report(name, None, f"cannot be read: {error.strerror}")


def opened_parts(
    stream: BinaryIO, path: str, format_name: str | None
) -> Iterator[tuple[str, Format, BinaryIO]]:
    """Yield the name, the format and the decompressed bytes of an input, or of each in a zip."""
    for inner, part in parts(stream, path):
        known, suffix = split_suffix(inner) if isinstance(path, SentFile) else (inner, "")
        expanded = path.expanded(part, suffix, inner) if isinstance(path, SentFile) else part
        source, whole = recognise(expanded, path=known, name=format_name)
        yield name_of(inner), source, whole


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


# Boards by their numbers.


def board_numbers(text: str) -> list[range]:
    """Read board numbers such as 3,5-7."""
    ranges = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise PavError(f"{part!r} is no board number, nor several as in 5-7")
        low, high = int(first), int(last if dash else first)
        if low > high:
            raise PavError(f"{part!r} has the greater number first")
        ranges.append(range(low, high + 1))
    return ranges


class ChosenBoards:
    """A filter for the boards of `--boards`; without the option, all boards.

    >>> chosen = ChosenBoards("2,7")
    >>> [board.number for board in chosen.of(Board.make(None, number=n) for n in (1, 2, 3))]
    [2]
    >>> list(chosen.missing())
    ['no board 7: there are 1-3']
    """

    def __init__(self, asked: str | None) -> None:
        self._asked = None if asked is None else board_numbers(asked)
        self._there: set[int] = set()

    def of(self, boards: Iterable[Board]) -> Iterator[Board]:
        """Yield the chosen boards."""
        return (board for _, board in self.named(("", board) for board in boards))

    def named(self, boards: Iterable[tuple[str, Board]]) -> Iterator[tuple[str, Board]]:
        """Yield the chosen boards, each with the name of its file."""
        if self._asked is None:
            yield from boards
            return
        for source, board in boards:
            number = board.number
            if number is not None:
                self._there.add(number)
                if any(number in some for some in self._asked):
                    yield source, board

    def missing(self) -> Iterator[str]:
        """Yield a line for each range of `--boards` without any board, after all boards."""
        for some in self._asked or ():
            if not any(number in some for number in self._there):
                asked = f"{some[0]}-{some[-1]}" if len(some) > 1 else f"{some[0]}"
                yield f"no board {asked}: {list_numbers(self._there)}"

    def report_missing(self, files: Iterable[str], problems: Problems) -> None:
        """Report the lines of `missing` as problems of the files; none is the standard input."""
        source = ", ".join(map(name_of, files or ["-"]))
        for line in self.missing():
            problems.report(source, None, line)


def list_numbers(numbers: Iterable[int]) -> str:
    """Return a list of board numbers, such as `there are 1-8, 12`.

    >>> list_numbers([12, 1, 2, 3, 2])
    'there are 1-3, 12'
    """
    told = runs_of(numbers)
    if len(told) > _MOST_RUNS:
        told = [*told[:_MOST_RUNS], f"... {told[-1]}"]
    return f"there are {', '.join(told)}" if told else "there are no boards with numbers"


def runs_of(numbers: Iterable[int]) -> list[str]:
    """Return the runs of numbers in order, such as `1-8` and `12`."""
    runs: list[range] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1].stop:
            runs[-1] = range(runs[-1].start, number + 1)
        else:
            runs.append(range(number, number + 1))
    return [f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs]


# The fields of questions that read files.


@dataclass(frozen=True)
class Inputs(Question):
    """A question about files; a server takes deals in their place, and opens nothing."""

    files: tuple[str, ...] = ask(
        "files to read; - or none is stdin", default=(), flag="", metavar="FILE", label="Deals",
        most=40,
    )  # fmt: skip
    from_format: str | None = ask(
        "read this format instead of detecting it ('pavcodec formats' lists them)",
        default=None, flag="--from", metavar="FORMAT", group="input", local=True,
    )  # fmt: skip
    strict: bool = ask(
        "stop at the first problem, and accept no known deviations from a format",
        default=False, group="input", local=True,
    )  # fmt: skip


def named_format(asked: Asked) -> str | None:
    """Return the name of the format that is read instead of a detected one.

    Raises `UnknownNameError` for an unknown format.
    """
    return format_of(asked.from_format).name if asked.from_format else None


@dataclass(frozen=True, kw_only=True)
class OfEach(Question):
    """A question about one thing; its command asks it of each of its arguments, also of files."""

    takes: ClassVar[tuple[str, str]]
    """The metavar and the help of the arguments."""
    nothing: ClassVar[str]
    """What is said if there are none."""
    draws: ClassVar[bool] = False
    """Whether its answers are drawings, which appear one by one, and on a screen in colour."""
    usual_format: ClassVar[str] = "text"
    """The format of boards in which the command writes without another one; `text` is no format,
    but the lines of the answers."""

    strict: bool = as_in(Inputs, "strict")

    def answers(self, inputs: Sequence[str], problems: Problems) -> Iterator[Answer]:
        """Return the answer for each of the arguments; what is none is a problem.

        Raises `PavError` at once if the fields do not go together.
        """
        raise NotImplementedError

    def to_write(
        self, inputs: Sequence[str], problems: Problems
    ) -> tuple[Iterator[Board], Context]:
        """Return the boards of the answers, and the context in which a format writes them."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Numbered(Question):
    """A question about boards that some formats write as numbers."""

    numbering: str = ask(
        "the numbering (default: deal; one of "
        f"{', '.join(numbering_names(partial=True, classes=True))})",
        default="deal", flag="--as", group="numbering", metavar="NUMBERING", most=40,
    )  # fmt: skip
    one_based: bool = ask("numbers start at 1, as in books", default=False, group="numbering")

    @property
    def ranks(self) -> Numbering:
        """The numbering."""
        return numbering(self.numbering, one_based=self.one_based)
