"""The server, the browser, and pages that fail a test when they do what no page should do.

`browser_page` is a page at the size of a desktop, `open_page(PHONE, "dark")` another one, and
`kept_page` the same for a whole module. The addresses are those of the site. After the test, an
error on the console, an exception, a request without an answer or to another host fails it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest
from browser_support import DESKTOP, Watch, chromium_path, launched, new_context, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page


class OpenPage(Protocol):
    def __call__(self, size: tuple[int, int] = DESKTOP, scheme: str = "light") -> Page: ...


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The browser of this process of the tests."""
    path = chromium_path()
    if path is None:
        pytest.skip("there is no Chromium here: apt-get install chromium")
    with launched(path) as browser:
        yield browser


@pytest.fixture(scope="package")
def site() -> Iterator[str]:
    """The address of the real server, with real workers and no limit of rate."""
    with served() as address:
        yield address


@pytest.fixture
def open_page(chromium: Browser, site: str) -> Iterator[OpenPage]:
    """A function that opens pages, whose deeds the test answers for."""
    opened = []

    def open_one(size: tuple[int, int] = DESKTOP, scheme: str = "light") -> Page:
        context, watch = new_context(chromium, site, size, scheme)
        opened.append((context, watch))
        return context.new_page()

    yield open_one
    for context, _ in opened:
        context.close()
    assert [problem for _, watch in opened for problem in watch.problems] == []


@pytest.fixture
def browser_page(open_page: OpenPage) -> Page:
    """A page at the size of a desktop in the light scheme."""
    return open_page()


@pytest.fixture(scope="module")
def watched_page(chromium: Browser, site: str) -> Iterator[tuple[Page, Watch]]:
    """A page and what it does."""
    context, watch = new_context(chromium, site)
    yield context.new_page(), watch
    context.close()


@pytest.fixture
def kept_page(watched_page: tuple[Page, Watch]) -> Iterator[Page]:
    """The page of this module, at the size of a desktop in the light scheme.

    The site keeps nothing in it. A new page costs as much as its test: a process of the browser.
    """
    page, watch = watched_page
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    yield page
    page.goto("about:blank")
    problems = watch.problems
    watch.forget()
    assert problems == []
