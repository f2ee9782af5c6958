"""What an expression is in Python: a tree, and operators that make new ones."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, NoReturn, SupportsIndex

from pavcodec.constraints.language.build import MOST_PARTS, conjunction, disjunction, parts_of
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    Choice,
    Comparison,
    Negate,
    Node,
    Not,
    Number,
    Or,
)
from pavcodec.constraints.nodes.trees import name_shared_draws
from pavcodec.errors import PavError
from pavcodec.sampling import Seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pavcodec.constraints.evaluation.double_dummy import Solver

__all__ = ["Expression", "expression_of"]


class Expression:
    """A number or a condition that depends on a deal; operators make new ones.

    `+ - * // %` and comparisons mean what they mean in the language: division truncates towards 0,
    and a remainder has the sign of the left side. `&`, `|` and `~` are and, or and not; they bind
    more tightly than comparisons, which therefore stand in parentheses. `node` is the tree, and
    `str` gives the text in the language. An `rnd` is drawn once for a deal wherever the Python
    variable that has it stands. Expressions may be built on each other without end; raises
    `PavError` for more than 100,000 conditions in one chain of `&` or `|`.

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

    __slots__ = ("_chain", "_made")
    _made: Node | None
    _chain: _Chain | None
    """What `_made` will join, as long as nothing has read it."""

    def __init__(self, node: Node) -> None:
        if not isinstance(node, Node):
            raise TypeError(f"an Expression holds a node, not {type(node).__name__!r}")
        object.__setattr__(self, "_made", node)
        object.__setattr__(self, "_chain", None)

    @property
    def _tree(self) -> Node:
        """The node without numbers of draws: a draw in several places is one node there."""
        if self._made is None:
            assert self._chain is not None
            object.__setattr__(self, "_made", self._chain.node())
            object.__setattr__(self, "_chain", None)
        return self._made  # type: ignore[return-value]

    @property
    def node(self) -> Node:
        """The node, in which draws that stand in several places have numbers."""
        return name_shared_draws(self._tree)

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The parts that all have to hold; none for a condition that always does.

        >>> from pavcodec.constraints.expressions import hcp, spades
        >>> [str(part) for part in ((hcp("north") > 12) & (spades("north") >= 5)).parts]
        ['hcp(north) > 12', 'spades(north) >= 5']
        """
        return tuple(map(Expression, parts_of(self.node)))

    def then(self, yes: Expression | int, no: Expression | int) -> Expression:
        """Return the expression that is one value where this is true, else another.

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
        """Return the values for many layouts at once: `uint8[n, 52]` to `int64[n]`.

        Row k is what `pavcodec.constraints.evaluation.evaluate` gives for the layout of the owners
        in row k, conditions being 1 or 0. `rnd` draws by the seed, for row k what it draws for
        sample `start` + k; without a seed, by a fresh one. `tricks` solves for `tricks`. The work
        is shared among `threads`, by default one for each processor; what asks chance, tricks or
        Python is done in one, row after row. Raises `LayoutError` for owners that are none and
        `PavError` for a division by 0, with the first row that has it, `NumberError` for a value
        that 64 bits do not hold, and `TypeError` for another array.

        >>> from pavcodec import numbering
        >>> from pavcodec.constraints.expressions import hcp, spades
        >>> owners = numbering("deal").sample_many(6, seed=7)
        >>> hcp("north").values(owners), (spades("north") >= 5).values(owners)
        (array([10, 15, 15,  8,  7,  9]), array([0, 0, 0, 1, 0, 0]))
        """
        from pavcodec.constraints.arrays.evaluate import values_of

        return values_of(self.node, owners, seed=seed, start=start, tricks=tricks, threads=threads)

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
        return Expression(Negate(self._tree))

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
        return _logic(And, self, other)

    def __rand__(self, other: int) -> Expression:
        return _logic(And, other, self)

    def __or__(self, other: Expression | int) -> Expression:
        return _logic(Or, self, other)

    def __ror__(self, other: int) -> Expression:
        return _logic(Or, other, self)

    def __invert__(self) -> Expression:
        return Expression(Not(self._tree))


def expression_of(value: object) -> Expression:
    """Return an expression as it is, or that of an integer."""
    if isinstance(value, Expression):
        return value
    try:
        return Expression(Number(index(value)))  # type: ignore[arg-type]
    except TypeError:
        kind = type(value).__name__
        raise TypeError(f"an expression goes with expressions and integers, not {kind!r}") from None


def _arithmetic(operator: str, left: object, right: object) -> Expression:
    one, other = expression_of(left), expression_of(right)
    if operator in "/%" and other._tree == Number(0):
        raise PavError("division by 0")
    return Expression(Arithmetic(operator, one._tree, other._tree))


def _comparison(operator: str, left: object, right: object) -> Expression:
    one, other = expression_of(left), expression_of(right)
    return Expression(Comparison(operator, one._tree, other._tree))


_LONG = 64
"""The parts from which on joining them again and again takes long."""


@dataclass(frozen=True, slots=True)
class _Chain:
    """Two conditions that `&` or `|` joins, and whose node nothing has read.

    A node of many parts is a flat tuple. So that a loop of `condition &= part` takes linear time, a
    chain becomes a node only when its new parts are as many as those of its largest node.
    """

    kind: type[And | Or]
    sides: tuple[Expression, Expression]
    parts: int
    largest: int
    """The parts of the largest node in the chain."""

    @classmethod
    def of(cls, kind: type[And | Or], sides: tuple[Expression, Expression]) -> _Chain:
        """Return the chain of two sides; those that another operator joins become nodes."""
        parts = largest = 0
        for side in sides:
            chain = side._chain
            if chain is not None and chain.kind is kind:
                parts, largest = parts + chain.parts, max(largest, chain.largest)
            else:
                tree = side._tree
                here = len(tree.parts) if isinstance(tree, kind) else 1
                parts, largest = parts + here, max(largest, here)
        return cls(kind, sides, parts, largest)

    @property
    def is_due(self) -> bool:
        """Whether the chain is to become a node now, which also checks a very long one."""
        return self.parts >= 2 * self.largest or self.parts > MOST_PARTS

    def node(self) -> Node:
        """Join all conditions of the chain."""
        found: list[Node] = []
        pending = list(reversed(self.sides))
        while pending:
            side = pending.pop()
            chain = side._chain
            if chain is not None and chain.kind is self.kind:
                pending += reversed(chain.sides)
            else:
                found.append(side._tree)
        return conjunction(found) if self.kind is And else disjunction(found)


def _is_short(side: Expression) -> bool:
    node = side._made
    return node is not None and (not isinstance(node, And | Or) or len(node.parts) < _LONG)


def _logic(kind: type[And | Or], left: object, right: object) -> Expression:
    """Join two conditions; a chain of them stays flat, so that it may be long."""
    one, other = expression_of(left), expression_of(right)
    if _is_short(one) and _is_short(other):
        join = conjunction if kind is And else disjunction
        return Expression(join([one._tree, other._tree]))
    chain = _Chain.of(kind, (one, other))
    if chain.is_due:
        return Expression(chain.node())
    joined = object.__new__(Expression)
    object.__setattr__(joined, "_made", None)
    object.__setattr__(joined, "_chain", chain)
    return joined
