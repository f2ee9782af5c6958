"""The legal endings as a ranking: the fullest hands first, in the order of `EqualHands`.

The definition is a partition walk, whose counter is in the tests. It has too many states to compute
them one by one, so compiled loops fill tables of them when the first ending is ranked. Full deals
need no tables, because every deal is legal before the first trick.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from pavcodec.cards import SUIT_SIZE, Seat, Suit
from pavcodec.legal import LEGAL_ENDINGS, is_legal, signature, too_few_leads
from pavcodec.numberings.rankings import Looped
from pavcodec.walk import FixedSizes, NotAMemberError

if TYPE_CHECKING:
    from pavcodec.arrays.numberings.legal import LegalKernel


_DECK = (len(Seat), len(Suit), SUIT_SIZE)


@dataclass(frozen=True)
class LegalEndings(Looped):
    """Endings with equally many cards in every hand that legal play can reach in some denomination.

    >>> LegalEndings(2, 2, 4).counts
    {4: 70, 3: 272, 2: 420, 1: 56}
    """

    seats: int
    suits: int
    ranks: int

    @cached_property
    def counts(self) -> dict[int, int]:
        """The number of endings, by the cards in each hand, largest hands first."""
        if (self.seats, self.suits, self.ranks) == _DECK:
            return LEGAL_ENDINGS
        counts = self.loops.counts
        return dict(zip(range(self._most, 0, -1), counts, strict=True))

    @cached_property
    def cards(self) -> int:
        """The length of the words."""
        return self.suits * self.ranks

    @cached_property
    def cardinality(self) -> int:
        """The number of words."""
        return sum(self.counts.values())

    @cached_property
    def firsts(self) -> dict[int, int]:
        """The first number of each hand size."""
        return dict(zip(self.counts, accumulate(self.counts.values(), initial=0), strict=False))

    @cached_property
    def _full(self) -> FixedSizes:
        """The words of full hands."""
        each, over = divmod(self.cards, self.seats)
        return FixedSizes((*[each] * self.seats, over))

    @cached_property
    def loops(self) -> LegalKernel:
        """The loops over many rows."""
        return kernel_of(self.seats, self.suits, self.ranks)

    def rank(self, word: bytes) -> int:
        """Return the number of a word; raise `NotAMemberError` if it is not in the ranking."""
        each = word.count(0)
        sizes = [word.count(seat) for seat in range(self.seats)]
        if each not in self.counts or len(set(sizes)) > 1 or len(word) != self.cards:
            raise NotAMemberError
        if each * self.seats + word.count(self.seats) != self.cards:
            raise NotAMemberError
        if each == self._most:
            return self._full.rank(word)
        ending = signature(word, suits=self.suits, seats=self.seats)
        if not is_legal(ending, self.seats):
            raise NotAMemberError(too_few_leads(ending) if self.suits == len(Suit) else "")
        return self.loops.rank_one(word)

    def unrank(self, number: int) -> bytes:
        """Return the word of a number, which must be in 0..cardinality-1."""
        if number < self._full.cardinality:
            return self._full.unrank(number)
        return self.loops.unrank_one(number)

    @property
    def _most(self) -> int:
        return self.suits * self.ranks // self.seats


@cache
def kernel_of(seats: int, suits: int, ranks: int) -> LegalKernel:
    """Return the loops for a deck; the tables of the 52-card deck take a second and 60 MB."""
    from pavcodec.arrays.numberings.legal import LegalKernel

    return LegalKernel(seats, suits, ranks, suits * ranks // seats)
