"""Plans on disk: which seats are counted of a condition that is too large as a whole.

A plan is a function of the condition, so what is read is what would be found again; it saves the
counting that fails. A file is kept under the hash of the canonical text and of the version of
pavcodec, in the folder of models. What cannot be read is found anew.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256

from pavcodec._version import __version__
from pavcodec.cards import Seat
from pavcodec.constraints.cache import cache_folder, complete_file, make_folder

__all__ = ["load_plan", "store_plan"]

_HEAD = "pavcodec plan 1"
_SIZE = 1 << 10


def load_plan(text: str) -> frozenset[Seat] | None:
    """Return the seats that the plan of a condition counts, if it was kept."""
    folder = cache_folder()
    if folder is None:
        return None
    with suppress(OSError, ValueError):
        with (folder / _name(text)).open("rb") as stream:
            head, key, letters = stream.read(_SIZE).decode().split("\n")
        seats = [seat for seat in Seat if seat.letter in letters]
        if (head, key) == (_HEAD, _key(text)) and letters == _letters(seats) and seats:
            return frozenset(seats)
    return None


def store_plan(text: str, seats: frozenset[Seat]) -> None:
    """Keep the plan of a condition."""
    folder = cache_folder()
    if folder is None or not seats:
        return
    with suppress(OSError):
        make_folder(folder)
        with complete_file(folder / _name(text)) as file:
            file.write("\n".join([_HEAD, _key(text), _letters(sorted(seats))]).encode())


def _letters(seats: list[Seat]) -> str:
    return "".join(seat.letter for seat in seats)


def _key(text: str) -> str:
    return sha256(f"{_HEAD}\n{__version__}\n{text}".encode()).hexdigest()


def _name(text: str) -> str:
    return f"{_key(text)[:32]}.plan"
