"""The 560 shapes of a hand: their order, lists of them as texts, and sets and functions of shapes.

A list is a text in the notation of the classic dealer program or of Dellacherie's dpp. A set and a
function are tables over all 560 shapes, as in Andrews' program Deal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import permutations, product
from math import comb, prod
from operator import and_, or_, xor
from operator import index as as_integer
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeVar

from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, UNUSED, Seat, Suit
from pavcodec.errors import LayoutError, PavError, TextError, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


# The shapes in squashed order.
#
# A shape is the lengths of spades, hearts, diamonds and clubs. Its index is the squashed rank of
# the set {s, s + h + 1, s + h + d + 2}: C(s+h+d+2, 3) + C(s+h+1, 2) + s.


Shape = tuple[int, int, int, int]


def shape_index(shape: Shape) -> int:
    """Return the index of a shape among the 560; raise `PavError` for other lengths.

    >>> shape_index((0, 0, 0, 13)), shape_index((4, 3, 3, 3)), shape_index((13, 0, 0, 0))
    (0, 252, 559)
    """
    spades, hearts, diamonds, clubs = shape
    if min(shape) < 0 or spades + hearts + diamonds + clubs != HAND_SIZE:
        raise PavError(f"a shape is four lengths that sum to {HAND_SIZE}, not {shown(shape)}")
    majors = spades + hearts
    return comb(majors + diamonds + 2, 3) + comb(majors + 1, 2) + spades


SHAPES: tuple[Shape, ...] = tuple(
    sorted(
        (
            (spades, hearts, diamonds, HAND_SIZE - spades - hearts - diamonds)
            for spades in range(HAND_SIZE + 1)
            for hearts in range(HAND_SIZE + 1 - spades)
            for diamonds in range(HAND_SIZE + 1 - spades - hearts)
        ),
        key=shape_index,
    )
)
"""All shapes in squashed order: each shape is at its index."""


# Lists of shapes as in the classic dealer program: `any 4333 + 5xxx - any 5332`.
#
# list    = element { ("+" | "-" | "," | nothing) element }      evaluated from left to right
# element = ["any"] template                                     `any`: in any order of the suits
# template = four characters for S H D C, a digit or x for any length
#
# Rule 1: `+`, a comma or nothing adds the next element; `-` removes its shapes. A list may start
# with `+` or a comma, but not with `-`. Rule 2: The digits of a template sum to 13, or to at most
# 13 if the template has an x. Rule 3: A length of ten or more has no digit. Such a suit is written
# as x, as in `x300`.


_ANY_WORD = "any "
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
            if operator == "-" and not shapes:
                reason = "a list of shapes does not start with '-', because no shapes precede it"
            else:
                reason = f"expected a shape, such as 5332 or any 4333, not {operator!r}"
            raise TextError(reason, text, span)
        if other:
            raise TextError(f"{other!r} is not part of a list of shapes", text, span)
        if operator:
            sign, expecting = operator, True
        elif any_:
            if is_any:
                raise TextError("'any' occurs twice", text, span)
            is_any = expecting = True
        else:
            matching = _shapes_of_template(word, text, span, is_any=is_any)
            shapes = shapes - matching if sign == "-" else shapes | matching
            sign, is_any, expecting = "+", False, False
    if expecting:
        end = len(text.rstrip())
        raise TextError("expected a shape, such as 5332 or any 4333", text, (end, end + 1))
    return frozenset(shapes)


def _shapes_of_template(
    word: str, text: str, span: tuple[int, int], *, is_any: bool
) -> frozenset[Shape]:
    """Return the shapes of one element; raise `TextError` if it is wrong."""
    template = word.lower()
    if not _TEMPLATE.fullmatch(template):
        raise TextError(
            f"a shape is four characters for S H D C, each a digit or x, not {word!r}", text, span
        )
    total = sum(int(letter) for letter in template if letter != "x")
    if total > HAND_SIZE or (total < HAND_SIZE and "x" not in template):
        beyond = "at least " if "x" in template else ""
        raise TextError(
            f"a shape has {HAND_SIZE} cards, and {word} has {beyond}{total}", text, span
        )
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
        for suit in range(1, len(Suit)):
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
        return not self.text.startswith(_ANY_WORD), self.text.count("x"), self.text


@cache
def _listed_elements() -> tuple[_Element, ...]:
    """Return one element for each set of shapes that lists may use, in order of preference."""
    by_bits: dict[int, _Element] = {}
    for letters in product("0123456789x", repeat=len(Suit)):
        digits = [int(letter) for letter in letters if letter != "x"]
        total, free = sum(digits), len(Suit) - len(digits)
        if (
            total > HAND_SIZE
            or (total < HAND_SIZE and not free)
            or (free == 1 and HAND_SIZE - total < 10)
        ):
            continue
        template = "".join(letters)
        names = [(template, False)]
        if letters == tuple(sorted(letters, key="9876543210x".index)):
            names.append((template, True))
        for name, is_any in names:
            element = _Element(_ANY_WORD * is_any + name, _template_bits(name, is_any=is_any))
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
    for whole in _listed_elements():
        if whole.bits & target == target and whole.bits != target:
            without = _cover(whole.bits & ~target, ~target)
            text = " - ".join(element.text for element in (whole, *without))
            choices.append((1 + 2 * len(without), text))
    return min(choices, key=lambda choice: (choice[0], len(choice[1]), choice[1]))[1]


def _cover(target: int, allowed: int) -> list[_Element]:
    """Choose elements within `allowed` that cover `target`, greedily by the most new shapes."""
    useful = [
        element
        for element in _listed_elements()
        if not element.bits & ~allowed and element.bits & target
    ]
    chosen: list[_Element] = []
    left = target
    while left:
        best = max(useful, key=lambda element: (element.bits & left).bit_count())
        chosen.append(best)
        left &= ~best.bits
    return sorted(chosen, key=lambda element: element.preference)


# Lists of shapes in the notation of Dellacherie's dpp: `4M(3+3+2+) + 5+s5+m(xx) - 5xx5 : d>c`.
#
#     list      = ["+"] element { (" + " | " - ") element }      evaluated from left to right
#     element   = slots ["(" lengths ")"] [":" condition]        or `any` lengths
#     slots     = { length [suit] }                              suit: s h d c, M a major, m a minor
#     length    = digit | digit "+" | digit "-" | "[" digits and ranges "]" | "x"
#
# Rule 1: A length belongs to the suit that follows it. Without a suit, it belongs to the first
# suit, in the order S H D C, that no slot names. Rule 2: The lengths in parentheses belong to the
# remaining suits, in any order. Rule 3: An element with M or m is the union over both suits of M or
# m; the condition of the element uses the same suits.


Test = Callable[[Shape], bool]

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
        matching = _shapes_of(text, (start, end), test_of)
        shapes = shapes - matching if sign == "-" else shapes | matching
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
        matching = _matching(lengths, text, span)
        if condition:
            try:
                test = test_of(condition)
                matching = {shape for shape in matching if test(shape)}
            except TextError as error:
                raise TextError(f"after ':' {error.message}", text, span) from None
        shapes |= matching
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
        return set(range(HAND_SIZE + 1))
    number = int(digit)
    return set(range(0 if sign == "-" else number, (HAND_SIZE if sign == "+" else number) + 1))


# Sets of shapes and functions of shapes: computed once for all 560 shapes, then looked up.
#
# The definition is evaluated at the first use, so a library of many classes costs nothing before.
# The ideas are those of Andrews' program Deal: its *shape classes* and *shape functions*.


Value = TypeVar("Value")

_ALL = (1 << len(SHAPES)) - 1


def hands_of_shape(shape: Shape) -> int:
    """Return the number of hands with a shape.

    >>> hands_of_shape((4, 3, 3, 3)), hands_of_shape((13, 0, 0, 0))
    (16726464040, 1)
    """
    return prod(comb(SUIT_SIZE, length) for length in shape)


class ShapeClass(AbstractSet[Shape]):
    """A set of shapes, from a text, a test or an iterable of shapes.

    A text is a list as in `shape` of the condition language. A test is a function of the four
    lengths; the first use of the class calls it once for each of the 560 shapes. `|`, `&`, `-`, `^`
    and `~` combine classes and are evaluated at the first use, too. Raises `TextError` for a text
    that is not a list of shapes, and `PavError` for a value that is not a shape.

    >>> balanced = ShapeClass(lambda s, h, d, c: s * s + h * h + d * d + c * c <= 47)
    >>> str(balanced), len(balanced), (5, 3, 3, 2) in balanced
    ('any 4333 + any 4432 + any 5332', 28, True)
    >>> print(balanced - ShapeClass("5xxx + x5xx"))
    any 4333 + any 4432 + 2335 + 2353 + 3235 + 3253 + 3325 + 3352
    >>> balanced.hands, balanced.probability
    (302292822832, Fraction(2699043061, 5669763925))
    """

    _make: Callable[[], int]

    def __init__(
        self, shapes: str | Iterable[Shape] | Callable[[int, int, int, int], object]
    ) -> None:
        if callable(shapes):
            test: Callable[[int, int, int, int], object] = shapes
            self._make = lambda: _bits(shape for shape in SHAPES if test(*shape))
            return
        if not isinstance(shapes, Iterable):
            raise TypeError(
                f"shapes are a text, a function or an iterable, not {type(shapes).__name__!r}"
            )
        bits = _bits(parse_shapes(shapes) if isinstance(shapes, str) else map(_checked, shapes))
        self._make = lambda: bits

    @classmethod
    def _later(cls, make: Callable[[], int]) -> Self:
        """Return a class whose bits a function computes at the first use."""
        later = cls(())
        later._make = make
        return later

    @classmethod
    def of_bits(cls, bits: int) -> Self:
        """Return the class of the shapes whose bits are set; raise `PavError` beyond 560 bits.

        >>> str(ShapeClass.of_bits(1 << 252))
        '4333'
        """
        if not 0 <= as_integer(bits) <= _ALL:
            raise PavError(f"a class of shapes has {len(SHAPES)} bits")
        return cls._later(lambda: bits)

    @cached_property
    def bits(self) -> int:
        """The class as an integer: bit i is set if shape i is in the class."""
        return self._make()

    @cached_property
    def shapes(self) -> frozenset[Shape]:
        """The shapes as a frozenset."""
        return frozenset(self)

    @property
    def hands(self) -> int:
        """The number of hands with one of the shapes."""
        return sum(map(hands_of_shape, self))

    @property
    def probability(self) -> Fraction:
        """The share of the hands with one of the shapes among all hands."""
        return Fraction(self.hands, comb(DECK_SIZE, HAND_SIZE))

    def contains_many(self, owners: NDArray[np.uint8], seat: Seat | int | str) -> NDArray[np.bool_]:
        """Return whether a seat's shape is in the class, by layout: `uint8[n, 52]` to `bool[n]`.

        Raises `LayoutError`, with the row, if the seat does not hold 13 cards or an owner is above
        4, and `TypeError` if `owners` is not such an array.

        >>> from pavcodec import numbering
        >>> owners = numbering("deal").sample_many(5, seed=7)
        >>> ShapeClass("any 4333 + any 4432 + any 5332").contains_many(owners, "north")
        array([False,  True,  True, False, False])
        """
        return _bits_table(self.bits)[shape_indexes(owners, seat)]

    def __contains__(self, shape: object) -> bool:
        return shape in self.shapes

    def __iter__(self) -> Iterator[Shape]:
        return (shape for index, shape in enumerate(SHAPES) if self.bits >> index & 1)

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ShapeClass):
            return self.bits == other.bits
        return self.shapes == other if isinstance(other, AbstractSet) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.shapes)  # an equal frozenset has the same hash

    def _with(self, other: object, operate: Callable[[int, int], int]) -> ShapeClass:
        if not isinstance(other, AbstractSet):
            raise TypeError(f"shapes are combined with shapes, not with {type(other).__name__!r}")
        both = other if isinstance(other, ShapeClass) else ShapeClass(other)
        return self._later(lambda: operate(self.bits, both.bits))

    def __or__(self, other: AbstractSet[Shape]) -> ShapeClass:  # type: ignore[override]  # of shapes
        return self._with(other, or_)

    def __and__(self, other: AbstractSet[object]) -> ShapeClass:
        return self._with(other, and_)

    def __xor__(self, other: AbstractSet[Shape]) -> ShapeClass:  # type: ignore[override]
        return self._with(other, xor)

    def __sub__(self, other: AbstractSet[object]) -> ShapeClass:
        return self._with(other, lambda one, without: one & ~without)

    def __invert__(self) -> Self:
        return self._later(lambda: _ALL ^ self.bits)

    def __str__(self) -> str:
        return format_shapes(self.shapes)

    def __repr__(self) -> str:
        return f"ShapeClass({str(self)!r})"

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return ShapeClass.of_bits, (self.bits,)


class ShapeFunction(Mapping[Shape, Value], Generic[Value]):
    """A function of the four lengths as a table of 560 entries; each distinct value is stored once.

    The first use calls the function once for each shape. Values may have any type; two values are
    distinct if their types differ or they are not equal (`==`). The class is also a decorator.

    >>> @ShapeFunction
    ... def opening(s, h, d, c):
    ...     if s >= 5 and s >= max(h, d, c):
    ...         return "spades"
    ...     if h >= 5 and h >= max(d, c):
    ...         return "hearts"
    ...     return "diamonds" if (d >= 4 and d >= c) or c < 3 else "clubs"
    >>> opening(5, 3, 3, 2), opening[4, 4, 3, 2], opening.distinct_values
    ('spades', 'diamonds', ('clubs', 'diamonds', 'hearts', 'spades'))
    >>> print(len(opening.where("spades")), opening.where("clubs") & ShapeClass("any 4333"))
    144 any 4333 - 3343
    """

    def __init__(self, function: Callable[[int, int, int, int], Value]) -> None:
        if not callable(function):
            raise TypeError(
                f"a function of four lengths is expected, not {type(function).__name__!r}"
            )
        self._function = function

    @cached_property
    def _table(self) -> tuple[tuple[Value, ...], tuple[int, ...]]:
        """The distinct values, and for each shape the place of its value among them."""
        values: list[Value] = []
        places: list[int] = []
        known: dict[object, int] = {}
        for shape in SHAPES:
            value = self._function(*shape)
            index = _place(value, values, known)
            if index == len(values):
                values.append(value)
            places.append(index)
        return tuple(values), tuple(places)

    @property
    def distinct_values(self) -> tuple[Value, ...]:
        """The distinct values, in the order of the first shape that has them."""
        return self._table[0]

    @property
    def places(self) -> tuple[int, ...]:
        """For each shape in squashed order, the place of its value in `distinct_values`."""
        return self._table[1]

    def where(self, value: Value) -> ShapeClass:
        """Return the class of the shapes that have a value; it is empty if no shape has it."""
        values, places = self._table
        return ShapeClass(
            shape for shape, index in zip(SHAPES, places, strict=True) if values[index] == value
        )

    def places_many(self, owners: NDArray[np.uint8], seat: Seat | int | str) -> NDArray[np.uint16]:
        """Return the place in `distinct_values` of the value of each hand: `uint16[n]`.

        `owners` is an array `uint8[n, 52]`; errors are those of `ShapeClass.contains_many`.

        >>> from pavcodec import numbering
        >>> owners = numbering("deal").sample_many(4, seed=7)
        >>> longest = ShapeFunction(lambda *lengths: max(lengths))
        >>> [longest.distinct_values[index] for index in longest.places_many(owners, "north")]
        [5, 4, 5, 5]
        """
        return _places_table(self.places)[shape_indexes(owners, seat)]

    def __call__(self, spades: int, hearts: int, diamonds: int, clubs: int) -> Value:
        """Return the value of the shape with these four lengths."""
        values, places = self._table
        return values[places[shape_index((spades, hearts, diamonds, clubs))]]

    def __getitem__(self, shape: Shape) -> Value:
        try:
            index = shape_index(shape)
        except (TypeError, ValueError):
            raise KeyError(shape) from None
        values, places = self._table
        return values[places[index]]

    def __iter__(self) -> Iterator[Shape]:
        return iter(SHAPES)

    def __len__(self) -> int:
        return len(SHAPES)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _function_of, self._table

    def __repr__(self) -> str:
        return f"<function of shapes with {len(self.distinct_values)} values>"


def _function_of(values: tuple[Value, ...], places: tuple[int, ...]) -> ShapeFunction[Value]:
    """Return the function of a table; pickles call this."""
    return ShapeFunction(lambda *lengths: values[places[shape_index(lengths)]])


def _bits(shapes: Iterable[Shape]) -> int:
    return sum(1 << index for index in {shape_index(shape) for shape in shapes})


def _checked(shape: Shape) -> Shape:
    if shape not in _SHAPES:
        raise PavError(f"a shape is four lengths that sum to {HAND_SIZE}, not {shape!r}")
    return shape


def _place(value: object, values: list[Value], known: dict[object, int]) -> int:
    """Return the place of a value among the known values, or the next free place."""
    try:
        return known.setdefault((type(value), value), len(values))
    except TypeError:  # the value has no hash
        same = (
            index
            for index, known_value in enumerate(values)
            if type(known_value) is type(value) and known_value == value
        )
        return next(same, len(values))


_SHAPES = frozenset(SHAPES)


# Shapes of hands in arrays of layouts, and lookup tables by shape index.


_AT_ONCE = 1 << 14


def shape_indexes(owners: Any, seat: Seat | int | str) -> NDArray[np.uint16]:
    """Return the shape indexes of a seat in squashed order: `uint8[n, 52]` to `uint16[n]`.

    Raises `LayoutError`, with the row, if the seat does not hold 13 cards or an owner is above 4,
    and `TypeError` if `owners` is not such an array.

    >>> from pavcodec import numbering
    >>> shape_indexes(numbering("deal").sample_many(3, seed=7), "north").tolist()
    [187, 188, 237]
    """
    import numpy as np

    expected = f"owners are an array uint8[n, {DECK_SIZE}]"
    if not isinstance(owners, np.ndarray):
        raise TypeError(f"{expected}, not {type(owners).__name__!r}")
    if owners.dtype != np.uint8 or owners.ndim != 2 or owners.shape[1] != DECK_SIZE:
        raise TypeError(f"{expected}, not {owners.dtype}{list(owners.shape)}")
    holder = Seat.of(seat)
    indexes = np.empty(len(owners), np.uint16)
    for start in range(0, len(owners), _AT_ONCE):
        rows = owners[start : start + _AT_ONCE]
        indexes[start : start + _AT_ONCE] = _indexes(rows, holder, start)
    return indexes


def _indexes(rows: NDArray[np.uint8], seat: Seat, first: int) -> NDArray[np.uint16]:
    import numpy as np

    unknown = np.flatnonzero(rows.max(axis=1, initial=0) > UNUSED)
    if len(unknown):
        row = int(unknown[0])
        owner = rows[row].max()
        raise LayoutError(f"row {first + row}: an owner is 0 to {UNUSED}, not {owner}")
    held = (rows == seat).reshape(len(rows), len(Suit), SUIT_SIZE)
    upto = held.sum(axis=2, dtype=np.uint8).cumsum(axis=1, dtype=np.uint8)
    wrong = np.flatnonzero(upto[:, -1] != HAND_SIZE)
    if len(wrong):
        row, name = int(wrong[0]), seat.name.title()
        held_cards = f"{name} holds {upto[row, -1]}"
        raise LayoutError(f"row {first + row}: a shape has {HAND_SIZE} cards, and {held_cards}")
    two, three = (
        np.array([comb(length + k - 1, k) for length in range(HAND_SIZE + 1)], np.uint16)
        for k in (2, 3)
    )
    indexes: NDArray[np.uint16] = three[upto[:, 2]] + two[upto[:, 1]] + upto[:, 0]
    return indexes


@lru_cache(64)
def _bits_table(bits: int) -> NDArray[np.bool_]:
    import numpy as np

    return np.array([bits >> index & 1 for index in range(len(SHAPES))], bool)


@lru_cache(64)
def _places_table(places: tuple[int, ...]) -> NDArray[np.uint16]:
    import numpy as np

    return np.array(places, np.uint16)
