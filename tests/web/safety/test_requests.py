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
JSON = {"content-type": "application/json"}


def opened(settings: Settings, address: str = "testclient") -> TestClient:
    """A client at an address, of an application of its own."""
    return TestClient(threaded_application(settings), "http://localhost", client=(address, 1))


ADDRESSES = ["/", "/number?number=5", "/nowhere", "/static/pavcodec.css", "/health", "/api/v1/x"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_answer_has_the_headers(client: TestClient, address: str) -> None:
    headers = client.get(address).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "cache-control" in headers
    assert "set-cookie" not in headers
    assert "server" not in headers
    assert "unsafe" not in POLICY


@pytest.mark.slow
def test_https_stays_https() -> None:
    with TestClient(threaded_application(), base_url="https://localhost") as client:
        assert "max-age" in client.get("/health").headers["strict-transport-security"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "NONSENSE"])
def test_other_methods_are_refused_in_a_page(client: TestClient, method: str) -> None:
    answer = client.request(method, "/number")
    assert answer.status_code == 405
    assert "takes no such request" in answer.text


def test_refusals_are_pages_for_people_and_json_for_programs(client: TestClient) -> None:
    page = client.get("/nowhere")
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is no such page" in page.text
    assert "message" in client.get("/api/v1/nowhere").json()["problem"]
    assert "message" in client.post(DECODE, content=b"x" * (3 * UPLOAD)).json()["problem"]


@pytest.mark.parametrize(
    ("kind", "size", "status"),
    [
        ("application/json", UPLOAD * 4 // 3 + (1 << 17), 413),
        ("application/vnd.x+json", UPLOAD * 4 // 3 + (1 << 17), 413),
        ("application/x-www-form-urlencoded", BODY + 1, 413),
        ("text/plain", BODY + 1, 413),
        ("multipart/form-data; boundary=x", UPLOAD * 4 // 3 + (1 << 17), 413),
    ],
)
@pytest.mark.parametrize("is_announced", [True, False])
def test_bodies_have_a_limit(
    client: TestClient, kind: str, size: int, status: int, *, is_announced: bool
) -> None:
    def chunks() -> Iterator[bytes]:
        yield from [b"x" * (1 << 16)] * (size // (1 << 16) + 1)

    body = b"x" * size if is_announced else chunks()
    answer = client.post(DECODE, content=body, headers={"content-type": kind})
    assert answer.status_code == status
    assert answer.headers["connection"] == "close"
    assert "has more than" in answer.json()["problem"]["message"]


@pytest.mark.parametrize("path", ["/", "/deal", "/number?number=5", "/health", "/static/forms.js"])
def test_head_has_the_headers_of_get(client: TestClient, path: str) -> None:
    head, get = client.head(path), client.get(path)
    assert head.status_code == 200
    assert head.headers["content-length"] == get.headers["content-length"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe",
        b'{"number": "\xff"}',
        b"{" * 100_000,
        b"[" * 100_000,
        b'{"number":' * 50_000,
        b'{"number": ' + b"9" * 100_000 + b"}",
        b'{"number": -' + b"9" * 100_000 + b"}",
        b'{"number": 1e100000}',
        b'{"number": NaN}',
        b'{"number": "' + b"9" * 100_000 + b'"}',
        b'{"number": {"a": 1}}',
        b'{"number": 5, "number": 6, "other": 7}',
        json.dumps({f"field{i}": i for i in range(10_000)}).encode(),
        b'{"numbering": "' + b"a" * 100_000 + b'!"}',
        b'{"numbering": "\\u0000\\ud800"}',
        b'{"\\ud800": 1}',
        b'{"number": "\\udfff"}',
        b'{"__class__": "x", "constructor": {"prototype": {}}}',
    ],
    ids=lambda body: repr(body[:24]),
)
def test_odd_json_is_a_problem(client: TestClient, body: bytes) -> None:
    answer = client.post(DECODE, content=body, headers={"content-type": "application/json"})
    assert answer.status_code in {413, 422}
    assert answer.json()["problem"]["message"]
    assert len(answer.content) < 30_000


@pytest.mark.parametrize(
    "query",
    [
        "number=" + "9" * 50_000,
        "number=%00",
        "number=%ff%fe",
        "number=5&number=6",
        "numbering=" + "(" * 5000,
        "numbering=" + "a" * 4999 + "%21",
        "number=٥",
        "&".join(f"x{i}=1" for i in range(999)),
        "number=<script>alert(1)</script>",
        "number={{7*7}}",
        "numbering=../../etc/passwd",
    ],
    ids=lambda query: query[:24],
)
def test_odd_questions_of_a_page_are_problems_or_answers(client: TestClient, query: str) -> None:
    answer = client.get(f"/number?{query}")
    assert answer.status_code in {200, 422}
    assert "<script>alert" not in answer.text
    assert ">49<" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize("part", ["1,", "[", "{},", '{"a":', '"",'])
@pytest.mark.parametrize("kind", ["application/json", "application/vnd.x+json; a=b"])
def test_json_of_many_parts_is_refused_before_it_takes_memory(
    client: TestClient, part: str, kind: str
) -> None:
    body = '{"number": [' + part * 300_000
    answer = client.post(DECODE, content=body, headers={"content-type": kind})
    assert answer.status_code == 413
    assert "too many parts" in answer.json()["problem"]["message"]


def test_addresses_have_a_limit(client: TestClient) -> None:
    assert client.get("/number?number=" + "1" * 60_000).status_code == 414


@pytest.mark.parametrize(
    "path",
    [
        "/static/../application.py",
        "/static/%2e%2e/application.py",
        "/static/..%2fapplication.py",
        "/static/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc/passwd",
        "/static//etc/passwd",
        "/static/....//application.py",
        "/static/..%5capplication.py",
        "/static/%00",
        "/static/pavcodec.css%00.js",
        "/static/" + "a" * 5000,
        "/static/",
        "/static",
        "/%2f%2fevil.example",
        "/number/",
        "/NUMBER",
        "/.env",
        "/api",
    ],
)
def test_paths_out_of_the_folder_find_nothing(client: TestClient, path: str) -> None:
    answer = client.get(path, follow_redirects=False)
    assert answer.status_code in {400, 404, 405, 307}
    assert "evil.example" not in answer.headers.get("location", "")
    assert "make_application" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "same-origin"}, 405),
        ({"sec-fetch-site": "none"}, 405),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost"}, 405),
        ({"origin": "https://localhost"}, 405),
        ({"origin": "http://localhost.evil.example"}, 403),
        ({"origin": "http://["}, 403),
        ({}, 405),
    ],
)
def test_forms_of_other_sites_are_refused(
    client: TestClient, headers: dict[str, str], status: int
) -> None:
    """The page takes no POST, so what is let through is refused for that."""
    assert client.post("/nowhere", headers=headers).status_code == {405: 404}.get(status, status)
    assert client.post(DECODE, json={"number": 5}, headers=headers).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("bridge.example", 200),
        ("BRIDGE.example:8000", 200),
        ("bridge.example.", 200),
        ("localhost:1", 200),
        ("[::1]:80", 200),
        ("evil.example", 421),
        ("bridge.example.evil.example", 421),
        ("bridge.example@evil.example", 421),
        ("a b", 421),
        ("", 421),
        ("[::1", 421),
        ("x" * 10_000, 421),
    ],
)
def test_only_requests_for_this_server_are_answered(host: str, status: int) -> None:
    with opened(Settings(names=("Bridge.example",))) as client:
        assert client.get("/health", headers={"host": host}).status_code == status


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "statuses"),
    [
        (Settings(), [200, 200, 200, 200, 421, 421]),
        (Settings(host="localhost"), [200, 200, 200, 200, 421, 421]),
        (Settings(host="::1"), [200, 200, 200, 200, 421, 421]),
        (Settings(host="192.0.2.1"), [200, 200, 200, 200, 200, 200]),
        (Settings(proxies=("127.0.0.1",)), [200, 200, 200, 200, 200, 200]),
    ],
    ids=["127.0.0.1", "localhost", "::1", "network", "proxy"],
)
def test_a_server_without_a_name_on_the_loopback_is_for_this_machine_only(
    settings: Settings, statuses: list[int]
) -> None:
    """Else a site whose name leads here would read the pages in the browser of its visitor."""
    hosts = ("localhost:8000", "127.0.0.1", "127.0.0.2:80", "[::1]:80", "evil.example", "192.0.2.1")
    with opened(settings) as client:
        assert [
            client.get("/health", headers={"host": host}).status_code for host in hosts
        ] == statuses


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "location"),
    [
        ("/files/?a=1", "/files?a=1"),
        ("/api/v1", "/api/v1/"),
        ("/api/v1/", "/programs"),
        ("/api/v1/decode/", "/api/v1/decode"),
    ],
)
def test_redirects_name_no_host(address: str, location: str) -> None:
    with opened(Settings(host="192.0.2.1")) as client:
        answer = client.get(address, headers={"host": "evil.example"}, follow_redirects=False)
        assert answer.headers["location"] == location


