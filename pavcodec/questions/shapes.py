"""Shapes: the 560 shapes, the 39 patterns, and classes of shapes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb
from textwrap import wrap
from typing import Any, ClassVar

from pavcodec.cards import DECK_SIZE, HAND_SIZE
from pavcodec.chances.figures import chances, digits, many, percent
from pavcodec.errors import TextError
from pavcodec.questions.asking import (
    Answer,
    FieldTextError,
    Question,
    QuestionError,
    ask,
    note,
)
from pavcodec.questions.tables import WIDTH, ruled_lines
from pavcodec.shapes import SHAPES, Shape, ShapeClass, hands_of_shape, shape_index

_HANDS = comb(DECK_SIZE, HAND_SIZE)
_ALL = "xxxx"


@dataclass(frozen=True)
class Shapes(Question):
    """List the shapes and patterns of a hand, with probabilities."""

    name: ClassVar[str] = "shapes"
    is_function: ClassVar[bool] = False
    indent: ClassVar[int | None] = 2
    examples: ClassVar[str] = """\
  pavcodec shapes --patterns
  pavcodec shapes --sort probability
  pavcodec shapes 'any 4333 + any 4432 + any 5332'
  pavcodec shapes 's*s + h*h + d*d + c*c <= 47' --patterns"""
    details: ClassVar[str] = """\
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

    shapes: str | None = ask(
        "print only these shapes", default=None, flag="", metavar="CLASS", label="Class"
    )
    patterns: bool = ask(
        "print patterns, with the number of their shapes", default=False, group="output"
    )
    sort: str | None = ask(
        "print shapes in the order of the index, or the most probable first (default: index)",
        default=None, choices=("index", "probability"), group="output",
    )  # fmt: skip

    keys: ClassVar[dict[str, str]] = {
        "class": "the class as a list of shapes, always the same for the same shapes",
        "hands": "the number of hands, in decimal digits",
        "probability": "the share of all hands, as a fraction",
        "shapes": "the shapes, each with its index, pattern, hands and probability",
        "patterns": "the patterns, each with its shapes, hands and probability",
    }

    def find(self) -> ShapeTable:
        """Return the shapes of a class."""
        from pavcodec.constraints.shape_classes import read_shape_class

        if self.patterns and self.sort == "index":
            raise QuestionError("patterns have no index: their order is that of the probability")
        text = _ALL if self.shapes is None else self.shapes
        try:
            chosen = read_shape_class(text, lambda reason: note(f"warning: {reason}"))
        except TextError as error:
            raise FieldTextError("shapes", error) from None
        ordered = list(chosen)
        if self.sort == "probability":
            ordered.sort(key=hands_of_shape, reverse=True)
        return ShapeTable(chosen, ordered, by_pattern=self.patterns)


@dataclass
class ShapeTable(Answer):
    """The shapes of a class in some order, or their patterns."""

    chosen: ShapeClass
    ordered: Sequence[Shape]
    by_pattern: bool

    @cached_property
    def patterns(self) -> dict[Shape, list[Shape]]:
        """The shapes of each pattern, the pattern with the most hands first."""
        grouped: dict[Shape, list[Shape]] = defaultdict(list)
        for shape in SHAPES:
            if shape in self.chosen:
                a, b, c, d = sorted(shape, reverse=True)
                grouped[a, b, c, d].append(shape)
        hands = {each: len(of_it) * hands_of_shape(each) for each, of_it in grouped.items()}
        return {each: grouped[each] for each in sorted(grouped, key=lambda p: (-hands[p], p))}

    def to_dict(self) -> dict[str, Any]:
        """Return the shapes for JSON."""
        row: dict[str, Any] = {"class": str(self.chosen), "hands": str(self.chosen.hands)}
        row["probability"] = str(self.chosen.probability)
        if self.by_pattern:
            row["patterns"] = [
                {"pattern": _pattern(pattern), "shapes": list(map(_shape, of_pattern))}
                | _shares(len(of_pattern) * hands_of_shape(pattern))
                for pattern, of_pattern in self.patterns.items()
            ]
        else:
            row["shapes"] = [
                {"index": shape_index(shape), "shape": _shape(shape), "pattern": _pattern(shape)}
                | _shares(hands_of_shape(shape))
                for shape in self.ordered
            ]
        return row

    def lines(self) -> Iterator[str]:
        """Yield the table, and the totals of the class."""
        if self.chosen:
            yield from self._pattern_lines() if self.by_pattern else self._shape_lines()
            yield ""
        yield from wrap(self._sum(), WIDTH)

    def _shape_lines(self) -> Iterator[str]:
        rows = [
            [str(shape_index(each)), _shape(each), _pattern(each), *_figures(hands_of_shape(each))]
            for each in self.ordered
        ]
        return ruled_lines(("index", "S=H=D=C", "pattern", "hands", "probability", "%"), rows)

    def _pattern_lines(self) -> Iterator[str]:
        rows = []
        for pattern, of_pattern in self.patterns.items():
            each = hands_of_shape(pattern)
            hands, share, _ = _figures(len(of_pattern) * each)
            figures = [f"{each:,}", hands, share, _percent(Fraction(share))]
            rows.append([_pattern(pattern), str(len(of_pattern)), *figures])
        heads = ("pattern", "shapes", "hands a shape", "hands", "probability", "%")
        return ruled_lines(heads, rows)

    def _sum(self) -> str:
        """Return the line with the totals of the class."""
        share = self.chosen.probability
        told = [many(len(self.chosen), "shape"), many(len(self.patterns), "pattern")]
        told.append(many(self.chosen.hands, "hand"))
        if share in (0, 1):
            return f"{', '.join(told)}, probability {share}"
        return f"{', '.join(told)}, probability {share}: {chances(share)}, {percent(share)}"


def _shares(hands: int) -> dict[str, object]:
    return {"hands": str(hands), "probability": str(Fraction(hands, _HANDS))}


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


def _shape(shape: Shape) -> str:
    return "=".join(map(str, shape))


def _pattern(shape: Shape) -> str:
    return "-".join(map(str, sorted(shape, reverse=True)))
