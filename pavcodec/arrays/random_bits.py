"""Count random bits of the stream's blocks in a compiled loop."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from pavcodec.arrays.chunks import Threads, share, workers_of
from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.philox import block
from pavcodec.arrays.words.limbs import split

Word = np.uint64

_BLOCK_BITS = 256
_FEWEST_BLOCKS = 1 << 14
_ZERO, _ONE = Word(0), Word(1)


def _ones(_context: Any, word: Any) -> Any:
    """Return the type and the code generator of `ones`, for numba."""

    def generate(_context: Any, builder: Any, _: Any, words: Any) -> Any:
        return builder.ctpop(words[0])

    return types.uint64(word), generate


ones: Any = intrinsic(_ones)
"""Return how many bits of a word are 1: `ones(word)` in a compiled loop."""


def count_bits(
    seed: int, node: int, attempt: int, lane: int, bits: int, *, threads: Threads = 1
) -> int:
    """Return how many of the first `bits` bits of the blocks (node, attempt, lane, 0 …) are 1.

    The bits of a block are those of its first word, the lowest first, then those of the others.

    >>> count_bits(7, 1, 0, 8, 1000)
    533
    """
    whole, rest = divmod(bits, _BLOCK_BITS)
    key = split(seed)[::-1]
    at_once = max(_FEWEST_BLOCKS, -(-whole // workers_of(threads)))
    counts = np.zeros(-(-whole // at_once) + 1, np.uint64)

    def work(part: slice) -> None:
        counts[part.start // at_once] = _count(
            Word(node), Word(attempt), Word(lane), Word(part.start), Word(part.stop), *key
        )

    share(work, whole, threads, at_once)
    words = block(Word(node), Word(attempt), Word(lane), Word(whole), *key)
    last = sum(int(word) << 64 * index for index, word in enumerate(words))
    return int(counts.sum()) + (last & (1 << rest) - 1).bit_count()


@compiled(types.uint64(*[types.uint64] * 7))
def _count(
    node: Word, attempt: Word, lane: Word, begin: Word, end: Word, left: Word, right: Word
) -> Word:
    """Count the bits of the blocks from `begin` to before `end` that are 1."""
    total = _ZERO
    while begin < end:
        a, b, c, d = block(node, attempt, lane, begin, left, right)
        total += ones(a) + ones(b) + ones(c) + ones(d)
        begin += _ONE
    return total
