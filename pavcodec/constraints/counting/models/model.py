"""The counting model: all deals that satisfy some conditions, counted and in order.

The conditions are *factors*: diagrams with the values 1 and 0, each of some seats. A model is their
product. It has a layer of nodes before each card and one after the last card. Each node has its
*ways*: the number of words of owners that lead from it to the end with all factors 1 and all hands
full.

Rule 1: every seat that some factor depends on is *constrained*, and has a factor that is 1 where
the hand has its size. Seats that no factor depends on are *free*. They share one letter, the rest.
A multinomial coefficient counts the divisions of its cards among them, so they need no nodes.
Rule 2: nodes without ways are left out, so every path is a way.
Rule 3: ways are stored in two 64-bit limbs, high and low; 128 bits suffice for the number of all
layouts.
Rule 4: all layers are in one array of children and one of ways, which the kernel walks, one deal or
many, without a copy.
Rule 5: a rank is a sum of completions: the ways of each child before the one of the word, times the
arrangements of the cards that the free seats still need after the card, their *rooms*.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from ctypes import c_uint64, create_string_buffer
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb, factorial, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec import kernel
from pavcodec.cards import Seat
from pavcodec.constraints.counting.diagrams.diagram import Diagram
from pavcodec.constraints.counting.models.layers import Counted, Layer, arrangements, integers_of
from pavcodec.constraints.counting.models.product import count_layers, factors_of
from pavcodec.limits import MEMORY
from pavcodec.walk import FixedSizes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.kernel.reference.automata import CountedWalk


_WORD = 1 << 64
_TWO_WORDS = struct.Struct("=QQ")
_NARROW, _MEDIUM, _WIDE = range(3)


@dataclass(frozen=True, eq=False)
class Model:
    """The words of owners that satisfy some conditions.

    `sizes` are the hand sizes. `seats` are the constrained seats. A letter is the place of a seat
    among them; if there are free seats, one more letter is the rest. `counted` is None if there is
    no word.
    """

    sizes: tuple[int, ...]
    seats: tuple[int, ...]
    counted: Counted | None
    most: int = 1
    """The largest weight of a word."""

    @property
    def free(self) -> tuple[int, ...]:
        """The seats without a condition."""
        return tuple(seat for seat in range(len(self.sizes)) if seat not in self.seats)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers of nodes; none if there is no word."""
        return self.counted.layers if self.counted else ()

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return sum(len(layer.ways) for layer in self.layers)

    @property
    def memory(self) -> int:
        """The bytes that the nodes take."""
        return sum(layer.children.nbytes + layer.ways.nbytes for layer in self.layers)

    @cached_property
    def cardinality(self) -> int:
        """The exact number of words."""
        if not self.layers:
            return 0
        [ways] = integers_of(self.layers[0].ways[:1])
        return ways * arrangements(tuple(self.sizes[seat] for seat in self.free))

    def rank(self, owners: Sequence[int]) -> int | None:
        """Return the number of words before this one in dictionary order; None if it is no word."""
        word = bytes(owners)
        if self.counted is None or len(word) != sum(self.sizes):
            return None
        return self._walk.rank_one(word)

    def unrank(self, number: int) -> bytes:
        """Return the word with this number of words before it, 0..cardinality-1."""
        assert 0 <= number < self.cardinality
        return self._walk.unrank_one(number)

    @cached_property
    def all_words(self) -> FixedSizes:
        """All words of hands of these sizes, without conditions."""
        return FixedSizes(self.sizes)

    @property
    def words(self) -> FixedSizes | _Walk:
        """What ranks and unranks rows of words; without conditions, these are those of `deal`."""
        if not self.seats and self.layers and len(self.sizes) == len(Seat):
            return self.all_words
        return self._walk

    @cached_property
    def _walk(self) -> _Walk:
        return _Walk(self)


