"""The OpenAPI document: valid, and true of every answer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.usage import is_flat, link_fields

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi.testclient import TestClient

SAFE = 1 << 53


@pytest.fixture(scope="module")
def document(client: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/v1/openapi.json").json()
    return found


def validator_of(document: dict[str, Any], schema: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator({**schema, "components": document["components"]})


def numbers_in(value: Any) -> Iterator[int]:
    """Yield all whole numbers in an answer."""
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield value
    for each in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from numbers_in(each)


@pytest.mark.slow
def test_the_document_is_valid(document: dict[str, Any]) -> None:
    validate(document)


@pytest.mark.slow
def test_each_part_has_a_name_of_its_own(document: dict[str, Any]) -> None:
    """Two classes of one name would get the names of their modules, also in generated clients."""
    assert [name for name in document["components"]["schemas"] if "__" in name] == []


def test_the_document_has_every_task(document: dict[str, Any]) -> None:
    assert list(document["paths"]) == [f"/{task.name}" for task in TASKS]
    for task in TASKS:
        methods = {"post", "get"} if is_flat(task.question) else {"post"}
        assert set(document["paths"][f"/{task.name}"]) == methods


def test_every_field_of_a_question_has_a_description() -> None:
    for task in TASKS:
        for name, field in task.question.model_fields.items():
            assert field.description, f"{task.name}: {name}"


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_examples_and_answers_are_as_described(
    task: Any, client: TestClient, document: dict[str, Any]
) -> None:
    operation = document["paths"][f"/{task.name}"]["post"]
    [content] = operation["requestBody"]["content"].values()
    schema = content["schema"]
    [example] = schema.get("examples") or content["examples"]
    validator_of(document, schema).validate(example)
    answer = client.post(f"/api/v1/{task.name}", json=example)
    assert answer.status_code == 200
    described = operation["responses"]["200"]["content"]
    if task.is_download:
        kind = answer.headers["content-type"].partition(";")[0]
        assert kind in described
        return
    validator_of(document, described["application/json"]["schema"]).validate(answer.json())
    assert all(abs(number) < SAFE for number in numbers_in(answer.json()))
    if is_flat(task.question):
        by_address = client.get(f"/api/v1/{task.name}", params=urlencode(link_fields(task)))
        assert by_address.status_code == 200
        assert list(by_address.json()) == list(answer.json())


def test_problems_are_as_described(client: TestClient, document: dict[str, Any]) -> None:
    failure = {"$ref": "#/components/schemas/Failure"}
    for answer in (
        client.post("/api/v1/odds", json={}),
        client.post("/api/v1/odds", json={"event": "hcp(nroth)"}),
        client.get("/api/v1/nothing"),
    ):
        validator_of(document, failure).validate(answer.json())


@pytest.mark.slow
def test_the_answers_on_the_page_are_real(client: TestClient) -> None:
    page = (Path(__file__).parents[3] / "docs" / "web" / "api.md").read_text(encoding="utf-8")
    answer, problem = map(json.loads, re.findall(r"```json\n(.*?)```", page, re.DOTALL))
    fields = {"event": "spades(east) == 2", "given": "spades(north) + spades(south) == 9"}
    for name, text in fields.items():
        assert f"--data-urlencode '{name}={text}'" in page
    real = client.get("/api/v1/odds", params=fields).json()
    assert {name: real[name] for name in answer} == answer
    assert client.get("/api/v1/odds?event=hcp(nroth)").json() == problem
