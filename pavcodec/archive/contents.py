"""The blocks of an archive in a memory map, with random access.

All data is checked before use: the header and the indexes when the archive is opened, a block when
it is first read.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from pavcodec.archive.block_codec import MOST_BOARDS, BlockCodec
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
from pavcodec.arrays.words.limbs import Limbs, integer
from pavcodec.boards.board import Board
from pavcodec.errors import ReadError
from pavcodec.files.mapped import Mapped
from pavcodec.limits.lru_cache import LruCache
from pavcodec.limits.memory import MEMORY
from pavcodec.numberings import Numbering

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BoardPlace", "Buffer", "Contents", "block_at", "read_codec"]

Given = TypeVar("Given")
Result = TypeVar("Result")

_CACHE_BYTES = 1 << 25
"""The size of each cache, of blocks, numbers and tags, in bytes."""

Buffer: TypeAlias = Mapped


class BoardPlace(NamedTuple):
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

    def __init__(self, data: Buffer, name: str, memory: int = MEMORY) -> None:
        self.data = data
        self.name = name
        self.size = len(data)
        try:
            self.codec, start = read_codec(data, memory)
            end = self._end()
            self.places = list(self._read_places(start, end))
            self.last_index = end.index
        except ReadError as error:
            raise ReadError(f"{name}: {error}") from None
        self._begins = [place.begin for place in self.places]
        self._blocks = LruCache[int, tuple[Head, bytes]](_CACHE_BYTES)
        self._sorted = LruCache[int, Limbs](_CACHE_BYTES)  # numbers for binary searches
        self._visited = set[int]()  # a second read of one of these blocks caches all its numbers
        self._tags = LruCache[int, TagRows](_CACHE_BYTES)
        self._tricks = LruCache[int, "NDArray[np.uint8]"](_CACHE_BYTES)
        self._numbers: tuple[int, Limbs] | None = None
        self._boards: tuple[int, list[Board]] | None = None

    @property
    def boards_in_all(self) -> int:
        """The number of boards."""
        return self.places[-1].end if self.places else 0

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

    def _read_places(self, start: int, end: End) -> Iterator[BoardPlace]:
        """Yield the places of all blocks of boards."""
        begin, last = 0, -1
        for offset, entries in self._indexes(start, end):
            place = offset
            for entry in entries:
                if not 1 <= entry.count <= MOST_BOARDS or entry.size < BLOCK_SIZE:
                    raise ReadError("index: it has an impossible entry")
                if self.codec.is_sorted and entry.first < last + (
                    self.codec.kind is Kind.SET and last >= 0
                ):
                    raise ReadError("index: its first numbers are not sorted")
                last = entry.first
                yield BoardPlace(place, begin, entry)
                place += entry.size
                begin += entry.count
        if begin != end.boards:
            raise ReadError(f"end: it has {end.boards} boards, but the index has {begin}")

    def _indexes(self, start: int, end: End) -> list[tuple[int, list[Entry]]]:
        """Return for each index, first to last, the offset of its first block and its entries."""
        offset, behind = end.index, self.size
        found = []
        while True:
            head, payload = self._index_at(offset, behind)
            data = payload[: head.numbers_size]
            previous, entries = parse_entries(data, head.count, self.codec.sorted_below)
            if previous and not start <= previous < offset:
                raise ReadError(f"index at byte {offset}: there is no earlier one at {previous}")
            size = sum(entry.size for entry in entries)
            found.append((offset - size, entries))
            behind = offset - size
            if not previous:
                break
            offset = previous
        if behind != start:
            raise ReadError(f"index at byte {offset}: its blocks do not follow the header")
        return found[::-1]

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

    def block(self, which: int) -> tuple[Head, bytes]:
        """Return a block of boards; raise `ReadError` with its place if it is damaged."""
        cached = self._blocks.get(which)
        if cached is not None:
            return cached
        place = self.places[which]
        try:
            block = block_at(self.data, place.offset)
            self._check_entry(block[0], place.entry)
        except ReadError as error:
            raise self.fault(which, error) from None
        return self._blocks.keep(which, block, len(block[1]))

    def _check_entry(self, head: Head, entry: Entry) -> None:
        """Raise `ReadError` if a block differs from its entry in the index."""
        self.codec.check_head(head)
        is_it = (head.size, head.count, head.checksum) == (entry.size, entry.count, entry.checksum)
        if head.type is not BlockType.BOARDS or not is_it:
            raise ReadError("it differs from its entry in the index")

    def fault(self, which: int, error: ReadError) -> ReadError:
        """Return an error with the name of the file and the place of the block."""
        return ReadError(f"{self.name}: block {which} at byte {self.places[which].offset}: {error}")

    def numbers(self, which: int) -> Limbs:
        """Return the numbers of a block, `uint64[n, 2]`, read-only."""
        if self._numbers is None or self._numbers[0] != which:
            head, payload = self.block(which)
            try:
                numbers = self.codec.numbers(head, payload)
                self._check_order(which, numbers)
            except ReadError as error:
                raise self.fault(which, error) from None
            numbers.flags.writeable = False  # callers share the cached array
            self._numbers = which, numbers
        return self._numbers[1]

    def forget(self) -> None:
        """Free the numbers of the last block; reading decodes it again."""
        self._numbers = None

    def _check_order(self, which: int, numbers: Limbs) -> None:
        """Raise `ReadError` if the numbers of a block contradict the index."""
        if not self.codec.is_sorted:
            return
        first, last = integer(numbers[0]), integer(numbers[-1])
        has_next = which + 1 < len(self.places)
        following = self.places[which + 1].entry.first if has_next else self.codec.space.cardinality
        is_below = last < following or (has_next and self.codec.kind is Kind.MULTISET)
        if first != self.places[which].entry.first or last > following or not is_below:
            raise ReadError("its numbers do not agree with the index")

    def number(self, position: int) -> int:
        """Return the number at a position."""
        which = self.which(position)
        row = position - self.places[which].begin
        if self._numbers is not None and self._numbers[0] == which:
            return integer(self._numbers[1][row])
        if self.codec.is_sorted and which in self._visited:
            return integer(self._sorted_numbers(which)[row])
        self._visited.add(which)
        head, payload = self.block(which)
        try:
            return self.codec.coder.at(payload[: head.numbers_size], head.count, row)
        except ReadError as error:
            raise self.fault(which, error) from None

    def _sorted_numbers(self, which: int) -> Limbs:
        """Return the sorted numbers of a block, whose checksum is already verified."""
        cached = self._sorted.get(which)
        if cached is not None:
            return cached
        head, payload = self.block(which)
        coder = self.codec.coder
        assert isinstance(coder, SortedCoder)
        try:
            rows = coder.read(payload[: head.numbers_size], head.count)
        except ReadError as error:
            raise self.fault(which, error) from None
        return self._sorted.keep(which, rows, rows.nbytes)

    def find(self, number: int) -> int:
        """Return the position of the first number not below `number`, in a sorted archive."""
        which = bisect_left(self.places, number, key=lambda place: place.entry.first) - 1
        if which < 0:
            return 0
        return self.places[which].begin + first_not_below(self._sorted_numbers(which), number)

    def owners(self, numbers: Limbs) -> Owners:
        """Return the owners of numbers, `uint8[n, 52]`, without boards that have no cards."""
        return self._with_file_name(self.codec.space.owners, numbers)

    @property
    def numbering(self) -> Numbering:
        """The numbering of the first part of the space."""
        return self._with_file_name(lambda part: part.numbering, self.codec.space.parts[0])

    def _with_file_name(self, call: Callable[[Given], Result], given: Given) -> Result:
        """Call a function of the space, and add the file's name to a `ReadError`."""
        try:
            return call(given)
        except ReadError as error:
            raise ReadError(f"{self.name}: {error}") from None

    def boards(self, which: int) -> list[Board]:
        """Return the boards of a block."""
        if self._boards is None or self._boards[0] != which:
            layouts = self._with_file_name(self.codec.space.layouts, self.numbers(which))
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
        layout = self._with_file_name(self.codec.space.layout, self.number(position))
        if not head.tags_size:
            return Board(layout)
        try:
            tags = self._tags.get(which)
            if tags is None and (found := self.codec.tag_rows(head, payload)) is not None:
                tags = self._tags.keep(which, found, found.size)
            board = Board(layout) if tags is None else tags.board(row, layout)
            return self.codec.with_tricks(board, self.tricks(which)[row])
        except ReadError as error:
            raise self.fault(which, error) from None

    def has_more(self, which: int) -> bool:
        """Return whether the boards of a block have tags that are not in the column of tricks."""
        head, payload = self.block(which)
        try:
            return self.codec.has_more(head, payload)
        except ReadError as error:
            raise self.fault(which, error) from None

    def are_solved(self, which: int) -> NDArray[np.bool_]:
        """Return which boards of a block have 20 results in the column of tricks."""
        head, payload = self.block(which)
        try:
            return self.codec.are_solved(head, payload)
        except ReadError as error:
            raise self.fault(which, error) from None

    def tricks(self, which: int) -> NDArray[np.uint8]:
        """Return the tricks of a block, `uint8[n, 20]`, read-only; 255 where there are none."""
        cached = self._tricks.get(which)
        if cached is not None:
            return cached
        head, payload = self.block(which)
        try:
            tricks = self.codec.tricks(head, payload, self.numbers(which))
        except ReadError as error:
            raise self.fault(which, error) from None
        tricks.flags.writeable = False
        return self._tricks.keep(which, tricks, tricks.nbytes)


def read_codec(data: Buffer, memory: int = MEMORY) -> tuple[BlockCodec, int]:
    """Return the codec and the size of the header; raise `ReadError` if it is damaged."""
    size = header_size(data[:BLOCK_SIZE])
    return BlockCodec.of(parse_header(data[:size]), memory), size


def block_at(data: Buffer, offset: int) -> tuple[Head, bytes]:
    """Return the block at an offset; raise `ReadError` if it is damaged or incomplete."""
    head = parse_head(data[offset : offset + BLOCK_SIZE])
    if offset + head.size > len(data):
        raise ReadError("the file ends in it")
    payload = data[offset + BLOCK_SIZE : offset + head.size]
    if not head.fits(payload):
        raise ReadError("its checksum is wrong")
    return head, payload
