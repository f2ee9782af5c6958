"""The double-dummy tricks of every small ending, by a table, and how many endings give how many.

An ending of `size` cards in each hand is worth the same for any ranks in the same order, so it is a
word of owners and the lengths of the suits; `kernel/endings.c` says how the table is ordered. It
has 12.6 million endings of three cards in notrump and 37.7 million with trumps, two bits each, and
is a file of the package: an `.xz` file with a SHA-256, which `tools/endings_table.py` makes in a
minute. Four cards are searched for one trick, and looked up from there.

An ending with lengths a, b, c, d of its suits stands for C(13, a) C(13, b) C(13, c) C(13, d)
endings of real cards, so the exact counts are sums over the table.

Source: the numbering of endings is that of Andrews, "Mapping Bridge Endings"; nobody has published
what the endings are worth.
"""

from __future__ import annotations

import lzma
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import product
from math import comb, factorial, prod
from typing import TYPE_CHECKING

import numpy as np

from pavcodec import kernel
from pavcodec.arrays import Threads, checked, share
from pavcodec.cards import DECK_SIZE, SUIT_SIZE, UNUSED, Seat, Suit
from pavcodec.errors import LayoutError, NumberError, shown
from pavcodec.layout.columns import hand_sizes
from pavcodec.layout.layout import describe_sizes, layout_from_owners
from pavcodec.solving.contracts import ChosenContracts, columns_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from pavcodec.arrays import Owners

MOST_SIZE = 4
"""The most cards of a hand whose tricks are searched without DDS."""
LARGEST_TABLE = 3
_LENGTHS = 1 << 12
_SEATS, _SUITS = len(Seat), len(Suit)


@dataclass(frozen=True, eq=False)
class Tables:
    """The tables of all endings up to a size, as the kernel reads them."""

    known: int
    data: NDArray[np.uint8]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    adds: NDArray[np.uint32]

    @property
    def arguments(self) -> tuple[object, ...]:
        """The first arguments of the kernel's functions of endings."""
        return self.known, self.data, self.starts, self.rows, self.adds


@cache
def lengths_of(size: int, *, trumps: bool) -> tuple[tuple[int, ...], ...]:
    """Return the rows of a table: lengths of suits, a trump suit first, then the longest first.

    >>> lengths_of(1, trumps=False)
    ((1, 1, 1, 1), (2, 1, 1, 0), (2, 2, 0, 0), (3, 1, 0, 0), (4, 0, 0, 0))
    """
    return tuple(suit_lengths(size, range(int(trumps), _SUITS)))


