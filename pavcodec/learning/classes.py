"""Splits apart: a class of deals up to symmetry is in one split, by a keyed hash of its number.

Rule 1: the number of a class is that of its canonical layout in the numbering `base5`; without a
        symmetry, a layout is a class of its own.
Rule 2: the hash of this number under the seed (`Stream.hash_of`) is a word below 2^64. A split has
        the words from its cut to the next one; the cuts are the shares of 2^64, rounded down.
Rule 3: so the split of a class depends on nothing but the class, the seed and the shares. Two
        splits have no class in common, however small the space is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.arrays.numberings.symmetry import canonical_many
from pavcodec.arrays.philox import hash_numbers
from pavcodec.errors import NumberError
from pavcodec.learning.proposals import Sampled
from pavcodec.numberings import numbering
from pavcodec.sampling import Stream
from pavcodec.sampling.weights import proportion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.arrays.words.limbs import Limbs
    from pavcodec.layout import Layout

__all__ = ["class_numbers", "draw_apart", "split_of_class", "splits_of_classes"]

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
    """Return the place of the split of each layout, from 0: `uint8[n, 52]` to `intp[n]`."""
    words = hash_numbers(seed, class_numbers(owners, symmetry))
    cuts = np.array(_cuts(weights), np.uint64)
    return np.searchsorted(cuts, words, side="right")


def split_of_class(
    layout: Layout, weights: Sequence[Fraction], seed: int, symmetry: str | None
) -> int:
    """Return the place of the split of a layout: the definition of `splits_of_classes`.

    >>> from pavcodec import numbering
    >>> deal = numbering("deal")[0]
    >>> split_of_class(deal, [Fraction(1, 2), Fraction(1, 2)], 7, "suits")
    1
    """
    canonical = layout.canonical(symmetry)[0] if symmetry else layout
    word = Stream(seed).hash_of(numbering("base5").rank(canonical))
    return sum(word >= cut for cut in _cuts(weights))


def draw_apart(  # noqa: PLR0913
    space: Sampled,
    count: int,
    place: int,
    weights: Sequence[Fraction],
    *,
    seed: int,
    start: int = 0,
    symmetry: str | None,
) -> Iterator[Owners]:
    """Yield the first `count` samples of a space whose class is in the split of this place.

    They are in the order of the stream, from sample `start` on. Raises `NumberError` if the space
    has so few classes that the split stays too small.
    """
    parts = proportion(weights)
    most = max(_LEAST, _PATIENCE * count * sum(parts) // parts[place])
    found = done = 0
    while found < count:
        if done >= most:
            raise NumberError(
                f"only {found} of {done} samples belong to split {place + 1}, which needs {count}: "
                "the condition has too few classes of deals for such splits, or this seed gives "
                "the split too few of them; ask for fewer deals, or take another seed"
            )
        size = min(_AT_ONCE, most - done, max(1 << 10, 2 * (count - found)))
        owners = space.sample_many(size, seed=seed, start=start + done)
        done += size
        is_here = splits_of_classes(owners, weights, seed, symmetry) == place
        chosen = owners[is_here][: count - found]
        found += len(chosen)
        if len(chosen):
            yield chosen
