"""Rows of tricks as bytes and back, by the compiled model: the fast way of `model.py`.

Rule 1: the model starts from the prior in each block, so blocks are independent.
Rule 2: the range coder is that of `model.RangeEncoder`; a stream has exactly one form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pavcodec.archive.tricks.loops import code_rows, estimate_rows
from pavcodec.archive.tricks.prior import length_index, prior
from pavcodec.cards import SUIT_SIZE, Suit
from pavcodec.errors import ReadError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners

__all__ = ["decode_rows", "encode_rows", "last_bytes", "new_coder", "trumps_of"]

_ALL = 0xFFFFFFFF
_CODE_BYTES = 4
_ENCODING, _DECODING = False, True


def encode_rows(tricks: NDArray[np.uint8], owners: Owners, most: int) -> bytes | None:
    """Return the bytes of the tricks of deals, `uint8[n, 20]`; None for more than `most` bytes.

    >>> deals = np.repeat(np.arange(4, dtype=np.uint8), 13)[np.newaxis]
    >>> data = encode_rows(np.full((1, 20), 6, np.uint8), deals, 100)
    >>> decode_rows(data, deals)[0, :3].tolist()
    [6, 6, 6]
    """
    room, coder = np.empty(most + 1, np.uint8), new_coder()
    _code(_ENCODING, np.array(tricks), owners, coder, room)
    low, high, _, place = coder.tolist()
    data = room[: min(place, len(room))].tobytes() + last_bytes(low, high)
    return data if place + len(last_bytes(low, high)) <= most else None


def decode_rows(data: bytes, owners: Owners) -> NDArray[np.uint8]:
    """Return the tricks of bytes for these deals; raise `ReadError` for other bytes."""
    tricks = np.zeros((len(owners), 20), np.uint8)
    coder = new_coder()
    coder[2] = int.from_bytes(data[:_CODE_BYTES].ljust(_CODE_BYTES, b"\0"), "big")
    coder[3] = _CODE_BYTES
    _code(_DECODING, tricks, owners, coder, np.frombuffer(bytearray(data), np.uint8))
    low, high, _, place = coder.tolist()
    done = place - _CODE_BYTES
    if done > len(data) or data[done:] != last_bytes(low, high):
        raise ReadError(f"tricks: these bytes are not those of {len(owners)} deals")
    return tricks


def _code(
    is_decoding: bool,  # noqa: FBT001 (of the loop)
    tricks: NDArray[np.uint8],
    owners: Owners,
    coder: NDArray[np.int64],
    data: NDArray[np.uint8],
) -> None:
    tables = prior()
    estimates = np.empty((len(owners), 20), np.int64)
    rows = np.ascontiguousarray(owners)
    estimate_rows(rows, tables.bias, tables.honours, tables.lengths, length_index(), estimates)
    code_rows(
        is_decoding,
        tricks,
        estimates,
        trumps_of(rows),
        tables.pull,
        tables.lean,
        (tables.probabilities.copy(), tables.counts.copy(), tables.weights.copy()),
        (coder, data),
    )


def new_coder() -> NDArray[np.int64]:
    """Return the state of a range coder: low, high, code, place."""
    return np.array([0, _ALL, 0, 0])


def last_bytes(low: int, high: int) -> bytes:
    r"""Return the fewest last bytes of a stream: a number of 32 bits in a range, without zeros.

    >>> last_bytes(0, 0xFFFFFFFF), last_bytes(0x12345678, 0x13000000)
    (b'', b'\x13')
    """
    for size in range(_CODE_BYTES + 1):
        unit = 1 << 8 * (_CODE_BYTES - size)
        number = -(-low // unit) * unit
        if number <= high:
            return number.to_bytes(_CODE_BYTES, "big")[:size]
    raise AssertionError("a range has a number")


def trumps_of(owners: Owners) -> NDArray[np.int64]:
    """Return how many cards North and South have in each suit, `int64[n, 4]`."""
    cards = owners.reshape(-1, len(Suit), SUIT_SIZE)
    return np.asarray((cards % 2 == 0).sum(axis=2), np.int64)
