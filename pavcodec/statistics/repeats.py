"""Duplicates: repeated layouts of a collection, equal or equal up to a symmetry.

Rule: Two random deals of a condition are equal up to a symmetry with a probability of at most the
order of its group, divided by the number of deals of the condition. So the expected number of equal
pairs among random deals has an exact bound, and the probability that as many deals occur again as
in a collection is at most this bound, divided by their number (Markov's inequality).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from typing import NamedTuple, Self

import numpy as np

from pavcodec.arrays import Limbs, Owners, Threads, are_new, integer, sorting
from pavcodec.boards.board import Problem, Ranks
from pavcodec.errors import PavError, check_text
from pavcodec.formats.arrays import Collection, rows_of
from pavcodec.layout import Layout
from pavcodec.layout.layout import layout_from_owners
from pavcodec.numberings.catalogue import numbering as numbering_of
from pavcodec.numberings.classes import canonical_many
from pavcodec.symmetry import symmetry_of

_SYMMETRIES = (
    *("", "half-turn", "turns", "seats"),
    *("suits", "suits,half-turn", "suits,turns", "suits,seats"),
)
"""Equality and all symmetries; the last one includes all others."""


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


class Again(NamedTuple):
    """The number of deals that occur again in a collection, up to a symmetry or "" for equality.

    `probability` is a bound for the probability that as many random deals do.
    """

    deals: int
    up_to: str
    probability: Fraction

    def to_dict(self) -> dict[str, object]:
        """Return the repeats for JSON."""
        p = f"{float(self.probability):.6e}"
        return {"deals": self.deals, "up_to": self.up_to, "p": p}


def deals_again(owners: Owners, cardinality: int) -> Again:
    """Return the deals that occur again up to suits and seats, and the least symmetry for them.

    `cardinality` is the number of deals that a random one is drawn from.

    >>> deals = numbering_of("deal").sample_many(3, seed=7)
    >>> found = deals_again(np.concatenate([deals, (deals[:2] + 1) % 4]), 10**28)
    >>> found.deals, found.up_to, found.probability == Fraction(10 * 576, 2 * 10**28)
    (2, 'turns', True)
    """
    largest = _SYMMETRIES[-1]
    many = _again(owners, largest)
    if not many:
        return Again(0, "", Fraction(1))
    pairs = len(owners) * (len(owners) - 1) // 2
    bound = Fraction(pairs * symmetry_of(largest).order, many * cardinality)
    up_to = next(name for name in _SYMMETRIES if _again(owners, name) == many)
    return Again(many, up_to, min(bound, Fraction(1)))


def _again(owners: Owners, up_to: str) -> int:
    """Return the number of layouts that are equal to one before them, up to a symmetry."""
    numbers = _numbers(owners, up_to, None)
    return len(numbers) - int(are_new(numbers[sorting(numbers)]).sum())


def _numbers(owners: Owners, up_to: str, threads: Threads) -> Limbs:
    """Return numbers that are equal for layouts that are equal up to a symmetry."""
    if up_to:
        owners, _ = canonical_many(owners, up_to, threads=threads)
    return numbering_of("base5").rank_many(owners, threads=threads)


class _Chunk(NamedTuple):
    """Some layouts of a source by their numbers; chunks are in the order of their ranks."""

    rank: int
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
        check_text("the name of a symmetry", up_to)
        self._up_to = symmetry_of(up_to).name if up_to else ""
        self._threads = threads
        self._chunks: list[_Chunk] = []
        self.without_cards = 0

    def add(self, owners: Owners, source: str = "", *, place: int = 0) -> None:
        """Add layouts, `uint8[n, 52]`; raise `LayoutError` for an invalid row."""
        numbers = _numbers(owners, self._up_to, self._threads)
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

    def found(self) -> Duplicates:
        """Return the repeated layouts among all added ones."""
        self._chunks.sort(key=attrgetter("rank"))
        numbers = np.concatenate(
            [np.empty((0, 2), np.uint64), *(chunk.numbers for chunk in self._chunks)]
        )
        order = sorting(numbers)
        firsts = np.flatnonzero(are_new(numbers[order]))
        sizes = np.diff(firsts, append=len(numbers))
        groups = sorted(
            order[first : first + size].tolist()
            for first, size in zip(firsts[sizes > 1], sizes[sizes > 1], strict=True)
        )
        occurrence, base5 = self._occurrences(), numbering_of("base5")
        repeats = []
        for group in groups:
            layout = layout_from_owners(base5.unrank(integer(numbers[group[0]])).owners)
            repeats.append(Repeat(layout, tuple(map(occurrence, group))))
        return Duplicates(self._up_to, len(numbers), self.without_cards, tuple(repeats))

    def _occurrences(self) -> Callable[[int], Occurrence]:
        """Return the function from the place of a layout among all to its file and place there."""
        begins, before = [0], [0] * len(self._chunks)
        of_source: Counter[str] = Counter()
        for index, (_, source, some) in enumerate(self._chunks):
            before[index] = of_source[source]
            of_source[source] += len(some)
            begins.append(begins[-1] + len(some))

        def occurrence(item: int) -> Occurrence:
            chunk = bisect_right(begins, item) - 1
            number = before[chunk] + item - begins[chunk] + 1
            return Occurrence(self._chunks[chunk].source, number)

        return occurrence


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
    for part in rows_of(
        collection, format=format, numbering=numbering, strict=strict, report=report
    ):
        finder.add(part.owners)
        finder.without_cards += part.without_cards
    return finder.found()
