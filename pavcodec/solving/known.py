"""Double-dummy tricks that are known before any solving: a look-up by deal.

Deals that differ in the names of suits, or are turned round the table, have the same entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pavcodec.arrays.owners.hands import are_deals
from pavcodec.arrays.words.limbs import Limbs, are_new, sorting
from pavcodec.boards.tricks import NOT_SOLVED
from pavcodec.cards import DECK_SIZE, Seat, Strain, Suit
from pavcodec.layout import Layout
from pavcodec.layout.layout import layout_from_owners
from pavcodec.numberings import numbering

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners

__all__ = ["KnownTricks", "canonical_columns", "known_tricks"]

_SYMMETRY = "suits,turns"
_FEW = 4096
"""The most deals for which no compiled loops are loaded."""
_CONTRACTS = len(Strain) * len(Seat)
_HALF = np.uint64(32)


def canonical_columns(owners: Owners) -> tuple[Owners, NDArray[np.intp]]:
    """Return canonical deals, and the column that each column of tricks has in them.

    The columns are `intp[n, 20]`. Column `c` of the tricks of row `k` is column `columns[k, c]` of
    the tricks of the canonical deal.
    """
    canonical, ways = _canonical(owners)
    names = ways.astype(np.intp)
    suits, seats = names[:, : len(Suit)], names[:, len(Suit) :]
    strains = np.concatenate([np.zeros((len(ways), 1), np.intp), suits + 1], axis=1)
    columns = len(Seat) * strains[:, :, None] + seats[:, None, :]
    return canonical, columns.reshape(len(owners), _CONTRACTS)


def _canonical(owners: Owners) -> tuple[Owners, NDArray[np.uint8]]:
    """Return canonical deals and the permutations to them, as `canonical_many`."""
    if len(owners) > _FEW:
        from pavcodec.arrays.numberings.symmetry import canonical_many

        return canonical_many(owners, _SYMMETRY)
    found = [layout_from_owners(row.tobytes()).canonical(_SYMMETRY) for row in owners]
    words = b"".join(layout.owners for layout, _ in found)
    ways = b"".join(bytes(way.suits + way.seats) for _, way in found)
    names = len(Suit) + len(Seat)
    return (
        np.frombuffer(words, np.uint8).reshape(-1, DECK_SIZE),
        np.frombuffer(ways, np.uint8).reshape(-1, names),
    )


class KnownTricks:
    """The tricks of many deals, by their canonical deals; 36 bytes for each.

    >>> known = KnownTricks()
    >>> deals = numbering("deal").sample_many(3, seed=7)
    >>> known.add(deals, np.full((3, 20), 6, np.uint8))
    >>> len(known), known.lookup(deals[1:])[:, 0].tolist()
    (3, [6, 6])
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all tricks."""
        self._numbers: Limbs = np.empty((0, 2), np.uint64)
        self._tops: NDArray[np.uint64] = np.empty(0, np.uint64)
        self._tricks: NDArray[np.uint8] = np.empty((0, _CONTRACTS), np.uint8)

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, owners: Owners, tricks: NDArray[np.uint8]) -> None:
        """Add the tricks of deals, `uint8[n, 20]`; 255 is unknown. Other layouts are left out.

        Of several results of a contract, the first one counts.
        """
        chosen = are_deals(owners) & (tricks != NOT_SOLVED).any(axis=1)
        if not chosen.any():
            return
        canonical, columns = canonical_columns(np.ascontiguousarray(owners[chosen]))
        rows = np.empty((len(canonical), _CONTRACTS), np.uint8)
        np.put_along_axis(rows, columns, tricks[chosen], axis=1)
        numbers = np.concatenate([self._numbers, numbering("deal").rank_many(canonical)])
        rows = np.concatenate([self._tricks, rows])
        order = sorting(numbers)
        numbers, rows = numbers[order], rows[order]
        is_first = are_new(numbers)
        groups = np.cumsum(is_first) - 1
        joined = rows[is_first]
        for place in np.flatnonzero(~is_first).tolist():
            old = joined[groups[place]]
            joined[groups[place]] = np.where(old == NOT_SOLVED, rows[place], old)
        self._numbers, self._tricks = numbers[is_first], joined
        self._tops = _tops(self._numbers)

    def lookup(self, owners: Owners) -> NDArray[np.uint8]:
        """Return the tricks of layouts, `uint8[n, 20]`, with 255 where they are not known."""
        found = np.full((len(owners), _CONTRACTS), NOT_SOLVED, np.uint8)
        if not len(self):
            return found
        chosen = np.flatnonzero(are_deals(owners))
        if not len(chosen):
            return found
        canonical, columns = canonical_columns(owners[chosen])
        numbers = numbering("deal").rank_many(canonical)
        places = self._places(numbers)
        is_known = places >= 0
        rows = np.take_along_axis(self._tricks[places[is_known]], columns[is_known], axis=1)
        found[chosen[is_known]] = rows
        return found

    def _places(self, numbers: Limbs) -> NDArray[np.intp]:
        """Return the place of each number, or -1."""
        tops = _tops(numbers)
        places = np.searchsorted(self._tops, tops)
        found = np.full(len(numbers), -1)
        open_ = np.arange(len(numbers))
        while len(open_):
            at = places[open_]
            is_in = at < len(self._tops)
            open_, at = open_[is_in], at[is_in]
            is_same = self._tops[at] == tops[open_]
            open_, at = open_[is_same], at[is_same]
            is_it = (self._numbers[at] == numbers[open_]).all(axis=1)
            found[open_[is_it]] = at[is_it]
            open_ = open_[~is_it]
            places[open_] += 1
        return found

    def tricks_of(self, layout: Layout) -> bytes | None:
        """Return the tricks of a layout, as in a row of `lookup`; None if none are known."""
        row = self.lookup(np.frombuffer(layout.owners, np.uint8)[np.newaxis])[0]
        return None if (row == NOT_SOLVED).all() else row.tobytes()


def _tops(numbers: Limbs) -> NDArray[np.uint64]:
    """Return the highest 64 of the 96 bits of numbers of deals."""
    return np.asarray(numbers[:, 0] << _HALF | numbers[:, 1] >> _HALF, np.uint64)


known_tricks = KnownTricks()
"""The tricks that no solver needs to compute in this process; see `use_solved`."""
