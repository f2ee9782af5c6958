"""Odds: how likely an event is, and how a number or a pair of numbers is distributed.

A question of odds, or one of the two that players ask most, gets the exact answer. It is estimated
only if that is wanted, or if counting cannot. The distribution is also a file: CSV, JSON or SVG.
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
from itertools import chain
from shlex import join
from textwrap import wrap
from typing import Any, Literal

from pydantic import Field

from pavcodec.cards import Rank
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.counting.diagrams.compile import NotCountableError
from pavcodec.constraints.counting.plan import WHOLE
from pavcodec.constraints.known import KnownCards, position, texts_by_seat, with_known_cards
from pavcodec.constraints.language.parser import parse_condition, parse_weights
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.syntax import Node, Number, Tricks
from pavcodec.constraints.nodes.trees import Weight, distinct
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.spaces.deals import DealSpace, Method, deals_of
from pavcodec.constraints.spaces.share import Share, chance_row, root
from pavcodec.constraints.weighing import WeightedDeals, weighted_deals_of
from pavcodec.errors import ModelTooLarge, PavError
from pavcodec.odds.distributions import Distribution, SampledDistribution, WeightedDistribution
from pavcodec.odds.figures import odds_text
from pavcodec.odds.plans import excluding, no_deals
from pavcodec.odds.questions import distribution, is_event, probability
from pavcodec.sampling import parse_seed
from pavcodec.web.tasks.exact import Chance, Estimate, Exact, Whole, chance_of, decimal
from pavcodec.web.tasks.problem import in_field
from pavcodec.web.tasks.task import MEMORY, TEXT, Answer, ClosedFields, Download, Question, Task
from pavcodec.web.tasks.writing import file_of, media_types

# The question of odds, and its answer.


MOST_SIMULATED = 100_000


class OddsQuestion(Question):
    """An event or a number, or two numbers, and what holds for the deals."""

    event: str = Field(
        min_length=1,
        max_length=TEXT,
        description="an event such as 'spades(east) == 2', or a number such as 'hcp(north)'",
    )
    second: str = Field("", max_length=TEXT, description="a second number, for pairs of values")
    given: str = Field("", max_length=TEXT, description="the condition of the deals; '' for none")
    hands: tuple[str, ...] = Field(
        (),
        max_length=4,
        description="cards that a seat was dealt, all or a few: 'S AKQ2.K85.AJ4.T63', 'E SA,H5'",
    )
    played: tuple[str, ...] = Field(
        (), max_length=4, description="cards that a seat played: 'E S93,H5'"
    )
    shown_out: tuple[str, ...] = Field(
        (), max_length=4, description="suits of which a seat holds no more cards: 'E spades'"
    )
    weights: tuple[str, ...] = Field(
        (), max_length=20, description="weights of the deals: 'N: hcp {11: 1, 12-15: 3}'"
    )
    simulate: int = Field(
        0,
        ge=0,
        le=MOST_SIMULATED,
        description="estimate from so many random deals; 0 counts, and estimates only if it cannot",
    )
    seed: str = Field("", max_length=1000, description="the seed of an estimate; '' is a fixed one")


class OddsFile(OddsQuestion):
    """The distribution of a number or of a pair, as a file."""

    to: Literal["csv", "json", "svg"] = Field("csv", description="the format of the file")


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


class OddsAnswer(Answer):
    """The odds; an estimate has `exact` false, and its probabilities have intervals."""

    kind: Literal["event", "number", "pair"] = Field(description="what was asked")
    titles: tuple[str, ...] = Field(description="the event or the numbers, in one form")
    exact: bool = Field(description="whether the answer was counted; otherwise it is an estimate")
    notes: tuple[str, ...] = Field(description="warnings, and why an answer is an estimate")
    total: Whole | None = Field(
        description="the deals that were counted, or those of the sample; null for weighted deals"
    )
    chance: Chance | Estimate | None = Field(description="the probability of an event")
    odds: str | None = Field(description="the exact odds of an event, as '1.457 to 1 against'")
    values: tuple[ValueChance, ...] = Field(description="the values of a number, in order")
    average: Average | None = Field(description="the average of a single number")


# Questions of players, to click on the page and to test.


@dataclass(frozen=True)
class Example:
    """A question in the words of a player, and its fields."""

    words: str
    question: OddsQuestion


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


def question_of_breaks(asked: Breaks) -> OddsQuestion:
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


def missing_of(question: OddsQuestion) -> int | None:
    """Return how many cards are missing, if it is the question of a break; else None.

    >>> missing_of(OddsQuestion(event="spades(west)", given="spades(north)+spades(south)==9"))
    4
    >>> missing_of(OddsQuestion(event="spades(west)", given="spades(north) == 9")) is None
    True
    """
    event = _EVENT.fullmatch(question.event)
    given = event and re.fullmatch(_GIVEN.format(suit=event[1]), question.given)
    return len(Rank) - int(given[1]) if given else None


def question_of_partner(asked: Partner) -> OddsQuestion:
    """Return the question what North holds opposite South's hand."""
    event, second = f"{asked.what}(north)", ""
    if asked.what == "majors":
        event, second = "spades(north)", "hearts(north)"
    return OddsQuestion(event=event, second=second, given=asked.shown, hands=(f"S {asked.hand}",))


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


