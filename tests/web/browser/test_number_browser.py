"""The pages Number and Ending in a browser: by mouse, by keyboard, and without scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from browser_support import PHONE

import pavcodec as pav

if TYPE_CHECKING:
    from playwright.sync_api import Page

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
    with page.expect_download() as download:
        page.get_by_role("link", name="PBN the deal with the play").click()
    (board,) = pav.read(str(download.value.path()), format="pbn")
    line = pav.legality(pav.Layout.from_pbn(ENDING)).line
    assert line is not None
    assert board.layout == line.deal


def hands_shown(page: Page) -> str:
    """Return the hands on the table of the steps in the notation of PBN."""
    hands = []
    for seat in ("north", "east", "south", "west"):
        ranks = page.locator(f"#steps .hand.{seat} .ranks").all_inner_texts()
        hands.append(".".join(each.replace("–", "") for each in ranks))
    return f"N:{' '.join(hands)}"
