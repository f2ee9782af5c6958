"""Frames: texts and small numbers at fixed positions in files of clubs and dealing machines.

construct declares them byte by byte, and the declaration itself parses and builds them; such a file
has about a hundred boards, so speed does not matter. The formats define the meaning of the fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import iter_unpack
from typing import Any, NamedTuple

from construct import Bytes, Construct, Int8ul, Int16ul, Struct

__all__ = ["FRAMES", "ByteField", "Frame"]

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
        found = self._declaration.parse(data)
        return {field.name: found[field.name] for field in self._declaration.subcons}

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
