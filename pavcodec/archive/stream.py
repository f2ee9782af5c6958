"""Archives as streams of boards, in batches or one by one: the functions of the format `pav`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, BinaryIO

from pavcodec.archive.block_codec import BlockCodec, BlockSequence
from pavcodec.archive.container import (
    BLOCK_SIZE,
    PREFIX_SIZE,
    BlockType,
    Head,
    Kind,
    header_size,
    parse_head,
    parse_header,
)
from pavcodec.archive.files import write_archive
from pavcodec.archive.spaces import ANY, space_of
from pavcodec.archive.writer import ArchiveWriter
from pavcodec.arrays import Limbs
from pavcodec.boards.batch import BoardBatch
from pavcodec.boards.board import Board, Context
from pavcodec.errors import PavError, ReadError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_AT_ONCE = 1 << 20


def read_pav(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield the boards of an archive up to the end or the first damage, which is a problem."""
    for codec, head, payload, numbers in _blocks(stream, context):
        try:
            layouts = codec.space.layouts(numbers)
            boards = codec.boards(head, payload, layouts)
        except PavError as error:
            context.problem(None, str(error))
            return
        yield from boards


def read_pav_batches(stream: BinaryIO, context: Context) -> Iterator[BoardBatch]:
    """Yield the boards of an archive that have cards, a block at a time."""
    for codec, head, payload, numbers in _blocks(stream, context):
        try:
            owners = codec.space.owners(numbers)
            tricks = _tricks_of(codec, head, payload, numbers)
            has_more = codec.has_more(head, payload)
        except PavError as error:
            context.problem(None, str(error))
            return
        if len(owners) < head.count:
            context.on_skipped(head.count - len(owners))
        boards = _BlockBoards(codec, head, payload, numbers)
        yield BoardBatch(owners, origin=boards, has_more=has_more, tricks=tricks)


def _tricks_of(
    codec: BlockCodec, head: Head, payload: bytes, numbers: Limbs
) -> NDArray[np.uint8] | None:
    """Return the tricks of the boards with cards; None if the archive has no column of tricks."""
    if not codec.keeps_tricks or not head.tags_size:
        return None
    tricks = codec.tricks(head, payload, numbers)
    has_cards = codec.space.have_cards(numbers)
    return tricks if has_cards.all() else tricks[has_cards]


class _BlockBoards:
    """The boards with cards of a block, made when the first is needed."""

    def __init__(self, codec: BlockCodec, head: Head, payload: bytes, numbers: Limbs) -> None:
        self._block = codec, head, payload, numbers

    @cached_property
    def _boards(self) -> list[Board]:
        codec, head, payload, numbers = self._block
        layouts = codec.space.layouts(numbers)
        try:
            boards = codec.boards(head, payload, layouts)
        except PavError:  # the cards are right, and the tags are not
            boards = list(map(Board, layouts))
        return [board for board in boards if board.layout is not None]

    def __call__(self, row: int) -> Board:
        """Return the board of a row."""
        return self._boards[row]


def write_pav(boards: Iterable[Board], stream: BinaryIO, _context: Context) -> int:
    """Write an ordered archive of boards of all kinds with all their tags; return how many.

    If the first board has double-dummy tricks, the archive has a column of tricks.
    """
    items = iter(boards)
    first = list(islice(items, 1))
    is_solved = any(board.tricks is not None for board in first)
    return write_archive(chain(first, items), stream, space=ANY, all=True, tricks=is_solved)


def write_pav_batches(batches: Iterable[BoardBatch], stream: BinaryIO, _context: Context) -> int:
    """Write the bytes that `write_pav` writes for the boards of batches; return how many boards."""
    items = iter(batches)
    first = list(islice(items, 1))
    while first and not len(first[0]):
        first = list(islice(items, 1))
    is_solved = any(batch.board(0).tricks is not None for batch in first)
    codec = BlockCodec(Kind.ORDERED, keeps_tags=True, space=space_of(ANY), keeps_tricks=is_solved)
    writer = ArchiveWriter(stream, codec)
    writer.write_batches(chain(first, items))
    return writer.boards


def _blocks(stream: BinaryIO, context: Context) -> Iterator[tuple[BlockCodec, Head, bytes, Limbs]]:
    """Yield codec, head, payload and numbers of each block of boards; stop at damage, a problem."""
    source = _ExactReader(stream)
    try:
        prefix = source.take(PREFIX_SIZE)
        size = header_size(prefix)
        codec = BlockCodec.of(parse_header(prefix + source.take(size - len(prefix))))
    except ReadError as error:
        context.problem(None, str(error))
        return
    order = BlockSequence(codec, size)
    which = 0
    while True:
        try:
            data = source.take(BLOCK_SIZE)
            if not data and order.ended:
                return
            head = parse_head(data)
            codec.check_head(head)
            payload = source.take(head.numbers_size + head.tags_size)
            if len(payload) < head.size - BLOCK_SIZE:
                raise ReadError("the file ends in it")  # noqa: TRY301 (one place names the block)
            numbers = order.take(head, payload)
        except ReadError as error:
            context.problem(None, f"block {which} at byte {order.offset}: {error}")
            return
        if numbers is not None:
            yield codec, head, payload, numbers
        which += head.type is BlockType.BOARDS


class _ExactReader:
    """Reads exact numbers of bytes from streams that may return fewer."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._rest = b""

    def take(self, size: int) -> bytes:
        """Return `size` bytes, or fewer at the end; allocate no memory for missing bytes."""
        parts, missing = [self._rest], size - len(self._rest)
        while missing > 0 and (part := self._stream.read(min(missing, _AT_ONCE))):
            parts.append(part)
            missing -= len(part)
        data = b"".join(parts)
        self._rest = data[size:]
        return data[:size]
