"""Tables as HTML, for notebooks: readable with light and with dark themes, every text escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from html import escape

__all__ = ["notebook_table", "percent"]

MOST_ROWS = 60
"""The most rows that a notebook shows."""

_STYLE = """\
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
    return f"<style>\n{_STYLE}</style>\n" + "".join(_lines(title, heads, rows, texts, bars, notes))


def _lines(  # noqa: PLR0913, PLR0917
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[object]],
    texts: Sequence[int],
    bars: Sequence[Fraction],
    notes: Sequence[str],
) -> Iterator[str]:
    yield f'<table class="pav-table"><caption>{escape(title)}</caption>\n'
    if any(heads):
        yield f"<thead><tr>{_cells('th', [*heads, *([''] if bars else [])], texts)}</tr></thead>\n"
    yield "<tbody>\n"
    for place, row in enumerate(rows[:MOST_ROWS]):
        bar = f"<td>{_bar(bars[place])}</td>" if bars else ""
        yield f"<tr>{_cells('td', row, texts)}{bar}</tr>\n"
    yield "</tbody></table>\n"
    rest = len(rows) - MOST_ROWS
    for note in (*([f"… and {rest:,} more rows"] if rest > 0 else []), *notes):
        yield f'<p class="pav-notes">{escape(note)}</p>\n'


def _cells(kind: str, cells: Sequence[object], texts: Sequence[int]) -> str:
    shown = []
    for place, cell in enumerate(cells):
        mark = ' class="pav-text"' if place in texts else ""
        shown.append(f"<{kind}{mark}>{escape(str(cell))}</{kind}>")
    return "".join(shown)


def _bar(part: Fraction) -> str:
    return f'<span class="pav-bar" style="width: {8 * float(part):.2f}em"></span>'


def percent(share: Fraction) -> str:
    """Return a share in percent with four significant digits.

    >>> percent(Fraction(1, 3)), percent(Fraction(1)), percent(Fraction(1, 10**9))
    ('33.33', '100', '1e-07')
    """
    return f"{100 * float(share):.4g}"
