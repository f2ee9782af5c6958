"""Call the kernel by all ways with random values: `python kernel_fuzz.py ROUNDS [SEED]`.

Run it with `PAVCODEC_KERNEL` naming a library that stops at undefined behaviour. A call with
wrong owners or numbers must raise an error of pavcodec, and everything else must return.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from random import Random
from typing import Any

import numpy as np

import pavcodec as pav
from pavcodec.errors import PavError
from pavcodec.sampling import KeyedPermutation, RowSet, Stream

CONDITIONS = ("hcp(south) >= 20", "spades(north) == 9 || hearts(east) + hearts(west) <= 1")


def numbers_fuzzed(random: Random) -> int:
    """Rank and unrank rows of all numberings and of conditions, right and wrong ones."""
    spaces: list[Any] = [pav.numbering(name) for name in pav.numbering_names()]
    spaces += [pav.deals(where) for where in CONDITIONS]
    calls = 0
    for space in spaces:
        count = random.choice([0, 1, 2, 127, 129])
        limits = [random.randrange(space.cardinality) for _ in range(count)]
        rows = np.array([divmod(each, 2**64) for each in limits], np.uint64).reshape(-1, 2)
        owners = space.unrank_many(rows)
        assert (space.rank_many(owners) == rows).all()
        for row in owners[:3]:
            assert space.unrank(space.rank(pav.Layout(row.tobytes()))).owners == row.tobytes()
        wrong = owners.copy()
        if count:
            where = random.randrange(count), random.randrange(52)
            wrong[where] = random.choice([0, 1, 2, 3, 4, 5, 7, 8, 255])
        with suppress(PavError):
            space.rank_many(wrong)
        calls += 2 * count + 6
    return calls


def streams_fuzzed(random: Random) -> int:
    """Draw, permute and hash."""
    stream = Stream(random.getrandbits(128))
    cardinality = random.choice([1, 5, 1024, 1025, 2**64, 2**127 + 1, 2**128])
    count = random.choice([0, 1, 200])
    drawn = list(stream.indexes(cardinality, count))
    order = KeyedPermutation(stream.seed, cardinality)
    for index in drawn[:20]:
        assert order.index(order.number(index)) == index
    rows = np.array([divmod(each, 2**64) for each in drawn], np.uint64).reshape(-1, 2)
    assert (order.indexes(order.numbers(rows)) == rows).all()
    assert RowSet().add(rows).sum() == len(set(drawn))
    stream.hash_of(random.getrandbits(128))
    return 5 * count + 5


def main() -> None:
    """Fuzz so many rounds, and print the number of calls or rows."""
    rounds, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    random = Random(seed)
    calls = 0
    for _ in range(rounds):
        calls += numbers_fuzzed(random) + streams_fuzzed(random)
    print(calls)


if __name__ == "__main__":
    main()
