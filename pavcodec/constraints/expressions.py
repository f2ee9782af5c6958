"""The Python face of the language: operators and functions that build expressions.

>>> strength = hcp("north") + hcp("south")
>>> fit = (spades("north") + spades("south") >= 8) | (hearts("north") + hearts("south") >= 8)
>>> print((strength >= 25) & fit)  # doctest: +NORMALIZE_WHITESPACE
hcp(north) + hcp(south) >= 25
    && (spades(north) + spades(south) >= 8 || hearts(north) + hearts(south) >= 8)
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from operator import index
from typing import NoReturn

from pavcodec.cards import SUIT_SIZE, Card, Seat, Suit
from pavcodec.constraints.build import conjunction, disjunction, parts_of
from pavcodec.constraints.format import format_node
from pavcodec.constraints.holdings import SmallHolding
from pavcodec.constraints.parser import parse_condition, parse_expression
from pavcodec.constraints.syntax import (
    Arithmetic,
    Cccc,
    Choice,
    Comparison,
    HasCard,
    Holding,
    InShapes,
    Length,
    Losers,
    Negate,
    Node,
    Not,
    Number,
    Python,
    Quality,
)
from pavcodec.constraints.trees import Measure, Measures, name_shared_draws
from pavcodec.constraints.vocabulary import POINTS, SUITS, canonical, card_sum
from pavcodec.errors import ConstraintWarning, PavError, suggest
from pavcodec.layout import Deal, Layout
from pavcodec.shapes import SHAPES, parse_shapes

__all__ = [
    "Expression",
    "aces",
    "c13",
    "cccc",
    "clubs",
    "condition",
    "controls",
    "diamonds",
    "expression",
    "hascard",
    "hcp",
    "hearts",
    "holding",
    "jacks",
    "kings",
    "losers",
    "points",
    "quality",
    "queens",
    "shape",
    "spades",
    "template",
    "tens",
    "top2",
    "top3",
    "top4",
    "top5",
]


class Expression:
    """A number or a condition that depends on a deal; operators make new ones.

    `+ - * // %` and comparisons mean what they mean in the language: division truncates towards 0,
    and a remainder has the sign of the left side. `&`, `|` and `~` are and, or and not; they bind
    more tightly than comparisons, which therefore stand in parentheses. `node` is the tree, and
    `str` gives the text in the language. An `rnd` is drawn once for a deal wherever the Python
    variable that has it stands. Raises `PavError` for more than 200 operators within one another;
    chains of `&` and of `|` may be long.

    >>> test = (hcp("south") >= 15) & ~(spades("south") == 5)
    >>> print(test)
    hcp(south) >= 15 && !(spades(south) == 5)
    >>> expression(str(test)).node == test.node
    True
    >>> die = expression("rnd(6)")
    >>> print((die == 1) | (die == 6))
    rnd(6, 1) == 1 || rnd(6, 1) == 6
    """

    __slots__ = ("_measure", "_tree")
    _tree: Node
    """The tree as it was put together: a draw in several places is one node in several places."""
    _measure: Measure

    def __init__(self, node: Node) -> None:
        if not isinstance(node, Node):
            raise TypeError(f"an Expression holds a node, not {type(node).__name__!r}")
        self._keep(node, Measures().of(node))

    def _keep(self, tree: Node, measure: Measure) -> None:
        if measure.excess:
            raise PavError(f"an expression with {measure.excess}")
        object.__setattr__(self, "_tree", tree)
        object.__setattr__(self, "_measure", measure)

    @classmethod
    def _above(cls, tree: Node, *below: Measure) -> Expression:
        """Make an expression of others without measuring them again."""
        made = object.__new__(cls)
        made._keep(tree, Measure.above(tree, below))
        return made

    @property
    def node(self) -> Node:
        """The tree, in which draws that stand in several places have numbers."""
        tree = self._tree
        return name_shared_draws(tree) if self._measure.has_loose_draws else tree

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The parts that all have to hold; none for a condition that always does.

        >>> [str(part) for part in ((hcp("north") > 12) & (spades("north") >= 5)).parts]
        ['hcp(north) > 12', 'spades(north) >= 5']
        """
        return tuple(map(Expression, parts_of(self.node)))

    def then(self, yes: Expression | int, no: Expression | int) -> Expression:
        """Return the expression that is one value where this is true, else another.

        >>> print((spades("north") >= 5).then(1, 0) + hcp("north"))
        (spades(north) >= 5 ? 1 : 0) + hcp(north)
        """
        one, other = _expression(yes), _expression(no)
        tree = Choice(self._tree, one._tree, other._tree)
        return Expression._above(tree, self._measure, one._measure, other._measure)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("an Expression cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("an Expression cannot be changed")

    def __reduce__(self) -> tuple[object, tuple[Node]]:
        return Expression, (self._tree,)

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "an expression is neither true nor false without a deal; write (a) & (b), (a) | (b), "
            "~(a) for and, or, not, and (low <= a) & (a <= high) for low <= a <= high"
        )

    def __str__(self) -> str:
        return format_node(self.node)

    def __repr__(self) -> str:
        return f"expression({str(self)!r})"

    def __add__(self, other: Expression | int) -> Expression:
        return _arithmetic("+", self, other)

    def __radd__(self, other: int) -> Expression:
        return _arithmetic("+", other, self)

    def __sub__(self, other: Expression | int) -> Expression:
        return _arithmetic("-", self, other)

    def __rsub__(self, other: int) -> Expression:
        return _arithmetic("-", other, self)

    def __mul__(self, other: Expression | int) -> Expression:
        return _arithmetic("*", self, other)

    def __rmul__(self, other: int) -> Expression:
        return _arithmetic("*", other, self)

    def __floordiv__(self, other: Expression | int) -> Expression:
        return _arithmetic("/", self, other)

    def __rfloordiv__(self, other: int) -> Expression:
        return _arithmetic("/", other, self)

    def __mod__(self, other: Expression | int) -> Expression:
        return _arithmetic("%", self, other)

    def __rmod__(self, other: int) -> Expression:
        return _arithmetic("%", other, self)

    def __neg__(self) -> Expression:
        if isinstance(self._tree, Number):
            return Expression(Number(-self._tree.value))
        return Expression._above(Negate(self._tree), self._measure)

    def __eq__(self, other: Expression | int) -> Expression:  # type: ignore[override]
        return _comparison("==", self, other)

    def __ne__(self, other: Expression | int) -> Expression:  # type: ignore[override]
        return _comparison("!=", self, other)

    def __lt__(self, other: Expression | int) -> Expression:
        return _comparison("<", self, other)

    def __le__(self, other: Expression | int) -> Expression:
        return _comparison("<=", self, other)

    def __gt__(self, other: Expression | int) -> Expression:
        return _comparison(">", self, other)

    def __ge__(self, other: Expression | int) -> Expression:
        return _comparison(">=", self, other)

    __hash__ = None  # type: ignore[assignment]  # equality builds an expression

    def __and__(self, other: Expression | int) -> Expression:
        return _logic(conjunction, self, other)

    def __rand__(self, other: int) -> Expression:
        return _logic(conjunction, other, self)

    def __or__(self, other: Expression | int) -> Expression:
        return _logic(disjunction, self, other)

    def __ror__(self, other: int) -> Expression:
        return _logic(disjunction, other, self)

    def __invert__(self) -> Expression:
        return Expression._above(Not(self._tree), self._measure)


