"""The pages of a practice set as one HTML file, for the screen or for a page a player on paper.

The file is self-contained: it has no scripts, fonts or pictures. It follows the screen's choice of
light or dark, and prints black on white.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape

from pavcodec.boards.captions import caption_of
from pavcodec.cards import Seat, Suit
from pavcodec.layout.drawings.html import STYLE, html_diagram
from pavcodec.practice.sets import HEADS, Facts, PracticeSet

__all__ = ["html_pages"]

_STYLE = """\
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --line: #bbb; --red: #b3001b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --paper: #191919; --line: #555; --red: #ff7b87; }
}
body { background: var(--paper); color: var(--ink); font: 1rem/1.4 system-ui, sans-serif;
  margin: 0 auto; max-width: 60rem; padding: 1rem; }
section { margin-bottom: 3rem; }
h1 { font-size: 1.5rem; margin: 0; }
h2 { font-size: 1.1rem; font-weight: normal; margin: 0 0 1rem; }
p { margin: 0 0 .4rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; }
.hands { width: 100%; }
.hands th, .hands td { border-bottom: 1px solid var(--line); padding: .35rem .6rem .35rem 0;
  text-align: left; }
.hands .bidding { width: 35%; }
.cards { font-variant-numeric: tabular-nums; white-space: nowrap; }
.red { color: var(--red); }
.boards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(24rem, 1fr)); }
.boards > * { border: 1px solid var(--line); break-inside: avoid; padding: .8rem; }
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --line: #999; --red: #b3001b; }
  body { font-size: 10pt; max-width: none; padding: 0; }
  section { break-after: page; margin: 0; }
  section:last-child { break-after: auto; }
  tr { break-inside: avoid; }
  .boards { gap: 0; grid-template-columns: 1fr 1fr; }
}
"""


def html_pages(practice: PracticeSet) -> str:
    """Return all pages as one HTML document."""
    return "".join(f"{line}\n" for line in _document(practice))


def _document(practice: PracticeSet) -> Iterator[str]:
    facts = [Facts.of(board) for board in practice.boards]
    title = escape(practice.title)
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title>"
    yield f"<style>\n{_STYLE}{STYLE}</style>"
    yield "</head>"
    yield "<body>"
    for seat in practice.players:
        yield from _section(title, f"{seat.name.title()}, {practice.span}", _hands(seat, facts))
    yield from _section(title, f"Solution, {practice.span}", _solution(practice))
    yield "</body>"
    yield "</html>"


def _section(title: str, whose: str, content: Iterator[str]) -> Iterator[str]:
    yield "<section>"
    yield f"<h1>{title}</h1>"
    yield f"<h2>{whose}</h2>"
    yield from content
    yield "</section>"


def _hands(seat: Seat, facts: Sequence[Facts]) -> Iterator[str]:
    """Yield the table of a player's hands, with a column for the bidding."""
    heads = "".join(f'<th scope="col">{_coloured(head.capitalize())}</th>' for head in HEADS)
    yield '<table class="hands">'
    yield f'<thead><tr>{heads}<th scope="col" class="bidding">Bidding</th></tr></thead>'
    yield "<tbody>"
    for each in facts:
        number, dealer, vulnerable, *suits = each.row(seat)
        cells = f'<th scope="row">{number}</th><td>{dealer}</td><td>{vulnerable}</td>'
        cells += "".join(f'<td class="cards">{suit}</td>' for suit in suits)
        yield f"<tr>{cells}<td></td></tr>"
    yield "</tbody>"
    yield "</table>"


def _solution(practice: PracticeSet) -> Iterator[str]:
    yield from (f"<p>{escape(note)}</p>" for note in practice.notes)
    yield '<div class="boards">'
    for board in practice.boards:
        assert board.layout is not None
        caption = caption_of(board)
        notes = (*caption.notes, f"deal {Facts.of(board).identity}")
        yield html_diagram(board.layout, replace(caption, notes=notes)).rstrip("\n")
    yield "</div>"


def _coloured(text: str) -> str:
    """Return the text with markup if it is the symbol of a red suit."""
    red = text in {Suit.HEARTS.symbol, Suit.DIAMONDS.symbol}
    return f'<span class="red">{text}</span>' if red else text
