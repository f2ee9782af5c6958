"""The watch over pages sees what no page should do, and the event loop ends with the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from browser_support import new_context, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("<img src='http://other.invalid/a.png'>", "elsewhere: http://other.invalid/a.png"),
        ("<script>console.error('wrong')</script>", "console: wrong"),
        ("<script>throw new Error('thrown')</script>", "exception: thrown"),
        ("<script src='/static/missing.js'></script>", "/static/missing.js: status 404"),
    ],
)
def test_the_watch_sees(chromium: Browser, site: str, body: str, reason: str) -> None:
    context, watch = new_context(chromium, site)
    page = context.new_page()
    page.route("**/bad", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto("/bad")
    context.close()
    assert any(reason in problem for problem in watch.problems), watch.problems
    watch.forget()
    assert watch.problems == []


def test_a_quiet_page_has_no_problems(chromium: Browser, site: str) -> None:
    context, watch = new_context(chromium, site)
    context.new_page().goto("/number?number=5")
    context.close()
    assert watch.problems == []
    assert any(url.startswith(site) and url.endswith("/pavcodec.css") for url in watch.requests)


def test_axe_sees_a_field_without_a_label(kept_page: Page) -> None:
    kept_page.goto("/number")
    assert violations(kept_page) == []
    kept_page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    assert "label" in "".join(violations(kept_page))


def test_axe_runs_under_a_strict_policy(browser_page: Page) -> None:
    policy = {"Content-Security-Policy": "default-src 'none'; script-src 'self'"}
    browser_page.route(
        "**/strict",
        lambda route: route.fulfill(
            body="<input>", content_type="text/html; charset=utf-8", headers=policy
        ),
    )
    browser_page.goto("/strict")
    assert "label" in "".join(violations(browser_page))
