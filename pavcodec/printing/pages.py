"""Boards printed into a file: the interface for Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import BinaryIO

from pavcodec.boards.board import Board
from pavcodec.errors import UnknownNameError, check_text, shown
from pavcodec.files.output import check_stream, open_output
from pavcodec.files.text import half_characters_refused
from pavcodec.layout import Layout
from pavcodec.printing.document import PAPERS, Document, Paper
from pavcodec.printing.html import html_document
from pavcodec.printing.layouts import board_document
from pavcodec.printing.pdf import pdf_document

__all__ = ["WRITERS", "print_boards"]


@half_characters_refused()
def print_boards(  # noqa: PLR0913 (the options of pages, each by its name)
    boards: Iterable[Board | Layout],
    target: str | os.PathLike[str] | BinaryIO,
    *,
    format: str | None = None,
    layout: str = "records",
    title: str = "",
    paper: Paper = "a4",
    solutions: bool = True,
) -> int:
    r"""Write pages of boards as PDF or HTML, and return the number of boards.

    The format is `format`, `pdf` or `html`, else that of the suffix. `layout` is `records`,
    `large`, `single`, `curtain`, `slips`, `players`, `bidding` or `box`, and `paper` is `a4` or
    `letter`. Without a `title` the pages have the tag Event as title. Without `solutions` the
    records have no tricks, contracts and par. A file is complete or absent.

    Raises `UnknownNameError` for an unknown format, layout or paper, and `PavError` for PDF without
    the package typst.

    >>> import io
    >>> from pavcodec import numbering
    >>> stream = io.BytesIO()
    >>> print_boards([Board.make(numbering("deal")[0], number=1)], stream, format="html")
    1
    >>> b"<h1>Board 1</h1>" in stream.getvalue()
    True
    """
    if isinstance(boards, Layout | Board | str | bytes) or not isinstance(boards, Iterable):
        kind = type(boards).__name__
        raise TypeError(f"boards are printed together, as in [board], not {kind!r}")
    check_text("a title", title)
    if not isinstance(target, str | os.PathLike):
        check_stream("a page", target)
    whole = [_board_of(each) for each in boards]
    check_text("the name of a paper", paper)
    if paper not in PAPERS:
        raise UnknownNameError(f"no paper is called {shown(paper)}; expected {' or '.join(PAPERS)}")
    kind = _kind(target) if format is None else format
    if kind not in WRITERS:
        raise UnknownNameError(
            f"pages are written as pdf or html, not {shown(kind)}: name the format"
        )
    document = board_document(whole, layout=layout, title=title, paper=paper, solutions=solutions)
    data = WRITERS[kind](document)
    if isinstance(target, str | os.PathLike):
        with open_output(target) as stream:
            stream.write(data)
    else:
        target.write(data)
    return len(whole)


def _board_of(item: Board | Layout) -> Board:
    if not isinstance(item, Board | Layout):
        raise TypeError(f"boards and layouts are printed, not {type(item).__name__!r}")
    return item if isinstance(item, Board) else Board(item)


def _kind(target: str | os.PathLike[str] | BinaryIO) -> str:
    """Return the format of the suffix of a path; "" without one."""
    path = os.fspath(target) if isinstance(target, str | os.PathLike) else ""
    suffix = os.path.splitext(path)[1].lower().lstrip(".")
    return "html" if suffix == "htm" else suffix


def _html(document: Document) -> bytes:
    return html_document(document).encode()


WRITERS: dict[str, Callable[[Document], bytes]] = {"pdf": pdf_document, "html": _html}
"""The functions that return a document as bytes, by the names of their formats."""
