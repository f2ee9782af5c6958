"""Averages and frequencies of batches of deals, over arrays.

Arrays cannot evaluate `tricks` and a division by 0; there the definition evaluates single deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.constraints.arrays.evaluate import NOTHING, BatchEvaluator
from pavcodec.constraints.arrays.expressions import Vectors
from pavcodec.constraints.arrays.leaves import Chunk
from pavcodec.constraints.evaluation import Drawn, drawn_ahead
from pavcodec.constraints.nodes.syntax import Node
from pavcodec.constraints.scripts.jobs import Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.constraints.arrays.operators import Values


_AT_ONCE = 1 << 14
"""The number of deals whose arrays fit into the cache of the processor."""


class ArrayTallies:
    """Gives actions the values of their expressions, none of which uses `rnd`.

    An expression, or a part, that occurs several times is evaluated once.
    """

    def __init__(self, tallies: Sequence[Tally[Any]]) -> None:
        self._tallies = tallies
        vectors = Vectors(*(node for tally in tallies for node in tally.nodes))
        self._evaluators: dict[Node, BatchEvaluator] = {}
        for node in (node for tally in tallies for node in tally.nodes):
            if node not in self._evaluators:
                self._evaluators[node] = BatchEvaluator(node, vectors)

    def take(self, drawn: Drawn) -> None:
        """Process deals."""
        for start in range(0, len(drawn), _AT_ONCE):
            self._take(drawn, start)

    def _take(self, drawn: Drawn, start: int) -> None:
        chunk = Chunk(drawn.owners[start : start + _AT_ONCE], start)
        looks = {node: each.look_at(chunk) for node, each in self._evaluators.items()}
        for tally in self._tallies:
            columns = [looks[node] for node in tally.nodes]
            is_open = np.zeros(chunk.rows, np.bool_)
            for _, asked in columns:
                is_open |= asked != NOTHING
            if is_open.any():
                tally.add_many([values[~is_open] for values, _ in columns])
                self._ask(tally, columns, drawn, start, np.flatnonzero(is_open))
            else:
                tally.add_many([values for values, _ in columns])

    def _ask(
        self,
        tally: Tally[Any],
        columns: Sequence[tuple[Values, NDArray[np.int32]]],
        drawn: Drawn,
        start: int,
        places: NDArray[np.intp],
    ) -> None:
        """Pass an action the values of deals, some of which arrays could not evaluate."""
        rows = places.tolist()
        deals = drawn_ahead((drawn.evaluation(start + row) for row in rows), tally.nodes)
        for row, each in zip(rows, deals, strict=True):
            values = [
                int(known[row])
                if asked[row] == NOTHING
                else each.value(self._evaluators[node].left[asked[row]])
                for node, (known, asked) in zip(tally.nodes, columns, strict=True)
            ]
            tally.add(values)
