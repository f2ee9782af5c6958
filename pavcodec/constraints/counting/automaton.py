"""Decision diagrams: integer functions of the owners of the cards, as layered automata.

Rule 1: a diagram reads the owners of the cards in the order of the deck. It has a layer of nodes
before each card and one layer after the last card. A node of layer c has one child in layer c + 1
for each *letter*. The letters are the seats on which the function depends, in order, and one letter
for all other owners.
Rule 2: each node after the last card has a value. A *word*, which is one owner for each card, leads
to one of these nodes; its value is the value of the function for the word.
Rule 3: in a reduced diagram, two nodes of a layer never represent the same function of the
remaining cards, and some word leads to each node. Equal functions of the same seats have equal
reduced diagrams, except for the order of the nodes in a layer.
Rule 4: the diagram of a function of several functions is the product of their diagrams, layer by
layer, reduced. The compiler builds all expressions in this way, from sums over cards, tables of
suits and tables of shapes.

The code here has no suits, and no fixed size of a deck or a hand. Values are 64-bit integers of an
absolute value of at most `MOST_VALUE`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pavcodec import kernel
from pavcodec.cards import SUIT_SIZE, Suit
from pavcodec.constraints.vectors import Values
from pavcodec.limits import MEMORY, MemoryBudget

Ids: TypeAlias = NDArray[np.signedinteger[Any]]

MOST_VALUE = 1 << 61
"""The greatest absolute value of a value of a diagram."""


@dataclass(frozen=True, eq=False)
class Diagram:
    """An integer function of the owners of the cards.

    `layers[c]` has a row for each node before card c and a column for each letter: the seats of
    `seats` in order, then all other owners. An element is the row of the child in the next layer.
    `values` are the values of the nodes after the last card. The root is row 0 of `layers[0]`.
    """

    seats: tuple[int, ...]
    layers: tuple[Ids, ...]
    values: Values

    @property
    def cards(self) -> int:
        """The number of cards."""
        return len(self.layers)

    @property
    def nodes(self) -> int:
        """The number of nodes, without the nodes after the last card."""
        return sum(map(len, self.layers))

    @property
    def widest(self) -> int:
        """The number of nodes of the widest layer."""
        return max(map(len, self.layers))

    @property
    def memory(self) -> int:
        """The memory of the nodes and values, in bytes."""
        return sum(layer.nbytes for layer in self.layers) + self.values.nbytes

    def value(self, owners: Iterable[int]) -> int:
        """Return the value of the function for a word of owners, card by card."""
        letters = {seat: letter for letter, seat in enumerate(self.seats)}
        node = 0
        for layer, owner in zip(self.layers, owners, strict=True):
            node = layer[node, letters.get(owner, len(self.seats))]
        return int(self.values[node])

    def columns(self, seats: Sequence[int]) -> list[int]:
        """Return the letter of this diagram for each letter of a diagram with more seats."""
        letters = {seat: letter for letter, seat in enumerate(self.seats)}
        other = len(self.seats)
        return [*(letters.get(seat, other) for seat in seats), other]

    def map(self, function: Callable[[Values], Values]) -> Diagram:
        """Return the diagram of a function of the value of this diagram."""
        return reduce(self.seats, self.layers, function(self.values).astype(np.int64))


def numbered(rows: Ids) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return (the different rows of an array, as they come; the place among them of each row)."""
    narrow = np.ascontiguousarray(rows, np.int32)
    different, places = np.empty_like(narrow), np.empty(len(rows), np.int64)
    table = hash_table(len(rows))
    count = kernel.rows_number(narrow, narrow.shape[1], len(rows), table, different, places)
    return different[:count], places


def hash_table(rows: int) -> NDArray[np.int32]:
    """Return the memory of a hash table of so many rows: the next power of 2 that is twice these.

    >>> len(hash_table(8)), len(hash_table(9))
    (16, 32)
    """
    return np.empty(max(16, 1 << (2 * rows - 1).bit_length()), np.int32)


def reduce(seats: tuple[int, ...], layers: Sequence[Ids], values: Values) -> Diagram:
    """Merge equal nodes, from the last card to the first, and remove unreachable nodes."""
    starts = np.cumsum([0, *map(len, layers)], dtype=np.int64)
    rows = np.empty((int(starts[-1]), layers[0].shape[1]), np.int32)
    np.concatenate(layers, out=rows, casting="same_kind")
    return _reduced(seats, rows, starts, values)


