"""The batches of rankings: compiled loops over arrays that return the same numbers.

Every ranking of the catalogue has a batch. The batch of a ranking that contains another ranking
contains the batch of that ranking. Rankings without a compiled loop, or with a deck that is too
large for it, process the rows one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Protocol

import numpy as np

from pavcodec.arrays.numberings import deals, endings, hands
from pavcodec.arrays.owners.rows import Owners, reorder
from pavcodec.arrays.words.limbs import MOST, Limbs, add
from pavcodec.cards import DECK_SIZE
from pavcodec.numberings.classes import ClassTable, ClassWalk
from pavcodec.numberings.legal import LegalEndings, LegalTable
from pavcodec.numberings.rankings import (
    Affine,
    EqualHands,
    HandByHand,
    Mirrored,
    OwnerDigits,
    Ranking,
    Reordered,
)
from pavcodec.sampling import KeyedPermutation
from pavcodec.walk import ByCounter, FixedSizes, LimitedSizes, NotAMemberError

_SEATS = 4


class Batch(Protocol):
    """A ranking over arrays: owners `uint8[n, cards]`, numbers `uint64[n, 2]` (high, low)."""

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        """Write the numbers of owners; return the first row without a number, or -1."""

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        """Write the owners of numbers, which must be below the cardinality."""


@dataclass(frozen=True)
class OneByOne:
    """The definition of a batch: rank and unrank row by row."""

    ranking: Ranking

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        """Rank the rows one by one."""
        for row, word in enumerate(owners):
            try:
                numbers[row] = divmod(self.ranking.rank(word.tobytes()), 1 << 64)
            except NotAMemberError:
                return row
        return -1

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        """Unrank the rows one by one."""
        for row, (high, low) in enumerate(numbers.tolist()):
            owners[row] = list(self.ranking.unrank(high << 64 | low))


@dataclass(frozen=True)
class _Rows:
    """The rows of a table of the kernel."""

    table: LegalTable | ClassTable

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        return int(self.table.rank_rows(len(owners), owners, numbers))

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        self.table.unrank_rows(len(numbers), numbers, owners)


@dataclass(frozen=True)
class _Reordered:
    """Another batch with the cards and seats in another order."""

    batch: Batch
    cards: tuple[int, ...]
    seats: tuple[int, ...]

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        cards = np.argsort(self.cards)
        seats = np.arange(256, dtype=np.uint8)
        seats[list(self.seats)] = range(len(self.seats))
        inward = np.empty_like(owners)
        reorder(owners, cards, seats, inward)
        return self.batch.rank(inward, numbers)

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        seats = np.arange(256, dtype=np.uint8)
        seats[: len(self.seats)] = self.seats
        inward = np.empty_like(owners)
        self.batch.unrank(numbers, inward)
        reorder(inward, np.array(self.cards), seats, owners)


@dataclass(frozen=True)
class _Reversed:
    """Another batch with the deck in reverse order."""

    batch: Batch

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        return self.batch.rank(owners[:, ::-1].copy(), numbers)

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        inward = np.empty_like(owners)
        self.batch.unrank(numbers, inward)
        owners[:] = inward[:, ::-1]


@dataclass(frozen=True)
class _Renumbered:
    """Another batch with other numbers: `outward` converts its numbers, and `inward` is inverse."""

    batch: Batch
    outward: Callable[[Limbs], Limbs]
    inward: Callable[[Limbs], Limbs]

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        bad = self.batch.rank(owners, numbers)
        numbers[:] = self.outward(numbers)
        return bad

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        self.batch.unrank(self.inward(numbers), owners)


@dataclass(frozen=True)
class _Permuted:
    """Another batch in the order of a permutation."""

    batch: Batch
    permutation: KeyedPermutation

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        bad = self.batch.rank(owners, numbers)
        if bad < 0:  # otherwise, some rows have no number, and the permutation has only numbers
            numbers[:] = self.permutation.indexes(numbers)
        return bad

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        self.batch.unrank(self.permutation.numbers(numbers), owners)


_deals = cache(deals.DealKernel)
_endings = cache(endings.EndingKernel)
_digits = cache(deals.DigitKernel)
_hands = cache(hands.HandKernel)
_affine = cache(deals.AffineKernel)
_permutation = lru_cache(KeyedPermutation)


def permuted_batch(batch: Batch, seed: int, cardinality: int) -> Batch:
    """Return another batch in the order of a seed, as `sampling.KeyedPermutation` defines it."""
    return _Permuted(batch, _permutation(seed, cardinality))


def batch_of(ranking: Ranking) -> Batch:
    """Return the batch of a ranking."""
    if ranking.cardinality > MOST:
        return OneByOne(ranking)
    return _compiled(ranking) or _composed(ranking) or OneByOne(ranking)


def _compiled(ranking: Ranking) -> Batch | None:  # noqa: PLR0911 (a line for each ranking)
    """Return the compiled loops of a ranking that contains no other, or None."""
    match ranking:
        case ByCounter(counter=FixedSizes(sizes)) if _are_hands(sizes):
            return _deals(_four(sizes))
        case ByCounter(counter=LimitedSizes(cards, limits)) if _are_endings(cards, limits):
            return _endings(cards, (limits,), full=False)
        case EqualHands(cards, seats, most) if _are_endings(cards, (most,) * seats):
            starts = tuple((size,) * seats for size in range(most, 0, -1))
            return _endings(cards, starts, full=True)
        case LegalEndings():
            return _Rows(ranking.table)
        case OwnerDigits(cards, deals.BASE) if cards <= DECK_SIZE and cards % deals.PARTS == 0:
            return _digits(cards)
        case HandByHand(sizes) if _are_hands(sizes):
            return _hands(_four(sizes))
    return None


def _composed(ranking: Ranking) -> Batch | None:
    """Return the batch of classes, or of a ranking that contains another one, or None."""
    match ranking:
        case ClassWalk():
            return _Rows(ranking.table)
        case Mirrored(inner):
            from_the_end = partial(_subtract_from, ranking.cardinality - 1)
            return _Renumbered(_Reversed(batch_of(inner)), from_the_end, from_the_end)
        case Reordered(inner, cards, seats):
            return _Reordered(batch_of(inner), cards, seats)
        case Affine(inner, factor, shift) if ranking.cardinality <= deals.MOST:
            inverse = pow(factor, -1, ranking.cardinality)
            there = _affine(factor, shift, ranking.cardinality)
            back = _affine(inverse, -shift * inverse, ranking.cardinality)
            return _Renumbered(batch_of(inner), back.map, there.map)
    return None


def _are_hands(sizes: tuple[int, ...]) -> bool:
    return len(sizes) <= _SEATS and max(sizes) <= deals.MOST_IN_A_HAND


def _are_endings(cards: int, limits: tuple[int, ...]) -> bool:
    return (
        len(limits) <= _SEATS
        and max(limits) <= endings.MOST_IN_A_HAND
        and (len(limits) + 1) ** cards <= MOST
    )


def _four(sizes: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Return the sizes of up to four hands as four sizes; missing hands are empty."""
    north, east, south, west, *_ = (*sizes, 0, 0, 0, 0)
    return north, east, south, west


def _subtract_from(number: int, rows: Limbs) -> Limbs:
    return add(~rows, number + 1)  # ~x is -1 - x
