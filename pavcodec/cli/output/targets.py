"""What commands write to: no file is replaced unasked, and a suffix tells the format."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable

from pavcodec.cli.parsers import option_group
from pavcodec.errors import PavError, UnknownNameError
from pavcodec.formats import Format, format_of, output_format

__all__ = [
    "UsageError",
    "add_force",
    "format_of_output",
    "is_same_file",
    "outputs_of",
    "refuse_existing",
    "refuse_same_file",
    "refuse_suffix",
    "target_of",
]

_OUTPUTS = ("output", "plot", "csv", "export")
"""The options that name files to write, of all commands."""
_INPUTS = ("input", "files", "numbers", "script", "listing", "description", "keys")
"""The arguments and options that name files to read."""


class UsageError(PavError):
    """The options do not go together; the command ends with exit code 2."""


def add_force(parser: argparse.ArgumentParser) -> None:
    """Add the option that lets a command replace files."""
    option_group(parser, "output").add_argument(
        "--force", action="store_true", help="replace existing files without asking"
    )


def outputs_of(args: argparse.Namespace) -> list[str]:
    """Return the files that the options name to be written, without those that are read as well.

    Of these the command itself says what is wrong.
    """
    named = (getattr(args, option, None) for option in _OUTPUTS)
    outputs = [path for path in named if isinstance(path, str) and path != "-"]
    given = (getattr(args, option, None) for option in _INPUTS)
    inputs: list[str] = []
    for each in given:
        inputs += [each] if isinstance(each, str) else each if isinstance(each, list) else []
    return [path for path in outputs if not any(is_same_file(one, path) for one in inputs)]


def refuse_existing(paths: Iterable[str], *, force: bool) -> None:
    """Keep files from being replaced without `--force` or a yes; a terminal is asked."""
    for path in paths:
        if not force and os.path.isfile(path) and not _agrees(path):
            raise UsageError(f"{path} exists: use --force to replace it")


def _agrees(path: str) -> bool:
    """Ask a person at a terminal whether a file may be replaced."""
    streams = (sys.stdin, sys.stderr)
    if not all(stream is not None and stream.isatty() for stream in streams):
        return False
    sys.stderr.write(f"{path} exists. Replace it? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def refuse_same_file(inputs: list[str], output: str) -> None:
    """Keep an input from being replaced by what is made of it."""
    if any(is_same_file(path, output) for path in inputs):
        raise UsageError(f"{output} is read, so it cannot be written as well")


def is_same_file(path: str, output: str) -> bool:
    """Tell whether an input is the output."""
    both = "-" not in (path, output) and os.path.isfile(output) and os.path.exists(path)
    return both and os.path.samefile(path, output)


def refuse_suffix(output: str, target: Format) -> None:
    """Keep a format from a file whose suffix is not its own."""
    suffix = os.path.splitext(output)[1].lower()
    if output != "-" and suffix and suffix not in target.suffixes:
        listed = " or ".join(target.suffixes)
        raise UsageError(f"{output}: what is written is {target.name}, with the suffix {listed}")


def format_of_output(output: str) -> Format | None:
    """Return the format of an output's suffix; None for the screen and for a name without suffix.

    Raises `UnknownNameError` for a suffix that no format has.
    """
    suffix = os.path.splitext(output)[1]
    if output == "-" or not suffix:
        return None
    try:
        return output_format(output, None)
    except UnknownNameError:
        raise UnknownNameError(
            f"{output}: no format has the suffix {suffix!r}: name the format with --to, or use a "
            "suffix that 'pavcodec formats' lists"
        ) from None


def target_of(name: str | None, output: str, default: str = "lines") -> Format:
    """Return the format to write in: the one named, that of the output's suffix, or the default."""
    return format_of(name) if name else format_of_output(output) or format_of(default)
