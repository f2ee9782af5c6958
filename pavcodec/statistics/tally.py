"""A tally: the number of deals of a collection with each shape, point count and holder of a card.

Rule 1: A tally is a sum over deals. So the tallies of parts have the tally of the whole as their
sum, in any order, and the tally of all deals of a condition is the expectation for a random sample.
Rule 2: A compiled loop counts. The tests have the definition, a count deal by deal.
Rule 3: A tally of at most `MOST_KEPT` deals also has the deals, in 13 bytes each, since repeated
deals are in no count. The memory of a larger one does not grow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from pavcodec.arrays.chunks import Threads, checked, share
from pavcodec.arrays.owners.hands import hand_sizes
from pavcodec.arrays.owners.tallies import ROOM, card_words, tally_rows
from pavcodec.boards.batch import owners_of
from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, Seat, Strain, Suit
from pavcodec.constraints.arrays.evaluate import contains_rows
from pavcodec.constraints.operators import Expression
from pavcodec.errors import LayoutError, PavError
from pavcodec.layout import Deal
from pavcodec.layout.hand_functions import CONTROLS, HCP
from pavcodec.shapes import SHAPES

if TYPE_CHECKING:
    from pavcodec.arrays.owners.rows import Owners

__all__ = ["COUNTS", "MOST_KEPT", "Counts", "Tally"]

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
        for place, taken in enumerate(table.T):
            more = np.bincount(taken, minlength=HAND_SIZE + 1)
            self.counts["tricks"][divmod(place, _SEATS)] += more

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
    words, indexes = _tables()
    arrays = [counts[name] for name in _BY_LOOP]
    return int(tally_rows(words, indexes, HAND_SIZE, owners, *arrays))


@cache
def _tables() -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the words of the cards, and the index of each shape by its first three lengths."""
    indexes = np.zeros((ROOM,) * 3, np.int64)
    for index, shape in enumerate(SHAPES):
        indexes[shape[:3]] = index
    return card_words(HCP.weights, CONTROLS.weights, _SUITS), indexes
