"""Output files: checks before a file is replaced, and the format that belongs to a suffix."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from pavcodec.cli.parsers import option_group
from pavcodec.errors import PavError, UnknownNameError, is_missing
from pavcodec.files.compressed import ZIP, Decompressed, compressed, split_suffix, spool
from pavcodec.files.opening import exists, open_output
from pavcodec.files.paths import local_path, shown_path
from pavcodec.formats import Format, format_of, output_format
from pavcodec.formats.registry import format_by_suffix
from pavcodec.records import record, record_names

_OUTPUTS = ("output", "plot", "csv", "export")
"""The options of all commands that name files to write."""
_INPUTS = ("input", "files", "numbers", "script", "listing", "description", "key_file")
"""The arguments and options of all commands that name files to read."""

_TEXT_COMMANDS = ("encode", "odds", "stats", "squaredeal verify")
"""Commands that write text or JSON to their output, and no format of boards."""
_JSON_COMMANDS = (
    "deal", "grep", "get", "show", "bigdeal", "decode", "ending", "practice",
    "squaredeal deal",
)  # fmt: skip
"""Commands that write JSON instead of boards with `--json`."""
_TEXT_SUFFIXES = (
    ".txt", ".text", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".md", ".log", ".out", ".lst",
    ".numbers", ".lines",
)  # fmt: skip
"""The suffixes of text that belongs to no format of boards, or to one of plain lines."""


class UsageError(PavError):
    """The arguments or options cannot be used so; the command ends with exit code 2."""


def add_force(parser: argparse.ArgumentParser) -> None:
    """Add the option that lets a command replace files."""
    option_group(parser, "output").add_argument(
        "--force", action="store_true", help="replace existing files without asking"
    )


def add_append(parser: argparse.ArgumentParser) -> None:
    """Add the option that lets a command add boards to a file."""
    option_group(parser, "output").add_argument(
        "--append", action="store_true", help="add the boards to the end of an existing file"
    )


def plot_kind(args: argparse.Namespace) -> str:
    """Return the kind of picture that `--plot` draws; an empty text without the option."""
    kind: str = args.plot.rpartition(".")[2].lower() if args.plot else ""
    if kind and kind not in {"png", "svg", "pdf"}:
        raise UsageError(f"--plot draws .png, .svg or .pdf, not {args.plot!r}")
    return kind


def check_outputs(args: argparse.Namespace) -> None:
    """Raise `UsageError` if an output of a command may not be written.

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
    command = f"{args.command} {getattr(args, 'action', '')}".strip()
    counts = command == "grep" and args.count
    prints_json = command in _JSON_COMMANDS and args.json and not is_of_parts(args)
    return command in _TEXT_COMMANDS or counts or prints_json


def is_of_parts(args: argparse.Namespace) -> bool:
    """Return whether the output of a command is the folder of a collection."""
    options = (getattr(args, option, None) for option in ("parts", "only"))
    return any(option is not None for option in options) or os.path.isdir(args.output)


def refuse_text_suffix(path: str, *, or_boards: bool = False) -> None:
    """Raise `UsageError` if the suffix of an output says that it is no text.

    With `or_boards`, the text may be that of boards, so suffixes of all formats of text are good.

    >>> refuse_text_suffix("odds.csv.gz")
    >>> refuse_text_suffix("odds.pdf")
    Traceback (most recent call last):
      ...
    pavcodec.cli.output.targets.UsageError: odds.pdf: the output is text: use a suffix such as .txt
    """
    suffix = os.path.splitext(split_suffix(path)[0])[1].lower()
    known = format_by_suffix(path) if or_boards else None
    is_text = suffix in _TEXT_SUFFIXES or (known is not None and known.is_text)
    if path != "-" and suffix and not is_text:
        raise UsageError(f"{path}: the output is text: use a suffix such as .txt")


def _values(args: argparse.Namespace, options: Iterable[str]) -> Iterator[str]:
    """Yield the texts of options and arguments, of which some have several."""
    for option in options:
        each = getattr(args, option, None)
        yield from [each] if isinstance(each, str) else each if isinstance(each, list) else []


