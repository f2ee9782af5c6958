"""The bits of records: one specification for each record, and the tables derived from it.

A specification lists the fields of a record from bit 0 up, without gaps. A record is little-endian:
bit 0 is the least significant bit of its first byte. Everything else is derived from this list: the
bit table (here), the declaration in construct (`declarations`), the fast conversion between bytes
and fields (`codec`), and arrays of many records (`arrays`).
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any, NamedTuple

from pavcodec.errors import RecordError

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


Position = Number | Digits


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
    def places(self) -> list[Position]:
        """The position of each value of `Fields`."""
        positions: list[Position] = []
        for field, row in zip(self.fields, self.table, strict=True):
            before = positions[-1] if positions else None
            if field.is_reserved:
                continue
            if not field.times:
                positions.append(Number(row.first, field.bits))
            elif isinstance(before, Digits) and before.is_joined_by(field, row.first):
                begin = (row.first - before.first) // field.bits
                spans = *before.spans, range(begin, begin + field.times)
                positions[-1] = before._replace(spans=spans)
            else:
                positions.append(Digits(row.first, field.bits, (range(field.times),)))
        return positions

    @cached_property
    def reserved(self) -> int:
        """The reserved bits, set in one integer."""
        pairs = zip(self.fields, self.table, strict=True)
        return sum((1 << f.bits) - 1 << row.first for f, row in pairs if f.is_reserved)

    def refusal(self) -> RecordError:
        """Return the error that lists the bits that must be 0."""
        rows = [row for row in self.table if row.name == _RESERVED]
        bits = ", ".join(
            f"{row.first}" if row.first == row.last else f"{row.first} to {row.last}"
            for row in rows
        )
        return RecordError(self.name, f"bit{'' if bits.isdecimal() else 's'} {bits} must be 0")


# The specifications of all records, field by field from bit 0 up.


_STRAINS = ("notrump", "spades", "hearts", "diamonds", "clubs")
_MORE = "1: the next word belongs to the same diagram"


def _suit(name: str, *, flag: str) -> tuple[Field, ...]:
    """Return the fields of a word of ZBS: a suit and a flag."""
    digits = "13 digits in base 5, ace lowest: 0 unused, 1 to 4 for W N E S; below 5^13"
    return Field(name, 31, digits), Field(f"{name}_flag", 1, flag)


def _tricks() -> tuple[Field, ...]:
    """Return the fields of the tricks of 20 contracts."""
    meaning = "tricks in {}, four bits a declarer W N E S, 0 to 13"
    return tuple(Field(strain, 4, meaning.format(strain), 4) for strain in _STRAINS)


def _library_suit(suit: str) -> tuple[Field, ...]:
    """Return the fields of a big-endian word of GIB's library; its highest byte is the first."""
    return (
        Field(f"{suit}_two", 2, "owner of the two: 0 to 3 for W N E S", 1),
        Field.zero(6),
        Field(f"{suit}_owners", 2, "two bits a card: 6 5 4 3, T 9 8 7, A K Q J", 12),
    )


def _library_tricks() -> tuple[Field, ...]:
    """Return the fields of the tricks of GIB's library, four bits for each leader."""
    meaning = "tricks of N and S in {}, four bits a leader E S W N, 0 to 13"
    return tuple(Field(strain, 4, meaning.format(strain), 4) for strain in _STRAINS)


_SPECIFICATIONS = {
    made.name: made
    for made in (
        Specification("deal12", Field("number", 96, "the number of a deal, below 52!/13!^4")),
        Specification(
            "balanced14",
            Field("number", 111, "the number of a balanced ending, below their total"),
            Field.zero(1),
        ),
        Specification(
            "ending15", Field("number", 120, "the number of an ending, below their total")
        ),
        Specification(
            "legal14",
            Field("number", 107, "the number of a legal ending, below their total"),
            Field.zero(5),
        ),
        Specification(
            "base5-16",
            Field("number", 121, "52 digits in base 5, below 5^52"),
            Field("spare", 7, "for user data; 0 by default"),
        ),
        Specification(
            "deal13", Field("owners", 2, "two bits a card, SA lowest: 0 to 3 for N E S W", 52)
        ),
        Specification(
            "layout20",
            Field("owners", 3, "three bits a card, SA lowest: 0 to 3 for N E S W, 4 unused", 52),
            Field.zero(4),
        ),
        Specification("zbs-word", *_suit("suit", flag=_MORE)),
        Specification(
            "zbs-diagram",
            *_suit("spades", flag="1"),
            *_suit("hearts", flag="1"),
            *_suit("diamonds", flag="1"),
            *_suit("clubs", flag="written 0; 1 is tolerated"),
        ),
        Specification(
            "zrd",
            Field("owners", 2, "two bits a card, SA lowest: 0 to 3 for W N E S", 52),
            *_tricks(),
        ),
        Specification("zdd", *_tricks()),
        Specification(
            "gib-library",
            *_library_suit("spade"),
            *_library_suit("heart"),
            *_library_suit("diamond"),
            *_library_suit("club"),
            *_library_tricks(),
        ),
        Specification(
            "case16",
            Field("total", 73, "running total of the ways, to C(52,13)·C(39,13)"),
            Field("first_pattern", 10, "pattern of the first hand, 0 to 559; 560 is off"),
            Field("second_pattern", 10, "pattern of the second hand, 0 to 559; 560 is off"),
            Field("first_honours", 16, "honours of the first hand; FFFF is off"),
            Field("second_honours", 16, "honours of the second hand; FFFF is off"),
            Field.zero(3),
        ),
        Specification(
            "case-block",
            Field("total", 73, "running total at the end of the block"),
            Field.zero(23),
            Field("checksum", 32, "CRC-32 of the bytes of the block's cases"),
        ),
        Specification(
            "case-foot",
            Field("magic", 64, "the letters PAVCASES"),
            Field("version", 16, "1"),
            Field("first_seat", 3, "seat of the first hand, 0 to 3 for N E S W"),
            Field("second_seat", 3, "seat of the second hand; 4 is none"),
            Field("patterns", 1, "1: cases have patterns"),
            Field("honours", 1, "1: cases have honours"),
            Field.zero(40),
            Field("text_bytes", 32, "length of the condition in bytes"),
            Field("cases", 64, "number of cases"),
            Field("checksum", 32, "CRC-32 of the file from the index up to this field"),
        ),
    )
}


def specification(name: str) -> Specification:
    """Return the specification of a record by name; `indexN` is a position in N bytes.

    >>> specification("balanced14").table[1]
    BitField(first=111, last=111, name='reserved', meaning='must be 0')
    """
    return _SPECIFICATIONS[name] if name in _SPECIFICATIONS else _position(name)


@cache
def _position(name: str) -> Specification:
    """Return the specification of a position in a constraint; the name contains its width."""
    width = int(name.removeprefix("index"))
    return Specification(name, Field("number", 8 * width, "a position"))
