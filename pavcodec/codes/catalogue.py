"""The catalogue of all codes by name, and the identification of unknown texts.

A code of numbers is a numbering with a notation for its numbers. The codes with two bits or a
character for each card are in `pavcodec.codes.card_codes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import SupportsIndex

from pavcodec.codes.card_codes import CARD_CODES, Code
from pavcodec.errors import LayoutError, NumberError, PavError, check_text, suggest
from pavcodec.layout.layout import Layout, check_layout
from pavcodec.numberings.catalogue import numbering, numbering_names

__all__ = ["Encoded", "Reading", "code", "code_names", "encode_all", "identify"]

_MOST_DIGITS = 200
_LOWER_CASE = 36
"""The largest base whose digits are not case-sensitive."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ{}"
"""The digits of base 64 in the order of njhammond/hand_record_utility; smaller bases use a part."""


@dataclass(frozen=True, slots=True)
class _Digits:
    """A notation for numbers of `deal`: the base, the number of the first deal, and the width."""

    base: int
    first: int = 0
    width: int = 0

    def read(self, text: str, _: int | None) -> tuple[bytes, None]:
        digits = text if self.base > _LOWER_CASE else text.lower()
        number = reduce(lambda value, digit: value * self.base + _DIGITS.index(digit), digits, 0)
        try:
            deal = numbering("deal", one_based=bool(self.first)).unrank(number)
        except NumberError as error:
            raise LayoutError(str(error)) from None
        return deal.owners, None

    def write(self, owners: bytes, _: int | None) -> str:
        number = numbering("deal").rank(Layout(owners)) + self.first
        digits = ""
        while number:
            number, digit = divmod(number, self.base)
            digits = _DIGITS[digit] + digits
        return digits.rjust(self.width, "0")


def _of_number(name: str, summary: str, shape: str, digits: _Digits) -> Code:
    """Return the code of a number of `deal`."""
    return Code(name, summary, shape, digits.read, digits.write)


_NUMBER_CODES = (
    _of_number(
        "ww-deal",
        "24 hexadecimal digits, the number of deal",
        "[0-9a-fA-F]{24}",
        _Digits(16, 0, 24),
    ),
    _of_number(
        "bridge-deal",
        "hexadecimal, the number of deal",
        "0|[1-9a-fA-F][0-9a-fA-F]{0,23}",
        _Digits(16, 0, 1),
    ),
    _of_number(
        "njhammond-16",
        "hexadecimal, the number of deal from 1 on",
        "[1-9a-fA-F][0-9a-fA-F]{0,23}",
        _Digits(16, 1),
    ),
    _of_number(
        "njhammond-64",
        "base 64, 0-9 a-z A-Z { }, the number of deal from 1 on",
        "[1-9a-zA-Z{}][0-9a-zA-Z{}]{0,15}",
        _Digits(64, 1),
    ),
)
_CODES = {code.name: code for code in (*CARD_CODES, *_NUMBER_CODES)}


_PLAIN = re.compile(r"0[xX]|[0-9,]+$")
"""Texts that `identify` reads first as a number and then as a code."""
_THOUSANDS = re.compile(r"[0-9]{1,3}([,.'’_ ])[0-9]{3}(\1[0-9]{3})*")
"""A decimal number with marks between its thousands, the same mark everywhere."""
_FEWEST_IN_GROUPS = 4


def code_names() -> list[str]:
    """Return the names that `code` accepts, in the order of the documentation.

    >>> code_names()[:3]
    ['bba', 'dlm', 'ber']
    """
    return list(_CODES)


def code(name: str) -> Code:
    """Return the code of a name; raise `UnknownNameError` for another name.

    >>> from pavcodec import numbering
    >>> last = numbering("deal")[-1]
    >>> [code(name).format(last) for name in ("ww-deal", "njhammond-16", "njhammond-64")]
    ['ad55e315634dda658bf491ff', 'ad55e315634dda658bf49200', 'Hlnz5mddSCmbZ980']
    """
    if name not in _CODES:
        raise suggest("code", name, code_names())
    return _CODES[name]


@dataclass(frozen=True, slots=True)
class Reading:
    """A possible meaning of a text: the name of a numbering, a code or a format, and the layout.

    `number` is None for codes and formats. `board` is None if the text has no board number.
    """

    scheme: str
    layout: Layout
    number: int | None = None
    board: int | None = None


