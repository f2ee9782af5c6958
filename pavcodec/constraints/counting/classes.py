"""Conditions with double-dummy tricks on endings of at most three cards, counted by classes.

Tricks have no diagram. But an ending is worth the same for any ranks in the same order, so a
*class* of endings is a word, the owners of its cards from the top of each suit, and the lengths of
the suits; `solving/endings` has the tricks of every class. A class with lengths a, b, c, d has
C(13, a) C(13, b) C(13, c) C(13, d) endings, so a count is a sum over the classes.

Rule 1: parts that read more than tricks and lengths, such as `hcp`, differ within a class, and are
not counted beside tricks.
Rule 2: suits that a condition does not name are alike: the longest comes first, and a class stands
for all orders of their lengths. Suits of one length keep their order, so no ending comes twice.
Rule 3: endings are in the order of the lengths, the words, the orders of lengths and the ranks.
Rule 4: play can reach all these endings, so a condition on legal ones has the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate, combinations, permutations
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.cards import DECK_SIZE, SUIT_SIZE, UNUSED, Seat, Suit
from pavcodec.constraints.counting.model import Model
from pavcodec.constraints.nodes.format import show
from pavcodec.constraints.nodes.syntax import (
    Node,
    OfHand,
    Par,
    Python,
    Random,
    Tricks,
    distinct,
    measure_of,
)
from pavcodec.constraints.vectors import Chunk, ChunkRows, Vectors, answer
from pavcodec.errors import PavError
from pavcodec.layout.hand import OfLengths, SumOverCards
from pavcodec.solving.endings import (
    all_words,
    owners_of_words,
    rank_of_word,
    suit_lengths,
    tricks_of_endings,
    words_of,
)
from pavcodec.walk import NotAMemberError, RowByRow

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.constraints.vectors import Values

Lengths = tuple[int, ...]

_BLOCK = 64
"""The bytes of a block of chosen words."""


def reason_of(node: Node) -> str | None:
    """Return why a node is not counted by classes; None if it is.

    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> reason_of(parse_expression("tricks(north, spades) + hcp(north) > 5"))
    "'hcp(north)' depends on ranks, and beside tricks only tricks and lengths are counted"
    """
    for part in distinct(node):
        if isinstance(part, Random | Python):
            return measure_of(part).reason
        if isinstance(part, Par):
            return "par is the score of whole deals"
        if isinstance(part, OfHand) and not _is_of_lengths(part):
            what = f"{show(part)} depends on ranks"
            return f"{what}, and beside tricks only tricks and lengths are counted"
    return None


def _is_of_lengths(node: OfHand) -> bool:
    function = node.function
    if isinstance(function, SumOverCards):
        return len(set(function.weights)) == 1
    return isinstance(function, OfLengths)


def _named_suits(nodes: Sequence[Node]) -> set[Suit]:
    """Return the suits that may not change their names."""
    named: set[Suit] = set()
    for part in distinct(*nodes):
        if isinstance(part, Tricks) and part.strain:
            named.add(Suit(part.strain - 1))
        elif isinstance(part, OfHand):
            if isinstance(part.function, OfLengths):
                return {*Suit}
            named |= set() if part.suit is None else {part.suit}
    return named


@dataclass(frozen=True)
class _Classes:
    """The classes of some lengths: of all suits, the alike ones with the longest first."""

    lengths: Lengths
    alike: tuple[int, ...]
    """The suits that no node names."""

    @cached_property
    def orders(self) -> list[Lengths]:
        """The different orders of the lengths of suits that are alike."""
        return sorted({*permutations([self.lengths[suit] for suit in self.alike])}, reverse=True)

    @cached_property
    def endings(self) -> int:
        """The endings of a class."""
        return len(self.orders) * prod(comb(SUIT_SIZE, length) for length in self.lengths)

    def values(self, nodes: Sequence[Node]) -> list[Values]:
        """Return the values of nodes for all words."""
        words = all_words(sum(self.lengths) // len(Seat))
        owners = owners_of_words(self.lengths, words)
        chunk, vectors = Chunk(owners), Vectors(*nodes)
        for part in distinct(*nodes):
            if isinstance(part, Tricks):
                [column] = tricks_of_endings(owners, [(part.seat, part.strain)]).T
                chunk.keep_tricks(part, column)
        values = []
        for node in nodes:
            vector = vectors.of(node)
            reply = None if vector is None else answer(vector, ChunkRows(chunk))
            if reply is None or (reply.wrong is not None and reply.wrong.any()):
                raise PavError(f"{show(node)} has no value for some endings")
            values.append(np.broadcast_to(reply.values, len(words)))
        return values

    def unrank(self, word: NDArray[np.uint8], number: int) -> bytes:
        """Return the ending of a number in the class of a word."""
        places = dict(zip(self.alike, [*self._blocks(number % len(self.orders))], strict=True))
        number //= len(self.orders)
        starts = list(accumulate(self.lengths, initial=0))
        owners = bytearray([UNUSED]) * DECK_SIZE
        for suit in Suit:
            block = places.get(suit, suit)
            held = _holdings(self.lengths[block])
            number, place = divmod(number, len(held))
            cards = word[starts[block] : starts[block + 1]].tolist()
            for rank, owner in zip(held[place], cards, strict=True):
                owners[suit * SUIT_SIZE + rank] = owner
        return bytes(owners)

    def rank(self, held: Sequence[Sequence[tuple[int, int]]]) -> tuple[list[int], int]:
        """Return the word of an ending, and its number in the class.

        `held` has the rank and the owner of each card of each suit.
        """
        order = self.orders.index(tuple(len(held[suit]) for suit in self.alike))
        places = dict(zip(self.alike, [*self._blocks(order)], strict=True))
        word: dict[int, list[int]] = {}
        number, base = 0, 1
        for suit in Suit:
            all_held = _holdings(len(held[suit]))
            number += base * all_held.index(tuple(rank for rank, _ in held[suit]))
            base *= len(all_held)
            word[places.get(suit, suit)] = [owner for _, owner in held[suit]]
        letters = [owner for block in Suit for owner in word[block]]
        return letters, number * len(self.orders) + order

    def _blocks(self, order: int) -> Iterator[int]:
        """Yield for each alike suit the place of its cards in the word."""
        left = list(self.alike)
        for length in self.orders[order]:
            block = next(each for each in left if self.lengths[each] == length)
            left.remove(block)
            yield block


@cache
def _holdings(length: int) -> list[tuple[int, ...]]:
    """Return the ranks of so many cards of a suit, in all ways."""
    return list(combinations(range(SUIT_SIZE), length))


def _all_classes(size: int, nodes: Sequence[Node]) -> Iterator[_Classes]:
    """Yield the classes of endings of a size, by lengths, for the suits that nodes name."""
    alike = tuple(sorted({*Suit} - _named_suits(nodes)))
    for lengths in suit_lengths(size, alike):
        yield _Classes(lengths, alike)


@dataclass(frozen=True, eq=False)
class ClassModel(RowByRow, Model):
    """The endings of a condition, by classes, as a model that counts, ranks and unranks them."""

    classes: tuple[_Classes, ...] = ()
    chosen: tuple[bytes, ...] = ()
    """For each row of classes a bit for each word: whether it satisfies the condition."""

    @classmethod
    def of(cls, sizes: tuple[int, ...], parts: Sequence[Node], memory: int) -> ClassModel:
        """Return the model of parts that all hold."""
        classes = tuple(_all_classes(sizes[0], parts))
        chosen = []
        for each in classes:
            truths = [values != 0 for values in each.values(parts)]
            chosen.append(np.packbits(np.logical_and.reduce(truths)).tobytes())
        return cls(sizes, (*Seat,), None, limit=memory, classes=classes, chosen=tuple(chosen))

    @property
    def nodes(self) -> int:
        """The number of classes."""
        return words_of(self.sizes[0]) * len(self.classes)

    @property
    def memory(self) -> int:
        """The bytes that the chosen words take."""
        return sum(map(len, self.chosen))

    @cached_property
    def _starts(self) -> list[int]:
        """The first number of each row of classes, and the number of all."""
        counts = (int.from_bytes(bits).bit_count() for bits in self.chosen)
        return list(
            accumulate(
                (a * b.endings for a, b in zip(counts, self.classes, strict=True)), initial=0
            )
        )

    @cached_property
    def cardinality(self) -> int:
        """The exact number of endings."""
        return self._starts[-1]

    @cached_property
    def _marks(self) -> list[NDArray[np.intp]]:
        """For each row of classes, how many chosen words come before each block of words."""
        marks = []
        for bits in self.chosen:
            blocks = [bits[start : start + _BLOCK] for start in range(0, len(bits), _BLOCK)]
            counts = (int.from_bytes(block).bit_count() for block in blocks)
            marks.append(np.array([*accumulate(counts, initial=0)]))
        return marks

    def _word_at(self, row: int, place: int) -> NDArray[np.uint8]:
        """Return the chosen word at a place in a row of classes."""
        block = int(np.searchsorted(self._marks[row], place, side="right")) - 1
        bits = np.frombuffer(self.chosen[row], np.uint8)[_BLOCK * block : _BLOCK * (block + 1)]
        inner = np.flatnonzero(np.unpackbits(bits))[place - self._marks[row][block]]
        return np.asarray(all_words(self.sizes[0])[8 * _BLOCK * block + inner])

    def _place_of(self, row: int, word: Sequence[int]) -> int:
        """Return the place of a word in a row of classes; raise `NotAMemberError` without one."""
        block, inner = divmod(rank_of_word(word), 8 * _BLOCK)
        bits = np.frombuffer(self.chosen[row], np.uint8)[_BLOCK * block : _BLOCK * (block + 1)]
        chosen = np.unpackbits(bits)
        if not chosen[inner]:
            raise NotAMemberError
        return int(self._marks[row][block] + chosen[:inner].sum())

    def unrank(self, number: int) -> bytes:
        """Return the owners of a number."""
        if not 0 <= number < self.cardinality:
            raise IndexError(f"{number} is not in 0..{self.cardinality - 1}")
        row = bisect_right(self._starts, number) - 1
        classes = self.classes[row]
        place, within = divmod(number - self._starts[row], classes.endings)
        return classes.unrank(self._word_at(row, place), within)

    def rank(self, word: bytes) -> int:
        """Return the number of an ending; raise `NotAMemberError` if it is not among these."""
        suits = [word[start : start + SUIT_SIZE] for start in range(0, DECK_SIZE, SUIT_SIZE)]
        held = [[(rank, o) for rank, o in enumerate(suit) if o != UNUSED] for suit in suits]
        if tuple(map(word.count, Seat)) != self.sizes[: len(Seat)]:
            raise NotAMemberError
        lengths = list(map(len, held))
        alike = self.classes[0].alike
        longest = sorted((lengths[suit] for suit in alike), reverse=True)
        for suit, length in zip(alike, longest, strict=True):
            lengths[suit] = length
        row = next(at for at, each in enumerate(self.classes) if each.lengths == tuple(lengths))
        letters, within = self.classes[row].rank(held)
        place = self._place_of(row, letters)
        return self._starts[row] + place * self.classes[row].endings + within


def count_values(
    sizes: tuple[int, ...], parts: Sequence[Node], numbers: Sequence[Node]
) -> dict[tuple[int, ...], int]:
    """Return how many endings that satisfy all parts give some numbers each row of values."""
    counts: dict[tuple[int, ...], int] = {}
    for classes in _all_classes(sizes[0], [*parts, *numbers]):
        values = classes.values([*parts, *numbers])
        chosen = np.logical_and.reduce([each != 0 for each in values[: len(parts)]])
        rows = [each[np.broadcast_to(chosen, each.shape)] for each in values[len(parts) :]]
        for row, number in _tallied(rows):
            counts[row] = counts.get(row, 0) + number * classes.endings
    return dict(sorted(counts.items()))


def _tallied(columns: Sequence[Values]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each different row of some columns, and how often it occurs."""
    lows = [int(each.min(initial=0)) for each in columns]
    spans = [int(each.max(initial=0)) - low + 1 for each, low in zip(columns, lows, strict=True)]
    places = [each - low for each, low in zip(columns, lows, strict=True)]
    found, counts = np.unique(np.ravel_multi_index(places, spans), return_counts=True)
    rows = np.stack(np.unravel_index(found, spans), axis=1) + lows
    return zip(map(tuple, rows.tolist()), counts.tolist(), strict=True)
