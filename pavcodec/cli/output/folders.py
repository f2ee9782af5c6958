"""The inputs of commands: files, the files of folders in order, and deals in place of files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from errno import EIO
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO

from pavcodec.cli.output.problems import Problems, complain
from pavcodec.errors import PavError, ReadError, TextError
from pavcodec.formats.plain.texts import shorten

if TYPE_CHECKING:
    from pavcodec.collection.source import Source, SourceFile

__all__ = [
    "ARGUMENTS",
    "PartPath",
    "TypedInput",
    "files_of_folder",
    "inputs_of",
    "is_folder",
    "ranges_text",
    "report_folder",
    "report_missing",
    "source_of_folder",
]

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
    def of(cls, text: str, place: int, format_name: str | None) -> TypedInput | None:
        """Return an argument as an input, at its place from 1 on; None if it names a file.

        A file of that name comes first. With a format, the text is in this format. Raises
        `PavError` for a text that looks like a deal and is none.
        """
        if text == "-" or os.path.exists(text):
            return None
        from pavcodec.formats.pasted.identify import as_file

        contents = as_file(text)
        if contents is None:
            return None
        found = cls(ARGUMENTS)
        if format_name is not None:
            contents = text.encode(errors="replace")
        found.contents = b"\n" * (place - 1) + contents  # so the line in messages is the place
        return found

    def open(self) -> BinaryIO:
        """Return the deal as a stream."""
        return BytesIO(self.contents)


def is_folder(path: str) -> bool:
    """Return whether an input is a folder: of this machine, or a URL without a file's suffix."""
    if path == "-" or not ("://" in path or os.path.isdir(path)):
        return False
    from pavcodec.collection.source import is_folder as is_folder_of_boards

    return is_folder_of_boards(path)


def source_of_folder(path: str, format_name: str | None) -> Source:
    """Return the files of a folder; with a format, all files of a folder without a plan."""
    from pavcodec.collection.source import source_of

    return source_of(path, any_suffix=format_name is not None)


def inputs_of(
    paths: Iterable[str], problems: Problems, format_name: str | None = None
) -> Iterator[str]:
    """Yield the inputs of a command; for a folder its files, in the order of the parts or names.

    A deal, a number, a code or an address of a hand viewer is an input as well, unless a file has
    that name. What is wrong with a folder or a deal is a problem, and the other inputs follow.
    """
    for place, path in enumerate(paths, 1):
        try:
            typed = TypedInput.of(path, place, format_name)
        except PavError as error:
            reason = error.message if isinstance(error, TextError) else str(error)
            problems.report(ARGUMENTS, place, f"{shorten(path)} names no file; as a deal: {reason}")
            continue
        if typed is not None:
            yield typed
        elif is_folder(path):
            yield from map(PartPath.of, files_of_folder(path, problems, format_name))
        else:
            yield path


def files_of_folder(path: str, problems: Problems, format_name: str | None) -> list[SourceFile]:
    """Return the files of a folder that are there; report what is missing, or wrong with it."""
    try:
        source = source_of_folder(path, format_name)
    except (OSError, ReadError) as error:
        report_folder(path, error, problems)
        return []
    report_missing(source, problems)
    return source.present


def report_folder(path: str, error: OSError | ReadError, problems: Problems) -> None:
    """Report why a folder cannot be read."""
    reason = str(error.strerror if isinstance(error, OSError) else error)
    problems.report(path, None, f"cannot be read: {reason.removeprefix(f'{path}: ')}")


def report_missing(source: Source, problems: Problems) -> None:
    """Report the parts of a source that are not there; print the number of skipped files."""
    if source.skipped:
        from pavcodec.odds.figures import many

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
    from pavcodec.collection.check import shown_ranges
    from pavcodec.collection.run import Indexes

    chosen = Indexes(range(index, index + 1) for index in indexes)
    text = shown_ranges(chosen.ranges[:_MOST_RUNS])
    more = ",…" if len(chosen.ranges) > _MOST_RUNS else ""
    return f"part {text} is" if len(chosen) == 1 else f"parts {text}{more} are"