def draw(answer: OddsAnswer, given: str) -> str:
    """Return an SVG file of the distribution of a number or of a pair."""
    title = " and ".join(answer.titles) + (f" with {given}" if given else "")
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


# From a question to the exact answer; to an estimate if it is wanted, or if counting cannot.


SIMULATED = 10_000
"""The deals of an estimate that nobody asked for, as for the command."""
SOLVED = 100
"""The same for questions about tricks, for which a solver plays each deal."""
MOST_VALUES = 4000
"""The most values of a number or of a pair in an answer."""


@dataclass(frozen=True)
class Answered:
    """The answer to a question as a value of the library."""

    kind: Literal["event", "number", "pair"]
    titles: tuple[str, ...]
    given: str
    result: Fraction | Share | Distribution[Any] | SampledDistribution[Any]
    notes: tuple[str, ...]
    simulated: int


def result_of(question: OddsQuestion) -> Answered:
    """Return the answer; raise `PavError`, with the field if one is wrong.

    >>> result_of(OddsQuestion(event="spades(east)", given="spades(west) == 13")).result
    <Distribution of 1 value, 0, average 0>
    """
    notes: list[str] = []
    nodes, given = _numbers(question, notes), _given(question, notes)
    kind: Literal["event", "number", "pair"] = "pair"
    if len(nodes) == 1:
        kind = "event" if is_event(nodes[0]) else "number"
    result, simulated = None, question.simulate
    if not simulated:
        warned = len(notes)
        try:
            space = _space(given, question, "exact", notes)
            result = _asked(kind, nodes, space, {"memory": MEMORY})
        except (NotCountableError, ModelTooLarge) as error:
            parts = chain.from_iterable(map(distinct, (*nodes, given)))
            solves = any(isinstance(part, Tricks) for part in parts)
            simulated = SOLVED if solves else SIMULATED
            notes[warned:] = [f"{_reason(error)} from {simulated:,} random deals"]
    if result is None:
        space = _space(given, question, "plan", notes)
        result = _asked(
            kind, nodes, space, {"simulate": simulated, "seed": seed_of_question(question)}
        )
    shown = "" if given == Number(1) else format_node(given)
    return Answered(kind, tuple(map(format_node, nodes)), shown, result, tuple(notes), simulated)


def _reason(error: PavError) -> str:
    """Return why an answer is an estimate."""
    if isinstance(error, NotCountableError):
        return f"{str(error).partition(': ask for')[0]}, so this is an estimate"
    return (
        f"counting takes more than {MEMORY >> 20} MB here (the command 'pavcodec odds' on your own "
        "machine may use more), so this is an estimate"
    )


def _numbers(question: OddsQuestion, notes: list[str]) -> list[Node]:
    nodes = []
    for name, text in (("event", question.event), ("second", question.second)):
        if text.strip() or name == "event":
            with in_field(name):
                nodes.append(parse_condition(text, warn=notes.append))
    return nodes


