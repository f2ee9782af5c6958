"""The page Practice in a browser: choose, think, reveal, next board, the other seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from browser_support import PHONE, picture, violations

from pavcodec.practice import situation

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow


def own_hand(page: Page) -> str:
    """Return the hand that the page shows."""
    return ".".join(page.locator(".own .ranks").all_inner_texts()).replace("–", "")


def test_two_partners_on_two_phones(open_page: Any) -> None:
    page = open_page(PHONE)
    page.goto("/practice")
    slider = page.get_by_label("Strong two clubs", exact=True)
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.fill("#n", "3")
    page.fill("#seed", "7")
    page.get_by_role("button", name="Practise").first.click()
    page.wait_for_selector("#board")
    deals = situation("two-clubs").deals().sample(3, seed=7)
    assert own_hand(page) == str(deals[0]["S"])
    page.get_by_role("link", name="Next board").click()
    page.wait_for_selector("#board:has-text('Board 2 of 3')")
    assert own_hand(page) == str(deals[1]["S"])
    page.keyboard.press("2")
    page.get_by_text("The exact odds").click()
    assert page.get_by_text("On this board:").is_visible()
    page.keyboard.press("3")
    assert page.locator("figure.board").is_visible()
    assert violations(page) == []
    picture(page, "practice-revealed-phone-light")
    partner = open_page(PHONE, "dark")
    partner.goto(page.url.replace("seat=S", "seat=N"))
    assert own_hand(partner) == str(deals[1]["N"])
    partner.keyboard.press("ArrowRight")
    partner.wait_for_selector("#board:has-text('Board 3 of 3')")
    assert own_hand(partner) == str(deals[2]["N"])
    with partner.expect_download() as download:
        partner.get_by_role("link", name="LIN BBO").click()
    assert download.value.suggested_filename == "practice-7.lin"
