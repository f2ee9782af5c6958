"""Pages as PDF: how many there are, what is on them, their sizes of letters, and their tags."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from packages import needs
from printing_support import NASTY, odd_boards, pages_of, some_boards

from pavcodec import Board, PavError
from pavcodec.printing import pages as pdf
from pavcodec.printing.document import (
    Document,
    Hands,
    Notes,
    Part,
    Records,
    Table,
)
from pavcodec.printing.pages import pdf_document

needs("typst")
pypdf = pytest.importorskip("pypdf")

SMALLEST = 6.5
BOARDS = tuple(some_boards(37))
SEED = "pavcodec 1.0.0 seed=129387465192873645198273645"


def document(*parts: Part, **more: Any) -> Document:
    facts = {"lines": ("Riverside Club", "24 November 2026"), "footer": SEED, "code": SEED}
    return Document(**({"title": "Tuesday", "parts": parts} | facts | more))


def reader(of: Document) -> Any:
    return pypdf.PdfReader(io.BytesIO(pdf_document(of)))


def text_and_sizes(page: Any) -> tuple[str, set[float]]:
    """Return the text of a page, and the heights of its letters in points."""
    found = set()

    def visit(text: str, cm: list[float], tm: list[float], _: object, size: float) -> None:
        if text.strip():
            found.add(round(size * abs(tm[3]) * abs(cm[3]), 2))

    return page.extract_text(visitor_text=visit), found


def assert_boards(texts: list[str], boards: Sequence[Board], pages: int) -> None:
    """Assert that pages have all facts of their boards."""
    assert len(texts) == pages
    whole = "\n".join(texts)
    assert [int(n) for n in re.findall(r"Board (\d+)", whole)] == [board.number for board in boards]
    assert whole.count("Par") == len(boards)
    for number, text in enumerate(texts, 1):
        for words in (f"Page {number} of {pages}", SEED, "Tuesday", "Riverside Club"):
            assert words in text
    for board in boards:
        assert board.layout is not None
        for hand in board.layout:
            for ranks in hand.to_pbn().split("."):
                assert ranks in whole


@pytest.mark.slow
def test_boards_fill_their_pages_and_no_letter_is_too_small() -> None:
    """Also with the largest QR code, which takes room from the boards."""
    assert_boards(pages_of(document(Records(BOARDS[:24]), paper="a4")), BOARDS[:24], 1)
    found = reader(document(Records(BOARDS), paper="letter", code="x" * 250))
    texts, sizes = zip(*map(text_and_sizes, found.pages), strict=True)
    assert_boards([*texts], BOARDS, 2)
    assert min(map(min, sizes)) >= SMALLEST
    large = reader(document(Records(BOARDS[:9], layout="large")))
    assert len(large.pages) == 3
    _, found_sizes = text_and_sizes(large.pages[0])
    assert {size for size in found_sizes if size < 12} <= {7.5, 9.5}  # the footer and the date
    assert max(found_sizes) >= 18


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "pages"),
    [
        (Records(BOARDS[:3], layout="single"), 3),
        (Hands(BOARDS[:12]), 2),
        (Hands(BOARDS[:12], layout="slips"), 4),
        (Hands(BOARDS[:8], layout="rows", per_page=2), 2),
    ],
    ids=["single", "curtain", "slips", "rows"],
)
def test_the_pages_of_each_layout(part: Part, pages: int) -> None:
    texts = pages_of(document(part))
    assert [("Tuesday" in text) for text in texts] == [True] * pages


@pytest.mark.slow
def test_what_players_do_not_know_is_not_there() -> None:
    (text,) = pages_of(document(Records(BOARDS[:24], solutions=False)))
    assert ("Par" in text, "NT" in text, text.count("Dealer")) == (False, False, 24)
    north, *_ = pages_of(document(Hands(BOARDS[:3], layout="rows"), footer="", code=""))
    for board in BOARDS[:3]:
        assert board.layout is not None
        suits = [hand.to_pbn().split(".") for hand in board.layout]
        assert all(ranks in north for ranks in suits[0])
        assert not all(ranks in north for ranks in suits[1])
    assert "seed" not in north


@pytest.mark.slow
def test_odd_boards_and_texts_are_printed() -> None:
    boards = tuple(odd_boards())
    layouts: tuple[Any, ...] = ("records", "large", "single")
    parts = (
        *(Records(boards, layout=layout) for layout in layouts),
        Records(BOARDS[:2], notes=((f"Key: {NASTY}",), ()), heading=NASTY),
        Hands(boards),
        Hands(boards, layout="rows", points=True),
        Table(("Seat", "HCP"), (("North", "12"), (NASTY, "8")), caption="Points"),
        Notes((NASTY, "f" * 64, "\U0001f0a1 \ue000 東京"), fixed=True, heading="Hash"),
    )
    whole = "\n".join(pages_of(document(*parts, title=NASTY * 3, lines=(NASTY, NASTY))))
    words = ("AKQJT98765432", "No cards", "f" * 64, "Points", "Seat", "HCP", "Hash", "Key")
    assert [word for word in words if word not in whole] == []
    assert whole.count("#1 $5 @home") >= 9


def test_an_empty_document_is_a_page() -> None:
    assert len(pages_of(Document("", ()))) == 1
    assert len(pages_of(document(Records(()), Hands(())))) >= 1


def marks(node: Any) -> Iterator[tuple[str, str]]:
    """Yield the tags of a PDF file in the order of reading, with the text of each picture."""
    node = node.get_object()
    if isinstance(node, list):
        for each in node:
            yield from marks(each)
    elif isinstance(node, dict):
        if "/S" in node:
            yield str(node["/S"]), str(node.get("/Alt", ""))
        if "/K" in node:
            yield from marks(node["/K"])


def test_a_screen_reader_finds_headings_hands_and_heads_of_columns() -> None:
    found = reader(document(Records(BOARDS[:2])))
    root = found.trailer["/Root"]
    assert (root["/Lang"], found.metadata.title) == ("en", "Tuesday")
    assert b"pdfuaid" in root["/Metadata"].get_data()  # PDF/UA-1, which the typesetter checks
    read = [
        (tag, words) for tag, words in marks(root["/StructTreeRoot"]["/K"])
        if tag in ("/H1", "/H2", "/Figure", "/Table", "/TH")
    ]  # fmt: skip
    board = ["/H2", *["/Figure"] * 5, "/Table", *["/TH"] * 6]
    assert [tag for tag, _ in read] == ["/H1", *board, *board]
    told = [words.partition(":")[0] for _, words in read if words]
    assert told[:5] == ["North", "West", "East", "High-card points", "South"]
    first = next(words for _, words in read if words)
    assert first.startswith("North: spades J 5, hearts K Q 8 2, ")


def test_every_part_is_accessible_and_has_the_same_bytes_each_time() -> None:
    parts = (
        Hands(BOARDS[:2]), Hands(BOARDS[:2], layout="slips"), Hands(BOARDS[:2], layout="rows"),
        Notes(("x",)), Table(("a", "b"), (("1", "2"),)),
        Records((Board(None), *BOARDS[:1]), heading="Part", notes=(("a",), ("b",))),
    )  # fmt: skip
    once = pdf_document(document(*parts))
    root = pypdf.PdfReader(io.BytesIO(once)).trailer["/Root"]
    assert b"pdfuaid" in root["/Metadata"].get_data()
    assert pdf_document(document(*parts)) == once
    assert b"CreationDate" not in once


def test_too_many_boards_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "MOST_BOARDS", 3)
    parts = (Records(BOARDS[:2]), Hands(BOARDS[:2]))
    with pytest.raises(PavError, match="at most 3 boards: write HTML, or several files"):
        pdf_document(document(*parts))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX copies processes")
def test_a_copy_of_a_process_that_made_a_pdf_refuses() -> None:
    """The copy has no threads of typst, and would wait for them for ever."""
    script = """\
import os
from pavcodec.printing.document import Document, Notes
from pavcodec.printing.pages import pdf_document
document = Document("x", (Notes(("a",)),))
assert pdf_document(document) == pdf_document(document)
if not os.fork():
    try:
        pdf_document(document)
    except ValueError as error:
        print(error)
else:
    os.wait()
"""
    found = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True, timeout=60
    )
    assert "a copy (fork) of a process" in found.stdout, found.stderr
