"""Read texts of many layouts into arrays: deal texts, numbers, and parts of plain PBN games.

Each loop reads while the text is strictly valid, and stops at the first position where it is not or
may not be. The readers of the complete format continue from there. The given text must end with a
line end, so each loop over characters stops there at the latest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import types

from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.text.signs import (
    COLON,
    DASH,
    DOT,
    DOTS,
    FULL_SIZE,
    HAND_CHARACTERS,
    HAND_STEP,
    NEWLINE,
    NINE,
    NONE,
    NOUGHT,
    NUMBERS,
    ONE,
    OWNERS,
    RANKS,
    RETURN,
    SEAT_PLACES,
    SEATS,
    SIGNS,
    SLOT,
    SLOTS,
    SPACE,
    STEP,
    STEP_BIT,
    SUIT,
    SUITS,
    TEN,
    TEXT,
    TWO,
    TWO_WORDS,
    WORD_DIGITS,
    WORD_POWER,
    WRONG,
    ZERO,
)
from pavcodec.arrays.words.limbs import split
from pavcodec.arrays.words.wide import at_least, multiply_add
from pavcodec.cards import DECK_SIZE, SUIT_SIZE, UNUSED

if TYPE_CHECKING:
    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.arrays.words.limbs import Limbs


class Found(NamedTuple):
    """The result of a reading loop: the number of rows, and the part of the text that was read."""

    rows: int
    end: int
    """The position at which the loop stopped."""
    games: int = 0
    lines: int = 0
    last: slice = slice(0)
    """The span of the last game, without the blank lines after it."""


def read_deals(text: bytes, begin: int, owners: Owners) -> Found:
    r"""Read deal texts, one in each line, until `owners` is full or a line is not a deal text.

    >>> owners = np.empty((5, 52), np.uint8)
    >>> read_deals(b"N:- - - -\nN:A... - - -\nn:- - - -\n", 0, owners)[:2]
    (2, 23)
    """
    given = np.frombuffer(text, np.uint8)
    rows, end = _read_deals(given, np.uint64(begin), owners)
    return Found(int(rows), int(end))


def read_numbers(text: bytes, begin: int, numbers: Limbs, *, least: int, most: int) -> Found:
    r"""Read decimal numbers of `least` to `most`, one in each line, until `numbers` is full.

    >>> numbers = np.empty((5, 2), np.uint64)
    >>> read_numbers(b"7\n18446744073709551617\n9\n", 0, numbers, least=0, most=1 << 64)[:2]
    (1, 2)
    """
    given = np.frombuffer(text, np.uint8)
    rows, end = _read_numbers(given, np.uint64(begin), *split(least), *split(most), numbers)
    return Found(int(rows), int(end))


@compiled()
def _read_full_deal(text: Any, position: Any, slots: Any, owners: Any) -> Any:
    """Return the end of the text of a deal with all 52 cards, or 0 for other texts.

    Every hand has 16 characters: 13 ranks and three dots. The loop has no branch for dots: a dot
    fills a slot, too, and adds the step to the next suit.
    """
    end = position + FULL_SIZE
    first = SEAT_PLACES[text[position]]
    if end > np.uint64(len(text)) or first == NONE or text[position + ONE] != COLON:
        return ZERO
    for card in range(DECK_SIZE):
        slots[card] = UNUSED
    seen = ZERO
    for turn in range(SEATS):
        seat = np.uint8((first + turn) % SEATS)
        begin, offset = position + TWO + HAND_STEP * np.uint64(turn), ZERO
        for at in range(HAND_CHARACTERS):
            sign = SIGNS[text[begin + np.uint64(at)]]
            slots[offset + sign & SLOT] = seat
            offset += sign >> STEP_BIT & STEP
            seen |= sign
        if offset != SUIT * DOTS or (turn and text[begin - ONE] != SPACE):
            return ZERO
    greatest = np.uint8(0)
    for card in range(DECK_SIZE):
        owners[card] = slots[card]
        greatest |= slots[card]
    return ZERO if greatest >= UNUSED or seen & WRONG else end


@compiled()
def _read_hand(text: Any, position: Any, seat: Any, owners: Any) -> Any:
    """Read a hand and return its end, or 0 if the hand is not valid."""
    if text[position] == DASH:
        return position + ONE
    for suit in range(SUITS):
        while True:
            rank = RANKS[text[position]]
            if rank == NONE:
                break
            card = np.uint64(suit * SUIT_SIZE) + rank
            if owners[card] != UNUSED:
                return ZERO
            owners[card] = seat
            position += ONE
        if suit < SUITS - 1:
            if text[position] != DOT:
                return ZERO
            position += ONE
    return position


@compiled()
def read_deal(text: Any, position: Any, most: Any, slots: Any, owners: Any) -> Any:
    """Read a deal text and return its end, or 0 if it is not strictly valid.

    A deal text in which a hand has more than `most` cards is not valid.
    """
    end = _read_full_deal(text, position, slots, owners)
    if end != ZERO:
        return end
    first = SEAT_PLACES[text[position]]
    if first == NONE or text[position + ONE] != COLON:
        return ZERO
    position += TWO
    owners[:] = UNUSED
    for turn in range(SEATS):
        if turn:
            if text[position] != SPACE:
                return ZERO
            position += ONE
        end = _read_hand(text, position, (first + turn) % SEATS, owners)
        if end == ZERO or end - position > most + DOTS:
            return ZERO
        position = end
    return position


@compiled()
def line_end(text: Any, position: Any) -> Any:
    """Return the start of the next line if this line ends here, else 0."""
    if text[position] == RETURN:
        position += ONE
    return position + ONE if text[position] == NEWLINE else ZERO


@compiled(TWO_WORDS(TEXT, types.uint64, OWNERS))
def _read_deals(text: Any, position: Any, owners: Any) -> Any:
    row, slots = 0, np.empty(SLOTS, np.uint8)
    while row < len(owners) and position < len(text):
        end = read_deal(text, position, np.uint64(DECK_SIZE), slots, owners[row])
        if end != ZERO:
            end = line_end(text, end)
        if end == ZERO:
            break
        position = end
        row += 1
    return np.uint64(row), position


@compiled()
def _digits(text: Any, begin: Any, end: Any) -> Any:
    """Return the number that at most 19 digits form."""
    number = ZERO
    for index in range(begin, end):
        number = number * TEN + np.uint64(text[index] - NOUGHT)
    return number


@compiled(TWO_WORDS(TEXT, *[types.uint64] * 5, NUMBERS))
def _read_numbers(
    text: Any,
    position: Any,
    least_high: Any,
    least_low: Any,
    most_high: Any,
    most_low: Any,
    numbers: Any,
) -> Any:
    row = 0
    while row < len(numbers) and position < len(text):
        end = position
        while NOUGHT <= text[end] <= NINE:
            end += ONE
        after, count = line_end(text, end), end - position
        if not (after and 0 < count <= TWO * WORD_DIGITS):
            break
        if count > WORD_DIGITS:
            cut = end - WORD_DIGITS
            upper, lower = _digits(text, position, cut), _digits(text, cut, end)
            high, low = multiply_add(upper, WORD_POWER, lower, ZERO)
        else:
            high, low = ZERO, _digits(text, position, end)
        if not (
            at_least(high, low, least_high, least_low) and at_least(most_high, most_low, high, low)
        ):
            break
        numbers[row, 0], numbers[row, 1] = high, low
        position = after
        row += 1
    return np.uint64(row), position
