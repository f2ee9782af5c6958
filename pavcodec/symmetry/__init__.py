"""Symmetry: which layouts differ only in the names of suits and seats; for decks of any size.

Each name is loaded at its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._lazy import loader

if TYPE_CHECKING:
    from pavcodec.symmetry.canonical import canonical_word
    from pavcodec.symmetry.counting import class_count
    from pavcodec.symmetry.groups import SYMMETRIES, Symmetry, symmetry_of
    from pavcodec.symmetry.permutations import Permutation, check_permutation
    from pavcodec.symmetry.walk import ClassWalk

__all__ = [
    "SYMMETRIES",
    "ClassWalk",
    "Permutation",
    "Symmetry",
    "canonical_word",
    "check_permutation",
    "class_count",
    "symmetry_of",
]

_HOMES = {
    "SYMMETRIES": ".groups",
    "ClassWalk": ".walk",
    "Permutation": ".permutations",
    "Symmetry": ".groups",
    "canonical_word": ".canonical",
    "check_permutation": ".permutations",
    "class_count": ".counting",
    "symmetry_of": ".groups",
}

__getattr__ = loader(__name__, _HOMES)
