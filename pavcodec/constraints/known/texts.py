"""Known cards as lines of text: a seat, and then its cards or suits."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pavcodec.errors import PavError

__all__ = ["seat_and_rest", "texts_by_seat"]

_SEAT_FIRST = re.compile(r"\s*([A-Za-z]+)(?:\s*:\s*|\s+)(\S.*?)\s*")


def seat_and_rest(text: str) -> tuple[str, str]:
    """Return the seat at the start of a text, and the rest; raise `PavError` without either.

    >>> seat_and_rest("S AKQ2.K85.AJ4.T63"), seat_and_rest("east: spades")
    (('S', 'AKQ2.K85.AJ4.T63'), ('east', 'spades'))
    """
    match = _SEAT_FIRST.fullmatch(text)
    if not match:
        raise PavError(f"{text!r}: expected a seat and then the others, as in 'S SAKQ'")
    return match[1], match[2]


def texts_by_seat(texts: Iterable[str]) -> dict[str, str]:
    """Return the texts by seat; raise `PavError` for a seat with two texts.

    >>> texts_by_seat(["S SAK", "E H2"])
    {'S': 'SAK', 'E': 'H2'}
    """
    found: dict[str, str] = {}
    for text in texts:
        seat, rest = seat_and_rest(text)
        if seat in found:
            raise PavError(f"{text!r}: {seat} occurs twice; write all of a seat into one text")
        found[seat] = rest
    return found
