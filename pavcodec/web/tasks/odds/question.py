"""The question of odds, and its answer."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from pavcodec.web.tasks.exact import Chance, Estimate, Exact, Whole
from pavcodec.web.tasks.limits import TEXT
from pavcodec.web.tasks.task import Answer, Question

__all__ = ["MOST_SIMULATED", "Average", "OddsAnswer", "OddsFile", "OddsQuestion", "ValueChance"]

MOST_SIMULATED = 100_000


class OddsQuestion(Question):
    """An event or a number, or two numbers, and what holds for the deals."""

    event: str = Field(
        min_length=1,
        max_length=TEXT,
        description="an event such as 'spades(east) == 2', or a number such as 'hcp(north)'",
    )
    second: str = Field("", max_length=TEXT, description="a second number, for pairs of values")
    given: str = Field("", max_length=TEXT, description="the condition of the deals; '' for none")
    hands: tuple[str, ...] = Field(
        (),
        max_length=4,
        description="cards that a seat was dealt, all or a few: 'S AKQ2.K85.AJ4.T63', 'E SA,H5'",
    )
    played: tuple[str, ...] = Field(
        (), max_length=4, description="cards that a seat played: 'E S93,H5'"
    )
    shown_out: tuple[str, ...] = Field(
        (), max_length=4, description="suits of which a seat holds no more cards: 'E spades'"
    )
    weights: tuple[str, ...] = Field(
        (), max_length=20, description="weights of the deals: 'N: hcp {11: 1, 12-15: 3}'"
    )
    simulate: int = Field(
        0,
        ge=0,
        le=MOST_SIMULATED,
        description="estimate from so many random deals; 0 counts, and estimates only if it cannot",
    )
    seed: str = Field("", max_length=1000, description="the seed of an estimate; '' is a fixed one")


class OddsFile(OddsQuestion):
    """The distribution of a number or of a pair, as a file."""

    to: Literal["csv", "json", "svg"] = Field("csv", description="the format of the file")


class ValueChance(BaseModel):
    """A value of a number, or a pair of values, with its probability."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: tuple[int, ...] = Field(description="the value of each number")
    deals: Whole | None = Field(description="how many deals have it; null for weighted deals")
    chance: Chance | Estimate = Field(description="its probability")


class Average(BaseModel):
    """The average of a number, and how far its values are from it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mean: Exact = Field(description="the average, as a/b; of an estimate, that of its sample")
    mean_decimal: str = Field(description="the average, rounded to 12 significant digits")
    variance: Exact = Field(description="the average square of the distance from the average")
    deviation: str = Field(description="the standard deviation, rounded to 12 significant digits")
    error: str | None = Field(description="the standard error of an estimated average; else null")


class OddsAnswer(Answer):
    """The odds; an estimate has `exact` false, and its probabilities have intervals."""

    kind: Literal["event", "number", "pair"] = Field(description="what was asked")
    titles: tuple[str, ...] = Field(description="the event or the numbers, in one form")
    exact: bool = Field(description="whether the answer was counted; otherwise it is an estimate")
    notes: tuple[str, ...] = Field(description="warnings, and why an answer is an estimate")
    total: Whole | None = Field(
        description="the deals that were counted, or those of the sample; null for weighted deals"
    )
    chance: Chance | Estimate | None = Field(description="the probability of an event")
    odds: str | None = Field(description="the exact odds of an event, as '1.457 to 1 against'")
    values: tuple[ValueChance, ...] = Field(description="the values of a number, in order")
    average: Average | None = Field(description="the average of a single number")
