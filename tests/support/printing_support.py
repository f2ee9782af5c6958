"""What the tests of printed pages share: boards of all kinds, and the texts of pages."""

from __future__ import annotations

import io
import random

import pytest
from packages import needs

import pavcodec as pav
from pavcodec import Board, Deal, Layout, TrickTable
from pavcodec.printing.document import Document
from pavcodec.printing.pages import pdf_document

NASTY = """Le "Grand" <Prix> & #1 $5 @home \\o/ `x` *y* _z_ [a] {b} Ελλάς Привет Łódź שלום"""
"""A title with all that HTML, CSS and the typesetter could take for their own."""

LONG_SUITS = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


def some_boards(many: int, *, solved: bool = True) -> list[Board]:
    """Return boards with numbers and made-up tricks."""
    rnd = random.Random(3)
    found = []
    for number, deal in enumerate(pav.numbering("deal").sample(many, seed=5), 1):
        tricks = TrickTable(bytes(rnd.randint(0, 13) for _ in range(20))) if solved else None
        found.append(Board.make(deal, number=number, tricks=tricks))
    return found


def odd_boards() -> list[Board]:
    """Return boards that lack something or have too much of it."""
    layout = some_boards(1)[0].layout
    return [
        Board.make(Deal.from_pbn(LONG_SUITS), number=1, tricks=TrickTable(bytes([13] * 20))),
        Board.make(Layout.from_pbn("N:AK.Q.. - .32.4. -"), number=2),
        Board.make(None, number=3),
        Board(Layout.from_pbn("N:AK.Q.. T9.J.. .32.4. .T..A")),
        Board.make(layout, number=10**17, tags={"OptimumScore": "EW 500"}),
        Board.make(layout, tags={"Board": NASTY, "Dealer": "?", "ParContract": "x"}),
        Board(layout),
        Board(None),
    ]


def pages_of(document: Document) -> list[str]:
    """Return the texts of the pages of a document as PDF; skip the test without typst."""
    needs("typst")
    pypdf = pytest.importorskip("pypdf")
    reader = pypdf.PdfReader(io.BytesIO(pdf_document(document)))
    return [page.extract_text() for page in reader.pages]
