"""Problems: why a question has no answer, in words that a page and the JSON interface show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from pavcodec.errors import PavError, TextError, shown
from pavcodec.web.tasks.wording import cause_of, sentence

__all__ = ["LONGEST_SOURCE", "FieldError", "Problem", "in_field", "problem_of", "problem_of_errors"]

LONGEST_SOURCE = 10_000
"""The most characters of a wrong value that a problem repeats."""


class Problem(BaseModel):
    """Why a question has no answer: the reason, and the wrong part of a text if there is one."""

    model_config = ConfigDict(frozen=True)

    message: str = Field(description="what was expected and what was found")
    field: str | None = Field(None, description="the field of the question, if it is only one")
    source: str | None = Field(None, description="the text with the wrong part")
    start: int | None = Field(None, description="where the wrong part starts in the text, from 0")
    end: int | None = Field(None, description="where the wrong part ends")

    @field_validator("message", "field", "source")
    @classmethod
    def _without_halves(cls, text: str | None) -> str | None:
        """Show a half of a surrogate pair, which JSON can name and no output can hold, as `?`."""
        return None if text is None else text.encode("utf-8", "replace").decode()


class FieldError(PavError):
    """The text of one field of a question is wrong."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem

    def __str__(self) -> str:
        return self.problem.message


@contextmanager
def in_field(field: str) -> Iterator[None]:
    """Raise the errors in the data within the block as errors of a field.

    >>> with in_field("condition"):
    ...     raise TextError("'1' is no rank", "AK1", (2, 3))
    Traceback (most recent call last):
    ...
    pavcodec.web.tasks.problem.FieldError: '1' is no rank
    """
    try:
        yield
    except PavError as error:
        problem = problem_of(error)
        if problem.field is None:
            problem = problem.model_copy(update={"field": field})
        raise FieldError(problem) from error


def problem_of(error: PavError | ValidationError) -> Problem:
    """Return an error in the data of a question as a problem.

    >>> problem_of(TextError("'1' is no rank", "AK1", (2, 3))).start
    2
    """
    if isinstance(error, ValidationError):
        return problem_of_errors(error.errors(include_url=False))
    if isinstance(error, FieldError):
        return error.problem
    if isinstance(error, TextError):
        start, end = error.span
        return Problem(message=error.message, source=error.source, start=start, end=end)
    return Problem(message=str(error))


def problem_of_errors(errors: Sequence[Mapping[str, Any]]) -> Problem:
    """Return the first of the errors that pydantic lists as a problem, in our own words.

    A field that takes a text or a number has its value as `source`, all of it wrong unless an error
    of pavcodec has a smaller part.
    """
    first = errors[0]
    field = ".".join(str(part) for part in first["loc"]) or first.get("ctx", {}).get("field")
    cause, found = cause_of(first), first.get("input")
    if isinstance(cause, TextError):
        return problem_of(cause).model_copy(update={"field": field})
    message = sentence(first, field)
    if field is None or isinstance(found, bool) or not isinstance(found, str | int | float):
        return Problem(message=message, field=field)
    source = shown(found) if isinstance(found, int) else str(found)
    if len(source) > LONGEST_SOURCE:
        return Problem(message=message, field=field)
    return Problem(message=message, field=field, source=source, start=0, end=len(source))
