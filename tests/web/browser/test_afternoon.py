"""A club's afternoon in the browser: a set made, printed, put on a dealing machine, verified.

The tutorial in `docs/web/index.md` tells the same afternoon. The test fails if the tutorial names
something in bold that no page shows, or shows a picture that this test does not take. It writes the
pictures of the tutorial with

    PAVCODEC_TUTORIAL=docs/web/pictures pytest -n0 -m slow tests/web/browser/test_afternoon.py
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from browser_support import DESKTOP, PHONE, violations
from page_pictures import tutorial_picture
from pypdf import PdfReader

import pavcodec as pav

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from .conftest import OpenPage

pytestmark = pytest.mark.slow

TUTORIAL = Path(__file__).parents[3] / "docs/web/index.md"
FOLDER = os.environ.get("PAVCODEC_TUTORIAL") and Path(os.environ["PAVCODEC_TUTORIAL"]).resolve()
"""The folder of the pictures, if they are to be written."""
MOST_BYTES = 80_000

TITLE, CLUB, BOARDS = "Tuesday pairs", "Bridge Club Delft", 24
VALUE = "24310.67"

Taken = dict[str, str]
"""The texts of the page at each picture."""


def take(page: Page, taken: Taken, name: str, *parts: str) -> None:
    """Keep the text of a page under the name of a picture.

    The picture shows the page from its title to the last of `parts`, the selectors of elements.
    """
    labels = page.locator("main").evaluate(
        "main => [...main.querySelectorAll('label, summary')].map(e => e.textContent).join(' ')"
    )
    taken[name] = f"{page.locator('main').inner_text()}\n{labels}"
    if FOLDER:
        tutorial_picture(page, Path(FOLDER, f"{name}.png"), ("h1", *parts))


def save(page: Page, click: Callable[[], object], folder: Path) -> Path:
    """Return the path of the file that a click saves."""
    with page.expect_download() as expected:
        click()
    path = folder / expected.value.suggested_filename
    expected.value.save_as(path)
    return path


def button(page: Page, name: str) -> Callable[[], object]:
    return page.get_by_role("button", name=name).click


def text_of(path: Path) -> str:
    """Return the text of a PDF in one line."""
    return " ".join(" ".join(page.extract_text() for page in PdfReader(path).pages).split())


def make(page: Page, taken: Taken, folder: Path) -> tuple[Path, str]:
    """Make the set; return its zip file and the fingerprint."""
    page.goto("/tournament")
    take(page, taken, "1-start", "#random ~ form", ".steps")
    page.get_by_role("link", name="Make a set").click()
    page.get_by_label("Name of the event").fill(TITLE)
    page.get_by_label("Club or place").fill(CLUB)
    assert page.get_by_label("Boards", exact=True).input_value() == str(BOARDS)
    page.get_by_role("button", name="DAX").click()
    take(page, taken, "2-make", "form.question")
    button(page, "Make the set")()
    zip_file = save(page, page.get_by_role("link", name="Save all files").click, folder)
    notice = save(page, page.get_by_role("link", name="the notice to print").click, folder)
    fingerprint = page.locator(".hash").inner_text()
    assert fingerprint in text_of(notice).replace(" ", "")
    assert violations(page) == []
    take(page, taken, "3-files", "#keep ~ p >> nth=-1", ".answer .columns")
    return zip_file, fingerprint


def deal(page: Page, taken: Taken, folder: Path, zip_file: Path) -> tuple[Path, Path]:
    """Deal the set; return the file of the machine and the zip file of everything."""
    page.goto("/tournament/deal")
    page.get_by_label("Files of the set").set_input_files(zip_file)
    page.get_by_label("The value").fill(VALUE)
    take(page, taken, "4-value", "form.question")
    button(page, "Deal")()
    page.get_by_role("heading", name=f"{TITLE} is dealt").wait_for()
    assert page.locator(".board").count() == 0
    take(page, taken, "5-dealt", ".answer .columns", "#look ~ form")
    machine = save(page, page.locator("button[value=dup]").click, folder)
    records = save(page, button(page, "Hand records"), folder)
    everything = save(page, button(page, "Everything"), folder)
    assert f"Board {BOARDS}" in text_of(records)
    button(page, "Show the boards")()
    page.locator(".board").first.wait_for()
    assert page.locator(".board").count() == BOARDS
    assert violations(page) == []
    return machine, everything


def verify(page: Page, taken: Taken, files: list[Path], fingerprint: str, name: str) -> None:
    """Verify boards as a player who has only the published files and the notice."""
    page.goto("/tournament/verify")
    page.get_by_label("Description, keys and boards").set_input_files(files)
    page.get_by_label("Fingerprint that you kept").fill(fingerprint)
    button(page, "Verify")()
    page.locator(".verdict").wait_for()
    assert violations(page) == []
    take(page, taken, name, ".answer .columns")


def test_an_afternoon(open_page: OpenPage, tmp_path: Path) -> None:
    taken: Taken = {}
    director = open_page()
    zip_file, fingerprint = make(director, taken, tmp_path)
    machine, everything = deal(director, taken, tmp_path, zip_file)

    published = unpack(everything, tmp_path / "published")
    files = [published / f"{machine.stem}{suffix}" for suffix in (".sqd", ".sqk", ".pbn")]
    player = open_page(DESKTOP if FOLDER else PHONE)
    verify(player, taken, files, fingerprint, "6-verified")
    assert f"All {BOARDS} boards are those that the published keys make." in taken["6-verified"]
    assert "The keys have the fingerprint that you kept." in taken["6-verified"]

    exchange(files[2], 7, 8)
    verify(player, taken, files, fingerprint, "7-changed")
    assert f"{BOARDS - 2} of {BOARDS} boards are those" in taken["7-changed"]
    rows = player.locator("main tbody tr").all_inner_texts()
    assert [row.split("\t")[:2] for row in rows] == [
        ["7", "this is the deal of board 8"],
        ["8", "this is the deal of board 7"],
    ]

    check_tutorial(taken)


def unpack(path: Path, folder: Path) -> Path:
    with ZipFile(path) as archive:
        archive.extractall(folder)
    return folder


def exchange(path: Path, first: int, second: int) -> None:
    """Exchange the cards of two boards of a PBN file."""
    boards = {board.number or 0: board for board in pav.read(path)}
    cards = {first: boards[second].layout, second: boards[first].layout}
    pav.write(
        [
            pav.Board.make(cards.get(number, board.layout), number=number)
            for number, board in boards.items()
        ],
        path,
    )


def check_tutorial(taken: Taken) -> None:
    """Compare the tutorial with what the pages show, and its pictures with those of this test."""
    text = TUTORIAL.read_text(encoding="utf-8").partition("## A club's afternoon\n")[2]
    pictures = re.findall(r"!\[[^]]+\]\(pictures/([^)]+)\.png\)", text)
    assert pictures == sorted(taken)
    shown = " ".join(" ".join(taken.values()).split()).casefold()
    names = re.findall(r"\*\*([^*]+)\*\*", text)
    assert len(names) > 15
    assert [name for name in names if " ".join(name.split()).casefold() not in shown] == []
    for name in pictures:
        path = TUTORIAL.parent / "pictures" / f"{name}.png"
        assert path.stat().st_size < MOST_BYTES, name
