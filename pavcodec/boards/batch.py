"""Many boards at once: arrays of owners, and the tags that all of them have.

A batch of boards is what its boards are, one after another: that is the definition, and every
writer of batches writes the bytes that the writer of boards would.
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

__all__ = ["BoardBatch", "ManyRanks", "batches_of", "layouts_of", "owners_of"]

_AT_ONCE = 1 << 14
"""The rows of a batch that is put together layout by layout."""


@dataclass(frozen=True, eq=False)
class BoardBatch:
    """Boards that differ in their cards, and in what follows from their place and number.

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
    """Gives the board of a row, as one that was read."""
    has_more: bool = True
    """Whether boards of `origin` hold more than the batch tells, besides the line of a file."""

    def __post_init__(self) -> None:
        if self.first is not None:
            object.__setattr__(self, "first", board_number(self.first))

    def __len__(self) -> int:
        return len(self.owners)

    @property
    def needs_origin(self) -> bool:
        """Whether there is more to write than the batch tells."""
        return self.origin is not None and self.has_more

    def __iter__(self) -> Iterator[Board]:
        """Yield the boards one after another: what the batch means."""
        return map(self.board, range(len(self)))

    def rows(self, begin: int, end: int) -> BoardBatch:
        """Return some of the boards that follow one another."""
        origin = self.origin
        return replace(
            self,
            owners=self.owners[begin:end],
            first=None if self.first is None else self.first + begin,
            numbers=None if self.numbers is None else self.numbers[begin:end],
            origin=None if origin is None else lambda place: origin(begin + place),
        )

    def board(self, place: int) -> Board:
        """Return the board of a row."""
        if self.origin is not None:
            return self.origin(place)
        layout = layout_from_owners(self.owners[place].tobytes())
        tags = dict(self.tags)
        if self.numbers is not None:
            high, low = self.numbers[place].tolist()
            tags["DealId"] = f"{self.numbering}:{high << 64 | low}"
        return Board.make(
            layout,
            number=None if self.first is None else self.first + place,
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


def layouts_of(boards: Iterable[Board], context: Context) -> Iterator[Layout]:
    """Yield the cards of boards; those without cards go to `context.on_skipped`."""
    for board in boards:
        if board.layout is None:
            context.on_skipped(1)
        else:
            yield board.layout
