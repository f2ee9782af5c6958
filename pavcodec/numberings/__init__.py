"""Numberings: ordered finite sets of layouts, each layout with a number of its own."""

from pavcodec.numberings.catalogue import numbering, numbering_names
from pavcodec.numberings.numbering import LayoutView, Numbering

__all__ = ["LayoutView", "Numbering", "numbering", "numbering_names"]
