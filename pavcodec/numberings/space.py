"""The numbering: the common interface of all ordered finite sets of layouts, and views of them."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import Array, c_char, c_uint64
from dataclasses import dataclass, field, replace
from operator import index as as_integer
from typing import TYPE_CHECKING, Generic, Self, SupportsIndex, cast, overload

from pavcodec.errors import LayoutError, NumberError, shown
from pavcodec.layout.layout import Layout, check_layout, describe_sizes
from pavcodec.records import Base5Number, Base5Record, NumberRecord, record
from pavcodec.sampling import (
    Seed,
    Stream,
    check_draw,
    check_many,
    given_seed,
)
from pavcodec.walk import MOST, NotAMemberError, Ranking

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import TypeVar

    L_co = TypeVar("L_co", bound=Layout, covariant=True, default=Layout)
else:
    from typing import TypeVar

    L_co = TypeVar("L_co", bound=Layout, covariant=True)


@dataclass(frozen=True)
class Numbering(Generic[L_co]):
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

    def sample(
        self,
        count: SupportsIndex,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
        distinct: bool = False,
    ) -> list[L_co]:
        """Return random layouts, all equally likely: `count` samples of a seed, from `start` on.

        They are samples of the stream `pav-1`, so equal arguments always give equal layouts. A seed
        is a number below 2¹²⁸ or a text; without a seed, `fresh_seed()` makes one, which is not
        returned. With `distinct`, repeated layouts are skipped. Raises `NumberError` for arguments
        out of range.

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
        stream = Stream(given_seed(seed))
        parts = stream.rows(self.cardinality, count, start, distinct=distinct)
        return (layout for n, positions in parts for layout in self._made(n, positions))

    def _made(self, n: int, positions: Array[c_uint64]) -> Iterator[L_co]:
        """Yield the layouts of n rows of positions."""
        cards = self.ranking.cards
        if self.ranking.is_row_by_row(n):
            for high, low in zip(positions[::2], positions[1::2], strict=True):
                yield self.unrank(self.first + (high << 64 | low))
        else:
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
        begin, many, total = check_draw(start, count, self.cardinality, distinct=distinct)
        from pavcodec.sampling import draw_distinct_indexes, draw_indexes

        draw = draw_distinct_indexes if distinct else draw_indexes
        return draw(given_seed(seed), begin, many, total)

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
            positions = subtract(np.ascontiguousarray(rows[part]), self.first)
            are_known = below(positions, self.cardinality)
            if not are_known.all():
                row = int(are_known.argmin())
                high, low = rows[part][row].tolist()
                refuse(part.start + row, lambda: self.unrank(high << 64 | low))
            self.ranking.unrank_rows(len(positions), positions, owners[part])

        share(work, len(rows), threads)
        return owners

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
        does not change the result. Raises `NumberError` for arguments out of range.

        >>> from pavcodec import numbering
        >>> deals = numbering("deal")
        >>> deals.sample_many(3, seed=7)[0].tobytes() == deals.sample(1, seed=7)[0].owners
        True
        """
        begin, many, total = check_draw(start, count, self.cardinality, distinct=distinct)
        import numpy as np

        from pavcodec.arrays import share
        from pavcodec.sampling import draw_distinct_indexes, draw_indexes

        key, owners = given_seed(seed), np.empty((many, self.ranking.cards), np.uint8)
        self._check_width()
        different = draw_distinct_indexes(key, begin, many, total) if distinct else None

        def work(part: slice) -> None:
            n = part.stop - part.start
            positions = (
                draw_indexes(key, begin + part.start, n, total)
                if different is None
                else different[part]
            )
            self.ranking.unrank_rows(n, positions, owners[part])

        share(work, many, threads)
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
