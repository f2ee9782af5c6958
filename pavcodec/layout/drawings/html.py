"""Diagrams as HTML, for notebooks.

A diagram needs no other file. Its style follows the light or dark theme of the screen.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from pavcodec.cards import Seat, Suit
from pavcodec.layout.drawings.diagram import TRICKS, Caption, Hands, Suits

__all__ = ["html_diagram", "notebook_diagram", "notebook_hand"]

_STYLE = """\
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
    return "".join(f"{line}\n" for line in _lines(layout, caption))


def notebook_diagram(layout: Hands, caption: Caption = _PLAIN) -> str:
    """Return a diagram as HTML with its style, for notebooks."""
    return f"<style>\n{_STYLE}</style>\n{html_diagram(layout, caption)}"


def notebook_hand(hand: Suits) -> str:
    """Return a hand as HTML with the style of diagrams, for notebooks."""
    label = escape(str(hand))
    drawn = f'<div class="pav-board" role="img" aria-label="{label}">{_hand(hand)}</div>\n'
    return f"<style>\n{_STYLE}</style>\n{drawn}"


def _lines(layout: Hands, caption: Caption) -> Iterator[str]:
    yield '<div class="pav-board">'
    if caption.heading:
        yield f"<h3>{escape(caption.heading)}</h3>"
    yield f'<div class="pav-diagram" role="img" aria-label="{escape(str(layout))}">'
    north, east, south, west = (_hand(hand) for hand in layout)
    yield from ("<div></div>", north, "<div></div>", west, _compass(caption), east)
    yield from ("<div></div>", south, "<div></div>")
    yield "</div>"
    yield from (f"<p>{_coloured(escape(note))}</p>" for note in caption.notes)
    yield from _table(caption)
    yield "</div>"


def _hand(hand: Suits) -> str:
    suits = (f"{suit.symbol} {hand.suit(suit) or '–'}" for suit in Suit)
    return f'<div class="pav-hand">{"<br>".join(map(_coloured, suits))}</div>'


def _table(caption: Caption) -> Iterator[str]:
    if not caption.table:
        return
    (_, *heads), *rows = caption.table
    yield '<table class="pav-tricks">'
    columns = "".join(f'<th scope="col">{_coloured(escape(head))}</th>' for head in heads)
    yield f"<tr><th>{TRICKS}</th>{columns}</tr>"
    for name, *cells in rows:
        taken = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        yield f'<tr><th scope="row">{escape(name)}</th>{taken}</tr>'
    yield "</table>"


def _compass(caption: Caption) -> str:
    """Return the seat letters around the table; vulnerable seats are red."""
    letters = {}
    for seat in Seat:
        classes = ["pav-vulnerable"] * (seat in caption.vulnerable)
        classes += ["pav-dealer"] * (seat is caption.dealer)
        names = f' class="{" ".join(classes)}"' if classes else ""
        letters[seat.letter] = f"<span{names}>{seat.letter}</span>"
    cells = (letters.get(letter, "<span></span>") for letter in " N W E S ")
    return f'<div class="pav-compass">{"".join(cells)}</div>'


def _coloured(text: str) -> str:
    """Return a text in which the symbols of the red suits are marked."""
    for suit in (Suit.HEARTS, Suit.DIAMONDS):
        text = text.replace(suit.symbol, f'<span class="pav-red">{suit.symbol}</span>')
    return text
