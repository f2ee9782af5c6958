"""The declaration of every record in construct, which is its specification; and of frames.

A declaration lists the fields of a record from bit 0 up, without gaps, each with its bits and its
meaning. A record is little-endian: bit 0 is the least significant bit of its first byte. A
`BitTable` walks a declaration, and all else follows from its places: the conversion of one record
between bytes and fields, that of many (`arrays`), and the tables of the documentation. construct
parses and builds the same records by the declaration itself: slowly, and by definition.

Only this module of the room imports construct, which takes longer than to start Python. It is
imported when the fields of a record are first needed; records of plain numbers do without.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from construct import (
    Adapter,
    Array,
    BitsInteger,
    BitStruct,
    Bytes,
    ByteSwapped,
    Const,
    ConstError,
    Construct,
    ConstructError,
    ExprAdapter,
    Int8ul,
    Int16ul,
    Renamed,
    Struct,
)

from pavcodec.errors import RecordError

Fields = tuple[Any, ...]
"""The values of a record from bit 0 up: an `int` for a number, `bytes` for small numbers.

Neighbours that are small numbers of the same width are one value. Reserved bits have none.
"""

_RESERVED = "reserved"
_BYTE = 8


# The declarations of all records, field by field from bit 0 up.


def from_bit_0(*fields: Construct) -> Construct:
    """Declare a record; construct itself reads the most significant bit first."""
    return ByteSwapped(BitStruct(*reversed(fields)))


def small_numbers(times: int, bits: int) -> Construct:
    """Declare numbers of 2, 3 or 4 bits, the first of them in the lowest bits."""
    return ExprAdapter(
        Array(times, BitsInteger(bits)),
        decoder=lambda upper_first, _: bytes(reversed(upper_first)),
        encoder=lambda lower_first, _: list(reversed(lower_first)),
    )


def reserved(bits: int) -> Construct:
    """Declare bits that must be 0; construct's own padding ignores its contents."""
    return _RESERVED / Const(0, BitsInteger(bits)) * "must be 0"


def _suit(name: str, *, flag: str) -> tuple[Construct, ...]:
    """Declare a word of ZBS: a suit and a flag."""
    digits = "13 digits in base 5, ace lowest: 0 unused, 1 to 4 for W N E S; below 5^13"
    return name / BitsInteger(31) * digits, f"{name}_flag" / BitsInteger(1) * flag


def _library_suit(suit: str) -> tuple[Construct, ...]:
    """Declare a big-endian word of GIB's library; its highest byte is the first."""
    return (
        f"{suit}_two" / small_numbers(1, 2) * "owner of the two: 0 to 3 for W N E S",
        reserved(6),
        f"{suit}_owners" / small_numbers(12, 2) * "two bits a card: 6 5 4 3, T 9 8 7, A K Q J",
    )


def _tricks(meaning: str) -> tuple[Construct, ...]:
    """Declare the tricks of 20 contracts."""
    strains = ("notrump", "spades", "hearts", "diamonds", "clubs")
    return tuple(strain / small_numbers(4, 4) * meaning.format(strain) for strain in strains)


_TAKEN = "tricks in {}, four bits a declarer W N E S, 0 to 13"

