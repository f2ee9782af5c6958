"""`pavcodec shapes`: the 560 shapes, the 39 patterns, and classes of shapes."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import comb
from textwrap import wrap

from pavcodec.cards import DECK_SIZE, HAND_SIZE
from pavcodec.chances.figures import chances, digits, many, percent
from pavcodec.cli.output.streams import add_common, complain
from pavcodec.cli.output.targets import UsageError
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import TextError
from pavcodec.questions.asking import FieldTextError
from pavcodec.questions.tables import WIDTH, print_table
from pavcodec.shapes import SHAPES, Shape, ShapeClass, hands_of_shape, shape_index

_EXAMPLES = """\
  pavcodec shapes --patterns
  pavcodec shapes --sort probability
  pavcodec shapes 'any 4333 + any 4432 + any 5332'
  pavcodec shapes 's*s + h*h + d*d + c*c <= 47' --patterns"""

_DETAILS = """\
A class is a list of shapes, as in 'any 4333 + 5xxx - any 5332', or an expression in the lengths s,
h, d and c, as in 's >= 5 && h >= 5', in the language of conditions. Without a class, shapes prints
all shapes.

A shape is the lengths of spades, hearts, diamonds and clubs (4=3=3=3); a pattern is the lengths in
descending order (4-3-3-3). Shapes are in squashed order, with the index C(s+h+d+2, 3) + C(s+h+1, 2)
+ s, or with --sort probability the most probable first, as patterns always are. Numbers of hands
(of 635,013,559,600) and fractions are exact; percentages are rounded.

--json prints one object: "class" (a list of shapes, always the same for the same shapes), "hands"
and "probability" of all together, and "shapes" or "patterns". Numbers of hands are decimal digits
in a text, probabilities are fractions in a text."""

_HANDS = comb(DECK_SIZE, HAND_SIZE)
_ALL = "xxxx"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument("shapes", nargs="?", metavar="CLASS", help="print only these shapes")
    option_group(parser, "output").add_argument(
        "--patterns", action="store_true", help="print patterns, with the number of their shapes"
    )
    option_group(parser, "output").add_argument(
        "--sort",
        choices=("index", "probability"),
        help="print shapes in the order of the index, or the most probable first (default: index)",
    )
    add_common(parser, output=False)


def run(args: argparse.Namespace) -> int:
    """Print the shapes of a class, or its patterns."""
    if args.patterns and args.sort == "index":
        raise UsageError("patterns have no index: their order is that of the probability")
    shapes = _class_of_text(_ALL if args.shapes is None else args.shapes)
    ordered = list(shapes)
    if args.sort == "probability":
        ordered.sort(key=hands_of_shape, reverse=True)
    if args.json:
        rows = _pattern_rows(shapes) if args.patterns else _shape_rows(ordered)
        told = {"class": str(shapes), "hands": str(shapes.hands)}
        told |= {"probability": str(shapes.probability)}
        print(json.dumps(told | {"patterns" if args.patterns else "shapes": rows}, indent=2))
        return 0
    if shapes and args.patterns:
        _print_patterns(shapes)
    elif shapes:
        _print_shapes(ordered)
    print("\n" * bool(shapes) + "\n".join(wrap(_sum(shapes), WIDTH)))
    return 0


def _class_of_text(text: str) -> ShapeClass:
    """Return the class of a text; raise `FieldTextError` for an invalid text."""
    from pavcodec.constraints.shape_classes import read_shape_class

    try:
        return read_shape_class(text, lambda reason: complain(f"warning: {reason}"))
    except TextError as error:
        raise FieldTextError("shape", error) from None


def _by_pattern(shapes: ShapeClass) -> dict[Shape, list[Shape]]:
    """Return the shapes of each pattern, the pattern with the most hands first."""
    grouped: dict[Shape, list[Shape]] = defaultdict(list)
    for shape in SHAPES:
        if shape in shapes:
            a, b, c, d = sorted(shape, reverse=True)
            grouped[a, b, c, d].append(shape)
    hands = {pattern: len(of_it) * hands_of_shape(pattern) for pattern, of_it in grouped.items()}
    return {pattern: grouped[pattern] for pattern in sorted(grouped, key=lambda p: (-hands[p], p))}


def _shape_rows(shapes: Sequence[Shape]) -> list[dict[str, object]]:
    """Return the shapes for JSON."""
    return [
        {"index": shape_index(shape), "shape": _shape(shape), "pattern": _pattern(shape)}
        | _shares(hands_of_shape(shape))
        for shape in shapes
    ]


def _pattern_rows(shapes: ShapeClass) -> list[dict[str, object]]:
    """Return the patterns for JSON."""
    return [
        {"pattern": _pattern(pattern), "shapes": list(map(_shape, of_pattern))}
        | _shares(len(of_pattern) * hands_of_shape(pattern))
        for pattern, of_pattern in _by_pattern(shapes).items()
    ]


def _shares(hands: int) -> dict[str, object]:
    return {"hands": str(hands), "probability": str(Fraction(hands, _HANDS))}


def _print_shapes(shapes: Sequence[Shape]) -> None:
    rows = [
        [str(shape_index(shape)), _shape(shape), _pattern(shape), *_figures(hands_of_shape(shape))]
        for shape in shapes
    ]
    print_table(("index", "S=H=D=C", "pattern", "hands", "probability", "%"), rows)


def _print_patterns(shapes: ShapeClass) -> None:
    rows = []
    for pattern, of_pattern in _by_pattern(shapes).items():
        each = hands_of_shape(pattern)
        hands, share, _ = _figures(len(of_pattern) * each)
        figures = [f"{each:,}", hands, share, _percent(Fraction(share))]
        rows.append([_pattern(pattern), str(len(of_pattern)), *figures])
    print_table(("pattern", "shapes", "hands a shape", "hands", "probability", "%"), rows)


def _figures(hands: int) -> list[str]:
    """Return hands, their share as a fraction, and in percent to ten places."""
    share = Fraction(hands, _HANDS)
    places = round(share * 100 * 10**10)
    whole, rest = divmod(places, 10**10)
    return [f"{hands:,}", str(share), f"{whole}.{rest:010}"]


def _percent(share: Fraction) -> str:
    """Return a share in percent, to seven places; a smaller share has an exponent."""
    value = share * 100
    if value < Fraction(1, 10**5):
        return digits(value)
    whole, rest = divmod(round(value * 10**7), 10**7)
    return f"{whole}.{rest:07}"


def _sum(shapes: ShapeClass) -> str:
    """Return the line with the totals of a class."""
    share = shapes.probability
    told = [many(len(shapes), "shape"), many(len(_by_pattern(shapes)), "pattern")]
    told.append(many(shapes.hands, "hand"))
    if share in (0, 1):
        return f"{', '.join(told)}, probability {share}"
    return f"{', '.join(told)}, probability {share}: {chances(share)}, {percent(share)}"


def _shape(shape: Shape) -> str:
    return "=".join(map(str, shape))


def _pattern(shape: Shape) -> str:
    return "-".join(map(str, sorted(shape, reverse=True)))
