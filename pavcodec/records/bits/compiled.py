"""Fast conversion between the bytes of a record and its fields, generated from its specification.

At the first use of a record, `split` and `join` are generated as Python source and compiled, as
dataclasses do with their methods. A loop over the fields would halve the speed of the records of
numbers. A number is a shift and a mask of the bytes as one integer. Consecutive small numbers are
digits in base 4, 8 or 16: a table of all bytes gives base 4, Python formats the other bases, and
`int` reads all three. This is the fastest conversion between 52 small numbers and their bytes.
Fields that do not fit go to the declaration, which raises the error.
"""

from __future__ import annotations

from binascii import hexlify
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from pavcodec.records.bits.fields import Digits, Fields, Place, Specification

__all__ = ["Compiled", "compiled"]

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

    >>> from pavcodec.records.bits.fields import Field
    >>> split, join = compiled(Specification("example", Field("board", 5, "0 to 31"),
    ...     Field.zero(3), Field("owners", 2, "two bits a card", times=4)))
    >>> split(bytes([19, 0b11100100])), join((19, bytes([3, 2, 1, 0]))).hex()
    ((19, b'\x00\x01\x02\x03'), '131b')
    """

    def by_declaration(fields: Fields) -> bytes:
        from pavcodec.records.bits.declarations import bytes_of

        return bytes_of(made.name, fields)

    found: dict[str, Any] = {
        "FOURS": _FOURS,
        "FROM_TEXT": _FROM_TEXT,
        "TO_TEXT": _TO_TEXT,
        "by_declaration": by_declaration,
        "from_bytes": int.from_bytes,
        "hexlify": hexlify,
        "refusal": made.refusal,
    }
    exec(_source(made), found)  # noqa: S102 (only numbers of the specification enter the source)
    return Compiled(found["split"], found["join"])


def _source(made: Specification) -> str:
    """Return the Python source of `split` and `join`."""
    places = made.places
    named = [(place, f"value{index}") for index, place in enumerate(places)]
    needs_whole = made.reserved or not all(isinstance(place, Digits) for place in places)
    return _SOURCE.format(
        whole=_WHOLE if needs_whole else "",
        check=_CHECK.format(reserved=made.reserved) if made.reserved else "",
        taken=", ".join(_taken(place, is_last=place is places[-1]) for place in places),
        values=", ".join(name for _, name in named),
        fits=" and ".join(_fits(place, name, made.size) for place, name in named),
        put=" | ".join(_put(place, name) for place, name in named),
        size=made.size,
    )


def _taken(place: Place, *, is_last: bool) -> str:
    """Return the source of an expression for a value in `data` or `whole`."""
    if not isinstance(place, Digits):
        shifted = f"whole >> {place.first}" if place.first else "whole"
        return shifted if is_last else f"{shifted} & {(1 << place.bits) - 1}"
    data, count = f"data[{place.bytes.start}:{place.bytes.stop}]", place.spans[-1].stop
    digits = {
        2: f"b''.join([FOURS[byte] for byte in {data}])",
        3: f"(b'%0{count}o' % from_bytes({data}, 'little'))[::-1].translate(FROM_TEXT)",
        4: f"hexlify({data}[::-1])[::-1].translate(FROM_TEXT)",
    }[place.bits]
    if place.end % 8:
        digits += f"[:{count}]"
    first, *others = place.runs
    if not others:
        return digits
    more = ", ".join(f"digits[{run.start}:{run.stop}]" for run in others)
    return f"b''.join(((digits := {digits})[:{first.stop}], {more}))"


def _put(place: Place, value: str) -> str:
    """Return the source of an expression for the bits of a value."""
    if isinstance(place, Digits):
        parts, begin, end = [], 0, 0
        for run in place.runs:
            parts += [repr(bytes(run.start - end)), f"{value}[{begin}:{begin + len(run)}]"]
            begin, end = begin + len(run), run.stop
        digits = f"b''.join(({', '.join(parts)}))" if len(parts) > 2 else value
        value = f"int({digits}[::-1].translate(TO_TEXT), {1 << place.bits})"
    return f"{value} << {place.first}" if place.first else value


def _fits(place: Place, value: str, size: int) -> str:
    """Return the source of the condition that a value fits into its place.

    Bits above the last bit of the record and negative numbers need no condition: `to_bytes` raises
    an error for both.
    """
    if isinstance(place, Digits):
        return f"len({value}) == {place.used}"
    return f"{value} < {1 << place.bits}" if place.end < 8 * size else "True"