@pytest.mark.slow
def test_only_whole_addresses_cost_less_than_a_page() -> None:
    with opened(Settings(rate=0.001, burst=3)) as client:
        assert {client.get("/health").status_code for _ in range(10)} == {200}
        assert [client.get("/healthy").status_code for _ in range(3)] == [404, 404, 429]


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
        assert [client.get("/nowhere").status_code for _ in range(4)] == [404, 404, 404, 429]
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


@pytest.mark.parametrize(
    "body",
    [
        "",
        "--b",
        "--b--",
        "no boundary at all",
        "--b\r\n" * 20_000,
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
    ],
    ids=lambda body: repr(body[:30]),
)
def test_odd_forms_are_problems(client: TestClient, body: str) -> None:
    headers = {"content-type": "multipart/form-data; boundary=b"}
    answer = client.post("/files", content=body.encode("latin-1"), headers=headers)
    assert answer.status_code in {200, 400, 413, 422}
    assert "root:" not in answer.text
    assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    "kind",
    [
        "multipart/form-data",
        "multipart/form-data; boundary=" + "b" * 10_000,
        "multipart/form-data; boundary=\u00e9",
        "multipart/mixed; boundary=b",
        "application/x-www-form-urlencoded; charset=utf-7",
        "",
    ],
    ids=lambda kind: kind[:50],
)
def test_odd_types_of_forms_are_problems(client: TestClient, kind: str) -> None:
    headers = {b"content-type": kind.encode("latin-1")}
    answer = client.post("/files", content=_part("file") + "--b--", headers=headers)
    assert answer.status_code in {200, 400, 413, 415, 422}


def test_forms_of_many_fields_are_refused(client: TestClient) -> None:
    kind = {"content-type": "application/x-www-form-urlencoded"}
    answer = client.post("/files", content="a=1&" * 200_000, headers=kind)
    assert answer.status_code in {400, 413, 422}
