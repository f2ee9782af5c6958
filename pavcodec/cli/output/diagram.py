"""Coloured diagrams for the terminal."""

from __future__ import annotations

from rich.markup import escape

from pavcodec.cards import SUIT_SYMBOLS, Suit

_RED = {Suit.HEARTS, Suit.DIAMONDS}


def coloured(line: str) -> str:
    """Return a line of a drawing with the markup of rich for coloured suits.

    >>> coloured("♥ AK")
    '[red]♥[/red] AK'
    """
    line = escape(line)
    for suit in Suit:
        tag = "red" if suit in _RED else "bold"
        line = line.replace(SUIT_SYMBOLS[suit], f"[{tag}]{SUIT_SYMBOLS[suit]}[/{tag}]")
    return line
