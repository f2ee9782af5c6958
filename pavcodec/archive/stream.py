"""Archives as streams of boards, for pipes and for everything that reads boards of any format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from pavcodec.archive.files import write_archive
from pavcodec.archive.layout import (
    BLOCK_SIZE,
    PREFIX_SIZE,
    BlockType,
    Head,
    header_size,
    parse_head,
    parse_header,
)
from pavcodec.archive.scheme import Scheme
from pavcodec.archive.sequence import BlockSequence
from pavcodec.archive.spaces import ANY
from pavcodec.errors import PavError, ReadError
from pavcodec.formats.board import Board, Context
from pavcodec.kernels.limbs import Limbs
from pavcodec.kernels.rows import Owners

__all__ = ["read_pav", "read_pav_owners", "write_pav"]

_AT_ONCE = 1 << 20


def read_pav(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield the boards of an archive up to the end or the first damage, which is a problem."""
    for scheme, head, payload, numbers in _blocks(stream, context):
        try:
            layouts = scheme.space.layouts(numbers)
            boards = scheme.boards(head, payload, layouts)
        except PavError as error:
            context.problem(None, str(error))
            return
        yield from boards


def read_pav_owners(stream: BinaryIO, context: Context) -> Iterator[Owners]:
    """Yield the owners of the boards of an archive, `uint8[n, 52]`, a block at a time."""
    for scheme, head, _, numbers in _blocks(stream, context):
        try:
            owners = scheme.space.owners(numbers)
        except PavError as error:
            context.problem(None, str(error))
            return
        if len(owners) < head.count:
            context.leave_out(head.count - len(owners))
        yield owners


def write_pav(boards: Iterable[Board], stream: BinaryIO, _context: Context) -> int:
    """Write an ordered archive of boards of all kinds with all their tags; return how many."""
    return write_archive(boards, stream, space=ANY, all=True)


def _blocks(stream: BinaryIO, context: Context) -> Iterator[tuple[Scheme, Head, bytes, Limbs]]:
    """Yield what the blocks of boards hold; damage is a problem, and ends it."""
    try:
        scheme, start = _read_scheme(stream)
    except ReadError as error:
        context.problem(None, str(error))
        return
    order = BlockSequence(scheme, start)
    which = 0
    while True:
        try:
            data = _read(stream, BLOCK_SIZE)
            if not data and order.ended:
                return
            head = parse_head(data)
            scheme.check_head(head)
            payload = _read(stream, head.numbers_size + head.tags_size)
            if len(payload) < head.size - BLOCK_SIZE:
                raise ReadError("the file ends in it")  # noqa: TRY301 (one place names the block)
            numbers = order.take(head, payload)
        except ReadError as error:
            context.problem(None, f"block {which} at byte {order.place}: {error}")
            return
        if numbers is not None:
            yield scheme, head, payload, numbers
        which += head.type is BlockType.BOARDS


def _read_scheme(stream: BinaryIO) -> tuple[Scheme, int]:
    start = _read(stream, PREFIX_SIZE)
    size = header_size(start)
    return Scheme.of(parse_header(start + _read(stream, size - len(start)))), size


def _read(stream: BinaryIO, size: int) -> bytes:
    """Read so many bytes, or those that there are; no more memory is taken than there are."""
    parts = []
    while size and (part := stream.read(min(size, _AT_ONCE))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
