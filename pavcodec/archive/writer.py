"""Write archives and append to them: boards as numbers and batches, in blocks of a fixed size.

What is given becomes *pieces*: numbers, and the boards that have them. Pieces of sets and multisets
are collected and sorted; then pieces are cut into blocks.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from io import BufferedRandom
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

import numpy as np

from pavcodec.archive.archive import Archive
from pavcodec.archive.block_codec import BlockCodec
from pavcodec.archive.container import (
    BlockType,
    End,
    Entry,
    Kind,
    build_block,
    build_end,
    build_entries,
)
from pavcodec.archive.spaces import ANY, ArchiveSpace, SpaceLike, space_of
from pavcodec.arrays import Limbs, are_new, below, checked, sorting
from pavcodec.boards.batch import CONTRACTS, BoardBatch, Gathered, gathered
from pavcodec.boards.board import Board, Context
from pavcodec.boards.tricks import NOT_SOLVED
from pavcodec.errors import LayoutError, PavError, ReadError, check_text, suggest
from pavcodec.files.opening import check_stream, open_output
from pavcodec.files.paths import local_path
from pavcodec.layout import Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray


Item: TypeAlias = "Board | Layout | NDArray[np.uint8] | NDArray[np.uint64] | BoardBatch"
"""A board, a layout, owners `uint8[n, 52]`, numbers `uint64[n, 2]`, or a batch of boards."""

Target: TypeAlias = "str | os.PathLike[str] | BinaryIO"

Piece: TypeAlias = tuple[Limbs, "BoardBatch | None"]
"""Numbers, and their boards, or None for numbers alone."""

AT_ONCE = 1 << 13
"""The number of boards in a block that is written, unless their tags are too long."""


def write_archive(  # noqa: PLR0913 (the choices of an archive, each by its name)
    boards: Iterable[Item] | BoardBatch | NDArray[np.uint8] | NDArray[np.uint64],
    target: str | os.PathLike[str] | BinaryIO,
    *,
    kind: str = "ordered",
    space: SpaceLike = "deal",
    all: bool = False,
    tricks: bool = False,
) -> int:
    """Write an archive, and return the number of its boards.

    `boards` are boards, layouts, arrays of owners `uint8[n, 52]`, arrays of numbers `uint64[n,
    2]`, high and low words, or batches of boards. `kind` is `ordered`, `set` or `multiset`; of
    several boards with the same cards, a set stores the first. `space` is the name of a numbering,
    the deals or endings of a condition, or `any` for all boards. With `all`, the archive stores all
    tags. With `tricks`, double-dummy tricks have a column of their own, in some 18 bits a deal; a
    `BoardBatch` holds them as an array. The file appears only when it is complete. In a numbering
    of classes, the archive stores the canonical deal of each class without tags, and must be a set
    or multiset.
    Raise `LayoutError` if a layout is not in the space, and `PavError` if an archive cannot store
    such a space.

    >>> import io
    >>> from pavcodec import deals
    >>> space = deals("spades(west) == 9")
    >>> stream = io.BytesIO()
    >>> write_archive(space.sample(1000, seed=7), stream, space=space), len(stream.getvalue())
    (1000, 10468)
    """
    codec = BlockCodec(kind_of(kind), all, space_of(space), tricks)
    _check_classes(codec)
    items: Iterable[Item] = [boards] if isinstance(boards, np.ndarray | BoardBatch) else boards
    return write_to(target, codec, lambda writer: writer.write(items))


def _check_classes(codec: BlockCodec) -> None:
    """Raise `PavError` if a reader would get other cards than the writer stored."""
    if any(part.is_of_classes for part in codec.space.parts) and (
        codec.keeps_tags or codec.keeps_tricks or not codec.is_sorted
    ):
        raise PavError(
            f"{codec.space} numbers classes of deals and stores their canonical deals: use "
            "a set or a multiset, without tags and tricks"
        )


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


def append_archive(boards: Iterable[Item], path: str | os.PathLike[str]) -> int:
    """Append boards to an ordered archive, and return the number of all its boards.

    The existing bytes do not change. The new end, which opening needs, is written after all other
    bytes are on the disk. After an interruption, `repair_archive` recovers the complete blocks.
    Raise `ReadError` for a damaged archive and while another process appends to it, and `PavError`
    for a set or multiset.
    """
    name = os.fspath(path)
    with open(local_path(name) or name, "r+b") as stream:
        _lock(stream, name)
        with Archive.open(name) as archive:
            contents = archive._contents
            codec, size = contents.codec, contents.size
            last_index, many = contents.last_index, contents.boards_in_all
            if codec.is_sorted:
                raise PavError(f"{name}: a {archive.kind} is sorted; merge it with another archive")
        stream.seek(size)
        writer = ArchiveWriter(stream, codec, size=size, previous=last_index, boards=many)
        try:
            writer.write(boards)
        except BaseException as error:
            _take_back(stream, size)
            if isinstance(error, OSError) and error.filename is None:
                error.filename = name
            raise
    return writer.boards


def _lock(stream: BinaryIO, name: str) -> None:
    """Lock a file against other writers until it is closed, if the system has `flock`."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ReadError(f"{name}: another process is adding boards to it") from None


