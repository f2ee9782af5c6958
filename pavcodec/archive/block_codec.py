"""The codec of an archive's blocks, as its header defines it: kind, space, tags and coder.

`BlockCodec` converts single blocks; `BlockSequence` checks each against the blocks before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.archive.coding.coder import Coder, OrderedCoder
from pavcodec.archive.coding.mixed import MixedCoder
from pavcodec.archive.coding.sorted import SortedCoder
from pavcodec.archive.container import (
    BLOCK_SIZE,
    BlockType,
    Entry,
    Head,
    Header,
    Kind,
    build_block,
    build_header,
    parse_end,
    parse_entries,
    parse_head,
)
from pavcodec.archive.spaces import ArchiveSpace
from pavcodec.archive.tags.metadata import (
    TagRows,
    check_rules,
    decode_metadata,
    decode_rules,
    encode_batches,
    encode_metadata,
    encode_rules,
)
from pavcodec.archive.tricks import (
    are_whole,
    decode_tricks,
    encode_tricks,
    put_back,
    put_last,
    take_out,
)
from pavcodec.arrays import Limbs, integer
from pavcodec.boards.batch import CONTRACTS, BoardBatch, tricks_of
from pavcodec.boards.board import Board
from pavcodec.boards.tricks import NOT_SOLVED
from pavcodec.cards import DECK_SIZE, UNUSED
from pavcodec.errors import PavError, ReadError
from pavcodec.limits import MEMORY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.layout import Layout


AT_ONCE = 1 << 13
"""The number of boards in a block that is written, unless their tags are too long."""

MOST_BOARDS = 1 << 16
"""The maximum number of boards in a block."""

MOST_TAGS = 1 << 26
"""The maximum size of the tags of a block, in bytes."""

_MOST_NUMBERS = 32 * MOST_BOARDS

_COLUMN_SIZE = 4
"""The bytes of the size of a column of tricks."""


@dataclass(frozen=True)
class BlockCodec:
    """Encodes and decodes the blocks of an archive with this header."""

    kind: Kind
    keeps_tags: bool
    space: ArchiveSpace
    keeps_tricks: bool = False

    @classmethod
    def of(cls, header: Header, memory: int = MEMORY) -> BlockCodec:
        """Return the codec of a header; raise `ReadError` if its space is unknown."""
        space = ArchiveSpace.stored(header.spaces, memory)
        return cls(header.kind, header.keeps_tags, space, header.keeps_tricks)

    @cached_property
    def header(self) -> bytes:
        """The header as bytes."""
        spaces = tuple(part.stored for part in self.space.parts)
        return build_header(Header(self.kind, self.keeps_tags, spaces, self.keeps_tricks))

    @property
    def is_sorted(self) -> bool:
        """Whether the numbers are sorted, as in sets and multisets."""
        return self.kind is not Kind.ORDERED

    @property
    def sorted_below(self) -> int | None:
        """The cardinality if the index stores the first number of each block, else None."""
        return self.space.cardinality if self.is_sorted else None

    @cached_property
    def coder(self) -> Coder:
        """The coder of the numbers."""
        if self.is_sorted:
            return SortedCoder(self.space.cardinality, distinct=self.kind is Kind.SET)
        if len(self.space.parts) == 1:
            return OrderedCoder(self.space.cardinality)
        return MixedCoder(tuple(part.stored.cardinality for part in self.space.parts))

    def blocks(
        self, numbers: Limbs, boards: Sequence[Board] | BoardBatch | None
    ) -> Iterator[tuple[bytes, Entry]]:
        """Yield the blocks of some boards, each with its entry; more than one if tags are long.

        `boards` is None for numbers alone.
        """
        try:
            tags = b"" if boards is None else self._tags(numbers, boards)
        except PavError:
            if boards is None or len(boards) == 1:
                raise
            half = len(boards) // 2
            for begin, end in ((0, half), (half, len(boards))):
                part = (
                    boards.rows(begin, end) if isinstance(boards, BoardBatch) else boards[begin:end]
                )
                yield from self.blocks(numbers[begin:end], part)
            return
        yield self.block(numbers, tags)

    def block(self, numbers: Limbs, tags: bytes) -> tuple[bytes, Entry]:
        """Return the block of numbers and of encoded tags, with its entry."""
        data = build_block(BlockType.BOARDS, len(numbers), self.coder.encode(numbers), tags)
        first = integer(numbers[0]) if self.is_sorted else 0
        checksum = parse_head(data[:BLOCK_SIZE]).checksum
        return data, Entry(len(data), len(numbers), checksum, first)

    def _tags(self, numbers: Limbs, boards: Sequence[Board] | BoardBatch) -> bytes:
        """Return the encoded tags of boards: all, or number, dealer and vulnerability, and tricks.

        Raise `PavError` if they are too long for a block.
        """
        if isinstance(boards, BoardBatch):
            tags = self.tags_of_batches(numbers, [boards])
            if tags is not None:
                return tags
            boards = list(boards)
        if not any(board.entries for board in boards):
            return b""
        if not self.keeps_tricks:
            return _checked(self._metadata(boards))
        rest, tricks = take_out(boards) if self.keeps_tags else (boards, tricks_of(boards))
        metadata = self._metadata(rest) if any(board.entries for board in rest) else b""
        return self._with_tricks(tricks, numbers, metadata)

    def tags_of_batches(self, numbers: Limbs, batches: Sequence[BoardBatch]) -> bytes | None:
        """Return `_tags` of the boards of batches; None if it needs the single boards."""
        keeps_all = self.keeps_tags or all(batch.has_no_tags for batch in batches)
        if not keeps_all:
            return None
        if not self.keeps_tricks:
            tags = encode_batches(batches) if self.keeps_tags else b""
            return None if tags is None else _checked(tags)
        metadata = encode_batches(batches, tricks_apart=True) if self.keeps_tags else b""
        if metadata is None:
            return None
        nothing = np.full((1, CONTRACTS), NOT_SOLVED, np.uint8)
        rows = [
            np.broadcast_to(nothing, (len(batch), CONTRACTS))
            if batch.tricks is None
            else batch.tricks
            for batch in batches
        ]
        return self._with_tricks(np.concatenate(rows), numbers, metadata)

    def _metadata(self, boards: Sequence[Board]) -> bytes:
        return encode_metadata(boards) if self.keeps_tags else encode_rules(boards) or b""

    def _with_tricks(self, tricks: NDArray[np.uint8], numbers: Limbs, metadata: bytes) -> bytes:
        """Return the size of the column of tricks, the column, and the metadata; or nothing."""
        column = b""
        if (tricks != NOT_SOLVED).any():
            column = encode_tricks(tricks, self.space.rows(numbers))
        if not column and not metadata:
            return b""
        size = len(column).to_bytes(_COLUMN_SIZE, "little")
        return _checked(b"".join([size, column, metadata]))

    def check_head(self, head: Head) -> None:
        """Raise `ReadError` if a block has impossible sizes."""
        if head.type is BlockType.INDEX:
            fits = head.tags_size == len(self.header)
        elif head.type is BlockType.END:
            fits = not head.tags_size and not head.count and head.numbers_size == 16
        else:
            fits = (
                1 <= head.count <= MOST_BOARDS
                and head.numbers_size <= _MOST_NUMBERS
                and head.tags_size <= MOST_TAGS
            )
        if not fits:
            raise ReadError(
                f"no block has a count of {head.count}, {head.numbers_size} bytes of numbers and "
                f"{head.tags_size} bytes of tags"
            )

    def numbers(self, head: Head, payload: bytes) -> Limbs:
        """Return the numbers of a block, `uint64[n, 2]`."""
        return self.coder.decode(payload[: head.numbers_size], head.count)

    def boards(self, head: Head, payload: bytes, layouts: Sequence[Layout | None]) -> list[Board]:
        """Return the boards of a block with the given layouts."""
        column, tags = self._parts(head, payload)
        if tags:
            boards = (decode_metadata if self.keeps_tags else decode_rules)(tags, layouts)
        else:
            boards = [Board(layout) for layout in layouts]
        if not column:
            return boards
        words = (bytes([UNUSED]) * DECK_SIZE if each is None else each.owners for each in layouts)
        owners = np.frombuffer(b"".join(words), np.uint8).reshape(-1, DECK_SIZE)
        tricks = decode_tricks(column, owners)
        if not self.keeps_tags:
            return put_last(boards, tricks)
        with_tables = put_back(boards, tricks)
        if take_out(with_tables)[0] != boards:
            raise ReadError("tricks: a board has a table that belongs in the column")
        return with_tables

    def tricks(self, head: Head, payload: bytes, numbers: Limbs) -> NDArray[np.uint8]:
        """Return the tricks of a block, `uint8[n, 20]`, with 255 where the column has none."""
        column, _ = self._parts(head, payload)
        if not column:
            return np.full((head.count, CONTRACTS), NOT_SOLVED, np.uint8)
        return decode_tricks(column, self.space.rows(numbers))

    def are_solved(self, head: Head, payload: bytes) -> NDArray[np.bool_]:
        """Return which boards of a block have 20 results in the column of tricks."""
        return are_whole(self._parts(head, payload)[0], head.count)

    def has_more(self, head: Head, payload: bytes) -> bool:
        """Return whether the boards of a block have more than cards and tricks of the column."""
        return bool(self._parts(head, payload)[1])

    def _parts(self, head: Head, payload: bytes) -> tuple[bytes, bytes]:
        """Return the column of tricks and the metadata of a block; raise `ReadError`."""
        tags = payload[head.numbers_size :]
        if not tags or not self.keeps_tricks:
            return b"", tags
        size = int.from_bytes(tags[:_COLUMN_SIZE], "little")
        if len(tags) <= _COLUMN_SIZE or size > len(tags) - _COLUMN_SIZE:
            raise ReadError(f"tricks: the column of {size} bytes is not in {len(tags)} bytes")
        end = _COLUMN_SIZE + size
        return tags[_COLUMN_SIZE:end], tags[end:]

    def tag_rows(self, head: Head, payload: bytes) -> TagRows | None:
        """Return a reader of single boards' tags; None for a block without tags."""
        tags = self._parts(head, payload)[1]
        return TagRows(tags, head.count) if tags else None

    def with_tricks(self, board: Board, tricks: NDArray[np.uint8]) -> Board:
        """Return a board with its row of the column of tricks; raise `ReadError` for other tags."""
        if not self.keeps_tags:
            check_rules(board)
        if not self.keeps_tricks:
            return board
        rows = tricks[np.newaxis]
        return (put_back if self.keeps_tags else put_last)([board], rows)[0]


