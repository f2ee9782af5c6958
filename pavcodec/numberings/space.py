"""Spaces, whose layouts are drawn at random, and numberings, whose layouts have numbers as well.

A space defines `rows`, the samples of a part of the stream as arrays; all other ways to draw follow
from it, each once. A numbering is a space in an order, and its views are slices of it. Tested
deals, weighted deals and mixes are spaces without numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from ctypes import Array, c_char, c_uint64
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import index as as_integer
from typing import (
    TYPE_CHECKING,
    ClassVar,
    Generic,
    NamedTuple,
    Self,
    SupportsIndex,
    TypeVar,
    cast,
    overload,
)

from pavcodec.cards import DECK_SIZE, FOUR_HANDS
from pavcodec.errors import LayoutError, NumberError, PavError, shown
from pavcodec.layout.layout import Deal, Layout, check_layout, describe_sizes
from pavcodec.records import Base5Number, Base5Record, NumberRecord, record
from pavcodec.sampling import (
    Seed,
    Stream,
    check_different,
    check_many,
    check_slice,
    given_seed,
)
from pavcodec.walk import MOST, FixedSizes, NotAMemberError, Ranking

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import TypeVar as TypeVarWithDefault

    from pavcodec.arrays import Limbs, Owners, Threads

    L_co = TypeVarWithDefault("L_co", bound=Layout, covariant=True, default=Layout)
else:
    L_co = TypeVar("L_co", bound=Layout, covariant=True)

T = TypeVar("T")

MOST_REPEATS = 1_000_000
"""The samples in a row that may repeat others before a draw of different ones gives up."""
_AT_FIRST, _AT_MOST = 64, 1 << 15
"""The samples that an iterator draws together."""


class Rows(NamedTuple):
    """Samples as arrays: their owners, `uint8[n, 52]`, and their numbers, `uint64[n, 2]`.

    The numbers are those of boards (`deal` or `balanced`), and None where the draw did not make
    them.
    """

    owners: Owners
    numbers: Limbs | None = None


class Space(ABC, Generic[L_co]):
    """Layouts that are drawn at random: a sample is a function of the space, its index and a seed.

    Numberings, the deals and endings of a condition, weighted deals and mixes are spaces.
    """

    layout_type: type[L_co]
    is_uniform: ClassVar[bool] = True
    """Whether all layouts are equally likely."""
    is_tested: ClassVar[bool] = False
    """Whether a part of the condition is tested, so that `rows` may be fewer than the samples."""
    reasons: tuple[str, ...] = ()
    """Why parts of the condition are tested, for each of them."""
    plan: str = ""
    """The counted seats, such as `NW`, of a condition that is too large as a whole."""

    @abstractmethod
    def rows(self, seed: int, part: range, *, threads: Threads = 1) -> Rows:
        """Return the samples of a part of a seed's stream; of tested ones, those that pass."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The condition or the statements, as boards name them; nothing for all deals."""

    @property
    def method(self) -> str:
        """The words for the tag `Generator` on how the layouts are drawn, if there are any."""
        return ""

    @property
    def noun(self) -> str:
        """What the layouts are, in the singular: deal, ending, or legal ending."""
        return "deal" if issubclass(self.layout_type, Deal) else "ending"

    def sample(
        self,
        count: SupportsIndex,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
        distinct: bool = False,
    ) -> list[L_co]:
        """Return random layouts: `count` samples of a seed, from `start` on.

        All layouts are equally likely, except those of weights and of mixes, which have the chances
        of their weights. They are samples of the stream `pav-1`, so equal arguments always give
        equal layouts. A seed is a number below 2¹²⁸ or a text; without a seed, `fresh_seed()` makes
        one, which is not returned. With `distinct`, repeated layouts are skipped; a million repeats
        in a row raise `PavError`. Raises `NumberError` for arguments out of range.

        >>> from pavcodec import numbering
        >>> deals = numbering("deal")
        >>> deals.sample(1, seed=7)
        [Deal.from_pbn('N:K.AQ932.J62.8642 Q4.KT5.AT854.KQT J9875.864.KQ.A97 AT632.J7.973.J53')]
        >>> deals.sample(5, seed=7)[2:] == deals.sample(3, seed=7, start=2)
        True
        """
        return list(self.samples(check_many(count), seed=seed, start=start, distinct=distinct))

    def samples(
        self,
        count: SupportsIndex,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
        distinct: bool = False,
    ) -> Iterator[L_co]:
        """Return an iterator over the layouts of `sample`, which makes each one when needed.

        Many layouts are made in batches, which take little memory.

        >>> from pavcodec import numbering
        >>> deals = numbering("deal")
        >>> list(deals.samples(3, seed=7)) == deals.sample(3, seed=7)
        True
        """
        key, begin, many = self._slice(count, seed, start)
        return self._different(key, begin, many) if distinct else self._each(key, begin, many)

    def sample_many(
        self,
        count: SupportsIndex,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
        threads: SupportsIndex | None = None,
        distinct: bool = False,
    ) -> NDArray[np.uint8]:
        """Return the owners of random layouts as an array `uint8[count, 52]`.

        Row k has the owners of item k of `sample` with the same arguments. The number of `threads`
        does not change the result; the default is one for each processor. Raises `NumberError` for
        arguments out of range.

        >>> from pavcodec import numbering
        >>> deals = numbering("deal")
        >>> deals.sample_many(3, seed=7)[0].tobytes() == deals.sample(1, seed=7)[0].owners
        True
        """
        from pavcodec.arrays import workers_of

        key, begin, many = self._slice(check_many(count), seed, start)
        workers = workers_of(threads)
        if distinct:
            return self._different_rows(key, begin, many, workers)
        if self.is_tested:
            return _owners_of(self._each(key, begin, many), many)
        return self.rows(key, range(begin, begin + many), threads=workers).owners

    def draw(
        self,
        count: SupportsIndex,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
        threads: SupportsIndex | None = None,
        distinct: bool = False,
    ) -> NDArray[np.uint64]:
        """Return the deal numbers of random deals: `uint64[n, 2]`, columns high and low.

        Row k is the number, in the numbering `deal`, of item k of `sample` with the same arguments,
        for any number of `threads`, by default one for each processor.

        >>> from pavcodec import deals, numbering
        >>> space = deals("spades(west) == 9")
        >>> [high << 64 | low for high, low in space.draw(1, seed=7).tolist()]
        [53318254334752235481264717258]
        >>> numbering("deal").rank(space.sample(1, seed=7)[0])
        53318254334752235481264717258
        """
        import numpy as np

        from pavcodec.arrays import share

        key, begin, many = self._slice(check_many(count), seed, start)
        numbers, ranks = np.empty((many, 2), np.uint64), FixedSizes(FOUR_HANDS)
        made = None
        if distinct or self.is_tested:
            made = self.sample_many(many, seed=key, start=begin, threads=threads, distinct=distinct)

        def work(part: slice) -> None:
            samples = range(begin + part.start, begin + part.stop)
            owners = self.rows(key, samples).owners if made is None else made[part]
            ranks.rank_rows(len(owners), owners, numbers[part])

        share(work, many, threads)
        return numbers

    def _slice(
        self, count: SupportsIndex, seed: Seed | None, start: SupportsIndex
    ) -> tuple[int, int, int]:
        """Return (seed, start, count) as integers; raise `NumberError` for those out of range."""
        begin, many, _ = check_slice(start, count, 1)
        return given_seed(seed), begin, many

    def _each(self, seed: int, start: int, count: int | None) -> Iterator[L_co]:
        """Yield samples from an index on, made in parts that grow; without a count, all of them."""
        for part in parts_of_stream(None if count is None else start + count, start):
            owners = self.rows(seed, part, threads=None).owners.tobytes()
            for begin in range(0, len(owners), DECK_SIZE):
                yield self.layout_type.unchecked(owners[begin : begin + DECK_SIZE])

    def _different(self, seed: int, start: int, count: int) -> Iterator[L_co]:
        """Return an iterator over different samples from an index on."""
        return islice(different(self._each(seed, start, None), MOST_REPEATS), count)

    def _different_rows(
        self,
        seed: int,
        start: int,
        count: int,
        threads: Threads,  # noqa: ARG002 (of numberings)
    ) -> Owners:
        """Return the owners of the layouts of `_different`, `uint8[count, 52]`."""
        return _owners_of(self._different(seed, start, count), count)


