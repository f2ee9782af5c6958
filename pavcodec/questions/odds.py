"""Odds: how likely an event is, and how a number or a pair of numbers is distributed.

If the number is a defender's length in a suit, and it is known how many cards of it both defenders
hold, the answer has their breaks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, cast

from pavcodec.cards import Rank, Seat
from pavcodec.chances.figures import chances, digits, many, odds_text, percent
from pavcodec.chances.plans import is_tested
from pavcodec.errors import ModelTooLarge, NumberError, PavError
from pavcodec.questions.asking import Answer, QuestionError, ask, note, working
from pavcodec.questions.deals import Deals, Endings, Request, condition_of_text
from pavcodec.questions.outputs import Out
from pavcodec.questions.shares import Weights, counted_space
from pavcodec.questions.tables import WIDTH, table_lines
from pavcodec.questions.words import whole

if TYPE_CHECKING:
    from pavcodec.chances import Distribution, SampledDistribution
    from pavcodec.constraints import WeightedDeals
    from pavcodec.constraints.language.actions import Action
    from pavcodec.constraints.nodes.syntax import Node
    from pavcodec.constraints.spaces.deals import CountableSpace as Space
    from pavcodec.constraints.spaces.deals import Method
    from pavcodec.constraints.spaces.estimates import Estimate

_SIMULATED = 10_000
_SOLVED = 100


@dataclass(frozen=True)
class Odds(Weights, Endings, Deals):
    """Compute the probability of an event, or a distribution."""

    name: ClassVar[str] = "odds"
    examples: ClassVar[str] = """\
  pavcodec odds 'spades(east) == 2' --given 'spades(north) + spades(south) == 9'
  pavcodec odds 'hcp(north)' --given 'hcp(south) >= 20'
  pavcodec odds 'spades(east)' --hand 'S AKQ2.K85.AJ4.T63' --played 'E S93'
  pavcodec odds 'hcp(north)' --weights 'N: hcp {11: 1, 12-15: 3}'
  pavcodec odds 'losers(south)' --plot losers.svg"""
    details: ClassVar[str] = """\
For an event, such as 'hcp(south) >= 20', odds prints the probability; for a number, such as
'hcp(south)', the probability of each value; for two numbers, that of each pair of values. The
answers are exact, because odds counts deals and does not simulate. It rounds percentages, but not
fractions; with --json all shares are fractions.

For the length of a defender's suit, odds also prints how the suit breaks, if it is known how many
cards of it both defenders hold: by a condition, or because both other hands are known.

With --weights, deals count by their weights, as 'deal --weights' draws them: the chance of a deal
is proportional to the product of its weights. See 'pavcodec deal --help' for the form of a weight.

With -f, the script's condition is the given condition. Without a question, odds answers the
script's actions 'average' and 'frequency', also exactly.

