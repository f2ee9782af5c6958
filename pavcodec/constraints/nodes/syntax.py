"""The nodes of an expression, as immutable values.

The value of every node is an integer that depends on a deal. A condition has the value 1 or 0, and
every integer except 0 counts as true. `evaluate` defines the value of each kind of node.

Equal nodes are one object, so an expression is a graph: the expression of a variable exists once,
even if the script uses the variable in many places. Equality and hashes take constant time. Nodes
that contain an `rnd` without a number are the exception: each occurrence is a draw of its own, so
equal nodes of this kind are different objects, which compare equal.

`pavcodec.constraints.expressions` wraps nodes in Python objects with operators.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count as count_from
from operator import attrgetter, index
from threading import RLock
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    NamedTuple,
    Self,
    TypeVar,
    cast,
    dataclass_transform,
)
from weakref import WeakValueDictionary

from pavcodec.boards.board import Vulnerability
from pavcodec.cards import RANK_LETTERS, SUIT_SIZE, Card, Rank, Seat, Strain, Suit
from pavcodec.errors import PavError
from pavcodec.layout import Deal
from pavcodec.layout.hand import (
    LENGTH,
    Among,
    HandFunction,
    OfLengths,
    SumOverCards,
    SumOverSuits,
)

# Interned values: equal values are one object, so an expression is a graph.
#
# A constructor returns the existing object when an equal node exists. So equality and hashes take
# constant time for expressions of any size, and a cache by node has one entry for all places of the
# node. The table of nodes has weak references: it does not keep a node that nothing else refers to.
#
# A *loose* node is the exception. A draw (`rnd`) without a number is independent of every other
# draw, so two loose nodes with equal fields are two objects. They still compare equal, because they
# share one *form*, an object that represents their fields.


_T = TypeVar("_T")

_MOST_SHOWN, _DEEPEST_SHOWN = 1000, 100
"""The largest number of parts, and the greatest depth, of a value that `repr` writes out."""
_LOCK = RLock()  # a garbage collection during the creation of a value may create another value


class _Form:
    """The shared identity of loose nodes with equal fields; refers to the forms below it."""

    __slots__ = ("__weakref__", "below")

    def __init__(self, below: tuple[object, ...]) -> None:
        self.below = below


_form_of = attrgetter("_form")
_INSTANCES: WeakValueDictionary[tuple[object, ...], Interned | _Form] = WeakValueDictionary()


class _Interning(type):
    """A metaclass whose constructors return the existing equal instance, or a new one."""

    def __call__(cls: type[_T], *args: Any, **kwargs: Any) -> _T:
        made: Any = type.__call__(cls, *args, **kwargs)
        node: _T = made._existing_or_self()
        return node


class Interned(metaclass=_Interning):
    """A value of which only one object exists; the decorator `interned` makes such a class.

    >>> @interned
    ... class Pair(Interned):
    ...     left: int
    ...     right: int
    >>> Pair(1, 2) is Pair(1, right=2), Pair(1, 2) == Pair(2, 1)
    (True, False)
    """

    __slots__ = ("__weakref__", "_form", "measure")
    __match_args__: ClassVar[tuple[str, ...]] = ()
    _form: _Form | None
    """The shared form of equal loose nodes; None for a node that is not loose."""
    measure: Any
    """The cached measure of the node, or None; see `measure_of`."""

    @property
    def is_loose(self) -> bool:
        """Whether equal nodes may be different objects."""
        return self._form is not None

    @property
    def below(self) -> Iterator[Interned]:
        """The interned values in the fields of this value, from left to right."""
        for name in self.__match_args__:
            value = getattr(self, name)
            if isinstance(value, Interned):
                yield value
            elif type(value) is tuple and value and isinstance(value[0], Interned):
                yield from value

    def _starts_loose(self) -> bool:
        """Return whether the value is loose even if no value below it is."""
        return False

    def _existing_or_self(self) -> Self:
        """Return the existing equal value, otherwise this value."""
        object.__setattr__(self, "measure", None)
        object.__setattr__(self, "_form", None)
        key, loose = self._key()
        with _LOCK:
            if not loose:
                return _INSTANCES.setdefault(key, self)  # type: ignore[return-value]
            object.__setattr__(self, "_form", _INSTANCES.setdefault((_Form, *key), _Form(loose)))
            return self

    def _key(self) -> tuple[tuple[object, ...], tuple[object, ...]]:
        """Return the key of the value in the table, and the forms that a loose value refers to.

        The key has the identity of each interned value below, and the type and value of each other
        field: 1 and `True` have different keys. The forms of a value that is not loose are `()`.
        """
        key: list[object] = [type(self)]
        loose: list[object] = [self._starts_loose()] * self._starts_loose()
        for name in self.__match_args__:
            value = getattr(self, name)
            if isinstance(value, Interned):
                value = (value,)
            if type(value) is tuple and value and isinstance(value[0], Interned):
                if any(map(_form_of, value)):
                    value = [each._form or each for each in value]
                    loose += value
                key.append(tuple(map(id, value)))
            else:
                key += [type(value), value if _is_hashable(value) else id(value)]
        return tuple(key), tuple(loose)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Interned):
            return NotImplemented
        return self._form is not None and self._form is other._form

    def __hash__(self) -> int:
        return object.__hash__(self) if self._form is None else hash(self._form)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (_steps_to(self),)

    def __repr__(self) -> str:
        if not _is_short(self):
            return f"<{type(self).__name__} of many parts>"
        fields = (f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({', '.join(fields)})"


@dataclass_transform(frozen_default=True, eq_default=False)
def interned(cls: type[_T]) -> type[_T]:
    """Make a subclass of `Interned` a frozen dataclass with slots."""
    return dataclass(frozen=True, slots=True, eq=False, repr=False)(cls)


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _is_short(value: Interned) -> bool:
    """Return whether `repr` can write out a value; a part counts in each of its places."""
    pending, parts = [(value, 1)], 0
    while pending and parts < _MOST_SHOWN:
        part, depth = pending.pop()
        if depth > _DEEPEST_SHOWN:
            return False
        parts += 1
        pending += [(each, depth + 1) for each in part.below]
    return not pending


class _Place(int):
    """The index of the step that makes the value of a field."""


_Step = Interned | tuple[type[Interned], tuple[Any, ...]]


def _steps_to(value: Interned) -> list[_Step]:
    """Return the steps that rebuild a value, one for each part.

    The list is flat, so pickling a deep value does not recurse. A value that is loose even without
    loose values below is a step itself: so it stays one object in the whole pickle.
    """
    steps: list[_Step] = []
    places: dict[int, _Place] = {}
    pending = [value]
    while pending:
        top = pending[-1]
        if top is not value and top._starts_loose():
            unknown = []
        else:
            unknown = [each for each in top.below if id(each) not in places]
        pending += unknown
        if unknown:
            continue
        pending.pop()
        if id(top) not in places:
            places[id(top)] = _Place(len(steps))
            is_whole = top is not value and top._starts_loose()
            steps.append(top if is_whole else (type(top), _fields_by_place(top, places)))
    return steps


def _fields_by_place(value: Interned, places: dict[int, _Place]) -> tuple[Any, ...]:
    """Return the fields of a value; each interned value is replaced by its `_Place`."""

    def by_place(field: Any) -> Any:
        if isinstance(field, Interned):
            return places[id(field)]
        if type(field) is tuple and field and isinstance(field[0], Interned):
            return tuple(places[id(each)] for each in field)
        return field

    return tuple(by_place(getattr(value, name)) for name in value.__match_args__)


def _rebuilt(steps: list[_Step]) -> Interned:
    """Return the value that the steps of a pickle build."""
    made: list[Interned] = []

    def resolved(field: Any) -> Any:
        if type(field) is _Place:
            return made[field]
        if type(field) is tuple and field and type(field[0]) is _Place:
            return tuple(made[each] for each in field)
        return field

    for step in steps:
        if isinstance(step, Interned):
            made.append(step)
        else:
            cls, fields = step
            made.append(cls(*map(resolved, fields)))
    return made[-1]


# Holdings with small cards, such as QTxx: their meaning and their text.
#
# An `x` is a small card: any card that is lower than the ten and lower than all named cards. So
# QTxx is the queen, the ten and two of 98765432, and no other card of the suit. K9x is the king,
# the nine and one of 8765432.


_SMALL = "x"
_VOID = "void"
_TEN = RANK_LETTERS.index("T")


class SmallHolding(NamedTuple):
    """The named ranks, highest first, and the number of small cards.

    >>> holding = SmallHolding.parse("qtxx")
    >>> holding, str(holding), SmallHolding.parse("void")
    (SmallHolding(ranks='QT', small=2), 'QTxx', SmallHolding(ranks='', small=0))
    >>> [holding.fits(cards) for cards in ("QT93", "QT9", "QJT9", "QT932")]
    [True, False, False, False]
    """

    ranks: str
    small: int

    @classmethod
    def parse(cls, text: str) -> SmallHolding:
        """Parse a holding; `10` is the ten, and `void` is a holding without cards.

        Raises `PavError` for another text, a rank that occurs twice, and too many small cards.

        >>> SmallHolding.parse("xQ")
        Traceback (most recent call last):
            ...
        pavcodec.errors.PavError: a holding is cards and then an x for each small one, as in QTxx, \
