"""Splits of a sample: exact sizes, and disjoint ranges of one stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import floor
from operator import index
from typing import SupportsIndex, TypeAlias

from pavcodec.errors import NumberError, PavError, shown
from pavcodec.sampling import Weight, proportion, weight_of

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
