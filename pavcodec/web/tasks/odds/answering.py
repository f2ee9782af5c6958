"""From a question to the exact answer; to an estimate if it is wanted, or if counting cannot."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.counting.diagrams.compile import NotCountableError
from pavcodec.constraints.counting.plan import WHOLE
from pavcodec.constraints.expressions import Expression
from pavcodec.constraints.known.arguments import KnownCards, position, with_known_cards
from pavcodec.constraints.known.texts import texts_by_seat
from pavcodec.constraints.language.parser import parse_condition, parse_weights
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.syntax import Node, Number, Tricks
from pavcodec.constraints.nodes.trees import distinct
from pavcodec.constraints.nodes.weights import Weight
from pavcodec.constraints.spaces.deals import DealSpace, Method, deals_of
from pavcodec.constraints.spaces.share import Share
from pavcodec.constraints.weighing.weighted_deals import WeightedDeals, weighted_deals_of
from pavcodec.errors import ModelTooLarge, PavError
from pavcodec.odds.distributions import Distribution, SampledDistribution
from pavcodec.odds.plans import excluding, no_deals
from pavcodec.odds.questions import distribution, is_event, probability
from pavcodec.sampling.seeds import parse_seed
from pavcodec.web.tasks.limits import MEMORY
from pavcodec.web.tasks.odds.question import OddsQuestion
from pavcodec.web.tasks.problem import in_field

__all__ = ["MOST_VALUES", "Found", "known_of", "result_of", "seed_of_question"]

SIMULATED = 10_000
"""The deals of an estimate that nobody asked for, as for the command."""
SOLVED = 100
"""The same for questions about tricks, for which a solver plays each deal."""
MOST_VALUES = 4000
"""The most values of a number or of a pair in an answer."""


@dataclass(frozen=True)
class Found:
    """The answer to a question as a value of the library."""

    kind: Literal["event", "number", "pair"]
    titles: tuple[str, ...]
    given: str
    result: Fraction | Share | Distribution[Any] | SampledDistribution[Any]
    notes: tuple[str, ...]
    simulated: int


def result_of(question: OddsQuestion) -> Found:
    """Return the answer; raise `PavError`, with the field if one is wrong.

    >>> result_of(OddsQuestion(event="spades(east)", given="spades(west) == 13")).result
    <Distribution of 1 value, 0, average 0>
    """
    notes: list[str] = []
    nodes, given = _numbers(question, notes), _given(question, notes)
    kind, simulated = _kind(nodes), question.simulate
    result = None
    if not simulated:
        warned = len(notes)
        try:
            space = _space(given, question, "exact", notes)
            result = _asked(kind, nodes, space, {"memory": MEMORY})
        except (NotCountableError, ModelTooLarge) as error:
            simulated = SOLVED if _needs_solver([*nodes, given]) else SIMULATED
            notes[warned:] = [f"{_reason(error)} from {simulated:,} random deals"]
    if result is None:
        space = _space(given, question, "plan", notes)
        result = _asked(
            kind, nodes, space, {"simulate": simulated, "seed": seed_of_question(question)}
        )
    shown = "" if given == Number(1) else format_node(given)
    return Found(kind, tuple(map(format_node, nodes)), shown, result, tuple(notes), simulated)


def _needs_solver(nodes: list[Node]) -> bool:
    return any(isinstance(each, Tricks) for node in nodes for each in distinct(node))


def _reason(error: PavError) -> str:
    """Return why an answer is an estimate."""
    if isinstance(error, NotCountableError):
        return f"{str(error).partition(': ask for')[0]}, so this is an estimate"
    return (
        f"counting takes more than {MEMORY >> 20} MB here (the command 'pavcodec odds' on your own "
        "machine may use more), so this is an estimate"
    )


def _numbers(question: OddsQuestion, notes: list[str]) -> list[Node]:
    nodes = []
    for name, text in (("event", question.event), ("second", question.second)):
        if text.strip() or name == "event":
            with in_field(name):
                nodes.append(parse_condition(text, warn=notes.append))
    return nodes


def _kind(nodes: list[Node]) -> Literal["event", "number", "pair"]:
    if len(nodes) == 2:
        return "pair"
    return "event" if is_event(nodes[0]) else "number"


def _given(question: OddsQuestion, notes: list[str]) -> Node:
    """Return the condition with the known cards."""
    node: Node = Number(1)
    if question.given.strip():
        with in_field("given"):
            node = parse_condition(question.given, warn=notes.append)
    known = known_of(question)
    return with_known_cards(node, known, "odds") if known else node


def known_of(question: OddsQuestion) -> KnownCards:
    """Return the known cards of a question as arguments of Python; none for a question without."""
    known: KnownCards = {}
    if question.hands:
        with in_field("hands"):
            known["hands"] = texts_by_seat(question.hands)
            position(hands=known["hands"])
    if question.played:
        with in_field("played"):
            known["played"] = texts_by_seat(question.played)
            position(played=known["played"])
    if question.shown_out:
        with in_field("shown_out"):
            known["shown_out"] = texts_by_seat(question.shown_out)
            position(shown_out=known["shown_out"])
    with in_field("hands"):
        with_known_cards(Number(1), known, "odds")
    return known


def seed_of_question(question: OddsQuestion) -> int | None:
    """Return the seed of an estimate; None for the fixed seed."""
    with in_field("seed"):
        return parse_seed(question.seed) if question.seed else None


def _space(
    given: Node, question: OddsQuestion, method: Method, notes: list[str]
) -> DealSpace | WeightedDeals:
    """Return the deals of the condition, or weighted ones; refuse an empty space."""
    condition = Condition(given, MEMORY if method == "exact" else WHOLE)
    if question.weights:
        weights: list[Weight] = []
        for text in question.weights:
            with in_field("weights"):
                weights += parse_weights(text, warn=notes.append)
        weighted = weighted_deals_of(condition, weights)
        weighted.check()
        return weighted
    space = deals_of(condition, method)
    empty = excluding(space)
    if empty:
        with in_field("given"):
            raise no_deals(space, empty)
    return space


def _asked(kind: str, nodes: list[Node], space: Any, options: dict[str, Any]) -> Any:  # noqa: ANN401
    options = options | {"given": space}
    first, *more = map(Expression, nodes)
    if kind == "event":
        return probability(first, **options)
    found = distribution(first, *more, **options)
    if len(found) > MOST_VALUES:
        what = "pairs of values" if kind == "pair" else "values"
        raise PavError(
            f"there are {len(found):,} {what}, and an answer has {MOST_VALUES:,} at most: "
            "'pavcodec odds' prints all on your own machine"
        )
    return found
