"""The main task of the page Odds: fill it in, see the bars, save them; and the short forms."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.slow


def test_from_a_question_to_bars_and_a_file(browser_page: Page, tmp_path: Path) -> None:
    browser_page.goto("/odds")
    browser_page.get_by_label("What do you want to know?").fill("spades(east)")
    known = browser_page.get_by_label("What do you know of the deal?")
    known.fill("spades(north) + spades(south) == 9")
    browser_page.get_by_role("button", name="Work out the odds").click()
    heading = browser_page.get_by_role("heading", name="The values of spades(east)")
    heading.wait_for()
    assert heading.evaluate("each => each === document.activeElement")
    breaks = browser_page.get_by_role("table", name="How the cards break")
    assert breaks.get_by_role("row").nth(1).inner_text().startswith("2–2")
    with browser_page.expect_download() as saving:
        browser_page.get_by_role("link", name="CSV").click()
    saving.value.save_as(tmp_path / "odds.csv")
    text = (tmp_path / "odds.csv").read_text(encoding="utf-8")
    rows = list(csv.reader(text.splitlines()))
    assert rows[3][0] == "2"
    assert rows[3][2] == "234/575"


def test_partner_opposite_my_hand(browser_page: Page) -> None:
    browser_page.goto("/odds")
    browser_page.get_by_label("Your hand, in South").fill("AKQ2.K85.AJ4.T63")
    browser_page.get_by_label("You want to know partner’s").select_option("majors")
    browser_page.get_by_role("button", name="Show partner’s hand").click()
    browser_page.get_by_role("heading", name="The pairs of spades(north)").wait_for()
    assert browser_page.locator(".heat-map rect").count() > 50
    browser_page.get_by_text("The same as a table").click()
    assert browser_page.get_by_role("columnheader", name="all").is_visible()


def test_faults_and_completions_come_while_somebody_types(browser_page: Page) -> None:
    browser_page.goto("/odds")
    field = browser_page.get_by_label("What do you want to know?")
    field.press_sequentially("hcp(nroth) >= 3")
    browser_page.get_by_text("did you mean 'north'?").wait_for()
    assert field.get_attribute("aria-invalid") == "true"
    field.fill("")
    field.press_sequentially("spades(ea")
    browser_page.locator("[role=option]").first.wait_for()
    field.press("ArrowDown")
    field.press("Enter")
    assert field.input_value().startswith("spades(east")
    field.fill("spades(east) == 2")
    browser_page.wait_for_timeout(400)
    assert browser_page.locator("[role=option]").count() == 0
