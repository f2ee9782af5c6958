"""The pages For programs: each operation with its fields, examples that run, and a real answer."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from web_tasks import content_of

from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.usage import curl_lines, javascript_lines, python_lines

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

ADDRESS = "http://localhost/api/v1"


def test_the_page_links_each_operation(client: TestClient) -> None:
    text = unescape(client.get("/programs").text)
    for task in TASKS:
        assert f'href="/programs/{task.name}"' in text
        assert task.summary in text
    assert "/api/v1/openapi.json" in text


@pytest.mark.parametrize("address", ["/api", "/api/v1/", "/api/v1"])
def test_guesses_lead_to_the_page(client: TestClient, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 200
    assert response.url.path == "/programs"


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_an_operation_shows_fields_examples_and_a_real_answer(
    client: TestClient, task: Any
) -> None:
    response = client.get(f"/programs/{task.name}")
    assert response.status_code == 200
    text = unescape(response.text)
    for name in task.question.model_fields:
        assert f"<code>{name}</code>" in text
    for lines in (curl_lines, python_lines, javascript_lines):
        assert lines(task, ADDRESS) in text
    shown = unescape(re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", response.text, re.DOTALL)[3])
    if task.is_download:
        file = task.work(task.example)
        assert content_of(file)
        assert shown.startswith(file.name)
    else:
        assert {"command", "python"} <= set(json.loads(shown)) <= set(task.answer.model_fields)


def test_other_operations_are_not_found(client: TestClient) -> None:
    assert client.get("/programs/nothing").status_code == 404
