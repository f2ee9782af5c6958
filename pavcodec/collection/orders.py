"""The order in which a collection takes the layouts of a space: which layouts a part has.

Rule 1: the layouts of a part are a function of the space, the order and the range of the part.
Rule 2: rows come in batches of at most `AT_ONCE`, so memory does not depend on the size of a part.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeGuard

from pavcodec.collection.plan import Part
from pavcodec.constraints.mixes.mixes import Mix
from pavcodec.constraints.spaces.rejection import TestedDeals
from pavcodec.learning.resampling import Sampled
from pavcodec.numberings import Numbering, numbering

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs, Owners


AT_ONCE = 1 << 16
"""The most rows of a batch."""

IN_ORDER = ("deal", "balanced")
"""The numberings whose positions are the numbers of boards."""

Space = Sampled | TestedDeals | Mix
"""A numbering, the deals or endings of a condition, weighted deals, or a mix."""


class Layouts(NamedTuple):
    """Some layouts, and their numbers in the numbering of the boards where they are known."""

    owners: Owners
    numbers: Limbs | None = None


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
    def layouts(self, space: Space, part: Part) -> Iterator[Layouts]:
        """Yield the layouts of a part in their order, `AT_ONCE` at most together."""


def has_numbers(space: object) -> TypeGuard[Numbering]:
    """Return whether the positions in a space are the numbers of boards."""
    return type(space) is Numbering and space.name in IN_ORDER


def spans(part: Part) -> Iterator[tuple[int, int]]:
    """Yield start and count of the samples of each batch of a part."""
    for start in range(part.start, part.end, AT_ONCE):
        yield start, min(AT_ONCE, part.end - start)


class Drawn(Order):
    """The samples of a seed in their order; a layout may occur more than once."""

    name = "drawn"
    stream = "pav-1"

    def layouts(self, space: Space, part: Part) -> Iterator[Layouts]:
        """Yield the layouts of a part; where deals are tested, those of its samples that pass."""
        if isinstance(space, TestedDeals):
            for start, count in spans(part):
                owners = space.passing_in(range(start, start + count), seed=self.seed)
                if len(owners):
                    yield Layouts(owners)
            return
        for start, count in spans(part):
            yield self._drawn(space, start, count)

    def _drawn(self, space: Sampled | Mix, start: int, count: int) -> Layouts:
        if isinstance(space, Mix):
            numbers = space.draw(count, seed=self.seed, start=start)
            return Layouts(numbering("deal").unrank_many(numbers, threads=1), numbers)
        if has_numbers(space) and not space.first:
            numbers = space.draw(count, seed=self.seed, start=start)
            return Layouts(space.unrank_many(numbers, threads=1), numbers)
        owners = space.sample_many(count, seed=self.seed, start=start, threads=1)
        return Layouts(owners)
