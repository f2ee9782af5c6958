"""Columns: the values of expressions for many layouts, and the deals of a stream that pass a test.

A column has the value of an expression for each row of a chunk, by the `vectors`. Where a row has
no value in arrays, the definition in `evaluation` gives it, or raises its error, so no caller sees
a difference. Contracts and Python functions take long. So contracts of a stream are solved for few
rows at a time, at first for two, later for up to 64: a caller who stops early has waited for about
twice the rows that it needed, and a long run solves many contracts in one call. Functions gain
nothing from many rows, so in a stream they are called only for rows that are needed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

import numpy as np

from pavcodec.arrays import Threads, checked, share, workers_of
from pavcodec.cards import DECK_SIZE, Seat
from pavcodec.constraints.evaluation import Evaluation, kinds_in
from pavcodec.constraints.nodes.syntax import (
    Comparison,
    HandValue,
    Node,
    Number,
    Python,
    Random,
    Tricks,
    conjunction,
    parts_of,
)
from pavcodec.constraints.vectors import (
    MOST,
    Chunk,
    ChunkRows,
    Places,
    Truth,
    Values,
    Vectors,
    answer,
    by_definition,
)
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.layout.hand import LENGTH
from pavcodec.sampling import Seed, check_slice, given_seed
from pavcodec.solving.double_dummy import DoubleDummy, Solver

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners

_AT_FIRST, _AT_MOST = 2, 64
"""The rows whose contracts are solved together."""
_ROWS_AT_ONCE = 1 << 12


class Piece(NamedTuple):
    """Some rows of a chunk, and their value in each column; marked rows have no value there."""

    rows: Places | slice
    columns: list[NDArray[Any]]
    marks: Truth

    @property
    def numbers(self) -> Places:
        """The number of each row."""
        return np.arange(len(self.marks)) if isinstance(self.rows, slice) else self.rows

    @property
    def true(self) -> Places:
        """The rows whose value in the first column is not 0."""
        return self._where(np.logical_and(self.columns[0], ~self.marks))

    @property
    def marked(self) -> Places:
        """The rows without a value."""
        return self._where(self.marks)

    def _where(self, truth: Truth) -> Places:
        places = np.flatnonzero(truth)
        return places if isinstance(self.rows, slice) else self.rows.take(places)


class Columns:
    """The columns of some expressions; what they have in common is computed once for a chunk.

    >>> from pavcodec import numbering
    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> columns = Columns(parse_expression("hcp(north)"), parse_expression("rnd(6)"))
    >>> chunk = Chunk.of_seed(numbering("deal").sample_many(4, seed=7), seed=7)
    >>> [piece.columns for piece in columns.pieces(chunk)]
    [[array([10, 15, 15,  8], dtype=int16), array([2, 3, 1, 4])]]
    """

    def __init__(self, *nodes: Node, at_first: int = _AT_FIRST) -> None:
        vectors = Vectors(*nodes)
        self._vectors = [vectors.of(node) or by_definition(node, -MOST, MOST) for node in nodes]
        self._contracts = frozenset[Tricks]().union(*(each.contracts for each in self._vectors))
        self.is_slow = any(kinds_in(node) & {Tricks, Python} for node in nodes)
        self._size = at_first

    def pieces(self, chunk: Chunk, places: Places | None = None) -> Iterator[Piece]:
        """Yield the values of the rows at `places`, by default of all rows, in their order.

        All rows are one piece, unless they are asked for contracts or Python functions.
        """
        whole = ChunkRows(chunk)
        if not self.is_slow:
            yield self._piece(whole if places is None else whole.pick(places))
            return
        left = np.arange(len(chunk)) if places is None else places
        while len(left):
            asked, some, left = chunk.asked, left[: self._size], left[self._size :]
            yield self._piece(whole.pick(some))
            if len(some) == self._size:
                asked = max(1, chunk.asked - asked)
                self._size = max(1, min(2 * self._size, self._size * _AT_MOST // asked))

    def _piece(self, rows: ChunkRows) -> Piece:
        if self._contracts:
            rows.chunk.solve(self._contracts, rows.indexes)
        marks = np.zeros(len(rows), np.bool_)
        columns = []
        for vector in self._vectors:
            reply = answer(vector, rows)
            columns.append(np.broadcast_to(reply.values, len(rows)))
            if reply.wrong is not None:
                marks |= reply.wrong
        return Piece(slice(None) if rows.places is None else rows.places, columns, marks)


def values_of(  # noqa: PLR0913
    node: Node,
    owners: Owners,
    *,
    seed: Seed | None = None,
    start: SupportsIndex = 0,
    tricks: Solver | None = None,
    threads: Threads = None,
) -> Values:
    """Return the values for many layouts, as documented in `Expression.values`."""
    rows = checked("owners", owners, np.uint8, DECK_SIZE)
    begin, count, _ = check_slice(start, len(rows), 1)
    key, workers = given_seed(seed), workers_of(threads)
    columns = Columns(node, at_first=_AT_MOST)
    values = np.empty(count, np.int64)

    def work(part: slice) -> None:
        first, found = part.start, values[part]
        chunk = Chunk.of_seed(rows[part], key, begin + first, solver=tricks, first=first)
        chunk.check()
        for piece in columns.pieces(chunk):
            found[piece.rows] = piece.columns[0]
            for row in piece.marked.tolist():
                found[row] = _value_of_row(first + row, chunk.again(row), node)

    share(work, count, 1 if columns.is_slow else workers)  # Python functions need one thread
    return values


def _value_of_row(row: int, evaluation: Evaluation, node: Node) -> int:
    """Return the value of a node by its definition; every exception names the row.

    Raises `NumberError` for a value that does not fit in 64 bits.
    """
    try:
        value = evaluation.value(node)
    except PavError as error:
        raise PavError(f"row {row}: {error}") from error
    except Exception as error:
        error.add_note(f"in row {row}")
        raise
    if not -MOST - 1 <= value <= MOST:
        raise NumberError(f"row {row}: the value {shown(value)} does not fit in 64 bits")
    return value


def contains_rows(
    where: Node,
    sizes: Sequence[int],
    owners: Owners,
    *,
    tricks: Solver | None = None,
    threads: Threads = None,
) -> Truth:
    """Return `bool[n]`: whether each layout has hands of some sizes and satisfies a condition.

    The first four `sizes` are the numbers of cards of the hands; further elements are ignored.
    """
    held = [HandValue("points", seat, None, LENGTH) for seat in Seat]
    fits = [Comparison("==", cards, Number(size)) for cards, size in zip(held, sizes, strict=False)]
    values = values_of(conjunction([*fits, where]), owners, tricks=tricks, threads=threads)
    return np.not_equal(values, 0)


# A stream of deals and a condition: which deals pass.


class Tested(NamedTuple):
    """The rows of a chunk up to `end`, from the end before: which of them pass, and the errors."""

    end: int
    passed: Places
    errors: dict[int, Exception]


class Tester:
    """A condition that is tested for the rows of chunks, in two steps.

    `first` computes the first parts, as far as they do not take long: threads can do that for
    several chunks. `tested` tests the rest of the condition, in the order of the rows.

    >>> from pavcodec import numbering
    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> tester = Tester(parse_expression("hcp(north) < 10 && rnd(2) == 1"))
    >>> chunk = Chunk.of_seed(numbering("deal").sample_many(8, seed=7), seed=7)
    >>> [part.passed for part in tester.tested(chunk, tester.first(chunk))]
    [array([3, 4])]
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        parts, count = parts_of(node), 0
        slow = kinds_in(node) & {Tricks, Python}
        while count < len(parts) and not (slow and kinds_in(parts[count]) & {*slow, Random}):
            count += 1
        self._first = Columns(conjunction(parts[:count]))
        self._rest = conjunction(parts[count:])
        self._solving = Columns(self._rest) if Tricks in slow else None
        self._is_slow = bool(slow)

    def first(self, chunk: Chunk) -> Piece:
        """Return the truth of the first parts for all rows of a chunk."""
        [piece] = self._first.pieces(chunk)
        return piece

    def tested(self, chunk: Chunk, first: Piece) -> Iterator[Tested]:
        """Yield what passes of a chunk, a few rows at a time where testing takes long."""
        left = dict.fromkeys(first.marked.tolist(), self._node)
        if not self._is_slow:
            yield _settled(chunk, len(chunk), first.true, left)
            return
        none = first.true[:0]
        if self._solving is None:
            begin, left = 0, left | dict.fromkeys(first.true.tolist(), self._rest)
            for row in sorted(left):
                found = _verdict(chunk, row, left[row])
                if found is not False or row - begin > _AT_MOST:
                    errors = {row: found} if isinstance(found, Exception) else {}
                    yield Tested(row + 1, np.array([row] if found is True else [], np.intp), errors)
                    begin = row + 1
            left = {}
        else:
            for piece in self._solving.pieces(chunk, first.true):
                end = int(piece.numbers[-1]) + 1
                before = {row: left.pop(row) for row in list(left) if row < end}
                marked = dict.fromkeys(piece.marked.tolist(), self._node)
                yield _settled(chunk, end, piece.true, before | marked)
        yield _settled(chunk, len(chunk), none, left)


