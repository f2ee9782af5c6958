"""A file format: its name, what it keeps of a board, and the functions that read and write it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.files.text import Utf8Watch
from pavcodec.numberings import numbering as numbering_of

if TYPE_CHECKING:
    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.boards.batch import BoardBatch

__all__ = ["ALL_BUT_NUMBERS", "ArrayCodec", "Codec", "Format", "first_line", "mark_utf8"]

ALL_BUT_NUMBERS = "all other tags; dealer and vulnerability follow from the board number"
"""What a format loses that keeps board numbers and no other tag."""

_MOST_MATCHED = 200
"""The characters of a first line that a pattern of `first_line` is compared with."""


class Codec(NamedTuple):
    """The functions that read boards from a stream and write them."""

    read: Callable[[BinaryIO, Context], Iterator[Board]]
    write: Callable[[Iterable[Board], BinaryIO, Context], int]


class ArrayCodec(NamedTuple):
    """The functions that read and write many boards at once, as arrays."""

    read: Callable[[BinaryIO, Context], Iterator[Owners]]
    write: Callable[[Iterable[BoardBatch], BinaryIO, Context], int] | None = None
    survey: Callable[[BinaryIO, Context], Iterator[Owners | Board]] | None = None
    """Reads the owners of plain boards, and the other boards; see `Format.survey`."""


@dataclass(frozen=True)
class Format:
    """A file format: name and suffixes, what it keeps of a board, how it is read and written."""

    name: str
    suffixes: tuple[str, ...]
    summary: str
    keeps: str
    codec: Callable[[], Codec]
    """Imports and returns the functions for boards one by one."""
    arrays: Callable[[], ArrayCodec] | None = None
    """Imports and returns the functions for many boards at once, if there are any."""
    keeps_tags: bool = False
    keeps_cards: bool = True
    is_cards_only: bool = True
    """Whether what it writes of a board follows from its cards alone."""
    numbering: str | None = None
    """The numbering of its numbers, where that is part of the format."""
    is_text: bool = True
    is_durable: bool = False
    """Whether a file of it is on the disk when it has been written."""
    is_read: bool = True
    """Whether boards can be read from it, and not only written."""
    is_of_boards: bool = False
    """Whether it holds the boards of a session, so that each is written once by default."""
    is_plain: bool = False
    """Whether boards that are read hold more than cards, but no tricks and no suit alone."""
    loses: str = "all other tags"
    """What is gone when a board is read back; dealers and board numbers are tags."""
    starts: tuple[bytes, ...] = ()
    """The bytes that a file of this format begins with, where it is known by them."""
    recognises: Callable[[str], object] | None = None
    """Whether a text of this format begins with this line, the first that says something."""

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
        from pavcodec.boards.batch import batches_of, layouts_of

        if self.arrays is not None:
            return self.arrays().read(stream, self._with_numbering(context))
        return batches_of(layouts_of(self.read(stream, context), context))

    def survey(self, stream: BinaryIO, context: Context) -> Iterator[Owners | Board]:
        """Yield what `read` gives, in any order: owners of plain boards, and each other board.

        A plain board has cards and no double-dummy tricks, and is no suit that stands alone. The
        problems are those of `read`; plain boards without cards go to `context.on_skipped`.
        """
        survey = None if self.arrays is None else self.arrays().survey
        if survey is not None:
            return survey(stream, self._with_numbering(context))
        if self.is_cards_only or self.is_plain:
            return self.read_owners(stream, context)
        return self.read(stream, context)

    def write_batches(
        self, batches: Iterable[BoardBatch], stream: BinaryIO, context: Context
    ) -> int:
        """Write batches as `write` writes their boards, and return how many boards there were."""
        write = None if self.arrays is None else self.arrays().write
        if write is not None:
            return write(batches, stream, self._with_numbering(context))
        return self.write((board for batch in batches for board in batch), stream, context)

    def _with_numbering(self, context: Context) -> Context:
        if self.numbering is None:
            return context
        return replace(context, numbering=numbering_of(self.numbering))


def mark_utf8(boards: Iterable[Board], watch: Utf8Watch | None = None) -> Iterator[Board]:
    """Yield boards, and let those know it whose text came as UTF-8; that of archives did."""
    for board in boards:
        board.is_utf8 = watch is None or watch.found
        yield board


def first_line(pattern: str) -> Callable[[str], object]:
    """Return a `recognises` that compares the first line with a pattern.

    The pattern is rougher than that of the reader.
    """
    return partial(_is_like, pattern)


def _is_like(pattern: str, line: str) -> bool:
    return re.fullmatch(pattern, line.strip()[:_MOST_MATCHED]) is not None
