"""Numbers with decimals in expressions: exact, as integers with a scale.

A number with decimals is a `Scaled` node: an integer in units of its last decimal. It is always the
root of an expression. An operator here takes `Scaled` operands apart and joins their integers, with
the factors that make their scales equal, so `hcp(north) >= 11.5` is `10 * hcp(north) >= 115`, and
what counts, tests and deals sees integers alone. A product has as many decimals as its factors
together. A quotient with decimals is refused, because `/` is a division of integers.

The values of `cccc`, `quality` and `ltc` are integers in hundredths. Beside a decimal, as in
`cccc(north) >= 12.5`, they are numbers of two decimals; otherwise they stay integers, as in
`cccc(north) >= 1250`. DealerV2 reads any decimal as an integer in hundredths: its scanner,
`dealflex.l`, multiplies by 100. So both programs read numbers of one scale alike. Where a decimal
meets an integer that is not in hundredths, DealerV2 does not scale the integer.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from pavcodec.constraints.nodes.syntax import (
    Arithmetic,
    Choice,
    Comparison,
    Negate,
    Node,
    Number,
    Scaled,
)
from pavcodec.errors import PavError

IN_HUNDREDTHS = {"cccc", "quality", "ltc"}
"""The functions with values in hundredths."""
MOST_PLACES = 18
"""The greatest number of decimals."""


def literal(value: Decimal) -> Scaled:
    """Return the node of a decimal number.

    >>> literal(Decimal("11.50")), literal(Decimal(".5"))
    (Scaled(operand=Number(value=1150), places=2, is_certain=True), \
Scaled(operand=Number(value=5), places=1, is_certain=True))
    """
    [number], places = scaled_points([value])
    return with_places(Number(number), places)


def scaled_points(points: Sequence[int | Decimal]) -> tuple[list[int], int]:
    """Return points as integers, and their number of decimals.

    >>> scaled_points([Decimal("4.5"), 3, Decimal("1.75")])
    ([450, 300, 175], 2)
    """
    places = max((-int(Decimal(each).as_tuple().exponent) for each in points), default=0)
    return [int(Decimal(each).scaleb(places)) for each in points], places


def with_places(node: Node, places: int, *, is_certain: bool = True) -> Scaled:
    """Return an integer in units of its last decimal as a number; raise `PavError` for too many."""
    if places > MOST_PLACES:
        raise PavError(f"a number has at most {MOST_PLACES} decimals")
    return Scaled(node, places, is_certain)


def places_of(node: Node) -> int:
    """Return the number of decimals; 0 for an integer."""
    return node.places if is_decimal(node) and isinstance(node, Scaled) else 0


def is_decimal(node: Node) -> bool:
    """Return whether a number has decimals; an integer in hundredths has none by itself."""
    return isinstance(node, Scaled) and node.is_certain


def integer_of(node: Node) -> Node:
    """Return the integer of a number, in units of its last decimal."""
    return node.operand if isinstance(node, Scaled) else node


def without_hundredths(node: Node) -> Node:
    """Return a number unchanged, and an integer in hundredths as an integer."""
    return node if is_decimal(node) else integer_of(node)


def as_text(value: int, places: int) -> str:
    """Return the text of an integer in units of its last decimal.

    >>> as_text(1150, 2), as_text(-5, 1), as_text(7, 0)
    ('11.50', '-0.5', '7')
    """
    return f"{Decimal(value).scaleb(-places):f}" if places else str(value)


def negated(node: Node) -> Node:
    """Return the opposite of a number."""
    inner = integer_of(node)
    made = Number(-inner.value) if isinstance(inner, Number) else Negate(inner)
    return Scaled(made, node.places, node.is_certain) if isinstance(node, Scaled) else made


def arithmetic(operator: str, left: Node, right: Node) -> Node:
    """Return a sum, difference, product, quotient or remainder.

    Raises `PavError` for a quotient or a remainder of numbers with decimals.
    """
    are_decimal = is_decimal(left) or is_decimal(right)
    if operator in "+-":
        (one, other), places = aligned(left, right)
        return _of_all(Arithmetic(operator, one, other), places, left, right)
    if are_decimal and operator in "/%":
        raise PavError("a division takes integers: write a product, as in 0.5 * hcp(north)")
    made = Arithmetic(operator, integer_of(left), integer_of(right))
    scales = [each.places for each in (left, right) if isinstance(each, Scaled)]
    if are_decimal:
        return with_places(made, sum(scales))
    return Scaled(made, scales[0], False) if len(scales) == 1 else made


def comparison(operator: str, left: Node, right: Node) -> Comparison:
    """Return a comparison, which is exact for numbers of different scales."""
    (one, other), _ = aligned(left, right)
    return Comparison(operator, one, other)


def choice(condition: Node, then: Node, otherwise: Node) -> Node:
    """Return the one or the other number, both with the decimals of both."""
    (one, other), places = aligned(then, otherwise)
    return _of_all(Choice(integer_of(condition), one, other), places, then, otherwise)


def _of_all(made: Node, places: int, *parts: Node) -> Node:
    """Return what was made of aligned parts as a number with their decimals, if they have any."""
    if places:
        return with_places(made, places)
    hundredths = [each for each in parts if isinstance(each, Scaled)]
    return Scaled(made, hundredths[0].places, False) if hundredths else made


def aligned(*nodes: Node) -> tuple[list[Node], int]:
    """Return (the integers of numbers in units of one last decimal, the number of decimals).

    >>> aligned(Number(3), literal(Decimal("0.25")))
    ([Number(value=300), Number(value=25)], 2)
    """
    if not any(map(is_decimal, nodes)):
        return list(map(integer_of, nodes)), 0
    places = max(each.places for each in nodes if isinstance(each, Scaled))
    return [
        _times(integer_of(each), places - (each.places if isinstance(each, Scaled) else 0))
        for each in nodes
    ], places


def _times(node: Node, places: int) -> Node:
    """Return 10 ** places times an integer."""
    if not places or node == Number(0):
        return node
    factor = 10**places
    if isinstance(node, Number):
        return Number(node.value * factor)
    return Arithmetic("*", Number(factor), node)


def meets_an_integer(*nodes: Node) -> bool:
    """Return whether a decimal is beside an integer that is neither 0 nor in hundredths."""
    is_plain = any(not isinstance(each, Scaled) and each != Number(0) for each in nodes)
    return is_plain and any(map(is_decimal, nodes))