def suit_lengths(size: int, alike: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the lengths of suits of endings of a size; of suits that are alike, the longest first.

    >>> len([*suit_lengths(1, [])]), len([*suit_lengths(1, [2, 3])])
    (35, 22)
    """
    cards = _SEATS * size
    for lengths in product(range(min(cards, SUIT_SIZE) + 1), repeat=_SUITS):
        own = [lengths[suit] for suit in alike]
        if sum(lengths) == cards and own == sorted(own, reverse=True):
            yield lengths


def words_of(size: int) -> int:
    """Return the number of words of an ending: the ways to give its cards to four seats."""
    return comb(4 * size, size) * comb(3 * size, size) * comb(2 * size, size)


def all_words(size: int) -> NDArray[np.uint8]:
    """Return all words of endings of a size in their order: `uint8[words_of(size), 4 * size]`."""
    return _words((size,) * _SEATS)


@cache
def _words(left: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return the words in which each seat has so many cards, in lexicographic order."""
    parts = [
        np.insert(_words((*left[:seat], cards - 1, *left[seat + 1 :])), 0, seat, axis=1)
        for seat, cards in enumerate(left)
        if cards
    ]
    return np.concatenate(parts) if parts else np.zeros((1, 0), np.uint8)


def owners_of_words(lengths: Sequence[int], words: NDArray[np.uint8]) -> Owners:
    """Return the endings of words whose suits have some lengths, with the highest cards."""
    owners, first = np.full((len(words), DECK_SIZE), UNUSED, np.uint8), 0
    for suit, length in enumerate(lengths):
        start = SUIT_SIZE * suit
        owners[:, start : start + length] = words[:, first : first + length]
        first += length
    return owners


def rank_of_word(word: Sequence[int]) -> int:
    """Return the place of a word among all words of its size.

    >>> rank_of_word([0, 1, 2, 3]), rank_of_word([3, 2, 1, 0])
    (0, 23)
    """
    adds, left, rank = _fixed()[1], sum(1 << 2 * seat for seat in word), 0
    for seat in word:
        rank += int(adds[left, seat])
        left -= 1 << 2 * seat
    return rank


@cache
def _fixed() -> tuple[NDArray[np.int32], NDArray[np.uint32]]:
    """Return the rows of all lengths, and what a letter adds to the rank of a word."""
    rows = np.full((2 * (LARGEST_TABLE + 1), _LENGTHS), -1, np.int32)
    for size, trumps in product(range(1, LARGEST_TABLE + 1), (False, True)):
        for row, (one, two, three, _) in enumerate(lengths_of(size, trumps=trumps)):
            rows[2 * size + trumps, one << 8 | two << 4 | three] = row
    adds = np.zeros((1 << 2 * _SEATS, _SEATS), np.uint32)
    for left in product(range(LARGEST_TABLE + 1), repeat=_SEATS):
        state, total = sum(cards << 2 * seat for seat, cards in enumerate(left)), sum(left)
        ways, smaller = factorial(total) // prod(map(factorial, left)), 0
        for seat, cards in enumerate(left):
            adds[state, seat] = smaller
            smaller += ways * cards // total if total else 0
    return rows, adds


def _with_data(known: int, data: NDArray[np.uint8]) -> Tables:
    sizes = [0, 0]
    for size, trumps in product(range(1, known + 1), (False, True)):
        sizes.append(len(lengths_of(size, trumps=trumps)) * words_of(size) // 4)
    starts = np.concatenate([[0], np.cumsum(sizes)])[: len(sizes)].astype(np.int64)
    return Tables(known, data, starts, *_fixed())


def made_tables(size: int, *, threads: Threads = None) -> Tables:
    """Return the tables of all endings of at most `size` cards, 1 to 3; three take a minute."""
    tables = _with_data(0, np.zeros(1, np.uint8))
    data: list[NDArray[np.uint8]] = []
    for each in range(1, size + 1):
        for trumps in (False, True):
            lengths = np.array(lengths_of(each, trumps=trumps), np.uint8)
            data.append(_solved(tables, each, lengths, trumps=trumps, threads=threads))
        tables = _with_data(each, np.concatenate(data))
    return tables


def _solved(
    tables: Tables, size: int, lengths: NDArray[np.uint8], *, trumps: bool, threads: Threads
) -> NDArray[np.uint8]:
    solved = np.zeros((len(lengths), words_of(size) // 4), np.uint8)

    def work(part: slice) -> None:
        kernel.endings_solved(
            *tables.arguments, size, trumps, len(lengths[part]), lengths[part], solved[part]
        )

    share(work, len(lengths), threads, 1)
    return solved.reshape(-1)


@cache
def tables_of_package() -> Tables:
    """Return the tables of all endings of at most three cards."""
    packed = resources.files("pavcodec.data").joinpath("endings.xz").read_bytes()
    return _with_data(LARGEST_TABLE, np.frombuffer(lzma.decompress(packed), np.uint8))


def are_small(owners: Owners) -> NDArray[np.bool_]:
    """Return which rows have equal hands of so few cards that their tricks are looked up."""
    sizes = hand_sizes(owners)
    return np.asarray((sizes[:, 0] <= LARGEST_TABLE) & (sizes == sizes[:, :1]).all(axis=1))


def tricks_of_endings(
    owners: Owners, contracts: ChosenContracts = None, *, threads: Threads = None
) -> NDArray[np.uint8]:
    """Return the tricks of declarers in endings of at most four cards: `uint8[n, 20]`.

    `owners` are `uint8[n, 52]`, with equally many cards in every hand; the seat after the declarer
    leads. The columns are those of `TrickTable.tricks`, or with `contracts`, such as `"NT by S"`,
    those of these contracts in their order. Raises `LayoutError` for other hands.

    >>> from pavcodec import endings
    >>> owners = endings("spades(north) == 2", cards=3).sample_many(4, seed=7)
    >>> tricks_of_endings(owners, "NT by S, S by N").tolist()
    [[0, 2], [2, 1], [3, 3], [0, 1]]
    """
    rows = np.ascontiguousarray(checked("owners", owners, np.uint8, DECK_SIZE))
    columns = np.array(columns_of(contracts), np.uint8)
    tricks, tables = np.empty((len(rows), len(columns)), np.uint8), tables_of_package()

    def work(part: slice) -> None:
        bad = kernel.endings_tricks(
            *tables.arguments, len(rows[part]), rows[part], len(columns), columns, tricks[part]
        )
        if bad >= 0:
            row = part.start + bad
            sizes = describe_sizes(layout_from_owners(rows[row].tobytes()))
            raise LayoutError(
                f"row {row}: tricks of endings need four hands of one to four cards, not {sizes}"
            )

    share(work, len(rows), threads)
    return tricks


def count_endings(size: int, *, trumps: bool = False) -> list[int]:
    """Return how many endings give the side on lead 0, 1, … `size` tricks, for a given leader.

    With `trumps`, a given suit is the trump suit. Legal play can reach every ending of three cards
    or fewer, so these are also the counts of the legal ones. Raises `NumberError` for other sizes.

    >>> count_endings(1), sum(count_endings(1)) == comb(52, 4) * 24
    ([1316016, 5181384], True)
    """
    if not 1 <= size <= LARGEST_TABLE:
        raise NumberError(f"endings of 1 to {LARGEST_TABLE} cards are counted, not {shown(size)}")
    tables, rows = tables_of_package(), lengths_of(size, trumps=trumps)
    begin, each = int(tables.starts[2 * size + trumps]), words_of(size) // 4
    data = tables.data[begin : begin + len(rows) * each].reshape(len(rows), each)
    totals = [0] * (size + 1)
    for lengths, row in zip(rows, data, strict=True):
        ways = prod(comb(SUIT_SIZE, length) for length in lengths) * orders_of(lengths[trumps:])
        words = np.bincount(row, minlength=1 << 8) @ _IN_BYTES
        for tricks, count in enumerate(words.tolist()[: size + 1]):
            totals[tricks] += ways * count
    return totals


_IN_BYTES = np.array(
    [[[byte >> place & 3 for place in (0, 2, 4, 6)].count(tricks) for tricks in range(4)]
     for byte in range(1 << 8)]
)  # fmt: skip
"""How often a byte of a table has each number of tricks."""


def orders_of(lengths: tuple[int, ...]) -> int:
    """Return in how many orders some lengths can belong to suits."""
    return factorial(len(lengths)) // prod(map(factorial, Counter(lengths).values()))
