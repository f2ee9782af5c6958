"""Par scores of many boards, as `pavcodec.boards.par` defines them.

The definition solves the auction of one board from the highest bid down. Here each step is taken
for all boards together, and a table has the score of each bid.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.arrays.chunks import checked
from pavcodec.boards.scoring import duplicate_score
from pavcodec.boards.vulnerability import Vulnerability
from pavcodec.cards import HAND_SIZE, Seat, Strain
from pavcodec.errors import LayoutError, NumberError
from pavcodec.solving.contracts import ALL_CONTRACTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["par_many"]

_AT_ONCE = 1 << 16
_BOOK = 6
_TRICKS = HAND_SIZE + 1
_SIDES = (0, 1)
_BIDS = [(level, strain) for level in range(1, 8) for strain in reversed(Strain)]
_BEST = (np.maximum, np.minimum)
"""The score, for North and South, that a side prefers."""
_VULNERABLE = (
    (Vulnerability.NS, Vulnerability.ALL),
    (Vulnerability.EW, Vulnerability.ALL),
)
"""When a side is vulnerable."""


def par_many(
    tricks: NDArray[np.uint8],
    dealer: Seat | int | str | NDArray[np.uint8],
    vulnerable: Vulnerability | str | NDArray[np.uint8],
) -> NDArray[np.int32]:
    """Return the par scores for North and South from tricks, `uint8[n, 20]`: `int32[n]`.

    `dealer` and `vulnerable` are values for all boards, or arrays `uint8[n]`: 0 to 3 for N E S W,
    and 0 to 3 for None, NS, EW, All. Raises `LayoutError` with the first row that does not have the
    tricks of all contracts, `NumberError` with the first other number of a seat or vulnerability,
    `UnknownNameError` for other texts, and `TypeError` for other arrays.

    >>> import numpy as np
    >>> tricks = np.array([[7, 5, 7, 5] + [10, 3, 10, 3] + [5, 8, 5, 8] * 3], np.uint8)
    >>> par_many(tricks, "N", "None"), par_many(tricks, "N", np.array([3], np.uint8))
    (array([420], dtype=int32), array([620], dtype=int32))
    """
    rows = checked("tricks", tricks, np.uint8, len(ALL_CONTRACTS))
    are_wrong = (rows > HAND_SIZE).any(axis=1)
    if are_wrong.any():
        row = int(are_wrong.argmax())
        raise LayoutError(
            f"row {row}: par needs the tricks of all contracts, 0 to {HAND_SIZE}, "
            f"not {rows[row].tolist()}"
        )
    sides = _codes("dealer", dealer, len(rows)) % len(_SIDES)
    vulnerabilities = _codes("vulnerable", vulnerable, len(rows))
    scores = np.empty(len(rows), np.int32)
    for begin in range(0, len(rows), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        scores[part] = _scores(rows[part], sides[part], vulnerabilities[part])
    return scores


def _codes(name: str, value: Any, count: int) -> NDArray[np.uint8]:  # noqa: ANN401 (any value)
    """Return the number of the dealer or the vulnerability of each board."""
    if not isinstance(value, np.ndarray):
        is_dealer = name == "dealer"
        code = Seat.of(value) if is_dealer else [*Vulnerability].index(Vulnerability.of(value))
        return np.full(count, code, np.uint8)
    if value.dtype != np.uint8 or value.shape != (count,):
        raise TypeError(
            f"{name} is a value or an array uint8[{count}], not {value.dtype}{list(value.shape)}"
        )
    if len(value) and value.max() >= len(Seat):
        row = int((value >= len(Seat)).argmax())
        raise NumberError(f"row {row}: {name} is 0 to {len(Seat) - 1}, not {value[row]}")
    return value


@cache
def _table() -> NDArray[np.int16]:
    """Return the score for North and South by side, bid, vulnerability and tricks."""
    table = np.empty((len(_SIDES), len(_BIDS), len(Vulnerability), _TRICKS), np.int16)
    for side in _SIDES:
        for bid, (level, strain) in enumerate(_BIDS):
            for code, vulnerability in enumerate(Vulnerability):
                for taken in range(_TRICKS):
                    score = duplicate_score(
                        level,
                        strain,
                        tricks=taken,
                        vulnerable=vulnerability in _VULNERABLE[side],
                        doubled=int(taken < _BOOK + level),
                    )
                    table[side, bid, code, taken] = -score if side else score
    return table


def _scores(
    tricks: NDArray[np.uint8], sides: NDArray[np.uint8], vulnerabilities: NDArray[np.uint8]
) -> NDArray[np.int16]:
    """Return the scores of some boards; `sides` are those of the dealers."""
    by_seat = tricks.reshape(-1, len(Strain), len(Seat))
    places = vulnerabilities[:, None] * _TRICKS + np.stack(
        [by_seat[:, :, side::2].max(axis=2) for side in _SIDES]
    )
    table = _table().reshape(len(_SIDES), len(_BIDS), -1)
    best: list[NDArray[np.int16]] = []
    for bid in reversed(range(len(_BIDS))):
        strain = _BIDS[bid][1]
        made = [table[side, bid][places[side, :, strain]] for side in _SIDES]
        if best:  # the other side passes or bids more
            values = [_BEST[1 - side](made[side], best[1 - side]) for side in _SIDES]
            best = [_BEST[side](best[side], values[side]) for side in _SIDES]
        else:
            best = made
    by_dealer = [np.zeros(len(tricks), np.int16) for _ in _SIDES]
    for first in _SIDES:
        for turn in reversed(range(len(Seat))):
            side = (first + turn) % len(_SIDES)
            by_dealer[first] = _BEST[side](by_dealer[first], best[side])
    return np.where(sides == 0, *by_dealer)
