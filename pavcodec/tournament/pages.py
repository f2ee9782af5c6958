"""The printed pages of a club's set: the notice and the hand records, with the hash as QR code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec

from pavcodec.boards import Board
from pavcodec.printing.document import Document, Notes
from pavcodec.printing.html import html_document
from pavcodec.printing.layouts import board_document
from pavcodec.tournament.event import Event, Session
from pavcodec.tournament.notice import Notice

__all__ = ["notice_pages", "record_pages"]

_FOOTER = "SHA-256 of the keys: {}"


def notice_pages(notice: Notice, stem: str) -> dict[str, bytes]:
    """Return a notice as pages to print, by the names of their files, which begin with `stem`.

    The PDF is absent without the package typst.
    """
    parts = [
        Notes(one.paragraphs, one.fixed, heading=one.heading, starts_page=False)
        for one in notice.sections
    ]
    document = Document(
        notice.title,
        tuple(parts),
        lines=notice.lines,
        footer=_FOOTER.format(notice.hash),
        code=notice.hash,
    )
    return _pages(f"{stem}-notice", document)


def record_pages(event: Event, session: Session, boards: Sequence[Board]) -> dict[str, bytes]:
    """Return the hand records of a session, by the names of their files.

    The heading has the tags of the boards. The PDF is absent without typst.
    """
    document = replace(
        board_document(boards),
        footer=_FOOTER.format(event.keys.hash),
        code=event.keys.hash,
    )
    return _pages(f"{session.name}-records", document)


def _pages(stem: str, document: Document) -> dict[str, bytes]:
    """Return a document as HTML, and as PDF if its package is installed."""
    files = {f"{stem}.html": html_document(document).encode()}
    if find_spec("typst") is not None:
        from pavcodec.printing.pdf import pdf_document

        files[f"{stem}.pdf"] = pdf_document(document)
    return files
