"""An archive as a sequence of boards."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from typing import Self, SupportsIndex, cast, overload

import numpy as np

from pavcodec.archive.coding.bounds import multiset_bits, ordered_bits, set_bits
from pavcodec.archive.container import Kind
from pavcodec.archive.contents import Buffer, Contents
from pavcodec.archive.spaces import ArchiveSpace
from pavcodec.arrays.owners.rows import Owners
from pavcodec.arrays.words.limbs import Limbs, split
from pavcodec.boards.board import Board
from pavcodec.constraints import Expression
from pavcodec.errors import LayoutError, ReadError
from pavcodec.files.closing import Closing
from pavcodec.layout import Layout
from pavcodec.limits.memory import MEMORY, memory_of
from pavcodec.numberings import Numbering

__all__ = ["Archive"]


class Archive(Closing, Sequence[Board]):
    """The boards of an archive as a sequence over a memory map; made by `open_archive(path)`.

    Indexes may be negative, and slices are views that read nothing until they are asked. A layout
    is `in` an archive where one of its boards has these cards. Sets and multisets are in the order
    of their numbers. Used in a `with` block, it closes the file, and with it all views.

    >>> import tempfile, pathlib
    >>> import pavcodec as pav
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "three.pav"
    >>> deals = pav.numbering("deal")
    >>> pav.write_archive(deals[10:13], path)
    3
    >>> with pav.open_archive(path) as archive:
    ...     len(archive), archive[-1].layout == deals[12], archive.index(deals[11]), archive.kind
    (3, True, 1, 'ordered')
    """

    def __init__(self, data: Buffer, name: str = "archive", *, memory: int | str = MEMORY) -> None:
        """Read the header and the index; raise `ReadError` where the archive is damaged there."""
        self._contents = Contents(data, name, memory_of(memory))
        self._indexes = range(self._contents.boards_in_all)
        self._owns = True

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, memory: int | str = MEMORY) -> Self:
        """Map an archive into memory; raise `ReadError` if it is none or is damaged."""
        name = os.fspath(path)
        return cls(map_file(name), name, memory=memory)

    @property
    def name(self) -> str:
        """The name of the file."""
        return self._contents.name

    @property
    def kind(self) -> str:
        """`ordered`, `set` or `multiset`."""
        return self._contents.codec.kind.name.lower()

    @property
    def keeps_tags(self) -> bool:
        """Whether all tags of the boards are kept."""
        return self._contents.codec.keeps_tags

    @property
    def space(self) -> Numbering | ArchiveSpace:
        """The numbering that its numbers are of; of several, a `ArchiveSpace` with its parts.

        The deals of a condition are counted when this, or a board, is first asked for. Raise
        `ReadError` where they are not as many as the archive says.
        """
        space = self._contents.codec.space
        if len(space.parts) == 1 and not space.parts[0].is_empty:
            return self._contents.numbering
        return space

    @property
    def where(self) -> Expression | None:
        """The condition that its deals satisfy; None where there is none."""
        parts = self._contents.codec.space.parts
        return parts[0].where if len(parts) == 1 else None

    @property
    def is_of_deals(self) -> bool:
        """Whether there is nothing in its space but complete deals."""
        return all(part.is_of_deals for part in self._contents.codec.space.parts)

    @property
    def space_text(self) -> str:
        """What its space is, in words, or the condition."""
        return str(self._contents.codec.space)

    @property
    def cardinality(self) -> int:
        """How many numbers there are to choose from."""
        return self._contents.codec.space.cardinality

    @property
    def size(self) -> int:
        """The bytes of the whole file."""
        return self._contents.size

    @property
    def bits_per_deal(self) -> Fraction:
        """The bits of the whole file for each of its boards; 0 where there are none."""
        boards = self._contents.boards_in_all
        return Fraction(8 * self.size, boards) if boards else Fraction(0)

    @cached_property
    def bound_bits_per_deal(self) -> Fraction:
        """The fewest bits for each board of any such collection, rounded down to billionths.

        Of an archive with several spaces it is the mean over its boards, once it is known which
        space each is of.
        """
        bound = {Kind.ORDERED: lambda total, _: ordered_bits(total), Kind.SET: set_bits}.get(
            self._contents.codec.kind, multiset_bits
        )
        parts, total = self._contents.codec.space.parts, self._contents.boards_in_all
        bits = (
            bound(part.stored.cardinality, count) * count
            for part, count in zip(parts, self.counts.values(), strict=True)
        )
        return sum(bits, Fraction(0)) / total if total else Fraction(0)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many boards are in each part of the space, by its name; `""` has no cards."""
        space = self._contents.codec.space
        names = [part.stored.text for part in space.parts]
        if len(names) == 1:
            return {names[0]: self._contents.boards_in_all}
        counts = np.zeros(len(space.parts), np.int64)
        for which in range(len(self._contents.places)):
            kinds = space.kinds(self._contents.numbers(which))
            counts += np.bincount(kinds, minlength=len(counts))
        return dict(zip(names, counts.tolist(), strict=True))

    def __len__(self) -> int:
        return len(self._indexes)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Board: ...
    @overload
    def __getitem__(self, index: slice) -> Archive: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Board | Archive:
        if isinstance(index, slice):
            part = copy(self)
            part._indexes = self._indexes[index]
            part._owns = False
            return part
        try:
            place = self._indexes[index]
        except IndexError:
            raise IndexError(f"{index!r} is past the end of a length of {len(self)}") from None
        return self._open.board(place)

    def __iter__(self) -> Iterator[Board]:
        for which, rows in self._pieces():
            yield from self._open.boards(which)[rows]

    def numbers(self) -> Iterator[Limbs]:
        """Give the numbers of the boards in batches, `uint64[n, 2]`, high and low words.

        Of an archive with several spaces they are the numbers of its `ArchiveSpace`.
        """
        for which, rows in self._pieces():
            yield self._open.numbers(which)[rows]

    def owners(self) -> Iterator[Owners]:
        """Give the owners of the boards in batches, `uint8[n, 52]`, without boards of no cards."""
        for numbers in self.numbers():
            yield self._open.owners(numbers)

    def _pieces(self) -> Iterator[tuple[int, slice]]:
        """Give the blocks that the view needs in turn, each with the rows of it."""
        indexes, contents = self._indexes, self._open
        while indexes:
            which = contents.which(indexes[0])
            place = contents.places[which]
            if indexes.step > 0:
                many = -((indexes[0] - place.end) // indexes.step)
            else:
                many = -((place.begin - 1 - indexes[0]) // -indexes.step)
            some, indexes = indexes[:many], indexes[many:]
            start, stop = some.start - place.begin, some.stop - place.begin
            yield which, slice(start, None if stop < 0 else stop, some.step)

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """Return the first position of a layout, or of a board, at or after `start`.

        Raise `LayoutError`, which is a `ValueError`, where it is not there. Sets and multisets find
        it in a few steps; in order, all numbers are looked at.
        """
        first, end, _ = slice(start, stop).indices(len(self))
        for position in self.positions(value):
            if first <= position < end:
                return position
        raise LayoutError(f"{value!r} is not in {self.name}")

    def count(self, value: object) -> int:
        """Return how many boards have the cards of a layout, or equal a board."""
        return sum(1 for _ in self.positions(value))

    def __contains__(self, value: object) -> bool:
        return next(self.positions(value), None) is not None

    def positions(self, value: object) -> Iterator[int]:
        """Give the positions of boards that have the cards of a layout, or equal a board."""
        layout = value.layout if isinstance(value, Board) else value
        if not isinstance(layout, Layout) and not isinstance(value, Board):
            return
        try:
            number = self._open.codec.space.number(cast("Layout | None", layout))
        except LayoutError:
            return
        for position in self._positions_of(number):
            if not isinstance(value, Board) or self[position] == value:
                yield position

    def _positions_of(self, number: int) -> Iterator[int]:
        """Give the positions in this view that have a number."""
        if self._open.codec.is_sorted:
            yield from self._sorted_positions_of(number)
            return
        high, low = split(number)
        begin = 0
        for rows in self.numbers():
            found = np.flatnonzero((rows[:, 0] == high) & (rows[:, 1] == low))
            yield from (begin + int(row) for row in found)
            begin += len(rows)

    def _sorted_positions_of(self, number: int) -> Iterator[int]:
        begin, end = self._open.find(number), self._open.find(number + 1)
        yield from sorted(
            self._indexes.index(place) for place in range(begin, end) if place in self._indexes
        )

    @property
    def _open(self) -> Contents:
        """The contents, unless the file was closed."""
        data = self._contents.data
        if isinstance(data, mmap.mmap) and data.closed:
            raise ValueError(f"the archive {self.name!r} is closed")
        return self._contents

    def close(self) -> None:
        """Close the file, and with it all views; a view does not close the file."""
        if self._owns and isinstance(self._contents.data, mmap.mmap):
            self._contents.data.close()

    def __repr__(self) -> str:
        return f"<{self.kind} archive of {len(self)} boards of {self._contents.codec.space}>"


def map_file(name: str) -> Buffer:
    """Map a file into memory; raise `ReadError` if it is no file."""
    if os.path.exists(name) and not os.path.isfile(name):
        raise ReadError(
            f"{name}: an archive by position needs a regular file; pav.read reads pipes"
        )
    with open(name, "rb") as file:
        if not os.fstat(file.fileno()).st_size:
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
