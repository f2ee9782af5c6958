"""All randomness of pavcodec: seeds, the stream `pav-1`, orders by a seed, sorted sets, weights.

`stream` has the stream and the permutation `pav-permutation-1`, `sets` the sorted sets
`pav-sorted-set-1`, and `weights` the weights of mixes and the tag `Generator`. What is drawn never
changes; other sequences get other names.
"""

from pavcodec.sampling.stream import (
    AT_ONCE,
    MOST,
    SAMPLES,
    KeyedPermutation,
    RowSet,
    Seed,
    Stream,
    check_count,
    check_different,
    check_draw,
    check_many,
    check_slice,
    draw_distinct,
    draw_distinct_indexes,
    draw_indexes,
    fresh_seed,
    given_seed,
    hash_numbers,
    parse_seed,
    seed_of,
)
from pavcodec.sampling.weights import (
    Weight,
    generator,
    preface,
    proportion,
    share_of,
    unweighted,
    weight_of,
)

__all__ = [
    "AT_ONCE",
    "MOST",
    "SAMPLES",
    "KeyedPermutation",
    "RowSet",
    "Seed",
    "Stream",
    "Weight",
    "check_count",
    "check_different",
    "check_draw",
    "check_many",
    "check_slice",
    "draw_distinct",
    "draw_distinct_indexes",
    "draw_indexes",
    "fresh_seed",
    "generator",
    "given_seed",
    "hash_numbers",
    "parse_seed",
    "preface",
    "proportion",
    "seed_of",
    "share_of",
    "unweighted",
    "weight_of",
]
