"""Tables of at most 80 columns, or of the width of the terminal.

A table that is too wide gets another form, and never loses a fact:

1. one column of text is folded, if it keeps a readable width;
2. a table of words and figures gets narrower gaps; a table of figures is divided into parts that
   repeat the first column;
3. otherwise, the widest columns become lines below their rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from pavcodec.questions.asking import screen_width

WIDTH = 80
"""The greatest width of a table in a file or a pipe."""

_LEAST = 24
"""The least width of a folded column."""
_INDENT = "    "
_FIGURE = re.compile(r"([-0-9,]*)((?:\.[0-9]+)?(?:e-?[0-9]+)?)( %)?")
"""A figure: its integer part, the rest of its digits, and its unit."""

Rows = list[list[str]]


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, folds: bool = False
) -> None:
    """Print the lines of `ruled_lines`."""
    for line in ruled_lines(columns, rows, folds=folds):
        print(line)


def ruled_lines(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, folds: bool = False
) -> Iterator[str]:
    """Yield the lines of a table with a rule below its heads, as wide as the asker's screen.

    Columns of figures are aligned at the decimal point. If `folds` is true, the last column has
    prose, and is folded even if other columns are wide.
    """
    return _fitted(columns, rows, screen_width() or WIDTH, rule=True, folds=folds)


def table_lines(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, width: int = WIDTH, group: int = 1
) -> Iterator[str]:
    r"""Yield the lines of a table; columns of figures are aligned at the decimal point.

    If the table is divided, `group` columns after the first stay together.

    >>> print(*table_lines(["suit", "cards"], [["S", "4.25"], ["H", "10"]]), sep="\n")
    suit  cards
    S      4.25
    H     10
    """
    return _fitted(columns, rows, width, group=group)


def fact_lines(
    facts: Iterable[tuple[str, str]], start: int, *, width: int = WIDTH
) -> Iterator[str]:
    r"""Yield lines of facts, each a head and a text that starts in column `start`.

    Long texts are folded between words.

    >>> print(*fact_lines([("what", "deals and endings")], 8, width=16), sep="\n")
    what    deals
            and
            endings
    """
    for head, text in facts:
        first, *rest = wrap(
            text, width - start, break_on_hyphens=False, break_long_words=False
        ) or [""]
        yield f"{head:<{start}}{first}".rstrip()
        yield from (" " * start + line for line in rest)


def apart(blocks: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield the lines of blocks, with an empty line between two.

    >>> list(apart([["a", "b"], ["c"]]))
    ['a', 'b', '', 'c']
    """
    for number, block in enumerate(blocks):
        yield from [""] if number else []
        yield from block


def _fitted(  # noqa: PLR0913 (keywords)
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    width: int,
    *,
    rule: bool = False,
    folds: bool = False,
    group: int = 1,
) -> Iterator[str]:
    """Yield the lines of a table that is no wider than `width`, if that is possible."""
    heads, cells = list(columns), [list(row) for row in rows]
    figures = [_are_figures(column) for column in zip(*cells, strict=True)] or [False] * len(heads)
    for index, is_figure in enumerate(figures):
        if is_figure:
            _align(cells, index)
    widths = _widths(heads, cells)
    if _total(widths) <= width:
        yield from _plain(heads, cells, figures, widths, rule=rule)
        return
    if _total(widths, 1) <= width and not any(" " in cell.strip() for row in cells for cell in row):
        yield from _plain(heads, cells, figures, widths, rule=rule, gap=1)
        return
    if all(figures[1:]):
        yield from _divided(heads, cells, figures, width, rule=rule, group=group)
        return
    folded = _folded_widths(cells, widths, figures, width, folds=folds)
    if folded is not None:
        yield from _plain(heads, cells, figures, folded, rule=rule)
        return
    yield from _with_lines_below(heads, cells, figures, width, rule=rule)


def _plain(  # noqa: PLR0913 (keywords)
    heads: list[str],
    cells: Rows,
    figures: Sequence[bool],
    widths: Sequence[int],
    *,
    rule: bool = False,
    gap: int = 2,
) -> Iterator[str]:
    """Yield the lines of a table whose columns have these widths, and fold longer cells."""
    yield from _lines_of_row(heads, figures, widths, gap)
    if rule:
        yield "─" * _total(widths, gap)
    for row in cells:
        yield from _lines_of_row(row, figures, widths, gap)


def _lines_of_row(
    row: Sequence[str], figures: Sequence[bool], widths: Sequence[int], gap: int
) -> Iterator[str]:
    parts = [
        [cell] if len(cell) <= width else _wrap(cell, width)
        for cell, width in zip(row, widths, strict=True)
    ]
    for number in range(max(map(len, parts))):
        line = [part[number] if number < len(part) else "" for part in parts]
        padded = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, figures, strict=True)
        ]
        yield (" " * gap).join(padded).rstrip()