_DECLARATIONS: dict[str, Construct] = {
    "deal12": from_bit_0("number" / BitsInteger(96) * "the number of a deal, below 52!/13!^4"),
    "balanced14": from_bit_0(
        "number" / BitsInteger(111) * "the number of a balanced ending, below their total",
        reserved(1),
    ),
    "ending15": from_bit_0(
        "number" / BitsInteger(120) * "the number of an ending, below their total"
    ),
    "legal14": from_bit_0(
        "number" / BitsInteger(107) * "the number of a legal ending, below their total",
        reserved(5),
    ),
    "base5-16": from_bit_0(
        "number" / BitsInteger(121) * "52 digits in base 5, below 5^52",
        "spare" / BitsInteger(7) * "for user data; 0 by default",
    ),
    "deal13": from_bit_0(
        "owners" / small_numbers(52, 2) * "two bits a card, SA lowest: 0 to 3 for N E S W"
    ),
    "layout20": from_bit_0(
        "owners"
        / small_numbers(52, 3)
        * "three bits a card, SA lowest: 0 to 3 for N E S W, 4 unused",
        reserved(4),
    ),
    "zbs-word": from_bit_0(*_suit("suit", flag="1: the next word belongs to the same diagram")),
    "zbs-diagram": from_bit_0(
        *_suit("spades", flag="1"),
        *_suit("hearts", flag="1"),
        *_suit("diamonds", flag="1"),
        *_suit("clubs", flag="written 0; 1 is tolerated"),
    ),
    "zrd": from_bit_0(
        "owners" / small_numbers(52, 2) * "two bits a card, SA lowest: 0 to 3 for W N E S",
        *_tricks(_TAKEN),
    ),
    "zdd": from_bit_0(*_tricks(_TAKEN)),
    "gib-library": from_bit_0(
        *_library_suit("spade"),
        *_library_suit("heart"),
        *_library_suit("diamond"),
        *_library_suit("club"),
        *_tricks("tricks of N and S in {}, four bits a leader E S W N, 0 to 13"),
    ),
    "case16": from_bit_0(
        "total" / BitsInteger(73) * "running total of the ways, to C(52,13)·C(39,13)",
        "first_pattern" / BitsInteger(10) * "pattern of the first hand, 0 to 559; 560 is off",
        "second_pattern" / BitsInteger(10) * "pattern of the second hand, 0 to 559; 560 is off",
        "first_honours" / BitsInteger(16) * "honours of the first hand; FFFF is off",
        "second_honours" / BitsInteger(16) * "honours of the second hand; FFFF is off",
        reserved(3),
    ),
    "case-block": from_bit_0(
        "total" / BitsInteger(73) * "running total at the end of the block",
        reserved(23),
        "checksum" / BitsInteger(32) * "CRC-32 of the bytes of the block's cases",
    ),
    "case-foot": from_bit_0(
        "magic" / BitsInteger(64) * "the letters PAVCASES",
        "version" / BitsInteger(16) * "1",
        "first_seat" / BitsInteger(3) * "seat of the first hand, 0 to 3 for N E S W",
        "second_seat" / BitsInteger(3) * "seat of the second hand; 4 is none",
        "patterns" / BitsInteger(1) * "1: cases have patterns",
        "honours" / BitsInteger(1) * "1: cases have honours",
        reserved(40),
        "text_bytes" / BitsInteger(32) * "length of the condition in bytes",
        "cases" / BitsInteger(64) * "number of cases",
        "checksum" / BitsInteger(32) * "CRC-32 of the file from the index up to this field",
    ),
}


# Frames: texts and small numbers at fixed positions in files of clubs and dealing machines.
#
# construct itself parses and builds them; such a file has about a hundred boards, so speed does not
# matter. The formats define the meaning of the fields.


_HAND = "a hand: 06 spades, 03 hearts, 04 diamonds, 05 clubs; the ranks after each"
_RANKS = "a byte a rank, A to 2; S H D C from the high bits down, two bits each"


def _filler(size: int, meaning: str) -> Construct:
    return "filler" / Bytes(size) * f"{meaning}; ignored"


