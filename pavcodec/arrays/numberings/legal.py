"""Legal endings to numbers and back, by the partition walk in blocks; and the criterion.

A walk stores a row of the tables, the seat in each slot (the *seating*), and the number of tricks
that must still have been led (the *need*). A need of 0 or less changes nothing.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.arrays.chunks import Threads, checked, share
from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.numberings.legal_tables import gain_of, legal_tables, move_of, row_of, ways_of
from pavcodec.arrays.owners.rows import Owners, held, write_rows
from pavcodec.arrays.words.limbs import Limbs, integer, split
from pavcodec.arrays.words.wide import at_least

if TYPE_CHECKING:
    from numpy.typing import NDArray


_SEATS, _SUITS, _RANKS = 4, 4, 13
_SIZE_BITS, _SIZE = np.uint64(8), np.uint64(255)


class LegalKernel:
    """Rank and unrank legal endings of equal hands, from `most` cards in each hand down to 1.

    >>> kernel = LegalKernel(2, 2, 2, 2)
    >>> kernel.counts
    [6, 12]
    """

    def __init__(self, seats: int, suits: int, ranks: int, most: int) -> None:
        self._sizes = np.arange(most, 0, -1)
        self._tables = legal_tables(seats, suits, ranks, tuple(self._sizes.tolist()))
        self._cards = suits * ranks
        self._seatings = _all_seatings(seats)
        self._needs = suits * ranks // seats - self._sizes
        self.counts: list[int] = []
        firsts = []
        for start, need in zip(self._tables.starts, self._needs, strict=True):
            high, low = ways_of(self._tables.ways, start, need)
            firsts.append(split(sum(self.counts)))
            self.counts.append(int(high) << 64 | int(low))
        self._firsts = np.array(firsts, np.uint64)

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        """Write the numbers of owners; return the first row without a number, or -1."""
        bad: int = _rank(
            *self._tables, *self._seatings, self._firsts, self._needs, self._sizes, owners, numbers
        )
        return bad

    def rank_one(self, word: bytes) -> int:
        """Return the number of a word that is in the ranking."""
        numbers = np.empty((1, 2), np.uint64)
        bad = self.rank(np.array([list(word)], np.uint8), numbers)
        assert bad < 0
        return integer(numbers[0])

    def unrank_one(self, number: int) -> bytes:
        """Return the word of a number below the cardinality."""
        owners = np.empty((1, self._cards), np.uint8)
        self.unrank(np.array([split(number)], np.uint64), owners)
        return owners.tobytes()

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        """Write the owners of numbers, which must be below the cardinality."""
        _unrank(*self._tables, *self._seatings, self._firsts, self._needs, numbers, owners)


def are_legal(owners: Owners, *, threads: Threads = None) -> NDArray[np.bool_]:
    """Return which layouts are endings that legal play can reach: `uint8[n, 52]` to `bool[n]`.

    Row k is the result of `legality` for a layout with equally many cards in every hand, and False
    for any other row. `threads` share the work; the default is one for each processor. Raises
    `TypeError` for another array.

    >>> from pavcodec import numbering
    >>> are_legal(numbering("balanced").sample_many(4, seed=1)).tolist()
    [True, False, False, False]
    """
    rows = checked("owners", owners, np.uint8, _SUITS * _RANKS)
    answers = np.empty(len(rows), np.bool_)

    def work(part: slice) -> None:
        _decide(np.require(rows[part], requirements=["C"]), answers[part])

    share(work, len(rows), threads)
    return answers


def _all_seatings(seats: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the slot of each seat in every seating, and the new seating when a slot moves."""
    seatings = list(permutations(range(seats)))  # the seat in each slot; the first is sorted
    slots = np.array([np.argsort(seating) for seating in seatings], np.uint8)
    moved = np.zeros((len(seatings), seats, seats), np.uint8)
    for number, seating in enumerate(seatings):
        for start in range(seats):
            for end in range(seats):
                others = [seat for seat in seating if seat != seating[start]]
                others.insert(end, seating[start])
                moved[number, start, end] = seatings.index(tuple(others))
    return slots, moved


@compiled()
def _decide(owners: Any, answers: Any) -> None:
    """Write whether the suits of each row allow as many led tricks as are complete (rule 3)."""
    for row in range(len(owners)):
        sizes = held(owners[row])
        each = sizes & _SIZE
        fits = sizes >> _SIZE_BITS * np.uint64(_SEATS + 1) == 0
        for seat in range(1, _SEATS):
            fits &= sizes >> _SIZE_BITS * np.uint64(seat) & _SIZE == each
        need = np.int64(_RANKS) - np.int64(each)
        for suit in range(_SUITS):
            gone, seats = 0, 0
            for card in range(suit * _RANKS, (suit + 1) * _RANKS):
                gone += owners[row, card] == _SEATS
                seats |= 1 << owners[row, card]
            holders = 0
            for seat in range(_SEATS):
                holders += seats >> seat & 1
            need -= gone // max(1, holders)
        answers[row] = fits and need <= 0


