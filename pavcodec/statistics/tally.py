"""A tally: the number of deals of a collection with each shape, point count and holder of a card.

Rule 1: A tally is a sum over deals. So the tallies of parts have the tally of the whole as their
sum, in any order, and the tally of all deals of a condition is the expectation for a random sample.
Rule 2: The kernel counts, many deals in one pass. The tests have the definition, a count deal by
deal.
Rule 3: A tally of at most `MOST_KEPT` deals also has the deals, in 13 bytes each, since repeated
deals are in no count. The memory of a larger one does not grow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import comb, prod
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pavcodec import kernel
from pavcodec.arrays import Threads, checked, share
from pavcodec.boards.batch import owners_of
from pavcodec.boards.tricks import NOT_SOLVED
from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, Seat, Strain, Suit
from pavcodec.chances.questions import ConditionLike, distribution
from pavcodec.constraints.columns import contains_rows
from pavcodec.constraints.counting.model import Model
from pavcodec.constraints.counting.pairs import DEAD
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.spaces.constrained import ConstrainedDeals
from pavcodec.constraints.spaces.deals import deals
from pavcodec.errors import LayoutError, PavError
from pavcodec.layout import Deal
from pavcodec.layout.columns import hand_sizes
from pavcodec.layout.hand import CONTROLS, HCP
from pavcodec.layout.layout import check_layout
from pavcodec.limits import MEMORY
from pavcodec.shapes import SHAPES, shape_index

if TYPE_CHECKING:
    from pavcodec.arrays import Owners
    from pavcodec.formats.arrays import DealRows


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

_NUMBERS = ("deals", "incomplete", "without_cards", "outside_condition")
_SHIFTS = np.array([0, 2, 4, 6], np.uint8)


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
        check_layout(deal)
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
            deals, counts = _count_rows(rows[part])
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

    def add_part(
        self, part: DealRows, *, where: Expression | None = None, threads: Threads = None
    ) -> None:
        """Count some boards of a collection; of their tricks, the rows with all contracts."""
        self.add(part.owners, where=where, threads=threads)
        self.without_cards += part.without_cards
        if part.tricks is not None:
            self.add_tricks([part.tricks[(part.tricks != NOT_SOLVED).all(axis=1)].tobytes()])

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

    def tricks_row(self) -> dict[str, object] | None:
        """Return for JSON each declarer's boards with 0 to 13 tricks; None without tricks."""
        if not self.boards_with_tricks:
            return None
        tricks = self.counts["tricks"].tolist()
        return {
            strain.letters: {seat.letter: tricks[strain][seat] for seat in Seat}
            for strain in Strain
        }

    def __iadd__(self, other: Tally) -> Self:
        """Add all counts of another tally."""
        for name in _NUMBERS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
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
        return all(getattr(self, name) == getattr(other, name) for name in _NUMBERS) and all(
            np.array_equal(self.counts[name], other.counts[name]) for name in COUNTS
        )

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __repr__(self) -> str:
        return f"<tally of {self.deals:,} deals>"


def _count_rows(owners: Owners) -> tuple[int, Counts]:
    """Return the number of deals among some rows, and their counts, by one pass of the kernel."""
    lengths = np.zeros((_GROUPS, _ROOM**3), np.int64)
    worth, tops = np.zeros((2, _GROUPS, _VALUES), np.int64)
    holders = np.zeros(COUNTS["holders"], np.int64)
    rows = np.ascontiguousarray(owners)
    deals = kernel.tally_deals(
        DECK_SIZE, card_words(), HAND_SIZE, len(rows), rows, lengths, worth, tops, holders
    )
    of_side = lengths[_SEATS].reshape((_ROOM,) * 3).T  # spades have the lowest bits
    counts = {
        "shapes": lengths[:_SEATS].take(_packed_shapes(), axis=1),
        "side_lengths": of_side[:_LENGTHS, :_LENGTHS, :_LENGTHS],
        "holders": holders,
    }
    for name, values in (("hcp", worth), ("controls", tops)):
        counts[name] = values[:_SEATS, : COUNTS[name][1]]
        counts[f"side_{name}"] = values[_SEATS, : COUNTS[f"side_{name}"][0]]
    return int(deals), counts


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
# enough to count by the cards of each kind in the pool; the number of hands with given numbers of
# cards of each kind is a product of binomials, which enters kind by kind.


_NORTH_SOUTH = (Seat.NORTH, Seat.SOUTH)
_BINOMIALS = np.array([[comb(all_, some) for some in range(_LENGTHS)] for all_ in range(_LENGTHS)])


class _Kinds(NamedTuple):
    """A division of the deck: the words for the cards of each kind but the last, and all sizes."""

    words: tuple[str, ...]
    sizes: tuple[int, ...]


_BY_SUIT = _Kinds(("spades", "hearts", "diamonds"), (SUIT_SIZE,) * _SUITS)
_BY_RANK = _Kinds(("aces", "kings", "queens", "jacks"), (_SUITS,) * 4 + (DECK_SIZE - 4 * _SUITS,))
_WORTH = {"hcp": HCP.weights[:5], "controls": CONTROLS.weights[:5]}
"""The points and the controls of a card of each kind of ranks."""

Rows = NDArray[np.int64]
Ways = NDArray[np.object_]


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