def _checked(tags: bytes) -> bytes:
    """Return tags unchanged; raise `PavError` if they are too long for a block."""
    if len(tags) > MOST_TAGS:
        raise PavError(f"the tags of a block take {len(tags)} bytes, more than {MOST_TAGS}")
    return tags


@dataclass
class BlockSequence:
    """The state of reading an archive from its start: the offset, and the next index's content."""

    codec: BlockCodec
    offset: int
    """The offset of the next block."""
    boards: int = 0
    """The number of boards so far."""
    ended: bool = False
    """Whether the last block was an end, so that the archive may end here."""
    _last: int = -1
    _index: int = 0
    _previous: int = 0
    _entries: list[Entry] = field(default_factory=list)

    @property
    def last_entry(self) -> Entry:
        """The entry of the last block of boards."""
        return self._entries[-1]

    def take(self, head: Head, payload: bytes) -> Limbs | None:
        """Check the next block, and return its numbers if it is a block of boards.

        Raise `ReadError` if its checksum is wrong or if it contradicts the blocks before it.
        """
        self.codec.check_head(head)
        if not head.fits(payload):
            raise ReadError("its checksum is wrong")
        numbers = None
        is_next = not self._index or head.type is BlockType.END
        if not is_next:
            raise ReadError("an end block must follow an index")
        if head.type is BlockType.BOARDS:
            numbers = self._take_boards(head, payload)
        elif head.type is BlockType.INDEX:
            self._take_index(head, payload)
        else:
            self._take_end(payload)
        self.ended = head.type is BlockType.END
        self.offset += head.size
        return numbers

    def skip(self, head: Head, payload: bytes) -> None:
        """Continue after a block with a correct checksum that contradicts the blocks before it."""
        if head.type is BlockType.INDEX:
            self._index, self._entries = self.offset, []
        elif head.type is BlockType.END:
            end = parse_end(payload)
            self._previous, self._index, self.boards = end.index, 0, end.boards
        self.ended = head.type is BlockType.END
        self.offset += head.size

    def _take_boards(self, head: Head, payload: bytes) -> Limbs:
        numbers = self.codec.numbers(head, payload)
        first = integer(numbers[0]) if self.codec.is_sorted else 0
        if self.codec.is_sorted:
            if first < self._last + (self.codec.kind is Kind.SET):
                raise ReadError("its numbers do not follow those before it in order")
            self._last = integer(numbers[-1])
        self._entries.append(Entry(head.size, head.count, head.checksum, first))
        self.boards += head.count
        return numbers

    def _take_index(self, head: Head, payload: bytes) -> None:
        data, copy = payload[: head.numbers_size], payload[head.numbers_size :]
        previous, entries = parse_entries(data, head.count, self.codec.sorted_below)
        if copy != self.codec.header:
            raise ReadError("its copy of the header differs from the header")
        if previous != self._previous or entries != self._entries:
            raise ReadError("it does not agree with the blocks before it")
        self._index = self.offset
        self._entries = []

    def _take_end(self, payload: bytes) -> None:
        end = parse_end(payload)
        if not self._index or (end.index, end.boards) != (self._index, self.boards):
            raise ReadError("it does not agree with the blocks before it")
        self._previous, self._index = self._index, 0
