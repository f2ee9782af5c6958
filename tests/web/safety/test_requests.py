"""Requests that no browser sends: each gets a short answer, and the server stays well."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("fastapi")

from fastapi.testclient import TestClient
from thread_workers import threaded_application

from pavcodec.web.safety import POLICY
from pavcodec.web.settings import Settings
from pavcodec.web.tasks.task import BODY, UPLOAD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import Message

DECODE = "/api/v1/decode"


def opened(settings: Settings, address: str = "testclient") -> TestClient:
    """A client at an address, of an application of its own."""
    return TestClient(threaded_application(settings), "http://localhost", client=(address, 1))


def test_every_answer_has_the_headers(client: TestClient) -> None:
    assert "unsafe" not in POLICY
    for address in (
        "/",
        "/number?number=5",
        "/nowhere",
        "/static/forms.js",
        "/health",
        "/api/v1/x",
    ):
        headers = client.get(address).headers
        length = client.head(address).headers.get("content-length")
        assert length in (None, headers["content-length"])
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert "cache-control" in headers
        assert not {"set-cookie", "server", "strict-transport-security"} & set(headers)
    https = TestClient(client.app, base_url="https://localhost")
    assert "max-age" in https.get("/health").headers["strict-transport-security"]


def test_refusals_are_pages_for_people_and_json_for_programs(client: TestClient) -> None:
    page = client.get("/nowhere")
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is no such page" in page.text
    assert "message" in client.get("/api/v1/nowhere").json()["problem"]
    assert client.get("/number?number=" + "1" * 60_000).status_code == 414
    for method in ("POST", "PUT", "DELETE", "TRACE", "OPTIONS", "NONSENSE"):
        answer = client.request(method, "/number")
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET")
        assert "takes no such request" in answer.text


FILES = UPLOAD * 4 // 3 + (1 << 17)


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        ("application/json", FILES),
        ("application/vnd.x+json", FILES),
        ("application/x-www-form-urlencoded", BODY + 1),
        ("text/plain", BODY + 1),
        ("multipart/form-data; boundary=x", FILES),
    ],
)
@pytest.mark.parametrize("is_announced", [True, False])
def test_bodies_have_a_limit(
    client: TestClient, kind: str, size: int, *, is_announced: bool
) -> None:
    def chunks() -> Iterator[bytes]:
        yield from [b"x" * (1 << 16)] * (size // (1 << 16) + 1)

    body = b"x" * size if is_announced else chunks()
    answer = client.post(DECODE, content=body, headers={"content-type": kind})
    assert answer.status_code == 413
    assert answer.headers["connection"] == "close"
    assert "has more than" in answer.json()["problem"]["message"]


ODD_JSON = {
    b"": 422,
    b'{"number": "\xff"}': 422,
    b"{" * 100_000: 422,
    b'{"number":' * 50_000: 422,
    b'{"number": -' + b"9" * 100_000 + b"}": 422,
    b'{"number": 1e100000}': 422,
    b'{"number": NaN}': 422,
    b'{"number": "' + b"9" * 100_000 + b'"}': 422,
    b'{"number": 5, "number": 6, "other": 7}': 422,
    json.dumps({f"field{i}": i for i in range(10_000)}).encode(): 422,
    b'{"numbering": "' + b"a" * 100_000 + b'!"}': 422,
    b'{"numbering": "\\u0000\\ud800"}': 422,
    b'{"\\ud800": 1}': 422,
    b'{"__class__": "x", "constructor": {"prototype": {}}}': 422,
    **{b'{"number": [' + part * 300_000: 413 for part in (b"1,", b"[", b"{},", b'{"a":', b'"",')},
}


def test_odd_json_is_a_problem(client: TestClient) -> None:
    for body, status in ODD_JSON.items():
        for kind in ("application/json", "application/vnd.x+json; a=b")[: 2 if status > 422 else 1]:
            answer = client.post(DECODE, content=body, headers={"content-type": kind})
            assert answer.status_code == status, body[:30]
            assert answer.json()["problem"]["message"]
            assert len(answer.content) < 30_000


ODD_QUESTIONS = (
    "number=" + "9" * 40_000, "number=%00", "number=%ff%fe", "number=5&number=6",
    "numbering=" + "(" * 5000, "number=٥", "&".join(f"x{i}=1" for i in range(999)),
    "number=<script>alert(1)</script>", "number={{7*7}}", "numbering=../../etc/passwd",
)  # fmt: skip


def test_odd_questions_of_a_page_are_problems_or_answers(client: TestClient) -> None:
    for query in ODD_QUESTIONS:
        answer = client.get(f"/number?{query}")
        assert answer.status_code in {200, 422}
        for text in ("<script>alert", ">49<", "root:"):
            assert text not in answer.text


NO_PATHS = (
    "/static/../application.py", "/static/%2e%2e/application.py", "/static/..%2fapplication.py",
    "/static/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc/passwd", "/static//etc/passwd",
    "/static/....//application.py", "/static/..%5capplication.py", "/static/%00",
    "/static/pavcodec.css%00.js", "/static/" + "a" * 5000, "/static/", "/static",
    "/%2f%2fevil.example", "/number/", "/NUMBER", "/.env", "/api",
)  # fmt: skip


def test_paths_out_of_the_folder_find_nothing(client: TestClient) -> None:
    for path in NO_PATHS:
        answer = client.get(path, follow_redirects=False)
        assert answer.status_code in {400, 404, 405, 307}
        assert "evil.example" not in answer.headers.get("location", "")
        assert "make_application" not in answer.text
        assert "root:" not in answer.text


ORIGINS: list[tuple[dict[str, str], int]] = [
    ({"sec-fetch-site": "cross-site"}, 403),
    ({"sec-fetch-site": "same-site"}, 403),
    ({"sec-fetch-site": "same-origin"}, 404),
    ({"sec-fetch-site": "none"}, 404),
    ({"origin": "https://evil.example"}, 403),
    ({"origin": "null"}, 403),
    ({"origin": "http://localhost"}, 404),
    ({"origin": "https://localhost"}, 404),
    ({"origin": "http://localhost.evil.example"}, 403),
    ({"origin": "http://["}, 403),
    ({}, 404),
]


def test_forms_of_other_sites_are_refused(client: TestClient) -> None:
    """There is no such page, so what is let through is refused for that."""
    for headers, status in ORIGINS:
        assert client.post("/nowhere", headers=headers).status_code == status
        assert client.post(DECODE, json={"number": 5}, headers=headers).status_code == 200


HOSTS = {
    "bridge.example": 200, "BRIDGE.example:8000": 200, "bridge.example.": 200,
    "localhost:1": 200, "[::1]:80": 200, "evil.example": 421, "bridge.example.evil.example": 421,
    "bridge.example@evil.example": 421, "a b": 421, "": 421, "[::1": 421, "x" * 10_000: 421,
}  # fmt: skip


@pytest.mark.slow
def test_only_requests_for_this_server_are_answered() -> None:
    with opened(Settings(names=("Bridge.example",))) as client:
        for host, status in HOSTS.items():
            assert client.get("/health", headers={"host": host}).status_code == status


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "is_open"),
    [
        (Settings(), False),
        (Settings(host="::1"), False),
        (Settings(host="192.0.2.1"), True),
        (Settings(proxies=("127.0.0.1",)), True),
    ],
)
def test_a_server_without_a_name_on_the_loopback_is_for_this_machine_only(
    settings: Settings, *, is_open: bool
) -> None:
    """Else a site whose name leads here would read the pages in the browser of its visitor."""
    with opened(settings) as client:
        for host in ("localhost:8000", "127.0.0.1", "127.0.0.2:80", "[::1]:80"):
            assert client.get("/health", headers={"host": host}).status_code == 200
        for host in ("evil.example", "192.0.2.1"):
            answer = client.get("/health", headers={"host": host})
            assert answer.status_code == (200 if is_open else 421)
        if is_open:  # redirects name no host
            for address, location in REDIRECTS.items():
                moved = client.get(address, headers={"host": "x.example"}, follow_redirects=False)
                assert moved.headers["location"] == location


REDIRECTS = {
    "/files/?a=1": "/files?a=1",
    "/api/v1": "/api/v1/",
    "/api/v1/": "/programs",
    "/api/v1/decode/": "/api/v1/decode",
}


@pytest.mark.slow
def test_a_client_that_leaves_its_upload_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    parts = [{"type": "http.request", "body": b"--b", "more_body": True}]
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return parts.pop() if parts else {"type": "http.disconnect"}

    head = [(b"host", b"localhost"), (b"content-type", b"multipart/form-data; boundary=b")]
    scope = {
        "type": "http", "method": "POST", "path": "/files", "raw_path": b"/files",
        "query_string": b"", "headers": head, "client": ("testclient", 1),
    }  # fmt: skip
    asyncio.run(threaded_application()(scope, receive, send))
    assert [message["status"] for message in sent if "status" in message] == [400]
    assert caplog.text == ""


@pytest.mark.slow
def test_each_client_has_a_rate() -> None:
    with opened(Settings(rate=0.001, burst=3), "192.0.2.1") as client:
        assert {client.get("/health").status_code for _ in range(10)} == {200}
        assert [client.get("/nowhere").status_code for _ in range(4)] == [404, 404, 429, 429]
        refused = client.get("/nowhere")
        assert int(refused.headers["retry-after"]) > 900
        assert "faster than this server takes them" in refused.text
        assert client.post(DECODE, json={}).json()["problem"]["message"]
        other, same, another = (
            TestClient(client.app, "http://localhost", client=(address, 1))
            for address in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1")
        )
        for each in (other, same, other):
            assert each.get("/nowhere").status_code == 404
        assert same.get("/nowhere").status_code == 429
        assert another.get("/nowhere").status_code == 404


def _part(name: str, content: str = "x", headers: str = "") -> str:
    return f'--b\r\nContent-Disposition: form-data; name="{name}"{headers}\r\n\r\n{content}\r\n'


ODD_FORMS = (
    "",
    "no boundary at all",
    "--b\r\n\r\n\r\n" * 5000 + "--b--",
    "".join(_part(f"f{i}") for i in range(2000)) + "--b--",
    "".join(_part("file", headers=f'; filename="{i}.pbn"') for i in range(2000)) + "--b--",
    _part("file", headers='; filename="../../../etc/passwd"') + "--b--",
    _part("file", headers='; filename="a\\"b\x00.pbn"') + "--b--",
    _part("file", headers="; filename*=UTF-8''%ff%fe%00") + "--b--",
    _part("file", headers='; filename="' + "a" * 100_000 + '"') + "--b--",
    _part("file", headers="\r\n" + "X-Y: z\r\n" * 20_000) + "--b--",
    _part("n" * 100_000) + "--b--",
    _part("condition", "a" * 2_000_000) + "--b--",
    _part("file", headers='; filename="a.pbn"') + _part("file")[:40],
    _part("file", headers="\r\nContent-Transfer-Encoding: base64") + "--b--",
)
MULTIPART, PLAIN = "multipart/form-data; boundary=", "application/x-www-form-urlencoded"
ODD_TYPES = ("multipart/form-data", MULTIPART + "b" * 10_000, f"{MULTIPART}\xe9", f"{PLAIN}; x", "")


def test_odd_forms_are_problems(client: TestClient) -> None:
    forms = [(f"{MULTIPART}b", body) for body in ODD_FORMS]
    forms += [(kind, _part("file") + "--b--") for kind in ODD_TYPES]
    for kind, body in [*forms, (PLAIN, "a=1&" * 200_000)]:
        headers = {b"content-type": kind.encode("latin-1")}
        answer = client.post("/files", content=body.encode("latin-1"), headers=headers)
        assert answer.status_code in {200, 400, 413, 415, 422}, (kind, body[:30])
        assert "root:" not in answer.text
        assert "Traceback" not in answer.text
