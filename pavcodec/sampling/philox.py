"""Philox4x64-10, the counter-based generator of Salmon, Moraes, Dror and Shaw (2011).

It maps a counter of four words and a key of two words to four random words; a word has 64 bits.
There is no state, so each block can be computed on its own. The constants and the order of words
are those of Random123.
"""

from __future__ import annotations

__all__ = ["Block", "Key", "philox4x64"]

Block = tuple[int, int, int, int]
Key = tuple[int, int]

_ROUNDS = 10
_WORD = (1 << 64) - 1
_FACTORS = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
_STEPS = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)


def philox4x64(counter: Block, key: Key) -> Block:
    """Return the block of a counter under a key, after ten rounds.

    All words are integers from 0 to 2⁶⁴ - 1.

    >>> [f"{word:016x}" for word in philox4x64((0, 0, 0, 0), (0, 0))]
    ['16554d9eca36314c', 'db20fe9d672d0fdc', 'd7e772cee186176b', '7e68b68aec7ba23b']
    """
    (a, b, c, d), (left, right) = counter, key
    (of_a, of_c), (of_left, of_right), word = _FACTORS, _STEPS, _WORD
    for _ in range(_ROUNDS):
        first, second = of_a * a, of_c * c
        a, b = (second >> 64) ^ b ^ left, second & word
        c, d = (first >> 64) ^ d ^ right, first & word
        left, right = (left + of_left) & word, (right + of_right) & word
    return a, b, c, d
