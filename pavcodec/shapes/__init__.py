"""The 560 shapes of a hand, their order, text notations for lists of shapes, and shape classes."""

from pavcodec.shapes.braces import parse_braced_shapes
from pavcodec.shapes.classes import ShapeClass, ShapeFunction, hands_of_shape
from pavcodec.shapes.notation import format_shapes, parse_shapes
from pavcodec.shapes.shapes import SHAPES, Shape, shape_index

__all__ = [
    "SHAPES",
    "Shape",
    "ShapeClass",
    "ShapeFunction",
    "format_shapes",
    "hands_of_shape",
    "parse_braced_shapes",
    "parse_shapes",
    "shape_index",
]
