"""Problems in fields are in our own words."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import Field, ValidationError, field_validator

from pavcodec.errors import TextError
from pavcodec.web.tasks.problem import LONGEST_SOURCE, problem_of
from pavcodec.web.tasks.task import Question


class Everything(Question):
    count: int = Field(1, ge=1, le=36)
    large: int = 0
    text: str = Field("abc", max_length=5, pattern="^[a-z]*$")
    kind: Literal["pbn", "lin"] = "pbn"
    names: tuple[str, ...] = Field((), max_length=2)
    flag: bool = True
    card: str = "SA"
    needed: int

    @field_validator("card")
    @classmethod
    def _check(cls, card: str) -> str:
        if not card.isalpha():
            raise TextError("'1' is no rank", card, (1, 2))
        return card


NAMES = "count, large, text, kind, names, flag, card, needed"
NINES = "9" * 59
CASES: list[tuple[dict[str, Any], str]] = [
    ({"count": "ten"}, "'count' takes a whole number in digits, not 'ten'"),
    ({"count": 0}, "'count' takes 1 or more, not 0"),
    ({"count": "37"}, "'count' takes 36 at most, not 37"),
    ({"count": None}, "'count' takes a whole number, not null"),
    ({"count": {}}, "'count' takes a whole number, not an object"),
    ({"large": "9" * 5000}, f"'large' takes a whole number of at most 4,300 digits, not '{NINES}…"),
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
MARKS = {"'count' takes a whole number in digits, not 'ten'": (0, 3), "'1' is no rank": (1, 2)}


def test_words_and_marks() -> None:
    for fields, message in CASES:
        with pytest.raises(ValidationError) as caught:
            Everything.model_validate({"needed": 1, **fields} if fields else fields)
        problem = problem_of(caught.value)
        assert problem.message == message
        assert problem.field is not None
        assert problem.field.partition(".")[0] == next(iter(fields), "needed")
        if message in MARKS:
            assert problem.source == next(iter(fields.values()))
            assert (problem.start, problem.end) == MARKS[message]
    with pytest.raises(ValidationError) as caught:
        Everything.model_validate({"needed": 1, "text": "a" * (LONGEST_SOURCE + 1)})
    assert problem_of(caught.value).source is None
