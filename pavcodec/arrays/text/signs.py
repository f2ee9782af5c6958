"""Characters of texts for compiled loops: classes of bytes, and constants as words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types

from pavcodec.cards import DECK_SIZE, HAND_SIZE, RANK_LETTERS, SEAT_LETTERS, SUIT_LETTERS, SUIT_SIZE

if TYPE_CHECKING:
    from numpy.typing import NDArray


SEATS, SUITS = len(SEAT_LETTERS), len(SUIT_LETTERS)
NONE = np.uint8(255)
DOTS = np.uint64(SUITS - 1)
ZERO, ONE, TWO, TEN = (np.uint64(number) for number in (0, 1, 2, 10))

WORD_DIGITS = np.uint64(19)
"""The number of digits that fit into any word; numbers of twice as many are below 2¹²⁸."""

WORD_POWER = np.uint64(10**19)

HAND_CHARACTERS = HAND_SIZE + SUITS - 1
"""The number of characters in a hand of 13 cards."""

HAND_STEP = np.uint64(HAND_CHARACTERS + 1)
FULL_SIZE = np.uint64(1) + HAND_STEP * np.uint64(SEATS)
SUIT = np.uint64(SUIT_SIZE)

SLOTS = 128
"""More than twice the deck, so there are slots for characters that are not cards, too."""

SLOT = np.uint64(SLOTS - 1)
STEP_BIT, STEP, WRONG = np.uint64(8), np.uint64(15), np.uint64(1 << 63)
WORD_BYTES, BYTE_BITS = np.uint64(8), np.uint64(8)
NO_DEAL, DEAL_UNKNOWN, DEAL_READ = range(3)
NAME, BLANK, IN_VALUE, IN_DATA = (np.uint8(1 << bit) for bit in range(4))


def _codes(signs: str) -> tuple[np.uint8, ...]:
    return tuple(np.uint8(ord(sign)) for sign in signs)


NEWLINE, RETURN, SPACE, QUOTE, BACKSLASH, HASH, MARK = _codes('\n\r "\\#?')
OPEN, CLOSE, COLON, DASH, DOT, NOUGHT, NINE = _codes("[]:-.09")
DELETE = np.uint8(0x7F)
DEAL, DEALER, VULNERABILITY = (
    np.frombuffer(name, np.uint8) for name in (b"Deal", b"Dealer", b"Vulnerable")
)


def _places(letters: str) -> NDArray[np.uint8]:
    """Return for each byte its place among the letters, or 255."""
    table = np.full(256, NONE)
    table[list(letters.encode())] = range(len(letters))
    return table


def _signs() -> NDArray[np.uint64]:
    """Return for each byte its slot in a suit, and the step that it adds for the next characters.

    A rank has its own slot and adds 0. A dot has a slot after the deck and adds the size of a suit.
    All other characters are wrong.
    """
    table = np.full(256, WRONG)
    table[list(RANK_LETTERS.encode())] = range(len(RANK_LETTERS))
    table[DOT] = DECK_SIZE | SUIT_SIZE << int(STEP_BIT)
    return table


def _kinds() -> NDArray[np.uint8]:
    """Return for each byte the parts of a plain game in which it may occur, as bits."""
    kinds = np.zeros(256, np.uint8)
    for byte in range(256):
        sign = chr(byte)
        if byte < DELETE and (sign.isalnum() or sign == "_"):
            kinds[byte] |= NAME
        if sign in " \t":
            kinds[byte] |= BLANK
        if sign not in '"\n\r':
            kinds[byte] |= IN_VALUE
        if sign not in '[]{};"\n\r':
            kinds[byte] |= IN_DATA
    return kinds


RANKS, SEAT_PLACES, KINDS = _places(RANK_LETTERS), _places(SEAT_LETTERS), _kinds()
SIGNS = _signs()
WORDS = ("None", "Love", "-", "NS", "EW", "All", "Both", "?")

VULNERABLE = np.array([list(word.ljust(5, '"').encode()) for word in WORDS], np.uint8)
"""The words for vulnerability, filled up with quotes."""

TEXT = types.Array(types.uint8, 1, "C", readonly=True)
OWNERS = types.Array(types.uint8, 2, "C")
NUMBERS = types.Array(types.uint64, 2, "C")
TWO_WORDS: Any = types.UniTuple(types.uint64, 2)  # type: ignore[no-untyped-call]
SIX_WORDS: Any = types.UniTuple(types.uint64, 6)  # type: ignore[no-untyped-call]
