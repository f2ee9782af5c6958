"""Folders of parts: the engine of workers that makes them, and folders made from other files.

The options of the workers choose the engine. It runs a function for each file of the inputs, or for
each part of a folder that is made from others, as `pack` and `convert` make it.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from pavcodec.chances.figures import listed, many
from pavcodec.cli.output.losses import Differences
from pavcodec.cli.output.progress import ProgressBar, waiting
from pavcodec.cli.output.streams import complain, named_format
from pavcodec.cli.output.targets import UsageError
from pavcodec.cli.parsers import option_group
from pavcodec.errors import NumberError, PavError
from pavcodec.files.paths import shown_path
from pavcodec.questions.deals import whole
from pavcodec.questions.inputs import (
    PartPath,
    Problems,
    TypedInput,
    inputs_of,
    is_folder,
    ranges_text,
    report_missing,
)

if TYPE_CHECKING:
    from pavcodec.collection.derived import DerivedMaking, ReadingOptions, Report
    from pavcodec.collection.engines.engine import Engine
    from pavcodec.collection.run import Made
    from pavcodec.collection.source import SourceFile
    from pavcodec.files.stores import Storage
    from pavcodec.formats import Format


T = TypeVar("T")


# The options of the workers, and the engine that they choose.


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add the options of the workers; `engine_from` reads them."""
    group = option_group(parser, "workers")
    group.add_argument(
        "--workers",
        type=whole,
        metavar="N",
        help="share the parts among N processes of this machine (default: one for each processor)",
    )
    group.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="share the parts among the workers of a Dask cluster: the address of its scheduler, "
        "such as tcp://10.0.0.1:8786, or 'local' for a cluster on this machine",
    )


def engine_from(args: argparse.Namespace) -> Engine:
    """Return the engine of the options."""
    from pavcodec.collection.engines import LOCAL, engine_of

    if args.scheduler not in {None, LOCAL} and args.workers is not None:
        raise UsageError(
            "--workers: the cluster of a --scheduler has its own workers; use one of both"
        )
    try:
        return engine_of(args.workers, args.scheduler)
    except NumberError as error:
        raise UsageError(f"--workers: {error}") from None


# Run a function for each file of the inputs by an engine, and take the results in order.


def is_spread(args: argparse.Namespace, files: Sequence[str]) -> bool:
    """Return whether workers read the inputs: folders are among them, or workers are asked for."""
    return bool(args.workers or args.scheduler or any(map(is_folder, files)))


def reading_of(args: argparse.Namespace) -> ReadingOptions:
    """Return the options of reading files."""
    from pavcodec.collection.derived import ReadingOptions

    return ReadingOptions(
        named_format(args),
        getattr(args, "numbering", "deal"),
        getattr(args, "one_based", False),
        args.strict,
    )


def spread_files(
    args: argparse.Namespace, files: Sequence[str], problems: Problems
) -> list[SourceFile]:
    """Return the files of all inputs in order; raise `UsageError` for any other input."""
    spread: list[SourceFile] = []
    for path in inputs_of(files or ["-"], problems, named_format(args)):
        if path == "-" or isinstance(path, TypedInput):
            what = "the standard input" if path == "-" else "deals in arguments"
            asked = ", or leave out --workers" if args.workers or args.scheduler else ""
            raise UsageError(f"workers cannot read {what}: name only files and folders{asked}")
        spread.append(path.file if isinstance(path, PartPath) else _file_of(path))
    return [replace(file, index=index) for index, file in enumerate(spread)]


def _file_of(path: str) -> SourceFile:
    """Return a file that is no part of a folder."""
    from pavcodec.collection.source import SourceFile
    from pavcodec.files.stores import storage_of

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
    progress = ProgressBar(None, args.command, "files", output=args.output, total=len(files))
    with progress.shown():
        for file, outcome in closed(engine_from(args).run(work, files)):
            progress.add()
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


def add_up(
    args: argparse.Namespace, work: Callable[[SourceFile], Any], total: T, problems: Problems
) -> T:
    """Return a total of the files of `args` and what `work` returns of each, with its report."""
    files = spread_files(args, args.files, problems)
    for part, report in results_in_order(args, work, files, problems):
        total += part
        take_report(report, problems)
    return total


