"""Codes of deals by name: the texts that other programs and web sites use for deals.

A code has a character or two bits for each card, or is a number of the numbering `deal` in some
base. `identify` reads a text whose code is not known, and `encode_all` writes a layout in all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial, reduce
from operator import index as as_integer
from operator import xor
from typing import SupportsIndex

from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, Seat, Suit
from pavcodec.errors import (
    LayoutError,
    NumberError,
    PavError,
    TextError,
    check_text,
    shown,
    suggest,
)
from pavcodec.layout.layout import Deal, Layout, check_layout
from pavcodec.numberings.catalogue import numbering, numbering_names

# Codes of deals with a character or two bits for each card, as other programs write them.
#
# Only few texts of the right length are deals, so the reader checks that every hand has 13 cards.
# Most of these codes are defined by the order of the cards in the bits, and by the two bits of each
# seat.


_SEATS = len(Seat)
_MOST_SHOWN = 60

Read = Callable[[str, int | None], tuple[bytes, int | None]]
"""The function from a text and the board number, if known, to owners and the number in the text."""
Write = Callable[[bytes, int | None], str]
"""The function from owners and the board number, if known, to a text."""


@dataclass(frozen=True, slots=True)
class Code:
    """A text code of deals. Some codes also contain the number of the board.

    `pavcodec.code(name)` returns a code. `shape` is a regular expression of its texts; not every
    such text is a deal.

    >>> from pavcodec import code, numbering
    >>> ber = code("ber")
    >>> ber.format(numbering("deal")[0])
    '1111111111111222222222222233333333333334444444444444'
    >>> ber.parse(ber.format(numbering("deal")[1])) == numbering("deal")[1]
    True
    """

    name: str
    summary: str = field(compare=False)
    shape: str = field(repr=False)
    _read: Read = field(compare=False, repr=False)
    _write: Write = field(compare=False, repr=False)

    def fits(self, text: str) -> bool:
        """Return whether a text has the shape of the code, and so may be a deal."""
        check_text("a code", text)
        return re.fullmatch(self.shape, text) is not None

    def parse(self, text: str, *, board: int | None = None) -> Deal:
        """Return the deal of a text.

        `board` determines the dealer for codes that begin with the dealer's hand; the default is
        board 1, with North as dealer. Raises `TextError` for a text of another shape, and
        `LayoutError` for a text that is not a deal.
        """
        return self.parse_board(text, board=board)[0]

    def parse_board(self, text: str, *, board: int | None = None) -> tuple[Deal, int | None]:
        """Return the deal of a text and the number of its board, or None if it has no number.

        Arguments and errors are those of `parse`.
        """
        check_text("a code", text)
        text = text.strip()
        if not self.fits(text):
            shown = text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"
            message = f"{shown!r} is not a code {self.name!r}: {self.summary}"
            raise TextError(message, shown, (0, len(shown)))
        owners, number = self._read(text, _board_of(board))
        return Deal(owners), number

    def format(self, layout: Layout, *, board: SupportsIndex | None = None) -> str:
        """Return the text of a deal; raise `LayoutError` for another layout or a wrong board.

        `board` is the number of the board, for codes that contain it; the default is 1.
        """
        check_layout(layout)
        return self._write(Deal(layout.owners).owners, _board_of(board))


def _board_of(board: SupportsIndex | None) -> int | None:
    """Return the number of a board as an integer; raise `TypeError` for another type."""
    if board is None:
        return None
    try:
        return as_integer(board)
    except TypeError:
        raise TypeError(f"a board number is an integer, not {type(board).__name__!r}") from None


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Two bits for each card: the cards in the order of their bits, and the bits of N, E, S, W."""

    cards: tuple[int, ...]
    seats: tuple[int, ...] = (0, 1, 2, 3)

    def to_owners(self, number: int) -> bytes:
        owners = bytearray(DECK_SIZE)
        for index, card in enumerate(reversed(self.cards)):
            owners[card] = self.seats.index(number >> 2 * index & 3)
        return bytes(owners)

    def to_number(self, owners: bytes) -> int:
        return reduce(lambda number, card: number << 2 | self.seats[owners[card]], self.cards, 0)

    def read_hex(self, text: str, _: int | None) -> tuple[bytes, None]:
        return self.to_owners(int(text, 16)), None

    def write_hex(self, owners: bytes, _: int | None) -> str:
        return f"{self.to_number(owners):026x}"


