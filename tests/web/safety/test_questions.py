"""Hostile questions to every task: each gets an answer, a problem or a refusal, never an error."""

from __future__ import annotations

import base64
import gzip
import io
import json
import os
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi")

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from web_server import Site, request, running, status

from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fastapi.testclient import TestClient

GOOD = {200, 413, 422, 429, 503}

TEXTS = [
    "(" * 19_000,
    "!" * 19_000 + "1",
    "1" + "+1" * 9000,
    "1" + "**9" * 5000,
    "hcp(north)" + "+hcp(north)" * 1500 + " >= 0",
    "hcp(north) >= 1" + " || hcp(north) >= 1" * 900,
    "hcp(north) == " + "9" * 19_000,
    "shape(north, any 4333" + " + any 4432" * 1600 + ")",
    "\n".join(f"v{i}=v{i - 1}+v{i - 1}" for i in range(1, 500)) + "\nv499 >= 0",
    " && ".join(f"hcp({seat})*{i}!=spades({seat})" for seat in "nesw" for i in range(2, 200)),
    "predeal north " + ",".join(["SA"] * 3000),
    "/*" * 9000,
    "\x00\x1b[2J\u202e" + "é" * 9000,
    "../../../../etc/passwd%s%n{0.__class__}${7*7}",
    "N:" + "A" * 19_000,
    "0x" + "f" * 19_000,
]
"""Texts that break parsers, counters, numbers, terminals and templates."""

junk = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**40), 10**40),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(["", "N", "north", "S AKQ", "SA", "hcp(north)", "1..5", "-1", "1e9"]),
    st.lists(st.text(max_size=5), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
)


def fields(task: Task[Any, Any]) -> dict[str, Any]:
    found: dict[str, Any] = task.example.model_dump(mode="json", exclude_unset=True)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_any_values_of_fields(client: TestClient, task: Task[Any, Any]) -> None:
    """As the OpenAPI document lists them: each field with values of any type."""
    names = sorted(task.question.model_fields)

    @settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.dictionaries(st.sampled_from([*names, "other"]), junk, min_size=1, max_size=3))
    @example(dict.fromkeys(names, ""))
    def sent(changes: dict[str, Any]) -> None:
        body = json.dumps(fields(task) | changes)
        answer = client.post(
            f"/api/v1/{task.name}", content=body, headers={"content-type": "application/json"}
        )
        assert answer.status_code in {200, 413, 422}, body
        if answer.status_code != 200:
            assert answer.json()["problem"]["message"]

    sent()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running(workers=4, seconds=0.5, file_seconds=1.0, memory=1 << 28) as site:
        yield site


def asked(site: Site, name: str, question: dict[str, Any]) -> int:
    head = "Content-Type: application/json\r\n"
    body = json.dumps(question).encode()
    return status(site.raw(request(f"/api/v1/{name}", "POST", head, body), 15))


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="processes of POSIX")
@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text[:30]))
def test_hostile_texts(site: Site, text: str) -> None:
    for name, field in (("count", "condition"), ("odds", "event"), ("identify", "text")):
        assert asked(site, name, {field: text}) in GOOD
    assert asked(site, "check", {"condition": text}) in GOOD
    assert asked(site, "decode", {"number": 5}) == 200


def zipped(names: list[str], content: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, content)
    return stream.getvalue()


UPLOADS: dict[str, Callable[[], bytes]] = {
    "bomb.pbn.gz": lambda: gzip.compress(bytes(90 << 20), 1),
    "nested.zip": lambda: zipped(["a.zip"], zipped(["b.pbn"], bytes(90 << 20))),
    "many.zip": lambda: zipped([f"{i}.pbn" for i in range(5000)], b""),
    "out.zip": lambda: zipped(
        ["../../out.pbn", "/var/tmp/out.pbn"],  # noqa: S108 (never written)
        b'[Board "1"]',
    ),
    "../../../etc/passwd": lambda: b"[",
    "a.pav": lambda: b"\x00" * 10_000,
    "a.npy": lambda: (
        b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (9,)}"
    ),
    "a.parquet": lambda: b"PAR1" + b"\xff" * 1000 + b"PAR1",
    "quotes.pbn": lambda: b'[Event "' + b'\\"' * 200_000,
    "tags.pbn": lambda: b'[A "b"]\n' * 100_000,
    "lin.lin": lambda: b"md|1S" * 100_000,
}
"""Files that grow, that lead out of folders, and that are not what their names say."""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="processes of POSIX")
@pytest.mark.parametrize("name", UPLOADS)
def test_hostile_files(site: Site, name: str) -> None:
    content = base64.b64encode(UPLOADS[name]()).decode()
    question = {"file": [{"name": name, "content": content}]}
    assert asked(site, "read", question) in GOOD
    assert asked(site, "convert", question | {"to": "lin"}) in GOOD
    assert not os.path.exists("/var/tmp/out.pbn")  # noqa: S108 (nothing is there)
    assert asked(site, "decode", {"number": 5}) == 200
