"""Weighted models: the ways of a node are the sum of the weights of the words that it leads to.

Rule 1: a *weight* is a diagram whose values are the places of fractions in a list; place 0 is the
weight 0. The weight of a word is the product of its weights. Weights of the same seats as a
condition, or as each other, are one factor, so equal products are one end.
Rule 2: the layers are those of the product of all factors, so they have no node from which only
words of the weight 0 follow. Nodes after the last card have different weights; a pass back from
them adds these up.
Rule 3: a model counts in *units*: the weights of all its words, as the smallest integers in their
proportion. So it depends on the words and the proportion of their weights alone.
Rule 4: the number of a word is the sum of the weights of the words before it, and `unrank` returns
a word for each of the numbers up to the next word. Two limbs of 64 bits hold most sums; models with
larger sums have more limbs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.constraints.counting.diagrams.diagram import Diagram, combine
from pavcodec.constraints.counting.models.joint_counts import words_of_ends
from pavcodec.constraints.counting.models.layers import Counted, arrangements, integers_of
from pavcodec.constraints.counting.models.model import Model
from pavcodec.constraints.counting.models.product import count_layers, factors_of
from pavcodec.constraints.vectors import Values
from pavcodec.errors import PavError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ways = NDArray[np.uint64]


_WORD_BITS = 64
_FEWEST_LIMBS = 2
_ROWS_AT_ONCE = 1 << 17


class NegativeWeight(PavError):  # noqa: N818 (the caller finds the deal and raises the error)
    """A word has a negative weight."""


@dataclass(frozen=True, eq=False)
class WeightDiagram:
    """A weight as a diagram: value k means `weights[k]`, and `weights[0]` is 0."""

    diagram: Diagram
    weights: tuple[Fraction, ...]

    @classmethod
    def of(cls, number: Diagram, weigh: Callable[[int], Fraction]) -> WeightDiagram:
        """Return the weight that is a function of the value of a diagram."""
        places = {Fraction(0): 0}
        indexes = [places.setdefault(weigh(v), len(places)) for v in number.values.tolist()]
        return cls(number.map(lambda _: np.array(indexes)), tuple(places))


@dataclass(frozen=True, eq=False)
class WeightedModel:
    """The words of positive weight, and the sums of their weights in units.

    The ways of the nodes of `model` are sums of weights; its cardinality is the sum of all.
    """

    model: Model
    unit: Fraction
    """The weight that `model` counts as 1."""
    words: int
    """The exact number of words of positive weight."""

    @property
    def total(self) -> Fraction:
        """The exact sum of the weights of all words."""
        return self.model.cardinality * self.unit

    @property
    def is_wide(self) -> bool:
        """Whether sums take more than two limbs, so that no compiled loop adds them."""
        counted = self.model.counted
        return counted is not None and counted.ways.shape[1] > _FEWEST_LIMBS


@dataclass(frozen=True)
class _Product:
    """The layers of conditions, weights and numbers, and the ends with their weights in units."""

    seats: tuple[int, ...]
    free: int
    """The arrangements of the free seats."""
    counted: Counted | None
    weights: list[int]
    unit: Fraction
    values: Values
    """For each end the places of the values of the numbers."""


_NOTHING = _Product((), 1, None, [], Fraction(1), np.zeros((0, 0), np.int64))


def build_weighted(
    conditions: Sequence[Diagram],
    weights: Sequence[WeightDiagram],
    sizes: tuple[int, ...],
    *,
    memory: int,
) -> WeightedModel:
    """Return the weighted model of conditions that all hold, and of weights.

    Raises `ProductTooLarge` as `build_model` does, and `NegativeWeight`.
    """
    made = _product(conditions, weights, (), sizes, memory)
    if made.counted is None:
        return WeightedModel(Model(sizes, made.seats, None), Fraction(1), 0)
    words = integers_of(made.counted.layers[0].ways[:1])[0] * made.free
    counted, most = _weighted(made.counted, made.weights, words, made.free), max(made.weights)
    return WeightedModel(Model(sizes, made.seats, counted, most), made.unit, words)


def weigh_values(
    conditions: Sequence[Diagram],
    weights: Sequence[WeightDiagram],
    numbers: Sequence[Diagram],
    sizes: tuple[int, ...],
    *,
    memory: int,
) -> tuple[dict[tuple[int, ...], int], Fraction]:
    """Return (the sum of the weights of the words with each row of values, the unit of the sums).

    Rows without words of positive weight are absent. Errors are those of `build_weighted`.
    """
    marked = [replace(each, values=np.arange(1, len(each.values) + 1)) for each in numbers]
    made = _product(conditions, weights, marked, sizes, memory)
    sums: dict[tuple[int, ...], int] = {}
    if made.counted is None:
        return sums, Fraction(1)
    words = words_of_ends(made.counted)
    for row, weight, many in zip(made.values.tolist(), made.weights, words, strict=True):
        values = tuple(
            int(each.values[index - 1]) for each, index in zip(numbers, row, strict=True)
        )
        sums[values] = sums.get(values, 0) + many * weight * made.free
    return dict(sorted(sums.items())), made.unit


def _product(
    conditions: Sequence[Diagram],
    weights: Sequence[WeightDiagram],
    numbers: Sequence[Diagram],
    sizes: tuple[int, ...],
    memory: int,
) -> _Product:
    """Return the layers of all factors; `numbers` have values above 0."""
    weights = _on_fewest_seats(conditions, weights, sizes)
    weighing = [each.diagram for each in weights]
    memory -= sum(each.memory for each in (*conditions, *weighing, *numbers))
    needed = {seat for each in (*weighing, *numbers) for seat in each.seats}
    factors = factors_of(conditions, sizes, memory, seats=needed)
    if factors is None:
        return _NOTHING
    joined = _by_seats(factors, weights, memory)
    if not all(each.diagram.values.any() for each in joined):
        return _NOTHING
    memory -= sum(each.diagram.memory for each in joined)
    factors = [each.diagram for each in joined] + list(numbers)
    seats = tuple(sorted({seat for each in factors for seat in each.seats}))
    letters = len(seats) + (len(seats) < len(sizes))
    counted, ends = count_layers(factors, seats, letters, memory)
    if counted is None:
        return _NOTHING
    free = arrangements(tuple(size for seat, size in enumerate(sizes) if seat not in seats))
    weights_of_ends, unit = _in_units(_weights_of(ends[:, : len(joined)], joined))
    return _Product(seats, free, counted, weights_of_ends, unit, ends[:, len(joined) :])


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
    for factor in factors:
        alone = WeightDiagram(factor, (Fraction(0), Fraction(1)))
        by_seats.setdefault(factor.seats, []).append(alone)
    for weight in weights:
        by_seats.setdefault(weight.diagram.seats, []).append(weight)
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
        rows, row_of = np.unique(np.stack(values, axis=1), axis=0, return_inverse=True)
        weights = _weights_of(rows, parts)
        indexes = [places.setdefault(weight, len(places)) for weight in weights]
        return np.array(indexes, np.int64)[row_of.reshape(-1)]

    diagram = combine([part.diagram for part in parts], multiply, absorbing=0, memory=memory)
    return WeightDiagram(diagram, tuple(places))


def _weights_of(rows: Values, parts: Sequence[WeightDiagram]) -> list[Fraction]:
    """Return the product of the weights whose places are in a row, for each row.

    The product of negative weights is negative, so that no two of them hide each other.
    """
    products = []
    for row in rows.tolist():
        product, is_negative = Fraction(1), False
        for index, part in zip(row, parts, strict=True):
            product *= abs(part.weights[index])
            is_negative |= part.weights[index] < 0
        products.append(-product if is_negative else product)
    return products


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


def _weighted(counted: Counted, weights: Sequence[int], words: int, free: int) -> Counted:
    """Return the automaton with sums of weights as ways; `weights` are those of its last nodes.

    No sum is above the number of words times the largest weight; `free` are the arrangements of the
    free seats. If the sum of all needs fewer limbs, the others are left out.
    """
    limbs = _limbs_for(words * max(weights))
    ways = np.zeros((len(counted.ways), limbs), np.uint64)
    summed = replace(counted, ways=ways)
    after = summed.ends
    after[:] = _limbs_of(weights, limbs)
    for layer in reversed(summed.layers):
        layer.ways[:] = _sums_of(layer.children, after)
        after = layer.ways
    kept = _limbs_for(integers_of(after[:1])[0] * free)
    return summed if kept == limbs else replace(counted, ways=ways[:, -kept:].copy())


def _limbs_for(most: int) -> int:
    """Return the number of limbs for sums up to a number."""
    return max(_FEWEST_LIMBS, -(-most.bit_length() // _WORD_BITS))


def _limbs_of(numbers: Sequence[int], limbs: int) -> Ways:
    """Return integers as rows of limbs, the highest first."""
    rows = b"".join(number.to_bytes(limbs * _WORD_BITS // 8, "big") for number in numbers)
    return np.frombuffer(rows, ">u8").reshape(-1, limbs).astype(np.uint64)


def _sums_of(links: NDArray[np.int32], ways: Ways) -> Ways:
    """Return for each node the sum of the ways of its children: `sums_of` for any limbs.

    The function adds many rows at a time, to limit the memory of its terms.
    """
    known = np.concatenate([ways, np.zeros((1, ways.shape[1]), np.uint64)])  # -1 is the last row
    total = np.zeros((len(links), ways.shape[1]), np.uint64)
    for start in range(0, len(links), _ROWS_AT_ONCE):
        part = total[start : start + _ROWS_AT_ONCE]
        for column in links[start : start + _ROWS_AT_ONCE].T:
            _add(part, known[column])
    return total


def _add(total: Ways, term: Ways) -> None:
    """Add rows of limbs to others in place."""
    carry = np.zeros(len(total), np.uint64)
    for limb in reversed(range(total.shape[1])):
        added = total[:, limb] + term[:, limb]
        carried = added + carry
        carry = ((added < term[:, limb]) | (carried < carry)).astype(np.uint64)
        total[:, limb] = carried
