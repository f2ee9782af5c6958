"""The JSON interface: answers, problems, the document, and what other sites may read."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.exceptions import HTTPException
from thread_workers import ThreadWorkers

from pavcodec.web.application import make_application
from pavcodec.web.settings import Settings

ORIGIN = {"Origin": "https://example.org"}
JSON = {"Content-Type": "application/json"}


def problem_in(answer: Any) -> dict[str, Any]:
    content = answer.json()
    assert list(content) == ["problem"]
    problem: dict[str, Any] = content["problem"]
    return problem


def test_get_and_post_give_the_same(client: TestClient) -> None:
    posted = client.post("/api/v1/decode", json={"number": 5, "numbering": "bigdeal"})
    assert posted.json() == client.get("/api/v1/decode?number=5&numbering=bigdeal").json()


def test_broken_json_is_marked(client: TestClient) -> None:
    for content in ("{", '{"number": 1,}', "[1", '"', "tru"):
        answer = client.post("/api/v1/decode", content=content, headers=JSON)
        problem = problem_in(answer)
        assert answer.status_code == 422
        assert problem["message"].startswith("the question is no JSON: ")
        assert problem["source"] == content
        assert problem["end"] == problem["start"] + 1


def test_other_bodies_have_a_problem(client: TestClient) -> None:
    for content in (b"\xff", b"9" * 5000, b"[" * 100_000, b"[1]", b"5", b"null", b""):
        answer = client.post("/api/v1/decode", content=content, headers=JSON)
        assert answer.status_code == 422
        assert "a JSON object" in problem_in(answer)["message"]
    answer = client.post("/api/v1/decode", content="{}", headers={"Content-Type": "text/plain"})
    assert answer.status_code == 422
    assert "Content-Type: application/json" in problem_in(answer)["message"]


def test_unknown_operations_and_methods_have_a_problem(client: TestClient) -> None:
    assert "did you mean 'decode'" in problem_in(client.get("/api/v1/dcode"))["message"]
    assert client.get("/api/v1/dcode").status_code == 404
    answer = client.delete("/api/v1/decode")
    assert answer.status_code == 405
    assert problem_in(answer)["message"] == "'decode' takes POST with a JSON object, not DELETE"


class Busy(ThreadWorkers):
    async def answer(self, *_: Any) -> Any:
        raise HTTPException(503, "the server is busy: try again in 7 seconds", {"Retry-After": "7"})


@pytest.mark.slow
def test_a_refusal_has_its_status_and_the_time_of_another_try() -> None:
    application = make_application(Settings(), Busy(Settings()))
    with TestClient(application, base_url="http://localhost") as client:
        answer = client.get("/api/v1/decode", headers=ORIGIN)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "7")
    assert problem_in(answer)["message"] == "the server is busy: try again in 7 seconds"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


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