def _given(question: OddsQuestion, notes: list[str]) -> Node:
    """Return the condition with the known cards."""
    node: Node = Number(1)
    if question.given.strip():
        with in_field("given"):
            node = parse_condition(question.given, warn=notes.append)
    known = known_of(question)
    return with_known_cards(node, known, "odds") if known else node


def known_of(question: OddsQuestion) -> KnownCards:
    """Return the known cards of a question as arguments of Python; none for a question without."""
    known: KnownCards = {}
    if question.hands:
        with in_field("hands"):
            known["hands"] = texts_by_seat(question.hands)
            position(hands=known["hands"])
    if question.played:
        with in_field("played"):
            known["played"] = texts_by_seat(question.played)
            position(played=known["played"])
    if question.shown_out:
        with in_field("shown_out"):
            known["shown_out"] = texts_by_seat(question.shown_out)
            position(shown_out=known["shown_out"])
    with in_field("hands"):
        with_known_cards(Number(1), known, "odds")
    return known


def seed_of_question(question: OddsQuestion) -> int | None:
    """Return the seed of an estimate; None for the fixed seed."""
    with in_field("seed"):
        return parse_seed(question.seed) if question.seed else None


def _space(
    given: Node, question: OddsQuestion, method: Method, notes: list[str]
) -> DealSpace | WeightedDeals:
    """Return the deals of the condition, or weighted ones; refuse an empty space."""
    condition = Condition(given, MEMORY if method == "exact" else WHOLE)
    if question.weights:
        weights: list[Weight] = []
        for text in question.weights:
            with in_field("weights"):
                weights += parse_weights(text, warn=notes.append)
        weighted = weighted_deals_of(condition, weights)
        weighted.check()
        return weighted
    space = deals_of(condition, method)
    empty = excluding(space)
    if empty:
        with in_field("given"):
            raise no_deals(space, empty)
    return space


def _asked(kind: str, nodes: list[Node], space: Any, options: dict[str, Any]) -> Any:  # noqa: ANN401
    options = options | {"given": space}
    first, *more = map(Expression, nodes)
    if kind == "event":
        return probability(first, **options)
    values = distribution(first, *more, **options)
    if len(values) > MOST_VALUES:
        what = "pairs of values" if kind == "pair" else "values"
        raise PavError(
            f"there are {len(values):,} {what}, and an answer has {MOST_VALUES:,} at most: "
            "'pavcodec odds' prints all on your own machine"
        )
    return values


# The command and the Python lines that give the same answer as a question of odds.


def command_of(question: OddsQuestion, answered: Answered) -> str:
    """Return the command line; an estimate states its deals and its seed."""
    words = ["pavcodec", "odds", question.event]
    words += [question.second] if answered.kind == "pair" else []
    options: list[tuple[str, tuple[str, ...]]] = [
        ("--given", (question.given,) if question.given.strip() else ()),
        ("--hand", question.hands),
        ("--played", question.played),
        ("--shown-out", question.shown_out),
        ("--weights", question.weights),
        ("--seed", (question.seed,) if answered.simulated and question.seed else ()),
        ("--simulate", (str(answered.simulated),) if answered.simulated else ()),
    ]
    words += [word for option, texts in options for text in texts for word in (option, text)]
    return join(words)


def python_of(question: OddsQuestion, answered: Answered) -> str:
    """Return the lines of Python; `answer` has the answer, and the last line prints it."""
    function = "probability" if answered.kind == "event" else "distribution"
    lines = ["import pavcodec as pav", "", f"answer = pav.{function}("]
    lines += [f"    {each}," for each in _arguments(question, answered)]
    return "\n".join([*lines, ")", "print(answer)"])


def _arguments(question: OddsQuestion, answered: Answered) -> Iterator[str]:
    yield repr(question.event)
    if answered.kind == "pair":
        yield repr(question.second)
    given = repr(question.given) if question.given.strip() else ""
    if question.weights:
        yield f"given=pav.weighted({given or '1'}, joint={list(question.weights)!r})"
    elif given:
        yield f"given={given}"
    for name, texts in known_of(question).items():
        yield f"{name}={texts!r}"
    if answered.simulated:
        yield f"simulate={answered.simulated}"
        if question.seed:
            yield f"seed={seed_of_question(question)}"


