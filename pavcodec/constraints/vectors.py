"""Vectors: the values of expressions for many layouts at once, computed with arrays.

`evaluation` defines the value of an expression, and a *vector* computes the same values for the
rows of a chunk. Rule 1: the functions of a hand are tables by holding and by shape, computed from
their definitions in `pavcodec.layout.hand`. Rule 2: each vector has bounds of its values, which
give the width of the integers in an array. A number whose values may not fit in 64 bits has no
vector; a condition on such numbers is asked of the evaluation of each row. Rule 3: `rnd`, `tricks`
and Python functions are worked *by row*: only for the rows for which the value depends on them, in
the order of the definition. So each row draws, solves and calls what its evaluation would. Rule 4:
where `evaluation` raises an error, a vector marks the row, and an operator copies the marks of
those operands that `evaluation` would evaluate. The evaluation of that row raises the error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, partial
from itertools import product
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from pavcodec.boards.batch import owners_of
from pavcodec.boards.par import imps
from pavcodec.cards import SUIT_SIZE, Seat, Suit
from pavcodec.constraints.evaluation import Evaluation, kinds_in, score_of
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    Choice,
    Comparison,
    Imps,
    Negate,
    Node,
    Not,
    Number,
    OfHand,
    Or,
    Par,
    Python,
    Random,
    Scaled,
    Score,
    Tricks,
    bottom_up,
    children,
    distinct,
)
from pavcodec.errors import PavError
from pavcodec.layout.columns import (
    Holdings,
    Kind,
    SuitTable,
    holdings_of,
    lengths_values,
    narrowest,
    suit_values,
)
from pavcodec.layout.hand import LENGTH, OfLengths, SumOverSuits
from pavcodec.layout.layout import Layout, layout_from_owners
from pavcodec.sampling import Stream, draw_indexes
from pavcodec.solving.double_dummy import DoubleDummy, Solver

if TYPE_CHECKING:
    from pavcodec.arrays import Owners
    from pavcodec.layout import Deal

Values = NDArray[np.int64]
Truth = NDArray[np.bool_]
Places = NDArray[np.intp]

MOST = (1 << 63) - 1
"""The greatest absolute value of a number; so `abs` of every number fits in 64 bits."""

_MOST_ASKED = 1 << 40
"""The greatest absolute value of a function or of tricks for which no row is marked."""


# The operators of the language for arrays of `int64`: operands and results fit, no divisor is 0.


def _truncated(left: Values, right: Values) -> Values:
    """Divide and truncate towards 0, as C does."""
    quotient = np.abs(left) // np.abs(right)
    return np.where((left < 0) == (right < 0), quotient, -quotient)


ARITHMETIC: dict[str, Callable[[Values, Values], Values]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": _truncated,
    "%": lambda left, right: left - _truncated(left, right) * right,
}
"""Functions from two arrays to numbers; a remainder has the sign of the left operand."""

COMPARISONS: dict[str, Callable[[Values, Values], Any]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
"""Functions from two arrays to an array of bool."""


# Chunks of layouts: their holdings, and the evaluation of a row where it is needed.


_LENGTH_BITS = 4
_SPARSE = 64
"""The samples that the kernel draws in the time of one draw for a single sample."""


class Chunk:
    """Some layouts, `uint8[n, 52]`, with an evaluation for each row, which is begun when needed.

    `begin(row)` begins the evaluation of a row. Raises `LayoutError` for a row that is no layout
    where cards are needed; the message counts rows from `first`.

    >>> from pavcodec import numbering
    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> some = Chunk.of_seed(numbering("deal").sample_many(3, seed=7), seed=7)
    >>> [each.value(parse_expression("rnd(6)")) for each in some.evaluations()]
    [2, 3, 1]
    """

    def __init__(
        self, owners: Owners, begin: Callable[[int], Evaluation] | None = None, first: int = 0
    ) -> None:
        self.owners = owners
        self.kept: dict[Node, _Kept] = {}
        """The values that no row is asked for again."""
        self.asked = 0
        """The number of values that single rows were asked for."""
        self._solved: set[Tricks] = set()
        self._begin = begin
        self._first = first
        self.start = 0
        """The sample of the first row, if rows are samples of a seed."""
        self._stream: Stream | None = None
        self._solver: Solver | None = None
        self._layout_of: Callable[[bytes], Layout] = layout_from_owners
        self._drawn: NDArray[np.int32] | None = None  # how many numbers each row drew in arrays
        self._evaluations: dict[int, Evaluation] = {}
        self._shapes: dict[Seat, Values] = {}

    @classmethod
    def of_seed(  # noqa: PLR0913 (keywords)
        cls,
        owners: Owners,
        seed: int,
        start: int = 0,
        *,
        solver: Solver | None = None,
        first: int = 0,
        layout_of: Callable[[bytes], Layout] = layout_from_owners,
    ) -> Chunk:
        """Return a chunk in which `rnd` in row k draws as sample `start` + k of the seed."""
        chunk = cls(owners, None, first)
        chunk._layout_of = layout_of
        chunk._stream, chunk.start, chunk._solver = Stream(seed), start, solver
        return chunk

    @classmethod
    def of(cls, evaluations: Sequence[Evaluation]) -> Chunk:
        """Return the layouts of evaluations that have begun."""
        return cls(owners_of(each.deal for each in evaluations), evaluations.__getitem__)

    def __len__(self) -> int:
        return len(self.owners)

    @cached_property
    def holdings(self) -> Holdings:
        """The holding of each seat in each suit."""
        return holdings_of(self.owners, self._first)

    def check(self) -> None:
        """Raise `LayoutError` for the first row that is no layout."""
        self.holdings  # noqa: B018 (it checks the rows)

    def evaluation(self, row: int) -> Evaluation:
        """Return the evaluation of a row, with all values and draws that the row has so far."""
        begun = self._evaluations.get(row)
        if begun is None:
            begun = self._evaluations[row] = self.single(row)
        return begun

    def single(self, row: int) -> Evaluation:
        """Return an evaluation of a row that nobody draws by, so that it need not last."""
        begun = self._evaluations.get(row) or self._begun(row)
        for node, kept in self.kept.items():
            if kept.has[row]:
                begun.keep(node, int(kept.values[row]))
        return begun

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield an evaluation of each row in turn; the chunk does not keep it."""
        return map(self.single, range(len(self)))

    def again(self, row: int) -> Evaluation:
        """Begin the evaluation of a row again, without what the row has so far."""
        if self._drawn is not None:
            self._drawn[row] = 0
        return self._begun(row)

    def hold(self, row: int, evaluation: Evaluation) -> None:
        """Give a row its evaluation."""
        self._evaluations[row] = evaluation

    def pick(self, rows: Places | slice) -> Chunk:
        """Return a chunk of some rows, with their evaluations."""
        numbers = np.arange(len(self))[rows]
        return Chunk(self.owners[rows], lambda row: self.single(int(numbers[row])))

    def kept_of(self, node: Node, rows: Places) -> _Kept:
        """Return the values of a node so far, also those that the evaluations of some rows have."""
        if node not in self.kept:
            self.kept[node] = _Kept(len(self))
        kept = self.kept[node]
        for row in rows.tolist() if self._evaluations else ():
            begun = self._evaluations.get(row)
            value = None if begun is None or kept.has[row] else begun.known(node)
            if value is not None:
                kept.has[row], kept.values[row] = True, value
        return kept

    def layout(self, row: int) -> Layout:
        """Return the layout of a row."""
        if self._begin is not None:
            return self._begin(row).deal
        return self._layout_of(self.owners[row].tobytes())

    def _begun(self, row: int) -> Evaluation:
        if self._begin is not None:  # a method in its place would be a circle, and stay in memory
            return self._begin(row)
        layout = self.layout(row)
        if self._stream is None:
            return Evaluation(layout)
        drawn = 0 if self._drawn is None else int(self._drawn[row])
        chance = self._stream.chance(self.start + row, first=drawn)
        return Evaluation(layout, chance, self._solver)

    def look_up(self, table: LookUp, places: Places | None = None) -> NDArray[Any]:
        """Return the values of a function for the rows at `places`, or for all rows."""
        total = np.zeros(len(self) if places is None else len(places), table.kind)
        for suit, values in table.tables:
            held = self.holdings[table.seat, suit]
            total += values.take(held if places is None else held.take(places))
        if table.shapes is not None:
            shapes = self._shape(table.seat)
            total += table.shapes.take(shapes if places is None else shapes.take(places))
        return total

    def _shape(self, seat: Seat) -> Values:
        """Return the packed lengths of a seat."""
        if seat not in self._shapes:
            packed = np.zeros(len(self), np.int64)
            for suit in Suit:
                packed += _packed_lengths(suit).take(self.holdings[seat, suit])
            self._shapes[seat] = packed
        return self._shapes[seat]

    def draw(self, node: Random, rows: Places, bounds: Values) -> Values:
        """Return the next draw of each of some rows, below its bound; each draw is of its row."""
        if self._stream is None or self._evaluations:
            pairs = zip(rows.tolist(), bounds.tolist(), strict=True)
            return np.array([self.evaluation(row).draw(node, below) for row, below in pairs])
        if self._drawn is None:
            self._drawn = np.zeros(len(self), np.int32)
        values, before = np.empty(len(rows), np.int64), self._drawn[rows]
        for draw in np.unique(before).tolist():
            for below in np.unique(bounds[before == draw]).tolist():
                group = np.flatnonzero((before == draw) & (bounds == below))
                values[group] = self._drawn_below(below, draw, rows[group])
        self._drawn[rows] += 1
        return values

    def _drawn_below(self, below: int, draw: int, rows: Places) -> Values:
        """Return a draw of some rows: the kernel draws for all samples between them."""
        stream, first = self._stream, int(rows[0])
        assert stream is not None
        count = int(rows[-1]) + 1 - first
        if count > _SPARSE * len(rows):
            samples = (self.start + row for row in rows.tolist())
            return np.array([stream.chance(k, first=draw)(below) for k in samples], np.int64)
        drawn = draw_indexes(stream.seed, self.start + first, count, below, substream=draw)
        return drawn[:, 1].take(rows - first).astype(np.int64)

    def solve(self, contracts: Iterable[Tricks], rows: Places) -> None:
        """Solve some contracts for some rows in one call, if the solver keeps what it solves.

        An evaluation that the solver cannot answer raises the error.
        """
        asked = [each for each in contracts if each not in self._solved]
        begun = list(map(self.single, rows.tolist())) if asked else []
        if begun and isinstance(solver := begun[0].solve, DoubleDummy):
            pairs = product(begun, asked)
            with suppress(PavError):
                solver.solve([(each.deal, one.seat, one.strain) for each, one in pairs])

    def keep_tricks(self, contract: Tricks, tricks: NDArray[np.uint8]) -> None:
        """Give all rows their tricks of a contract, so that nothing solves it: `uint8[n]`."""
        kept = self.kept[contract] = _Kept(len(self))
        kept.values[:], kept.has[:] = tricks, True
        self._solved.add(contract)


