"""Weights of the types of a mix, and the tag `Generator`, from which boards can be made again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from math import gcd, lcm
from numbers import Rational
from operator import index as as_integer
from typing import SupportsIndex

from pavcodec._version import __version__
from pavcodec.errors import NumberError, shown
from pavcodec.sampling.stream import MOST

# Weights of the types of a mix. Only their proportion matters.


Weight = SupportsIndex | Rational | str

_WEIGHT = re.compile(r"[0-9]+(\.[0-9]+|/[0-9]+)?")
_LARGEST = 1 << 1000
_LONGEST = 40


def weight_of(value: Weight) -> Fraction:
    """Return the weight of an integer, a fraction, or a text such as 35, 2.5 or 1/3.

    Raises `NumberError` for other texts and for values of 0 or less, and `TypeError` for a float:
    the text 2.5 is exact, but a float is not.

    >>> weight_of(35), weight_of("2.5"), weight_of("1/3")
    (Fraction(35, 1), Fraction(5, 2), Fraction(1, 3))
    """
    weight = _exact(value)
    if weight <= 0:
        raise NumberError(f"a weight is more than 0, not {_shown(weight)}")
    return weight


def share_of(value: Weight) -> Fraction:
    """Return a share: a weight or 0.

    >>> share_of("2.5"), share_of(0)
    (Fraction(5, 2), Fraction(0, 1))
    """
    share = _exact(value)
    if share < 0:
        raise NumberError(f"a weight is 0 or more, not {_shown(share)}")
    if max(share.numerator, share.denominator) > _LARGEST:
        raise NumberError(f"a weight has at most 1000 bits, not {_shown(share)}")
    return share


def _exact(value: Weight) -> Fraction:
    if isinstance(value, str):
        return _read(value)
    if isinstance(value, Rational):
        return Fraction(value)
    if isinstance(value, float):
        raise TypeError(f"a weight is exact: write '{value}' instead of {value}")
    return Fraction(as_integer(value))


def _shown(weight: Fraction) -> str:
    parts = (weight.numerator, weight.denominator)[: 1 + (weight.denominator > 1)]
    return "/".join(map(shown, parts))


def _read(text: str) -> Fraction:
    if len(text) > _LONGEST or not _WEIGHT.fullmatch(text):
        raise NumberError(f"a weight is a number such as 35, 2.5 or 1/3, not {text[:_LONGEST]!r}")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise NumberError(f"a weight is a number such as 35, 2.5 or 1/3, not {text!r}") from None


def unweighted(weights: Sequence[Fraction | None]) -> int | None:
    """Return the place of the first None among weights, or None if all or no places have a weight.

    >>> unweighted([Fraction(1), None]), unweighted([None, None]), unweighted([Fraction(1)])
    (1, None, None)
    """
    if None not in weights or not any(weights):
        return None
    return weights.index(None)


def proportion(weights: Sequence[Fraction]) -> tuple[int, ...]:
    """Return the smallest integers in the proportion of some weights.

    Raises `NumberError` if their sum is above 2¹²⁸.

    >>> proportion([Fraction(35), Fraction(60), Fraction(5)])
    (7, 12, 1)
    >>> proportion([Fraction(5, 2), Fraction(1, 3)])
    (15, 2)
    """
    common = lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * common) for weight in weights]
    shared = gcd(*whole)
    parts = tuple(part // shared for part in whole)
    if sum(parts) > MOST:
        total = shown(sum(parts))
        raise NumberError(f"weights in smallest integers sum to at most 2^128, not to {total}")
    return parts


# The tag `Generator`: the program, the seed, the first sample and the condition of boards.


_LONGEST_VALUE = 253 - len('[Generator ""]')
"""The most characters of a value of the tag `Generator` in one line of PBN."""
_STEM = 60
"""The most characters of a script's name."""


def generator(  # noqa: PLR0913
    seed: int | None,
    start: int,
    where: str,
    method: str = "",
    *,
    script: str | None = None,
    spare: int = 0,
) -> str:
    """Return the text of the tag `Generator`, from which anyone can make the boards again.

    No seed means deals in order. If the condition makes a line of PBN too long, the text has its
    hash and the name of the script. `spare` is the number of characters that the caller adds.
    """
    words = [f"pavcodec {__version__}"]
    words += ["in order" if seed is None else f"seed={seed}"]
    words += [f"start={start}"] if start else []
    words += [method] if method else []
    if not where:
        return " ".join(words)
    whole = " ".join([*words, f"where={where}"])
    if _is_a_line(whole, _LONGEST_VALUE - spare):
        return whole
    if script:
        from pathlib import Path

        stem = re.sub(r"[^\w.-]+", "_", Path(script).stem, flags=re.ASCII)[:_STEM]
        words += [f"script={stem}"] if stem else []
    return " ".join([*words, f"where=sha256:{sha256(where.encode()).hexdigest()[:16]}"])


def preface(where: str, made: str) -> tuple[str, ...]:
    """Return lines with the whole condition for a file whose boards only have its hash."""
    return () if made.endswith(where) else ("condition:", *where.split("\n"))


def _is_a_line(value: str, longest: int) -> bool:
    """Return whether the value of a tag of PBN is one line of at most `longest` characters."""
    return "\n" not in value and len(value) + sum(map(value.count, '"\\')) <= longest
