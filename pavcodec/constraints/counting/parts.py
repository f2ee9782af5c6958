"""Counted parts of a condition, and the share of their deals that pass the rest in a sample."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pavcodec.cards import Seat
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.counting.diagrams.compile import Compiler
from pavcodec.constraints.counting.models.model import Model

if TYPE_CHECKING:
    from pavcodec.arrays.owners.rows import Owners


DIAGRAM = 256 << 20
"""The bytes that making the diagram of a condition may take."""


SAMPLE = 1 << 14


SEED = 0


@dataclass(frozen=True)
class CountedPart:
    """A condition on some seats that is counted, with its model."""

    seats: frozenset[Seat]
    condition: Condition

    @property
    def model(self) -> Model:
        """The model of the condition."""
        return self.condition.model

    @cached_property
    def owners(self) -> Owners:
        """Sample deals of the part, `uint8[n, 52]`, to estimate how often other conditions hold."""
        from pavcodec.arrays.philox import draw_indexes
        from pavcodec.constraints.counting.models.batch import deals_of

        indexes = draw_indexes(SEED, 0, SAMPLE, self.model.cardinality)
        return deals_of(self.model, indexes)[1]


class EachWithin(Compiler):
    """Makes diagrams, each within the whole memory limit instead of all together."""

    @property
    def _room(self) -> int:
        return self.memory
