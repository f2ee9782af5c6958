"""The values of an expression for many layouts at once: what `evaluate` says, over arrays.

Whatever asks only where the cards are is worked out in arrays (`expressions`). What asks chance,
tricks or Python is left to the definition, row by row, and only for the rows that come to it: the
parts of a condition that stand before it, and the conditions of choices, are worked out first. So
each row draws the numbers that it draws by the definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from pavcodec.arrays.chunks import Threads, checked, share, workers_of
from pavcodec.cards import DECK_SIZE, SUIT_SIZE, Seat
from pavcodec.constraints.arrays.answers import Answer, Rows, Vector, answer
from pavcodec.constraints.arrays.expressions import Vectors, all_of, any_of
from pavcodec.constraints.arrays.leaves import MOST, Chunk
from pavcodec.constraints.arrays.operators import Values
from pavcodec.constraints.evaluation.double_dummy import Solver
from pavcodec.constraints.evaluation.evaluate import Evaluation
from pavcodec.constraints.evaluation.solve_ahead import LookAhead
from pavcodec.constraints.language.build import conjunction
from pavcodec.constraints.nodes.syntax import And, Choice, Comparison, Node, Number, Or
from pavcodec.constraints.nodes.vocabulary import card_sum
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.layout import Layout
from pavcodec.layout.layout import layout_from_owners
from pavcodec.sampling import Seed, Stream, check_slice, fresh_seed, seed_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners

__all__ = ["NOTHING", "BatchEvaluator", "contains_rows", "values_of"]

NOTHING = -1
"""What is left to ask where the value is known."""


_MOST_CHOICES = 8
"""How many choices within one another are taken apart."""


class _Answers:
    """What is known of a chunk: the values, and for each row what the definition is asked yet."""

    def __init__(self, rows: int) -> None:
        self.values = np.zeros(rows, np.int64)
        self.asked = np.full(rows, NOTHING, np.int32)
        self.again = np.zeros(rows, np.bool_)

    def ask(self, vector: Vector, rows: Rows) -> Answer:
        """Ask a vector; rows that it has no value for are asked of the definition at the end."""
        found = answer(vector, rows)
        if found.wrong is not None:
            self.again[rows.indexes] |= found.wrong
        return found


_Settle = Callable[[_Answers, Rows], None]


class BatchEvaluator:
    """Works an expression out for many layouts, as far as arrays can.

    `left` are the nodes that may be left to ask of the definition, the expression first. Several of
    them share `vectors`, so that what they look up of a chunk is looked up once.

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
        """Return (values, what is left) of some rows, all of them together.

        Where what is left is -1, the value is known. Else it is the place in `left` of the node
        whose value it is. Raises `LayoutError` for owners that are none; the row is counted from
        `first` on.
        """
        return self.look_at(Chunk(owners, first))

    def look_at(self, chunk: Chunk) -> tuple[Values, NDArray[np.int32]]:
        """Return what `look` does, of a chunk."""
        answers = _Answers(chunk.rows)
        self._settle(answers, Rows(chunk))
        answers.asked[answers.again] = 0
        return answers.values, answers.asked

    def left_of(self, layouts: Sequence[Layout]) -> list[Node]:
        """Return for each layout what is left to ask of the definition: its value, if it is known.

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
        """Yield the rows that may be true, each with the node that says whether it is.

        >>> from pavcodec import numbering
        >>> from pavcodec.constraints.language.parser import parse_expression
        >>> some = BatchEvaluator(parse_expression("hcp(north) < 10"))
        >>> list(some.candidates(numbering("deal").sample_many(4, seed=7)))
        [(3, Number(value=1))]
        """
        values, asked = self.look(owners)
        for row in np.flatnonzero((values != 0) | (asked != NOTHING)).tolist():
            yield row, self._left_of(int(values[row]), int(asked[row]))

    def _left_of(self, value: int, place: int) -> Node:
        return Number(value) if place == NOTHING else self.left[place]

    def _settled_by(self, node: Node, vectors: Vectors, depth: int = 0) -> _Settle:
        """Return what settles as many rows as it can, and leaves the others.

        Choices within choices are as many as the ways through them; from a depth on they are left.
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
        """Settle the rows that the first parts decide; leave the other parts to the definition."""
        is_all = isinstance(node, And)
        decides = all_of(first) if is_all else any_of(first)
        leave = self._by_definition(type(node)(node.parts[len(first) :]))

        def settle(answers: _Answers, rows: Rows) -> None:
            truth = answers.ask(decides, rows).truth
            answers.values[rows.indexes] = truth
            leave(answers, rows.pick(np.flatnonzero(truth == is_all)))

        return settle

    def _by_definition(self, node: Node) -> _Settle:
        """Leave all rows to the definition."""
        place = len(self.left)
        self.left.append(node)

        def settle(answers: _Answers, rows: Rows) -> None:
            answers.asked[rows.indexes] = place

        return settle


def _first_vectors(parts: Sequence[Node], vectors: Vectors) -> list[Vector]:
    """Return the vectors of the parts before the first that has none."""
    found = []
    for part in parts:
        vector = vectors.of(part)
        if vector is None:
            break
        found.append(vector)
    return found


def _by_vector(vector: Vector) -> _Settle:
    def settle(answers: _Answers, rows: Rows) -> None:
        answers.values[rows.indexes] = answers.ask(vector, rows).values

    return settle


def _by_condition(condition: Vector, then: _Settle, otherwise: _Settle) -> _Settle:
    def settle(answers: _Answers, rows: Rows) -> None:
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
    """Return the values for many layouts; `Expression.values` has the contract."""
    rows = checked("owners", owners, np.uint8, DECK_SIZE)
    begin, count, _ = check_slice(start, len(rows), 1)
    stream = Stream(fresh_seed() if seed is None else seed_of(seed))
    workers = workers_of(threads)
    evaluator = BatchEvaluator(node)
    values = np.empty(count, np.int64)

    def work(part: slice) -> None:
        found, asked = evaluator.look(rows[part], part.start)
        layouts = (
            (
                place,
                layout_from_owners(rows[part.start + place].tobytes()),
                evaluator.left[asked[place]],
            )
            for place in np.flatnonzero(asked != NOTHING).tolist()
        )
        for place, layout, left in LookAhead(node, tricks)(layouts):
            row = part.start + place
            evaluation = Evaluation(layout, stream.chance(begin + row), tricks)
            found[place] = _value_of_row(row, evaluation, left)
        values[part] = found

    share(work, count, workers if evaluator.is_vector else 1)  # Python is called in one thread
    return values


def _value_of_row(row: int, evaluation: Evaluation, node: Node) -> int:
    """Return what the definition says; the row is told with whatever it raises."""
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
    """Tell which layouts have hands of some sizes and satisfy a condition.

    `sizes` are those of the four hands; what else stands there is not looked at.
    """
    one_each = (1,) * SUIT_SIZE
    held = [card_sum(seat, None, one_each) for seat in Seat]
    fits = [Comparison("==", cards, Number(size)) for cards, size in zip(held, sizes, strict=False)]
    values = values_of(conjunction([*fits, where]), owners, tricks=tricks, threads=threads)
    return np.not_equal(values, 0)
