"""The partition walk: words of owners in dictionary order, each with its number.

A *word* is one owner for each card, as bytes. The number of a word is the number of words before
it. At each card, the remaining words split into one partition for each owner, in the order of
owners; the size of a partition is the number of words that complete it. So the number of a word is
the sum of the partitions before the chosen owners, and in reverse, the number selects the owner at
each card. The definition is in `kernel.reference`; the kernel does the same with tables of where
the partitions begin, which are made once in each process.

Nothing here depends on 52 cards or four seats.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import Array, c_char, c_int64, c_uint16, c_uint32, c_uint64
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate
from math import comb, prod
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from pavcodec import kernel

MOST = 1 << 128
"""The smallest number that does not fit into a row of two words."""

_WORD = (1 << 64) - 1
_MOST_CARDS, _MOST_OWNERS = 255, 7  # as in kernel/walk.c
_IN_TABLES_OF_SIZES = 4

_Row = c_uint64 * 2

Rank: TypeAlias = Callable[[int, Any, Any], int]
Unrank: TypeAlias = Callable[[int, Any, Any], None]


class NotAMemberError(ValueError):
    """The word is not in the ranking."""


class Ranking:
    """An ordered finite set of words: `rank` and `unrank` are inverse.

    It works on rows, in arrays of numpy or, for few rows, of ctypes: n words of `cards` bytes each,
    and n numbers of two words each. A single word is a batch of one. Rankings are values, pickled
    as their definition without tables.
    """

    if TYPE_CHECKING:  # fields of dataclasses define some of these

        @property
        def cards(self) -> int:
            """The length of the words."""

        @property
        def cardinality(self) -> int:
            """The number of words."""

        @property
        def _rows(self) -> tuple[Rank, Unrank]:
            """`rank_rows` and `unrank_rows`, for rankings that have both from one table."""

    __match_args__: ClassVar[tuple[str, ...]]

    @cached_property
    def rank_rows(self) -> Rank:
        """The function (n, words, numbers) that writes the numbers of words.

        It returns the first row that is not in the ranking, or -1.
        """
        return self._rows[0]

    @cached_property
    def unrank_rows(self) -> Unrank:
        """The function (n, numbers, words) that writes the words of numbers.

        The numbers must be in 0..cardinality-1.
        """
        return self._rows[1]

    def rank(self, word: bytes) -> int:
        """Return the number of a word; raise `NotAMemberError` if it is not in the ranking."""
        number = _Row()
        if len(word) != self.cards or self.rank_rows(1, word, number) >= 0:
            raise NotAMemberError
        return int(number[0] << 64 | number[1])

    def unrank(self, number: int) -> bytes:
        """Return the word of a number; raise `IndexError` outside 0..cardinality-1."""
        if not 0 <= number < self.cardinality:
            raise IndexError(f"{number} is not in 0..{self.cardinality - 1}")
        word = (c_char * self.cards)()
        self.unrank_rows(1, _Row(number >> 64, number & _WORD), word)
        return word.raw

    def is_row_by_row(self, n: int) -> bool:
        """Return whether n rows take as much time together as one by one."""
        return False

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)


class RowByRow(Ranking):
    """A ranking that defines `rank` and `unrank`; it has no loops of its own over rows."""

    def is_row_by_row(self, n: int) -> bool:
        return True

    @cached_property
    def _rows(self) -> tuple[Rank, Unrank]:
        return self._rank_each, self._unrank_each

    def _rank_each(self, n: int, words: Any, numbers: Any) -> int:
        cards, data, rows = self.cards, bytes(words), _flat(numbers)
        for row in range(n):
            try:
                number = self.rank(data[row * cards : (row + 1) * cards])
            except NotAMemberError:
                return row
            rows[2 * row : 2 * row + 2] = divmod(number, 1 << 64)
        return -1

    def _unrank_each(self, n: int, numbers: Any, words: Any) -> None:
        cards, rows = self.cards, _flat(numbers)
        data = words if isinstance(words, Array) else memoryview(words).cast("B")
        for row in range(n):
            high, low = map(int, rows[2 * row : 2 * row + 2])
            data[row * cards : (row + 1) * cards] = self.unrank(high << 64 | low)


def _flat(rows: Any) -> Any:
    """Return an array of numpy or of ctypes without its rows."""
    return rows.reshape(-1) if hasattr(rows, "reshape") else rows


@dataclass(frozen=True)
class FixedSizes(Ranking):
    """The words in which each owner gets an exact number of cards.

    `FixedSizes((13, 13, 13, 13))` has the deals, `FixedSizes((5, 5, 5, 5, 32))` the endings of five
    cards, and `FixedSizes((13, 39))` single hands.

    >>> FixedSizes((13, 13, 13, 13)).cardinality
    53644737765488792839237440000
    >>> pairs = FixedSizes((2, 1))
    >>> [pairs.unrank(number).hex() for number in range(pairs.cardinality)]
    ['000001', '000100', '010000']
    >>> pairs.rank(bytes([0, 1, 0]))
    1
    """

    sizes: tuple[int, ...]

    @cached_property
    def cards(self) -> int:
        return sum(self.sizes)

    @cached_property
    def cardinality(self) -> int:
        return prod(map(comb, accumulate(self.sizes), self.sizes))

    @cached_property
    def _rows(self) -> tuple[Rank, Unrank]:
        if len(self.sizes) > _IN_TABLES_OF_SIZES:
            return ending_rows(self, (self.sizes[:-1],), (0,), is_full=True)
        check_for_tables(self)
        return _size_rows(self.sizes)


@dataclass(frozen=True)
class LimitedSizes(Ranking):
    """The words in which owners have upper limits; one more owner, the last, has no limit.

    `LimitedSizes(52, (13, 13, 13, 13))` has all endings.

    >>> LimitedSizes(52, (13, 13, 13, 13)).cardinality
    1068380067768858063542620835042803325
    """

    cards: int
    limits: tuple[int, ...]

    @cached_property
    def cardinality(self) -> int:
        ways = [1]  # by the cards that the owners so far hold together
        for limit in self.limits:
            ways = [
                sum(comb(held, more) * ways[held - more] for more in _shares(held, limit, ways))
                for held in range(min(self.cards + 1, len(ways) + limit))
            ]
        return sum(comb(self.cards, held) * each for held, each in enumerate(ways))

    @cached_property
    def _rows(self) -> tuple[Rank, Unrank]:
        limits = tuple(min(limit, self.cards) for limit in self.limits)
        return ending_rows(self, (limits,), (0,), is_full=False)


def _shares(held: int, limit: int, ways: list[int]) -> range:
    """Return how many of the cards held together may be those of the last owner."""
    return range(max(0, held - len(ways) + 1), min(limit, held) + 1)


def check_for_tables(ranking: Ranking, owners: int = 1, *, most_cards: int = _MOST_CARDS) -> None:
    """Raise `ValueError` for a deck that the tables of the kernel do not hold."""
    if ranking.cards > most_cards or owners > _MOST_OWNERS:
        raise ValueError(
            f"tables hold at most {most_cards} cards of {_MOST_OWNERS} owners: {ranking!r}"
        )
    if ranking.cardinality > MOST:
        raise ValueError(f"tables hold numbers below 2^128: {ranking!r}")


@cache
def _size_rows(sizes: tuple[int, ...]) -> tuple[Rank, Unrank]:
    """Return the functions of words in which at most four owners have these sizes."""
    states = prod(size + 1 for size in sizes)
    ways, entries = (c_uint64 * (2 * states))(), c_uint64 * (states * len(sizes))
    high, low = entries(), entries()
    wide = kernel.sizes_table(bytes(sizes), len(sizes), ways, high, low)
    table = bytes(sizes), len(sizes), wide, high, low
    return kernel.bind("sizes_rank", *table), kernel.bind("sizes_unrank", *table)


def ending_rows(
    ranking: Ranking,
    parts: tuple[tuple[int, ...], ...],
    firsts: tuple[int, ...],
    *,
    is_full: bool,
) -> tuple[Rank, Unrank]:
    """Return the functions of words in parts: seats with limits, and unused, the last owner.

    A part has a limit for each seat, and the number of its first word. At the end of its words, the
    seats have as many cards as their limits, or also fewer if not `is_full`.
    """
    cards, seats, most = ranking.cards, len(parts[0]), max(map(max, parts))
    check_for_tables(ranking, seats + 1)
    wide, *table = _ending_table(cards, seats, most, is_full)
    shape = (c_int64 * 6)(cards, seats, most, is_full, wide, len(parts))
    of_parts = shape, b"".join(map(bytes, parts)), kernel.rows_of(*firsts)
    return (
        kernel.bind("endings_rank", *of_parts, *table),
        kernel.bind("endings_unrank", *of_parts, *table),
    )


@cache
def _ending_table(cards: int, seats: int, most: int, is_full: bool) -> tuple[Any, ...]:
    """Return the wide cards, the rows of the states, and the ways (high and low words)."""
    rows = comb(most + seats, seats) + 1
    if rows > 1 << 16:
        raise ValueError(f"tables hold at most {1 << 16} rooms of {seats} seats, not {rows}")
    folded, states = (c_uint16 * (most + 2) ** seats)(), (c_uint32 * rows)()
    high, low = (c_uint64 * ((cards + 1) * rows))(), (c_uint64 * ((cards + 1) * rows))()
    wide = kernel.endings_table(cards, seats, most, is_full, folded, states, high, low)
    return wide, folded, high, low


def subset_rows(sizes: tuple[int, ...], cardinality: int) -> tuple[Rank, Unrank]:
    """Return the functions of words hand by hand (`numberings.rankings.HandByHand`)."""
    entries = c_uint64 * (len(sizes) * (sum(sizes) + 1) * (max(sizes) + 1))
    high, low, last = entries(), entries(), kernel.rows_of(cardinality - 1)
    wide = kernel.subsets_table(bytes(sizes), len(sizes), high, low)
    hands = bytes(sizes), len(sizes)
    return (
        kernel.bind("subsets_rank", *hands, high, low, last),
        kernel.bind("subsets_unrank", *hands, wide, high, low, last),
    )