def identify(text: str, *, one_based: bool = False) -> list[Reading]:
    """Return all possible meanings of a text as numbers of numberings and as codes.

    Decimal digits are a number, with or without marks between the thousands: a comma, a dot, an
    apostrophe, `_` or a blank. Hexadecimal digits are a number after `0x` or if there are letters
    among them; without `0x` they may be a code, too, and the codes are first in the list. Blanks
    may divide a long number or code into groups of the same length. `one_based` reads numbers that
    start at 1. Raises `PavError` if there is no possible meaning.

    >>> for reading in identify("gjacljgkbedpjpaadglmfnnhmk007"):
    ...     print(reading.scheme, reading.board, reading.layout["N"])
    dlm 1 T98.J87.QJT98.A4
    >>> [reading.scheme for reading in identify("ad55e315634dda658bf49200")]
    ['njhammond-16', 'balanced', 'ending', 'base5', 'legal']
    >>> identify("1.234.567")[0].number, identify("ad55e315 634dda65 8bf49200")[0].scheme
    (1234567, 'njhammond-16')
    """
    check_text("a number or a code", text)
    text = text.strip()
    reasons: list[str] = []
    joined, is_decimal = _joined(text)
    coded = [] if is_decimal else list(_coded(joined, reasons))
    number = _number_of(joined)
    numbered = [] if number is None else list(_numbered(number, one_based=one_based))
    readings = [*numbered, *coded] if _PLAIN.match(joined) else [*coded, *numbered]
    if not readings:
        shown = text if len(text) <= 100 else f"{text[:100]}…"
        why = f": {'; '.join(reasons)}" if reasons else ""
        raise PavError(f"{shown!r} fits no numbering and no code{why}")
    return readings


def _joined(text: str) -> tuple[str, bool]:
    """Return a number without the marks between its thousands, and groups without blanks.

    The second value is whether the text has such marks, which only decimal numbers have.

    >>> _joined("12 345 678"), _joined("6976424A 64820BB4 FF80D8A0 8EB9"), _joined("12 34")
    (('12345678', True), ('6976424A64820BB4FF80D8A08EB9', False), ('12 34', False))
    """
    words = text.split()
    line = " ".join(words).replace(", ", ",")  # a long number may be on two lines
    if thousands := _THOUSANDS.fullmatch(line):
        return line.replace(thousands[1], ""), True
    lengths = {len(word) for word in words[:-1]}
    if len(lengths) == 1 and len(words[-1]) <= len(words[0]) >= _FEWEST_IN_GROUPS:
        return "".join(words), False
    return text, False


def _coded(text: str, reasons: list[str]) -> Iterator[Reading]:
    """Yield the deal of a text in each code of its shape; add the reason if it is not a deal."""
    for one in _CODES.values():
        if one.fits(text):
            try:
                deal, board = one.parse_board(text)
            except LayoutError as error:
                reasons.append(f"as {one.name}, {error}")
            else:
                yield Reading(one.name, deal, board=board)


def _number_of(text: str) -> int | None:
    """Return the number in a text, or None if the text is not a number."""
    if len(text) > _MOST_DIGITS:
        return None
    if re.fullmatch(r"[0-9]+", text):
        return int(text)
    if re.fullmatch(r"0[xX][0-9a-fA-F]+|[0-9a-fA-F]+", text):
        return int(text, 16)
    return None


def _numbered(number: int, *, one_based: bool) -> Iterator[Reading]:
    """Yield the layout of a number in each numbering that contains it."""
    for name in numbering_names(partial=True):
        ranks = numbering(name, one_based=one_based)
        if number in ranks.numbers:
            yield Reading(name, ranks.unrank(number), number)


@dataclass(frozen=True, slots=True)
class Encoded:
    """A layout in one scheme: the name of a numbering or a code, and the text.

    `number` is None for a code.
    """

    scheme: str
    text: str
    number: int | None = None


def encode_all(
    layout: Layout, *, board: SupportsIndex | None = None, one_based: bool = False
) -> list[Encoded]:
    """Return a layout in all numberings and codes that contain it; raise `TypeError` otherwise.

    The last numberings are those of classes of deals, whose numbers name the class. `board` is the
    number of the board, for codes that contain it. `one_based` counts numbers from 1.

    >>> from pavcodec import numbering
    >>> found = {one.scheme: one.text for one in encode_all(numbering("deal")[5])}
    >>> found["deal"], found["bigdeal"], found["ww-deal"]
    ('5', '5', '000000000000000000000005')
    >>> [one.scheme for one in encode_all(Layout.from_pbn("N:A... K... Q... J..."))]
    ['balanced', 'ending', 'base5', 'legal']
    """
    check_layout(layout)
    found = []
    for name in numbering_names(partial=True, classes=True):
        try:
            number = numbering(name, one_based=one_based).rank(layout)
        except LayoutError:
            continue
        found.append(Encoded(name, str(number), number))
    for name, one in _CODES.items():
        try:
            found.append(Encoded(name, one.format(layout, board=board)))
        except LayoutError:
            continue
    return found
