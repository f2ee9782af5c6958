"""Every page, empty, with an answer and with a problem, on a phone and a desktop, light and dark.

It loads without a word on the console and without a request to another host, axe finds nothing,
nothing is wider than the phone, and the keyboard reaches the main button.
"""

from __future__ import annotations

from importlib.resources import files
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import pytest
from browser_support import DESKTOP, PHONE, SCHEMES, violations

from pavcodec.web.pages.page import PAGES

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.slow


class Case(NamedTuple):
    """The address of a page, the status of its answer, and what the reader does there."""

    address: str
    status: int = 200
    act: Callable[[Page], object] = lambda page: page


def _open_all(page: Page) -> None:
    page.evaluate("document.querySelectorAll('main details').forEach((each) => (each.open = true))")


def _open_file(page: Page) -> None:
    boards = (files("pavcodec") / "data" / "demo.pbn").read_bytes().split(b"\r\n\r\n")[:4]
    with page.expect_navigation():  # a chosen file is opened at once
        page.locator("input[type=file]").first.set_input_files(
            {"name": "club.pbn", "mimeType": "text/plain", "buffer": b"\r\n\r\n".join(boards)}
        )


CASES = {
    "home-answer": Case("/"),
    "home-problem": Case("/?day=soon", 422),
    "none": Case("/nothing", 404),
    "manual": Case("/manual"),
    "programs-odds": Case("/programs/odds"),
    "deal": Case("/deal", act=_open_all),
    "deal-mix-answer": Case(
        "/deal?name=strong&type=hcp(south)>20&weight=30&type=1&weight=70&seed=7"
    ),
    "odds": Case("/odds", act=_open_all),
    "odds-pair-answer": Case("/odds?event=spades(north)&second=hearts(north)&given=hcp(north)>=12"),
    "number": Case("/number", act=_open_all),
    "number-answer": Case("/number?text=12345678901234567890123456789"),
    "number-hands-problem": Case("/number?north=A2.K.Q10.J&south=AKx", 422),
    "ending-answer": Case("/ending?text=N:AT.A.A.+K.K.K.K+Q.Q.Q.Q+J.J.J.J"),
    "files-answer": Case("/files", act=_open_file),
    "tournament": Case("/tournament", act=_open_all),
    "tournament-make": Case("/tournament/make", act=_open_all),
    "practice": Case("/practice", act=_open_all),
    "practice-answer": Case("/practice?situation=stayman&n=4&seed=7", act=_open_all),
}

LOOKS = tuple(product((PHONE, DESKTOP), SCHEMES))
"""Sizes and schemes, of which each case has the next one."""
NARROW = 360
MOST_TABS = 80


@pytest.mark.parametrize("name", CASES)
def test_a_page(kept_page: Page, name: str) -> None:
    case = CASES[name]
    response = kept_page.goto(case.address)
    assert response is not None
    assert response.status == case.status
    case.act(kept_page)
    assert kept_page.locator("main [role=alert]").count() == ("problem" in name)
    assert kept_page.title().endswith(" – pavcodec")
    place = list(CASES).index(name)
    size, scheme = LOOKS[place % 4]
    kept_page.set_viewport_size({"width": size[0], "height": size[1]})
    kept_page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    assert violations(kept_page) == [], (size, scheme)
    for width in (PHONE[0], NARROW):
        kept_page.set_viewport_size({"width": width, "height": PHONE[1]})
        assert too_wide(kept_page) == []


@pytest.mark.parametrize("address", ["/", "/deal", "/number", "/files", "/practice"])
def test_the_keyboard_reaches_the_main_button(kept_page: Page, address: str) -> None:
    kept_page.goto(address)
    kept_page.keyboard.press("Tab")
    assert focused(kept_page) == "Skip to the content"
    main = kept_page.locator("main form button:visible").first.inner_text()
    for _ in range(MOST_TABS):
        kept_page.keyboard.press("Tab")
        if focused(kept_page) == main:
            return
    pytest.fail(f"{MOST_TABS} presses of Tab do not reach {main!r}")


def test_the_navigation_marks_the_page_and_axe_sees_a_field_without_a_label(
    kept_page: Page,
) -> None:
    kept_page.goto("/")
    for address, name in PAGES:
        kept_page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()
        kept_page.wait_for_url(f"**{address}")
        assert kept_page.locator("header [aria-current=page]").all_inner_texts() == [name]
    kept_page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    assert "label" in "".join(violations(kept_page))


def focused(page: Page) -> str:
    """Return the text of the element that has the focus."""
    text: str = page.evaluate("(document.activeElement?.innerText ?? '').trim()")
    return text


def too_wide(page: Page) -> list[str]:
    """Return the elements that make a page scroll sideways."""
    found: list[str] = page.evaluate(
        """() => {
          const width = document.documentElement.clientWidth;
          if (document.documentElement.scrollWidth <= width) return [];
          return [...document.querySelectorAll("body *")]
            .filter((each) => each.getBoundingClientRect().right > width + 0.5)
            .map((each) => each.outerHTML.slice(0, 120));
        }"""
    )
    return found
