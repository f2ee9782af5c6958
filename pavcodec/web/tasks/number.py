"""Numbers and codes to deals, and deals to all their numbers."""

from __future__ import annotations

from pydantic import Field

from pavcodec.boards import Board
from pavcodec.numberings import numbering
from pavcodec.web.tasks.boards import BoardView, board_view
from pavcodec.web.tasks.task import Answer, Question, Task

__all__ = ["DECODE", "DecodeAnswer", "DecodeQuestion"]


class DecodeQuestion(Question):
    """A number in a numbering."""

    number: int = Field(0, ge=0, description="the number")
    numbering: str = Field("deal", description="the name of the numbering")


class DecodeAnswer(Answer):
    """The deal of a number."""

    board: BoardView


def decode(question: DecodeQuestion) -> DecodeAnswer:
    """Return the deal of a number."""
    name, number = question.numbering, question.number
    return DecodeAnswer(
        board=board_view(Board.make(numbering(name).unrank(number))),
        command=f"pavcodec decode --as {name} {number}",
        python=f"pav.numbering({name!r}).unrank({number})",
    )


DECODE = Task("decode", "Return the deal of a number.", decode, DecodeQuestion(number=5))