# Folders that commands make from folders: one part from each file.


def makes_folder(files: Sequence[str], output: str | None) -> bool:
    """Return whether the output is a folder of parts: the input is a folder, and so is the output.

    An output that does not exist is a folder unless its suffix is that of a file. Raise
    `UsageError` for several inputs.
    """
    if output is None or output == "-" or not any(map(is_folder, files)):
        return False
    from pavcodec.collection.source import is_name_of_file

    if is_name_of_file(output) and not is_folder(output):
        return False
    if len(files) > 1:
        raise UsageError(
            f"{shown_path(output)}: a folder is made from one folder, not from {len(files)} inputs"
        )
    return True


def refuse_options(args: argparse.Namespace, reasons: Mapping[str, str]) -> None:
    """Raise `UsageError` for an option that cannot work part by part; `reasons` say why."""
    for name, reason in reasons.items():
        if getattr(args, name, None):
            option = name.replace("_", "-")
            raise UsageError(
                f"--{option} does not work part by part: {reason}; write one file, as in -o "
                "one.parquet"
            )


def chosen_target(args: argparse.Namespace) -> tuple[Format, str]:
    """Return the format of the parts and the suffix of compressed files, as in `pbn.zst`."""
    from pavcodec.collection.collection import target_of_parts

    if not args.to_format:
        why = "" if is_folder(args.output) else " has no suffix of a format, so it"
        raise UsageError(
            f"{shown_path(args.output)}{why} is a folder: name the format of its parts with --to, "
            "or write one file, as in -o one.parquet"
        )
    return target_of_parts(args.to_format)


def make_boards_folder(
    args: argparse.Namespace, target: tuple[Format, str], making_of: Callable[..., DerivedMaking]
) -> int:
    """Make a folder of files of boards in the format of `chosen_target`, as `make_folder` does.

    `making_of` also gets the keywords `format`, `packed` and `reading`.
    """
    format, packed = target
    making = partial(making_of, format=format.name, packed=packed, reading=reading_of(args))
    return make_folder(args, making)


def make_folder(args: argparse.Namespace, making_of: Callable[..., DerivedMaking]) -> int:
    """Make the parts of a folder from those of another, print a summary, return the exit code.

    `making_of` returns what the parts hold, for the keyword `source`. Parts that are there are
    verified, so the same command continues a folder.
    """
    from pavcodec.collection.derived import derived_plan
    from pavcodec.collection.run import make
    from pavcodec.collection.source import source_of
    from pavcodec.files.stores import storage_of

    storage = storage_of(args.output)
    problems = Problems(strict=getattr(args, "strict", False))
    source = source_of(args.files[0], any_suffix=named_format(args) is not None)
    report_missing(source, problems)
    making = making_of(source=source)
    with waiting("reading the files of the folder"):
        plan = derived_plan(making)
    only = [file.index for file in source.present]
    progress = ProgressBar(None, args.command, "parts", output=args.output, total=len(only))
    with progress.shown():
        made = make(
            plan, args.output, engine_from(args), only=only, on_row=lambda _: progress.add()
        )
    for name, reason in made.failed:
        problems.report(storage.shown(name), None, reason)
    _print_made(args, made, making, problems, storage)
    return max(problems.exit_code, int(not made.is_complete))


def _print_made(
    args: argparse.Namespace,
    made: Made,
    making: DerivedMaking,
    problems: Problems,
    storage: Storage,
) -> None:
    """Print the problems and the losses of all parts, and what was made."""
    facts = [dict(row.facts) for row in made.rows]
    for row in made.rows:
        first, count = _list(row.facts.get("first_problems")), _number(row.facts.get("problems"))
        for line in first:
            complain(line)
        if count > len(first):
            complain(f"{row.name}: {count - len(first):,} more problems")
        problems.count += count
    if args.json:
        told = made.to_dict() | {"problems": problems.count}
        print(json.dumps(told | _sums(facts)))
        return
    _print_losses(making, facts)
    for name, reason in made.again:
        complain(f"{storage.shown(name)}: {reason}; it was made again")
    rows, parts = made.rows, len(made.rows.plan)
    state = "complete" if made.is_complete else f"not complete, {rows.made:,} of"
    what = f"{many(parts, 'part')}, {many(rows.rows, 'board')}, {many(rows.bytes, 'byte')}"
    between = ", " if made.is_complete else " "
    done = f"{made.made:,} made, {made.verified:,} verified"
    print(f"{storage}: {state}{between}{what}; {done}")


