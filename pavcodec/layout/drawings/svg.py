"""Diagrams as SVG, for web pages and articles: any size, light and dark screens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from pavcodec.cards import Seat, Suit
from pavcodec.layout.drawings.diagram import Caption, Hands, Suits

__all__ = ["svg_diagrams"]

_STYLE = """\
text { fill: #1b1b1b; font: 14px ui-monospace, Menlo, Consolas, monospace; }
rect { fill: none; stroke: #bbb; }
.heading { font-weight: bold; }
.note { font-size: 12px; }
.red { fill: #b3001b; }
.vulnerable { fill: #b3001b; font-weight: bold; }
.dealer { text-decoration: underline; }
.table { font-size: 12px; text-anchor: middle; }
@media (prefers-color-scheme: dark) {
  text { fill: #e8e8e8; }
  .red, .vulnerable { fill: #ff7b87; }
}"""

_LINE = 18
_COLUMN = 136
_MARGIN = 12
_HAND = len(Suit) * _LINE
_GAP = 10
_WIDTH = 3 * _COLUMN + 2 * _MARGIN
_PLACES = {Seat.NORTH: (1, 0), Seat.EAST: (2, 1), Seat.SOUTH: (1, 2), Seat.WEST: (0, 1)}
"""The column and the row of each hand."""
_COMPASS = {Seat.NORTH: (0, -18), Seat.EAST: (22, 5), Seat.SOUTH: (0, 28), Seat.WEST: (-22, 5)}
_COLUMNS = 2
_ROW = 15
_CELL = 23
"""The height and the width of the cells of a table of tricks."""


def svg_diagrams(layouts: Sequence[tuple[Hands, Caption]]) -> str:
    """Return an SVG picture of diagrams, in two columns if there is more than one.

    >>> from pavcodec import Layout
    >>> layout = Layout.from_pbn("N:AK.Q.. - .32.4. -")
    >>> svg_diagrams([(layout, Caption())])[:50]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0'
    """
    heights = [_height(caption) for _, caption in layouts]
    row_height = max(heights, default=0)
    columns = min(_COLUMNS, len(layouts)) or 1
    rows = -(-len(layouts) // columns)
    width, height = columns * _WIDTH, rows * row_height
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', f"<style>{_STYLE}</style>"]
    for place, (layout, caption) in enumerate(layouts):
        left, top = place % columns * _WIDTH, place // columns * row_height
        lines.append(f'<g transform="translate({left} {top})" role="img">')
        lines += [f"<title>{escape(str(layout))}</title>", *_diagram(layout, caption), "</g>"]
    return "\n".join([*lines, "</svg>", ""])


def _height(caption: Caption) -> int:
    lines = len(caption.notes) + bool(caption.heading)
    return 3 * _HAND + 3 * _GAP + lines * _LINE + 2 * _MARGIN


def _diagram(layout: Hands, caption: Caption) -> Iterator[str]:
    top = _MARGIN
    if caption.heading:
        top += _LINE
        yield f'<text class="heading" x="{_MARGIN}" y="{top}">{escape(caption.heading)}</text>'
    for seat, (column, row) in _PLACES.items():
        yield from _hand(layout[seat], _MARGIN + column * _COLUMN, top + row * (_HAND + _GAP))
    middle = top + _HAND + _GAP + _HAND // 2
    yield from _compass(caption, _MARGIN + _COLUMN + _COLUMN // 2 - _GAP, middle + 4)
    yield from _table(caption, _MARGIN + 2 * _COLUMN, top + 2 * (_HAND + _GAP))
    below = top + 3 * (_HAND + _GAP) + _LINE // 2
    for place, note in enumerate(caption.notes):
        text = _coloured(escape(note))
        yield f'<text class="note" x="{_MARGIN}" y="{below + place * _LINE}">{text}</text>'


def _hand(hand: Suits, left: int, top: int) -> Iterator[str]:
    for row, suit in enumerate(Suit, 1):
        text = _coloured(f"{suit.symbol} {hand.suit(suit) or '–'}")
        yield f'<text x="{left}" y="{top + row * _LINE}">{text}</text>'


def _table(caption: Caption, left: int, top: int) -> Iterator[str]:
    """Yield the texts of a table, beside the hand of South."""
    for row, cells in enumerate(caption.table):
        down = top + (row + 1) * _ROW
        for column, cell in enumerate(cells):
            place = f'x="{left + column * _CELL + _CELL // 2}" y="{down}"'
            yield f'<text class="table" {place}>{_coloured(escape(cell))}</text>'


def _compass(caption: Caption, x: int, y: int) -> Iterator[str]:
    yield f'<rect x="{x - 32}" y="{y - 32}" width="64" height="64"/>'
    for seat, (right, down) in _COMPASS.items():
        classes = ["vulnerable"] * (seat in caption.vulnerable)
        classes += ["dealer"] * (seat is caption.dealer)
        names = f' class="{" ".join(classes)}"' if classes else ""
        place = f'x="{x + right}" y="{y + down}" text-anchor="middle"'
        yield f"<text {place}{names}>{seat.letter}</text>"


def _coloured(text: str) -> str:
    """Return a text in which the symbols of the red suits are marked."""
    for suit in (Suit.HEARTS, Suit.DIAMONDS):
        text = text.replace(suit.symbol, f'<tspan class="red">{suit.symbol}</tspan>')
    return text
