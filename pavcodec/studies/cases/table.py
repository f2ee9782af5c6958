"""A listing in memory, computed on demand: each cell of the first hand with all of the second.

Only the running totals of the steps are stored, so a listing of many millions of cases needs little
memory. A *step* is a cell of the first hand with a range of cells of the second, or a range of
cells of the only hand. Its cases are computed together, as arrays, whenever they are needed.
"""

from __future__ import annotations

import os
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import accumulate, chain
from math import comb, prod
from typing import Any, ClassVar, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from pavcodec.arrays import total_of_words
from pavcodec.cards import DECK_SIZE, RANK_LETTERS, SUIT_SIZE, UNUSED, Seat
from pavcodec.constraints import TestedDeals
from pavcodec.constraints.counting.compile import tested_for
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import expression
from pavcodec.constraints.nodes.format import show
from pavcodec.constraints.nodes.syntax import Length, Node, OfHand, Python, Random, Tricks
from pavcodec.constraints.nodes.trees import conjunction, distinct, parts_of
from pavcodec.constraints.operators import Expression
from pavcodec.errors import PavError
from pavcodec.files.opening import open_output
from pavcodec.layout import Layout
from pavcodec.layout.hand import OfLengths, SumOverCards, SumOverSuits, all_holdings
from pavcodec.records import Case
from pavcodec.studies.cases.cells import (
    BRIDGE,
    Accepts,
    Block,
    Lengths,
    Plan,
    binomials,
    cells_of,
    running_totals,
)
from pavcodec.studies.cases.deals import CaseDeals, CaseSequence

# Split a condition into conditions on the shape and the honours of single hands.
#
# A case consists of the shape and the honours of each hand. So a condition has cases if it is a
# conjunction of parts that each depend on the shape and the honours of one hand. `evaluate`
# computes each part on one hand for each combination of its functions' values, so a part has the
# same meaning as elsewhere.


Maps = NDArray[np.int64]
"""Maps of honours, or the value of a function for each map."""

_FOREIGN = (Python, Random, Tricks)
_SAFE = 1 << 58
"""A limit for the weight of a card: sums of thirteen such weights fit into 64 bits."""


class NotCasesError(PavError):
    """A condition does not depend on the shapes and honours of one hand or two."""


