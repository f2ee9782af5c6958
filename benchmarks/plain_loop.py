"""The loops that everyone publishes, on Python ints: yardstick of speed, oracle of tests.

Pavlicek's deal map and its extension to balanced endings, as recursions over the space left: at
each card the space K of C cards splits in proportion to what the owners still have to get.
"""

from __future__ import annotations

from math import factorial

__all__ = ["endings", "rank_loop", "unrank_loop"]


def endings(size: int, seats: int = 4, cards: int = 52) -> int:
    """Return the number of layouts with `size` cards in every hand."""
    unused = cards - seats * size
    ways: int = factorial(cards) // (factorial(size) ** seats * factorial(unused))
    return ways


ENDINGS = [endings(size) for size in range(14)]
"""N[J] of the article: the number of endings with J cards in every hand."""


def unrank_loop(number: int) -> bytes:
    """Return the 52 owners of a balanced number; deals come first."""
    size = 13
    space = ENDINGS[size]
    while number >= space:
        number -= space
        size -= 1
        space = ENDINGS[size]
    left = [size, size, size, size, 52 - 4 * size]
    owners = bytearray(52)
    for card in range(52):
        for owner in range(5):
            part = space * left[owner] // (52 - card)
            if number < part:
                break
            number -= part
        owners[card] = owner
        left[owner] -= 1
        space = part
    return bytes(owners)


def rank_loop(owners: bytes) -> int:
    """Return the balanced number of 52 owners; every hand has the same number of cards."""
    size = owners.count(0)
    number = sum(ENDINGS[size + 1 :])
    space = ENDINGS[size]
    left = [size, size, size, size, 52 - 4 * size]
    for card, holder in enumerate(owners):
        for owner in range(5):
            part = space * left[owner] // (52 - card)
            if owner == holder:
                break
            number += part
        left[holder] -= 1
        space = part
    return number
