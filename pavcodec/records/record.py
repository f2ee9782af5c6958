"""What a record is: a fixed number of bytes that hold one value.

Rule 1: the declaration (see `declarations`) says where each field lies. `parse` and `build` go
through it, one value at a time; it is the meaning of the record.
Rule 2: a record turns fields into a value and back (`_value`, `_fields`), and refuses fields that
mean nothing. A value has one form in bytes, which `build` gives.
Rule 3: the quick way (`parse_quickly`, `build_quickly`) takes the bytes as one integer, or looks
them up, and does not need construct. It gives what the declaration gives, and hands everything that
it does not know as good to the declaration, which then refuses it. Files and batches go this way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

from pavcodec.errors import RecordError

if TYPE_CHECKING:
    from pavcodec.records.declarations import BitField, Fields

__all__ = ["Buffer", "Record"]

Buffer = bytes | bytearray | memoryview
Value = TypeVar("Value")


class Record(ABC, Generic[Value]):
    """A layout of bytes for values of one kind; made by `pavcodec.record(name)`.

    Bytes are little-endian, and bits are numbered from the least significant one of the first byte.

    >>> from pavcodec import record
    >>> deal12 = record("deal12")
    >>> deal12.size, deal12.build(258).hex(), deal12.parse(bytes([2, 1] + [0] * 10))
    (12, '020100000000000000000000', 258)
    >>> list(deal12.parse_many(deal12.build_many([5, 7])))
    [5, 7]
    """

    name: str
    """What the record is called; also the format of its files, with a dot in front their suffix."""
    size: int
    """The bytes of one record."""
    summary: str
    """What one record holds, in one line."""

    def parse(self, data: Buffer) -> Value:
        """Return the value of one record; raise `RecordError` for any other bytes."""
        from pavcodec.records.declarations import fields_of

        return self._value(fields_of(self.name, self._exactly(data)))

    def build(self, value: Value) -> bytes:
        """Return the bytes of a value; raise `RecordError` for one that the record cannot hold."""
        from pavcodec.records.declarations import bytes_of

        return bytes_of(self.name, self._fields(value))

    def parse_many(self, data: Buffer) -> Iterator[Value]:
        """Yield the values of records that lie one after another, the quick way.

        A `RecordError` says which record it is about, counted from 0, and at which byte it starts.
        """
        view = memoryview(data).cast("B")
        for index in range(-(-len(view) // self.size)):
            yield self.parse_at(view, index)

    def build_many(self, values: Iterable[Value]) -> bytes:
        """Return the bytes of values one after another, the quick way."""
        return b"".join(map(self.build_quickly, values))

    def parse_at(self, data: Buffer, index: int) -> Value:
        """Return the value of one of several records, counted from 0, the quick way."""
        offset = index * self.size
        one = data[offset : offset + self.size]
        try:
            if len(one) != self.size:
                raise self._wrong_size(len(one))
            return self.parse_quickly(bytes(one))
        except RecordError as error:
            raise error.at(index, offset) from None

    @property
    def bits(self) -> list[BitField]:
        """The bit table: first and last bit, name and meaning of each field.

        >>> from pavcodec import record
        >>> [(row.first, row.last, row.name) for row in record("base5-16").bits]
        [(0, 120, 'number'), (121, 127, 'spare')]
        """
        from pavcodec.records.declarations import bit_table

        return bit_table(self.name)

    @abstractmethod
    def parse_quickly(self, data: bytes) -> Value:
        """Return the value of bytes that have the right size, as `parse` does."""

    @abstractmethod
    def build_quickly(self, value: Value) -> bytes:
        """Return the bytes of a value, as `build` does."""

    @abstractmethod
    def _value(self, fields: Fields) -> Value:
        """Return the value of fields; raise `RecordError` where they mean nothing."""

    @abstractmethod
    def _fields(self, value: Value) -> Fields:
        """Return the fields of a value; raise `RecordError` where it does not fit."""

    def _exactly(self, data: Buffer) -> bytes:
        """Return the data as bytes if they have the size of the record."""
        try:
            whole = bytes(memoryview(data))
        except TypeError:
            raise TypeError(f"a record is parsed from bytes, not {type(data).__name__!r}") from None
        if len(whole) != self.size:
            raise self._wrong_size(len(whole))
        return whole

    def _wrong_size(self, size: int) -> RecordError:
        return self.refusal(f"a record has {self.size} bytes, and here are {size}")

    def refusal(self, reason: str) -> RecordError:
        """Return the error for bytes that are no record, or a value that does not fit."""
        return RecordError(self.name, reason)

    def __repr__(self) -> str:
        return f"record({self.name!r})"
