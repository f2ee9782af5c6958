"""A diagram on the screen, in colour."""

from __future__ import annotations

from pavcodec.cards import SUIT_SYMBOLS, Suit
from pavcodec.layout import Layout
from pavcodec.layout.diagram import diagram as plain

__all__ = ["diagram"]

_RED = {Suit.HEARTS, Suit.DIAMONDS}


def diagram(layout: Layout, *, colour: bool = False) -> list[str]:
    """Return the lines of a diagram; `colour` marks the red suits with rich's tags.

    >>> diagram(Layout.from_pbn("N:AK.Q.. - .32.4. -"), colour=True)[0].strip()
    '[bold]♠[/bold] AK'
    """
    return [_coloured(line) for line in plain(layout)] if colour else plain(layout)


def _coloured(line: str) -> str:
    for suit in Suit:
        tag = "red" if suit in _RED else "bold"
        line = line.replace(SUIT_SYMBOLS[suit], f"[{tag}]{SUIT_SYMBOLS[suit]}[/{tag}]")
    return line
