"""The library DDS of Haglund and Hein, from the package endplay, called with arrays.

endplay declares the structures of the library for ctypes. numpy writes the cards of many deals into
such a structure and reads the results from another one, without an object for each deal. DDS starts
a thread for each processor in each call. It is not made for two calls at the same time, so calls
wait for each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pavcodec.arrays.owners.hands import hand_sizes
from pavcodec.cards import HAND_SIZE, RANK_LETTERS, Seat, Strain, Suit
from pavcodec.errors import MissingExtraError, PavError
from pavcodec.limits.threads import available, processors
from pavcodec.solving.contracts import column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners

    Columns = NDArray[np.intp] | Sequence[int]

__all__ = ["MOST_BOARDS", "BulkEngine", "Dds"]

MOST_BOARDS = 200
"""The most boards of a call; a board is a deal in one strain."""
_ALL_TRICKS, _ONE_CARD, _ALWAYS_SEARCH = -1, 1, 1
"""Arguments of DDS: no target of tricks; one best card; a score also if there is no choice."""
_NO_PAR = -1
_LOCK = Lock()
_AUTOMATIC = 0
_threads = [_AUTOMATIC]
"""The most threads of a call, as the library has it now."""


class BulkEngine(Protocol):
    """A double-dummy solver of arrays; each method solves at most 200 boards in a call."""

    def strains(self, owners: Owners, strains: Sequence[Strain]) -> NDArray[np.uint8]:
        """Return the tricks of N, E, S and W in some strains: `uint8[n, len(strains), 4]`.

        A deal is a board for each strain. The time for the four declarers of a board is about twice
        the time for one.
        """

    def contracts(self, owners: Owners, columns: Columns) -> NDArray[np.uint8]:
        """Return the tricks of one contract of each deal, by its column: `uint8[n]`."""


class Dds:
    """The engine of DDS. All hands of a deal have the same number of cards."""

    def strains(self, owners: Owners, strains: Sequence[Strain]) -> NDArray[np.uint8]:
        """Return the tricks of N, E, S and W in some strains: `uint8[n, len(strains), 4]`."""
        found = np.empty((len(owners), len(strains), len(Seat)), np.uint8)
        has_one_card = hand_sizes(owners)[:, 0] == 1
        for is_chosen, solve in ((has_one_card, self._one_by_one), (~has_one_card, self._tables)):
            if is_chosen.any():
                found[is_chosen] = solve(owners[is_chosen], strains)
        return found

    def _one_by_one(self, owners: Owners, strains: Sequence[Strain]) -> NDArray[np.uint8]:
        """Return the tricks contract by contract: tables of DDS are wrong for hands of one card."""
        contracts = [column(seat, strain) for strain in strains for seat in Seat]
        found = [self.contracts(owners, np.full(len(owners), each)) for each in contracts]
        return np.stack(found, axis=1).reshape(len(owners), len(strains), len(Seat))

    def _tables(self, owners: Owners, strains: Sequence[Strain]) -> NDArray[np.uint8]:
        """Return the tricks of hands with two cards or more."""
        dds, count = _library(), len(owners)
        deals, results, par = dds.ddTableDeals(), dds.ddTablesRes(), dds.allParResults()
        deals.noOfTables = count
        np.ctypeslib.as_array(deals.ddTableDeal)["cards"][:count] = _cards(owners)
        places = _places(strains)
        left_out = [int(place not in places) for place in range(len(Strain))]
        _call(lambda: dds.CalcAllTables(deals, _NO_PAR, left_out, results, par))
        table = np.ctypeslib.as_array(results.results)["resTable"][:count]
        # DDS returns 13 minus the tricks of the other side, also for hands of fewer cards
        fewer = HAND_SIZE - hand_sizes(owners)[:, 0]
        return np.asarray(table[:, places] - fewer[:, None, None], np.uint8)

    def contracts(self, owners: Owners, columns: Columns) -> NDArray[np.uint8]:
        """Return the tricks of one contract of each deal, by its column: `uint8[n]`."""
        dds, count = _library(), len(owners)
        strains, declarers = np.divmod(columns, len(Seat))
        boards, results = dds.boards(), dds.solvedBoards()
        boards.noOfBoards = count
        for field, value in (
            ("target", _ALL_TRICKS),
            ("solutions", _ONE_CARD),
            ("mode", _ALWAYS_SEARCH),
        ):
            np.ctypeslib.as_array(getattr(boards, field))[:count] = value
        deals = np.ctypeslib.as_array(boards.deals)
        deals["trump"][:count] = _places(strains)
        deals["first"][:count] = (declarers + 1) % len(Seat)
        deals["remainCards"][:count] = _cards(owners)
        _call(lambda: dds.SolveAllBoardsBin(boards, results))
        lost = np.ctypeslib.as_array(results.solvedBoard)["score"][:count, 0]
        return np.asarray(hand_sizes(owners)[:, 0] - lost, np.uint8)


def _library() -> Any:  # noqa: ANN401 (endplay has no types)
    """Return the declarations of the library; raise `PavError` without endplay."""
    try:
        from endplay import _dds
    except ImportError:
        raise MissingExtraError("double-dummy") from None
    return _dds


def _call(solve: Callable[[], object]) -> None:
    """Call the library alone, with the threads of this process; raise `PavError` if it fails."""
    try:
        with _LOCK:
            _limit_threads(processors())
            solve()
    except RuntimeError as error:  # the base class of the errors of endplay
        raise PavError(f"endplay cannot solve the deals: {error}") from error


def _places(strains: NDArray[np.int_] | Sequence[int]) -> NDArray[np.int_]:
    """Return the numbers of strains in DDS: S H D C NT."""
    return (np.asarray(strains) - 1) % len(Strain)


def _cards(owners: Owners) -> NDArray[np.uint32]:
    """Return the cards of each seat in each suit, as bits: the two is 4 and the ace 16384."""
    bits = np.uint32(4) << np.arange(len(RANK_LETTERS), dtype=np.uint32)[::-1]
    suits = owners.reshape(-1, 1, len(Suit), len(RANK_LETTERS))
    held = suits == np.arange(len(Seat), dtype=np.uint8)[:, None, None]
    return np.asarray((held * bits).sum(axis=3), np.uint32)


def _limit_threads(most: int) -> None:
    """Set the number of threads if it is another than before; for all processors DDS chooses."""
    wanted = most if most < available() else _AUTOMATIC
    if wanted != _threads[0]:
        _library().SetMaxThreads(wanted)
        _threads[0] = wanted
