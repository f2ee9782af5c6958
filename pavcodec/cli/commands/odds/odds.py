"""`pavcodec odds`: how likely an event is, or how a number is distributed."""

from __future__ import annotations

import argparse
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from pavcodec.cli.options.conditions import (
    Request,
    add_cards,
    add_known,
    add_legal,
    add_memory,
    add_predeal,
    add_script,
    condition_of_text,
    read_request,
    whole,
)
from pavcodec.cli.options.sessions import given_seed
from pavcodec.cli.options.shares import add_weights_of_deals, counted_space
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.streams import add_common, complain, open_binary_output, open_text_output
from pavcodec.cli.output.tables import WIDTH, table_lines
from pavcodec.cli.output.targets import UsageError, plot_kind
from pavcodec.cli.parsers import describe, option_group
from pavcodec.odds.figures import chances, digits, many, odds_text, percent

if TYPE_CHECKING:
    from pavcodec.constraints import WeightedDeals
    from pavcodec.constraints.language.actions import Action, Counted
    from pavcodec.constraints.nodes.syntax import Node
    from pavcodec.constraints.spaces.share import Share
    from pavcodec.odds import Distribution, SampledDistribution
    from pavcodec.odds.questions import Space


# Answers about odds: how they are found, and how they are printed.


_BAR = 40
_LEAST_BAR = 8
_READABLE = 10**6
"""The greatest denominator that is worth printing."""


class PrintedAnswer(ABC):
    """A question, and later its answer."""

    title: str

    @abstractmethod
    def ask(self, space: Space | WeightedDeals, options: dict[str, Any]) -> PrintedAnswer:
        """Return the answer; raise `NotCountableError` if only an estimate is possible."""

    @abstractmethod
    def lines(self) -> Iterator[str]:
        """Yield the answer as text."""

    @abstractmethod
    def row(self) -> dict[str, object]:
        """Return the answer for JSON."""


@dataclass(frozen=True)
class EventAnswer(PrintedAnswer):
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
            low, high = percent(chance.low), percent(chance.high)
            estimate = f"about {percent(chance.value)} (95 %: {low} to {high})"
            yield f"estimated probability: {estimate}"
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


def _expression(node: Node) -> Any:  # noqa: ANN401 (the class is loaded late)
    from pavcodec.constraints import expression

    return expression(node)


@dataclass(frozen=True)
class NumberAnswer(PrintedAnswer):
    """How a number is distributed, or two together; `ranges` are counted one by one."""

    titles: Sequence[str]
    nodes: Sequence[Node]
    ranges: Sequence[range] = ()
    label: str | None = None
    only_average: bool = False
    answer: Distribution[Any] | SampledDistribution[Any] | None = None

    @property
    def title(self) -> str:  # type: ignore[override]
        """The name of the question."""
        return self.label or " by ".join(self.titles)

    @property
    def distribution(self) -> Distribution[Any] | SampledDistribution[Any]:
        """The answer."""
        assert self.answer is not None
        return self.answer

    @property
    def is_exact(self) -> bool:
        """Whether the answer was counted."""
        from pavcodec.odds import Distribution

        return isinstance(self.distribution, Distribution)

    def ask(self, space: Space | WeightedDeals, options: dict[str, Any]) -> NumberAnswer:
        """Return the answer."""
        from pavcodec.odds import distribution

        first, *more = map(_expression, self.nodes)
        return replace(self, answer=distribution(first, *more, given=space, **options))

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
            from pavcodec.constraints.spaces.share import root

            deviation = digits(root(self.distribution.variance))
            yield f"average {self._average()}, standard deviation {deviation}"

    def _average(self) -> str:
        mean = self.distribution.mean
        if not self.is_exact:
            sampled = cast("SampledDistribution", self.distribution)
            error = ""
            if sampled.total > 1:
                error = f" (standard error {digits(sampled.standard_error, 2)})"
            return f"about {digits(mean, 6)}{error}"
        fraction = f" ({mean})" if 1 < mean.denominator < _READABLE else ""
        return f"{digits(mean, 6)}{fraction}"

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

    def _name(self, which: int, value: int) -> str:
        if self.ranges and value not in self.ranges[which]:
            return "low" if value < self.ranges[which].start else "high"
        return str(value)

    def _list(self) -> Iterator[str]:
        """Yield a line for each value with its share and a bar."""
        from pavcodec.constraints.spaces.share import Share
        from pavcodec.odds import WeightedDistribution

        total, grouped = self.distribution.total, self._grouped()
        most = max(grouped.values())
        values = [value for (value,) in sorted(grouped)]
        counts = [grouped[value,] for value in values]
        names = _at_right([self.titles[0], *(self._name(0, value) for value in values)])[1:]
        shares = _at_point([_cell(count, total) for count in counts])
        columns = [names, [f"{count:,}" for count in counts], shares]
        heads = [self.titles[0], "deals", "share, %"]
        if isinstance(self.distribution, WeightedDistribution):
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
        bars = ["█" * round(Fraction(count, most) * longest) or "▏" for count in counts]
        yield from table_lines([*heads, ""], zip(*columns, bars, strict=True))

    def _table(self) -> Iterator[str]:
        """Yield a table of percentages, the first number down and the second across."""
        total, grouped = self.distribution.total, self._grouped()
        down, across = (sorted({row[which] for row in grouped}) for which in (0, 1))
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


