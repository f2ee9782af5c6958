"""What is wrong with a field of a question, in the words of pavcodec instead of pydantic's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pavcodec.errors import PavError, TextError, shown

__all__ = ["cause_of", "is_known", "sentence"]

_EXPECTED: Mapping[str, str] = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "bytes_too_long": "at most {max_length:,} bytes",
    "bytes_type": "bytes",
    "decimal_parsing": "a number",
    "decimal_type": "a number",
    "dict_type": "an object with names and values",
    "enum": "{expected}",
    "finite_number": "a number, neither infinite nor undefined",
    "float_parsing": "a number, as in 2.5",
    "float_type": "a number, as in 2.5",
    "fraction_parsing": "a fraction, as in 1/3",
    "greater_than": "a number greater than {gt:,}",
    "greater_than_equal": "{ge:,} or more",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number in digits",
    "int_parsing_size": "a whole number of at most 4,300 digits",
    "int_type": "a whole number",
    "less_than": "a number less than {lt:,}",
    "less_than_equal": "{le:,} at most",
    "list_type": "a list",
    "literal_error": "{expected}",
    "multiple_of": "a multiple of {multiple_of:,}",
    "string_pattern_mismatch": "a text of the form {pattern}",
    "string_sub_type": "a text",
    "string_too_long": "a text of at most {max_length:,} characters",
    "string_too_short": "a text of at least {min_length:,} characters",
    "string_type": "a text",
    "string_unicode": "a text in UTF-8",
    "too_long": "a list of at most {max_length:,} items",
    "too_short": "a list of at least {min_length:,} items",
    "tuple_type": "a list",
}
"""What a field expects, by the type of pydantic's error; the words read its context."""

_LIMITS = {"greater_than", "greater_than_equal", "less_than", "less_than_equal"}
_MOST_SHOWN = 60
_OF_LENGTH = {"bytes_too_long", "string_too_long", "string_too_short"}


def is_known(kind: str) -> bool:
    """Whether `sentence` has words for a type of error of pydantic."""
    return kind in _EXPECTED or kind in _WHOLE


def sentence(error: Mapping[str, Any], field: str | None) -> str:
    """Return one sentence for an error of pydantic: what was expected, and what was found.

    >>> sentence({"type": "int_parsing", "input": "ten", "ctx": {}}, "n")
    "'n' takes a whole number in digits, not 'ten'"
    >>> sentence({"type": "missing", "input": {}}, "condition")
    "'condition' is missing: give it a value"
    """
    kind, found, context = error["type"], error.get("input"), error.get("ctx", {})
    name = f"{field!r}" if field else "the question"
    if kind in _WHOLE:
        return _WHOLE[kind](error, field, name)
    figures = {each: _figure(value) for each, value in context.items()}
    expected = f"{name} takes {_EXPECTED[kind].format_map(figures)}"
    if kind in _OF_LENGTH:
        return f"{expected}, not of {len(found or ''):,}"
    if kind in {"too_long", "too_short"}:
        return f"{expected}, not of {context['actual_length']:,}"
    if kind in _LIMITS and isinstance(found, str):
        return f"{expected}, not {found.strip()}"
    return f"{expected}, not {_short(found)}"


def _of_cause(error: Mapping[str, Any], _field: str | None, _name: str) -> str:
    cause = error["ctx"]["error"]
    return cause.message if isinstance(cause, TextError) else str(cause)


def _of_unknown(error: Mapping[str, Any], _field: str | None, _name: str) -> str:
    return str(error["msg"])


def _of_extra(_error: Mapping[str, Any], _field: str | None, name: str) -> str:
    return f"{name} is no field of the question: leave it out"


def _of_missing(_error: Mapping[str, Any], field: str | None, name: str) -> str:
    action = "give it a value" if field else "send a JSON object, {} for all defaults"
    return f"{name} is missing: {action}"


def _of_model(error: Mapping[str, Any], _field: str | None, name: str) -> str:
    if isinstance(error["input"], str | bytes):
        return f"{name} is no JSON: send a JSON object, with Content-Type: application/json"
    return f"{name} takes a JSON object with its fields, not {_short(error['input'])}"


_WHOLE: Mapping[str, Callable[[Mapping[str, Any], str | None, str], str]] = {
    "assertion_error": _of_cause,
    "extra_forbidden": _of_extra,
    "missing": _of_missing,
    "model_attributes_type": _of_model,
    "model_type": _of_model,
    "unknown_field": _of_unknown,
    "value_error": _of_cause,
}


def _figure(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _short(found: object) -> str:
    if isinstance(found, bool) or found is None:
        return {True: "true", False: "false", None: "null"}[found]
    if isinstance(found, Mapping):
        return "an object"
    if isinstance(found, list | tuple):
        return "a list"
    if isinstance(found, int):
        return shown(found)
    text = repr(found)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def cause_of(error: Mapping[str, Any]) -> PavError | None:
    """Return the error of pavcodec that a validator raised."""
    cause = error.get("ctx", {}).get("error")
    return cause if isinstance(cause, PavError) else None
