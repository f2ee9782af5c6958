"""Chains: several ordered sets in a row share the numbers, each set after the one before.

Endings by their size, the cases of a condition, the types of a mix and the spaces of an archive are
such sets.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pavcodec.arrays import Limbs


@dataclass(frozen=True)
class Chain:
    """The numbers of several ordered sets, those of each *part* after those of the part before.

    `sizes` are the cardinalities of the parts; a part may be empty. Whoever has spaces in a row
    makes a chain of their cardinalities, splits a number, and asks the space of its part. Many
    numbers are split together, part by part: then the work for each part takes one call.

    >>> chain = Chain((1000, 0, 10))
    >>> chain.cardinality, chain.starts, chain.split(1003), chain.join(2, 3)
    (1010, (0, 1000, 1000), (2, 3), 1003)
    """

    sizes: tuple[int, ...]

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        return tuple(accumulate(self.sizes))

    @property
    def cardinality(self) -> int:
        """The number of all numbers."""
        return self._ends[-1] if self.sizes else 0

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first number of each part."""
        return (0, *self._ends)[: len(self.sizes)]

    def split(self, number: int) -> tuple[int, int]:
        """Return the part of a number below the cardinality, and the number within the part."""
        part = bisect_right(self._ends, number)
        return part, number - self.starts[part]

    def join(self, part: int, number: int) -> int:
        """Return the number of a number within a part: the inverse of `split`."""
        return self.starts[part] + number

    def parts_of(self, numbers: Limbs) -> NDArray[np.intp]:
        """Return the part of each of many numbers: `uint64[n, 2]` to `intp[n]`.

        >>> import numpy as np
        >>> Chain((5, 2**64)).parts_of(np.array([[0, 4], [0, 5], [1, 0]], np.uint64)).tolist()
        [0, 1, 1]
        """
        import numpy as np

        from pavcodec.arrays import below

        parts = np.zeros(len(numbers), np.intp)
        for end in self._ends[:-1]:
            parts += ~below(numbers, end)
        return parts

    def split_rows(self, numbers: Limbs) -> Iterator[tuple[int, NDArray[np.intp], Limbs]]:
        """Yield each part that occurs, the rows that have it, and their numbers within it.

        >>> import numpy as np
        >>> rows = np.array([[0, 7], [0, 4], [0, 5]], np.uint64)
        >>> [(part, at.tolist(), own.tolist()) for part, at, own in Chain((5, 9)).split_rows(rows)]
        [(0, [1], [[0, 4]]), (1, [0, 2], [[0, 2], [0, 0]])]
        """
        import numpy as np

        from pavcodec.arrays import subtract

        parts = self.parts_of(numbers)
        for part in np.unique(parts).tolist():
            rows = np.flatnonzero(parts == part)
            yield part, rows, subtract(numbers[rows], self.starts[part])
