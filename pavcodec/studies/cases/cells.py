"""The cells of a case listing: each shape with each arrangement of honours that a hand may have.

The deck gives shapes and honours their order: the flattest patterns are first, and the shapes of a
pattern are in descending order; honours are ordered by their points, ascending, and by their map,
descending. The plan says which hands and columns a listing has, and in how many ways a case can be
dealt. A condition becomes conditions on single hands, and each of them an array of cells.

The study and its records say *pattern* for the shape of a hand, its four lengths by suit; so do the
public names `patterns` and `first_pattern`. Here, a *shape* is the index of one of the 560 shapes,
and a *map* has a bit for each honour; the highest bit is the ace of the first suit. A shape or a
map that a listing does not use is *off*, with the value that records have for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from itertools import accumulate, product
from math import comb
from operator import and_, mul
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pavcodec.cards import HAND_SIZE, SUIT_SIZE, UNUSED, Seat, Suit
from pavcodec.constraints.columns import values_of
from pavcodec.constraints.expressions import expression
from pavcodec.constraints.nodes.format import show
from pavcodec.constraints.nodes.syntax import (
    Comparison,
    Length,
    Node,
    Number,
    OfHand,
    Python,
    Random,
    Tricks,
    distinct,
    measure_of,
    parts_of,
)
from pavcodec.constraints.operators import Expression
from pavcodec.errors import PavError
from pavcodec.layout.hand import HCP, SumOverCards
from pavcodec.records import Case
from pavcodec.records.kinds import HONOURS_OFF, PATTERN_OFF

Lengths = tuple[int, ...]
"""The lengths of the suits of a hand."""
Numbers = NDArray[np.integer]
"""Shapes or maps of some cells, or numbers of cards: a row for each suit or group of cards."""
Cell = tuple[int, int]
"""The shape and the map of a hand."""

HONOURS = "AKQJ"


@dataclass(frozen=True)
class Deck:
    """A deck whose suits have honours, highest first, and then spot cards; hands have equal sizes.

    Tests compare listings of toy decks with all deals of the deck. Tables by shape or map have a
    column for each value of the records, also for "off".

    >>> toy = Deck(suits=2, honours=1, spots=3, seats=4)
    >>> toy.hand_size, toy.shapes, toy.maps.tolist()
    (2, ((1, 1), (2, 0), (0, 2)), [0, 2, 1, 3])
    >>> BRIDGE.shapes[:5]
    ((4, 3, 3, 3), (3, 4, 3, 3), (3, 3, 4, 3), (3, 3, 3, 4), (4, 4, 3, 2))
    """

    suits: int = len(Suit)
    honours: int = len(HONOURS)
    spots: int = SUIT_SIZE - len(HONOURS)
    seats: int = len(Seat)

    @property
    def suit_size(self) -> int:
        """The number of cards in a suit."""
        return self.honours + self.spots

    @property
    def cards(self) -> int:
        """The number of cards in the deck."""
        return self.suits * self.suit_size

    @property
    def hand_size(self) -> int:
        """The number of cards in a hand."""
        return self.cards // self.seats

    @cached_property
    def shapes(self) -> tuple[Lengths, ...]:
        """The lengths of all shapes of a hand, in the order of a listing."""
        lengths = range(min(self.suit_size, self.hand_size) + 1)
        of_suits = product(lengths, repeat=self.suits)
        whole = (shape for shape in of_suits if sum(shape) == self.hand_size)
        return tuple(
            sorted(whole, key=lambda shape: (sorted(shape, reverse=True), [-n for n in shape]))
        )

    def index_of(self, shape: Lengths) -> int:
        """Return the index of a shape in squashed order, which records contain.

        >>> BRIDGE.index_of((0, 0, 0, 13)), BRIDGE.index_of((4, 3, 3, 3))
        (0, 252)
        """
        ends = list(accumulate(shape))[:-1]
        return sum(comb(end + column, column + 1) for column, end in enumerate(ends))

    @cached_property
    def lengths(self) -> Numbers:
        """The length of each suit by shape; 0 for "off"."""
        table = np.zeros((self.suits, PATTERN_OFF + 1), np.int8)
        for shape in self.shapes:
            table[:, self.index_of(shape)] = shape
        return table

    @cached_property
    def _bits(self) -> Numbers:
        """Whether a map has each honour, the ace of the first suit first."""
        places = np.arange(self.suits * self.honours)[::-1, None]
        bits = (np.arange(HONOURS_OFF + 1) >> places & 1).astype(np.int8)
        bits[:, HONOURS_OFF] = 0
        return bits

    @cached_property
    def held(self) -> Numbers:
        """The number of honours of each suit by map; 0 for "off".

        >>> BRIDGE.held[:, 0x8803].tolist()
        [1, 1, 0, 2]
        """
        by_suit = self._bits.reshape(self.suits, self.honours, -1)
        return np.asarray(by_suit.sum(axis=1, dtype=np.int8))

    @cached_property
    def points(self) -> Numbers:
        """The high-card points by map.

        >>> BRIDGE.points[[0x8001, 0xF000]].tolist()
        [5, 10]
        """
        points: Numbers = np.tile(HCP.weights[: self.honours], self.suits) @ self._bits
        return points

    @cached_property
    def maps(self) -> Numbers:
        """All maps that a hand can hold, in the order of a listing."""
        maps = np.arange(min(1 << self.suits * self.honours, HONOURS_OFF))
        maps = maps[self.held[:, maps].sum(axis=0) <= self.hand_size]
        return np.asarray(maps[np.lexsort((-maps, self.points[maps]))])

    @cached_property
    def places(self) -> tuple[Numbers, Numbers]:
        """The place of each shape and of each map in the order of a listing; 0 for "off"."""
        shapes, maps = np.zeros(PATTERN_OFF + 1, np.int64), np.zeros(HONOURS_OFF + 1, np.int64)
        shapes[list(map(self.index_of, self.shapes))] = range(len(self.shapes))
        maps[self.maps] = range(len(self.maps))
        return shapes, maps

    def honour_cards(self, honours: int) -> list[int]:
        """Return the cards of a map, ascending.

        >>> BRIDGE.honour_cards(0x8801), BRIDGE.honour_cards(HONOURS_OFF)
        ([0, 13, 42], [])
        """
        bits = np.flatnonzero(self._bits[:, honours]).tolist()
        return [bit // self.honours * self.suit_size + bit % self.honours for bit in bits]

    def suit_cards(self, suit: int, *, spots_only: bool = False) -> range:
        """Return the cards of a suit, or its spot cards."""
        start = suit * self.suit_size
        return range(start + self.honours * spots_only, start + self.suit_size)


BRIDGE = Deck()
"""The deck of bridge."""

assert BRIDGE.hand_size == HAND_SIZE


@dataclass(frozen=True)
class Plan:
    """The hands of a listing in order, and its columns: shapes (`patterns`), honours or both.

    A case allows some *choices* of cards for its hands. A *group* is a set of cards that a case
    does not distinguish: with shapes alone, all cards of a suit; with honours alone, all spot
    cards; with both, the spot cards of a suit. The first hand gets some cards of each group, the
    second hand some of the remaining ones. The ways of a case are the product of the binomial
    coefficients. For one hand or two, they fit in 64 bits.

    >>> plan = Plan((3,), patterns=True, honours=False)
    >>> plan.factors(Case(0, BRIDGE.index_of((9, 2, 1, 1))))
    [(13, 9), (13, 2), (13, 1), (13, 1)]
    """

    seats: tuple[int, ...]
    patterns: bool
    honours: bool
    deck: Deck = BRIDGE

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The cards of each group, ascending."""
        suits = [
            tuple(self.deck.suit_cards(suit, spots_only=self.honours))
            for suit in range(self.deck.suits)
        ]
        return tuple(suits) if self.patterns else (tuple(card for suit in suits for card in suit),)

    @cached_property
    def sizes(self) -> Numbers:
        """The number of cards of each group, as `int8[groups, 1]`."""
        return np.array([[len(group)] for group in self.groups], np.int8)

    @cached_property
    def _binomials(self) -> NDArray[np.uint64]:
        """C(n, k), a row for each n up to the largest group; 0 if k exceeds n."""
        most = int(self.sizes.max())
        rows = [[comb(n, k) for k in range(most + 1)] for n in range(most + 1)]
        return np.array(rows, np.uint64)

    def needs(self, shapes: Numbers | int, maps: Numbers | int) -> Numbers:
        """Return the number of cards that hands need of each group, as `int8[groups, n]`.

        A number is negative if a hand cannot have these honours with this shape.
        """
        held = _columns(self.deck.held, maps)
        if self.patterns:
            return _columns(self.deck.lengths, shapes) - held
        return np.asarray(self.deck.hand_size - held.sum(axis=0, dtype=np.int8, keepdims=True))

    def fit(self, needs: Numbers, left: Numbers) -> NDArray[np.bool_]:
        """Return whether hands can get the cards that they need from those that are left."""
        fits = np.ones(1, np.bool_)
        for available, chosen in zip(left, needs, strict=True):  # faster than `all(axis=0)`
            fits = fits & (chosen >= 0) & (chosen <= available)
        return fits

    def ways(self, needs: Numbers, left: Numbers) -> NDArray[np.uint64]:
        """Return in how many ways hands get the cards that they need; 0 if too few are left."""
        table = self._binomials
        columns = zip(left.astype(np.int64) * len(table), needs, strict=True)
        return reduce(mul, (table.take(row + chosen) for row, chosen in columns))

    def keys(self, shapes: Numbers | int, maps: Numbers | int) -> Numbers:
        """Return numbers that have the order of a listing, below 2^26."""
        by_shape, by_map = self.deck.places
        return by_shape[shapes] << 16 | by_map[maps]

    def hands(self, case: Case) -> list[Cell]:
        """Return the shape and the map of each hand of a case."""
        hands = (case.first_pattern, case.first_honours), (case.second_pattern, case.second_honours)
        return [
            (PATTERN_OFF if shape is None else shape, HONOURS_OFF if honours is None else honours)
            for shape, honours in hands[: len(self.seats)]
        ]

    def factors(self, case: Case) -> list[tuple[int, int]]:
        """Return the calculation: (cards, chosen cards) of each group, for each hand."""
        available: list[int] = self.sizes[:, 0].tolist()
        factors: list[tuple[int, int]] = []
        for shape, honours in self.hands(case):
            needs = self.needs(shape, honours).tolist()
            factors += zip(available, needs, strict=True)
            available = [left - need for left, need in zip(available, needs, strict=True)]
        return factors

    def order(self, case: Case) -> list[int]:
        """Return the sort key of a case."""
        return [int(self.keys(*hand)) for hand in self.hands(case)]


