"""The binary layout of an archive: header, blocks, index and end, declared with construct.

All fields are little-endian and start on whole bytes. No type of construct leaves this module, and
all its errors become `ReadError`. The meaning of the numbers is in the modules that use them. The
page of the format takes its tables from these declarations.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from struct import Struct as Packer
from typing import Any, NamedTuple
from zlib import crc32

from construct import (
    Array,
    Bytes,
    BytesInteger,
    Const,
    Construct,
    ConstructError,
    GreedyBytes,
    Int8ul,
    Int16ul,
    Int32ul,
    Int64ul,
    Prefixed,
    Struct,
    this,
)

from pavcodec.archive.coding.coder import bytes_below
from pavcodec.errors import ReadError

MAGIC = b"PAVARC1\n"
BLOCK_MARK = b"PAV"
MOST_SPACES = 16
MOST_TEXT = (1 << 16) - 1
KEEPS_TAGS = 1
"""The flag of archives that store all tags of their boards."""
KEEPS_TRICKS = 2
"""The flag of archives that store double-dummy tricks in a column of their own."""


class Kind(IntEnum):
    """Whether an archive keeps the order of its deals, and repeated deals."""

    ORDERED = 0
    SET = 1
    MULTISET = 2


class SpaceType(IntEnum):
    """The meaning of the text of a space."""

    NUMBERING = 0
    DEALS = 1
    ENDINGS = 2
    NO_CARDS = 3


class BlockType(IntEnum):
    """The content of a block."""

    BOARDS = ord("B")
    INDEX = ord("I")
    END = ord("E")


_SPACE = Struct(
    "type" / Int8ul * "0 a numbering, 1 deals of a condition, 2 endings of one, 3 no cards at all",
    "cards" / Int8ul * "cards in each hand of the endings of a condition; else 0",
    "cardinality" / BytesInteger(16, swapped=True) * "how many numbers it has, at least 1",
    "text" / Prefixed(Int16ul, GreedyBytes) * "length, then the name or the condition, in UTF-8",
)

_HEADER = Struct(
    "magic" / Const(MAGIC) * "the letters PAVARC1 and a line feed",
    "size" / Int32ul * "bytes of the header, from its first to its last",
    "kind" / Int8ul * "0 ordered, 1 a set, 2 a multiset",
    "flags" / Int8ul * "1 if all tags are kept, plus 2 if tricks have a column",
    "space_count" / Int16ul * "how many spaces, 1 to 16",
    "spaces" / Array(this.space_count, _SPACE) * "the spaces",
    "checksum" / Int32ul * "CRC-32 of all bytes before it",
)

_BLOCK = Struct(
    "mark" / Const(BLOCK_MARK) * "the letters PAV",
    "type" / Int8ul * "the letter B for boards, I for an index, E for the end",
    "count" / Int32ul * "boards, or entries; 0 at the end",
    "numbers_size" / Int32ul * "bytes of the numbers, or of the index, or of the end",
    "tags_size" / Int32ul * "bytes of the tags, or in an index of the copy of the header; else 0",
    "checksum" / Int32ul * "CRC-32 of the 16 bytes before it and of all bytes after it",
)

_INDEX = Struct(
    "previous" / Int64ul * "where the index before this one begins; 0 if this is the first",
    "entries" / GreedyBytes * "the entries, one for each block of boards",
)


def _entry(width: int) -> Construct:
    return Struct(
        "size" / Int32ul * "bytes of the block",
        "count" / Int32ul * "boards of the block",
        "checksum" / Int32ul * "the checksum of the block",
        "first" / Bytes(width) * "sets and multisets: the first number; else nothing",
    )


_END = Struct(
    "index" / Int64ul * "where the last index begins",
    "boards" / Int64ul * "how many boards there are",
)

TABLES: dict[str, Construct] = {
    "header": _HEADER,
    "space": _SPACE,
    "block": _BLOCK,
    "index": _INDEX,
    "entry": _entry(0),
    "end": _END,
}
"""The declarations that the page of the format shows as tables."""


def _packer(declaration: Construct) -> Packer:
    """Return the quick form of fields of fixed sizes; construct takes as long as a search."""
    codes = (
        getattr(each.subcon, "fmtstr", f"<{each.sizeof()}s")[1:] for each in declaration.subcons
    )
    return Packer("<" + "".join(codes))


_BLOCKS, _ENDS = _packer(_BLOCK), _packer(_END)
_PREFIX = Packer(f"<{len(MAGIC)}sI")

BLOCK_SIZE = _BLOCKS.size
"""The size of the head of a block, in bytes."""
END_SIZE = BLOCK_SIZE + _ENDS.size
"""The size of the whole end block, in bytes."""
PREFIX_SIZE = _PREFIX.size
"""The number of first bytes of a header that contain its size."""
MOST_HEADER = 64 + MOST_SPACES * (20 + MOST_TEXT)
_CHECKSUM = 4
"""The size of a checksum, the last field of headers and of heads."""
_SIGNED = BLOCK_SIZE - _CHECKSUM


class StoredSpace(NamedTuple):
    """A space as the header stores it."""

    type: SpaceType
    cards: int
    cardinality: int
    text: str


class Header(NamedTuple):
    """The fields of a header."""

    kind: Kind
    keeps_tags: bool
    spaces: tuple[StoredSpace, ...]
    keeps_tricks: bool = False


@dataclass(frozen=True)
class Head:
    """The head of a block: all fields before the payload."""

    type: BlockType
    count: int
    numbers_size: int
    tags_size: int
    checksum: int
    signed: bytes
    """The bytes of the head that the checksum covers."""

    @property
    def size(self) -> int:
        """The size of the whole block in bytes."""
        return BLOCK_SIZE + self.numbers_size + self.tags_size

    def fits(self, payload: bytes) -> bool:
        """Return whether the checksum is that of the payload."""
        return crc32(payload, crc32(self.signed)) == self.checksum


@dataclass(frozen=True)
class Entry:
    """The entry of a block of boards in the index."""

    size: int
    count: int
    checksum: int
    first: int


@dataclass(frozen=True)
class End:
    """The fields of the end block."""

    index: int
    boards: int


@lru_cache(maxsize=16)  # a collection of many archives has few headers
def build_header(header: Header) -> bytes:
    """Return the bytes of a header."""
    spaces = [space._asdict() | {"text": space.text.encode()} for space in header.spaces]
    fields = {
        "size": 0,
        "kind": header.kind,
        "flags": KEEPS_TAGS * bool(header.keeps_tags) + KEEPS_TRICKS * bool(header.keeps_tricks),
        "space_count": len(spaces),
        "spaces": spaces,
        "checksum": 0,
    }
    size = len(_HEADER.build(fields))
    data: bytes = _HEADER.build(fields | {"size": size})[:-_CHECKSUM]
    return data + crc32(data).to_bytes(_CHECKSUM, "little")


def header_size(data: bytes) -> int:
    """Return the size of a header by its first bytes; raise `ReadError` if it is no header."""
    if len(data) < PREFIX_SIZE or not data.startswith(MAGIC):
        raise ReadError("this is no archive: it does not begin with PAVARC1")
    size: int = _PREFIX.unpack_from(data)[1]
    if not PREFIX_SIZE <= size <= MOST_HEADER:
        raise ReadError(f"header: a size of {size} bytes is impossible")
    return size


def parse_header(data: bytes) -> Header:
    """Parse a whole header; raise `ReadError` if it is invalid."""
    if len(data) < PREFIX_SIZE or len(data) != header_size(data):
        raise ReadError("header: it is cut off")
    if crc32(data[:-_CHECKSUM]) != int.from_bytes(data[-_CHECKSUM:], "little"):
        raise ReadError("header: its checksum is wrong")
    try:
        fields = _HEADER.parse(data)
        spaces = tuple(_stored(space) for space in fields.spaces)
        kind = Kind(fields.kind)
    except (ConstructError, ValueError) as error:
        raise ReadError(f"header: {str(error).splitlines()[-1]}") from None
    if fields.flags > KEEPS_TAGS + KEEPS_TRICKS or not 1 <= len(spaces) <= MOST_SPACES:
        raise ReadError(f"header: {len(spaces)} spaces and flags {fields.flags} are unknown")
    flags = fields.flags
    header = Header(kind, bool(flags & KEEPS_TAGS), spaces, bool(flags & KEEPS_TRICKS))
    if build_header(header) != data:
        raise ReadError("header: its bytes are not in their canonical form")
    return header


def _stored(space: Any) -> StoredSpace:
    if not space.cardinality:
        raise ValueError("the cardinality of a space is at least 1")
    return StoredSpace(
        SpaceType(space.type), space.cards, space.cardinality, space.text.decode("utf-8")
    )


def build_block(type_: BlockType, count: int, numbers: bytes, tags: bytes = b"") -> bytes:
    """Return the bytes of a block."""
    signed = _BLOCKS.pack(BLOCK_MARK, type_, count, len(numbers), len(tags), 0)[:_SIGNED]
    checksum = crc32(tags, crc32(numbers, crc32(signed)))
    return b"".join([signed, checksum.to_bytes(_CHECKSUM, "little"), numbers, tags])


def parse_head(data: bytes) -> Head:
    """Parse the head of a block; raise `ReadError` if it is invalid."""
    if len(data) < BLOCK_SIZE:
        raise ReadError("the file ends in it")
    mark, letter, count, numbers_size, tags_size, checksum = _BLOCKS.unpack_from(data)
    if mark != BLOCK_MARK or letter not in _BLOCK_TYPES:
        raise ReadError("no block begins here")
    return Head(BlockType(letter), count, numbers_size, tags_size, checksum, data[:_SIGNED])


_BLOCK_TYPES = frozenset(BlockType)


def build_entries(previous: int, entries: Iterable[Entry], cardinality: int | None) -> bytes:
    """Return the payload of an index; with a cardinality, its entries have first numbers."""
    packer = _entry_packer(cardinality)
    width = packer.size - _ENTRY_START
    return previous.to_bytes(_OFFSET, "little") + b"".join(
        packer.pack(each.size, each.count, each.checksum, each.first.to_bytes(width, "little"))
        for each in entries
    )


def parse_entries(data: bytes, count: int, cardinality: int | None) -> tuple[int, list[Entry]]:
    """Return the offset of the index before this one, and the entries; raise `ReadError`."""
    packer = _entry_packer(cardinality)
    if len(data) < _OFFSET:
        raise ReadError("it is too short")
    size = len(data) - _OFFSET
    if size != count * packer.size:
        raise ReadError(f"{count} entries of {packer.size} bytes are not {size} bytes")
    entries = [
        Entry(size, boards, checksum, int.from_bytes(first, "little"))
        for size, boards, checksum, first in packer.iter_unpack(data[_OFFSET:])
    ]
    return int.from_bytes(data[:_OFFSET], "little"), entries


_OFFSET: int = Int64ul.sizeof()
_ENTRY_START: int = _entry(0).sizeof()


@lru_cache(maxsize=16)
def _entry_packer(cardinality: int | None) -> Packer:
    """Return the packer of entries; their first numbers have the bytes of the cardinality."""
    return _packer(_entry(0 if cardinality is None else bytes_below(cardinality)))


def build_end(end: End) -> bytes:
    """Return the whole end block."""
    return build_block(BlockType.END, 0, _ENDS.pack(end.index, end.boards))


def parse_end(data: bytes) -> End:
    """Parse the payload of the end block; raise `ReadError` if it is too short."""
    if len(data) < _ENDS.size:
        raise ReadError("it is too short")
    return End(*_ENDS.unpack_from(data))
