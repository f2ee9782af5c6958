"""A distribution as SVG: bars for a number, a heat map for a pair.

The page draws the same with its own style, so lengths are attributes and colours are classes. A
file has a style of its own, in light and dark.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from html import escape
from textwrap import wrap

from pavcodec.web.tasks.exact import Chance, Estimate
from pavcodec.web.tasks.odds.question import OddsAnswer, ValueChance

__all__ = ["HEATS", "draw", "heat_map", "percent_of_cell", "share_of"]

HEATS = 10
"""The classes of a heat map, `heat-0` to `heat-9`."""

_ROW, _BAR, _NAMES = 22, 420, 56
_CELL, _HEIGHT, _LEFT, _TOP = 46, 26, 46, 30
_STYLE = """\
svg { background: #fff; color: #1b1b1b; font: 13px system-ui, sans-serif; }
text { fill: currentColor; } .bar { fill: #0072b2; } .whisker { stroke: currentColor; }
.heat-0 { fill: #f0f6fa; } .heat-1 { fill: #deecf5; } .heat-2 { fill: #c8e0ee; }
.heat-3 { fill: #b0d2e6; } .heat-4 { fill: #94c2dd; } .heat-5 { fill: #76afd2; }
.heat-6 { fill: #5799c4; } .heat-7 { fill: #3a81b3; } .heat-8 { fill: #23699d; }
.heat-9 { fill: #115083; } .on-dark { fill: #fff; }
"""


def share_of(chance: Chance | Estimate) -> Fraction:
    """Return a probability, or the value of an estimate."""
    if isinstance(chance, Chance):
        return chance.exact
    return Fraction(chance.accepted, chance.tried)


def draw(answer: OddsAnswer, given: str) -> str:
    """Return an SVG file of the distribution of a number or of a pair."""
    title = " and ".join(answer.titles) + (f" with {given}" if given else "")
    kind = "exact" if answer.exact else f"an estimate from {answer.total:,} random deals"
    lines = wrap(f"{title}: {kind}, in percent", 84, max_lines=3, placeholder=" …")
    marks = list(_bars(answer.values) if answer.kind == "number" else _cells(answer.values))
    width, height = _size(answer)
    top = 18 * len(lines) + 12
    heads = [
        f'<text x="8" y="{18 * place + 18}">{escape(line)}</text>'
        for place, line in enumerate(lines)
    ]
    width = max(width, 8 * max(map(len, lines)))
    return "\n".join(
        [
            _opening(width, height + top, 'xmlns="http://www.w3.org/2000/svg" role="img"'),
            f"<title>{escape(title)}</title>",
            f"<style>{_STYLE}</style>",
            *heads,
            f'<g transform="translate(0 {top})">',
            *marks,
            "</g>",
            "</svg>",
            "",
        ]
    )


def _opening(width: int, height: int, attributes: str) -> str:
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return f"<svg {attributes} {size}>"


def _size(answer: OddsAnswer) -> tuple[int, int]:
    if answer.kind == "number":
        return _NAMES + _BAR + 100, _ROW * len(answer.values) + 8
    downs, acrosses = _axes(answer.values)
    return _LEFT + _CELL * len(acrosses) + 8, _TOP + _HEIGHT * len(downs) + 8


def heat_map(answer: OddsAnswer) -> str:
    """Return the heat map of a pair for a page; its style comes from the page.

    Its text is hidden from screen readers, which have the table beside it.
    """
    width, height = _size(answer)
    return "\n".join(
        [
            _opening(width, height, 'class="heat-map" aria-hidden="true"'),
            *_cells(answer.values),
            "</svg>",
        ]
    )


def _bars(values: Sequence[ValueChance]) -> Iterator[str]:
    most = max(share_of(each.chance) for each in values)
    for place, each in enumerate(values):
        y, share = _ROW * place, share_of(each.chance)
        length = float(_BAR * share / most)
        yield (
            f'<text x="{_NAMES - 8}" y="{y + 15}" text-anchor="end">{each.value[0]}</text>'
            f'<rect class="bar" x="{_NAMES}" y="{y + 3}" width="{length:.2f}" height="{_ROW - 6}"/>'
            f'<text x="{_NAMES + length + 6:.2f}" y="{y + 15}">{escape(_text(each.chance))}</text>'
        )


def _text(chance: Chance | Estimate) -> str:
    if isinstance(chance, Estimate):
        return f"{chance.percent} ({chance.low} to {chance.high})"
    return chance.percent


def _axes(values: Sequence[ValueChance]) -> tuple[list[int], list[int]]:
    """Return all values of the first number, and of the second, without gaps."""
    ends = [[each.value[place] for each in values] for place in (0, 1)]
    down, across = (list(range(min(each), max(each) + 1)) for each in ends)
    return down, across


def _cells(values: Sequence[ValueChance]) -> Iterator[str]:
    downs, acrosses = _axes(values)
    most = max(share_of(each.chance) for each in values)
    for place, across in enumerate(acrosses):
        x = _LEFT + _CELL * place + _CELL / 2
        yield f'<text x="{x:g}" y="{_TOP - 10}" text-anchor="middle">{across}</text>'
    for place, down in enumerate(downs):
        y = _TOP + _HEIGHT * place + 18
        yield f'<text x="{_LEFT - 8}" y="{y}" text-anchor="end">{down}</text>'
    for each in values:
        x = _LEFT + _CELL * acrosses.index(each.value[1])
        y = _TOP + _HEIGHT * downs.index(each.value[0])
        share = share_of(each.chance)
        heat = min(HEATS - 1, int(share * HEATS / most))
        dark = ' class="on-dark"' if heat > HEATS // 2 else ""
        yield (
            f"<g><title>{each.value[0]} and {each.value[1]}: {escape(_text(each.chance))}</title>"
            f'<rect class="heat-{heat}" x="{x}" y="{y}" width="{_CELL - 1}" '
            f'height="{_HEIGHT - 1}"/>'
            f'<text{dark} x="{x + _CELL / 2:g}" y="{y + 17}" text-anchor="middle">'
            f"{percent_of_cell(share)}</text></g>"
        )


def percent_of_cell(share: Fraction) -> str:
    """Return a share for a cell: percent with one decimal; `<0.1` for less, as markup.

    >>> percent_of_cell(Fraction(1, 8)), percent_of_cell(Fraction(1, 10**6))
    ('12.5', '&lt;0.1')
    """
    tenths = round(share * 1000)
    return escape("<0.1") if share and not tenths else f"{tenths // 10}.{tenths % 10}"