class _Walk:
    """The words of a model and their numbers, by the kernel."""

    def __init__(self, model: Model) -> None:
        self._counted, self._cards = model.counted, sum(model.sizes)
        if self._counted is None:
            return
        owners, free = len(model.sizes), model.free
        letter = [
            model.seats.index(owner) if owner in model.seats else len(model.seats)
            for owner in range(owners)
        ]
        strides, factors, high_factors = _factors(model.sizes, free)
        counted, room = self._counted, len(factors) - 1
        self._is_large = counted.ways.shape[1] > 2  # numbers do not fit into two words
        self._definition = (
            counted.starts, counted.children, counted.ways, letter, strides.tolist(), factors,
            high_factors, room,
        )  # fmt: skip
        if self._is_large:
            return
        kinds = _kinds(model.sizes, model.seats, model.most, model.cardinality)
        common = [
            counted.starts, counted.children, counted.ways, np.array(letter, np.uint8), strides,
            factors, high_factors, np.array(kinds, np.uint8),
        ]  # fmt: skip
        shape = self._cards, owners, counted.children.shape[1], room
        total = np.array(divmod(model.cardinality - 1, _WORD), np.uint64)
        sizes = np.array(model.sizes, np.uint8)
        self._unrank = kernel.bind("automaton_unrank", *common, total, *shape)
        self._rank = kernel.bind("automaton_rank", *common, sizes, *shape)

    @cached_property
    def defined(self) -> CountedWalk:
        """The definition of the walk, whose numbers may be of any size."""
        from pavcodec.kernel.reference.automata import CountedWalk

        return CountedWalk(*self._definition)

    def rank_one(self, word: bytes) -> int | None:
        """Return the number of a word, or None."""
        if self._is_large:
            from pavcodec.kernel.reference.walk import rank_word

            return rank_word(self.defined, word)
        number = (c_uint64 * 2)()
        if self._rank(1, word, number) >= 0:
            return None
        return number[0] << 64 | number[1]

    def unrank_one(self, number: int) -> bytes:
        """Return the word of a number below the cardinality."""
        if self._is_large:
            from pavcodec.kernel.reference.walk import unrank_word

            return unrank_word(self.defined, number)
        word = create_string_buffer(self._cards)
        self._unrank(1, _TWO_WORDS.pack(*divmod(number, _WORD)), word)
        return word.raw

    def rank_rows(self, n: int, words: Any, numbers: Any) -> int:  # noqa: ANN401
        """Write the numbers of n words; return the first that has none, or -1."""
        if self._counted is None:
            return 0 if n else -1
        bad: int = self._rank(n, words, numbers)
        return bad

    def unrank_rows(self, n: int, numbers: Any, words: Any) -> None:  # noqa: ANN401
        """Write the words of n numbers, which must be below the cardinality."""
        bad = self._unrank(n, numbers, words) if n else -1
        assert bad < 0, "numbers were checked against the cardinality"


@cache
def _factors(
    sizes: tuple[int, ...], free: tuple[int, ...]
) -> tuple[NDArray[np.uint32], NDArray[np.uint64], NDArray[np.uint64]]:
    """Return (the change of the rooms by a card, low words, high words) of the arrangements.

    The *rooms* of the free owners, the numbers of cards that they still get, are the digits of one
    number. The arrangements are those of the free owners' cards after a card of an owner, by rooms
    and owner; 0 if the owner has no room.
    """
    shape = tuple(sizes[owner] + 1 for owner in free)
    sums = np.zeros((), np.int64)  # the cards of the first free owners
    ways: NDArray[np.object_] = np.ones((), object)
    every = range(sum(sizes) + 1)
    choices = np.array([[comb(n, k) for k in every] for n in every], object)
    for size in shape:
        rooms = np.arange(size)
        sums = np.add.outer(sums, rooms)
        ways = ways[..., None] * choices[sums, rooms]
    strides = np.zeros(len(sizes), np.uint32)
    factors = np.repeat(ways.reshape(*shape, 1), len(sizes), axis=-1)
    for axis, owner in enumerate(free):
        strides[owner] = prod(shape[axis + 1 :])
        moved = np.moveaxis(factors[..., owner], axis, 0)  # of one card less
        moved[1:], moved[0] = moved[:-1].copy(), 0
    rows = factors.reshape(-1, len(sizes))
    return strides, (rows % _WORD).astype(np.uint64), (rows // _WORD).astype(np.uint64)


def _kinds(
    sizes: tuple[int, ...], seats: tuple[int, ...], most: int, cardinality: int
) -> list[int]:
    """Return for each card how large the sums of the words that go on can be.

    They fit into one word, or their factors do, or neither. `most` is the largest weight of a word.
    A number of completions is largest if the remaining cards are distributed evenly.
    """
    free = [size for seat, size in enumerate(sizes) if seat not in seats]
    words = _most_arrangements(sizes)
    ways = _most_arrangements([*(sizes[seat] for seat in seats), sum(free)])
    factors = _most_arrangements(free)
    kinds = []
    for left in range(sum(sizes), 0, -1):
        if min(most * words[left], cardinality) < _WORD:
            kinds.append(_NARROW)
        elif max(most * ways[left], factors[min(left, len(factors) - 1)]) < _WORD:
            kinds.append(_MEDIUM)
        else:
            kinds.append(_WIDE)
    return kinds


def _most_arrangements(sizes: Sequence[int]) -> list[int]:
    """Return for each number of cards their most arrangements in rooms of these sizes."""
    rooms = [0] * len(sizes)
    most = [1]
    for cards in range(1, sum(sizes) + 1):
        owner = min((room, owner) for owner, room in enumerate(rooms) if room < sizes[owner])[1]
        rooms[owner] += 1
        most.append(factorial(cards) // prod(map(factorial, rooms)))
    return most


def build_model(
    conditions: Sequence[Diagram],
    sizes: tuple[int, ...],
    *,
    memory: int = MEMORY,
    widest: int | None = None,
) -> Model:
    """Return the model of conditions that all hold.

    Raises `ProductTooLarge` if the model and the conditions would take more than `memory` bytes, or
    if more than `widest` states can be reached before a card. The limit `widest` depends only on
    the conditions: it stops the same models at the same cards everywhere.
    """
    memory -= sum(condition.memory for condition in conditions)
    factors = factors_of(conditions, sizes, memory)
    seats = tuple(sorted({seat for factor in factors or () for seat in factor.seats}))
    if factors is None:
        return Model(sizes, seats, None)
    memory -= sum(factor.memory for factor in factors)
    letters = len(seats) + (len(seats) < len(sizes))
    return Model(sizes, seats, count_layers(factors, seats, letters, memory, widest)[0])
