"""The command lines and the lines of Python that do the same with the files of a question."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from pavcodec.files.compressed import split_suffix
from pavcodec.formats import Format
from pavcodec.web.tasks.files.uploads import SWAPS, FileQuestion
from pavcodec.web.tasks.shell import path_of

__all__ = ["Same", "command_of", "output_name", "python_of", "suffix_of"]
_BETWEEN = "jsonl"
"""The format of boards between two commands: it keeps all, and unlike PBN it adds no tags."""


class Same(BaseModel):
    """The command line and the lines of Python that give the same."""

    model_config = ConfigDict(frozen=True)

    command: str = Field(description="the command line that gives the same")
    python: str = Field(description="the lines of Python that give the same")


def output_name(question: FileQuestion, suffix: str) -> str:
    """Return a name for an output with a suffix, which is none of the files.

    >>> from pavcodec.web.tasks.files.uploads import Upload
    >>> output_name(FileQuestion(file=(Upload(name="heat.pbn.gz"),)), ".lin")
    'heat.lin'
    >>> output_name(FileQuestion(file=(Upload(name="heat.pbn"),)), ".pbn")
    'heat-new.pbn'
    """
    names = [each.name for each in question.file] or ["boards"]
    stem = "boards"
    if len(names) == 1:
        plain = split_suffix(names[0])[0]
        begin, dot, _ = plain.rpartition(".")
        stem = begin if dot and begin else plain
    name = f"{stem}{suffix}"
    return f"{stem}-new{suffix}" if name in names else name


def suffix_of(target: Format) -> str:
    """Return the suffix of a file of a format."""
    return target.suffixes[0] if target.suffixes else ".txt"


def command_of(question: FileQuestion, last: Sequence[str], *, whole: bool = True) -> str:
    """Return the command line; `last` are the words of the last command without its inputs.

    Without `whole`, the options of `last` go to `grep` or `turn` where these are needed.
    """
    inputs = [path_of(each.name) for each in question.files]
    steps: list[tuple[str, list[str], list[str]]] = []  # the name, the arguments, the options
    if question.condition.strip():
        steps.append(("grep", [question.condition], []))
    if question.turn:
        way = "--swap" if question.turn in SWAPS else "--places"
        steps.append(("turn", [], [way, question.turn]))
    name, *options = last
    if whole or not steps:
        steps.append((name, [], options))
    else:
        steps[-1][2].extend(options)
    texts = []
    for place, (step, given, chosen) in enumerate(steps):
        arguments = [*given, *(["-"] if place else inputs)]
        more = [*chosen, *(["--from", _BETWEEN] if place else [])]
        more += ["--to", _BETWEEN] if place + 1 < len(steps) else []
        words = [*arguments, *more]
        if arguments[0].startswith("-") and arguments != ["-"]:
            words = [*more, "--", *arguments]
        texts.append(shlex.join(["pavcodec", step, *words]))
    return " | ".join(texts)


def python_of(question: FileQuestion, last: Sequence[str]) -> str:
    """Return the lines of Python; in `last`, `boards` are the boards."""
    names = [each.name for each in question.files]
    read = f"pav.read({names[0]!r})" if len(names) == 1 else ""
    lines = ["import pavcodec as pav", ""]
    if read:
        lines += [f"boards = list({read})"]
    else:
        lines += [
            f"names = {names!r}",
            "boards = [board for name in names for board in pav.read(name)]",
        ]
    if question.condition.strip():
        lines += [
            f"wanted = pav.expression({question.condition!r})",
            "boards = [board for board in boards if board.layout is not None",
            "          and board.layout.is_deal and wanted.value(board.layout)]",
        ]
    if question.turn:
        how = f"seats={SWAPS[question.turn]!r}" if question.turn in SWAPS else question.turn
        lines += [f"boards = [pav.turn(board, {how}, numbering=pav.numbering) for board in boards]"]
    return "\n".join([*lines, *last])
