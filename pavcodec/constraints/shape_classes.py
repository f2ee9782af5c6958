"""Classes and functions of shapes from expressions over the four lengths, s h d c.

These expressions are part of the language of conditions and have the same meaning. The four lengths
are variables. Functions that have a seat as an argument raise an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from pavcodec.cards import DECK_SIZE, SUIT_LETTERS, SUIT_SIZE, UNUSED, Seat, Suit
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import warn_caller
from pavcodec.constraints.language.build import FOREIGN_TO_SHAPES, Builder
from pavcodec.constraints.language.parser import Warn
from pavcodec.constraints.language.source import SourceText
from pavcodec.constraints.nodes.syntax import Length, Node
from pavcodec.errors import PavError
from pavcodec.layout import Layout
from pavcodec.shapes import Shape, ShapeClass, ShapeFunction

_HOLDER = Seat.NORTH
_LENGTHS: dict[str, Node] = {
    letter.lower(): Length(_HOLDER, suit) for suit, letter in zip(Suit, SUIT_LETTERS, strict=True)
}
_MARKS_EXPRESSION = re.compile(r"[<>=!&|?*/%()]|\b[shdc]\b", re.IGNORECASE)


def shape_class(
    shapes: str | Iterable[Shape] | Callable[[int, int, int, int], object],
) -> ShapeClass:
    """Return a class of shapes from a text, a Python function of four lengths, or single shapes.

    A text is a list, as in `any 4333 + 5xxx`, or an expression over the lengths s, h, d and c in
    the language of conditions. This function parses the text; the class evaluates it for the 560
    shapes at its first use. Raises `TextError` for a text that is neither, and gives the same
    warnings as `expression`. Can be used as a decorator of a function.

    >>> balanced = shape_class("s*s + h*h + d*d + c*c <= 47")
    >>> balanced == shape_class("any 4333 + any 4432 + any 5332"), balanced.probability
    (True, Fraction(2699043061, 5669763925))
    >>> print(balanced & shape_class("s >= 5 || h >= 5"))
    any 5332 - xx5x - xxx5
    >>> shape_class("hcp(south) <= 12")
    Traceback (most recent call last):
    ...
    pavcodec.errors.TextError: a condition on shapes has only the lengths s, h, d and c
      hcp(south) <= 12
      ^^^^^^^^^^
    """
    return read_shape_class(shapes, warn_caller) if isinstance(shapes, str) else ShapeClass(shapes)


def read_shape_class(text: str, warn: Warn) -> ShapeClass:
    """Return the class of shapes of a text, and call `warn` with each warning.

    A warning is about a text that may not mean what its author expects. Raises `TextError` for a
    text that is no list of shapes and no expression over lengths.

    >>> len(read_shape_class("s == 5 or 6", print))
    '6' is always true, whatever the deal; another value is written s == 6
    560
    """
    if not _MARKS_EXPRESSION.search(text):
        return ShapeClass(text)
    return ShapeClass(_value_of(text, warn, is_condition=True))


def shape_function(text: str) -> ShapeFunction[int]:
    """Return the function of shapes that an expression over s, h, d and c defines.

    For a function in Python, call `ShapeFunction`. Raises `TextError` for a text that is no such
    expression.

    >>> longer_major = shape_function("s > h ? s : h")
    >>> longer_major[5, 3, 3, 2], longer_major.distinct_values[:3]
    (5, (0, 1, 2))
    """
    if not isinstance(text, str):
        raise TypeError(
            f"a text is expected, not {type(text).__name__!r}: a function is for ShapeFunction"
        )
    return ShapeFunction(_value_of(text, warn_caller))


def _value_of(
    text: str, warn: Warn, *, is_condition: bool = False
) -> Callable[[int, int, int, int], int]:
    """Return a function from four lengths to the value of an expression."""
    source = SourceText(text)
    tree = source.tree("expression")
    for foreign in FOREIGN_TO_SHAPES:
        for call in tree.find_data(foreign):
            raise source.error_at("a condition on shapes has only the lengths s, h, d and c", call)
    builder = Builder(source, tree, variables=_LENGTHS)
    node = builder.condition(tree) if is_condition else builder.expression(tree)
    for _, reason in sorted(builder.warnings):
        warn(reason)

    def value(*lengths: int) -> int:
        try:
            return evaluate(node, _layout_of(lengths))
        except PavError as error:
            shape = "=".join(map(str, lengths))
            raise PavError(f"'{text}' has no value for {shape}: {error}") from None

    return value


def _layout_of(lengths: Iterable[int]) -> Layout:
    """Return a layout in which one hand has these lengths, and the other hands are empty."""
    owners = bytearray([UNUSED]) * DECK_SIZE
    for suit, length in enumerate(lengths):
        for card in range(suit * SUIT_SIZE, suit * SUIT_SIZE + length):
            owners[card] = _HOLDER
    return Layout(bytes(owners))
