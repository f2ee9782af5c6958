"""The legal endings as a ranking: the fullest hands first, in the order of `EqualHands`.

It is a partition walk with many states: the kernel fills tables of them when the first ending is
ranked. Full deals need no tables, because every deal is legal before the first trick.
"""

from __future__ import annotations

from ctypes import c_int32, c_uint64
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb
from typing import TYPE_CHECKING

from pavcodec.cards import DECK_SIZE, SUIT_SIZE, Seat, Suit
from pavcodec.kernel import bind, rows_of
from pavcodec.legal import LEGAL_ENDINGS, signature, too_few_leads
from pavcodec.numberings.chain import Chain
from pavcodec.walk import FixedSizes, NotAMemberError, Rank, Ranking, Unrank

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners, Threads


_DECK = (len(Seat), len(Suit), SUIT_SIZE)
_SIZES = {_DECK: (790_847, 1_738_838)}
"""The rows and places of the tables of a deck, so that no more memory is taken."""
_MOST_SEATS, _MOST_CARDS = 4, 60


@dataclass(frozen=True)
class LegalEndings(Ranking):
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
        counts = self.table.counts
        return dict(zip(range(len(counts), 0, -1), counts, strict=True))

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
        return dict(zip(self.counts, Chain(tuple(self.counts.values())).starts, strict=True))

    @property
    def table(self) -> LegalTable:
        """The states of the walk."""
        return table_of(self.seats, self.suits, self.ranks)

    @cached_property
    def _full(self) -> FixedSizes:
        """The words of full hands."""
        each, over = divmod(self.cards, self.seats)
        return FixedSizes((*[each] * self.seats, over))

    @cached_property
    def _rows(self) -> tuple[Rank, Unrank]:
        return self.table.rank_rows, self.table.unrank_rows

    def rank(self, word: bytes) -> int:
        """Return the number of a word; raise `NotAMemberError` if it is not in the ranking."""
        if word.count(self.seats) == self.cards % self.seats:
            return self._full.rank(word)
        try:
            return super().rank(word)
        except NotAMemberError:
            raise NotAMemberError(self._reason(word)) from None

    def _reason(self, word: bytes) -> str:
        """Return why equal hands are not legal, or an empty text for other hands."""
        sizes = [word.count(seat) for seat in range(self.seats)]
        gone = self.cards - self.seats * sizes[0]
        if len({*sizes}) > 1 or word.count(self.seats) != gone or self.suits != len(Suit):
            return ""
        return too_few_leads(signature(word, suits=self.suits, seats=self.seats))

    def unrank(self, number: int) -> bytes:
        """Return the word of a number, which must be in 0..cardinality-1."""
        if 0 <= number < self._full.cardinality:
            return self._full.unrank(number)
        return super().unrank(number)


class LegalTable:
    """The states of the legal endings of a deck and the number of completions of each.

    >>> LegalTable(2, 2, 2).counts
    [6, 12]
    """

    def __init__(self, seats: int, suits: int, ranks: int) -> None:
        cards, most = suits * ranks, suits * ranks // seats
        assert seats <= _MOST_SEATS, "the kernel has four slots"
        assert cards <= _MOST_CARDS, "the kernel has so many layers"
        self._deck = seats, suits, ranks
        fill = bind("legal_tables", *self._deck)
        rows, places = _SIZES.get(self._deck, (1 << 12, 1 << 13))
        while True:
            known = (c_int32 * (comb(2 * most + seats, seats) * (ranks + 1)))()
            states, steps = (c_uint64 * rows)(), (c_uint64 * (rows * (seats + 1)))()
            ways = (c_uint64 * (2 * places))()
            if fill(known, rows, places, states, steps, ways) >= 0:
                break
            rows, places = 2 * rows, 2 * places
        self._starts, self._ways = (c_uint64 * most)(*states[:most]), ways
        counts = LEGAL_ENDINGS.values() if self._deck == _DECK else self.counts
        given = *self._deck, steps, ways, rows_of(*Chain(tuple(counts)).starts)
        self.rank_rows = bind("legal_rank", *given)
        """Of `n, words, numbers`: write the numbers; return the first row without one, or -1."""
        self.unrank_rows = bind("legal_unrank", *given)
        """Of `n, numbers, words`: write the words of numbers below the cardinality."""

    @cached_property
    def counts(self) -> list[int]:
        """The number of endings, by the cards in each hand, largest hands first."""
        words = (c_uint64 * (2 * len(self._starts)))()
        bind("legal_counts", *self._deck)(self._starts, self._ways, words)
        return [high << 64 | low for high, low in zip(words[::2], words[1::2], strict=True)]


table_of = cache(LegalTable)


def are_legal(owners: Owners, *, threads: Threads = None) -> NDArray[np.bool_]:
    """Return which layouts are endings that legal play can reach: `uint8[n, 52]` to `bool[n]`.

    Row k is the result of `legality` for a layout with equally many cards in every hand, and False
    for any other row. `threads` share the work; the default is one for each processor. Raises
    `TypeError` for another array.

    >>> from pavcodec import numbering
    >>> are_legal(numbering("balanced").sample_many(4, seed=1)).tolist()
    [True, False, False, False]
    """
    import numpy as np

    from pavcodec.arrays import checked, share

    rows = checked("owners", owners, np.uint8, DECK_SIZE)
    answers = np.empty(len(rows), np.uint8)
    decide = bind("legal_decide", *_DECK)

    def work(part: slice) -> None:
        given = np.ascontiguousarray(rows[part])
        decide(len(given), given, answers[part])

    share(work, len(rows), threads)
    return answers.view(np.bool_)
