"""Boards at the end of existing files: the formats that allow it, and the reasons of the others.

A file that grows is complete or unchanged: the old bytes are copied to a new file, which replaces
the old one at the end.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from pavcodec.cli.output.targets import UsageError
from pavcodec.files.compressed import ZIP, Decompressed, compressed, split_suffix, spool
from pavcodec.files.output import open_output
from pavcodec.files.stores.urls import local_path, shown_path
from pavcodec.formats import Format
from pavcodec.records import record, record_names

__all__ = ["GROWING", "NOT_GROWING", "open_appended", "refuse_append"]

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
