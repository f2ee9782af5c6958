"""The specification of a record: its fields bit by bit, and the tables derived from it.

A specification lists the fields of a record from bit 0 up, without gaps. A record is little-endian:
bit 0 is the least significant bit of its first byte. Everything else is derived from this list: the
bit table (here), the declaration in construct (`declarations`), the fast conversion between bytes
and fields (`compiled`), and arrays of many records (`arrays`).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from pavcodec.errors import RecordError

__all__ = ["BitField", "Digits", "Field", "Fields", "Number", "Place", "Specification"]

Fields = tuple[Any, ...]
"""The values of a record from bit 0 up: an `int` for a number, `bytes` for small numbers.

Reserved bits have no value. Consecutive fields of small numbers of the same width are one `bytes`;
reserved bits may lie between them if their number is a multiple of this width.
"""

_RESERVED = "reserved"
_BYTE = 8


class Field(NamedTuple):
    """A row of a specification: a number, some small numbers, or reserved bits.

    `times` is 0 for a number, which may have any width. Small numbers have 2, 3 or 4 bits each, the
    first one in the lowest bits, and start at a byte.
    """

    name: str
    bits: int
    meaning: str
    times: int = 0

    @classmethod
    def zero(cls, bits: int) -> Field:
        """Return a field of reserved bits, which must be 0."""
        return cls(_RESERVED, bits, "must be 0")

    @property
    def width(self) -> int:
        """The number of bits of the whole field."""
        return self.bits * max(self.times, 1)

    @property
    def is_reserved(self) -> bool:
        """Whether the bits must be 0."""
        return self.name == _RESERVED


class BitField(NamedTuple):
    """A row of a bit table: bits `first` to `last`, a name, and a meaning."""

    first: int
    last: int
    name: str
    meaning: str


class Number(NamedTuple):
    """The position of a number: its first bit and its width."""

    first: int
    bits: int

    @property
    def end(self) -> int:
        """The bit after the last bit."""
        return self.first + self.bits


class Digits(NamedTuple):
    """The position of small numbers: their first bit, the width of each, and the fields' spans.

    A span is a range of digits, counted from the first digit. Reserved bits lie between spans that
    are not adjacent.
    """

    first: int
    bits: int
    spans: tuple[range, ...]

    @property
    def end(self) -> int:
        """The bit after the last bit."""
        return self.first + self.bits * self.spans[-1].stop

    @property
    def used(self) -> int:
        """The number of small numbers, without reserved bits."""
        return sum(map(len, self.spans))

    @property
    def bytes(self) -> slice:
        """The bytes of a record that contain these small numbers."""
        return slice(self.first // _BYTE, -(-self.end // _BYTE))

    def is_joined_by(self, field: Field, first: int) -> bool:
        """Return whether a later field, which begins at bit `first`, joins the same `bytes`."""
        return field.bits == self.bits and not (first - self.first) % self.bits

    @property
    def runs(self) -> list[range]:
        """The spans, with adjacent spans merged."""
        runs = [range(0)]
        for span in self.spans:
            if span.start == runs[-1].stop:
                runs[-1] = range(runs[-1].start, span.stop)
            else:
                runs.append(span)
        return runs


Place = Number | Digits


class Specification:
    """The fields of a record from bit 0 up, and the tables derived from them.

    >>> example = Specification("example", Field("board", 5, "0 to 31"), Field.zero(3),
    ...     Field("owners", 2, "two bits a card", times=4))
    >>> example.size, example.table[1].first, example.places[0]
    (2, 5, Number(first=0, bits=5))
    """

    def __init__(self, name: str, *fields: Field) -> None:
        self.name = name
        self.fields = fields
        self.size = sum(field.width for field in fields) // _BYTE
        """The size of a record in bytes."""

    @cached_property
    def table(self) -> list[BitField]:
        """The bit table: first bit, last bit, name and meaning of each field."""
        rows: list[BitField] = []
        for field in self.fields:
            first = rows[-1].last + 1 if rows else 0
            rows.append(BitField(first, first + field.width - 1, field.name, field.meaning))
        return rows

    @cached_property
    def places(self) -> list[Place]:
        """The position of each value of `Fields`."""
        places: list[Place] = []
        for field, row in zip(self.fields, self.table, strict=True):
            before = places[-1] if places else None
            if field.is_reserved:
                continue
            if not field.times:
                places.append(Number(row.first, field.bits))
            elif isinstance(before, Digits) and before.is_joined_by(field, row.first):
                begin = (row.first - before.first) // field.bits
                spans = *before.spans, range(begin, begin + field.times)
                places[-1] = before._replace(spans=spans)
            else:
                places.append(Digits(row.first, field.bits, (range(field.times),)))
        return places

    @cached_property
    def reserved(self) -> int:
        """The reserved bits, set in one integer."""
        pairs = zip(self.fields, self.table, strict=True)
        return sum((1 << f.bits) - 1 << row.first for f, row in pairs if f.is_reserved)

    def refusal(self) -> RecordError:
        """Return the error that lists the bits that must be 0."""
        rows = [row for row in self.table if row.name == _RESERVED]
        places = ", ".join(
            f"{row.first}" if row.first == row.last else f"{row.first} to {row.last}"
            for row in rows
        )
        return RecordError(self.name, f"bit{'' if places.isdecimal() else 's'} {places} must be 0")
