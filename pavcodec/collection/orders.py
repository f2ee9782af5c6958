"""The order in which a collection takes the layouts of a space: which layouts a part has.

Rule 1: the layouts of a part are a function of the space, the order and the range of the part.
Rule 2: rows come in batches of at most `AT_ONCE`, so memory does not depend on the size of a part.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from pavcodec.collection.plan import Part
from pavcodec.constraints import TestedDeals
from pavcodec.errors import NumberError, PavError, UnknownNameError, check_text
from pavcodec.numberings import Numbering
from pavcodec.numberings.space import Rows, Space
from pavcodec.sampling import KeyedPermutation
from pavcodec.sampling.sets import SortedSample

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs


AT_ONCE = 1 << 16
"""The most rows of a batch."""

ORDERS = ("drawn", "permuted", "sorted")


@dataclass(frozen=True)
class Order(ABC):
    """Which layouts of a space the parts have; a frozen value that can be pickled."""

    seed: int

    name: ClassVar[str]
    """The name of the order, as users give it."""
    stream: ClassVar[str]
    """The name of the stream of random numbers."""
    is_sorted: ClassVar[bool] = False
    """Whether the numbers ascend, from part to part as well."""

    @property
    def method(self) -> str:
        """The words for the tag `Generator`; none for the samples as they are drawn."""
        return ""

    def describe(self) -> dict[str, object]:
        """Return the order for JSON: its name, the stream and the seed."""
        return {"name": self.name, "stream": self.stream, "seed": str(self.seed)}

    @abstractmethod
    def layouts(self, space: Space, part: Part) -> Iterator[Rows]:
        """Yield the layouts of a part in their order, `AT_ONCE` at most together."""


def _spans(part: Part) -> Iterator[tuple[int, int]]:
    """Yield start and count of the samples of each batch of a part."""
    for start in range(part.start, part.end, AT_ONCE):
        yield start, min(AT_ONCE, part.end - start)


class Drawn(Order):
    """The samples of a seed in their order; a layout may occur more than once."""

    name = "drawn"
    stream = "pav-1"

    def layouts(self, space: Space, part: Part) -> Iterator[Rows]:
        """Yield the layouts of a part; where deals are tested, those of its samples that pass."""
        for start, count in _spans(part):
            rows = space.rows(self.seed, range(start, start + count))
            if len(rows.owners):
                yield rows


class OrderOfPositions(Order):
    """An order without repeats: the layouts of a numbering at some of its positions."""

    @abstractmethod
    def positions(self, space: Space, part: Part) -> Iterator[Limbs]:
        """Yield the positions of the layouts of a part, `AT_ONCE` at most together."""

    def layouts(self, space: Space, part: Part) -> Iterator[Rows]:
        """Yield the layouts of a part."""
        chosen = _numbering_of(space, self.name)
        return (layouts_at(chosen, positions) for positions in self.positions(space, part))


class Permuted(OrderOfPositions):
    """The layouts in the order of `pavcodec.permuted`: no layout occurs more than once."""

    name = "permuted"
    stream = "pav-permutation-1"

    @property
    def method(self) -> str:
        """The words for the tag `Generator`."""
        return self.name

    def positions(self, space: Space, part: Part) -> Iterator[Limbs]:
        """Yield the positions of the layouts of a part, `AT_ONCE` at most together."""
        order = KeyedPermutation(self.seed, _numbering_of(space, self.name).cardinality)
        for start, count in _spans(part):
            yield order.slice(start, count)


@dataclass(frozen=True)
class Sorted(OrderOfPositions):
    """A set of `count` different layouts in the order of their numbers, as `SortedSample` has it.

    The samples of a part are the indexes of the sorted set.
    """

    count: int

    name: ClassVar[str] = "sorted"
    stream: ClassVar[str] = "pav-sorted-set-1"
    is_sorted: ClassVar[bool] = True

    @property
    def method(self) -> str:
        """The words for the tag `Generator`."""
        return f"sorted={self.count}"

    def describe(self) -> dict[str, object]:
        """Return the order for JSON."""
        return {**super().describe(), "count": self.count}

    def positions(self, space: Space, part: Part) -> Iterator[Limbs]:
        """Yield the positions of the layouts of a part, `AT_ONCE` at most together."""
        chosen = _numbering_of(space, self.name)
        sample = _sample(chosen.cardinality, self.count, self.seed)
        for rows in sample.part(part.start, part.count):
            for begin in range(0, len(rows), AT_ONCE):
                yield rows[begin : begin + AT_ONCE]


@lru_cache(8)
def _sample(cardinality: int, count: int, seed: int) -> SortedSample:
    """Return a sorted set; parts of one process share the counts that it has computed."""
    return SortedSample(cardinality, count, seed)


def layouts_at(space: Numbering, positions: Limbs, threads: int | None = 1) -> Rows:
    """Return the layouts at positions, and their numbers if these are the positions."""
    from pavcodec.arrays import add

    owners = space.unrank_many(add(positions, space.first), threads=threads)
    return Rows(owners, positions if space.numbers_boards else None)


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

        if not (chosen.name in ("deal", "balanced") or isinstance(chosen, ConstrainedLayouts)):
            raise PavError(
                f"numbering {chosen.name!r} has another order than the numbers of boards: use "
                "'deal', 'balanced' or the deals of a condition"
            )
        if start:
            raise NumberError(f"a sorted set begins with its first deal, not with deal {start}")
    if start + count > total:
        layouts = "different ones" if not start else f"different ones from {start} on"
        raise NumberError(f"there are {total} in all, and no {count} {layouts}")
