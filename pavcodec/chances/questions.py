"""The probability of an event, and the distribution of a number.

Rule 1: without `simulate` the functions count, and the answers are fractions.
Rule 2: only `simulate` gives estimates. They have types of their own with confidence intervals,
and the deals behind them are an exact sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from operator import index as as_integer
from typing import Any, Required, SupportsIndex, Unpack, overload

from pavcodec.chances.distributions import (
    Distribution,
    SampledDistribution,
    Value,
    WeightedDistribution,
)
from pavcodec.constraints.columns import rows_of
from pavcodec.constraints.counting.compile import NotCountableError
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.evaluation import Evaluation, evaluations
from pavcodec.constraints.expressions import condition_of, expression
from pavcodec.constraints.known import KnownCards, with_known_cards
from pavcodec.constraints.nodes.syntax import And, Comparison, HasCard, InShapes, Node, Not, Or
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.spaces.constrained import ConstrainedDeals, ConstrainedEndings
from pavcodec.constraints.spaces.deals import CountableSpace as Space
from pavcodec.constraints.spaces.deals import Method, space_of
from pavcodec.constraints.spaces.estimates import Estimate
from pavcodec.constraints.spaces.rejection import TestedDeals
from pavcodec.constraints.weighing import WeightedDeals
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.limits import MEMORY, memory_of
from pavcodec.sampling import Seed, check_many, seed_of

_SEED = "odds"

MOST_NUMBERS = 1000
"""The most numbers of one distribution: counting makes the product of all their diagrams."""

ConditionLike = Space | WeightedDeals | Expression | str | int


def is_event(node: Node) -> bool:
    """Whether an expression is an event, which is true or false; other expressions are numbers.

    >>> is_event(expression("hcp(south) >= 20").node), is_event(expression("hcp(south)").node)
    (True, False)
    """
    return isinstance(node, And | Comparison | HasCard | InShapes | Not | Or)


class _Given(KnownCards, total=False):
    """The deals that a question is about, and the memory for counting them."""

    given: ConditionLike
    memory: int | str


class _Sampled(_Given, total=False):
    """The size of a sample of these deals, and its seed."""

    simulate: Required[SupportsIndex]
    seed: Seed | None


@overload
def probability(event: Expression | str, **asked: Unpack[_Given]) -> Fraction: ...
@overload
def probability(event: Expression | str, **asked: Unpack[_Sampled]) -> Estimate[Fraction]: ...
def probability(
    event: Expression | str,
    *,
    given: ConditionLike = 1,
    simulate: SupportsIndex | None = None,
    seed: Seed | None = None,
    memory: int | str = MEMORY,
    **known: Unpack[KnownCards],
) -> Fraction | Estimate[Fraction]:
    """Return the exact probability of an event among the deals that satisfy a condition.

    `given` is a condition, or the result of `deals`, `endings` or `weighted`. Raises `PavError` if
    no deal satisfies it, or if the event cannot be counted. The arguments of known cards are those
    of `deals`: the deals also have these cards. With `simulate` the answer is an `Estimate` from so
    many deals; the same `seed` gives the same answer, and the default seed is fixed.

    >>> from pavcodec import probability
    >>> probability("spades(east) == 2", given="spades(north) + spades(south) == 9")
    Fraction(234, 575)
    >>> probability("spades(east) == 2", hands={"S": "AKQ2.K85.AJ4.T63", "N": "J754.A2.KQ3.A982"})
    Fraction(39, 115)
    >>> print(probability("rnd(2) == 0", simulate=1000))
    about 0.521 (95 %: 0.49 to 0.5518)
    """
    happens = expression(event)
    if seed is not None:
        seed_of(seed)  # so that its errors do not depend on `simulate`
    if simulate is not None:
        space = _space(given, memory, "plan", known, "probability")
        sampled = _sampled(space, [~~happens], simulate, seed)
        return Estimate.of_sample(sampled.counts.get(1, 0), sampled.total)
    with _advising():
        space = _space(given, memory, "exact", known, "probability")
        if isinstance(space, WeightedDeals):
            weighing = replace(space.given.condition, memory=memory_of(memory))
            return space.of(weighing).having(happens.node).total / space.total
        node, whole = (space.where & happens).node, _counted(space)
        both = space_of(replace(whole.condition, node=node, memory=memory_of(memory)), "exact")
        return Fraction(_counted(both).cardinality, whole.cardinality)


@overload
def distribution(number: Expression | str, **asked: Unpack[_Given]) -> Distribution[int]: ...
@overload
def distribution(
    number: Expression | str,
    second: Expression | str,
    /,
    *more: Expression | str,
    **asked: Unpack[_Given],
) -> Distribution[tuple[int, ...]]: ...
@overload
def distribution(
    number: Expression | str, **asked: Unpack[_Sampled]
) -> SampledDistribution[int]: ...
@overload
def distribution(
    number: Expression | str,
    second: Expression | str,
    /,
    *more: Expression | str,
    **asked: Unpack[_Sampled],
) -> SampledDistribution[tuple[int, ...]]: ...
def distribution(
    number: Expression | str,
    *more: Expression | str,
    given: ConditionLike = 1,
    simulate: SupportsIndex | None = None,
    seed: Seed | None = None,
    memory: int | str = MEMORY,
    **known: Unpack[KnownCards],
) -> Distribution[Any] | SampledDistribution[Any]:
    """Return the probability of each value of a number among the deals that satisfy a condition.

    With several numbers, at most 1,000, the values are tuples, one value for each number. Arguments
    and errors are those of `probability`; with `simulate` the answer is a `SampledDistribution`.

    >>> from pavcodec import distribution
    >>> aces = distribution("aces(north)", given="hcp(north) == 8")
    >>> [(value, round(float(share), 4)) for value, share in aces.items()]
    [(0, 0.3778), (1, 0.5583), (2, 0.0638)]
    >>> both = distribution("aces(north)", "kings(north)", given="hcp(north) == 8")
    >>> aces[1] == both[1, 0] + both[1, 1]
    True
    """
    if len(more) >= MOST_NUMBERS:
        raise PavError(
            f"a distribution is of at most {MOST_NUMBERS:,} numbers together, not {len(more) + 1:,}"
        )
    numbers = list(map(expression, (number, *more)))
    if seed is not None:
        seed_of(seed)
    if simulate is not None:
        space = _space(given, memory, "plan", known, "distribution")
        return _sampled(space, numbers, simulate, seed)
    nodes = [figure.node for figure in numbers]
    with _advising():
        space = _space(given, memory, "exact", known, "distribution")
        if isinstance(space, WeightedDeals):
            weighing = replace(space.given.condition, memory=memory_of(memory))
            return WeightedDistribution(_flat(space.of(weighing).count_values(nodes)))
        condition = replace(_counted(space).condition, memory=memory_of(memory))
        return Distribution(_flat(condition.count_values(nodes)))


@contextmanager
def _advising() -> Iterator[None]:
    """Advise to ask for an estimate where the block cannot count."""
    try:
        yield
    except NotCountableError as error:
        raise NotCountableError(f"{error}: ask for an estimate, as with simulate=10_000") from None


def _counted(space: Space) -> ConstrainedDeals | ConstrainedEndings:
    """Return a space that is counted; raise `NotCountableError` with the reason if it is not."""
    if isinstance(space, TestedDeals):
        raise NotCountableError(space.reasons[0])
    return space


def _space(
    given: ConditionLike, memory: int | str, method: Method, known: KnownCards, function: str
) -> Space | WeightedDeals:
    """Return the deals of a condition with known cards; raise `PavError` if there are none."""
    if isinstance(given, WeightedDeals):
        weighted = given
        if known:
            node = with_known_cards(given.where.node, known, function)
            weighted = given.of(replace(given.given.condition, node=node))
        weighted.check()
        return weighted
    where = given.where if isinstance(given, Space) else condition_of(given)
    if isinstance(given, ConstrainedEndings):
        node = with_known_cards(where.node, known, function, given.cards)
        condition = replace(given.condition, node=node)
    else:
        condition = Condition(with_known_cards(where.node, known, function), memory_of(memory))
    space = given if isinstance(given, Space) and not known else space_of(condition, method)
    counted = space.counted if isinstance(space, TestedDeals) else space
    if not counted.cardinality:
        kind = counted.kind if isinstance(counted, ConstrainedEndings) else "deals"
        said = f"{where}' and the known cards" if known else f"{space.where}'"
        raise PavError(f"there are no {kind} with '{said}")
    return space


def _flat(counts: dict[tuple[int, ...], int]) -> dict[Value, int]:
    """Return counts by rows of values, in order; by value if there is one number."""
    ordered = sorted(counts.items())
    return {row[0] if len(row) == 1 else row: count for row, count in ordered}


def _sampled(
    space: Space | WeightedDeals,
    numbers: Sequence[Expression],
    simulate: SupportsIndex,
    seed: Seed | None,
) -> SampledDistribution:
    """Return the distribution of numbers over some random deals."""
    count = as_integer(simulate)
    if count < 1:
        raise NumberError(f"a simulation takes at least 1 deal, not {shown(count)}")
    check_many(count)
    nodes = [figure.node for figure in numbers]
    drawn = _drawn(space, count, seed_of(_SEED if seed is None else seed))
    return SampledDistribution(_flat(Counter(rows_of(drawn, nodes))))


def _drawn(space: Space | WeightedDeals, count: int, seed: int) -> Iterator[Evaluation]:
    if isinstance(space, TestedDeals):
        return islice(space.passing(seed=seed), count)
    return evaluations(space.samples(count, seed=seed), seed)
