"""Random numbers: the stream `pav-1`, its seeds and its generator, and weights of types.

The modules `permutation`, `sorted_sets` and `weights` are not loaded with the room.
"""

from pavcodec.sampling.philox import philox4x64
from pavcodec.sampling.seeds import Seed, fresh_seed, given_seed, parse_seed, seed_of
from pavcodec.sampling.stream import (
    AT_ONCE,
    MOST,
    Stream,
    check_count,
    check_different,
    check_draw,
    check_many,
    check_slice,
)

__all__ = [
    "AT_ONCE",
    "MOST",
    "Seed",
    "Stream",
    "check_count",
    "check_different",
    "check_draw",
    "check_many",
    "check_slice",
    "fresh_seed",
    "given_seed",
    "parse_seed",
    "philox4x64",
    "seed_of",
]
