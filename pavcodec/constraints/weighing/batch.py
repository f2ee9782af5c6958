"""Many samples of weighted deals in one call, by the rules of `WeightedDeals`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.arrays import Threads, share
from pavcodec.constraints.counting.model import Model
from pavcodec.sampling import Stream, draw_indexes
from pavcodec.walk import FixedSizes

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs, Owners


@dataclass(frozen=True)
class WeightedDraws:
    """Samples `start` to `start + count - 1` of a seed from a weighted model."""

    model: Model
    seed: int
    start: int
    count: int
    threads: Threads = None

    def owners(self) -> Owners:
        """Return the owners of the samples: `uint8[n, 52]`."""
        owners = np.empty((self.count, self.model.cards), np.uint8)
        share(self._work(owners), self.count, self.threads)
        return owners

    def numbers(self) -> Limbs:
        """Return the deal numbers of the samples: `uint64[n, 2]`, high and low."""
        numbers = np.empty((self.count, 2), np.uint64)
        owners = np.empty((self.count, self.model.cards), np.uint8)
        deal, ranks = self._work(owners), FixedSizes(self.model.sizes)

        def work(part: slice) -> None:
            deal(part)
            ranks.rank_rows(part.stop - part.start, owners[part], numbers[part])

        share(work, self.count, self.threads)
        return numbers

    def _work(self, owners: Owners) -> Callable[[slice], None]:
        """Return the function that writes the owners of a part of the samples."""
        model = self.model

        def in_loops(part: slice) -> None:
            drawn = owners[part]
            start = self.start + part.start
            places = draw_indexes(self.seed, start, len(drawn), model.cardinality)
            model.unrank_rows(len(drawn), places, drawn)

        def one_by_one(part: slice) -> None:
            stream = Stream(self.seed)
            for row in range(part.start, part.stop):
                index = stream.wide_index(self.start + row, model.cardinality)
                owners[row] = np.frombuffer(model.unrank(index), np.uint8)

        return one_by_one if self.model.is_wide else in_loops