_SIMULATED = 10_000

_EXAMPLES = """\
  pavcodec odds 'spades(east) == 2' --given 'spades(north) + spades(south) == 9'
  pavcodec odds 'hcp(north)' --given 'hcp(south) >= 20'
  pavcodec odds 'spades(east)' --hand 'S AKQ2.K85.AJ4.T63' --played 'E S93'
  pavcodec odds 'hcp(north)' --weights 'N: hcp {11: 1, 12-15: 3}'
  pavcodec odds 'losers(south)' --plot losers.svg"""

_DETAILS = """\
For an event, such as 'hcp(south) >= 20', odds prints the probability; for a number, such as
'hcp(south)', the probability of each value; for two numbers, that of each pair of values. The
answers are exact, because odds counts deals and does not simulate. It rounds percentages, but not
fractions; with --json all shares are fractions.

With --weights, deals count by their weights, as 'deal --weight-of' draws them: the chance of a deal
is proportional to the product of its weights. See 'pavcodec deal --help' for the form of a weight.

With -f, the script's condition is the given condition. Without a question, odds answers the
script's actions 'average' and 'frequency', also exactly.

Questions and conditions that use rnd or tricks cannot be counted: odds estimates them from 10,000
random deals, as --simulate does for any question. It marks estimates as such and prints a 95 %
confidence interval."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument(
        "questions", nargs="*", metavar="QUESTION", help="an event, a number, or two numbers"
    )
    option_group(parser, "condition").add_argument(
        "--given",
        dest="expression",
        metavar="EXPR",
        help="the condition that the deals satisfy (default: none)",
    )
    add_script(parser)
    add_predeal(parser, "known cards")
    add_known(parser)
    add_cards(parser)
    add_legal(parser)
    add_memory(parser)
    add_weights_of_deals(parser, "--weights")
    group = option_group(parser, "simulation")
    group.add_argument(
        "--simulate",
        type=whole,
        metavar="N",
        help="estimate from N random deals instead of counting",
    )
    group.add_argument(
        "--seed", metavar="SEED", help="the seed of the simulation (default: a fixed seed)"
    )
    option_group(parser, "output").add_argument(
        "--plot", metavar="FILE", help="plot the distribution to a file: .png, .svg or .pdf"
    )
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Answer."""
    from pavcodec.constraints import WeightedDeals

    if len(args.questions) > 2:
        raise UsageError("give one event or number, or two numbers")
    if args.simulate == 0:
        raise UsageError("--simulate is at least 1")
    request = read_request(args)
    questions = list(_questions(args, request))
    kind = plot_kind(args)
    if kind and (len(questions) != 1 or not isinstance(questions[0], NumberAnswer)):
        raise UsageError("--plot draws the distribution of one number, or of two together")
    space = counted_space(args, request, "exact" if args.simulate is None else "plan")
    answers = list(map(_Answering(args, space), questions))
    with open_text_output(args.output) as out:
        if args.json:
            rows: list[dict[str, object]] = [each.row() for each in answers]
            if isinstance(space, WeightedDeals):
                rows = [row | {"weights": [each.text for each in space.weights]} for row in rows]
            out.write(f"{json.dumps(rows[0] if args.questions else rows)}\n")
        else:
            out.writelines(f"{line}\n" for each in answers for line in each.lines())
    if args.plot:
        from pavcodec.odds.distributions import draw_distribution

        given = "" if request.node is None else str(space.where)
        [answer] = answers
        assert isinstance(answer, NumberAnswer)
        with open_binary_output(args.plot) as plot:
            draw_distribution(answer.distribution, plot, kind, answer.titles, given=given)
    return 0


