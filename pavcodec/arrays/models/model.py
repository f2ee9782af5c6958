"""Rank and unrank words of a counting model in compiled loops, one card of many words at a time.

All words of a chunk are at the same card, so the loop uses only one layer of the model, which stays
in the cache, and no word depends on another.

A state is a node of the model and the *rooms* of the free owners: the numbers of cards that they
still get. Free owners are those that the model does not distinguish. The number of completions with
a certain owner next is a product: the ways of the next node (its *share*) times the arrangements of
the cards of the free owners. Shares depend on the node, arrangements on the rooms; tables store
both. The loop finds the owner of a number by comparison with sums of these products, as in
`numberings.deals`. From some card on, all sums fit into one word.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import factorial, prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.owners.rows import Owners, held, packed_sizes, write_rows
from pavcodec.arrays.words.limbs import Limbs, split
from pavcodec.arrays.words.wide import add_product, at_least, select

if TYPE_CHECKING:
    from numpy.typing import NDArray


_ZERO = np.uint64(0)
_WORD = 1 << 64
_MOST_KEPT = 1 << 20
"""Tables are stored for models of at most this many nodes; for larger ones, chunks make them."""


class _Tables(NamedTuple):
    """The lookup tables of one card."""

    targets: NDArray[np.int32]
    """For each node and owner, the next node, or -1 if there is none."""
    shares: NDArray[np.uint64]
    """For each node and owner but the last, the ways of the next node: high and low word, or only
    the low word."""


class _Steps(NamedTuple):
    """The compiled loops for a number of owners."""

    place_wide: Any
    place_narrow: Any
    pass_wide: Any
    pass_narrow: Any


class ModelKernel:
    """Rank and unrank the words of a model.

    `sizes` are the numbers of cards of the owners, `free` the free owners, and `letters` the
    letters of the owners in the model. `layers` has for each card the children by node and letter,
    -1 for none, and the ways of the nodes of the next layer (high, low). In a weighted model, ways
    are sums of weights, and a number may have the remainder in it after the last card.
    """

    def __init__(
        self,
        sizes: tuple[int, ...],
        free: Sequence[int],
        letters: Sequence[int],
        layers: Sequence[tuple[NDArray[np.int32], Limbs]],
        cardinality: int,
        *,
        is_weighted: bool = False,
    ) -> None:
        self._sizes = packed_sizes(sizes)
        self._letters = np.array(letters)
        self._layers = layers
        self._steps = _steps(len(sizes))
        self._strides, self._factors = _factors(sizes, tuple(free))
        self._start = np.uint64(len(self._factors) - 1)
        if is_weighted:
            rest = letters[free[0]] if free else -1
            self._wide = _wide_cards_by_ways(layers, sizes, tuple(free), rest)
        else:
            self._wide = _wide_cards(sizes, cardinality)
        kept = sum(len(children) for children, _ in layers) <= _MOST_KEPT
        self._tables = [self._table(card) for card in range(len(layers))] if kept else None

    def unrank(self, numbers: Limbs, owners: Owners) -> None:
        """Write the owners of numbers, which must be below the cardinality."""
        left = numbers.copy()
        columns = np.empty((len(self._layers), len(left)), np.uint8)
        nodes, rooms = self._begin(len(left))
        for card, column in enumerate(columns):
            tables, indexes = self._at(card, nodes)
            step = self._steps.place_wide if card < self._wide else self._steps.place_narrow
            step(*tables, self._factors, self._strides, indexes, nodes, rooms, left, column)
        write_rows(columns, owners)

    def rank(self, owners: Owners, numbers: Limbs) -> int:
        """Write the numbers of owners; return the first row without a number, or -1."""
        if not self._layers:  # the model has no words
            return 0 if len(owners) else -1
        bad = _first_of_other_sizes(owners, self._sizes)
        count = len(owners) if bad < 0 else bad
        numbers[:] = 0
        totals, columns = numbers[:count], np.ascontiguousarray(owners[:count].T)
        rest, fails = np.zeros(count, np.uint64), np.zeros(count, np.bool_)
        nodes, rooms = self._begin(count)
        for card, column in enumerate(columns):
            tables, indexes = self._at(card, nodes)
            is_wide = card < self._wide
            passed, total = (
                (self._steps.pass_wide, totals) if is_wide else (self._steps.pass_narrow, rest)
            )
            passed(
                *tables, self._factors, self._strides, indexes, nodes, rooms, total, column,
                fails,
            )  # fmt: skip
        totals[:, 1] += rest
        totals[:, 0] += totals[:, 1] < rest
        return int(fails.argmax()) if fails.any() else bad

    def _begin(self, count: int) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
        return np.zeros(count, np.int32), np.full(count, self._start)

    def _at(self, card: int, nodes: NDArray[np.int32]) -> tuple[_Tables, NDArray[np.int32]]:
        """Return the tables of a card, and the row of each word in them."""
        if self._tables is not None:
            return self._tables[card], nodes
        return self._table(card, nodes), np.arange(len(nodes), dtype=np.int32)

    def _table(self, card: int, nodes: NDArray[np.int32] | None = None) -> _Tables:
        """Return the tables of a card for all nodes, or for a list of nodes."""
        children, ways = self._layers[card]
        if nodes is None:
            nodes = np.arange(len(children), dtype=np.int32)
        first = 0 if card < self._wide else 1
        targets = np.empty((len(nodes), len(self._letters)), np.int32)
        shares = np.empty((len(nodes), len(self._letters) - 1, 2 - first), np.uint64)
        _look_up(children, ways, self._letters, nodes, first, targets, shares)
        return _Tables(targets, shares)


def _factors(
    sizes: tuple[int, ...], free: tuple[int, ...]
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the change of the rooms by a card, and the arrangements after it: (strides, factors).

    The rooms of the free owners are the digits of one number. `factors` has for each such number
    and each owner but the last the arrangements of the free owners' cards after a card of that
    owner (high, low); 0 if the owner has no room.
    """
    strides = np.zeros(len(sizes), np.uint64)
    states = 1
    for owner in reversed(free):
        strides[owner] = states
        states *= sizes[owner] + 1
    factors = np.zeros((states, len(sizes) - 1, 2), np.uint64)
    for state, rooms in enumerate(product(*(range(sizes[owner] + 1) for owner in free))):
        ways = factorial(sum(rooms)) // prod(map(factorial, rooms))
        for owner in range(len(sizes) - 1):
            share = ways * rooms[free.index(owner)] // max(1, sum(rooms)) if owner in free else ways
            factors[state, owner] = split(share)
    return strides, factors


