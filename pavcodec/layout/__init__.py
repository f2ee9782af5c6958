"""Layouts, deals, hands, single suits and double-dummy tricks."""

from pavcodec.layout.hand import Hand
from pavcodec.layout.layout import Deal, Layout, SuitLayout, TrickTable

__all__ = ["Deal", "Hand", "Layout", "SuitLayout", "TrickTable"]
