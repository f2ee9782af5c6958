"""The class `Expression`: a node with Python operators that build new expressions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import index
from typing import TYPE_CHECKING, NoReturn, SupportsIndex

from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.syntax import (
    Arithmetic,
    Choice,
    Comparison,
    Negate,
    Node,
    Not,
    Number,
    conjunction,
    disjunction,
    name_shared_draws,
    parts_of,
)
from pavcodec.errors import PavError, shown
from pavcodec.layout import Layout
from pavcodec.layout.layout import check_layout
from pavcodec.sampling import Seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pavcodec.solving.double_dummy import Solver


_LARGEST = 1 << 128
"""The largest integer of Python in an expression; the language has numbers of 18 digits."""


_Operator = Callable[["Expression", "Expression | int"], "Expression"]


def _binary(make: Callable[[Node, Node], Node]) -> tuple[_Operator, _Operator]:
    """Return the methods of an operator: with the expression on the left, and on the right."""

    def left(self: Expression, other: Expression | int) -> Expression:
        return Expression(make(self._tree, expression_of(other)._tree))

    def right(self: Expression, other: Expression | int) -> Expression:
        return Expression(make(expression_of(other)._tree, self._tree))

    return left, right


def _arithmetic(operator: str) -> tuple[_Operator, _Operator]:
    def make(left: Node, right: Node) -> Node:
        if operator in "/%" and right == Number(0):
            raise PavError("division by 0")
        return Arithmetic(operator, left, right)

    return _binary(make)


def _comparison(operator: str) -> _Operator:
    return _binary(partial(Comparison, operator))[0]


def _logic(join: Callable[[list[Node]], Node]) -> tuple[_Operator, _Operator]:
    """Return the methods that join two conditions; a chain stays flat, so it may be long."""
    return _binary(lambda left, right: join([left, right]))


class Expression:
    """A number or a condition that depends on a deal; operators build new expressions.

    `+ - * // %` and comparisons have the same meaning as in the language: division truncates
    towards 0, and a remainder has the sign of the left side. `&`, `|` and `~` are and, or and not.
    They bind more tightly than comparisons, so write each comparison in parentheses. `node` is the
    root of the tree, and `str` returns the text in the language. A Python variable that holds an
    `rnd` has one value for each deal, in every place where an expression uses the variable. The
    depth of expressions has no limit. Raises `PavError` for more than 100,000 conditions in one
    chain of `&` or `|`.

    >>> from pavcodec.constraints.expressions import expression, hcp, spades
    >>> test = (hcp("south") >= 15) & ~(spades("south") == 5)
    >>> print(test)
    hcp(south) >= 15 && !(spades(south) == 5)
    >>> expression(str(test)).node == test.node
    True
    >>> die = expression("rnd(6)")
    >>> print((die == 1) | (die == 6))
    rnd(6, 1) == 1 || rnd(6, 1) == 6
    """

    __slots__ = ("_tree",)
    _tree: Node
    """The node without numbers of draws: a draw in several places is one node in all of them."""

    def __init__(self, node: Node) -> None:
        if not isinstance(node, Node):
            raise TypeError(f"an Expression holds a node, not {type(node).__name__!r}")
        object.__setattr__(self, "_tree", node)

    @property
    def node(self) -> Node:
        """The node; each `rnd` that occurs in several places has a number."""
        return name_shared_draws(self._tree)

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The conditions that `&&` joins; an empty tuple for a constant that is true.

        >>> from pavcodec.constraints.expressions import hcp, spades
        >>> [str(part) for part in ((hcp("north") > 12) & (spades("north") >= 5)).parts]
        ['hcp(north) > 12', 'spades(north) >= 5']
        """
        return tuple(map(Expression, parts_of(self.node)))

    def then(self, yes: Expression | int, no: Expression | int) -> Expression:
        """Return an expression: `yes` for deals where this condition is true, otherwise `no`.

        >>> from pavcodec.constraints.expressions import hcp, spades
        >>> print((spades("north") >= 5).then(1, 0) + hcp("north"))
        (spades(north) >= 5 ? 1 : 0) + hcp(north)
        """
        one, other = expression_of(yes), expression_of(no)
        return Expression(Choice(self._tree, one._tree, other._tree))

    def values(
        self,
        owners: NDArray[np.uint8],
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
        tricks: Solver | None = None,
        threads: SupportsIndex | None = None,
    ) -> NDArray[np.int64]:
        """Return the values for many layouts: `uint8[n, 52]` to `int64[n]`.

        Value k is the result of `pavcodec.constraints.evaluation` for the layout in row k
        of `owners`; a condition has the value 1 or 0. With a `seed`, `rnd` in row k draws the same
        number as in sample `start` + k. Without a seed, the function makes a new one. `tricks` is
        the solver for `tricks(…)`. Several `threads` share the work, by default one for each
        processor; one thread evaluates expressions with `tricks` or a Python function. Raises
        `LayoutError` for a row that is not a layout, `PavError` for a division by 0 (the message
        names the first such row), `NumberError` for a value that does not fit in 64 bits, and
        `TypeError` for an array of another type or shape.

        >>> from pavcodec import numbering
        >>> from pavcodec.constraints.expressions import hcp, spades
        >>> owners = numbering("deal").sample_many(6, seed=7)
        >>> hcp("north").values(owners), (spades("north") >= 5).values(owners)
        (array([10, 15, 15,  8,  7,  9]), array([0, 0, 0, 1, 0, 0]))
        """
        from pavcodec.constraints.columns import values_of

        return values_of(self.node, owners, seed=seed, start=start, tricks=tricks, threads=threads)

    def value(self, layout: Layout) -> int:
        """Return the value for one layout, 1 or 0 for a condition.

        >>> from pavcodec import numbering
        >>> from pavcodec.constraints.expressions import hcp
        >>> deal = numbering("deal")[0]
        >>> hcp("north").value(deal), (hcp("north") > 10).value(deal)
        (10, 0)
        """
        from pavcodec.constraints.evaluation import evaluate

        check_layout(layout)
        return int(evaluate(self.node, layout))

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

    __add__, __radd__ = _arithmetic("+")
    __sub__, __rsub__ = _arithmetic("-")
    __mul__, __rmul__ = _arithmetic("*")
    __floordiv__, __rfloordiv__ = _arithmetic("/")
    __mod__, __rmod__ = _arithmetic("%")
    __and__, __rand__ = _logic(conjunction)
    __or__, __ror__ = _logic(disjunction)
    __eq__ = _comparison("==")  # type: ignore[assignment]
    __ne__ = _comparison("!=")  # type: ignore[assignment]
    __lt__ = _comparison("<")
    __le__ = _comparison("<=")
    __gt__ = _comparison(">")
    __ge__ = _comparison(">=")
    __hash__ = None  # type: ignore[assignment]  # equality builds an expression

    def __neg__(self) -> Expression:
        if isinstance(self._tree, Number):
            return Expression(Number(-self._tree.value))
        return Expression(Negate(self._tree))

    def __invert__(self) -> Expression:
        return Expression(Not(self._tree))


def expression_of(value: object) -> Expression:
    """Return an expression unchanged, or the expression of an integer.

    Raises `TypeError` for any other value, and `PavError` for an integer above 2^128.
    """
    if isinstance(value, Expression):
        return value
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        kind = type(value).__name__
        hint = ""
        if callable(value):
            hint = "; pavcodec.constraints.expressions.condition makes one of a function"
        raise TypeError(f"expected an expression or an integer, not {kind!r}{hint}") from None
    if abs(number) > _LARGEST:
        raise PavError(f"a number in a condition is at most 2^128, not {shown(number)}")
    return Expression(Number(number))
