"""One suit in the four hands, and its number in ZBS words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from operator import index
from typing import Self, SupportsIndex

from pavcodec.cards import RANK_LETTERS, SEAT_LETTERS, SUIT_SIZE, UNUSED, Seat, Suit
from pavcodec.errors import LayoutError, NumberError, TextError, check_text, shown
from pavcodec.layout.layout import Layout, layout_from_owners

__all__ = ["SUIT_LAYOUTS", "SuitLayout", "suit_number", "suit_owners"]

SUIT_LAYOUTS = 5**SUIT_SIZE
"""The number of suit layouts: 1,220,703,125."""

# ZBS has 0 for an unused card and 1 to 4 for W, N, E, S, the seat order of its author.
_DIGITS = bytes.maketrans(bytes([4, 3, 0, 1, 2]), b"01234")
_OWNERS = bytes([4, 3, 0, 1, 2])
_VOID = "-"
_TEXT = re.compile(
    rf"\s*([{SEAT_LETTERS}]):\s*(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s*", re.IGNORECASE | re.ASCII
)
_PORTION = 5  # digits that one table entry has
_PORTIONS: int = 5**_PORTION


class SuitLayout:
    """An immutable assignment of the 13 cards of an unnamed suit to N E S W or nobody.

    `owners` has 13 bytes, the ace first: 0..3 for N E S W, 4 for an unused card. Raises
    `LayoutError` for other bytes, and `TypeError` for a value that is not bytes.

    >>> suit = SuitLayout.from_text("N:JT9 876 5432 AKQ")
    >>> suit["W"], suit["E"], suit.to_text(first="W")
    ('AKQ', '876', 'W:AKQ JT9 876 5432')
    >>> hex(suit.to_zbs()), SuitLayout.from_zbs(0x48BAF0DA) == suit
    ('0x48baf0da', True)
    """

    __slots__ = ("owners",)
    owners: bytes

    def __init__(self, owners: bytes) -> None:
        try:
            owners = bytes(memoryview(owners))
        except TypeError:
            raise TypeError(f"owners are bytes, not {type(owners).__name__!r}") from None
        if len(owners) != SUIT_SIZE or max(owners) > UNUSED:
            raise LayoutError(
                f"owners of a suit are {SUIT_SIZE} bytes of 0 to {UNUSED} (N E S W unused), "
                f"not {owners!r}"
            )
        object.__setattr__(self, "owners", owners)

    @classmethod
    def unchecked(cls, owners: bytes) -> Self:
        """Return a suit layout of owners that are known to be valid."""
        suit = object.__new__(cls)
        object.__setattr__(suit, "owners", owners)
        return suit

    @classmethod
    def of(cls, layout: Layout, suit: Suit | int | str) -> Self:
        """Return one suit of a layout.

        >>> SuitLayout.of(Layout.from_pbn("N:AK.Q.. - .32.4. -"), Suit.HEARTS)
        SuitLayout.from_text('N:Q - 32 -')
        """
        if not isinstance(layout, Layout):
            raise TypeError(f"a Layout has suits, not {type(layout).__name__!r}")
        start = Suit.of(suit) * SUIT_SIZE
        return cls.unchecked(layout.owners[start : start + SUIT_SIZE])

    def as_suit(self, suit: Suit | int | str = Suit.SPADES) -> Layout:
        """Return the layout with these cards in one suit; all other cards are unused.

        >>> print(SuitLayout.from_text("N:AQ - KJ -").as_suit(Suit.CLUBS))
        N:...AQ - ...KJ -
        """
        place = Suit.of(suit)
        before = bytes([UNUSED]) * (place * SUIT_SIZE)
        after = bytes([UNUSED]) * ((Suit.CLUBS - place) * SUIT_SIZE)
        return layout_from_owners(before + self.owners + after)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse four holdings clockwise from a seat, with `-` for a void; raise `TextError`.

        >>> SuitLayout.from_text("e:K32 A4 - QJ")
        SuitLayout.from_text('N:QJ K32 A4 -')
        """
        check_text("a suit layout", text)
        found = _TEXT.fullmatch(text)
        if found is None:
            raise TextError(
                "a suit layout is a seat, a colon and four holdings, as in 'N:JT9 876 5432 AKQ'",
                text,
                (0, len(text)),
            )
        owners = bytearray([UNUSED]) * SUIT_SIZE
        first = SEAT_LETTERS.index(found[1].upper())
        for turn in range(len(Seat)):
            start, stop = found.span(2 + turn)
            for place in range(start, start if text[start:stop] == _VOID else stop):
                rank = RANK_LETTERS.find(text[place].upper())
                if rank < 0 or owners[rank] != UNUSED:
                    why = "no rank" if rank < 0 else "there twice"
                    raise TextError(f"{text[place]!r} is {why}", text, (place, place + 1))
                owners[rank] = (first + turn) % len(Seat)
        return cls.unchecked(bytes(owners))

    def to_text(self, first: Seat | int | str = Seat.NORTH) -> str:
        """Return the four holdings clockwise from `first`; a void is `-`."""
        start = Seat.of(first)
        turns = ((start + turn) % len(Seat) for turn in range(len(Seat)))
        return f"{start.letter}:{' '.join(self[seat] or _VOID for seat in turns)}"

    @classmethod
    def from_zbs(cls, number: SupportsIndex) -> Self:
        """Return the suit layout of a ZBS word without its flag; raise `NumberError` beyond 5^13.

        The ace is the least significant of 13 digits in base 5: 0 unused, 1 to 4 for W, N, E, S.
        """
        place = index(number)
        if not 0 <= place < SUIT_LAYOUTS:
            raise NumberError(f"a suit has numbers 0 to {SUIT_LAYOUTS - 1}, not {shown(place)}")
        return cls.unchecked(suit_owners(place))

    def to_zbs(self) -> int:
        """Return the ZBS word without its flag, a number below 5^13."""
        return suit_number(self.owners)

    def __getitem__(self, seat: Seat | int | str) -> str:
        held_by = Seat.of(seat)
        pairs = zip(RANK_LETTERS, self.owners, strict=True)
        return "".join(letter for letter, owner in pairs if owner == held_by)

    def __iter__(self) -> Iterator[str]:
        return (self[seat] for seat in Seat)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return type(self), (self.owners,)

    def __eq__(self, other: object) -> bool:
        return self.owners == other.owners if isinstance(other, SuitLayout) else NotImplemented

    def __hash__(self) -> int:
        return hash((SuitLayout, self.owners))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"{type(self).__name__}.from_text({self.to_text()!r})"


def suit_number(owners: bytes) -> int:
    """Return the ZBS number of a suit's 13 owners."""
    return int(owners[::-1].translate(_DIGITS), 5)


def suit_owners(number: int) -> bytes:
    """Return the 13 owners of a ZBS number below 5^13."""
    table = _portions()
    rest, low = divmod(number, _PORTIONS)
    high, middle = divmod(rest, _PORTIONS)
    return (table[low] + table[middle] + table[high])[:SUIT_SIZE]


@cache
def _portions() -> tuple[bytes, ...]:
    """Return the owners of every group of five digits, the least significant digit first."""
    portions = [b""]
    for _ in range(_PORTION):
        portions = [low + _OWNERS[digit : digit + 1] for digit in range(5) for low in portions]
    return tuple(portions)
