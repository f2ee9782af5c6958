"""The values of an expression for many layouts: the same values as `evaluate`, with arrays.

Arrays compute the parts that depend only on the owners of the cards (module `expressions`). Parts
with `rnd`, `tricks` or a Python function are left to `evaluate`, row by row, and only for the rows
for which the value depends on them: arrays first compute the parts of `&&` and `||` before them,
and the conditions of `? :`. So `rnd` makes the same draws in each row as `evaluate` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from pavcodec.arrays import Threads, checked, share, workers_of
from pavcodec.cards import DECK_SIZE, Seat
from pavcodec.constraints.arrays.expressions import Vectors, all_of, any_of
from pavcodec.constraints.arrays.leaves import MOST, Chunk, ChunkRows, Vector, VectorAnswer, answer
from pavcodec.constraints.arrays.operators import Values
from pavcodec.constraints.evaluation import Evaluation, LookAhead
from pavcodec.constraints.nodes.syntax import And, Choice, Comparison, HandValue, Node, Number, Or
from pavcodec.constraints.nodes.trees import conjunction
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.layout import Layout
from pavcodec.layout.hand import LENGTH
from pavcodec.layout.layout import layout_from_owners
from pavcodec.sampling import Seed, Stream, check_slice, given_seed
from pavcodec.solving.double_dummy import Solver

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners


NOTHING = -1
"""The mark of a row with a known value, for which no node is left to evaluate."""


_MOST_CHOICES = 8
"""The greatest depth of nested choices that arrays decide."""


class _Answers:
    """The results for a chunk: the values, and for each row the node that is left to evaluate.

    `asked` has the index of this node in `BatchEvaluator.left`, or `NOTHING`. `again` marks the
    rows for which the whole expression is evaluated again, because of a fault.
    """

    def __init__(self, rows: int) -> None:
        self.values = np.zeros(rows, np.int64)
        self.asked = np.full(rows, NOTHING, np.int32)
        self.again = np.zeros(rows, np.bool_)

    def ask(self, vector: Vector, rows: ChunkRows) -> VectorAnswer:
        """Return the answer of a vector; mark its faulty rows for `evaluate`."""
        reply = answer(vector, rows)
        if reply.wrong is not None:
            self.again[rows.indexes] |= reply.wrong
        return reply


_Settle = Callable[[_Answers, ChunkRows], None]


class BatchEvaluator:
    """The values of an expression for many layouts, as far as arrays can compute them.

    `left` has the nodes that may be left to `evaluate`; the expression itself is the first. Several
    evaluators may share `vectors`, so that a shared node is evaluated once for a chunk.

    >>> from pavcodec import numbering
    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> some = BatchEvaluator(parse_expression("hcp(north) > 9 && rnd(2) == 0"))
    >>> some.is_vector, some.look(numbering("deal").sample_many(4, seed=7))
    (False, (array([1, 1, 1, 0]), array([ 1,  1,  1, -1], dtype=int32)))
    >>> from pavcodec.constraints.nodes.format import format_node
    >>> format_node(some.left[1])
    'rnd(2) == 0'
    """

    def __init__(self, node: Node, vectors: Vectors | None = None) -> None:
        self.left = [node]
        vectors = vectors or Vectors(node)
        self.is_vector = vectors.of(node) is not None
        self._settle = self._settled_by(node, vectors)

    def look(self, owners: Owners, first: int = 0) -> tuple[Values, NDArray[np.int32]]:
        """Return (values, left over) for some rows: `int64[n]` and `int32[n]`.

        Where the second array is -1, the value is known. Otherwise it is the index in `left` of the
        node that has the value of the expression for this row. Raises `LayoutError` for a row that
        is no layout; the message counts rows from `first`.
        """
        return self.look_at(Chunk(owners, first))

    def look_at(self, chunk: Chunk) -> tuple[Values, NDArray[np.int32]]:
        """Return the result of `look` for a chunk."""
        answers = _Answers(chunk.rows)
        self._settle(answers, ChunkRows(chunk))
        answers.asked[answers.again] = 0
        return answers.values, answers.asked

    def left_of(self, layouts: Sequence[Layout]) -> list[Node]:
        """Return for each layout the node that is left to evaluate: a `Number` for a known value.

        >>> from pavcodec import numbering
        >>> from pavcodec.constraints.language.parser import parse_expression
        >>> some = BatchEvaluator(parse_expression("hcp(north) > 9"))
        >>> some.left_of(numbering("deal").sample(4, seed=7))[2:]
        [Number(value=1), Number(value=0)]
        """
        together = b"".join(layout.owners for layout in layouts)
        values, asked = self.look(np.frombuffer(together, np.uint8).reshape(-1, DECK_SIZE))
        return list(map(self._left_of, values.tolist(), asked.tolist()))

    def candidates(self, owners: Owners) -> Iterator[tuple[int, Node]]:
        """Yield the rows for which the condition may be true, each with the node that decides it.

        >>> from pavcodec import numbering
        >>> from pavcodec.constraints.language.parser import parse_expression
        >>> some = BatchEvaluator(parse_expression("hcp(north) < 10"))
        >>> list(some.candidates(numbering("deal").sample_many(4, seed=7)))
        [(3, Number(value=1))]
        """
        values, asked = self.look(owners)
        for row in np.flatnonzero((values != 0) | (asked != NOTHING)).tolist():
            yield row, self._left_of(int(values[row]), int(asked[row]))

    def _left_of(self, value: int, index: int) -> Node:
        return Number(value) if index == NOTHING else self.left[index]

    def _settled_by(self, node: Node, vectors: Vectors, depth: int = 0) -> _Settle:
        """Return a function that computes as many rows as arrays can, and leaves the other rows.

        The number of ways through nested choices grows exponentially with their depth, so choices
        below a certain depth are left to `evaluate`.
        """
        vector = vectors.of(node)
        if vector is not None:
            return _by_vector(vector)
        match node:
            case And(parts) | Or(parts):
                first = _first_vectors(parts, vectors)
                if first:
                    return self._by_first_parts(node, first)
            case Choice(condition, then, otherwise):
                decides = vectors.of(condition)
                if decides is not None and depth < _MOST_CHOICES:
                    one, other = (
                        self._settled_by(each, vectors, depth + 1) for each in (then, otherwise)
                    )
                    return _by_condition(decides, one, other)
        return self._by_definition(node)

    def _by_first_parts(self, node: And | Or, first: Sequence[Vector]) -> _Settle:
        """Decide rows by the first parts; leave the other parts of other rows to `evaluate`."""
        is_all = isinstance(node, And)
        decides = all_of(first) if is_all else any_of(first)
        leave = self._by_definition(type(node)(node.parts[len(first) :]))

        def settle(answers: _Answers, rows: ChunkRows) -> None:
            truth = answers.ask(decides, rows).truth
            answers.values[rows.indexes] = truth
            leave(answers, rows.pick(np.flatnonzero(truth == is_all)))

        return settle

    def _by_definition(self, node: Node) -> _Settle:
        """Leave a node to `evaluate` for all rows."""
        index = len(self.left)
        self.left.append(node)

        def settle(answers: _Answers, rows: ChunkRows) -> None:
            answers.asked[rows.indexes] = index

        return settle


def _first_vectors(parts: Sequence[Node], vectors: Vectors) -> list[Vector]:
    """Return the vectors of the parts before the first part without a vector."""
    first = []
    for part in parts:
        vector = vectors.of(part)
        if vector is None:
            break
        first.append(vector)
    return first


def _by_vector(vector: Vector) -> _Settle:
    def settle(answers: _Answers, rows: ChunkRows) -> None:
        answers.values[rows.indexes] = answers.ask(vector, rows).values

    return settle


def _by_condition(condition: Vector, then: _Settle, otherwise: _Settle) -> _Settle:
    def settle(answers: _Answers, rows: ChunkRows) -> None:
        is_true = np.broadcast_to(answers.ask(condition, rows).truth, len(rows))
        for branch, truth in ((then, is_true), (otherwise, ~is_true)):
            if truth.any():
                branch(answers, rows.pick(np.flatnonzero(truth)))

    return settle


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
    stream = Stream(given_seed(seed))
    workers = workers_of(threads)
    evaluator = BatchEvaluator(node)
    values = np.empty(count, np.int64)

    def work(part: slice) -> None:
        computed, asked = evaluator.look(rows[part], part.start)
        layouts = (
            (
                offset,
                layout_from_owners(rows[part.start + offset].tobytes()),
                evaluator.left[asked[offset]],
            )
            for offset in np.flatnonzero(asked != NOTHING).tolist()
        )
        for offset, layout, left in LookAhead(node, tricks)(layouts):
            row = part.start + offset
            evaluation = Evaluation(layout, stream.chance(begin + row), tricks)
            computed[offset] = _value_of_row(row, evaluation, left)
        values[part] = computed

    share(work, count, workers if evaluator.is_vector else 1)  # Python functions need one thread
    return values


def _value_of_row(row: int, evaluation: Evaluation, node: Node) -> int:
    """Return the value of a node by `evaluate`; every exception names the row.

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
) -> NDArray[np.bool_]:
    """Return `bool[n]`: whether each layout has hands of some sizes and satisfies a condition.

    The first four `sizes` are the numbers of cards of the hands; further elements are ignored.
    """
    held = [HandValue("points", seat, None, LENGTH) for seat in Seat]
    fits = [Comparison("==", cards, Number(size)) for cards, size in zip(held, sizes, strict=False)]
    values = values_of(conjunction([*fits, where]), owners, tricks=tricks, threads=threads)
    return np.not_equal(values, 0)
