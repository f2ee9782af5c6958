"""The kinds of tables in docs/odds/tables.md: their questions and their layout."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from itertools import accumulate

from pavcodec import Distribution, distribution, probability

DIGITS = 4
LEAST = -10
"""The exponent of the smallest percentage in plain decimals."""
SHORT = 16
"""The maximum length of a fraction on the page; fractions 1/n are always there."""

MANY = 41
"""More than any number of points: the end of an open range."""

Row = tuple[int, ...]
Label = Callable[[Row], str]


def percent(share: Fraction) -> str:
    """Return a share in percent, exactly if four digits suffice, otherwise rounded to four."""
    if share in (0, 1):
        return "100" if share else "–"
    number, digits = Decimal(100), DIGITS
    while number == 100:  # only a certain event has 100
        context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
        number = context.divide(Decimal(100 * share.numerator), Decimal(share.denominator))
        digits += 1
    return f"{number:f}" if number.adjusted() >= LEAST else f"{number:e}"


def exact(share: Fraction) -> str:
    """Return a share as a fraction if that is short, otherwise nothing."""
    return str(share) if share.numerator == 1 or len(str(share)) <= SHORT else ""


def command(*questions: str, given: str = "") -> str:
    """Return the command line that answers a question."""
    texts = " ".join(f"'{question}'" for question in questions)
    return f"`pavcodec odds {texts}" + (f" --given '{given}'`" if given else "`")


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1) -> Iterator[str]:
    """Yield the lines of a table whose first columns are texts and the others figures."""
    rules = ["---"] * texts + ["---:"] * (len(heads) - texts)
    for row in (heads, rules, *rows):
        yield re.sub(r" +\|", " |", f"| {' | '.join(row)} |")


@dataclass(frozen=True)
class Question:
    """One number or several, and a condition."""

    numbers: tuple[str, ...]
    given: str = ""

    def ask(self) -> dict[Row, Fraction]:
        """Return the probability of each row of values."""
        first, *more = self.numbers
        found = distribution(first, *more, given=self.given or 1)
        assert isinstance(found, Distribution)
        return {key if isinstance(key, tuple) else (key,): found[key] for key in found}

    @property
    def command(self) -> str:
        """The command that computes it."""
        return command(*self.numbers, given=self.given)


def grouped(shares: Mapping[Row, Fraction], label: Label) -> dict[str, Fraction]:
    """Return the sums of the shares of values with the same label."""
    groups: dict[str, Fraction] = {}
    for value, share in shares.items():
        name = label(value)
        groups[name] = groups.get(name, Fraction(0)) + share
    return groups


class Table(ABC):
    """A table of the page."""

    @abstractmethod
    def lines(self) -> Iterator[str]:
        """Yield the lines in Markdown."""


@dataclass(frozen=True)
class Values(Table):
    """The probability of each value of a number, or of each group of values with the same label.

    `sums` adds columns for the probability of at most and of at least a value. With several
    questions, their names are the first column.
    """

    heads: tuple[str, ...]
    questions: Mapping[str, Question]
    label: Label = lambda value: str(value[0])
    order: Callable[[tuple[str, Fraction]], Fraction | int | str] | None = None
    sums: bool = False
    first_command: str = ""
    """A command for the first row, if the command line cannot compute the whole table."""

    def lines(self) -> Iterator[str]:
        """Yield the lines in Markdown."""
        rows = [row for name in self.questions for row in self._rows(name)]
        sums = ["at most, %", "at least, %"] if self.sums else []
        yield from markdown([*self.heads, "%", *sums, "exactly"], rows, len(self.heads))
        yield ""
        yield self.first_command or next(iter(self.questions.values())).command

    def _rows(self, name: str) -> Iterator[list[str]]:
        rows = list(grouped(self.questions[name].ask(), self.label).items())
        if self.order is not None:
            rows.sort(key=self.order)
        below = list(accumulate(share for _, share in rows))
        for (label, share), most in zip(rows, below, strict=True):
            sums = [percent(most), percent(1 - most + share)] if self.sums else []
            front = [name] if len(self.questions) > 1 else []
            yield [*front, label, percent(share), *sums, exact(share)]


@dataclass(frozen=True)
class Events(Table):
    """The probability of each event; with `seats`, that it holds for each of them."""

    head: str
    events: Mapping[str, str]
    given: str = ""
    seats: Sequence[str] = ("north",)

    def lines(self) -> Iterator[str]:
        """Yield the lines in Markdown."""
        rows = []
        for name, event in self.events.items():
            share = probability(self._whole(event), given=self.given or 1)
            rows.append([name, f"`{event}`", percent(share), exact(share)])
        head = "event for each hand" if len(self.seats) > 1 else "event"
        yield from markdown([self.head, head, "%", "exactly"], rows, 2)
        yield ""
        yield command(self._whole(next(iter(self.events.values()))), given=self.given)

    def _whole(self, event: str) -> str:
        return " and ".join(event.replace(self.seats[0], seat) for seat in self.seats)


@dataclass(frozen=True)
class Grid(Table):
    """The probability of the event of each column given the condition of each row.

    With `together`, the cells have the probability of both, the first column of the condition.
    """

    head: str
    rows: Mapping[str, str]
    columns: Mapping[str, str]
    together: str = ""

    def lines(self) -> Iterator[str]:
        """Yield the lines in Markdown."""
        cells = [[name, *map(percent, self._shares(given))] for name, given in self.rows.items()]
        columns = [self.together, *self.columns] if self.together else [*self.columns]
        yield from markdown([self.head, *(f"{name}, %" for name in columns)], cells)
        yield ""
        given, event = next(iter(self.rows.values())), next(iter(self.columns.values()))
        yield command(f"{given} and {event}") if self.together else command(event, given=given)

    def _shares(self, given: str) -> list[Fraction]:
        events = [f"({event}) != 0" for event in self.columns.values()]
        rows = Question(tuple(events), given).ask().items()
        shares = [
            sum((share for row, share in rows if row[place]), Fraction(0))
            for place in range(len(events))
        ]
        whole = probability(given)
        return [whole, *(whole * share for share in shares)] if self.together else shares


@dataclass(frozen=True)
class Ranges(Table):
    """The probability that a number is in each of some ranges, a row for each condition."""

    head: str
    number: str
    rows: Mapping[str, str]
    ranges: Sequence[range]

    def lines(self) -> Iterator[str]:
        """Yield the lines in Markdown."""
        questions = {name: Question((self.number,), given) for name, given in self.rows.items()}
        cells = [
            [name, *_cells(question.ask(), self.ranges)] for name, question in questions.items()
        ]
        yield from markdown([self.head, *map(_range_head, self.ranges), "average"], cells)
        yield ""
        yield next(iter(questions.values())).command


@dataclass(frozen=True)
class Pairs(Table):
    """The probability that a second number is in some ranges, given each value of a first number.

    `pair` computes both numbers from the values of the question. `totals` are additional columns:
    the probability that their sum is at least the total.
    """

    head: str
    question: Question
    values: range
    ranges: Sequence[range]
    first_command: str
    totals: Sequence[int] = ()
    pair: Callable[[Row], Row] = lambda value: value

    def lines(self) -> Iterator[str]:
        """Yield the lines in Markdown."""
        given: dict[int, dict[Row, Fraction]] = {value: {} for value in self.values}
        for value, share in self.question.ask().items():
            first, second = self.pair(value)
            if first in given:
                given[first][second,] = given[first].get((second,), Fraction(0)) + share
        cells = []
        for first, shares in given.items():
            whole = sum(shares.values())
            here = {second: share / whole for second, share in shares.items()}
            totals = [range(least - first, MANY) for least in self.totals]
            cells.append([str(first), *_cells(here, self.ranges, totals)])
        heads = [f"together {least}+, %" for least in self.totals]
        yield from markdown([self.head, *map(_range_head, self.ranges), "average", *heads], cells)
        yield ""
        yield self.first_command


def _cells(
    shares: Mapping[Row, Fraction], ranges: Sequence[range], more: Sequence[range] = ()
) -> list[str]:
    """Return the probability of some ranges of a number, its average, and that of more ranges."""
    within, beyond = (
        [sum((shares.get((value,), Fraction(0)) for value in each), Fraction(0)) for each in some]
        for some in (ranges, more)
    )
    mean = sum((value * share for (value,), share in shares.items()), Fraction(0))
    average = f"{Decimal(mean.numerator) / mean.denominator:.2f}"
    return [*map(percent, within), average, *map(percent, beyond)]


def _range_head(values: range) -> str:
    if values.stop == MANY:
        return f"{values.start}+, %"
    first, last = values.start, values.stop - 1
    return f"{first}, %" if first == last else f"{first}–{last}, %"