def condition_to_test(space: ConstrainedDeals) -> Expression | None:
    """Return the condition that each deal must satisfy; None if all deals do."""
    return None if space.probability == 1 else space.where


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
    space = space_of(given, memory)
    holdings = _Holdings(space, memory)
    tally = Tally()
    tally.deals = space.cardinality
    counts = tally.counts = {name: _zeros(sizes) for name, sizes in COUNTS.items()}
    counts["holders"] = holders_of(space.model)
    for seat in Seat:
        lengths, ways = holdings.of(_BY_SUIT, (seat,))
        shapes = [shape_index((s, h, d, c)) for s, h, d, c in lengths.tolist()]
        np.add.at(counts["shapes"][seat], shapes, ways)
        worth, ways = holdings.worth((seat,))
        for name, values in zip(_WORTH, worth.T, strict=True):
            np.add.at(counts[name][seat], values, ways)
    lengths, ways = holdings.of(_BY_SUIT, _NORTH_SOUTH)
    np.add.at(counts["side_lengths"], tuple(lengths[:, :-1].T), ways)
    worth, ways = holdings.worth(_NORTH_SOUTH)
    for name, values in zip(_WORTH, worth.T, strict=True):
        np.add.at(counts[f"side_{name}"], values, ways)
    return tally


class _Holdings:
    """The cards of each kind that seats hold together, in all deals of a condition."""

    def __init__(self, space: ConstrainedDeals, memory: int | str) -> None:
        self._space, self._memory = space, memory
        self._conditioned = tuple(seat for seat in Seat if seat not in space.model.free)
        self._counted, self._of = cache(self._count), cache(self._hold)

    def of(self, kinds: _Kinds, seats: Sequence[Seat]) -> tuple[Rows, Ways]:
        """Return rows of the numbers of cards of each kind, and the deals with each row.

        A row may occur more than once. All free seats have the same rows.
        """
        own = tuple(seat for seat in seats if seat in self._conditioned)
        return self._of(kinds, own, len(seats) - len(own))

    def worth(self, seats: Sequence[Seat]) -> tuple[Rows, Ways]:
        """Return rows of points and controls, and the deals with each row; see `of`."""
        if set(seats) <= set(self._conditioned):  # two numbers are quicker to count than four
            worth, ways = self._counted((*_WORTH,), (tuple(seats),))
            return worth[:, 0], ways
        ranks, ways = self.of(_BY_RANK, seats)
        return ranks @ np.array([*_WORTH.values()]).T, ways

    def _hold(self, kinds: _Kinds, own: tuple[Seat, ...], free: int) -> tuple[Rows, Ways]:
        """Return the rows of some conditioned seats and some free ones together."""
        groups = dict.fromkeys(filter(None, (own, self._conditioned if free else ())))
        some, ways = self._counted(kinds.words, tuple(groups))
        sizes = np.array([HAND_SIZE * len(group) for group in groups] or [0])
        rows: Rows = np.dstack([some, sizes - some.sum(axis=2)])
        if not free:
            return rows[:, 0], ways
        held: Rows = rows[:, 0] if own else np.zeros_like(rows[:, 0])
        pool: Rows = np.array(kinds.sizes) - rows[:, -1]
        for kind in range(len(kinds.words)):
            held, pool, ways = _dealt(held, pool, ways, kind)
        last = HAND_SIZE * (len(own) + free) - held.sum(axis=1)
        fits = (last >= 0) & (last <= pool[:, -1])
        held, pairs = held[fits], zip(pool[fits, -1].tolist(), last[fits].tolist(), strict=True)
        held[:, -1] += last[fits]
        choices = comb(DECK_SIZE - HAND_SIZE * len(self._conditioned), HAND_SIZE * free)
        return held, ways[fits] * np.array([comb(*pair) for pair in pairs], object) // choices

    def _count(
        self, words: tuple[str, ...], groups: tuple[tuple[Seat, ...], ...]
    ) -> tuple[Rows, Ways]:
        """Return the numbers of each group of conditioned seats: rows `[n, groups, words]`."""
        if not groups:
            all_deals = np.array([self._space.cardinality], object)
            return np.zeros((1, 1, len(words)), np.int64), all_deals
        numbers = [
            " + ".join([f"{word}({seat.name.lower()})" for seat in group])
            for group in groups
            for word in words
        ]
        counts = distribution(*numbers, given=self._space, memory=self._memory).counts
        rows = np.array(list(counts)).reshape(len(counts), len(groups), len(words))
        return rows, np.array(list(counts.values()), object)


def _dealt(held: Rows, pool: Rows, ways: Ways, kind: int) -> tuple[Rows, Rows, Ways]:
    """Deal any number of the cards of a kind from the pool; return the distinct rows."""
    choices = pool[:, kind] + 1
    rows = np.repeat(np.arange(len(pool)), choices)
    taken = np.arange(len(rows)) - np.repeat(choices.cumsum() - choices, choices)
    ways = ways[rows] * _BINOMIALS[pool[rows, kind], taken]
    held, pool = held[rows], pool[rows]
    held[:, kind] += taken
    pool[:, kind] = 0
    both = np.hstack([held, pool])
    packed = both @ (1 << 6 * np.arange(both.shape[1]))  # a number of cards has six bits
    _, first, places = np.unique(packed, return_index=True, return_inverse=True)
    totals = _zeros((len(first),))
    np.add.at(totals, places, ways)
    return held[first], pool[first], totals


def _zeros(sizes: tuple[int, ...]) -> Ways:
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
