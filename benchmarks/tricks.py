"""Print how many bits the tricks of a solved set take in other forms: `tricks.py FILE [SKIPPED]`.

The file has any format with tricks. The first deals may be skipped: those from which the tables of
the model were derived. The table of `docs/studies/sizes.md` is a run of this program.
"""

from __future__ import annotations

import io
import lzma
import sys
import time
from collections.abc import Callable
from math import log2

import numpy as np
from numpy.typing import NDArray

import pavcodec as pav
from pavcodec.archive.tricks import decode_tricks, encode_tricks
from pavcodec.boards.batch import BoardBatch

Bytes = NDArray[np.uint8]
BLOCK = 8192
BEST = 9 | lzma.PRESET_EXTREME


def entropy(columns: Bytes) -> float:
    """Return the sum of the entropies of columns, each for itself."""
    total = 0.0
    for column in columns.T:
        counts = np.bincount(column)
        shares = counts[counts > 0] / len(column)
        total -= sum(share * log2(share) for share in shares.tolist())
    return total


def digits(tricks: Bytes) -> bytes:
    """Return tricks as digits of four bits, ten bytes a deal."""
    return (tricks[:, ::2] | tricks[:, 1::2] << 4).tobytes()


def zstd(data: bytes) -> bytes:
    """Return data compressed by Zstandard at its level 19."""
    import pyarrow as pa

    return bytes(pa.Codec("zstd", compression_level=19).compress(data, asbytes=True))


def archive_of(owners: Bytes, tricks: Bytes | None, kind: str) -> bytes:
    """Return an archive of deals, with or without tricks."""
    stream = io.BytesIO()
    batch = BoardBatch(owners, tricks=tricks)
    pav.write_archive(batch, stream, kind=kind, tricks=tricks is not None)
    return stream.getvalue()


def seconds(work: Callable[[], object]) -> float:
    """Return the least time of three calls."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def sizes(owners: Bytes, tricks: Bytes) -> dict[str, float]:
    """Return bits a deal for tricks, by the name of their form."""
    count = len(tricks)
    blocks = [slice(begin, begin + BLOCK) for begin in range(0, count, BLOCK)]
    column = b"".join(encode_tricks(tricks[part], owners[part]) for part in blocks)
    plain, packed = tricks.tobytes(), digits(tricks)
    return {
        "bytes, as in `uint8[n, 20]`": 160.0,
        "the values of `npy:solved`": 128.0,
        "the tricks of `zrd`, four bits each": 80.0,
        "the entropy of each contract for itself": entropy(tricks),
        "`xz -9e` of the bytes": 8 * len(lzma.compress(plain, preset=BEST)) / count,
        "`xz -9e` of the digits": 8 * len(lzma.compress(packed, preset=BEST)) / count,
        "`zstd -19` of the bytes": 8 * len(zstd(plain)) / count,
        "`zstd -19` of the digits": 8 * len(zstd(packed)) / count,
        "the column of tricks": 8 * len(column) / count,
    }


def wholes(owners: Bytes, tricks: Bytes) -> dict[str, float]:
    """Return bits a deal for cards and tricks, by the name of the file."""
    count = len(tricks)
    found = {}
    for name in ("npy:solved", "zrd"):
        stream = io.BytesIO()
        pav.write_owners(BoardBatch(owners, tricks=tricks), stream, format=name)
        found[f"`{name}`"] = 8 * len(stream.getvalue()) / count
        data = lzma.compress(stream.getvalue(), preset=BEST)
        found[f"`{name}` with `xz -9e`"] = 8 * len(data) / count
    for kind in ("ordered", "set"):
        found[f"archive, {kind}"] = 8 * len(archive_of(owners, tricks, kind)) / count
    return found


def main(path: str, skipped: int = 0) -> None:
    """Print the tables of a solved set."""
    parts = list(pav.read_solved(path))
    owners, tricks = (np.concatenate(rows)[skipped:] for rows in zip(*parts, strict=True))
    print(f"{len(tricks):,} deals\n")
    for found in (sizes(owners, tricks), wholes(owners, tricks)):
        for name, bits in found.items():
            print(f"| {name} | {bits:.2f} |")
        print()
    part = slice(0, BLOCK)
    column = encode_tricks(tricks[part], owners[part])
    unranking = seconds(lambda: pav.numbering("deal").sample_many(len(tricks[part]), seed=1))
    encoding = seconds(lambda: encode_tricks(tricks[part], owners[part]))
    decoding = seconds(lambda: decode_tricks(column, owners[part]))
    print(f"encoding takes {encoding / unranking:.1f} times as long as dealing")
    print(f"decoding takes {decoding / unranking:.1f} times as long as dealing")
    print(f"{len(tricks[part]) / encoding:,.0f} and {len(tricks[part]) / decoding:,.0f} a second")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
