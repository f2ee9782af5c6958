"""Pages of boards in HTML and PDF, and pictures in SVG.

They are written and not read. HTML and SVG need no scripts, fonts or other files, follow the
screen's choice of light or dark, and print black on white.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from textwrap import wrap
from typing import BinaryIO, NoReturn

from pavcodec.boards.board import Board
from pavcodec.boards.captions import caption_of
from pavcodec.boards.context import Context
from pavcodec.errors import ReadError
from pavcodec.layout.drawings.diagram import Caption
from pavcodec.layout.drawings.svg import svg_diagrams
from pavcodec.printing.document import Document
from pavcodec.printing.facts import VOID, facts_of
from pavcodec.printing.layouts import board_document

__all__ = ["read_page", "write_html", "write_pdf", "write_svg"]

_WIDEST = 56
"""The most characters of a line below a picture."""


def write_html(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write hand records of the boards that have cards; return how many boards there were."""
    from pavcodec.printing.html import html_lines

    found = list(boards)
    stream.writelines(line.encode() for line in html_lines(_document(found, context)))
    return len(found)


def write_pdf(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write hand records of the boards that have cards; return how many boards there were.

    Raises `PavError` without the package typst, and for too many boards.
    """
    from pavcodec.printing.pdf import MOST_BOARDS, check_pdf, pdf_document

    check_pdf()
    found = list(islice(boards, MOST_BOARDS + 1))
    stream.write(pdf_document(_document(found, context)))
    return len(found)


def _document(boards: list[Board], context: Context) -> Document:
    with_cards = [board for board in boards if board.layout is not None]
    return board_document(with_cards, title=context.title)


def write_svg(boards: Iterable[Board], stream: BinaryIO, _context: Context) -> int:
    """Write a picture of the boards that have cards; return how many boards there were."""
    found = list(boards)
    pictures = [(board.layout, _caption(board)) for board in found if board.layout is not None]
    stream.write(svg_diagrams(pictures).encode())
    return len(found)


def _caption(board: Board) -> Caption:
    """Return the caption of a picture, with the makeable contracts and par."""
    caption, facts = caption_of(board), facts_of(board)
    makes = [f"{pair} {' '.join(contracts) or VOID}" for pair, contracts in facts.makeable]
    more = [f"Makes  {'  '.join(makes)}"] if makes else []
    more += [f"Par  {facts.par}"] if facts.par else []
    lines = (line for text in more for line in wrap(text, _WIDEST))
    return replace(caption, notes=(*caption.notes, *lines))


def read_page(_stream: BinaryIO, context: Context) -> NoReturn:
    """Refuse a page: its diagrams are for people."""
    raise ReadError(f"{context.source}: pages of HTML, PDF and SVG are written, and not read")
