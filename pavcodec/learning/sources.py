"""Where deals come from: spaces, arrays, and files; rows of them in order, or any rows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, Protocol

import numpy as np

from pavcodec.arrays import checked
from pavcodec.boards.batch import BoardBatch, owners_of, tricks_of
from pavcodec.boards.board import Board, Context
from pavcodec.cards import DECK_SIZE
from pavcodec.errors import PavError, ReadError
from pavcodec.formats.format import Format, Need
from pavcodec.formats.npy.files import read_header, tricks_of_values
from pavcodec.formats.npy.views import VIEWS, read_view
from pavcodec.formats.registry import read_with
from pavcodec.layout import Layout
from pavcodec.numberings import numbering
from pavcodec.numberings.space import Space

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners


_TRICKS, _SOLVED_DIMENSIONS = 20, 3


class DealRows(NamedTuple):
    """Some deals, and their tricks if the source has them."""

    owners: Owners
    tricks: NDArray[np.uint8] | None = None


class DealSource(Protocol):
    """Deals by index, from 0 on."""

    @property
    def count(self) -> int | None:
        """The number of deals; None for a space, whose stream has 2^64 samples."""

    def rows(self, begin: int, end: int) -> DealRows:
        """Return consecutive deals."""

    def take(self, indexes: NDArray[np.integer[Any]]) -> DealRows:
        """Return the deals at some indexes."""


@dataclass(frozen=True)
class SpaceSource:
    """The samples of a seed."""

    space: Space
    seed: int
    count: None = None

    def rows(self, begin: int, end: int) -> DealRows:
        """Return consecutive samples."""
        return DealRows(self.space.sample_many(end - begin, seed=self.seed, start=begin))

    def take(self, indexes: NDArray[np.integer[Any]]) -> DealRows:
        """Refuse: samples are in random order already."""
        raise PavError(
            "the samples of a space are in random order: leave out shuffle, and take other rows "
            f"for fresh deals (asked for {len(indexes)} places)"
        )


@dataclass(frozen=True, eq=False)
class ArraySource:
    """Arrays in memory or mapped into it: owners `uint8[n, 52]` or deal numbers `uint64[n, 2]`."""

    array: NDArray[Any]
    tricks: NDArray[np.uint8] | None = None

    def __post_init__(self) -> None:
        is_of_numbers = self.array.ndim == 2 and self.array.shape[1] == 2
        kind, width = (np.uint64, 2) if is_of_numbers else (np.uint8, DECK_SIZE)
        checked("deals", self.array, kind, width)
        tricks, count = self.tricks, len(self.array)
        if tricks is not None and len(checked("tricks", tricks, np.uint8, _TRICKS)) != count:
            raise TypeError(f"{count} deals have {count} rows of tricks, not {len(tricks)}")

    @property
    def count(self) -> int:
        """The number of rows."""
        return len(self.array)

    def rows(self, begin: int, end: int) -> DealRows:
        """Return a copy of consecutive rows."""
        return self.take(slice(begin, end))

    def take(self, indexes: NDArray[np.integer[Any]] | slice) -> DealRows:
        """Return a copy of the rows at some indexes."""
        deals = np.array(self.array[indexes])
        owners = numbering("deal").unrank_many(deals) if deals.dtype == np.uint64 else deals
        return DealRows(owners, None if self.tricks is None else np.array(self.tricks[indexes]))


@dataclass(frozen=True, eq=False)
class SolvedSource:
    """A solved set of pgx, `int32[2, n, 4]`: deals and their tricks."""

    array: NDArray[Any]

    @property
    def count(self) -> int:
        """The number of deals."""
        return int(self.array.shape[1])

    def rows(self, begin: int, end: int) -> DealRows:
        """Return consecutive deals."""
        return self.take(np.arange(begin, end))

    def take(self, indexes: NDArray[np.integer[Any]]) -> DealRows:
        """Return the deals at some indexes; raise `LayoutError` for a row that is no deal."""
        keys, values = np.array(self.array[:, indexes])
        turn = np.zeros(1, np.uint8)
        return DealRows(read_view(VIEWS["pgx-key"], keys, turn), tricks_of_values(values))


@dataclass(frozen=True)
class FileSource:
    """A file that each process loads at its first use; a pickle has only how to load it.

    Arrays in files of numpy are mapped into memory: owners, numbers, or a solved set of pgx. Of
    other files, the boards that have cards are read into memory.
    """

    path: str
    with_tricks: bool = False
    tricks_path: str | None = None

    @cached_property
    def _loaded(self) -> ArraySource | SolvedSource:
        if not self.path.endswith(".npy"):
            parts = list(parts_of(self.path, with_tricks=self.with_tricks))
            return _joined(parts, None if self.tricks_path is None else _mapped(self.tricks_path))
        array = _mapped(self.path)
        if array.ndim == _SOLVED_DIMENSIONS and (len(array), array.shape[2]) == (2, 4):
            return SolvedSource(array)
        tricks = None if self.tricks_path is None else _mapped(self.tricks_path)
        try:
            return ArraySource(array, tricks)
        except TypeError as error:
            raise PavError(f"{self.path}: {error}") from None

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "_loaded"}

    @property
    def count(self) -> int:
        """The number of deals."""
        return self._loaded.count

    def rows(self, begin: int, end: int) -> DealRows:
        """Return consecutive deals."""
        return self._loaded.rows(begin, end)

    def take(self, indexes: NDArray[np.integer[Any]]) -> DealRows:
        """Return the deals at some indexes."""
        return self._loaded.take(indexes)


def _mapped(path: str) -> NDArray[Any]:
    """Map an array of numpy into memory; raise `PavError` if the file is none."""
    with open(path, "rb") as stream:
        try:
            header = read_header(stream)
        except ReadError as error:
            raise PavError(f"{path}: {error}") from None
        if header.is_by_columns or header.dtype.hasobject:
            raise PavError(f"{path}: {header} is not stored as rows of numbers")
        if 0 in header.shape:
            return np.empty(header.shape, header.dtype)
        try:
            return np.memmap(stream, header.dtype, "r", stream.tell(), header.shape)
        except (ValueError, OverflowError):
            raise PavError(f"{path}: the file is shorter than its array, {header}") from None


def _joined(parts: list[DealRows], tricks: NDArray[np.uint8] | None) -> ArraySource:
    """Return parts as one array, with these tricks, or else with those of the parts."""
    owners = np.concatenate([part.owners for part in parts] or [owners_of([])])
    known = [part.tricks for part in parts if part.tricks is not None]
    return ArraySource(owners, np.concatenate(known) if known and tricks is None else tricks)


def source_of(source: object, seed: int, tricks: object) -> DealSource:
    """Return the source of a space, an array, a file, an archive, or layouts and boards.

    `tricks` is a truth value, an array `uint8[n, 20]`, or the path of one in a file of numpy.
    """
    if not isinstance(tricks, bool | np.ndarray | str | os.PathLike | None):
        raise TypeError(
            f"tricks are True, an array uint8[n, 20] or a path, not {type(tricks).__name__!r}"
        )
    tricks_path = os.fspath(tricks) if isinstance(tricks, str | os.PathLike) else None
    if isinstance(source, str | os.PathLike):
        return FileSource(os.fspath(source), with_tricks=tricks is True, tricks_path=tricks_path)
    labels = _mapped(tricks_path) if tricks_path is not None else tricks
    given = labels if isinstance(labels, np.ndarray) else None
    if isinstance(source, np.ndarray):
        return ArraySource(source, given)
    if isinstance(source, Space) and not source.is_tested:
        return SpaceSource(source, seed)
    return _joined(list(parts_of(source, with_tricks=tricks is True)), given)


def parts_of(source: object, *, with_tricks: bool = False) -> Iterator[DealRows]:
    """Yield the deals of a file, an array, an archive, or of layouts, boards and batches."""
    if isinstance(source, str | os.PathLike):
        need = Need.TAGS if with_tricks else Need.CARDS

        def read(reader: Format, stream: BinaryIO, context: Context) -> Iterator[DealRows]:
            batches = reader.read_batches(stream, context, need)
            return _parts_of_items(batches, with_tricks=with_tricks)

        yield from read_with(read, source, format=None, strict=True, report=None, numbering="deal")
    elif isinstance(source, np.ndarray):
        deals = ArraySource(source)
        yield from (
            deals.rows(begin, min(begin + _AT_ONCE, deals.count))
            for begin in range(0, deals.count, _AT_ONCE)
        )
    elif isinstance(source, Space) and not source.is_tested:
        raise TypeError(
            "a space has no end: draw deals from it, as in space.sample_many(1000, seed=7)"
        )
    elif isinstance(source, Iterable):
        owners = getattr(source, "owners", None)
        if callable(owners) and not with_tricks:  # an archive
            yield from map(DealRows, owners())
        else:
            yield from _parts_of_items(iter(source), with_tricks=with_tricks)
    else:
        kind = type(source).__name__
        advice = ""
        if hasattr(source, "samples"):
            advice = ": its samples have no index in arrays, so write them to a file"
        raise TypeError(
            f"deals come from a space, a path, an array or layouts, not {kind!r}{advice}"
        )


_AT_ONCE = 1 << 16


def _parts_of_items(items: Iterator[object], *, with_tricks: bool) -> Iterator[DealRows]:
    """Yield the deals of batches, boards and layouts; boards without cards are left out."""
    held: list[Board] = []
    for item in items:
        if isinstance(item, BoardBatch):
            yield from _rows_of(held, with_tricks=with_tricks)
            held = []
            tricks = None
            if with_tricks:
                tricks = tricks_of(item) if item.tricks is None else item.tricks
            yield DealRows(item.owners, tricks)
            continue
        board = Board(item) if isinstance(item, Layout) else item
        if not isinstance(board, Board):
            raise TypeError(f"deals are layouts, boards or batches, not {type(item).__name__!r}")
        if board.layout is not None:
            held.append(board)
        if len(held) == _AT_ONCE:
            yield from _rows_of(held, with_tricks=with_tricks)
            held = []
    yield from _rows_of(held, with_tricks=with_tricks)


def _rows_of(boards: list[Board], *, with_tricks: bool) -> Iterator[DealRows]:
    if boards:
        layouts = (board.layout for board in boards if board.layout is not None)
        yield DealRows(owners_of(layouts), tricks_of(boards) if with_tricks else None)
