"""Words of a command line: the numbers, sizes, cards and seats that fields read.

They are apart from the questions, so that a command that needs no more of them starts at once.
"""

from __future__ import annotations

import re

from pavcodec.boards import Vulnerability
from pavcodec.cards import Card, Seat, Strain
from pavcodec.errors import NumberError, PavError
from pavcodec.formats.plain.texts import parse_number
from pavcodec.layout import Layout

_POWER = (
    r"([0-9]{1,60}(?:_[0-9]{1,60}){0,20})(?:\.([0-9]{1,60}))?(?:[eE]\+?([0-9]{1,9}))?|"
    r"([0-9]{1,60})(?:\^|\*\*)([0-9]{1,9})"
)
"""A number with an exponent or underscores, or a power."""
_LARGEST = 60


def whole(text: str) -> int:
    """Read a number from 0 on: also 1e9, 1.5e6, 10^9 and 1_000_000, exactly.

    >>> whole("1.5e3"), whole("10^9"), whole("1_000_000"), whole("1,000")
    (1500, 1000000000, 1000000, 1000)
    """
    number = _power(text.strip())
    number = parse_number(text) if number is None else number
    if number < 0:
        raise NumberError(f"a number from 0 on is expected, not {text}")
    return number


def _power(text: str) -> int | None:
    """Return a number with an exponent or underscores; None for another text."""
    match = re.fullmatch(_POWER, text, re.ASCII)
    if match is None:
        return None
    digits, fraction, exponent, base, power = match.groups()
    if base:
        if int(power) > _LARGEST or int(base) > 10**_LARGEST:
            raise NumberError(f"{text} is too large: a number has at most {_LARGEST} digits")
        return int(pow(int(base), int(power)))
    fraction, places = (fraction or "").rstrip("0"), int(exponent or 0)
    if places > _LARGEST:
        raise NumberError(f"{text} is too large: a number has at most {_LARGEST} digits")
    if len(fraction) > places:
        raise NumberError(f"{text} is no whole number")
    return int(digits + fraction.ljust(places, "0"))


def size(text: str) -> int:
    """Read a size in bytes, such as 500M or 16G.

    >>> size("500M")
    524288000
    """
    from pavcodec.limits import memory_of

    return memory_of(text)


def layout_text(text: str) -> str:
    """Return the text of a layout; raise `PavError` for another text."""
    Layout.from_pbn(text)
    return text


def seat_letter(text: str) -> str:
    """Return the letter of a seat; raise `UnknownNameError` for another text."""
    return Seat.parse(text).letter


def strain_letters(text: str) -> str:
    """Return the letters of a denomination; raise `UnknownNameError` for another text."""
    return Strain.parse(text).letters


def cards_text(text: str) -> str:
    """Return cards as in SA,S3; raise `UnknownNameError` for a text that has others."""
    return ",".join(str(Card.parse(card)) for card in text.split(","))


def vulnerability_word(text: str) -> str:
    """Return the word of PBN for a vulnerability; raise `PavError` for another text."""
    words = {word.value.lower(): word.value for word in Vulnerability} | {"both": "All"}
    if text.lower() not in words:
        raise PavError(f"expected none, NS, EW or all, not {text!r}")
    return words[text.lower()]
