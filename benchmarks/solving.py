"""The rate of `solve_many` as a ratio to that of endplay's own batches, in turns in one run.

    python benchmarks/solving.py [DEALS [TURNS]]

Each turn solves the same deals in each way, in changing order. The least seconds of all turns
count, by the clock and of the processors; other programs disturb the second less. The lines below
are shares of the time for all contracts.
"""

from __future__ import annotations

import sys
from functools import partial
from time import perf_counter, process_time
from typing import TYPE_CHECKING

import pavcodec as pav

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

CONTRACTS = {"all": None, "one strain": "NT", "one contract": "3NT by S", "a side": "N S"}


def raw(owners: NDArray[np.uint8]) -> Callable[[], object]:
    """Return a call that solves deals by the public functions of endplay, 40 in a batch."""
    from endplay.dds import calc_all_tables
    from endplay.types import Deal

    theirs = [Deal(pav.Deal(row.tobytes()).to_pbn()) for row in owners]
    return lambda: [calc_all_tables(theirs[k : k + 40]) for k in range(0, len(theirs), 40)]


def seconds(call: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds of a call, by the clock and of the processors."""
    clock, used = perf_counter(), process_time()
    call()
    return perf_counter() - clock, process_time() - used


def main(count: int, turns: int) -> None:
    """Print the rates and the ratios."""
    owners = pav.numbering("deal").sample_many(count, seed=7)
    calls = {"endplay": raw(owners)}
    for name, chosen in CONTRACTS.items():
        calls[name] = partial(pav.solve_many, owners, chosen)
    pav.solve_many(owners[:2])  # loads the library
    best: dict[str, tuple[float, float]] = {}
    for turn in range(turns):
        for name in sorted(calls, reverse=turn % 2 == 1):
            found = seconds(calls[name])
            known = best.get(name, found)
            best[name] = min(found[0], known[0]), min(found[1], known[1])
    clock, used = best["endplay"]
    print(
        f"endplay's batches: {count / clock:.1f} deals a second, {used / count:.3f} s of CPU each"
    )
    clock, used = clock / best["all"][0], used / best["all"][1]
    print(f"solve_many: {clock:.3f} of this rate by the clock, {used:.3f} by CPU")
    for name in list(CONTRACTS)[1:]:
        shares = (mine / whole for mine, whole in zip(best[name], best["all"], strict=True))
        print(f"{name}: {' and '.join(f'{share:.2f}' for share in shares)} of the time of a table")


if __name__ == "__main__":
    main(*(int(word) for word in [*sys.argv[1:], "40", "3"][:2]))
