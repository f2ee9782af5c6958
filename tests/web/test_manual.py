"""The manual: each page is there, and each of its links leads to a place that is there."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from pages import Page

pytest.importorskip("fastapi")

from pavcodec.web.pages.manual import drawn, texts
from pavcodec.web.pages.page import MANUAL, PAGES

if TYPE_CHECKING:
    from fastapi.testclient import TestClient


def ids(name: str) -> set[str]:
    """Return the anchors of a page."""
    return {unescape(each) for each in re.findall(r' id="([^"]+)"', drawn(name)[1])}


@pytest.mark.slow
def test_every_link_leads_to_a_place(client: TestClient) -> None:
    drawings = set()
    for name in texts():
        text = drawn(name)[1]
        for address in map(unescape, re.findall(r'(?:href|src)="([^"]+)"', text)):
            path, _, anchor = unquote(address).partition("#")
            if path.startswith("/manual/") and path.endswith(".svg"):
                drawings.add(path)
            elif path.startswith("/manual/") or not path:
                page = path.removeprefix("/manual/") or name
                assert page in texts(), (name, address)
                assert not anchor or anchor in ids(page), (name, address)
            else:
                assert re.match(r"https?://", address), (name, address)
    assert drawings
    for each in drawings:
        answer = client.get(each)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")


def test_pages_have_tables_and_a_list_of_all(client: TestClient) -> None:
    assert Page(client.get("/manual/constraints/language").text).all("table")
    contents = Page(client.get("/manual").text)
    assert {f"/manual/{name}" for name in texts() if name} <= set(contents.links())


def test_each_page_leads_to_its_page_of_the_manual(client: TestClient) -> None:
    for address in (*(address for address, _ in PAGES), "/", "/ask/rare"):
        page = client.get(address).text
        [place] = re.findall(r'"/manual/([^"]+)">Help with this page', page)
        name, _, anchor = place.partition("#")
        assert name == MANUAL.get(address.strip("/"), place).partition("#")[0]
        assert name in texts()
        assert not anchor or anchor in ids(name)
    for name in ("nothing", "../web/index", "%2e%2e/%2e%2e/mkdocs.yml", "web/index.md"):
        assert client.get(f"/manual/{name}").status_code == 404
