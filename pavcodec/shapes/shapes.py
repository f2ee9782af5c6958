"""The shapes in squashed order.

A shape is the lengths of spades, hearts, diamonds and clubs. Its index is the squashed rank of the
set {s, s + h + 1, s + h + d + 2}: C(s+h+d+2, 3) + C(s+h+1, 2) + s.
"""

from __future__ import annotations

from math import comb

from pavcodec.errors import PavError, shown

__all__ = ["SHAPES", "Shape", "shape_index"]

Shape = tuple[int, int, int, int]

_CARDS = 13


def shape_index(shape: Shape) -> int:
    """Return the index of a shape among the 560; raise `PavError` for other lengths.

    >>> shape_index((0, 0, 0, 13)), shape_index((4, 3, 3, 3)), shape_index((13, 0, 0, 0))
    (0, 252, 559)
    """
    spades, hearts, diamonds, clubs = shape
    if min(shape) < 0 or spades + hearts + diamonds + clubs != _CARDS:
        raise PavError(f"a shape is four lengths that sum to {_CARDS}, not {shown(shape)}")
    majors = spades + hearts
    return comb(majors + diamonds + 2, 3) + comb(majors + 1, 2) + spades


def _all_shapes() -> tuple[Shape, ...]:
    lengths = range(_CARDS + 1)
    shapes = [
        (spades, hearts, diamonds, _CARDS - spades - hearts - diamonds)
        for spades in lengths
        for hearts in lengths[: _CARDS + 1 - spades]
        for diamonds in lengths[: _CARDS + 1 - spades - hearts]
    ]
    return tuple(sorted(shapes, key=shape_index))


SHAPES: tuple[Shape, ...] = _all_shapes()
"""All shapes in squashed order: each shape is at its index."""
