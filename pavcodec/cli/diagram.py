"""A layout as bridge players draw it: North above, West and East beside, South below."""

from __future__ import annotations

from pavcodec.cards import SUIT_SYMBOLS, Seat, Suit
from pavcodec.layout import Layout

__all__ = ["COLUMN", "diagram"]

COLUMN = 16
_RED = {Suit.HEARTS, Suit.DIAMONDS}


def diagram(layout: Layout, *, colour: bool = False) -> list[str]:
    r"""Return the lines of a diagram; `colour` marks the red suits with rich's tags.

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
    lines = ["".join(f"{cell:<{COLUMN}}" for cell in row).rstrip() for row in rows]
    return [_coloured(line) for line in lines] if colour else lines


def _suits(layout: Layout, seat: Seat) -> list[str]:
    hand = layout[seat]
    return [f"{suit.symbol} {hand.suit(suit) or '-'}" for suit in Suit]


def _coloured(line: str) -> str:
    for suit in Suit:
        tag = "red" if suit in _RED else "bold"
        line = line.replace(SUIT_SYMBOLS[suit], f"[{tag}]{SUIT_SYMBOLS[suit]}[/{tag}]")
    return line
