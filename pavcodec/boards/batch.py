"""Batches of boards: arrays of owners and tricks, shared tags, and boards on demand.

The boards of a batch, one after another, are its definition: a writer of batches writes the bytes
that the writer of boards writes for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum, auto
from functools import cached_property
from itertools import islice
from operator import index as as_integer
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, runtime_checkable

from pavcodec.boards.board import (
    PAST_NUMBERS,
    SOURCE,
    Board,
    Problem,
    Vulnerability,
    board_number,
)
from pavcodec.boards.tricks import NOT_SOLVED, TRICK_TAGS, results_of_bytes
from pavcodec.cards import DECK_SIZE, Seat, Strain
from pavcodec.errors import check_text, shown
from pavcodec.layout import Layout
from pavcodec.layout.layout import check_layout, layout_from_owners

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pavcodec.arrays import Limbs, Owners


CONTRACTS = len(Strain) * len(Seat)
"""The columns of an array of tricks: `TrickTable.tricks`, or 255 for a contract without result."""

NO_CARDS = 255
"""The owner of all cards of a board without cards."""
_WITHOUT = bytes([NO_CARDS]) * DECK_SIZE

_AT_ONCE = 1 << 14
"""The rows of a batch that is built layout by layout."""
_MOST_GATHERED = 1 << 12
"""The boards that become an array together."""

_FIRST = 1 << 8
"""The boards that come alone before some come together."""
_MOST_HELD = 1 << 12
"""The problems that wait for boards before them; more would fill the memory."""
_PATIENCE = 0.2  # seconds before boards are passed on although there are few

T = TypeVar("T")


class Wanted(Enum):
    """What a caller wants of a file: readers leave the rest for later, or out."""

    CARDS = auto()
    """Cards and double-dummy tricks; tags may be read later, without their problems."""
    CHECKED = auto()
    """Cards and double-dummy tricks, and all problems."""
    BOARDS = auto()
    """Whole boards, each after the problems before it."""


class More(IntEnum):
    """What boards may hold beyond their cards and the array of tricks."""

    NOTHING = 0
    PLAIN_TAGS = 1
    """Tags, none of double-dummy tricks, and no board is a single suit."""
    ANYTHING = 2


@dataclass(frozen=True, eq=False)
class BoardBatch:
    """Boards that differ in their cards and in what follows from their row and number.

    `owners` are `uint8[n, 52]`; a row of 255 is a board without cards. `first` is the number of the
    first board; without it boards have no number. Dealer and vulnerability follow the number if
    they are not given. With `numbers`, `uint64[n, 2]`, high and low, each board has the tag DealId:
    `numbering` and its number.

    `tricks` are `uint8[n, 20]`: a row has the 20 bytes of a `TrickTable`, by strain NT S H D C and
    within a strain by declarer N E S W, and 255 for a contract that is not solved. Boards have them
    as the tag OptimumResultTable, and rows without any result have no such tag. Where a board of
    `origin` has other results, those of the row replace them. Raises `NumberError` for a first
    number below 1, and `TypeError` for tricks of another shape.

    >>> from pavcodec import numbering
    >>> deals = numbering("deal")
    >>> batch = BoardBatch(deals.sample_many(2, seed=7), first=7, tags={"Event": "Club"})
    >>> [(board.number, board.dealer.letter, board.tags["Event"]) for board in batch]
    [(7, 'S', 'Club'), (8, 'W', 'Club')]
    """

    owners: Owners
    first: int | None = None
    dealer: Seat | None = None
    """A letter or a name of a seat is accepted, too."""
    vulnerable: Vulnerability | None = None
    """A word such as NS is accepted, too."""
    tags: Mapping[str, str] = field(default_factory=dict)
    numbers: Limbs | None = None
    numbering: str = "deal"
    origin: Callable[[int], Board] | None = None
    """Makes the board of a row of a file, on demand."""
    more: More | Callable[[], More] = More.ANYTHING
    """What boards of `origin` hold beyond the arrays."""
    tricks: NDArray[np.uint8] | None = None
    each: Callable[[], Iterator[Board]] | None = None
    """Yields the boards of `origin` one after another, so that none must stay in memory."""

    def __post_init__(self) -> None:
        import numpy as np

        from pavcodec.arrays import checked

        checked("owners", self.owners, np.uint8, DECK_SIZE)
        if self.numbers is not None:
            checked("numbers", self.numbers, np.uint64, 2)
        for name, kind in (("dealer", Seat), ("vulnerable", Vulnerability)):
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, kind.of(value))
        if self.first is not None:
            object.__setattr__(self, "first", board_number(self.first))
        tricks = self.tricks
        if tricks is not None:
            expected = len(self.owners), CONTRACTS
            if not isinstance(tricks, np.ndarray) or tricks.dtype != np.uint8:
                raise TypeError(f"tricks are an array uint8{list(expected)}, not {shown(tricks)}")
            if tricks.shape != expected:
                raise TypeError(
                    f"tricks are an array uint8{list(expected)}, not uint8{list(tricks.shape)}"
                )

    def __len__(self) -> int:
        return len(self.owners)

    @property
    def holds(self) -> More:
        """What the boards hold beyond the arrays."""
        if self.origin is not None:
            return self.more() if callable(self.more) else self.more
        if not set(TRICK_TAGS).isdisjoint(self.tags):
            return More.ANYTHING
        fields = (self.first, self.dealer, self.vulnerable, self.numbers)
        has_tags = self.tags or any(value is not None for value in fields)
        return More.PLAIN_TAGS if has_tags else More.NOTHING

    @property
    def needs_origin(self) -> bool:
        """Whether the boards hold more than the fields of the batch."""
        return self.origin is not None and self.holds > More.NOTHING

    @property
    def is_regular(self) -> bool:
        """Whether its fields determine the boards, whose tags differ only by board and deal number.

        Then dealer and vulnerability have the period `CYCLE`.
        """
        is_numbered = self.first is None or self.first <= PAST_NUMBERS - len(self)
        return is_numbered and not self.needs_origin

    def __iter__(self) -> Iterator[Board]:
        """Yield the boards one after another."""
        if self.each is not None and self.tricks is None:
            return self.each()
        return map(self.board, range(len(self)))

    @property
    def have_cards(self) -> NDArray[np.bool_]:
        """Which boards have cards, `bool[n]`."""
        have: NDArray[np.bool_] = self.owners[:, 0] != NO_CARDS
        return have

    @property
    def without_cards(self) -> int:
        """How many boards have no cards."""
        return len(self) - int(self.have_cards.sum())

    def with_cards(self) -> BoardBatch:
        """Return the boards that have cards.

        >>> from pavcodec import numbering
        >>> rows = owners_of([None, numbering("deal")[0], None])
        >>> [board.number for board in BoardBatch(rows, first=7).with_cards()]
        [8]
        """
        have = self.have_cards
        if have.all():
            return self
        rows = have.nonzero()[0]
        return BoardBatch(
            self.owners[rows],
            origin=lambda row: self.board(rows[row]),
            more=lambda: self.holds,
            tricks=None if self.tricks is None else self.tricks[rows],
        )

    def rows(self, begin: int, end: int) -> BoardBatch:
        """Return the boards of consecutive rows."""
        origin = self.origin
        return replace(
            self,
            owners=self.owners[begin:end],
            first=None if self.first is None else self.first + begin,
            numbers=None if self.numbers is None else self.numbers[begin:end],
            origin=None if origin is None else lambda row: origin(begin + row),
            each=None,
            tricks=None if self.tricks is None else self.tricks[begin:end],
        )

    def board(self, row: int) -> Board:
        """Return the board of a row; raise `LayoutError` for more than 13 tricks that are not 255.

        >>> import numpy as np
        >>> from pavcodec import numbering
        >>> deals = numbering("deal").sample_many(1, seed=7)
        >>> batch = BoardBatch(deals, tricks=np.full((1, 20), 6, np.uint8))
        >>> print(batch.board(0).tricks)
        N:6,6,6,6,6 E:6,6,6,6,6 S:6,6,6,6,6 W:6,6,6,6,6
        """
        try:
            row = range(len(self))[as_integer(row)]
        except TypeError:
            raise TypeError(f"a row is an integer, not {type(row).__name__!r}") from None
        except IndexError:
            raise IndexError(
                f"there are rows 0 to {len(self) - 1}, not {shown(as_integer(row))}"
            ) from None
        if self.origin is not None:
            board = self.origin(row)
        else:
            tags = dict(self.tags)
            if self.numbers is not None:
                high, low = self.numbers[row].tolist()
                tags["DealId"] = f"{self.numbering}:{high << 64 | low}"
            owners = self.owners[row].tobytes()
            board = Board.make(
                None if owners == _WITHOUT else layout_from_owners(owners),
                number=None if self.first is None else self.first + row,
                dealer=self.dealer,
                vulnerable=self.vulnerable,
                tags=tags,
            )
        if self.tricks is None:
            return board
        return board.with_results(results_of_bytes(self.tricks[row].tobytes()))

    @property
    def has_tricks(self) -> bool:
        """Whether any contract of any row is solved."""
        return self.tricks is not None and bool((self.tricks != NOT_SOLVED).any())

    @property
    def solved_rows(self) -> int:
        """How many rows have the tricks of all contracts."""
        if self.tricks is None:
            return 0
        return int((self.tricks != NOT_SOLVED).all(axis=1).sum())

    def all_tricks(self) -> NDArray[np.uint8]:
        """Return the tricks of all boards, `uint8[n, 20]`, also those that only tags hold.

        >>> from pavcodec import numbering
        >>> BoardBatch(numbering("deal").sample_many(2, seed=7)).all_tricks().max(axis=1).tolist()
        [255, 255]
        """
        tricks = self.tricks
        if tricks is not None and (self.origin is None or (tricks != NOT_SOLVED).all()):
            return tricks
        if self.holds is More.ANYTHING:
            return tricks_of(self)
        return tricks if tricks is not None else tricks_of([Board(None)]).repeat(len(self), axis=0)

    def with_source(self, source: str) -> BoardBatch:
        """Return the boards with the name of their file as a tag; see `with_source`."""
        check_text("the name of a file", source)
        origin = self.origin
        if origin is None:
            return replace(self, tags={SOURCE: source, **self.tags})
        return replace(
            self,
            more=More.ANYTHING,
            origin=lambda row: with_source(origin(row), source),
            each=None,
        )


class Gathered(BoardBatch):
    """Boards that were made one by one, as a batch; its arrays are made when they are needed.

    >>> some = Gathered([Board.make(None, number=7)])
    >>> some.owners.max(), [board.number for board in some]
    (np.uint8(255), [7])
    """

    tags: Mapping[str, str] = MappingProxyType({})

    def __init__(self, boards: Sequence[Board]) -> None:
        attributes = self.__dict__
        attributes["boards"], attributes["origin"] = boards, boards.__getitem__

    if TYPE_CHECKING:
        boards: Sequence[Board]

    @cached_property
    def owners(self) -> Owners:
        """The owners of the boards."""
        return owners_of(board.layout for board in self.boards)

    def __len__(self) -> int:
        return len(self.boards)

    def __iter__(self) -> Iterator[Board]:
        return iter(self.boards)

    @property
    def without_cards(self) -> int:
        """How many boards have no cards."""
        return sum([board.layout is None for board in self.boards])

    def with_cards(self) -> Gathered:
        """Return the boards that have cards."""
        return Gathered([board for board in self.boards if board.layout is not None])

    def rows(self, begin: int, end: int) -> Gathered:
        """Return the boards of consecutive rows."""
        return Gathered(self.boards[begin:end])

    def with_source(self, source: str) -> Gathered:
        """Return the boards with the name of their file as a tag; see `with_source`."""
        return Gathered([with_source(board, source) for board in self.boards])


@runtime_checkable
class ManyRanks(Protocol):
    """The part of a numbering that formats of numbers need for arrays; see `Numbering`."""

    first: int
    last: int

    def rank_many(self, owners: Owners, *, threads: int | None = None) -> Limbs:
        """Return the numbers of layouts."""

    def unrank_many(self, numbers: Limbs, *, threads: int | None = None) -> Owners:
        """Return the owners of numbers."""


def owners_of(layouts: Iterable[Layout | None]) -> Owners:
    """Return the owners of some layouts, `uint8[n, 52]`; 255 in place of None.

    >>> from pavcodec import numbering
    >>> owners_of(numbering("deal")[:3]).shape
    (3, 52)
    """
    import numpy as np

    given = list(layouts)
    try:
        joined = b"".join(_WITHOUT if each is None else each.owners for each in given)
    except AttributeError:
        for layout in given:
            if layout is not None:
                check_layout(layout)
        raise
    return np.frombuffer(bytearray(joined), np.uint8).reshape(-1, DECK_SIZE)


def tricks_of(boards: Iterable[Board]) -> NDArray[np.uint8]:
    """Return the double-dummy tricks of some boards, `uint8[n, 20]`; 255 where there is no result.

    >>> from pavcodec import TrickTable
    >>> table = TrickTable(bytes([7, 6, 7, 6] * 5))
    >>> tricks_of([Board(None), Board.make(None, tricks=table)])[:, :4].tolist()
    [[255, 255, 255, 255], [7, 6, 7, 6]]
    """
    import numpy as np

    joined = b"".join(board.results for board in boards)
    return np.frombuffer(bytearray(joined), np.uint8).reshape(-1, CONTRACTS)


def batches_of(layouts: Iterable[Layout]) -> Iterator[Owners]:
    """Yield the owners of layouts, some thousands at a time."""
    rest = iter(layouts)
    while len(owners := owners_of(islice(rest, _AT_ONCE))):
        yield owners


def singles(boards: Iterable[Board]) -> Iterator[Gathered]:
    """Yield boards as batches of one, so that each is done before the next is read."""
    return (Gathered([board]) for board in boards)


class Arrivals(Generic[T]):
    """Boards from a reader, some together, and its problems in their order.

    The first ones come alone, each as soon as it is read. Later ones come together, `at_once` at
    most, and none waits while they arrive slowly. A problem that the reader gives to `hold` is
    reported after the boards before it were taken, and an error is raised after them.

    >>> arrivals = Arrivals[int](print, alone=2, at_once=3)
    >>> list(arrivals.of(range(9)))
    [[0], [1], [2, 3, 4], [5, 6, 7], [8]]
    """

    def __init__(
        self, report: Callable[[Problem], None], *, alone: int = _FIRST, at_once: int = _FIRST
    ) -> None:
        self._report = report
        self._alone = alone
        self._at_once = at_once
        self._waiting: list[T] = []
        self._held: list[Problem] = []
        """Problems after the boards that wait."""

    def hold(self, problem: Problem) -> None:
        """Report a problem after the boards before it."""
        self._held.append(problem)
        if not self._waiting or len(self._held) > _MOST_HELD:
            self._tell()

    def of(self, boards: Iterable[T]) -> Iterator[list[T]]:
        """Yield the boards of the reader."""
        begun = monotonic()
        try:
            for place, board in enumerate(boards):
                if self._held:
                    yield from self._all()
                self._waiting.append(board)
                is_enough = place < self._alone or len(self._waiting) >= self._at_once
                if is_enough or monotonic() - begun > _PATIENCE:
                    yield from self._all()
                    begun = monotonic()
        except Exception:
            yield from self._all()
            raise
        yield from self._all()

    def _all(self) -> Iterator[list[T]]:
        """Yield the boards that wait, and report the problems after them."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            yield waiting
        self._tell()

    def _tell(self) -> None:
        held, self._held = self._held, []
        for problem in held:
            self._report(problem)