def _owners_of(layouts: Iterator[Layout], count: int) -> Owners:
    """Return the owners of layouts, `uint8[count, 52]`."""
    import numpy as np

    owners = bytearray().join(each.owners for each in layouts)
    return np.frombuffer(owners, np.uint8).reshape(count, DECK_SIZE)


def different(
    items: Iterable[T], most: int, layout_of: Callable[[T], object] = lambda layout: layout
) -> Iterator[T]:
    """Yield each layout once; raise `PavError` after `most` repeats in a row.

    >>> list(different(["a", "b", "a", "c"], 2))
    ['a', 'b', 'c']
    """
    seen: set[object] = set()
    repeats = 0
    for each in items:
        layout = layout_of(each)
        repeats = repeats + 1 if layout in seen else 0
        if not repeats:
            seen.add(layout)
            yield each
        elif repeats >= most:
            raise PavError(f"{repeats:,} repeats in a row: there may be only {len(seen):,} deals")


def parts_of_stream(
    end: int | None, start: int = 0, *, first: int = _AT_FIRST, most: int = _AT_MOST
) -> Iterator[range]:
    """Yield the parts of a stream that are drawn together, from `first` to `most` samples."""
    count = first
    while end is None or start < end:
        yield range(start, start + count if end is None else min(start + count, end))
        start, count = start + count, min(2 * count, most)