Questions and conditions that use rnd or tricks cannot be counted: odds estimates them from 10,000
random deals, or from 100 if tricks are computed, as --simulate does for any question. So it does if
counting needs more than --memory. It marks estimates as such and prints a 95 %
confidence interval."""

    event: str | None = ask(
        "an event such as 'spades(east) == 2', or a number such as 'hcp(north)'",
        default=None, flag="", metavar="QUESTION", label="What do you want to know?",
    )  # fmt: skip
    second: str | None = ask(
        "a second number, for the probability of each pair of values",
        default=None, flag="", metavar="SECOND", label="A second number",
    )  # fmt: skip
    given: str | None = ask(
        "the condition that the deals satisfy (default: none)",
        default=None, metavar="EXPR", label="What do you know of the deal?",
    )  # fmt: skip
    simulate: int | None = ask(
        "estimate from N random deals instead of counting",
        default=None, group="simulation", metavar="N", read=whole, most=100_000,
        label="Random deals",
    )  # fmt: skip
    seed: str | None = ask(
        "the seed of the simulation (default: a fixed seed)",
        default=None, group="simulation", metavar="SEED", label="Seed", most=1000,
    )  # fmt: skip

    plots: ClassVar[str] = "the distribution of one number, or of two together"
    rows_are: ClassVar[str] = "value"

    keys: ClassVar[dict[str, str]] = {
        "event": "the event, in one form",
        "probability": "the probability, as a fraction; null for an estimate",
        "exact": "whether the answer was counted",
        "estimate": "the value, its 95 % confidence interval from low to high, accepted and tried",
        "weights": "the weights of the deals",
        "numbers": "the number, or the numbers, in one form",
        "total": "the deals that were counted, or those of the sample",
        "average": "the average of a number, as a fraction",
        "variance": "the average square of the distance from the average, as a fraction",
        "standard_error": "of the average of a sample: the square root of its variance",
        "values": "the values, each with its deals and its share",
        "breaks": "how the cards of two defenders break, if the number is a length of one of them",
    }

    def find(self) -> Answer:
        """Return the exact answer; an estimate if it is wanted, or if counting cannot."""
        if self.simulate == 0:
            raise QuestionError("{simulate} is at least 1", "simulate")
        if self.event is None and self.second is not None:
            said = repr(self.second)
            raise QuestionError("{second} {said} has no first number", "second", said=said)
        request = self.request(self.given, "given")
        asked = list(self._asked(request))
        simulate = self.simulate
        if simulate is None:
            try:
                return self._answers(asked, request, "exact", None)
            except ModelTooLarge as error:
                simulate = _simulated(asked, request)
                note(f"{error}, so this is an estimate from {simulate:,} random deals")
        return self._answers(asked, replace(request, memory=None), "plan", simulate)

    def _answers(
        self, asked: Sequence[Asked], request: Request, method: Method, simulate: int | None
    ) -> Answer:
        """Return the answers from deals that are made in this way."""
        space = counted_space(self, request, method)
        answers = [self._answer(each, space, request, simulate) for each in asked]
        return ActionAnswers(answers) if self.event is None else answers[0]

    def _asked(self, request: Request) -> Iterator[Asked]:
        """Yield what is asked, else what the actions of the script ask."""
        from pavcodec.constraints.language.actions import Average, Frequency

        if self.event is not None:
            texts = {"event": self.event, "second": self.second}
            yield Asked(
                [
                    condition_of_text(text, field)
                    for field, text in texts.items()
                    if text is not None
                ]
            )
            return
        actions = () if request.script is None else request.script.actions
        answered = [each for each in actions if isinstance(each, Average | Frequency)]
        if not answered:
            raise QuestionError(
                "give an event or a number, as in 'hcp(south) >= 20' or 'hcp(south)', or a script "
                "with average or frequency",
                "event",
            )
        yield from map(asked_by_action, answered)

    def _answer(
        self,
        asked: Asked,
        space: Space | WeightedDeals,
        request: Request,
        simulated: int | None,
    ) -> EventAnswer | NumberAnswer:
        """Return the exact answer if counting can, else one from random deals."""
        from pavcodec.constraints import WeightedDeals
        from pavcodec.constraints.counting.compile import NotCountableError

        memory: dict[str, Any] = {} if self.memory is None else {"memory": self.memory}
        answer = None
        if simulated is None:
            try:
                with working("counting"):
                    answer = asked.of(space, **memory)
                    if isinstance(answer, NumberAnswer):
                        answer.breaks = _breaks(asked, space, answer.distribution)
            except NotCountableError as error:
                simulated = _simulated([asked], request)
                reason = str(error).partition(": ask for")[0]
                note(f"{asked.title}: {reason}, so this is an estimate")
        if answer is None:
            with working("dealing"):
                answer = asked.of(space, simulate=simulated, seed=self._seed, **memory)
        if isinstance(space, WeightedDeals):
            answer.weights = tuple(each.text for each in space.weights)
        answer.given = "" if request.node is None else str(space.where)
        return answer

    @property
    def _seed(self) -> int | None:
        from pavcodec.sampling import parse_seed

        try:
            return None if self.seed is None else parse_seed(self.seed)
        except NumberError as error:
            raise QuestionError("{seed}: {said}", "seed", said=error) from None


def odds(event: str | None = None, second: str | None = None, **fields: Any) -> Answer:
    """Return the probability of an event, or a distribution, as the command `odds` answers.

    The fields are those of `Odds`. The answer has `lines()` for the screen, `to_dict()` for JSON.

    >>> print(odds("spades(east) == 2", given="spades(north) + spades(south) == 9"))
    probability 234/575: 1 in 2.457, 40.7 %
    odds 1.457 to 1 against
    """
    return Odds(event, second, **fields).answer()


def _simulated(asked: Sequence[Asked], request: Request) -> int:
    """Return the deals of an estimate; fewer if a solver plays each of them."""
    from pavcodec.constraints.nodes.syntax import Tricks, distinct

    nodes = [node for each in asked for node in each.nodes]
    nodes += [] if request.node is None else [request.node]
    solves = any(isinstance(part, Tricks) for node in nodes for part in distinct(node))
    return _SOLVED if solves else _SIMULATED


@dataclass(frozen=True)
class Asked:
    """An event, a number, or a pair of numbers, as it was read.

    `ranges` are counted one by one, `label` is the text of an action, and an average asks for no
    single values.
    """

    nodes: Sequence[Node]
    ranges: Sequence[range] = ()
    label: str | None = None
    only_average: bool = False

    @property
    def titles(self) -> list[str]:
        """The names of the numbers, or that of the event."""
        from pavcodec.constraints.nodes.format import format_node

        if self.only_average:
            return [self.title]
        return list(map(format_node, self.nodes))

    @property
    def title(self) -> str:
        """The name of the question."""
        from pavcodec.constraints.nodes.format import format_node

        if self.only_average:
            return self.label or f"average {format_node(self.nodes[0])}"
        return self.label or " by ".join(self.titles)

    def of(
        self,
        space: Space | WeightedDeals,
        **options: Any,
    ) -> EventAnswer | NumberAnswer:
        """Return the answer among the deals of a space.

        Raises `NotCountableError` if only an estimate is possible.
        """
        from pavcodec.chances import distribution, probability
        from pavcodec.chances.questions import is_event
        from pavcodec.constraints import expression

        first, *more = map(expression, self.nodes)
        if not more and not (self.ranges or self.only_average) and is_event(self.nodes[0]):
            return EventAnswer(self.title, probability(first, given=space, **options))
        return NumberAnswer(self, distribution(first, *more, given=space, **options))


def _breaks(
    asked: Asked, space: Space | WeightedDeals, lengths: Mapping[Any, Any]
) -> dict[tuple[int, int], Fraction]:
    """Return how the cards of a suit break between two defenders, evenly first.

    East and West defend, or else the side with the fewer cards. The answer is empty for other
    numbers, and where their common length is not the same in all deals.
    """
    from pavcodec.chances import distribution
    from pavcodec.constraints import expression
    from pavcodec.constraints.nodes.syntax import Length

    own, *more = asked.nodes
    is_plain = not (more or asked.ranges or asked.only_average)
    if not (is_plain and isinstance(own, Length) and len(lengths) > 1):
        return {}
    partner = own.seat.partner
    few = space.sample(_FEW, seed="breaks")
    seen = {sum(deal[seat].shape[own.suit] for seat in (own.seat, partner)) for deal in few}
    if len(seen) > 1:
        return {}  # else counting decides
    missing = seen.pop()
    both = expression(own) + expression(Length(partner, own.suit))
    defends = Seat.EAST in (own.seat, partner) or 2 * missing < len(Rank)
    if not defends or len(distribution(both, given=space)) > 1:
        return {}
    breaks: dict[tuple[int, int], Fraction] = {}
    for held, share in lengths.items():
        sides = max(held, missing - held), min(held, missing - held)
        breaks[sides] = breaks.get(sides, Fraction(0)) + share
    return dict(sorted(breaks.items()))


_FEW = 8
"""The deals that show whether a common length may be the same in all."""
_BAR = 40
_LEAST_BAR = 8
_DECIMALS = 12
_READABLE = 10**6
"""The greatest denominator that is worth printing."""


@dataclass
class EventAnswer(Answer):
    """How likely an event is."""

    title: str
    chance: Fraction | Estimate[Fraction]
    weights: tuple[str, ...] = ()
    given: str = ""

    def lines(self) -> Iterator[str]:
        """Yield the answer as text."""
        chance = self.chance
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

    def rows(self) -> Iterator[Sequence[object]]:
        """Yield the heads and the row of the event."""
        yield ["event", *_heads(self.chance)]
        yield [self.title, *_cells(self.chance)]

    def to_dict(self) -> dict[str, Any]:
        """Return the answer for JSON."""
        from pavcodec.constraints.spaces.estimates import chance_row

        row: dict[str, Any] = {"event": self.title, **chance_row(self.chance)}
        return row | _weights_row(self.weights)


def _heads(chance: Fraction | Estimate[Fraction]) -> tuple[str, ...]:
    return (
        ("probability", "decimal") if isinstance(chance, Fraction) else ("estimate", "from", "to")
    )


def _cells(chance: Fraction | Estimate[Fraction]) -> list[str]:
    """Return a chance in the cells of a row: exactly and rounded, or an estimate with its ends."""
    if isinstance(chance, Fraction):
        return [str(chance), digits(chance, _DECIMALS)]
    return [digits(each, _DECIMALS) for each in (chance.value, chance.low, chance.high)]


def _weights_row(weights: tuple[str, ...]) -> dict[str, Any]:
    return {"weights": [*weights]} if weights else {}


@dataclass
class NumberAnswer(Answer):
    """How a number is distributed, or two together."""

    asked: Asked
    distribution: Distribution[Any] | SampledDistribution[Any]
    weights: tuple[str, ...] = ()
    given: str = ""
    breaks: dict[tuple[int, int], Fraction] = field(default_factory=dict)
    """The chance of each break of a suit between two defenders, if that is what is asked."""
    is_drawn = True

    @property
    def is_exact(self) -> bool:
        """Whether the answer was counted."""
        from pavcodec.chances import Distribution

        return isinstance(self.distribution, Distribution)

    def lines(self) -> Iterator[str]:
        """Yield the answer as text."""
        if self.asked.only_average:
            yield f"{self.asked.title}: {self._average()}"
            return
        if self.asked.label:
            yield self.asked.label
        if not self.is_exact:
            yield f"estimated from {many(self.distribution.total, 'deal')}"
        yield from self._list() if len(self.asked.titles) == 1 else self._table()
        if len(self.asked.titles) == 1:
            from pavcodec.constraints.spaces.estimates import root

            deviation = digits(root(self.distribution.variance))
            yield f"average {self._average()}, standard deviation {deviation}"
        if self.breaks:
            shares = _at_point([_figure(share) for share in self.breaks.values()])
            rows = [
                [f"{more}–{fewer}", shown, str(share)]
                for ((more, fewer), share), shown in zip(self.breaks.items(), shares, strict=True)
            ]
            yield from table_lines(["break", "share, %", "probability"], rows)

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
            if self.asked.ranges:
                ends = zip(row, self.asked.ranges, strict=True)
                row = tuple(_lowest(value, each) for value, each in ends)
            grouped[row] = grouped.get(row, 0) + count
        return grouped

    def _name(self, which: int, value: int) -> str:
        if self.asked.ranges and value not in self.asked.ranges[which]:
            return "low" if value < self.asked.ranges[which].start else "high"
        return str(value)

    def _list(self) -> Iterator[str]:
        """Yield a line for each value with its share and a bar."""
        from pavcodec.chances import WeightedDistribution
        from pavcodec.constraints.spaces.estimates import Estimate

        total, grouped = self.distribution.total, self._grouped()
        most = max(grouped.values())
        values = [value for (value,) in sorted(grouped)]
        counts = [grouped[value,] for value in values]
        names = _at_right([self.asked.titles[0], *(self._name(0, value) for value in values)])[1:]
        shares = _at_point([_cell(count, total) for count in counts])
        columns = [names, [f"{count:,}" for count in counts], shares]
        heads = [self.asked.titles[0], "deals", "share, %"]
        if isinstance(self.distribution, WeightedDistribution):
            del columns[1], heads[1]
        if not self.is_exact:
            ends = [Estimate.of_sample(count, total, Fraction(1)) for count in counts]
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
        yield f"{self.asked.titles[0]} down, {self.asked.titles[1]} across, in percent"
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

    def rows(self) -> Iterator[Sequence[object]]:
        """Yield the heads, and a row for each value: its deals, and its probability."""
        from pavcodec.chances import WeightedDistribution

        values, titles = self.distribution, self.asked.titles
        counted = "weight" if isinstance(values, WeightedDistribution) else "deals"
        first: Any = next(iter(values.values()))
        yield [*titles, counted, *_heads(first)]
        for value, chance in values.items():
            row = value if isinstance(value, tuple) else (value,)
            yield [*row, values.counts[value], *_cells(chance)]

    def to_dict(self) -> dict[str, Any]:
        """Return the answer for JSON."""
        row: dict[str, Any] = {"label": self.asked.label} if self.asked.label else {}
        row |= {"numbers": self.asked.titles, **self.distribution.to_dict()}
        if self.asked.only_average:
            del row["values"]
        if self.breaks:
            row["breaks"] = [
                {"break": [*sides], "probability": str(share)}
                for sides, share in self.breaks.items()
            ]
        return row | _weights_row(self.weights)

    def draw(self, stream: BinaryIO, kind: str) -> None:
        """Draw the distribution as a picture of this kind."""
        from pavcodec.chances.distributions import draw_distribution

        draw_distribution(self.distribution, stream, kind, self.asked.titles, given=self.given)


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


@dataclass
class ActionAnswers(Answer):
    """The answers to the actions of a script, in their order."""

    answers: Sequence[EventAnswer | NumberAnswer]

    @property
    def is_drawn(self) -> bool:  # type: ignore[override]
        """Whether it is a single distribution."""
        return len(self.answers) == 1 and self.answers[0].is_drawn

    def draw(self, stream: BinaryIO, kind: str) -> None:
        """Draw the only distribution as a picture of this kind."""
        cast("NumberAnswer", self.answers[0]).draw(stream, kind)

    def rows(self) -> Iterator[Sequence[object]]:
        """Yield the heads and the rows of each answer."""
        for each in self.answers:
            yield from each.rows()

    def to_dict(self) -> Any:
        """Return the answers for JSON."""
        return [each.to_dict() for each in self.answers]

    def lines(self) -> Iterator[str]:
        """Yield the answers as text."""
        for each in self.answers:
            yield from each.lines()


@dataclass
class ExactActions(ActionAnswers):
    """The exact averages and tables of a script, counted over all deals of its condition."""

    out: Out
    is_json: bool
    told: str

    def write(self) -> None:
        """Write the answers."""
        if not self.is_json:
            note(self.told)
        with self.out.open_text() as out:
            if self.is_json:
                out.write(f"{json.dumps(self.to_dict())}\n")
            else:
                out.writelines(f"{line}\n" for line in self.lines())


def exact_actions(asked: Any, request: Request) -> ExactActions:
    """Return the exact answers to the actions of a script; nothing is dealt."""
    from pavcodec.constraints.counting.compile import NotCountableError
    from pavcodec.constraints.language.actions import Average, Frequency
    from pavcodec.constraints.nodes.format import show

    assert request.script is not None
    actions = request.script.actions
    if not actions:
        raise PavError("--exact answers average and frequency, and the script has no action")
    for action in actions:
        if not isinstance(action, Average | Frequency):
            reason = f"{action.word} needs deals"
            raise PavError(
                f"--exact answers average, frequency and bktfreq; {reason}: leave it out"
            )
    out = Out(asked.output, inputs=[asked.script], force=asked.force)
    space = counted_space(asked, request)
    if is_tested(space):
        why = f"{show(space.tested.node)} cannot be counted: {space.reasons[0]}"
        raise PavError(f"--exact counts, and {why}")
    memory = {} if asked.memory is None else {"memory": asked.memory}
    answers = []
    for each in map(asked_by_action, actions):
        try:
            with working("counting"):
                answers.append(each.of(space, **memory))
        except NotCountableError as error:
            reason = str(error).partition(": ask for")[0]
            raise PavError(
                f"--exact counts, and {each.title} cannot be counted: {reason}"
            ) from None
    told = f"exact: all {many(space.cardinality, space.noun)} were counted"
    return ExactActions(answers, out, asked.json, told)


def asked_by_action(action: Action) -> Asked:
    """Return what an average or a frequency asks."""
    from pavcodec.constraints.language.actions import Average, Frequency

    if isinstance(action, Average):
        return Asked([action.expression], label=action.label, only_average=True)
    assert isinstance(action, Frequency)
    axes = action.axes
    ranges = [range(each.low, each.low + each.buckets * each.size, each.size) for each in axes]
    return Asked([*action.expressions], ranges, action.label)
