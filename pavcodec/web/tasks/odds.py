"""Odds for a server: what a page draws of an answer, its files, and questions of players.

The question itself is `pavcodec.questions.odds`. Two that players ask most have short forms, and a
distribution is also a file: CSV, JSON or SVG.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from textwrap import wrap
from typing import Any, Literal, cast

from pydantic import Field

from pavcodec.cards import Rank
from pavcodec.chances.distributions import Distribution, SampledDistribution, WeightedDistribution
from pavcodec.chances.figures import odds_text
from pavcodec.constraints.spaces.share import Share, root
from pavcodec.errors import PavError
from pavcodec.questions.odds import EventAnswer, NumberAnswer
from pavcodec.web.tasks.asked import answer_within, model_of, question_of, task_of
from pavcodec.web.tasks.exact import Chance, Estimate, Exact, Whole, chance_of, decimal
from pavcodec.web.tasks.task import TEXT, ClosedFields, Download, Question, Task
from pavcodec.web.tasks.writing import file_of, media_types


class ValueChance(ClosedFields):
    """A value of a number, or a pair of values, with its probability."""

    value: tuple[int, ...] = Field(description="the value of each number")
    deals: Whole | None = Field(description="how many deals have it; null for weighted deals")
    chance: Chance | Estimate = Field(description="its probability")


class Average(ClosedFields):
    """The average of a number, and how far its values are from it."""

    mean: Exact = Field(description="the average, as a/b; of an estimate, that of its sample")
    mean_decimal: str = Field(description="the average, rounded to 12 significant digits")
    variance: Exact = Field(description="the average square of the distance from the average")
    deviation: str = Field(description="the standard deviation, rounded to 12 significant digits")
    error: str | None = Field(description="the standard error of an estimated average; else null")


class OddsView(ClosedFields):
    """What a page draws of an answer; an estimate is not exact, and has intervals."""

    kind: Literal["event", "number", "pair"]
    titles: tuple[str, ...]
    given: str
    exact: bool
    total: int | None
    chance: Chance | Estimate | None = None
    odds: str | None = None
    values: tuple[ValueChance, ...] = ()
    average: Average | None = None


MOST_VALUES = 4000
"""The most values of a number or of a pair in an answer."""


def view_of(answer: EventAnswer | NumberAnswer) -> OddsView:
    """Return what a page draws of an answer; raise `PavError` for too many values.

    >>> from pavcodec.questions.odds import Odds
    >>> view_of(cast("EventAnswer", Odds("spades(east) == 2").answer())).chance.percent
    '20.59 %'
    """
    if isinstance(answer, EventAnswer):
        chance = answer.chance
        is_exact = isinstance(chance, Fraction)
        return OddsView(
            kind="event",
            titles=(answer.title,),
            given=answer.given,
            exact=is_exact,
            total=chance.tried if isinstance(chance, Share) else None,
            chance=chance_of(chance),
            odds=odds_text(chance) if isinstance(chance, Fraction) and 0 < chance < 1 else None,
        )
    values, titles = answer.distribution, answer.asked.titles
    kind: Literal["number", "pair"] = "number" if len(titles) == 1 else "pair"
    if len(values) > MOST_VALUES:
        what = "pairs of values" if kind == "pair" else "values"
        raise PavError(
            f"there are {len(values):,} {what}, and an answer has {MOST_VALUES:,} at most: "
            "'pavcodec odds' prints all on your own machine"
        )
    return OddsView(
        kind=kind,
        titles=tuple(titles),
        given=answer.given,
        exact=answer.is_exact,
        total=None if isinstance(values, WeightedDistribution) else values.total,
        values=tuple(_values(values)),
        average=_average(values) if kind == "number" else None,
    )


def _values(result: Distribution[Any] | SampledDistribution[Any]) -> Iterator[ValueChance]:
    is_weighted = isinstance(result, WeightedDistribution)
    for value, chance in result.items():
        yield ValueChance(
            value=value if isinstance(value, tuple) else (value,),
            deals=None if is_weighted else result.counts[value],
            chance=chance_of(chance),
        )


def _average(values: Distribution[Any] | SampledDistribution[Any]) -> Average:
    error = None
    if isinstance(values, SampledDistribution) and values.total > 1:
        error = decimal(values.standard_error)
    return Average(
        mean=values.mean,
        mean_decimal=decimal(values.mean),
        variance=values.variance,
        deviation=decimal(root(values.variance)),
        error=error,
    )


OddsQuestion: Any = model_of("odds")
"""The fields of a question of odds."""


class OddsFile(OddsQuestion):  # type: ignore[misc]  # a model that is made of declarations
    """The distribution of a number or of a pair, as a file."""

    to: Literal["csv", "json", "svg"] = Field("csv", description="the format of the file")


# Questions of players, to click on the page and to test.


@dataclass(frozen=True)
class Example:
    """A question in the words of a player, and its fields."""

    words: str
    question: Question


_FOUR_WITH_QUEEN = (
    "spades(north) + spades(south) == 9 && !hascard(north, SQ) && !hascard(south, SQ)"
)
_DROPS = "(hascard(east, SQ) && spades(east) <= 2) || (hascard(west, SQ) && spades(west) <= 2)"
_NOTRUMP = "shape(north, any 4333 + any 4432 + any 5332) && hcp(north) >= 15 && hcp(north) <= 17"
_HAND = "S AKQ2.K85.AJ4.T63"
_MAJORS = "S KQ974.AJ86.52.83"

EXAMPLES = (
    Example(
        "Five trumps are missing: how do they break?",
        OddsQuestion(event="spades(west)", given="spades(north) + spades(south) == 8"),
    ),
    Example(
        "West opened a weak two with six hearts, East has two: how do four spades break?",
        OddsQuestion(
            event="spades(west)",
            given="spades(north) + spades(south) == 9 && hearts(west) == 6 && hearts(east) == 2",
        ),
    ),
    Example(
        "Nine trumps without the queen: does she fall in two rounds?",
        OddsQuestion(event=_DROPS, given=_FOUR_WITH_QUEEN),
    ),
    Example(
        "I hold 17 points: how many has partner?",
        OddsQuestion(event="hcp(north)", hands=(_HAND,)),
    ),
    Example(
        "I have five spades and four hearts, partner opens 1NT: have we a fit of eight?",
        OddsQuestion(
            event="spades(north) >= 3 || hearts(north) >= 4", given=_NOTRUMP, hands=(_MAJORS,)
        ),
    ),
    Example(
        "The lengths of partner's majors after 1NT, opposite that hand",
        OddsQuestion(
            event="spades(north)", second="hearts(north)", given=_NOTRUMP, hands=(_MAJORS,)
        ),
    ),
    Example(
        "I have six spades: how often has partner two or more?",
        OddsQuestion(event="spades(north) >= 2", given="spades(south) == 6"),
    ),
    Example(
        "We have 25 points together: how are the other 15 divided?",
        OddsQuestion(event="hcp(west)", given="hcp(north) + hcp(south) == 25"),
    ),
    Example(
        "How often does somebody hold a seven-card suit?",
        OddsQuestion(
            event=" || ".join(
                f"{suit}({seat}) >= 7"
                for seat in ("north", "east", "south", "west")
                for suit in ("spades", "hearts", "diamonds", "clubs")
            )
        ),
    ),
)


# The two commonest questions of players, as questions of odds.


_EVENT = re.compile(r"\s*(spades|hearts|diamonds|clubs)\((?:west|east)\)\s*")
_GIVEN = (
    r"\s*{suit}\(north\)\s*\+\s*{suit}\(south\)\s*==\s*([0-9]|1[0-3])\s*"
    r"(?:&&\s*[a-z]+\([a-z]+\)\s*==\s*[0-9]+\s*)*"
)
SuitName = Literal["spades", "hearts", "diamonds", "clubs"]

WHAT = {
    "hcp": "points",
    "spades": "spades",
    "hearts": "hearts",
    "diamonds": "diamonds",
    "clubs": "clubs",
    "aces": "aces",
    "controls": "controls (ace 2, king 1)",
    "losers": "losers",
    "majors": "spades and hearts together",
}
"""What one may want to know of partner's hand."""


