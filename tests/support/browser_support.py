"""A real browser on the real server: Chromium of the system, which Playwright drives.

The fixtures are those of `tests/web/browser/conftest.py`. A `Watch` collects what a page does, and
its `problems` are the reasons for which a test fails: errors on the console, exceptions, requests
without an answer, and requests to another host than the site.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import (
        Browser,
        BrowserContext,
        ConsoleMessage,
        Page,
        Request,
        Response,
    )

PHONE, DESKTOP = (390, 844), (1280, 900)
SCHEMES = ("light", "dark")

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # requests elsewhere fail at once
)
_TIMEOUT = 20_000
"""The milliseconds until an action or an expectation fails: machines that test are busy."""


def chromium_path() -> str | None:
    """Return the path of a Chromium on this machine, or None."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


@contextmanager
def launched(path: str) -> Iterator[Browser]:
    """Start a Chromium with a folder of its own, and end it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_SWITCHES)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def served(*options: str) -> Iterator[str]:
    """Run `pavcodec serve` at a free port with some options; give its address without a slash."""
    command = [sys.executable, "-m", "pavcodec", "serve", "--port", "0", "--rate", "0", "--json"]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        assert line, "the server did not start"
        try:
            yield json.loads(line)["address"].rstrip("/")
        finally:
            server.terminate()
            server.wait(20)


class Watch:
    """What the pages of a context do: messages, exceptions, requests, answers."""

    def __init__(self, context: BrowserContext, site: str) -> None:
        self._place = urlsplit(site).netloc
        self.console: list[str] = []
        self.exceptions: list[str] = []
        self.requests: list[str] = []
        self.failed: list[str] = []
        context.on("console", self._message)
        context.on("weberror", lambda error: self.exceptions.append(str(error.error)))
        context.on("request", lambda request: self.requests.append(request.url))
        context.on("requestfailed", self._failure)
        context.on("response", self._response)

    def _message(self, message: ConsoleMessage) -> None:
        # of an answer with a status of an error `_response` decides
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.console.append(message.text)

    def _failure(self, request: Request) -> None:
        # a page that becomes a download, and a question that a newer one replaces, are aborted
        if request.failure != "net::ERR_ABORTED":
            self.failed.append(f"{request.url}: {request.failure}")

    def _response(self, response: Response) -> None:
        is_page = response.request.is_navigation_request()  # with a problem a page has status 422
        is_typed = response.url.endswith("/identify")  # which may be no deal yet
        if response.status >= (500 if is_page or is_typed else 400):
            self.failed.append(f"{response.url}: status {response.status}")

    @property
    def elsewhere(self) -> list[str]:
        """The requests to other hosts than the site."""
        own = {"data", "blob", "about"}
        parts = [(url, urlsplit(url)) for url in self.requests]
        return [url for url, part in parts if part.scheme not in own and part.netloc != self._place]

    def forget(self) -> None:
        """Begin anew."""
        for seen in (self.console, self.exceptions, self.requests, self.failed):
            seen.clear()

    @property
    def problems(self) -> list[str]:
        """Return what should not have happened, in words."""
        return [
            *(f"console: {text}" for text in self.console),
            *(f"exception: {text}" for text in self.exceptions),
            *(f"failed: {text}" for text in self.failed),
            *(f"elsewhere: {text}" for text in self.elsewhere),
        ]


def new_context(
    browser: Browser, site: str, size: tuple[int, int] = DESKTOP, scheme: str = "light"
) -> tuple[BrowserContext, Watch]:
    """Return a fresh profile of a browser, whose relative addresses are those of the site."""
    context = browser.new_context(
        base_url=site,
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        has_touch=size == PHONE,
        reduced_motion="reduce",
        locale="en-GB",
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.set_default_timeout(_TIMEOUT)
    return context, Watch(context, site)


def violations(page: Page) -> list[str]:
    """Return what axe finds on a page by all rules but experimental ones, with the elements."""
    from axe_playwright_python.base import AXE_SCRIPT

    if page.evaluate("!window.axe"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    return [
        f"{rule['id']}: {rule['help']}: {node['html'][:200]} ({node['failureSummary']})"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
