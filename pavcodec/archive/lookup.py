"""A layout under other names of suits and seats, as numbers of an archive."""

from __future__ import annotations

from dataclasses import dataclass

from pavcodec.archive.spaces import ArchiveSpace
from pavcodec.errors import LayoutError
from pavcodec.layout import Layout
from pavcodec.symmetry import Permutation
from pavcodec.symmetry.groups import symmetry_of

__all__ = ["Found", "images_of"]


@dataclass(frozen=True)
class Found:
    """A board of an archive that is a sought layout under other names."""

    position: int
    permutation: Permutation
    """The names under which the board of the archive has the sought cards."""


def images_of(space: ArchiveSpace, layout: Layout, up_to: str = "") -> dict[int, Permutation]:
    """Return the numbers of a layout under other names, each with the way back to the layout.

    `up_to` is a symmetry, such as "suits,turns", or "" for the layout alone. Of several ways, the
    result has that of the first permutation of the symmetry. Raises `TypeError` unless `layout` is
    a `Layout`, and `UnknownNameError` for an unknown symmetry.
    """
    if not isinstance(layout, Layout):
        raise TypeError(f"a Layout is sought, not {type(layout).__name__!r}")
    ways = symmetry_of(up_to or "suits").permutations
    images: dict[int, Permutation] = {}
    for way in ways if up_to else ways[:1]:
        try:
            number = space.number(layout.permuted(way))
        except LayoutError:
            continue
        images.setdefault(number, way.inverse)
    return images