class Breaks(Question):
    """The missing cards of a suit, and what is known of another suit."""

    suit: SuitName = Field("spades", description="the suit")
    missing: int = Field(
        4, ge=1, le=13, description="the cards of the suit that East and West hold"
    )
    other: SuitName | Literal[""] = Field("", description="another suit with known lengths")
    west: int | None = Field(None, ge=0, le=13, description="West's cards of the other suit")
    east: int | None = Field(None, ge=0, le=13, description="East's cards of the other suit")


class Partner(Question):
    """A hand, and what one wants to know of the hand opposite."""

    hand: str = Field(min_length=1, max_length=100, description="the own hand, South's")
    what: str = Field("hcp", pattern=f"^({'|'.join(WHAT)})$", description="what partner's hand has")
    shown: str = Field("", max_length=TEXT, description="what partner has shown, as a condition")


def question_of_breaks(asked: Breaks) -> Any:  # noqa: ANN401 (a model)
    """Return the question how the missing cards of a suit break.

    >>> question_of_breaks(Breaks(suit="hearts", missing=5, other="spades", west=6)).given
    'hearts(north) + hearts(south) == 8 && spades(west) == 6'
    """
    have = len(Rank) - asked.missing
    parts = [f"{asked.suit}(north) + {asked.suit}(south) == {have}"]
    if asked.other:
        lengths = (("west", asked.west), ("east", asked.east))
        parts += [f"{asked.other}({seat}) == {n}" for seat, n in lengths if n is not None]
    return OddsQuestion(event=f"{asked.suit}(west)", given=" && ".join(parts))


