"""A condition under weights: its weighted model, and the weights of the values of numbers.

The errors of both functions are those of `Condition.diagrams`, with the weight that is wrong or has
no diagram.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.counting.diagrams.compile import NotCountableError, tested_for
from pavcodec.constraints.counting.diagrams.diagram import Diagram
from pavcodec.constraints.counting.models.weighted_model import (
    NegativeWeight,
    WeightDiagram,
    WeightedModel,
    build_weighted,
    weigh_values,
)
from pavcodec.constraints.nodes.format import show
from pavcodec.constraints.nodes.syntax import Comparison, Node, Number
from pavcodec.constraints.nodes.trees import Weight, conjunction
from pavcodec.errors import NumberError
from pavcodec.layout import Layout
from pavcodec.limits import ProductTooLarge

T = TypeVar("T")

WAY_OUT = "leave that part out, and weigh deals that are drawn without it by pavcodec.resample"
"""What to do about a part that cannot be counted."""


def weighted_model(condition: Condition, weights: Sequence[Weight]) -> WeightedModel:
    """Return the model of the layouts of a condition by weights.

    >>> from pavcodec.constraints.language.parser import parse_expression
    >>> condition = Condition(parse_expression("hcp(south) == 37"))
    >>> weight = Weight(parse_expression("hearts(south) + 1"))
    >>> model = weighted_model(condition, [weight])
    >>> model.words == condition.cardinality, model.total / model.words
    (True, Fraction(17, 4))
    """

    def build(conditions: list[Diagram], weighing: list[WeightDiagram]) -> WeightedModel:
        return build_weighted(conditions, weighing, condition.sizes, memory=condition.memory)

    return _weighing(condition, weights, (), lambda some, weighing, _: build(some, weighing))


def weighted_values(
    condition: Condition, weights: Sequence[Weight], numbers: Sequence[Node]
) -> tuple[dict[tuple[int, ...], int], Fraction]:
    """Return (the sum of weights for each row of values of some numbers, the unit of the sums)."""
    sizes, memory = condition.sizes, condition.memory
    return _weighing(
        condition,
        weights,
        numbers,
        lambda some, weighing, values: weigh_values(some, weighing, values, sizes, memory=memory),
    )


def _weighing(
    condition: Condition,
    weights: Sequence[Weight],
    numbers: Sequence[Node],
    build: Callable[[list[Diagram], list[WeightDiagram], list[Diagram]], T],
) -> T:
    """Return the result of a function of the diagrams of the parts, the weights and the numbers."""
    for weight in weights:
        reason = tested_for(weight.number)
        if reason:
            raise _not_countable(weight, reason)
    try:
        conditions, diagrams = condition.diagrams_with(
            [*(each.number for each in weights), *numbers]
        )
    except NotCountableError:
        _refuse_alone(condition, weights)
        raise
    values = diagrams[len(weights) :]
    weighing = [
        WeightDiagram.of(diagram, weight.of)
        for weight, diagram in zip(weights, diagrams, strict=False)
    ]
    try:
        return build(conditions, weighing, values)
    except NegativeWeight:
        raise _negative(condition, weights) from None
    except ProductTooLarge as error:
        raise condition.too_large("the model of the weights", error) from None


def _refuse_alone(condition: Condition, weights: Sequence[Weight]) -> None:
    """Raise `NotCountableError` for the first weight that has no diagram, if there is one."""
    for weight in weights:
        try:
            condition.of(()).diagrams_with([weight.number])
        except NotCountableError as error:
            raise _not_countable(weight, str(error)) from None


def _not_countable(weight: Weight, reason: str) -> NotCountableError:
    return NotCountableError(f"the weight {show(weight.number)}: {reason}; {WAY_OUT}")


def _negative(condition: Condition, weights: Sequence[Weight]) -> NumberError:
    """Return the error for a negative weight, with the first deal that has one."""
    for weight in weights:
        if weight.entries is None:
            below = Comparison("<", weight.number, Number(0))
            model = replace(condition, node=conjunction([condition.node, below])).build()
            if model.cardinality:
                layout = Layout.unchecked(model.unrank(0))
                name = show(weight.number)
                return NumberError(f"a weight is 0 or more, but {name} is below 0 for {layout}")
    raise AssertionError("the model found a negative weight")
