"""The 560 shapes of a hand, their order, and the lists in which dealers write them."""

from pavcodec.shapes.notation import format_shapes, parse_shapes
from pavcodec.shapes.shapes import SHAPES, Shape, shape_index

__all__ = ["SHAPES", "Shape", "format_shapes", "parse_shapes", "shape_index"]