class _Kept:
    """Values of a node for the rows of a chunk: `has` is true where there is one."""

    def __init__(self, rows: int) -> None:
        self.values = np.zeros(rows, np.int64)
        self.has = np.zeros(rows, np.bool_)


# Functions of a hand: tables by holding and by shape.


@dataclass(frozen=True, eq=False)
class LookUp:
    """A function of one hand: a sum of values of its suits, plus a value of its shape.

    `tables` has for each suit that counts a table from the holding to a value. `shapes` is a table
    from the packed lengths to a value; None if the shape does not count.
    """

    seat: Seat
    tables: tuple[tuple[Suit, SuitTable], ...]
    shapes: SuitTable | None = None

    @property
    def low(self) -> int:
        """A lower bound of all values."""
        return sum(int(table.min()) for table in self._all)

    @property
    def high(self) -> int:
        """An upper bound of all values."""
        return sum(int(table.max()) for table in self._all)

    @cached_property
    def kind(self) -> Kind:
        """The integer type that all values and all intermediate sums fit in."""
        return narrowest(sum(int(np.abs(table).max()) for table in self._all))

    @property
    def _all(self) -> list[Any]:
        tables: list[Any] = [table for _, table in self.tables]
        return tables if self.shapes is None else [*tables, self.shapes]


