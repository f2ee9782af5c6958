"""Counting models: the words of owners that satisfy some conditions, counted and in order.

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

A product of conditions and *numbers* has nodes after the last card with different values. A pass
from the first card counts the words that lead to each of them, so one pass gives the whole joint
distribution. *Weights* are factors with more values, too:

Rule 6: a weight is a diagram whose values are the places of fractions in a list; place 0 is the
weight 0. The weight of a word is the product of its weights. Weights of the same seats as a
condition, or as each other, are one factor, so equal products are one end.
Rule 7: the layers are those of the product of all factors, so they have no node from which only
words of the weight 0 follow. Nodes after the last card have different weights; a pass back from
them adds these up. The ways of a node are then the sum of the weights of its words.
Rule 8: a model counts in *units*: the weights of all its words, as the smallest integers in their
proportion. So it depends on the words and the proportion of their weights alone.
Rule 9: the number of a word is the sum of the weights of the words before it, and `unrank` returns
a word for each of the numbers up to the next word. Two limbs of 64 bits hold most sums; models with
larger sums have more limbs, and no loop of the kernel walks them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from math import factorial, gcd, lcm, prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pavcodec import kernel
from pavcodec.cards import Seat
from pavcodec.constraints.counting.automaton import (
    Diagram,
    both,
    combine,
    constant,
    is_full,
    numbered,
)
from pavcodec.constraints.counting.pairs import (
    LINK_BYTES,
    NODE_BYTES,
    Automaton,
    Counted,
    CountedBack,
    Layer,
    counted,
    halves_of,
    living_steps,
    reached,
    workers,
)
from pavcodec.errors import PavError
from pavcodec.limits import MEMORY, MemoryBudget
from pavcodec.walk import FixedSizes, Rank, Ranking, Unrank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.constraints.vectors import Values
    from pavcodec.kernel.reference.automata import CountedWalk


_WORD_BITS = 64
_WORD = 1 << _WORD_BITS
_FEWEST_LIMBS = 2
_NARROW, _MEDIUM, _WIDE = range(3)
_PASSING_BYTES = 12
"""The bytes of a pair while its layer is counted: its item twice, and its place."""


@dataclass(frozen=True, eq=False)
class Model(Ranking):
    """The words of owners that satisfy some conditions, as a ranking.

    `sizes` are the hand sizes. `seats` are the constrained seats. A letter is the place of a seat
    among them; if there are free seats, one more letter is the rest. `counted` is None if there is
    no word. With weights, the numbers of the ranking are units.
    """

    sizes: tuple[int, ...]
    seats: tuple[int, ...]
    counted: Counted | None
    words: int = 0
    """The exact number of words, with weights those of positive weight."""
    unit: Fraction = Fraction(1)
    """The weight that is counted as 1."""
    most: int = 1
    """The largest weight of a word, in units."""
    limit: int = MEMORY
    """The bytes that building it might take."""

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
    def cards(self) -> int:
        """The length of the words."""
        return sum(self.sizes)

    @cached_property
    def cardinality(self) -> int:
        """The exact number of words; with weights, the sum of their weights in units."""
        return self.counted.total * _divisions(self.sizes, self.seats) if self.counted else 0

    @property
    def total(self) -> Fraction:
        """The exact sum of the weights of all words."""
        return self.cardinality * self.unit

    @property
    def is_wide(self) -> bool:
        """Whether sums take more than two limbs, so that no loop of the kernel adds them."""
        return self.counted is not None and self.counted.ways.shape[1] > _FEWEST_LIMBS

    def unrank(self, number: int) -> bytes:
        """Return the word of a number, which may be of any size below the cardinality."""
        if not self.is_wide:
            return super().unrank(number)
        from pavcodec.kernel.reference.walk import unrank_word

        return unrank_word(self.defined, number)

    @cached_property
    def defined(self) -> CountedWalk:
        """The definition of the walk, whose numbers may be of any size."""
        from pavcodec.kernel.reference.automata import CountedWalk

        return CountedWalk(*self._tables)

    @cached_property
    def _rows(self) -> tuple[Rank, Unrank]:
        if self.counted is None:
            return lambda n, *_: 0 if n else -1, lambda *_: None
        if not self.seats and len(self.sizes) == len(Seat):  # these are the deals
            words = FixedSizes(self.sizes)
            return words.rank_rows, words.unrank_rows
        assert not self.is_wide, "these numbers do not fit into rows"
        *tables, room = self._tables
        kinds = _kinds(self.sizes, self.seats, self.most, self.cardinality)
        tables.append(np.array(kinds, np.uint8))
        shape = self.cards, len(self.sizes), self.counted.children.shape[1], room
        sizes = np.array(self.sizes, np.uint8)
        return (
            kernel.bind("automaton_rank", *tables, sizes, *shape),
            kernel.bind("automaton_unrank", *tables, *shape),
        )

    @property
    def _tables(self) -> tuple[Any, ...]:
        """What a walk reads: nodes, the letter of each owner, the arrangements, the first room."""
        assert self.counted is not None
        letters = dict(zip(self.seats, range(len(self.seats)), strict=True))
        letter = [letters.get(owner, len(letters)) for owner in range(len(self.sizes))]
        strides, factors, high_factors = _factors(self.sizes, self.free)
        nodes = self.counted.starts, self.counted.children, self.counted.ways
        return (
            *nodes, np.array(letter, np.uint8), strides, factors, high_factors, len(factors) - 1,
        )  # fmt: skip


def _divisions(sizes: Sequence[int], seats: Iterable[int]) -> int:
    """Return the arrangements of the cards of the other seats."""
    return FixedSizes(tuple(s for seat, s in enumerate(sizes) if seat not in seats)).cardinality


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
    ways = np.empty((prod(shape), 2), np.uint64)
    begins = np.empty((2, prod(shape) * len(free)), np.uint64)
    kernel.sizes_table(np.array(shape, np.uint8) - np.uint8(1), len(free), ways, *begins)
    strides = np.zeros(len(sizes), np.uint32)
    factors = ways.reshape(*shape, 1, 2).repeat(len(sizes), axis=-2)
    for axis, owner in enumerate(free):
        strides[owner] = prod(shape[axis + 1 :])
        moved = np.moveaxis(factors[..., owner, :], axis, 0)  # of one card less
        moved[1:], moved[0] = moved[:-1].copy(), 0
    high, low = np.moveaxis(factors.reshape(-1, len(sizes), 2), -1, 0)
    return strides, np.ascontiguousarray(low), np.ascontiguousarray(high)


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


# The making of a model: the product of conditions, weights and numbers.


class NegativeWeight(PavError):  # noqa: N818 (the caller finds the deal and raises the error)
    """A word has a negative weight."""


class WeightDiagram(NamedTuple):
    """A weight as a diagram: value k means `weights[k]`, and `weights[0]` is 0."""

    diagram: Diagram
    weights: tuple[Fraction, ...] = (Fraction(0), Fraction(1))

    @classmethod
    def of(cls, number: Diagram, weigh: Callable[[int], Fraction]) -> WeightDiagram:
        """Return the weight that is a function of the value of a diagram."""
        places = {Fraction(0): 0}
        indexes = [places.setdefault(weigh(v), len(places)) for v in number.values.tolist()]
        return cls(number.map(lambda _: np.array(indexes)), tuple(places))


def build_model(
    conditions: Sequence[Diagram],
    sizes: tuple[int, ...],
    weights: Sequence[WeightDiagram] = (),
    *,
    memory: int = MEMORY,
    widest: int | None = None,
) -> Model:
    """Return the model of conditions that all hold, and of weights.

    Raises `ProductTooLarge` if the model and the conditions would take more than `memory` bytes, or
    if more than `widest` states can be reached before a card, and `NegativeWeight`. The limit
    `widest` depends only on the conditions: it stops the same models at the same cards everywhere.
    """
    made = _product(conditions, weights, (), sizes, memory, widest)
    if made.counted is None:
        return Model(sizes, made.seats, None, limit=memory)
    words = made.counted.total * made.free
    if not weights:
        return Model(sizes, made.seats, made.counted, words, limit=memory)
    most = max(made.weights)
    summed = _summed(made.counted, made.weights, words * most, made.free)
    return Model(sizes, made.seats, summed, words, made.unit, most, memory)


def outcomes_of(
    conditions: Sequence[Diagram],
    numbers: Sequence[Diagram],
    sizes: tuple[int, ...],
    weights: Sequence[WeightDiagram] = (),
    *,
    memory: int = MEMORY,
) -> dict[tuple[int, ...], int]:
    """Return for each row of values of some numbers how many words have it.

    The words are those of owners with hands of these sizes for which all conditions hold. Rows
    without words are absent. With weights, the sums of the weights are in units. Errors are those
    of `build_model`.
    """
    made = _product(conditions, weights, numbers, sizes, memory)
    if made.counted is None:
        return {}
    values = [each.values[row].tolist() for each, row in zip(numbers, made.places, strict=True)]
    rows = zip(*values, strict=True) if values else [()] * len(made.weights)
    sums: dict[tuple[int, ...], int] = {}
    for row, weight, words in zip(rows, made.weights, made.counted.words_of_ends(), strict=True):
        sums[row] = sums.get(row, 0) + words * weight * made.free
    return dict(sorted(sums.items()))


class _Product(NamedTuple):
    """The product of all factors, and what its ends mean."""

    seats: tuple[int, ...] = ()
    free: int = 1
    """The arrangements of the free seats."""
    counted: Counted | None = None
    """None if no word makes all factors true."""
    weights: Sequence[int] = ()
    """The weight of each node after the last card, in units."""
    unit: Fraction = Fraction(1)
    places: Iterable[Values] = ()
    """For each number, the place of its value at each of these nodes."""


def _product(  # noqa: PLR0913, PLR0917
    conditions: Sequence[Diagram],
    weights: Sequence[WeightDiagram],
    numbers: Sequence[Diagram],
    sizes: tuple[int, ...],
    memory: int,
    widest: int | None = None,
) -> _Product:
    """Return the product of conditions, weights and numbers, counted."""
    weights = _on_fewest_seats(conditions, weights, sizes)
    others = [*(each.diagram for each in weights), *numbers]
    memory -= sum(each.memory for each in (*conditions, *others))
    needed = {seat for each in others for seat in each.seats}
    made = factors_of(conditions, sizes, memory, seats=needed)
    joined = None if made is None else _by_seats(made, weights, memory)
    if joined is None or not all(each.diagram.values.any() for each in joined):
        return _Product()
    memory -= sum(each.diagram.memory for each in joined)
    marked = [replace(each, values=np.arange(1, len(each.values) + 1)) for each in numbers]
    factors = [*(each.diagram for each in joined), *marked]
    seats, letters = letters_of(factors, sizes)
    ends, of_nodes = _counted(factors, seats, letters, memory, widest)
    if of_nodes is None:
        return _Product(seats)
    different, of_ends = _weights_of(ends[:, : len(joined)], joined)
    whole, unit = _in_units(different)
    in_units = [whole[place] for place in of_ends.tolist()]
    places = ends[:, len(joined) :].T - 1
    return _Product(seats, _divisions(sizes, seats), of_nodes, in_units, unit, places)


def letters_of(factors: Iterable[Diagram], sizes: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """Return (the seats that factors depend on, the number of letters) by rule 1."""
    seats = tuple(sorted({seat for factor in factors for seat in factor.seats}))
    return seats, len(seats) + (len(seats) < len(sizes))


def factors_of(
    conditions: Sequence[Diagram],
    sizes: tuple[int, ...],
    memory: int = MEMORY,
    seats: Iterable[int] = (),
) -> list[Diagram] | None:
    """Combine conditions by their seats, and count the cards of each constrained seat.

    `seats` are constrained even if no condition depends on them. Returns None if a factor can never
    be 1, and at least one factor if all are always 1.
    """
    by_seats: dict[tuple[int, ...], list[Diagram]] = {}
    for condition in conditions:
        by_seats.setdefault(condition.seats, []).append(condition)
    cards = sum(sizes)
    for seat in sorted({*seats, *(seat for seats in by_seats for seat in seats)}):
        by_seats.setdefault((seat,), []).append(is_full(seat, sizes[seat], cards))
    factors = []
    for parts in by_seats.values():
        factor = both(parts, memory=memory)
        memory -= factor.memory
        if not factor.values.any():
            return None
        if factor.seats or not factor.values.all():
            factors.append(factor)
    return sorted(factors, key=lambda factor: factor.seats) or [constant(cards, 1)]


def _counted(
    factors: Sequence[Diagram],
    seats: tuple[int, ...],
    letters: int,
    memory: int,
    widest: int | None = None,
) -> tuple[Values, Counted | None]:
    """Return (the values of the nodes after the last card, the product of factors or None).

    The product is None if no word makes all factors true. The values are a row for each node, with
    the value of each factor; it is 1 for conditions.
    """
    cards = factors[0].cards
    always = Automaton.of([np.zeros((1, letters), np.int32)] * cards)
    made = [
        Automaton.of(living_steps(factor, seats, letters), factor.seats, place)
        for place, factor in enumerate(factors)
    ]
    halves = first, second = halves_of(made, always, MemoryBudget(memory))
    nothing = np.zeros((0, len(factors)), np.int64), None
    if not (first.is_living and second.is_living):
        return nothing
    a_node = NODE_BYTES + LINK_BYTES * letters
    room = MemoryBudget(memory - first.memory - second.memory, widest=widest)
    weights = [np.ones((1, letters), np.uint64)] * cards
    with workers() as threads:
        layers = reached(halves, room, threads, resident=a_node, transient=a_node + _PASSING_BYTES)
        last = layers[-1]
        values = np.ones((len(last), len(factors)), np.int64)
        ends = np.concatenate([first.ends[last.of_items], second.ends[last.items]], axis=1)
        for place, nodes in zip((*first.places, *second.places), ends.T, strict=True):
            values[:, place] = factors[place].values[factors[place].values != 0][nodes]
        one_way = np.tile(np.array([[0, 1]], np.uint64), (len(last), 1))
        product = CountedBack(sum(map(len, layers[:-1])), letters, one_way)
        ways = counted(halves, weights, layers, threads, product)
    return (values, product.counted()) if len(ways) else nothing


def _on_fewest_seats(
    conditions: Sequence[Diagram], weights: Sequence[WeightDiagram], sizes: tuple[int, ...]
) -> list[WeightDiagram]:
    """Return the same weights on seats such that few seats are constrained.

    A weight in which all its seats have the same letters depends on the cards that they hold
    together, and so on the cards that the other seats hold together.
    """
    used = {seat for each in conditions for seat in each.seats}
    moved = []
    for weight in sorted(weights, key=lambda each: len(each.diagram.seats)):
        seats = weight.diagram.seats
        others = tuple(seat for seat in range(len(sizes)) if seat not in seats)
        chosen = weight
        if len(used | {*others}) < len(used | {*seats}) and _are_together(weight.diagram):
            layers = tuple(layer[:, [-1] * len(others) + [0]] for layer in weight.diagram.layers)
            chosen = WeightDiagram(Diagram(others, layers, weight.diagram.values), weight.weights)
        used |= {*chosen.diagram.seats}
        moved.append(chosen)
    return moved


def _are_together(diagram: Diagram) -> bool:
    """Return whether a diagram does not distinguish its seats."""
    own = len(diagram.seats)
    return own > 0 and all((layer[:, :own] == layer[:, :1]).all() for layer in diagram.layers)


def _by_seats(
    factors: Sequence[Diagram], weights: Sequence[WeightDiagram], memory: int
) -> list[WeightDiagram]:
    """Return the factors and weights as weights, one for each set of seats."""
    by_seats: dict[tuple[int, ...], list[WeightDiagram]] = {}
    for each in (*map(WeightDiagram, factors), *weights):
        by_seats.setdefault(each.diagram.seats, []).append(each)
    joined = []
    for parts in by_seats.values():
        joined.append(_multiplied(parts, memory))
        memory -= joined[-1].diagram.memory
    return joined


def _multiplied(parts: Sequence[WeightDiagram], memory: int) -> WeightDiagram:
    """Return the product of some weights as one weight."""
    if len(parts) == 1:
        return parts[0]
    places = {Fraction(0): 0}

    def multiply(values: list[Values]) -> Values:
        weights, of_rows = _weights_of(np.stack(values, axis=1), parts)
        return np.array([places.setdefault(weight, len(places)) for weight in weights])[of_rows]

    diagram = combine([part.diagram for part in parts], multiply, absorbing=0, memory=memory)
    return WeightDiagram(diagram, tuple(places))


def _weights_of(
    rows: Values, parts: Sequence[WeightDiagram]
) -> tuple[list[Fraction], NDArray[np.int64]]:
    """Return (products of the weights whose places are in a row, the place of each row in these).

    The product of negative weights is negative, so that no two of them hide each other.
    """
    products = []
    different, of_rows = numbered(rows)
    for row in different.tolist():
        factors = [part.weights[index] for index, part in zip(row, parts, strict=True)]
        product = prod(map(abs, factors), start=Fraction(1))
        products.append(-product if min(factors) < 0 else product)
    return products, of_rows


def _in_units(weights: Sequence[Fraction]) -> tuple[list[int], Fraction]:
    """Return weights as the smallest integers in their proportion, and the weight of 1.

    >>> _in_units([Fraction(1, 2), Fraction(2)])
    ([1, 4], Fraction(1, 2))
    """
    if min(weights) < 0:
        raise NegativeWeight
    common = lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * common) for weight in weights]
    shared = gcd(*whole)
    return [weight // shared for weight in whole], Fraction(shared, common)


def _summed(counted: Counted, weights: Sequence[int], most: int, free: int) -> Counted:
    """Return the automaton with sums of weights as ways; `weights` are those of its last nodes.

    No sum is above `most`; `free` are the arrangements of the free seats. If the sum of all needs
    fewer limbs, the others are left out.
    """
    limbs = _limbs_for(most)
    ways = np.zeros((len(counted.ways), limbs), np.uint64)
    summed = replace(counted, ways=ways)
    after = summed.ends
    rows = b"".join(weight.to_bytes(limbs * _WORD_BITS // 8, "big") for weight in weights)
    after[:] = np.frombuffer(rows, ">u8").reshape(-1, limbs)
    for layer in reversed(summed.layers):
        letters = layer.children.shape[1]
        kernel.automaton_sum(layer.children, letters, limbs, len(layer.ways), after, layer.ways)
        after = layer.ways
    kept = _limbs_for(summed.total * free)
    return summed if kept == limbs else replace(counted, ways=ways[:, -kept:].copy())


def _limbs_for(most: int) -> int:
    """Return the number of limbs for sums up to a number."""
    return max(_FEWEST_LIMBS, -(-most.bit_length() // _WORD_BITS))