FRAMES: dict[str, Construct] = {
    "bri": Struct(
        "cards" / Bytes(78) * "39 numbers of two digits, SA 01 to C2 52: 13 cards of N, E, S",
        _filler(50, "32 spaces and 18 bytes 00"),
    ),
    "dge": Struct(
        *(name / Bytes(17) * _HAND for name in ("north", "east", "south", "west")),
        _filler(60, "60 bytes 00"),
    ),
    "dup": Struct(
        "cards" / Bytes(78) * "39 numbers of two digits, as in BRI",
        "picture" / Bytes(68) * "four hands N E S W of 17 bytes, as in DGE; or 68 spaces",
        "random" / Bytes(1) * "Y: random hands; N: others",
        "reverse" / Bytes(1) * "N: boards count upwards; Y: backwards",
        "lowest" / Bytes(3) * "the lowest board of the set, then spaces",
        "copies" / Bytes(2) * "the copies of each board, then spaces",
        "highest" / Bytes(3) * "the highest board of the set, two digits, then spaces",
    ),
    "ber": Struct("owners" / Bytes(52) * "a digit a card, SA to C2: 1 to 4 for N E S W"),
    "rzd-header": Struct(
        "boards" / Int16ul * "how many boards follow, the low byte first",
        _filler(11, "11 spaces"),
    ),
    "rzd": Struct("ranks" / Bytes(13) * f"{_RANKS}: 0 to 3 for N E S W"),
    "cds": Struct(
        "board" / Int8ul * "the number of the board",
        "ranks" / Bytes(13) * f"{_RANKS}: 0 to 3 for W N E S",
    ),
    "hrf": Struct("text" / Bytes(128) * "the board, then S H D C and the ranks of N, E, S, W"),
}
"""The frames by name."""


# What follows from a declaration.


class Place(NamedTuple):
    """A field of a declaration: `times` small numbers of `bits` bits each, or one number."""

    name: str
    meaning: str
    first: int
    bits: int
    times: int
    """How many small numbers the field has; 0 for a number."""

    @property
    def width(self) -> int:
        """The number of bits of the whole field."""
        return self.bits * max(self.times, 1)

    @property
    def last(self) -> int:
        """The last bit."""
        return self.first + self.width - 1

    @property
    def is_reserved(self) -> bool:
        """Whether the bits must be 0."""
        return self.name == _RESERVED


