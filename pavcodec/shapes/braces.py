"""Lists of shapes in the notation of Dellacherie's dpp: `4M(3+3+2+) + 5+s5+m(xx) - 5xx5 : d>c`.

    list      = ["+"] element { (" + " | " - ") element }      evaluated from left to right
    element   = slots ["(" lengths ")"] [":" condition]        or `any` lengths
    slots     = { length [suit] }                              suit: s h d c, M a major, m a minor
    length    = digit | digit "+" | digit "-" | "[" digits and ranges "]" | "x"

Rule 1: A length belongs to the suit that follows it. Without a suit, it belongs to the first suit,
        in the order S H D C, that no slot names.
Rule 2: The lengths in parentheses belong to the remaining suits, in any order.
Rule 3: An element with M or m is the union over both suits of M or m; the condition of the element
        uses the same suits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import permutations, product

from pavcodec.errors import TextError
from pavcodec.shapes.shapes import SHAPES, Shape

__all__ = ["parse_braced_shapes"]

Test = Callable[[Shape], bool]

_CARDS = 13
_SUITS = "shdc"
_CLASSES = {"M": "sh", "m": "dc"}
_SIGN = re.compile(r"\s+([-+])\s+|\A\s*(\+)\s+")
_LENGTH = re.compile(r"\s*(?:([0-9])([+-]?)|(x)|\[([0-9-]+)\])\s*")
_RANGE = re.compile(r"([0-9])(?:-([0-9]))?")
_ANY = re.compile(r"\s*any\s+([^()]*)", re.DOTALL)
_EXAMPLE = "such as 5+Mxxx, 4M(3+3+2+) or (4432)"


def parse_braced_shapes(text: str, test_of: Callable[[str], Test]) -> frozenset[Shape]:
    """Return the shapes of a list; raise `TextError` with the position of an error.

    `test_of` returns the test of a condition on the lengths s, h, d and c. If it raises
    `TextError`, the message marks the whole condition.

    >>> len(parse_braced_shapes("(4432) + (4333) + (5332)", len))
    28
    >>> sorted(parse_braced_shapes("x[3-5]x[13] - x5xx - x[34]xx - 0+xx[04-9]", len))
    []
    """
    shapes: set[Shape] = set()
    for sign, start, end in _elements(text):
        found = _shapes_of(text, (start, end), test_of)
        shapes = shapes - found if sign == "-" else shapes | found
    return frozenset(shapes)


def _elements(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the sign, the start and the end of each element."""
    sign, at = "+", 0
    for match in _SIGN.finditer(text):
        if match[1]:
            yield sign, at, match.start()
        sign, at = match[1] or match[2], match.end()
    yield sign, at, len(text)


def _shapes_of(text: str, span: tuple[int, int], test_of: Callable[[str], Test]) -> set[Shape]:
    """Return the shapes of one element: the union over the suits that M and m may be."""
    element = text[slice(*span)]
    if not element.strip():
        raise TextError(f"expected a shape, {_EXAMPLE}", text, span)
    for letter in _CLASSES:
        if element.partition(":")[0].count(letter) > 1:
            raise TextError(f"a shape has {letter} only once; use ( ) for the rest", text, span)
    shapes: set[Shape] = set()
    for major, minor in product(*_CLASSES.values()):
        named = element.replace("M", major).replace("m", minor)
        lengths, _, condition = named.partition(":")
        found = _matching(lengths, text, span)
        if condition:
            try:
                test = test_of(condition)
                found = {shape for shape in found if test(shape)}
            except TextError as error:
                raise TextError(f"after ':' {error.message}", text, span) from None
        shapes |= found
    return shapes


def _matching(element: str, text: str, span: tuple[int, int]) -> set[Shape]:
    """Return the shapes that match the lengths of an element."""
    is_any = _ANY.fullmatch(element)
    lengths, bracket, group = (f"({is_any[1]})" if is_any else element).strip().partition("(")
    if bracket and not group.endswith(")"):
        raise TextError("the ')' of a shape is missing, or something follows it", text, span)
    pinned = _pinned(lengths, text, span)
    floating = [length for length, _ in _slots(group.removesuffix(")"), "", text, span)]
    free = [suit for suit in range(len(_SUITS)) if suit not in pinned]
    if len(free) != len(floating):
        count = f"{len(pinned)} before and {len(floating)} in parentheses"
        raise TextError(f"a shape has four suits, {_EXAMPLE}, not {count}", text, span)
    orders = [{**pinned, **dict(zip(free, order, strict=True))} for order in permutations(floating)]
    allowed = [[order[suit] for suit in range(len(_SUITS))] for order in orders]
    return {
        shape
        for shape in SHAPES
        if any(all(map(set.__contains__, order, shape)) for order in allowed)
    }


def _pinned(lengths: str, text: str, span: tuple[int, int]) -> dict[int, set[int]]:
    """Return the lengths of the suits outside the parentheses."""
    slots = list(_slots(lengths, _SUITS, text, span))
    named = [suit for _, suit in slots if suit is not None]
    spare = [suit for suit in range(len(_SUITS)) if suit not in named]
    if len(set(named)) < len(named) or len(slots) > len(_SUITS):
        raise TextError("a suit occurs twice in a shape, or there are too many", text, span)
    suits = [spare.pop(0) if suit is None else suit for _, suit in slots]
    return {suit: length for suit, (length, _) in zip(suits, slots, strict=True)}


def _slots(
    lengths: str, suits: str, text: str, span: tuple[int, int]
) -> Iterator[tuple[set[int], int | None]]:
    """Yield the lengths of slots, each with its suit, or None if it names none of `suits`."""
    at = 0
    while at < len(lengths):
        match = _LENGTH.match(lengths, at)
        if match is None:
            wrong = lengths[at:].strip() or lengths
            reason = f"expected a length, as in 5, 5+, 2-, [3-5] or x, not {wrong[:1]!r}"
            raise TextError(reason, text, span)
        at = match.end()
        suit = None
        if suits and lengths[at : at + 1].lower() in tuple(suits):
            suit, at = suits.index(lengths[at].lower()), at + 1
        yield _lengths_of(match), suit


def _lengths_of(match: re.Match[str]) -> set[int]:
    digit, sign, _, ranges = match.groups()
    if ranges:
        pairs = [(int(low), int(high or low)) for low, high in _RANGE.findall(ranges)]
        return {length for low, high in pairs for length in range(low, high + 1)}
    if digit is None:
        return set(range(_CARDS + 1))
    number = int(digit)
    return set(range(0 if sign == "-" else number, (_CARDS if sign == "+" else number) + 1))
