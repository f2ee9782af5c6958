"""Problems: why a question has no answer, in words that a page and the JSON interface show."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pavcodec.errors import PavError, TextError

__all__ = ["Problem", "problem_of"]


class Problem(BaseModel):
    """Why a question has no answer: the reason, and the wrong part of a text if there is one."""

    model_config = ConfigDict(frozen=True)

    message: str = Field(description="what was expected and what was found")
    field: str | None = Field(None, description="the field of the question, if it is only one")
    source: str | None = Field(None, description="the text with the wrong part")
    start: int | None = Field(None, description="where the wrong part starts in the text, from 0")
    end: int | None = Field(None, description="where the wrong part ends")


def problem_of(error: PavError | ValidationError) -> Problem:
    """Return an error in the data of a question as a problem.

    >>> problem_of(TextError("'1' is no rank", "AK1", (2, 3))).start
    2
    """
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or None
        return Problem(message=first["msg"].removeprefix("Value error, "), field=place)
    if isinstance(error, TextError):
        start, end = error.span
        return Problem(message=error.message, source=error.source, start=start, end=end)
    return Problem(message=str(error))
