"""A batch of drawn deals, with the values of expressions for each deal."""

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
    """Many deals: `owners` is `uint8[n, 52]`, and `evaluation(k)` evaluates expressions for deal k.

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
        """Return deals for which `rnd` uses the seed; deal k is sample `start` + k of the seed."""
        stream = Stream(seed)
        deal_of = Deal.unchecked

        def evaluation(row: int) -> Evaluation:
            return Evaluation(deal_of(owners[row].tobytes()), stream.chance(start + row))

        return cls(owners, evaluation)

    @classmethod
    def of(cls, evaluations: Sequence[Evaluation]) -> Drawn:
        """Return the deals of existing evaluations."""
        import numpy as np

        together = b"".join(each.deal.owners for each in evaluations)
        owners = np.frombuffer(together, np.uint8).reshape(-1, DECK_SIZE)
        return cls(owners, evaluations.__getitem__)

    def __len__(self) -> int:
        return len(self.owners)

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the evaluation of each deal in turn."""
        return map(self.evaluation, range(len(self.owners)))
