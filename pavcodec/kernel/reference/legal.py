"""Legal endings, defined: whether an ending is legal, and its number.

An ending has equally many cards in every hand, and the owner `seats` has the cards that are gone.
In a suit with some holders, at most gone // max(1, holders) tricks were led; the ending is legal if
these numbers sum to the number of complete tricks or more. Endings are in the order of their words,
those with the fullest hands first.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from pavcodec.kernel.reference.classes import arrangements
from pavcodec.kernel.reference.numbers import Words, number_at, put_number

Owners = NDArray[np.uint8]
State = tuple[int, int, int, tuple[int, ...]]
"""The cards left; the cards of this suit that are gone; the need, the number of tricks that must
still have been led; for each seat twice the number of cards that it still gets, plus one if it
holds the suit."""


def _start(seats: int, cards: int, size: int) -> State:
    return cards, 0, cards // seats - size, (2 * size,) * seats


def _place(state: State, owner: int, ranks: int) -> State | None:
    """Return the state after an owner takes the next card, or None if it cannot."""
    left, gone, need, values = state
    if owner == len(values):
        if left <= sum(value >> 1 for value in values):
            return None
        gone += 1
    elif values[owner] < 2:
        return None
    else:
        values = (*values[:owner], values[owner] - 2 | 1, *values[owner + 1 :])
    left -= 1
    if left % ranks == 0:
        holders = sum(value & 1 for value in values)
        need = max(0, need - gone // max(1, holders))
        gone, values = 0, tuple(value & ~1 for value in values)
    return left, gone, need, values


def _completions(state: State, ranks: int) -> int:
    """Return the number of ways to place the cards left."""
    left, gone, need, values = state
    if need > gone + left:
        return 0
    return _ways((left, gone, need, tuple(sorted(values))), ranks)


@cache
def _ways(state: State, ranks: int) -> int:
    left, _, need, values = state
    if not need:
        rooms = [value >> 1 for value in values]
        return arrangements([*rooms, left - sum(rooms)])
    states = (_place(state, owner, ranks) for owner in range(len(values) + 1))
    return sum(_completions(after, ranks) for after in states if after)


def _rank(word: list[int], start: State, ranks: int) -> int | None:
    """Return the number of a word among those of its size, or None if it is not legal."""
    number, state = 0, start
    for owner in word:
        earlier = (_place(state, seat, ranks) for seat in range(owner))
        number += sum(_completions(after, ranks) for after in earlier if after)
        after = _place(state, owner, ranks)
        assert after, "all hands have the size"
        state = after
    return number if not state[2] else None


def _unrank(number: int, start: State, ranks: int) -> list[int]:
    """Return the word of a number among those of its size."""
    word, state = [], start
    for _ in range(start[0]):
        for owner in range(len(start[3]) + 1):
            after = _place(state, owner, ranks)
            ways = _completions(after, ranks) if after else 0
            if after and number < ways:
                word.append(owner)
                state = after
                break
            number -= ways
    return word


def _size(word: list[int], seats: int) -> int | None:
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
    cards = suits * ranks
    for row in range(cards // seats):
        state = _start(seats, cards, cards // seats - row)
        put_number(counts, row, _completions(state, ranks))


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
    cards = suits * ranks
    for row, word in enumerate(owners.reshape(n, cards).tolist()):
        size = _size(word, seats)
        number = _rank(word, _start(seats, cards, size), ranks) if size else None
        if size is None or number is None:
            return row
        put_number(numbers, row, number_at(firsts, cards // seats - size) + number)
    return -1


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
    cards = suits * ranks
    for row, word in enumerate(owners.reshape(n, cards)):
        number = number_at(numbers, row)
        place = max(i for i in range(cards // seats) if number_at(firsts, i) <= number)
        start = _start(seats, cards, cards // seats - place)
        word[:] = _unrank(number - number_at(firsts, place), start, ranks)


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
