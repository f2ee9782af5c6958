"""Legal endings, defined: whether an ending is legal, and its number.

An ending has equally many cards in every hand, and the owner `seats` has the cards that are gone.
In a suit with some holders, at most gone // max(1, holders) tricks were led; the ending is legal if
these numbers sum to the number of complete tricks or more. Endings are in the order of their words,
those with the fullest hands first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pavcodec.kernel.reference.numbers import Words, number_at, put_number
from pavcodec.kernel.reference.walk import (
    State,
    multinomial,
    put_numbers,
    put_words,
    rank_word,
    unrank_word,
)

Owners = NDArray[np.uint8]


@dataclass(frozen=True)
class LegalHands:
    """Count legal endings with `size` cards in every hand; the last owner has the cards played.

    A state is (cards left, cards of this suit gone, tricks that must still have been led), and for
    each seat twice the number of cards that it still gets, plus one if it holds this suit.
    """

    seats: int
    suits: int
    ranks: int
    size: int
    _known: dict[State, int] = field(default_factory=dict, repr=False, compare=False)

    @property
    def cards(self) -> int:
        """The number of cards to place."""
        return self.suits * self.ranks

    @property
    def owners(self) -> int:
        """The number of owners."""
        return self.seats + 1

    @property
    def start(self) -> State:
        """The state before the first card."""
        need = self.cards // self.seats - self.size
        return (self.cards, 0, need, *[2 * self.size] * self.seats)

    def place(self, state: State, owner: int) -> State | None:
        """Return the state after a card."""
        left, gone, need, *seats = state
        if owner == self.seats:
            if left <= sum(seat >> 1 for seat in seats):
                return None
            gone += 1
        elif seats[owner] < 2:
            return None
        else:
            seats[owner] = seats[owner] - 2 | 1
        left -= 1
        if left % self.ranks == 0:
            holders = sum(seat & 1 for seat in seats)
            need = max(0, need - gone // max(1, holders))
            gone, seats = 0, [seat & ~1 for seat in seats]
        return (left, gone, need, *seats)

    def completions(self, state: State) -> int:
        """Return the number of completions, which is the same for all orders of the seats."""
        left, gone, need, *seats = state
        if not need:
            rooms = [seat >> 1 for seat in seats]
            return int(multinomial((*rooms, left - sum(rooms))))
        if gone + left < need:
            return 0
        key = (left, gone, need, *sorted(seats))
        ways = self._known.get(key)
        if ways is None:
            after = (self.place(key, owner) for owner in range(self.owners))
            ways = self._known[key] = sum(self.completions(each) for each in after if each)
        return ways


def _size(word: Sequence[int], seats: int) -> int | None:
    """Return the number of cards in each hand, or None if the hands are not equal."""
    each = word.count(0)
    equal = all(word.count(seat) == each for seat in range(seats)) and max(word) <= seats
    return each if equal else None


def legal_tables(
    seats: int,
    suits: int,
    ranks: int,
    known: NDArray[np.int32],
    rows: int,
    places: int,
    states: Words,
    steps: Words,
    ways: Words,
) -> int:
    """Fill the tables from which the compiled functions read numbers of completions.

    It returns how many of the `rows` of `states` and `steps` are used, or -1 if these are too few,
    or the `places` in `ways`. The definitions count for themselves, and use none.
    """
    return 0


def legal_counts(
    seats: int, suits: int, ranks: int, states: Words, ways: Words, counts: Words
) -> None:
    """Write the numbers of endings, by the size of the hands, the fullest first."""
    most = suits * ranks // seats
    for row in range(most):
        counter = LegalHands(seats, suits, ranks, most - row)
        put_number(counts, row, counter.completions(counter.start))


def legal_rank(
    seats: int,
    suits: int,
    ranks: int,
    steps: Words,
    ways: Words,
    firsts: Words,
    n: int,
    owners: Owners,
    numbers: Words,
) -> int:
    """Write the numbers of endings; return the first row that is not a legal ending, or -1.

    `firsts` has the first number of each size of the hands, the fullest first.
    """
    most = suits * ranks // seats
    counters = [LegalHands(seats, suits, ranks, size) for size in range(most + 1)]

    def rank(word: bytes) -> int | None:
        size = _size(word, seats)
        if not size:
            return None
        number = rank_word(counters[size], word)
        return None if number is None else number_at(firsts, most - size) + number

    return put_numbers(rank, suits * ranks, n, owners, numbers)


def legal_unrank(
    seats: int,
    suits: int,
    ranks: int,
    steps: Words,
    ways: Words,
    firsts: Words,
    n: int,
    numbers: Words,
    owners: Owners,
) -> None:
    """Write the endings of numbers below the number of endings."""
    most = suits * ranks // seats
    counters = [LegalHands(seats, suits, ranks, most - place) for place in range(most)]

    def unrank(number: int) -> bytes:
        place = max(place for place in range(most) if number_at(firsts, place) <= number)
        return unrank_word(counters[place], number - number_at(firsts, place))

    put_words(unrank, suits * ranks, n, numbers, owners)


def legal_decide(
    seats: int, suits: int, ranks: int, n: int, owners: Owners, answers: Owners
) -> None:
    """Write whether each row is a legal ending, as 1 or 0."""
    for row, word in enumerate(owners.reshape(n, suits * ranks).tolist()):
        size, led = _size(word, seats), 0
        for begin in range(0, len(word), ranks):
            suit = word[begin : begin + ranks]
            led += suit.count(seats) // max(1, len({*suit} - {seats}))
        answers[row] = size is not None and led >= len(word) // seats - size