def _take_back(stream: BufferedRandom, size: int) -> None:
    """Truncate a file to its former size, and close it.

    `stream.truncate` and `stream.close` would first write the buffered bytes. That fails on a full
    disk, or writes behind the archive.
    """
    with suppress(OSError):
        os.ftruncate(stream.fileno(), size)
    stream.raw.close()


def kind_of(name: str) -> Kind:
    """Return the kind with a name; raise `UnknownNameError` for an unknown name.

    >>> kind_of("set").value
    1
    """
    check_text("the name of a kind of archive", name)
    names = [kind.name.lower() for kind in Kind]
    if name not in names:
        raise suggest("kind of archive", name, names)
    return Kind(names.index(name))


class ArchiveWriter:
    """Writes the blocks of an archive to a stream, then the index and the end.

    For a new archive, the constructor writes the header. To append to an archive, give `size`, its
    size in bytes; `previous`, the offset of its last index; and `boards`, the number of its boards.
    """

    def __init__(
        self,
        stream: BinaryIO,
        codec: BlockCodec,
        *,
        size: int = 0,
        previous: int = 0,
        boards: int = 0,
    ) -> None:
        self._stream = stream
        self._codec = codec
        self._offset = size
        self._previous = previous
        self.boards = boards
        self._entries: list[Entry] = []
        if not size:
            self._write(codec.header)

    def write(self, items: Iterable[Item], *, fills: bool = False) -> None:
        """Write boards, layouts, owners, numbers and batches, then the index and the end.

        A batch begins a block, unless batches are to fill whole blocks. Raise `LayoutError` if a
        layout, and `NumberError` if a number, is not in the space.
        """
        pieces = self._pieces(items)
        self.write_pieces(self._sorted(pieces) if self._codec.is_sorted else pieces, fills=fills)

    def write_pieces(self, pieces: Iterable[Piece], *, fills: bool = False) -> None:
        """Write numbers and their boards, then the index and the end.

        They must be sorted if the kind requires it. Numbers alone fill whole blocks. Boards begin
        one, unless they are to fill whole blocks, too. Raise `NumberError` if a number is not below
        the cardinality.
        """
        for numbers, batches in _in_blocks(pieces, fills=fills):
            for data, entry in self._codec.blocks(numbers, batches):
                self.copy(entry, data)
        self.finish()

    def copy(self, entry: Entry, data: bytes) -> None:
        """Write the bytes of a block of boards unchanged, and add its entry to the index."""
        self._write(data)
        self._entries.append(entry)
        self.boards += entry.count

    def finish(self) -> None:
        """Write the index and the end, and flush the file to the disk."""
        index = self._offset
        self._write(
            build_block(
                BlockType.INDEX,
                len(self._entries),
                build_entries(self._previous, self._entries, self._codec.sorted_below),
                self._codec.header,
            )
        )
        self._sync()  # before the end: a file with an end has everything before it
        self._write(build_end(End(index, self.boards)))
        self._sync()

    def _write(self, data: bytes) -> None:
        self._stream.write(data)
        self._offset += len(data)

    def _sync(self) -> None:
        """Flush the stream to the disk, if it is a file."""
        getattr(self._stream, "flush", lambda: None)()
        try:
            descriptor = self._stream.fileno()
        except (OSError, AttributeError):
            return  # not a file
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.fsync(descriptor)

    def _pieces(self, items: Iterable[Item]) -> Iterator[Piece]:
        """Yield the numbers of items, with their boards; boards one by one make batches."""
        done = 0
        for item in _arrays_and_batches(items):
            if isinstance(item, BoardBatch):
                yield self._ranked(item, done)
                done += len(item)
            elif item.dtype == np.uint8:
                yield self._codec.space.numbers(item.astype(np.uint8, copy=False)), None
            else:
                numbers: Limbs = checked("numbers", item, np.uint64, 2)
                if not below(numbers, self._codec.space.cardinality).all():
                    self._codec.coder.encode(numbers)  # raises `NumberError` with the row
                yield numbers, None

    def _ranked(self, batch: BoardBatch, begin: int) -> Piece:
        """Return the numbers and the boards of a batch, before which so many were given."""
        try:
            numbers = self._codec.space.numbers(batch.owners)
        except LayoutError:
            for number, board in enumerate(batch, begin + 1):
                try:
                    self._codec.space.number(board.layout)
                except LayoutError as error:
                    raise LayoutError(f"board {number} of those given: {error}") from None
            raise
        return numbers, batch if batch.holds else replace(batch, origin=None)

    def _sorted(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """Collect all pieces, and yield them sorted by number, in a set each number once.

        Of boards with equal numbers, a set has the first.
        """
        space = self._codec.space
        keeps_boards = self._codec.keeps_tags or self._codec.keeps_tricks
        collected = [np.empty((0, 2), np.uint64)]
        batches: list[BoardBatch | None] = [None]
        for numbers, batch in pieces:
            collected.append(numbers)
            batches.append(batch if keeps_boards else None)
        rows = np.concatenate(collected)
        if not any(batches):
            del collected
            sort_rows(rows)
            if self._codec.kind is Kind.SET and not (are_first := are_new(rows)).all():
                rows = rows[are_first]
            yield rows, None
            return
        order = sorting(rows)
        if self._codec.kind is Kind.SET:
            order = order[are_new(rows[order])]
        parts = list(zip(collected, batches, strict=True))
        if any(batch is not None and batch.holds for batch in batches):
            boards = [board for part in parts for board in _boards_of(part, space)]
            yield rows[order], Gathered([boards[row] for row in order.tolist()])
            return
        tricks = np.concatenate([_tricks_of(part) for part in parts])
        for begin in range(0, len(order), AT_ONCE):
            some = order[begin : begin + AT_ONCE]
            yield rows[some], BoardBatch(space.owners(rows[some]), tricks=tricks[some])


def _boards_of(piece: Piece, space: ArchiveSpace) -> Iterable[Board]:
    """Return the boards of a piece; numbers alone are boards without tags."""
    numbers, batch = piece
    return map(Board, space.layouts(numbers)) if batch is None else batch


def _tricks_of(piece: Piece) -> NDArray[np.uint8]:
    """Return the tricks of a piece, `uint8[n, 20]`."""
    numbers, batch = piece
    nothing = np.full((len(numbers), CONTRACTS), NOT_SOLVED, np.uint8)
    return nothing if batch is None else batch.all_tricks()


def _arrays_and_batches(items: Iterable[Item]) -> Iterator[NDArray[Any] | BoardBatch]:
    """Yield arrays and batches, and boards between them in batches of the size of a block."""
    for is_many, some in groupby(items, lambda item: isinstance(item, np.ndarray | BoardBatch)):
        if is_many:
            yield from cast("Iterator[NDArray[Any] | BoardBatch]", some)
        while boards := [_board(item) for item in islice(some, AT_ONCE)]:
            yield Gathered(boards)


def _board(item: object) -> Board:
    if isinstance(item, Board):
        return item
    if isinstance(item, Layout):
        return Board(item)
    raise TypeError(f"an archive stores boards and layouts, not {type(item).__name__!r}")


def _in_blocks(pieces: Iterable[Piece], *, fills: bool) -> Iterator[tuple[Limbs, list[BoardBatch]]]:
    """Cut pieces into blocks, and yield the numbers and the batches of each."""
    block: list[Piece] = []
    room = AT_ONCE
    for numbers, boards in pieces:
        if block and (block[-1][1] is not None or boards is not None) and not fills:
            yield _joined(block)
            block, room = [], AT_ONCE
        begin = 0
        while begin < len(numbers):
            end = min(begin + room, len(numbers))
            block.append((numbers[begin:end], boards and boards.rows(begin, end)))
            begin, room = end, room - (end - begin)
            if not room:
                yield _joined(block)
                block, room = [], AT_ONCE
    if block:
        yield _joined(block)


def _joined(block: list[Piece]) -> tuple[Limbs, list[BoardBatch]]:
    numbers = [numbers for numbers, _ in block]
    batches = [boards for _, boards in block if boards is not None]
    return np.concatenate(numbers), batches


def write_to(target: Target, codec: BlockCodec, work: Callable[[ArchiveWriter], None]) -> int:
    """Call `work` with a writer for a file or a stream, and return the number of boards."""
    if isinstance(target, str | os.PathLike):
        with open_output(target, durable=True) as stream:
            return write_to(stream, codec, work)
    check_stream("an archive", target)
    writer = ArchiveWriter(target, codec)
    work(writer)
    return writer.boards


def sort_rows(rows: Limbs) -> None:
    """Sort numbers, `uint64[n, 2]`, in place, without additional memory.

    The 16 bytes of a row, highest byte first, sort like the number, and numpy sorts byte strings.

    >>> rows = np.array([[1, 0], [0, 7], [0, 2]], np.uint64)
    >>> sort_rows(rows)
    >>> rows.tolist()
    [[0, 2], [0, 7], [1, 0]]
    """
    swap = sys.byteorder == "little"
    if swap:
        rows.byteswap(inplace=True)
    rows.view("S16")[:, 0].sort()
    if swap:
        rows.byteswap(inplace=True)
