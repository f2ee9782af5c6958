"""The declaration of every record in construct, generated from its specification.

A declaration is the definition of a record; tests compare `codec` and `arrays` with it. Only this
module imports construct. It is imported when a record is first parsed or built by its declaration.
construct reads the most significant bit first, so the fields are in reverse order.

No type of construct leaves this module: fields are plain integers and bytes, and every error
becomes a `RecordError`. The record classes define the *meaning* of the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from struct import iter_unpack
from typing import Any, NamedTuple

from construct import (
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
    Struct,
)

from pavcodec.errors import RecordError
from pavcodec.records.fields import Digits, Field, Fields, specification


@cache
def declaration(name: str) -> Any:  # noqa: ANN401 (construct has no types)
    """Return the construct of a record."""
    return ByteSwapped(BitStruct(*map(_declared, reversed(specification(name).fields))))


def _declared(field: Field) -> Construct:
    """Declare a field."""
    one = BitsInteger(field.bits)
    if field.is_reserved:
        one = Const(0, one)
    elif field.times > 1:
        one = _lowest_first(Array(field.times, one))
    return field.name / one * field.meaning


def _lowest_first(array: Construct) -> Construct:
    """Declare that the first of the repeated numbers is in the lowest bits."""
    return ExprAdapter(
        array,
        decoder=lambda upper_first, _: upper_first[::-1],
        encoder=lambda lower_first, _: lower_first[::-1],
    )


def fields_of(name: str, data: bytes) -> Fields:
    """Return the fields of a record by its declaration; raise `RecordError` for invalid bytes."""
    made = specification(name)
    try:
        parsed = declaration(name).parse(data)
    except ConstError:
        raise made.refusal() from None
    except ConstructError as error:  # unreachable in practice: the size was checked before
        raise RecordError(name, str(error)) from None
    values = (parsed[field.name] for field in made.fields if not field.is_reserved)
    fields: list[int | bytes] = []
    for position in made.places:
        if isinstance(position, Digits):
            each = (next(values) for _ in position.spans)
            fields.append(b"".join(bytes(v if isinstance(v, list) else [v]) for v in each))
        else:
            fields.append(next(values))
    return tuple(fields)


def bytes_of(name: str, fields: Fields) -> bytes:
    """Return the bytes of fields by the declaration; raise `RecordError` for too large numbers."""
    made = specification(name)
    names = (field.name for field in made.fields if not field.is_reserved)
    named: dict[str, Any] = {}
    for position, value in zip(made.places, fields, strict=True):
        if isinstance(position, Digits):
            if len(value) != position.used:
                reason = f"a field has {position.used} small numbers, not {len(value)}"
                raise RecordError(name, reason)
            digits = iter(value)
            for span in position.spans:
                some = list(islice(digits, len(span)))
                named[next(names)] = some if len(span) > 1 else some[0]
        else:
            named[next(names)] = value
    try:
        built: bytes = declaration(name).build(named)
    except ConstructError as error:
        raise RecordError(name, str(error).splitlines()[-1]) from None
    return built


# Frames: texts and small numbers at fixed positions in files of clubs and dealing machines.
#
# construct declares them byte by byte, and the declaration itself parses and builds them; such a
# file has about a hundred boards, so speed does not matter. The formats define the meaning of the
# fields.


_HAND = "a hand: 06 spades, 03 hearts, 04 diamonds, 05 clubs; the ranks after each"
_PICTURE = "four hands N E S W of 17 bytes, as in DGE; or 68 spaces"
_RANKS = "a byte a rank, A to 2; S H D C from the high bits down, two bits each"


class ByteField(NamedTuple):
    """A row of a table of bytes: bytes `first` to `last`, a name, and a meaning."""

    first: int
    last: int
    name: str
    meaning: str


class Frame:
    r"""A fixed number of bytes with named fields: bytes, or a small number.

    >>> FRAMES["cds"].parts(bytes(range(14)))["board"], FRAMES["cds"].size
    (0, 14)
    >>> FRAMES["rzd-header"].built(boards=258, filler=b" " * 11)
    b'\x02\x01           '
    """

    def __init__(self, name: str, *fields: Construct) -> None:
        self.name = name
        self._declaration = Struct(*fields)
        self.size: int = self._declaration.sizeof()

    def parts(self, data: bytes) -> dict[str, Any]:
        """Return the fields of `data` by name; `data` must have the size of the frame."""
        parsed = self._declaration.parse(data)
        return {field.name: parsed[field.name] for field in self._declaration.subcons}

    def built(self, **parts: bytes | int) -> bytes:
        """Return the bytes of a frame from its fields, which must have the right sizes."""
        data: bytes = self._declaration.build(parts)
        return data

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """Yield the bytes of each whole frame."""
        return (piece for (piece,) in iter_unpack(f"{self.size}s", data))

    @property
    def table(self) -> list[ByteField]:
        """The fields with their positions, in order.

        >>> FRAMES["cds"].table[0]
        ByteField(first=0, last=0, name='board', meaning='the number of the board')
        """
        rows: list[ByteField] = []
        for field in self._declaration.subcons:
            first = rows[-1].last + 1 if rows else 0
            rows.append(ByteField(first, first + field.sizeof() - 1, field.name, field.docs))
        return rows


def _filler(size: int, meaning: str) -> Construct:
    return "filler" / Bytes(size) * f"{meaning}; ignored"


FRAMES = {
    made.name: made
    for made in (
        Frame(
            "bri",
            "cards" / Bytes(78) * "39 numbers of two digits, SA 01 to C2 52: 13 cards of N, E, S",
            _filler(50, "32 spaces and 18 bytes 00"),
        ),
        Frame(
            "dge",
            *(name / Bytes(17) * _HAND for name in ("north", "east", "south", "west")),
            _filler(60, "60 bytes 00"),
        ),
        Frame(
            "dup",
            "cards" / Bytes(78) * "39 numbers of two digits, as in BRI",
            "picture" / Bytes(68) * _PICTURE,
            "random" / Bytes(1) * "Y: random hands; N: others",
            "reverse" / Bytes(1) * "N: boards count upwards; Y: backwards",
            "lowest" / Bytes(3) * "the lowest board of the set, then spaces",
            "copies" / Bytes(2) * "the copies of each board, then spaces",
            "highest" / Bytes(3) * "the highest board of the set, two digits, then spaces",
        ),
        Frame("ber", "owners" / Bytes(52) * "a digit a card, SA to C2: 1 to 4 for N E S W"),
        Frame(
            "rzd-header",
            "boards" / Int16ul * "how many boards follow, the low byte first",
            _filler(11, "11 spaces"),
        ),
        Frame("rzd", "ranks" / Bytes(13) * f"{_RANKS}: 0 to 3 for N E S W"),
        Frame(
            "cds",
            "board" / Int8ul * "the number of the board",
            "ranks" / Bytes(13) * f"{_RANKS}: 0 to 3 for W N E S",
        ),
        Frame("hrf", "text" / Bytes(128) * "the board, then S H D C and the ranks of N, E, S, W"),
    )
}
"""The frames by name."""
