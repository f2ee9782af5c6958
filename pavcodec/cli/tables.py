"""Tables on the screen and in a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["print_table"]

_WIDEST = 1000
_LEAST_FOLDED = 24


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, folds: bool = False
) -> None:
    """Print a table; figures stand at the right and are never cut.

    Where `folds` is true, the last column holds prose and is folded to the width of a terminal. In
    a pipe every row is one line.
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


def _is_figure(cell: str) -> bool:
    """Tell whether a cell holds a number, or nothing."""
    return all(character in "0123456789,.- " for character in cell)
