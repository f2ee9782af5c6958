"""A condition as one value: its parts, its name in the cache, its diagrams and its model.

Each of these is computed at its first use. Errors name the part of the condition that takes too
much memory, or that cannot be counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import index as as_integer
from typing import SupportsIndex

from pavcodec.cards import DECK_SIZE, FOUR_HANDS, HAND_SIZE, Seat
from pavcodec.constraints.counting.automaton import Diagram, legal_factor
from pavcodec.constraints.counting.compile import (
    Compiler,
    NotCountableError,
    too_large,
)
from pavcodec.constraints.counting.model import (
    Model,
    NegativeWeight,
    WeightDiagram,
    build_model,
    outcomes_of,
)
from pavcodec.constraints.counting.recent import building, recent_model, remember_model
from pavcodec.constraints.counting.turns import count_layouts
from pavcodec.constraints.nodes.format import format_node, show
from pavcodec.constraints.nodes.syntax import (
    Comparison,
    Node,
    Number,
    Weight,
    conjunction,
    parts_of,
    tested_for,
)
from pavcodec.errors import ModelTooLarge, NumberError, shown
from pavcodec.layout import Layout
from pavcodec.limits import MEMORY, ProductTooLarge

WAY_OUT = "leave that part out, and weigh deals that are drawn without it by pavcodec.resample"
"""What to do about a part that cannot be counted by weights."""


@dataclass(frozen=True)
class Condition:
    """A condition on deals or endings, and what counting derives from it, each computed once.

    `memory` is the limit of counting in bytes. `sizes` has the cards of each hand and, for endings,
    of what nobody holds. With `legal`, only endings count that legal play can reach. A pickle holds
    these values only.

    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> condition = Condition(parse_expression("hcp(north)==37&&1"))
    >>> condition.text, len(condition.parts), condition.model.cardinality
    ('hcp(north) == 37 && 1', 1, 337912392291465600)
    """

    node: Node
    memory: int = field(default=MEMORY, compare=False)
    sizes: tuple[int, ...] = FOUR_HANDS
    legal: bool = False
    is_planned: bool = field(default=False, compare=False, repr=False)
    """Whether the model is that of a plan: the cache names models of any size otherwise."""

    @classmethod
    def of_endings(
        cls, node: Node, cards: SupportsIndex, memory: int = MEMORY, *, legal: bool = False
    ) -> Condition:
        """Return a condition on endings; raise `NumberError` unless a hand has 1 to 12 cards."""
        return cls(node, memory, ending_sizes(cards), legal)

    @cached_property
    def parts(self) -> tuple[Node, ...]:
        """The parts that all have to hold; none if every layout satisfies the condition."""
        return parts_of(self.node)

    @cached_property
    def reasons(self) -> tuple[str | None, ...]:
        """For each part, why its nodes exclude counting; None if they do not."""
        return tuple(map(tested_for, self.parts))

    @cached_property
    def text(self) -> str:
        """The canonical text."""
        return format_node(self.node)

    @property
    def name(self) -> str:
        """The name of the model: the text, for endings after the number of cards."""
        if self.sizes == FOUR_HANDS:
            return f"planned: {self.text}" if self.is_planned else self.text
        return f"{self.sizes[0]} cards{', legal' if self.legal else ''}: {self.text}"

    @cached_property
    def stored(self) -> Model | None:
        """The model of the process; None if it has none within the memory limit."""
        return recent_model(self.name, self.memory, self.sizes)

    @property
    def has_model(self) -> bool:
        """Whether reading `model` builds nothing: the caller or the process has it."""
        return "model" in vars(self) or self.stored is not None

    @cached_property
    def diagrams(self) -> tuple[Diagram, ...]:
        """The diagram of each part; `model` drops them.

        Raises `NotCountableError` for a part without a diagram, and `ModelTooLarge`.
        """
        compiler = self._compiler()
        return tuple(compiler.truth(part) for part in self.parts)

    @cached_property
    def model(self) -> Model:
        """The counting model, of the process or built and stored there; see `diagrams`."""
        model = self.stored
        if model is None:
            with building(self.name):
                model = recent_model(self.name, self.memory, self.sizes)
                if model is None:
                    model = self.build()
                    remember_model(self.name, model)
        self.__dict__.pop("diagrams", None)  # they may be large
        return model

    def build(self) -> Model:
        """Build the model; see `diagrams`."""
        diagrams = self.diagrams
        try:
            return build_model([*diagrams, *self._legality()], self.sizes, memory=self.memory)
        except ProductTooLarge as error:
            hint = ""
            if self.parts:
                pairs = zip(self.parts, diagrams, strict=True)
                part, diagram = max(pairs, key=lambda pair: pair[1].widest)
                widest = f"({diagram.widest:,}) is {show(part)}"
                hint = f"; the part with most states by itself {widest}"
            raise too_large("the model", error, self.memory, hint) from None

    @cached_property
    def cardinality(self) -> int:
        """The number of deals, counted without a model; see `diagrams`.

        >>> from pavcodec.constraints.language.parser import parse_expression
        >>> Condition(parse_expression("hcp(north) == 37")).cardinality
        337912392291465600
        """
        diagrams = self.diagrams
        self.__dict__.pop("diagrams", None)
        with self._explaining("counting the condition"):
            return count_layouts(diagrams, self.sizes, memory=self.memory)

    def count_values(
        self, numbers: Sequence[Node], weights: Sequence[Weight] = ()
    ) -> dict[tuple[int, ...], int]:
        """Return how many layouts give some numbers each row of values; see `diagrams`.

        With weights, the values are the sums of the weights in units; see `weighted`.
        """
        compiler = self._compiler()
        conditions, weighing = self._with_weights(compiler, weights)
        values = [compiler.diagram(number) for number in numbers]
        by = f"counting by {', '.join(map(show, numbers))}"
        with self._explaining("the model of the weights" if weights else by, weights):
            return outcomes_of(conditions, values, self.sizes, weighing, memory=self.memory)

    def weighted(self, weights: Sequence[Weight]) -> Model:
        """Return the model of the layouts by weights.

        Errors are those of `diagrams`, also for a weight without a diagram, and `NumberError` for
        one that is negative for some layout.

        >>> from pavcodec.constraints.language.parser import parse_expression
        >>> condition = Condition(parse_expression("hcp(south) == 37"))
        >>> model = condition.weighted([Weight(parse_expression("hearts(south) + 1"))])
        >>> model.words == condition.cardinality, model.total / model.words
        (True, Fraction(17, 4))
        """
        conditions, weighing = self._with_weights(self._compiler(), weights)
        with self._explaining("the model of the weights", weights):
            return build_model(conditions, self.sizes, weighing, memory=self.memory)

    def _with_weights(
        self, compiler: Compiler, weights: Sequence[Weight]
    ) -> tuple[list[Diagram], list[WeightDiagram]]:
        """Return (the diagrams of the parts, those of some weights); see `diagrams`."""
        conditions = [compiler.truth(part) for part in self.parts] + self._legality()
        weighing = []
        for weight in weights:
            try:
                number = compiler.diagram(weight.number)
            except NotCountableError as error:
                what = f"the weight {show(weight.number)}: {error}; {WAY_OUT}"
                raise NotCountableError(what) from None
            weighing.append(WeightDiagram.of(number, weight.of))
        return conditions, weighing

    @contextmanager
    def _explaining(self, what: str, weights: Sequence[Weight] = ()) -> Iterator[None]:
        """Raise the errors of work that takes too much memory, or has a negative weight."""
        try:
            yield
        except NegativeWeight:
            raise self._negative(weights) from None
        except ProductTooLarge as error:
            raise too_large(what, error, self.memory) from None

    def _negative(self, weights: Sequence[Weight]) -> NumberError:
        """Return the error for a negative weight, with the first deal that has one."""
        for weight in weights:
            if weight.entries is None:
                below = Comparison("<", weight.number, Number(0))
                model = replace(self, node=conjunction([self.node, below])).build()
                if model.cardinality:
                    layout, name = Layout.unchecked(model.unrank(0)), show(weight.number)
                    return NumberError(f"a weight is 0 or more, but {name} is below 0 for {layout}")
        raise AssertionError("the model found a negative weight")

    def conflict(self) -> tuple[Node, ...]:
        """Return parts that exclude each other; () if a layout satisfies the condition.

        If any one of them is removed, a layout satisfies the rest, unless checking that takes too
        much memory.
        """
        if self.model.cardinality:
            return ()
        kept = list(dict.fromkeys(self.parts))
        for part in tuple(kept):
            others = [other for other in kept if other != part]
            with suppress(ModelTooLarge):
                if not self.of(others).build().cardinality:
                    kept = others
        return tuple(kept)

    def of(self, parts: Sequence[Node]) -> Condition:
        """Return the condition that some parts hold, on the same hands; this one if it is equal."""
        node = conjunction(parts)
        return self if node == self.node else replace(self, node=node)

    def having(self, model: Model) -> Condition:
        """Return this condition, of which the caller has the model."""
        self.__dict__["model"] = model
        return self

    def split(self) -> Split:
        """Return the parts that can be counted, of any size, and those to test deal by deal.

        Diagrams are made only if the cache lacks the model of the parts whose nodes can be counted.
        """
        reasons = list(self.reasons)
        pairs = list(zip(self.parts, reasons, strict=True))
        counted = self.of([part for part, reason in pairs if not reason])
        if not counted.has_model:
            compiler, diagrams = self._compiler(), []
            for index, (part, reason) in enumerate(pairs):
                if not reason:
                    try:
                        diagrams.append(compiler.truth(part))
                    except NotCountableError as error:
                        reasons[index] = str(error)
            pairs = list(zip(self.parts, reasons, strict=True))
            counted = counted.of([part for part, reason in pairs if not reason])
            counted.__dict__["diagrams"] = tuple(diagrams)
        return Split(
            counted,
            tuple(part for part, reason in pairs if reason),
            tuple(reason for reason in reasons if reason),
        )

    def _compiler(self) -> Compiler:
        return Compiler(memory=self.memory, sizes=self.sizes)

    def _legality(self) -> list[Diagram]:
        """Return the factor of legal endings, if only these count."""
        return [legal_factor(self.sizes)] if self.legal else []

    def __reduce__(self) -> tuple[object, tuple[Node, int, tuple[int, ...], bool, bool]]:
        return Condition, (self.node, self.memory, self.sizes, self.legal, self.is_planned)


@dataclass(frozen=True)
class Split:
    """A condition as two: `counted` can be counted, and each of the `tested` parts is tested.

    `reasons` say why the tested parts are not counted. `plan` names the seats that are counted
    if the whole is too large; `counted` then follows from the condition. With `cases`, the counted
    deals are those of each case, and a deal has to pass the tests of its case.
    """

    counted: Condition
    tested: tuple[Node, ...] = ()
    reasons: tuple[str, ...] = ()
    plan: str = ""
    cases: tuple[Split, ...] = ()


def ending_sizes(cards: SupportsIndex) -> tuple[int, ...]:
    """Return the sizes of hands of so many cards, and of what nobody holds.

    Raises `NumberError` unless a hand has 1 to 12 cards.
    """
    each = as_integer(cards)
    if not 1 <= each < HAND_SIZE:
        raise NumberError(
            f"an ending has 1 to {HAND_SIZE - 1} cards in each hand, not {shown(each)}"
        )
    return (*[each] * len(Seat), DECK_SIZE - len(Seat) * each)
