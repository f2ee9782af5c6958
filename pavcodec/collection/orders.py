"""The order in which a collection takes the layouts of a space: which layouts a part has.

Rule 1: the layouts of a part are a function of the space, the order and the range of the part.
Rule 2: rows come in batches of at most `AT_ONCE`, so memory does not depend on the size of a part.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pavcodec.collection.plan import Part
from pavcodec.numberings.space import Rows, Space

AT_ONCE = 1 << 16
"""The most rows of a batch."""

IN_ORDER = ("deal", "balanced")
"""The numberings whose positions are the numbers of boards."""


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


def spans(part: Part) -> Iterator[tuple[int, int]]:
    """Yield start and count of the samples of each batch of a part."""
    for start in range(part.start, part.end, AT_ONCE):
        yield start, min(AT_ONCE, part.end - start)


class Drawn(Order):
    """The samples of a seed in their order; a layout may occur more than once."""

    name = "drawn"
    stream = "pav-1"

    def layouts(self, space: Space, part: Part) -> Iterator[Rows]:
        """Yield the layouts of a part; where deals are tested, those of its samples that pass."""
        for start, count in spans(part):
            rows = space.rows(self.seed, range(start, start + count))
            if len(rows.owners):
                yield rows