def look_up_of(node: OfHand) -> LookUp | None:
    """Return the tables of a function of a hand; None if its points do not fit in 64 bits."""
    function, shapes = node.function, None
    if isinstance(function, OfLengths):
        return LookUp(node.seat, (), _by_shape(function))
    if isinstance(function, SumOverSuits):
        shapes = _short_suits(function) if function.shortness else None
    elif len(Suit) * sum(map(abs, function.weights)) > MOST:
        return None
    table = suit_values(function)
    tables = tuple((suit, table) for suit in (Suit if node.suit is None else [node.suit]))
    return LookUp(node.seat, tables, shapes)


@cache
def _packed_lengths(suit: Suit) -> Values:
    """Return a table: from a holding in a suit to its length at the suit's packed bits."""
    return suit_values(LENGTH).astype(np.int64) << _LENGTH_BITS * suit


@lru_cache(128)
def _by_shape(function: OfLengths) -> SuitTable:
    """Return a table: from packed lengths to the value of a function of the lengths."""
    values = lengths_values(function)
    table = np.zeros((1 << _LENGTH_BITS,) * len(Suit), values.dtype)
    table[(slice(SUIT_SIZE + 1),) * len(Suit)] = values.transpose()
    return table.reshape(-1)


@cache
def _short_suits(function: SumOverSuits) -> NDArray[np.int16]:
    """Return a table: from packed lengths to the value that short suits add to a function."""
    lengths = np.indices((1 << _LENGTH_BITS,) * len(Suit), np.int8).reshape(len(Suit), -1)
    by_length = np.zeros(1 << _LENGTH_BITS, np.int16)
    by_length[: len(function.shortness)] = function.shortness
    is_short = (lengths < len(function.shortness)).any(axis=0)
    once = np.where(is_short, np.int16(function.if_any_short), np.int16(function.if_none_short))
    table: NDArray[np.int16] = by_length[lengths].sum(axis=0, dtype=np.int16) + once
    return table


