"""Double-dummy tricks: solved contract by contract, many together, and kept for the run."""

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
"""Says how many tricks a declarer takes in a strain."""

Asked = tuple[Layout, Seat, Strain]
"""A contract to be solved: the deal, the declarer and the strain."""

T = TypeVar("T")

_DEAL = 13  # the cards of a hand, and so the tricks of a deal
_UNKNOWN = 255
_MOST_KEPT = 1 << 17  # deals; each takes about 300 bytes
_AT_ONCE = 100  # endplay takes up to 200


class Engine(ABC):
    """Solves many contracts at once, with as many threads as it has."""

    @abstractmethod
    def contracts(self, asked: Sequence[Asked]) -> list[int]:
        """Return the tricks of each of at most 100 contracts."""

    @abstractmethod
    def strain(self, deals: Sequence[Layout], strain: Strain) -> list[list[int]]:
        """Return the tricks of the four declarers in a strain, for each of at most 100 deals.

        This takes about one and a half times as long as one declarer.
        """


class DoubleDummy:
    """A solver that keeps what it has solved; the deals that came first go when it has too many.

    Called with a deal, a declarer and a strain, it solves this contract and no other. `solve` takes
    many at once.
    """

    def __init__(self, engine: Engine, most: int = _MOST_KEPT) -> None:
        self._engine = engine
        self._most = most
        self._kept: dict[bytes, bytearray] = {}

    def __call__(self, deal: Layout, declarer: Seat, strain: Strain) -> int:
        """Return the tricks of a declarer; raise `PavError` where nobody can solve them."""
        found = self.known(deal, declarer, strain)
        if found is None:
            self.solve([(deal, declarer, strain)])
            found = self.known(deal, declarer, strain)
            assert found is not None
        return found

    def known(self, deal: Layout, declarer: Seat, strain: Strain) -> int | None:
        """Return the tricks of a declarer, if they were solved."""
        kept = self._kept.get(deal.owners)
        tricks = _UNKNOWN if kept is None else kept[_place(declarer, strain)]
        return None if tricks == _UNKNOWN else tricks

    def solve(self, asked: Iterable[Asked]) -> None:
        """Solve many contracts together, each once; raise `PavError` where nobody can."""
        new = [each for each in dict.fromkeys(asked) if self.known(*each) is None]
        seats: defaultdict[tuple[Layout, Strain], list[Seat]] = defaultdict(list)
        for deal, declarer, strain in new:
            seats[deal, strain].append(declarer)
        single = [(deal, s[0], strain) for (deal, strain), s in seats.items() if len(s) == 1]
        for part in _parts(single):
            for (deal, declarer, strain), tricks in zip(
                part, self._engine.contracts(part), strict=True
            ):
                self._keep(deal, declarer, strain, tricks)
        for each in Strain:
            several = [deal for (deal, strain), s in seats.items() if strain == each and len(s) > 1]
            for deals in _parts(several):
                for deal, row in zip(deals, self._engine.strain(deals, each), strict=True):
                    for declarer, tricks in zip(Seat, row, strict=True):
                        self._keep(deal, declarer, each, tricks)

    def _keep(self, deal: Layout, declarer: Seat, strain: Strain, tricks: int) -> None:
        kept = self._kept.get(deal.owners)
        if kept is None:
            if len(self._kept) >= self._most:
                del self._kept[next(iter(self._kept))]
            kept = bytearray([_UNKNOWN]) * (len(Seat) * len(Strain))
            self._kept[deal.owners] = kept
        kept[_place(declarer, strain)] = tricks


def _place(declarer: Seat, strain: Strain) -> int:
    return len(Strain) * declarer + strain


def _parts(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield so many of the items as an engine takes at once."""
    for start in range(0, len(items), _AT_ONCE):
        yield items[start : start + _AT_ONCE]


class Endplay(Engine):
    """The solver of the package endplay, which is Haglund's and Hein's library DDS."""

    def contracts(self, asked: Sequence[Asked]) -> list[int]:
        """Return the tricks of each contract; the player after the declarer leads."""
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
            # the library counts 13 less the tricks of the other side, however few cards there are
            [
                int(tables[place][denoms[strain], player]) - _DEAL + _cards(deal)
                for player in players
            ]
            for place, deal in enumerate(deals)
        ]


def _board(deal: Layout) -> tuple[theirs.Deal, tuple[theirs.Denom, ...], tuple[theirs.Player, ...]]:
    """Return a deal as endplay has it, with its strains and players in our order."""
    try:
        from endplay.types import Deal as Board
        from endplay.types import Denom, Player
    except ImportError:
        raise PavError(
            "tricks are counted by the package endplay: pip install 'pavcodec[double-dummy]'"
        ) from None
    if len({deal.owners.count(seat) for seat in Seat}) > 1 or not _cards(deal):
        raise PavError(f"tricks are those of four hands of the same size, not of '{deal}'")
    denoms = (Denom.nt, Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs)
    return Board(deal.to_pbn()), denoms, (Player.north, Player.east, Player.south, Player.west)


def _cards(deal: Layout) -> int:
    return deal.owners.count(Seat.NORTH)


def _solved(deal: Layout, solve: Callable[[], T]) -> T:
    """Return what endplay finds; raise `PavError` where it finds nothing."""
    try:
        return solve()
    except RuntimeError as error:  # the class of its own is one, and so are its refusals
        raise PavError(f"endplay does not solve '{deal}': {error}") from error


double_dummy = DoubleDummy(Endplay())
"""The solver where no other is given. It needs endplay: pip install 'pavcodec[double-dummy]'."""
