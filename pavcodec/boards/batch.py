"""Batches of boards: arrays of owners and tricks, shared tags, and boards on demand.

The boards of a batch, one after another, are its definition: a writer of batches writes the bytes
that the writer of boards writes for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import index as as_integer
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

import numpy as np

from pavcodec import kernel
from pavcodec.arrays import Threads, checked, share
from pavcodec.boards.board import (
    PAST_NUMBERS,
    SOURCE,
    Board,
    Vulnerability,
    board_number,
)
from pavcodec.boards.tricks import NOT_SOLVED, TRICK_TAGS, results_of_bytes
from pavcodec.cards import DECK_SIZE, UNUSED, Seat, Strain
from pavcodec.errors import LayoutError, shown
from pavcodec.layout import Layout
from pavcodec.layout.layout import check_layout, layout_from_owners

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Limbs, Owners


CONTRACTS = len(Strain) * len(Seat)
"""The columns of an array of tricks: `TrickTable.tricks`, or 255 for a contract without result."""

NO_CARDS = 255
"""The owner of all cards of a board without cards."""
_WITHOUT = bytes([NO_CARDS]) * DECK_SIZE

_AT_ONCE = 1 << 14
"""The rows of a batch that is built layout by layout."""


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
    has_more: bool | Callable[[], bool] = True
    """Whether boards of `origin` have tags that are not in the fields of the batch."""
    tricks: NDArray[np.uint8] | None = None

    def __post_init__(self) -> None:
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
    def needs_origin(self) -> bool:
        """Whether the boards hold more than the fields of the batch."""
        if self.origin is None:
            return False
        return self.has_more() if callable(self.has_more) else self.has_more

    @property
    def is_regular(self) -> bool:
        """Whether its fields determine the boards, whose tags differ only by board and deal number.

        Then dealer and vulnerability have the period `CYCLE`.
        """
        is_numbered = self.first is None or self.first <= PAST_NUMBERS - len(self)
        return is_numbered and not self.needs_origin

    def __iter__(self) -> Iterator[Board]:
        """Yield the boards one after another."""
        return map(self.board, range(len(self)))

    @property
    def have_cards(self) -> NDArray[np.bool_]:
        """Which boards have cards, `bool[n]`."""
        have: NDArray[np.bool_] = self.owners[:, 0] != NO_CARDS
        return have

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
        rows = np.flatnonzero(have)
        return BoardBatch(
            self.owners[rows],
            origin=lambda row: self.board(rows[row]),
            has_more=lambda: not self.has_no_tags,
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
            tricks=None if self.tricks is None else self.tricks[begin:end],
        )

    def board(self, row: int) -> Board:
        """Return the board of a row; raise `LayoutError` for more than 13 tricks that are not 255.

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
        if self.tricks is not None and ((self.tricks != NOT_SOLVED).all() or not self.needs_origin):
            return self.tricks
        if self.needs_origin or not set(TRICK_TAGS).isdisjoint(self.tags):
            return tricks_of(self)
        return np.full((len(self), CONTRACTS), NOT_SOLVED, np.uint8)

    @property
    def has_no_tags(self) -> bool:
        """Whether the boards hold only cards and `tricks`."""
        fields = (self.first, self.dealer, self.vulnerable, self.numbers)
        return not (self.needs_origin or self.tags or any(value is not None for value in fields))


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
    joined = b"".join(board.results for board in boards)
    return np.frombuffer(bytearray(joined), np.uint8).reshape(-1, CONTRACTS)


def batches_of(layouts: Iterable[Layout]) -> Iterator[Owners]:
    """Yield the owners of layouts, some thousands at a time."""
    rest = iter(layouts)
    while len(owners := owners_of(islice(rest, _AT_ONCE))):
        yield owners


def batches_of_boards(boards: Iterable[Board]) -> Iterator[BoardBatch]:
    """Yield boards some thousands at a time."""
    rest = iter(boards)
    while some := list(islice(rest, _AT_ONCE)):
        owners = owners_of(board.layout for board in some)
        yield BoardBatch(owners, origin=some.__getitem__)


def with_source(item: BoardBatch | Board, source: str) -> BoardBatch | Board:
    """Return boards with the name of their file as a tag; a name that a board has already stays.

    >>> with_source(Board.make(None, number=1), "monday.pbn").tags["SourceFile"]
    'monday.pbn'
    """
    if isinstance(item, Board):
        return item if SOURCE in item.tags else item.with_tags({SOURCE: source})
    origin = item.origin
    if origin is None:
        return replace(item, tags={SOURCE: source, **item.tags})
    return replace(
        item, has_more=True, origin=lambda row: cast("Board", with_source(origin(row), source))
    )


# Packed hands: 52 bits a hand, bit i for card i, as in `Hand.mask`.


def pack_hands(owners: Owners, *, threads: Threads = None) -> NDArray[np.uint64]:
    """Return the hands of layouts: `uint8[n, 52]` to `uint64[n, 4]`, N E S W.

    A hand has bit i for card i, as in `Hand.mask`. `threads` share the work; the default is one for
    each processor. Raises `LayoutError` with the first row that is not a layout, and `TypeError`
    for another array.

    >>> from pavcodec import numbering
    >>> deals = numbering("deal")
    >>> hands = pack_hands(deals.sample_many(2, seed=7))
    >>> hands.shape, int(hands[0, 2]) == deals.sample(1, seed=7)[0]["S"].mask
    ((2, 4), True)
    """
    rows = np.ascontiguousarray(checked("owners", owners, np.uint8, DECK_SIZE))
    hands = np.empty((len(rows), len(Seat)), np.uint64)

    def work(part: slice) -> None:
        bad = kernel.pack_hands(len(rows[part]), rows[part], hands[part])
        if bad >= 0:
            row = part.start + bad
            raise LayoutError(f"row {row}: an owner is 0 to {UNUSED}, not {rows[row].max()}")

    share(work, len(rows), threads)
    return hands


def unpack_hands(hands: NDArray[np.uint64], *, threads: Threads = None) -> Owners:
    """Return the owners of packed hands: `uint64[n, 4]` to `uint8[n, 52]`.

    A card that no hand holds is unused. `threads` share the work; the default is one for each
    processor. Raises `LayoutError` with the first row in which two hands hold the same card or a
    hand has a bit above the last card, and `TypeError` for another array.

    >>> from pavcodec import numbering
    >>> owners = numbering("ending").sample_many(2, seed=7)
    >>> (unpack_hands(pack_hands(owners)) == owners).all()
    np.True_
    """
    rows = np.ascontiguousarray(checked("hands", hands, np.uint64, len(Seat)))
    owners = np.empty((len(rows), DECK_SIZE), np.uint8)

    def work(part: slice) -> None:
        bad = kernel.unpack_hands(len(rows[part]), rows[part], owners[part])
        if bad >= 0:
            row = part.start + bad
            masks = ", ".join(f"{mask:#x}" for mask in rows[row].tolist())
            raise LayoutError(
                f"row {row}: hands share a card, or have a bit past {DECK_SIZE - 1}: {masks}"
            )

    share(work, len(rows), threads)
    return owners
