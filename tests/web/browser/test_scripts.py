"""The common scripts: copies, the place of the reader, the keyboard, short addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.slow


def focused(page: Page) -> str:
    """Return the id of the element that has the focus."""
    found: str = page.evaluate("document.activeElement.id")
    return found


def test_a_copy_is_the_whole_text(browser_page: Page) -> None:
    browser_page.goto("/?day=2026-11-23")
    browser_page.get_by_text("The same by command and in Python").click()
    for code in browser_page.locator("main .code").all():
        code.get_by_role("button", name="Copy").click()
        code.get_by_role("button", name="Copied").wait_for()
        copied = browser_page.evaluate("navigator.clipboard.readText()")
        assert copied == code.locator("code").text_content()


def test_the_reader_arrives_at_the_answer_or_at_the_wrong_field(browser_page: Page) -> None:
    browser_page.goto("/odds")
    browser_page.locator("#event").fill("spades(est) == 2")
    browser_page.locator("#event").press("Control+Enter")
    browser_page.wait_for_url("**/odds?event=spades*")
    browser_page.locator("#event[aria-invalid]").wait_for()
    assert focused(browser_page) == "event"
    browser_page.locator("#event").fill("spades(east) == 2")
    browser_page.get_by_role("button", name="Work out the odds").click()
    heading = browser_page.locator(".answer h2").first
    heading.wait_for()
    assert focused(browser_page) == heading.get_attribute("id")


def test_empty_fields_are_not_in_the_address(browser_page: Page) -> None:
    browser_page.goto("/odds")
    browser_page.locator("#event").fill("hcp(north) >= 20")
    browser_page.get_by_role("button", name="Work out the odds").click()
    browser_page.locator(".answer h2").first.wait_for()
    assert browser_page.url.endswith("/odds?event=hcp%28north%29+%3E%3D+20")
    browser_page.go_back()
    assert browser_page.locator("[name]:disabled").count() == 0


def test_a_long_question_says_so_and_can_be_cancelled(browser_page: Page) -> None:
    """Here the answer never comes; what the server does then is tested with its processes."""
    asked: list[Route] = []
    browser_page.route("**/odds?event=*", lambda route: asked.append(route))  # noqa: PLW0108
    browser_page.goto("/odds")
    browser_page.locator("#event").fill("hcp(north) >= 20")
    browser_page.evaluate(  # Playwright itself waits for the answer
        """setTimeout(() => {
            const line = document.querySelector("p.progress:not([hidden])");
            window.said = line.innerText;
            line.querySelector("button").click();
        }, 1600)"""
    )
    browser_page.get_by_role("button", name="Work out the odds").click(no_wait_after=True)
    line = browser_page.locator("p.progress")
    browser_page.wait_for_function("window.said")
    said = browser_page.evaluate("window.said.replace(/\\s+/g, ' ')")
    assert said == "Working on the answer 1 s Cancel"
    assert line.count() == 0
    assert browser_page.locator("[aria-busy], .busy").count() == 0
    assert browser_page.url.endswith("/odds")
    assert browser_page.locator("#event").input_value() == "hcp(north) >= 20"
    assert len(asked) == 1
    browser_page.unroute("**/odds?event=*")
    browser_page.get_by_role("button", name="Work out the odds").click()
    browser_page.locator(".answer h2").first.wait_for()
    browser_page.go_back()
    assert line.count() == 0
