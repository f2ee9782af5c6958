"""The JSON interface: answers, problems, its document and pages, what other sites may read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from api_document import PAGE as KEPT
from api_document import document_text
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from pages import Page

from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.usage import (
    curl_lines,
    is_flat,
    javascript_lines,
    link_fields,
    python_lines,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi.testclient import TestClient


ORIGIN = {"Origin": "https://example.org"}
JSON = {"Content-Type": "application/json"}


def problem_in(answer: Any) -> dict[str, Any]:
    content = answer.json()
    assert list(content) == ["problem"]
    problem: dict[str, Any] = content["problem"]
    return problem


def test_other_bodies_have_a_problem(client: TestClient) -> None:
    broken, others = ("{", '{"number": 1,}', "tru"), ("\xff", "9" * 5000, "[1]", "null", "")
    for content in (*broken, *others):
        answer = client.post("/api/v1/decode", content=content.encode("latin-1"), headers=JSON)
        problem = problem_in(answer)
        assert answer.status_code == 422
        if content in broken:
            assert problem["message"].startswith("the question is no JSON: ")
            assert problem["source"] == content
            assert problem["end"] == problem["start"] + 1
        else:
            assert "a JSON object" in problem["message"]
    answer = client.post("/api/v1/decode", content="{}", headers={"Content-Type": "text/plain"})
    assert answer.status_code == 422
    assert "Content-Type: application/json" in problem_in(answer)["message"]


def test_unknown_operations_and_methods_have_a_problem(client: TestClient) -> None:
    assert "did you mean 'decode'" in problem_in(client.get("/api/v1/dcode"))["message"]
    assert client.get("/api/v1/dcode").status_code == 404
    answer = client.delete("/api/v1/decode")
    assert answer.status_code == 405
    assert problem_in(answer)["message"] == "'decode' takes POST with a JSON object, not DELETE"


@pytest.mark.slow
def test_other_sites_may_read_the_interface_only(client: TestClient) -> None:
    shared = "Access-Control-Allow-Origin"
    assert client.get("/api/v1/decode", headers=ORIGIN).headers[shared] == "*"
    assert client.get("/api/v1/dcode", headers=ORIGIN).headers[shared] == "*"
    assert client.get("/api/v1/openapi.json", headers=ORIGIN).headers[shared] == "*"
    asked = ORIGIN | {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    assert client.options("/api/v1/decode", headers=asked).headers[shared] == "*"
    page = client.get("/number?number=5", headers=ORIGIN)
    assert shared not in page.headers
    assert "Access-Control-Allow-Credentials" not in page.headers


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
def test_the_document_is_valid_and_the_one_that_we_keep(document: dict[str, Any]) -> None:
    """Of its paths three are looked at in full: all of them take seven seconds."""
    paths = {f"/{name}": document["paths"][f"/{name}"] for name in ("decode", "read", "deal/file")}
    validate(document | {"paths": paths})
    kept = KEPT.read_text(encoding="utf-8")
    assert kept == document_text(), "the interface has changed: run tools/api_document.py"


def test_the_document_has_every_task_and_only_the_interface(
    client: TestClient, document: dict[str, Any]
) -> None:
    assert document["openapi"].startswith("3.1")
    assert document["servers"] == [{"url": "/api/v1"}]
    assert "HTTPValidationError" not in json.dumps(document)
    assert client.get("/openapi.json").status_code == 404
    schemas = document["components"]["schemas"]
    assert [name for name in schemas if "__" in name] == [], "each part has a name of its own"
    assert list(document["paths"]) == [f"/{task.name}" for task in TASKS]
    for task in TASKS:
        assert all(field.description for field in task.question.model_fields.values())
        operations = document["paths"][f"/{task.name}"]
        assert set(operations) == ({"post", "get"} if is_flat(task.question) else {"post"})
        for operation in operations.values():
            assert operation["summary"] == task.summary
            answers = {"200", "413", "422", "429", "503"}
            assert set(operation["responses"]) == answers
            for status in answers - {"200"}:
                [content] = operation["responses"][status]["content"].values()
                assert content["schema"] == {"$ref": "#/components/schemas/Failure"}


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
    # no command completes a text or writes a condition from a form
    assert bool(answer.json()["command"]) == (task.name not in {"build", "complete"})
    assert bool(answer.json()["python"]) == (task.name != "build")
    assert all(abs(number) < SAFE for number in numbers_in(answer.json()))
    if is_flat(task.question):
        by_address = client.get(f"/api/v1/{task.name}", params=urlencode(link_fields(task)))
        assert by_address.status_code == 200
        assert list(by_address.json()) == list(answer.json())


@pytest.mark.slow
def test_the_answers_on_the_page_are_real(client: TestClient, document: dict[str, Any]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "web" / "api.md").read_text(encoding="utf-8")
    answer, problem = map(json.loads, re.findall(r"```json\n(.*?)```", page, re.DOTALL))
    fields = {"event": "spades(east) == 2", "given": "spades(north) + spades(south) == 9"}
    for name, text in fields.items():
        assert f"--data-urlencode '{name}={text}'" in page
    real = client.get("/api/v1/odds", params=fields).json()
    assert {name: real[name] for name in answer} == answer
    assert client.get("/api/v1/odds?event=hcp(nroth)").json() == problem
    failure = {"$ref": "#/components/schemas/Failure"}
    for wrong in (problem, client.get("/api/v1/odds").json(), client.get("/api/v1/none").json()):
        validator_of(document, failure).validate(wrong)


def test_the_pages_for_programs_show_each_operation(client: TestClient) -> None:
    listed = Page(client.get("/programs").text)
    assert "/api/v1/openapi.json" in listed.links()
    for task in TASKS:
        assert f"/programs/{task.name}" in listed.links()
        assert task.summary in listed.text
    for guess in ("/api", "/api/v1/", "/api/v1"):
        assert client.get(guess).url.path == "/programs"
    assert client.get("/programs/nothing").status_code == 404
    for task in (task for task in TASKS if task.name in ("odds", "read", "deal/file")):
        page = Page(client.get(f"/programs/{task.name}").text)
        assert set(task.question.model_fields) <= set(page.codes)
        curl, python, javascript, shown = [code for code in page.codes if "\n" in code][:4]
        address = "http://localhost/api/v1"
        assert curl == curl_lines(task, address)
        assert python == python_lines(task, address)
        assert javascript == javascript_lines(task, address)
        if task.is_download:
            assert shown.startswith("deals-")
        else:
            assert {"command", "python"} <= set(json.loads(shown)) <= set(task.answer.model_fields)
