"""Deals as arrays for a training loop: sources of deals, views of them, and batches.

A source is a space, an array, or a file: rows of it in order, or any rows. A run of batches is a
sequence of arrays that each process can index:

Rule 1: batch k is a function of the arguments and of k. So a loop can stop and resume, and worker
        processes share the batches by their indexes.
Rule 2: the order of epoch e is that of the words `Stream.hash_of(e * 2^64 + row)` of the seed, and
        of the rows where words are equal.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from operator import index
from typing import (
    TYPE_CHECKING,
    Any,
    Protocol,
    SupportsIndex,
    TypeAlias,
    overload,
)

import numpy as np

from pavcodec.arrays import Threads, checked, consecutive
from pavcodec.boards import Vulnerability
from pavcodec.boards.batch import owners_of
from pavcodec.cards import DECK_SIZE, Seat
from pavcodec.errors import NumberError, PavError, ReadError, shown
from pavcodec.formats.arrays import DealRows, rows_of
from pavcodec.formats.npy.files import read_header, tricks_of_values
from pavcodec.formats.npy.views import (
    VIEWS,
    FeatureView,
    check_dtype,
    read_view,
    view_of,
    write_view,
)
from pavcodec.layout import Layout
from pavcodec.numberings import numbering
from pavcodec.numberings.space import Space
from pavcodec.sampling import Seed, given_seed, hash_numbers

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from pavcodec.arrays import Owners


# Where deals come from: spaces, arrays, and files; rows of them in order, or any rows.


_TRICKS, _SOLVED_DIMENSIONS = 20, 3
_AT_ONCE = 1 << 16


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
    known = [part.tricks[: len(part.owners)] for part in parts if part.tricks is not None]
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
    if isinstance(source, np.ndarray):
        deals = ArraySource(source)
        return (
            deals.rows(begin, min(begin + _AT_ONCE, deals.count))
            for begin in range(0, deals.count, _AT_ONCE)
        )
    if isinstance(source, Space) and not source.is_tested:
        raise TypeError(
            "a space has no end: draw deals from it, as in space.sample_many(1000, seed=7)"
        )
    if isinstance(source, str | os.PathLike | Iterable):
        return rows_of(source, tricks=with_tricks, strict=True)
    kind = type(source).__name__
    advice = ""
    if hasattr(source, "samples"):
        advice = ": its samples have no index in arrays, so write them to a file"
    raise TypeError(f"deals come from a space, a path, an array or layouts, not {kind!r}{advice}")


# Deals as the arrays of programs that learn, and back.


Seats: TypeAlias = "Seat | int | str | NDArray[np.uint8] | None"
"""A seat, or an array with a seat for each row."""
Vulnerable: TypeAlias = "Vulnerability | str | NDArray[np.bool_]"
"""A vulnerability, or an array `bool[n, 2]`: of North and South, and of East and West."""


def feature_views() -> tuple[FeatureView, ...]:
    """Return all views, each with its shape, dtype, order of cards, and source.

    >>> [view.name for view in feature_views() if not view.is_lossless][:3]
    ['onehot-hand', 'openspiel-hand', 'openspiel-observation']
    """
    return tuple(VIEWS.values())


def features(  # noqa: PLR0913 (keywords)
    owners: Owners | Layout | Iterable[Layout],
    view: str = "onehot",
    *,
    seat: Seats = None,
    vulnerable: Vulnerable = "None",
    dtype: DTypeLike | None = None,
    threads: Threads = None,
) -> NDArray[Any]:
    """Return deals as arrays of a view: `uint8[n, 52]` to n arrays of the view's shape.

    `feature_views` lists the views. With `seat`, the deal is turned until this seat is in the place
    of North, so that the hands are those of the seat, its left-hand opponent, its partner and its
    right-hand opponent; an array `uint8[n]` has a seat for each row. Views of one hand need a seat.
    `vulnerable` is for observations; an array `bool[n, 2]` has a row for each deal. `dtype`
    replaces that of the view if it holds all its values. A layout gives one array without n. The
    result is a new array that you may change.

    Raises `LayoutError` with the first row that is no layout, or no deal where the view needs
    deals, and `TypeError` for another array or dtype.

    >>> import pavcodec as pav
    >>> deals = pav.numbering("deal").sample_many(3, seed=7)
    >>> pav.features(deals, "openspiel").shape, pav.features(deals, "openspiel").dtype
    ((3, 4, 52), dtype('float32'))
    >>> pav.features(deals, "pgx-observation", seat="S").sum(axis=1).tolist()
    [15, 15, 15]
    >>> pav.features(pav.Deal(deals[0].tobytes()), "pgx")[:13].tolist()
    [12, 13, 14, 15, 21, 24, 27, 31, 36, 40, 42, 44, 46]
    """
    chosen = view_of(view)
    if isinstance(owners, Layout):
        one = features([owners], view, seat=seat, vulnerable=vulnerable, dtype=dtype)
        return one.reshape(one.shape[1:])
    if isinstance(owners, np.ndarray):
        rows = checked("owners", owners, np.uint8, DECK_SIZE)
    else:
        given: object = owners
        if not isinstance(given, Iterable):
            kind = type(given).__name__
            raise TypeError(f"deals are an array uint8[n, 52], a layout or layouts, not {kind!r}")
        rows = owners_of(owners)
    turns = _turns_of(chosen, seat, len(rows))
    sides = _sides_of(chosen, vulnerable, len(rows))
    return write_view(chosen, (rows, turns, sides), check_dtype(chosen, dtype), threads)


def owners_of_features(array: NDArray[Any], view: str = "onehot", *, seat: Seats = None) -> Owners:
    """Return the owners of the arrays of a view: the inverse of `features`, as `uint8[n, 52]`.

    `seat` is that of `features`. The array may have any dtype. Views of one hand give layouts in
    which the other cards are unused. Raises `LayoutError` for a view that counts small cards
    together, with the first row that belongs to no layout, and `TypeError` for another shape.

    >>> import pavcodec as pav
    >>> deals = pav.numbering("deal").sample_many(3, seed=7)
    >>> there = pav.features(deals, "rlcard", seat="W")
    >>> bool((pav.owners_of_features(there, "rlcard", seat="W") == deals).all())
    True
    """
    chosen = view_of(view)
    expected = f"view {view!r} is an array of shape {['n', *chosen.shape]}".replace("'n'", "n")
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{expected}, not {type(array).__name__!r}")
    if (
        array.shape[1:] != chosen.shape
        or array.dtype.kind not in "biufV"
        or (array.dtype.type is np.void)
    ):
        raise TypeError(f"{expected}, not {array.dtype}{list(array.shape)}")
    return read_view(chosen, array, _turns_of(chosen, seat, len(array)))


def _turns_of(view: FeatureView, seat: Seats, count: int) -> NDArray[np.uint8]:
    """Return the seat that takes the place of North: one for all rows, or one for each."""
    if isinstance(seat, np.ndarray):
        if seat.shape != (count,) or seat.dtype.kind not in "ui":
            given = f"{seat.dtype}{list(seat.shape)}"
            raise TypeError(f"seats are an array uint8[{count}], not {given}")
        if count and not (seat.min() >= 0 and seat.max() < len(Seat)):
            wrong = int(((seat < 0) | (seat >= len(Seat))).argmax())
            raise TypeError(f"row {wrong}: a seat is 0 to 3, not {seat[wrong]}")
        return seat.astype(np.uint8)
    if seat is None and view.needs_seat:
        raise TypeError(f"view {view.name!r} shows what one seat sees: name it, as in seat='S'")
    return np.array([0 if seat is None else Seat.of(seat)], np.uint8)


def _sides_of(view: FeatureView, vulnerable: Vulnerable, count: int) -> NDArray[np.bool_]:
    """Return whether each side is vulnerable: one row for all deals, or one for each."""
    if isinstance(vulnerable, np.ndarray):
        if vulnerable.shape != (count, 2) or vulnerable.dtype != np.bool_:
            given = f"{vulnerable.dtype}{list(vulnerable.shape)}"
            raise TypeError(f"vulnerability is an array bool[{count}, 2], not {given}")
        sides = vulnerable
    else:
        seats = Vulnerability.of(vulnerable).seats
        sides = np.array([[Seat.NORTH in seats, Seat.EAST in seats]])
    if sides.any() and not view.has_vulnerability:
        raise TypeError(f"view {view.name!r} has no vulnerability")
    return sides


# Batches of a source.


@dataclass(frozen=True, eq=False)
class Batches(Sequence[Any]):
    """A sequence of batches; `batches` returns it. A slice is a sequence of fewer batches.

    It has a length and an index, so it is a data set for the loaders of other packages, and it can
    be pickled for other processes. `seed` is the seed of its stream.
    """

    source: DealSource
    size: int
    seed: int
    taken: range
    """The rows of the source."""
    view: str
    look: Callable[[Owners], NDArray[Any]]
    """The arrays of owners."""
    has_tricks: bool = False
    shuffle: bool = False
    drop_last: bool = False
    epochs: int = 1
    indexes: range = range(0)
    """The batches, as indexes of the whole run."""
    _orders: dict[int, NDArray[Any]] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        many = f"{len(self)} batches of {self.size}"
        return f"Batches({many}, view={self.view!r}, seed={self.seed})"

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_orders": {}}

    @property
    def batches_per_epoch(self) -> int:
        """The number of batches of one pass over the rows."""
        whole, rest = divmod(self._count, self.size)
        return whole + bool(rest and not self.drop_last)

    @property
    def _count(self) -> int:
        """The number of rows; `len` cannot hold that of a long range."""
        return self.taken.stop - self.taken.start

    def __len__(self) -> int:
        return len(self.indexes)

    @overload
    def __getitem__(self, at: SupportsIndex) -> Any: ...
    @overload
    def __getitem__(self, at: slice) -> Batches: ...
    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        if isinstance(at, slice):
            return replace(self, indexes=self.indexes[at])
        try:
            which = self.indexes[index(at)]
        except IndexError:
            raise IndexError(f"{at!r} is past the end: there are {len(self)} batches") from None
        rows = self._rows(*divmod(which, self.batches_per_epoch))
        array = self.look(rows.owners)
        return (array, rows.tricks) if self.has_tricks else array

    def __iter__(self) -> Iterator[Any]:
        return (self[which] for which in range(len(self)))

    def part(self, which: SupportsIndex, of: SupportsIndex) -> Batches:
        """Return the batches of one of several workers: `which`, `which + of`, and so on.

        >>> import pavcodec as pav
        >>> run = pav.batches(pav.numbering("deal"), 10, rows=100, seed=7)
        >>> [len(run.part(worker, 3)) for worker in range(3)]
        [4, 3, 3]
        """
        worker, workers = index(which), index(of)
        if workers < 1:
            raise NumberError(f"workers are 1 or more, not {shown(workers)}")
        if not 0 <= worker < workers:
            raise NumberError(f"a worker is 0 to {shown(workers - 1)}, not {shown(worker)}")
        return self[worker::workers]

    def _rows(self, epoch: int, which: int) -> DealRows:
        begin = which * self.size
        end = min(begin + self.size, self._count)
        if not self.shuffle:
            return self.source.rows(self.taken[begin], self.taken[end - 1] + 1)
        if epoch not in self._orders:
            self._orders.clear()
            self._orders[epoch] = order_of_epoch(self.seed, epoch, self._count)
        return self.source.take(self._orders[epoch][begin:end] + self.taken.start)


def order_of_epoch(seed: int, epoch: int, count: int) -> NDArray[np.intp]:
    """Return the rows of an epoch in their order: a permutation of 0 to `count - 1`.

    >>> order_of_epoch(7, 0, 5).tolist(), order_of_epoch(7, 1, 5).tolist()
    ([1, 0, 3, 2, 4], [2, 4, 1, 3, 0])
    """
    words = hash_numbers(seed, consecutive(epoch << 64, count))
    return np.argsort(words, kind="stable")


def batches(  # noqa: PLR0913 (keywords)
    source: object,
    size: SupportsIndex,
    *,
    rows: range | SupportsIndex | None = None,
    view: str = "onehot",
    seat: Seats = None,
    vulnerable: Vulnerable = "None",
    dtype: DTypeLike | None = None,
    tricks: object = False,
    seed: Seed | None = None,
    shuffle: bool = False,
    epochs: SupportsIndex = 1,
    drop_last: bool = False,
    start: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
) -> Batches:
    """Return the deals of a source as a sequence of arrays of a view, `size` deals each.

    The source is a space with samples (a numbering, the deals of a condition, weighted deals), an
    array of owners `uint8[n, 52]` or of deal numbers `uint64[n, 2]`, the path of a file, an
    archive, or layouts and boards. A file `.npy` is mapped into memory; other files are read into
    memory at the first batch. `rows` is a number of rows or a range of them, such as one of
    `splits`; a space needs it, since its stream has no end. `view` is one of `feature_views` or
    `owners`.

    With `tricks`, a batch is a pair of arrays, whose second one is `uint8[n, 20]`, the double-dummy
    tricks of the source, with 255 for what is not solved; `tricks` may also be an array, or the
    path of one in a file `.npy`. `shuffle` puts the rows of each epoch into an order that follows
    from the seed. The batches before `start` are left out, so that a run resumes. `drop_last`
    leaves out a last batch of fewer rows.

    >>> import pavcodec as pav
    >>> run = pav.batches(pav.numbering("deal"), 256, rows=1000, view="openspiel", seed=7)
    >>> len(run), run[0].shape, run[-1].shape
    (4, (256, 4, 52), (232, 4, 52))
    """
    key = given_seed(seed)
    deals = source_of(source, key, tricks)
    rows_each, passes, first = index(size), index(epochs), index(start)
    for what, number, least in (("size", rows_each, 1), ("epochs", passes, 1), ("start", first, 0)):
        if number < least:
            raise NumberError(f"{what} is {least} or more, not {shown(number)}")
    if isinstance(seat, np.ndarray) or isinstance(vulnerable, np.ndarray):
        raise TypeError("all deals of a run have one seat and one vulnerability, as in seat='S'")
    taken = _taken(rows, deals.count)
    if shuffle and deals.count is None:
        deals.take(np.empty(0, np.intp))
    has_tricks = tricks is not False and tricks is not None
    look: Callable[[Owners], NDArray[Any]] = np.asarray
    if view != "owners":
        workers = None if threads is None else index(threads)
        options: dict[str, Any] = {"seat": seat, "vulnerable": vulnerable, "dtype": dtype}
        look = partial(features, view=view, threads=workers, **options)
    look(np.empty((0, DECK_SIZE), np.uint8))  # which checks the view and its options
    run = Batches(deals, rows_each, key, taken, view, look, has_tricks, shuffle, drop_last, passes)
    if has_tricks and taken and deals.rows(taken.start, taken.start + 1).tricks is None:
        raise PavError(
            "the source has no double-dummy tricks: read a file that has them, or name an array"
        )
    return replace(run, indexes=range(first, max(first, passes * run.batches_per_epoch)))


def _taken(rows: range | SupportsIndex | None, count: int | None) -> range:
    """Return the rows of the source as a range."""
    if rows is None:
        if count is None:
            raise TypeError("a space has no last sample: give rows=, a number or a range")
        return range(count)
    taken = rows if isinstance(rows, range) else range(index(rows))
    end = 1 << 64 if count is None else count
    if taken.step != 1 or not 0 <= taken.start <= taken.stop <= end:
        raise NumberError(f"rows are a range within 0 to {end} with step 1, not {rows!r}")
    return taken
