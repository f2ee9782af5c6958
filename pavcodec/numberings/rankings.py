"""Rankings: the building blocks of the numberings, on words of owners of any length.

A seat is 0, 1, …, and the last owner may mean unused. The words of the partition walk are rankings
(`pavcodec.walk`); those here consist of such words, or change the order of others. Each takes the
deck as an argument, so tests enumerate whole toy decks.
"""

from __future__ import annotations

from ctypes import c_char, c_uint64
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pavcodec import kernel
from pavcodec.numberings.chain import Chain
from pavcodec.walk import (
    MOST,
    FixedSizes,
    Rank,
    Ranking,
    Unrank,
    check_for_tables,
    ending_rows,
    subset_rows,
)

_BITS = 64
"""The most cards of a word hand by hand: the kernel marks those of a hand in a word."""


@dataclass(frozen=True)
class EqualHands(Ranking):
    """Endings with equally many cards in every hand, the fullest hands first.

    The words with J cards in each hand are one block, in the order of a partition walk over the
    seats and unused (the N[J] walk of Pavlicek's article on endings).

    >>> [EqualHands(cards=52, seats=4, most=13).counts[j] for j in (1, 2)]
    [6497400, 1896396138000]
    """

    cards: int
    seats: int
    most: int

    @cached_property
    def counts(self) -> dict[int, int]:
        """The number of words for each J, from `most` down to 1."""
        return {
            size: FixedSizes((*[size] * self.seats, self.cards - self.seats * size)).cardinality
            for size in range(self.most, 0, -1)
        }

    @cached_property
    def chain(self) -> Chain:
        """The words for each J in a row."""
        return Chain(tuple(self.counts.values()))

    @cached_property
    def firsts(self) -> dict[int, int]:
        """The first number for each J."""
        return dict(zip(self.counts, self.chain.starts, strict=True))

    @cached_property
    def cardinality(self) -> int:
        return self.chain.cardinality

    @cached_property
    def _rows(self) -> tuple[Rank, Unrank]:
        parts = tuple((size,) * self.seats for size in self.counts)
        return ending_rows(self, parts, self.chain.starts, is_full=True)


@dataclass(frozen=True)
class OwnerDigits(Ranking):
    """Every assignment of the cards: one digit for each card, card 0 least significant.

    Digit 0 is the last owner (unused), and digit i + 1 is owner i.
    """

    cards: int
    owners: int

    @cached_property
    def cardinality(self) -> int:
        ways: int = self.owners**self.cards
        return ways

    @cached_property
    def _rows(self) -> tuple[Rank, Unrank]:
        check_for_tables(self)
        if not 2 <= self.owners <= 255:
            raise ValueError(f"digits are of 2 to 255 owners: {self!r}")
        digits = self.cards, self.owners
        return kernel.bind("digits_rank", *digits), kernel.bind("digits_unrank", *digits)


@dataclass(frozen=True)
class HandByHand(Ranking):
    """Deals hand by hand; each hand is a subset of the cards that the earlier hands do not have.

    The rank of a subset is its place in dictionary order, card 0 first: a partition walk over
    *held* and *not held*. The first seat is most significant. The last seat gets the remaining
    cards.

    >>> HandByHand((13, 13, 13, 13)).cardinality
    53644737765488792839237440000
    """

    sizes: tuple[int, ...]

    @cached_property
    def cards(self) -> int:
        return sum(self.sizes)

    @cached_property
    def cardinality(self) -> int:
        return FixedSizes(self.sizes).cardinality

    @cached_property
    def _rows(self) -> tuple[Rank, Unrank]:
        check_for_tables(self, len(self.sizes), most_cards=_BITS)
        return subset_rows(self.sizes, self.cardinality)


@dataclass(frozen=True)
class Reordered(Ranking):
    """Another ranking with the cards and seats in another order.

    `places[i]` is the card at place i, and `seats[j]` is the seat with the value j.
    """

    ranking: Ranking
    places: tuple[int, ...]
    seats: tuple[int, ...]

    @cached_property
    def cards(self) -> int:
        return len(self.places)

    @cached_property
    def cardinality(self) -> int:
        return self.ranking.cardinality

    @cached_property
    def rank_rows(self) -> Rank:
        names = bytearray(range(256))
        for value, seat in enumerate(self.seats):
            names[seat] = value
        inward = kernel.bind("reorder", self.cards, bytes(self.places), bytes(names))
        ranked = self.ranking.rank_rows

        def rank_rows(n: int, words: Any, numbers: Any) -> int:
            reordered = (c_char * (n * self.cards))()
            inward(n, words, reordered)
            return ranked(n, reordered, numbers)

        return rank_rows

    @cached_property
    def unrank_rows(self) -> Unrank:
        cards = sorted(range(self.cards), key=self.places.__getitem__)
        names = bytes((*self.seats, *range(len(self.seats), 256)))
        outward = kernel.bind("reorder", self.cards, bytes(cards), names)
        unranked = self.ranking.unrank_rows

        def unrank_rows(n: int, numbers: Any, words: Any) -> None:
            unranked(n, numbers, words)
            outward(n, words, words)

        return unrank_rows


@dataclass(frozen=True)
class Affine(Ranking):
    """Another ranking with scrambled numbers: number x has the word of (x * factor + shift) mod D.

    D is the cardinality. `factor` and D have no common divisor, so this map is one-to-one.
    """

    ranking: Ranking
    factor: int
    shift: int

    @cached_property
    def cards(self) -> int:
        return self.ranking.cards

    @cached_property
    def cardinality(self) -> int:
        return self.ranking.cardinality

    @cached_property
    def rank_rows(self) -> Rank:
        inverse = pow(self.factor, -1, self.cardinality)
        back, ranked = self._scrambled(inverse, -self.shift * inverse), self.ranking.rank_rows

        def rank_rows(n: int, words: Any, numbers: Any) -> int:
            bad = ranked(n, words, numbers)
            if bad < 0:
                back(n, numbers, numbers)
            return bad

        return rank_rows

    @cached_property
    def unrank_rows(self) -> Unrank:
        there, unranked = self._scrambled(self.factor, self.shift), self.ranking.unrank_rows

        def unrank_rows(n: int, numbers: Any, words: Any) -> None:
            mapped = (c_uint64 * (2 * n))()
            there(n, numbers, mapped)
            unranked(n, mapped, words)

        return unrank_rows

    def _scrambled(self, factor: int, shift: int) -> Unrank:
        """Return the map of rows of numbers to (number * factor + shift) mod D."""
        total = self.cardinality
        if 2 * total > MOST:
            raise ValueError(f"numbers above 2^127 cannot be scrambled: {self!r}")
        factor %= total
        values = factor, factor * MOST // total, shift % total, total
        return kernel.bind("scramble", *map(kernel.rows_of, values))


def mirrored(ranking: Ranking, owners: int) -> Ranking:
    """Return another ranking in reverse order, with the deck reversed.

    Reversed dictionary order of the reversed deck is the colex ("squashed") order of the deck:
    C(p, 1) + C(q, 2) + … over the places p < q < … of the cards in a hand.
    """
    turned = Reordered(ranking, tuple(range(ranking.cards))[::-1], tuple(range(owners)))
    return Affine(turned, -1, -1)
