"""Splits apart: a class of deals up to symmetry is in one split, by a keyed hash of its number.

Rule 1: the number of a class is that of its canonical layout in the numbering `base5`; without a
        symmetry, a layout is a class of its own.
Rule 2: the hash of this number under the seed (`Stream.hash_of`) is a word below 2^64. A split has
        the words from its cut to the next one; the cuts are the shares of 2^64, rounded down.
Rule 3: so the split of a class depends on nothing but the class, the seed and the shares. Two
        splits have no class in common, however small the space is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.arrays import Limbs, are_new, sorting
from pavcodec.errors import NumberError
from pavcodec.learning.sources import parts_of
from pavcodec.numberings import numbering
from pavcodec.numberings.classes import canonical_many
from pavcodec.numberings.space import Space
from pavcodec.sampling import Stream, hash_numbers, proportion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners
    from pavcodec.layout import Layout


_WORDS = 1 << 64
_AT_ONCE = 1 << 16
_PATIENCE = 64
"""The samples that are drawn for a split, as a multiple of what its share needs."""
_LEAST = 1 << 14


def class_numbers(owners: Owners, symmetry: str | None) -> Limbs:
    """Return the number of the class of each layout: `uint8[n, 52]` to `uint64[n, 2]`."""
    rows = canonical_many(owners, symmetry)[0] if symmetry else owners
    return numbering("base5").rank_many(rows)


def _cuts(weights: Sequence[Fraction]) -> list[int]:
    """Return the first word of each split but the first one."""
    parts = proportion(weights)
    return [_WORDS * upto // sum(parts) for upto in accumulate(parts[:-1])]


def splits_of_classes(
    owners: Owners, weights: Sequence[Fraction], seed: int, symmetry: str | None
) -> NDArray[np.intp]:
    """Return the index of the split of each layout, from 0: `uint8[n, 52]` to `intp[n]`."""
    words = hash_numbers(seed, class_numbers(owners, symmetry))
    cuts = np.array(_cuts(weights), np.uint64)
    return np.searchsorted(cuts, words, side="right")


def split_of_class(
    layout: Layout, weights: Sequence[Fraction], seed: int, symmetry: str | None
) -> int:
    """Return the index of the split of a layout: the definition of `splits_of_classes`.

    >>> from pavcodec import numbering
    >>> deal = numbering("deal")[0]
    >>> split_of_class(deal, [Fraction(1, 2), Fraction(1, 2)], 7, "suits")
    1
    """
    canonical = layout.canonical(symmetry)[0] if symmetry else layout
    word = Stream(seed).hash_of(numbering("base5").rank(canonical))
    return sum(word >= cut for cut in _cuts(weights))


def draw_apart(  # noqa: PLR0913
    space: Space,
    count: int,
    split: int,
    weights: Sequence[Fraction],
    *,
    seed: int,
    start: int = 0,
    symmetry: str | None,
) -> Iterator[Owners]:
    """Yield the first `count` samples of a space whose class is in the split of this index.

    They are in the order of the stream, from sample `start` on. Raises `NumberError` if the space
    has so few classes that the split stays too small.
    """
    parts = proportion(weights)
    most = max(_LEAST, _PATIENCE * count * sum(parts) // parts[split])
    drawn = done = 0
    while drawn < count:
        if done >= most:
            raise NumberError(
                f"only {drawn} of {done} samples belong to split {split + 1}, which needs {count}: "
                "the condition has too few classes of deals for such splits, or this seed gives "
                "the split too few of them; ask for fewer deals, or take another seed"
            )
        size = min(_AT_ONCE, most - done, max(1 << 10, 2 * (count - drawn)))
        owners = space.sample_many(size, seed=seed, start=start + done)
        done += size
        is_here = splits_of_classes(owners, weights, seed, symmetry) == split
        chosen = owners[is_here][: count - drawn]
        drawn += len(chosen)
        if len(chosen):
            yield chosen


# Deals that several sets share: the check that splits are disjoint, exactly or up to symmetry.


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
    different = {name: _different(rows) for name, rows in joined.items()}
    common, example = {}, None
    for one, other in combinations(different, 2):
        both = np.concatenate([different[one], different[other]])
        rows = both[sorting(both)]
        shared = np.compress(~are_new(rows), rows, axis=0)
        if len(shared):
            common[one, other] = len(shared)
            high, low = shared[0].tolist()
            example = example or numbering("base5").unrank(high << 64 | low)
    counts = {name: len(rows) for name, rows in joined.items()}
    classes = {name: len(rows) for name, rows in different.items()}
    return Overlaps(symmetry, counts, classes, common, example)


def _different(numbers: Limbs) -> Limbs:
    """Return the different numbers, in order."""
    rows = numbers[sorting(numbers)]
    return np.compress(are_new(rows), rows, axis=0)
