"""Files of records: random access to a file, or all records of a stream in order."""

from __future__ import annotations

import mmap
import os
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from errno import EAGAIN
from typing import BinaryIO, Generic, NamedTuple, Protocol, Self, SupportsIndex, cast, overload

from pavcodec.cards import Seat
from pavcodec.errors import RecordError
from pavcodec.files.opening import Closing, Mapped, RangedBytes, map_bytes
from pavcodec.records.codec import Buffer, Record, Value
from pavcodec.records.fields import Fields
from pavcodec.records.kinds import MOST_WAYS

_AT_ONCE = 1 << 14
"""The number of records in one read."""


class _Sized(Protocol):
    """The properties of a record or frame that are needed to find where each one begins."""

    name: str
    size: int

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """Yield the bytes of each whole record."""


def split_records(
    record: _Sized, stream: BinaryIO, report: Callable[[RecordError], None]
) -> Iterator[tuple[int, bytes]]:
    """Yield (index, bytes) of the records of a stream; report an incomplete record at the end."""
    for index, block in record_blocks(record, stream, report):
        yield from enumerate(record.pieces(block), index)


def record_blocks(
    record: _Sized, stream: BinaryIO, report: Callable[[RecordError], None]
) -> Iterator[tuple[int, bytes]]:
    """Yield (index of the first record, bytes of whole records) in blocks; like `split_records`."""
    read = getattr(stream, "read1", stream.read)
    index, rest = 0, b""
    while block := read(_AT_ONCE * record.size):
        data = rest + block
        whole = len(data) - len(data) % record.size
        if whole:
            yield index, data[:whole]
        index += whole // record.size
        rest = data[whole:]
    if block is None:
        raise BlockingIOError(EAGAIN, "the stream has no data yet, and does not wait for it")
    if rest:
        report(_cut_off(record, len(rest), index))


def read_records(
    record: Record[Value], stream: BinaryIO, report: Callable[[RecordError], None]
) -> Iterator[tuple[int, Value]]:
    """Yield (index, value) of the records of a stream.

    Calls `report` for each invalid record, and for an incomplete record at the end. All other
    records are read.
    """
    for index, piece in split_records(record, stream, report):
        try:
            value = record.parse_at(index, piece)
        except RecordError as error:
            report(error)
        else:
            yield index, value


def _cut_off(record: _Sized, size: int, index: int) -> RecordError:
    reason = f"the file ends after {size} of {record.size} bytes"
    return RecordError(record.name, reason, index, index * record.size)


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
            raise _cut_off(self.record, self.cut_off, len(self))

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
_WORD_TYPE = next(code for code in "IL" if array(code).itemsize == _WORD_BYTES)


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
        self._total += _sum_of_words(whole[:end])
        self._rest = whole[end:]

    @property
    def value(self) -> int:
        """The sum of the bytes added so far."""
        return (self._total + int.from_bytes(self._rest, "little")) % (1 << 64)

    def __str__(self) -> str:
        return f"{self.value:X}"


def _sum_of_words(data: bytes) -> int:
    words = array(_WORD_TYPE, data)
    if sys.byteorder == "big":
        words.byteswap()
    return sum(words)


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


# The other records in a file of cases: the index entries, and the foot of the file.
#
# A block has 65,536 cases. The file has the cases as `case16` records, an entry for each block, the
# condition as text, and the foot.


CASES_IN_BLOCK = 1 << 16
MAGIC = int.from_bytes(b"PAVCASES", "little")
VERSION = 1

_NOBODY = len(Seat)


class CaseBlock(NamedTuple):
    """An index entry: the running total at the end of a block, and the CRC-32 of its bytes."""

    total: int
    checksum: int


class CaseFoot(NamedTuple):
    """The contents of the foot of a listing's file.

    `seats` are the seats of the first and the second hand; the second is None for listings of one
    hand. `text_bytes` is the length of the condition in UTF-8. `checksum` is the CRC-32 of all
    bytes from the index to the checksum itself.
    """

    seats: tuple[int, int | None]
    patterns: bool
    honours: bool
    text_bytes: int
    cases: int
    checksum: int


class CaseBlockRecord(Record[CaseBlock]):
    """An index entry of a listing's file."""

    name = "case-block"
    summary = "an entry of a listing's index: running total and checksum of 65,536 cases"

    def _value(self, fields: Fields) -> CaseBlock:
        total, checksum = fields
        if total > MOST_WAYS:
            raise self.refusal(f"a running total is 0 to {MOST_WAYS}, not {total}")
        return CaseBlock(total, checksum)

    def _fields(self, value: CaseBlock) -> Fields:
        self._parts(value, CaseBlock)
        return tuple(value)

    def __reduce__(self) -> str:
        return "CASE_BLOCK"


class CaseFootRecord(Record[CaseFoot]):
    """The foot of a listing's file."""

    name = "case-foot"
    summary = "the foot of a listing's file: hands, columns, sizes and a checksum"

    def _value(self, fields: Fields) -> CaseFoot:
        magic, version, first, second, patterns, honours, *sizes = fields
        if magic != MAGIC:
            raise self.refusal("the bytes do not begin with PAVCASES")
        if version != VERSION:
            raise self.refusal(f"the version is {version}; this program reads version {VERSION}")
        if first >= _NOBODY or second > _NOBODY or first == second:
            raise self.refusal(f"{first} and {second} are not two seats")
        if not patterns | honours:
            raise self.refusal("the listing has neither patterns nor honours")
        seats = first, None if second == _NOBODY else second
        return CaseFoot(seats, bool(patterns), bool(honours), *sizes)

    def _fields(self, value: CaseFoot) -> Fields:
        self._parts(value, CaseFoot)
        (first, second), patterns, honours, *sizes = value
        seats = first, _NOBODY if second is None else second
        return (MAGIC, VERSION, *seats, int(patterns), int(honours), *sizes)

    def __reduce__(self) -> str:
        return "CASE_FOOT"


CASE_BLOCK, CASE_FOOT = CaseBlockRecord(), CaseFootRecord()
