"""Documents as HTML: one file without scripts, for the screen and for paper.

The page follows the screen's choice of light or dark, and prints black on white. Each page on paper
has the footer and the QR code of the document in its margin, in browsers that support this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil
from pathlib import Path
from urllib.parse import quote

from pavcodec.printing.codes import code_millimetres, qr_code
from pavcodec.printing.document import (
    BiddingBox,
    BiddingPages,
    Document,
    Hands,
    Notes,
    Part,
    Records,
    Table,
)
from pavcodec.printing.facts import facts_of
from pavcodec.printing.html_boards import board_html, coloured
from pavcodec.printing.html_players import bidding_box_html, bidding_html, hands_html

__all__ = ["html_document", "html_lines"]

_STYLE = Path(__file__).with_name("pages.css")
_PAPERS = {"a4": ("A4", 297), "letter": ("letter", 279.4)}
"""The name of each paper in CSS, and its height in millimetres."""
_TOP, _HEADER, _BOTTOM = 9, 12.5, 12
_ROWS = 6
_ON_PAGE = {"records": 24, "large": 4, "single": 1}
_WIDE = 18
_FEW = 9
_PAGE_NUMBER = (
    '@bottom-center { content: "Page " counter(page) " of " counter(pages); white-space: nowrap; }'
)
_LONG_TITLE, _LONGEST_TITLE = 60, 120


def html_document(document: Document) -> str:
    """Return a document as one page of HTML.

    >>> page = html_document(Document("Club night", (Notes(("Welcome & good luck.",)),)))
    >>> page.splitlines()[0], "<p>Welcome &amp; good luck.</p>" in page
    ('<!DOCTYPE html>', True)
    """
    return "".join(html_lines(document))


def html_lines(document: Document) -> Iterator[str]:
    """Yield the lines of `html_document`, each with its end."""
    return (f"{line}\n" for line in _lines(document))


def _lines(document: Document) -> Iterator[str]:
    title = escape(document.title)
    code = qr_code(document.code)
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title or 'Boards'}</title>"
    yield f"<style>\n{_STYLE.read_text(encoding='utf-8')}{_page_style(document, code)}</style>"
    yield "</head>"
    yield "<body>"
    size = "longest" if len(title) > _LONGEST_TITLE else "long" if len(title) > _LONG_TITLE else ""
    yield f'<header class="{size}">' if size else "<header>"
    yield f"<h1>{title}</h1>"
    yield f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in document.lines)}</ul>"
    yield "</header>"
    yield "<main>"
    for place, part in enumerate(document.parts):
        yield from _part(part, is_first=place == 0)
    yield "</main>"
    if document.footer or code:
        picture = f'<div role="img" aria-label="QR code of this text">{code}</div>' if code else ""
        yield f"<footer><p>{escape(document.footer)}</p>{picture}</footer>"
    yield "</body>"
    yield "</html>"


def _page_style(document: Document, code: str) -> str:
    """Return the style of the paper: its size, its margins, and the texts in its margins."""
    paper, height = _PAPERS[document.paper]
    size = code_millimetres(document.code) if code else 0.0
    bottom = max(_BOTTOM, size + 4)
    row = (height - _TOP - bottom - _HEADER - 0.5) / _ROWS
    boxes = [
        f"@top-left {{ content: {_css_text(document.title)}; }}",
        f"@bottom-left {{ content: {_css_text(document.footer)}; text-align: left; }}",
        _PAGE_NUMBER,
        f"@bottom-right {{ content: {_css_code(code, size)}; }}",
    ]
    listed = "\n  ".join(boxes)
    return (
        f"@page {{ size: {paper} portrait; margin: {_TOP}mm 9mm {bottom:.1f}mm;\n"
        f"  font: 7.5pt Helvetica, Arial, sans-serif;\n  {listed}\n}}\n"
        "@page :first { @top-left { content: none; } }\n"
        f":root {{ --row: {row:.2f}mm; }}\n"
    )


def _css_text(text: str) -> str:
    """Return a text as a string of CSS that is also safe inside HTML."""
    return '"' + "".join(c if c.isalnum() or c == " " else f"\\{ord(c):x} " for c in text) + '"'


def _css_code(code: str, size: float) -> str:
    """Return a QR code as a picture of CSS, or the empty text."""
    if not code:
        return '""'
    sized = code.replace("<svg ", f'<svg width="{size:.1f}mm" height="{size:.1f}mm" ', 1)
    return f'url("data:image/svg+xml,{quote(sized)}")'


def _part(part: Part, *, is_first: bool) -> Iterator[str]:
    names = [type(part).__name__.lower()]
    names += ["new"] * (part.starts_page and not is_first)
    if isinstance(part, Records):
        names = [part.layout, *names[1:], *["with-notes"] * bool(part.notes)]
    if isinstance(part, Notes):
        names += ["text", *["fixed"] * part.fixed]
    yield f'<section class="{" ".join(names)}">'
    if part.heading:
        yield f"<h2>{escape(part.heading)}</h2>"
    level = 3 if part.heading else 2
    if isinstance(part, Records):
        yield from _records(part, level)
    elif isinstance(part, Hands):
        yield from hands_html(part, level)
    elif isinstance(part, Table):
        yield from _table(part)
    elif isinstance(part, Notes):
        yield from (f"<p>{coloured(each)}</p>" for each in part.paragraphs)
    elif isinstance(part, BiddingPages):
        yield from bidding_html(part, level)
    elif isinstance(part, BiddingBox):
        yield from bidding_box_html()
    yield "</section>"


def _records(part: Records, level: int) -> Iterator[str]:
    """Yield the boards, in a grid for each page of paper."""
    notes: Sequence[tuple[str, ...]] = part.notes or ((),) * len(part.boards)
    boards = list(zip(part.boards, notes, strict=True))
    pages = max(1, ceil(len(boards) / _ON_PAGE[part.layout]))
    on_page = _ON_PAGE[part.layout]
    if part.layout == "records":
        on_page = len(boards) if part.notes else ceil(len(boards) / pages)
    wide = " wide" if on_page <= _WIDE or part.notes else ""
    wide = " wide few" if part.notes and on_page <= _FEW else wide
    for start in range(0, len(boards), on_page or 1):
        yield f'<div class="sheet{wide}">'
        for board, texts in boards[start : start + on_page]:
            yield from board_html(facts_of(board), level, solutions=part.solutions, notes=texts)
        yield "</div>"


def _table(part: Table) -> Iterator[str]:
    align = part.alignment
    heads = zip(align, part.heads, strict=True)
    yield '<table class="table">'
    if part.caption:
        yield f"<caption>{escape(part.caption)}</caption>"
    cells = (f'<th scope="col" class="{letter}">{coloured(head)}</th>' for letter, head in heads)
    yield f"<thead><tr>{''.join(cells)}</tr></thead>"
    yield "<tbody>"
    for first, *rest in part.rows:
        others = zip(align[1:], rest, strict=True)
        texts = "".join(f'<td class="{letter}">{coloured(cell)}</td>' for letter, cell in others)
        yield f'<tr><th scope="row" class="{align[0]}">{coloured(first)}</th>{texts}</tr>'
    yield "</tbody>"
    yield "</table>"
