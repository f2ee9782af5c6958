"""Deals to numbers and back in dictionary order of their owners: the walk of `FixedSizes`.

A state is the room of the four hands, four bits each, North in the highest bits; the sum of the
rooms is the number of cards left. A table has the *thresholds* of each state: for each seat, the
number of words whose next card goes to an earlier seat. Comparisons with the thresholds find the
seat of a number without a division. The number of a deal is the sum of the thresholds of its seats.
With 35 cards left, all thresholds fit into one word, so two thirds of the cards need half the time.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.owners.rows import BLOCK, Owners, held, packed_sizes, write_rows
from pavcodec.arrays.words.limbs import Limbs, split
from pavcodec.arrays.words.wide import at_least, multiply_add

MOST_IN_A_HAND = 15
_SEATS = 4
_ROOM_BITS = 4
_NORTH = np.uint64(1 << (_SEATS - 1) * _ROOM_BITS)
_SHIFT = np.uint64(_ROOM_BITS)


def _packed(rooms: Any) -> Any:
    state = 0
    for room in rooms:
        state = state << _ROOM_BITS | room
    return state


@cache
def thresholds(sizes: tuple[int, int, int, int]) -> tuple[Limbs, Limbs, int]:
    """Return the thresholds of all states (high words, low words), and the wide cards.

    Each table is `uint64[states, 4]`: by seat, the number of words that continue with an earlier
    seat. The high words are needed only for the first `wide` cards.

    >>> high, low, wide = thresholds((13, 13, 13, 13))
    >>> [int(high[0xDDDD, seat]) << 64 | int(low[0xDDDD, seat]) for seat in range(2)]
    [0, 13411184441372198209809360000]
    >>> wide
    17
    """
    high, low = np.zeros((2, 1 << _SEATS * _ROOM_BITS, _SEATS), np.uint64)
    ways_high, ways_low = np.zeros((2, 1 << _SEATS * _ROOM_BITS), np.uint64)
    rooms = np.indices([size + 1 for size in sizes]).reshape(_SEATS, -1)
    left, packed = rooms.sum(axis=0), _packed(rooms)
    ways_low[0], narrow = 1, 0
    for cards in range(1, sum(sizes) + 1):
        here = left == cards
        states = packed[here]
        total_high, total_low = np.zeros((2, len(states)), np.uint64)
        for seat, room in enumerate(rooms[:, here]):
            high[states, seat], low[states, seat] = total_high, total_low
            after = np.where(room > 0, states - (int(_NORTH) >> _ROOM_BITS * seat), 0)
            more = np.where(room > 0, ways_low[after], np.uint64(0))
            total_low += more
            total_high += np.where(room > 0, ways_high[after], np.uint64(0)) + (total_low < more)
        ways_high[states], ways_low[states] = total_high, total_low
        if not np.any(total_high):
            narrow = cards
    return high, low, sum(sizes) - narrow


class DealKernel:
    """Rank and unrank words of four hands, of at most `MOST_IN_A_HAND` cards each."""

    def __init__(self, sizes: tuple[int, int, int, int]) -> None:
        self._sizes = packed_sizes(sizes)
        self._start = np.uint64(_packed(sizes))
        self._high, self._low, self._wide = thresholds(sizes)

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        """Write the numbers of owners; return the first row without a number, or -1."""
        bad: int = _rank(
            self._high, self._low, self._wide, self._sizes, self._start, owners, numbers
        )
        return bad

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        """Write the owners of numbers, which must be below the cardinality."""
        _unrank(self._high, self._low, self._wide, self._start, numbers, owners)


@compiled()
def _place_wide(high: Any, low: Any, states: Any, numbers: Any, column: Any) -> None:
    """Give the next card of every deal to a seat, by its number of two words."""
    for deal in range(len(states)):
        state, number_high, number_low = states[deal], numbers[deal, 0], numbers[deal, 1]
        seat = at_least(number_high, number_low, high[state, 1], low[state, 1])
        seat += at_least(number_high, number_low, high[state, 2], low[state, 2])
        seat += at_least(number_high, number_low, high[state, 3], low[state, 3])
        passed = low[state, seat]
        numbers[deal, 0] = number_high - high[state, seat] - np.uint64(number_low < passed)
        numbers[deal, 1] = number_low - passed
        states[deal] = state - (_NORTH >> _SHIFT * seat)
        column[deal] = seat


@compiled()
def _place_narrow(low: Any, states: Any, numbers: Any, column: Any) -> None:
    """Do the same if all thresholds, and so all numbers, fit into the low word."""
    for deal in range(len(states)):
        state, number = states[deal], numbers[deal, 1]
        seat = np.uint64(number >= low[state, 1])
        seat += np.uint64(number >= low[state, 2])
        seat += np.uint64(number >= low[state, 3])
        numbers[deal, 1] = number - low[state, seat]
        states[deal] = state - (_NORTH >> _SHIFT * seat)
        column[deal] = seat


@compiled()
def _unrank(high: Any, low: Any, wide: Any, start: Any, numbers: Any, owners: Any) -> None:
    cards = owners.shape[1]
    all_columns = np.empty((cards, BLOCK), np.uint8)
    all_states = np.empty(BLOCK, np.uint64)
    for begin in range(0, len(numbers), BLOCK):
        left = numbers[begin : begin + BLOCK].copy()
        states, columns = all_states[: len(left)], all_columns[:, : len(left)]
        states[:] = start
        for card in range(wide):
            _place_wide(high, low, states, left, columns[card])
        for card in range(wide, cards):
            _place_narrow(low, states, left, columns[card])
        write_rows(columns, owners[begin : begin + BLOCK])


@compiled()
def _rank(high: Any, low: Any, wide: Any, sizes: Any, start: Any, owners: Any, numbers: Any) -> Any:
    for deal in range(len(owners)):
        if held(owners[deal]) != sizes:
            return deal
        state, number_high, number_low = start, np.uint64(0), np.uint64(0)
        for card in range(wide):
            seat = np.uint64(owners[deal, card])
            number_low += low[state, seat]
            number_high += high[state, seat] + np.uint64(number_low < low[state, seat])
            state -= _NORTH >> _SHIFT * seat
        rest = np.uint64(0)
        for card in range(wide, owners.shape[1]):
            seat = np.uint64(owners[deal, card])
            rest += low[state, seat]
            state -= _NORTH >> _SHIFT * seat
        number_low += rest
        numbers[deal, 0] = number_high + np.uint64(number_low < rest)
        numbers[deal, 1] = number_low
    return -1


# Scrambled numbers: x · factor + shift modulo a cardinality of nearly two words.
#
# The products have 190 bits. Instead of a multiplication, a table stores the reduced product for
# each value of each byte of x, and the result is the reduced sum of about a dozen entries.


MOST = 1 << 123
"""The largest cardinality: the sum of 17 numbers below it is below 2¹²⁸."""

_BYTE_BITS, _BYTE = np.uint64(8), np.uint64(255)


class AffineKernel:
    """Map numbers x below the cardinality to (x · factor + shift) modulo the cardinality."""

    def __init__(self, factor: int, shift: int, cardinality: int) -> None:
        count = -(-(cardinality - 1).bit_length() // 8)
        self._table = np.array(
            [
                [split((value << 8 * index) * factor % cardinality) for value in range(256)]
                for index in range(count)
            ],
            np.uint64,
        ).reshape(count, 256, 2)
        self._shift = np.array(split(shift % cardinality), np.uint64)
        self._multiples = np.array([split(cardinality << k) for k in range(4, -1, -1)], np.uint64)

    def map(self, numbers: Limbs) -> Limbs:
        """Return the images of the numbers."""
        mapped = np.empty_like(numbers)
        _map(self._table, self._shift, self._multiples, numbers, mapped)
        return mapped


@compiled()
def _map(table: Any, shift: Any, multiples: Any, numbers: Any, mapped: Any) -> None:
    for row in range(len(numbers)):
        high, low = shift[0], shift[1]
        for index in range(len(table)):
            word = numbers[row, 1] if index < 8 else numbers[row, 0]
            value = word >> _BYTE_BITS * np.uint64(index % 8) & _BYTE
            low += table[index, value, 1]
            high += table[index, value, 0] + np.uint64(low < table[index, value, 1])
        for k in range(len(multiples)):
            if at_least(high, low, multiples[k, 0], multiples[k, 1]):
                high -= multiples[k, 0] + np.uint64(low < multiples[k, 1])
                low -= multiples[k, 1]
        mapped[row, 0], mapped[row, 1] = high, low


# Any assignment of the cards as base-5 digits, the first card least significant: `OwnerDigits`.


BASE = 5
PARTS = 4
"""The number of cards must be a multiple of this."""

_BASE = np.uint64(BASE)
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_HALF_BITS, _HALF_WORD = np.uint64(32), np.uint64((1 << 32) - 1)


class DigitKernel:
    """Rank and unrank all words of four seats and unused; the cards are a multiple of four.

    The digits are computed in four parts, each below 2³² for 52 cards.
    """

    def __init__(self, cards: int) -> None:
        self._part = np.uint64(BASE ** (cards // PARTS))

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        """Write the numbers of owners; return the first row without a number, or -1."""
        bad: int = _rank_digits(self._part, owners, numbers)
        return bad

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        """Write the owners of numbers, which must be below the cardinality."""
        _unrank_digits(self._part, numbers, owners)


@compiled()
def _unrank_digits(divisor: Any, numbers: Any, owners: Any) -> None:
    size = owners.shape[1] // PARTS
    limbs = np.empty(PARTS, np.uint64)  # 32 bits each, the highest limb first
    parts = np.empty(PARTS, np.uint64)
    for deal in range(len(numbers)):
        for word in range(2):
            limbs[2 * word] = numbers[deal, word] >> _HALF_BITS
            limbs[2 * word + 1] = numbers[deal, word] & _HALF_WORD
        for part in range(PARTS):  # schoolbook division: the remainders are the parts
            remainder = _ZERO
            for limb in range(PARTS):
                dividend = remainder << _HALF_BITS | limbs[limb]
                limbs[limb] = dividend // divisor
                remainder = dividend - limbs[limb] * divisor
            parts[part] = remainder
        for card in range(size):
            for part in range(PARTS):
                digit = parts[part] % _BASE
                parts[part] //= _BASE
                owners[deal, part * size + card] = (digit + _BASE - _ONE) % _BASE


@compiled()
def _rank_digits(part_size: Any, owners: Any, numbers: Any) -> Any:
    cards = owners.shape[1]
    size = cards // PARTS
    parts = np.empty(PARTS, np.uint64)
    for deal in range(len(owners)):
        parts[:] = _ZERO
        greatest = np.uint8(0)
        for card in range(size - 1, -1, -1):
            for part in range(PARTS):
                owner = owners[deal, part * size + card]
                greatest = max(greatest, owner)
                parts[part] = parts[part] * _BASE + (np.uint64(owner) + _ONE) % _BASE
        if greatest >= _BASE:
            return deal
        high = parts[3] * part_size + parts[2]
        low = parts[1] * part_size + parts[0]
        numbers[deal, 0], numbers[deal, 1] = multiply_add(high, part_size * part_size, low, _ZERO)
    return -1
