"""The application: a page and the JSON interface give the answer of the same task."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi.testclient import TestClient


def test_page_and_json_give_the_same_deal(client: TestClient) -> None:
    answer = client.post("/api/v1/decode", json={"number": 5}).json()
    assert answer["number"] == "5"
    assert answer["deal"] in client.get("/number?number=5").text


def test_a_problem_names_what_was_expected(client: TestClient) -> None:
    answer = client.post("/api/v1/decode", json={"number": 5, "numbering": "dael"})
    assert answer.status_code == 422
    assert "did you mean 'deal'" in answer.json()["problem"]["message"]
    page = client.get("/number?number=5&numbering=dael")
    assert page.status_code == 422
    assert "did you mean" in page.text
