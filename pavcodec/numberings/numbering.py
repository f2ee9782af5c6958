"""The numbering: the one face of every ordered finite set of layouts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from operator import index as as_integer
from typing import TYPE_CHECKING, SupportsIndex, overload

from pavcodec.errors import LayoutError, NumberError, shown
from pavcodec.layout.layout import Layout, describe_sizes
from pavcodec.numberings.rankings import Ranking
from pavcodec.records import Base5Number, Base5Record, NumberRecord, record
from pavcodec.sampling import Seed, Stream, check_many, check_slice, fresh_seed, seed_of
from pavcodec.walk import NotAMemberError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pavcodec.numberings.batch import Batch

__all__ = ["LayoutView", "Numbering"]


@dataclass(frozen=True)
class Numbering:
    """An ordered finite set of layouts, each with a number of its own.

    Made by `pavcodec.numbering(name)`. Numbers run from `first` to `last`; `first` is 0 unless
    one-based numbers were asked for. Positions in `[i]` count from 0 and from the end, as in any
    sequence, and slices are lazy views. Numberings are values: equal ones compare equal, hash alike
    and pickle small.

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
    """What it numbers and in which order, in one line."""
    ranking: Ranking
    members: str = field(compare=False)
    """Which layouts belong, as a phrase for error messages."""
    record_name: str = field(compare=False)
    """The record that holds a number in bytes; none for one as wide as the cardinality needs."""
    layout_type: type[Layout] = Layout
    first: int = 0

    @property
    def cardinality(self) -> int:
        """The exact number of layouts."""
        return self.ranking.cardinality

    @property
    def last(self) -> int:
        """The greatest number."""
        return self.first + self.cardinality - 1

    @property
    def bits(self) -> int:
        """The bits that every number fits in, counted from 0."""
        return max(0, self.cardinality - 1).bit_length()

    @property
    def width(self) -> int:
        """The bytes that every number fits in."""
        return -(-self.bits // 8)

    @property
    def numbers(self) -> range:
        """All numbers, as a range."""
        return range(self.first, self.first + self.cardinality)

    def rank(self, layout: Layout) -> int:
        """Return the number of a layout; raise `LayoutError` if it is not a member."""
        try:
            return self.ranking.rank(layout.owners) + self.first
        except NotAMemberError as error:
            here = "this is none of them" if layout.is_deal else describe_sizes(layout)
            here = str(error) or here
            raise LayoutError(f"numbering {self.name!r} holds {self.members}; {here}") from None
        except AttributeError:
            if isinstance(layout, Layout):
                raise
            raise TypeError(f"a Layout has a number, not {type(layout).__name__!r}") from None

    def index(self, layout: Layout) -> int:
        """Return the position of a layout, counted from 0: `numbering[numbering.index(x)] == x`."""
        return self.rank(layout) - self.first

    def unrank(self, number: SupportsIndex) -> Layout:
        """Return the layout of a number; raise `NumberError` outside `first` to `last`.

        Any integer type is taken; a float or a string raises `TypeError`.
        """
        place = as_integer(number) - self.first
        if not 0 <= place < self.cardinality:
            given = shown(as_integer(number))
            raise NumberError(
                f"numbering {self.name!r} has numbers {self.first} to {self.last}, not {given}"
            )
        return self.layout_type.unchecked(self.ranking.unrank(place))

    @property
    def record(self) -> NumberRecord | Base5Record:
        """The record that holds a number in bytes, counted from 0."""
        if not self.record_name:
            width = max(1, self.width)
            return NumberRecord(f"index{width}", "a position", lambda: self.cardinality)
        found = record(self.record_name)
        assert isinstance(found, NumberRecord | Base5Record)
        return found

    def to_bytes(self, layout: Layout) -> bytes:
        """Return the number of a layout, counted from 0, as the bytes of `record`.

        Raises `LayoutError` if the layout is not a member. The spare bits of `base5` are 0.

        >>> from pavcodec import numbering
        >>> deals = numbering("deal")
        >>> deals.to_bytes(deals[258]).hex(), deals.from_bytes(bytes(12)) == deals[0]
        ('020100000000000000000000', True)
        """
        place, chosen = self.index(layout), self.record
        if isinstance(chosen, Base5Record):
            return chosen.build(Base5Number(place))
        return chosen.build(place)

    def from_bytes(self, data: bytes) -> Layout:
        """Return the layout of bytes; raise `RecordError` where they hold no number of it.

        The spare bits of `base5` may hold anything; `record.parse` tells what.
        """
        value = self.record.parse(data)
        place = value.number if isinstance(value, Base5Number) else value
        return self.layout_type.unchecked(self.ranking.unrank(place))

    def sample(
        self,
        count: SupportsIndex,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
        distinct: bool = False,
    ) -> list[Layout]:
        """Return layouts at random, all equally likely: `count` samples of a seed from `start` on.

        They are those of the stream `pav-1`, so the same arguments always give the same layouts. A
        seed is a number below 2¹²⁸ or a text; without one, `fresh_seed()` makes one that is not
        told. With `distinct`, repeats are passed over. Raises `NumberError` for arguments out of
        range.

        >>> from pavcodec import numbering
        >>> deals = numbering("deal")
        >>> deals.sample(1, seed=7)
        [Deal.from_pbn('N:K.AQ932.J62.8642 Q4.KT5.AT854.KQT J9875.864.KQ.A97 AT632.J7.973.J53')]
        >>> deals.sample(5, seed=7)[2:] == deals.sample(3, seed=7, start=2)
        True
        """
        stream = Stream(fresh_seed() if seed is None else seed_of(seed))
        choose = stream.distinct_indexes if distinct else stream.indexes
        return [
            self.unrank(self.first + i) for i in choose(self.cardinality, check_many(count), start)
        ]

    def samples(
        self, count: SupportsIndex, *, seed: Seed | None = None, start: SupportsIndex = 0
    ) -> Iterator[Layout]:
        """Give what `sample` gives, one after another, each when it is asked for.

        >>> from pavcodec import numbering
        >>> deals = numbering("deal")
        >>> list(deals.samples(3, seed=7)) == deals.sample(3, seed=7)
        True
        """
        stream = Stream(fresh_seed() if seed is None else seed_of(seed))
        indexes = stream.indexes(self.cardinality, count, start)
        return (self.unrank(self.first + index) for index in indexes)

    def draw(
        self,
        count: SupportsIndex,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
    ) -> NDArray[np.uint64]:
        """Return the positions of random layouts as an array, a row each: high word, low word.

        Row k is the position of item k of `sample` with the same arguments, counted from 0. This is
        the fast way to millions of them.

        >>> from pavcodec import numbering
        >>> deals = numbering("deal")
        >>> deals.draw(2, seed=7).tolist()
        [[2260930716, 2807124581450119342], [858948244, 6680244420906434157]]
        """
        from pavcodec.arrays.philox import draw_indexes

        begin, many, total = check_slice(start, check_many(count), self.cardinality)
        return draw_indexes(fresh_seed() if seed is None else seed_of(seed), begin, many, total)

    def rank_many(
        self, owners: NDArray[np.uint8], *, threads: SupportsIndex | None = None
    ) -> NDArray[np.uint64]:
        """Return the numbers of many layouts: `uint8[n, 52]` to `uint64[n, 2]`, high and low.

        Row k is what `rank` gives for the layout of the owners in row k. The work is shared among
        `threads`, by default one for each processor. Raises `LayoutError` with the first row that
        is no member, and `TypeError` for another array.

        >>> import numpy as np
        >>> from pavcodec import numbering
        >>> deals = numbering("deal")
        >>> owners = np.array([list(deals[2**64 + 5].owners), list(deals[0].owners)], np.uint8)
        >>> deals.rank_many(owners).tolist()
        [[1, 5], [0, 0]]
        """
        from pavcodec.numberings.arrays import rank_rows

        return rank_rows(self, self._batch(), owners, threads)

    def unrank_many(
        self, numbers: NDArray[np.uint64], *, threads: SupportsIndex | None = None
    ) -> NDArray[np.uint8]:
        """Return the owners of many numbers: `uint64[n, 2]`, high and low, to `uint8[n, 52]`.

        Row k has the owners of what `unrank` gives for the number in row k. The work is shared
        among `threads`, by default one for each processor. Raises `NumberError` with the first row
        out of range, and `TypeError` for another array.

        >>> import numpy as np
        >>> from pavcodec import numbering
        >>> deals = numbering("deal")
        >>> owners = deals.unrank_many(np.array([[1, 5], [0, 0]], np.uint64))
        >>> owners.shape, owners[0].tobytes() == deals[2**64 + 5].owners
        ((2, 52), True)
        """
        from pavcodec.numberings.arrays import unrank_rows

        return unrank_rows(self, self._batch(), numbers, threads)

    def sample_many(
        self,
        count: SupportsIndex,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
        threads: SupportsIndex | None = None,
    ) -> NDArray[np.uint8]:
        """Return the owners of random layouts as an array `uint8[count, 52]`.

        Row k has the owners of item k of `sample` with the same arguments, for any number of
        `threads`. Raises `NumberError` for arguments out of range.

        >>> from pavcodec import numbering
        >>> deals = numbering("deal")
        >>> deals.sample_many(3, seed=7)[0].tobytes() == deals.sample(1, seed=7)[0].owners
        True
        """
        from pavcodec.numberings.arrays import sample_rows

        begin, many, _ = check_slice(start, check_many(count), self.cardinality)
        key = fresh_seed() if seed is None else seed_of(seed)
        return sample_rows(self, self._batch(), key, begin, many, threads)

    def _batch(self) -> Batch:
        """Return the loops behind `rank_many` and `unrank_many`."""
        from pavcodec.numberings.batch import batch_of

        return batch_of(self.ranking)

    def one_based(self) -> Numbering:
        """Return this numbering with numbers from 1 instead of from 0, as books print them.

        >>> from pavcodec import numbering
        >>> numbering("andrews").one_based().last == numbering("andrews").cardinality
        True
        """
        return replace(self, first=1)

    def __contains__(self, layout: object) -> bool:
        try:
            return isinstance(layout, Layout) and self.ranking.rank(layout.owners) >= 0
        except NotAMemberError:
            return False

    @overload
    def __getitem__(self, position: SupportsIndex) -> Layout: ...
    @overload
    def __getitem__(self, position: slice) -> LayoutView: ...
    def __getitem__(self, position: SupportsIndex | slice) -> Layout | LayoutView:
        return LayoutView(self, self.numbers)[position]

    def __iter__(self) -> Iterator[Layout]:
        return iter(self[:])

    def __reversed__(self) -> Iterator[Layout]:
        return reversed(self[:])

    def __bool__(self) -> bool:
        return self.cardinality > 0

    def __len__(self) -> int:
        return len(self[:])

    def __repr__(self) -> str:
        return f"numbering({self.name!r}{', one_based=True' if self.first else ''})"


@dataclass(frozen=True)
class LayoutView:
    """Some layouts of a numbering, one for each number of a range, made when they are asked for.

    >>> from pavcodec import numbering
    >>> view = numbering("deal")[10:40:10]
    >>> view.numbers, len(view), view[-1] == numbering("deal").unrank(30)
    (range(10, 40, 10), 3, True)
    """

    numbering: Numbering
    numbers: range

    @property
    def cardinality(self) -> int:
        """The exact number of layouts, however many."""
        steps, step = self.numbers.stop - self.numbers.start, self.numbers.step
        return max(0, -(-steps // step))

    @overload
    def __getitem__(self, position: SupportsIndex) -> Layout: ...
    @overload
    def __getitem__(self, position: slice) -> LayoutView: ...
    def __getitem__(self, position: SupportsIndex | slice) -> Layout | LayoutView:
        if isinstance(position, slice):
            return LayoutView(self.numbering, self.numbers[position])
        try:
            number = self.numbers[position]
        except IndexError:
            raise IndexError(
                f"{position!r} is past the end: there are {self.cardinality} layouts"
            ) from None
        return self.numbering.unrank(number)

    def __iter__(self) -> Iterator[Layout]:
        return map(self.numbering.unrank, self.numbers)

    def __reversed__(self) -> Iterator[Layout]:
        return map(self.numbering.unrank, reversed(self.numbers))

    def __contains__(self, layout: object) -> bool:
        return (
            isinstance(layout, Layout)
            and layout in self.numbering
            and self.numbering.rank(layout) in self.numbers
        )

    def index(self, layout: Layout) -> int:
        """Return the position of a layout in the view; raise `LayoutError` if it is not there."""
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
