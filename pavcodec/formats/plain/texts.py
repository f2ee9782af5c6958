"""What formats of lines share: texts for messages, numbers, and the lines that are no remarks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from pavcodec.boards.board import Context
from pavcodec.cards import SEAT_LETTERS
from pavcodec.errors import NumberError
from pavcodec.files.text import first_control, lines

_DECIMAL = re.compile(r"[0-9]+|[0-9]{1,3}(,[0-9]{3})+")
_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]+")
_BARE_HEXADECIMAL = re.compile(r"[0-9a-fA-F]+")
BARE_HANDS = re.compile(r"(?i:[AKQJT2-9]*(\.[AKQJT2-9]*){3}(\s+|$)){4}")
"""Four hands, North first, without the seat."""
_MOST_SHOWN = 60
_MOST_DIGITS = 200  # the largest numbering has 37


def shorten(text: str) -> str:
    """Quote a text for a message, cut where it is long."""
    return repr(text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…")


def parse_number(text: str, *, hexadecimal: bool = False) -> int:
    """Read a number as people write it: decimal, with commas, or hexadecimal after `0x`.

    `hexadecimal` reads digits without `0x` as hexadecimal too. A sign is allowed, so that the
    numbering can refuse negative numbers. Raises `NumberError`.

    >>> parse_number("1,000"), parse_number("0xff"), parse_number("ff", hexadecimal=True)
    (1000, 255, 255)
    """
    digits = text.strip()
    if len(digits) > _MOST_DIGITS:
        raise NumberError(f"{shorten(text)} has {len(digits)} characters; no number is that long")
    sign = -1 if digits.startswith("-") else 1
    digits = digits.removeprefix("-") if sign < 0 else digits.removeprefix("+")
    if _HEXADECIMAL.fullmatch(digits) or (hexadecimal and _BARE_HEXADECIMAL.fullmatch(digits)):
        return sign * int(digits, 16)
    if not hexadecimal and _DECIMAL.fullmatch(digits):
        return sign * int(digits.replace(",", ""))
    expected = "hexadecimal digits" if hexadecimal else "decimal, or hexadecimal after 0x"
    raise NumberError(f"{shorten(text)} is no number; expected {expected}")


def looks_like_lines(line: str) -> bool:
    """Return whether a line looks like a deal text: a seat and a colon, or four hands."""
    word = line.lstrip()
    if BARE_HANDS.fullmatch(word.rstrip()):
        return True
    return len(word) > 1 and word[0].upper() in SEAT_LETTERS and word[1] == ":"


def looks_like_number(line: str) -> bool:
    """Return whether a line is a number."""
    try:
        parse_number(line)
    except NumberError:
        return False
    return True


def numbered_lines(stream: BinaryIO, context: Context) -> Iterator[tuple[int, str]]:
    """Yield (line number, text) of lines except blank lines and remarks; stop at binary data."""
    for number, line in lines(stream):
        if not is_text(line):
            context.problem(number, "this is not text: expected one item a line")
            return
        text = line.strip()
        if text and not text.startswith("#"):
            yield number, text


def is_text(line: str) -> bool:
    """Return whether a line has no control characters."""
    return first_control(line.encode("utf-8", "replace")) is None
