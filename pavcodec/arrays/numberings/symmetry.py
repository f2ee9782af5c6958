"""Canonical layouts of many layouts, as `pavcodec.symmetry` defines them.

The aces alone exclude most permutations of seats. For the others, the words of the suits are packed
into numbers, four bits for each card with the ace in the highest bits, and sorted as numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.arrays.chunks import Threads, checked, share
from pavcodec.arrays.compiler import compiled
from pavcodec.cards import DECK_SIZE, SUIT_SIZE, UNUSED
from pavcodec.errors import LayoutError
from pavcodec.symmetry import Symmetry, symmetry_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners


_BITS, _CARD, _ONE = np.uint64(4), np.uint64(15), np.uint64(1)
_MOST_SUITS = 4
_OWNERS = UNUSED + 1


def labels_of(symmetry: Symmetry) -> NDArray[np.uint64]:
    """Return the new name of each owner under each permutation of seats, for `canonical_rows`."""
    labels = np.tile(np.arange(_OWNERS, dtype=np.uint64), (len(symmetry.seatings), 1))
    labels[:, : symmetry.seats] = symmetry.seatings
    return labels


def canonical_many(
    owners: Owners, symmetry: str, *, threads: Threads = None
) -> tuple[Owners, NDArray[np.uint8]]:
    """Return canonical layouts, and the permutations to them: `uint8[n, 52]` and `uint8[n, 8]`.

    Row k is the result of `Layout.canonical` for the owners in row k; a permutation is the new
    suits of S H D C and then the new seats of N E S W. `threads` share the work; the default is one
    for each processor. Raises `LayoutError` with the first row that is not a layout,
    `UnknownNameError` for an unknown symmetry, and `TypeError` for another array.

    >>> from pavcodec import numbering
    >>> owners = numbering("deal").sample_many(2, seed=7)
    >>> canonical, ways = canonical_many(owners, "suits,turns")
    >>> ways.tolist()
    [[2, 3, 0, 1, 3, 0, 1, 2], [1, 0, 2, 3, 3, 0, 1, 2]]
    >>> (canonical_many(canonical, "suits,turns")[0] == canonical).all()
    np.True_
    """
    group = symmetry_of(symmetry)
    rows = checked("owners", owners, np.uint8, DECK_SIZE)
    canonical = np.empty_like(rows, order="C")
    ways = np.empty((len(rows), group.suits + group.seats), np.uint8)
    labels = labels_of(group)

    def work(part: slice) -> None:
        given = np.require(rows[part], requirements=["C", "W"])
        if len(given) and given.max() > UNUSED:
            row = int((given > UNUSED).any(axis=1).argmax())
            raise LayoutError(
                f"row {part.start + row}: an owner is 0 to {UNUSED}, not {given[row].max()}"
            )
        canonical_rows(
            given, SUIT_SIZE, labels, group.seats, group.any_suits, canonical[part], ways[part]
        )

    share(work, len(rows), threads)
    return canonical, ways


@compiled()
def _sort(words: Any, order: Any, count: Any) -> None:
    """Sort words together with their suits; equal words keep their order."""
    for index in range(1, count):
        word, suit = words[index], order[index]
        before = index
        while before > 0 and words[before - 1] > word:
            words[before], order[before] = words[before - 1], order[before - 1]
            before -= 1
        words[before], order[before] = word, suit


@compiled()
def _compare(words: Any, others: Any, suits: Any, ranks: Any) -> Any:
    """Return whether some words are less than others, compared rank by rank."""
    for rank in range(ranks - 1, -1, -1):
        shift = _BITS * np.uint64(rank)
        for suit in range(suits):
            one, other = words[suit] >> shift & _CARD, others[suit] >> shift & _CARD
            if one != other:
                return one < other
    return False


@compiled()
def _ties(labels: Any, suits: Any, any_suits: Any) -> Any:
    """Return, by the owners of the aces as digits, the seat permutations that make them least.

    Each permutation of seats is a bit.
    """
    ties = np.zeros(_OWNERS**suits, np.uint64)
    words = np.empty(_MOST_SUITS, np.uint64)
    for code in range(len(ties)):
        least = np.uint64(0)
        for seating in range(len(labels)):
            left = code
            for suit in range(suits):
                word, index = labels[seating, left % _OWNERS], suit
                left //= _OWNERS
                while any_suits and index > 0 and words[index - 1] > word:
                    words[index] = words[index - 1]
                    index -= 1
                words[index] = word
            packed = np.uint64(0)
            for suit in range(suits):
                packed = packed << _BITS | words[suit]
            if seating == 0 or packed < least:
                least, ties[code] = packed, 0
            if packed == least:
                ties[code] |= _ONE << np.uint64(seating)
    return ties


@compiled()
def _mark(row: Any, suits: Any, ranks: Any, marks: Any) -> Any:
    """Write the cards of each owner in each suit; return the owners of the aces as digits.

    A card is the lowest of four bits, so this bit times the name of an owner is the card's part of
    a packed word.
    """
    code, digit = 0, 1
    for suit in range(suits):
        marks[suit] = 0
        bit = _ONE << _BITS * np.uint64(ranks - 1)
        code += digit * row[suit * ranks]
        digit *= _OWNERS
        for card in range(suit * ranks, (suit + 1) * ranks):
            marks[suit, row[card]] |= bit
            bit >>= _BITS
    return code


@compiled()
def canonical_rows(
    owners: Any, ranks: Any, labels: Any, seats: Any, any_suits: Any, canonical: Any, ways: Any
) -> None:
    """Write canonical words, and the new names of suits and seats that map to them."""
    suits = owners.shape[1] // ranks
    words, best = np.empty(_MOST_SUITS, np.uint64), np.empty(_MOST_SUITS, np.uint64)
    order, best_order = np.empty(_MOST_SUITS, np.uint8), np.empty(_MOST_SUITS, np.uint8)
    marks = np.empty((_MOST_SUITS, _OWNERS), np.uint64)
    ties = _ties(labels, suits, any_suits)
    for deal in range(len(owners)):
        chosen, tied = -1, ties[_mark(owners[deal], suits, ranks, marks)]
        for seating in range(len(labels)):
            if not tied >> np.uint64(seating) & _ONE:
                continue
            for suit in range(suits):
                order[suit], words[suit] = suit, 0
                for owner in range(_OWNERS):
                    words[suit] += marks[suit, owner] * labels[seating, owner]
            if any_suits:
                _sort(words, order, suits)
            if chosen < 0 or _compare(words, best, suits, ranks):
                chosen = seating
                best[:], best_order[:] = words, order
        for new_suit in range(suits):
            ways[deal, best_order[new_suit]] = new_suit
            for rank in range(ranks):
                shift = _BITS * np.uint64(ranks - 1 - rank)
                canonical[deal, new_suit * ranks + rank] = best[new_suit] >> shift & _CARD
        for seat in range(seats):
            ways[deal, suits + seat] = labels[chosen, seat]