or void, not 'xQ'
        """
        if text.lower() == _VOID:
            return cls("", 0)
        named = text.upper().replace("10", "T")
        ranks = named.rstrip(_SMALL.upper())
        places = [RANK_LETTERS.find(rank) for rank in ranks]
        if not named or -1 in places:
            kinds = "cards and then an x for each small one, as in QTxx, or void"
            raise PavError(f"a holding is {kinds}, not {text!r}")
        if len(set(places)) < len(places):
            raise PavError(f"{text!r} names a card twice")
        holding = cls("".join(sorted(ranks, key=RANK_LETTERS.index)), len(named) - len(ranks))
        if holding.small > len(holding.small_ranks):
            lower = holding.small_ranks or "none"
            raise PavError(f"{text!r} has more small cards than there are: {lower}")
        return holding

    @property
    def named_ranks(self) -> int:
        """The number of ranks from the ace down to the ten or the lowest named rank.

        These ranks are never small cards.
        """
        lowest = RANK_LETTERS.index(self.ranks[-1]) if self.ranks else 0
        return max(lowest, _TEN) + 1

    @property
    def small_ranks(self) -> str:
        """The ranks that a small card may have."""
        return RANK_LETTERS[self.named_ranks :]

    def fits(self, holding: str) -> bool:
        """Return whether the cards of a suit, as ranks from the highest, match the holding."""
        small = self.small_ranks
        named = "".join(rank for rank in holding if rank not in small)
        return named == self.ranks and len(holding) == len(named) + self.small

    def __str__(self) -> str:
        return f"{self.ranks}{_SMALL * self.small}" or _VOID


@interned
class Node(Interned):
    """A part of an expression."""


@interned
class Number(Node):
    """An integer."""

    value: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", int(index(self.value)))  # the text of True is a word


@interned
class Scaled(Node):
    """A number with decimals: its value is the integer `operand`, in units of its last decimal.

    If it is not `is_certain`, it has decimals only beside a number that has, and is otherwise an
    integer. It is always a root; see `pavcodec.constraints.language.decimals`.
    """

    operand: Node
    places: int
    is_certain: bool = True


@interned
class OfHand(Node):
    """A function of one hand: `function` of the cards of `seat` in `suit`, or in all suits."""

    if TYPE_CHECKING:

        @property
        def seat(self) -> Seat:
            """The seat of the hand."""

        @property
        def suit(self) -> Suit | None:
            """The suit of the cards; None for all suits."""

        @property
        def function(self) -> HandFunction:
            """The function, as `pavcodec.layout.hand` defines it."""


@interned
class HandValue(OfHand):
    """A function of a seat's cards, in one suit or in all, that has no other arguments.

    `name` is the function of the language (`hcp`, `losers`, …), or `points` for a sum of points
    that has no name.
    """

    name: str
    seat: Seat
    suit: Suit | None
    function: HandFunction


@interned
class Length(OfHand):
    """The number of cards that a seat holds in a suit."""

    seat: Seat
    suit: Suit

    function = LENGTH


@interned
class Holding(OfHand):
    """Whether a seat's cards of a suit are exactly a holding, which may have small cards."""

    seat: Seat
    suit: Suit
    holding: SmallHolding

    @property
    def function(self) -> SumOverSuits:
        """Whether the cards match `holding`."""
        return SumOverSuits(self.holding.fits, self.holding.named_ranks)


