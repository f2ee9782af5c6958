"""A wrong address gets a page that says so, with the way to the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pavcodec.web.pages.page import PAGES

if TYPE_CHECKING:
    from fastapi.testclient import TestClient


@pytest.mark.parametrize("address", ["/deals", "/number/5", "/static/none.css", "/<script>"])
def test_a_wrong_address_leads_to_the_pages(client: TestClient, address: str) -> None:
    page = client.get(address)
    assert page.status_code == 404
    assert "There is no such page" in page.text
    assert "<script>" not in page.text
    assert all(f'<a href="{address}">{name}</a>' in page.text for address, name in PAGES)


def test_a_wrong_method_is_named(client: TestClient) -> None:
    page = client.post("/number", data={"number": "5"})
    assert page.status_code == 405
    assert page.headers["allow"] == "GET"
    assert "takes no such request" in page.text
