"""What a record is: a fixed number of bytes that hold one value.

Rule 1: a specification (see `bits`) says where each field lies. `split` and `join` go between bytes
and fields quickly, and a declaration in construct does so by definition; both come from it.
Rule 2: a record turns fields into a value and back (`_value`, `_fields`), and refuses fields that
mean nothing. A value has one form in bytes.
Rule 3: `parse` and `build` do not need construct. They give what `parse_by_declaration` and
`build_by_declaration` give, which are the meaning of a record.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from struct import iter_unpack
from typing import Generic, TypeVar

from pavcodec.errors import RecordError
from pavcodec.records.bits.compiled import compiled
from pavcodec.records.bits.fields import BitField, Fields
from pavcodec.records.bits.specifications import specification

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
    summary: str
    """What one record holds, in one line."""

    def __init__(self) -> None:
        self.specification = specification(self.name)
        """Where its fields lie."""
        self.size = self.specification.size
        """The bytes of one record."""
        # Attributes of an instance are found quicker than properties: these last until first used.
        self._split: Callable[[bytes], Fields] = self._first_split
        self._join: Callable[[Fields], bytes] = self._first_join

    def parse(self, data: Buffer) -> Value:
        """Return the value of one record; raise `RecordError` for any other bytes."""
        if type(data) is not bytes or len(data) != self.size:
            data = self._exactly(data)
        split = self._split
        return self._value(split(data))

    def build(self, value: Value) -> bytes:
        """Return the bytes of a value; raise `RecordError` for one that the record cannot hold.

        A value of another type raises `TypeError`.
        """
        join = self._join
        return join(self._fields(value))

    def parse_by_declaration(self, data: Buffer) -> Value:
        """Return what `parse` returns, field by field as declared: slower, and the definition."""
        from pavcodec.records.bits.declarations import fields_of

        return self._value(fields_of(self.name, self._exactly(data)))

    def build_by_declaration(self, value: Value) -> bytes:
        """Return what `build` returns, field by field as declared: slower, and the definition."""
        from pavcodec.records.bits.declarations import bytes_of

        return bytes_of(self.name, self._fields(value))

    def parse_many(self, data: Buffer) -> Iterator[Value]:
        """Yield the values of records that lie one after another.

        A `RecordError` says which record it is about, counted from 0, and at which byte it starts.
        """
        whole = memoryview(data).cast("B")
        end = len(whole) - len(whole) % self.size
        yield from self.parse_run(whole[:end])
        if end < len(whole):
            raise self._wrong_size(len(whole) - end).at(end // self.size, end)

    def build_many(self, values: Iterable[Value]) -> bytes:
        """Return the bytes of values one after another."""
        join, fields = compiled(self.specification).join, self._fields
        return b"".join([join(fields(value)) for value in values])

    def pieces(self, data: Buffer) -> Iterator[bytes]:
        """Yield the bytes of each of some whole records."""
        return (piece for (piece,) in iter_unpack(f"{self.size}s", data))

    def parse_run(self, data: Buffer, first: int = 0) -> Iterator[Value]:
        """Yield the values of whole records of a file, given the index of the first one."""
        split, value_of = compiled(self.specification).split, self._value
        for index, (piece,) in enumerate(iter_unpack(f"{self.size}s", data), first):
            try:
                value = value_of(split(piece))
            except RecordError as error:
                raise error.at(index, index * self.size) from None
            yield value

    def parse_at(self, index: int, data: bytes) -> Value:
        """Return the value of the bytes of one record of a file, which is named in an error."""
        split = self._split
        try:
            return self._value(split(data))
        except RecordError as error:
            raise error.at(index, index * self.size) from None

    @property
    def bits(self) -> list[BitField]:
        """The bit table: first and last bit, name and meaning of each field.

        >>> from pavcodec import record
        >>> [(row.first, row.last, row.name) for row in record("base5-16").bits]
        [(0, 120, 'number'), (121, 127, 'spare')]
        """
        return list(self.specification.table)

    @abstractmethod
    def _value(self, fields: Fields) -> Value:
        """Return the value of fields; raise `RecordError` where they mean nothing."""

    @abstractmethod
    def _fields(self, value: Value) -> Fields:
        """Return the fields of a value; raise `RecordError` where it does not fit."""

    def _first_split(self, data: bytes) -> Fields:
        self._split = compiled(self.specification).split
        return self._split(data)

    def _first_join(self, fields: Fields) -> bytes:
        self._join = compiled(self.specification).join
        return self._join(fields)

    def _exactly(self, data: Buffer) -> bytes:
        """Return the data as bytes if they have the size of the record."""
        try:
            whole = bytes(memoryview(data))
        except TypeError:
            raise TypeError(f"a record is parsed from bytes, not {type(data).__name__!r}") from None
        if len(whole) != self.size:
            raise self._wrong_size(len(whole))
        return whole

    def _parts(self, value: object, kind: type) -> None:
        """Refuse a value that is not what the record holds, a tuple with names."""
        if not isinstance(value, tuple) or len(value) != len(kind.__annotations__):
            name, found = kind.__name__, type(value).__name__
            raise TypeError(f"a {name} goes into a {self.name} record, not {found!r}")

    def _wrong_size(self, size: int) -> RecordError:
        return self.refusal(f"a record has {self.size} bytes, and here are {size}")

    def refusal(self, reason: str) -> RecordError:
        """Return the error for bytes that are no record, or a value that does not fit."""
        return RecordError(self.name, reason)

    def __repr__(self) -> str:
        return f"record({self.name!r})"
