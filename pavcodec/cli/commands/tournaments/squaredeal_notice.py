"""The printed files of a club's set: the notice and the hand records, with the hash as QR code."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec

from pavcodec.boards import Board
from pavcodec.files.output import open_output
from pavcodec.printing.document import Document, Notes, Records
from pavcodec.printing.html import html_document
from pavcodec.tournament import Event, Session
from pavcodec.tournament.notice import Notice, notice_of

__all__ = ["notice_files", "record_files"]


_FOOTER = "SHA-256 of the keys: {}"


def notice_files(event: Event, tags: Mapping[str, str]) -> list[str]:
    """Write the notice beside the description, and return the paths of its files.

    An existing notice is left as it was, since it may be published already. The PDF needs the extra
    `pdf`.
    """
    stem = os.path.splitext(event.source)[0]
    notice = notice_of(event, tags)
    files = {f"{stem}-notice.txt": notice.text().encode()}
    files |= _pages(f"{stem}-notice", _document(notice))
    for path, data in files.items():
        with suppress(FileExistsError), open_output(path, fresh=True) as out:
            out.write(data)
    return list(files)


def record_files(
    event: Event, session: Session, boards: Sequence[Board], stem: str, tags: Mapping[str, str]
) -> dict[str, bytes]:
    """Return the hand records of a session by their paths, which begin with `stem`."""
    facts = [
        "" if len(event.sessions) == 1 else session.title,
        tags.get("Date", "").replace(".", "-"),
        tags.get("Site", ""),
    ]
    document = Document(
        event.description.name,
        (Records(tuple(boards)),),
        lines=tuple(filter(None, facts)),
        footer=_FOOTER.format(event.keys.hash),
        code=event.keys.hash,
    )
    return _pages(f"{stem}-records", document)


def _pages(stem: str, document: Document) -> dict[str, bytes]:
    """Return a document as HTML, and as PDF if its package is installed."""
    files = {f"{stem}.html": html_document(document).encode()}
    if find_spec("typst") is not None:
        from pavcodec.printing.pdf import pdf_document

        files[f"{stem}.pdf"] = pdf_document(document)
    return files


def _document(notice: Notice) -> Document:
    """Return the notice as pages to print, with a QR code of the hash."""
    parts = [
        Notes(one.paragraphs, one.fixed, heading=one.heading, starts_page=False)
        for one in notice.sections
    ]
    return Document(
        notice.title,
        tuple(parts),
        lines=notice.lines,
        footer=_FOOTER.format(notice.hash),
        code=notice.hash,
    )
