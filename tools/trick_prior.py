"""Derive the tables of the model of tricks from a solved set: `trick_prior.py SET.npz OUT`.

The set has `owners`, `uint8[n, 52]`, and `tricks`, `uint8[n, 20]`. The estimates are a ridge
regression on the holders of A K Q J T and on the lengths of each suit, from the declarer on, pooled
over all declarers and trump suits. The effects of earlier strains and declarers are regressions on
their surprises. The model then codes the set three times, and the probabilities, counts and weights
that it has learnt are the prior. The tables are a part of the format: new ones need a new form of
the column of tricks in `pavcodec/archive/tricks.py`.
"""

from __future__ import annotations

import sys
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pavcodec.archive.tricks import (
    HONOURS,
    INPUTS,
    LENGTHS,
    MOST_COUNT,
    NODES,
    SLOTS,
    Prior,
    code_rows,
    estimates_of,
    length_index,
    new_coder,
)

RIDGE = 6.0
"""How strongly the regression prefers small effects."""
UNIT = 64
EFFECTS = HONOURS + LENGTHS

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def places(owners: NDArray[np.uint8], declarer: int) -> tuple[Ints, Ints]:
    """Return the places of honours and lengths of each suit for a declarer, `[n, 4]` each."""
    turned = (owners.reshape(-1, 4, 13).astype(np.int64) - declarer) % 4
    honours = turned[:, :, :5] @ (4 ** np.arange(4, -1, -1))
    counts = [(turned == seat).sum(axis=2) for seat in range(3)]
    return honours, length_index()[tuple(counts)]


def regression(owners: NDArray[np.uint8], tricks: Ints, strains: list[int]) -> tuple[int, Floats]:
    """Return the bias and the effects by role, in 64ths of a trick, of some strains."""
    roles = 1 if strains == [0] else 2
    size = roles * EFFECTS
    squares, products = np.zeros(size * size), np.zeros(size)
    mean = float(tricks.reshape(-1, 5, 4)[:, strains].mean())
    for declarer in range(4):
        honours, lengths = places(owners, declarer)
        for strain in strains:
            known = []
            for suit in range(4):
                role = 0 if roles == 1 or suit == strain - 1 else 1
                known += [role * EFFECTS + honours[:, suit]]
                known += [role * EFFECTS + HONOURS + lengths[:, suit]]
            above = tricks[:, 4 * strain + declarer] - mean
            for one in known:
                products += np.bincount(one, above, size)
                for other in known:
                    squares += np.bincount(one * size + other, minlength=size * size)
    matrix = squares.reshape(size, size) + RIDGE * np.eye(size)
    effects = np.linalg.solve(matrix, products)
    return round(mean * UNIT), np.rint(effects.reshape(roles, EFFECTS) * UNIT)


def fitted(rows: list[Floats], values: Floats) -> Ints:
    """Return the factors, in 256ths, by which a sum of rows is nearest to the values."""
    found = np.linalg.lstsq(np.stack(rows, axis=1), values, rcond=None)[0]
    return np.asarray(np.rint(256 * found), np.int64)


def surprises(estimates: Ints, tricks: Ints) -> tuple[Floats, Floats]:
    """Return how far tricks are from estimates: `[n, 5, 4]`, and `[n, 5]` of whole strains."""
    above = (UNIT * tricks - estimates).reshape(-1, 5, 4).astype(float)
    return above, above @ [0.25, -0.25, 0.25, -0.25]


def derive(owners: NDArray[np.uint8], tricks: NDArray[np.uint8]) -> Prior:
    """Return the tables of a solved set."""
    taken = tricks.astype(np.int64)
    (bias_0, in_notrump), (bias_1, in_suits) = (
        regression(owners, taken, strains) for strains in ([0], [1, 2, 3, 4])
    )
    effects = np.concatenate([in_notrump, in_suits]).astype(np.int64)
    made = Prior(
        bias=np.array([bias_0, bias_1]),
        honours=effects[:, :HONOURS].copy(),
        lengths=effects[:, HONOURS:].copy(),
        pull=np.zeros((5, 5), np.int64),
        lean=np.zeros((2, 4, INPUTS), np.int64),
        weights=np.full((4 * NODES, INPUTS), 65536 * 35 // 100),
        probabilities=np.full(SLOTS, 1 << 15),
        counts=np.zeros(SLOTS, np.int64),
    )
    estimates = estimates_of(owners, made)
    above, of_strain = surprises(estimates, taken)
    drift = np.zeros((len(owners), 5))
    for strain in range(1, 5):
        earlier = [of_strain[:, before] for before in range(strain)]
        made.pull[strain, :strain] = fitted(earlier, above[:, strain, 0])
        drift[:, strain] = np.stack(earlier, axis=1) @ made.pull[strain, :strain] / 256
    for suited, strains in enumerate([slice(0, 1), slice(1, 5)]):
        for value, (seat, before) in enumerate([(2, [0]), (1, [0, 2]), (3, [0, 2, 1])], 1):
            rows = [above[:, strains, each].ravel() for each in before]
            found = fitted([*rows, drift[:, strains].ravel()], above[:, strains, seat].ravel())
            made.lean[suited, value, : len(before)] = found[:-1]
            made.lean[suited, value, 3] = found[-1]
    room = np.empty(len(owners) * 200, np.uint8)
    for _ in range(3):
        code_rows(made, tricks, owners, (new_coder(), room))
    assert made.counts.max() <= MOST_COUNT
    return made


def main(source: str, target: str) -> None:
    """Write the tables of a solved set, and print their checksum."""
    found = np.load(source)
    data = derive(found["owners"], found["tricks"]).to_bytes()
    packed = zlib.compress(data, 9)
    Path(target).write_bytes(packed)
    print(f"{len(found['owners'])} deals, {len(packed)} bytes, CHECKSUM = 0x{zlib.crc32(data):08X}")


if __name__ == "__main__":
    main(*sys.argv[1:])
