"""Style sheets and scripts: browsers load each content once, compressed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("fastapi")


from typing import TYPE_CHECKING

import pavcodec.web

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

FOLDER = Path(pavcodec.web.__file__).parent / "static"


def test_pages_name_files_by_version_and_those_stay(client: TestClient) -> None:
    page = client.get("/").text
    addresses = re.findall(r'"(/static/[^"]+)"', page)
    assert addresses
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert re.fullmatch(r"/static/[0-9a-f]{12}/[a-z_]+\.[a-z]+", address)


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.name)
def test_each_file_is_there_plain_and_compressed(client: TestClient, path: Path) -> None:
    plain = client.get(f"/static/{path.name}", headers={"accept-encoding": "identity"})
    small = client.get(f"/static/{path.name}", headers={"accept-encoding": "gzip"})
    assert plain.content == small.content == path.read_bytes()
    assert "content-encoding" not in plain.headers
    sent = int(small.headers["content-length"])
    assert sent <= len(plain.content)
    assert plain.headers["cache-control"] == "no-cache"
    kind = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}[path.suffix]
    assert plain.headers["content-type"].startswith(kind)


def test_a_browser_that_has_a_file_gets_nothing(client: TestClient) -> None:
    first = client.get("/static/pavcodec.css")
    again = client.get("/static/pavcodec.css", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("address", ["", "none.css", "000000000000/pavcodec.css"])
def test_what_is_no_file_is_not_found(client: TestClient, address: str) -> None:
    assert client.get(f"/static/{address}").status_code == 404


def test_files_take_no_form(client: TestClient) -> None:
    assert client.post("/static/pavcodec.css").status_code == 405
