"""Text diagrams of layouts: North at the top, West and East at the sides, South at the bottom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from pavcodec.cards import Seat, Suit

__all__ = ["TRICKS", "Caption", "Hands", "Suits", "diagram"]

_COLUMN = 16

TRICKS = "tricks"
"""The word in the corner of a table of tricks."""


class Suits(Protocol):
    """A hand by its suits: all that a drawing needs of it."""

    def suit(self, suit: Suit) -> str:
        """Return the ranks of a suit, highest first."""
        ...


class Hands(Protocol):
    """The four hands of a layout: all that a drawing needs."""

    def __getitem__(self, seat: Seat) -> Suits: ...
    def __iter__(self) -> Iterator[Suits]: ...


@dataclass(frozen=True)
class Caption:
    """Texts and marks of a diagram: above it, below it, and on the compass in its middle."""

    heading: str = ""
    notes: tuple[str, ...] = ()
    dealer: Seat | None = None
    vulnerable: frozenset[Seat] = frozenset()
    table: tuple[tuple[str, ...], ...] = ()
    """The rows of a table of tricks, the heads first."""

    @property
    def table_lines(self) -> list[str]:
        """The lines of the table of tricks."""
        return [
            f"{name or TRICKS:<{len(TRICKS)}}" + "".join(f"{cell:>4}" for cell in cells)
            for name, *cells in self.table
        ]


def diagram(layout: Hands) -> list[str]:
    r"""Return the lines of a diagram.

    >>> from pavcodec import Layout
    >>> print("\n".join(diagram(Layout.from_pbn("N:AK.Q.. T9.J.. .32.4. .T..A"))))
                    ♠ AK
                    ♥ Q
                    ♦ -
                    ♣ -
    ♠ -                             ♠ T9
    ♥ T                             ♥ J
    ♦ -                             ♦ -
    ♣ A                             ♣ -
                    ♠ -
                    ♥ 32
                    ♦ 4
                    ♣ -
    """
    empty = [""] * len(Suit)
    north, east, south, west = (_suits(layout, seat) for seat in Seat)
    rows = [*zip(empty, north, empty, strict=True), *zip(west, empty, east, strict=True)]
    rows += zip(empty, south, empty, strict=True)
    return ["".join(f"{cell:<{_COLUMN}}" for cell in row).rstrip() for row in rows]


def _suits(layout: Hands, seat: Seat) -> list[str]:
    hand = layout[seat]
    return [f"{suit.symbol} {hand.suit(suit) or '-'}" for suit in Suit]
