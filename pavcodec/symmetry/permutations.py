"""Permutations of suits and of seats: new names for the same cards at the same table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from pavcodec.cards import SEAT_LETTERS, SUIT_LETTERS, Seat, Suit
from pavcodec.errors import PavError, shown

__all__ = ["Permutation", "check_permutation", "inverse"]


@dataclass(frozen=True, init=False)
class Permutation:
    """New names for suits and seats: suit i becomes `suits[i]`, and seat j becomes `seats[j]`.

    Letters are accepted, too. Raises `PavError` if two suits or two seats get the same name.

    >>> turn = Permutation((1, 0, 2, 3), (1, 2, 3, 0))
    >>> str(turn), turn.is_turn
    ('SHDC become HSDC, NESW become ESWN', True)
    >>> turn.then(turn.inverse)
    Permutation(suits=(0, 1, 2, 3), seats=(0, 1, 2, 3))
    >>> Permutation("HSDC", "ESWN") == turn
    True
    """

    suits: tuple[int, ...]
    seats: tuple[int, ...]

    def __init__(
        self, suits: Iterable[Suit | int | str], seats: Iterable[Seat | int | str]
    ) -> None:
        object.__setattr__(self, "suits", _places(suits, Suit))
        object.__setattr__(self, "seats", _places(seats, Seat))

    @cached_property
    def inverse(self) -> Permutation:
        """The inverse permutation."""
        return Permutation(inverse(self.suits), inverse(self.seats))

    def then(self, after: Permutation) -> Permutation:
        """Return the permutation that applies this one first and then `after`."""
        check_permutation(after)
        suits = tuple(after.suits[suit] for suit in self.suits)
        return Permutation(suits, tuple(after.seats[seat] for seat in self.seats))

    @property
    def is_turn(self) -> bool:
        """Whether the seats keep their order around the table."""
        first, count = self.seats[0], len(self.seats)
        return all(new == (old + first) % count for old, new in enumerate(self.seats))

    @cached_property
    def _owners(self) -> bytes:
        """A table that translates seats to their new names; other values do not change."""
        return bytes(self.seats) + bytes(range(len(self.seats), 256))

    def word(self, word: bytes) -> bytes:
        """Return the owners of all cards, suit by suit, under their new names.

        >>> Permutation((1, 0), (1, 0)).word(bytes([0, 0, 1, 4])).hex()
        '00040101'
        """
        ranks = len(word) // len(self.suits)
        owners = word.translate(self._owners)
        parts = (owners[ranks * old : ranks * (old + 1)] for old in self.inverse.suits)
        return b"".join(parts)

    def tricks(self, tricks: bytes) -> bytes:
        """Return double-dummy tricks, by strain (notrump first) and declarer, under the new names.

        Raises `ValueError` if the seats do not keep their order around the table.
        """
        if not self.is_turn:
            raise ValueError("the seats do not keep their order")
        strains, seats = (0, *(suit + 1 for suit in self.inverse.suits)), self.inverse.seats
        return bytes(tricks[strain * len(seats) + seat] for strain in strains for seat in seats)

    def __str__(self) -> str:
        suits = "".join(SUIT_LETTERS[suit] for suit in self.suits)
        seats = "".join(SEAT_LETTERS[seat] for seat in self.seats)
        return (
            f"{SUIT_LETTERS[: len(suits)]} become {suits}, "
            f"{SEAT_LETTERS[: len(seats)]} become {seats}"
        )


def check_permutation(value: object) -> None:
    """Raise `TypeError` if a value is no permutation."""
    if not isinstance(value, Permutation):
        raise TypeError(f"a Permutation is expected, not {type(value).__name__!r}")


def _places(names: object, kind: type[Suit | Seat]) -> tuple[int, ...]:
    """Return new names as numbers; raise `PavError` unless each number occurs once."""
    if not isinstance(names, Iterable):
        word = kind.__name__.lower()
        raise TypeError(f"new {word}s are a tuple of numbers or letters, not {shown(names)}")
    places = tuple(name if type(name) is int else int(kind.of(name)) for name in names)
    if sorted(places) != list(range(len(places))):
        raise PavError(f"a permutation has each of 0 to {len(places) - 1}, not {names!r}")
    return places


def inverse(names: tuple[int, ...]) -> tuple[int, ...]:
    """Return the inverse of a permutation.

    >>> inverse((2, 0, 1))
    (1, 2, 0)
    """
    return tuple(sorted(range(len(names)), key=names.__getitem__))
