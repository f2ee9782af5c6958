"""The class of file formats: names, losses, and the functions that read and write boards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from itertools import chain, groupby, islice
from math import inf
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.boards.tricks import TRICK_TAGS
from pavcodec.boards.vulnerability import Vulnerability, dealer_of_board
from pavcodec.files.text import Utf8Watch
from pavcodec.formats.parts import KEPT_AS, parts_of
from pavcodec.numberings import numbering as numbering_of

if TYPE_CHECKING:
    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.boards.batch import BoardBatch

__all__ = [
    "ALL_BUT_NUMBERS",
    "LARGE",
    "NAMES",
    "NUMBER",
    "PLAYED",
    "TABLE",
    "TRICKS",
    "ArrayCodec",
    "Codec",
    "Format",
    "Need",
    "boards_in",
    "first_line",
    "lossless_format",
    "mark_utf8",
]

ALL_BUT_NUMBERS = "all other tags; dealer and vulnerability follow from the board number"
"""The losses of a format that keeps board numbers and no other tag."""

NUMBER = frozenset({"Board"})
TABLE = frozenset({"Board", "Dealer", "Vulnerable"})
TRICKS = frozenset(TRICK_TAGS)
NAMES = frozenset({"West", "North", "East", "South"})
PLAYED = frozenset({"Contract", "Declarer", "Result", "Auction", "Play"})
"""Tags that many formats keep, for `Format.kept_tags`."""

_MOST_MATCHED = 200
"""The characters of a first line that a pattern of `first_line` is compared with."""


class Codec(NamedTuple):
    """The functions that read boards from a stream and write them."""

    read: Callable[[BinaryIO, Context], Iterator[Board]]
    write: Callable[[Iterable[Board], BinaryIO, Context], int]


class ArrayCodec(NamedTuple):
    """The functions that read and write batches of boards, as arrays."""

    read: Callable[[BinaryIO, Context], Iterator[BoardBatch]]
    """Yields the boards that have cards; `context.on_skipped` receives the number of the rest."""
    write: Callable[[Iterable[BoardBatch], BinaryIO, Context], int] | None = None
    survey: Callable[[BinaryIO, Context], Iterator[BoardBatch | Board]] | None = None
    """Yields batches of plain boards, and single boards that are not plain, in any order.

    A plain board has no tags of double-dummy tricks and is no single suit. `context.on_skipped`
    receives the number of plain boards without cards.
    """


class Need(Enum):
    """What a caller of `Format.read_batches` needs."""

    CARDS = auto()
    """The cards of each board."""
    TRICKS = auto()
    """Cards, double-dummy tricks, and whether a board is a single suit; in any order."""
    SOLVED = auto()
    """Cards and double-dummy tricks, in the order of the file."""
    TAGS = auto()
    """The cards and all tags of each board."""
    STEPS = auto()
    """Boards one by one, so that the problem of a board is reported before the next is read."""


LARGE = 1 << 20
"""The size of a file, in bytes, from which on reading by arrays is faster."""


@dataclass(frozen=True)
class Format:
    """A file format: name and suffixes, the parts of a board that it keeps, readers and writers."""

    name: str
    suffixes: tuple[str, ...]
    summary: str
    keeps: str
    codec: Callable[[], Codec]
    """Imports and returns the functions for boards one by one."""
    arrays: Callable[[], ArrayCodec] | None = None
    """Imports and returns the functions for batches, if there are any."""
    keeps_tags: bool = False
    keeps_cards: bool = True
    shows_tags: bool = False
    """Whether it writes tags, but does not keep them."""
    numbering: str | None = None
    """The numbering of its numbers, if that is part of the format."""
    is_text: bool = True
    is_durable: bool = False
    """Whether a written file is on the disk when the writer returns."""
    is_written_again: bool = False
    """Whether the writer may go back to the start, so that a stream to a store holds all of it."""
    is_read: bool = True
    """Whether boards can be read from it, and not only written."""
    is_of_boards: bool = False
    """Whether a file holds the boards of a session, so that each is written once by default."""
    is_plain: bool = False
    """Whether read boards hold more than cards, but no tricks and no single suit."""
    has_whole_batches: bool = False
    """Whether its batches hold all that a file holds: cards and double-dummy tricks."""
    kept_tags: frozenset[str] = frozenset()
    """The tags that it keeps unchanged, if it does not keep all."""
    kept_parts: frozenset[str] = frozenset()
    """The parts that it keeps and that are no tags: alerts, notes, marks and comments."""
    more_losses: Callable[[Board, Mapping[str, object]], Iterable[str]] | None = None
    """Yields the parts of a board that it loses although it keeps them on other boards."""
    may_lose: frozenset[str] = frozenset()
    """The parts that `more_losses` may yield; empty if any part is possible."""
    keeps_plain_tags: bool = False
    """Whether it keeps all tags without lines, also those that are not in `kept_tags`."""
    needs_tricks: bool = False
    """Whether each board must have double-dummy tricks."""
    cycle: int | None = None
    """The greatest board number; board number 1 follows it in a run of deals."""
    loses: str = "all other tags"
    """The parts of a board that are lost; dealers and board numbers are tags."""
    starts: tuple[bytes, ...] = ()
    """The bytes that begin each file of this format, if there are any."""
    begins: re.Pattern[bytes] | None = None
    """A pattern that matches the first bytes of files of this format, and of no others."""
    recognises: Callable[[str], object] | None = None
    """Whether a line can be the first of this format, after blank lines and remarks."""

    def read(self, stream: BinaryIO, context: Context) -> Iterator[Board]:
        """Yield the boards of a stream."""
        context = self._with_numbering(context)
        reader = self.codec().read
        if not self.is_text:
            found = reader(stream, context)
            return mark_utf8(found) if self.keeps_tags else found
        watch = Utf8Watch(stream)
        return mark_utf8(reader(cast("BinaryIO", watch), context), watch)

    def write(self, boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
        """Write boards to a stream, and return how many were written."""
        return self.codec().write(boards, stream, self._with_numbering(context))

    def read_owners(self, stream: BinaryIO, context: Context) -> Iterator[Owners]:
        """Yield the owners of the layouts of a stream, `uint8[n, 52]`, some thousands at a time."""
        return (batch.owners for batch in self._batches(stream, context))

    def read_batches(
        self, stream: BinaryIO, context: Context, need: Need, *, size: float = inf
    ) -> Iterator[BoardBatch | Board]:
        """Yield the boards of a stream, in batches or one by one; only this function decides which.

        Batches make the boards of their rows on demand. They leave out boards without cards;
        `context.on_skipped` receives the number of these. A stream of fewer than `LARGE` bytes is
        read board by board, if the caller passes its `size`.
        """
        is_large = size >= LARGE
        survey = None
        if is_large and need is Need.TRICKS and self.arrays is not None:
            survey = self.arrays().survey
        if survey is not None:
            return survey(stream, self._with_numbering(context))
        in_batches = {
            Need.CARDS: self.arrays is not None,
            Need.TRICKS: self.is_cards_only or self.is_plain or self.has_whole_batches,
            Need.SOLVED: self.arrays is not None,
            Need.TAGS: self.arrays is not None and (self.is_cards_only or self.has_whole_batches),
            Need.STEPS: False,
        }[need]
        if is_large and in_batches:
            return self._batches(stream, context)
        return self.read(stream, context)

    def _batches(self, stream: BinaryIO, context: Context) -> Iterator[BoardBatch]:
        """Yield the boards that have cards in batches."""
        from pavcodec.boards.batch import batches_of_boards

        if self.arrays is not None:
            return self.arrays().read(stream, self._with_numbering(context))
        return batches_of_boards(self.read(stream, context), context)

    def write_batches(
        self, boards: Iterable[BoardBatch | Board], stream: BinaryIO, context: Context
    ) -> int:
        """Write batches and boards as `write` writes the boards, and return their number.

        Boards after a batch, such as those of a further small file, are put into batches.
        """
        items = iter(boards)
        first = list(islice(items, 1))
        items = chain(first, items)
        if first and not isinstance(first[0], Board) and self.arrays is not None:
            write = self.arrays().write
            if write is not None:
                batches = _in_batches(items, context)
                return write(batches, stream, self._with_numbering(context))
        return self.write(_each(items), stream, context)

    @property
    def is_cards_only(self) -> bool:
        """Whether the written form of a board depends only on its cards."""
        return not (self.keeps_tags or self.kept_tags or self.shows_tags)

    @property
    def need(self) -> Need:
        """The parts of each board that `write_batches` needs."""
        if self.arrays is None:
            return Need.STEPS
        return Need.CARDS if self.is_cards_only else Need.TAGS

    def keeps_tag(self, name: str) -> bool:
        """Return whether the format keeps a tag that has no lines."""
        return self.keeps_tags or self.keeps_plain_tags or name in self.kept_tags

    def shows_tag(self, name: str) -> bool:
        """Return whether the format keeps a tag, or writes tags without keeping them."""
        return self.shows_tags or self.keeps_tag(name)

    def lost_parts(self, board: Board) -> list[str]:
        """Return the names of the parts of a board that the format loses; see `parts_of`."""
        if self.keeps_tags:
            return []
        parts = parts_of(board)
        lost = [name for name, value in parts.items() if not self._keeps_part(name, value, board)]
        if self.more_losses is not None:
            lost += [name for name in self.more_losses(board, parts) if name not in lost]
        return lost

    def _keeps_part(self, name: str, value: object, board: Board) -> bool:
        if name == "cards":
            return self.keeps_cards
        tag = KEPT_AS.get(name, "")
        if tag in ("Dealer", "Vulnerable") and tag not in self.kept_tags:
            number = board.number
            if number is None or "Board" not in self.kept_tags:
                return False
            return value in (dealer_of_board(number), Vulnerability.of_board(number))
        if tag or name in self.kept_parts:
            return tag in self.kept_tags or name in self.kept_parts
        return isinstance(value, str) and self.keeps_tag(name)

    def loses_part(self, board: Board) -> bool:
        """Return whether the format loses a part of a board."""
        return bool(self.lost_parts(board))

    def _with_numbering(self, context: Context) -> Context:
        if self.numbering is None:
            return context
        return replace(context, numbering=numbering_of(self.numbering))


lossless_format = partial(
    Format, keeps="cards, every tag, section and comment", keeps_tags=True, loses="nothing"
)
"""Makes a format that keeps all that a board holds."""


def _in_batches(items: Iterable[BoardBatch | Board], context: Context) -> Iterator[BoardBatch]:
    """Yield batches, and boards between them as batches."""
    from pavcodec.boards.batch import batches_of_boards

    for are_single, some in groupby(items, lambda each: isinstance(each, Board)):
        if are_single:
            yield from batches_of_boards(cast("Iterator[Board]", some), context)
        else:
            yield from cast("Iterator[BoardBatch]", some)


def _each(items: Iterable[BoardBatch | Board]) -> Iterator[Board]:
    """Yield the boards of batches, and boards."""
    for item in items:
        if isinstance(item, Board):
            yield item
        else:
            yield from item


def boards_in(item: BoardBatch | Board) -> int:
    """Return the number of boards of an item of `Format.read_batches`."""
    return 1 if isinstance(item, Board) else len(item)


def mark_utf8(boards: Iterable[Board], watch: Utf8Watch | None = None) -> Iterator[Board]:
    """Yield boards, marked with whether their text was UTF-8; without `watch` it was."""
    for board in boards:
        board.is_utf8 = watch is None or watch.found
        yield board


def first_line(pattern: str) -> Callable[[str], object]:
    """Return a `recognises` that compares the first line with a pattern.

    The pattern is less strict than that of the reader.
    """
    return partial(_is_like, pattern)


def _is_like(pattern: str, line: str) -> bool:
    return re.fullmatch(pattern, line.strip()[:_MOST_MATCHED]) is not None