@dataclass(frozen=True)
class HandCondition:
    """The condition on one hand: the conjunction of `parts`.

    >>> (hand,) = read_hands("spades(west) == 9 && hcp(west) <= 1")
    >>> hand.seat, hand.uses_shape, hand.uses_honours
    (<Seat.WEST: 3>, True, True)
    >>> hand.accepts((9, 2, 1, 1), np.array([0x0000, 0x1000, 0x2000])).tolist()
    [True, True, False]
    """

    seat: Seat
    parts: tuple[Node, ...]
    _known: dict[object, bool] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def uses_shape(self) -> bool:
        """Whether the condition depends on the shape."""
        return any(_dependence(part)[0] for part in self.parts)

    @cached_property
    def uses_honours(self) -> bool:
        """Whether the condition depends on the honours."""
        return any(_dependence(part)[1] for part in self.parts)

    def accepts(self, lengths: Lengths | None, maps: Maps | None) -> NDArray[np.bool_]:
        """Return for each map whether the hand may have it with these lengths, `bool[maps]`.

        `maps` are maps of honours that fit the lengths. None for lengths or maps means that the
        listing has no such column; without maps, the result has one element.
        """
        if not all(self._of_shape(part, lengths) for part in self._only(shape=True)):
            return np.zeros(1 if maps is None else len(maps), bool)
        if maps is None:
            return np.ones(1, bool)
        accepted = self._with_honours[maps]
        for part in self._only(shape=True, honours=True):
            open_rows = np.flatnonzero(accepted)
            accepted[open_rows] = self._of_both(part, lengths, maps[open_rows])
        return accepted

    def _only(self, *, shape: bool = False, honours: bool = False) -> list[Node]:
        """Return the parts that depend on these properties only; constant parts count as shape."""
        wanted = {(shape, honours), (False, False)} if not honours else {(shape, honours)}
        return [part for part in self.parts if _dependence(part) in wanted]

    def _of_shape(self, part: Node, lengths: Lengths | None) -> bool:
        key = part, lengths
        if key not in self._known:
            self._known[key] = self._holds(part, lengths, None)
        return self._known[key]

    @cached_property
    def _with_honours(self) -> NDArray[np.bool_]:
        """Whether the parts that depend only on honours hold, by map."""
        maps = np.array(BRIDGE.maps)
        for part in self._only(honours=True):
            maps = maps[self._of_both(part, None, maps)]
        table = np.zeros(1 << 16, bool)
        table[maps] = True
        return table

    def _of_both(self, part: Node, lengths: Lengths | None, maps: Maps) -> NDArray[np.bool_]:
        """Return where a part holds; evaluate it once for each combination of values."""
        columns = [_column(leaf, lengths, maps) for leaf in _figures(part)]
        firsts, groups = _combinations(columns, len(maps))
        answers = np.zeros(len(firsts), bool)
        for group, first in enumerate(firsts.tolist()):
            key = part, tuple(column[first] for column in columns)
            if key not in self._known:
                self._known[key] = self._holds(part, lengths, int(maps[first]))
            answers[group] = self._known[key]
        return answers[groups]

    def _holds(self, part: Node, lengths: Lengths | None, honours: int | None) -> bool:
        """Return whether a part holds for a hand; an omitted property may have any value."""
        owners = bytearray([UNUSED]) * DECK_SIZE
        for card in _cards_of(lengths, honours):
            owners[card] = self.seat
        try:
            return bool(evaluate(part, Layout(bytes(owners))))
        except PavError as error:
            raise NotCasesError(f"{show(part)} makes no cases: {error}") from None


def read_hands(where: Expression | Node | str | int) -> tuple[HandCondition, ...]:
    """Return the conditions on the hands, in the order in which the condition first uses them.

    Raise `NotCasesError` unless each part depends on the shape and honours of one hand, and the
    parts together use one hand or two; raise `TextError` for a text that is no condition.
    >>> [hand.seat.letter for hand in read_hands("hcp(south) == 9 && spades(north) > 3")]
    ['S', 'N']
    """
    condition = expression(where).node
    hands, rest = sort_parts(condition)
    for part in rest:
        raise reason_of(part)
    if not 0 < len(hands) <= 2:
        named = ", ".join(hand.seat.name.lower() for hand in hands) or "none"
        raise NotCasesError(
            f"cases have one hand or two; this condition has {named}; {_instead(condition)}"
        )
    return hands


def sort_parts(condition: Node) -> tuple[tuple[HandCondition, ...], tuple[Node, ...]]:
    """Return the conditions on single hands, and the parts that have no cases."""
    by_seat: dict[Seat, list[Node]] = {}
    rest, constant = [], []
    for part in parts_of(condition):
        seats = _seats(part)
        if len(seats) > 1 or not all(map(_is_expressible, _leaves(part))):
            rest.append(part)
        elif seats:
            by_seat.setdefault(seats[0], []).append(part)
        else:
            constant.append(part)
    hands = [HandCondition(seat, tuple(parts)) for seat, parts in by_seat.items()]
    if hands and constant:
        hands[0] = HandCondition(hands[0].seat, (*constant, *hands[0].parts))
    return tuple(hands), tuple(rest if hands else (*rest, *constant))


def reason_of(part: Node) -> NotCasesError:
    """Return an error with the reason why a part has no cases."""
    seats = _seats(part)
    foreign = [leaf for leaf in _leaves(part) if not _is_expressible(leaf)]
    if foreign:
        reason = f"{show(foreign[0])} does not depend on shape and honours (A K Q J) alone"
    elif len(seats) > 1:
        named = " and ".join(seat.name.lower() for seat in seats)
        reason = f"{show(part)} depends on more than one hand ({named})"
    else:
        reason = f"{show(part)} depends on no hand"
    return NotCasesError(f"{reason}, so it makes no cases; {_instead(part)}")


