"""Numberings: ordered finite sets of layouts, each layout with its own number.

The modules `permuted` and `sorted_sample` are not loaded with the room: few programs need them.
"""

from pavcodec.numberings.catalogue import identity, numbering, numbering_names, ranks_of
from pavcodec.numberings.numbering import Numbering
from pavcodec.numberings.view import LayoutView

__all__ = ["LayoutView", "Numbering", "identity", "numbering", "numbering_names", "ranks_of"]