@interned
class InShapes(OfHand):
    """Whether a seat's lengths S, H, D, C are among some shapes."""

    seat: Seat
    shapes: frozenset[tuple[int, int, int, int]]

    suit = None

    @property
    def function(self) -> OfLengths:
        """Whether the lengths are among the shapes."""
        return OfLengths(Among(self.shapes))


@interned
class HasCard(OfHand):
    """Whether a seat holds a card."""

    seat: Seat
    card: Card

    @property
    def suit(self) -> Suit:
        """The suit of the card."""
        return self.card.suit

    @property
    def function(self) -> SumOverCards:
        """The sum in which this rank counts 1 and every other rank 0."""
        return _RANK_ALONE[self.card % SUIT_SIZE]


_RANK_ALONE = [SumOverCards(tuple(int(rank == each) for each in Rank)) for rank in Rank]


def divide(dividend: int, divisor: int) -> int:
    """Divide and truncate towards 0, as C does; raise `PavError` for a division by 0.

    >>> divide(7, 2), divide(-7, 2), divide(7, -2)
    (3, -3, -3)
    """
    if not divisor:
        raise PavError("division by 0")
    quotient = abs(dividend) // abs(divisor)
    return quotient if (dividend < 0) == (divisor < 0) else -quotient


def remainder(dividend: int, divisor: int) -> int:
    """Return the remainder of `divide`; it has the sign of the dividend.

    Raises `PavError` for a division by 0.

    >>> remainder(7, 2), remainder(-7, 2), remainder(7, -2)
    (1, -1, 1)
    """
    return dividend - divisor * divide(dividend, divisor)


