"""Drawings of boards: a page of HTML, and a picture in SVG.

HTML and SVG are written and not read. They need no scripts, fonts or other files, follow the
screen's choice of light or dark, and print black on white.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO, NoReturn

from pavcodec.boards.board import Board
from pavcodec.boards.captions import caption_of
from pavcodec.boards.context import Context
from pavcodec.errors import ReadError
from pavcodec.layout import Layout
from pavcodec.layout.drawings.diagram import Caption
from pavcodec.layout.drawings.html import STYLE, html_diagram
from pavcodec.layout.drawings.svg import svg_diagrams

__all__ = ["PAGE_STYLE", "drawn", "read_page", "write_html", "write_svg"]

PAGE_STYLE = f"""\
:root {{ color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; }}
@media (prefers-color-scheme: dark) {{ :root {{ --ink: #e8e8e8; --paper: #191919; }} }}
@media print {{ :root {{ color-scheme: light; --ink: #000; --paper: #fff; }} }}
body {{ background: var(--paper); color: var(--ink); font: 1rem/1.4 system-ui, sans-serif;
  margin: 0 auto; max-width: 70rem; padding: 1rem; }}
.pav-boards {{ display: grid; gap: 1.5rem;
  grid-template-columns: repeat(auto-fill, minmax(24rem, 1fr)); }}
.pav-boards > * {{ break-inside: avoid; }}
@media print {{
  body {{ font-size: 10pt; max-width: none; padding: 0; }}
  .pav-boards {{ gap: 1rem; grid-template-columns: 1fr 1fr; }}
}}
{STYLE}"""


def write_html(boards: Iterable[Board], stream: BinaryIO, _context: Context) -> int:
    """Write a page of the boards that have cards; return how many boards there were."""
    done = 0
    stream.writelines(f"{line}\n".encode() for line in _head())
    for board in boards:
        done += 1
        text = "".join(html_diagram(*each) for each in drawn([board]))
        stream.write(text.encode())
    stream.write(b"</main>\n</body>\n</html>\n")
    return done


def _head() -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield "<title>Boards</title>"
    yield f"<style>\n{PAGE_STYLE}</style>"
    yield "</head>"
    yield "<body>"
    yield '<main class="pav-boards">'


def write_svg(boards: Iterable[Board], stream: BinaryIO, _context: Context) -> int:
    """Write a picture of the boards that have cards; return how many boards there were."""
    found = list(boards)
    stream.write(svg_diagrams(drawn(found)).encode())
    return len(found)


def drawn(boards: Iterable[Board]) -> list[tuple[Layout, Caption]]:
    """Return the layouts of the boards that have cards, with their captions."""
    return [(board.layout, caption_of(board)) for board in boards if board.layout is not None]


def read_page(_stream: BinaryIO, context: Context) -> NoReturn:
    """Refuse a page: its diagrams are for people."""
    raise ReadError(f"{context.source}: pages of HTML and SVG are written, and not read")
