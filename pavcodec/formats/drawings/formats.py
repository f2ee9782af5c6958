"""The formats of drawings: `diagram`, `html`, `pdf` and `svg`."""

from __future__ import annotations

from pavcodec.formats.format import TABLE, TRICKS, Codec, Format, first_line

__all__ = ["DIAGRAM", "HTML", "PDF", "SVG"]


def _diagrams() -> Codec:
    from pavcodec.formats.drawings.diagrams import read_diagrams, write_diagrams

    return Codec(read_diagrams, write_diagrams)


def _html() -> Codec:
    from pavcodec.formats.drawings.pages import read_page, write_html

    return Codec(read_page, write_html)


def _pdf() -> Codec:
    from pavcodec.formats.drawings.pages import read_page, write_pdf

    return Codec(read_page, write_pdf)


def _svg() -> Codec:
    from pavcodec.formats.drawings.pages import read_page, write_svg

    return Codec(read_page, write_svg)


DIAGRAM = Format(
    "diagram",
    (".diagram",),
    "diagrams of text, North above and West and East beside each other",
    "cards, board number, dealer, vulnerability, contract, result and double-dummy tricks",
    _diagrams,
    kept_tags=TABLE | TRICKS,
    recognises=first_line(
        r"[♠♤S?][: ]? *((10|[AKQJT2-9])*|[-–—]+)|"
        r"(?i:(board|deal)\b:? *(no\.?)? *[0-9]{1,9}\b.*)"
    ),
)

HTML = Format(
    "html",
    (".html", ".htm"),
    "hand records for the screen and for paper, 18 to 24 boards on a page; it is not read",
    "cards, as a diagram",
    _html,
    shows_tags=True,
    is_read=False,
)

PDF = Format(
    "pdf",
    (".pdf",),
    "hand records to print, 18 to 24 boards on a page; it is not read",
    "cards, as a diagram",
    _pdf,
    shows_tags=True,
    is_text=False,
    is_read=False,
)

SVG = Format(
    "svg",
    (".svg",),
    "a picture of diagrams; it is not read",
    "cards, as a diagram",
    _svg,
    shows_tags=True,
    is_read=False,
)