class Operator(NamedTuple):
    """An operator with two operands: a greater `binding` binds more tightly.

    `of` is its value. `&&` and `||` have no right operand if the left one decides.
    """

    binding: int
    of: Callable[[int, int], int]
    meaning: str


OPERATORS = {
    "&&": Operator(2, lambda left, right: int(bool(left and right)), "and: both are true"),
    "||": Operator(1, lambda left, right: int(bool(left or right)), "or: at least one is true"),
    ">=": Operator(3, int.__ge__, "at least"),
    "<=": Operator(3, int.__le__, "at most"),
    "==": Operator(3, int.__eq__, "equal"),
    "!=": Operator(3, int.__ne__, "not equal"),
    ">": Operator(3, int.__gt__, "more than"),
    "<": Operator(3, int.__lt__, "less than"),
    "+": Operator(4, int.__add__, "sum"),
    "-": Operator(4, int.__sub__, "difference"),
    "*": Operator(5, int.__mul__, "product"),
    "/": Operator(5, divide, "quotient, without the remainder"),
    "%": Operator(5, remainder, "remainder"),
}
"""The operators by their signs. Canonical texts write comparisons of comparisons in parentheses."""


@interned
class Negate(Node):
    """The operand with the opposite sign."""

    operand: Node


@interned
class Arithmetic(Node):
    """A sum, difference, product, quotient or remainder: `operator` is one of + - * / %.

    Division truncates towards 0, and a remainder has the sign of the left operand, as in C.
    """

    operator: str
    left: Node
    right: Node


@interned
class Comparison(Node):
    """Whether a comparison of two numbers is true: `operator` is one of == != < <= > >=."""

    operator: str
    left: Node
    right: Node


@interned
class Not(Node):
    """Whether the operand is 0."""

    operand: Node


