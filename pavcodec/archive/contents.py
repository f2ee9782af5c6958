"""The contents of an archive in a memory map: where its blocks are, and what is in one.

Everything is checked before it is used: the header and the indexes when the archive is opened, a
block when something of it is first asked for.
"""

from __future__ import annotations

import mmap
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias, TypeVar

from pavcodec.archive.block_codec import MOST_BOARDS, BlockCodec, integer
from pavcodec.archive.coding.sorted import SortedCoder, first_not_below
from pavcodec.archive.container import (
    BLOCK_SIZE,
    END_SIZE,
    BlockType,
    End,
    Entry,
    Head,
    Kind,
    header_size,
    parse_end,
    parse_entries,
    parse_head,
    parse_header,
)
from pavcodec.archive.tags.tag_rows import TagRows
from pavcodec.arrays.owners.rows import Owners
from pavcodec.arrays.words.limbs import Limbs
from pavcodec.boards.board import Board
from pavcodec.errors import ReadError
from pavcodec.limits.lru_cache import LruCache
from pavcodec.limits.memory import MEMORY
from pavcodec.numberings import Numbering

__all__ = ["BoardPlace", "Buffer", "Contents", "block_at", "read_scheme"]

Given = TypeVar("Given")
Result = TypeVar("Result")

_MOST_KEPT = 1 << 25
"""The most bytes of blocks, of numbers and of tags, of each of them, that are kept."""

Buffer: TypeAlias = bytes | mmap.mmap


class BoardPlace(NamedTuple):
    """A block of boards: its first byte, the position of its first board, its entry."""

    offset: int
    begin: int
    entry: Entry

    @property
    def end(self) -> int:
        """The position behind its last board."""
        return self.begin + self.entry.count


