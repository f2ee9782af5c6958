"""Number, Ending and the common scripts in a browser: by mouse and by keyboard, copies, focus."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from browser_support import PHONE

import pavcodec as pav

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from .conftest import OpenPage

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = pytest.mark.slow

NUMBER = 12345678901234567890123456789
DEAL = pav.numbering("deal")[NUMBER]
ENDING = "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"


def pbn(page: Page) -> str | None:
    return page.locator("figure.board").first.get_attribute("data-pbn")


def test_from_a_number_to_its_deal_to_a_code_and_back(browser_page: Page) -> None:
    page = browser_page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/number")
    page.get_by_label("A number, a code or a deal").fill(f"{NUMBER:,}")
    expect(page.locator(".recognised")).to_have_text(
        "This may be: deal, balanced, ending, base5, andrews, bigdeal and 5 more."
    )
    page.get_by_label("A number, a code or a deal").fill("♠AKx")
    expect(page.locator(".recognised")).to_have_text("Not yet: 'x' is no card")
    page.get_by_label("A number, a code or a deal").fill(f"{NUMBER:,}")
    page.get_by_role("button", name="Show", exact=True).click()
    assert pbn(page) == str(DEAL)
    page.get_by_text("further numberings").click()
    scheme = page.locator("li.scheme", has=page.get_by_role("heading", name="dlm", exact=True))
    scheme.get_by_role("button").click()
    expect(scheme.get_by_role("button")).to_have_text("Copied")
    code = page.evaluate("navigator.clipboard.readText()")
    assert code == pav.code("dlm").format(DEAL)
    page.get_by_label("A number, a code or a deal").fill(code)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Read as the code dlm: 26 letters")).to_be_visible()
    assert pbn(page) == str(DEAL)
    page.get_by_role("link", name="Next in deal", exact=True).click()
    assert pbn(page) == str(pav.numbering("deal")[NUMBER + 1])


def test_a_deal_clicked_together_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(PHONE, "light")
    page.goto("/number")
    page.get_by_text("Put the hands together").click()
    for seat in ("North", "East", "South"):
        page.locator(".deck .who").get_by_label(seat).check()
        for card in DEAL[seat[0]]:
            page.locator(f"[data-card={card}]").click()
    page.locator(".deck .who").get_by_label("West").check()
    page.get_by_role("button", name="Give the rest to this seat").click()
    expect(page.locator(".deck .status")).to_have_text("North 13 · East 13 · South 13 · West 13")
    page.get_by_role("button", name="Show the numbers").click()
    page.wait_for_url(re.compile("north=A.KJ93"))
    assert "deck-seat" not in page.url
    assert pbn(page) == str(DEAL)
    expect(page.get_by_text(str(NUMBER)).first).to_be_visible()
    page.goto("/number?number=5")  # long shapes make the table of facts wider than the phone
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_a_deal_put_together_by_keyboard(browser_page: Page) -> None:
    page = browser_page
    page.goto("/number")
    page.get_by_text("Put the hands together").focus()
    page.keyboard.press("Enter")
    page.locator("[data-card=SA]").focus()
    for key in ("Enter", "ArrowRight", "Enter", "e", "ArrowDown", "Enter", "w", "End", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_label("East", exact=True).last).to_have_value(".K..")
    expect(page.locator("[data-card=HK]")).to_have_accessible_name("king of hearts: East")
    page.locator("[data-card=SK]").focus()
    for key in ("n", "Enter"):
        page.keyboard.press(key)  # North gives the king back
    expect(page.locator("[data-card=SK]")).to_have_accessible_name("king of spades: in no hand")
    page.get_by_role("button", name="Show the numbers").press("Enter")
    expect(page.get_by_role("heading", name="Read as hands")).to_be_visible()
    assert pbn(page) == "N:A... .K.. - .2.."


def test_an_ending_is_stepped_through(browser_page: Page) -> None:
    page = browser_page
    page.goto("/ending")
    page.get_by_role("link", name="The same with a spade for a club").click()
    expect(page.get_by_role("heading", name="Legal: play can reach it")).to_be_visible()
    steps, status = page.locator("#steps"), page.locator(".steps-status")
    expect(status).to_contain_text("leads to trick 1")
    expect(page.get_by_role("button", name="Back", exact=False).last).to_be_visible()
    for _ in range(4):
        page.get_by_role("button", name="Next").click()
    expect(steps.locator(".played")).to_have_count(4)
    expect(status).to_contain_text("wins the trick")
    expect(steps.locator(".ranks").first).to_be_visible()
    steps.focus()
    page.keyboard.press("ArrowLeft")
    expect(steps.locator(".played")).to_have_count(3)
    page.keyboard.press("End")
    expect(status).to_contain_text("won trick 13")
    page.keyboard.press("e")
    expect(status).to_contain_text("This is the ending")
    assert hands_shown(page) == ENDING
    page.keyboard.press("PageUp")
    expect(status).to_contain_text("won trick 8")
    page.keyboard.press("Home")
    expect(steps.locator(".played")).to_have_count(0)
    page.get_by_role("button", name="Show trick 3").click()
    expect(status).to_contain_text("Trick 3")


def hands_shown(page: Page) -> str:
    """Return the hands on the table of the steps in the notation of PBN."""
    hands = []
    for seat in ("north", "east", "south", "west"):
        ranks = page.locator(f"#steps .hand.{seat} .ranks").all_inner_texts()
        hands.append(".".join(each.replace("–", "") for each in ranks))
    return f"N:{' '.join(hands)}"


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
    while not (said := browser_page.evaluate("window.said?.replace(/\\s+/g, ' ')")):
        browser_page.wait_for_timeout(50)  # `wait_for_function` evaluates texts in the page
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
