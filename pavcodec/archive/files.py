"""Write, open and extend archive files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from io import BufferedRandom
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from pavcodec.archive.archive import Archive
from pavcodec.archive.block_codec import BlockCodec
from pavcodec.archive.container import Kind
from pavcodec.archive.spaces import SpaceLike, space_of
from pavcodec.archive.writer import ArchiveWriter, Item, write_to
from pavcodec.boards.batch import BoardBatch
from pavcodec.errors import PavError, ReadError, check_text, suggest
from pavcodec.files.paths import local_path
from pavcodec.limits import MEMORY

if TYPE_CHECKING:
    from numpy.typing import NDArray


def open_archive(path: str | os.PathLike[str], *, memory: int | str = MEMORY) -> Archive:
    """Open an archive of deals as a sequence of boards over a memory map.

    Raise `ReadError` if the file is no archive, or if its header or index is damaged. Reading from
    a damaged block raises `ReadError`, too, and returns no board of it. The first read of a board
    counts the deals of a condition, with at most as much `memory` as for `deals`.

    >>> import tempfile, pathlib
    >>> from pavcodec import numbering
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "five.pav"
    >>> write_archive(numbering("deal").sample(5, seed=7), path, kind="set")
    5
    >>> with open_archive(path) as archive:
    ...     [numbers.shape for numbers in archive.numbers()], archive[0].layout in archive
    ([(5, 2)], True)
    """
    return Archive.open(path, memory=memory)


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
