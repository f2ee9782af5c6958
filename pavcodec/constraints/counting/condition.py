"""A condition as one value, and its plan: which part is counted, and which part is tested.

Its parts, diagrams, model and number are each computed at first use. Errors name the part of the
condition that takes too much memory, or that cannot be counted.

A condition that can be counted as a whole, within `WHOLE` bytes and with at most `WIDEST` states
before each card, is counted as a whole. For any other condition, the plan counts the largest part
that fits: deals are drawn from that part exactly, and the rest is tested deal by deal. So every
condition deals, and its deals are exactly uniform.

The counted part depends on few seats. `implied` gives what the whole condition implies for
these seats alone, so that most deals of the part satisfy the rest as well. Seats are added while
the model of the part fits within `PART` bytes and too few of its deals pass.

0. The whole condition is not tried if a diagram takes more than `DIAGRAM` bytes. It is not tried
   either if the condition depends on three hands or more, and diagrams of several hands have
   together more than `TIED` nodes, or one of them takes more than `TIE` bytes.
1. For each seat, the model of what the condition implies for it alone is made; the seat with the
   smallest share of deals is first.
2. A sample of a fixed seed from this seat's deals shows how often each further seat's conditions
   hold; the seat with the smallest share is next. The plan makes the model of what is implied for
   the seats. If it does not fit, the next seat is tried.
3. This repeats until the model covers two seats and at least one deal in `ENOUGH` passes the rest,
   or no seat is left.
4. If less than one deal in `TOO_FEW` passes then, a part `A || B || …` or `c ? A : B` of the
   condition is split into cases: the first part whose cases have together `WORTH` times fewer
   deals. Each case has a plan of its own, which may cover all seats.

A plan is a function of the condition alone: the limits and samples are fixed, and neither memory
nor time nor the requested number of deals changes it. So a seed gives the same deals everywhere.
Less memory than a plan needs is an error, not another plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from operator import index as as_integer
from typing import TYPE_CHECKING, NoReturn, SupportsIndex

import numpy as np

from pavcodec.cards import DECK_SIZE, FOUR_HANDS, HAND_SIZE, Seat
from pavcodec.constraints.counting.automaton import Diagram, legal_factor
from pavcodec.constraints.counting.compile import (
    Compiler,
    NotCountableError,
    too_large,
)
from pavcodec.constraints.counting.implied import Implications
from pavcodec.constraints.counting.model import (
    Model,
    NegativeWeight,
    WeightDiagram,
    build_model,
    outcomes_of,
)
from pavcodec.constraints.counting.recent import (
    building,
    recent_model,
    recent_seats,
    remember_model,
    remember_seats,
)
from pavcodec.constraints.counting.turns import count_layouts
from pavcodec.constraints.evaluation import kinds_in
from pavcodec.constraints.nodes.format import format_node, show
from pavcodec.constraints.nodes.syntax import (
    Choice,
    Comparison,
    Node,
    Not,
    Number,
    Or,
    Tricks,
    Weight,
    conjunction,
    distinct,
    measure_of,
    parts_of,
)
from pavcodec.errors import ModelTooLarge, NumberError, shown
from pavcodec.layout import Layout
from pavcodec.limits import MEMORY, ProductTooLarge, format_size
from pavcodec.sampling import draw_indexes

if TYPE_CHECKING:
    from pavcodec.arrays import Owners
    from pavcodec.constraints.vectors import Vectors


WAY_OUT = "leave that part out, and weigh deals that are drawn without it by pavcodec.resample"
"""What to do about a part that cannot be counted by weights."""


MANY, MANY_SEATS = 60, 2
"""A condition is large if it has more different nodes, or depends on more seats."""

WHOLE = 1 << 30
"""The bytes that the model of a whole condition may take, and the making of it."""

PART = 256 << 20
"""The bytes that the model of a part may take, and the making of it."""

WIDEST = 1 << 22
"""The most states, also without deals, that the model of a whole condition may have at a card."""

DIAGRAM = 256 << 20
"""The bytes that making the diagram of a condition may take."""

TIE = 64 << 20
"""The bytes that making a diagram of several hands may take, where there are three or more."""

TIED = 1 << 18
"""The nodes that diagrams of several hands may have together, where there are three or more."""

ENOUGH = 200
"""One deal in so many that passes the rest is enough."""

TOO_FEW = 4000
"""One deal in so many that passes is too few: the plan then tries cases."""

WORTH = 4
"""How many times fewer deals the cases must have together."""

MOST_CASES = 12

FEWEST_SEATS = 2
"""The fewest seats that a part covers, if that fits."""

SAMPLE, SEED = 1 << 14, 0
"""The deals of a part from which shares are estimated, and the seed that draws them."""

LARGEST_BY_CLASSES = 3
"""The most cards of a hand in endings whose tricks are counted by classes."""

TOO_LARGE = "the whole condition is too large to be counted"


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
    """Whether the model is that of a plan: the process keeps models of any size apart."""

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
        if self.has_classes:
            from pavcodec.constraints.counting.classes import reason_of

            return tuple(map(reason_of, self.parts))
        return tuple(measure_of(part).reason for part in self.parts)

    @cached_property
    def has_classes(self) -> bool:
        """Whether tricks of small endings are asked for, which are counted by classes."""
        return self._has_classes(self.parts)

    def _has_classes(self, nodes: Sequence[Node]) -> bool:
        """Return whether tricks are among some nodes, and the endings are small."""
        is_small = self.sizes != FOUR_HANDS and self.sizes[0] <= LARGEST_BY_CLASSES
        return is_small and any(Tricks in kinds_in(node) for node in nodes)

    @property
    def is_large(self) -> bool:
        """Whether counting without a model, which takes less, is tried first."""
        return (
            len(measure_of(self.node).seats) > MANY_SEATS
            or sum(1 for _ in distinct(self.node)) > MANY
        )

    @cached_property
    def text(self) -> str:
        """The canonical text."""
        return format_node(self.node)

    @property
    def key(self) -> tuple[Node, tuple[int, ...], bool, bool]:
        """The key of the model in the process."""
        return self.node, self.sizes, self.legal, self.is_planned

    @cached_property
    def stored(self) -> Model | None:
        """The model of the process; None if it has none within the memory limit."""
        return recent_model(self.key, self.memory)

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
            with building(self.key):
                model = recent_model(self.key, self.memory)
                if model is None:
                    model = self.build()
                    remember_model(self.key, model)
        self.__dict__.pop("diagrams", None)  # they may be large
        return model

    def build(self) -> Model:
        """Build the model; see `diagrams`."""
        if self.has_classes:
            from pavcodec.constraints.counting.classes import ClassModel

            self._check_classes(self.parts)
            return ClassModel.of(self.sizes, self.parts, self.memory)
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
        if self.has_classes:
            return self.model.cardinality
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
        if not weights and self._has_classes([*self.parts, *numbers]):
            from pavcodec.constraints.counting import classes

            self._check_classes([*self.parts, *numbers])
            return classes.count_values(self.sizes, self.parts, numbers)
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
        """Return the condition that some parts hold, on the same hands; this one if it is that."""
        node = conjunction(parts)
        return self if node is self.node else replace(self, node=node)

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
        if not self.has_classes and not counted.has_model:
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

    def _check_classes(self, nodes: Sequence[Node]) -> None:
        """Raise `NotCountableError` for a node that is not counted by classes."""
        from pavcodec.constraints.counting.classes import reason_of

        for reason in filter(None, map(reason_of, nodes)):
            raise NotCountableError(reason)

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


@dataclass(frozen=True)
class CountedPart:
    """A condition on some seats that is counted, with its model."""

    seats: frozenset[Seat]
    condition: Condition

    @property
    def model(self) -> Model:
        """The model of the condition."""
        return self.condition.model

    @cached_property
    def owners(self) -> Owners:
        """Sample deals of the part, `uint8[n, 52]`, to estimate how often other conditions hold."""
        indexes = draw_indexes(SEED, 0, SAMPLE, self.model.cardinality)
        owners = np.empty((SAMPLE, self.model.cards), np.uint8)
        self.model.unrank_rows(SAMPLE, indexes, owners)
        return owners


def plan(condition: Condition) -> Split:
    """Return the counted part of a condition on four hands, with its model, and the tested parts.

    Raises `ModelTooLarge` where the plan takes more memory than the condition allows.

    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> split = plan(Condition(parse_expression("hcp(north) >= 36 && hcp(south) <= 3")))
    >>> len(split.counted.parts), split.tested, split.counted.model.cardinality
    (2, (), 5316712618969987200)
    """
    planner = _Planner(replace(condition, is_planned=True))
    key = planner.condition.key
    with building(("plan", key)):
        seats = recent_seats(key, planner.memory)
        split = planner.whole() if seats is None else planner.of_seats(seats)
        if split is None:
            part = planner.part()
            split = planner.cases(part)
            if split is None:
                split = planner.counting(part)
                remember_seats(key, part.seats, planner.memory)
        return split


class _Planner:
    """Finds the plan of a condition."""

    def __init__(self, condition: Condition) -> None:
        self.condition = condition
        self.memory = condition.memory
        self.parts = condition.parts
        self.reasons = list(condition.reasons)
        memory, together = min(self.memory, DIAGRAM), self.memory < PART
        self.compiler = Compiler(memory=memory, together=together, sizes=condition.sizes)
        self._failed: set[Node] = set()
        self._implications: dict[frozenset[Seat], Implications] = {}

    def of_seats(self, seats: frozenset[Seat]) -> Split | None:
        """Return the plan that counts some seats; None if it does not fit."""
        part = self._part_of(seats)
        return None if part is None else self.counting(part)

    def whole(self) -> Split | None:
        """Return the plan that counts all parts with a diagram; None if that is too large."""
        counted = self._counted_parts
        added = [each for each in self._implied_by_tested() if each not in counted]
        whole = self.condition.of([*counted, *added])
        if whole.has_model:
            return self._split(whole, counted)
        with suppress(ModelTooLarge):
            self._make_diagrams()
            counted = self._counted_parts
            added = [each for each in added if self._diagram_that_fits(each) is not None]
            whole = whole.of([*counted, *added])
            self._count(whole, min(self.memory, WHOLE), WIDEST)
            return self._split(whole, counted)
        if self.memory < WHOLE:
            self._refuse()  # for with more memory the plan might be another one
        return None

    def _make_diagrams(self) -> None:
        """Make the diagram of each part that has one; the others are tested."""
        tied = 0
        for index, part in enumerate(self.parts):
            if not self.reasons[index]:
                try:
                    diagram = self._truth(part)
                except NotCountableError as error:
                    self.reasons[index] = str(error)
                else:
                    tied += diagram.nodes if len(diagram.seats) > 1 else 0
            if tied > TIED and len(self._looked_at) > FEWEST_SEATS:
                raise ModelTooLarge(TOO_LARGE)

    def _truth(self, node: Node) -> Diagram:
        """Return the diagram of a condition; a diagram that was too large is not made again."""
        if node in self._failed:
            raise ModelTooLarge(TOO_LARGE)
        ties = len(measure_of(node).seats) > 1 and len(self._looked_at) > FEWEST_SEATS
        if self.memory >= PART:
            self.compiler.memory = TIE if ties else DIAGRAM
        try:
            return self.compiler.truth(node)
        except ModelTooLarge:
            self._failed.add(node)
            raise

    def _refuse(self) -> NoReturn:
        """Raise `ModelTooLarge` with the part that takes more than the memory limit."""
        del self.compiler  # and all that it remembers
        self.condition.split().counted.build()
        size = format_size(self.memory)
        raise ModelTooLarge(f"the plan of the condition takes more than {size}: allow more")

    def _count(self, part: Condition, limit: int, widest: int | None = None) -> None:
        """Give a part its model of the process, or build and keep one within a limit."""
        if part.has_model:
            return
        diagrams = list(map(self._truth, part.parts))
        model = build_model(diagrams, part.sizes, memory=limit, widest=widest)
        remember_model(part.key, model)
        part.having(model)

    def _implied_by_tested(self) -> list[Node]:
        """Return what the parts whose nodes exclude counting imply for single seats."""
        tested = [part for part, why in self._with_reasons if why]
        implied = [self._weakest(part, frozenset([seat])) for part in tested for seat in Seat]
        return [each for node in dict.fromkeys(implied) for each in parts_of(node)]

    @property
    def _counted_parts(self) -> list[Node]:
        return [part for part, why in self._with_reasons if not why]

    @property
    def _with_reasons(self) -> list[tuple[Node, str | None]]:
        """The parts, each with the reason why it is tested if it is."""
        return list(zip(self.parts, self.reasons, strict=True))

    def _split(self, counted: Condition, settled: Iterable[Node]) -> Split:
        """Return the plan that counts a condition, which settles some of the parts."""
        done = set(settled)
        tested = [(part, why or TOO_LARGE) for part, why in self._with_reasons if part not in done]
        parts, reasons = zip(*tested, strict=True) if tested else ((), ())
        return Split(counted, parts, reasons)

    def _weakest(self, part: Node, seats: frozenset[Seat]) -> Node:
        """Return what a part implies for some seats."""
        if seats not in self._implications:
            self._implications[seats] = Implications(seats)
        return self._implications[seats].weakest(part)

    def _implied(self, part: Node, seats: frozenset[Seat]) -> list[Node]:
        """Return what a part implies for some seats, as far as it has diagrams that fit."""
        implied: list[Node] = []
        for each in parts_of(self._weakest(part, seats)):
            if self._diagram_that_fits(each) is not None:
                implied.append(each)
            elif len(seats) > 1:
                for seat in sorted(seats):
                    implied += self._implied(each, frozenset([seat]))
        return implied

    def _diagram_that_fits(self, node: Node) -> Diagram | None:
        """Return the diagram of a condition; None where it has none or is too large."""
        try:
            return self._truth(node)
        except NotCountableError:
            return None
        except ModelTooLarge:
            if self.memory < PART:
                raise
            return None

    def _part_of(self, seats: frozenset[Seat]) -> CountedPart | None:
        """Return what is implied for some seats, with the model; None where it does not fit."""
        implied = dict.fromkeys(each for part in self.parts for each in self._implied(part, seats))
        part = self.condition.of(list(implied))
        try:
            self._count(part, min(self.memory, PART))
        except ModelTooLarge:
            if self.memory < PART:
                raise
            return None
        return CountedPart(seats, part)

    def counting(self, part: CountedPart) -> Split:
        """Return the plan that counts a part."""
        done = set(part.condition.parts)
        settled = [each for each in self.parts if set(parts_of(each)) <= done]
        letters = "".join(seat.letter for seat in sorted(part.seats))
        return replace(self._split(part.condition, settled), plan=letters)

    def part(self, *, all_seats: bool = False) -> CountedPart:
        """Return what is implied for few seats, or for all examined seats if that is allowed."""
        alone = [
            single for seat in Seat if (single := self._part_of(frozenset([seat]))) is not None
        ]
        best = min(alone, key=lambda part: (part.model.cardinality, *part.seats))
        while best.model.cardinality:
            larger = self._larger(best, frozenset() if all_seats else self._looked_at)
            if larger is None:
                break
            best = larger
        return best

    def passing(self, part: CountedPart) -> Fraction:
        """Return the share of a part's deals that satisfy the condition, in a fixed sample."""
        return self._share(self.parts, part.owners) if part.model.cardinality else Fraction(0)

    def cases(self, part: CountedPart) -> Split | None:
        """Return the plan by cases if its deals are much fewer than those of a part."""
        passing = self.passing(part)
        if not part.model.cardinality or passing * TOO_FEW >= 1:
            return None
        for conditions in self._taken_apart():
            planners = [_Planner(replace(self.condition, node=each)) for each in conditions]
            cases = [planner.part(all_seats=True) for planner in planners]
            total = sum(each.model.cardinality for each in cases)
            if not total or total * WORTH <= part.model.cardinality:
                return self._by_cases(planners, cases)
        return None

    def _taken_apart(self) -> Iterator[list[Node]]:
        """Yield the cases of each part that has some, with all other parts in each case."""
        for index, part in enumerate(self.parts):
            match part:
                case Or(parts):
                    choices: Sequence[Node] = parts
                case Choice(condition, then, otherwise):
                    choices = [
                        conjunction([condition, then]),
                        conjunction([Not(condition), otherwise]),
                    ]
                case _:
                    continue
            if len(measure_of(part).seats) > 1 and len(choices) <= MOST_CASES:
                others = [*self.parts[:index], *self.parts[index + 1 :]]
                yield [conjunction([*others, choice]) for choice in choices]

    def _by_cases(self, planners: Sequence[_Planner], parts: Sequence[CountedPart]) -> Split:
        cases = [
            planner.counting(part)
            for planner, part in zip(planners, parts, strict=True)
            if part.model.cardinality
        ]
        if not cases:  # then the plan of the first case explains why there are no deals
            return planners[0].counting(parts[0])
        whole = self._split(self.condition.of(()), ())
        return replace(whole, plan="+".join(case.plan for case in cases), cases=tuple(cases))

    def _larger(self, part: CountedPart, too_many: frozenset[Seat]) -> CountedPart | None:
        """Return the part with one more seat, if that improves the plan and fits."""
        owners = part.owners
        if len(part.seats) >= FEWEST_SEATS and self.passing(part) * ENOUGH >= 1:
            return None
        others = [part.seats | {seat} for seat in Seat if seat not in part.seats]
        shares = {seats: self._share_of_seats(seats, owners) for seats in others}
        for seats in sorted(others, key=lambda seats: (shares[seats], *sorted(seats))):
            if shares[seats] < 1 and not (too_many and too_many <= seats):
                larger = self._part_of(seats)
                if larger is not None:
                    return larger
        return None

    @cached_property
    def _looked_at(self) -> frozenset[Seat]:
        """The seats that the condition depends on."""
        return frozenset().union(*(measure_of(part).seats for part in self.parts))

    def _share_of_seats(self, seats: frozenset[Seat], owners: Owners) -> Fraction:
        """Return the share of some deals that satisfy what the condition implies for some seats."""
        return self._share([self._weakest(part, seats) for part in self.parts], owners)

    def _share(self, parts: Iterable[Node], owners: Owners) -> Fraction:
        """Return the share of some deals that satisfy the parts which arrays can evaluate."""
        from pavcodec.constraints.vectors import Chunk, ChunkRows, all_of, answer

        every = map(self._vectors.of, parts)
        vectors = [vector for vector in every if vector is not None and not vector.by_row]
        if not vectors:
            return Fraction(1)
        truth = np.broadcast_to(
            answer(all_of(vectors), ChunkRows(Chunk(owners))).truth, len(owners)
        )
        return Fraction(int(np.count_nonzero(truth)), len(owners))

    @cached_property
    def _vectors(self) -> Vectors:
        from pavcodec.constraints.vectors import Vectors

        return Vectors(self.condition.node)
