"""A wrong address gets a page that says so, with the way to the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pages import Page

from pavcodec.web.pages.page import PAGES

if TYPE_CHECKING:
    from fastapi.testclient import TestClient


@pytest.mark.parametrize("address", ["/deals", "/number/5", "/static/none.css", "/<script>"])
def test_a_wrong_address_leads_to_the_pages(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    page = Page(answer.text)
    assert page.texts("h1") == ["There is no such page"]
    assert "<script>" not in answer.text
    assert all(address in page.links(name) for address, name in PAGES)


def test_a_wrong_method_is_named(client: TestClient) -> None:
    answer = client.post("/number", data={"number": "5"})
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")
    assert "takes no such request" in Page(answer.text).text
