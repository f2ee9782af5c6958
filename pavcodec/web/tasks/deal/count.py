"""The exact number of deals of a condition and its odds; an estimate where parts are tested."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from pydantic import Field

from pavcodec.chances.figures import chances, rounded
from pavcodec.chances.plans import (
    counted_of,
    excluding,
    exclusion,
    is_large,
    is_tested,
    no_deals,
    parts_tested,
    plan_lines,
)
from pavcodec.collection.deals import method_of, where_of
from pavcodec.collection.session import Session
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.counting.diagrams.compile import NotCountableError
from pavcodec.constraints.mixes.types import natural_share
from pavcodec.constraints.nodes.syntax import Node, Number, Tricks
from pavcodec.constraints.nodes.trees import distinct
from pavcodec.constraints.spaces.deals import deals_of
from pavcodec.constraints.spaces.rejection import TestedDeals
from pavcodec.constraints.spaces.share import Estimate as Guess
from pavcodec.errors import ModelTooLarge, PavError
from pavcodec.numberings import numbering
from pavcodec.practice import Situation, situation, situation_names
from pavcodec.sampling import fresh_seed, parse_seed
from pavcodec.web.tasks.deal.reading import (
    ConditionQuestion,
    ConditionReading,
    TestedPart,
    command_of,
    python_of,
    read,
)
from pavcodec.web.tasks.exact import Chance, Whole, chance_of, percent
from pavcodec.web.tasks.task import MEMORY, PLAN, Answer, Fields, Question, Task

if TYPE_CHECKING:
    from pavcodec.boards import Vulnerability
    from pavcodec.cards import Seat
    from pavcodec.chances.questions import Space as OddsSpace
    from pavcodec.collection.orders import Space
    from pavcodec.constraints import ConstrainedDeals, Mix, MixType, WeightedDeals
    from pavcodec.constraints.spaces.deals import DealSpace
    from pavcodec.layout import Deal


# The deals of a question: counted, tested, weighted, or a mix; and their samples.


def condition_of(reading: ConditionReading, memory: int = PLAN) -> Condition:
    """Return the whole condition, with a limit of memory."""
    return Condition(Number(1) if reading.node is None else reading.node, memory)


def space_of(reading: ConditionReading) -> DealSpace:
    """Return the deals of the whole condition; raise `ModelTooLarge` above the memory."""
    space = deals_of(condition_of(reading))
    counted_of(space).cardinality  # noqa: B018 (builds the model)
    return space


def too_large(error: ModelTooLarge, command: str) -> PavError:
    """Return the refusal of a condition that takes more memory than a page allows."""
    reason = str(error).rpartition("; ")[0] or str(error)
    return PavError(
        f"this condition is too large for this page: {reason}. Loosen or leave out that part, or "
        f"run it on your own machine: {command}"
    )


def mix_of(reading: ConditionReading, *, interleave: bool) -> Mix:
    """Return the mix of the types, counted."""
    from pavcodec.constraints import mix

    condition = condition_of(reading)
    counted = mix(reading.types, given=condition.node, memory=condition.memory)
    counted = counted.interleaved if interleave else counted
    for kind in counted.types:
        kind.overlap  # noqa: B018 (builds the models)
    return counted


def weighted_of(reading: ConditionReading) -> WeightedDeals | None:
    """Return the deals with the weights of the script; None without weights."""
    if reading.script is None or not reading.script.weights:
        return None
    from pavcodec.constraints.weighing import weighted_deals_of

    weighted = weighted_deals_of(condition_of(reading), reading.script.weights)
    weighted.check()
    return weighted


@dataclass(frozen=True)
class Dealt:
    """The deals of a question, from which samples are drawn."""

    space: Space
    mix: Mix | None = None
    tries: int | None = None
    """The most deals to test, as the script says."""

    def session(
        self, seed: int, start: int, dealer: Seat | None, vulnerable: Vulnerability | None, *,
        is_script: bool = False,
    ) -> Session:  # fmt: skip
        """Return what the boards of a run share; `-` is the name of the script of a text."""
        name = "-" if is_script else None
        where, method = where_of(self.space), method_of(self.space)
        return Session(seed, start, method, where, numbering("deal"), dealer, vulnerable, name)

    def samples(self, count: int, seed: int, start: int) -> Iterator[Deal]:
        """Yield some samples of a seed; fewer only if the script limits the tested deals."""
        space = self.space
        if isinstance(space, TestedDeals):
            passing = space.passing(seed=seed, start=start, tries=self.tries)
            return (cast("Deal", each.deal) for each in islice(passing, count))
        drawn = cast("Mix | ConstrainedDeals", space)  # as numberings and weighted deals draw
        return drawn.samples(count, seed=seed, start=start)

    def places(self, count: int, seed: int, start: int) -> list[int]:
        """Return the place of the type of each sample; nothing without types."""
        return [] if self.mix is None else list(self.mix.places(count, seed=seed, start=start))


def dealt(reading: ConditionReading, *, interleave: bool = False) -> Dealt:
    """Return the deals of a reading; raise `PavError` if there are none."""
    tries = None if reading.script is None else reading.script.generate
    if reading.types:
        if reading.script is not None and reading.script.weights:
            raise PavError("a mix and weights do not go together: leave out one of them")
        mixed = mix_of(reading, interleave=interleave)
        return Dealt(mixed, mixed)
    weighted = weighted_of(reading)
    if weighted is not None:
        return Dealt(weighted)
    if reading.node is None:
        return Dealt(numbering("deal"))
    space = space_of(reading)
    if not counted_of(space).cardinality:
        raise no_deals(space, excluding(space))
    return Dealt(space, tries=tries if is_tested(space) else None)


def seed_of_text(text: str, reading: ConditionReading) -> int:
    """Return the seed of a field, else that of the script, else a fresh one."""
    if text.strip():
        return parse_seed(text.strip())
    script = reading.script
    return script.seed if script is not None and script.seed is not None else fresh_seed()


_SOLVED = 50
"""The deals that an estimate tests where their tricks are computed."""
_TRIES = 2000
"""The deals that the estimate of a type of a mix tests."""


class CountQuestion(ConditionQuestion):
    """A condition whose deals are counted."""


class DealsEstimate(Fields):
    """An estimated number of deals with its 95 % confidence interval; it is not exact."""

    value: Whole
    low: Whole
    high: Whole
    accepted: int = Field(description="the tested deals that passed")
    tried: int = Field(description="the tested deals")
    among: Whole = Field(description="the exact number of deals from which they were drawn")
    percent: str = Field(description="the estimated share of all deals")
    chances: str = Field(description="the same as '1 in N'")


class TypeView(Fields):
    """A type of a mix: its share of the boards, and its exact number of deals."""

    name: str
    condition: str
    weight: str
    share: Chance = Field(description="the exact share of the boards")
    natural: Chance | None = Field(description="the share among the deals of all types")
    deals: Whole | None = Field(description="the exact number of deals; none for an estimate")
    estimate: DealsEstimate | None
    overlap: Whole | None = Field(description="the deals that fit it but are of earlier types")


class CountAnswer(Answer):
    """The number of deals: exact, or an estimate with the plan in words."""

    exact: bool
    deals: Whole | None = Field(description="the exact number of deals; none for an estimate")
    chance: Chance | None = Field(description="the exact share of all deals")
    among: Whole | None = Field(None, description="the number of deals with the known cards")
    within: Chance | None = Field(None, description="the exact share of those")
    estimate: DealsEstimate | None = None
    conflict: list[str] = Field(default=[], description="parts that exclude each other")
    nothing: str = Field("", description="why there are no deals, in a sentence")
    plan: list[str] = Field(default=[], description="what is counted and tested, in words")
    tested: list[TestedPart] = Field(default=[], description="the parts that are tested")
    types: list[TypeView] = Field(default=[], description="the types of a mix")
    weighted: bool = Field(default=False, description="whether these are deals with a weight")
    warnings: list[str] = Field(default=[], description="what may not mean what its author expects")


def count(question: CountQuestion) -> CountAnswer:
    """Return the number of deals of a condition."""
    reading = read(question)
    try:
        if reading.types:
            return _of_mix(question, reading)
        if reading.script is not None and reading.script.weights:
            return _of_weights(question, reading)
        return _of_condition(question, reading)
    except ModelTooLarge as error:
        raise too_large(error, command_of("count", question, reading)) from None


def _of_condition(question: CountQuestion, reading: ConditionReading) -> CountAnswer:
    among = _among(reading)
    is_first = reading.node is not None and is_large(reading.node)
    exact = _by_loops(reading) if is_first else None
    if exact:
        return _exact(question, reading, exact, among, by_loops=True)
    space = space_of(reading)
    total = counted_of(space).cardinality
    if total and is_tested(space):
        exact = None if is_first else _by_loops(reading)
        if exact:
            return _exact(question, reading, exact, among, by_loops=True)
    if not total:
        return _nothing(question, reading, space, among)
    if is_tested(space):
        return _estimated(question, reading, space, among)
    return _exact(question, reading, total, among)


def _nothing(
    question: CountQuestion, reading: ConditionReading, space: DealSpace, among: int | None
) -> CountAnswer:
    """Return the answer that there are no deals, with the parts that exclude each other."""
    conflict = excluding(space)
    return CountAnswer(
        exact=True,
        deals=0,
        chance=_chance(0),
        among=among,
        conflict=[str(part) for part in conflict],
        nothing=exclusion(conflict),
        tested=_tested(space),
        **_same(question, reading, ["print(space.cardinality)"]),
    )


def _estimated(
    question: CountQuestion, reading: ConditionReading, space: TestedDeals, among: int | None
) -> CountAnswer:
    """Return the estimate of a condition with parts that are tested."""
    if _solves(space.tested.node):
        guess = space.estimate(_SOLVED, seed="cardinality")
    else:
        guess = space.cardinality
    lines = [f"print(space.estimate({guess.tried}, seed='cardinality'))"]
    return CountAnswer(
        exact=False,
        deals=None,
        chance=None,
        among=among,
        estimate=_estimate(guess),
        plan=list(plan_lines(space)),
        tested=_tested(space),
        **_same(question, reading, lines, [f"--tries {guess.tried}"]),
    )


def _exact(
    question: CountQuestion,
    reading: ConditionReading,
    total: int,
    among: int | None,
    *,
    by_loops: bool = False,
) -> CountAnswer:
    """Return the answer of an exact number; `by_loops` if it was counted without a model."""
    lines = ["print(space.exact_cardinality())" if by_loops else "print(space.cardinality)"]
    method = "method='test'" if by_loops else ""
    return CountAnswer(
        exact=True,
        deals=total,
        chance=_chance(total),
        among=among,
        within=chance_of(Fraction(total, among)) if among else None,
        **_same(question, reading, lines, method=method),
    )


def _among(reading: ConditionReading) -> int | None:
    """Return the number of deals with the cards that are dealt first; None without such cards."""
    if reading.predealt is None:
        return None
    return counted_of(
        space_of(ConditionReading(None, None, (reading.predealt,), (), ()))
    ).cardinality


def _by_loops(reading: ConditionReading) -> int | None:
    """Return the number of deals, counted without a model; None if that is impossible."""
    condition = condition_of(reading, MEMORY)
    if any(condition.reasons):
        return None
    with suppress(ModelTooLarge, NotCountableError):
        total: int = condition.cardinality
        return total
    return None


def _of_mix(question: CountQuestion, reading: ConditionReading) -> CountAnswer:
    mix = mix_of(reading, interleave=question.interleave)
    solved = any(is_tested(kind.space) and _solves(kind.space.tested.node) for kind in mix.types)
    tries = _SOLVED if solved else _TRIES
    guesses = [
        kind.space.estimate(tries, seed="cardinality") if is_tested(kind.space) else None
        for kind in mix.types
    ]
    exact = not any(guesses)
    total = sum(counted_of(kind.space).cardinality for kind in mix.types) if exact else None
    lines = [
        "for kind in space.types:",
        "    print(kind.where, kind.share, kind.space.cardinality)",
    ]
    return CountAnswer(
        exact=exact,
        deals=total,
        chance=None if total is None else _chance(total),
        types=[
            _type(question.name_of(index), kind, guess, natural_share(mix.types, kind))
            for index, (kind, guess) in enumerate(zip(mix.types, guesses, strict=True))
        ],
        **_same(question, reading, lines, [] if exact else [f"--tries {tries}"]),
    )


def _of_weights(question: CountQuestion, reading: ConditionReading) -> CountAnswer:
    weighted = weighted_of(reading)
    assert weighted is not None
    return CountAnswer(
        exact=True,
        deals=weighted.cardinality,
        chance=_chance(weighted.cardinality),
        weighted=True,
        warnings=list(reading.warnings),
        python=python_of(question, reading, ["print(space.cardinality)"]),
    )


def _same(
    question: CountQuestion,
    reading: ConditionReading,
    lines: list[str],
    options: list[str] | None = None,
    method: str = "",
) -> dict[str, Any]:
    """Return the warnings, the command and the lines of Python of an answer."""
    return {
        "warnings": list(reading.warnings),
        "command": command_of("count", question, reading, options or ()),
        "python": python_of(question, reading, lines, method),
    }


def _type(name: str, kind: MixType, guess: Guess | None, natural: Fraction | None) -> TypeView:
    return TypeView(
        name=name,
        condition=str(kind.where),
        weight=str(kind.weight),
        share=chance_of(kind.share),
        natural=None if natural is None else chance_of(natural),
        deals=None if is_tested(kind.space) else kind.space.cardinality,
        estimate=None if guess is None else _estimate(guess),
        overlap=kind.overlap,
    )


def _chance(total: int) -> Chance:
    return chance_of(Fraction(total, numbering("deal").cardinality))


def _solves(node: Node) -> bool:
    return any(isinstance(part, Tricks) for part in distinct(node))


def _estimate(guess: Guess) -> DealsEstimate:
    share = guess.acceptance * Fraction(guess.total, numbering("deal").cardinality)
    return DealsEstimate(
        value=rounded(guess.value),
        low=rounded(guess.low, up=False),
        high=rounded(guess.high, up=True),
        accepted=guess.accepted,
        tried=guess.tried,
        among=guess.total,
        percent=percent(share),
        chances=chances(share) if share else "never seen",
    )


def _tested(space: OddsSpace) -> list[TestedPart]:
    return [TestedPart(part=str(part), reason=why) for part, why in parts_tested(space)]


COUNT = Task(
    "count",
    "Count the deals of a condition exactly, with their odds.",
    count,
    CountQuestion(condition="shape(south, any 4333 + any 4432 + any 5332) && hcp(south) >= 15"),
)


# The library of situations: conditions for practice with their exact chances.


class SituationsQuestion(Question):
    """Words to look for."""

    search: str = Field(
        "", max_length=200, description="words of titles and summaries; all if none"
    )


class SituationView(Fields):
    """A situation: South is the player, North the partner, East an opponent."""

    name: str
    title: str
    summary: str
    condition: str
    dealer: str = Field(description="the seat that makes the first call that matters")
    deals: Whole = Field(description="the exact number of deals")
    chance: Chance = Field(description="the share of all deals")


class SituationsAnswer(Answer):
    """Situations in the order of the library."""

    situations: list[SituationView]


def situations(question: SituationsQuestion) -> SituationsAnswer:
    """Return the situations whose texts have all words."""
    words = question.search.lower().split()
    every = map(situation, situation_names())
    texts = [(one, f"{one.name} {one.title} {one.summary}".lower()) for one in every]
    matching = [one for one, text in texts if all(word in text for word in words)]
    return SituationsAnswer(
        situations=list(map(_view, matching)),
        command="pavcodec practice --list",
        python="import pavcodec as pav\n\n"
        "for name in pav.situation_names():\n    print(pav.situation(name))",
    )


def _view(situation: Situation) -> SituationView:
    return SituationView(
        name=situation.name,
        title=situation.title,
        summary=situation.summary,
        condition=situation.where,
        dealer=situation.dealer.letter,
        deals=situation.cardinality,
        chance=chance_of(situation.probability),
    )


SITUATIONS = Task(
    "situations",
    "List the library of situations with their conditions and exact chances.",
    situations,
    SituationsQuestion(search="notrump"),
)
