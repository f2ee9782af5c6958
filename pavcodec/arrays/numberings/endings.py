"""Endings to numbers and back: the walk of `FixedSizes` and `LimitedSizes` with an extra owner.

A state is the number of cards left and the room of each seat; the last owner, unused, gets the
other cards. The number of completions does not depend on which seat has which room, so states with
the same rooms in another order are *folded* into one. This leaves 2,381 rows for each number of
cards left instead of 38,416. A few such layers stay in the cache while many deals are at the same
card.

The two counters have the same recurrence, the sum over the owners of the next card. They differ
only at the end: the hands must be full, or may have room.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.owners.rows import BLOCK, Owners, held, write_rows
from pavcodec.arrays.words.limbs import Limbs, split
from pavcodec.arrays.words.wide import at_least

if TYPE_CHECKING:
    from numpy.typing import NDArray


MOST_IN_A_HAND = 14
_ROOM_BITS = 4
_SHIFT = np.uint64(_ROOM_BITS)
_ONE = np.uint64(1)
_SIZE_BITS = np.uint64(8)
_SIZE = np.uint64(255)


class Completions(NamedTuple):
    """The numbers of completions of states."""

    folded: NDArray[np.uint16]
    """By the rooms, 4 bits each and each plus one: the row of the state, or 0 for no state."""
    ways: NDArray[np.uint64]
    """By the cards left and by row: (high, low). Row 0 is 0."""


def packed_rooms(rooms: Iterable[Any]) -> Any:
    """Return the index of rooms in the tables: each room plus one, the first seat lowest."""
    return sum(room + 1 << _ROOM_BITS * seat for seat, room in enumerate(rooms))


def completions(cards: int, seats: int, most: int, *, full: bool) -> Completions:
    """Count the completions of all states of `seats` seats with rooms of at most `most` cards.

    With `full`, all hands must be full at the end of a word; otherwise they may have room.

    >>> folded, ways = completions(4, 2, 2, full=True)
    >>> ways[4, folded[packed_rooms((1, 2))]].tolist()
    [0, 12]
    """
    folded = np.zeros(1 << _ROOM_BITS * seats, np.uint16)
    rooms = np.indices((most + 1,) * seats).reshape(seats, -1)
    in_order = list(combinations_with_replacement(range(most + 1), seats))
    representatives = np.array(in_order).T
    rows = np.zeros_like(folded)
    rows[packed_rooms(representatives)] = np.arange(1, len(in_order) + 1)
    folded[packed_rooms(rooms)] = rows[packed_rooms(np.sort(rooms, axis=0))]

    states = packed_rooms(representatives)
    after = [folded[states - (1 << _ROOM_BITS * seat)] for seat in range(seats)]
    ways = np.zeros((cards + 1, len(in_order) + 1, 2), np.uint64)
    ways[0, 1:, 1] = 1
    if full:
        ways[0, 2:, 1] = 0  # row 1 is the state without room
    for left in range(1, cards + 1):
        here, before = ways[left, 1:], ways[left - 1]
        here[:] = before[1:]  # the card is unused
        for rows in after:
            here[:, 1] += before[rows, 1]
            here[:, 0] += before[rows, 0] + (here[:, 1] < before[rows, 1])
    return Completions(folded, ways)


class EndingKernel:
    """Rank and unrank words of seats and unused cards.

    The words form blocks, one for each of `starts`: the rooms at the start of the block's walk. At
    the end of a word, the hands of its seats have these sizes, or at most these sizes if not
    `full`.
    """

    def __init__(self, cards: int, starts: Sequence[Sequence[int]], *, full: bool) -> None:
        self._seats = len(starts[0])
        self._folded, self._ways = completions(cards, self._seats, max(map(max, starts)), full=full)
        self._starts = np.array([packed_rooms(rooms) for rooms in starts], np.uint64)
        first, firsts = 0, []
        for state in self._starts:
            firsts.append(split(first))
            high, low = self._ways[cards, self._folded[state]].tolist()
            first += high << 64 | low
        self.cardinality = first
        self._firsts = np.array(firsts, np.uint64)
        self._sizes = np.array(starts, np.uint64)
        self._full = full

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        """Write the numbers of owners; return the first row without a number, or -1."""
        bad: int = _rank(
            self._folded, self._ways, self._starts, self._firsts, self._sizes, self._full,
            owners, numbers,
        )  # fmt: skip
        return bad

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        """Write the owners of numbers, which must be below the cardinality."""
        _unrank(self._folded, self._ways, self._starts, self._firsts, self._seats, numbers, owners)


@compiled()
def _place(folded: Any, ways: Any, seats: Any, states: Any, numbers: Any, column: Any) -> None:
    """Give the next card of every deal to an owner, by its number."""
    for deal in range(len(states)):
        state, high, low = states[deal], numbers[deal, 0], numbers[deal, 1]
        end_high = end_low = passed_high = passed_low = np.uint64(0)
        owner = np.uint64(0)
        for seat in range(seats):
            row = folded[state - (_ONE << _SHIFT * np.uint64(seat))]
            end_low += ways[row, 1]
            end_high += ways[row, 0] + np.uint64(end_low < ways[row, 1])
            if at_least(high, low, end_high, end_low):
                owner = np.uint64(seat + 1)
                passed_high, passed_low = end_high, end_low
        numbers[deal, 0] = high - passed_high - np.uint64(low < passed_low)
        numbers[deal, 1] = low - passed_low
        if owner < seats:
            states[deal] = state - (_ONE << _SHIFT * owner)
        column[deal] = owner


@compiled()
def _unrank(
    folded: Any, ways: Any, starts: Any, firsts: Any, seats: Any, numbers: Any, owners: Any
) -> None:
    cards = owners.shape[1]
    all_columns = np.empty((cards, BLOCK), np.uint8)
    all_states = np.empty(BLOCK, np.uint64)
    for begin in range(0, len(numbers), BLOCK):
        left = numbers[begin : begin + BLOCK].copy()
        states, columns = all_states[: len(left)], all_columns[:, : len(left)]
        for deal in range(len(left)):
            high, low = left[deal, 0], left[deal, 1]
            block = len(starts) - 1
            while not at_least(high, low, firsts[block, 0], firsts[block, 1]):
                block -= 1
            states[deal] = starts[block]
            left[deal, 0] = high - firsts[block, 0] - np.uint64(low < firsts[block, 1])
            left[deal, 1] = low - firsts[block, 1]
        for card in range(cards):
            _place(folded, ways[cards - 1 - card], seats, states, left, columns[card])
        write_rows(columns, owners[begin : begin + BLOCK])


@compiled()
def _block(sizes: Any, full: Any, cards: Any) -> Any:
    """Return the block of a word with these numbers of cards in each hand, or -1."""
    blocks, seats = sizes.shape
    if cards >> _SIZE_BITS * np.uint64(seats + 1):  # an invalid owner
        return -1
    for block in range(blocks):
        fits = True
        for seat in range(seats):
            size = cards >> _SIZE_BITS * np.uint64(seat) & _SIZE
            fits &= size == sizes[block, seat] or (not full and size < sizes[block, seat])
        if fits:
            return block
    return -1


@compiled()
def _rank(
    folded: Any, ways: Any, starts: Any, firsts: Any, sizes: Any, full: Any,
    owners: Any, numbers: Any,
) -> Any:  # fmt: skip
    cards, seats = owners.shape[1], sizes.shape[1]
    for deal in range(len(owners)):
        block = _block(sizes, full, held(owners[deal]))
        if block < 0:
            return deal
        state, high, low = starts[block], firsts[block, 0], firsts[block, 1]
        for card in range(cards):
            owner = owners[deal, card]
            for seat in range(owner):
                row = folded[state - (_ONE << _SHIFT * np.uint64(seat))]
                more = ways[cards - 1 - card, row, 1]
                low += more
                high += ways[cards - 1 - card, row, 0] + np.uint64(low < more)
            if owner < seats:
                state -= _ONE << _SHIFT * np.uint64(owner)
        numbers[deal, 0], numbers[deal, 1] = high, low
    return -1
