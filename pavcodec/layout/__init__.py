"""Layouts, deals and hands: the one value that travels between the rooms of the library."""

from pavcodec.layout.hand import Hand
from pavcodec.layout.layout import Deal, Layout

__all__ = ["Deal", "Hand", "Layout"]
