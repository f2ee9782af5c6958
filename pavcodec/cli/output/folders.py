"""Folders as inputs: the parts of a collection, or all files of boards, in order."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from errno import EIO
from typing import TYPE_CHECKING, BinaryIO

from pavcodec.cli.output.problems import Problems, complain
from pavcodec.errors import ReadError

if TYPE_CHECKING:
    from pavcodec.collection.source import Source, SourceFile

__all__ = [
    "PartPath",
    "files_of_folder",
    "inputs_of",
    "is_folder",
    "open_part",
    "ranges_text",
    "report_folder",
    "report_missing",
    "source_of_folder",
]

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

    What is wrong with a folder is a problem, and the other inputs follow.
    """
    for path in paths:
        if is_folder(path):
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


def open_part(path: PartPath) -> BinaryIO:
    """Open a file of a folder after a check; raise `OSError` if it is not as its row says."""
    try:
        return path.file.open()
    except ReadError as error:
        raise OSError(EIO, str(error).removeprefix(f"{path}: "), str(path)) from None
