"""The page Deal in a browser: typing, completion, the library, boards, files, links."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from web_commands import run_command

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

NUMBER = "2,610,137,721,058,114,653,884,217,600 deals"


def boards(page: Page) -> list[str]:
    return [each.get_attribute("data-pbn") or "" for each in page.locator("figure.board").all()]


def test_from_a_wrong_letter_to_a_file(browser_page: Page, open_page: object) -> None:
    from playwright.sync_api import expect

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
    seed = page.locator("pre[aria-label='Seed']").inner_text()

    with page.expect_download() as download:
        page.get_by_role("link", name="PBN").click()
    saved = download.value.path().read_bytes()
    command = f"pavcodec deal '{field.input_value()}' -n 3 --dealer S --seed {seed}"
    assert saved == run_command(f"{command} --to pbn")
    assert found == run_command(f"{command} --to lines").decode().splitlines()

    fresh = open_page()  # type: ignore[operator]
    fresh.goto(page.locator("pre[aria-label='Address']").inner_text())
    assert boards(fresh) == found


def test_letters_typed_while_a_list_is_open_belong_to_the_word(browser_page: Page) -> None:
    from playwright.sync_api import expect

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
    from playwright.sync_api import expect

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
    from playwright.sync_api import expect

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


def test_the_same_without_scripts(chromium: Browser, site: str) -> None:
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
    with page.expect_download() as download:
        page.get_by_role("link", name="PBN").click()
    assert download.value.path().read_bytes().count(b"[Deal ") == 2
    context.close()