# Answers of vectors for rows of a chunk, with as few evaluations as possible.
#
# A *vector* is a node in the form that is evaluated for many rows; its *answer* for some rows is an
# array of values. The vector of an operator is a generator: it yields the vectors of its operands
# and receives their answers, as an operator of `evaluate` does. So the depth of nested operators
# has no limit.
#
# A vector that occurs in several places is requested several times, often for few rows, because the
# other rows are decided already. Then it is evaluated for these rows only. When the cost of these
# evaluations reaches the cost of all rows of the chunk, it is evaluated for all rows, and the
# answer is cached.
#
# A vector without a part by row may be evaluated for rows for which `evaluate` does not evaluate
# the node. So a division by 0 raises no error here, but marks the row.


_PRICE = 8192
"""The fixed cost of one request, as a number of rows."""
_FEW = 1, 4
"""The largest share of rows, as a fraction, for which a separate evaluation is faster."""


class VectorAnswer(NamedTuple):
    """The values of a vector for some rows, and marks of faults.

    `values` is an array with one value for each row, or a 0-dimensional array if all rows have the
    same value. The type is `bool` for a condition, and for a number an integer type with enough
    bits. `wrong` is a `bool` array: where it is true, `evaluate` raises an error and the value has
    no meaning. None is an array without marks.
    """

    values: Any
    wrong: Truth | None = None

    @property
    def truth(self) -> Truth:
        """Whether the values are not 0."""
        truth: Truth = self.values if self.values.dtype == np.bool_ else self.values != 0
        return truth

    def take(self, places: Places) -> VectorAnswer:
        """Return the answer for some of the rows."""
        if not self.values.ndim:
            return self
        wrong = None if self.wrong is None else self.wrong.take(places)
        return VectorAnswer(self.values.take(places), wrong)


Asking = Generator[tuple["Vector", "ChunkRows"], VectorAnswer, VectorAnswer]
"""A generator that yields (vector, rows), receives their answers, and returns an answer."""


@dataclass(frozen=True, eq=False)
class Vector:
    """A node in the form that is evaluated for many rows; its values are from `low` to `high`.

    `shared` is true if the node occurs in several places, and `by_row` if it is worked only for the
    rows that are asked. The value of every row needs the `contracts`, so they are solved together.
    """

    low: int
    high: int
    work: Callable[[ChunkRows], VectorAnswer | Asking]
    """Return the answer, or a generator that first requests other answers."""
    shared: bool = False
    by_row: bool = False
    contracts: frozenset[Tricks] = frozenset()