@dataclass(frozen=True)
class Numbering(Space[L_co]):
    """An ordered finite set of layouts, each with its own number.

    `pavcodec.numbering(name)` returns a numbering. Its numbers are `first` to `last`; `first` is 0,
    or 1 for one-based numbers. Positions in `[i]` count from 0, negative positions count from the
    end, and slices are lazy views. Numberings are values: equal numberings compare equal, have
    equal hashes and are pickled without tables.

    >>> from pavcodec import Deal, numbering
    >>> deals = numbering("deal")
    >>> deals.cardinality, deals.bits, deals.width
    (53644737765488792839237440000, 96, 12)
    >>> deals.unrank(1)
    Deal.from_pbn('N:AKQJT98765432... .AKQJT98765432.. ..AKQJT9876543.A ..2.KQJT98765432')
    >>> deals.rank(deals[-1]) == deals.cardinality - 1, deals[5] in deals
    (True, True)
    """

    name: str
    summary: str = field(compare=False)
    """The contents and the order of the numbering, in one line."""
    ranking: Ranking
    members: str = field(compare=False)
    """The layouts of the numbering, as a phrase for error messages."""
    record_name: str = field(compare=False)
    """The record of a number in bytes; if empty, the record is as wide as the cardinality needs."""
    layout_type: type[L_co] = Layout  # type: ignore[assignment] # as the default of L_co
    first: int = 0

    @property
    def cardinality(self) -> int:
        """The exact number of layouts."""
        return self.ranking.cardinality

    @property
    def last(self) -> int:
        """The largest number."""
        return self.first + self.cardinality - 1

    @property
    def bits(self) -> int:
        """The number of bits of the largest position."""
        return max(0, self.cardinality - 1).bit_length()

    @property
    def width(self) -> int:
        """The number of bytes of the largest position."""
        return -(-self.bits // 8)

    @property
    def numbers(self) -> range:
        """All numbers, as a range."""
        return range(self.first, self.first + self.cardinality)

    def rank(self, layout: Layout) -> int:
        """Return the number of a layout; raise `LayoutError` if the numbering has none for it."""
        try:
            return self.ranking.rank(layout.owners) + self.first
        except NotAMemberError as error:
            here = "this deal is not one of them" if layout.is_deal else describe_sizes(layout)
            here = str(error) or here
            raise LayoutError(f"numbering {self.name!r} holds {self.members}; {here}") from None
        except AttributeError:
            check_layout(layout, "a Layout has a number")
            raise

    def index(self, layout: Layout) -> int:
        """Return the position of a layout, from 0: `numbering[numbering.index(x)] == x`."""
        return self.rank(layout) - self.first

    def unrank(self, number: SupportsIndex) -> L_co:
        """Return the layout of a number; raise `NumberError` outside `first` to `last`.

        The number may have any integer type; a float or a string raises `TypeError`.
        """
        position = as_integer(number) - self.first
        if not 0 <= position < self.cardinality:
            given = shown(as_integer(number))
            raise NumberError(
                f"numbering {self.name!r} has numbers {self.first} to {self.last}, not {given}"
            )
        return self.layout_type.unchecked(self.ranking.unrank(position))

    @property
    def record(self) -> NumberRecord | Base5Record:
        """The record that stores a number, counted from 0, in bytes."""
        if not self.record_name:
            width = max(1, self.width)
            return NumberRecord(f"index{width}", width, "a position", lambda: self.cardinality)
        stored = record(self.record_name)
        assert isinstance(stored, NumberRecord | Base5Record)
        return stored

    def to_bytes(self, layout: Layout) -> bytes:
        """Return the number of a layout, counted from 0, as a record (see `record`).

        Raises `LayoutError` if the numbering does not contain the layout. The spare bits of `base5`
        are 0.

        >>> from pavcodec import numbering
        >>> deals = numbering("deal")
        >>> deals.to_bytes(deals[258]).hex(), deals.from_bytes(bytes(12)) == deals[0]
        ('020100000000000000000000', True)
        """
        position, chosen = self.index(layout), self.record
        if isinstance(chosen, Base5Record):
            return chosen.build(Base5Number(position))
        return chosen.build(position)

    def from_bytes(self, data: bytes) -> L_co:
        """Return the layout of a record; raise `RecordError` for bytes without a valid number.

        The spare bits of `base5` may have any value; `record.parse` returns it.
        """
        value = self.record.parse(data)
        position = value.number if isinstance(value, Base5Number) else value
        return self.layout_type.unchecked(self.ranking.unrank(position))

    def rows(self, seed: int, part: range, *, threads: Threads = 1) -> Rows:
        """Return the samples of a part of the stream of a seed."""
        import numpy as np

        from pavcodec.arrays import share
        from pavcodec.sampling import draw_indexes

        total, owners = self.cardinality, np.empty((len(part), self.ranking.cards), np.uint8)
        positions = np.empty((len(part), 2), np.uint64) if self.numbers_boards else None

        def work(cut: slice) -> None:
            n = cut.stop - cut.start
            drawn = draw_indexes(seed, part.start + cut.start, n, total)
            self.ranking.unrank_rows(n, drawn, owners[cut])
            if positions is not None:
                positions[cut] = drawn

        share(work, len(part), threads)
        return Rows(owners, positions)

    @property
    def text(self) -> str:
        """The name; nothing for all deals."""
        return "" if self.name == "deal" else self.name

    @property
    def counted(self) -> Self:
        """The part that is counted: all of this."""
        return self

    @property
    def numbers_boards(self) -> bool:
        """Whether the positions are the numbers of boards."""
        return type(self) is Numbering and self.name in ("deal", "balanced")

    def _slice(
        self, count: SupportsIndex, seed: Seed | None, start: SupportsIndex
    ) -> tuple[int, int, int]:
        begin, many, _ = check_slice(start, count, self.cardinality)
        return given_seed(seed), begin, many

    def _each(self, seed: int, start: int, count: int | None) -> Iterator[L_co]:
        assert count is not None, "different ones have a way of their own"
        return self._made(Stream(seed).rows(self.cardinality, count, start))

    def _different(self, seed: int, start: int, count: int) -> Iterator[L_co]:
        return self._made(Stream(seed).rows(self.cardinality, count, start, distinct=True))

    def _different_rows(self, seed: int, start: int, count: int, threads: Threads) -> Owners:
        positions = self._different_positions(seed, start, count)
        return replace(self, first=0).unrank_many(positions, threads=threads)

    def _different_positions(self, seed: int, start: int, count: int) -> Limbs:
        from pavcodec.sampling import draw_distinct_indexes

        check_different(count, self.cardinality)
        return draw_distinct_indexes(seed, start, count, self.cardinality)

    def _made(self, parts: Iterable[tuple[int, Array[c_uint64]]]) -> Iterator[L_co]:
        """Yield the layouts at rows of positions; this loads no arrays."""
        cards = self.ranking.cards
        for n, positions in parts:
            if self.ranking.is_row_by_row(n):
                for high, low in zip(positions[::2], positions[1::2], strict=True):
                    yield self.unrank(self.first + (high << 64 | low))
                continue
            words = (c_char * (n * cards))()
            self.ranking.unrank_rows(n, positions, words)
            owners = words.raw
            for begin in range(0, n * cards, cards):
                yield self.layout_type.unchecked(owners[begin : begin + cards])

    def draw(
        self,
        count: SupportsIndex,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
        threads: SupportsIndex | None = None,
        distinct: bool = False,
    ) -> NDArray[np.uint64]:
        """Return the positions of random layouts as an array `uint64[count, 2]` (high, low word).

        Row k is the position of item k of `sample` with the same arguments, counted from 0. This is
        the fastest way to draw millions of positions.

        >>> from pavcodec import numbering
        >>> deals = numbering("deal")
        >>> deals.draw(2, seed=7).tolist()
        [[2260930716, 2807124581450119342], [858948244, 6680244420906434157]]
        """
        key, begin, many = self._slice(check_many(count), seed, start)
        if distinct:
            return self._different_positions(key, begin, many)
        from pavcodec.sampling import draw_indexes

        return draw_indexes(key, begin, many, self.cardinality, threads=threads)

    def rank_many(
        self, owners: NDArray[np.uint8], *, threads: SupportsIndex | None = None
    ) -> NDArray[np.uint64]:
        """Return the numbers of many layouts: `uint8[n, 52]` to `uint64[n, 2]` (high, low word).

        Row k is the result of `rank` for the owners in row k. `threads` share the work; the default
        is one for each processor. Raises `LayoutError` with the first row that is not in the
        numbering, and `TypeError` for another array.

        >>> import numpy as np
        >>> from pavcodec import numbering
        >>> deals = numbering("deal")
        >>> owners = np.array([list(deals[2**64 + 5].owners), list(deals[0].owners)], np.uint8)
        >>> deals.rank_many(owners).tolist()
        [[1, 5], [0, 0]]
        """
        import numpy as np

        from pavcodec.arrays import add, checked, refuse, share

        self._check_width()
        rows = checked("owners", owners, np.uint8, self.ranking.cards)
        numbers = np.empty((len(rows), 2), np.uint64)

        def work(part: slice) -> None:
            chunk = numbers[part]
            row = self.ranking.rank_rows(len(chunk), np.ascontiguousarray(rows[part]), chunk)
            if row >= 0:
                refuse(part.start + row, lambda: self.rank(Layout(rows[part][row].tobytes())))
            if self.first:
                chunk[:] = add(chunk, self.first)

        share(work, len(rows), threads)
        return numbers

    def unrank_many(
        self, numbers: NDArray[np.uint64], *, threads: SupportsIndex | None = None
    ) -> NDArray[np.uint8]:
        """Return the owners of many numbers: `uint64[n, 2]` (high, low word) to `uint8[n, 52]`.

        Row k has the owners of the result of `unrank` for the number in row k. `threads` share the
        work; the default is one for each processor. Raises `NumberError` with the first row out of
        range, and `TypeError` for another array.

        >>> import numpy as np
        >>> from pavcodec import numbering
        >>> deals = numbering("deal")
        >>> owners = deals.unrank_many(np.array([[1, 5], [0, 0]], np.uint64))
        >>> owners.shape, owners[0].tobytes() == deals[2**64 + 5].owners
        ((2, 52), True)
        """
        import numpy as np

        from pavcodec.arrays import below, checked, refuse, share, subtract

        self._check_width()
        rows = checked("numbers", numbers, np.uint64, 2)
        owners = np.empty((len(rows), self.ranking.cards), np.uint8)

        def work(part: slice) -> None:
            positions = np.ascontiguousarray(rows[part])
            if self.first:
                positions = subtract(positions, self.first)
            are_known = below(positions, self.cardinality)
            if not are_known.all():
                row = int(are_known.argmin())
                high, low = rows[part][row].tolist()
                refuse(part.start + row, lambda: self.unrank(high << 64 | low))
            self.ranking.unrank_rows(len(positions), positions, owners[part])

        share(work, len(rows), threads)
        return owners

    def _check_width(self) -> None:
        """Raise `NumberError` if the numbers do not fit into two words."""
        if self.last >= MOST:
            raise NumberError(
                f"numbering {self.name!r} has numbers to {shown(self.last)}, "
                "and an array holds numbers below 2^128"
            )

    def one_based(self) -> Self:
        """Return this numbering with numbers from 1 instead of 0, as in printed books.

        >>> from pavcodec import numbering
        >>> numbering("andrews").one_based().last == numbering("andrews").cardinality
        True
        """
        return replace(self, first=1)

    def __contains__(self, layout: object) -> bool:
        check_layout(layout)
        try:
            return self.ranking.rank(cast("Layout", layout).owners) >= 0
        except NotAMemberError:
            return False

    @overload
    def __getitem__(self, position: SupportsIndex) -> L_co: ...
    @overload
    def __getitem__(self, position: slice) -> LayoutView[L_co]: ...
    def __getitem__(self, position: SupportsIndex | slice) -> L_co | LayoutView[L_co]:
        return LayoutView(self, self.numbers)[position]

    def __iter__(self) -> Iterator[L_co]:
        return iter(self[:])

    def __reversed__(self) -> Iterator[L_co]:
        return reversed(self[:])

    def _repr_html_(self) -> str:
        """Return the name, the order and the size in HTML; notebooks call this."""
        from pavcodec.layout.drawings import notebook_table

        rows = [["layouts", self.members], ["order", self.summary]]
        rows += [["number", f"{self.cardinality:,}"], ["bits", f"{self.bits}"]]
        return notebook_table(repr(self), [], rows, texts=(0, 1))

    def __bool__(self) -> bool:
        return self.cardinality > 0

    def __len__(self) -> int:
        return len(self[:])

    def __repr__(self) -> str:
        return f"numbering({self.name!r}{', one_based=True' if self.first else ''})"


@dataclass(frozen=True)
class LayoutView(Generic[L_co]):
    """The layouts of a range of numbers of a numbering; each layout is made when it is read.

    >>> from pavcodec import numbering
    >>> view = numbering("deal")[10:40:10]
    >>> view.numbers, len(view), view[-1] == numbering("deal").unrank(30)
    (range(10, 40, 10), 3, True)
    """

    numbering: Numbering[L_co]
    numbers: range

    @property
    def cardinality(self) -> int:
        """The exact number of layouts, even if `len` cannot return it."""
        steps, step = self.numbers.stop - self.numbers.start, self.numbers.step
        return max(0, -(-steps // step))

    @overload
    def __getitem__(self, position: SupportsIndex) -> L_co: ...
    @overload
    def __getitem__(self, position: slice) -> LayoutView[L_co]: ...
    def __getitem__(self, position: SupportsIndex | slice) -> L_co | LayoutView[L_co]:
        if isinstance(position, slice):
            return LayoutView(self.numbering, self.numbers[position])
        try:
            number = self.numbers[position]
        except IndexError:
            given = shown(as_integer(position))
            raise IndexError(
                f"{given} is past the end: there are {self.cardinality} layouts"
            ) from None
        return self.numbering.unrank(number)

    def __iter__(self) -> Iterator[L_co]:
        return map(self.numbering.unrank, self.numbers)

    def __reversed__(self) -> Iterator[L_co]:
        return map(self.numbering.unrank, reversed(self.numbers))

    def __contains__(self, layout: object) -> bool:
        return layout in self.numbering and (
            self.numbering.rank(cast("Layout", layout)) in self.numbers
        )

    def index(self, layout: Layout) -> int:
        """Return the position of a layout in the view; raise `LayoutError` if it is not in it."""
        number = self.numbering.rank(layout)
        if number not in self.numbers:
            raise LayoutError(f"number {number} of {layout!r} is not in this view")
        return self.numbers.index(number)

    def __bool__(self) -> bool:
        return bool(self.numbers)

    def __len__(self) -> int:
        try:
            return len(self.numbers)
        except OverflowError:
            raise OverflowError(f"len() cannot hold {self.cardinality}; use .cardinality") from None
