"""The double-dummy tricks of many deals, as an array.

Deals that are equal after new names of suits and a turn of the table are solved once: their tables
of tricks differ in the names only. `solve_wanted` solves the first deal of each such class, for the
contracts that any deal of the class needs, and copies the tricks to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.arrays.chunks import checked
from pavcodec.arrays.owners.hands import hand_sizes
from pavcodec.boards.tricks import NOT_SOLVED
from pavcodec.cards import DECK_SIZE, UNUSED, Seat, Strain
from pavcodec.errors import LayoutError
from pavcodec.layout.layout import layout_from_owners
from pavcodec.solving.contracts import ALL_CONTRACTS, ChosenContracts, columns_of
from pavcodec.solving.dds import MOST_BOARDS, BulkEngine, Dds
from pavcodec.solving.known import canonical_columns, known_tricks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners

__all__ = ["Classes", "OnSolved", "are_solvable", "solve_many", "solve_wanted"]

OnSolved = Callable[[int], object]
"""Receives the number of deals that were solved since its last call."""


def solve_many(
    owners: Owners, contracts: ChosenContracts = None, *, on_solved: OnSolved | None = None
) -> NDArray[np.uint8]:
    """Return the double-dummy tricks of many deals or endings: `uint8[n, 20]`.

    `owners` are `uint8[n, 52]`; in each row, the four hands have the same number of cards. A row of
    the result has the bytes of a `TrickTable`: column `4 * strain + declarer`, strains NT S H D C,
    declarers N E S W. `contracts` chooses some, such as `3NT by S`, `NT` or `N S`; the others have
    255. Rows that are equal up to the names of suits and a turn of the table are solved once.
    `on_solved` is called with the number of deals that were solved since the last call.

    The solver is DDS, which uses all processors. Raises `PavError` without the package endplay,
    `LayoutError` with the first row that cannot be solved, `TextError` for unknown contracts, and
    `TypeError` for another array.

    >>> from pavcodec import Layout
    >>> from pavcodec.boards.batch import owners_of
    >>> ending = Layout.from_pbn("N:AK... QJ... T9... 87...")
    >>> solve_many(owners_of([ending]), "NT, S by N")[:, :8].tolist()  # doctest: +SKIP
    [[2, 0, 2, 0, 2, 255, 255, 255]]
    """
    columns = columns_of(contracts)
    rows = checked("owners", owners, np.uint8, DECK_SIZE)
    _check(rows)
    wanted = np.zeros((len(rows), len(ALL_CONTRACTS)), bool)
    wanted[:, columns] = True
    return solve_wanted(rows, wanted, on_solved=on_solved, on_known=on_solved)


def _check(owners: Owners) -> None:
    """Raise `LayoutError` for the first row that no engine solves."""
    are_good = are_solvable(owners)
    if are_good.all():
        return
    row = int(are_good.argmin())
    if owners[row].max() > UNUSED:
        raise LayoutError(f"row {row}: an owner is 0 to {UNUSED}, not {owners[row].max()}")
    layout = layout_from_owners(owners[row].tobytes())
    raise LayoutError(f"row {row}: tricks needs four hands of the same size, not '{layout}'")


def are_solvable(owners: Owners) -> NDArray[np.bool_]:
    """Return whether the four hands of each row have the same number of cards: `bool[n]`."""
    cards = hand_sizes(owners)
    is_even = (cards == cards[:, :1]).all(axis=1) & (cards[:, 0] > 0)
    return np.asarray(is_even & (owners.max(axis=1, initial=0) <= UNUSED))


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of deals that differ in the names of suits and seats only."""

    firsts: NDArray[np.intp]
    """The first row of each class, in increasing order."""
    numbers: NDArray[np.intp]
    """The class of each row."""
    columns: NDArray[np.intp]
    """The column that each column of a row has in the canonical deal: `intp[n, 20]`."""

    @classmethod
    def of(cls, owners: Owners) -> Classes:
        """Return the classes of deals."""
        canonical, columns = canonical_columns(owners)
        keys = np.ascontiguousarray(canonical).view(np.dtype((np.void, DECK_SIZE)))[:, 0]
        _, firsts, numbers = np.unique(keys, return_index=True, return_inverse=True)
        order = np.argsort(firsts)
        return cls(
            firsts[order],
            np.argsort(order)[numbers.reshape(-1)],
            columns,
        )

    def to_firsts(self, wanted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the contracts of the first deal of each class that its deals need."""
        canonical = np.zeros((len(self.firsts), len(ALL_CONTRACTS)), bool)
        rows, columns = np.nonzero(wanted)
        canonical[self.numbers[rows], self.columns[rows, columns]] = True
        return np.take_along_axis(canonical, self.columns[self.firsts], axis=1)

    def from_firsts(self, tricks: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the tricks of all rows from those of the first deal of each class."""
        canonical = np.empty_like(tricks)
        np.put_along_axis(canonical, self.columns[self.firsts], tricks, axis=1)
        return np.take_along_axis(canonical[self.numbers], self.columns, axis=1)


def solve_wanted(
    owners: Owners,
    wanted: NDArray[np.bool_],
    engine: BulkEngine | None = None,
    *,
    on_solved: OnSolved | None = None,
    on_known: OnSolved | None = None,
) -> NDArray[np.uint8]:
    """Return the tricks of the contracts that are wanted, `bool[n, 20]`; the others have 255.

    Deals of one class are solved once, and tricks of `known_tricks` are not solved. The engine of
    DDS is the default. `on_known` receives the number of deals that need no engine.
    """
    if not wanted.any():
        return np.full(wanted.shape, NOT_SOLVED, np.uint8)
    classes = Classes.of(owners)
    firsts = owners[classes.firsts]
    needed = classes.to_firsts(wanted)
    tricks = known_tricks.lookup(firsts)
    was_needed = needed.any(axis=1)
    needed &= tricks == NOT_SOLVED
    if on_known is not None and (known := int((was_needed & ~needed.any(axis=1)).sum())):
        on_known(known)
    for solved in _solve_firsts(firsts, needed, tricks, engine or Dds()):
        if on_solved is not None and solved:
            on_solved(solved)
    return np.where(wanted, classes.from_firsts(tricks), np.uint8(NOT_SOLVED))


def _solve_firsts(
    owners: Owners, needed: NDArray[np.bool_], tricks: NDArray[np.uint8], engine: BulkEngine
) -> Iterator[int]:
    """Write the needed tricks call by call; yield how many deals each call has finished.

    A strain of which several declarers are needed is solved for all four.
    """
    declarers = needed.reshape(-1, len(Strain), len(Seat))
    counts = declarers.sum(axis=2)
    has_single = (counts == 1).any(axis=1)
    patterns = (counts > 1) @ (1 << np.arange(len(Strain)))
    for pattern in np.unique(patterns[patterns > 0]).tolist():
        strains = [strain for strain in Strain if pattern >> strain & 1]
        rows = np.flatnonzero(patterns == pattern)
        for part in _parts(rows, MOST_BOARDS // len(strains)):
            found = engine.strains(owners[part], strains)
            for place, strain in enumerate(strains):
                first = strain * len(Seat)
                tricks[part, first : first + len(Seat)] = found[:, place]
            yield int((~has_single[part]).sum())
    rows, columns = np.nonzero(needed & np.repeat(counts == 1, len(Seat), axis=1))
    is_last = np.append(rows[1:] != rows[:-1], True) if len(rows) else rows
    for part in _parts(np.arange(len(rows)), MOST_BOARDS):
        tricks[rows[part], columns[part]] = engine.contracts(owners[rows[part]], columns[part])
        yield int(is_last[part].sum())


def _parts(rows: NDArray[np.intp], most: int) -> Iterator[NDArray[np.intp]]:
    """Yield the rows in parts of nearly equal size, none with more than `most`."""
    return iter(np.array_split(rows, -(-len(rows) // most))) if len(rows) else iter(())
