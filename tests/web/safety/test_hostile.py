"""Clients that lie or leave, and hostile questions: an answer or a refusal, never an error."""

from __future__ import annotations

import base64
import gzip
import io
import json
import os
import time
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from web_server import Site, request, running, status

from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fastapi.testclient import TestClient

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="processes of POSIX"),
]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running(
        file_seconds=1.5,
        seconds=2.0,
        patience=20,  # other tests keep the processors busy
        memory=50 << 20,
        workers=4,
    ) as site:
        yield site


def until(happens: Callable[[], bool], seconds: float = 10) -> None:
    """Wait until something happens."""
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_an_error_shows_nothing_of_the_program(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    answer = site.raw(request("/test/error"))
    assert status(answer) == 500
    assert b"KeyError" not in answer
    assert b"words of a user" not in answer
    assert b"content-security-policy" in answer
    assert "KeyError" in caplog.text
    assert "words of a user" not in caplog.text.replace('KeyError("words of a user")', "")


def test_an_endless_body_is_refused_in_the_middle(site: Site) -> None:
    with site.connected() as link:
        link.sendall(request("/api/v1/decode", "POST", "Transfer-Encoding: chunked\r\n"))
        sent = 0
        try:
            while sent < 200 << 20:
                link.sendall(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
                sent += 0x10000
        except OSError:
            pass
        assert sent < 50 << 20


def ended(process: int) -> bool:
    """Return whether a process has ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("kind", ["act", "file"])
def test_a_client_that_leaves_ends_its_process(site: Site, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "process"
    with site.connected() as link:
        link.sendall(request(f"/test/{kind}?act=spin&size=60&path={path}"))
        until(lambda: site.taken == (0, 0, 1))
        until(lambda: path.exists() and path.read_text() != "")
    until(lambda: ended(int(path.read_text())))
    assert site.taken == (0, 0, 0)
    with site.connected() as link:  # it leaves in the middle of its file
        link.sendall(request("/test/file?size=1000"))
        assert link.recv(100)
    until(lambda: os.listdir(site.pool._folder) == [])


def test_a_question_that_fails_is_a_sentence(site: Site) -> None:
    """`test_workers.py` has all sentences."""
    refused = site.raw(request("/test/act?act=die"))
    assert status(refused) == 503
    assert b"retry-after: 60" in refused.lower()
    assert b"has ended, twice" in refused
    whole = site.raw(request("/test/file?size=4"))
    assert (status(whole), whole.count(b"content-length: 262144")) == (200, 1)
    broken = site.raw(request("/test/file?size=40&act=stumble"))
    assert status(broken) == 500
    assert len(broken) < 1 << 16


GOOD = {200, 413, 422, 429, 503}

TEXTS = [
    "(" * 19_000,
    "1" + "+1" * 9000,
    "hcp(north)" + "+hcp(north)" * 1500 + " >= 0",
    "hcp(north) >= 1" + " || hcp(north) >= 1" * 900,
    "hcp(north) == " + "9" * 19_000,
    "shape(north, any 4333" + " + any 4432" * 1600 + ")",
    "\n".join(f"v{i}=v{i - 1}+v{i - 1}" for i in range(1, 500)) + "\nv499 >= 0",
    " && ".join(f"hcp({seat})*{i}!=spades({seat})" for seat in "nesw" for i in range(2, 200)),
    "predeal north " + ",".join(["SA"] * 3000),
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
def quick_site() -> Iterator[Site]:
    with running(workers=4, seconds=0.5, file_seconds=1.0, memory=1 << 28) as site:
        yield site


def asked(quick_site: Site, name: str, question: dict[str, Any]) -> int:
    head = "Content-Type: application/json\r\n"
    body = json.dumps(question).encode()
    return status(quick_site.raw(request(f"/api/v1/{name}", "POST", head, body), 15))


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text[:30]))
def test_hostile_texts(quick_site: Site, text: str) -> None:
    for name, field in (("count", "condition"), ("odds", "event"), ("identify", "text")):
        assert asked(quick_site, name, {field: text}) in GOOD
    assert asked(quick_site, "check", {"condition": text}) in GOOD
    assert asked(quick_site, "decode", {"number": 5}) == 200


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


@pytest.mark.parametrize("name", UPLOADS)
def test_hostile_files(quick_site: Site, name: str) -> None:
    content = base64.b64encode(UPLOADS[name]()).decode()
    question = {"file": [{"name": name, "content": content}]}
    assert asked(quick_site, "read", question) in GOOD
    assert asked(quick_site, "convert", question | {"to": "lin"}) in GOOD
    assert not os.path.exists("/var/tmp/out.pbn")  # noqa: S108 (nothing is there)
    assert asked(quick_site, "decode", {"number": 5}) == 200
