"""The page For programs lists each operation, with examples that name this server."""

from __future__ import annotations

from html import unescape

from fastapi.testclient import TestClient

from pavcodec.web.application import make_application
from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.usage import curl_lines, javascript_lines, python_lines


def test_each_operation_is_there_with_its_fields_and_examples() -> None:
    with TestClient(make_application(), base_url="http://bridge.example:8000") as client:
        text = unescape(client.get("/programs").text)
    assert f"The {len(TASKS)} operations" in text
    for task in TASKS:
        for name, field in task.question.model_fields.items():
            assert f"<code>{name}</code></th><td>{field.description or ''}</td>" in text
        for lines in (curl_lines, python_lines, javascript_lines):
            assert lines(task, "http://bridge.example:8000/api/v1") in text
