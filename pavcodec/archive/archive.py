"""An archive as a sequence of boards."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Self, SupportsIndex, cast, overload

import numpy as np

from pavcodec.archive.coding.bounds import multiset_bits, ordered_bits, set_bits
from pavcodec.archive.container import Kind
from pavcodec.archive.contents import Buffer, Contents
from pavcodec.archive.lookup import Found, images_of
from pavcodec.archive.spaces import ArchiveSpace
from pavcodec.arrays.owners.rows import Owners
from pavcodec.arrays.words.limbs import Limbs, integer, split
from pavcodec.boards.batch import tricks_of
from pavcodec.boards.board import Board
from pavcodec.boards.tricks import NOT_SOLVED
from pavcodec.constraints import Expression
from pavcodec.errors import LayoutError
from pavcodec.files.closing import Closing
from pavcodec.files.mapped import Mapped, map_bytes
from pavcodec.layout import Layout, TrickTable
from pavcodec.limits.memory import MEMORY, memory_of
from pavcodec.numberings import Numbering

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Archive"]


class Archive(Closing, Sequence[Board]):
    """A sequence of the boards of an archive over a memory map; `open_archive(path)` returns it.

    Indexes may be negative. A slice is a view; it reads the file only when you read its boards. A
    layout is `in` an archive if a board has these cards. Sets and multisets are sorted by number. A
    `with` block closes the file at its end, and with it all views.

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
        """Read the header and the index; raise `ReadError` if they are damaged."""
        self._contents = Contents(data, name, memory_of(memory))
        self._indexes = range(self._contents.boards_in_all)
        self._owns = True

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, memory: int | str = MEMORY) -> Self:
        """Map an archive into memory; raise `ReadError` if the file is damaged or no archive."""
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
        """Whether the archive stores all tags of the boards."""
        return self._contents.codec.keeps_tags

    @property
    def keeps_tricks(self) -> bool:
        """Whether the archive has a column of double-dummy tricks."""
        return self._contents.codec.keeps_tricks

    @property
    def space(self) -> Numbering | ArchiveSpace:
        """The numbering of the archive's numbers, or an `ArchiveSpace` if it has several parts.

        The first access to this property or to a board counts the deals of a condition. It raises
        `ReadError` if the count differs from the cardinality in the header.
        """
        space = self._contents.codec.space
        if len(space.parts) == 1 and not space.parts[0].is_empty:
            return self._contents.numbering
        return space

    @property
    def where(self) -> Expression | None:
        """The condition that all deals satisfy, or None."""
        parts = self._contents.codec.space.parts
        return parts[0].where if len(parts) == 1 else None

    @property
    def is_of_deals(self) -> bool:
        """Whether the space contains only complete deals."""
        return all(part.is_of_deals for part in self._contents.codec.space.parts)

    @property
    def space_text(self) -> str:
        """The names of the numberings of the space, or the condition, as text."""
        return str(self._contents.codec.space)

    @property
    def cardinality(self) -> int:
        """The cardinality of the space: numbers are from 0 to `cardinality` - 1."""
        return self._contents.codec.space.cardinality

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return self._contents.size

    @property
    def bits_per_deal(self) -> Fraction:
        """The size of the file in bits, divided by the number of boards; 0 if there are none."""
        boards = self._contents.boards_in_all
        return Fraction(8 * self.size, boards) if boards else Fraction(0)

    @cached_property
    def bound_bits_per_deal(self) -> Fraction:
        """The lower bound in bits a board for such a collection, rounded down to billionths.

        If the space has several parts, it is the mean over the boards, each with the bound of its
        part. The choice of the part is not counted.
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
        """The number of boards in each part of the space, by its name; `""` is "no cards"."""
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
        """Yield the numbers of the boards in batches, `uint64[n, 2]`, high and low words.

        If the space has several parts, these are numbers of the `ArchiveSpace`.
        """
        for which, rows in self._pieces():
            yield self._open.numbers(which)[rows]

    def owners(self) -> Iterator[Owners]:
        """Yield the owners of the boards in batches, `uint8[n, 52]`; skip boards without cards."""
        for numbers in self.numbers():
            yield self._open.owners(numbers)

    def solved(self) -> Iterator[tuple[Owners, NDArray[np.uint8]]]:
        """Yield the owners and the tricks, `uint8[n, 20]`, of the boards with cards, in batches.

        A contract without a result has 255. Archives without a column of tricks have their tricks
        in tags, which takes longer.
        """
        contents = self._open
        for which, rows in self._pieces():
            numbers = contents.numbers(which)
            tricks = contents.tricks(which)
            if contents.has_more(which) and (tricks == NOT_SOLVED).any():
                tricks = tricks_of(contents.boards(which))
            have_cards = contents.codec.space.have_cards(numbers)[rows]
            yield contents.owners(numbers[rows]), tricks[rows][have_cards]

    def count_solved(self) -> int:
        """Return how many boards have the tricks of all 20 contracts in the column of tricks."""
        contents = self._open
        if not self.keeps_tricks:
            return 0
        return sum(int(contents.are_solved(which)[rows].sum()) for which, rows in self._pieces())

    def _pieces(self) -> Iterator[tuple[int, slice]]:
        """Yield the index of each block that the view needs, and the rows of the block."""
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
        """Return the first position of a layout or a board, at or after `start`.

        Raise `LayoutError`, a `ValueError`, if there is none. The search is binary in sets and
        multisets, and linear in ordered archives.
        """
        first, end, _ = slice(start, stop).indices(len(self))
        for position in self.positions(value):
            if first <= position < end:
                return position
        raise LayoutError(f"{value!r} is not in {self.name}")

    def count(self, value: object) -> int:
        """Return the number of boards that have the cards of a layout, or equal a board."""
        return sum(1 for _ in self.positions(value))

    def __contains__(self, value: object) -> bool:
        return next(self.positions(value), None) is not None

    def positions(self, value: object) -> Iterator[int]:
        """Yield the positions of boards that have the cards of a layout, or equal a board."""
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

    def find(self, layout: Layout, up_to: str = "") -> Iterator[Found]:
        """Yield the boards with the cards of a layout, by position.

        With `up_to`, a symmetry such as "suits,turns", a board is also found if other names of
        suits and seats make it the layout; `Found.permutation` has these names. The search is
        binary in sets and multisets, and linear in ordered archives. Raises `TypeError` unless
        `layout` is a `Layout`, and `UnknownNameError` for an unknown symmetry.

        >>> import io
        >>> from pavcodec import Permutation, numbering, write_archive
        >>> stream, deals = io.BytesIO(), numbering("deal").sample(5, seed=7)
        >>> _ = write_archive(deals, stream)
        >>> turned = deals[3].permuted(Permutation((1, 0, 2, 3), (1, 2, 3, 0)))
        >>> (found,) = Archive(stream.getvalue()).find(turned, "suits,turns")
        >>> found.position, deals[3].permuted(found.permutation) == turned
        (3, True)
        """
        images = images_of(self._open.codec.space, layout, up_to)
        if self._open.codec.is_sorted:
            places = ((place, number) for number in images for place in self._positions_of(number))
            for place, number in sorted(places):
                yield Found(place, images[number])
            return
        lows = np.array([split(number)[1] for number in images], np.uint64)
        begin = 0
        for rows in self.numbers():
            for row in np.flatnonzero(np.isin(rows[:, 1], lows)).tolist():
                number = integer(rows[row])
                if number in images:
                    yield Found(begin + row, images[number])
            begin += len(rows)

    def tricks_of(self, layout: Layout) -> TrickTable | None:
        """Return the double-dummy tricks of a deal; None if the archive does not have them.

        A board with other names of suits, or turned round the table, has the same tricks under
        other names.
        """
        for found in self.find(layout, "suits,turns"):
            tricks = self[found.position].tricks
            if tricks is not None:
                return tricks.permuted(found.permutation)
        return None

    def _positions_of(self, number: int) -> Iterator[int]:
        """Yield the positions of a number in this view."""
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
        """The contents; raise `ValueError` if the file is closed."""
        data = self._contents.data
        if not isinstance(data, bytes) and data.closed:
            raise ValueError(f"the archive {self.name!r} is closed")
        return self._contents

    def close(self) -> None:
        """Close the file, and with it all views. A view does not close the file."""
        if self._owns and not isinstance(self._contents.data, bytes):
            self._contents.data.close()

    def __repr__(self) -> str:
        return f"<{self.kind} archive of {len(self)} boards of {self._contents.codec.space}>"


def map_file(name: str) -> Mapped:
    """Map an archive into memory; of a URL, read ranges; raise `ReadError` for pipes."""
    return map_bytes(name, "an archive by position needs a regular file; pav.read reads pipes")
