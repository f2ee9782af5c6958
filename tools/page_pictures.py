"""Take the pictures of the pages in the browser, for docs/web: each page, light and dark.

python tools/page_pictures.py
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from browser_support import (  # noqa: E402
    DESKTOP,
    SCHEMES,
    chromium_path,
    launched,
    new_context,
    served,
)

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Page

FOLDER = ROOT / "docs" / "web" / "pictures"
SIZE = (1000, 1150)
COLOURS = 96
MARGIN, SIDE = 16, 96
"""The space above and below a picture of the tutorial, and what it leaves out at each side."""

NOTRUMP = "shape(south, any 4333 + any 4432 + any 5332) && hcp(south) >= 15 && hcp(south) <= 17"
PAGES = {
    "home": ("/", {"day": "2026-11-23"}),
    "deal": ("/deal", {"condition": NOTRUMP, "n": "6", "seed": "7"}),
    "odds": ("/odds", {"event": "hcp(north)", "south": "AKQ2.K85.AJ4.T63"}),
    "number": ("/number", {"text": "12345678901234567890123456789"}),
    "ending": ("/ending", {"text": "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"}),
    "files": ("/files", {}),
    "tournament": ("/tournament", {}),
    "practice": ("/practice", {"situation": "stayman", "seed": "7"}),
}
"""The address of each page, and the question in it."""


def open_file(page: Page) -> None:
    """Open the boards of the tour on the page Files."""
    with page.expect_navigation():
        page.locator("input[type=file]").first.set_input_files(
            str(files("pavcodec") / "data" / "demo.pbn")
        )


ACTS: dict[str, Callable[[Page], None]] = {"files": open_file}


def take(page: Page, name: str, scheme: str) -> None:
    """Write the picture of the page that is open."""
    page.wait_for_load_state("networkidle")
    page.evaluate("scrollTo(0, 0); document.activeElement?.blur?.()")
    path = FOLDER / f"{name}-{scheme}.png"
    page.screenshot(path=path, animations="disabled")
    make_small(path)
    print(path.relative_to(ROOT), path.stat().st_size)


def make_small(path: Path) -> None:
    """Write a picture again, with few colours."""
    from PIL import Image

    with Image.open(path) as image:
        few = image.convert("RGB").quantize(  # the median cut has no red for a few hearts
            COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
        )
        few.save(path, optimize=True)


def tutorial_picture(page: Page, path: Path, parts: Sequence[str]) -> None:
    """Write a picture of a page from the first to the last of some elements, by their selectors."""
    page.evaluate("document.activeElement?.blur?.()")
    page.mouse.move(0, 0)
    boxes = [page.locator(part).first.bounding_box() for part in parts]
    edges = [box for box in boxes if box is not None]
    top = min(box["y"] for box in edges) - MARGIN
    bottom = max(box["y"] + box["height"] for box in edges) + MARGIN
    width = DESKTOP[0] - 2 * SIDE
    clip: FloatRect = {"x": SIDE, "y": top, "width": width, "height": bottom - top}
    page.screenshot(path=path, full_page=True, clip=clip, animations="disabled")
    make_small(path)


def main() -> None:
    """Take all pictures."""
    from urllib.parse import urlencode

    found = chromium_path()
    if found is None:
        sys.exit("there is no Chromium here: apt-get install chromium")
    with served() as site, launched(found) as browser:
        for scheme in SCHEMES:
            context, watch = new_context(browser, site, SIZE, scheme)
            page = context.new_page()
            for name, (address, question) in PAGES.items():
                page.goto(f"{address}?{urlencode(question)}" if question else address)
                if name in ACTS:
                    ACTS[name](page)
                take(page, name, scheme)
            context.close()
            if watch.problems:
                sys.exit("\n".join(watch.problems))


if __name__ == "__main__":
    main()