def _instead(condition: Node) -> str:
    """Return the advice for a condition without cases."""
    if tested_for(condition) is None:
        return "'pavcodec count' counts it"
    return "'pavcodec count' tests deals, and estimates their number"


def _leaves(node: Node) -> list[Node]:
    """Return the functions in a node, each once, from left to right."""
    kinds = OfHand, *_FOREIGN
    nodes = distinct(node, stop=lambda part: isinstance(part, kinds))
    return [part for part in nodes if isinstance(part, kinds)]


def _figures(part: Node) -> list[OfHand]:
    """Return the functions of a part that has cases: all are functions of a hand."""
    return [leaf for leaf in _leaves(part) if isinstance(leaf, OfHand)]


def _seats(node: Node) -> list[Seat]:
    """Return the seats in a node, in the order of their first use."""
    return list(dict.fromkeys(part.seat for part in distinct(node) if hasattr(part, "seat")))


def _is_expressible(leaf: Node) -> bool:
    """Return whether a function depends only on shape and honours."""
    return isinstance(leaf, OfHand) and leaf.function.named_ranks <= BRIDGE.honours


def _dependence(part: Node) -> tuple[bool, bool]:
    """Return whether a part depends on the shape, and whether on the honours."""
    uses_shape = uses_honours = False
    for leaf in _figures(part):
        is_sum = isinstance(leaf.function, SumOverCards)
        uses_honours |= leaf.function.named_ranks > 0 or (is_sum and not isinstance(leaf, Length))
        # in a sum over cards, a whole hand has its 13 cards in any shape
        uses_shape |= not isinstance(leaf.function, SumOverCards) or (
            leaf.suit is not None and leaf.function.weights[-1] != 0
        )
    return uses_shape, uses_honours


def _cards_of(lengths: Lengths | None, honours: int | None) -> list[int]:
    """Return the cards of a hand; omitted lengths or honours are filled with the lowest cards.

    >>> _cards_of((1, 0, 3, 9), 0x8001)
    [0, 36, 37, 38, 42, 44, 45, 46, 47, 48, 49, 50, 51]
    >>> _cards_of(None, 0x0001)[:4]
    [42, 51, 50, 49]
    """
    if lengths is None:
        named = BRIDGE.honour_cards(honours or 0)
        spots = [
            card for s in range(BRIDGE.suits) for card in BRIDGE.suit_cards(s, spots_only=True)
        ]
        return named + spots[::-1][: BRIDGE.hand_size - len(named)]
    cards: list[int] = []
    for suit, length in enumerate(lengths):
        whole = BRIDGE.suit_cards(suit)
        named = [card for card in BRIDGE.honour_cards(honours or 0) if card in whole]
        spots = list(BRIDGE.suit_cards(suit, spots_only=honours is not None))
        cards += named + spots[len(spots) - (length - len(named)) :]
    return cards


def _combinations(columns: Sequence[Maps], count: int) -> tuple[Maps, Maps]:
    """Return the first row of each combination of values, and the combination of each row."""
    groups: Maps = np.zeros(count, np.int64)
    for column in columns:
        values, codes = np.unique(column, return_inverse=True)
        groups = np.unique(groups * len(values) + codes, return_inverse=True)[1]
    _, firsts, groups = np.unique(groups, return_index=True, return_inverse=True)
    return firsts, groups


def _suit_bits(maps: Maps, suit: int) -> Maps:
    """Return the honours of a suit as four bits, the ace highest."""
    return maps >> BRIDGE.honours * (BRIDGE.suits - 1 - suit) & (1 << BRIDGE.honours) - 1


