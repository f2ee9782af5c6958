"""Proposals: the samples of a seed in any space, as arrays of owners, a slice at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Protocol, SupportsIndex, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pavcodec.cards import DECK_SIZE
from pavcodec.constraints.mixes.mixes import Mix
from pavcodec.constraints.spaces.rejection import TestedDeals
from pavcodec.numberings import numbering

if TYPE_CHECKING:
    from pavcodec.layout import Deal

__all__ = ["Sampled", "Slices", "Space", "rows_of"]

Slices = Callable[[int, int], NDArray[np.uint8]]
"""A function from (start, count) to the owners of these samples: `uint8[count, 52]`."""


@runtime_checkable
class Sampled(Protocol):
    """A space with random samples as arrays: every numbering, and weighted deals."""

    def sample_many(
        self,
        count: SupportsIndex,
        *,
        seed: int,
        start: SupportsIndex = 0,
        threads: SupportsIndex | None = None,
    ) -> NDArray[np.uint8]:
        """Return the owners of samples: `uint8[count, 52]`."""


Space = Sampled | TestedDeals | Mix


def rows_of(space: Space, seed: int, threads: SupportsIndex | None = None) -> Slices:
    """Return the function that gives any slice of the samples of a seed.

    Row k is sample k of the space, as its own methods give it. Raises `TypeError` for a value that
    has no samples.

    >>> from pavcodec import deals
    >>> space = deals("spades(west) == 9")
    >>> rows_of(space, 7)(2, 1)[0].tobytes() == space.sample(3, seed=7)[2].owners
    True
    """
    if isinstance(space, TestedDeals):
        return _InOrder(space, seed)
    if isinstance(space, Mix):
        return lambda start, count: _mixed(space, seed, start, count, threads)
    if not isinstance(space, Sampled):
        raise TypeError(
            "proposals come from a numbering, from deals, endings, a mix or weighted deals, not "
            f"{type(space).__name__!r}: conditions go to pavcodec.deals first"
        )
    return lambda start, count: space.sample_many(count, seed=seed, start=start, threads=threads)


def _mixed(
    space: Mix, seed: int, start: int, count: int, threads: SupportsIndex | None
) -> NDArray[np.uint8]:
    return numbering("deal").unrank_many(space.draw(count, seed=seed, start=start), threads=threads)


class _InOrder:
    """The samples of deals that are tested one by one: cheap only in ascending order."""

    def __init__(self, space: TestedDeals, seed: int) -> None:
        self._space, self._seed = space, seed
        self._place = 0
        self._deals: Iterator[Deal] = space.samples(seed=seed)

    def __call__(self, start: int, count: int) -> NDArray[np.uint8]:
        if start < self._place:
            self._place, self._deals = 0, self._space.samples(seed=self._seed)
        found = islice(self._deals, start - self._place, start - self._place + count)
        self._place = start + count
        owners = b"".join(deal.owners for deal in found)
        return np.frombuffer(owners, np.uint8).reshape(-1, DECK_SIZE)
