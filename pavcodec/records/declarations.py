"""The declarations: every record with construct, field by field from bit 0 up.

Only this module and `frames` import construct, and this one is imported when a record is first
parsed or built by its declaration. A record is little-endian: bit 0 is the least significant bit of
its first byte, and the fields follow one another upwards without gaps. construct reads bits from
the most significant one on, so `_record` hands it the fields in reverse order.

Nothing of construct leaves this module: fields go in and come out as plain integers and tuples of
integers, and every refusal becomes a `RecordError`. What numbers *mean* is told by the records.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from construct import (
    Array,
    BitsInteger,
    BitStruct,
    ByteSwapped,
    Const,
    ConstError,
    Construct,
    ConstructError,
    ExprAdapter,
)

from pavcodec.errors import RecordError

__all__ = ["BitField", "Fields", "bit_table", "bytes_of", "declaration", "fields_of"]

Fields = tuple[int | tuple[int, ...], ...]
"""The fields of a record from bit 0 up, reserved bits left out; a tuple for a repeated field."""

_RESERVED = "reserved"
_STRAINS = ("notrump", "spades", "hearts", "diamonds", "clubs")


def _record(*fields: Construct) -> Construct:
    """Declare a little-endian record by its fields from bit 0 up."""
    return ByteSwapped(BitStruct(*reversed(fields)))


def _each(count: int, bits: int) -> Construct:
    """Declare a field that is repeated, the first one lowest."""
    return ExprAdapter(
        Array(count, BitsInteger(bits)),
        decoder=lambda upper_first, _: upper_first[::-1],
        encoder=lambda lower_first, _: lower_first[::-1],
    )


def _zero(bits: int) -> Construct:
    """Declare bits that are not used and must be 0."""
    return _RESERVED / Const(0, BitsInteger(bits)) * "must be 0"


def _suit(name: str, *, flag: str) -> tuple[Construct, ...]:
    """Declare a word of ZBS: a suit and a flag."""
    digits = "13 digits in base 5, ace lowest: 0 unused, 1 to 4 for W N E S; below 5^13"
    return name / BitsInteger(31) * digits, f"{name}_flag" / BitsInteger(1) * flag


def _tricks() -> tuple[Construct, ...]:
    """Declare the tricks of 20 contracts."""
    meaning = "tricks in {}, four bits a declarer W N E S, 0 to 13"
    return tuple(strain / _each(4, 4) * meaning.format(strain) for strain in _STRAINS)


def _library_suit(suit: str) -> tuple[Construct, ...]:
    """Declare a big-endian word of GIB's library: the byte of its highest bits comes first."""
    return (
        f"{suit}_two" / BitsInteger(2) * "owner of the two: 0 to 3 for W N E S",
        _zero(6),
        f"{suit}_owners" / _each(12, 2) * "two bits a card: 6 5 4 3, T 9 8 7, A K Q J",
    )


def _library_tricks() -> tuple[Construct, ...]:
    """Declare the tricks of GIB's library: big-endian words, four bits for each leader."""
    meaning = "tricks of N and S in {}, four bits a leader E S W N, 0 to 13"
    return tuple(strain / _each(4, 4) * meaning.format(strain) for strain in _STRAINS)


_MORE = "1: the next word belongs to the same diagram"