class ChunkRows:
    """Some rows of a chunk, or all if `places` is None, with the cached answers for them.

    `whole` is the object for all rows of the chunk; None if this is the one.
    """

    def __init__(
        self, chunk: Chunk, places: Places | None = None, whole: ChunkRows | None = None
    ) -> None:
        self.chunk = chunk
        self.places = places
        self._whole = whole
        self._known: dict[Vector, VectorAnswer] = {}
        self._spent: dict[Vector, int] = {}

    def __len__(self) -> int:
        return len(self.chunk) if self.places is None else len(self.places)

    @property
    def indexes(self) -> Places:
        """The row of the chunk that each of these rows is."""
        return np.arange(len(self.chunk)) if self.places is None else self.places

    def pick(self, places: Places) -> ChunkRows:
        """Return the rows at some positions within these rows."""
        chosen = places if self.places is None else self.places.take(places)
        return ChunkRows(self.chunk, chosen, self._whole or self)

    def few(self, truth: Truth, vector: Vector) -> Places | None:
        """Return the positions of the true rows if a vector should be evaluated for them only.

        Returns None if the vector should be evaluated for all these rows.
        """
        if vector.by_row:
            return None if truth.all() else np.flatnonzero(truth)
        count = int(np.count_nonzero(truth))
        if count * _FEW[1] > len(self) * _FEW[0] or vector.low == vector.high:
            return None
        return None if self.known(vector) is not None else np.flatnonzero(truth)

    def known(self, vector: Vector) -> VectorAnswer | None:
        """Return the cached answer of a vector for these rows; None if there is none."""
        cached = self._known.get(vector)
        if cached is None and self._whole is not None and self.places is not None:
            kept = self._whole._known.get(vector)
            if kept is not None:
                cached = self._known[vector] = kept.take(self.places)
        return cached

    def keep(self, vector: Vector, computed: VectorAnswer) -> None:
        """Cache an answer if the vector occurs in several places."""
        if vector.shared:
            self._known[vector] = computed

    def for_all(self, vector: Vector) -> ChunkRows:
        """Return the rows for which to evaluate a vector: these rows, or all rows of the chunk.

        The rows of each request for a shared vector add to its cost. All rows are returned when
        this cost is higher than that of the whole chunk.
        """
        whole = self._whole
        if whole is None or not vector.shared:
            return self
        spent = whole._spent[vector] = whole._spent.get(vector, 0) + len(self) + _PRICE
        return whole if spent > len(whole) else self


def answer(vector: Vector, rows: ChunkRows) -> VectorAnswer:
    """Return the answer of a vector for some rows; evaluate all vectors that it needs."""
    pending: list[_Open] = []
    asked = vector, rows
    while True:
        reply = _begin(*asked, pending)
        while True:
            if reply is not None and not pending:
                return reply
            try:
                asked = pending[-1].asking.send(reply)  # type: ignore[arg-type]  # None to begin
                break
            except StopIteration as done:
                opened = pending.pop()
                reply = _cached(opened.vector, opened.rows, opened.worked, done.value)


class _Open(NamedTuple):
    """An unfinished vector: `rows` are the requested rows, `worked` the rows of the evaluation."""

    vector: Vector
    rows: ChunkRows
    worked: ChunkRows
    asking: Asking


def _begin(vector: Vector, rows: ChunkRows, pending: list[_Open]) -> VectorAnswer | None:
    """Return the answer if it needs no other answers; otherwise add the vector to `pending`."""
    cached = rows.known(vector)
    if cached is not None:
        return cached
    if vector.contracts:
        rows.chunk.solve(vector.contracts, rows.indexes)
    worked = rows.for_all(vector)
    begun = vector.work(worked)
    if isinstance(begun, VectorAnswer):
        return _cached(vector, rows, worked, begun)
    pending.append(_Open(vector, rows, worked, begun))
    return None


