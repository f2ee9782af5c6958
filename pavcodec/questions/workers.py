"""Workers: they run a function for each file of a question, and the results are in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from pavcodec.errors import NumberError, PavError
from pavcodec.questions.asking import QuestionError, ask, progress
from pavcodec.questions.inputs import (
    Asked,
    Inputs,
    PartPath,
    Problems,
    TypedInput,
    inputs_of,
    is_folder,
    named_format,
)
from pavcodec.questions.words import whole

if TYPE_CHECKING:
    from pavcodec.collection.derived import ReadingOptions, Report
    from pavcodec.collection.engines.engine import Engine
    from pavcodec.collection.source import SourceFile

T = TypeVar("T")


@dataclass(frozen=True)
class Workers(Inputs):
    """A question about files that several processes may read."""

    workers: int | None = ask(
        "share the parts among N processes of this machine (default: one for each processor)",
        default=None, group="workers", metavar="N", read=whole, local=True,
    )  # fmt: skip
    scheduler: str | None = ask(
        "share the parts among the workers of a Dask cluster: the address of its scheduler, "
        "such as tcp://10.0.0.1:8786, or 'local' for a cluster on this machine",
        default=None, group="workers", metavar="ADDRESS", local=True,
    )  # fmt: skip


def engine_from(asked: Asked) -> Engine:
    """Return the engine of the options."""
    from pavcodec.collection.engines import LOCAL, engine_of

    if asked.scheduler not in {None, LOCAL} and asked.workers is not None:
        raise QuestionError(
            "{workers}: the cluster of a {scheduler} has its own workers; use one of both"
        )
    try:
        return engine_of(asked.workers, asked.scheduler)
    except NumberError as error:
        raise QuestionError("{workers}: {why}", "workers", why=error) from None


# Run a function for each file of the inputs by an engine, and take the results in order.


def is_spread(asked: Asked, files: Sequence[str]) -> bool:
    """Return whether workers read the inputs: folders are among them, or workers are asked for."""
    return bool(asked.workers or asked.scheduler or any(map(is_folder, files)))


def reading_of(asked: Asked) -> ReadingOptions:
    """Return the options of reading files."""
    from pavcodec.collection.derived import ReadingOptions

    return ReadingOptions(
        named_format(asked),
        getattr(asked, "numbering", "deal"),
        getattr(asked, "one_based", False),
        asked.strict,
    )


def spread_files(asked: Asked, files: Sequence[str], problems: Problems) -> list[SourceFile]:
    """Return the files of all inputs in order; raise `QuestionError` for any other input."""
    spread: list[SourceFile] = []
    for path in inputs_of(files or ["-"], problems, named_format(asked)):
        if path == "-" or isinstance(path, TypedInput):
            what = "the standard input" if path == "-" else "deals in arguments"
            given = ", or leave out {workers}" if asked.workers or asked.scheduler else ""
            raise QuestionError(f"workers cannot read {what}: name only files and folders{given}")
        spread.append(path.file if isinstance(path, PartPath) else _file_of(path))
    return [replace(file, index=index) for index, file in enumerate(spread)]


def _file_of(path: str) -> SourceFile:
    """Return a file that is no part of a folder."""
    from pavcodec.collection.source import SourceFile
    from pavcodec.files.stores import storage_of

    folder, name = os.path.split(path)
    return SourceFile(storage_of(folder), name, 0, 0, 1)


def results_in_order(
    asked: Asked,
    title: str,
    work: Callable[[SourceFile], T],
    files: Sequence[SourceFile],
    problems: Problems,
) -> Iterator[T]:
    """Yield the result for each file in the order of the files, also if others end before.

    A file that cannot be read is a problem, and has no result; in strict reading it is an error.
    """
    waiting: dict[int, T | Exception] = {}
    turn = 0
    watching = progress(None, title, "files", total=len(files))
    with watching.shown():
        for file, outcome in engine_from(asked).run(work, files):
            watching.add()
            waiting[file.index] = outcome
            while turn in waiting:
                result = waiting.pop(turn)
                if isinstance(result, Exception):
                    _report(files[turn], result, problems)
                else:
                    yield result
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


def add_up(asked: Workers, work: Callable[[SourceFile], Any], total: T, problems: Problems) -> T:
    """Return a total of all files and what `work` returns of each, with its report."""
    files = spread_files(asked, asked.files, problems)
    for part, report in results_in_order(asked, asked.name, work, files, problems):
        total += part
        take_report(report, problems)
    return total
