"""The symmetries: which names of suits and seats may be exchanged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations

from pavcodec.cards import SEAT_LETTERS, SUIT_LETTERS
from pavcodec.errors import UnknownNameError, suggest
from pavcodec.symmetry.permutations import Permutation

__all__ = ["SEATINGS", "SYMMETRIES", "Symmetry", "seatings", "symmetry_of"]

SEATINGS = ("turns", "half-turn", "seats")
"""The symmetries of seats; each contains the identity, which is the first of its permutations."""

SYMMETRIES = ("suits", *SEATINGS)
"""The names that a symmetry is put together from: `suits`, and one of the others."""


def seatings(name: str, count: int) -> tuple[tuple[int, ...], ...]:
    """Return the permutations of so many seats that a symmetry has; without a name, only one.

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
    """A group of permutations: all suits among one another if `any_suits`, and some of seats.

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
        """How many seats there are."""
        return len(self.seatings[0])

    @property
    def order(self) -> int:
        """How many permutations there are."""
        return len(self.permutations)

    @cached_property
    def permutations(self) -> tuple[Permutation, ...]:
        """All permutations, the identity first."""
        suits = tuple(range(self.suits))
        orders = permutations(suits) if self.any_suits else [suits]
        return tuple(Permutation(order, seats) for order in orders for seats in self.seatings)


def symmetry_of(text: str) -> Symmetry:
    """Return the symmetry of names with commas between them; raise `UnknownNameError` for others.

    >>> [permutation.seats for permutation in symmetry_of("half-turn").permutations]
    [(0, 1, 2, 3), (2, 3, 0, 1)]
    """
    if not isinstance(text, str):
        raise TypeError(f"a symmetry is called by its name, a str, not {type(text).__name__!r}")
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
