"""Lists of shapes as in the classic dealer program: `any 4333 + 5xxx - any 5332`.

    list    = element { ("+" | "-" | "," | nothing) element }      evaluated from left to right
    element = ["any"] template                                     `any`: in any order of the suits
    template = four characters for S H D C, a digit or x for any length

Rule 1: `+`, a comma or nothing adds the next element; `-` removes its shapes. A list may start with
        `+` or a comma, but not with `-`.
Rule 2: The digits of a template sum to 13, or to at most 13 if the template has an x.
Rule 3: A length of ten or more has no digit. Such a suit is written as x, as in `x300`.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import permutations, product
from typing import NamedTuple

from pavcodec.errors import TextError
from pavcodec.shapes.shapes import SHAPES, Shape, shape_index

__all__ = ["format_shapes", "parse_shapes"]

_CARDS = 13
_SUITS = 4
_ANY = "any "
_TOKEN = re.compile(r"\s*(?:([+,-])|(any)\b|([0-9A-Za-z_]+)|(\S))", re.IGNORECASE)
_TEMPLATE = re.compile(r"[0-9x]{4}")


def parse_shapes(text: str) -> frozenset[Shape]:
    """Return the shapes of a list; raise `TextError` with the position of an error.

    >>> len(parse_shapes("any 4333 + any 4432 + any 5332"))
    28
    >>> sorted(parse_shapes("54xx - 54x1 - 54x3 - 540x - 544x"))
    [(5, 4, 2, 2)]
    >>> parse_shapes("any 5432")
    Traceback (most recent call last):
    ...
    pavcodec.errors.TextError: a shape has 13 cards, and 5432 has 14
      any 5432
          ^^^^
    """
    shapes: set[Shape] = set()
    sign, is_any, expecting, at = "+", False, True, 0
    while match := _TOKEN.match(text, at):
        operator, any_, word, other = match.groups()
        span = match.span(match.lastindex or 0)
        at = match.end()
        is_opening = operator in ("+", ",") and not text[: span[0]].strip()
        if operator and expecting and not is_opening:
            raise TextError(_where_a_shape_belongs(operator, is_first=not shapes), text, span)
        if other:
            raise TextError(f"{other!r} is not part of a list of shapes", text, span)
        if operator:
            sign, expecting = operator, True
        elif any_:
            if is_any:
                raise TextError("'any' occurs twice", text, span)
            is_any = expecting = True
        else:
            found = _shapes_of(word, text, span, is_any=is_any)
            shapes = shapes - found if sign == "-" else shapes | found
            sign, is_any, expecting = "+", False, False
    if expecting:
        end = len(text.rstrip())
        raise TextError("expected a shape, such as 5332 or any 4333", text, (end, end + 1))
    return frozenset(shapes)


def _where_a_shape_belongs(operator: str, *, is_first: bool) -> str:
    if operator == "-" and is_first:
        return "a list of shapes does not start with '-', because no shapes precede it"
    return f"expected a shape, such as 5332 or any 4333, not {operator!r}"


def _shapes_of(word: str, text: str, span: tuple[int, int], *, is_any: bool) -> frozenset[Shape]:
    """Return the shapes of one element; raise `TextError` if it is wrong."""
    template = word.lower()
    if not _TEMPLATE.fullmatch(template):
        raise TextError(
            f"a shape is four characters for S H D C, each a digit or x, not {word!r}", text, span
        )
    total = sum(int(letter) for letter in template if letter != "x")
    if total > _CARDS or (total < _CARDS and "x" not in template):
        beyond = "at least " if "x" in template else ""
        raise TextError(f"a shape has {_CARDS} cards, and {word} has {beyond}{total}", text, span)
    bits = _template_bits(template, is_any=is_any)
    return frozenset(shape for index, shape in enumerate(SHAPES) if bits >> index & 1)


@cache
def _suit_bits(suit: int, letter: str) -> int:
    """Return the shapes, as bits, with this length in a suit; all shapes for x."""
    return sum(
        1 << index for index, shape in enumerate(SHAPES) if letter in ("x", str(shape[suit]))
    )


def _template_bits(template: str, *, is_any: bool) -> int:
    """Return the shapes, as bits, that match a template."""
    bits = 0
    for order in set(permutations(template)) if is_any else {tuple(template)}:
        held = _suit_bits(0, order[0])
        for suit in range(1, _SUITS):
            held &= _suit_bits(suit, order[suit])
        bits |= held
    return bits


class _Element(NamedTuple):
    """An element of a list, with its shapes as a set of 560 bits."""

    text: str
    bits: int

    @property
    def preference(self) -> tuple[bool, int, str]:
        """The sort key of equally good elements: first `any` elements, then those with few x."""
        return not self.text.startswith(_ANY), self.text.count("x"), self.text


def _bits(shapes: frozenset[Shape]) -> int:
    return sum(1 << shape_index(shape) for shape in shapes)


@cache
def _elements() -> tuple[_Element, ...]:
    """Return one element for each set of shapes that lists may use, in order of preference."""
    by_bits: dict[int, _Element] = {}
    for letters in product("0123456789x", repeat=_SUITS):
        digits = [int(letter) for letter in letters if letter != "x"]
        total, free = sum(digits), _SUITS - len(digits)
        if total > _CARDS or (total < _CARDS and not free) or (free == 1 and _CARDS - total < 10):
            continue
        template = "".join(letters)
        names = [(template, False)]
        if letters == tuple(sorted(letters, key="9876543210x".index)):
            names.append((template, True))
        for name, is_any in names:
            element = _Element(_ANY * is_any + name, _template_bits(name, is_any=is_any))
            known = by_bits.get(element.bits)
            if known is None or len(element.text) < len(known.text):
                by_bits[element.bits] = element
    return tuple(sorted(by_bits.values(), key=lambda element: element.preference))


@lru_cache(4096)
def format_shapes(shapes: frozenset[Shape]) -> str:
    """Return a short list of exactly these shapes; equal sets have equal texts.

    >>> format_shapes(parse_shapes("3334 + 3343 + 3433 + 4333 + 5332"))
    'any 4333 + 5332'
    >>> format_shapes(parse_shapes("5xxx - any 5332"))
    '5xxx - any 5332'
    >>> format_shapes(frozenset())
    'xxxx - xxxx'
    """
    target = _bits(shapes)
    if not target:
        return "xxxx - xxxx"
    union = _cover(target, target)
    choices = [(len(union), " + ".join(element.text for element in union))]
    for whole in _elements():
        if whole.bits & target == target and whole.bits != target:
            without = _cover(whole.bits & ~target, ~target)
            text = " - ".join(element.text for element in (whole, *without))
            choices.append((1 + 2 * len(without), text))
    return min(choices, key=lambda choice: (choice[0], len(choice[1]), choice[1]))[1]


def _cover(target: int, allowed: int) -> list[_Element]:
    """Choose elements within `allowed` that cover `target`, greedily by the most new shapes."""
    useful = [e for e in _elements() if not e.bits & ~allowed and e.bits & target]
    chosen: list[_Element] = []
    left = target
    while left:
        best = max(useful, key=lambda element: (element.bits & left).bit_count())
        chosen.append(best)
        left &= ~best.bits
    return sorted(chosen, key=lambda element: element.preference)
