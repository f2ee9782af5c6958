"""Files of records: any one of them at once, or all in turn."""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import BinaryIO, Generic, Self, SupportsIndex, cast, overload

from pavcodec.errors import RecordError
from pavcodec.records.record import Buffer, Record, Value

__all__ = ["RecordFile", "read_records", "split_records"]

_AT_ONCE = 1 << 14
"""The records that are read at a time."""


def split_records(
    record: Record[Value], stream: BinaryIO, report: Callable[[RecordError], None]
) -> Iterator[tuple[int, bytes]]:
    """Yield (index, bytes) of the records of a stream; report one that is cut off at the end."""
    read = getattr(stream, "read1", stream.read)
    size = record.size
    index, rest = 0, b""
    while block := read(_AT_ONCE * size):
        data = rest + block
        whole = len(data) - len(data) % size
        for start in range(0, whole, size):
            yield index, data[start : start + size]
            index += 1
        rest = data[whole:]
    if rest:
        report(_cut_off(record, len(rest), index))


def read_records(
    record: Record[Value], stream: BinaryIO, report: Callable[[RecordError], None]
) -> Iterator[tuple[int, Value]]:
    """Yield (index, value) of the records of a stream, the quick way.

    `report` is called for each record that is none, and for one that is cut off at the end; the
    records before and after it are still read.
    """
    for index, data in split_records(record, stream, report):
        try:
            value = record.parse_quickly(data)
        except RecordError as error:
            report(error.at(index, index * record.size))
        else:
            yield index, value


def _cut_off(record: Record[Value], size: int, index: int) -> RecordError:
    reason = f"the file ends after {size} of {record.size} bytes"
    return RecordError(record.name, reason, index, index * record.size)


class RecordFile(Sequence[Value], Generic[Value]):
    """The records of a file as a sequence over a memory map; made by `pavcodec.open_records(path)`.

    Indexes may be negative, and slices are views that read nothing until they are asked. `len` is
    the number of whole records; going through all of them raises `RecordError` at the end of a file
    that is cut off. Used in a `with` block, it closes the file.

    >>> import tempfile, pathlib
    >>> from pavcodec import open_records, record
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "three.deal12"
    >>> size = path.write_bytes(record("deal12").build_many([10, 11, 12]))
    >>> with open_records(path) as numbers:
    ...     len(numbers), numbers[-1], list(numbers[::2])
    (3, 12, [10, 12])
    """

    def __init__(self, record: Record[Value], data: Buffer | mmap.mmap) -> None:
        self.record = record
        self._data = data
        self._indexes = range(len(data) // record.size)
        self._cut_off = len(data) % record.size

    @classmethod
    def open(cls, record: Record[Value], path: str | os.PathLike[str]) -> Self:
        """Map a file of one kind of records into memory."""
        with open(path, "rb") as file:
            empty = not os.fstat(file.fileno()).st_size
            data = b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return cls(record, data)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> RecordFile[Value]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Value | RecordFile[Value]:
        if isinstance(index, slice):
            part = object.__new__(type(self))
            part.record, part._data, part._cut_off = self.record, self._data, 0
            part._indexes = self._indexes[index]
            return part
        try:
            place = self._indexes[index]
        except IndexError:
            raise IndexError(f"{index!r} is past the end: here are {len(self)} records") from None
        return self.record.parse_at(cast("Buffer", self._data), place)

    def __len__(self) -> int:
        return len(self._indexes)

    def __iter__(self) -> Iterator[Value]:
        for place in self._indexes:
            yield self.record.parse_at(cast("Buffer", self._data), place)
        if self._cut_off:
            raise _cut_off(self.record, self._cut_off, len(self))

    def close(self) -> None:
        """Close the file; views of it cannot be read any more."""
        if isinstance(self._data, mmap.mmap):
            self._data.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{len(self)} records {self.record.name}>"
