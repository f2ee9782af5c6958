"""Duplicates: repeated layouts of a collection, equal or equal up to a symmetry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple, Self

import numpy as np

from pavcodec.arrays.chunks import Threads
from pavcodec.arrays.numberings.symmetry import canonical_many
from pavcodec.arrays.owners.rows import Owners
from pavcodec.arrays.words.limbs import Limbs, are_new, integer, sorting
from pavcodec.boards.context import Problem, Ranks
from pavcodec.errors import PavError
from pavcodec.layout import Layout
from pavcodec.layout.layout import layout_from_owners
from pavcodec.numberings import numbering as numbering_of
from pavcodec.statistics.survey import Collection, parts_of
from pavcodec.symmetry import symmetry_of

__all__ = ["Duplicates", "Finder", "Occurrence", "Repeat", "duplicates"]


class Occurrence(NamedTuple):
    """The place of a layout: its file, and its number among the layouts of this file, from 1."""

    source: str
    number: int


@dataclass(frozen=True)
class Repeat:
    """A layout that occurs more than once: the canonical layout, and all its places."""

    layout: Layout
    places: tuple[Occurrence, ...]


@dataclass(frozen=True)
class Duplicates:
    """The repeated layouts of a collection; `layouts` is the number of all its layouts.

    `repeats` are the layouts that occur more than once, in the order of their first places.
    """

    up_to: str
    layouts: int
    without_cards: int
    repeats: tuple[Repeat, ...]

    @property
    def again(self) -> int:
        """The number of layouts that occurred before."""
        return sum(len(repeat.places) - 1 for repeat in self.repeats)

    @property
    def different(self) -> int:
        """The number of distinct layouts."""
        return self.layouts - self.again


class _Chunk(NamedTuple):
    """Some layouts of a source by their numbers; chunks are in the order of their places."""

    place: int
    source: str
    numbers: Limbs


class Finder:
    """Finds repeated layouts among those that are added; a layout takes 16 bytes.

    Finders can be added, too. The layouts of the lower place come first, those of the same place in
    the order in which they were added. So finders of different places have the same sum in any
    order.

    >>> from pavcodec import numbering
    >>> finder = Finder("turns")
    >>> deals = numbering("deal").sample_many(3, seed=7)
    >>> finder.add(deals, "one")
    >>> finder.add((deals[1:2] + 1) % 4, "other")
    >>> [repeat.places for repeat in finder.found().repeats]
    [(Occurrence(source='one', number=2), Occurrence(source='other', number=1))]
    >>> second, first = Finder("turns"), Finder("turns")
    >>> second.add(deals, "two", place=2)
    >>> first.add(deals[2:], "one", place=1)
    >>> second += first
    >>> [repeat.places for repeat in second.found().repeats]
    [(Occurrence(source='one', number=1), Occurrence(source='two', number=3))]
    """

    def __init__(self, up_to: str = "", *, threads: Threads = None) -> None:
        """Start with no layouts; `up_to` is a symmetry, or "" for equal layouts."""
        self._up_to = symmetry_of(up_to).name if up_to else ""
        self._threads = threads
        self._chunks: list[_Chunk] = []
        self.without_cards = 0

    def add(self, owners: Owners, source: str = "", *, place: int = 0) -> None:
        """Add layouts, `uint8[n, 52]`; raise `LayoutError` for an invalid row."""
        if self._up_to:
            owners, _ = canonical_many(owners, self._up_to, threads=self._threads)
        numbers = numbering_of("base5").rank_many(owners, threads=self._threads)
        self._chunks.append(_Chunk(place, source, numbers))

    def __iadd__(self, other: Finder) -> Self:
        """Add all layouts of another finder; raise `PavError` if it has another symmetry."""
        if other._up_to != self._up_to:
            raise PavError(
                f"finders of the same symmetry can be added, not of {self._up_to!r} and "
                f"{other._up_to!r}"
            )
        self._chunks += other._chunks
        self.without_cards += other.without_cards
        return self

    def __add__(self, other: Finder) -> Finder:
        """Return a finder of the layouts of both."""
        both = Finder(self._up_to, threads=self._threads)
        both += self
        both += other
        return both

    def found(self) -> Duplicates:
        """Return the repeated layouts among all added ones."""
        self._chunks.sort(key=attrgetter("place"))
        numbers = np.concatenate(
            [np.empty((0, 2), np.uint64), *(chunk.numbers for chunk in self._chunks)]
        )
        order = sorting(numbers)
        is_same = ~are_new(numbers[order])[1:]
        begins = np.flatnonzero(
            np.diff(np.concatenate([[False], is_same, [False]]).astype(np.int8))
        )
        groups = sorted(
            order[begin : end + 1].tolist() for begin, end in begins.reshape(-1, 2).tolist()
        )
        places = self._places(sorted(item for group in groups for item in group))
        base5 = numbering_of("base5")
        repeats = []
        for group in groups:
            layout = layout_from_owners(base5.unrank(integer(numbers[group[0]])).owners)
            repeats.append(Repeat(layout, tuple(places[item] for item in group)))
        return Duplicates(self._up_to, len(numbers), self.without_cards, tuple(repeats))

    def _places(self, items: list[int]) -> dict[int, Occurrence]:
        """Return the places of layouts; the items count all added layouts, in order."""
        places, before = {}, dict.fromkeys((chunk.source for chunk in self._chunks), 0)
        rest, begin = iter(items), 0
        item = next(rest, None)
        for _, source, some in self._chunks:
            count = len(some)
            while item is not None and item < begin + count:
                places[item] = Occurrence(source, before[source] + item - begin + 1)
                item = next(rest, None)
            before[source] += count
            begin += count
        return places


def duplicates(  # noqa: PLR0913 (keywords)
    collection: Collection,
    *,
    up_to: str = "",
    format: str | None = None,
    numbering: str | Ranks = "deal",
    strict: bool = False,
    report: Callable[[Problem], None] | None = None,
    threads: Threads = None,
) -> Duplicates:
    """Return the repeated layouts of a collection, equal or equal up to a symmetry.

    `collection` and the other arguments are those of `stats`; `up_to` is a symmetry, as in
    `Layout.canonical`. A layout takes 16 bytes of memory. Raise `UnknownNameError` for an unknown
    symmetry, and the errors of `read`.

    >>> from pavcodec import numbering
    >>> deals = numbering("deal").sample(100, seed=7)
    >>> turned = [deal.canonical("suits,turns")[0] for deal in deals[:3]]
    >>> found = duplicates(deals + turned, up_to="suits,turns")
    >>> found.layouts, found.different, [place.number for place in found.repeats[2].places]
    (103, 100, [3, 103])
    """
    finder = Finder(up_to, threads=threads)
    for part in parts_of(
        collection, format=format, numbering=numbering, strict=strict, report=report
    ):
        finder.add(part.owners)
        finder.without_cards += part.without_cards
    return finder.found()