def _reduced(
    seats: tuple[int, ...], rows: NDArray[np.int32], starts: NDArray[np.int64], values: Values
) -> Diagram:
    """Reduce layers that follow one another in `rows`, which is overwritten."""
    values, places = np.unique(values, return_inverse=True)
    cards, letters = len(starts) - 1, rows.shape[1]
    widths = np.append(np.diff(starts), len(places))
    widest = int(widths.max())
    classes, merged = np.empty((2, widest), np.int32)
    classes[: len(places)] = places.reshape(-1)
    counts = np.append(widths[:-1], len(values))
    table = hash_table(widest)
    for first, last in reversed(_spans(starts)):
        kernel.automaton_merge(rows, starts, letters, first, last, classes, merged, table, counts)
    left = np.empty((int(counts[:-1].sum()), letters), np.int32)
    left_starts = np.zeros(cards + 2, np.int64)
    left_starts[1] = 1
    reached, numbers = merged, np.empty(widest, np.int32)
    reached[0], after = classes[0], classes
    for first, last in _spans(starts):
        kernel.automaton_trim(
            rows, starts, counts, letters, first, last, left_starts, reached, after, numbers, left
        )
    *bounds, end = left_starts.tolist()
    made = tuple(left[first:last] for first, last in pairwise(bounds))
    return Diagram(seats, made, values[reached[: end - bounds[-1]]])


_AT_ONCE = 1 << 20
"""The nodes of a call, unless one layer has more: then an interrupt acts soon."""


