"""Rankings: the building blocks of the numberings, on words of owners of any length.

A *word* is one owner for each card, as bytes. A seat is 0, 1, …, and the last owner may mean
unused. A ranking has a `cardinality`, and inverse methods `rank` and `unrank`. It raises
`NotAMemberError` for a word without a number. `unrank` accepts only numbers in 0..cardinality-1;
`Numbering` checks that. The partition walk is a ranking. The other rankings in this module use the
walk or are independent of it. Each takes the deck as an argument, so tests can enumerate it
completely for a toy deck.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate, compress
from operator import itemgetter
from typing import ClassVar, Protocol, cast

from pavcodec.walk import FixedSizes, FoldedWalk, NotAMemberError, Walk, walk_of


@cache
def _held_or_not(seat: int) -> bytes:
    """Return the table that maps this seat to 0 and all other owners to 1."""
    return bytes(0 if owner == seat else 1 for owner in range(256))


class Ranking(Protocol):
    """The interface of the order of a numbering."""

    @property
    def cardinality(self) -> int:
        """The number of words."""

    def rank(self, word: bytes) -> int:
        """Return the number of a word; raise `NotAMemberError` if it is not in the ranking."""

    def unrank(self, number: int) -> bytes:
        """Return the word of a number in 0..cardinality-1."""


class _Pure:
    """A ranking that is pickled as its definition, without cached values."""

    __match_args__: ClassVar[tuple[str, ...]]

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return type(self), tuple(self.__dict__[name] for name in self.__match_args__)


@dataclass(frozen=True)
class EqualHands(_Pure):
    """Endings with equally many cards in every hand, the fullest hands first.

    The words with J cards in each hand are one block, in the order of a partition walk over the
    seats and unused (the N[J] walk of Pavlicek's article on endings).

    >>> [EqualHands(cards=52, seats=4, most=13).walks[j].cardinality for j in (1, 2)]
    [6497400, 1896396138000]
    """

    cards: int
    seats: int
    most: int

    @cached_property
    def walks(self) -> dict[int, Walk | FoldedWalk]:
        """The walk for each J, from `most` down to 1."""
        return {
            size: walk_of(FixedSizes((size,) * self.seats + (self.cards - self.seats * size,)))
            for size in range(self.most, 0, -1)
        }

    @cached_property
    def firsts(self) -> dict[int, int]:
        """The first number for each J."""
        sizes = accumulate((walk.cardinality for walk in self.walks.values()), initial=0)
        return dict(zip(self.walks, sizes, strict=False))

    @cached_property
    def cardinality(self) -> int:
        return sum(walk.cardinality for walk in self.walks.values())

    def rank(self, word: bytes) -> int:
        size = word.count(0)
        if size not in self.walks:
            raise NotAMemberError
        return self.firsts[size] + self.walks[size].rank(word)

    def unrank(self, number: int) -> bytes:
        for walk in self.walks.values():
            if number < walk.cardinality:
                return walk.unrank(number)
            number -= walk.cardinality
        raise AssertionError("the number was checked against the cardinality")


@dataclass(frozen=True)
class OwnerDigits(_Pure):
    """Every assignment of the cards: one digit for each card, card 0 least significant.

    Digit 0 is the last owner (unused), and digit i + 1 is owner i. gmpy2 splits a number into its
    digits several times faster than a loop of divisions. `int` is the fastest way to join them.
    """

    cards: int
    owners: int

    @property
    def cardinality(self) -> int:
        ways: int = self.owners**self.cards
        return ways

    @cached_property
    def _to_digits(self) -> bytes:
        table = bytearray(b"?") * 256  # other owners have no digit
        for owner in range(self.owners):
            table[owner] = ord(str((owner + 1) % self.owners))
        return bytes(table)

    @cached_property
    def _to_owners(self) -> bytes:
        digits = "".join(str(digit) for digit in range(self.owners)).encode()
        return bytes.maketrans(digits, bytes([self.owners - 1, *range(self.owners - 1)]))

    def rank(self, word: bytes) -> int:
        digits = word[::-1].translate(self._to_digits)
        if len(digits) != self.cards or b"?" in digits:
            raise NotAMemberError
        return int(digits, self.owners)

    def unrank(self, number: int) -> bytes:
        digits = _digits()(number, self.owners).zfill(self.cards)
        return digits[::-1].encode().translate(self._to_owners)


@cache
def _digits() -> Callable[[int, int], str]:
    """Return gmpy2's conversion to digits; its import is slow, so it waits for the first use."""
    from gmpy2 import digits

    return cast("Callable[[int, int], str]", digits)


@dataclass(frozen=True)
class HandByHand(_Pure):
    """Deals hand by hand; each hand is a subset of the cards that the earlier hands do not have.

    The rank of a subset is its place in dictionary order, card 0 first: a partition walk over
    *held* and *not held*. The first seat is most significant. The last seat gets the remaining
    cards.

    >>> HandByHand((13, 13, 13, 13)).cardinality
    53644737765488792839237440000
    """

    sizes: tuple[int, ...]

    @cached_property
    def _walks(self) -> tuple[Walk, ...]:
        rest = list(accumulate(self.sizes[::-1]))[::-1]
        return tuple(
            Walk(FixedSizes((size, left - size)))
            for size, left in zip(self.sizes[:-1], rest, strict=False)
        )

    @cached_property
    def cardinality(self) -> int:
        return FixedSizes(self.sizes).completions(self.sizes)

    def rank(self, word: bytes) -> int:
        if len(word) != sum(self.sizes) or max(word) >= len(self.sizes):
            raise NotAMemberError
        number = 0
        for seat, walk in enumerate(self._walks):
            held = word.translate(_held_or_not(seat), bytes(range(seat)))
            number = number * walk.cardinality + walk.rank(held)
        return number

    def unrank(self, number: int) -> bytes:
        ranks = []
        for walk in reversed(self._walks):
            number, rank = divmod(number, walk.cardinality)
            ranks.append(rank)
        word = [0] * sum(self.sizes)
        left = list(range(len(word)))
        for walk, rank in zip(self._walks, reversed(ranks), strict=True):
            left = list(compress(left, walk.unrank(rank)))
            for card in left:
                word[card] += 1
        return bytes(word)


@dataclass(frozen=True)
class Mirrored(_Pure):
    """Another ranking in reverse order, with the deck reversed.

    Reversed dictionary order of the reversed deck is the colex ("squashed") order of the deck:
    C(p, 1) + C(q, 2) + … over the places p < q < … of the cards in a hand.
    """

    ranking: Ranking

    @cached_property
    def cardinality(self) -> int:
        return self.ranking.cardinality

    def rank(self, word: bytes) -> int:
        return self.cardinality - 1 - self.ranking.rank(word[::-1])

    def unrank(self, number: int) -> bytes:
        return self.ranking.unrank(self.cardinality - 1 - number)[::-1]


@dataclass(frozen=True)
class Reordered(_Pure):
    """Another ranking with the cards and seats in another order.

    `cards[i]` is the card at place i, and `seats[j]` is the seat with the value j.
    """

    ranking: Ranking
    cards: tuple[int, ...]
    seats: tuple[int, ...]

    @cached_property
    def cardinality(self) -> int:
        return self.ranking.cardinality

    @cached_property
    def _inward(self) -> Callable[[bytes], tuple[int, ...]]:
        return itemgetter(*self.cards)

    @cached_property
    def _outward(self) -> Callable[[bytes], tuple[int, ...]]:
        return itemgetter(*sorted(range(len(self.cards)), key=self.cards.__getitem__))

    @cached_property
    def _relabel(self) -> bytes:
        return bytes.maketrans(bytes(self.seats), bytes(range(len(self.seats))))

    @cached_property
    def _label(self) -> bytes:
        return bytes.maketrans(bytes(range(len(self.seats))), bytes(self.seats))

    def rank(self, word: bytes) -> int:
        if len(word) != len(self.cards):
            raise NotAMemberError
        return self.ranking.rank(bytes(self._inward(word)).translate(self._relabel))

    def unrank(self, number: int) -> bytes:
        return bytes(self._outward(self.ranking.unrank(number))).translate(self._label)


@dataclass(frozen=True)
class Affine(_Pure):
    """Another ranking with scrambled numbers: number x has the word of (x * factor + shift) mod D.

    D is the cardinality. `factor` and D have no common divisor, so this map is one-to-one.
    """

    ranking: Ranking
    factor: int
    shift: int

    @cached_property
    def cardinality(self) -> int:
        return self.ranking.cardinality

    @cached_property
    def _inverse(self) -> int:
        return pow(self.factor, -1, self.cardinality)

    def rank(self, word: bytes) -> int:
        return (self.ranking.rank(word) - self.shift) * self._inverse % self.cardinality

    def unrank(self, number: int) -> bytes:
        return self.ranking.unrank((number * self.factor + self.shift) % self.cardinality)
