"""Drawings of layouts: as text, as HTML and as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Protocol

from pavcodec.cards import Seat, Suit

# Text diagrams of layouts: North at the top, West and East at the sides, South at the bottom.


_COLUMN = 16

TRICKS = "tricks"
"""The word in the corner of a table of tricks."""


class Suits(Protocol):
    """A hand by its suits: all that a drawing needs of it."""

    def suit(self, suit: Suit) -> str:
        """Return the ranks of a suit, highest first."""
        ...


class Hands(Protocol):
    """The four hands of a layout: all that a drawing needs."""

    def __getitem__(self, seat: Seat) -> Suits: ...
    def __iter__(self) -> Iterator[Suits]: ...


@dataclass(frozen=True)
class Caption:
    """Texts and marks of a diagram: above it, below it, and on the compass in its middle."""

    heading: str = ""
    notes: tuple[str, ...] = ()
    dealer: Seat | None = None
    vulnerable: frozenset[Seat] = frozenset()
    table: tuple[tuple[str, ...], ...] = ()
    """The rows of a table of tricks, the heads first."""

    @property
    def table_lines(self) -> list[str]:
        """The lines of the table of tricks."""
        return [
            f"{name or TRICKS:<{len(TRICKS)}}" + "".join(f"{cell:>4}" for cell in cells)
            for name, *cells in self.table
        ]


def diagram(layout: Hands) -> list[str]:
    r"""Return the lines of a diagram.

    >>> from pavcodec import Layout
    >>> print("\n".join(diagram(Layout.from_pbn("N:AK.Q.. T9.J.. .32.4. .T..A"))))
                    ♠ AK
                    ♥ Q
                    ♦ -
                    ♣ -
    ♠ -                             ♠ T9
    ♥ T                             ♥ J
    ♦ -                             ♦ -
    ♣ A                             ♣ -
                    ♠ -
                    ♥ 32
                    ♦ 4
                    ♣ -
    """
    empty = [""] * len(Suit)
    north, east, south, west = (
        [f"{suit.symbol} {hand.suit(suit) or '-'}" for suit in Suit] for hand in layout
    )
    rows = [*zip(empty, north, empty, strict=True), *zip(west, empty, east, strict=True)]
    rows += zip(empty, south, empty, strict=True)
    return ["".join(f"{cell:<{_COLUMN}}" for cell in row).rstrip() for row in rows]


# Diagrams as HTML, for notebooks.
#
# A diagram needs no other file. Its style follows the light or dark theme of the screen.


_HTML_STYLE = """\
.pav-board { --pav-red: #b3001b; --pav-line: #bbb; display: inline-block; line-height: 1.35; }
@media (prefers-color-scheme: dark) { .pav-board { --pav-red: #ff7b87; --pav-line: #666; } }
[data-jp-theme-light="true"] .pav-board { --pav-red: #b3001b; --pav-line: #bbb; }
[data-jp-theme-light="false"] .pav-board { --pav-red: #ff7b87; --pav-line: #666; }
@media print { .pav-board { --pav-red: #b3001b; --pav-line: #999; } }
.pav-board h3 { font-size: 1em; margin: 0 0 .3em; }
.pav-board p { font-size: .85em; margin: 0; }
.pav-diagram { align-items: center; display: grid; gap: .5em 1.2em; justify-items: start;
  grid-template-columns: repeat(3, minmax(7em, auto)); margin-bottom: .4em; }
.pav-hand { font-variant-numeric: tabular-nums; text-align: left; white-space: nowrap; }
.pav-red { color: var(--pav-red); }
.pav-compass { border: 1px solid var(--pav-line); display: grid; font-size: .85em;
  grid-template-columns: repeat(3, 1.5em); justify-items: center; justify-self: center; }
.pav-vulnerable { color: var(--pav-red); font-weight: bold; }
.pav-dealer { text-decoration: underline; }
.pav-tricks { border-collapse: collapse; color: inherit; font-size: .85em;
  font-variant-numeric: tabular-nums; margin-top: .3em; }
.pav-tricks th, .pav-tricks td { background: none; border: 0; padding: 0 .45em;
  text-align: right; }
.pav-tricks th:first-child { font-weight: normal; padding-left: 0; text-align: left; }
"""

_PLAIN = Caption()


def html_diagram(layout: Hands, caption: Caption = _PLAIN) -> str:
    """Return a diagram as HTML without the style.

    >>> from pavcodec import Layout
    >>> html_diagram(Layout.from_pbn("N:AK.Q.. - .32.4. -")).splitlines()[0]
    '<div class="pav-board">'
    """
    return "".join(f"{line}\n" for line in _html_lines(layout, caption))


def notebook_diagram(layout: Hands, caption: Caption = _PLAIN) -> str:
    """Return a diagram as HTML with its style, for notebooks."""
    return f"<style>\n{_HTML_STYLE}</style>\n{html_diagram(layout, caption)}"


def notebook_hand(hand: Suits) -> str:
    """Return a hand as HTML with the style of diagrams, for notebooks."""
    label = escape(str(hand))
    drawn = f'<div class="pav-board" role="img" aria-label="{label}">{_html_hand(hand)}</div>\n'
    return f"<style>\n{_HTML_STYLE}</style>\n{drawn}"


def _html_lines(layout: Hands, caption: Caption) -> Iterator[str]:
    yield '<div class="pav-board">'
    if caption.heading:
        yield f"<h3>{escape(caption.heading)}</h3>"
    yield f'<div class="pav-diagram" role="img" aria-label="{escape(str(layout))}">'
    north, east, south, west = (_html_hand(hand) for hand in layout)
    yield from ("<div></div>", north, "<div></div>", west, _html_compass(caption), east)
    yield from ("<div></div>", south, "<div></div>")
    yield "</div>"
    yield from (f"<p>{_html_suits(escape(note))}</p>" for note in caption.notes)
    yield from _html_tricks(caption)
    yield "</div>"


def _html_hand(hand: Suits) -> str:
    suits = (f"{suit.symbol} {hand.suit(suit) or '–'}" for suit in Suit)
    return f'<div class="pav-hand">{"<br>".join(map(_html_suits, suits))}</div>'


def _html_tricks(caption: Caption) -> Iterator[str]:
    if not caption.table:
        return
    (_, *heads), *rows = caption.table
    yield '<table class="pav-tricks">'
    columns = "".join(f'<th scope="col">{_html_suits(escape(head))}</th>' for head in heads)
    yield f"<tr><th>{TRICKS}</th>{columns}</tr>"
    for name, *cells in rows:
        taken = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        yield f'<tr><th scope="row">{escape(name)}</th>{taken}</tr>'
    yield "</table>"


def _html_compass(caption: Caption) -> str:
    """Return the seat letters around the table; vulnerable seats are red."""
    letters = {}
    for seat in Seat:
        classes = ["pav-vulnerable"] * (seat in caption.vulnerable)
        classes += ["pav-dealer"] * (seat is caption.dealer)
        names = f' class="{" ".join(classes)}"' if classes else ""
        letters[seat.letter] = f"<span{names}>{seat.letter}</span>"
    cells = (letters.get(letter, "<span></span>") for letter in " N W E S ")
    return f'<div class="pav-compass">{"".join(cells)}</div>'


def _html_suits(text: str) -> str:
    return _with_red_suits(text, '<span class="pav-red">', "</span>")


def _with_red_suits(text: str, before: str, after: str) -> str:
    """Return a text with marks before and after the symbols of the red suits."""
    for suit in (Suit.HEARTS, Suit.DIAMONDS):
        text = text.replace(suit.symbol, f"{before}{suit.symbol}{after}")
    return text


# Diagrams as SVG, for web pages and articles: any size, light and dark screens.


_SVG_STYLE = """\
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
_SVG_COLUMN = 136
_MARGIN = 12
_HAND = len(Suit) * _LINE
_GAP = 10
_WIDTH = 3 * _SVG_COLUMN + 2 * _MARGIN
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
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', f"<style>{_SVG_STYLE}</style>"]
    for index, (layout, caption) in enumerate(layouts):
        left, top = index % columns * _WIDTH, index // columns * row_height
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
        yield from _svg_hand(
            layout[seat], _MARGIN + column * _SVG_COLUMN, top + row * (_HAND + _GAP)
        )
    middle = top + _HAND + _GAP + _HAND // 2
    yield from _svg_compass(caption, _MARGIN + _SVG_COLUMN + _SVG_COLUMN // 2 - _GAP, middle + 4)
    yield from _svg_tricks(caption, _MARGIN + 2 * _SVG_COLUMN, top + 2 * (_HAND + _GAP))
    below = top + 3 * (_HAND + _GAP) + _LINE // 2
    for line, note in enumerate(caption.notes):
        text = _svg_suits(escape(note))
        yield f'<text class="note" x="{_MARGIN}" y="{below + line * _LINE}">{text}</text>'


def _svg_hand(hand: Suits, left: int, top: int) -> Iterator[str]:
    for row, suit in enumerate(Suit, 1):
        text = _svg_suits(f"{suit.symbol} {hand.suit(suit) or '–'}")
        yield f'<text x="{left}" y="{top + row * _LINE}">{text}</text>'


def _svg_tricks(caption: Caption, left: int, top: int) -> Iterator[str]:
    """Yield the texts of a table, beside the hand of South."""
    for row, cells in enumerate(caption.table):
        down = top + (row + 1) * _ROW
        for column, cell in enumerate(cells):
            position = f'x="{left + column * _CELL + _CELL // 2}" y="{down}"'
            yield f'<text class="table" {position}>{_svg_suits(escape(cell))}</text>'


def _svg_compass(caption: Caption, x: int, y: int) -> Iterator[str]:
    yield f'<rect x="{x - 32}" y="{y - 32}" width="64" height="64"/>'
    for seat, (right, down) in _COMPASS.items():
        classes = ["vulnerable"] * (seat in caption.vulnerable)
        classes += ["dealer"] * (seat is caption.dealer)
        names = f' class="{" ".join(classes)}"' if classes else ""
        position = f'x="{x + right}" y="{y + down}" text-anchor="middle"'
        yield f"<text {position}{names}>{seat.letter}</text>"


def _svg_suits(text: str) -> str:
    return _with_red_suits(text, '<tspan class="red">', "</tspan>")


# Tables as HTML, for notebooks: readable with light and with dark themes, every text escaped.


MOST_ROWS = 60
"""The most rows that a notebook shows."""

_TABLE_STYLE = """\
.pav-table { --pav-bar: #0072b2; --pav-line: #bbb; border-collapse: collapse; color: inherit;
  font-variant-numeric: tabular-nums; line-height: 1.35; }
@media (prefers-color-scheme: dark) { .pav-table { --pav-bar: #56b4e9; --pav-line: #666; } }
[data-jp-theme-light="true"] .pav-table { --pav-bar: #0072b2; --pav-line: #bbb; }
[data-jp-theme-light="false"] .pav-table { --pav-bar: #56b4e9; --pav-line: #666; }
.pav-table caption { caption-side: top; color: inherit; font-weight: bold; text-align: left; }
.pav-table th, .pav-table td { background: none; border-bottom: 1px solid var(--pav-line);
  padding: .15em .6em; text-align: right; }
.pav-table .pav-text { text-align: left; white-space: pre-wrap; }
.pav-table .pav-bar { background: var(--pav-bar); display: block; height: .8em; min-width: 1px; }
.pav-notes { font-size: .9em; margin: .3em 0 0; }
"""


def notebook_table(  # noqa: PLR0913 (the parts of a table, each by its name)
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    texts: Sequence[int] = (0,),
    bars: Sequence[Fraction] = (),
    notes: Sequence[str] = (),
) -> str:
    """Return a table as HTML with its style.

    `texts` are the columns at the left, and the others hold numbers. `bars` are parts of the
    longest bar, one for each row. The first 60 rows are in the table.

    >>> "a &lt; b" in notebook_table("a < b", ["value"], [[5]])
    True
    """
    lines = [f"<style>\n{_TABLE_STYLE}</style>"]
    lines += [f'<table class="pav-table"><caption>{escape(title)}</caption>']
    if any(heads):
        cells = _cells("th", [*heads, *([""] if bars else [])], texts)
        lines += [f"<thead><tr>{cells}</tr></thead>"]
    lines += ["<tbody>"]
    for index, row in enumerate(rows[:MOST_ROWS]):
        width = f"width: {8 * float(bars[index]):.2f}em" if bars else ""
        bar = f'<td><span class="pav-bar" style="{width}"></span></td>' if bars else ""
        lines += [f"<tr>{_cells('td', row, texts)}{bar}</tr>"]
    lines += ["</tbody></table>"]
    rest = len(rows) - MOST_ROWS
    notes = [*([f"… and {rest:,} more rows"] if rest > 0 else []), *notes]
    lines += [f'<p class="pav-notes">{escape(note)}</p>' for note in notes]
    return "".join(f"{line}\n" for line in lines)


def _cells(kind: str, cells: Sequence[object], texts: Sequence[int]) -> str:
    shown = []
    for column, cell in enumerate(cells):
        mark = ' class="pav-text"' if column in texts else ""
        shown.append(f"<{kind}{mark}>{escape(str(cell))}</{kind}>")
    return "".join(shown)


def percent(share: Fraction) -> str:
    """Return a share in percent with four significant digits.

    >>> percent(Fraction(1, 3)), percent(Fraction(1)), percent(Fraction(1, 10**9))
    ('33.33', '100', '1e-07')
    """
    return f"{100 * float(share):.4g}"
