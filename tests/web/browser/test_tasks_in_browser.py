"""Deal, Odds, Files and Practice in a browser: typing, completion, files, keys, no scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from browser_support import PHONE, violations

from pavcodec.practice import situation
from pavcodec.web.tasks.files.converting import EXAMPLE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from .conftest import OpenPage

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = pytest.mark.slow

NUMBER = "2,610,137,721,058,114,653,884,217,600 deals"


def boards(page: Page) -> list[str]:
    return [each.get_attribute("data-pbn") or "" for each in page.locator("figure.board").all()]


def test_from_a_wrong_letter_to_a_file(browser_page: Page, open_page: OpenPage) -> None:
    page = browser_page
    page.goto("/deal")
    field = page.get_by_label("Condition or script")
    field.fill("hcp(suoth) >= 15")
    problem = page.locator("#diagnosis .problem")
    expect(problem).to_contain_text("did you mean 'south'?")
    expect(problem.locator("mark")).to_have_text("suoth")
    expect(field).to_have_attribute("aria-invalid", "true")

    page.get_by_label("Search").fill("strong notrump")
    expect(page.locator(".situations li:visible")).to_have_count(1)
    page.get_by_role("link", name="Strong notrump").click()
    expect(field).to_have_value(re.compile(r"^shape\(south"))
    expect(page.locator("#number .figure")).to_have_text(NUMBER)
    expect(problem).to_have_count(0)

    page.get_by_label("Boards", exact=True).fill("3")
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(page.get_by_role("heading", name="Boards 1 to 3")).to_be_focused()
    expect(page.locator("#number .figure")).to_have_text(NUMBER)
    found = boards(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="PBN").click()
    assert download.value.path().read_bytes().count(b"[Deal ") == 3
    fresh = open_page()
    fresh.goto(page.locator("pre[aria-label='Address']").inner_text())
    assert boards(fresh) == found


def test_letters_typed_while_a_list_is_open_belong_to_the_word(browser_page: Page) -> None:
    page = browser_page
    page.goto("/deal")
    field = page.get_by_label("Condition or script")
    option = page.get_by_role("listbox", name="Completions").get_by_text("spades(", exact=True)
    field.press_sequentially("s")
    expect(option).to_be_visible()
    page.route("**/api/v1/complete", lambda _: None)  # no answer comes: the list stays
    field.press_sequentially("pa")
    option.click()
    expect(field).to_have_value("spades(")


def test_a_function_is_completed_by_keyboard(browser_page: Page) -> None:
    page = browser_page
    page.goto("/deal")
    field = page.get_by_label("Condition or script")
    options = page.get_by_role("listbox", name="Completions").get_by_role("option")
    field.press_sequentially("spa")
    expect(options.first).to_contain_text("the number of spades")
    field.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    identity = options.first.get_attribute("id") or ""
    expect(field).to_have_attribute("aria-activedescendant", identity)
    field.press("Enter")
    expect(field).to_have_value("spades(")
    expect(options).to_have_text([re.compile(seat) for seat in ("north", "east", "south", "west")])
    field.press("ArrowUp")
    field.press("Enter")
    expect(field).to_have_value("spades(west")
    field.press_sequentially(") >= 9")
    expect(page.locator("#number .figure")).to_have_text(re.compile(r"deals$"))
    field.press("Control+ ")
    expect(options.first).to_contain_text("&&")
    field.press("Escape")
    expect(options).to_have_count(0)
    expect(field).to_be_focused()
    field.press("Tab")
    expect(field).not_to_be_focused()


def test_a_part_from_points_and_a_mix_with_a_slider(browser_page: Page) -> None:
    page = browser_page
    page.goto("/deal")
    page.get_by_text("Make a condition from points and lengths").click()
    points = page.locator(".ends", has_text="Points")
    points.get_by_label("from").fill("15")
    points.get_by_label("to").fill("17")
    page.get_by_role("button", name="Add to the condition").click()
    field = page.get_by_label("Condition or script")
    expect(field).to_have_value("hcp(south) >= 15 && hcp(south) <= 17")

    page.get_by_text("Several types of deals").click()
    rows = page.locator("[data-type]")
    rows.nth(0).get_by_label("Condition of the type").fill("spades(south) >= 5")
    rows.nth(1).get_by_label("Condition of the type").fill("hearts(south) >= 5")
    rows.nth(0).get_by_role("slider").fill("30")
    rows.nth(1).get_by_role("slider").fill("10")
    expect(rows.nth(0).locator("output")).to_have_text("75 %")
    expect(page.locator("#number table")).to_contain_text("3/4")
    page.get_by_role("button", name="Add a type").click()
    expect(rows).to_have_count(4)


BROKEN = (
    EXAMPLE + b'\n[Board "2"]\n[Deal "N:AKQ2.J54.KT3.98Y 87.AQT6.9842.KJ4 J654.K93.QJ7.AT5 -"]\n'
)
DROP = """([area, name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  document.dispatchEvent(new DragEvent("dragover", {dataTransfer: data, bubbles: true}));
  document.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
}"""


def test_drop_convert_and_print(open_page: OpenPage) -> None:
    page = open_page(PHONE, "dark")
    page.goto("/files")
    page.evaluate(DROP, ["[data-drop]", "heat.pbn", BROKEN.decode()])
    page.wait_for_selector("#answer")
    assert page.locator("#found").inner_text() == "2 boards"
    assert page.locator(".problems mark").inner_text() == "Y"
    assert "line 8" in page.locator(".problems").inner_text()
    page.select_option("#to", "lin")
    for button, name, begin in (
        ("Save the file", "heat.lin", b"vg|"),
        ("Save the pages", "heat.pdf", b"%PDF"),
    ):
        with page.expect_download() as download:
            page.get_by_role("button", name=button, exact=True).click()
        assert download.value.suggested_filename == name
        assert download.value.path().read_bytes().startswith(begin)


def own_hand(page: Page) -> str:
    """Return the hand that the page shows."""
    return ".".join(page.locator(".own .ranks").all_inner_texts()).replace("–", "")


def test_two_partners_on_two_phones(open_page: OpenPage) -> None:
    page = open_page(PHONE)
    page.goto("/practice")
    page.get_by_label("Strong two clubs", exact=True).focus()
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
    partner = open_page(PHONE, "dark")
    partner.goto(page.url.replace("seat=S", "seat=N"))
    assert own_hand(partner) == str(deals[1]["N"])
    partner.keyboard.press("ArrowRight")
    partner.wait_for_selector("#board:has-text('Board 3 of 3')")
    assert own_hand(partner) == str(deals[2]["N"])


def test_forms_without_scripts(chromium: Browser, site: str) -> None:
    context = chromium.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/deal")
    page.get_by_label("Condition or script").fill("hcp(suoth) >= 15")
    page.get_by_role("button", name="Deal", exact=True).click()
    assert page.locator("#condition-problem mark").inner_text() == "suoth"
    page.get_by_label("Condition or script").fill("hcp(south) >= 25")
    page.get_by_label("Boards", exact=True).fill("2")
    page.get_by_role("button", name="Deal", exact=True).click()
    assert len(boards(page)) == 2
    assert page.locator("#number .figure").inner_text().endswith(" deals")
    page.goto("/ending")
    page.get_by_role("link", name="The same with a spade for a club").click()
    expect(page.locator("table.tricks tbody tr")).to_have_count(13)
    expect(page.locator("#steps")).to_be_hidden()
    page.goto("/files")
    page.set_input_files("#file", {"name": "a.pbn", "mimeType": "text/plain", "buffer": EXAMPLE})
    page.get_by_role("button", name="Open", exact=True).click()
    assert len(boards(page)) == 1
    context.close()
