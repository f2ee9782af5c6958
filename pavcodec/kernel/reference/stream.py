"""The stream `pav-1`, defined: samples of a seed by Philox4x64-10.

Salmon, Moraes, Dror, Shaw: *Parallel random numbers: as easy as 1, 2, 3* (2011), which also has the
constants. Sample k of a seed is a function of seed, k and cardinality alone.
"""

from __future__ import annotations

from pavcodec.kernel.reference.numbers import WORD, Words, number_at, put_number

_ROUNDS = 10
_FACTORS = 0xD2E7470EE14C6C93, 0xCA5A826395121157
_STEPS = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return the block of a counter under a key."""
    a, b, c, d = counter
    left, right = key
    for _ in range(_ROUNDS):
        first, second = _FACTORS[0] * a, _FACTORS[1] * c
        a, b, c, d = second >> 64 ^ b ^ left, second & WORD, first >> 64 ^ d ^ right, first & WORD
        left, right = left + _STEPS[0] & WORD, right + _STEPS[1] & WORD
    return a, b, c, d


def stream_draw(
    seed: Words,
    last: Words,
    least: Words,
    use: int,
    substream: int,
    first: int,
    n: int,
    rows: Words,
) -> None:
    """Write the samples from `first` on of the cardinality `last` + 1.

    A sample is the upper half of x · cardinality for 128 random bits x; the lower half must be at
    least `least`, which is 2¹²⁸ modulo the cardinality, so that all samples are equally likely.
    """
    high, low = seed.tolist()
    cardinality, least_accepted = number_at(last) + 1, number_at(least)
    for row in range(n):
        attempt, index, rest = 0, 0, -1
        while rest < least_accepted:
            words = philox((first + row & WORD, attempt, use, substream), (low, high))
            for x in (words[0] | words[1] << 64, words[2] | words[3] << 64):
                index, rest = divmod(x * cardinality, 1 << 128)
                if rest >= least_accepted:
                    break
            attempt += 1
        put_number(rows, row, index)
