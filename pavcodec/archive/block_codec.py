"""The codec of an archive's blocks, as its header defines it: kind, space and coder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pavcodec.archive.coding.coder import Coder
from pavcodec.archive.coding.mixed import MixedCoder
from pavcodec.archive.coding.ordered import OrderedCoder
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
    parse_head,
)
from pavcodec.archive.spaces import ArchiveSpace
from pavcodec.archive.tags.metadata import (
    check_rules,
    decode_metadata,
    decode_rules,
    encode_metadata,
    encode_rules,
)
from pavcodec.archive.tags.tag_rows import TagRows
from pavcodec.arrays.words.limbs import Limbs, integer
from pavcodec.boards.board import Board
from pavcodec.errors import PavError, ReadError
from pavcodec.limits.memory import MEMORY

if TYPE_CHECKING:
    from pavcodec.layout import Layout

__all__ = ["AT_ONCE", "MOST_BOARDS", "MOST_TAGS", "BlockCodec"]

AT_ONCE = 1 << 13
"""The number of boards in a block that is written, unless their tags are too long."""

MOST_BOARDS = 1 << 16
"""The maximum number of boards in a block."""

MOST_TAGS = 1 << 26
"""The maximum size of the tags of a block, in bytes."""

_MOST_NUMBERS = 32 * MOST_BOARDS


@dataclass(frozen=True)
class BlockCodec:
    """Encodes and decodes the blocks of an archive with this header."""

    kind: Kind
    keeps_tags: bool
    space: ArchiveSpace

    @classmethod
    def of(cls, header: Header, memory: int = MEMORY) -> BlockCodec:
        """Return the codec of a header; raise `ReadError` if its space is unknown."""
        return cls(header.kind, header.keeps_tags, ArchiveSpace.stored(header.spaces, memory))

    @cached_property
    def header(self) -> bytes:
        """The header as bytes."""
        spaces = tuple(part.stored for part in self.space.parts)
        return build_header(Header(self.kind, self.keeps_tags, spaces))

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
        self, numbers: Limbs, boards: Sequence[Board] | None
    ) -> Iterator[tuple[bytes, Entry]]:
        """Yield the blocks of some boards, each with its entry; more than one if tags are long.

        `boards` is None for numbers alone.
        """
        try:
            tags = self._tags(boards or ())
        except PavError:
            if boards is None or len(boards) == 1:
                raise
            half = len(boards) // 2
            for part in (slice(half), slice(half, None)):
                yield from self.blocks(numbers[part], boards[part])
            return
        yield self.block(numbers, tags)

    def block(self, numbers: Limbs, tags: bytes) -> tuple[bytes, Entry]:
        """Return the block of numbers and of encoded tags, with its entry."""
        data = build_block(BlockType.BOARDS, len(numbers), self.coder.encode(numbers), tags)
        first = integer(numbers[0]) if self.is_sorted else 0
        checksum = parse_head(data[:BLOCK_SIZE]).checksum
        return data, Entry(len(data), len(numbers), checksum, first)

    def _tags(self, boards: Sequence[Board]) -> bytes:
        """Return the encoded tags of boards: all, or number, dealer and vulnerability.

        Raise `PavError` if they are too long for a block.
        """
        if not any(board.entries for board in boards):
            return b""
        tags = encode_metadata(boards) if self.keeps_tags else encode_rules(boards) or b""
        if len(tags) > MOST_TAGS:
            raise PavError(f"the tags of a block take {len(tags)} bytes, more than {MOST_TAGS}")
        return tags

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
        tags = payload[head.numbers_size :]
        if not tags:
            return [Board(layout) for layout in layouts]
        return (decode_metadata if self.keeps_tags else decode_rules)(tags, layouts)

    def tag_rows(self, head: Head, payload: bytes) -> TagRows:
        """Return a reader of single boards' tags, for a block with tags."""
        return TagRows(payload[head.numbers_size :], head.count)

    def check_kept(self, board: Board) -> None:
        """Raise `ReadError` if a board has tags that this archive does not store."""
        if not self.keeps_tags:
            check_rules(board)