class Contents:
    """An archive whose header and indexes are whole; raise `ReadError` where they are not."""

    def __init__(self, data: Buffer, name: str, memory: int = MEMORY) -> None:
        self.data = data
        self.name = name
        self.size = len(data)
        try:
            self.codec, start = read_scheme(data, memory)
            end = self._end()
            self.places = list(self._read_places(start, end))
            self.last_index = end.index
        except ReadError as error:
            raise ReadError(f"{name}: {error}") from None
        self._begins = [place.begin for place in self.places]
        self._blocks = LruCache[int, tuple[Head, bytes]](_MOST_KEPT)
        self._quick = LruCache[int, Limbs](_MOST_KEPT)  # sorted numbers, read to find one of them
        self._met = set[int]()  # blocks of which a number was found, so that all are worth keeping
        self._tags = LruCache[int, TagRows](_MOST_KEPT)
        self._numbers: tuple[int, Limbs] | None = None
        self._boards: tuple[int, list[Board]] | None = None

    @property
    def boards_in_all(self) -> int:
        """How many boards there are."""
        return self.places[-1].end if self.places else 0

    def _end(self) -> End:
        """Return what the block at the end says."""
        offset = self.size - END_SIZE
        if offset < 0:
            raise ReadError("the archive is cut off")
        try:
            head, payload = block_at(self.data, offset)
        except ReadError:
            head = None
        if head is None or head.type is not BlockType.END or head.size != END_SIZE:
            raise ReadError(
                "there is no end where the file ends: it is cut off, or something could not be "
                "added to it; what is whole in it can be repaired"
            )
        return parse_end(payload)

    def _read_places(self, start: int, end: End) -> Iterator[BoardPlace]:
        """Give the places of all blocks of boards."""
        begin, last = 0, -1
        for offset, entries in self._indexes(start, end):
            place = offset
            for entry in entries:
                if not 1 <= entry.count <= MOST_BOARDS or entry.size < BLOCK_SIZE:
                    raise ReadError("index: it has entries that no block can have")
                if self.codec.is_sorted and entry.first < last + (
                    self.codec.kind is Kind.SET and last >= 0
                ):
                    raise ReadError("index: its first numbers are not sorted")
                last = entry.first
                yield BoardPlace(place, begin, entry)
                place += entry.size
                begin += entry.count
        if begin != end.boards:
            raise ReadError(f"end: it speaks of {end.boards} boards, and there are {begin}")

    def _indexes(self, start: int, end: End) -> list[tuple[int, list[Entry]]]:
        """Return for each index, the first one first, where its blocks begin and its entries."""
        offset, behind = end.index, self.size
        found = []
        while True:
            head, payload = self._index_at(offset, behind)
            data = payload[: head.numbers_size]
            previous, entries = parse_entries(data, head.count, self.codec.sorted_below)
            if previous and not start <= previous < offset:
                raise ReadError(f"index at byte {offset}: there is none before it at {previous}")
            size = sum(entry.size for entry in entries)
            found.append((offset - size, entries))
            behind = offset - size
            if not previous:
                break
            offset = previous
        if behind != start:
            raise ReadError(f"index at byte {offset}: its blocks do not begin behind the header")
        return found[::-1]

    def _index_at(self, offset: int, behind: int) -> tuple[Head, bytes]:
        """Return an index that ends, with an end of the archive, where something begins."""
        where = f"index at byte {offset}"
        try:
            head, payload = block_at(self.data, offset)
        except ReadError as error:
            raise ReadError(f"{where}: {error}") from None
        if head.type is not BlockType.INDEX or offset + head.size + END_SIZE != behind:
            raise ReadError(f"{where}: there is no index in its place")
        if payload[head.numbers_size :] != self.codec.header:
            raise ReadError(f"{where}: its copy of the header is another one")
        return head, payload

    def which(self, position: int) -> int:
        """Return which block holds the board of a position."""
        return bisect_right(self._begins, position) - 1

    def block(self, which: int) -> tuple[Head, bytes]:
        """Return a block of boards; raise `ReadError` that names it where it is damaged."""
        kept = self._blocks.get(which)
        if kept is not None:
            return kept
        place = self.places[which]
        try:
            block = block_at(self.data, place.offset)
            self._check_entry(block[0], place.entry)
        except ReadError as error:
            raise self.fault(which, error) from None
        return self._blocks.keep(which, block, len(block[1]))

    def _check_entry(self, head: Head, entry: Entry) -> None:
        """Raise `ReadError` where a block is not the one that the index speaks of."""
        self.codec.check_head(head)
        is_it = (head.size, head.count, head.checksum) == (entry.size, entry.count, entry.checksum)
        if head.type is not BlockType.BOARDS or not is_it:
            raise ReadError("it is not what the index says")

    def fault(self, which: int, error: ReadError) -> ReadError:
        """Return an error with the name of the file and the block."""
        return ReadError(f"{self.name}: block {which} at byte {self.places[which].offset}: {error}")

    def numbers(self, which: int) -> Limbs:
        """Return the numbers of a block."""
        if self._numbers is None or self._numbers[0] != which:
            head, payload = self.block(which)
            try:
                numbers = self.codec.numbers(head, payload)
                self._check_order(which, numbers)
            except ReadError as error:
                raise self.fault(which, error) from None
            numbers.flags.writeable = False  # it is kept, and handed out
            self._numbers = which, numbers
        return self._numbers[1]

    def _check_order(self, which: int, numbers: Limbs) -> None:
        """Raise `ReadError` where the numbers of a block are not between those of the index."""
        if not self.codec.is_sorted:
            return
        first, last = integer(numbers[0]), integer(numbers[-1])
        has_next = which + 1 < len(self.places)
        following = self.places[which + 1].entry.first if has_next else self.codec.space.cardinality
        is_below = last < following or (has_next and self.codec.kind is Kind.MULTISET)
        if first != self.places[which].entry.first or last > following or not is_below:
            raise ReadError("its numbers are not those that the index speaks of")

    def number(self, position: int) -> int:
        """Return the number at a position."""
        which = self.which(position)
        row = position - self.places[which].begin
        if self._numbers is not None and self._numbers[0] == which:
            return integer(self._numbers[1][row])
        if self.codec.is_sorted and which in self._met:
            return integer(self._sorted_numbers(which)[row])
        self._met.add(which)
        head, payload = self.block(which)
        try:
            return self.codec.coder.at(payload[: head.numbers_size], head.count, row)
        except ReadError as error:
            raise self.fault(which, error) from None

    def _sorted_numbers(self, which: int) -> Limbs:
        """Return the sorted numbers of a block, which its checksum says are good."""
        kept = self._quick.get(which)
        if kept is not None:
            return kept
        head, payload = self.block(which)
        coder = self.codec.coder
        assert isinstance(coder, SortedCoder)
        try:
            rows = coder.read(payload[: head.numbers_size], head.count)
        except ReadError as error:
            raise self.fault(which, error) from None
        return self._quick.keep(which, rows, rows.nbytes)

    def find(self, number: int) -> int:
        """Return the position of the first number not below one, of sorted numbers."""
        which = bisect_left(self.places, number, key=lambda place: place.entry.first) - 1
        if which < 0:
            return 0
        return self.places[which].begin + first_not_below(self._sorted_numbers(which), number)

    def owners(self, numbers: Limbs) -> Owners:
        """Return the owners of numbers, `uint8[n, 52]`, without those of no cards."""
        return self._named(self.codec.space.owners, numbers)

    @property
    def numbering(self) -> Numbering:
        """The numbering that the first part of the space is."""
        return self._named(lambda part: part.numbering, self.codec.space.parts[0])

    def _named(self, call: Callable[[Given], Result], given: Given) -> Result:
        """Call a function of the space; what is wrong with the header is told with the file."""
        try:
            return call(given)
        except ReadError as error:
            raise ReadError(f"{self.name}: {error}") from None

    def boards(self, which: int) -> list[Board]:
        """Return the boards of a block."""
        if self._boards is None or self._boards[0] != which:
            layouts = self._named(self.codec.space.layouts, self.numbers(which))
            head, payload = self.block(which)
            try:
                boards = self.codec.boards(head, payload, layouts)
            except ReadError as error:
                raise self.fault(which, error) from None
            self._boards = which, boards
        return self._boards[1]

    def board(self, position: int) -> Board:
        """Return the board at a position."""
        which = self.which(position)
        row = position - self.places[which].begin
        if self._boards is not None and self._boards[0] == which:
            return self._boards[1][row]
        head, payload = self.block(which)
        layout = self._named(self.codec.space.layout, self.number(position))
        if not head.tags_size:
            return Board(layout)
        try:
            tags = self._tags.get(which)
            if tags is None:
                found = self.codec.tag_rows(head, payload)
                tags = self._tags.keep(which, found, found.size)
            board = tags.board(row, layout)
            self.codec.check_kept(board)
        except ReadError as error:
            raise self.fault(which, error) from None
        return board


def read_scheme(data: Buffer, memory: int = MEMORY) -> tuple[BlockCodec, int]:
    """Return what the header says and how long it is; raise `ReadError` where it is damaged."""
    size = header_size(data[:BLOCK_SIZE])
    return BlockCodec.of(parse_header(data[:size]), memory), size


def block_at(data: Buffer, offset: int) -> tuple[Head, bytes]:
    """Return the block that begins at a byte; raise `ReadError` where there is no whole one."""
    head = parse_head(data[offset : offset + BLOCK_SIZE])
    if offset + head.size > len(data):
        raise ReadError("the file ends in it")
    payload = data[offset + BLOCK_SIZE : offset + head.size]
    if not head.fits(payload):
        raise ReadError("its checksum is wrong")
    return head, payload
