"""Seeds: numbers below 2¹²⁸, from an integer, from a text, or from the operating system."""

from __future__ import annotations

import re
from operator import index as as_integer
from typing import SupportsIndex

from pavcodec.errors import NumberError, shown

__all__ = ["SEED_BITS", "Seed", "fresh_seed", "given_seed", "parse_seed", "seed_of"]

Seed = SupportsIndex | str
"""A seed as an argument: a number, or a text that is hashed."""
SEED_BITS = 128

_DECIMAL = re.compile(r"(-?)0*([0-9]+)")
_MOST_DIGITS_SHOWN = 60


def seed_of(seed: Seed) -> int:
    """Return a seed as a number: an integer is the seed itself, and a text is hashed.

    The seed of a text is the first 16 bytes of the SHA-256 of its UTF-8, as a little-endian number.
    Raises `NumberError` outside 0 to 2¹²⁸ - 1.

    >>> seed_of(7), seed_of("Lisbon 2024, session 3")
    (7, 339855843104226345513859673413359226400)
    >>> seed_of("7") == seed_of(7)
    False
    """
    if isinstance(seed, str):
        return _hash_of(seed)
    try:
        number = as_integer(seed)
    except TypeError:
        given = type(seed).__name__
        raise TypeError(f"a seed is an integer or a text, not {given!r}") from None
    if not 0 <= number < 1 << SEED_BITS:
        raise _outside(shown(number))
    return number


def parse_seed(text: str) -> int:
    """Return the seed of a text: decimal digits are a number, and any other text is hashed.

    Raises `NumberError` for an empty text and for numbers outside 0 to 2¹²⁸ - 1.

    >>> parse_seed("7"), parse_seed("Lisbon 2024, session 3") == seed_of("Lisbon 2024, session 3")
    (7, True)
    """
    if not text:
        raise NumberError("a seed is a number or a text; this one is empty")
    found = _DECIMAL.fullmatch(text)
    if not found:
        return seed_of(text)
    sign, digits = found.groups()
    if len(digits) > _MOST_DIGITS_SHOWN:
        raise _outside(f"one of {len(digits)} digits")
    return seed_of(int(sign + digits))


def fresh_seed() -> int:
    """Return 128 random bits of the operating system; store them to repeat a draw later.

    >>> 0 <= fresh_seed() < 2**128
    True
    """
    from secrets import randbits

    return randbits(SEED_BITS)


def given_seed(seed: Seed | None) -> int:
    """Return a seed as a number, as `seed_of` does; a fresh one if there is none.

    >>> given_seed(7), given_seed(None) < 2**128
    (7, True)
    """
    return fresh_seed() if seed is None else seed_of(seed)


def _hash_of(text: str) -> int:
    from hashlib import sha256

    try:
        digest = sha256(text.encode()).digest()
    except UnicodeEncodeError:
        raise NumberError(f"a text seed is Unicode, not {text!r}") from None
    return int.from_bytes(digest[: SEED_BITS // 8], "little")


def _outside(found: str) -> NumberError:
    return NumberError(f"a seed is a number from 0 to {(1 << SEED_BITS) - 1}, not {found}")
