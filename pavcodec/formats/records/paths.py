"""Files of records by path: sequences to read, streams to write."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, BinaryIO

from pavcodec.errors import RecordError, UnknownNameError
from pavcodec.files.output import open_output
from pavcodec.records import Record, RecordFile, record, record_names

__all__ = ["open_records", "write_records"]

_BY_SUFFIX = {f".{name}": name for name in record_names()} | {".zbs": "zbs-word"}
"""A file of ZBS consists of words: diagrams of four words, and single suits."""


def open_records(path: str | os.PathLike[str], *, record: str | None = None) -> RecordFile[Any]:
    """Open a file of records as a sequence of their values, over a memory map.

    `record` is the name of the record; the default is that of the suffix. Values are read when a
    caller needs them; a wrong record then raises `RecordError` with its index and byte.

    >>> import tempfile, os
    >>> from pavcodec import numbering, write_records
    >>> path = os.path.join(tempfile.mkdtemp(), "deals.deal13")
    >>> write_records(numbering("deal")[:3], path)
    3
    >>> with open_records(path) as deals:
    ...     deals[-1] == numbering("deal")[2], len(deals[1:])
    (True, 2)
    """
    return RecordFile.open(_record_of(os.fspath(path), record), path)


def write_records(
    values: Iterable[Any], target: str | os.PathLike[str] | BinaryIO, *, record: str | None = None
) -> int:
    """Write the records of values to a file or a binary stream; return how many there were.

    `record` is the name of the record; the default is that of the suffix. A file is complete or
    absent. Raises `RecordError` for a value that the record cannot hold.
    """
    if isinstance(target, str | os.PathLike):
        chosen = _record_of(os.fspath(target), record)
        with open_output(target) as stream:
            return _write(chosen, values, stream)
    return _write(_record_of("the stream", record), values, target)


def _write(chosen: Record[Any], values: Iterable[Any], stream: BinaryIO) -> int:
    done = 0
    for value in values:
        try:
            stream.write(chosen.build(value))
        except RecordError as error:
            raise error.at(done, done * chosen.size) from None
        done += 1
    return done


def _record_of(path: str, name: str | None) -> Record[Any]:
    """Return the record of a name, or of the path's suffix."""
    suffix = os.path.splitext(path)[1].lower()
    if name is None and suffix not in _BY_SUFFIX:
        suffixes = " ".join(_BY_SUFFIX)
        raise UnknownNameError(
            f"{path!r} does not name its record: give its name ({', '.join(record_names())}), "
            f"or use a suffix ({suffixes})"
        )
    return record(name if name is not None else _BY_SUFFIX[suffix])