@interned
class And(Node):
    """Whether all parts are true; no part is itself an `And`."""

    parts: tuple[Node, ...]


@interned
class Or(Node):
    """Whether any part is true; no part is itself an `Or`."""

    parts: tuple[Node, ...]


@interned
class Choice(Node):
    """The number `then` where a condition is true, otherwise the number `otherwise`."""

    condition: Node
    then: Node
    otherwise: Node


@interned
class Tricks(Node):
    """The double-dummy tricks of a declarer in a strain."""

    seat: Seat
    strain: Strain


_TABLE = tuple(Tricks(seat, strain) for strain in Strain for seat in Seat)


@interned
class Par(Node):
    """The par score of a side, 0 for NS and 1 for EW, from the double-dummy `table`.

    North bids first: it is the score for NS by `SidesPar` of DDS, as in DealerV2.
    """

    side: int
    vulnerable: Vulnerability
    table: tuple[Node, ...] = _TABLE


@interned
class Score(Node):
    """The score of a contract for its declarer: `doubled` is 0, 1 or 2."""

    vulnerable: bool
    level: int
    strain: Strain
    doubled: int
    tricks: Node


@interned
class Imps(Node):
    """The international match points (IMPs) of a difference in score."""

    operand: Node


@interned
class Random(Node):
    """A random number from 0 to the operand minus 1, a new one for every deal.

    Equal nodes with a number, `draw`, are one draw in several places. Each occurrence of a node
    without a number is a draw of its own.
    """

    operand: Node
    draw: int | None = None

    def _starts_loose(self) -> bool:
        return self.draw is None


@interned
class Python(Node):
    """The value of a Python function of the deal."""

    function: Callable[[Deal], int]
    name: str


# Walks over graphs of nodes: the nodes below a node, its measure, and its shared draws.
#
# A node may occur in many places, and a chain of variables may be thousands of nodes deep. So no
# function here is recursive, and every walk visits each node once.


MAX_DEPTH = 200
"""The greatest depth of nested operators and functions in a text."""


def children(node: Node) -> list[Node]:
    """Return the children of a node, from left to right.

    >>> children(Or((Number(1), Number(2))))
    [Number(value=1), Number(value=2)]
    """
    return cast("list[Node]", list(node.below))


def distinct(*nodes: Node, stop: Callable[[Node], bool] | None = None) -> Iterator[Node]:
    """Yield every node of some graphs once, in the order of first occurrence, parents first.

    If `stop(node)` is true, the walk does not visit the children of that node.

    >>> [type(node).__name__ for node in distinct(Or((Negate(Number(1)), Number(1))))]
    ['Or', 'Negate', 'Number']
    """
    pending, seen = list(reversed(nodes)), set[int]()
    while pending:
        node = pending.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            if stop is None or not stop(node):
                pending += reversed(children(node))


def bottom_up(*nodes: Node, known: Callable[[Node], bool] | None = None) -> Iterator[Node]:
    """Yield every node of some graphs once, children before parents, from left to right.

    The walk omits a node if `known(node)` is true, and nodes that only occur below such nodes.

    >>> [type(node).__name__ for node in bottom_up(Or((Negate(Number(1)), Number(1))))]
    ['Number', 'Negate', 'Or']
    """
    pending, open_, done = list(reversed(nodes)), set[int](), set[int]()
    while pending:
        node = pending[-1]
        if id(node) in done or (id(node) not in open_ and known is not None and known(node)):
            pending.pop()
        elif id(node) in open_:
            pending.pop()
            done.add(id(node))
            yield node
        else:
            open_.add(id(node))
            pending += [child for child in reversed(children(node)) if id(child) not in done]


class Measure(NamedTuple):
    """What is known of a graph without a deal.

    `size` counts a node once for each of its places, as in the text without variables.
    `is_constant` is true if the value depends neither on the deal nor on `rnd`. `seats` are those
    that the value depends on: all of them for chance, tricks and Python. `tested` is the first kind
    of node for which the value can only be found deal by deal, None if there is none.
    """

    depth: int
    size: int
    is_constant: bool
    seats: frozenset[Seat]
    tested: type[Node] | None

    @property
    def reason(self) -> str | None:
        """Why a node must be tested deal by deal; None if no node below it is such a reason.

        >>> from pavcodec.constraints.language.parser import parse_expression
        >>> measure_of(parse_expression("hcp(north) > rnd(9)")).reason
        'rnd is tested deal by deal'
        """
        return None if self.tested is None else f"{_TESTED[self.tested]} is tested deal by deal"