def _cached(
    vector: Vector, rows: ChunkRows, worked: ChunkRows, computed: VectorAnswer
) -> VectorAnswer:
    worked.keep(vector, computed)
    return computed if worked is rows or rows.places is None else computed.take(rows.places)


def either(one: Truth | None, other: Truth | None) -> Truth | None:
    """Return the marks that are true where one or the other is true."""
    if one is None or other is None:
        return other if one is None else one
    return one | other


# The vectors of nodes.


def _number(
    low: int, high: int, work: Callable[[ChunkRows], VectorAnswer | Asking]
) -> Vector | None:
    """Return the vector of a number; None if the bounds do not fit in 64 bits."""
    return None if low < -MOST or high > MOST else Vector(low, high, work)


def all_of(parts: Sequence[Vector]) -> Vector:
    """Return the vector of whether all parts are true; decided rows need no further parts."""
    return Vector(0, 1, partial(_decided, parts, stop=False))


def any_of(parts: Sequence[Vector]) -> Vector:
    """Return the vector of whether any part is true; decided rows need no further parts."""
    return Vector(0, 1, partial(_decided, parts, stop=True))


def _decided(parts: Sequence[Vector], rows: ChunkRows, *, stop: bool) -> Asking:
    """Return whether any part is true (`stop`), or whether all parts are true (not `stop`).

    The first part whose truth equals `stop` decides a row. `left` are the rows of the current
    requests, `origin` their positions in `rows` (None for all), and `going` is true for the rows of
    `left` that are not decided yet.
    """
    left, origin = rows, None
    going, wrong = np.ones(len(rows), np.bool_), None
    for part in parts:
        if not going.any():
            break
        few = left.few(going, part)
        if few is not None:
            left, origin = left.pick(few), few if origin is None else origin.take(few)
            going = np.ones(len(few), np.bool_)
        reply = yield part, left
        if reply.wrong is not None:
            faults = reply.wrong & going
            wrong = either(wrong, _spread(faults, origin, len(rows)))
            going = going & ~faults
        going = going & (~reply.truth if stop else reply.truth)
    undecided = _spread(going, origin, len(rows))
    return VectorAnswer(~undecided if stop else undecided, wrong)


def _spread(truth: Truth, origin: NDArray[np.intp] | None, count: int) -> Truth:
    """Return `bool[count]`: the values of `truth` at the positions `origin`, otherwise false."""
    if origin is None:
        return truth
    spread = np.zeros(count, np.bool_)
    spread[origin] = truth
    return spread


class Vectors:
    """The vectors of nodes, one for each node.

    `wholes` are the expressions; the vector of a node that occurs in them several times is shared.
    """

    def __init__(self, *wholes: Node) -> None:
        nodes = list(distinct(*wholes))
        places = Counter([*wholes, *(child for node in nodes for child in children(node))])
        self._shared = {node for node in nodes if places[node] > 1}
        self._known: dict[Node, Vector | None] = {}

    def of(self, node: Node) -> Vector | None:
        """Return the vector of a node; None for a number that may not fit in 64 bits."""
        for part in bottom_up(node, known=self._known.__contains__):
            self._known[part] = self._made(part)
        return self._known[node]

    def _made(self, node: Node) -> Vector | None:
        below = [vector for child in children(node) if (vector := self._known[child])]
        make = _MAKERS[OfHand if isinstance(node, OfHand) else type(node)]
        made = make(node, *below) if len(below) == len(children(node)) else None
        if made is None and isinstance(node, And | Or | Not | Comparison):
            return by_definition(node, 0, 1)
        if made is None:
            return None
        if made.by_row or any(vector.by_row for vector in below):
            made = replace(made, by_row=True, contracts=_needed(node, below))
            is_kept = node in self._shared and not node.is_loose
            is_kept |= isinstance(node, Tricks | Python)
            is_kept |= isinstance(node, Random) and node.draw is not None
            return _kept(node, made) if is_kept else made
        return replace(made, shared=True) if node in self._shared else made


def _needed(node: Node, below: Sequence[Vector]) -> frozenset[Tricks]:
    """Return the contracts that the value of a node needs for any deal."""
    needed = [vector.contracts for vector in below]
    if isinstance(node, Tricks):
        return frozenset([node])
    if isinstance(node, And | Or):
        return needed[0]
    if isinstance(node, Choice):
        return needed[0] | (needed[1] & needed[2])
    return frozenset[Tricks]().union(*needed)