@compiled()
def _place(
    steps: Any, ways: Any, slots: Any, moved: Any,
    rows: Any, needs: Any, seatings: Any, numbers: Any, column: Any,
) -> None:  # fmt: skip
    """Give the next card of every ending to an owner, by its number."""
    nobody = slots.shape[1]
    for deal in range(len(rows)):
        row, need, seating = rows[deal], needs[deal], seatings[deal]
        high, low = numbers[deal, 0], numbers[deal, 1]
        owner = nobody
        step = steps[row, nobody]
        for seat in range(nobody):
            here = steps[row, slots[seating, seat]]
            if here:
                part_high, part_low = ways_of(ways, here, need - gain_of(here))
                if not at_least(high, low, part_high, part_low):
                    owner, step = seat, here
                    seatings[deal] = moved[seating, slots[seating, seat], move_of(here)]
                    break
                high -= part_high + np.uint64(low < part_low)
                low -= part_low
        numbers[deal, 0], numbers[deal, 1] = high, low
        needs[deal] = need - gain_of(step)
        rows[deal] = row_of(step)
        column[deal] = owner


@compiled()
def _pass(
    steps: Any, ways: Any, slots: Any, moved: Any,
    rows: Any, needs: Any, seatings: Any, column: Any, numbers: Any,
) -> None:  # fmt: skip
    """Add to every number the words with an earlier owner of the next card."""
    nobody = slots.shape[1]
    for deal in range(len(rows)):
        row, need, seating, owner = rows[deal], needs[deal], seatings[deal], column[deal]
        high, low = numbers[deal, 0], numbers[deal, 1]
        for seat in range(owner):
            step = steps[row, slots[seating, seat]]
            part_high, part_low = ways_of(ways, step, need - gain_of(step))
            low += part_low
            high += part_high + np.uint64(low < part_low)
        numbers[deal, 0], numbers[deal, 1] = high, low
        step = steps[row, nobody]
        if owner < nobody:
            step = steps[row, slots[seating, owner]]
            seatings[deal] = moved[seating, slots[seating, owner], move_of(step)]
        needs[deal] = need - gain_of(step)
        rows[deal] = row_of(step)


@compiled()
def _unrank(
    steps: Any, ways: Any, starts: Any, slots: Any, moved: Any, firsts: Any, start_needs: Any,
    numbers: Any, owners: Any,
) -> None:  # fmt: skip
    deals, cards = owners.shape
    columns = np.empty((cards, deals), np.uint8)
    rows, needs = np.empty(deals, np.uint64), np.empty(deals, np.int64)
    left = numbers.copy()
    for deal in range(deals):
        high, low = left[deal, 0], left[deal, 1]
        block = len(starts) - 1
        while not at_least(high, low, firsts[block, 0], firsts[block, 1]):
            block -= 1
        left[deal, 0] = high - firsts[block, 0] - np.uint64(low < firsts[block, 1])
        left[deal, 1] = low - firsts[block, 1]
        rows[deal], needs[deal] = row_of(starts[block]), start_needs[block]
    seatings = np.zeros(deals, np.uint8)
    for card in range(cards):
        _place(steps, ways, slots, moved, rows, needs, seatings, left, columns[card])
    write_rows(columns, owners)


@compiled()
def _block(sizes: Any, seats: Any, in_hands: Any) -> Any:
    """Return the block of a word with these numbers of cards in each hand, or -1."""
    block = np.int64(sizes[0]) - np.int64(in_hands & _SIZE)
    if in_hands >> _SIZE_BITS * np.uint64(seats + 1) or not 0 <= block < len(sizes):
        return -1
    for seat in range(seats):
        if np.int64(in_hands >> _SIZE_BITS * np.uint64(seat) & _SIZE) != sizes[block]:
            return -1
    return block


@compiled()
def _rank(
    steps: Any, ways: Any, starts: Any, slots: Any, moved: Any, firsts: Any, start_needs: Any,
    sizes: Any, owners: Any, numbers: Any,
) -> Any:  # fmt: skip
    (deals, cards), nobody = owners.shape, slots.shape[1]
    columns = np.empty((cards, deals), np.uint8)
    rows, needs = np.empty(deals, np.uint64), np.empty(deals, np.int64)
    bad = -1
    for deal in range(deals):
        block = _block(sizes, nobody, held(owners[deal]))
        if block < 0:
            bad = deals = deal
            break
        rows[deal], needs[deal] = row_of(starts[block]), start_needs[block]
        numbers[deal] = firsts[block]
        for card in range(cards):
            columns[card, deal] = owners[deal, card]
    seatings = np.zeros(deals, np.uint8)
    for card in range(cards):
        _pass(steps, ways, slots, moved, rows[:deals], needs, seatings, columns[card], numbers)
    for deal in range(deals):
        if needs[deal] > 0:
            return deal
    return bad
