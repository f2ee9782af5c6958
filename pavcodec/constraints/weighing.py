"""Weighted deals: deals whose chance is proportional to a product of weights.

Weights come as arguments of Python or as text; `WeightedDeals` has the rules of the samples.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from numbers import Rational
from operator import index as as_integer
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, Unpack, cast

from pavcodec.cards import DECK_SIZE, Seat
from pavcodec.constraints.counting.compile import NotCountableError
from pavcodec.constraints.counting.condition import WAY_OUT, Condition
from pavcodec.constraints.counting.model import Model
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import condition_of, warn_caller
from pavcodec.constraints.known import KnownCards, by_seat, with_known_cards
from pavcodec.constraints.language.parser import parse_weights
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.syntax import HasCard, Node, Weight, conjunction
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.spaces.constrained import ConstrainedDeals
from pavcodec.constraints.spaces.deals import DealSpace, deals_of
from pavcodec.constraints.spaces.rejection import TestedDeals
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.layout import Deal, Layout
from pavcodec.layout.drawings import notebook_table
from pavcodec.layout.layout import check_layout
from pavcodec.limits import MEMORY, memory_of
from pavcodec.numberings.space import Rows, Space
from pavcodec.sampling import Seed, Stream, check_different, share_of

if TYPE_CHECKING:
    from pavcodec.arrays import Threads


# Weights as arguments of Python: texts, expressions, numbers, tables, and lists of them.
#
# Tables become texts of the language, so one parser defines their meaning and their errors.


Share: TypeAlias = SupportsIndex | Rational | str

Table: TypeAlias = Mapping[Any, Share]
"""The weights of values: 12, "14-16", "17+", a list of shapes, a holding, or "else".

