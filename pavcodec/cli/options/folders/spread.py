"""Run a function for each file of the inputs by an engine, and take the results in order."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from pavcodec.cli.options.workers import engine_from
from pavcodec.cli.output.folders import PartPath, TypedInput, inputs_of, is_folder
from pavcodec.cli.output.progress import Progress
from pavcodec.cli.output.streams import Problems, UsageError, named_format
from pavcodec.errors import PavError

if TYPE_CHECKING:
    from pavcodec.collection.derived.reading import Reading, Report
    from pavcodec.collection.source import SourceFile

__all__ = ["is_spread", "reading_of", "results_in_order", "spread_files", "take_report"]

T = TypeVar("T")


def is_spread(args: argparse.Namespace, files: Sequence[str]) -> bool:
    """Return whether workers read the inputs: folders are among them, or workers are asked for."""
    return bool(args.workers or args.scheduler or any(map(is_folder, files)))


def reading_of(args: argparse.Namespace) -> Reading:
    """Return the options of reading files."""
    from pavcodec.collection.derived.reading import Reading

    return Reading(
        named_format(args),
        getattr(args, "numbering", "deal"),
        getattr(args, "one_based", False),
        args.strict,
    )


def spread_files(
    args: argparse.Namespace, files: Sequence[str], problems: Problems
) -> list[SourceFile]:
    """Return the files of all inputs in order; raise `UsageError` for any other input."""
    found: list[SourceFile] = []
    for path in inputs_of(files or ["-"], problems, named_format(args)):
        if path == "-" or isinstance(path, TypedInput):
            what = "the standard input" if path == "-" else "deals in arguments"
            asked = ", or leave out --workers" if args.workers or args.scheduler else ""
            raise UsageError(f"workers cannot read {what}: name only files and folders{asked}")
        found.append(path.file if isinstance(path, PartPath) else _file_of(path))
    return [replace(file, index=place) for place, file in enumerate(found)]


def _file_of(path: str) -> SourceFile:
    """Return a file that is no part of a folder."""
    from pavcodec.collection.source import SourceFile
    from pavcodec.files.storage import storage_of

    folder, name = os.path.split(path)
    return SourceFile(storage_of(folder), name, 0, 0, 1)


def results_in_order(
    args: argparse.Namespace,
    work: Callable[[SourceFile], T],
    files: Sequence[SourceFile],
    problems: Problems,
) -> Iterator[T]:
    """Yield the result for each file in the order of the files, also if others end before.

    A file that cannot be read is a problem, and has no result; in strict reading it is an error.
    """
    from pavcodec.collection.run import closed

    waiting: dict[int, T | Exception] = {}
    turn = 0
    progress = Progress(None, args.command, "files", output=args.output, total=len(files))
    with progress.shown():
        for file, outcome in closed(engine_from(args).run(work, files)):
            progress.add()
            waiting[file.index] = outcome
            while turn in waiting:
                found = waiting.pop(turn)
                if isinstance(found, Exception):
                    _report(files[turn], found, problems)
                else:
                    yield found
                turn += 1


def _report(file: SourceFile, error: Exception, problems: Problems) -> None:
    """Report why a file has no result."""
    if isinstance(error, OSError):
        problems.report(file.shown, None, f"cannot be read: {error.strerror}")
    elif isinstance(error, PavError) and not problems.strict:
        problems.report(file.shown, None, str(error).removeprefix(f"{file.shown}: "))
    else:
        raise error


def take_report(report: Report, problems: Problems) -> None:
    """Report the problems of a file that a worker has read."""
    for problem in report.first:
        problems(problem)
    more = report.count - len(report.first)
    if more:
        problems.report(report.first[0].source, None, f"{more:,} more problems")
