"""Deals that several sets share: the check that splits are disjoint, exactly or up to symmetry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.arrays.words.limbs import Limbs, are_new, sorting
from pavcodec.learning.classes import class_numbers
from pavcodec.learning.sources import parts_of
from pavcodec.numberings import numbering

if TYPE_CHECKING:
    from pavcodec.layout import Layout

__all__ = ["Overlaps", "check_splits", "deals_are", "overlaps_of"]


@dataclass(frozen=True)
class Overlaps:
    """The classes that several sets share; without a symmetry, each layout is a class.

    `counts` are the deals of each set, and `classes` the different classes of each. `common` has
    the number of shared classes for each pair of sets that shares one, and `example` is a canonical
    layout of a shared class, or None.
    """

    symmetry: str | None
    counts: Mapping[str, int]
    classes: Mapping[str, int]
    common: Mapping[tuple[str, str], int]
    example: Layout | None = None

    @property
    def are_disjoint(self) -> bool:
        """Whether no class is in two sets."""
        return not self.common


def deals_are(count: int) -> str:
    """Return the subject and the verb of a sentence on a number of deals.

    >>> deals_are(1), deals_are(1000)
    ('1 deal is', '1,000 deals are')
    """
    return "1 deal is" if count == 1 else f"{count:,} deals are"


def check_splits(sets: Mapping[str, object], *, apart: str | None = None) -> Overlaps:
    """Compare sets of deals: files, arrays, archives, or layouts and boards.

    Two deals are the same if they have the same cards, or with `apart`, a symmetry such as
    `suits,turns`, if they are in the same class. The check is exact; it keeps 16 bytes for each
    class in memory. Raises `ReadError` for a file that cannot be read without problems.

    >>> import pavcodec as pav
    >>> owners = pav.numbering("deal").sample_many(100, seed=7)
    >>> check_splits({"train": owners[:80], "test": owners[80:]}).are_disjoint
    True
    >>> check_splits({"train": owners[:80], "test": owners[70:]}).common
    {('train', 'test'): 10}
    """
    given: object = sets
    if not isinstance(given, Mapping):
        kind = type(given).__name__
        raise TypeError(f"sets are compared by name, as in {{'train': …, 'test': …}}, not {kind!r}")
    numbers = {}
    for name, source in sets.items():
        numbers[name] = [class_numbers(part.owners, apart) for part in parts_of(source)]
    return overlaps_of(numbers, apart)


def overlaps_of(numbers: Mapping[str, Sequence[Limbs]], symmetry: str | None) -> Overlaps:
    """Return the classes that sets share, by parts of the numbers of the classes of their deals."""
    nothing = np.empty((0, 2), np.uint64)
    joined = {name: np.concatenate([nothing, *parts]) for name, parts in numbers.items()}
    found = {name: _different(rows) for name, rows in joined.items()}
    common, example = {}, None
    for one, other in combinations(found, 2):
        shared = _shared(found[one], found[other])
        if len(shared):
            common[one, other] = len(shared)
            high, low = shared[0].tolist()
            example = example or numbering("base5").unrank(high << 64 | low)
    counts = {name: len(rows) for name, rows in joined.items()}
    classes = {name: len(rows) for name, rows in found.items()}
    return Overlaps(symmetry, counts, classes, common, example)


def _different(numbers: Limbs) -> Limbs:
    """Return the different numbers, in order."""
    rows = numbers[sorting(numbers)]
    return np.compress(are_new(rows), rows, axis=0)


def _shared(one: Limbs, other: Limbs) -> Limbs:
    """Return the numbers that are in two arrays of different numbers."""
    both = np.concatenate([one, other])
    rows = both[sorting(both)]
    return np.compress(~are_new(rows), rows, axis=0)
