"""Answers about odds: how they are found, and how they are printed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from pavcodec.cli.output.tables import WIDTH, table_lines
from pavcodec.odds.figures import chances, digits, many, odds_text, percent

if TYPE_CHECKING:
    from pavcodec.constraints import WeightedDeals
    from pavcodec.constraints.nodes.syntax import Node
    from pavcodec.constraints.spaces.share import Share
    from pavcodec.odds import Distribution, SampledDistribution
    from pavcodec.odds.questions import Space

__all__ = ["Answer", "EventAnswer", "NumberAnswer"]

_BAR = 40
_LEAST_BAR = 8
_READABLE = 10**6
"""The greatest denominator that is worth printing."""


class Answer(ABC):
    """A question, and later its answer."""

    title: str

    @abstractmethod
    def ask(self, space: Space | WeightedDeals, options: dict[str, Any]) -> Answer:
        """Return the answer; raise `NotCountableError` if only an estimate is possible."""

    @abstractmethod
    def lines(self) -> Iterator[str]:
        """Yield the answer as text."""

    @abstractmethod
    def row(self) -> dict[str, object]:
        """Return the answer for JSON."""


@dataclass(frozen=True)
class EventAnswer(Answer):
    """How likely an event is."""

    title: str
    nodes: Sequence[Node]
    chance: Fraction | Share | None = None

    def ask(self, space: Space | WeightedDeals, options: dict[str, Any]) -> EventAnswer:
        """Return the answer."""
        from pavcodec.odds import probability

        [event] = map(_expression, self.nodes)
        return replace(self, chance=probability(event, given=space, **options))

    def lines(self) -> Iterator[str]:
        """Yield the answer as text."""
        chance = self.chance
        assert chance is not None
        if not isinstance(chance, Fraction):
            yield f"estimated probability: {_about(chance)}"
            yield f"{chance.accepted:,} of {many(chance.tried, 'deal')} passed"
        elif chance in (0, 1):
            yield f"probability {chance}: {'always' if chance else 'never'}"
        else:
            yield f"probability {chance}: {chances(chance)}, {percent(chance)}"
            yield f"odds {odds_text(chance)}"

    def row(self) -> dict[str, object]:
        """Return the answer for JSON."""
        from pavcodec.constraints.spaces.share import chance_row

        assert self.chance is not None
        return {"event": self.title, **chance_row(self.chance)}


def _about(share: Share) -> str:
    low, high = percent(share.low), percent(share.high)
    return f"about {percent(share.value)} (95 %: {low} to {high})"


def _expression(node: Node) -> Any:  # noqa: ANN401 (the class is loaded late)
    from pavcodec.constraints import expression

    return expression(node)


@dataclass(frozen=True)
class NumberAnswer(Answer):
    """How a number is distributed, or two together; `ranges` are counted one by one."""

    titles: Sequence[str]
    nodes: Sequence[Node]
    ranges: Sequence[range] = ()
    label: str | None = None
    only_average: bool = False
    found: Distribution[Any] | SampledDistribution[Any] | None = None

    @property
    def title(self) -> str:  # type: ignore[override]
        """The name of the question."""
        return self.label or " by ".join(self.titles)

    @property
    def distribution(self) -> Distribution[Any] | SampledDistribution[Any]:
        """The answer."""
        assert self.found is not None
        return self.found

    @property
    def is_exact(self) -> bool:
        """Whether the answer was counted."""
        from pavcodec.odds import Distribution

        return isinstance(self.distribution, Distribution)

    @property
    def _is_weighted(self) -> bool:
        """Whether the answer counts weights instead of deals."""
        from pavcodec.odds import WeightedDistribution

        return isinstance(self.distribution, WeightedDistribution)

    def ask(self, space: Space | WeightedDeals, options: dict[str, Any]) -> NumberAnswer:
        """Return the answer."""
        from pavcodec.odds import distribution

        first, *more = map(_expression, self.nodes)
        return replace(self, found=distribution(first, *more, given=space, **options))

    def lines(self) -> Iterator[str]:
        """Yield the answer as text."""
        if self.only_average:
            yield f"{self.title}: {self._average()}"
            return
        if self.label:
            yield self.label
        if not self.is_exact:
            yield f"estimated from {many(self.distribution.total, 'deal')}"
        yield from self._list() if len(self.titles) == 1 else self._table()
        if len(self.titles) == 1:
            yield f"average {self._average()}, standard deviation {self._deviation()}"

    def _average(self) -> str:
        mean = self.distribution.mean
        if not self.is_exact:
            error = self._standard_error()
            known = "" if error is None else f" (standard error {digits(error, 2)})"
            return f"about {digits(mean, 6)}{known}"
        fraction = f" ({mean})" if 1 < mean.denominator < _READABLE else ""
        return f"{digits(mean, 6)}{fraction}"

    def _standard_error(self) -> Fraction | None:
        """Return the standard error of the mean; None for a single deal."""
        found = cast("SampledDistribution", self.distribution)
        return found.standard_error if found.total > 1 else None

    def _deviation(self) -> str:
        from pavcodec.constraints.spaces.share import root

        return digits(root(self.distribution.variance))

    def _grouped(self) -> dict[tuple[int, ...], int]:
        """Return the counts by value; those out of range count as the values just outside."""
        grouped: dict[tuple[int, ...], int] = {}
        for value, count in self.distribution.counts.items():
            row = value if isinstance(value, tuple) else (value,)
            if self.ranges:
                ends = zip(row, self.ranges, strict=True)
                row = tuple(_lowest(value, each) for value, each in ends)
            grouped[row] = grouped.get(row, 0) + count
        return grouped

    def _name(self, place: int, value: int) -> str:
        if self.ranges and value not in self.ranges[place]:
            return "low" if value < self.ranges[place].start else "high"
        return str(value)

    def _list(self) -> Iterator[str]:
        """Yield a line for each value with its share and a bar."""
        from pavcodec.constraints.spaces.share import Share

        total, grouped = self.distribution.total, self._grouped()
        most = max(grouped.values())
        values = [value for (value,) in sorted(grouped)]
        counts = [grouped[value,] for value in values]
        names = _at_right([self.titles[0], *(self._name(0, value) for value in values)])[1:]
        shares = _at_point([_cell(count, total) for count in counts])
        columns = [names, [f"{count:,}" for count in counts], shares]
        heads = [self.titles[0], "deals", "share, %"]
        if self._is_weighted:
            del columns[1], heads[1]
        if not self.is_exact:
            ends = [Share(count, total) for count in counts]
            columns += [_at_point([_figure(each.low) for each in ends])]
            columns += [_at_point([_figure(each.high) for each in ends])]
            heads += ["95 %: from", "to"]
        used = sum(
            max(map(len, [head, *column])) + 2 for head, column in zip(heads, columns, strict=True)
        )
        longest = max(_LEAST_BAR, min(_BAR, WIDTH - used))
        bars = [_bar(Fraction(count, most), longest) for count in counts]
        yield from table_lines([*heads, ""], zip(*columns, bars, strict=True))

    def _table(self) -> Iterator[str]:
        """Yield a table of percentages, the first number down and the second across."""
        total, grouped = self.distribution.total, self._grouped()
        down, across = (sorted({row[place] for row in grouped}) for place in (0, 1))
        yield f"{self.titles[0]} down, {self.titles[1]} across, in percent"
        table = [[grouped.get((value, other), 0) for other in across] for value in down]
        rows = [[*counts, sum(counts)] for counts in table]
        rows.append([sum(column) for column in zip(*rows, strict=True)])
        heads = [*(self._name(1, value) for value in across), "all"]
        columns = [
            _at_point([head, *(_cell(count, total) for count in counts)])
            for head, counts in zip(heads, zip(*rows, strict=True), strict=True)
        ]
        names = _at_right(["", *(self._name(0, value) for value in down), "all"])
        first, *lines = zip(names, *columns, strict=True)
        yield from table_lines(first, lines)

    def row(self) -> dict[str, object]:
        """Return the answer for JSON."""
        row: dict[str, object] = {"label": self.label} if self.label else {}
        row |= {"numbers": [*self.titles], **self.distribution.to_dict()}
        if self.only_average:
            del row["values"]
        return row


def _lowest(value: int, buckets: range) -> int:
    """Return the lowest value of the bucket of a value, or the one just outside all of them.

    >>> [_lowest(value, range(10, 16, 2)) for value in (3, 10, 11, 15, 16)]
    [9, 10, 10, 14, 16]
    """
    if value not in range(buckets.start, buckets.stop):
        return buckets.start - 1 if value < buckets.start else buckets.stop
    return value - (value - buckets.start) % buckets.step


def _figure(share: Fraction) -> str:
    return percent(share).removesuffix(" %")


def _cell(count: int, total: int) -> str:
    return _figure(Fraction(count, total)) if count else "-"


def _at_right(names: Sequence[str]) -> list[str]:
    """Return words and figures in a column that ends at the right."""
    return [name.rjust(max(map(len, names))) for name in names]


def _at_point(figures: Sequence[str]) -> list[str]:
    """Return figures in a column in which their points are below one another."""
    behind = [len(figure) - len(figure.partition(".")[0]) for figure in figures]
    padded = (
        figure + " " * (max(behind) - some) for figure, some in zip(figures, behind, strict=True)
    )
    return _at_right(list(padded))


def _bar(part: Fraction, longest: int) -> str:
    """Return a bar for a part of the longest bar; the thinnest bar for lengths near 0."""
    return "█" * round(part * longest) or "▏"