def _columns(table: Numbers, at: Numbers | int) -> Numbers:
    """Return columns of a table, or one; `take` is five times as quick for many."""
    return table[:, at] if isinstance(at, int) else table.take(at, axis=1)


class Cells(NamedTuple):
    """The cells of a hand, in the order of a listing: each array has an element for each cell.

    `needs` has a row for each group of cards: the number of cards that the hand needs from it.
    """

    shapes: NDArray[np.uint16]
    maps: NDArray[np.uint16]
    needs: Numbers

    def index_of(self, cell: Cell) -> int | None:
        """Return the index of a cell; None if it is not one of these."""
        shape, honours = cell
        indexes = np.flatnonzero((self.shapes == shape) & (self.maps == honours)).tolist()
        return indexes[0] if indexes else None


Accepts = Callable[[Numbers | None, Numbers | None], NDArray[np.bool_]]
"""The condition on a hand, as `HandCondition.accepts`."""


def cells_of(plan: Plan, accepts: Accepts) -> Cells:
    """Return the cells of a hand that a condition accepts.

    >>> plan = Plan((3,), patterns=True, honours=False)
    >>> cells = cells_of(plan, lambda shapes, _: BRIDGE.lengths[:, shapes].max(axis=0) > 11)
    >>> len(cells.shapes), BRIDGE.lengths[:, cells.shapes[:2]].T.tolist()
    (16, [[12, 1, 0, 0], [12, 0, 1, 0]])
    """
    deck = plan.deck
    shapes, maps = np.array([PATTERN_OFF]), np.array([HONOURS_OFF])
    if plan.patterns:
        shapes = np.array(list(map(deck.index_of, deck.shapes)))
        shapes = shapes[accepts(shapes, None)]
    if plan.honours:
        maps = deck.maps[accepts(None, deck.maps)]
    shapes, maps = shapes.astype(np.uint16), maps.astype(np.uint16)
    if not plan.patterns or not plan.honours:
        shapes, maps = np.broadcast_arrays(shapes, maps)
        return Cells(shapes, maps, plan.needs(shapes, maps))
    held = deck.held[:, maps]

    @cache
    def fits(suit: int, length: int) -> NDArray[np.bool_]:
        """Return which maps a suit of a length can have."""
        return np.asarray((held[suit] <= length) & (held[suit] >= length - deck.spots))

    of_shapes = deck.lengths.T[shapes].tolist()
    fitting = [maps[reduce(and_, map(fits, range(deck.suits), each))] for each in of_shapes]
    shapes, maps = np.repeat(shapes, list(map(len, fitting))), np.concatenate([maps[:0], *fitting])
    accepted = accepts(shapes, maps)
    shapes, maps = shapes[accepted], maps[accepted]
    return Cells(shapes, maps, plan.needs(shapes, maps))