def missing_extras(args: argparse.Namespace) -> list[str]:
    """Return the extras of packages that a command line asks for, and that are not installed."""
    files = filter(None, map(format_by_suffix, _values(args, (*_INPUTS, "output"))))
    formats = {name.split(":")[0] for name in _values(args, ("to_format", "from_format"))}
    formats |= {each.name for each in files}
    asked = {
        "cluster": bool(getattr(args, "scheduler", None)),
        "double-dummy": args.command == "solve" or getattr(args, "solve", False),
        "parquet": "parquet" in formats,
        "pdf": "pdf" in formats,
        "plots": bool(getattr(args, "plot", None)),
    }
    return [extra for extra, is_asked in asked.items() if is_asked and is_missing(extra)]


def refuse_existing(paths: Iterable[str], *, force: bool) -> None:
    """Raise `UsageError` if a file exists, unless `force` is true or the user agrees.

    The user is only asked at a terminal.
    """
    for path in paths:
        if not force and exists(path) and not _agrees(path):
            raise UsageError(f"{shown_path(path)} exists: use --force to replace it")


def _agrees(path: str) -> bool:
    """Ask the user whether to replace a file; return False if there is no terminal."""
    streams = (sys.stdin, sys.stderr)
    if not all(stream is not None and stream.isatty() for stream in streams):
        return False
    sys.stderr.write(f"{shown_path(path)} exists. Replace it? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def refuse_same_file(inputs: list[str], output: str) -> None:
    """Raise `UsageError` if the output is one of the inputs."""
    if any(is_same_file(path, output) for path in inputs):
        raise UsageError(f"{output} is an input, so it cannot be the output")


def is_same_file(path: str, output: str) -> bool:
    """Return whether an input and an output are the same existing file."""
    here, there = local_path(path), local_path(output)
    if here is None or there is None:
        return path == output
    both = "-" not in (path, output) and os.path.isfile(there) and os.path.exists(here)
    return both and os.path.samefile(here, there)


def refuse_suffix(output: str, target: Format) -> None:
    """Raise `UsageError` if an output has a suffix of another format than `target`."""
    suffix = os.path.splitext(output)[1].lower()
    if output != "-" and suffix and suffix not in target.suffixes:
        listed = " or ".join(target.suffixes)
        raise UsageError(f"{output}: the output is {target.name}, with the suffix {listed}")


def format_of_output(output: str) -> Format | None:
    """Return the format of an output's suffix.

    Returns None for the standard output and for a name without a suffix. Raises `UnknownNameError`
    for a suffix that no format has, and for a compressed file without a suffix of a format.
    """
    plain, packed = split_suffix(output)
    suffix = os.path.splitext(plain)[1]
    if output == "-" or not (suffix or packed):
        return None
    try:
        return output_format(output, None)
    except UnknownNameError:
        if not suffix:
            raise UnknownNameError(
                f"{output}: the name shows no format: name the format with --to, or use a name "
                f"such as {plain}.pbn{packed}"
            ) from None
        raise UnknownNameError(
            f"{output}: no format has the suffix {suffix!r}: name the format with --to, or use a "
            "suffix that 'pavcodec formats' lists"
        ) from None


def target_of(name: str | None, output: str, default: str = "lines") -> Format:
    """Return the format of the output: by its name, by the suffix of `output`, or the default.

    A name may end in the suffix of compressed files that the output has, as in `pbn.zst`.
    """
    if not name:
        return format_of_output(output) or format_of(default)
    plain, packed = split_suffix(name)
    if packed and split_suffix(output)[1] != packed:
        raise UsageError(f"--to {name}: the suffix of -o compresses a file: name it …{packed}")
    return format_of(plain)


# Boards at the end of existing files: the formats that allow it, and the reasons of the others.
#
# A file that grows is complete or unchanged: the old bytes are copied to a new file, which replaces
# the old one at the end.


_NUMBERED = "its boards depend on each other"
_WHOLE = "a file of it is one whole"
NOT_GROWING = {
    "pav": "'pavcodec append' adds boards to an archive",
    "npy": "its header has the number of rows",
    "parquet": "its tables end with an index",
    "json": "its boards are one list; use jsonl",
    "endplay-json": _WHOLE,
    "dlm": _NUMBERED,
    "dup": _NUMBERED,
    "bhg": _NUMBERED,
    "rzd": _NUMBERED,
    "html": _WHOLE,
    "pdf": _WHOLE,
    "svg": _WHOLE,
}
"""The formats whose files cannot grow, with the reasons."""
_APART = ("pbn", "rbn")
"""Formats with an empty line between boards."""
_LINES = (
    "lines", "numbers", "lin", "rbx", "jsonl", "csv", "handviewer", "dealer", "dealer-compact",
    "dealer-all", "deal-lines", "deal-digits", "deal-ddline", "gib", "dds", "ben", "diagram",
    "goe", "bba", "kops", "saycbridge", "saycbridge-old", "ww-deal", "bridge-deal", "njhammond-16",
    "njhammond-64",
)  # fmt: skip
_RECORDS = (
    "deal12", "balanced14", "ending15", "legal14", "base5-16", "deal13", "layout20", "zbs", "zrd",
    "zdd", "gib-library", "bri", "dge", "ber", "cds", "hrf",
)  # fmt: skip
GROWING = (*_APART, *_LINES, *_RECORDS)
"""The formats whose files can grow."""
_HEADERS = {"pbn": b"% PBN 2.1\r\n% EXPORT\r\n"}
"""The lines that a file has only at its start."""


def refuse_append(target: Format | None, path: str) -> None:
    """Raise `UsageError` if boards cannot be added to a file of this format."""
    if path == "-":
        raise UsageError("--append adds to a file: name it with -o")
    if target is None:
        raise UsageError("--append adds boards to a file of a format, and no other text")
    if target.name not in GROWING:
        reason = NOT_GROWING.get(target.name, _WHOLE)
        raise UsageError(f"{path}: boards cannot be added to a file of {target.name}: {reason}")
    if local_path(path) is None:
        raise UsageError(f"{shown_path(path)}: an object of a store cannot grow: write a new one")
    if split_suffix(path)[1] == ZIP:
        raise UsageError(f"{path}: boards cannot be added to a zip file")


@contextmanager
def open_appended(path: str, target: Format) -> Iterator[BinaryIO]:
    """Open a file of a format for writing at its end; it is complete or unchanged.

    A file that does not exist is made, with the header of the format.
    """
    is_old = os.path.isfile(path) and os.path.getsize(path) > 0
    between = _between(path, target) if is_old else b""
    with open_output(path) as stream:
        if is_old:
            with open(path, "rb") as old:
                shutil.copyfileobj(old, stream)
        with compressed(stream, path) as out:
            if not is_old:
                yield out
                return
            with spool(path) as added:  # a seek to the start of the new part
                yield added
                added.seek(0)
                header = _HEADERS.get(target.name, b"")
                if added.read(len(header)) != header:
                    added.seek(0)
                out.write(between)
                shutil.copyfileobj(added, out)


def _between(path: str, target: Format) -> bytes:
    """Return the line ends that are missing at the end of an old file.

    Raises `UsageError` for records where the old file does not consist of whole ones.
    """
    if target.name in _RECORDS:
        _check_size(path, target)
        return b""
    end = _last_bytes(path)
    needed = b"\r\n" if b"\r\n" in end else b"\n"
    between = b"" if end.endswith((b"\n", b"\r")) else needed
    if target.name in _APART and not end.replace(b"\r", b"").endswith(b"\n\n"):
        between += needed
    return between


def _check_size(path: str, target: Format) -> None:
    """Raise `UsageError` for an old file with a part of a record at its end."""
    name = "zbs-word" if target.name == "zbs" else target.name
    if name not in record_names() or split_suffix(path)[1]:
        return
    size, each = os.path.getsize(path), record(name).size
    if size % each:
        raise UsageError(
            f"{path}: its {size:,} bytes are not whole records of {each}, so nothing is added"
        )


def _last_bytes(path: str) -> bytes:
    """Return the last bytes of a file, decompressed."""
    suffix = split_suffix(path)[1]
    with open(path, "rb") as stream:
        if not suffix:
            stream.seek(max(0, os.path.getsize(path) - 4))
            return stream.read()
        end, more = b"", b" "
        whole = Decompressed(cast("BinaryIO", stream), suffix, path)
        while more:
            more = whole.read(1 << 20)
            end = (end + more)[-4:]
        return end
