"""The blocks of an archive: what its header defines, and a block that is read.

`BlockCodec` makes blocks by kind, space, tags and coder. `Block` decodes one, column by column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
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
    header_size,
    parse_head,
    parse_header,
)
from pavcodec.archive.spaces import ArchiveSpace
from pavcodec.archive.tags.metadata import (
    TagRows,
    check_rules,
    cycle_tags,
    decode_metadata,
    decode_rules,
    encode_batches,
    encode_metadata,
)
from pavcodec.archive.tricks import (
    are_whole,
    decode_tricks,
    encode_tricks,
    put_back,
    take_out,
)
from pavcodec.arrays import Limbs, Owners, integer
from pavcodec.boards.batch import CONTRACTS, BoardBatch, Gathered
from pavcodec.boards.board import Board
from pavcodec.boards.tricks import NOT_SOLVED, results_of_bytes
from pavcodec.errors import PavError, ReadError
from pavcodec.files.opening import Mapped
from pavcodec.limits import MEMORY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.layout import Layout


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
        return MixedCoder(self.space.chain)

    def blocks(
        self, numbers: Limbs, batches: Sequence[BoardBatch]
    ) -> Iterator[tuple[bytes, Entry]]:
        """Yield the blocks of some boards, each with its entry; more than one if tags are long.

        There are no `batches` for numbers alone.
        """
        try:
            tags = self._tags(numbers, batches) if batches else b""
        except PavError:
            if len(numbers) == 1:
                raise
            boards = Gathered([board for batch in batches for board in batch])
            half = len(boards) // 2
            yield from self.blocks(numbers[:half], [boards.rows(0, half)])
            yield from self.blocks(numbers[half:], [boards.rows(half, len(boards))])
            return
        yield self.block(numbers, tags)

    def block(self, numbers: Limbs, tags: bytes) -> tuple[bytes, Entry]:
        """Return the block of numbers and of encoded tags, with its entry."""
        data = build_block(BlockType.BOARDS, len(numbers), self.coder.encode(numbers), tags)
        first = integer(numbers[0]) if self.is_sorted else 0
        checksum = parse_head(data[:BLOCK_SIZE]).checksum
        return data, Entry(len(data), len(numbers), checksum, first)

    def _tags(self, numbers: Limbs, batches: Sequence[BoardBatch]) -> bytes:
        """Return the encoded tags of boards: all, or number, dealer and vulnerability, and tricks.

        Raise `PavError` if they are too long for a block.
        """
        metadata, tricks, column = None, None, b""
        if self.keeps_tags:
            metadata = encode_batches(batches, tricks_apart=self.keeps_tricks)
        elif not any(batch.holds for batch in batches):
            metadata = b""
        if metadata is None:
            boards = [board for batch in batches for board in batch]
            if not self.keeps_tags:
                boards = [Board(board.layout, cycle_tags(board)) for board in boards]
            elif self.keeps_tricks:
                pairs = list(map(take_out, boards))
                boards = [board for board, _ in pairs]
                joined = b"".join(row for _, row in pairs)
                tricks = np.frombuffer(joined, np.uint8).reshape(-1, CONTRACTS)
            metadata = encode_metadata(boards) if any(board.entries for board in boards) else b""
        if self.keeps_tricks:
            if tricks is None:
                tricks = np.concatenate([batch.all_tricks() for batch in batches])
            if (tricks != NOT_SOLVED).any():
                column = encode_tricks(tricks, self.space.owners(numbers))
            if column or metadata:
                metadata = len(column).to_bytes(_COLUMN_SIZE, "little") + column + metadata
        if len(metadata) > MOST_TAGS:
            raise PavError(f"the tags of a block take {len(metadata)} bytes, more than {MOST_TAGS}")
        return metadata

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


_MANY_SEARCHES = 64
"""After so many single boards of an ordered block with tags, all its numbers are decoded."""


class Block:
    """A block of boards that was read; each column is decoded when it is first needed.

    `check` raises `ReadError` for numbers that contradict other blocks.
    """

    def __init__(
        self,
        codec: BlockCodec,
        head: Head,
        payload: bytes,
        check: Callable[[Limbs], object] = lambda _: None,
    ) -> None:
        self.head, self._codec, self._payload, self._check = head, codec, payload, check
        self._searches = 0

    @property
    def size(self) -> int:
        """The bytes of memory that the block takes, with what is decoded."""
        decoded = (self.__dict__.get(name) for name in ("numbers", "known_numbers", "tricks"))
        arrays = sum(each.nbytes for each in decoded if each is not None)
        tags = self.__dict__.get("tag_rows")
        size: int = len(self._payload) + arrays + (0 if tags is None else tags.size)
        return size

    @cached_property
    def numbers(self) -> Limbs:
        """The numbers, `uint64[n, 2]`, read-only."""
        numbers = self._codec.coder.decode(self._coded, self.head.count)
        self._check(numbers)
        numbers.flags.writeable = False
        return numbers

    @cached_property
    def known_numbers(self) -> Limbs:
        """The sorted numbers of a block with a right checksum, without another check."""
        coder = self._codec.coder
        assert isinstance(coder, SortedCoder)
        return coder.read(self._coded, self.head.count)

    @property
    def is_searched(self) -> bool:
        """Whether the sorted numbers are there."""
        return "known_numbers" in self.__dict__

    def number(self, row: int) -> int:
        """Return the number of a row; a block that is searched again and again is decoded."""
        self._searches += 1
        if self._codec.is_sorted and self._searches > 1:
            return integer(self.known_numbers[row])
        is_busy = self.head.tags_size and self._searches > _MANY_SEARCHES
        if is_busy or "numbers" in self.__dict__:
            return integer(self.numbers[row])
        return self._codec.coder.at(self._coded, self.head.count, row)

    @property
    def _coded(self) -> bytes:
        return self._payload[: self.head.numbers_size]

    @property
    def owners(self) -> Owners:
        """The owners, `uint8[n, 52]`, 255 for boards without cards."""
        return self._codec.space.owners(self.numbers)

    def layouts(self) -> list[Layout | None]:
        """Return the cards of the boards; None for "no cards"."""
        return self._codec.space.layouts(self.numbers)

    def boards(self, layouts: Sequence[Layout | None]) -> list[Board]:
        """Return the boards, whose cards are `layouts`; raise `ReadError` for invalid tags."""
        codec, (column, tags) = self._codec, self._columns
        if tags:
            boards = (decode_metadata if codec.keeps_tags else decode_rules)(tags, layouts)
        else:
            boards = [Board(layout) for layout in layouts]
        if column:
            rows = map(bytes, self.tricks)
            boards = [self._solved(board, row) for board, row in zip(boards, rows, strict=True)]
        return boards

    def board(self, row: int, layout: Layout | None) -> Board:
        """Return the board of a row, whose cards are `layout`, without decoding the others."""
        codec, board = self._codec, Board(layout)
        if self.tag_rows is not None:
            board = self.tag_rows.board(row, layout)
        if not codec.keeps_tags:
            check_rules(board)
        return self._solved(board, bytes(self.tricks[row])) if self._columns[0] else board

    def _solved(self, board: Board, tricks: bytes) -> Board:
        """Return a board with its row of the column of tricks; the last tag if no tags are kept."""
        if self._codec.keeps_tags:
            return put_back(board, tricks)
        return board.with_results(results_of_bytes(tricks))

    @cached_property
    def tag_rows(self) -> TagRows | None:
        """A reader of single boards' tags; None for a block without tags."""
        tags = self._columns[1]
        return TagRows(tags, self.head.count) if tags else None

    @cached_property
    def tricks(self) -> NDArray[np.uint8]:
        """The tricks, `uint8[n, 20]`, read-only, with 255 where the column has none."""
        column = self._columns[0]
        tricks = np.full((self.head.count, CONTRACTS), NOT_SOLVED, np.uint8)
        if column:
            tricks = decode_tricks(column, self.owners)
        tricks.flags.writeable = False
        return tricks

    @property
    def are_solved(self) -> NDArray[np.bool_]:
        """Which boards have 20 results in the column of tricks."""
        return are_whole(self._columns[0], self.head.count)

    @property
    def has_tricks(self) -> bool:
        """Whether the block has a place for a column of tricks."""
        return self._codec.keeps_tricks and self.head.tags_size > 0

    @property
    def has_more(self) -> bool:
        """Whether the boards have more than cards and tricks of the column."""
        return bool(self._columns[1])

    @property
    def _columns(self) -> tuple[bytes, bytes]:
        """The column of tricks and the metadata; raise `ReadError` for impossible sizes."""
        tags = self._payload[self.head.numbers_size :]
        if not self.has_tricks:
            return b"", tags
        size = int.from_bytes(tags[:_COLUMN_SIZE], "little")
        if len(tags) <= _COLUMN_SIZE or size > len(tags) - _COLUMN_SIZE:
            raise ReadError(f"tricks: the column of {size} bytes is not in {len(tags)} bytes")
        end = _COLUMN_SIZE + size
        return tags[_COLUMN_SIZE:end], tags[end:]


def read_codec(data: Mapped, memory: int = MEMORY) -> tuple[BlockCodec, int]:
    """Return the codec and the size of the header; raise `ReadError` if it is damaged."""
    size = header_size(data[:BLOCK_SIZE])
    return BlockCodec.of(parse_header(data[:size]), memory), size


def block_at(data: Mapped, offset: int) -> tuple[Head, bytes]:
    """Return the head and the payload of a block; raise `ReadError` if it is damaged."""
    head = parse_head(data[offset : offset + BLOCK_SIZE])
    if offset + head.size > len(data):
        raise ReadError("the file ends in it")
    payload = data[offset + BLOCK_SIZE : offset + head.size]
    if not head.fits(payload):
        raise ReadError("its checksum is wrong")
    return head, payload
