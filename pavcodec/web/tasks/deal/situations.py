"""The library of situations: conditions for practice with their exact chances."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from pavcodec.practice import Situation, situation, situation_names
from pavcodec.web.tasks.exact import Chance, Whole, chance_of
from pavcodec.web.tasks.task import Answer, Question, Task

__all__ = ["SITUATIONS", "SituationView", "SituationsAnswer", "SituationsQuestion"]


class SituationsQuestion(Question):
    """Words to look for."""

    search: str = Field(
        "", max_length=200, description="words of titles and summaries; all if none"
    )


class SituationView(BaseModel):
    """A situation: South is the player, North the partner, East an opponent."""

    model_config = ConfigDict(frozen=True)

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
    found = [one for one in every if all(word in _text(one) for word in words)]
    return SituationsAnswer(
        situations=list(map(_view, found)),
        command="pavcodec practice --list",
        python="import pavcodec as pav\n\n"
        "for name in pav.situation_names():\n    print(pav.situation(name))",
    )


def _text(one: Situation) -> str:
    return f"{one.name} {one.title} {one.summary}".lower()


def _view(one: Situation) -> SituationView:
    return SituationView(
        name=one.name,
        title=one.title,
        summary=one.summary,
        condition=one.where,
        dealer=one.dealer.letter,
        deals=one.cardinality,
        chance=chance_of(one.probability),
    )


SITUATIONS = Task(
    "situations",
    "List the library of situations with their conditions and exact chances.",
    situations,
    SituationsQuestion(search="notrump"),
)