# The tasks of odds: an answer, and the distribution as a file.


def answer_odds(question: OddsQuestion) -> OddsAnswer:
    """Return the odds of an event, or the distribution of a number or a pair."""
    answered = result_of(question)
    result = answered.result
    facts: dict[str, Any] = {"chance": None, "odds": None, "values": (), "average": None}
    if isinstance(result, Distribution | SampledDistribution):
        is_exact = isinstance(result, Distribution)
        total = None if isinstance(result, WeightedDistribution) else result.total
        facts |= {"values": tuple(_values(result)), "average": _average(answered)}
    else:
        is_exact = isinstance(result, Fraction)
        total = result.tried if isinstance(result, Share) else None
        facts |= {"chance": chance_of(result)}
        if isinstance(result, Fraction) and 0 < result < 1:
            facts["odds"] = odds_text(result)
    return OddsAnswer(
        kind=answered.kind,
        titles=answered.titles,
        exact=is_exact,
        notes=answered.notes,
        total=total,
        **facts,
        command=command_of(question, answered),
        python=python_of(question, answered),
    )


def _values(result: Distribution[Any] | SampledDistribution[Any]) -> Iterator[ValueChance]:
    is_weighted = isinstance(result, WeightedDistribution)
    for value, chance in result.items():
        yield ValueChance(
            value=value if isinstance(value, tuple) else (value,),
            deals=None if is_weighted else result.counts[value],
            chance=chance_of(chance),
        )


def _average(answered: Answered) -> Average | None:
    result = answered.result
    if answered.kind != "number" or not isinstance(result, Distribution | SampledDistribution):
        return None
    error = None
    if isinstance(result, SampledDistribution) and result.total > 1:
        error = decimal(result.standard_error)
    return Average(
        mean=result.mean,
        mean_decimal=decimal(result.mean),
        variance=result.variance,
        deviation=decimal(root(result.variance)),
        error=error,
    )


def make_odds_file(question: OddsFile) -> Download:
    """Return the distribution of a number or of a pair as a file."""
    answered = result_of(question)
    name = f"odds.{question.to}"
    if question.to == "json":
        text = f"{json.dumps(_json_row(answered))}\n"
    elif question.to == "csv":
        text = _csv(answered)
    else:
        if answered.kind == "event":
            raise PavError("an event has one probability and no drawing: choose csv or json")
        text = draw(answer_odds(question), answered.given)
    return file_of(name, text.encode())


def _json_row(answered: Answered) -> dict[str, Any]:
    """Return the answer as `pavcodec odds --json` prints it."""
    result = answered.result
    if isinstance(result, Distribution | SampledDistribution):
        return {"numbers": [*answered.titles], **result.to_dict()}
    return {"event": answered.titles[0], **chance_row(result)}


def _csv(answered: Answered) -> str:
    """Return a row for each value: the value, its deals, and its probability."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    result = answered.result
    chances = (
        [(str(*answered.titles), None, result)]
        if isinstance(result, Fraction | Share)
        else [(value, result.counts[value], chance) for value, chance in result.items()]
    )
    estimated = isinstance(chances[0][2], Share)
    counted = "weight" if isinstance(result, WeightedDistribution) else "deals"
    heads = ["event"] if answered.kind == "event" else [*answered.titles]
    heads += [] if answered.kind == "event" else [counted]
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


ODDS = Task(
    "odds",
    "Return the odds of an event, or how a number or a pair of numbers is distributed.",
    answer_odds,
    OddsQuestion(event="spades(east)", given="spades(north) + spades(south) == 9"),
)
ODDS_FILE = Task(
    "odds/file",
    "Return the distribution of a number or of a pair as CSV, JSON or SVG.",
    make_odds_file,
    OddsFile(event="hcp(north)", hands=("S AKQ2.K85.AJ4.T63",), to="csv"),
    media_types([".csv", ".json", ".svg"]),
)