_NO_SEATS, _ALL_SEATS = frozenset[Seat](), frozenset(Seat)

_TESTED: dict[type[Node], str] = {Random: "rnd", Tricks: "tricks", Python: "a Python function"}


def measure_of(node: Node) -> Measure:
    """Return the measure of a node, and store it in the node.

    >>> measure_of(Not(Not(Number(1))))
    Measure(depth=3, size=3, is_constant=True, seats=frozenset(), tested=None)
    """
    if node.measure is None:
        for part in bottom_up(node, known=lambda part: part.measure is not None):
            object.__setattr__(part, "measure", _measured(part))
    return cast("Measure", node.measure)


def _measured(node: Node) -> Measure:
    """Return the measure of a node whose children are measured."""
    below = [cast("Measure", child.measure) for child in children(node)]
    is_constant = isinstance(node, Number) if not below else not isinstance(node, Random)
    tested = type(node) if type(node) in _TESTED else None
    if tested is not None:
        seats = _ALL_SEATS
    elif isinstance(node, OfHand):
        seats = frozenset([node.seat])
    else:
        seats = _NO_SEATS.union(*(each.seats for each in below))
        tested = next((each.tested for each in below if each.tested is not None), None)
    return Measure(
        1 + max((each.depth for each in below), default=0),
        1 + sum(each.size for each in below),
        is_constant and all(each.is_constant for each in below),
        seats,
        tested,
    )


def name_draws(node: Node, name: Callable[[Random], int | None]) -> Node:
    """Return the node in which each `rnd` without a number has the number `name(rnd)`.

    If `name` returns None, the `rnd` stays without a number. A node has one number in all its
    places, and `name` is called from left to right.

    >>> name_draws(Random(Number(6)), lambda draw: 1)
    Random(operand=Number(value=6), draw=1)
    """
    if not node.is_loose:
        return node
    loose = [part for part in distinct(node) if isinstance(part, Random) and part.draw is None]
    names = {id(draw): name(draw) for draw in loose}
    renamed: dict[int, Node] = {}
    for part in bottom_up(node, known=lambda part: not part.is_loose):
        new: dict[str, object] = {}
        if names.get(id(part)) is not None:
            new["draw"] = names[id(part)]
        for key in map(str, part.__match_args__):
            value = getattr(part, key)
            if isinstance(value, Node) and id(value) in renamed:
                new[key] = renamed[id(value)]
            elif key == "parts":
                new[key] = tuple(renamed.get(id(each), each) for each in value)
        if new:
            renamed[id(part)] = replace(part, **new)
    return renamed.get(id(node), node)


def name_shared_draws(node: Node) -> Node:
    """Return the node in which each `rnd` that occurs in several places has an unused number.

    So one draw stays one draw after the expression was written as text and parsed again.

    >>> die = Random(Number(6))
    >>> name_shared_draws(Arithmetic("+", die, die)).left
    Random(operand=Number(value=6), draw=1)
    """
    if not node.is_loose:
        return node
    places = _places(node)
    draws = [part for part in distinct(node) if isinstance(part, Random)]
    free = count_from(1 + max(draw.draw or 0 for draw in draws))
    shared = [draw for draw in draws if draw.draw is None and places[id(draw)] > 1]
    names = {id(draw): next(free) for draw in shared}
    return name_draws(node, lambda draw: names.get(id(draw))) if names else node


def _places(node: Node) -> Counter[int]:
    """Count the places of each node with loose draws; the keys are identities of nodes."""
    loose = [*bottom_up(node, known=lambda part: not part.is_loose)]
    places = Counter({id(node): 1})
    for part in reversed(loose):  # parents first
        for child in children(part):
            places[id(child)] += places[id(part)]
    return places


