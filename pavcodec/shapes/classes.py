"""Sets of shapes and functions of shapes: computed once for all 560 shapes, then looked up.

The definition is evaluated at the first use, so a library of many classes costs nothing before. The
ideas are those of Andrews' program Deal: its *shape classes* and *shape functions*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import cached_property
from math import comb, prod
from operator import and_, or_, xor
from operator import index as as_integer
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, Seat
from pavcodec.errors import PavError
from pavcodec.shapes.notation import format_shapes, parse_shapes
from pavcodec.shapes.shapes import SHAPES, Shape, shape_index

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ShapeClass", "ShapeFunction", "hands_of_shape"]

Value = TypeVar("Value")

_ALL = (1 << len(SHAPES)) - 1
_HANDS = comb(DECK_SIZE, HAND_SIZE)


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
        return Fraction(self.hands, _HANDS)

    def contains_many(self, owners: NDArray[np.uint8], seat: Seat | int | str) -> NDArray[np.bool_]:
        """Return whether a seat's shape is in the class, by layout: `uint8[n, 52]` to `bool[n]`.

        Raises `LayoutError`, with the row, if the seat does not hold 13 cards or an owner is above
        4, and `TypeError` if `owners` is not such an array.

        >>> from pavcodec import numbering
        >>> owners = numbering("deal").sample_many(5, seed=7)
        >>> ShapeClass("any 4333 + any 4432 + any 5332").contains_many(owners, "north")
        array([False,  True,  True, False, False])
        """
        from pavcodec.shapes.batch import bits_table, shape_indexes

        return bits_table(self.bits)[shape_indexes(owners, seat)]

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
            place = _place(value, values, known)
            if place == len(values):
                values.append(value)
            places.append(place)
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
            shape for shape, place in zip(SHAPES, places, strict=True) if values[place] == value
        )

    def places_many(self, owners: NDArray[np.uint8], seat: Seat | int | str) -> NDArray[np.uint16]:
        """Return the place in `distinct_values` of the value of each hand: `uint16[n]`.

        `owners` is an array `uint8[n, 52]`; errors are those of `ShapeClass.contains_many`.

        >>> from pavcodec import numbering
        >>> owners = numbering("deal").sample_many(4, seed=7)
        >>> longest = ShapeFunction(lambda *lengths: max(lengths))
        >>> [longest.distinct_values[place] for place in longest.places_many(owners, "north")]
        [5, 4, 5, 5]
        """
        from pavcodec.shapes.batch import places_table, shape_indexes

        return places_table(self.places)[shape_indexes(owners, seat)]

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
        same = (i for i, one in enumerate(values) if type(one) is type(value) and one == value)
        return next(same, len(values))


_SHAPES = frozenset(SHAPES)
