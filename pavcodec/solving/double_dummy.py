"""Double-dummy tricks: many contracts are solved in one call, and the results are cached.

A contract here is a deal, a declarer and a strain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from pavcodec.boards import Board
from pavcodec.boards.tricks import NOT_SOLVED
from pavcodec.cards import Seat, Strain
from pavcodec.errors import PavError
from pavcodec.layout import Deal, Layout, TrickTable
from pavcodec.solving.contracts import ALL_CONTRACTS, column

if TYPE_CHECKING:
    from pavcodec.arrays import Owners
    from pavcodec.solving.many import Dds


Solver = Callable[[Deal, Seat, Strain], int]
"""A function from a deal, a declarer and a strain to the number of tricks."""

TrickSource = Callable[[Layout], "bytes | None"]
"""A function from a deal to its tricks, in the order of a `TrickTable`, 255 for unknown ones."""

Asked = tuple[Layout, Seat, Strain]
"""A contract to solve: the deal, the declarer and the strain."""

T = TypeVar("T")

_NOTHING = bytes([NOT_SOLVED]) * len(ALL_CONTRACTS)
_MOST_CACHED = 1 << 17  # deals; each needs about 300 bytes
_BATCH = 100  # contracts or deals in one call; the limit of DDS is 200


class DoubleDummy:
    """A solver with a cache of results; when the cache is full, it removes the oldest deal.

    A call with a deal, a declarer and a strain solves this contract only. `solve` solves many
    contracts in one call. The cache has room for `most` deals.
    """

    def __init__(self, engine: Engine, most: int = _MOST_CACHED) -> None:
        self._engine = engine
        self._most = most
        self._cache: dict[bytes, bytearray] = {}
        self._source: TrickSource | None = None

    def use(self, source: TrickSource | None) -> None:
        """Take the tricks of a source where it has them, instead of solving; None for no source.

        Cached results are forgotten.
        """
        self._source = source
        self._cache.clear()

    def __call__(self, deal: Layout, declarer: Seat, strain: Strain) -> int:
        """Return the tricks of a declarer; raise `PavError` if the engine cannot solve the deal."""
        tricks = self.known(deal, declarer, strain)
        if tricks is None:
            self.solve([(deal, declarer, strain)])
            tricks = self.known(deal, declarer, strain)
            assert tricks is not None
        return tricks

    def known(self, deal: Layout, declarer: Seat, strain: Strain) -> int | None:
        """Return the cached tricks of a declarer; None if they were not solved yet."""
        cached = self._cache.get(deal.owners)
        if cached is None and self._source is not None:
            given = self._source(deal)
            cached = None if given is None else self._kept(deal, given)
        tricks = NOT_SOLVED if cached is None else cached[column(declarer, strain)]
        return None if tricks == NOT_SOLVED else tricks

    def solve(self, asked: Iterable[Asked]) -> None:
        """Solve many contracts together, each once, and cache the results.

        Raises `PavError` if the engine cannot solve a deal.
        """
        new = [contract for contract in dict.fromkeys(asked) if self.known(*contract) is None]
        seats: defaultdict[tuple[Layout, Strain], list[Seat]] = defaultdict(list)
        for deal, declarer, strain in new:
            seats[deal, strain].append(declarer)
        single = [
            (deal, declarers[0], strain)
            for (deal, strain), declarers in seats.items()
            if len(declarers) == 1
        ]
        for part in _parts(single):
            for (deal, declarer, strain), tricks in zip(
                part, self._engine.contracts(part), strict=True
            ):
                self._store(deal, declarer, strain, tricks)
        for strain in Strain:
            several = [
                deal
                for (deal, asked_strain), declarers in seats.items()
                if asked_strain == strain and len(declarers) > 1
            ]
            for deals in _parts(several):
                for deal, row in zip(deals, self._engine.strain(deals, strain), strict=True):
                    for declarer, tricks in zip(Seat, row, strict=True):
                        self._store(deal, declarer, strain, tricks)

    def _store(self, deal: Layout, declarer: Seat, strain: Strain, tricks: int) -> None:
        cached = self._cache.get(deal.owners)
        if cached is None:
            cached = self._kept(deal, _NOTHING)
        cached[column(declarer, strain)] = tricks

    def _kept(self, deal: Layout, tricks: bytes) -> bytearray:
        """Cache the tricks of a new deal, in the order of a `TrickTable`, and return them."""
        if len(self._cache) >= self._most:
            del self._cache[next(iter(self._cache))]
        cached = self._cache[deal.owners] = bytearray(tricks)
        return cached


def _parts(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield the items in parts, each small enough for one call of an engine."""
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]


class Engine:
    """The package endplay: a double-dummy solver of many contracts in one call, by several threads.

    It contains the library DDS of Haglund and Hein.
    """

    def contracts(self, asked: Sequence[Asked]) -> list[int]:
        """Return the tricks of each of at most 100 contracts; the seat after the declarer leads."""
        owners, engine = _prepared([deal for deal, _, _ in asked])
        columns = [column(declarer, strain) for _, declarer, strain in asked]
        return cast("list[int]", engine.contracts(owners, columns).tolist())

    def strain(self, deals: Sequence[Layout], strain: Strain) -> list[list[int]]:
        """Return the tricks of N, E, S and W in a strain, for each of at most 100 deals.

        The time for the four declarers is about one and a half times the time for one.
        """
        owners, engine = _prepared(deals)
        return cast("list[list[int]]", engine.strains(owners, [strain])[:, 0].tolist())


def _prepared(deals: Sequence[Layout]) -> tuple[Owners, Dds]:
    """Return the owners of deals and the engine for them.

    Raises `PavError` if the hands are not of equal size.
    """
    from pavcodec.boards.batch import owners_of
    from pavcodec.solving.many import Dds, are_solvable

    owners = owners_of(deals)
    for deal, is_good in zip(deals, are_solvable(owners), strict=True):
        if not is_good:
            raise PavError(f"tricks needs four hands of the same size, not '{deal}'")
    return owners, Dds()


double_dummy = DoubleDummy(Engine())
"""The default solver. It needs endplay: pip install 'pavcodec[club]'."""


def solved_boards(boards: Sequence[Board]) -> list[Board]:
    """Return boards of deals with their tricks in the tag OptimumResultTable, solved together.

    Raises `PavError` without endplay.
    """
    double_dummy.solve(
        (board.layout, seat, strain)
        for board in boards
        if board.layout is not None
        for seat in Seat
        for strain in Strain
    )
    return list(map(_solved, boards))


def _solved(board: Board) -> Board:
    deal = board.layout
    if deal is None:
        return board
    taken = bytes(double_dummy(deal, seat, strain) for strain in Strain for seat in Seat)
    return board.with_tricks(TrickTable(taken))
