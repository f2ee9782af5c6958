"""Random numbers: the stream `pav-1`, its seeds, and the generator under it."""

from pavcodec.sampling.philox import philox4x64
from pavcodec.sampling.seeds import Seed, fresh_seed, parse_seed, seed_of
from pavcodec.sampling.stream import MOST, Stream, check_slice

__all__ = [
    "MOST",
    "Seed",
    "Stream",
    "check_slice",
    "fresh_seed",
    "parse_seed",
    "philox4x64",
    "seed_of",
]
