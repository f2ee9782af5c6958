"""Boards of any format as items for the writer of an archive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from typing import TYPE_CHECKING, BinaryIO

from pavcodec.boards.batch import Gathered, Wanted, gathered
from pavcodec.boards.board import Board, Context
from pavcodec.errors import LayoutError
from pavcodec.formats.format import Format
from pavcodec.layout import Layout
from pavcodec.numberings import Numbering, numbering, ranks_of

if TYPE_CHECKING:
    from pavcodec.archive.spaces import ArchiveSpace
    from pavcodec.archive.writer import Item
    from pavcodec.boards.batch import BoardBatch


_AT_ONCE = 8192


class Packing:
    """Turns boards into items for the writer of an archive.

    If only the cards are needed, the items are arrays of numbers, otherwise boards, or batches with
    tricks. A board outside the space of the archive is reported as a problem.
    """

    def __init__(
        self, space: ArchiveSpace, *, only_cards: bool, keeps_tricks: bool, keeps_all: bool
    ) -> None:
        self.without_cards = 0
        """The number of omitted boards without cards, if the archive keeps cards only."""
        self.ranks = _read_numbering(space)
        """The numbering of the numbers in files of numbers."""
        self._space = space
        self._only_cards = only_cards
        self._keeps_tricks = keeps_tricks
        self._keeps_all = keeps_all
        self._has_every_board = len(space.parts) > 1

    def read(self, format_: Format, stream: BinaryIO, context: Context) -> Iterator[BoardBatch]:
        """Yield the boards of a stream, in batches where these hold all that is packed."""
        only_cards = self._only_cards and not self._keeps_tricks
        wanted = Wanted.CARDS if only_cards else Wanted.BOARDS
        return format_.read_batches(stream, context, wanted, size=0 if context.strict else inf)

    def items(self, packed: Iterable[BoardBatch], context: Context) -> Iterator[Item]:
        """Yield the boards of `read` as items."""
        done = 0
        for whole in gathered(packed, _AT_ONCE):
            batch, is_array = whole, not isinstance(whole, Gathered)
            if is_array or self._only_cards:
                batch = whole.with_cards()
                self.without_cards += len(whole) - len(batch)
            boards: Iterable[Board] = batch
            if not is_array and self._only_cards:
                boards = list(map(self._plain, batch))
            has_tricks = is_array and batch.has_tricks and (self._keeps_tricks or self._keeps_all)
            if is_array and not has_tricks:
                boards = (Board(Layout(row.tobytes())) for row in batch.owners)
            try:
                if is_array or not self._has_every_board:
                    numbers = self._space.numbers(batch.owners)
            except LayoutError:
                for position, board in enumerate(boards, done + 1):
                    yield from self._if_fitting(board, context, position if is_array else 0)
            else:
                if is_array:
                    yield batch if has_tricks else numbers
                else:
                    yield from boards
            done += len(batch) if is_array else 0

    def _plain(self, board: Board) -> Board:
        """Return a board without its tags, but for tricks that are kept."""
        plain, tricks = Board(board.layout), board.tricks if self._keeps_tricks else None
        return plain if tricks is None else plain.with_tricks(tricks)

    def _if_fitting(self, board: Board, context: Context, position: int = 0) -> Iterator[Board]:
        """Yield a board if it is in the space; `position` is for boards without a line."""
        try:
            self._space.number(board.layout)
        except LayoutError as error:
            name = board.tags.get("Board") or (str(position) if position else None)
            context.problem(board.line, str(error), name)
        else:
            yield board


def _read_numbering(space: ArchiveSpace) -> Numbering:
    """Return the numbering of input numbers; for a condition they are not indexes."""
    first = space.parts[0]
    if len(space.parts) > 1:
        return numbering("deal")
    return first.numbering if first.where is None else ranks_of(first.numbering)
