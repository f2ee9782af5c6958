"""Problems in fields are in our own words, for every type that a question has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from pydantic import Field, ValidationError, field_validator

from pavcodec.errors import TextError
from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.problem import LONGEST_SOURCE, is_known, problem_of
from pavcodec.web.tasks.task import Question

ERRORS = {
    "any": (),
    "bool": ("bool_parsing", "bool_type"),
    "bytes": ("bytes_too_long", "bytes_type"),
    "default": (),
    "definition-ref": (),
    "definitions": (),
    "dict": ("dict_type", "too_long"),
    "enum": ("enum",),
    "float": ("float_parsing", "float_type", "finite_number"),
    "function-after": ("value_error", "assertion_error"),
    "function-before": ("value_error", "assertion_error", "unknown_field"),
    "int": ("int_from_float", "int_parsing", "int_parsing_size", "int_type", "multiple_of"),
    "list": ("list_type", "too_long", "too_short"),
    "literal": ("literal_error",),
    "model": ("model_type", "model_attributes_type"),
    "model-field": ("missing",),
    "model-fields": ("extra_forbidden", "model_type", "model_attributes_type"),
    "no-info": (),
    "nullable": (),
    "str": (
        "string_pattern_mismatch",
        "string_sub_type",
        "string_too_long",
        "string_too_short",
        "string_type",
        "string_unicode",
    ),
    "tuple": ("tuple_type", "too_long", "too_short", "missing"),
}
"""The errors that pydantic gives for each type of a field."""
LIMITS = {
    "gt": "greater_than",
    "ge": "greater_than_equal",
    "lt": "less_than",
    "le": "less_than_equal",
}


def schemas(value: Any) -> Iterator[dict[str, Any]]:
    """Yield all schemas within a core schema of pydantic."""
    if isinstance(value, dict):
        if isinstance(value.get("type"), str):
            yield value
        for name, each in value.items():
            if name not in {"metadata", "serialization", "default"}:
                yield from schemas(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from schemas(each)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_there_are_words_for_all_errors_of_a_question(task: Any) -> None:
    for schema in schemas(task.question.__pydantic_core_schema__):
        kinds = [*ERRORS[schema["type"]], *(LIMITS[each] for each in LIMITS if each in schema)]
        assert all(map(is_known, kinds)), schema


class Everything(Question):
    count: int = Field(1, ge=1, le=36)
    large: int = 0
    ratio: float = Field(1.5, gt=0, lt=2, allow_inf_nan=False)
    text: str = Field("abc", min_length=2, max_length=5, pattern="^[a-z]*$")
    kind: Literal["pbn", "lin"] = "pbn"
    names: list[str] = Field([], max_length=2)
    flag: bool = True
    card: str = "SA"
    needed: int

    @field_validator("card")
    @classmethod
    def _check(cls, card: str) -> str:
        if not card.isalpha():
            raise TextError("'1' is no rank", card, (1, 2))
        return card


NAMES = "count, large, ratio, text, kind, names, flag, card, needed"
NINES = "9" * 59
CASES = [
    ({"count": "ten"}, "'count' takes a whole number in digits, not 'ten'"),
    ({"count": 0}, "'count' takes 1 or more, not 0"),
    ({"count": 37}, "'count' takes 36 at most, not 37"),
    ({"count": "37"}, "'count' takes 36 at most, not 37"),
    ({"count": 1.5}, "'count' takes a whole number, not 1.5"),
    ({"count": None}, "'count' takes a whole number, not null"),
    ({"count": {}}, "'count' takes a whole number, not an object"),
    ({"large": "9" * 5000}, f"'large' takes a whole number of at most 4,300 digits, not '{NINES}…"),
    ({"ratio": 0}, "'ratio' takes a number greater than 0, not 0"),
    ({"ratio": 2}, "'ratio' takes a number less than 2, not 2"),
    ({"ratio": "inf"}, "'ratio' takes a number, neither infinite nor undefined, not 'inf'"),
    ({"ratio": "x"}, "'ratio' takes a number, as in 2.5, not 'x'"),
    ({"text": "a"}, "'text' takes a text of at least 2 characters, not of 1"),
    ({"text": "a" * 1200}, "'text' takes a text of at most 5 characters, not of 1,200"),
    ({"text": "ABC"}, "'text' takes a text of the form ^[a-z]*$, not 'ABC'"),
    ({"text": 5}, "'text' takes a text, not 5"),
    ({"kind": "doc"}, "'kind' takes 'pbn' or 'lin', not 'doc'"),
    ({"names": ["a", "b", "c"]}, "'names' takes a list of at most 2 items, not of 3"),
    ({"names": "abc"}, "'names' takes a list, not 'abc'"),
    ({"names": ["a", 5]}, "'names.1' takes a text, not 5"),
    ({"flag": "maybe"}, "'flag' takes true or false, not 'maybe'"),
    ({"cuont": 3}, f"no field is called 'cuont'; did you mean 'count'? Known: {NAMES}"),
    ({}, "'needed' is missing: give it a value"),
    ({"card": "A1"}, "'1' is no rank"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "message"), CASES)
def test_words(fields: dict[str, Any], message: str) -> None:
    values = fields if not fields else {"needed": 1, **fields}
    with pytest.raises(ValidationError) as caught:
        Everything.model_validate(values)
    problem = problem_of(caught.value)
    assert problem.message == message
    name = next(iter(fields), "needed")
    assert problem.field is not None
    assert problem.field.partition(".")[0] == name


def test_a_wrong_value_is_marked() -> None:
    for fields, start, end in (({"count": "ten"}, 0, 3), ({"card": "A1"}, 1, 2)):
        with pytest.raises(ValidationError) as caught:
            Everything.model_validate({"needed": 1, **fields})
        problem = problem_of(caught.value)
        [source] = fields.values()
        assert (problem.source, problem.start, problem.end) == (source, start, end)
    with pytest.raises(ValidationError) as caught:
        Everything.model_validate({"needed": 1, "text": "a" * (LONGEST_SOURCE + 1)})
    assert problem_of(caught.value).source is None
