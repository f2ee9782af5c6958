"""`print_boards`, the interface for Python."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from packages import needs
from printing_support import some_boards

import pavcodec as pav

BOARDS = some_boards(2)


def test_a_file_has_the_format_of_its_suffix(tmp_path: Path) -> None:
    needs("typst")
    assert pav.print_boards(BOARDS, tmp_path / "x.PDF", layout="curtain") == 2
    assert (tmp_path / "x.PDF").read_bytes().startswith(b"%PDF")
    for name in ("x.html", "x.htm"):
        assert pav.print_boards(iter(BOARDS), str(tmp_path / name), title="Night & day") == 2
        assert "<h1>Night &amp; day</h1>" in (tmp_path / name).read_text("utf-8")


def test_layouts_and_streams() -> None:
    stream = io.BytesIO()
    assert BOARDS[0].layout is not None
    assert pav.print_boards([BOARDS[0].layout], stream, format="html", paper="letter") == 1
    assert b"size: letter" in stream.getvalue()
    assert b"Makes" not in stream.getvalue()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"format": "svg"}, "pages are written as pdf or html, not 'svg'"),
        ({}, "pages are written as pdf or html, not 'pbn'"),
        ({"format": "html", "layout": "recards"}, "did you mean 'records'"),
        ({"format": "html", "paper": "a5"}, "no paper is called 'a5'"),
    ],
)
def test_unknown_names(tmp_path: Path, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(pav.UnknownNameError, match=reason):
        pav.print_boards(BOARDS, tmp_path / "x.pbn", **options)
    assert list(tmp_path.iterdir()) == []


def test_boards_are_several() -> None:
    with pytest.raises(TypeError, match="boards are printed together"):
        pav.print_boards(BOARDS[0], io.BytesIO(), format="html")  # type: ignore[arg-type]
