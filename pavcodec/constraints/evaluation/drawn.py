"""Deals that were drawn together, with the values that expressions have for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from pavcodec.cards import DECK_SIZE
from pavcodec.constraints.evaluation.evaluate import Evaluation
from pavcodec.layout import Deal
from pavcodec.sampling import Stream

if TYPE_CHECKING:
    from pavcodec.arrays.owners.rows import Owners

__all__ = ["Drawn"]


class Drawn:
    """Many deals: `owners` are `uint8[n, 52]`, and `evaluation` gives the values of one of them.

    >>> from pavcodec import numbering
    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> some = Drawn.by_seed(numbering("deal").sample_many(3, seed=7), seed=7)
    >>> [each.value(parse_expression("rnd(6)")) for each in some.evaluations()]
    [2, 3, 1]
    """

    def __init__(self, owners: Owners, evaluation: Callable[[int], Evaluation]) -> None:
        self.owners = owners
        self.evaluation = evaluation

    @classmethod
    def by_seed(cls, owners: Owners, seed: int, start: int = 0) -> Drawn:
        """Return deals of which `rnd` draws by the seed and their places, the first at `start`."""
        stream = Stream(seed)
        deal_of = Deal.unchecked

        def evaluation(row: int) -> Evaluation:
            return Evaluation(deal_of(owners[row].tobytes()), stream.chance(start + row))

        return cls(owners, evaluation)

    @classmethod
    def of(cls, evaluations: Sequence[Evaluation]) -> Drawn:
        """Return deals that have their values already."""
        import numpy as np

        together = b"".join(each.deal.owners for each in evaluations)
        owners = np.frombuffer(together, np.uint8).reshape(-1, DECK_SIZE)
        return cls(owners, evaluations.__getitem__)

    def __len__(self) -> int:
        return len(self.owners)

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the deals one by one with their values."""
        return map(self.evaluation, range(len(self.owners)))