def _wrap(text: str, width: int) -> list[str]:
    """Return the lines of a text; words longer than a line are divided."""
    return wrap(text, max(width, 1), break_on_hyphens=False) or [""]


def _folded_widths(
    cells: Rows, widths: Sequence[int], figures: Sequence[bool], width: int, *, folds: bool
) -> list[int] | None:
    """Return widths for a table with folded columns, or None if they are too narrow."""
    prose = [
        column
        for column, is_figure in enumerate(figures)
        if not is_figure and column and any(" " in row[column] for row in cells)
    ]
    room = width - _total(widths) + sum(widths[column] for column in prose)
    folded = list(widths)
    for left, column in zip(
        range(len(prose), 0, -1), sorted(prose, key=lambda one: widths[one]), strict=True
    ):
        folded[column] = min(widths[column], room // left)
        if folded[column] < min(widths[column], _LEAST):
            return None
        room -= folded[column]
    is_readable = len(prose) == 1 or folds
    return folded if prose and is_readable and _total(folded) <= width else None


def _divided(  # noqa: PLR0913 (keywords)
    heads: list[str],
    cells: Rows,
    figures: Sequence[bool],
    width: int,
    *,
    rule: bool,
    group: int,
) -> Iterator[str]:
    """Yield the parts of a table of figures, each with the first column and whole groups."""
    widths = _widths(heads, cells)
    groups = [range(first, first + group) for first in range(1, len(heads), group)]
    while groups:
        chosen = [0, *groups.pop(0)]
        while groups and _total([widths[each] for each in (*chosen, *groups[0])]) <= width:
            chosen += groups.pop(0)
        yield from _plain(*_chosen(heads, cells, figures, chosen), rule=rule)
        if groups:
            yield ""


def _with_lines_below(
    heads: list[str], cells: Rows, figures: Sequence[bool], width: int, *, rule: bool
) -> Iterator[str]:
    """Yield a table whose widest columns are lines below each row."""
    below = _columns_below(heads, cells, width)
    kept = [column for column in range(len(heads)) if column not in below]
    some, rows, kinds, widths = _chosen(heads, cells, figures, kept)
    widths = [min(each, width) for each in widths]
    yield from _lines_of_row(some, kinds, widths, 2)
    if rule:
        yield "─" * width
    for number, (row, short) in enumerate(zip(cells, rows, strict=True)):
        if number and len(below) > 1:
            yield ""
        yield from _lines_of_row(short, kinds, widths, 2)
        for column in below:
            if row[column].strip():
                text = f"{heads[column]}: {row[column].strip()}" if heads[column] else row[column]
                yield from wrap(
                    text,
                    width,
                    initial_indent=_INDENT,
                    subsequent_indent=_INDENT + "  ",
                    break_on_hyphens=False,
                )


def _columns_below(heads: list[str], cells: Rows, width: int) -> list[int]:
    """Return the fewest columns without which a table fits: first columns of prose, then wide ones.

    The first column stays.
    """
    widths = _widths(heads, cells)
    removed: list[int] = []
    while len(removed) < len(heads) - 1:
        rest = _total([each for column, each in enumerate(widths) if column not in removed])
        if rest <= width:
            break
        others = [column for column in range(1, len(heads)) if column not in removed]
        enough = [column for column in others if rest - widths[column] - 2 <= width] or others
        prose = [column for column in enough if any(" " in row[column].strip() for row in cells)]
        removed.append(max(prose or enough, key=lambda column: widths[column]))
    return sorted(removed)


def _chosen(
    heads: list[str], cells: Rows, figures: Sequence[bool], kept: Sequence[int]
) -> tuple[list[str], Rows, list[bool], list[int]]:
    """Return the heads, rows, kinds and widths of some columns."""
    some = [heads[column] for column in kept]
    rows = [[row[column] for column in kept] for row in cells]
    return some, rows, [figures[column] for column in kept], _widths(some, rows)


def _widths(heads: Sequence[str], cells: Rows) -> list[int]:
    return [max(map(len, column)) for column in zip(heads, *cells, strict=True)]


def _total(widths: Sequence[int], gap: int = 2) -> int:
    return sum(widths) + gap * (len(widths) - 1)


def _are_figures(column: Sequence[str]) -> bool:
    """Return whether all cells of a column are empty or have a number."""
    return all(character in "0123456789,.- %e" for cell in column for character in cell)


def _align(cells: Rows, column: int) -> None:
    """Pad the figures of a column, so that right-aligned ones have their points in one line."""
    figures = [_FIGURE.fullmatch(row[column]) for row in cells]
    matches = [figure for figure in figures if figure is not None and figure[0]]
    points = max((len(figure[2]) for figure in matches), default=0)
    units = max((len(figure[3] or "") for figure in matches), default=0)
    for row, figure in zip(cells, figures, strict=True):
        if figure is not None and figure[0]:
            unit = (figure[3] or "").ljust(units)
            row[column] = figure[1] + figure[2].ljust(points) + unit