_SUIT_MAJOR = tuple(range(DECK_SIZE))
_RANK_MAJOR = tuple(
    suit * SUIT_SIZE + rank for rank in range(SUIT_SIZE) for suit in range(len(Suit))
)
_BY_RANK = _Pairs(_RANK_MAJOR)
_BY_SUIT = _Pairs(_SUIT_MAJOR)
_FROM_THE_TWO = _Pairs(_SUIT_MAJOR[::-1])
_WEST_FIRST = (1, 2, 3, 0)
_CDS = _Pairs(_RANK_MAJOR, _WEST_FIRST)
_ZRD = _Pairs(tuple(card ^ 3 for card in _SUIT_MAJOR), _WEST_FIRST)  # low bits of a byte first


def _read_digits(text: str, _: int | None, *, first: int) -> tuple[bytes, None]:
    return bytes(int(digit) - first for digit in text), None


def _write_digits(owners: bytes, _: int | None, *, first: int) -> str:
    return "".join(str(owner + first) for owner in owners)


# bba: two digits for the board, then the cards; each byte of the cards is XORed with the board


def _bba_digits(board: int) -> tuple[int, int]:
    """Return the first two digits of a board: (board - 1) // 16; dealer and vulnerability."""
    sixteen, rest = divmod(board - 1, 16)
    vulnerable = (0, 2, 1, 3)[(rest + rest // 4) % 4]  # none, NS, EW, both are 0, 2, 1, 3
    return sixteen, rest % 4 * 4 + vulnerable


_BBA_BOARDS = {_bba_digits(board)[1]: board for board in range(1, 17)}
"""The board, 1 to 16, with this dealer and vulnerability."""


def _mixed(data: bytes, board: int) -> bytes:
    return bytes(byte ^ board for byte in data)


def _read_bba(text: str, _: int | None) -> tuple[bytes, int]:
    board = _BBA_BOARDS[int(text[1], 16)]
    cards = int.from_bytes(_mixed(bytes.fromhex(text[2:]), board), "big")
    return _BY_RANK.to_owners(cards), 16 * int(text[0], 16) + board


def _write_bba(owners: bytes, board: int | None) -> str:
    sixteen, rules = _bba_digits(_checked(board, 256, "bba"))
    cards = _BY_RANK.to_number(owners).to_bytes(DECK_SIZE // 4, "big")
    return f"{sixteen:X}{rules:X}{_mixed(cards, _BBA_BOARDS[rules]).hex().upper()}"


def _checked(board: int | None, most: int, name: str) -> int:
    """Return the number of a board, by default 1; raise `LayoutError` if a code cannot hold it."""
    if board is not None and not 1 <= board <= most:
        raise LayoutError(f"code {name!r} holds boards 1 to {most}, not {shown(board)}")
    return 1 if board is None else board


# dlm: 26 letters of two cards each, and a checksum that also determines the board


_DLM_LETTERS, _DLM_MOST = DECK_SIZE // 2, 99


def _read_dlm(text: str, _: int | None) -> tuple[bytes, int | None]:
    letters, check = text[:_DLM_LETTERS].encode(), text[_DLM_LETTERS:]
    owners = bytes(owner for letter in letters for owner in divmod(letter - ord("a"), 4))
    if not check:
        return owners, None
    board = reduce(xor, letters) ^ int(check)
    if not 1 <= board <= _DLM_MOST:
        raise LayoutError(f"no board has the check {check} of {text[:_DLM_LETTERS]!r}")
    return owners, board


def _write_dlm(owners: bytes, board: int | None) -> str:
    number = _checked(board, _DLM_MOST, "dlm")
    pairs = zip(owners[::2], owners[1::2], strict=True)
    letters = bytes(ord("a") + 4 * one + other for one, other in pairs)
    return f"{letters.decode()}{reduce(xor, letters) ^ number:03d}"


# bri and bhg: the cards of each hand, hand by hand


def _owners_of(cards: list[int], first: int) -> bytes:
    """Return the owners of cards, 13 for each hand from a seat on; the last hand gets the rest."""
    if len(set(cards)) < len(cards) or not all(0 <= card < DECK_SIZE for card in cards):
        raise LayoutError("the code has a card twice, or a card that does not exist")
    owners = bytearray([(first - 1) % _SEATS]) * DECK_SIZE
    for index, card in enumerate(cards):
        owners[card] = (first + index // HAND_SIZE) % _SEATS
    return bytes(owners)


def _cards_of(owners: bytes, seats: Iterable[int]) -> list[int]:
    """Return the cards of hands; each hand is in deck order."""
    return [card for seat in seats for card, owner in enumerate(owners) if owner == seat]


def _read_bri(text: str, _: int | None) -> tuple[bytes, None]:
    return _owners_of([int(text[k : k + 2]) - 1 for k in range(0, len(text), 2)], 0), None


def _write_bri(owners: bytes, _: int | None) -> str:
    return "".join(f"{card + 1:02d}" for card in _cards_of(owners, range(3)))


_BOREL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _dealer(board: int | None) -> int:
    return ((1 if board is None else board) - 1) % _SEATS


def _read_bhg(text: str, board: int | None) -> tuple[bytes, None]:
    return _owners_of([_BOREL.index(letter) for letter in text], _dealer(board)), None


def _write_bhg(owners: bytes, board: int | None) -> str:
    seats = [(_dealer(board) + turn) % _SEATS for turn in range(_SEATS)]
    return "".join(_BOREL[card] for card in _cards_of(owners, seats))


# saycbridge: hexadecimal digits, optionally with the board before and the calls after them


def _read_sayc(text: str, _: int | None) -> tuple[bytes, int | None]:
    board, dash, deal = text.partition(":")[0].rpartition("-")
    return _FROM_THE_TWO.to_owners(int(deal, 16)), int(board) if dash else None


def _write_sayc(owners: bytes, board: int | None) -> str:
    return f"{'' if board is None else f'{board}-'}{_FROM_THE_TWO.to_number(owners):026x}"


def _read_old_sayc(text: str, _: int | None) -> tuple[bytes, None]:
    number = int(text)
    if number >= 1 << 2 * DECK_SIZE:
        raise LayoutError(f"{text} is above the largest code of two bits a card")
    return _BY_SUIT.to_owners(number), None


def _write_old_sayc(owners: bytes, _: int | None) -> str:
    return str(_BY_SUIT.to_number(owners))


def _hexadecimal(name: str, summary: str, pairs: _Pairs) -> Code:
    shape = "[0-9a-fA-F]{26}"
    return Code(name, f"26 hexadecimal digits, {summary}", shape, pairs.read_hex, pairs.write_hex)


def _decimal(name: str, summary: str, first: int) -> Code:
    read, write = partial(_read_digits, first=first), partial(_write_digits, first=first)
    return Code(name, summary, f"[{first}-{first + 3}]{{52}}", read, write)


CARD_CODES = (
    Code(
        "bba",
        "28 hexadecimal digits: dealer, vulnerability and board, then a byte a rank",
        "[0-9a-fA-F]{28}",
        _read_bba,
        _write_bba,
    ),
    Code(
        "dlm",
        "26 letters a to p of two cards each, and three digits as a check",
        "[a-p]{26}([0-9]{3})?",
        _read_dlm,
        _write_dlm,
    ),
    _decimal("ber", "52 digits 1 to 4, N E S W, SA to C2", 1),
    _decimal("digits", "52 digits 0 to 3, N E S W, SA to C2", 0),
    Code(
        "bri",
        "78 digits: the cards 01 (SA) to 52 (C2) of N, E and S",
        "[0-9]{78}",
        _read_bri,
        _write_bri,
    ),
    Code(
        "bhg",
        "52 letters A to Z, a to z (SA to C2), 13 a hand, the dealer's first",
        "[A-Za-z]{52}",
        _read_bhg,
        _write_bhg,
    ),
    _hexadecimal("kops", "a byte a rank, S H D C, N E S W = 0 to 3", _BY_RANK),
    _hexadecimal("cds", "a byte a rank, S H D C, W N E S = 0 to 3", _CDS),
    _hexadecimal("zrd", "four cards a byte, SA lowest, W N E S = 0 to 3", _ZRD),
    Code(
        "saycbridge",
        "26 hexadecimal digits, C2 to CA, D, H, S2 to SA; the board and - may come before",
        "([0-9]{1,6}-)?[0-9a-fA-F]{26}(:.*)?",
        _read_sayc,
        _write_sayc,
    ),
    Code(
        "saycbridge-old",
        "a decimal number, two bits a card, C2 lowest",
        "[0-9]{23,32}",
        _read_old_sayc,
        _write_old_sayc,
    ),
)
"""The codes with a character or two bits for each card."""


# The catalogue of all codes by name, and the identification of unknown texts.
#
# A code of numbers is a numbering with a notation for its numbers.


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
_RARE = ("kops", "saycbridge-old", "ww-deal", "bridge-deal", "njhammond-16", "njhammond-64")
"""Codes that pavcodec recognises, and that hardly anybody wants to write."""


_PLAIN = re.compile(r"0[xX]|[0-9,]+$")
"""Texts that `identify` reads first as a number and then as a code."""
_THOUSANDS = re.compile(r"[0-9]{1,3}([,.'’_ ])[0-9]{3}(\1[0-9]{3})*")
"""A decimal number with marks between its thousands, the same mark everywhere."""
_FEWEST_IN_GROUPS = 4


def code_names(*, rare: bool = False) -> list[str]:
    """Return the names of codes, in the order of the documentation.

    `rare` adds the codes that `identify` and `code` know, and that `encode_all` leaves out.

    >>> code_names()[:3], code_names(rare=True)[-1]
    (['bba', 'dlm', 'ber'], 'njhammond-64')
    """
    return [name for name in _CODES if name not in _RARE] + list(_RARE if rare else ())


def code(name: str) -> Code:
    """Return the code of a name; raise `UnknownNameError` for another name.

    >>> from pavcodec import numbering
    >>> last = numbering("deal")[-1]
    >>> [code(name).format(last) for name in ("ww-deal", "njhammond-16", "njhammond-64")]
    ['ad55e315634dda658bf491ff', 'ad55e315634dda658bf49200', 'Hlnz5mddSCmbZ980']
    """
    if name not in _CODES:
        raise suggest("code", name, code_names(rare=True))
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
    for code in _CODES.values():
        if code.fits(text):
            try:
                deal, board = code.parse_board(text)
            except LayoutError as error:
                reasons.append(f"as {code.name}, {error}")
            else:
                yield Reading(code.name, deal, board=board)


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

    The last numberings are those of classes of deals, whose numbers name the class; the codes are
    those of `code_names`. `board` is the number of the board, for codes that contain it.
    `one_based` counts numbers from 1.

    >>> from pavcodec import numbering
    >>> texts = {one.scheme: one.text for one in encode_all(numbering("deal")[5])}
    >>> texts["deal"], texts["bigdeal"], texts["zrd"]
    ('5', '5', '555555a9aaaafaffff0fc00000')
    >>> [one.scheme for one in encode_all(Layout.from_pbn("N:A... K... Q... J..."))]
    ['balanced', 'ending', 'base5', 'legal']
    """
    check_layout(layout)
    encoded = []
    for name in numbering_names(partial=True, classes=True):
        try:
            number = numbering(name, one_based=one_based).rank(layout)
        except LayoutError:
            continue
        encoded.append(Encoded(name, str(number), number))
    for name in code_names():
        try:
            encoded.append(Encoded(name, _CODES[name].format(layout, board=board)))
        except LayoutError:
            continue
    return encoded
