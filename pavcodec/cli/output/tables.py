"""Tables on a terminal and in a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

__all__ = ["print_table", "table_lines"]

_WIDEST = 1000
_LEAST_FOLDED = 24


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, folds: bool = False
) -> None:
    """Print a table; columns of figures are right-aligned and never cut.

    If `folds` is true, the last column has prose, and is folded to the width of the terminal. In a
    pipe, every row is one line.
    """
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    cells = [list(row) for row in rows]
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for place, column in enumerate(columns):
        figures = all(_is_figure(row[place]) for row in cells)
        prose = folds and place == len(columns) - 1
        table.add_column(column, justify="right" if figures else "left", no_wrap=not prose)
    for row in cells:
        table.add_row(*map(Text, row))
    screen = Console(highlight=False)
    wide = Console(highlight=False, width=_WIDEST)
    width = wide.measure(table).maximum
    if folds and screen.is_terminal:
        prose_width = max(len(row[-1]) for row in cells)
        width = min(width, max(screen.width, width - prose_width + _LEAST_FOLDED))
    if screen.is_terminal:
        screen.width = width
        screen.print(table, soft_wrap=False)
    else:
        wide.width = width
        for line in wide.render_lines(table, pad=False):
            print("".join(segment.text for segment in line).rstrip())


def table_lines(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    r"""Yield the lines of a table for a file or a pipe; columns of figures are right-aligned.

    >>> print(*table_lines(["suit", "cards"], [["S", "4"], ["H", "10"]]), sep="\n")
    suit  cards
    S         4
    H        10
    """
    cells = [list(columns), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    figures = [all(map(_is_figure, column[1:])) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, figures, strict=True)
        ]
        yield "  ".join(padded).rstrip()


def _is_figure(cell: str) -> bool:
    """Return whether a cell is empty or has a number."""
    return all(character in "0123456789,.- %e" for character in cell)