def _print_losses(making: DerivedMaking, facts: Sequence[Mapping[str, Any]]) -> None:
    """Print what the boards of all parts lose in their format."""
    sums = _sums(facts)
    left_out = _number(sums.get("without_cards"))
    if left_out:
        complain(f"{many(left_out, 'board')} without cards left out")
    if _number(sums.get("without_deal")):
        complain(f"{many(_number(sums['without_deal']), 'board')} without a complete deal skipped")
    lost = [name for name in _list(sums.get("lost")) if name not in sums.get("differences", {})]
    if lost:
        complain(f"{making.format}: boards lose {listed(lost)}")
    Differences(sums.get("differences", {})).tell(making.target)
    for note in _list(sums.get("notes")):
        complain(str(note))


def _sums(facts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the facts of all parts together: sums of numbers, and lists without repeats."""
    sums: dict[str, Any] = {}
    for each in facts:
        for name, value in each.items():
            if name in ("source", "problems", "first_problems"):
                continue
            if isinstance(value, int):
                sums[name] = sums.get(name, 0) + value
            elif isinstance(value, list):
                sums[name] = list(dict.fromkeys([*sums.get(name, []), *value]))
            elif isinstance(value, dict):
                sums[name] = dict(Counter(sums.get(name, {})) + Counter(value))
    return sums


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _list(value: object) -> list[str]:
    return value if isinstance(value, list) else []


# The facts of a folder of parts, by its plan and its rows; no part is read.


def facts_of_collection(
    path: str, problems: Problems, *, lists_parts: bool
) -> dict[str, object] | None:
    """Return the facts of a collection, with `lists_parts` also those of each part.

    Parts that are not there are a problem. An input that is no collection has no facts.
    """
    if not is_folder(path):
        return None
    from pavcodec.collection.stored import is_collection, open_collection

    if not is_collection(path):
        return None
    opened = open_collection(path)
    rows, plan = opened.rows, opened.plan
    missing = [index for each in rows.missing() for index in each]
    if missing:
        which = ranges_text(missing)
        problems.report(str(opened.storage), None, f"{which} not there, of {len(plan)}")
    facts: dict[str, object] = {
        "file": str(opened.storage),
        "format": "collection",
        "what": f"a folder of {len(plan):,} parts, {plan.making.suffix}",
        **dict(_described(plan.making.describe())),
        "parts": rows.made,
        "boards": rows.rows,
        "bytes": rows.bytes,
    }
    if rows.rows:
        facts["bits_per_deal"] = round(rows.bytes * 8 / rows.rows, 3)
    if not missing:
        facts["sha256"] = opened.sha256
    if lists_parts:
        facts |= {"plan": opened.description, "rows": [row.to_dict() for row in rows]}
    return facts | {"problems": len(missing)}


def _described(making: Mapping[str, object], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield what a making says about its parts, as (head, text); `source` has the rest."""
    for key, value in making.items():
        if key == "source" and isinstance(value, Mapping):
            inner = value.get("making")
            if isinstance(inner, Mapping):
                yield "source", " ".join(text for _, text in _described(inner))
            else:
                yield "source", f"{value.get('files')} files"
        elif isinstance(value, Mapping):
            if key not in ("boards", "reading"):
                yield from _described(value, key)
        elif key == "kind":
            yield "made_by", f"pavcodec {'deal' if value in ('deals', 'set') else value}"
        elif isinstance(value, str | int) and key not in ("format", "cardinality", "stream"):
            yield (before if key == "name" else key), str(value)
