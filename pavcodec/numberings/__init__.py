"""Numberings: ordered finite sets of layouts, each layout with its own number.

A `Numbering` (in `space`) is the interface; its order is a ranking of words of owners: those of the
partition walk (`pavcodec.walk`) and the `rankings` that consist of them or reorder others. All work
on rows; a single layout is a batch of one. `catalogue` composes them to the numberings by name.

The module `permuted` is not loaded with the room: few programs need it.
"""

from pavcodec.numberings.catalogue import identity, numbering, numbering_names, ranks_of
from pavcodec.numberings.space import LayoutView, Numbering

__all__ = ["LayoutView", "Numbering", "identity", "numbering", "numbering_names", "ranks_of"]
