"""Orders without repeats: the permutation of a seed, and the sorted set of a seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from pavcodec.collection.orders import (
    AT_ONCE,
    IN_ORDER,
    Drawn,
    Layouts,
    Order,
    Space,
    has_numbers,
    spans,
)
from pavcodec.collection.plan import Part
from pavcodec.constraints import TestedDeals
from pavcodec.errors import NumberError, PavError, UnknownNameError, check_text
from pavcodec.numberings import Numbering
from pavcodec.numberings.sorted_sample import SortedSample

if TYPE_CHECKING:
    from pavcodec.arrays.words.limbs import Limbs

__all__ = [
    "ORDERS",
    "Permuted",
    "Sorted",
    "check_order",
    "joined_method",
    "layouts_at",
    "order_by_name",
]

ORDERS = ("drawn", "permuted", "sorted")


@dataclass(frozen=True)
class Permuted:
    """The layouts in the order of `pavcodec.permuted`: no layout occurs more than once."""

    seed: int

    name: ClassVar[str] = "permuted"
    method: ClassVar[str] = "permuted"
    is_sorted: ClassVar[bool] = False

    def describe(self) -> dict[str, object]:
        """Return the order for JSON."""
        return {"name": self.name, "stream": "pav-permutation-1", "seed": str(self.seed)}

    def positions(self, space: Space, part: Part) -> Iterator[Limbs]:
        """Yield the positions of the layouts of a part, `AT_ONCE` at most together."""
        from pavcodec.arrays.permutation import permuted_indexes

        total = _numbering_of(space, self.name).cardinality
        for start, count in spans(part):
            yield permuted_indexes(self.seed, start, count, total)

    def layouts(self, space: Space, part: Part) -> Iterator[Layouts]:
        """Yield the layouts of a part."""
        chosen = _numbering_of(space, self.name)
        return (layouts_at(chosen, places) for places in self.positions(space, part))


@dataclass(frozen=True)
class Sorted:
    """A set of `count` different layouts in the order of their numbers, as `SortedSample` has it.

    The samples of a part are the indexes of the sorted set.
    """

    seed: int
    count: int

    name: ClassVar[str] = "sorted"
    is_sorted: ClassVar[bool] = True

    @property
    def method(self) -> str:
        """The words for the tag `Generator`."""
        return f"sorted={self.count}"

    def describe(self) -> dict[str, object]:
        """Return the order for JSON."""
        found = {"name": self.name, "stream": "pav-sorted-set-1", "seed": str(self.seed)}
        return {**found, "count": self.count}

    def positions(self, space: Space, part: Part) -> Iterator[Limbs]:
        """Yield the positions of the layouts of a part, `AT_ONCE` at most together."""
        chosen = _numbering_of(space, self.name)
        sample = _sample(chosen.cardinality, self.count, self.seed)
        for rows in sample.part(part.start, part.count):
            for begin in range(0, len(rows), AT_ONCE):
                yield rows[begin : begin + AT_ONCE]

    def layouts(self, space: Space, part: Part) -> Iterator[Layouts]:
        """Yield the layouts of a part."""
        chosen = _numbering_of(space, self.name)
        return (layouts_at(chosen, places) for places in self.positions(space, part))


@lru_cache(8)
def _sample(cardinality: int, count: int, seed: int) -> SortedSample:
    """Return a sorted set; parts of one process share the counts that it has computed."""
    return SortedSample(cardinality, count, seed)


def layouts_at(space: Numbering, places: Limbs, threads: int | None = 1) -> Layouts:
    """Return the layouts at positions, and their numbers if these are the positions."""
    from pavcodec.arrays.words.limbs import add

    owners = space.unrank_many(add(places, space.first), threads=threads)
    return Layouts(owners, places if has_numbers(space) else None)


def _numbering_of(space: Space, order: str) -> Numbering:
    """Return a space as a numbering; raise `PavError` if its layouts have no positions."""
    if isinstance(space, Numbering):
        return space
    if isinstance(space, TestedDeals):
        reason = "a part of the condition is tested deal by deal, so its deals"
    else:
        reason = "the deals of weights and mixes are not equally likely, so they"
    raise PavError(f"{reason} have no {order} order: draw them")


def order_by_name(name: str, seed: int, count: int) -> Order:
    """Return an order by its name, for `count` layouts of a sorted set."""
    check_text("the order of a collection", name)
    if name not in ORDERS:
        raise UnknownNameError(f"the order of a collection is {', '.join(ORDERS)}, not {name!r}")
    if name == "drawn":
        return Drawn(seed)
    return Permuted(seed) if name == "permuted" else Sorted(seed, count)


def joined_method(method: str, order: Order) -> str:
    """Return the words of a plan and of an order for the tag `Generator`."""
    return " ".join(filter(None, [method, order.method]))


def check_order(order: Order, space: Space, start: int, count: int) -> None:
    """Raise `PavError` if a space has no such layouts in an order without repeats."""
    if isinstance(order, Drawn):
        return
    chosen = _numbering_of(space, order.name)
    total = chosen.cardinality
    if order.is_sorted:
        from pavcodec.constraints.spaces.constrained import ConstrainedLayouts

        if not (chosen.name in IN_ORDER or isinstance(chosen, ConstrainedLayouts)):
            raise PavError(
                f"numbering {chosen.name!r} has another order than the numbers of boards: use "
                "'deal', 'balanced' or the deals of a condition"
            )
        if start:
            raise NumberError(f"a sorted set begins with its first deal, not with deal {start}")
    if start + count > total:
        what = "different ones" if not start else f"different ones from {start} on"
        raise NumberError(f"there are {total} in all, and no {count} {what}")
