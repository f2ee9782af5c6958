"""The model of printed pages: a document and its parts, independent of HTML and PDF.

A document is a title, some lines below it, and parts. `html_document` and `pdf_document` write the
same document as a web page and as a PDF file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pavcodec.boards.board import Board
from pavcodec.cards import Seat

__all__ = [
    "HAND_LAYOUTS",
    "PAPERS",
    "RECORD_LAYOUTS",
    "BiddingBox",
    "BiddingPages",
    "Document",
    "HandLayout",
    "Hands",
    "Notes",
    "Paper",
    "Part",
    "RecordLayout",
    "Records",
    "Table",
]

Paper = Literal["a4", "letter"]
RecordLayout = Literal["records", "large", "single"]
HandLayout = Literal["curtain", "slips", "rows"]

PAPERS: tuple[Paper, ...] = ("a4", "letter")
RECORD_LAYOUTS: tuple[RecordLayout, ...] = ("records", "large", "single")
HAND_LAYOUTS: tuple[HandLayout, ...] = ("curtain", "slips", "rows")


_NUMBER = re.compile(r"|[+−-]?[0-9][0-9., ]*%?|[–-]")


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a document: an optional heading, and whether it starts a new page."""

    heading: str = ""
    starts_page: bool = True
    """Whether the part starts a new page; the first part of a document never makes a blank page."""


@dataclass(frozen=True, slots=True)
class Records(Part):
    """Diagrams of boards: `records` for 18 to 24 on a page, `large` print, or a `single` one.

    Without `solutions` only the cards, the dealer and the vulnerability are printed. Each board may
    have `notes`, lines of text below its diagram: an empty tuple, or as many as there are boards.
    A board without cards is printed with its number only.
    """

    boards: tuple[Board, ...]
    layout: RecordLayout = "records"
    solutions: bool = True
    notes: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Hands(Part):
    """The hands of some seats, each hand alone, for players who must not see the other hands.

    `curtain` makes a card for each hand, the seats of a board beside each other, with cut lines;
    `slips` make a sheet of narrow slips for each seat, with cut lines; `rows` make a table for each
    seat, a row for each board, with an empty column of the name `space` to write in. Up to
    `per_page` tables of `rows` share a page and fill it; `points` adds the high-card points. Each
    board may have `notes`, printed in its row.
    """

    boards: tuple[Board, ...]
    seats: tuple[Seat, ...] = tuple(Seat)
    layout: HandLayout = "curtain"
    points: bool = False
    space: str = "Bidding"
    per_page: int = 1
    notes: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Table(Part):
    """A table of texts: the heads of the columns, the rows, and a caption.

    The first cell of each row is the head of the row. `align` has a letter for each column, `l`,
    `c` or `r`; the default is `l` for the first column and `r` for the columns of numbers.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    align: str = ""

    @property
    def alignment(self) -> str:
        """The letter of each column."""
        if self.align:
            return self.align
        columns = [[row[place] for row in self.rows] for place in range(len(self.heads))]
        return "".join(
            "r" if place and all(map(_is_number, cells)) else "l"
            for place, cells in enumerate(columns)
        )


@dataclass(frozen=True, slots=True)
class Notes(Part):
    """Paragraphs of text; with `fixed` in a font of fixed width, for hashes and commands."""

    paragraphs: tuple[str, ...]
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class BiddingPages(Part):
    """Sheets for silent bidding: an empty auction for each board, with its dealer marked."""

    boards: tuple[Board, ...]


@dataclass(frozen=True, slots=True)
class BiddingBox(Part):
    """Cards of all calls to cut out: a set of bids, and passes, doubles, redoubles and alerts."""


@dataclass(frozen=True, slots=True)
class Document:
    """Pages to print: a title, `lines` below it, the parts, and the footer of each page.

    `lines` are facts of the event, such as its site, its date and its session. `footer` is a text
    such as a seed or a proof; the number of the page follows it. `code` is the text of a QR code in
    the footer, "" for none.

    >>> Document("Club night", (Notes(("Welcome.",)),), lines=("24 November 2026",)).paper
    'a4'
    """

    title: str
    parts: tuple[Part, ...]
    lines: tuple[str, ...] = ()
    footer: str = ""
    code: str = ""
    paper: Paper = "a4"