def _questions(args: argparse.Namespace, request: Request) -> Iterator[PrintedAnswer]:
    """Yield the questions of the command line, else of the actions of the script."""
    nodes = [condition_of_text(text) for text in args.questions]
    if nodes:
        yield _question(nodes)
        return
    from pavcodec.constraints.language.actions import Average, Frequency

    asked = 0
    for action in request.script.actions if request.script is not None else ():
        if isinstance(action, Average | Frequency):
            asked += 1
            yield question_of_action(action)
    if not asked:
        wanted = "an event or a number, as in 'hcp(south) >= 20' or 'hcp(south)'"
        raise UsageError(f"give {wanted}, or a script with average or frequency")


def _question(nodes: list[Node]) -> PrintedAnswer:
    from pavcodec.constraints.nodes.format import format_node
    from pavcodec.odds.questions import is_event

    titles = [format_node(node) for node in nodes]
    if len(nodes) == 1 and is_event(nodes[0]):
        return EventAnswer(titles[0], nodes)
    return NumberAnswer(titles, nodes)


def question_of_action(action: Action) -> PrintedAnswer:
    """Return the question of an average or a frequency."""
    from pavcodec.constraints.language.actions import Average, Frequency
    from pavcodec.constraints.nodes.format import format_node

    if isinstance(action, Average):
        title = action.label or f"average {format_node(action.expression)}"
        return NumberAnswer([title], [action.expression], only_average=True)
    assert isinstance(action, Frequency)
    counted: list[Counted] = [each for each in (action.rows, action.columns) if each is not None]
    titles = [format_node(each.expression) for each in counted]
    ranges = [range(each.low, each.low + each.buckets * each.size, each.size) for each in counted]
    nodes = [each.expression for each in counted]
    return NumberAnswer(titles, nodes, ranges=ranges, label=action.label)


class _Answering:
    """Computes answers: exact ones if counting can, else from random deals."""

    def __init__(self, args: argparse.Namespace, space: Space | WeightedDeals) -> None:
        self.space = space
        self.simulated: int | None = args.simulate
        self.memory = {} if args.memory is None else {"memory": args.memory}
        self.seed = given_seed(args)

    def __call__(self, question: PrintedAnswer) -> PrintedAnswer:
        from pavcodec.constraints.counting.diagrams.compile import NotCountableError

        simulated = self.simulated
        if simulated is None:
            try:
                with waiting("counting"):
                    return question.ask(self.space, dict(self.memory))
            except NotCountableError as error:
                simulated = _SIMULATED
                reason = str(error).partition(": ask for")[0]
                complain(f"{question.title}: {reason}, so this is an estimate")
        with waiting("dealing"):
            options = {"simulate": simulated, "seed": self.seed}
            return question.ask(self.space, options | self.memory)
