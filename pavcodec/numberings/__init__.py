"""Numberings: ordered finite sets of layouts, each layout with its own number.

A `Numbering` (in `numbering`) is the interface; its order is one of the `rankings`, which work on
words of owners. `catalogue` composes both to the numberings by name. `batch` has the compiled loops
of each ranking, and `arrays` shares them among threads.

The modules `permuted` and `sorted_sample` are not loaded with the room: few programs need them.
"""

from pavcodec.numberings.catalogue import identity, numbering, numbering_names, ranks_of
from pavcodec.numberings.numbering import Numbering
from pavcodec.numberings.view import LayoutView

__all__ = ["LayoutView", "Numbering", "identity", "numbering", "numbering_names", "ranks_of"]
