"""Splits of a sample: disjoint ranges of one stream, or classes of deals up to symmetry.

Ranges have exact sizes. Splits *apart* have each class of deals in one split, by a keyed hash of
its number:

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
from itertools import accumulate, combinations, pairwise
from math import floor
from operator import index
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias

import numpy as np

from pavcodec.arrays import Limbs, are_new, sorting
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.learning.loading import parts_of
from pavcodec.numberings import numbering
from pavcodec.numberings.classes import canonical_many
from pavcodec.numberings.space import Space
from pavcodec.sampling import Stream, Weight, hash_numbers, proportion, weight_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners
    from pavcodec.layout import Layout

Shares: TypeAlias = str | Mapping[str, Weight] | Sequence[Weight]
"""The shares of splits: a text such as `0.8/0.1/0.1`, weights, or weights by name."""

_NAMES = {2: ("train", "test"), 3: ("train", "validation", "test")}


def splits(n: SupportsIndex, shares: Shares, *, start: SupportsIndex = 0) -> dict[str, range]:
    """Return the samples of each split: disjoint ranges that together are `start` to `start + n`.

    `shares` is a text such as `"0.8/0.1/0.1"`, a sequence of weights, or a mapping from names to
    weights; a weight is an integer, a fraction or a text. Three splits without names are `train`,
    `validation` and `test`, and two `train` and `test`. The sizes are the shares of n rounded down;
    what is left goes to the largest remainders, one each, and to the first of equal ones.

    Raises `NumberError` for a weight that is not above 0, and for weights below 1 whose sum is not
    1; `TypeError` for a float, which is not exact.

    >>> splits(1000, "0.8/0.1/0.1")
    {'train': range(0, 800), 'validation': range(800, 900), 'test': range(900, 1000)}
    >>> splits(10, {"a": "1/3", "b": "2/3"}, start=5)
    {'a': range(5, 8), 'b': range(8, 15)}
    """
    weights = shares_of(shares)
    first = index(start)
    if first < 0:
        raise NumberError(f"a sample is 0 or more, not {shown(first)}")
    sizes = sizes_by_shares(n, list(weights.values()))
    cuts = accumulate(sizes, initial=first)
    return {name: range(*cut) for name, cut in zip(weights, pairwise(cuts), strict=True)}


def shares_of(shares: Shares) -> dict[str, Fraction]:
    """Return the weight of each split by its name.

    A text has weights between slashes or, if they are fractions, commas; each may have a name, as
    in `big=0.9,small=0.1`. Weights that are all below 1 are parts of a whole, so their sum is 1.

    >>> shares_of("1/3,2/3")
    {'train': Fraction(1, 3), 'test': Fraction(2, 3)}
    """
    any_shares: object = shares
    if isinstance(any_shares, bytes) or not isinstance(any_shares, str | Mapping | Sequence):
        kind = type(any_shares).__name__
        raise TypeError(f"shares are a text such as '0.8/0.1/0.1' or weights, not {kind!r}")
    given: list[Weight]
    if isinstance(shares, str):
        parts = shares.split("," if "," in shares else "/")
        named = [part.strip().rpartition("=") for part in parts]
        given = [weight.strip() for _, _, weight in named]
        names = [name.strip() for name, _, _ in named]
    elif isinstance(shares, Mapping):
        names, given = list(shares), list(shares.values())
    else:
        given = list(shares)
        names = [""] * len(given)
    return _named(names, [weight_of(weight) for weight in given])


def _named(names: list[str], weights: list[Fraction]) -> dict[str, Fraction]:
    """Return weights by name; without names they have the usual ones."""
    if not weights:
        raise NumberError("a sample has one split or more")
    total = sum(weights)
    if max(weights) < 1 and total != 1:
        raise NumberError(
            f"splits below 1 have the sum 1, as in 0.8/0.1/0.1, not {total}; or give weights, "
            "as in 8/1/1"
        )
    if not any(names):
        count = len(weights)
        names = list(_NAMES.get(count, [f"part{number + 1}" for number in range(count)]))
    for name in names:
        if not (isinstance(name, str) and name.replace("-", "").replace("_", "").isalnum()):
            raise PavError(f"the name of a split has letters, digits, - and _, not {name!r}")
    if len(set(names)) < len(names):
        raise PavError(f"splits have different names, not {', '.join(names)}")
    return dict(zip(names, weights, strict=True))


def sizes_by_shares(n: SupportsIndex, weights: Sequence[Fraction]) -> list[int]:
    """Return sizes that sum to n, by the largest remainders.

    >>> sizes_by_shares(11, [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)])
    [5, 3, 3]
    """
    whole = index(n)
    if whole < 0:
        raise NumberError(f"a count is 0 or more, not {shown(whole)}")
    parts = proportion(weights)
    exact = [Fraction(whole * part, sum(parts)) for part in parts]
    sizes = [floor(size) for size in exact]
    by_remainder = sorted(range(len(parts)), key=lambda split: sizes[split] - exact[split])
    for split in by_remainder[: whole - sum(sizes)]:
        sizes[split] += 1
    return sizes


# Splits apart: a class of deals is in one split.


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
