"""The deal of a day, and the figures of the home page."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from functools import cache

from pydantic import Field, field_validator

from pavcodec.boards import Board
from pavcodec.cards import Seat
from pavcodec.chances import probability
from pavcodec.errors import PavError
from pavcodec.formats.registry import FORMATS
from pavcodec.layout import Layout
from pavcodec.legal import legality
from pavcodec.numberings import numbering
from pavcodec.practice import situation, situation_names
from pavcodec.shapes import SHAPES, ShapeClass
from pavcodec.web.tasks.exact import BoardView, Chance, Whole, board_view, chance_of
from pavcodec.web.tasks.task import Answer, ClosedFields, Question, Task

_TRUMPS = "spades(north) + spades(south) == 9"
_ENDING = "N:A.A.A.A K.K.K.K Q.Q.Q.Q J.J.J.J"
_SITUATION = "strong-notrump"


class TodayQuestion(Question):
    """A day."""

    day: str = Field(description="the day, as in 2026-11-23")

    @field_validator("day")
    @classmethod
    def _is_date(cls, day: str) -> str:
        try:
            return date.fromisoformat(day).isoformat()
        except ValueError:
            raise PavError(f"'day' takes a date, as in 2026-11-23, not {day!r}") from None


class HomeFigures(ClosedFields):
    """One figure of each page, the same on each day."""

    situation: str = Field(description="the name of a situation")
    condition: str = Field(description="the condition of the situation")
    deals: Whole = Field(description="the number of deals of the condition")
    given: str = Field(description="what the players know: nine spades of two hands")
    event: str = Field(description="the other spades split evenly")
    chance: Chance = Field(description="the probability of this split")
    ending: str = Field(description="four hands of four cards in the notation of PBN")
    legal: bool = Field(description="whether legal play leads to the ending")
    formats: int = Field(description="the number of formats of files")
    situations: int = Field(description="the number of situations to practise")


class TodayAnswer(Answer):
    """The deal of a day, and the figures of the home page."""

    board: BoardView
    pattern: str = Field(description="the lengths of South's suits, sorted, as in 5-4-3-1")
    chance: Chance = Field(description="the probability of the pattern")
    figures: HomeFigures


def today(question: TodayQuestion) -> TodayAnswer:
    """Return the deal of a day: the first deal of the stream whose seed is the date.

    >>> today(TodayQuestion(day="2026-11-23")).board["number"]
    '45135881690201157643403304463'
    """
    deal = numbering("deal").sample(1, seed=question.day)[0]
    lengths = sorted(deal[Seat.SOUTH].shape, reverse=True)
    pattern = ShapeClass(shape for shape in SHAPES if sorted(shape, reverse=True) == lengths)
    return TodayAnswer(
        board=board_view(Board.make(deal, number=1)),
        pattern="-".join(map(str, lengths)),
        chance=chance_of(pattern.probability),
        figures=_figures(),
        command=f"pavcodec deal -n 1 --seed {question.day} --to pbn",
        python=(
            "import pavcodec as pav\n\n"
            f'deal = pav.numbering("deal").sample(1, seed="{question.day}")[0]'
        ),
    )


@cache
def _figures() -> HomeFigures:
    notrump, event = situation(_SITUATION), "spades(east) == 2"
    share = probability(event, given=_TRUMPS)
    assert isinstance(share, Fraction), "the answer is exact"
    return HomeFigures(
        situation=notrump.name,
        condition=notrump.where,
        deals=notrump.cardinality,
        given=_TRUMPS,
        event=event,
        chance=chance_of(share),
        ending=_ENDING,
        legal=bool(legality(Layout.from_pbn(_ENDING))),
        formats=len(FORMATS),
        situations=len(situation_names()),
    )


TODAY = Task("today", "Return the deal of a day.", today, TodayQuestion(day="2026-11-23"))
