"""Archives as streams of boards, in batches or one by one: the functions of the format `pav`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, islice
from typing import BinaryIO

from pavcodec.archive.block_codec import Block, BlockCodec, BlockSequence
from pavcodec.archive.container import (
    BLOCK_SIZE,
    PREFIX_SIZE,
    Kind,
    header_size,
    parse_head,
    parse_header,
)
from pavcodec.archive.spaces import ANY, space_of
from pavcodec.archive.writer import AT_ONCE, ArchiveWriter
from pavcodec.boards.batch import BoardBatch, Gathered, More, Wanted, gathered
from pavcodec.boards.board import Board, Context
from pavcodec.errors import PavError, ReadError
from pavcodec.files.text import read_up_to


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


def write_pav(batches: Iterable[BoardBatch], stream: BinaryIO, _context: Context) -> int:
    """Write an ordered archive of boards of all kinds with all their tags; return how many.

    If the first board has double-dummy tricks, the archive has a column of tricks.
    """
    items = filter(len, batches)
    first = list(islice(items, 1))
    is_solved = any(batch.board(0).tricks is not None for batch in first)
    codec = BlockCodec(Kind.ORDERED, keeps_tags=True, space=space_of(ANY), keeps_tricks=is_solved)
    writer = ArchiveWriter(stream, codec)
    writer.write(gathered(chain(first, items), AT_ONCE), fills=True)
    return writer.boards


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
