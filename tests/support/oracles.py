"""What the tests compare with: small, obvious, and independent of the package."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

FIXTURES = Path(__file__).parents[2] / "fixtures"
DEALS = 53644737765488792839237440000
"""52! / 13!^4."""


def words(cards: int, owners: int) -> Iterator[bytes]:
    """Every word of a deck, in dictionary order."""
    return map(bytes, product(range(owners), repeat=cards))


def words_of_sizes(sizes: tuple[int, ...]) -> list[bytes]:
    """The words in which owner i has sizes[i] cards, in dictionary order."""

    @cache
    def of(left: tuple[int, ...]) -> list[bytes]:
        if not any(left):
            return [b""]
        return [
            bytes([owner]) + rest
            for owner, room in enumerate(left)
            if room
            for rest in of((*left[:owner], room - 1, *left[owner + 1 :]))
        ]

    return of(sizes)


def words_within(cards: int, limits: tuple[int, ...]) -> list[bytes]:
    """The words in which owner i has at most limits[i] cards and one more owner takes the rest."""
    return [
        word
        for word in words(cards, len(limits) + 1)
        if all(word.count(owner) <= limit for owner, limit in enumerate(limits))
    ]


def places_by_hand(word: bytes, hands: int) -> list[list[int]]:
    """For each hand but the last, the places of its cards among those the hands before left."""
    result = []
    for seat in range(hands - 1):
        result.append([place for place, owner in enumerate(word) if owner == seat])
        word = bytes(owner for owner in word if owner != seat)
    return result


def colex(places: list[int]) -> int:
    """The squashed rank of a set: the sum of C(p_k, k + 1)."""
    return sum(comb(place, k + 1) for k, place in enumerate(places))


def lex(places: list[int], cards: int) -> int:
    """The dictionary rank of a set among the sets of its size."""
    rank, before, size = 0, -1, len(places)
    for j, place in enumerate(places):
        for skipped in range(before + 1, place):
            rank += comb(cards - 1 - skipped, size - 1 - j)
        before = place
    return rank


def vectors(name: str) -> list[dict[str, str]]:
    """The golden vectors of a file in fixtures/vectors."""
    text = (FIXTURES / "vectors" / f"{name}.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def limbs(numbers: Iterable[int]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Numbers as rows of two words, high and low."""
    return np.array([divmod(number, 2**64) for number in numbers], np.uint64).reshape(-1, 2)


def integers(rows: Any) -> list[int]:
    """The numbers of rows of two words."""
    assert rows.dtype == np.uint64
    return [high << 64 | low for high, low in rows.reshape(-1, 2).tolist()]
