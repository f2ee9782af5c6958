"""Numberings: ordered finite sets of layouts, each layout with its own number."""

from pavcodec.numberings.catalogue import numbering, numbering_names, ranks_of
from pavcodec.numberings.identities import identity
from pavcodec.numberings.numbering import Numbering
from pavcodec.numberings.permuted import PermutedNumbering, permuted
from pavcodec.numberings.sorted_sample import SortedSample
from pavcodec.numberings.view import LayoutView

__all__ = [
    "LayoutView",
    "Numbering",
    "PermutedNumbering",
    "SortedSample",
    "identity",
    "numbering",
    "numbering_names",
    "permuted",
    "ranks_of",
]
