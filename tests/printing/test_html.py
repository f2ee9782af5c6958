"""Pages as HTML: well formed, readable for screen readers, and of colours with contrast."""

from __future__ import annotations

import io
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from browser_support import chromium_path, launched
from packages import needs
from pages import Page, words
from printing_support import NASTY, odd_boards, some_boards

from pavcodec.printing import html
from pavcodec.printing.document import (
    Document,
    Hands,
    Notes,
    Paper,
    Part,
    Records,
    Table,
)
from pavcodec.printing.html import html_document

BOARDS = tuple(some_boards(37))
SEED = "pavcodec 1.0.0 seed=129387465192873645198273645"
STYLE = (Path(html.__file__).with_name("pages.css")).read_text(encoding="utf-8")
PARTS: tuple[Part, ...] = (
    Records(BOARDS[:3]),
    Records(tuple(odd_boards()), layout="large", notes=((NASTY,),) * 8, heading=NASTY),
    Hands(BOARDS[:2]),
    Hands(BOARDS[:2], layout="slips", heading="Slips"),
    Hands(BOARDS[:2], layout="rows", points=True, notes=((NASTY,), ())),
    Table(("Seat", "HCP"), (("North", "12"), (NASTY, "8")), caption=NASTY, heading="Points"),
    Notes((NASTY,), fixed=True),
)


def page_of(*parts: Part, **more: Any) -> str:
    return html_document(
        Document(**({"title": "Tuesday", "parts": parts, "footer": SEED, "code": SEED} | more))
    )


def test_every_part_is_well_formed_and_needs_no_other_file() -> None:
    page = page_of(*PARTS, title=NASTY, lines=(NASTY,))
    assert words(Page(page).root).count("#1 $5 @home") == 20
    for word in ("<script", "@import", "http:", "<Prix>"):
        assert word not in page.replace("http://www.w3.org/2000/svg", "")
    assert set(re.findall(r'url\("(.{10})', page)) == {"data:image"}
    assert "%3C" in page  # the code in the margin of the paper


def test_headings_are_in_order_and_lists_and_tables_have_names() -> None:
    page = Page(page_of(*PARTS))
    assert [each.attrib for each in page.all("html")] == [{"lang": "en"}]
    levels = [int(each.tag[1]) for each in page.root.iter() if re.fullmatch("h[1-6]", each.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert {head.get("scope") for head in page.all("th")} == {"col", "row"}
    assert len(page.all("table")) == len(page.all("table/thead")) == len(page.all("table/tbody"))
    hands = [each.get("aria-label") for each in page.all("ul") if "hand" in each.get("class", "")]
    assert hands[:4] == ["North", "East", "South", "West"]
    signs = [each.get("aria-label") for each in page.all("span[@role='img']")]
    assert signs[:4] == ["spades", "hearts", "diamonds", "clubs"]


def test_a_board_is_read_in_order() -> None:
    page = Page(page_of(Records(BOARDS[:1])))
    order = ["Board", "Dealer N", "Vul None", "Makes:", "Double-dummy", "Par"]
    places = [page.text.index(word) for word in order]
    assert places == sorted(places)
    assert page.texts("th")[1:6] == ["NT", "♠", "♥", "♦", "♣"]


@pytest.mark.slow
def test_boards_are_in_sheets_of_a_page() -> None:
    for many, sheets in ((1, [1]), (24, [24]), (25, [13, 12]), (37, [19, 18])):
        page = page_of(Records(BOARDS[:many]))
        found = page.split('<div class="sheet')[1:]
        assert [sheet.count("<article") for sheet in found] == sheets
        assert page.count("<h2>") == many
    assert page_of(Records(BOARDS[:9], layout="large")).count('<div class="sheet') == 3
    assert "Par" not in Page(page_of(Records(BOARDS, solutions=False))).text


def test_a_code_is_on_the_screen_and_on_each_page() -> None:
    page = page_of(Records(BOARDS[:1]))
    assert page.count("<svg ") == 1
    assert 'counter(page) " of " counter(pages)' in page
    assert 'content: "pavcodec 1\\2e 0\\2e 0 seed\\3d 129' in page
    bare = page_of(Records(BOARDS[:1]), footer="", code="")
    assert "<footer" not in bare
    assert "<svg" not in bare
    assert "size: letter portrait" in page_of(paper="letter")


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour by the definition of WCAG 2."""
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_colours_have_contrast(place: int) -> None:
    """For light and dark screens and for paper: text 4.5 to 1, lines 3 to 1."""
    blocks = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    assert len(blocks) == 3
    colours = dict(re.findall(r"--([a-z]+): (#[0-9a-f]+);", blocks[place]))
    for ink in ("ink", "red"):
        assert contrast(colours[ink], colours["paper"]) >= 4.5
    assert contrast(colours["ink"], colours["vulnerable"]) >= 4.5
    assert contrast(colours["line"], colours["paper"]) >= 3


def test_sizes_of_letters_on_paper() -> None:
    paper = STYLE[STYLE.index("@media print {\n  body") :]
    assert min(map(float, re.findall(r"([\d.]+)pt", paper))) >= 6.5
    page = page_of(Records(BOARDS), paper="letter")
    row = float(re.findall(r"--row: ([\d.]+)mm", page)[0])
    share = float(re.findall(r"\.records \.board \{ font-size: calc\(([\d.]+)", paper)[0])
    assert row * share / 25.4 * 72 >= 7.3


PRINTED: list[tuple[Part, int, Paper]] = [
    (Records(BOARDS), 2, "letter"),
    (Records(BOARDS[:9], layout="large"), 3, "a4"),
    (Hands(BOARDS[:12]), 2, "a4"),
    (Hands(BOARDS[:12], layout="slips"), 4, "letter"),
    (Hands(BOARDS[:8], layout="rows", per_page=2), 2, "a4"),
    (Hands(BOARDS[:16], layout="rows", per_page=2), 2, "letter"),
]


@pytest.mark.slow
def test_a_browser_prints_each_layout() -> None:
    needs("playwright")
    pypdf = pytest.importorskip("pypdf")
    path = chromium_path()
    if path is None:
        pytest.skip("Chromium is not installed")
    with launched(path) as browser:
        page = browser.new_page()
        for part, pages, paper in PRINTED:
            page.set_content(page_of(part, paper=paper))
            data = page.pdf(prefer_css_page_size=True, print_background=True)
            texts = [each.extract_text() for each in pypdf.PdfReader(io.BytesIO(data)).pages]
            found = [re.findall(r"Page \d+ of \d+", text) for text in texts]
            assert found == [[f"Page {n + 1} of {pages}"] for n in range(pages)], part
            if part == Records(BOARDS):
                assert "\n".join(texts).count("Par ") == len(BOARDS)