def _expression(value: object) -> Expression:
    """Return an expression as it is, or that of an integer."""
    if isinstance(value, Expression):
        return value
    try:
        return Expression(Number(index(value)))  # type: ignore[arg-type]
    except TypeError:
        kind = type(value).__name__
        raise TypeError(f"an expression goes with expressions and integers, not {kind!r}") from None


def _arithmetic(operator: str, left: object, right: object) -> Expression:
    one, other = _expression(left), _expression(right)
    if operator in "/%" and other._tree == Number(0):
        raise PavError("division by 0")
    tree = Arithmetic(operator, one._tree, other._tree)
    return Expression._above(tree, one._measure, other._measure)


def _comparison(operator: str, left: object, right: object) -> Expression:
    one, other = _expression(left), _expression(right)
    tree = Comparison(operator, one._tree, other._tree)
    return Expression._above(tree, one._measure, other._measure)


def _logic(join: Callable[[list[Node]], Node], left: object, right: object) -> Expression:
    """Join two conditions; a chain of them stays flat, so that it may be long."""
    pair = _expression(left), _expression(right)
    tree = join([one._tree for one in pair])
    measures = [
        one._measure.without_top if type(one._tree) is type(tree) else one._measure for one in pair
    ]
    return Expression._above(tree, *measures)


