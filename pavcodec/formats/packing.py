"""Boards of any format as items for the writer of an archive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import TYPE_CHECKING, BinaryIO, cast

from pavcodec.boards.board import Board, Context
from pavcodec.errors import LayoutError
from pavcodec.formats.format import Format, Need
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

    def read(
        self, format_: Format, stream: BinaryIO, context: Context
    ) -> Iterator[BoardBatch | Board]:
        """Yield the boards of a stream, in batches where these hold all that is packed."""
        need = Need.CARDS if self._only_cards and not self._keeps_tricks else Need.TAGS
        if context.strict:
            need = Need.STEPS
        return format_.read_batches(stream, context, need)

    def items(self, packed: Iterable[BoardBatch | Board], context: Context) -> Iterator[Item]:
        """Yield the boards of `read` as items."""
        for are_single, some in groupby(packed, lambda item: isinstance(item, Board)):
            if are_single:
                boards = cast("Iterator[Board]", some)
                boards = self._with_cards(boards) if self._only_cards else boards
                yield from boards if self._has_every_board else self._fitting(boards, context)
            else:
                yield from self._numbers(cast("Iterator[BoardBatch]", some), context)

    def _with_cards(self, boards: Iterable[Board]) -> Iterator[Board]:
        """Yield the boards with cards, without their other data."""
        for board in boards:
            if board.layout is None:
                self.without_cards += 1
            else:
                plain = Board(board.layout)
                tricks = board.tricks if self._keeps_tricks else None
                yield plain if tricks is None else plain.with_tricks(tricks)

    def _numbers(self, batches: Iterable[BoardBatch], context: Context) -> Iterator[Item]:
        """Yield the numbers of layouts, or batches that have tricks."""
        done = 0
        for whole in batches:
            batch = whole.with_cards()
            self.without_cards += len(whole) - len(batch)
            has_more = batch.has_tricks and (self._keeps_tricks or self._keeps_all)
            try:
                numbers = self._space.numbers_of_owners(batch.owners)
                yield batch if has_more else numbers
            except LayoutError:
                plain = (Board(Layout(row.tobytes())) for row in batch.owners)
                for position, board in enumerate(batch if has_more else plain, done + 1):
                    yield from self._if_fitting(board, context, position)
            done += len(batch)

    def _fitting(self, boards: Iterable[Board], context: Context) -> Iterator[Board]:
        """Yield the boards in the space; report the other boards."""
        remaining = iter(boards)
        while some := list(islice(remaining, _AT_ONCE)):
            try:
                self._space.numbers([board.layout for board in some])
            except LayoutError:
                for board in some:
                    yield from self._if_fitting(board, context)
            else:
                yield from some

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
