"""Questions that are refused: each problem stands in its place, with its marked part."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from pages import Page, Problem

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

TABLE = Path(__file__).with_name("refused.txt").read_text(encoding="utf-8")
ROWS = [row for row in TABLE.splitlines() if row and not row.startswith("#")]


def refused(client: TestClient, question: str) -> Problem:
    """Return the problem of a page, or that of the interface."""
    if question.startswith("/"):
        path, _, query = question.partition("?")
        fields = [each.partition("=")[::2] for each in re.split(r"(?<!&)&(?!&)", query)]
        answer = client.get(f"{path}?{urlencode(fields)}")
        assert all(value not in answer.text for _, value in fields if "<" in value)
        [problem] = Page(answer.text).problems
    else:
        name, _, text = question.partition(" ")
        answer = client.post(f"/api/v1/{name}", json=json.loads(text))
        found = answer.json()["problem"]
        marked = slice(found["start"], found["end"]) if found["start"] is not None else slice(0)
        problem = Problem(found["field"] or "", found["message"], (found["source"] or "")[marked])
    assert answer.status_code == 422
    return problem


@pytest.mark.parametrize("row", ROWS)
def test_a_problem_stands_in_its_place(client: TestClient, row: str) -> None:
    question, _, told = row.partition(" ⇒ ")
    place, _, rest = told.partition(": ")
    message, _, marked = rest.removesuffix("]").partition(" [")
    found = refused(client, question)
    assert (found.place, found.marked) == (place, marked)
    assert found.message.startswith(message.removesuffix("…"))
    assert message.endswith("…") or found.message == message
