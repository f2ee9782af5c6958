"""An archive as a sequence of boards over a memory map, with random access and search.

`Contents` finds the blocks through the indexes, checks each when it is first read, and keeps the
last ones; `Archive` is the public view of its boards, or of a slice of them.
"""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple, Self, SupportsIndex, cast, overload

import numpy as np

from pavcodec.archive.block_codec import MOST_BOARDS, Block, block_at, read_codec
from pavcodec.archive.coding.coder import multiset_bits, ordered_bits, set_bits
from pavcodec.archive.coding.sorted import first_not_below
from pavcodec.archive.container import (
    BLOCK_SIZE,
    END_SIZE,
    BlockType,
    End,
    Entry,
    Head,
    Kind,
    parse_end,
    parse_entries,
)
from pavcodec.archive.spaces import ArchiveSpace
from pavcodec.arrays import Limbs, Owners, integer, split
from pavcodec.boards.batch import NO_CARDS, tricks_of
from pavcodec.boards.board import Board
from pavcodec.boards.tricks import NOT_SOLVED
from pavcodec.constraints import Expression
from pavcodec.errors import LayoutError, ReadError
from pavcodec.files.opening import Closing, Mapped, map_bytes
from pavcodec.layout import Layout, TrickTable
from pavcodec.limits import MEMORY, LruCache, memory_of
from pavcodec.numberings import Numbering
from pavcodec.symmetry import Permutation, symmetry_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


_CACHE_BYTES = 1 << 26
"""The size of all blocks that are kept, with what is decoded of them, in bytes."""


class BoardBlock(NamedTuple):
    """A block of boards: its offset in the file, the position of its first board, and its entry."""

    offset: int
    begin: int
    entry: Entry

    @property
    def end(self) -> int:
        """The position after its last board."""
        return self.begin + self.entry.count


