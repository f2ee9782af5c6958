"""Folders of parts that are made from other files, one part from each, by the engine of workers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from pavcodec.chances.figures import listed, many
from pavcodec.files.paths import shown_path
from pavcodec.questions.asking import Answer, QuestionError, note, progress, working
from pavcodec.questions.inputs import Asked, Problems, is_folder, named_format, report_missing
from pavcodec.questions.losses import Differences
from pavcodec.questions.workers import engine_from, reading_of

if TYPE_CHECKING:
    from pavcodec.collection.derived import DerivedMaking
    from pavcodec.collection.run import Made
    from pavcodec.files.stores import Storage
    from pavcodec.formats import Format


def makes_folder(files: Sequence[str], output: str) -> bool:
    """Return whether the output is a folder of parts: the input is a folder, and so is the output.

    An output that does not exist is a folder unless its suffix is that of a file. Raise
    `QuestionError` for several inputs.
    """
    if output == "-" or not any(map(is_folder, files)):
        return False
    from pavcodec.collection.source import is_name_of_file

    if is_name_of_file(output) and not is_folder(output):
        return False
    if len(files) > 1:
        raise QuestionError(
            f"{shown_path(output)}: a folder is made from one folder, not from {len(files)} inputs"
        )
    return True


def refuse_options(asked: Asked, reasons: Mapping[str, str]) -> None:
    """Raise `QuestionError` for a field that cannot work part by part; `reasons` say why."""
    for name, reason in reasons.items():
        if getattr(asked, name, None):
            raise QuestionError(
                f"{{{name}}} does not work part by part: {reason}; write one file, as in -o "
                "one.parquet"
            )


def chosen_target(asked: Asked) -> tuple[Format, str]:
    """Return the format of the parts and the suffix of compressed files, as in `pbn.zst`."""
    from pavcodec.collection.collection import target_of_parts

    if not asked.to:
        why = "" if is_folder(asked.output) else " has no suffix of a format, so it"
        raise QuestionError(
            f"{shown_path(asked.output)}{why} is a folder: name the format of its parts with --to, "
            "or write one file, as in -o one.parquet"
        )
    return target_of_parts(asked.to)


def make_boards_folder(
    asked: Asked, target: tuple[Format, str], making_of: Callable[..., DerivedMaking]
) -> MadeFolder:
    """Make a folder of files of boards in the format of `chosen_target`, as `make_folder` does.

    `making_of` also gets the keywords `format`, `packed` and `reading`.
    """
    format, packed = target
    making = partial(making_of, format=format.name, packed=packed, reading=reading_of(asked))
    return make_folder(asked, making)


def make_folder(asked: Asked, making_of: Callable[..., DerivedMaking]) -> MadeFolder:
    """Make the parts of a folder from those of another.

    `making_of` returns what the parts hold, for the keyword `source`. Parts that are there are
    verified, so the same question continues a folder.
    """
    from pavcodec.collection.derived import derived_plan
    from pavcodec.collection.run import make
    from pavcodec.collection.source import source_of
    from pavcodec.files.stores import storage_of

    storage = storage_of(asked.output)
    problems = Problems(strict=getattr(asked, "strict", False))
    source = source_of(asked.files[0], any_suffix=named_format(asked) is not None)
    report_missing(source, problems)
    making = making_of(source=source)
    with working("reading the files of the folder"):
        plan = derived_plan(making)
    only = [file.index for file in source.present]
    title = getattr(asked, "name", "") or asked.command
    watching = progress(None, title, "parts", total=len(only))
    with watching.shown():
        made = make(
            plan, asked.output, engine_from(asked), only=only, on_row=lambda _: watching.add()
        )
    for name, reason in made.failed:
        problems.report(storage.shown(name), None, reason)
    answer = MadeFolder(made, making, storage, problems)
    answer.tell()
    return answer


@dataclass
class MadeFolder(Answer):
    """A folder that was made, or continued."""

    made: Made
    making: DerivedMaking
    storage: Storage
    problems: Problems = field()

    @property
    def is_fault(self) -> bool:  # type: ignore[override]
        """Whether there were problems, or parts are missing."""
        return bool(self.problems.count) or not self.made.is_complete

    @property
    def _facts(self) -> list[dict[str, Any]]:
        return [dict(row.facts) for row in self.made.rows]

    def tell(self) -> None:
        """Tell the problems of all parts, and what their boards lose."""
        for row in self.made.rows:
            first = _list(row.facts.get("first_problems"))
            count = _number(row.facts.get("problems"))
            for line in first:
                note(line)
            if count > len(first):
                note(f"{row.name}: {count - len(first):,} more problems")
            self.problems.count += count
        _tell_losses(self.making, self._facts)
        for name, reason in self.made.again:
            note(f"{self.storage.shown(name)}: {reason}; it was made again")

    def to_dict(self) -> dict[str, Any]:
        """Return what was made, for JSON."""
        told = self.made.to_dict() | {"problems": self.problems.count}
        return told | _sums(self._facts)

    def lines(self) -> Iterator[str]:
        """Yield a line."""
        made, rows = self.made, self.made.rows
        parts = len(rows.plan)
        state = "complete" if made.is_complete else f"not complete, {rows.made:,} of"
        what = f"{many(parts, 'part')}, {many(rows.rows, 'board')}, {many(rows.bytes, 'byte')}"
        between = ", " if made.is_complete else " "
        done = f"{made.made:,} made, {made.verified:,} verified"
        yield f"{self.storage}: {state}{between}{what}; {done}"


def _tell_losses(making: DerivedMaking, facts: Sequence[Mapping[str, Any]]) -> None:
    """Tell what the boards of all parts lose in their format."""
    sums = _sums(facts)
    left_out = _number(sums.get("without_cards"))
    if left_out:
        note(f"{many(left_out, 'board')} without cards left out")
    if _number(sums.get("without_deal")):
        note(f"{many(_number(sums['without_deal']), 'board')} without a complete deal skipped")
    lost = [name for name in _list(sums.get("lost")) if name not in sums.get("differences", {})]
    if lost:
        note(f"{making.format}: boards lose {listed(lost)}")
    Differences(sums.get("differences", {})).tell(making.target)
    for each in _list(sums.get("notes")):
        note(str(each))


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
