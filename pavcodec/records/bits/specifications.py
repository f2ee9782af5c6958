"""The specifications of all records, field by field from bit 0 up."""

from __future__ import annotations

from functools import cache

from pavcodec.records.bits.fields import Field, Specification

__all__ = ["specification"]

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
        Specification(
            "deal12",
            Field("number", 96, "the number of a deal, below 52!/13!^4"),
        ),
        Specification(
            "balanced14",
            Field("number", 111, "the number of a balanced ending, below their total"),
            Field.zero(1),
        ),
        Specification(
            "ending15",
            Field("number", 120, "the number of an ending, below their total"),
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
            "deal13",
            Field("owners", 2, "two bits a card, SA lowest: 0 to 3 for N E S W", 52),
        ),
        Specification(
            "layout20",
            Field("owners", 3, "three bits a card, SA lowest: 0 to 3 for N E S W, 4 unused", 52),
            Field.zero(4),
        ),
        Specification(
            "zbs-word",
            *_suit("suit", flag=_MORE),
        ),
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
        Specification(
            "zdd",
            *_tricks(),
        ),
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
