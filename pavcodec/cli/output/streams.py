"""Lines on the error stream, and checks before a command runs that does them not itself."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress

from pavcodec.cards import SUIT_SYMBOLS, Suit
from pavcodec.errors import is_missing
from pavcodec.formats.registry import format_by_suffix
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.outputs import is_same_file, refuse_existing, refuse_text_suffix

_OUTPUTS = ("output", "plot")
"""The options of all commands that name files to write."""
_INPUTS = ("input", "files", "script", "listing", "description", "key_file")
"""The arguments and options of all commands that name files to read."""

_TEXT_COMMANDS = ()
"""Commands that write text or JSON to their output, and no format of boards."""
_JSON_COMMANDS = ("deal", "grep", "get", "practice")
"""Commands that write JSON instead of boards with `--json`."""


def complain(line: str) -> None:
    """Print a line on the error stream, if there is one and its device is not full."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(line, file=sys.stderr)


def print_coloured(lines: Iterable[str]) -> None:
    """Print the lines of a drawing on a terminal, in the colours that it has."""
    from rich.console import Console

    console = Console(highlight=False)
    for line in lines:
        console.print(coloured(line), soft_wrap=True)


def coloured(line: str) -> str:
    """Return a line of a drawing with the markup of rich for coloured suits.

    >>> coloured("♥ AK")
    '[red]♥[/red] AK'
    """
    from rich.markup import escape

    line = escape(line)
    for suit in Suit:
        tag = "red" if suit in (Suit.HEARTS, Suit.DIAMONDS) else "bold"
        line = line.replace(SUIT_SYMBOLS[suit], f"[{tag}]{SUIT_SYMBOLS[suit]}[/{tag}]")
    return line


def plot_kind(args: argparse.Namespace) -> str:
    """Return the kind of picture that `--plot` draws; an empty text without the option."""
    kind: str = args.plot.rpartition(".")[2].lower() if args.plot else ""
    if kind and kind not in {"png", "svg", "pdf"}:
        raise QuestionError(f"--plot draws .png, .svg or .pdf, not {args.plot!r}")
    return kind


def check_outputs(args: argparse.Namespace) -> None:
    """Raise `QuestionError` if an output of a command without `Out` may not be written.

    An existing file is only replaced as `refuse_existing` says; with `--append`, the file may
    exist. An output of text has no suffix of other files.
    """
    # the command itself reports an error for a file that is input and output
    inputs = list(_values(args, _INPUTS))
    outputs = [
        path
        for path in _values(args, _OUTPUTS)
        if path != "-" and not any(is_same_file(source, path) for source in inputs)
    ]
    # --append adds to its output, and --split writes files with other names, which it checks
    # and --parts and --only write into a folder, and refuse a file themselves
    is_other = getattr(args, "append", False)
    is_other |= any(getattr(args, name, None) is not None for name in ("split", "parts", "only"))
    kept = args.output if is_other else None
    refuse_existing((path for path in outputs if path != kept), force=args.force)
    texts = [args.output] if _is_text(args) else []
    for path in (*texts, *_values(args, ("csv", "export"))):
        if path in outputs:
            refuse_text_suffix(path)


def _is_text(args: argparse.Namespace) -> bool:
    """Return whether the output of a command is text or JSON, and no format of boards."""
    counts = args.command == "grep" and args.count
    prints_json = args.command in _JSON_COMMANDS and args.json and not is_of_parts(args)
    return args.command in _TEXT_COMMANDS or counts or prints_json


def is_of_parts(args: argparse.Namespace) -> bool:
    """Return whether the output of a command is the folder of a collection."""
    options = (getattr(args, option, None) for option in ("parts", "only"))
    return any(option is not None for option in options) or os.path.isdir(args.output)


def _values(args: argparse.Namespace, options: Iterable[str]) -> Iterator[str]:
    """Yield the texts of options and arguments, of which some have several."""
    for option in options:
        each = getattr(args, option, None)
        yield from [each] if isinstance(each, str) else each if isinstance(each, list) else []


def missing_extras(args: argparse.Namespace) -> list[str]:
    """Return the extras of packages that a command line asks for, and that are not installed."""
    files = filter(None, map(format_by_suffix, _values(args, (*_INPUTS, "output"))))
    formats = {name.split(":")[0] for name in _values(args, ("to", "from_format"))}
    formats |= {each.name for each in files}
    asked = {
        "cluster": bool(getattr(args, "scheduler", None)),
        "double-dummy": args.command == "solve" or getattr(args, "solve", False),
        "parquet": "parquet" in formats,
        "pdf": "pdf" in formats,
        "plots": bool(getattr(args, "plot", None)),
    }
    return [extra for extra, is_asked in asked.items() if is_asked and is_missing(extra)]