def by_definition(
    node: Node, low: int, high: int, value_of: Callable[[Chunk, int], int] | None = None
) -> Vector:
    """Return the vector that asks the evaluation of each row for the value of a node.

    It marks the rows with an error, and those whose value is not from `low` to `high`.
    """
    draws = Random in kinds_in(node)

    def value_of_row(chunk: Chunk, row: int) -> int:
        return (chunk.evaluation(row) if draws else chunk.single(row)).value(node)

    ask = value_of or value_of_row

    def work(rows: ChunkRows) -> VectorAnswer:
        values, wrong = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.bool_)
        rows.chunk.asked += len(rows)
        for place, row in enumerate(rows.indexes.tolist()):
            try:
                value = ask(rows.chunk, row)
            except Exception:  # noqa: BLE001 (a Python function may raise any)
                wrong[place] = True
                continue
            wrong[place] = not low <= value <= high
            values[place] = 0 if wrong[place] else value
        return VectorAnswer(values, wrong if wrong.any() else None)

    return Vector(low, high, work, by_row=True)


def _drawn(node: Random, operand: Vector) -> Vector:
    """Return the vector of an `rnd`; it marks the rows whose bound is below 1."""

    def work(rows: ChunkRows) -> Asking:
        reply = yield operand, rows
        bounds = np.broadcast_to(reply.values, len(rows)).astype(np.int64)
        wrong = bounds < 1 if reply.wrong is None else reply.wrong | (bounds < 1)
        values, good = np.zeros(len(rows), np.int64), np.flatnonzero(~wrong)
        if len(good):
            values[good] = rows.chunk.draw(node, rows.indexes.take(good), bounds.take(good))
        return VectorAnswer(values, wrong if len(good) < len(rows) else None)

    return Vector(0, max(0, operand.high - 1), work, by_row=True)


def _kept(node: Node, vector: Vector) -> Vector:
    """Return a vector that asks another one once for each row of a chunk."""

    def work(rows: ChunkRows) -> Asking:
        chunk, indexes = rows.chunk, rows.indexes
        kept = chunk.kept_of(node, indexes)
        missing = np.flatnonzero(~kept.has[indexes])
        wrong = None
        if len(missing):
            reply = yield vector, rows.pick(missing)
            places = indexes.take(missing)
            kept.values[places] = reply.values
            kept.has[places] = True if reply.wrong is None else ~reply.wrong
            wrong = None if reply.wrong is None else ~kept.has[indexes]
        return VectorAnswer(kept.values[indexes], wrong)

    return replace(vector, work=work)


def _looked_up(node: OfHand) -> Vector | None:
    table = look_up_of(node)
    if table is None:
        return None
    return _number(
        table.low, table.high, lambda rows: VectorAnswer(rows.chunk.look_up(table, rows.places))
    )


def _constant(node: Number) -> Vector | None:
    value = node.value
    if abs(value) > MOST:
        return None
    constant = VectorAnswer(np.array(value, narrowest(value, value)))
    return _number(value, value, lambda _: constant)


def _negated(_: Negate, inner: Vector) -> Vector | None:
    kind = narrowest(-inner.high, -inner.low, inner.low, inner.high)

    def work(rows: ChunkRows) -> Asking:
        operand = yield inner, rows
        return VectorAnswer(-operand.values.astype(kind), operand.wrong)

    return _number(-inner.high, -inner.low, work)


def _opposite(_: Not, inner: Vector) -> Vector:
    def work(rows: ChunkRows) -> Asking:
        operand = yield inner, rows
        return VectorAnswer(~operand.truth, operand.wrong)

    return Vector(0, 1, work)


