"""A tally: the number of deals of a collection with each shape, point count and holder of a card.

Rule 1: A tally is a sum over deals. So the tallies of parts have the tally of the whole as their
sum, in any order, and the tally of all deals of a condition is the expectation for a random sample.
Rule 2: The kernel counts, many deals in one pass. The tests have the definition, a count deal by
deal.
Rule 3: A tally of at most `MOST_KEPT` deals also has the deals, in 13 bytes each, since repeated
deals are in no count. The memory of a larger one does not grow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from math import comb, prod
from operator import add, mul
from threading import Lock
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from pavcodec import kernel
from pavcodec.arrays import Threads, checked, share
from pavcodec.boards.batch import owners_of
from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, Seat, Strain, Suit
from pavcodec.chances.questions import ConditionLike, distribution
from pavcodec.constraints.columns import contains_rows
from pavcodec.constraints.counting.model import Model
from pavcodec.constraints.counting.pairs import DEAD
from pavcodec.constraints.expressions import (
    aces,
    controls,
    diamonds,
    hcp,
    hearts,
    jacks,
    kings,
    queens,
    spades,
)
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.spaces.constrained import ConstrainedDeals
from pavcodec.constraints.spaces.deals import deals
from pavcodec.errors import LayoutError, PavError
from pavcodec.layout import Deal
from pavcodec.layout.columns import hand_sizes
from pavcodec.layout.hand import CONTROLS, HCP
from pavcodec.limits import MEMORY
from pavcodec.shapes import SHAPES, shape_index

if TYPE_CHECKING:
    from pavcodec.arrays import Owners


Counts = dict[str, NDArray[Any]]

_SEATS, _SUITS = len(Seat), len(Suit)
_LENGTHS = SUIT_SIZE + 1

MOST_KEPT = 1 << 20
"""The greatest number of deals that a tally keeps."""

COUNTS: dict[str, tuple[int, ...]] = {
    "shapes": (_SEATS, len(SHAPES)),
    "hcp": (_SEATS, HCP.most(HAND_SIZE) + 1),
    "controls": (_SEATS, CONTROLS.most(HAND_SIZE) + 1),
    "side_lengths": (_LENGTHS,) * 3,
    "side_hcp": (HCP.most(2 * HAND_SIZE) + 1,),
    "side_controls": (CONTROLS.most(2 * HAND_SIZE) + 1,),
    "holders": (DECK_SIZE, _SEATS),
    "tricks": (len(Strain), _SEATS, HAND_SIZE + 1),
}
"""The names and the sizes of the counts. For each seat: shapes by index, points and controls. For
North and South together: the lengths of spades, hearts and diamonds, points and controls; those of
East and West follow. For each card: its holder. For boards with double-dummy tricks: the tricks of
each declarer in each strain."""

_SHIFTS = np.array([0, 2, 4, 6], np.uint8)
_BY_LOOP = ("shapes", "hcp", "controls", "side_lengths", "side_hcp", "side_controls", "holders")


class Tally:
    """Counts the properties of deals; a tally can grow, and tallies can be added.

    `deals` is the number of counted complete deals, `incomplete` that of other layouts,
    `without_cards` that of boards without cards, `outside_condition` that of deals that do not
    satisfy the condition. `counts` has an array of integers for each name in `COUNTS`.

    >>> from pavcodec import numbering
    >>> one, other = Tally(), Tally()
    >>> one.add(numbering("deal").sample_many(1000, seed=7))
    >>> other.add(numbering("deal").sample_many(1000, seed=7, start=1000))
    >>> both = one + other
    >>> both.deals, both.counts["hcp"][0, 10].item(), both.counts["holders"][0].tolist()
    (2000, 191, [496, 526, 498, 480])
    """

    def __init__(self) -> None:
        """Start with no deals."""
        self.deals = 0
        self.incomplete = 0
        self.without_cards = 0
        self.outside_condition = 0
        self.counts: Counts = {name: np.zeros(sizes, np.int64) for name, sizes in COUNTS.items()}
        self._kept = bytearray()

    @classmethod
    def of(cls, owners: Owners) -> Self:
        """Return the tally of some layouts, `uint8[n, 52]`."""
        tally = cls()
        tally.add(owners)
        return tally

    @property
    def boards_with_tricks(self) -> int:
        """The number of boards with double-dummy tricks."""
        return int(self.counts["tricks"][0, 0].sum())

    @property
    def kept(self) -> Owners | None:
        """The owners of all deals, `uint8[n, 52]`; None if there are more than `MOST_KEPT`."""
        packed = np.frombuffer(self._kept, np.uint8).reshape(-1, DECK_SIZE // _SEATS, 1)
        if len(packed) != self.deals:
            return None
        owners: Owners = packed >> _SHIFTS & np.uint8(_SEATS - 1)
        return owners.reshape(-1, DECK_SIZE)

    def add_deal(self, deal: Deal) -> None:
        """Count one deal."""
        self.add(owners_of([deal]))

    def add(
        self, owners: Owners, *, where: Expression | None = None, threads: Threads = None
    ) -> None:
        """Count the layouts of an array `uint8[n, 52]`; count incomplete ones separately.

        With `where`, also count the deals that do not satisfy it. Raise `TypeError` for another
        type of array and `LayoutError` for an owner above 4.
        """
        rows = checked("owners", owners, np.uint8, DECK_SIZE)
        if where is not None and not isinstance(where, Expression):
            raise TypeError(f"a condition is an Expression, not {type(where).__name__!r}")
        if len(rows) and rows.max() > _SEATS:
            bad = int((rows > _SEATS).any(axis=1).argmax())
            raise LayoutError(f"row {bad}: an owner is 0 to {_SEATS}, not {rows[bad].max()}")
        lock = Lock()

        def work(part: slice) -> None:
            counts: Counts = {name: np.zeros(COUNTS[name], np.int64) for name in _BY_LOOP}
            deals = count_rows(rows[part], counts)
            with lock:
                self.deals += deals
                self.incomplete += len(rows[part]) - deals
                for name, more in counts.items():
                    self.counts[name] += more

        before = self.deals
        share(work, len(rows), threads)
        self._keep(rows, self.deals - before)
        if where is not None:
            fit = contains_rows(where.node, (HAND_SIZE,) * _SEATS, rows, threads=threads)
            self.outside_condition += self.deals - before - int(fit.sum())

    def _keep(self, rows: Owners, deals: int) -> None:
        """Keep the deals among some rows, with the owners of four cards in a byte."""
        if self.deals > MOST_KEPT:
            self._kept.clear()
            return
        if deals < len(rows):
            rows = rows[(hand_sizes(rows) == HAND_SIZE).all(axis=1)]
        cards = rows.reshape(-1, DECK_SIZE // _SEATS, _SEATS)
        self._kept += np.bitwise_or.reduce(cards << _SHIFTS, axis=2).tobytes()

    def add_tricks(self, tricks: Sequence[bytes]) -> None:
        """Count double-dummy tricks, each text one `TrickTable.tricks` or several."""
        given: object = tricks
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise TypeError(f"tricks are a list of 20 bytes each, not {type(given).__name__!r}")
        data, columns = np.frombuffer(b"".join(tricks), np.uint8), len(Strain) * _SEATS
        if len(data) % columns or data.max(initial=0) > HAND_SIZE:
            raise PavError(f"tricks are {columns} bytes from 0 to {HAND_SIZE} for each deal")
        table = data.reshape(-1, columns)
        for column, taken in enumerate(table.T):
            more = np.bincount(taken, minlength=HAND_SIZE + 1)
            self.counts["tricks"][divmod(column, _SEATS)] += more

    def __iadd__(self, other: Tally) -> Self:
        """Add all counts of another tally."""
        self.deals += other.deals
        self.incomplete += other.incomplete
        self.without_cards += other.without_cards
        self.outside_condition += other.outside_condition
        for name, more in other.counts.items():
            self.counts[name] = self.counts[name] + more
        self._kept += other._kept
        if self.deals > MOST_KEPT:
            self._kept.clear()
        return self

    def __add__(self, other: Tally) -> Tally:
        """Return the sum of two tallies."""
        both = Tally()
        both += self
        both += other
        return both

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        numbers = ("deals", "incomplete", "without_cards", "outside_condition")
        return all(getattr(self, name) == getattr(other, name) for name in numbers) and all(
            np.array_equal(self.counts[name], other.counts[name]) for name in COUNTS
        )

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __repr__(self) -> str:
        return f"<tally of {self.deals:,} deals>"


def count_rows(owners: Owners, counts: Counts) -> int:
    """Add the deals among some rows to the counts in one pass; return the number of deals."""
    lengths = np.zeros((_GROUPS, _ROOM**3), np.int64)
    worth, tops = np.zeros((2, _GROUPS, _VALUES), np.int64)
    rows = np.ascontiguousarray(owners)
    words = card_words()
    found = kernel.tally_deals(
        DECK_SIZE, words, HAND_SIZE, len(rows), rows, lengths, worth, tops, counts["holders"]
    )
    counts["shapes"] += lengths[:_SEATS].take(_packed_shapes(), axis=1)
    of_side = lengths[_SEATS].reshape((_ROOM,) * 3).T  # spades have the lowest bits
    for name, more in (("hcp", worth), ("controls", tops)):
        counts[name] += more[:_SEATS, : counts[name].shape[1]]
        counts[f"side_{name}"] += more[_SEATS, : len(counts[f"side_{name}"])]
    counts["side_lengths"] += of_side[:_LENGTHS, :_LENGTHS, :_LENGTHS]
    return int(found)


_GROUPS = _SEATS + 1
"""The groups of hands: each seat, and North and South together."""
_ROOM, _VALUES = 16, 64
"""The numbers of values of a length, and of points or controls."""


@cache
def card_words() -> NDArray[np.uint64]:
    """Return the word of each card: its suit, points and controls, as `kernel.tally_deals` has it.

    >>> [hex(word) for word in card_words()[::13].tolist()]
    ['0x102040001', '0x102040010', '0x102040100', '0x102041000']
    """
    return np.array(
        [
            1 << 4 * suit | worth << 16 | tops << 24 | 1 << 32
            for suit in range(_SUITS)
            for worth, tops in zip(HCP.weights, CONTROLS.weights, strict=True)
        ],
        np.uint64,
    )


@cache
def _packed_shapes() -> NDArray[np.int64]:
    """Return the lengths of spades, hearts and diamonds of each shape, as one number."""
    return np.array(SHAPES)[:, :3] @ (_ROOM ** np.arange(3))


# The exact tally of all deals of a condition: the expectation for a random collection.
#
# Rule 1: The result equals that of `Tally.add` for each deal of the condition once. Rule 2: The
# model of the condition counts the hands of its seats. The other seats, the free ones, share the
# *pool*: the remaining cards. All choices of a hand from the pool are equally likely. So it is
# enough to count the cards of each kind in the pool; the number of hands with given numbers of
# cards of each kind is a product of binomials.


_HONOURS = 4
_NORTH_SOUTH = (Seat.NORTH, Seat.SOUTH)

Kind = Callable[[Seat], Expression]
"""A number of a seat: how many cards of one kind it has."""

Cards = tuple[int, ...]
"""The numbers of cards of each kind: by suit, or aces, kings, queens, jacks and other cards."""

_SUIT_SIZES: Cards = (SUIT_SIZE,) * len(Suit)
_RANKS: Cards = (len(Suit),) * _HONOURS + (DECK_SIZE - _HONOURS * len(Suit),)


def space_of(given: ConditionLike, memory: int | str = MEMORY) -> ConstrainedDeals:
    """Return the deals of a condition; raise `PavError` if they are uncountable or there are none.

    >>> space_of("spades(west) == 9").cardinality
    4968111751882804000476000
    """
    space = given if isinstance(given, ConstrainedDeals) else None
    if space is None and isinstance(given, Expression | str | int):
        counted = deals(given, memory=memory, method="exact")
        if not isinstance(counted, ConstrainedDeals):
            raise PavError(f"expectations need exact counts, but {counted.reasons[0]}")
        space = counted
    if space is None:
        raise PavError(f"expectations need a condition with exact counts, not {given!r}")
    if not space.cardinality:
        raise PavError(f"there are no deals with '{space.where}'")
    return space


def expected_tally(given: ConditionLike = 1, *, memory: int | str = MEMORY) -> Tally:
    """Return the tally of all deals that satisfy a condition, by exact counting.

    Its counts are integers of any size. Raise `PavError` if they cannot be counted, and
    `ModelTooLarge` if counting needs too much memory.

    >>> tally = expected_tally("spades(west) == 9")
    >>> tally.deals, tally.counts["hcp"][3, 37]
    (4968111751882804000476000, 0)
    >>> from fractions import Fraction
    >>> Fraction(tally.counts["holders"][0, 3], tally.deals)  # West has the ace of spades
    Fraction(9, 13)
    """
    return _Expectation(space_of(given, memory), memory).tally()


@dataclass(frozen=True)
class _Expectation:
    space: ConstrainedDeals
    memory: int | str

    def tally(self) -> Tally:
        """Return the tally with all counts."""
        tally = Tally()
        tally.deals = self.space.cardinality
        tally.counts = {name: _zeros(sizes) for name, sizes in COUNTS.items()}
        equal = {seat: Seat(self._free[0]) if seat in self._free else seat for seat in Seat}
        lengths_of = {seat: self._lengths([seat]) for seat in set(equal.values())}
        worth_of = {seat: self._worth([seat]) for seat in set(equal.values())}
        for seat in Seat:
            for (s, h, d, c), ways in lengths_of[equal[seat]].items():
                tally.counts["shapes"][int(seat), shape_index((s, h, d, c))] += ways
            for (worth, tops), ways in worth_of[equal[seat]].items():
                tally.counts["hcp"][seat, worth] += ways
                tally.counts["controls"][seat, tops] += ways
        for lengths, ways in self._lengths(_NORTH_SOUTH).items():
            tally.counts["side_lengths"][lengths[:-1]] += ways
        for (worth, tops), ways in self._worth(_NORTH_SOUTH).items():
            tally.counts["side_hcp"][worth] += ways
            tally.counts["side_controls"][tops] += ways
        tally.counts["holders"] = holders_of(self.space.model)
        return tally

    @cached_property
    def _free(self) -> tuple[int, ...]:
        return self.space.model.free

    def _lengths(self, seats: Sequence[Seat]) -> Counter[Cards]:
        """Return the number of deals for each combination of suit lengths of the seats together."""
        if all(seat in self._free for seat in seats):
            totals: Counter[Cards] = Counter()
            for pool, ways in self._pool_of_suits.items():
                for lengths, share in self._choices(pool, ways, HAND_SIZE * len(seats)):
                    totals[lengths] += share
            return totals
        suits = [_together(suit, seats) for suit in (spades, hearts, diamonds)]
        return Counter(dict(self._completed(self._counts_by(suits), HAND_SIZE * len(seats))))

    def _worth(self, seats: Sequence[Seat]) -> Counter[tuple[int, int]]:
        """Return the number of deals for each pair of points and controls of the seats together."""
        totals: Counter[tuple[int, int]] = Counter()
        if all(seat in self._free for seat in seats):
            for pool, ways in self._pool_of_ranks.items():
                for held, share in self._choices(pool, ways, HAND_SIZE * len(seats)):
                    totals[_worth_of(held)] += share
            return totals
        both = [_together(each, seats) for each in (hcp, controls)]
        for (worth, tops), ways in self._counts_by(both).items():
            totals[worth, tops] += ways
        return totals

    @cached_property
    def _pool_of_suits(self) -> dict[Cards, int]:
        """The number of deals for each pool, by its cards of each suit."""
        return self._pool(_SUIT_SIZES, [spades, hearts, diamonds])

    @cached_property
    def _pool_of_ranks(self) -> dict[Cards, int]:
        """The number of deals for each pool, by its aces, kings, queens, jacks and others."""
        return self._pool(_RANKS, [aces, kings, queens, jacks])

    def _pool(self, deck: Cards, kinds: Sequence[Kind]) -> dict[Cards, int]:
        conditioned = [seat for seat in Seat if seat not in self._free]
        if not conditioned:
            return {deck: self.space.cardinality}
        counts = self._counts_by([_together(kind, conditioned) for kind in kinds])
        return {
            tuple(all_ - some for all_, some in zip(deck, taken, strict=True)): ways
            for taken, ways in self._completed(counts, HAND_SIZE * len(conditioned))
        }

    def _choices(self, pool: Cards, ways: int, size: int) -> Iterator[tuple[Cards, int]]:
        """Yield (cards of each kind, deals) for hands of `size` cards from a pool."""
        choices = comb(sum(pool), size)
        *rows, of_last = ([comb(most, taken) for taken in range(most + 1)] for most in pool)
        hands: list[tuple[Cards, int, int]] = [((), size, ways)]  # held, still to choose, ways
        for row in rows:
            hands = [
                ((*held, taken), left - taken, part * of_kind)
                for held, left, part in hands
                for taken, of_kind in enumerate(row[: left + 1])
            ]
        for held, left, part in hands:
            if left < len(of_last):
                yield (*held, left), part * of_last[left] // choices

    def _counts_by(self, numbers: Sequence[Expression]) -> dict[Cards, int]:
        """Return the number of deals for each combination of values of the numbers."""
        values = distribution(*numbers, given=self.space, memory=self.memory)
        return {row: ways for row, ways in values.counts.items() if isinstance(row, tuple)}

    @staticmethod
    def _completed(counts: dict[Cards, int], size: int) -> Iterator[tuple[Cards, int]]:
        """Yield counts with the number of cards of the last kind added: the rest of `size`."""
        for some, ways in counts.items():
            yield (*some, size - sum(some)), ways


def _together(kind: Kind, seats: Sequence[Seat]) -> Expression:
    return reduce(add, map(kind, seats))


@cache
def _worth_of(held: Cards) -> tuple[int, int]:
    """Return points and controls of some aces, kings, queens, jacks and other cards."""
    worth, tops = (sum(map(mul, held[:_HONOURS], function.weights)) for function in (HCP, CONTROLS))
    return worth, tops


def _zeros(sizes: tuple[int, ...]) -> NDArray[np.object_]:
    zeros = np.empty(sizes, object)
    zeros[...] = 0
    return zeros


def holders_of(model: Model) -> NDArray[np.object_]:
    """Return the number of deals of a model with each card at each seat: integers `[cards, seats]`.

    A child of a node assigns the card to a seat. The number of words through it is the number of
    ways from the first card to the node, times that from the child to the last card. Free seats
    share a letter, in proportion to their sizes.
    """
    sizes = [model.sizes[seat] for seat in model.free]
    arrangements = prod(comb(sum(sizes[index:]), size) for index, size in enumerate(sizes))
    holders = _zeros((len(model.layers), len(model.sizes)))
    arrived = np.array([1], object)
    for card, layer in enumerate(model.layers):
        is_last = card + 1 == len(model.layers)
        onward = np.array([1], object) if is_last else _integers(model.layers[card + 1].ways)
        after = np.array([0] * len(onward), object)
        for letter, children in enumerate(layer.children.T):
            living = children != DEAD
            reached, words = children[living], arrived[living]
            np.add.at(after, reached, words)
            ways = int((words * onward[reached]).sum()) * arrangements
            if letter < len(model.seats):
                holders[card, model.seats[letter]] += ways
            else:
                for seat, size in zip(model.free, sizes, strict=True):
                    holders[card, seat] += ways * size // sum(sizes)
        arrived = after
    return holders


def _integers(limbs: NDArray[np.uint64]) -> NDArray[np.object_]:
    high, low = (limbs[:, column].astype(object) for column in (0, 1))
    whole: NDArray[np.object_] = high * (1 << 64) + low
    return whole
