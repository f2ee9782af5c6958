"""The fixed tables of the model of tricks: estimates, and probabilities before the first row.

`tools/trick_prior.py` derives them from a solved set. They are part of the format of archives.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "CHECKSUM",
    "CONTEXT_SIZES",
    "FIRST_CONTEXTS",
    "HONOURS",
    "INPUTS",
    "LENGTHS",
    "MOST_COUNT",
    "NODES",
    "RATES",
    "SLOTS",
    "SQUASH",
    "STRETCH",
    "Prior",
    "length_index",
    "prior",
]

CHECKSUM = 0x242544F7
"""CRC-32 of the tables, which may never change."""

HONOURS = 4**5
"""The holders of A K Q J T of a suit."""
LENGTHS = 560
"""The lengths of a suit in four hands."""
_ROLES = 3
"""A suit in notrump, trumps, a side suit."""
NODES = 16
"""The yes-or-no questions about a value."""
INPUTS = 4
"""The contexts of a value."""
_VALUES = 4
"""The declarers of a strain."""
_STRAINS = 5

CONTEXT_SIZES = (
    (80, 112, 112, 88),
    (90, 25, 65, 26),
    (100, 150, 96, 70),
    (90, 25, 65, 40),
)
"""How many contexts there are of each input, for the values of N, S, E and W of a strain."""
_STARTS = np.cumsum([0, *(size for sizes in CONTEXT_SIZES for size in sizes)])
FIRST_CONTEXTS = _STARTS[:-1].reshape(_VALUES, INPUTS)
"""The first of the contexts of each input."""
SLOTS = int(_STARTS[-1]) * NODES
"""The probabilities: one for each question in each context."""

MOST_COUNT = 250
"""The count of a probability, from which its rate follows, stops here."""
RATES = np.array([65536 * 5 // (5 * count + 8) for count in range(MOST_COUNT + 1)])
"""The rate of change of a probability by its count: about 1 / (count + 1.6), times 65536."""

_KNOTS = (
    22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11955, 17625, 24743, 32768,
    40793, 47911, 53581, 57724, 60565, 62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438,
    65476, 65500, 65514,
)  # fmt: skip
"""65536 / (1 + e^-x) for x = -8, -7.5, … 8, rounded."""
_STEP = 128
_HALF = 2048


def _squash() -> NDArray[np.int64]:
    """Return the probability, times 65536, of each log odds from -2048 to 2047, times 256."""
    places = np.arange(2 * _HALF)
    knots = np.array(_KNOTS)
    which, rest = places // _STEP, places % _STEP
    joined = knots[which] * (_STEP - rest) + knots[which + 1] * rest + _STEP // 2
    return np.asarray(joined // _STEP, np.int64)


SQUASH = _squash()
"""`SQUASH[x + 2048]` is the probability of log odds of x / 256."""
STRETCH = np.clip(
    np.searchsorted(SQUASH, 16 * np.arange(4096) + 8) - _HALF, -(_HALF - 1), _HALF - 1
)
"""The inverse: the least x whose probability is at least 16 k + 8."""


@dataclass(frozen=True, eq=False)
class Prior:
    """The tables of the model."""

    bias: NDArray[np.int64]
    """The mean estimate, of notrump and of suits, in 64ths of a trick: `[2]`."""
    honours: NDArray[np.int64]
    """What the holders of A K Q J T add to the estimate, by role: `[3, 1024]`."""
    lengths: NDArray[np.int64]
    """What the lengths of a suit add, by role: `[3, 560]`."""
    pull: NDArray[np.int64]
    """What the earlier strains add, in 256ths of their surprise: `[5, 5]`."""
    lean: NDArray[np.int64]
    """What the earlier declarers add, in 256ths of their surprise: `[2, 4, 4]`."""
    weights: NDArray[np.int64]
    """The weights of the mixing, times 65536: `[64, 4]`."""
    probabilities: NDArray[np.int64]
    """The probability of yes in each slot, times 65536: `[SLOTS]`."""
    counts: NDArray[np.int64]
    """The count of each probability: `[SLOTS]`."""

    def to_bytes(self) -> bytes:
        """Return the tables as bytes, one after another, little-endian."""
        parts = (getattr(self, name).astype(kind).tobytes() for name, kind, _ in _LAYOUT)
        return b"".join(parts)

    @classmethod
    def from_bytes(cls, data: bytes) -> Prior:
        """Return the tables of bytes."""
        place, found = 0, {}
        for name, kind, shape in _LAYOUT:
            size = int(np.prod(shape))
            part = np.frombuffer(data, kind, size, place)
            found[name] = part.reshape(shape).astype(np.int64)
            place += part.nbytes
        assert place == len(data), "the tables have other sizes"
        return cls(**found)


_LAYOUT: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("bias", "<i2", (2,)),
    ("honours", "<i2", (_ROLES, HONOURS)),
    ("lengths", "<i2", (_ROLES, LENGTHS)),
    ("pull", "<i2", (_STRAINS, _STRAINS)),
    ("lean", "<i2", (2, _VALUES, INPUTS)),
    ("weights", "<i4", (_VALUES * NODES, INPUTS)),
    ("probabilities", "<u2", (SLOTS,)),
    ("counts", "u1", (SLOTS,)),
)
assert [name for name, *_ in _LAYOUT] == [field.name for field in fields(Prior)]

PATH = Path(__file__).with_name("prior.bin")


@cache
def prior() -> Prior:
    """Return the tables of the package."""
    data = zlib.decompress(PATH.read_bytes())
    assert zlib.crc32(data) == CHECKSUM, "the tables of the model of tricks are others"
    return Prior.from_bytes(data)


def length_index() -> NDArray[np.int64]:
    """Return the place of three lengths, of declarer, left-hand opponent and partner, or -1.

    >>> index = length_index()
    >>> [int(index[each]) for each in [(0, 0, 0), (0, 0, 1), (13, 0, 0)]]
    [0, 1, 559]
    """
    index = np.full((14, 14, 14), -1)
    allowed = np.argwhere(np.add.outer(np.add.outer(*[np.arange(14)] * 2), np.arange(14)) <= 13)
    index[tuple(allowed.T)] = np.arange(len(allowed))
    return index