Python finds no common type for keys such as 12 and "14-16", so the type does not name one."""

WeightLike: TypeAlias = (
    "Share | Expression | Weight | Mapping[str, Table] | Sequence[WeightLike]"  # of itself
)
"""A weight: a number, a text, an expression, tables by the names of their functions, or a list."""

SeatWeights: TypeAlias = Mapping[Seat, WeightLike] | Mapping[str, WeightLike]
"""The weights of the hands."""


def weights_of(weights: SeatWeights | None, joint: WeightLike | None) -> tuple[Weight, ...]:
    """Return the weights of the arguments `weights` and `joint` of `weighted`.

    >>> some = {"N": {"hcp": {12: 1, "13-15": "1/2"}}}
    >>> [each.text for each in weights_of(some, "aces(east) + 1")]
    ['hcp(north) {12: 1, 13-15: 1/2}', 'aces(east) + 1']
    """
    all_weights: list[Weight] = []
    given: object = weights
    if given is not None and not isinstance(given, Mapping):
        kind = type(given).__name__
        raise TypeError(f"weights are a mapping of seats to weights, not {kind!r}; see joint=")
    for seat, weight in by_seat(weights or {}, "weights"):
        all_weights += _weights(weight, f"{seat.name.lower()}: ")
    if joint is not None:
        all_weights += _weights(joint, "")
    return tuple(all_weights)


def _weights(weight: WeightLike, seat: str) -> list[Weight]:
    """Return the weights of one argument; `seat` is the start of a text."""
    if isinstance(weight, Weight):
        return [weight]
    if isinstance(weight, str):
        return list(parse_weights(seat + weight, warn=warn_caller))
    if isinstance(weight, Expression):
        return [Weight(weight.node, text=format_node(weight.node))]
    if isinstance(weight, Mapping):
        texts = (f"{seat}{head} {_table(head, table)}" for head, table in weight.items())
        return [each for text in texts for each in parse_weights(text, warn=warn_caller)]
    if isinstance(weight, Sequence):
        return [each for some in weight for each in _weights(some, seat)]
    number: object = weight  # of a caller without types
    if not isinstance(number, Rational | float | SupportsIndex):
        kinds = "a number, a text, an expression, tables by function, or a list of these"
        raise TypeError(f"a weight is {kinds}, not {type(number).__name__!r}")
    return [Weight.constant(share_of(weight))]


def _table(head: str, table: object) -> str:
    """Return the text of a table."""
    if not isinstance(table, Mapping):
        kind = type(table).__name__
        raise TypeError(f"the weights of {head!r} are a mapping of values to weights, not {kind!r}")
    entries = (f"{key}: {_share(weight)}" for key, weight in table.items())
    return f"{{{', '.join(entries)}}}"


def _share(weight: object) -> str:
    """Return the text of the weight of a value; texts are left to the parser."""
    if isinstance(weight, str):
        return weight
    if isinstance(weight, float):
        raise TypeError(f"a weight is exact: write '{weight}' instead of {weight}")
    if not isinstance(weight, Rational | SupportsIndex):
        raise TypeError(
            f"the weight of a value is a number or a text, not {type(weight).__name__!r}"
        )
    return str(weight if isinstance(weight, Rational) else as_integer(weight))


# Weighted deals: the chance of a deal is proportional to the product of its weights.
#
# Rule 1: the weight of a deal of the given space is the product of its weights, and that of every
# other deal is 0. `weight` is the definition; models of layers compute sums of weights. Rule 2: W
# is the sum of the weights of all deals as the smallest integers in their proportion. The deals of
# positive weight, in the order of deal numbers, share the numbers 0 to W - 1: each has as many
# consecutive numbers as its weight. Rule 3: sample k of a seed is the deal that has the number that
# the stream `pav-1` draws for k and the cardinality W. So samples depend on the deals, the
# proportion of the weights and the seed alone; equal weights give the samples of the space without
# weights.


_MANY_CARDS = 5
"""The known cards that a message counts instead of writing them."""


@dataclass(frozen=True)
class WeightedDeals(Space[Deal]):
    """The deals of a condition, each as likely as its weight says; made by `pavcodec.weighted`.

    This is no numbering: a deal has one place among the deals of the condition, `given`, but its
    weight decides how many of the numbers below `units` belong to it. Reading a sum or a sample
    makes the model of the weights.

    >>> from pavcodec import weighted
    >>> space = weighted("hcp(south) == 37", {"S": {"hearts": {3: 1, 4: "2.5", 7: 1}}})
    >>> space.cardinality, space.total
    (337912392291465600, Fraction(464629539400765200, 1))
    >>> [deal["S"].shape[1] for deal in space.sample(8, seed=7)]
    [4, 4, 3, 3, 4, 4, 4, 4]
    """

    given: ConstrainedDeals
    """The deals of the condition, without weights."""
    weights: tuple[Weight, ...]
    layout_type = Deal
    is_uniform = False

    @property
    def where(self) -> Expression:
        """The condition."""
        return self.given.where

    @cached_property
    def model(self) -> Model:
        """The model of the weights; reading it builds it.

        Raises `NotCountableError` for a weight without a diagram, `ModelTooLarge`, and
        `NumberError` for a weight that is negative for some deal.
        """
        return self.given.condition.weighted(self.weights)

    @property
    def cardinality(self) -> int:
        """The exact number of deals of positive weight."""
        return self.model.words

    @property
    def total(self) -> Fraction:
        """The exact sum of the weights of all deals."""
        return self.model.total

    @property
    def units(self) -> int:
        """The sum of the weights of all deals, as the smallest integers in their proportion."""
        return self.model.cardinality

    def weight(self, layout: Layout) -> Fraction:
        """Return the weight of a deal; 0 for a deal that the condition does not have.

        This needs no counting. Raises `NumberError` for a negative weight.
        """
        if layout not in self.given:
            return Fraction(0)
        product, below = Fraction(1), None
        for weight in self.weights:
            factor = weight.of(evaluate(weight.number, layout))
            product *= factor
            below = weight if factor < 0 else below
        if below is not None and product:
            raise NumberError(f"a weight is 0 or more, but {below.text!r} is below 0 for {layout}")
        return abs(product)

    def probability_of(self, layout: Layout) -> Fraction:
        """Return the exact probability of a deal.

        >>> from pavcodec import weighted
        >>> space = weighted("hcp(south) == 37", joint="spades(south)")
        >>> [deal] = space.sample(1, seed=7)
        >>> space.probability_of(deal) == space.weight(deal) / space.total
        True
        """
        self.check()
        return self.weight(layout) / self.total

    def __contains__(self, layout: object) -> bool:
        check_layout(layout)
        return self.weight(cast("Layout", layout)) > 0

    def unrank(self, number: SupportsIndex) -> Deal:
        """Return the deal that a number from 0 to `units` - 1 belongs to; see rule 2."""
        unit = as_integer(number)
        if not 0 <= unit < self.units:
            raise NumberError(f"the deals have numbers 0 to {self.units - 1}, not {shown(unit)}")
        return Deal.unchecked(self.model.unrank(unit))

    def rows(self, seed: int, part: range, *, threads: Threads = 1) -> Rows:
        """Return the samples of a part of the stream of a seed; see rule 3."""
        import numpy as np

        from pavcodec.arrays import share
        from pavcodec.sampling import draw_indexes

        model, owners = self.model, np.empty((len(part), DECK_SIZE), np.uint8)
        units, stream = model.cardinality, Stream(seed)

        def work(cut: slice) -> None:
            some, drawn = part[cut], owners[cut]
            if model.is_wide:
                for row, k in enumerate(some):
                    drawn[row] = np.frombuffer(model.unrank(stream.wide_index(k, units)), np.uint8)
                return
            places = draw_indexes(seed, some.start, len(some), units)
            model.unrank_rows(len(some), places, drawn)

        share(work, len(part), threads)
        return Rows(owners)

    @property
    def text(self) -> str:
        """The statements of a script that deals these deals."""
        return str(self)

    def _slice(
        self, count: SupportsIndex, seed: Seed | None, start: SupportsIndex
    ) -> tuple[int, int, int]:
        self.check()
        return super()._slice(count, seed, start)

    def _different(self, seed: int, start: int, count: int) -> Iterator[Deal]:
        check_different(count, self.cardinality)
        return super()._different(seed, start, count)

    def having(self, event: Node) -> WeightedDeals:
        """Return the deals that also satisfy an event, by the same weights.

        >>> from pavcodec import weighted
        >>> from pavcodec.constraints.language.parser import parse_expression
        >>> space = weighted("hcp(south) == 37", joint="spades(south)")
        >>> space.having(parse_expression("spades(south) == 3")).total < space.total
        True
        """
        both = (self.where & Expression(event)).node
        return self.of(replace(self.given.condition, node=both))

    def of(self, condition: Condition) -> WeightedDeals:
        """Return the deals of another condition, by the same weights."""
        return replace(self, given=ConstrainedDeals.of(condition))

    def count_values(self, numbers: Sequence[Node]) -> dict[tuple[int, ...], int]:
        """Return the sum of the weights for each row of values of some numbers, as integers.

        The sums of all rows add up to a multiple of the weights in smallest integers.
        """
        return self.given.condition.count_values(numbers, self.weights)

    def check(self) -> None:
        """Raise `PavError` if no deal has a positive weight."""
        if self.cardinality:
            return
        if not self.given:
            raise PavError(f"there are no deals{self._condition()}")
        raise PavError(f"every deal{self._condition()} has the weight 0: {self._zero()}")

    def _condition(self) -> str:
        """Return the condition for a message, without the many cards of known hands."""
        parts = self.given.condition.parts
        others = [part for part in parts if not isinstance(part, HasCard)]
        cards = len(parts) - len(others)
        if cards < _MANY_CARDS:
            return f" with '{self.where}'" if parts else ""
        also = f" and '{Expression(conjunction(others))}'" if others else ""
        return f" with these {cards} known cards{also}"

    def _zero(self) -> str:
        """Return a reason why all weights are 0."""
        for weight in self.weights:
            alone = WeightedDeals(self.given, (weight,))
            if not alone.cardinality:
                return f"'{weight.text}' is 0 for all of them"
        return "the weights exclude each other"

    def to_dict(self) -> dict[str, object]:
        """Return the condition, the weights and the exact sums for JSON.

        >>> from pavcodec import weighted
        >>> weighted("hcp(south) == 37", joint="spades(south)").to_dict()["total"]
        '1098215274947263200'
        """
        return {
            "where": self.given.name,
            "weights": [weight.text for weight in self.weights],
            "cardinality": str(self.cardinality),
            "total": str(self.total),
            "exact": True,
        }

    def _repr_html_(self) -> str:
        """Return the condition and the weights in HTML; notebooks call this. It counts nothing."""
        rows = [["condition", self.given.name], *(["weight", each.text] for each in self.weights)]
        if "model" in vars(self):
            rows += [["deals", f"{self.cardinality:,}"], ["sum of weights", str(self.total)]]
        return notebook_table("weighted deals", [], rows, texts=(0, 1))

    def __bool__(self) -> bool:
        return self.cardinality > 0

    def __reduce__(self) -> tuple[object, tuple[ConstrainedDeals, tuple[Weight, ...]]]:
        return WeightedDeals, (self.given, self.weights)

    def __str__(self) -> str:
        """Return a script that deals these deals.

        >>> from pavcodec import weighted
        >>> print(weighted("hcp(south) >= 12", {"S": {"hearts": {5: 1, "6+": 2}}}))
        condition hcp(south) >= 12
        weight hearts(south) {5: 1, 6+: 2}
        """
        statements = [("condition", self.given.name)] if self.given.condition.parts else []
        statements += [("weight", weight.text) for weight in self.weights]
        lines = []
        for word, text in statements:
            *definitions, last = text.split("\n")
            lines += [*definitions, f"{word} {last}"]
        return "\n".join(lines)

    def __repr__(self) -> str:
        texts = ", ".join(repr(weight.text) for weight in self.weights)
        return f"weighted({self.given.name!r}, joint=[{texts}])"


def weighted(
    given: DealSpace | WeightedDeals | Expression | Node | str | int = 1,
    weights: SeatWeights | None = None,
    *,
    joint: WeightLike | None = None,
    memory: int | str = MEMORY,
    **known: Unpack[KnownCards],
) -> WeightedDeals:
    """Return deals that satisfy a condition, each with a chance in proportion to its weight.

    The weight of a deal is the product of all weights. `weights` has those of each hand, by seat:
    a number, an expression of the language, or tables by the function of the hand, such as
    `{"hcp": {12: 1, "13-15": 3}, "shape": {"any 4333": "1/2", "else": 1}}`; the same as text is
    `"hcp {12: 1, 13-15: 3}, shape {any 4333: 1/2, else: 1}"`. Values that are not in a table have
    the weight of `else`, or 0. `joint` is a weight of several hands, as in
    `{"hcp(north) + hcp(south)": {"20-24": 1, "25+": 3}}`. A list is a product.

    `given`, `memory` and the arguments of known cards are those of `deals`; the weights of weighted
    deals multiply with the others. Raises `NotCountableError` if the condition or a
    weight cannot be counted, `ModelTooLarge`, `TextError` for a wrong text, `NumberError` for a
    negative number, and `TypeError` for a float, which is not exact.

    >>> from pavcodec import probability
    >>> space = weighted("spades(north) >= 5", {"N": {"hcp": {11: 1, "12-15": 2}}})
    >>> [float(probability(f"hcp(north) == {points}", given=space)) for points in (10, 11)]
    [0.0, 0.1521415838752239]
    """
    before: tuple[Weight, ...] = ()
    if isinstance(given, WeightedDeals):
        before, given = given.weights, given.given
    if isinstance(given, ConstrainedDeals) and not known:
        return WeightedDeals(given, (*before, *weights_of(weights, joint)))
    where = given.where if isinstance(given, ConstrainedDeals | TestedDeals) else given
    given_where: object = where  # of a caller without types
    if not isinstance(given_where, Expression | Node | str | SupportsIndex):
        kind = type(given_where).__name__
        raise TypeError(f"weighted takes a condition or the result of deals, not {kind!r}")
    node = with_known_cards(condition_of(where).node, known, "weighted")
    condition = Condition(node, memory_of(memory))
    return weighted_deals_of(condition, (*before, *weights_of(weights, joint)))


def weighted_deals_of(condition: Condition, weights: Sequence[Weight]) -> WeightedDeals:
    """Return the deals of a condition by weights; raise `NotCountableError` for tested parts."""
    space = deals_of(condition, "exact")
    if isinstance(space, TestedDeals):
        raise NotCountableError(f"{space.reasons[0]}; {WAY_OUT}")
    return WeightedDeals(space, tuple(weights))
