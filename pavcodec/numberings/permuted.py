"""Numberings in the order of a seed: the first n layouts are n different ones, in any part."""

from __future__ import annotations

from ctypes import c_uint64
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast, overload

from pavcodec.errors import NumberError, shown
from pavcodec.layout.layout import Layout
from pavcodec.numberings.space import L_co, Numbering, Space
from pavcodec.sampling import MOST, KeyedPermutation, Seed, seed_of
from pavcodec.walk import Rank, Ranking, Unrank


@dataclass(frozen=True)
class PermutedRanking(Ranking):
    """Another ranking in the order of a `KeyedPermutation`: number k has the word of π(k)."""

    ranking: Ranking
    seed: int

    @cached_property
    def cards(self) -> int:
        """The length of the words."""
        return self.ranking.cards

    @cached_property
    def cardinality(self) -> int:
        """The number of words."""
        return self.ranking.cardinality

    @cached_property
    def permutation(self) -> KeyedPermutation:
        """The permutation of the numbers of the other ranking."""
        return KeyedPermutation(self.seed, self.ranking.cardinality)

    @cached_property
    def rank_rows(self) -> Rank:
        """The numbers of words."""
        ranked, replace = self.ranking.rank_rows, self.permutation.replace

        def rank_rows(n: int, words: Any, numbers: Any) -> int:
            bad = ranked(n, words, numbers)
            if bad < 0:  # otherwise, some rows have no number, and the permutation has only numbers
                replace(n, numbers, is_forward=False)
            return bad

        return rank_rows

    @cached_property
    def unrank_rows(self) -> Unrank:
        """The words of numbers."""
        unranked, replace = self.ranking.unrank_rows, self.permutation.replace

        def unrank_rows(n: int, numbers: Any, words: Any) -> None:
            permuted_numbers = (c_uint64 * (2 * n)).from_buffer_copy(numbers)
            replace(n, permuted_numbers, is_forward=True)
            unranked(n, permuted_numbers, words)

        return unrank_rows


@dataclass(frozen=True)
class PermutedNumbering(Numbering[L_co]):
    """The layouts of a numbering in the order of a seed, made by `pavcodec.permuted`.

    >>> from pavcodec import numbering, permuted
    >>> deals = permuted(numbering("deal"), 7)
    >>> print(deals[0])
    N:8752.86.T3.T8643 A.AK2.AQ954.KQJ2 QT643.J543.72.97 KJ9.QT97.KJ86.A5
    >>> deals.rank(deals[10**20]), deals.cardinality == numbering("deal").cardinality
    (100000000000000000000, True)
    """

    space: Numbering[L_co] = None  # type: ignore[assignment] # `permuted` always gives it
    """The numbering whose layouts these are."""

    @property
    def seed(self) -> int:
        """The seed of the order."""
        return cast("PermutedRanking", self.ranking).seed

    def rank(self, layout: Layout) -> int:
        """Return the number of a layout; raise `LayoutError` if the numbering has none for it."""
        permutation = cast("PermutedRanking", self.ranking).permutation
        return permutation.index(self.space.index(layout)) + self.first

    def __contains__(self, layout: object) -> bool:
        return layout in self.space

    def __repr__(self) -> str:
        return f"permuted({self.space!r}, {self.seed}){'.one_based()' if self.first else ''}"


@overload
def permuted(space: Numbering[L_co], seed: Seed) -> PermutedNumbering[L_co]: ...
@overload
def permuted(space: object, seed: Seed) -> PermutedNumbering[Any]: ...
def permuted(space: object, seed: Seed) -> PermutedNumbering[Any]:
    """Return the layouts of a numbering in the order of a seed, as a numbering of the same size.

    The first n layouts, and those of any slice, are different ones, and no memory is needed to make
    sure of it: the order is the permutation `pav-permutation-1`, a function of the seed and the
    cardinality. `space` is any numbering, also `pavcodec.deals(where)` if it can be counted; the
    order of other spaces is not defined, and `permuted` raises `TypeError`. A seed is a number
    below 2¹²⁸ or a text. Raises `NumberError` for an empty numbering.

    >>> from pavcodec import deals, permuted
    >>> strong = permuted(deals("hcp(south) == 37"), 7)
    >>> strong[:3][0] in deals("hcp(south) == 37"), len({*strong[:1000]})
    (True, 1000)
    """
    if not isinstance(space, Numbering):
        raise TypeError(
            "a permutation needs a numbering, or the deals of a condition that is counted, not "
            f"{_kind(space)}"
        )
    total = space.cardinality
    if not 1 <= total <= MOST:
        raise NumberError(f"a permutation has 1 to 2^128 layouts, not {shown(total)}")
    number = seed_of(seed)
    return PermutedNumbering(
        f"{space.name}, permuted by {number}",
        f"{space.summary}; in the order of seed {number}",
        PermutedRanking(space.ranking, number),
        space.members,
        "",
        space.layout_type,
        space=space,
    )


def _kind(space: object) -> str:
    """Return what was given instead of a numbering, and why it has no order, if that is known."""
    name = repr(type(space).__name__)
    if not isinstance(space, Space):
        return name
    if space.is_tested:
        return f"{name}: a part of its condition is tested deal by deal"
    return f"{name}: its deals are not equally likely"
