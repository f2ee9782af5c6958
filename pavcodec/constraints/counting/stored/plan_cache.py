"""Plans on disk: the counted seats of a condition that is too large as a whole.

A plan is a function of the condition, so a stored plan equals a new one; it saves the
counting that fails. A file has as its name the hash of the canonical text and of the version of
pavcodec, in the folder of models. It is three lines: what it is, the letters of the seats, and the
hash of the condition and of these letters. A plan that cannot be read is made anew.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256

from pavcodec._version import __version__
from pavcodec.cards import Seat
from pavcodec.constraints.counting.stored.cache import keep, open_kept

__all__ = ["load_plan", "store_plan"]

_HEAD = "pavcodec plan 2"
_SIZE = 1 << 10
_NAME = "{:.32}.plan"


def load_plan(text: str) -> frozenset[Seat] | None:
    """Return the seats that the stored plan of a condition counts; None if there is none."""
    with suppress(OSError, ValueError):
        with open_kept(_NAME.format(_hash(text))) as stream:
            head, letters, key = stream.read(_SIZE).decode().split("\n")
        seats = [seat for seat in Seat if seat.letter in letters]
        if seats and [head, letters, key] == _lines(text, seats):
            return frozenset(seats)
    return None


def store_plan(text: str, seats: frozenset[Seat]) -> None:
    """Store the plan of a condition."""
    if seats:
        data = "\n".join(_lines(text, sorted(seats))).encode()
        keep(_NAME.format(_hash(text)), _SIZE, lambda stream: stream.write(data))


def _lines(text: str, seats: list[Seat]) -> list[str]:
    letters = "".join(seat.letter for seat in seats)
    return [_HEAD, letters, _hash(f"{text}\n{letters}")]


def _hash(text: str) -> str:
    return sha256(f"{_HEAD}\n{__version__}\n{text}".encode()).hexdigest()
