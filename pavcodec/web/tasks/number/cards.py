"""Cards in questions: a text in any notation, or up to four hands, and what it may mean."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from pavcodec.boards import Problem
from pavcodec.cards import Seat
from pavcodec.codes import Reading
from pavcodec.errors import PavError, suggest
from pavcodec.formats.pasted.hands import parse_hands
from pavcodec.formats.pasted.identify import HANDS, identify
from pavcodec.web.tasks.limits import TEXT
from pavcodec.web.tasks.problem import in_field
from pavcodec.web.tasks.task import Question

__all__ = ["CardsQuestion", "chosen", "readings_of", "text_of"]


def _one_hand(text: str) -> str:
    """Return the text of one hand; raise `TextError` for another text."""
    if text.strip(" -.") and sum(map(bool, parse_hands(text).sizes)) > 1:
        raise PavError("expected one hand here")
    return text


HandText = Annotated[
    str,
    Field(max_length=200, description="the cards of this hand, as in AQ85.Q862.A.AQJ2"),
    AfterValidator(_one_hand),
]


class CardsQuestion(Question):
    """A number, a code or a deal, as a text; or up to four hands."""

    text: str = Field(
        "", max_length=TEXT, description="a number, a code, or a deal in any notation"
    )
    north: HandText = ""
    east: HandText = ""
    south: HandText = ""
    west: HandText = ""
    numbering: str = Field(
        "", max_length=40, description="the scheme of the text (default: the first that fits)"
    )
    one_based: bool = Field(default=False, description="whether numbers start at 1, as in books")
    board: int | None = Field(
        None, ge=1, le=999_999, description="the board, if the text has several"
    )


def text_of(question: CardsQuestion) -> str:
    """Return the text of a question: its own, or its hands behind their seats.

    >>> text_of(CardsQuestion(south="AK.Q.."))
    'South: AK.Q..'
    """
    hands = {seat: getattr(question, seat.name.lower()).strip() for seat in Seat}
    if question.text.strip():
        return question.text.strip()
    if not any(hands.values()):
        raise PavError("expected a number, a code or a deal")
    typed = ((seat.name.title(), " ".join(hand.split())) for seat, hand in hands.items() if hand)
    return " ".join(f"{name}: {hand}" for name, hand in typed)


def readings_of(question: CardsQuestion) -> tuple[list[Reading], list[Problem]]:
    """Return all meanings of a question, and what of it cannot be read."""
    problems: list[Problem] = []
    text = text_of(question)
    if question.text.strip():
        with in_field("text"):
            return identify(text, one_based=question.one_based, report=problems.append), problems
    return [Reading(HANDS, parse_hands(text))], problems


def chosen(readings: list[Reading], question: CardsQuestion) -> Reading:
    """Return the reading that a question chooses by its scheme and board, else the first."""
    names = list(dict.fromkeys(one.scheme for one in readings))
    if question.numbering and question.numbering not in names:
        raise suggest("scheme of this text", question.numbering, names)
    fits = [one for one in readings if one.scheme == (question.numbering or one.scheme)]
    boards = [one for one in fits if question.board in (None, one.board)]
    if not boards:
        raise PavError(f"the text has no board {question.board}")
    return boards[0]
