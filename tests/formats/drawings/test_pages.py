"""The formats `html`, `pdf` and `svg`: boards that have cards, and the title of the context."""

from __future__ import annotations

import io

import pytest
from packages import needs
from printing_support import odd_boards, some_boards

from pavcodec import Board, ReadError
from pavcodec.boards import Context
from pavcodec.formats import format_of


def written(name: str, boards: list[Board], title: str = "") -> bytes:
    stream = io.BytesIO()
    assert format_of(name).write(boards, stream, Context("x", title=title)) == len(boards)
    return stream.getvalue()


def test_pages_have_the_title_of_the_context() -> None:
    page = written("html", some_boards(3), "Our night").decode()
    assert "<h1>Our night</h1>" in page
    assert "<h1>Boards 1 to 3</h1>" in written("html", some_boards(3)).decode()


def test_boards_without_cards_are_left_out() -> None:
    boards = odd_boards()
    page = written("html", boards).decode()
    assert page.count("<article") == sum(board.layout is not None for board in boards) == 6
    assert written("svg", boards).decode().count("<title>") == 6
    assert "<article" not in written("html", [Board(None)]).decode()


@pytest.mark.slow
def test_pdf_is_the_same_document() -> None:
    needs("typst")
    pypdf = pytest.importorskip("pypdf")
    data = written("pdf", [*some_boards(3), Board(None)], "Our night")
    (page,) = pypdf.PdfReader(io.BytesIO(data)).pages
    assert "Our night" in page.extract_text()


@pytest.mark.parametrize("name", ["html", "pdf", "svg"])
def test_pages_are_not_read(name: str) -> None:
    with pytest.raises(ReadError, match="are written, and not read"):
        list(format_of(name).read(io.BytesIO(b"x"), Context("x")))
