"""Batches of boards: arrays of owners, the tags that all boards share, and boards on demand.

The boards of a batch, one after another, are its definition: a writer of batches writes the bytes
that the writer of boards writes for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.boards.vulnerability import Vulnerability, board_number
from pavcodec.cards import DECK_SIZE, Seat
from pavcodec.layout import Layout
from pavcodec.layout.layout import layout_from_owners

if TYPE_CHECKING:
    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.arrays.words.limbs import Limbs

__all__ = ["BoardBatch", "ManyRanks", "batches_of", "batches_of_boards", "owners_of", "with_cards"]

_AT_ONCE = 1 << 14
"""The rows of a batch that is built layout by layout."""


@dataclass(frozen=True, eq=False)
class BoardBatch:
    """Boards that differ in their cards and in what follows from their row and number.

    `owners` are `uint8[n, 52]`. `first` is the number of the first board; without it boards have no
    number. Dealer and vulnerability follow the number if they are not given. With `numbers`,
    `uint64[n, 2]`, high and low, each board has the tag DealId: `numbering` and its number. Raises
    `NumberError` for a first number below 1.

    >>> from pavcodec import numbering
    >>> deals = numbering("deal")
    >>> batch = BoardBatch(deals.sample_many(2, seed=7), first=7, tags={"Event": "Club"})
    >>> [(board.number, board.dealer.letter, board.tags["Event"]) for board in batch]
    [(7, 'S', 'Club'), (8, 'W', 'Club')]
    """

    owners: Owners
    first: int | None = None
    dealer: Seat | None = None
    vulnerable: Vulnerability | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    numbers: Limbs | None = None
    numbering: str = "deal"
    origin: Callable[[int], Board] | None = None
    """Makes the board of a row of a file, on demand."""
    has_more: bool | Callable[[], bool] = True
    """Whether boards of `origin` have tags that are not in the fields of the batch."""

    def __post_init__(self) -> None:
        if self.first is not None:
            object.__setattr__(self, "first", board_number(self.first))

    def __len__(self) -> int:
        return len(self.owners)

    @property
    def needs_origin(self) -> bool:
        """Whether the boards hold more than the fields of the batch."""
        if self.origin is None:
            return False
        return self.has_more() if callable(self.has_more) else self.has_more

    def __iter__(self) -> Iterator[Board]:
        """Yield the boards one after another."""
        return map(self.board, range(len(self)))

    def rows(self, begin: int, end: int) -> BoardBatch:
        """Return the boards of consecutive rows."""
        origin = self.origin
        return replace(
            self,
            owners=self.owners[begin:end],
            first=None if self.first is None else self.first + begin,
            numbers=None if self.numbers is None else self.numbers[begin:end],
            origin=None if origin is None else lambda row: origin(begin + row),
        )

    def board(self, row: int) -> Board:
        """Return the board of a row."""
        if self.origin is not None:
            return self.origin(row)
        layout = layout_from_owners(self.owners[row].tobytes())
        tags = dict(self.tags)
        if self.numbers is not None:
            high, low = self.numbers[row].tolist()
            tags["DealId"] = f"{self.numbering}:{high << 64 | low}"
        return Board.make(
            layout,
            number=None if self.first is None else self.first + row,
            dealer=self.dealer,
            vulnerable=self.vulnerable,
            tags=tags,
        )


@runtime_checkable
class ManyRanks(Protocol):
    """The part of a numbering that formats of numbers need for arrays; see `Numbering`."""

    first: int
    last: int

    def rank_many(self, owners: Owners, *, threads: int | None = None) -> Limbs:
        """Return the numbers of layouts."""

    def unrank_many(self, numbers: Limbs, *, threads: int | None = None) -> Owners:
        """Return the owners of numbers."""


def owners_of(layouts: Iterable[Layout]) -> Owners:
    """Return the owners of some layouts: `uint8[n, 52]`.

    >>> from pavcodec import numbering
    >>> owners_of(numbering("deal")[:3]).shape
    (3, 52)
    """
    joined = b"".join(layout.owners for layout in layouts)
    return np.frombuffer(bytearray(joined), np.uint8).reshape(-1, DECK_SIZE)


def batches_of(layouts: Iterable[Layout]) -> Iterator[Owners]:
    """Yield the owners of layouts, some thousands at a time."""
    rest = iter(layouts)
    while len(owners := owners_of(islice(rest, _AT_ONCE))):
        yield owners


def with_cards(boards: Iterable[Board], context: Context) -> Iterator[Board]:
    """Yield the boards that have cards; `context.on_skipped` counts the rest."""
    for board in boards:
        if board.layout is None:
            context.on_skipped(1)
        else:
            yield board


def batches_of_boards(boards: Iterable[Board], context: Context) -> Iterator[BoardBatch]:
    """Yield the boards that have cards, some thousands at a time."""
    found = with_cards(boards, context)
    while some := list(islice(found, _AT_ONCE)):
        owners = owners_of(board.layout for board in some if board.layout is not None)
        yield BoardBatch(owners, origin=some.__getitem__)
