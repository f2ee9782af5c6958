"""Files of records: random access to a file, or all records of a stream in order."""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from errno import EAGAIN
from struct import unpack
from typing import BinaryIO, Generic, Self, SupportsIndex, cast, overload

from pavcodec.errors import RecordError
from pavcodec.files.opening import Closing, Mapped, RangedBytes, map_bytes
from pavcodec.records.kinds import Buffer, Record, Value

_AT_ONCE = 1 << 14
"""The number of records in one read."""


def split_records(
    name: str, size: int, stream: BinaryIO, report: Callable[[RecordError], None]
) -> Iterator[tuple[int, bytes]]:
    """Yield (index, bytes) of the records of a stream; report an incomplete record at the end.

    `name` is the name of the record or frame in this error.
    """
    for index, block in record_blocks(name, size, stream, report):
        pieces = (block[start : start + size] for start in range(0, len(block), size))
        yield from enumerate(pieces, index)


def record_blocks(
    name: str, size: int, stream: BinaryIO, report: Callable[[RecordError], None]
) -> Iterator[tuple[int, bytes]]:
    """Yield (index of the first record, bytes of whole records) in blocks; like `split_records`."""
    read = getattr(stream, "read1", stream.read)
    index, rest = 0, b""
    while block := read(_AT_ONCE * size):
        data = rest + block
        whole = len(data) - len(data) % size
        if whole:
            yield index, data[:whole]
        index += whole // size
        rest = data[whole:]
    if block is None:
        raise BlockingIOError(EAGAIN, "the stream has no data yet, and does not wait for it")
    if rest:
        report(_cut_off(name, size, len(rest), index))


def read_records(
    record: Record[Value], stream: BinaryIO, report: Callable[[RecordError], None]
) -> Iterator[tuple[int, Value]]:
    """Yield (index, value) of the records of a stream.

    Calls `report` for each invalid record, and for an incomplete record at the end. All other
    records are read.
    """
    for index, piece in split_records(record.name, record.size, stream, report):
        try:
            value = record.parse_at(index, piece)
        except RecordError as error:
            report(error)
        else:
            yield index, value


def _cut_off(name: str, size: int, more: int, index: int) -> RecordError:
    return RecordError(name, f"the file ends after {more} of {size} bytes", index, index * size)


_CLOSABLE = (mmap.mmap, RangedBytes)


class RecordFile(Closing, Sequence[Value], Generic[Value]):
    """The records of a file as a sequence over a memory map; `pavcodec.open_records` returns it.

    Indexes may be negative. Slices are views, which read records only when they are used. `len` is
    the number of whole records, and `cut_off` the number of bytes after them. If there are such
    bytes, iteration raises `RecordError` after the last whole record. The end of a `with` block
    closes the file and all its views. The file must not become shorter while it is open.

    >>> import tempfile, pathlib
    >>> from pavcodec import open_records, record
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "three.deal12"
    >>> size = path.write_bytes(record("deal12").build_many([10, 11, 12]))
    >>> with open_records(path) as numbers:
    ...     len(numbers), numbers[-1], list(numbers[::2])
    (3, 12, [10, 12])
    """

    def __init__(self, record: Record[Value], data: Buffer | Mapped, name: str = "") -> None:
        self.record = record
        self.name = name
        self._data = data.cast("B") if isinstance(data, memoryview) else data
        self.cut_off = len(self._data) % record.size
        self._indexes = range(len(self._data) // record.size)
        self._owns = True

    @classmethod
    def open(cls, record: Record[Value], path: str | os.PathLike[str]) -> Self:
        """Map a file of records into memory; raise `ReadError` if it is not a regular file."""
        need = "records by index need a regular file; pav.read reads streams"
        return cls(record, map_bytes(path, need), os.fspath(path))

    @overload
    def __getitem__(self, index: SupportsIndex) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> RecordFile[Value]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Value | RecordFile[Value]:
        if isinstance(index, slice):
            part = copy(self)
            part._indexes = self._indexes[index]
            part.cut_off, part._owns = 0, False
            return part
        try:
            position = self._indexes[index]
        except IndexError:
            raise IndexError(f"{index!r} is past the end of a length of {len(self)}") from None
        return self._at(position)

    def __len__(self) -> int:
        return len(self._indexes)

    def __iter__(self) -> Iterator[Value]:
        if self._indexes.step == 1:
            yield from self._in_blocks()
        else:
            yield from map(self._at, self._indexes)
        if self.cut_off:
            raise _cut_off(self.record.name, self.record.size, self.cut_off, len(self))

    def _in_blocks(self) -> Iterator[Value]:
        """Yield the values of consecutive indexes; each read returns many records."""
        size = self.record.size
        for start in range(self._indexes.start, self._indexes.stop, _AT_ONCE):
            stop = min(start + _AT_ONCE, self._indexes.stop)
            yield from self.record.parse_run(self._bytes[start * size : stop * size], start)

    def _at(self, index: int) -> Value:
        size = self.record.size
        return self.record.parse_at(index, bytes(self._bytes[index * size : (index + 1) * size]))

    @property
    def _bytes(self) -> Buffer:
        """The bytes of the file; raises `ValueError` if the file is closed."""
        if isinstance(self._data, _CLOSABLE) and self._data.closed:
            raise ValueError(f"the file of records {self.name!r} is closed")
        return cast("Buffer", self._data)

    def close(self) -> None:
        """Close the file and all its views; `close` of a view does nothing."""
        if self._owns and isinstance(self._data, _CLOSABLE):
            self._data.close()

    def __repr__(self) -> str:
        return f"<{len(self)} records {self.record.name}>"


_WORD_BYTES = 4


class Checksum:
    """The sum of a file's 32-bit words in 64 bits, as Pavlicek publishes it with his files.

    Words are little-endian. Zero bytes complete an incomplete last word.

    >>> total = Checksum()
    >>> total.update(bytes([1, 0, 0, 0, 2]))
    >>> total.value, str(total)
    (3, '3')
    """

    def __init__(self) -> None:
        self.bytes = 0
        self._total = 0
        self._rest = b""

    def update(self, data: Buffer) -> None:
        """Add the next bytes of the file."""
        more = bytes(data)
        self.bytes += len(more)
        whole = self._rest + more
        end = len(whole) - len(whole) % _WORD_BYTES
        self._total += sum(unpack(f"<{end // _WORD_BYTES}I", whole[:end]))
        self._rest = whole[end:]

    @property
    def value(self) -> int:
        """The sum of the bytes added so far."""
        return (self._total + int.from_bytes(self._rest, "little")) % (1 << 64)

    def __str__(self) -> str:
        return f"{self.value:X}"


class SummedStream:
    """A stream that adds all bytes read from it or written to it to a checksum."""

    def __init__(self, stream: BinaryIO) -> None:
        self.checksum = Checksum()
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        """Read at most `size` bytes from the stream; fewer bytes may be available."""
        read = getattr(self._stream, "read1", self._stream.read)
        data: bytes = read(size)
        self.checksum.update(data)
        return data

    def write(self, data: Buffer) -> int:
        """Write bytes to the stream; return the number of bytes written."""
        self.checksum.update(data)
        return self._stream.write(data)