def _spans(starts: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Divide layers into ranges of few nodes."""
    cuts = [0]
    for card in range(1, len(starts) - 1):
        if starts[card + 1] - starts[cuts[-1]] > _AT_ONCE:
            cuts.append(card)
    return list(pairwise([*cuts, len(starts) - 1]))


def step_bytes(parts: int) -> int:
    """Return the greatest memory, in bytes, for a node and a letter while a layer is computed.

    These are the places in each part, up to four times, and the hash table, with much to spare: the
    limits of this size decide what is counted, and so which deals a seed gives.
    """
    return 16 * parts + 64


def combine(
    parts: Sequence[Diagram],
    function: Callable[[list[Values]], Values],
    *,
    absorbing: int | None = None,
    memory: int = MEMORY,
) -> Diagram:
    """Return the diagram of a function of the values of several diagrams.

    `absorbing` is a value of one part that decides the result: 0 for `and`, 1 for `or`. If any part
    has this value, the value of the function must be the same. Raises `ProductTooLarge` if the
    product would need more than `memory` bytes.
    """
    varying = [part for part in parts if len(part.values) > 1 or part.seats]
    if len(varying) == 1:
        return _map_of_one(parts, varying[0], function)
    seats = tuple(sorted({seat for part in parts for seat in part.seats}))
    room = MemoryBudget(memory, 0 if absorbing is None else 8 * sum(part.nodes for part in parts))
    rows, starts, last = _multiplied(parts, seats, absorbing, room)
    values = function([part.values[last[:, column]] for column, part in enumerate(parts)])
    return _reduced(seats, rows, starts, values.astype(np.int64))


def _map_of_one(
    parts: Sequence[Diagram], varying: Diagram, function: Callable[[list[Values]], Values]
) -> Diagram:
    """Return the function of several diagrams; all of them except `varying` are constants."""

    def of_values(values: Values) -> Values:
        return function(
            [values if part is varying else part.values.repeat(len(values)) for part in parts]
        )

    return varying.map(of_values)


_FEW = 1 << 11
"""The states for which a product gets memory before it is known how many there are."""


def _multiplied(
    parts: Sequence[Diagram], seats: tuple[int, ...], absorbing: int | None, room: MemoryBudget
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
    """Return (the rows of the product, the starts of its layers, its last nodes by part)."""
    letters, cards = len(seats) + 1, parts[0].cards
    widths_of = np.array([[*map(len, part.layers), len(part.values)] for part in parts])
    ends = (widths_of.cumsum() - widths_of.ravel()).reshape(widths_of.shape)
    ends = np.concatenate([ends, ends[:, -1:] + widths_of[:, -1:]], axis=1)
    before = widths_of[:, :-1].ravel()
    starts = (before.cumsum() - before).reshape(len(parts), -1)
    rows = np.empty((int(before.sum()), letters), np.int32)
    joined = [layer[:, part.columns(seats)] for part in parts for layer in part.layers]
    np.concatenate(joined, out=rows, casting="same_kind")
    del joined
    decided = np.zeros(int(widths_of.sum()), np.uint8)
    if absorbing is not None:
        for part, (first, last) in zip(parts, ends[:, -2:].tolist(), strict=True):
            decided[first:last] = part.values == absorbing
        kernel.automata_decide(rows, starts, ends, len(parts), cards, letters, decided)
    factors = rows, starts, ends, decided, len(parts), cards, letters
    widths = np.zeros(cards + 1, np.int64)
    widths[0] = 1
    nodes = np.zeros((1, len(parts)), np.int32)
    layers: list[NDArray[np.int32]] = []

    def charge(card: int) -> None:
        steps = int(widths[card]) * letters
        passing = steps * step_bytes(len(parts))
        room.take(card=card, states=int(widths[card]), resident=4 * steps, transient=passing)

    card = 0
    while card < cards:
        charge(card)
        most, first = max(int(widths[card]), _FEW), card
        states = np.empty((2, most * letters, len(parts)), np.int32)
        states[0, : len(nodes)] = nodes
        made, table = np.empty((most, letters), np.int32), hash_table(most * letters)
        card = kernel.automata_multiply(
            *factors, first, most, widths, states[0], states[1], table, made
        )
        for layer in range(first + 1, card):
            charge(layer)
        layers.append(made[: int(widths[first:card].sum())])
        nodes = states[0, : int(widths[card])].copy()
    made_starts = np.append(0, widths[:-1].cumsum())
    return np.concatenate(layers), made_starts, nodes


def both(parts: Sequence[Diagram], *, memory: int = MEMORY) -> Diagram:
    """Return the diagram of whether all of some diagrams of 1 and 0 are 1.

    A part may also have true values above 1. Then the value of the result identifies the values of
    all parts: it is 1 plus the index of their tuple in lexicographic order, or 0 if any part is 0.
    """
    return combine(parts, partial(_joined, sizes=joined_sizes(parts)), absorbing=0, memory=memory)


def joined_sizes(parts: Sequence[Diagram]) -> list[int]:
    """Return the number of true values of each part, for `both`."""
    return [max(1, int(part.values.max())) for part in parts]


def _joined(values: list[Values], sizes: list[int]) -> Values:
    number = np.zeros(len(values[0]), np.int64)
    for column, size in zip(values, sizes, strict=True):
        number = number * size + column - 1
    return np.where(np.logical_and.reduce(values), number + 1, 0)


# The diagrams of the basic functions: constants, sums over cards, tables of suits and shapes, and
# the criterion of legal endings.
#
# All but constants are folds over groups of cards, such as suits. A *group* is a small automaton of
# its cards alone, whose nodes after the last card have values, and the function by which such a
# value is joined to the value so far. A node of the fold is a pair: the value so far, and a node of
# the group.


Join: TypeAlias = Callable[[Values, Values], Values]
Group: TypeAlias = tuple[Sequence[Ids], Values, Join]

_A_NODE = 16
_A_REDUCED_NODE = 48
"""The bytes of a new node of a diagram of one seat, and the further bytes for its reduction."""

_KNOWN: dict[Hashable, Diagram] = {}
"""Diagrams of one seat, whichever it is, by what they are made of."""
_MOST_KNOWN, _MOST_MEMORY = 256, 1 << 16
"""The number of diagrams that stay, and the most bytes of each."""


def constant(cards: int, value: int) -> Diagram:
    """Return the diagram of a constant."""
    return Diagram((), (np.zeros((1, 1), np.int64),) * cards, np.array([value]))


def _fold(seats: tuple[int, ...], groups: Iterable[Group], *, memory: int = MEMORY) -> Diagram:
    """Return the diagram, not reduced, of the values of groups, joined from group to group.

    The value before the first group is 0. Raises `ProductTooLarge` if the diagram would need more
    than `memory` bytes.
    """
    joined: Values = np.zeros(1, np.int64)
    layers: list[Ids] = []
    room = MemoryBudget(memory)
    for steps, values, join in groups:
        for rows, width in zip(steps, [*map(len, steps[1:]), len(values)], strict=True):
            nodes = len(joined) * len(rows)
            room.take(
                card=len(layers),
                states=nodes,
                resident=_A_NODE * nodes,
                transient=_A_REDUCED_NODE * nodes,
            )
            starts = np.arange(len(joined)) * width
            layers.append((starts[:, None, None] + rows).reshape(nodes, -1))
        every = join(joined[:, None], values[None, :]).reshape(-1)
        joined, children = np.unique(every, return_inverse=True)
        layers[-1] = children.reshape(-1)[layers[-1]]
    return Diagram(seats, tuple(layers), joined)


def _shared(seat: int, key: Hashable, groups: Callable[[], Iterable[Group]]) -> Diagram:
    """Return the fold for one seat from those of this process; make it at the first call.

    Most conditions have the same few sums, shapes and known cards, so only the first of them stay.
    """
    diagram = _KNOWN.get(key)
    if diagram is None:
        diagram = _fold((0,), groups()).map(np.positive)
        if diagram.memory <= _MOST_MEMORY and len(_KNOWN) < _MOST_KNOWN:
            _KNOWN[key] = diagram
    return Diagram((seat,), diagram.layers, diagram.values)


_HELD_OR_NOT = [np.array([[1, 0]])]
_NO_MATTER: Group = [np.array([[0, 0]])], np.zeros(1, np.int64), np.add


def weighted_sum(seat: int, weights: Sequence[int]) -> Diagram:
    """Return the diagram of the sum of the weights of a seat's cards; one weight for each card."""

    def groups() -> Iterator[Group]:
        for weight in weights:
            yield (_HELD_OR_NOT, np.array([0, weight]), np.add) if weight else _NO_MATTER

    return _shared(seat, tuple(weights), groups)


@cache
def is_full(seat: int, size: int, cards: int) -> Diagram:
    """Return the diagram of whether a hand has its size, in a deck of so many cards."""
    return weighted_sum(seat, [1] * cards).map(partial(np.equal, size))


def suit_table(seat: int, cards: int, first: int, values: Sequence[int] | Values) -> Diagram:
    """Return the diagram of a function of a seat's holding in a suit.

    `first` is the first card of the suit. `values` has a value for each set of the suit's cards.
    The index of a set is the number whose bits are the cards; the first card is the highest bit.
    """
    suit = _of_suit(values, np.add)
    after = cards - first - len(suit[0])
    return _fold((seat,), [*[_NO_MATTER] * first, suit, *[_NO_MATTER] * after]).map(np.positive)


def suits_fold(
    seat: int,
    suits: int,
    values: Sequence[int] | Values,
    join: Join = np.add,
    *,
    memory: int = MEMORY,
) -> Diagram:
    """Return the diagram, not reduced, of the values of a seat's suits, joined from suit to suit.

    `values` has a value for each set of a suit's cards, as in `suit_table`. Raises
    `ProductTooLarge` if the diagram would need more than `memory` bytes.
    """
    return _fold((seat,), [_of_suit(values, join)] * suits, memory=memory)


def _of_suit(values: Sequence[int] | Values, join: Join) -> Group:
    """Return the group of a suit's cards for a function of the holding."""
    different, node_of = np.unique(np.array(values, np.int64), return_inverse=True)
    suit: list[Ids] = []
    for _ in range(len(values).bit_length() - 1):  # from the last card back
        pairs = node_of.reshape(-1, 2)[:, ::-1]  # holdings that differ in that card
        rows, node_of = numbered(pairs)
        suit.append(rows)
    return suit[::-1], different, join


def lengths_table(seat: int, values: Values) -> Diagram:
    """Return the diagram of a function of the lengths of a seat's suits.

    `values` has an axis for each suit, with a value for each length.
    """

    def groups() -> list[Group]:
        size = values.shape[0] - 1
        counting = [np.stack([np.arange(1, k + 2), np.arange(k + 1)], axis=1) for k in range(size)]
        lengths = np.arange(size + 1)
        different, node_of = np.unique(values, return_inverse=True)
        suits: list[Group] = []
        for suit in range(values.ndim):  # from the last one back: kinds of lengths of those before
            kinds, node_of = numbered(node_of.reshape(-1, size + 1))
            after = kinds.astype(np.int64) if suit else different[kinds]
            suits.append((counting, lengths, partial(_looked_up, after)))
        return suits[::-1]

    return _shared(seat, (values.shape, values.tobytes()), groups)


def _looked_up(table: Values, kind: Values, length: Values) -> Values:
    return table[kind, length]


# The criterion of legal endings needs of a suit only how many of its cards were played, and which
# seats still hold it: these give the most tricks that were led in it (`pavcodec.legal`).


@lru_cache(maxsize=12)
def legal_factor(
    sizes: tuple[int, ...], *, suits: int = len(Suit), suit_size: int = SUIT_SIZE
) -> Diagram:
    """Return the diagram of whether legal play can reach an ending, in some denomination: 1 or 0.

    `sizes` has the number of cards of each hand, which are equal, and then the number of played
    cards. The values are correct for hands of these sizes; for other hands they may be wrong.

    >>> factor = legal_factor((3, 3, 2), suits=2, suit_size=4)
    >>> factor.value([0, 0, 0, 2, 1, 1, 1, 2]), factor.value([0, 0, 1, 2, 1, 1, 0, 2])
    (1, 0)
    """
    seats = len(sizes) - 1
    tricks = suits * suit_size // seats - sizes[0]
    played, holders = np.zeros((2, 1), np.int64)
    bits = [1 << seat for seat in range(seats)]
    layers: list[Ids] = []
    for _ in range(suit_size):
        children = [played[:, None] + [*[0] * seats, 1], holders[:, None] | [*bits, 0]]
        different, node_of = numbered(np.stack(children, axis=2).reshape(-1, 2))
        layers.append(node_of.reshape(-1, seats + 1))
        played, holders = different.T
    sharing = np.array([held.bit_count() or 1 for held in holders.tolist()])
    suit: Group = layers, played // sharing, lambda led, more: np.minimum(led + more, tricks)
    return _fold(tuple(range(seats)), [suit] * suits).map(partial(np.less_equal, tricks))
