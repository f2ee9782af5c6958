"""Read archives from their start: as streams of boards, to find damage, and to save whole blocks.

`BlockSequence` checks each block against those before it. A reader of a stream stops at damage;
`verify_archive` and `repair_archive` search the next block after it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import BinaryIO

from pavcodec.archive.archive import map_file
from pavcodec.archive.block_codec import Block, BlockCodec, block_at, read_codec
from pavcodec.archive.container import (
    BLOCK_MARK,
    BLOCK_SIZE,
    PREFIX_SIZE,
    BlockType,
    Entry,
    Head,
    Kind,
    header_size,
    parse_end,
    parse_entries,
    parse_head,
    parse_header,
)
from pavcodec.archive.writer import ArchiveWriter
from pavcodec.arrays import Limbs, integer
from pavcodec.boards.batch import BoardBatch, Gathered, More, Wanted
from pavcodec.boards.board import Board, Context
from pavcodec.errors import PavError, ReadError
from pavcodec.files.opening import Mapped, open_output
from pavcodec.files.text import read_up_to

_MOST_WORK = 8
"""The search for blocks after damage reads at most this many times the size of the file."""


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

    def take(self, head: Head, payload: bytes) -> Block | None:
        """Check the next block, and return it if it is a block of boards.

        Raise `ReadError` if its checksum is wrong or if it contradicts the blocks before it.
        """
        self.codec.check_head(head)
        if not head.fits(payload):
            raise ReadError("its checksum is wrong")
        block = None
        if self._index and head.type is not BlockType.END:
            raise ReadError("an end block must follow an index")
        if head.type is BlockType.BOARDS:
            block = Block(self.codec, head, payload)
            self._take_boards(head, block.numbers)
        elif head.type is BlockType.INDEX:
            self._take_index(head, payload)
        else:
            self._take_end(payload)
        self.ended = head.type is BlockType.END
        self.offset += head.size
        return block

    def skip(self, head: Head, payload: bytes) -> None:
        """Continue after a block with a correct checksum that contradicts the blocks before it."""
        if head.type is BlockType.INDEX:
            self._index, self._entries = self.offset, []
        elif head.type is BlockType.END:
            end = parse_end(payload)
            self._previous, self._index, self.boards = end.index, 0, end.boards
        self.ended = head.type is BlockType.END
        self.offset += head.size

    def _take_boards(self, head: Head, numbers: Limbs) -> None:
        first = 0
        if self.codec.is_sorted:
            first = integer(numbers[0])
            if first < self._last + (self.codec.kind is Kind.SET):
                raise ReadError("its numbers do not follow those before it in order")
            self._last = integer(numbers[-1])
        self._entries.append(Entry(head.size, head.count, head.checksum, first))
        self.boards += head.count

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


def read_pav(stream: BinaryIO, context: Context, wanted: Wanted) -> Iterator[BoardBatch]:
    """Yield the boards of blocks up to the end or the first damage, which is a problem.

    Damage in tags is none where only the cards are wanted.
    """
    for block in _blocks(stream, context):
        try:
            if wanted is not Wanted.CARDS:
                batch: BoardBatch = Gathered(block.boards(block.layouts()))
            else:
                tricks = block.tricks if block.has_tricks else None
                more = More.ANYTHING if block.has_more else More.NOTHING
                batch = BoardBatch(block.owners, origin=_origin(block), more=more, tricks=tricks)
        except PavError as error:
            context.problem(None, str(error))
            return
        yield batch


def _origin(block: Block) -> Callable[[int], Board]:
    """Return what makes the boards of a block, when the first is needed."""

    @cache
    def boards() -> list[Board]:
        layouts = block.layouts()
        try:
            return block.boards(layouts)
        except PavError:  # the cards are right, and the tags are not
            return list(map(Board, layouts))

    return lambda row: boards()[row]


def _blocks(stream: BinaryIO, context: Context) -> Iterator[Block]:
    """Yield the blocks of boards; stop at damage, which is a problem."""
    try:
        prefix = read_up_to(stream, PREFIX_SIZE)
        size = header_size(prefix)
        codec = BlockCodec.of(parse_header(prefix + read_up_to(stream, size - len(prefix))))
    except ReadError as error:
        context.problem(None, str(error))
        return
    order = BlockSequence(codec, size)
    which = 0
    while True:
        try:
            data = read_up_to(stream, BLOCK_SIZE)
            if not data and order.ended:
                return
            head = parse_head(data)
            codec.check_head(head)
            payload = read_up_to(stream, head.size - BLOCK_SIZE)
            if len(payload) < head.size - BLOCK_SIZE:
                raise ReadError("the file ends in it")  # noqa: TRY301 (one place names the block)
            block = order.take(head, payload)
        except ReadError as error:
            context.problem(None, f"block {which} at byte {order.offset}: {error}")
            return
        if block is not None:
            yield block
            which += 1


@dataclass(frozen=True)
class Damage:
    """A damage of an archive: the file, the offset of the damaged bytes, and the reason.

    >>> print(Damage("deals.pav", 44, "its checksum is wrong"))
    deals.pav: at byte 44: its checksum is wrong
    """

    source: str
    offset: int
    reason: str

    def __str__(self) -> str:
        return f"{self.source}: at byte {self.offset}: {self.reason}"


@dataclass(frozen=True)
class Repair:
    """The result of a repair: the number of saved boards, and the damages."""

    boards: int
    damages: tuple[Damage, ...]


def verify_archive(path: str | os.PathLike[str]) -> list[Damage]:
    """Return all damages of an archive, an empty list for an undamaged one.

    Every block is read and compared with its entry in the index.

    >>> import tempfile, pathlib
    >>> from pavcodec import numbering, write_archive
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "five.pav"
    >>> _ = write_archive(numbering("deal")[:5], path)
    >>> verify_archive(path)
    []
    >>> size = path.write_bytes(path.read_bytes()[:-1])
    >>> [damage.reason for damage in verify_archive(path)]
    ['the file ends in it', 'the archive has no end']
    """
    name = os.fspath(path)
    return _damages(map_file(name), name)


def repair_archive(path: str | os.PathLike[str], target: str | os.PathLike[str]) -> Repair:
    """Write a new archive of all undamaged blocks of an archive, and return the damages.

    Raise `ReadError` if the header and all its copies are damaged.
    """
    name = os.fspath(path)
    data = map_file(name)
    damages = _damages(data, name)
    codec, start = _codec_of(data, name)
    order = BlockSequence(codec, start)
    with open_output(target, durable=True) as stream:
        writer = ArchiveWriter(stream, codec)
        for offset, head, payload in _whole_blocks(data, start, lambda *_: None):
            if head.type is not BlockType.BOARDS:
                continue
            try:
                order.take(head, payload)
            except ReadError:  # it contradicts the blocks before it
                continue
            writer.copy(order.last_entry, data[offset : offset + head.size])
        writer.finish()
    return Repair(writer.boards, tuple(damages))


def _codec_of(data: Mapped, name: str) -> tuple[BlockCodec, int]:
    """Return the codec of the header or of a copy of it, and the offset where blocks may start."""
    try:
        return read_codec(data)
    except ReadError as error:
        for _, head, payload in _whole_blocks(data, 0, lambda *_: None):
            if head.type is BlockType.INDEX:
                try:
                    return BlockCodec.of(parse_header(payload[head.numbers_size :])), 0
                except ReadError:
                    continue
        raise ReadError(f"{name}: {error}; there is no copy of the header either") from None


def _damages(data: Mapped, name: str) -> list[Damage]:
    """Return the damages: blocks that are not whole, or contradict the blocks before them.

    An index or an end after damage is not a second damage.
    """
    damages: list[Damage] = []

    def tell(offset: int, reason: str) -> None:
        damages.append(Damage(name, offset, reason))

    try:
        codec, start = read_codec(data)
    except ReadError as error:
        tell(0, str(error))
        try:
            codec, start = _codec_of(data, name)
        except ReadError:
            return damages
    order, known = BlockSequence(codec, start), len(damages)
    for offset, head, payload in _whole_blocks(data, start, tell):
        order.offset = offset
        try:
            block = order.take(head, payload)
            if block is not None and head.tags_size:
                block.boards(block.layouts())
        except ReadError as error:
            if head.type is BlockType.BOARDS or known == len(damages):
                tell(offset, str(error))
            order.skip(head, payload)
        if head.type is BlockType.END:
            known = len(damages)
    if not order.ended or order.offset != len(data):
        tell(len(data), "the archive has no end")
    return damages


def _whole_blocks(
    data: Mapped, start: int, tell: Callable[[int, str], None]
) -> Iterator[tuple[int, Head, bytes]]:
    """Yield the offset, the head and the payload of each block with a correct checksum.

    After a damaged block, the next one is searched byte by byte.
    """
    offset, work = start, 0
    is_lost = False
    while offset < len(data):
        try:
            head, payload = block_at(data, offset)
        except ReadError as error:
            if not is_lost:
                tell(offset, str(error))
            is_lost = True
            work += _size_at(data, offset)
            offset = data.find(BLOCK_MARK, offset + 1)
            if offset < 0:
                return
            if work > _MOST_WORK * len(data):
                tell(offset, "the search for blocks stops here: too much is damaged")
                return
            continue
        is_lost = False
        yield offset, head, payload
        offset += head.size


def _size_at(data: Mapped, offset: int) -> int:
    """Return the number of bytes that `block_at` read before it refused this offset."""
    sizes = data[offset + 8 : offset + BLOCK_SIZE - 4]
    size = int.from_bytes(sizes[:4], "little") + int.from_bytes(sizes[4:], "little")
    return size if offset + size <= len(data) else BLOCK_SIZE