class Contents:
    """The blocks of an archive; raise `ReadError` if the header or an index is damaged."""

    def __init__(self, data: Mapped, name: str, memory: int = MEMORY) -> None:
        self.data = data
        self.name = name
        self.size = len(data)
        with self._named_faults():
            self.codec, start = read_codec(data, memory)
            end = self._end()
            self.blocks = list(self._read_blocks(start, end))
            self.last_index = end.index
        self._begins = [block.begin for block in self.blocks]
        self._cache = LruCache[int, Block](_CACHE_BYTES)
        self._boards: tuple[int, list[Board]] | None = None

    @property
    def boards_in_all(self) -> int:
        """The number of boards."""
        return self.blocks[-1].end if self.blocks else 0

    def _end(self) -> End:
        """Return the fields of the end block."""
        offset = self.size - END_SIZE
        if offset < 0:
            raise ReadError("the archive is cut off")
        try:
            head, payload = block_at(self.data, offset)
        except ReadError:
            head = None
        if head is None or head.type is not BlockType.END or head.size != END_SIZE:
            raise ReadError(
                "the file has no end block: it is cut off, or appending to it was interrupted; "
                "its complete blocks can be repaired"
            )
        return parse_end(payload)

    def _read_blocks(self, start: int, end: End) -> Iterator[BoardBlock]:
        """Yield all blocks of boards."""
        begin, last = 0, -1
        for offset, entries in self._indexes(start, end):
            block_offset = offset
            for entry in entries:
                if not 1 <= entry.count <= MOST_BOARDS or entry.size < BLOCK_SIZE:
                    raise ReadError("index: it has an impossible entry")
                if self.codec.is_sorted and entry.first < last + (
                    self.codec.kind is Kind.SET and last >= 0
                ):
                    raise ReadError("index: its first numbers are not sorted")
                last = entry.first
                yield BoardBlock(block_offset, begin, entry)
                block_offset += entry.size
                begin += entry.count
        if begin != end.boards:
            raise ReadError(f"end: it has {end.boards} boards, but the index has {begin}")

    def _indexes(self, start: int, end: End) -> list[tuple[int, list[Entry]]]:
        """Return for each index, first to last, the offset of its first block and its entries."""
        offset, behind = end.index, self.size
        indexes = []
        while True:
            head, payload = self._index_at(offset, behind)
            data = payload[: head.numbers_size]
            previous, entries = parse_entries(data, head.count, self.codec.sorted_below)
            if previous and not start <= previous < offset:
                raise ReadError(f"index at byte {offset}: there is no earlier one at {previous}")
            size = sum(entry.size for entry in entries)
            indexes.append((offset - size, entries))
            behind = offset - size
            if not previous:
                break
            offset = previous
        if behind != start:
            raise ReadError(f"index at byte {offset}: its blocks do not follow the header")
        return indexes[::-1]

    def _index_at(self, offset: int, behind: int) -> tuple[Head, bytes]:
        """Return the index at an offset; the end block after it must end at `behind`."""
        where = f"index at byte {offset}"
        try:
            head, payload = block_at(self.data, offset)
        except ReadError as error:
            raise ReadError(f"{where}: {error}") from None
        if head.type is not BlockType.INDEX or offset + head.size + END_SIZE != behind:
            raise ReadError(f"{where}: there is no index followed by an end")
        if payload[head.numbers_size :] != self.codec.header:
            raise ReadError(f"{where}: its copy of the header differs from the header")
        return head, payload

    def which(self, position: int) -> int:
        """Return the index of the block that contains the board at a position."""
        return bisect_right(self._begins, position) - 1

    @contextmanager
    def block(self, which: int) -> Iterator[Block]:
        """Yield a block of boards, and keep what is decoded of it.

        A `ReadError` has the place of the block.
        """
        block = self._cache.get(which)
        decoded = 0 if block is None else len(block.__dict__)
        try:
            if block is None:
                block = self._read(which)
            yield block
        except ReadError as error:
            raise self._named(error, which) from None
        if len(block.__dict__) != decoded:
            self._cache.keep(which, block, block.size)

    def _read(self, which: int) -> Block:
        """Return a block; raise `ReadError` if it is damaged."""
        expected = self.blocks[which]
        head, payload = block_at(self.data, expected.offset)
        self.codec.check_head(head)
        entry = Entry(head.size, head.count, head.checksum, expected.entry.first)
        if head.type is not BlockType.BOARDS or entry != expected.entry:
            raise ReadError("it differs from its entry in the index")
        return Block(self.codec, head, payload, partial(self._check_order, which))

    @contextmanager
    def _named_faults(self) -> Iterator[None]:
        """Add the name of the file to a `ReadError`."""
        try:
            yield
        except ReadError as error:
            raise self._named(error) from None

    def _named(self, error: ReadError, which: int | None = None) -> ReadError:
        """Return an error with the name of the file, and the index and the offset of a block."""
        at = "" if which is None else f"block {which} at byte {self.blocks[which].offset}: "
        return ReadError(f"{self.name}: {at}{error}")

    def numbers(self, which: int) -> Limbs:
        """Return the numbers of a block, `uint64[n, 2]`, read-only."""
        with self.block(which) as block:
            return block.numbers

    def forget(self) -> None:
        """Free all blocks; reading decodes them again."""
        self._cache.clear()

    def _check_order(self, which: int, numbers: Limbs) -> None:
        """Raise `ReadError` if the numbers of a block contradict the index."""
        if not self.codec.is_sorted:
            return
        first, last = integer(numbers[0]), integer(numbers[-1])
        has_next = which + 1 < len(self.blocks)
        following = self.blocks[which + 1].entry.first if has_next else self.codec.space.cardinality
        is_below = last < following or (has_next and self.codec.kind is Kind.MULTISET)
        if first != self.blocks[which].entry.first or last > following or not is_below:
            raise ReadError("its numbers do not agree with the index")

    def number(self, position: int) -> int:
        """Return the number at a position."""
        which = self.which(position)
        with self.block(which) as block:
            return block.number(position - self.blocks[which].begin)

    def find(self, number: int) -> int:
        """Return the position of the first number not below `number`, in a sorted archive."""
        which = bisect_left(self.blocks, number, key=lambda block: block.entry.first) - 1
        if which < 0:
            return 0
        block = self._cache.get(which)
        if block is None or not block.is_searched:
            with self.block(which) as block:
                _ = block.known_numbers
        return self.blocks[which].begin + first_not_below(block.known_numbers, number)

    def owners(self, numbers: Limbs) -> Owners:
        """Return the owners of numbers, `uint8[n, 52]`, 255 for boards without cards."""
        with self._named_faults():
            return self.codec.space.owners(numbers)

    @property
    def numbering(self) -> Numbering:
        """The numbering of the first part of the space."""
        with self._named_faults():
            return self.codec.space.parts[0].numbering

    def boards(self, which: int) -> list[Board]:
        """Return the boards of a block; those of the last one are kept."""
        if self._boards is None or self._boards[0] != which:
            numbers = self.numbers(which)
            with self._named_faults():
                layouts = self.codec.space.layouts(numbers)
            with self.block(which) as block:
                self._boards = which, block.boards(layouts)
        return self._boards[1]

    def board(self, position: int) -> Board:
        """Return the board at a position."""
        which = self.which(position)
        row = position - self.blocks[which].begin
        if self._boards is not None and self._boards[0] == which:
            return self._boards[1][row]
        with self.block(which) as block:
            number = block.number(row)
        try:
            layout = self.codec.space.layout(number)
        except ReadError as error:
            raise self._named(error) from None
        if not block.head.tags_size:
            return Board(layout)
        with self.block(which) as block:
            return block.board(row, layout)


@dataclass(frozen=True)
class Found:
    """A board of an archive that is a sought layout under other names."""

    position: int
    permutation: Permutation
    """The names under which the board of the archive has the sought cards."""


