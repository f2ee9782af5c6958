"""The base class of records: a fixed number of bytes that hold one value.

Rule 1: A specification (see `fields`) defines the position of each field. `split` and `join`
convert between bytes and fields fast, and a declaration in construct does so by definition. Both
are derived from the specification.
Rule 2: A record converts fields to a value and back (`_value`, `_fields`), and rejects fields
without a meaning. Each value has exactly one form in bytes.
Rule 3: `parse` and `build` do not need construct. They return the same results as
`parse_by_declaration` and `build_by_declaration`, which are the definition of a record.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from binascii import hexlify
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from struct import iter_unpack
from typing import Any, Generic, NamedTuple, TypeVar

from pavcodec.errors import RecordError
from pavcodec.records.fields import BitField, Digits, Fields, Position, Specification, specification

# Fast conversion between the bytes of a record and its fields, generated from its specification.
#
# At the first use of a record, `split` and `join` are generated as Python source and compiled, as
# dataclasses do with their methods. A loop over the fields would halve the speed of the records of
# numbers. A number is a shift and a mask of the bytes as one integer. Consecutive small numbers are
# digits in base 4, 8 or 16: a table of all bytes gives base 4, Python formats the other bases, and
# `int` reads all three. This is the fastest conversion between 52 small numbers and their bytes.
# Fields that do not fit go to the declaration, which raises the error.


_FOURS = tuple(bytes(byte >> first & 3 for first in range(0, 8, 2)) for byte in range(256))
_FROM_TEXT = bytes.maketrans(b"0123456789abcdef", bytes(range(16)))
_TO_TEXT = bytes.maketrans(bytes(range(256)), b"0123456789abcdef" + b"?" * 240)

_WHOLE = """
    whole = from_bytes(data, "little")"""
_CHECK = """
    if whole & {reserved}:
        raise refusal()"""
_SOURCE = """
def split(data):{whole}{check}
    return {taken},

def join(fields):
    try:
        {values}, = fields
        if {fits}:
            return ({put}).to_bytes({size}, "little")
    except (OverflowError, TypeError, ValueError):
        pass
    return by_declaration(fields)