def expression(value: Expression | Node | str | int) -> Expression:
    """Return an expression as it is, or the one that a text, a node or an integer says.

    A text that may mean something else than it seems to gives a `ConstraintWarning`.

    >>> print(expression("hcp(north)>=12 and 1"))
    hcp(north) >= 12 && 1
    """
    if isinstance(value, str):
        return Expression(parse_expression(value, warn=_warn))
    return Expression(value) if isinstance(value, Node) else _expression(value)


def condition_of(where: Expression | Node | str | int) -> Expression:
    """Return what `expression` does; of a text that is the same for all deals, warn as well."""
    if isinstance(where, str):
        return Expression(parse_condition(where, warn=_warn))
    return expression(where)


def _warn(reason: str) -> None:
    """Warn whoever called into the package."""
    frame, level = sys._getframe(), 1
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("pavcodec."):
        frame, level = frame.f_back, level + 1
    warnings.warn(reason, ConstraintWarning, stacklevel=level)


def condition(function: Callable[[Deal], int]) -> Expression:
    """Return what a Python function says of the deal, as an expression; also a decorator.

    >>> @condition
    ... def void_somewhere(deal):
    ...     return any(0 in hand.shape for hand in deal)
    >>> print(void_somewhere & (hcp("north") > 12))
    <void_somewhere> && hcp(north) > 12
    """
    if not callable(function):
        raise TypeError(f"condition takes a function, not {type(function).__name__!r}")
    return Expression(Python(function, getattr(function, "__name__", type(function).__name__)))


SeatLike = Seat | int | str
SuitLike = Suit | int | str


def _seat(seat: SeatLike) -> Seat:
    return Seat.parse(seat) if isinstance(seat, str) else Seat(index(seat))


def _suit(suit: SuitLike) -> Suit:
    """Return the suit of a member, a number, a name or a letter."""
    if not isinstance(suit, str):
        return Suit(index(suit))
    word = canonical(suit.strip())
    for name, member in SUITS.items():
        if word in (name, name[0]):
            return member
    raise suggest("suit", suit, list(SUITS))


def _maybe_suit(suit: SuitLike | None) -> Suit | None:
    return None if suit is None else _suit(suit)


def points(seat: SeatLike, worth: str | Iterable[int], suit: SuitLike | None = None) -> Expression:
    """Return the sum of what cards are worth, ace first, as text or as integers.

    >>> print(points("north", "6 4 2 1 1", "spades"), "and", points("north", [4, 3, 2, 1]))
    points(north, spades, 6 4 2 1 1) and hcp(north)
    """
    values = [int(word) for word in (worth.split() if isinstance(worth, str) else worth)]
    if not 1 <= len(values) <= SUIT_SIZE:
        raise PavError(f"points are 1 to {SUIT_SIZE} numbers, ace first, not {len(values)}")
    return Expression(card_sum(_seat(seat), _maybe_suit(suit), values))