def images_of(space: ArchiveSpace, layout: Layout, up_to: str = "") -> dict[int, Permutation]:
    """Return the numbers of a layout under other names, each with the way back to the layout.

    `up_to` is a symmetry, such as "suits,turns", or "" for the layout alone. Of several ways, the
    result has that of the first permutation of the symmetry. Raises `TypeError` unless `layout` is
    a `Layout`, and `UnknownNameError` for an unknown symmetry.
    """
    if not isinstance(layout, Layout):
        raise TypeError(f"a Layout is sought, not {type(layout).__name__!r}")
    ways = symmetry_of(up_to or "suits").permutations
    images: dict[int, Permutation] = {}
    for way in ways if up_to else ways[:1]:
        try:
            number = space.number(layout.permuted(way))
        except LayoutError:
            continue
        images.setdefault(number, way.inverse)
    return images


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

    def __init__(self, data: Mapped, name: str = "archive", *, memory: int | str = MEMORY) -> None:
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
        for which in range(len(self._contents.blocks)):
            parts = space.chain.parts_of(self._contents.numbers(which))
            counts += np.bincount(parts, minlength=len(counts))
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
            position = self._indexes[index]
        except IndexError:
            raise IndexError(f"{index!r} is past the end of a length of {len(self)}") from None
        return self._open.board(position)

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
            yield _with_cards(self._open.owners(numbers))

    def solved(self) -> Iterator[tuple[Owners, NDArray[np.uint8]]]:
        """Yield the owners and the tricks, `uint8[n, 20]`, of the boards with cards, in batches.

        A contract without a result has 255. Archives without a column of tricks have their tricks
        in tags, which takes longer.
        """
        contents = self._open
        for which, rows in self._pieces():
            numbers = contents.numbers(which)
            with contents.block(which) as block:
                tricks, has_more = block.tricks, block.has_more
            if has_more and (tricks == NOT_SOLVED).any():
                tricks = tricks_of(contents.boards(which))
            owners = contents.owners(numbers[rows])
            yield _with_cards(owners), tricks[rows][owners[:, 0] != NO_CARDS]

    def count_solved(self) -> int:
        """Return how many boards have the tricks of all 20 contracts in the column of tricks."""
        contents = self._open
        if not self.keeps_tricks:
            return 0
        solved = 0
        for which, rows in self._pieces():
            with contents.block(which) as block:
                solved += int(block.are_solved[rows].sum())
        return solved

    def _pieces(self) -> Iterator[tuple[int, slice]]:
        """Yield the index of each block that the view needs, and the rows of the block."""
        indexes, contents = self._indexes, self._open
        while indexes:
            which = contents.which(indexes[0])
            block = contents.blocks[which]
            if indexes.step > 0:
                many = -((indexes[0] - block.end) // indexes.step)
            else:
                many = -((block.begin - 1 - indexes[0]) // -indexes.step)
            some, indexes = indexes[:many], indexes[many:]
            start, stop = some.start - block.begin, some.stop - block.begin
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
            matches = (
                (position, number) for number in images for position in self._positions_of(number)
            )
            for position, number in sorted(matches):
                yield Found(position, images[number])
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
        for match in self.find(layout, "suits,turns"):
            tricks = self[match.position].tricks
            if tricks is not None:
                return tricks.permuted(match.permutation)
        return None

    def _positions_of(self, number: int) -> Iterator[int]:
        """Yield the positions of a number in this view."""
        if self._open.codec.is_sorted:
            sought = range(self._open.find(number), self._open.find(number + 1))
            yield from sorted(self._indexes.index(row) for row in sought if row in self._indexes)
            return
        high, low = split(number)
        begin = 0
        for rows in self.numbers():
            matches = np.flatnonzero((rows[:, 0] == high) & (rows[:, 1] == low))
            yield from (begin + int(row) for row in matches)
            begin += len(rows)

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


def _with_cards(owners: Owners) -> Owners:
    """Return the owners of the boards that have cards."""
    have_cards = owners[:, 0] != NO_CARDS
    return owners if have_cards.all() else owners[have_cards]


def map_file(name: str) -> Mapped:
    """Map an archive into memory; of a URL, read ranges; raise `ReadError` for pipes."""
    return map_bytes(name, "an archive by position needs a regular file; pav.read reads pipes")


def open_archive(path: str | os.PathLike[str], *, memory: int | str = MEMORY) -> Archive:
    """Open an archive of deals as a sequence of boards over a memory map.

    Raise `ReadError` if the file is no archive, or if its header or index is damaged. Reading from
    a damaged block raises `ReadError`, too, and returns no board of it. The first read of a board
    counts the deals of a condition, with at most as much `memory` as for `deals`.

    >>> import tempfile, pathlib
    >>> from pavcodec import numbering, write_archive
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "five.pav"
    >>> write_archive(numbering("deal").sample(5, seed=7), path, kind="set")
    5
    >>> with open_archive(path) as archive:
    ...     [numbers.shape for numbers in archive.numbers()], archive[0].layout in archive
    ([(5, 2)], True)
    """
    return Archive.open(path, memory=memory)