_DECLARATIONS: dict[str, Construct] = {
    "deal12": _record(
        "number" / BitsInteger(96) * "the number of a deal, below 52!/13!^4",
    ),
    "balanced14": _record(
        "number" / BitsInteger(111) * "the number of a balanced ending, below their total",
        _zero(1),
    ),
    "ending15": _record(
        "number" / BitsInteger(120) * "the number of an ending, below their total",
    ),
    "base5-16": _record(
        "number" / BitsInteger(121) * "52 digits in base 5, below 5^52",
        "spare" / BitsInteger(7) * "for data of the user's; 0 unless given",
    ),
    "deal13": _record(
        "owners" / _each(52, 2) * "two bits a card, SA lowest: 0 to 3 for N E S W",
    ),
    "layout20": _record(
        "owners" / _each(52, 3) * "three bits a card, SA lowest: 0 to 3 for N E S W, 4 unused",
        _zero(4),
    ),
    "zbs-word": _record(
        *_suit("suit", flag=_MORE),
    ),
    "zbs-diagram": _record(
        *_suit("spades", flag="1"),
        *_suit("hearts", flag="1"),
        *_suit("diamonds", flag="1"),
        *_suit("clubs", flag="written 0; 1 is tolerated"),
    ),
    "zrd": _record(
        "owners" / _each(52, 2) * "two bits a card, SA lowest: 0 to 3 for W N E S",
        *_tricks(),
    ),
    "zdd": _record(
        *_tricks(),
    ),
    "gib-library": _record(
        *_library_suit("spade"),
        *_library_suit("heart"),
        *_library_suit("diamond"),
        *_library_suit("club"),
        *_library_tricks(),
    ),
    "case16": _record(
        "total" / BitsInteger(73) * "running total of the ways, to C(52,13)·C(39,13)",
        "first_pattern" / BitsInteger(10) * "pattern of the first hand, 0 to 559; 560 is off",
        "second_pattern" / BitsInteger(10) * "pattern of the second hand, 0 to 559; 560 is off",
        "first_honours" / BitsInteger(16) * "honours of the first hand; FFFF is off",
        "second_honours" / BitsInteger(16) * "honours of the second hand; FFFF is off",
        _zero(3),
    ),
    "case-block": _record(
        "total" / BitsInteger(73) * "running total at the end of the block",
        _zero(23),
        "checksum" / BitsInteger(32) * "CRC-32 of the bytes of the block's cases",
    ),
    "case-foot": _record(
        "magic" / BitsInteger(64) * "the letters PAVCASES",
        "version" / BitsInteger(16) * "1",
        "first_seat" / BitsInteger(3) * "seat of the first hand, 0 to 3 for N E S W",
        "second_seat" / BitsInteger(3) * "seat of the second hand; 4 is none",
        "patterns" / BitsInteger(1) * "1: cases tell patterns",
        "honours" / BitsInteger(1) * "1: cases tell honours",
        _zero(40),
        "text_bytes" / BitsInteger(32) * "length of the condition in bytes",
        "cases" / BitsInteger(64) * "number of cases",
        "checksum" / BitsInteger(32) * "CRC-32 of the file from the index up to here",
    ),
}


class BitField(NamedTuple):
    """A row of a bit table: bits `first` to `last`, a name, and what they mean."""

    first: int
    last: int
    name: str
    meaning: str


def declaration(name: str) -> Any:  # noqa: ANN401 (construct has no types)
    """Return the construct of a record; `index` and a width is a number in so many bytes."""
    return _DECLARATIONS[name] if name in _DECLARATIONS else _position(name)


@cache
def _position(name: str) -> Construct:
    """Declare the record of positions in a constraint, whose width is part of its name."""
    width = int(name.removeprefix("index"))
    return _record("number" / BitsInteger(8 * width) * "a position")


def _bit_fields(name: str) -> list[Any]:
    """Return construct's fields of a record, from bit 0 up."""
    swapped = declaration(name)
    bits = swapped.subcon.subcon  # ByteSwapped, then the change to bits, then the fields
    return list(reversed(bits.subcons))


def bit_table(name: str) -> list[BitField]:
    """Return the fields of a record with their places, as they are declared.

    >>> bit_table("balanced14")[1]
    BitField(first=111, last=111, name='reserved', meaning='must be 0')
    """
    rows = []
    first = 0
    for field in _bit_fields(name):
        last = first + field.sizeof() - 1
        rows.append(BitField(first, last, field.name, field.docs))
        first = last + 1
    return rows


def fields_of(name: str, data: bytes) -> Fields:
    """Take a record apart by its declaration; raise `RecordError` where it does not follow it."""
    try:
        found = declaration(name).parse(data)
    except ConstError:
        raise RecordError(name, _reserved_bits(name)) from None
    except ConstructError as error:  # not met: records are as long as they are declared
        raise RecordError(name, str(error)) from None
    values = (found[field.name] for field in _bit_fields(name) if field.name != _RESERVED)
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


def bytes_of(name: str, fields: Fields) -> bytes:
    """Put a record together by its declaration; raise `RecordError` for too big a number."""
    named = (field.name for field in _bit_fields(name) if field.name != _RESERVED)
    values = (list(value) if isinstance(value, tuple) else value for value in fields)
    try:
        built: bytes = declaration(name).build(dict(zip(named, values, strict=True)))
    except ConstructError as error:
        raise RecordError(name, str(error).splitlines()[-1]) from None
    return built


def _reserved_bits(name: str) -> str:
    """Say which bits must be 0."""
    rows = [row for row in bit_table(name) if row.name == _RESERVED]
    places = ", ".join(
        f"{row.first}" if row.first == row.last else f"{row.first} to {row.last}" for row in rows
    )
    return f"bit{'' if places.isdecimal() else 's'} {places} must be 0"