def hcp(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count high-card points: ace 4, king 3, queen 2, jack 1.

    >>> print(hcp("n") >= 12, hcp(Seat.SOUTH, "hearts"))
    hcp(north) >= 12 hcp(south, hearts)
    """
    return points(seat, POINTS["hcp"], suit)


def controls(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count controls: ace 2, king 1."""
    return points(seat, POINTS["controls"], suit)


def aces(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the aces."""
    return points(seat, POINTS["aces"], suit)


def kings(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the kings."""
    return points(seat, POINTS["kings"], suit)


def queens(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the queens."""
    return points(seat, POINTS["queens"], suit)


def jacks(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the jacks."""
    return points(seat, POINTS["jacks"], suit)


def tens(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the tens."""
    return points(seat, POINTS["tens"], suit)


def top2(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the aces and kings."""
    return points(seat, POINTS["top2"], suit)


def top3(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the aces, kings and queens."""
    return points(seat, POINTS["top3"], suit)


def top4(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the aces, kings, queens and jacks."""
    return points(seat, POINTS["top4"], suit)


def top5(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the cards from the ace to the ten."""
    return points(seat, POINTS["top5"], suit)


def c13(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count the points of which a suit has 13: ace 6, king 4, queen 2, jack 1."""
    return points(seat, POINTS["c13"], suit)


def losers(seat: SeatLike, suit: SuitLike | None = None) -> Expression:
    """Count losing tricks, in one suit or in all."""
    return Expression(Losers(_seat(seat), _maybe_suit(suit)))


def quality(seat: SeatLike, suit: SuitLike) -> Expression:
    """Return the suit quality of the Bridge World, October 1982, times 100."""
    return Expression(Quality(_seat(seat), _suit(suit)))


def holding(seat: SeatLike, suit: SuitLike, cards: str) -> Expression:
    """Tell whether a seat holds these cards of a suit and no others; x is a small card.

    >>> print(holding("west", "hearts", "KJxx"), "or", holding("west", "hearts", "void"))
    holding(west, hearts, KJxx) or holding(west, hearts, void)
    """
    return Expression(Holding(_seat(seat), _suit(suit), SmallHolding.parse(cards)))


def cccc(seat: SeatLike) -> Expression:
    """Return the hand evaluation of the Bridge World, October 1982, times 100."""
    return Expression(Cccc(_seat(seat)))


def spades(seat: SeatLike) -> Expression:
    """Count the spades."""
    return Expression(Length(_seat(seat), Suit.SPADES))


def hearts(seat: SeatLike) -> Expression:
    """Count the hearts."""
    return Expression(Length(_seat(seat), Suit.HEARTS))


def diamonds(seat: SeatLike) -> Expression:
    """Count the diamonds."""
    return Expression(Length(_seat(seat), Suit.DIAMONDS))


def clubs(seat: SeatLike) -> Expression:
    """Count the clubs."""
    return Expression(Length(_seat(seat), Suit.CLUBS))


def shape(seat: SeatLike, shapes: str | Iterable[tuple[int, int, int, int]]) -> Expression:
    """Tell whether a seat's lengths are among some shapes, given as a list or one by one.

    >>> print(shape("south", "any 4333 + any 4432"), "/", shape("south", [(5, 3, 3, 2)]))
    shape(south, any 4333 + any 4432) / shape(south, 5332)
    """
    found = parse_shapes(shapes) if isinstance(shapes, str) else _checked(shapes)
    return Expression(InShapes(_seat(seat), found))


def template(layout: Layout) -> Expression:
    """Tell whether all cards of a layout are where the layout has them; the others may be anywhere.

    >>> from pavcodec import Layout, deals
    >>> ending = Layout.from_pbn("N:AK... .Q.. - -")
    >>> print(template(ending))
    hascard(north, AS) && hascard(north, KS) && hascard(east, QH)
    >>> deals(template(ending) & (hcp("north") >= 20)).cardinality
    56879461619596776073536000
    """
    held = [(Seat(owner), card) for card, owner in enumerate(layout.owners) if owner < len(Seat)]
    if not held:
        return Expression(Number(1))
    return Expression(conjunction([HasCard(seat, Card(card)) for seat, card in held]))


def _checked(shapes: Iterable[tuple[int, int, int, int]]) -> frozenset[tuple[int, int, int, int]]:
    found = frozenset(shapes)
    wrong = found - set(SHAPES)
    if wrong:
        raise PavError(f"a shape is four lengths that sum to 13, not {min(wrong)!r}")
    return found


def hascard(seat: SeatLike, card: Card | int | str) -> Expression:
    """Tell whether a seat holds a card, given as a `Card` or as text such as SA or AS.

    >>> print(hascard("east", "DA") & hascard("west", "TC"))
    hascard(east, AD) && hascard(west, TC)
    """
    if not isinstance(card, str):
        return Expression(HasCard(_seat(seat), Card(card)))
    word = card.strip().upper()
    is_rank_first = word[-1:] in ("S", "H", "D", "C")
    return Expression(
        HasCard(_seat(seat), Card.parse(word[-1] + word[:-1] if is_rank_first else word))
    )
