"""Odds for a server: what a page draws of an answer, and its files.

The question itself is `pavcodec.questions.odds`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from html import escape
from textwrap import wrap
from typing import Any, Literal, cast

from pydantic import Field

from pavcodec.chances.figures import chances, digits, odds_text, plain_percent
from pavcodec.constraints.spaces.estimates import Estimate, root
from pavcodec.errors import PavError
from pavcodec.questions.odds import EventAnswer, NumberAnswer
from pavcodec.web.tasks.asked import answer_within, model_of, question_of, task_of
from pavcodec.web.tasks.task import Download, Task
from pavcodec.web.tasks.writing import file_of, media_types

# What the page draws: facts, bars, and tables of texts.


MOST_VALUES = 4000
"""The most values of a number or of a pair in an answer."""
_LONGEST = 30
"""The most characters of an exact average."""


def view_of(answer: EventAnswer | NumberAnswer) -> dict[str, Any]:
    """Return what a page draws of an answer; raise `PavError` for too many values.

    >>> from pavcodec.questions.odds import Odds
    >>> view_of(cast("EventAnswer", Odds("spades(east) == 2").answer()))["figure"]
    '20.59 %'
    """
    if isinstance(answer, EventAnswer):
        return {"kind": "event", "titles": [answer.title]} | _event(answer.chance)
    values, titles = answer.distribution, answer.asked.titles
    kind = "number" if len(titles) == 1 else "pair"
    if len(values) > MOST_VALUES:
        what = "pairs of values" if kind == "pair" else "values"
        raise PavError(
            f"there are {len(values):,} {what}, and an answer has {MOST_VALUES:,} at most: "
            "'pavcodec odds' prints all on your own machine"
        )
    drawn = _pair(answer) if kind == "pair" else _number(answer)
    total = None if answer.weights else values.total
    return {"kind": kind, "titles": titles, "exact": answer.is_exact, "total": total} | drawn


def _event(chance: Fraction | Estimate[Fraction]) -> dict[str, Any]:
    if isinstance(chance, Estimate):
        passed = f"{chance.accepted:,} of {chance.tried:,}"
        facts = [["95 % interval", _interval(chance)], ["Random deals", passed]]
        return {"exact": False, "figure": f"about {plain_percent(chance.value)}", "facts": facts}
    ends = {0: "never", 1: "always"}
    is_end = chance in ends
    facts = [["Probability", str(chance)]]
    facts += [["Chance", ends[int(chance)] if is_end else chances(chance)]]
    facts += [] if is_end else [["Odds", odds_text(chance)]]
    return {"exact": True, "figure": plain_percent(chance), "facts": facts, "total": None}


def _interval(chance: Estimate[Fraction]) -> str:
    return f"{plain_percent(chance.low)} to {plain_percent(chance.high)}"


def _number(answer: NumberAnswer) -> dict[str, Any]:
    """Return the bars, the table and the average of a number."""
    values = answer.distribution
    mean, exactly = values.mean, str(values.mean)
    average = digits(mean, 6)
    if not answer.is_exact and values.total > 1:
        average += f" ± {digits(cast('Any', values).standard_error, 6)}"
    facts = [["Average", average], ["Standard deviation", digits(root(values.variance), 6)]]
    if answer.is_exact and "/" in exactly and len(exactly) < _LONGEST:
        facts.append(["Exact average", exactly])
    return {
        "facts": facts,
        "bars": [_bar(str(value), chance) for value, chance in values.items()],
        "rows": list(_rows(answer)),
        "breaks": [
            {**_bar(f"{more}–{fewer}", share), "note": str(share)}
            for (more, fewer), share in answer.breaks.items()
        ],
    }


def _bar(label: str, chance: Fraction | Estimate[Fraction]) -> dict[str, Any]:
    share, note = _share(chance), _interval(chance) if isinstance(chance, Estimate) else ""
    return {"label": label, "share": float(share), "text": plain_percent(share), "note": note}


def _share(chance: Fraction | Estimate[Fraction]) -> Fraction:
    """Return a probability, or the value of an estimate."""
    return chance if isinstance(chance, Fraction) else chance.value


def _rows(answer: NumberAnswer) -> Iterator[list[str]]:
    """Yield for each value its probability, that of more and that of less, and the deals."""
    below = Fraction(0)
    for value, chance in answer.distribution.items():
        share = _share(chance)
        below += share
        yield [
            str(value),
            plain_percent(share),
            plain_percent(1 - below + share),
            plain_percent(below),
            str(chance) if isinstance(chance, Fraction) else plain_percent(share),
            "–" if answer.weights else f"{answer.distribution.counts[value]:,}",
        ]


def _pair(answer: NumberAnswer) -> dict[str, Any]:
    """Return the heat map of a pair and its table: a row for each first value, and the sums."""
    shares = {value: _share(chance) for value, chance in answer.distribution.items()}
    downs, acrosses = (sorted({value[which] for value in shares}) for which in (0, 1))
    table = [[shares.get((down, across), Fraction(0)) for across in acrosses] for down in downs]
    table.append([sum(column, Fraction(0)) for column in zip(*table, strict=True)])
    rows = [
        [name, *map(_figure, row), _figure(sum(row, Fraction(0)))]
        for name, row in zip([*map(str, downs), "all"], table, strict=True)
    ]
    width, height, marks = _heat_map(answer)
    attributes = 'class="heat-map" aria-hidden="true"'  # screen readers have the table beside it
    drawn = "\n".join([_opening(width, height, attributes), *marks, "</svg>"])
    return {"map": drawn, "head": ["", *map(str, acrosses), "all"], "rows": rows}


def _figure(share: Fraction) -> str:
    return plain_percent(share).removesuffix(" %") if share else "–"


# A distribution as SVG: bars for a number, a heat map for a pair.
#
# The page draws the same with its own style, so lengths are attributes and colours are classes. A
# file has a style of its own, in light and dark.


_HEATS = 10
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


def draw(answer: NumberAnswer) -> str:
    """Return an SVG file of the distribution of a number or of a pair."""
    title = " and ".join(answer.asked.titles) + (f" with {answer.given}" if answer.given else "")
    total = answer.distribution.total
    kind = "exact" if answer.is_exact else f"an estimate from {total:,} random deals"
    lines = wrap(f"{title}: {kind}, in percent", 84, max_lines=3, placeholder=" …")
    width, height, marks = (_bars if len(answer.asked.titles) == 1 else _heat_map)(answer)
    top, width = 18 * len(lines) + 12, max(width, 8 * max(map(len, lines)))
    heads = [
        f'<text x="8" y="{18 * row + 18}">{escape(line)}</text>' for row, line in enumerate(lines)
    ]
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


def _bars(answer: NumberAnswer) -> tuple[int, int, list[str]]:
    """Return width, height and marks of a picture of a number."""
    values = cast("Mapping[int, Fraction | Estimate[Fraction]]", answer.distribution)
    marks = []
    most = max(map(_share, values.values()))
    for row, (value, chance) in enumerate(values.items()):
        y, length = _ROW * row, float(_BAR * _share(chance) / most)
        marks.append(
            f'<text x="{_NAMES - 8}" y="{y + 15}" text-anchor="end">{value}</text>'
            f'<rect class="bar" x="{_NAMES}" y="{y + 3}" width="{length:.2f}" height="{_ROW - 6}"/>'
            f'<text x="{_NAMES + length + 6:.2f}" y="{y + 15}">{escape(_text(chance))}</text>'
        )
    return _NAMES + _BAR + 100, _ROW * len(values) + 8, marks


def _text(chance: Fraction | Estimate[Fraction]) -> str:
    text = plain_percent(_share(chance))
    return text if isinstance(chance, Fraction) else f"{text} ({_interval(chance)})"


def _heat_map(answer: NumberAnswer) -> tuple[int, int, list[str]]:
    """Return width, height and marks of a picture of a pair; its axes have no gaps."""
    values = cast("Mapping[tuple[int, int], Fraction | Estimate[Fraction]]", answer.distribution)
    most = max(map(_share, values.values()))
    ends = [[value[which] for value in values] for which in (0, 1)]
    downs, acrosses = (range(min(each), max(each) + 1) for each in ends)
    marks = []
    for index, across in enumerate(acrosses):
        x = _LEFT + _CELL * index + _CELL / 2
        marks.append(f'<text x="{x:g}" y="{_TOP - 10}" text-anchor="middle">{across}</text>')
    for index, down in enumerate(downs):
        y = _TOP + _HEIGHT * index + 18
        marks.append(f'<text x="{_LEFT - 8}" y="{y}" text-anchor="end">{down}</text>')
    for (down, across), chance in values.items():
        x, y = _LEFT + _CELL * acrosses.index(across), _TOP + _HEIGHT * downs.index(down)
        share = _share(chance)
        heat = min(_HEATS - 1, int(share * _HEATS / most))
        dark = ' class="on-dark"' if heat > _HEATS // 2 else ""
        marks.append(
            f"<g><title>{down} and {across}: {escape(_text(chance))}</title>"
            f'<rect class="heat-{heat}" x="{x}" y="{y}" width="{_CELL - 1}" '
            f'height="{_HEIGHT - 1}"/>'
            f'<text{dark} x="{x + _CELL / 2:g}" y="{y + 17}" text-anchor="middle">'
            f"{percent_of_cell(share)}</text></g>"
        )
    width, height = _CELL * len(acrosses), _HEIGHT * len(downs)
    return _LEFT + width + 8, _TOP + height + 8, marks


def percent_of_cell(share: Fraction) -> str:
    """Return a share for a cell: percent with one decimal; `<0.1` for less, as markup.

    >>> percent_of_cell(Fraction(1, 8)), percent_of_cell(Fraction(1, 10**6))
    ('12.5', '&lt;0.1')
    """
    tenths = round(share * 1000)
    return escape("<0.1") if share and not tenths else f"{tenths // 10}.{tenths % 10}"


# The answer as a file.


class OddsFile(model_of("odds")):  # type: ignore[misc]  # a model that is made of declarations
    """The distribution of a number or of a pair, as a file."""

    to: Literal["csv", "json", "svg"] = Field("csv", description="the format of the file")


def make_odds_file(asked: OddsFile) -> Download:
    """Return the distribution of a number or of a pair as a file."""
    answer = cast("EventAnswer | NumberAnswer", answer_within(question_of("odds", asked)))
    out = io.StringIO()
    if asked.to == "json":
        out.write(f"{json.dumps(answer.to_dict())}\n")
    elif asked.to == "csv":
        csv.writer(out, lineterminator="\n").writerows(answer.rows())
    elif isinstance(answer, EventAnswer):
        raise PavError("an event has one probability and no drawing: choose csv or json")
    else:
        out.write(draw(answer))
    return file_of(f"odds.{asked.to}", out.getvalue().encode())


ODDS = task_of(
    "odds", {"event": "spades(east)", "given": "spades(north) + spades(south) == 9"}, view_of
)
ODDS_FILE = Task(
    "odds/file",
    "Return the distribution of a number or of a pair as CSV, JSON or SVG.",
    make_odds_file,
    OddsFile(event="hcp(north)", hands=("S AKQ2.K85.AJ4.T63",), to="csv"),
    media_types([".csv", ".json", ".svg"]),
)
