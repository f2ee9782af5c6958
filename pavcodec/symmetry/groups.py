"""The symmetries: which suits and which seats may exchange their names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations

from pavcodec.cards import SEAT_LETTERS, SUIT_LETTERS
from pavcodec.errors import UnknownNameError, suggest
from pavcodec.symmetry.permutations import Permutation

__all__ = ["SEATINGS", "SYMMETRIES", "Symmetry", "seatings", "symmetry_of"]

SEATINGS = ("turns", "half-turn", "seats")
"""The symmetries of seats. Each contains the identity, as its first permutation."""

SYMMETRIES = ("suits", *SEATINGS)
"""The parts of the name of a symmetry: `suits`, and at most one of the other names."""


def seatings(name: str, count: int) -> tuple[tuple[int, ...], ...]:
    """Return the permutations of seats of a symmetry, or only the identity for an empty name.

    >>> seatings("half-turn", 4)
    ((0, 1, 2, 3), (2, 3, 0, 1))
    """
    seats = range(count)
    if name == "seats":
        return tuple(permutations(seats))
    step = {"": count, "turns": 1, "half-turn": count // 2}[name]
    return tuple(tuple((seat + by) % count for seat in seats) for by in range(0, count, step))


@dataclass(frozen=True)
class Symmetry:
    """A group of permutations: of seats, and with `any_suits` also all permutations of suits.

    >>> symmetry = symmetry_of("suits,turns")
    >>> symmetry.name, symmetry.order
    ('suits,turns', 96)
    """

    name: str
    any_suits: bool
    seatings: tuple[tuple[int, ...], ...]
    """The permutations of seats, the identity first."""
    suits: int = len(SUIT_LETTERS)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return type(self), (self.name, self.any_suits, self.seatings, self.suits)

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.seatings[0])

    @property
    def order(self) -> int:
        """The number of permutations."""
        return len(self.permutations)

    @cached_property
    def permutations(self) -> tuple[Permutation, ...]:
        """All permutations, the identity first."""
        suits = tuple(range(self.suits))
        orders = permutations(suits) if self.any_suits else [suits]
        return tuple(Permutation(order, seats) for order in orders for seats in self.seatings)


def symmetry_of(text: str) -> Symmetry:
    """Return the symmetry of comma-separated names; raise `UnknownNameError` for other names.

    >>> [permutation.seats for permutation in symmetry_of("half-turn").permutations]
    [(0, 1, 2, 3), (2, 3, 0, 1)]
    """
    if not isinstance(text, str):
        raise TypeError(f"the name of a symmetry is a str, not {type(text).__name__!r}")
    return _symmetry_of(text)


@cache
def _symmetry_of(text: str) -> Symmetry:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in SYMMETRIES:
            raise suggest("symmetry", name, list(SYMMETRIES))
    of_seats = [name for name in SEATINGS if name in names]
    if len(of_seats) > 1:
        raise UnknownNameError(f"a symmetry has one of {', '.join(SEATINGS)}, not {text!r}")
    chosen = [name for name in SYMMETRIES if name in names]
    places = seatings("".join(of_seats), len(SEAT_LETTERS))
    return Symmetry(",".join(chosen), "suits" in names, places)