def _column(leaf: OfHand, lengths: Lengths | None, maps: Maps) -> Maps:
    """Return the value of a function by map; `lengths` must be given if it depends on them."""
    function = leaf.function
    suits = range(BRIDGE.suits) if leaf.suit is None else [int(leaf.suit)]
    if isinstance(function, SumOverCards):
        return _sum_over_cards(function, suits, lengths, maps)
    assert lengths is not None
    if isinstance(function, OfLengths):
        return np.full(len(maps), function.of(lengths))
    tables = [_by_honours(function, lengths[suit]) for suit in suits]
    by_suit = [table[_suit_bits(maps, suit)] for suit, table in zip(suits, tables, strict=True)]
    values: Maps = np.sum(by_suit, axis=0) + function.of_lengths(lengths[suit] for suit in suits)
    return values


def _sum_over_cards(
    function: SumOverCards, suits: Sequence[int], lengths: Lengths | None, maps: Maps
) -> Maps:
    """Return sums of weights; all spot cards of the function have the same weight."""
    kind: Any = np.int64 if max(map(abs, function.weights)) < _SAFE else object
    spot = function.weights[-1]
    whole = BRIDGE.hand_size if lengths is None else sum(lengths[suit] for suit in suits)
    more = [function.of_suit(ranks) - spot * len(ranks) for ranks in all_holdings(BRIDGE.honours)]
    table = np.array(more, kind)
    sums: Maps = sum(
        (table[_suit_bits(maps, suit)] for suit in suits), np.array(spot * whole, kind)
    )
    return sums


@cache
def _by_honours(function: SumOverSuits, length: int) -> Maps:
    """Return the value of a function for a suit of a length, by its honours; low cards fill it."""
    spots = [
        (ranks, RANK_LETTERS[SUIT_SIZE - max(0, length - len(ranks)) :])
        for ranks in all_holdings(BRIDGE.honours)
    ]
    return np.array([function.of_suit(honours + low) for honours, low in spots])


_AT_ONCE = 1 << 18
"""The maximum number of cells of the last hand in a step."""
_CACHED_STEPS = 4
"""The number of cached steps, since the next access often uses the same step."""
_MOST_WORK = 1 << 37
_STEP_COSTS = 1 << 15
"""The fixed cost of a step, in cells."""


