"""Double-dummy tricks: many contracts are solved in one call, and the results are cached.

A contract here is a deal, a declarer and a strain.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from pavcodec.cards import Seat, Strain
from pavcodec.errors import PavError
from pavcodec.layout import Deal, Layout

if TYPE_CHECKING:
    import endplay.types as theirs

__all__ = ["Asked", "DoubleDummy", "Endplay", "Engine", "Solver", "double_dummy"]

Solver = Callable[[Deal, Seat, Strain], int]
"""A function from a deal, a declarer and a strain to the number of tricks."""

Asked = tuple[Layout, Seat, Strain]
"""A contract to solve: the deal, the declarer and the strain."""

T = TypeVar("T")

_DEAL = 13  # the cards of a hand, and so the tricks of a deal
_UNKNOWN = 255
_MOST_CACHED = 1 << 17  # deals; each needs about 300 bytes
_BATCH = 100  # contracts or deals in one call; the limit of endplay is 200


class Engine(ABC):
    """A double-dummy solver of many contracts in one call; it may use several threads."""

    @abstractmethod
    def contracts(self, asked: Sequence[Asked]) -> list[int]:
        """Return the tricks of each of at most 100 contracts."""

    @abstractmethod
    def strain(self, deals: Sequence[Layout], strain: Strain) -> list[list[int]]:
        """Return the tricks of N, E, S and W in a strain, for each of at most 100 deals.

        The time for the four declarers is about one and a half times the time for one.
        """


class DoubleDummy:
    """A solver with a cache of results; when the cache is full, it removes the oldest deal.

    A call with a deal, a declarer and a strain solves this contract only. `solve` solves many
    contracts in one call. The cache has room for `most` deals.
    """

    def __init__(self, engine: Engine, most: int = _MOST_CACHED) -> None:
        self._engine = engine
        self._most = most
        self._cache: dict[bytes, bytearray] = {}

    def __call__(self, deal: Layout, declarer: Seat, strain: Strain) -> int:
        """Return the tricks of a declarer; raise `PavError` if the engine cannot solve the deal."""
        found = self.known(deal, declarer, strain)
        if found is None:
            self.solve([(deal, declarer, strain)])
            found = self.known(deal, declarer, strain)
            assert found is not None
        return found

    def known(self, deal: Layout, declarer: Seat, strain: Strain) -> int | None:
        """Return the cached tricks of a declarer; None if they were not solved yet."""
        cached = self._cache.get(deal.owners)
        tricks = _UNKNOWN if cached is None else cached[_place(declarer, strain)]
        return None if tricks == _UNKNOWN else tricks

    def solve(self, asked: Iterable[Asked]) -> None:
        """Solve many contracts together, each once, and cache the results.

        Raises `PavError` if the engine cannot solve a deal.
        """
        new = [each for each in dict.fromkeys(asked) if self.known(*each) is None]
        seats: defaultdict[tuple[Layout, Strain], list[Seat]] = defaultdict(list)
        for deal, declarer, strain in new:
            seats[deal, strain].append(declarer)
        single = [(deal, s[0], strain) for (deal, strain), s in seats.items() if len(s) == 1]
        for part in _parts(single):
            for (deal, declarer, strain), tricks in zip(
                part, self._engine.contracts(part), strict=True
            ):
                self._store(deal, declarer, strain, tricks)
        for each in Strain:
            several = [deal for (deal, strain), s in seats.items() if strain == each and len(s) > 1]
            for deals in _parts(several):
                for deal, row in zip(deals, self._engine.strain(deals, each), strict=True):
                    for declarer, tricks in zip(Seat, row, strict=True):
                        self._store(deal, declarer, each, tricks)

    def _store(self, deal: Layout, declarer: Seat, strain: Strain, tricks: int) -> None:
        cached = self._cache.get(deal.owners)
        if cached is None:
            if len(self._cache) >= self._most:
                del self._cache[next(iter(self._cache))]
            cached = bytearray([_UNKNOWN]) * (len(Seat) * len(Strain))
            self._cache[deal.owners] = cached
        cached[_place(declarer, strain)] = tricks


def _place(declarer: Seat, strain: Strain) -> int:
    return len(Strain) * declarer + strain


def _parts(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield the items in parts, each small enough for one call of an engine."""
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]


class Endplay(Engine):
    """The engine of the package endplay, which contains the library DDS of Haglund and Hein."""

    def contracts(self, asked: Sequence[Asked]) -> list[int]:
        """Return the tricks of each contract; the seat after the declarer leads."""
        boards = []
        for deal, declarer, strain in asked:
            board, denoms, players = _board(deal)
            board.trump, board.first = denoms[strain], players[(declarer + 1) % len(Seat)]
            boards.append(board)
        from endplay.dds import solve_all_boards
        from endplay.dds.solve import SolveMode

        solved = _solved(asked[0][0], lambda: solve_all_boards(boards, SolveMode.OptimalOne))
        leads = [next(iter(solved[place]))[1] for place in range(len(boards))]
        return [_cards(each[0]) - int(lead) for each, lead in zip(asked, leads, strict=True)]

    def strain(self, deals: Sequence[Layout], strain: Strain) -> list[list[int]]:
        """Return the tricks of the declarers N, E, S and W in a strain, for each deal."""
        boards = []
        for deal in deals:
            board, denoms, players = _board(deal)
            boards.append(board)
        from endplay.dds import calc_all_tables

        others = [denom for each, denom in zip(Strain, denoms, strict=True) if each != strain]
        tables = _solved(deals[0], lambda: calc_all_tables(boards, others))
        return [
            # DDS returns 13 minus the tricks of the other side, also for hands of fewer cards
            [
                int(tables[place][denoms[strain], player]) - _DEAL + _cards(deal)
                for player in players
            ]
            for place, deal in enumerate(deals)
        ]


def _board(deal: Layout) -> tuple[theirs.Deal, tuple[theirs.Denom, ...], tuple[theirs.Player, ...]]:
    """Return (deal, strains, players) as objects of endplay; strains and players in our order.

    Raises `PavError` if endplay is not installed or the hands are not of equal size.
    """
    try:
        from endplay.types import Deal as Board
        from endplay.types import Denom, Player
    except ImportError:
        raise PavError(
            "tricks needs the package endplay: pip install 'pavcodec[double-dummy]'"
        ) from None
    if len({deal.owners.count(seat) for seat in Seat}) > 1 or not _cards(deal):
        raise PavError(f"tricks needs four hands of the same size, not '{deal}'")
    denoms = (Denom.nt, Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs)
    return Board(deal.to_pbn()), denoms, (Player.north, Player.east, Player.south, Player.west)


def _cards(deal: Layout) -> int:
    return deal.owners.count(Seat.NORTH)


def _solved(deal: Layout, solve: Callable[[], T]) -> T:
    """Return the result of endplay; raise `PavError` if endplay fails."""
    try:
        return solve()
    except RuntimeError as error:  # the base class of the errors of endplay
        raise PavError(f"endplay cannot solve '{deal}': {error}") from error


double_dummy = DoubleDummy(Endplay())
"""The default solver. It needs endplay: pip install 'pavcodec[double-dummy]'."""
