"""Folders of parts: the engine of workers that makes them, and folders made from other files.

The options of the workers choose the engine. It runs a function for each file of the inputs, or for
each part of a folder that is made from others, as `pack` and `convert` make it.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from pavcodec.chances.figures import listed, many
from pavcodec.cli.output.losses import Differences
from pavcodec.cli.output.progress import ProgressBar, waiting
from pavcodec.cli.output.streams import complain
from pavcodec.files.paths import shown_path
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.inputs import (
    Problems,
    is_folder,
    named_format,
    report_missing,
)
from pavcodec.questions.workers import engine_from, reading_of

if TYPE_CHECKING:
    from pavcodec.collection.derived import DerivedMaking
    from pavcodec.collection.run import Made
    from pavcodec.files.stores import Storage
    from pavcodec.formats import Format


T = TypeVar("T")


# Folders that commands make from folders: one part from each file.


def makes_folder(files: Sequence[str], output: str | None) -> bool:
    """Return whether the output is a folder of parts: the input is a folder, and so is the output.

    An output that does not exist is a folder unless its suffix is that of a file. Raise
    `QuestionError` for several inputs.
    """
    if output is None or output == "-" or not any(map(is_folder, files)):
        return False
    from pavcodec.collection.source import is_name_of_file

    if is_name_of_file(output) and not is_folder(output):
        return False
    if len(files) > 1:
        raise QuestionError(
            f"{shown_path(output)}: a folder is made from one folder, not from {len(files)} inputs"
        )
    return True


def refuse_options(args: argparse.Namespace, reasons: Mapping[str, str]) -> None:
    """Raise `QuestionError` for an option that cannot work part by part; `reasons` say why."""
    for name, reason in reasons.items():
        if getattr(args, name, None):
            option = name.replace("_", "-")
            raise QuestionError(
                f"--{option} does not work part by part: {reason}; write one file, as in -o "
                "one.parquet"
            )


def chosen_target(args: argparse.Namespace) -> tuple[Format, str]:
    """Return the format of the parts and the suffix of compressed files, as in `pbn.zst`."""
    from pavcodec.collection.collection import target_of_parts

    if not args.to:
        why = "" if is_folder(args.output) else " has no suffix of a format, so it"
        raise QuestionError(
            f"{shown_path(args.output)}{why} is a folder: name the format of its parts with --to, "
            "or write one file, as in -o one.parquet"
        )
    return target_of_parts(args.to)


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