class CaseTable(CaseSequence):
    """A listing that is computed on demand; `pavcodec.case_table(where)` returns it.

    It is a sequence of `Case`, with `rows` in the form of the study; see `CaseSequence`. The first
    access counts all cases, which takes seconds for tens of millions. `save` writes them to a file.
    """

    def __init__(self, plan: Plan, conditions: list[Accepts], where: str = "") -> None:
        self.plan = plan
        self.where = where
        self.cells = [cells_of(plan, accepts) for accepts in conditions]
        self._choose = binomials(max(map(len, plan.groups)))
        self._at_once = _AT_ONCE
        self._parts = max(1, -(-len(self.cells[-1]) // self._at_once))
        self._recent = lru_cache(_CACHED_STEPS)(self._block)
        if len(self.cells) > 1:
            first, last = map(len, self.cells)
            if first * (last + _STEP_COSTS) > _MOST_WORK:
                raise NotCasesError(
                    f"the listing pairs {first:,} cases of the first hand with {last:,} of the "
                    "second, which is too many to go through; 'pavcodec count' counts them"
                )

    @property
    def steps(self) -> int:
        """The number of steps in `blocks`."""
        return self._parts * prod(map(len, self.cells[:-1]))

    def blocks(self, after: Case | None = None) -> Iterator[Block]:
        """Yield the cases of each step; only the cases after the case `after`, if given.

        The earlier steps are not computed. Raise `PavError` if the case is not in the listing.
        """
        if after is None:
            return map(self._block, range(self.steps))
        step, last_done = self._step_of(after)
        first, last, ways = self._block(step)
        rest = last > last_done
        head = Block(first, last[rest], ways[rest])
        return chain([head], map(self._block, range(step + 1, self.steps)))

    def steps_after(self, case: Case | None) -> int:
        """Return the number of steps in `blocks` after a case."""
        return self.steps if case is None else self.steps - self._step_of(case)[0]

    @property
    def cardinality(self) -> int:
        """The ways of all cases: hands for one hand, pairs of hands for two."""
        return self._index[1][-1]

    def __len__(self) -> int:
        return self._index[0][-1]

    def save(self, path: str | os.PathLike[str], *, resume: bool = False) -> int:
        """Write the listing to a file, and return the number of cases.

        The file appears only when it is complete; `pavcodec.open_cases` reads it. With `resume`,
        the complete blocks of an interrupted run stay in two files next to it, whose names end in
        `.part` and `.part.index`, and the next run with `resume` continues there. If these belong
        to another condition or were changed, there is a warning, and the listing starts again.
        Raise `PavError` if another process writes the same listing with `resume`.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "nine.cases")
        >>> case_table("spades(west) == 9").save(path, resume=True)
        15
        """
        from pavcodec.studies.cases.files import open_partial, write_cases

        if not resume:
            with open_output(path) as stream:
                return write_cases(self, self.blocks(), stream)
        with open_partial(self, path) as partial:
            if partial.refused:
                warnings.warn(partial.refused, stacklevel=2)
            return partial.write(partial.blocks())

    def select(self, number: SupportsIndex) -> int:
        """Return the position of the case for a number: the first with a greater running total.

        Raise `NumberError` outside 0 to `cardinality` - 1.
        >>> case_table("spades(west) == 9 && shape(east, xx66)").select(277777777777777)
        7
        """
        wanted = self._checked(number)
        starts, totals = self._index
        step = bisect_right(totals, wanted) - 1
        high, low = running_totals(self._recent(step).ways, totals[step])
        wanted_high, wanted_low = (np.uint64(part) for part in divmod(wanted, 1 << 64))
        passed = (high < wanted_high) | ((high == wanted_high) & (low <= wanted_low))
        return starts[step] + int(passed.sum())

    @cached_property
    def _index(self) -> tuple[list[int], list[int]]:
        """The numbers of cases before each step and after the last, and their running totals."""
        counts, totals = [], []
        for block in self.blocks():
            counts.append(len(block.ways))
            totals.append(total_of_words(block.ways))
        return list(accumulate(counts, initial=0)), list(accumulate(totals, initial=0))

    def _block(self, step: int) -> Block:
        first, part = divmod(step, self._parts)
        last = self.cells[-1]
        here = slice(part * self._at_once, min((part + 1) * self._at_once, len(last)))
        rows = np.arange(here.start, here.stop)
        available, ways = [len(group) for group in self.plan.groups], 1
        if len(self.cells) > 1:
            cells = self.cells[0]
            needs = cells.needs[:, first].tolist()
            ways = prod(map(comb, available, needs))
            available = [left - need for left, need in zip(available, needs, strict=True)]
            rows = rows[(last.named[here] & cells.named[first]) == 0]
        products = np.full(len(rows), ways, np.uint64)
        for left, need in zip(available, last.needs, strict=True):
            products *= self._choose[left][need[rows]]
        possible = products > 0
        return Block(first, rows[possible], products[possible])

    def _step_of(self, case: Case) -> tuple[int, int]:
        """Return the step of a case, and the index of its last cell."""
        cells = zip(self.cells, self.plan.hands(case), strict=True)
        *first, last = (of_hand.index_of(held) for of_hand, held in cells)
        if last is None or None in first:
            raise PavError(f"{case} is no case of this listing")
        step = sum(index or 0 for index in first) * self._parts + last // self._at_once
        return step, last

    def _at(self, position: int) -> Case:
        (case,) = self._cases(position, position + 1)
        return case

    def _cases(self, start: int, stop: int) -> Iterator[Case]:
        starts, totals = self._index
        for step in range(bisect_right(starts, start) - 1, self.steps):
            if starts[step] >= stop:
                return
            block = self._recent(step)
            here = slice(max(start - starts[step], 0), stop - starts[step])
            total = totals[step] + total_of_words(block.ways[: here.start])
            ways = zip(block.last[here].tolist(), block.ways[here].tolist(), strict=True)
            head = [self.cells[0][block.first]] if len(self.cells) > 1 else []
            for last, more in ways:
                total += more
                yield self.plan.case(total, [*head, self.cells[-1][last]])

    def __reduce__(self) -> tuple[object, ...]:
        return case_table, (self.where,)

    def __repr__(self) -> str:
        return f"case_table({self.where!r})"


def case_table(where: Expression | Node | str | int) -> CaseTable:
    """Return the cases of a condition on one hand or two, in the order of Pavlicek's study.

    Each part of the condition, between `&&`, depends on the shape and on the honours (A K Q J) of
    one hand. If only shapes matter, cases have shapes; if only honours matter, they have honours;
    otherwise they have both. The hands have the order of their first use in the condition. Raise
    `NotCasesError` for other conditions, and `TextError` for a text that is no condition.
    >>> table = case_table("shape(east, any 5332) && hcp(east) == 34")
    >>> len(table), table.cardinality, table.row(0).hands
    (48, 756, ['5=3=3=2 S A-K-Q-J H A-K-Q D A-K-Q C A-Q'])
    >>> table.deals.cardinality
    63865442143086998400
    """
    return table_of(read_hands(where), expression(where))


def table_of(hands: Sequence[HandCondition], where: Expression | None = None) -> CaseTable:
    """Return the cases of one hand or two; `where` is the condition for their name."""
    honours = any(hand.uses_honours for hand in hands)
    shapes = any(hand.uses_shape for hand in hands) or not honours
    plan = Plan(tuple(hand.seat for hand in hands), shapes, honours)
    if where is None:
        where = Expression(conjunction([part for hand in hands for part in hand.parts]))
    return CaseTable(plan, [hand.accepts for hand in hands], str(where))


# The study's method for three or four hands: two by cases, and rejection for the others.
#
# A listing deals the two most constrained hands. The other parts of the condition, on the other
# hands or on several hands together, are tested on each deal, and deals that do not satisfy them
# are rejected. All deals of the condition are equally likely, and their number is estimated.


@dataclass(frozen=True, eq=False)
class SelectedDeals(TestedDeals):
    """The deals of a listing that also satisfy a condition, which is tested deal by deal."""

    counted: CaseDeals  # type: ignore[assignment]  # also a numbering with a condition
    _is_drawn_in_loops: ClassVar[bool] = False


def select(deals: CaseDeals, rest: Sequence[Node]) -> CaseDeals | SelectedDeals:
    """Return the deals of a listing that also satisfy `rest`."""
    if not rest:
        return deals
    reasons = ("the deals of a listing are selected by it",) * len(rest)
    return SelectedDeals(deals, Expression(conjunction(rest)), reasons)


def deals_by_cases(where: Expression | Node | str | int) -> CaseDeals | SelectedDeals:
    """Return the deals of a condition by the study's method: two hands by cases, then rejection.

    The parts with cases are listed for the two hands that they constrain most, those with the
    fewest hands. If there are no other parts, the result is a numbering; otherwise the other parts
    are tested deal by deal. Raise `NotCasesError` if no part has cases, or if a listing is too
    long.

    >>> both = deals_by_cases("spades(west) == 9 && shape(east, xx66)")
    >>> both.cardinality
    5793043221084319200000
    >>> three = deals_by_cases("spades(west) == 9 && hcp(north) > 9 && shape(east, xx66)")
    >>> str(three.counted.where), str(three.tested)
    ('spades(west) == 9 && shape(east, xx66)', 'hcp(north) > 9')
    >>> three.sample(1, seed=7)[0]["N"].hcp
    11
    """
    condition = expression(where).node
    hands, rest = sort_parts(condition)
    if not hands:
        raise reason_of(rest[0] if rest else condition)
    listed = list(hands)
    if len(hands) > 2:
        fewest = sorted(hands, key=lambda hand: table_of([hand]).cardinality)[:2]
        listed = [hand for hand in hands if hand in fewest]
    known = {part for hand in listed for part in hand.parts}
    left = [part for part in parts_of(condition) if part not in known]
    return select(table_of(listed).deals, left)