def in_batches(boards: Iterable[Board]) -> Iterator[Gathered]:
    """Yield boards some thousands at a time."""
    rest = iter(boards)
    while some := list(islice(rest, _MOST_GATHERED)):
        yield Gathered(some)


def gathered(batches: Iterable[T], at_once: int = _MOST_GATHERED) -> Iterator[T | Gathered]:
    """Yield batches, and boards between them some thousands at a time, also before an error.

    >>> boards = [Board(None)] * 3
    >>> [len(batch) for batch in gathered(singles(boards), 2)]
    [2, 1]
    """
    some: list[Board] = []
    try:
        for batch in batches:
            if isinstance(batch, Gathered):
                some += batch.boards
                while len(some) >= at_once:
                    yield Gathered(some[:at_once])
                    some = some[at_once:]
                continue
            if some:
                yield Gathered(some)
                some = []
            yield batch
    except Exception:
        if some:
            yield Gathered(some)
        raise
    if some:
        yield Gathered(some)


def with_source(board: Board, source: str) -> Board:
    """Return a board with the name of its file as a tag; a name that it has already stays.

    >>> with_source(Board.make(None, number=1), "monday.pbn").tags["SourceFile"]
    'monday.pbn'
    """
    return board if SOURCE in board.tags else board.with_tags({SOURCE: source})