def places_of(declaration: Construct) -> list[Place]:
    """Return the fields of the declaration of a record or a frame, from bit 0 up.

    >>> places_of(FRAMES["cds"])[0]
    Place(name='board', meaning='the number of the board', first=0, bits=8, times=0)
    """
    struct = declaration
    while not isinstance(struct, Struct):
        struct = struct.subcon
    in_bits = struct is not declaration
    places: list[Place] = []
    for field in reversed(struct.subcons) if in_bits else struct.subcons:
        inner = field
        while isinstance(inner, Renamed | Adapter):
            inner = inner.subcon
        times = inner.count if isinstance(inner, Array) else 0
        width = field.sizeof() if in_bits else _BYTE * field.sizeof()
        first = places[-1].last + 1 if places else 0
        places.append(Place(field.name, field.docs, first, width // max(times, 1), times))
    return places


def _values(places: list[Place]) -> list[list[Place]]:
    """Return the places that form each value of `Fields`."""
    values: list[list[Place]] = []
    for place in places:
        before = values[-1][-1] if values else place
        is_next = place.first == before.last + 1 and place.bits == before.bits
        if place.times and before.times and is_next:
            values[-1].append(place)
        elif not place.is_reserved:
            values.append([place])
    return values


# Small numbers are digits in base 4, 8 or 16: a table of all bytes gives base 4, Python formats the
# other bases, and `int` reads all three. This is the fastest conversion between 52 small numbers
# and their bytes.
_FOURS = tuple(bytes(byte >> first & 3 for first in range(0, _BYTE, 2)) for byte in range(256))
_FROM_TEXT = bytes.maketrans(b"0123456789abcdef", bytes(range(16)))
_TO_TEXT = bytes.maketrans(bytes(range(256)), b"0123456789abcdef" + b"?" * 240)


class BitTable:
    r"""The fields of a record, and the conversion between its bytes and their values.

    >>> table = BitTable("example", from_bit_0("board" / BitsInteger(5), reserved(3),
    ...     "owners" / small_numbers(4, 2)))
    >>> table.split(bytes([19, 0b11100100])), table.join((19, bytes([3, 2, 1, 0]))).hex()
    ((19, b'\x00\x01\x02\x03'), '131b')
    """

    def __init__(self, name: str, declaration: Construct) -> None:
        self.name = name
        self.declaration = declaration
        self.size: int = declaration.sizeof()
        """The size of a record in bytes."""
        self.places = places_of(declaration)
        self._values = _values(self.places)
        self.fields = [
            places[0]._replace(times=sum(place.times for place in places))
            for places in self._values
        ]
        """The place of each value of `Fields`."""
        self.reserved = sum(
            (1 << place.bits) - 1 << place.first for place in self.places if place.is_reserved
        )
        """The bits that must be 0, set in one integer."""
        self._steps = [
            (place.first, (1 << place.width) - 1, place.bits, place.times) for place in self.fields
        ]

    def split(self, data: bytes) -> Fields:
        """Return the fields of a record; raise `RecordError` if reserved bits are not 0."""
        whole = int.from_bytes(data, "little")
        if whole & self.reserved:
            raise self.refusal()
        fields: list[int | bytes] = []
        for first, mask, bits, times in self._steps:
            part = whole >> first & mask
            if not times:
                fields.append(part)
            elif bits == 2:
                fours = [_FOURS[byte] for byte in part.to_bytes(-(-times // 4), "little")]
                fields.append(b"".join(fours)[:times])
            else:
                digits = b"%0*o" if bits == 3 else b"%0*x"
                fields.append((digits % (times, part))[::-1].translate(_FROM_TEXT))
        return tuple(fields)

    def join(self, fields: Fields) -> bytes:
        """Return the bytes of fields; raise `RecordError` for numbers that do not fit."""
        whole = 0
        try:
            # without `strict`, which takes longer than all else: classes of records give all fields
            for (first, mask, bits, times), field in zip(self._steps, fields):  # noqa: B905
                number = int(field[::-1].translate(_TO_TEXT), 1 << bits) if times else field
                if not 0 <= number <= mask or (times and len(field) != times):
                    break
                whole |= number << first
            else:
                return whole.to_bytes(self.size, "little")
        except (TypeError, ValueError):
            pass
        return self.join_by_declaration(fields)  # which raises the error

    def split_by_declaration(self, data: bytes) -> Fields:
        """Return the same as `split`, by construct; the definition."""
        try:
            parsed = self.declaration.parse(data)
        except ConstError:
            raise self.refusal() from None
        except ConstructError as error:  # unreachable in practice: the size was checked before
            raise RecordError(self.name, str(error)) from None
        values = ([parsed[place.name] for place in places] for places in self._values)
        return tuple(b"".join(value) if type(value[0]) is bytes else value[0] for value in values)

    def join_by_declaration(self, fields: Fields) -> bytes:
        """Return the same as `join`, by construct; the definition."""
        named: dict[str, int | bytes] = {}
        for places, field in zip(self._values, fields, strict=True):
            rest, (*others, last) = field, places
            for place in others:
                named[place.name], rest = rest[: place.times], rest[place.times :]
            named[last.name] = rest
        try:
            built: bytes = self.declaration.build(named)
        except ConstructError as error:
            raise RecordError(self.name, str(error).splitlines()[-1]) from None
        return built

    def refusal(self) -> RecordError:
        """Return the error that lists the bits that must be 0."""
        bits = ", ".join(
            f"{place.first}" if place.bits == 1 else f"{place.first} to {place.last}"
            for place in self.places
            if place.is_reserved
        )
        return RecordError(self.name, f"bit{'' if bits.isdecimal() else 's'} {bits} must be 0")


@cache
def bit_table(name: str) -> BitTable:
    """Return the table of a record by name; `indexN` is a position in N bytes.

    >>> bit_table("balanced14").places[1]
    Place(name='reserved', meaning='must be 0', first=111, bits=1, times=0)
    """
    if name in _DECLARATIONS:
        return BitTable(name, _DECLARATIONS[name])
    width = int(name.removeprefix("index"))
    return BitTable(name, from_bit_0("number" / BitsInteger(_BYTE * width) * "a position"))