"""


class Compiled(NamedTuple):
    """The functions from bytes of the right size to fields, and back; both raise `RecordError`.

    `split` rejects reserved bits that are not 0, and `join` rejects numbers that do not fit.
    """

    split: Callable[[bytes], Fields]
    join: Callable[[Fields], bytes]


@cache
def compiled(made: Specification) -> Compiled:
    r"""Return `split` and `join` of a specification.

    >>> from pavcodec.records.fields import Field
    >>> split, join = compiled(Specification("example", Field("board", 5, "0 to 31"),
    ...     Field.zero(3), Field("owners", 2, "two bits a card", times=4)))
    >>> split(bytes([19, 0b11100100])), join((19, bytes([3, 2, 1, 0]))).hex()
    ((19, b'\x00\x01\x02\x03'), '131b')
    """

    def by_declaration(fields: Fields) -> bytes:
        from pavcodec.records.declarations import bytes_of

        return bytes_of(made.name, fields)

    namespace: dict[str, Any] = {
        "FOURS": _FOURS,
        "FROM_TEXT": _FROM_TEXT,
        "TO_TEXT": _TO_TEXT,
        "by_declaration": by_declaration,
        "from_bytes": int.from_bytes,
        "hexlify": hexlify,
        "refusal": made.refusal,
    }
    exec(_source(made), namespace)  # noqa: S102 (only numbers of the specification are in it)
    return Compiled(namespace["split"], namespace["join"])


def _source(made: Specification) -> str:
    """Return the Python source of `split` and `join`."""
    positions = made.places
    named = [(position, f"value{index}") for index, position in enumerate(positions)]
    needs_whole = made.reserved or not all(isinstance(position, Digits) for position in positions)
    return _SOURCE.format(
        whole=_WHOLE if needs_whole else "",
        check=_CHECK.format(reserved=made.reserved) if made.reserved else "",
        taken=", ".join(
            _taken(position, is_last=position is positions[-1]) for position in positions
        ),
        values=", ".join(name for _, name in named),
        fits=" and ".join(_fits(position, name, made.size) for position, name in named),
        put=" | ".join(_put(position, name) for position, name in named),
        size=made.size,
    )


def _taken(position: Position, *, is_last: bool) -> str:
    """Return the source of an expression for a value in `data` or `whole`."""
    if not isinstance(position, Digits):
        shifted = f"whole >> {position.first}" if position.first else "whole"
        return shifted if is_last else f"{shifted} & {(1 << position.bits) - 1}"
    data, count = f"data[{position.bytes.start}:{position.bytes.stop}]", position.spans[-1].stop
    digits = {
        2: f"b''.join([FOURS[byte] for byte in {data}])",
        3: f"(b'%0{count}o' % from_bytes({data}, 'little'))[::-1].translate(FROM_TEXT)",
        4: f"hexlify({data}[::-1])[::-1].translate(FROM_TEXT)",
    }[position.bits]
    if position.end % 8:
        digits += f"[:{count}]"
    first, *others = position.runs
    if not others:
        return digits
    more = ", ".join(f"digits[{run.start}:{run.stop}]" for run in others)
    return f"b''.join(((digits := {digits})[:{first.stop}], {more}))"


def _put(position: Position, value: str) -> str:
    """Return the source of an expression for the bits of a value."""
    if isinstance(position, Digits):
        parts, begin, end = [], 0, 0
        for run in position.runs:
            parts += [repr(bytes(run.start - end)), f"{value}[{begin}:{begin + len(run)}]"]
            begin, end = begin + len(run), run.stop
        digits = f"b''.join(({', '.join(parts)}))" if len(parts) > 2 else value
        value = f"int({digits}[::-1].translate(TO_TEXT), {1 << position.bits})"
    return f"{value} << {position.first}" if position.first else value


def _fits(position: Position, value: str, size: int) -> str:
    """Return the source of the condition that a value fits at its position.

    Bits above the last bit of the record and negative numbers need no condition: `to_bytes` raises
    an error for both.
    """
    if isinstance(position, Digits):
        return f"len({value}) == {position.used}"
    return f"{value} < {1 << position.bits}" if position.end < 8 * size else "True"


Buffer = bytes | bytearray | memoryview
Value = TypeVar("Value")


class Record(ABC, Generic[Value]):
    """A record: a fixed number of bytes for values of one kind; `pavcodec.record(name)` returns it.

    Bytes are little-endian. Bit 0 is the least significant bit of the first byte.

    >>> from pavcodec import record
    >>> deal12 = record("deal12")
    >>> deal12.size, deal12.build(258).hex(), deal12.parse(bytes([2, 1] + [0] * 10))
    (12, '020100000000000000000000', 258)
    >>> list(deal12.parse_many(deal12.build_many([5, 7])))
    [5, 7]
    """

    name: str
    """The name of the record. It is also its file format and, after a dot, the file suffix."""
    summary: str
    """The contents of one record, in one line."""

    def __init__(self) -> None:
        self.specification = specification(self.name)
        """The positions of the fields."""
        self.size = self.specification.size
        """The size of one record in bytes."""
        # Python finds attributes of an instance faster than properties; the first calls set these.
        self._split: Callable[[bytes], Fields] = self._first_split
        self._join: Callable[[Fields], bytes] = self._first_join

    def parse(self, data: Buffer) -> Value:
        """Return the value of one record; raise `RecordError` for invalid bytes."""
        if type(data) is not bytes or len(data) != self.size:
            data = self._exactly(data)
        split = self._split
        return self._value(split(data))

    def build(self, value: Value) -> bytes:
        """Return the bytes of a value; raise `RecordError` for a value that does not fit.

        Raises `TypeError` for a value of another type.
        """
        join = self._join
        return join(self._fields(value))

    def parse_by_declaration(self, data: Buffer) -> Value:
        """Return the same as `parse`, by the declaration in construct: slow, and the definition."""
        from pavcodec.records.declarations import fields_of

        return self._value(fields_of(self.name, self._exactly(data)))

    def build_by_declaration(self, value: Value) -> bytes:
        """Return the same as `build`, by the declaration in construct: slow, and the definition."""
        from pavcodec.records.declarations import bytes_of

        return bytes_of(self.name, self._fields(value))

    def parse_many(self, data: Buffer) -> Iterator[Value]:
        """Yield the values of consecutive records.

        A `RecordError` contains the index of the record, from 0, and the offset of its first byte.
        """
        whole = memoryview(data).cast("B")
        end = len(whole) - len(whole) % self.size
        yield from self.parse_run(whole[:end])
        if end < len(whole):
            raise self._wrong_size(len(whole) - end).at(end // self.size, end)

    def build_many(self, values: Iterable[Value]) -> bytes:
        """Return the bytes of values as consecutive records."""
        join, fields = compiled(self.specification).join, self._fields
        return b"".join([join(fields(value)) for value in values])

    def pieces(self, data: Buffer) -> Iterator[bytes]:
        """Return an iterator over the bytes of whole records, or raise `RecordError`."""
        return (piece for (piece,) in self._unpacked(data))

    def parse_run(self, data: Buffer, first: int = 0) -> Iterator[Value]:
        """Yield the values of whole records of a file; `first` is the index of the first record."""
        split, value_of = compiled(self.specification).split, self._value
        for index, (piece,) in enumerate(self._unpacked(data), first):
            try:
                value = value_of(split(piece))
            except RecordError as error:
                raise error.at(index, index * self.size) from None
            yield value

    def parse_at(self, index: int, data: bytes) -> Value:
        """Return the value of one record of a file; an error contains its index and offset."""
        split = self._split
        try:
            return self._value(split(data))
        except RecordError as error:
            raise error.at(index, index * self.size) from None

    @property
    def bits(self) -> list[BitField]:
        """The bit table: first bit, last bit, name and meaning of each field.

        >>> from pavcodec import record
        >>> [(row.first, row.last, row.name) for row in record("base5-16").bits]
        [(0, 120, 'number'), (121, 127, 'spare')]
        """
        return list(self.specification.table)

    @abstractmethod
    def _value(self, fields: Fields) -> Value:
        """Return the value of fields; raise `RecordError` if they have no meaning."""

    @abstractmethod
    def _fields(self, value: Value) -> Fields:
        """Return the fields of a value; raise `RecordError` if the value does not fit."""

    def _first_split(self, data: bytes) -> Fields:
        self._split = compiled(self.specification).split
        return self._split(data)

    def _first_join(self, fields: Fields) -> bytes:
        self._join = compiled(self.specification).join
        return self._join(fields)

    def _exactly(self, data: Buffer) -> bytes:
        """Return the data as bytes; raise `RecordError` if they have another size."""
        try:
            whole = bytes(memoryview(data))
        except TypeError:
            raise TypeError(f"a record is parsed from bytes, not {type(data).__name__!r}") from None
        if len(whole) != self.size:
            raise self._wrong_size(len(whole))
        return whole

    def _unpacked(self, data: Buffer) -> Iterator[tuple[bytes]]:
        """Return an iterator over whole records, each of them in a tuple."""
        whole = memoryview(data).cast("B")
        count, more = divmod(len(whole), self.size)
        if more:
            raise self._wrong_size(more).at(count, count * self.size)
        return iter_unpack(f"{self.size}s", whole)

    def _parts(self, value: object, kind: type) -> None:
        """Raise `TypeError` if a value is not a tuple with the fields of `kind`."""
        if not isinstance(value, tuple) or len(value) != len(kind.__annotations__):
            name, given = kind.__name__, type(value).__name__
            raise TypeError(f"a {self.name} record holds a {name}, not {given!r}")

    def _wrong_size(self, size: int) -> RecordError:
        return self.refusal(f"a record has {self.size} bytes, not {size}")

    def refusal(self, reason: str) -> RecordError:
        """Return the error for bytes that are not a valid record or a value that does not fit."""
        return RecordError(self.name, reason)

    def __repr__(self) -> str:
        return f"record({self.name!r})"
