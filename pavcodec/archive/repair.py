"""Find damage in an archive, and save the undamaged blocks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from pavcodec.archive.archive import map_file
from pavcodec.archive.block_codec import BlockCodec, BlockSequence, block_at, read_codec
from pavcodec.archive.container import BLOCK_MARK, BLOCK_SIZE, BlockType, Head, parse_header
from pavcodec.archive.writer import ArchiveWriter
from pavcodec.errors import ReadError
from pavcodec.files.opening import Mapped, open_output

_MOST_WORK = 8
"""The search for blocks after damage reads at most this many times the size of the file."""


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


@dataclass(frozen=True)
class _WholeBlock:
    """A block with a correct checksum, and its offset."""

    offset: int
    head: Head
    payload: bytes


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
    return list(_damages(map_file(name), name))


def repair_archive(path: str | os.PathLike[str], target: str | os.PathLike[str]) -> Repair:
    """Write a new archive of all undamaged blocks of an archive, and return the damages.

    Raise `ReadError` if the header and all its copies are damaged.
    """
    name = os.fspath(path)
    data = map_file(name)
    damages = tuple(_damages(data, name))
    codec, start = _codec_of(data, name)
    order = BlockSequence(codec, start)
    with open_output(target, durable=True) as stream:
        writer = ArchiveWriter(stream, codec)
        for block in _whole_blocks(data, start, []):
            if block.head.type is not BlockType.BOARDS:
                continue
            try:
                order.take(block.head, block.payload)
            except ReadError:  # it contradicts the blocks before it
                continue
            writer.copy(order.last_entry, data[block.offset : block.offset + block.head.size])
        writer.finish()
    return Repair(writer.boards, damages)


def _codec_of(data: Mapped, name: str) -> tuple[BlockCodec, int]:
    """Return the codec of the header or of a copy of it, and the offset where blocks may start."""
    try:
        return read_codec(data)
    except ReadError as error:
        for block in _whole_blocks(data, 0, []):
            if block.head.type is BlockType.INDEX:
                header = block.payload[block.head.numbers_size :]
                try:
                    return BlockCodec.of(parse_header(header)), 0
                except ReadError:
                    continue
        raise ReadError(f"{name}: {error}; there is no copy of the header either") from None


def _damages(data: Mapped, name: str) -> Iterator[Damage]:
    try:
        codec, start = read_codec(data)
    except ReadError as error:
        yield Damage(name, 0, str(error))
        try:
            codec, start = _codec_of(data, name)
        except ReadError:
            return
    damages: list[tuple[int, str]] = []
    order = _checked(data, BlockSequence(codec, start), damages)
    yield from (Damage(name, *damage) for damage in damages)
    if not order.ended or order.offset != len(data):
        yield Damage(name, len(data), "the archive has no end")


def _checked(data: Mapped, order: BlockSequence, damages: list[tuple[int, str]]) -> BlockSequence:
    """Read all blocks, and add each that contradicts the blocks before it to `damages`.

    An index or an end after damage is not a second damage.
    """
    known = 0
    for block in _whole_blocks(data, order.offset, damages):
        order.offset = block.offset
        try:
            taken = order.take(block.head, block.payload)
            if taken is not None and block.head.tags_size:
                taken.boards(taken.layouts())
        except ReadError as error:
            if block.head.type is BlockType.BOARDS or known == len(damages):
                damages.append((block.offset, str(error)))
            order.skip(block.head, block.payload)
        if block.head.type is BlockType.END:
            known = len(damages)
    return order


def _whole_blocks(
    data: Mapped, start: int, damages: list[tuple[int, str]]
) -> Iterator[_WholeBlock]:
    """Yield all blocks with correct checksums, and add the damaged offsets to `damages`.

    After a damaged block, the next one is searched byte by byte.
    """
    offset, work = start, 0
    is_lost = False
    while offset < len(data):
        try:
            head, payload = block_at(data, offset)
        except ReadError as error:
            if not is_lost:
                damages.append((offset, str(error)))
            is_lost = True
            work += _size_at(data, offset)
            offset = data.find(BLOCK_MARK, offset + 1)
            if offset < 0:
                return
            if work > _MOST_WORK * len(data):
                damages.append((offset, "the search for blocks stops here: too much is damaged"))
                return
            continue
        is_lost = False
        yield _WholeBlock(offset, head, payload)
        offset += head.size


def _size_at(data: Mapped, offset: int) -> int:
    """Return the number of bytes that `block_at` read before it refused this offset."""
    sizes = data[offset + 8 : offset + BLOCK_SIZE - 4]
    size = int.from_bytes(sizes[:4], "little") + int.from_bytes(sizes[4:], "little")
    return size if offset + size <= len(data) else BLOCK_SIZE
