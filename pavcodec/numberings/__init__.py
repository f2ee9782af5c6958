"""Numberings: ordered finite sets of layouts, each layout with a number of its own."""

from pavcodec.numberings.catalogue import numbering, numbering_names
from pavcodec.numberings.codes import Reading, code, code_names, identify
from pavcodec.numberings.identities import identity
from pavcodec.numberings.numbering import LayoutView, Numbering

__all__ = [
    "LayoutView",
    "Numbering",
    "Reading",
    "code",
    "code_names",
    "identify",
    "identity",
    "numbering",
    "numbering_names",
]
