"""The number of deals for a server: what the page Deal draws of it, and the situations.

The question itself is `pavcodec.questions.count`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pydantic import Field

from pavcodec.chances.figures import rounded
from pavcodec.chances.plans import counted_of, exclusion, is_tested, parts_tested, plan_lines
from pavcodec.constraints.mixes.types import natural_share
from pavcodec.constraints.nodes.syntax import Tricks
from pavcodec.constraints.nodes.trees import distinct
from pavcodec.numberings import numbering
from pavcodec.practice import Situation, situation, situation_names
from pavcodec.questions.count import Count, Number
from pavcodec.questions.shares import MixCount, WeightCount, types_of_text
from pavcodec.web.tasks.asked import task_of
from pavcodec.web.tasks.exact import Chance, Whole, chance_of
from pavcodec.web.tasks.task import PLAN, Answer, Fields, Question, Task

if TYPE_CHECKING:
    from pavcodec.constraints import MixType
    from pavcodec.constraints.nodes.syntax import Node
    from pavcodec.constraints.spaces.share import Estimate
    from pavcodec.questions.asking import Answer as Found


@dataclass(frozen=True)
class About:
    """An estimated number of deals with its 95 % confidence interval, rounded."""

    value: int
    low: int
    high: int
    accepted: int
    tried: int
    share: Fraction
    """The estimated share of all deals."""


@dataclass(frozen=True)
class TypeView:
    """A type of a mix: its share of the boards, that by nature, and its number of deals."""

    share: Fraction
    natural: Fraction | None
    deals: int | None
    about: About | None
    overlap: int | None


@dataclass(frozen=True)
class CountView:
    """What a page draws of the number of deals; `among` are those with the known cards."""

    deals: int | None = None
    share: Fraction | None = None
    among: int | None = None
    estimate: About | None = None
    nothing: str = ""
    plan: tuple[str, ...] = ()
    tested: tuple[tuple[str, str], ...] = ()
    types: tuple[TypeView, ...] = ()
    is_weighted: bool = False

    @property
    def within(self) -> Fraction | None:
        """The share of the deals with the known cards."""
        return Fraction(self.deals, self.among) if self.among and self.deals else None


def view_of(answer: Found) -> CountView | None:
    """Return what the page draws; None for an answer to a question that it does not ask.

    >>> view_of(Count("hcp(south) > 36").answer()).share
    Fraction(1, 158753389900)
    """
    if isinstance(answer, Number):
        return _number(answer)
    if isinstance(answer, MixCount):
        total = answer.total
        deals = numbering("deal").cardinality
        share = None if total is None else Fraction(total, deals)
        each = zip(answer.mix.types, answer.estimates, strict=True)
        kinds = tuple(_type(answer, kind, guess) for kind, guess in each)
        return CountView(total, share, types=kinds)
    if isinstance(answer, WeightCount):
        return CountView(answer.weighted.cardinality, answer.share, is_weighted=True)
    return None


def _number(answer: Number) -> CountView:
    space, total = answer.space, answer.total
    tested = tuple((str(part), why) for part, why in parts_tested(space))
    if answer.estimate is not None:
        about = _about(answer.estimate, answer.counted.probability)
        plan = tuple(plan_lines(space))
        return CountView(among=answer.among, estimate=about, plan=plan, tested=tested)
    if not total:
        return CountView(0, Fraction(0), nothing=exclusion(answer.conflict), tested=tested)
    return CountView(total, answer.share, answer.among)


def _type(answer: MixCount, kind: MixType, guess: Estimate | None) -> TypeView:
    counted = counted_of(kind.space)
    return TypeView(
        share=kind.share,
        natural=natural_share(answer.mix.types, kind),
        deals=None if is_tested(kind.space) else counted.cardinality,
        about=None if guess is None else _about(guess, counted.probability),
        overlap=kind.overlap,
    )


def _about(guess: Estimate, counted: Fraction) -> About:
    """Return an estimate of a space whose counted part has a share of all deals."""
    low, high = rounded(guess.low, up=False), rounded(guess.high, up=True)
    share = guess.acceptance * counted
    return About(rounded(guess.value), low, high, guess.accepted, guess.tried, share)


_SOLVED = 50
"""The deals that an estimate tests where their tricks are computed, so that it ends in time."""


def prepared(question: Count) -> Count:
    """Return a question that tests few deals if it computes their tricks."""
    if question.tries is not None or "tricks" not in f"{question.condition} {question.mix}".lower():
        return question
    nodes = [question.request(question.condition, "condition").node]
    nodes += [node for text in question.mix for node, _ in types_of_text(text)]
    return replace(question, tries=_SOLVED) if _solves(nodes) else question


def _solves(nodes: Iterable[Node | None]) -> bool:
    parts = (part for node in nodes if node is not None for part in distinct(node))
    return any(isinstance(part, Tricks) for part in parts)


_BALANCED = "shape(south, any 4333 + any 4432 + any 5332)"

COUNT: Any = task_of(
    "count",
    {"condition": f"{_BALANCED} && hcp(south) >= 15"},
    view_of,
    memory=PLAN,
    prepared=prepared,
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
