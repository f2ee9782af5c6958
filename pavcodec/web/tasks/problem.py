"""Problems: why a question has no answer, in words that a page and the JSON interface show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pydantic import Field, ValidationError, field_validator

from pavcodec.errors import PavError, TextError, shown
from pavcodec.web.tasks.task import Fields

# What is wrong with a field of a question, in the words of pavcodec instead of pydantic's.


_EXPECTED: Mapping[str, str] = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "bytes_too_long": "at most {max_length:,} bytes",
    "bytes_type": "bytes",
    "greater_than_equal": "{ge:,} or more",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number in digits",
    "int_parsing_size": "a whole number of at most 4,300 digits",
    "int_type": "a whole number",
    "less_than_equal": "{le:,} at most",
    "literal_error": "{expected}",
    "string_pattern_mismatch": "a text of the form {pattern}",
    "string_too_long": "a text of at most {max_length:,} characters",
    "string_too_short": "a text of {min_length:,} or more characters",
    "string_type": "a text",
    "string_unicode": "a text in UTF-8",
    "too_long": "a list of at most {max_length:,} items",
    "too_short": "a list of at least {min_length:,} items",
    "tuple_type": "a list",
}
"""What a field expects, by the type of pydantic's error; the words read its context."""

_MOST_SHOWN = 60


def sentence(error: Mapping[str, Any], field: str | None) -> str:  # noqa: PLR0911 (kinds)
    """Return one sentence for an error of pydantic: what was expected, and what was found.

    >>> sentence({"type": "int_parsing", "input": "ten", "ctx": {}}, "n")
    "'n' takes a whole number in digits, not 'ten'"
    >>> sentence({"type": "missing", "input": {}}, "condition")
    "'condition' is missing: give it a value"
    """
    kind, given, context = error["type"], error.get("input"), error.get("ctx", {})
    name = f"{field!r}" if field else "the question"
    match kind:
        case "extra_forbidden":
            return f"{name} is no field of the question: leave it out"
        case "missing":
            action = "give it a value" if field else "send a JSON object, {} for all defaults"
            return f"{name} is missing: {action}"
        case "model_attributes_type" | "model_type":
            if isinstance(given, str | bytes):
                return f"{name} is no JSON: send a JSON object, with Content-Type: application/json"
            return f"{name} takes a JSON object with its fields, not {_short(given)}"
        case "value_error":
            return str(context["error"])
        case _ if kind not in _EXPECTED:
            return str(error["msg"])
    expected = f"{name} takes {_EXPECTED[kind].format_map(context)}"
    if kind in {"bytes_too_long", "string_too_long"}:
        return f"{expected}, not of {len(given or ''):,}"
    if kind in {"too_long", "too_short"}:
        return f"{expected}, not of {context['actual_length']:,}"
    if kind.endswith("_equal") and isinstance(given, str):
        return f"{expected}, not {given.strip()}"
    return f"{expected}, not {_short(given)}"


def _short(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int):
        return shown(value)
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


LONGEST_SOURCE = 10_000
"""The most characters of a wrong value that a problem repeats."""


class Problem(Fields):
    """Why a question has no answer: the reason, and the wrong part of a text if there is one."""

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
    cause, value = first.get("ctx", {}).get("error"), first.get("input")
    if isinstance(cause, TextError):
        return problem_of(cause).model_copy(update={"field": field})
    message = sentence(first, field)
    if field is None or isinstance(value, bool) or not isinstance(value, str | int | float):
        return Problem(message=message, field=field)
    source = shown(value) if isinstance(value, int) else str(value)
    if len(source) > LONGEST_SOURCE:
        return Problem(message=message, field=field)
    return Problem(message=message, field=field, source=source, start=0, end=len(source))