def _wide_cards(sizes: tuple[int, ...], cardinality: int) -> int:
    """Return for how many first cards the number of completions may need two words.

    Without a condition, this number is largest if the remaining cards are distributed evenly.
    """
    rooms = [0] * len(sizes)
    for left in range(sum(sizes)):
        owner = min((room, owner) for owner, room in enumerate(rooms) if room < sizes[owner])[1]
        rooms[owner] += 1
        most = factorial(left + 1) // prod(map(factorial, rooms))
        if min(most, cardinality) >= _WORD:
            return sum(sizes) - left
    return 0


def _wide_cards_by_ways(
    layers: Sequence[tuple[NDArray[np.int32], Limbs]],
    sizes: tuple[int, ...],
    free: tuple[int, ...],
    rest: int,
) -> int:
    """Return for how many first cards a sum of ways may need two words, from the ways themselves.

    A sum at a node is at most its ways times the arrangements of the cards of the free owners. All
    paths to a node have the same number of such cards, which have the letter `rest`.
    """
    held = np.zeros(1, np.int64)  # the cards of the free owners before a node
    wide = 1
    cards = sum(sizes[owner] for owner in free)
    for card, (children, ways) in enumerate(layers[:-1], start=1):
        after = np.zeros(len(ways), np.int64)
        for letter, targets in enumerate(children.T):
            living = targets >= 0
            after[targets[living]] = held[living] + (letter == rest)
        held = after
        for many in np.unique(held).tolist():
            some = ways[held == many]
            most = _most_arrangements([sizes[owner] for owner in free], cards - many)
            if some[:, 0].any() or most * int(some[:, 1].max()) >= _WORD:
                wide = card + 1
    return wide


def _most_arrangements(sizes: Sequence[int], cards: int) -> int:
    """Return the most arrangements of so many cards: owners have equal numbers if there is room."""
    rooms = [0] * len(sizes)
    for _ in range(cards):
        owner = min((room, owner) for owner, room in enumerate(rooms) if room < sizes[owner])[1]
        rooms[owner] += 1
    return factorial(cards) // prod(map(factorial, rooms))


@compiled()
def _first_of_other_sizes(owners: Any, sizes: Any) -> Any:
    """Return the first row in which the owners have other numbers of cards, or -1."""
    for row in range(len(owners)):
        if held(owners[row]) != sizes:
            return row
    return -1


