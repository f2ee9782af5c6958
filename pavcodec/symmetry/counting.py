"""Exact counts of classes, by Burnside's lemma.

Rule 1: The number of classes is the average, over all permutations of the symmetry, of the number
        of words that the permutation leaves unchanged.
Rule 2: A permutation leaves a word unchanged if each suit equals the previous suit of its cycle
        with the seats renamed. So the first suit of a cycle determines the other suits. After n
        suits, n being the length of the cycle, each owner must be the first owner again. If this
        owner belongs to a circle of d exchanged seats, then d divides n, there are d choices for
        the first owner, and each seat of the circle gets n/d of the n cards.
Rule 3: So the count needs only, for each circle of d seats and each length n, how many cycles of n
        cards the circle gets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import comb
from typing import TypeAlias

from pavcodec.cards import HAND_SIZE, SUIT_SIZE
from pavcodec.symmetry.groups import Symmetry, symmetry_of
from pavcodec.symmetry.permutations import Permutation

__all__ = ["class_count", "count_classes", "cycles"]

Circle: TypeAlias = tuple[int, ...]


@cache
def cycles(names: tuple[int, ...]) -> tuple[Circle, ...]:
    """Return the cycles of a permutation, each of which starts at its least element.

    >>> cycles((1, 0, 2))
    ((0, 1), (2,))
    """
    left, found = set(range(len(names))), []
    while left:
        circle, place = [], min(left)
        while place in left:
            left.remove(place)
            circle.append(place)
            place = names[place]
        found.append(tuple(circle))
    return tuple(found)


@cache
def _circles(permutation: Permutation) -> tuple[tuple[tuple[int, int], ...], tuple[Circle, ...]]:
    """Return the number of suit cycles by length, and the cycles of seats."""
    lengths = Counter(map(len, cycles(permutation.suits)))
    return tuple(sorted(lengths.items())), cycles(permutation.seats)


def unchanged(permutation: Permutation, ranks: int, rooms: tuple[int, ...]) -> int:
    """Return how many words a permutation leaves unchanged; `rooms` are the cards of each seat."""
    lengths, circles = _circles(permutation)
    if any(rooms[seat] != rooms[circle[0]] for circle in circles for seat in circle):
        return 0
    sizes = sorted((len(circle), rooms[circle[0]]) for circle in circles)
    return _ways(tuple(sizes), tuple((length, count * ranks) for length, count in lengths))


@cache
def _ways(circles: tuple[tuple[int, int], ...], choices: tuple[tuple[int, int], ...]) -> int:
    """Return the ways to distribute cycles of cards of each length to circles of equal seats.

    `circles` has (number of seats, cards of each seat), and `choices` has (length, count).
    """
    if not circles:
        return int(not any(count for _, count in choices))
    (size, room), rest = circles[0], circles[1:]
    total = 0
    for taken in _shares(room * size, size, choices):
        ways = size ** sum(taken)
        for number, (_, count) in zip(taken, choices, strict=True):
            ways *= comb(count, number)
        left = tuple(
            (length, count - number) for number, (length, count) in zip(taken, choices, strict=True)
        )
        total += ways * _ways(rest, left)
    return total


def _shares(
    cards: int, size: int, choices: tuple[tuple[int, int], ...]
) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of cycles, by length, that give `cards` cards to `size` seats."""
    if not choices:
        if not cards:
            yield ()
        return
    (length, count), rest = choices[0], choices[1:]
    most = min(count, cards // length) if length % size == 0 else 0
    for taken in range(most + 1):
        for more in _shares(cards - taken * length, size, rest):
            yield (taken, *more)


@cache
def count_classes(group: tuple[Permutation, ...], ranks: int, rooms: tuple[int, ...]) -> int:
    """Return how many classes of words there are with these numbers of cards for each seat.

    >>> from pavcodec.symmetry import symmetry_of
    >>> count_classes(symmetry_of("suits").permutations, 1, (1, 1, 1, 1))
    1
    """
    total, left = divmod(sum(unchanged(one, ranks, rooms) for one in group), len(group))
    assert not left
    return total


def class_count(symmetry: Symmetry | str) -> int:
    """Return the exact number of deals up to a symmetry; raise `UnknownNameError` for other names.

    `symmetry` is `suits`, `turns` (rotations of the seats), `half-turn`, or `seats` (all orders of
    the seats); or `suits` and one of the others, separated by a comma.

    >>> class_count("suits"), class_count("suits,turns")
    (2235197513162569580480368800, 558799378290664206767572008)
    """
    group = symmetry if isinstance(symmetry, Symmetry) else symmetry_of(symmetry)
    return count_classes(group.permutations, SUIT_SIZE, (HAND_SIZE,) * group.seats)