# Split a condition into conditions on the shape and the honours of single hands.
#
# A case consists of the shape and the honours of each hand. So a condition has cases if it is a
# conjunction of parts that each depend on the shape and the honours of one hand. Such a part has
# the same value for all hands of a cell, so it is evaluated for one of them, as everywhere else.


_FOREIGN = (Python, Random, Tricks)
_AT_ONCE = 1 << 16
"""The number of hands that are evaluated together."""


class NotCasesError(PavError):
    """A condition does not depend on the shapes and honours of one hand or two."""


@dataclass(frozen=True)
class HandCondition:
    """The condition on one hand: the conjunction of `parts`.

    >>> (hand,) = read_hands("spades(west) == 9 && hcp(west) <= 1")
    >>> hand.seat, hand.uses_shape, hand.uses_honours
    (<Seat.WEST: 3>, True, True)
    >>> hand.accepts(None, np.array([0x0000, 0x1000, 0x2000])).tolist()
    [True, True, False]
    """

    seat: Seat
    parts: tuple[Node, ...]

    @cached_property
    def uses_shape(self) -> bool:
        """Whether the condition depends on the shape."""
        return any(_dependence(part)[0] for part in self.parts)

    @cached_property
    def uses_honours(self) -> bool:
        """Whether the condition depends on the honours."""
        return any(_dependence(part)[1] for part in self.parts)

    def accepts(self, shapes: Numbers | None, maps: Numbers | None) -> NDArray[np.bool_]:
        """Return for each cell whether it satisfies the parts that depend on exactly these columns.

        None is a column that does not count. Constant parts count in any case. So the shapes that
        a hand may have are found without the maps, and the maps without the shapes.
        """
        count = len(next(column for column in (shapes, maps) if column is not None))
        accepted = np.ones(count, np.bool_)
        for part in self.parts:
            uses = _dependence(part)
            if uses in {(False, False), (shapes is not None, maps is not None)}:
                rows = np.flatnonzero(accepted)
                columns = [column if column is None else column[rows] for column in (shapes, maps)]
                for start in range(0, len(rows), _AT_ONCE):
                    here = slice(start, start + _AT_ONCE)
                    some = (column if column is None else column[here] for column in columns)
                    accepted[rows[here]] = self._hold(part, _owners(self.seat, *some))
        return accepted

    def _hold(self, part: Node, owners: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return whether a part holds for some layouts."""
        try:
            return values_of(Comparison("!=", part, Number(0)), owners, seed=0).astype(np.bool_)
        except PavError as error:
            reason = error.__cause__ or error
            raise NotCasesError(f"{show(part)} makes no cases: {reason}") from None


def read_hands(where: Expression | Node | str | int) -> tuple[HandCondition, ...]:
    """Return the conditions on the hands, in the order in which the condition first uses them.

    Raise `NotCasesError` unless each part depends on the shape and honours of one hand, and the
    parts together use one hand or two; raise `TextError` for a text that is no condition.
    >>> [hand.seat.letter for hand in read_hands("hcp(south) == 9 && spades(north) > 3")]
    ['S', 'N']
    """
    condition = expression(where).node
    hands, refused = sort_parts(condition)
    for _, error in refused:
        raise error
    if not 0 < len(hands) <= 2:
        named = ", ".join(hand.seat.name.lower() for hand in hands) or "none"
        raise NotCasesError(
            f"cases have one hand or two; this condition has {named}; {_instead(condition)}"
        )
    return hands


def sort_parts(
    condition: Node,
) -> tuple[tuple[HandCondition, ...], list[tuple[Node, NotCasesError]]]:
    """Return the conditions on single hands, and the parts that have no cases, each with why."""
    by_seat: dict[Seat, list[Node]] = {}
    constant, refused = [], []
    for part in parts_of(condition):
        seats = list(dict.fromkeys(p.seat for p in distinct(part) if hasattr(p, "seat")))
        foreign = [leaf for leaf in _leaves(part) if not _is_expressible(leaf)]
        if foreign:
            what = f"{show(foreign[0])} does not depend on shape and honours (A K Q J) alone"
            refused.append((part, _refusal(part, what)))
        elif len(seats) > 1:
            named = " and ".join(seat.name.lower() for seat in seats)
            what = f"{show(part)} depends on more than one hand ({named})"
            refused.append((part, _refusal(part, what)))
        elif seats:
            by_seat.setdefault(seats[0], []).append(part)
        else:
            constant.append(part)
    if by_seat:
        first = next(iter(by_seat))
        by_seat[first] = constant + by_seat[first]
    else:
        refused += [(part, no_hand(part)) for part in constant]
    return tuple(HandCondition(seat, tuple(parts)) for seat, parts in by_seat.items()), refused


def no_hand(part: Node) -> NotCasesError:
    """Return the error for a part that depends on no hand."""
    return _refusal(part, f"{show(part)} depends on no hand")


def _refusal(part: Node, what: str) -> NotCasesError:
    return NotCasesError(f"{what}, so it makes no cases; {_instead(part)}")


def _instead(condition: Node) -> str:
    """Return the advice for a condition without cases."""
    if measure_of(condition).reason is None:
        return "'pavcodec count' counts it"
    return "'pavcodec count' tests deals, and estimates their number"


def _leaves(node: Node) -> list[Node]:
    """Return the functions in a node, each once, from left to right."""
    kinds = OfHand, *_FOREIGN
    nodes = distinct(node, stop=lambda part: isinstance(part, kinds))
    return [part for part in nodes if isinstance(part, kinds)]


def _is_expressible(leaf: Node) -> bool:
    """Return whether a function depends only on shape and honours."""
    return isinstance(leaf, OfHand) and leaf.function.named_ranks <= BRIDGE.honours


def _dependence(part: Node) -> tuple[bool, bool]:
    """Return whether a part depends on the shape, and whether on the honours."""
    uses_shape = uses_honours = False
    for leaf in _leaves(part):
        assert isinstance(leaf, OfHand)
        is_sum = isinstance(leaf.function, SumOverCards)
        uses_honours |= leaf.function.named_ranks > 0 or (is_sum and not isinstance(leaf, Length))
        # in a sum over cards, a whole hand has its 13 cards in any shape
        uses_shape |= not isinstance(leaf.function, SumOverCards) or (
            leaf.suit is not None and leaf.function.weights[-1] != 0
        )
    return uses_shape, uses_honours


def _owners(seat: Seat, shapes: Numbers | None, maps: Numbers | None) -> NDArray[np.uint8]:
    """Return for each cell a layout in which a seat has such a hand, `uint8[n, 52]`.

    The lowest cards fill the suits; without shapes, the lowest spot cards fill the hand.

    >>> np.flatnonzero(_owners(Seat.WEST, np.array([55]), np.array([0x8001]))[0] == 3).tolist()
    [0, 9, 10, 11, 12, 42, 45, 46, 47, 48, 49, 50, 51]
    >>> np.flatnonzero(_owners(Seat.WEST, None, np.array([0x0001]))[0] == 3).tolist()[:4]
    [36, 37, 38, 42]
    """
    honours = np.zeros_like(shapes) if maps is None else maps
    if shapes is None:
        lengths = BRIDGE.held[:, honours]
        rest = BRIDGE.hand_size - lengths.sum(axis=0)
        lengths[-1] += np.minimum(rest, BRIDGE.spots)
        lengths[-2] += np.maximum(rest - BRIDGE.spots, 0)
    else:
        lengths = BRIDGE.lengths[:, shapes]
    owners = np.empty((len(honours), BRIDGE.suits), f"V{BRIDGE.suit_size}")
    for suit, length in enumerate(lengths):
        named = honours >> BRIDGE.honours * (BRIDGE.suits - 1 - suit) & (1 << BRIDGE.honours) - 1
        owners[:, suit] = _suits(seat)[length, named]
    return owners.view(np.uint8)


@cache
def _suits(seat: Seat) -> NDArray[np.void]:
    """Return the owners of a suit by its length and its honours; the lowest cards fill the length.

    There are no hands with more honours than cards.
    """
    honours = np.arange(1 << BRIDGE.honours)
    low = np.arange(BRIDGE.suit_size + 1)[:, None] - [each.bit_count() for each in honours.tolist()]
    holdings = honours << BRIDGE.spots | (1 << np.maximum(low, 0)) - 1
    bits = holdings[:, :, None] >> np.arange(BRIDGE.suit_size)[::-1] & 1
    owners = np.where(bits, seat, UNUSED).astype(np.uint8)
    return owners.view(f"V{BRIDGE.suit_size}")[:, :, 0]