def missing_of(event: str, given: str) -> int | None:
    """Return how many cards are missing, if it is the question of a break; else None.

    >>> missing_of("spades(west)", "spades(north)+spades(south)==9")
    4
    >>> missing_of("spades(west)", "spades(north) == 9") is None
    True
    """
    suit = _EVENT.fullmatch(event)
    have = suit and re.fullmatch(_GIVEN.format(suit=suit[1]), given)
    return len(Rank) - int(have[1]) if have else None


def question_of_partner(asked: Partner) -> Any:  # noqa: ANN401 (a model)
    """Return the question what North holds opposite South's hand."""
    event, second = f"{asked.what}(north)", ""
    if asked.what == "majors":
        event, second = "spades(north)", "hearts(north)"
    return OddsQuestion(
        event=event, second=second, given=asked.shown or None, hands=(f"S {asked.hand}",)
    )


# A distribution as SVG: bars for a number, a heat map for a pair.
#
# The page draws the same with its own style, so lengths are attributes and colours are classes. A
# file has a style of its own, in light and dark.


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


def draw(answer: OddsView) -> str:
    """Return an SVG file of the distribution of a number or of a pair."""
    title = " and ".join(answer.titles) + (f" with {answer.given}" if answer.given else "")
    kind = "exact" if answer.exact else f"an estimate from {answer.total:,} random deals"
    lines = wrap(f"{title}: {kind}, in percent", 84, max_lines=3, placeholder=" …")
    marks = list(_bars(answer.values) if answer.kind == "number" else _cells(answer.values))
    width, height = _size(answer)
    top = 18 * len(lines) + 12
    heads = [
        f'<text x="8" y="{18 * row + 18}">{escape(line)}</text>' for row, line in enumerate(lines)
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


def _size(answer: OddsView) -> tuple[int, int]:
    if answer.kind == "number":
        return _NAMES + _BAR + 100, _ROW * len(answer.values) + 8
    downs, acrosses = _axes(answer.values)
    return _LEFT + _CELL * len(acrosses) + 8, _TOP + _HEIGHT * len(downs) + 8


def heat_map(answer: OddsView) -> str:
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
    for row, each in enumerate(values):
        y, share = _ROW * row, share_of(each.chance)
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
    ends = [[each.value[which] for each in values] for which in (0, 1)]
    down, across = (list(range(min(each), max(each) + 1)) for each in ends)
    return down, across


def _cells(values: Sequence[ValueChance]) -> Iterator[str]:
    downs, acrosses = _axes(values)
    most = max(share_of(each.chance) for each in values)
    for index, across in enumerate(acrosses):
        x = _LEFT + _CELL * index + _CELL / 2
        yield f'<text x="{x:g}" y="{_TOP - 10}" text-anchor="middle">{across}</text>'
    for index, down in enumerate(downs):
        y = _TOP + _HEIGHT * index + 18
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


# The distribution as a file.


def make_odds_file(asked: OddsFile) -> Download:
    """Return the distribution of a number or of a pair as a file."""
    answer = cast("EventAnswer | NumberAnswer", answer_within(question_of("odds", asked)))
    to = asked.to
    if to == "json":
        text = f"{json.dumps(answer.to_dict())}\n"
    elif to == "csv":
        text = _csv(answer)
    elif isinstance(answer, EventAnswer):
        raise PavError("an event has one probability and no drawing: choose csv or json")
    else:
        text = draw(view_of(answer))
    return file_of(f"odds.{to}", text.encode())


def _csv(answer: EventAnswer | NumberAnswer) -> str:
    """Return a row for each value: the value, its deals, and its probability."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    if isinstance(answer, EventAnswer):
        chances: list[tuple[Any, int | None, Fraction | Share]]
        heads, chances = ["event"], [(answer.title, None, answer.chance)]
    else:
        values = answer.distribution
        is_weighted = isinstance(values, WeightedDistribution)
        heads = [*answer.asked.titles, "weight" if is_weighted else "deals"]
        chances = [(value, values.counts[value], chance) for value, chance in values.items()]
    estimated = isinstance(chances[0][2], Share)
    heads += ["estimate", "from", "to"] if estimated else ["probability", "decimal"]
    writer.writerow(heads)
    for value, count, chance in chances:
        row: list[object] = [*value] if isinstance(value, tuple) else [value]
        row += [] if count is None else [count]
        if isinstance(chance, Share):
            row += [decimal(each) for each in (chance.value, chance.low, chance.high)]
        else:
            row += [str(chance), decimal(chance)]
        writer.writerow(row)
    return out.getvalue()


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
