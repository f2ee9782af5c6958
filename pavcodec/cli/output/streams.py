"""Lines on the error stream, in colour on a screen, and the extras that a command line needs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress

from pavcodec.cards import SUIT_SYMBOLS, Suit
from pavcodec.errors import is_missing
from pavcodec.formats.registry import FORMATS, format_by_suffix
from pavcodec.questions.asking import QuestionError

_INPUTS = ("input", "files", "script", "listing", "description", "key_file")
"""The arguments and options of all commands that name files to read."""


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


def _values(args: argparse.Namespace, options: Iterable[str]) -> Iterator[str]:
    """Yield the texts of options and arguments, of which some have several."""
    for option in options:
        each = getattr(args, option, None)
        yield from [each] if isinstance(each, str) else each if isinstance(each, list) else []


def missing_packages(args: argparse.Namespace) -> list[str]:
    """Return what a command line asks for and needs a package that is not installed."""
    formats = [*map(format_by_suffix, _values(args, (*_INPUTS, "output")))]
    formats += [FORMATS.get(name.split(":")[0]) for name in _values(args, ("to", "from_format"))]
    asked = {
        "cluster": bool(getattr(args, "scheduler", None)),
        "tricks": args.command == "solve" or getattr(args, "solve", False),
        **dict.fromkeys(sorted({each.needs for each in formats if each is not None}), True),
        "plot": bool(getattr(args, "plot", None)),
    }
    return [need for need, is_asked in asked.items() if need and is_asked and is_missing(need)]