# Conditions joined by `and` and `or`.


_MANY_PARTS, _MOST_PARTS = 10_000, 100_000
"""The number of joined parts above which repeated parts are removed, and the greatest number."""


def conjunction(parts: Sequence[Node]) -> Node:
    """Join conditions by `and`, `1` for none; the parts of an `And` become parts of the result.

    If there are more than 10,000 parts, repeated parts are removed. Raises `PavError` if more than
    100,000 parts remain.

    >>> conjunction([And((Number(1), Number(2))), Number(3)])
    And(parts=(Number(value=1), Number(value=2), Number(value=3)))
    """
    flat = _flat(And, parts) or [Number(1)]
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def disjunction(parts: Sequence[Node]) -> Node:
    """Join conditions by `or`, as `conjunction` does by `and`."""
    flat = _flat(Or, parts)
    return flat[0] if len(flat) == 1 else Or(tuple(flat))


def _flat(join: type[And | Or], parts: Sequence[Node]) -> list[Node]:
    """Return the parts, with each `join` node replaced by its own parts.

    If each variable of a script joins the variable before it twice, the number of parts doubles
    with every line. A repeated part does not change the value, unless it contains a loose draw, so
    the function removes repeated parts of a long list.
    """
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, join) else (part,))
    if len(flat) > _MANY_PARTS:
        first = {id(part): index for index, part in reversed([*enumerate(flat)])}
        flat = [p for index, p in enumerate(flat) if p.is_loose or first[id(p)] == index]
    if len(flat) > _MOST_PARTS:
        raise PavError(f"more than {_MOST_PARTS} conditions in a row")
    return flat


def parts_of(condition: Node) -> tuple[Node, ...]:
    """Return the conditions that `&&` joins, without constants that are true.

    >>> parts_of(And((Number(1), Number(0))))
    (Number(value=0),)
    """
    parts = condition.parts if isinstance(condition, And) else (condition,)
    return tuple(part for part in parts if not (isinstance(part, Number) and part.value))


# Weights: functions of a deal whose values are fractions of 0 or more.
#
# A weight is the value of an expression, or a table: a fraction for some values of an expression,
# and one for all other values. A deal is weighted by the product of its weights.


class Entry(NamedTuple):
    """The weight of the values from `low` to `high`; None is no limit."""

    low: int | None
    high: int | None
    weight: Fraction

    def has(self, value: int) -> bool:
        """Return whether the entry is the one of a value."""
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)

    def meets(self, other: Entry) -> bool:
        """Return whether a value has both entries."""
        return not any(
            one.high is not None and two.low is not None and one.high < two.low
            for one, two in ((self, other), (other, self))
        )


@dataclass(frozen=True)
class Weight:
    """A factor of the weight of a deal: `of` the value that `number` has for the deal.

    Without `entries` the weight is the value itself. With them, it is the weight of the entry that
    has the value, or `otherwise`. `text` is the notation of the language.

    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> some = (Entry(12, 14, Fraction(1)), Entry(15, None, Fraction(1, 2)))
    >>> weight = Weight(parse_expression("hcp(north)"), some)
    >>> [str(weight.of(value)) for value in (11, 12, 14, 37)]
    ['0', '1', '1', '1/2']
    """

    number: Node
    entries: tuple[Entry, ...] | None = None
    otherwise: Fraction = Fraction(0)
    text: str = field(default="", compare=False)

    @classmethod
    def constant(cls, share: Fraction) -> Weight:
        """Return the weight that is equal for all deals.

        >>> Weight.constant(Fraction(1, 3)).text
        '1/3'
        """
        if share.denominator == 1:
            return cls(Number(share.numerator), text=str(share))
        return cls(Number(1), (Entry(1, 1, share),), text=str(share))

    def of(self, value: int) -> Fraction:
        """Return the weight of a value of `number`; a value without a table may be negative."""
        if self.entries is None:
            return Fraction(value)
        return next((each.weight for each in self.entries if each.has(value)), self.otherwise)