@compiled()
def _look_up(
    children: Any, ways: Any, letters: Any, nodes: Any, first: Any, targets: Any, shares: Any
) -> None:
    """Write the next nodes and their ways: both words, or only those from word `first` on."""
    for row in range(len(nodes)):
        for owner in range(len(letters)):
            target = children[nodes[row], letters[owner]]
            targets[row, owner] = target
            if owner < shares.shape[1]:
                for word in range(first, 2):
                    shares[row, owner, word - first] = ways[target, word] if target >= 0 else _ZERO


@cache
def _steps(owners: int) -> _Steps:
    """Return the loops for `owners` owners; a constant number makes the comparisons fast.

    `rows` are the rows of the words in the tables. The loops change `nodes`, `rooms` and `numbers`.
    """
    last = owners - 1

    @compiled()
    def place_wide(
        targets: Any, shares: Any, factors: Any, strides: Any, rows: Any, nodes: Any, rooms: Any,
        numbers: Any, column: Any,
    ) -> None:  # fmt: skip
        """Give the next card of every word to an owner, by its number of two words."""
        for word in range(len(nodes)):
            row, room, high, low = (
                np.uint64(rows[word]),
                rooms[word],
                numbers[word, 0],
                numbers[word, 1],
            )
            total_high = total_low = passed_high = passed_low = seat = _ZERO
            for owner in range(last):
                total_high, total_low = add_product(
                    total_high, total_low, shares[row, owner, 0], shares[row, owner, 1],
                    factors[room, owner, 0], factors[room, owner, 1],
                )  # fmt: skip
                reached = at_least(high, low, total_high, total_low)
                passed_high = select(reached, total_high, passed_high)
                passed_low = select(reached, total_low, passed_low)
                seat += reached
            numbers[word, 0] = high - passed_high - np.uint64(low < passed_low)
            numbers[word, 1] = low - passed_low
            nodes[word] = targets[row, seat]
            rooms[word] = room - strides[seat]
            column[word] = seat

    @compiled()
    def place_narrow(
        targets: Any, shares: Any, factors: Any, strides: Any, rows: Any, nodes: Any, rooms: Any,
        numbers: Any, column: Any,
    ) -> None:  # fmt: skip
        """Do the same if all sums, and so all numbers, fit into the low word."""
        for word in range(len(nodes)):
            row, room, number = np.uint64(rows[word]), rooms[word], numbers[word, 1]
            total = passed = seat = _ZERO
            for owner in range(last):
                total += shares[row, owner, 0] * factors[room, owner, 1]
                reached = np.uint64(number >= total)
                passed = select(reached, total, passed)
                seat += reached
            numbers[word, 1] = number - passed
            nodes[word] = targets[row, seat]
            rooms[word] = room - strides[seat]
            column[word] = seat

    @compiled()
    def pass_wide(
        targets: Any, shares: Any, factors: Any, strides: Any, rows: Any, nodes: Any, rooms: Any,
        numbers: Any, column: Any, fails: Any,
    ) -> None:  # fmt: skip
        """Add to every number the words with an earlier owner of the next card.

        A word that is not in the model is marked in `fails`, and continues at any node.
        """
        for word in range(len(nodes)):
            row, room, seat = np.uint64(rows[word]), rooms[word], np.uint64(column[word])
            high, low = numbers[word, 0], numbers[word, 1]
            for owner in range(last):
                is_before = np.uint64(np.uint64(owner) < seat)
                high, low = add_product(
                    high, low, shares[row, owner, 0] * is_before, shares[row, owner, 1] * is_before,
                    factors[room, owner, 0], factors[room, owner, 1],
                )  # fmt: skip
            numbers[word, 0], numbers[word, 1] = high, low
            fails[word] |= targets[row, seat] < 0
            nodes[word] = max(targets[row, seat], 0)
            rooms[word] = room - strides[seat]

    @compiled()
    def pass_narrow(
        targets: Any, shares: Any, factors: Any, strides: Any, rows: Any, nodes: Any, rooms: Any,
        numbers: Any, column: Any, fails: Any,
    ) -> None:  # fmt: skip
        """Do the same if all sums fit into the low word."""
        for word in range(len(nodes)):
            row, room, seat = np.uint64(rows[word]), rooms[word], np.uint64(column[word])
            number = numbers[word]
            for owner in range(last):
                is_before = np.uint64(np.uint64(owner) < seat)
                number += shares[row, owner, 0] * is_before * factors[room, owner, 1]
            numbers[word] = number
            fails[word] |= targets[row, seat] < 0
            nodes[word] = max(targets[row, seat], 0)
            rooms[word] = room - strides[seat]

    return _Steps(place_wide, place_narrow, pass_wide, pass_narrow)
