"""Layouts, deals, hands, single suits and double-dummy tricks: the values that all rooms pass on.

`layout` has the values themselves; a layout is 52 owners. `hand` has the cards of one seat, and the
one table of the functions of a hand: points, controls, losers, `cccc`. `notation` reads and writes
deals as texts, and `drawings` draws them as text, HTML and SVG.
"""

from pavcodec.layout.hand import Hand
from pavcodec.layout.layout import Deal, Layout, SuitLayout, TrickTable

__all__ = ["Deal", "Hand", "Layout", "SuitLayout", "TrickTable"]
