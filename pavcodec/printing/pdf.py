"""Documents as PDF, by the typesetter typst.

The template `pages.typ` reads the document as JSON. The fonts are those inside typst, so that the
pages are the same on every machine. Only texts in a script that these fonts lack, such as Chinese,
use the fonts of the system. Equal documents give equal bytes.
"""

from __future__ import annotations

import json
import os
import unicodedata
from dataclasses import asdict
from pathlib import Path

from pavcodec.cards import Seat
from pavcodec.errors import MissingExtraError, PavError
from pavcodec.printing.codes import code_millimetres, qr_code
from pavcodec.printing.document import BiddingPages, Document, Hands, Part, Records, Table
from pavcodec.printing.facts import BoardFacts, facts_of

__all__ = ["MOST_BOARDS", "check_pdf", "pdf_document"]

MOST_BOARDS = 2000
"""The most boards in a file: typst lays out a document as a whole, and takes 0.7 MB for each."""


_USED_BY: set[int] = set()
"""The process that has used typst: this one, or the one that this one is a copy of."""
_OF_BOARDS = (Records, Hands, BiddingPages)
_TEMPLATE = Path(__file__).with_name("pages.typ")
_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "HEBREW")
"""The scripts of the fonts inside typst, as in the Unicode names of their letters."""


def check_pdf() -> None:
    """Raise `PavError` if typst, which makes the PDF files, is not installed."""
    try:
        import typst  # noqa: F401
    except ImportError:
        raise MissingExtraError("pdf") from None


def pdf_document(document: Document) -> bytes:
    """Return the pages of a document as PDF.

    Raises `PavError` without the package typst, for more than `MOST_BOARDS` boards, and in a copy
    (`fork`) of a process that has made a PDF: typst would wait for threads that only the first
    process has.

    The headings, tables and pictures have tags for screen readers, as PDF/UA-1 requires; a document
    without a title, or with characters that no font has, does not conform to it.
    """
    check_pdf()
    import typst

    if _USED_BY - {os.getpid()}:
        raise PavError("a copy (fork) of a process that has made a PDF cannot make one: use spawn")
    _USED_BY.add(os.getpid())
    boards = sum(len(part.boards) for part in document.parts if isinstance(part, _OF_BOARDS))
    if boards > MOST_BOARDS:
        raise PavError(f"a PDF file has at most {MOST_BOARDS} boards: write HTML, or several files")
    data = json.dumps(_document(document), ensure_ascii=False, sort_keys=True)
    fonts_suffice = all(map(_is_inside, data))

    def compiled(standards: list[typst.PDFStandard]) -> bytes:
        return typst.compile(
            _TEMPLATE.read_bytes(),
            format="pdf",
            sys_inputs={"data": data},
            ignore_system_fonts=fonts_suffice,
            pdf_standards=standards,
        )

    try:
        return compiled(["ua-1"])
    except typst.TypstError:  # a character that no font has, or no title
        return compiled([])


def _is_inside(character: str) -> bool:
    """Return whether the fonts inside typst have a character."""
    if character.isascii() or not character.isalpha():
        return True
    return unicodedata.name(character, "").startswith(_SCRIPTS)


def _document(document: Document) -> dict[str, object]:
    """Return the data of the template."""
    return {
        "title": document.title,
        "lines": list(document.lines),
        "footer": document.footer,
        "paper": document.paper,
        "code": qr_code(document.code),
        "code_size": code_millimetres(document.code) if document.code else 0.0,
        "parts": [_part(part) for part in document.parts],
    }


def _part(part: Part) -> dict[str, object]:
    """Return the data of a part: its fields, with the facts of each board."""
    data: dict[str, object] = {"kind": type(part).__name__}
    if isinstance(part, _OF_BOARDS):
        data["boards"] = [_board(facts_of(board)) for board in part.boards]
    if isinstance(part, Hands):
        data["seats"] = [seat.letter for seat in part.seats]
    if isinstance(part, Table):
        data["align"] = part.alignment
    for name in part.__dataclass_fields__:
        data.setdefault(name, getattr(part, name))
    return data


def _board(facts: BoardFacts) -> dict[str, object]:
    """Return the facts of a board for JSON."""
    hands = [asdict(hand) | {"seat": Seat(hand.seat).letter} for hand in facts.hands]
    return asdict(facts) | {"hands": hands, "title": facts.title}