def _settled(chunk: Chunk, end: int, passed: Places, left: dict[int, Node]) -> Tested:
    """Return what passes: some rows, and of those that are left, what the definition accepts."""
    found = {row: _verdict(chunk, row, node) for row, node in left.items()}
    errors = {row: error for row, error in found.items() if isinstance(error, Exception)}
    also = [row for row, passes in found.items() if passes is True]
    return Tested(end, np.sort(np.append(passed, also)).astype(np.intp) if also else passed, errors)


def _verdict(chunk: Chunk, row: int, node: Node) -> bool | Exception:
    """Return whether a row passes by the definition, or the error."""
    begun = chunk.again(row)
    try:
        passes = bool(begun.value(node))
    except Exception as error:  # noqa: BLE001 (a Python function may raise any)
        return error
    if passes:
        chunk.hold(row, begun)
    return passes


def solved_ahead(
    begun: Iterable[Evaluation], nodes: Sequence[Node], most: int = _AT_MOST
) -> Iterator[Evaluation]:
    """Yield evaluations unchanged, after solving the contracts that some expressions need.

    Expressions with `rnd` or a Python function are not worked ahead: they have an order.
    """
    ahead = [node for node in nodes if kinds_in(node) & {Tricks, Random, Python} == {Tricks}]
    columns, size, rest = Columns(*ahead), _AT_FIRST, iter(begun)
    while some := list(islice(rest, size if ahead else 1)):
        if ahead and isinstance(some[0].solve, DoubleDummy):
            deque(columns.pieces(Chunk.of(some)), maxlen=0)
        size = min(2 * size, most)
        yield from some


def rows_of(begun: Iterable[Evaluation], nodes: Sequence[Node]) -> Iterator[tuple[int, ...]]:
    """Yield the values of some expressions for each evaluation, as `Evaluation.value` gives them.

    >>> from pavcodec import numbering
    >>> from pavcodec.constraints.evaluation import evaluations
    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> nodes = [parse_expression(text) for text in ("hcp(north)", "rnd(6, 1)")]
    >>> list(rows_of(evaluations(numbering("deal").samples(3, seed=7), 7), nodes))
    [(10, 2), (15, 3), (15, 1)]
    """
    if any(node.is_loose for node in nodes):  # a value asked twice would draw twice
        for each in solved_ahead(begun, nodes):
            yield tuple(map(each.value, nodes))
        return
    columns, rest = Columns(*nodes), iter(begun)
    while some := list(islice(rest, _ROWS_AT_ONCE)):
        for piece in columns.pieces(Chunk.of(some)):
            rows, marks = piece.numbers.tolist(), piece.marks.tolist()
            columns_of_piece = [column.tolist() for column in piece.columns]
            for row, is_marked, *found in zip(rows, marks, *columns_of_piece, strict=True):
                yield tuple(map(some[row].value, nodes) if is_marked else found)