def _arithmetic(node: Arithmetic, left: Vector, right: Vector) -> Vector | None:
    operate, low, high = ARITHMETIC[node.operator], *_bounds(node.operator, left, right)
    if low < -MOST or high > MOST:
        return None
    kind: Any = narrowest(low, high, left.low, left.high, right.low, right.high)
    divides = node.operator in "/%" and right.low <= 0 <= right.high

    def work(rows: ChunkRows) -> Asking:
        one = yield left, rows
        other = yield right, rows
        wrong, divisor = either(one.wrong, other.wrong), other.values.astype(kind)
        if divides:
            nothing = np.broadcast_to(divisor == 0, len(rows))
            wrong, divisor = either(wrong, nothing), np.where(nothing, kind(1), divisor)
        return VectorAnswer(operate(one.values.astype(kind), divisor), wrong)

    return Vector(low, high, work)


def _bounds(operator: str, left: Vector, right: Vector) -> tuple[int, int]:
    """Return bounds of the result of an operation: (a lower bound, an upper bound)."""
    if operator == "+":
        return left.low + right.low, left.high + right.high
    if operator == "-":
        return left.low - right.high, left.high - right.low
    if operator == "*":
        corners = [
            one * other for one in (left.low, left.high) for other in (right.low, right.high)
        ]
        return min(corners), max(corners)
    most = max(abs(left.low), abs(left.high))
    if operator == "%":
        most = min(most, max(abs(right.low), abs(right.high)))
    return -most, most


def _comparison(node: Comparison, left: Vector, right: Vector) -> Vector:
    compare = COMPARISONS[node.operator]

    def work(rows: ChunkRows) -> Asking:
        one = yield left, rows
        other = yield right, rows
        return VectorAnswer(compare(one.values, other.values), either(one.wrong, other.wrong))

    return Vector(0, 1, work)


def _mapped(function: Callable[[int], int], inner: Vector) -> Vector | None:
    """Return the vector of a non-decreasing function, computed once for each different number."""
    low, high = function(inner.low), function(inner.high)
    kind = narrowest(low, high)

    def work(rows: ChunkRows) -> Asking:
        operand = yield inner, rows
        different, places = np.unique(operand.values, return_inverse=True)
        values = np.array(list(map(function, different.tolist())), kind)
        return VectorAnswer(values.take(places), operand.wrong)

    return _number(low, high, work)


def _choice(_: Choice, condition: Vector, then: Vector, otherwise: Vector) -> Vector:
    low, high = min(then.low, otherwise.low), max(then.high, otherwise.high)
    kind = narrowest(low, high)

    def work(rows: ChunkRows) -> Asking:
        decided = yield condition, rows
        truth = np.broadcast_to(decided.truth, len(rows))
        values, wrong = np.empty(len(rows), kind), decided.wrong
        for branch, chosen in ((then, truth), (otherwise, ~truth)):
            if not chosen.any():
                continue
            few = rows.few(chosen, branch)
            if few is None:
                reply = yield branch, rows
                np.copyto(values, reply.values, where=chosen)
                faults = None if reply.wrong is None else reply.wrong & chosen
            else:
                reply = yield branch, rows.pick(few)
                values[few] = reply.values
                faults = None if reply.wrong is None else _spread(reply.wrong, few, len(rows))
            wrong = either(wrong, faults)
        return VectorAnswer(values, wrong)

    return Vector(low, high, work)


def _asked(node: Node) -> Vector:
    return by_definition(node, -_MOST_ASKED, _MOST_ASKED)


def _par(node: Par, *_: Vector) -> Vector:
    return _asked(node)


def _called(node: Python) -> Vector:
    """Return the vector of a Python function; a call needs no evaluation of its row."""

    def call(chunk: Chunk, row: int) -> int:
        return index(node.function(cast("Deal", chunk.layout(row))))

    return by_definition(node, -_MOST_ASKED, _MOST_ASKED, call)


_MAKERS: dict[type[Node], Callable[..., Vector | None]] = {
    Number: _constant,
    OfHand: _looked_up,
    Random: _drawn,
    Tricks: _asked,
    Python: _called,
    Negate: _negated,
    Not: _opposite,
    Arithmetic: _arithmetic,
    Comparison: _comparison,
    And: lambda _, *parts: all_of(parts),
    Or: lambda _, *parts: any_of(parts),
    Imps: lambda _, inner: _mapped(imps, inner),
    Scaled: lambda _, inner: inner,
    Score: lambda node, inner: _mapped(partial(score_of, node), inner),
    Choice: _choice,
    Par: _par,
}
