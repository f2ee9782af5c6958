"""Count: how many deals satisfy a condition."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, inf
from typing import TYPE_CHECKING, Any, ClassVar

from pavcodec.cards import Seat
from pavcodec.chances.figures import chances, many, percent, rounded
from pavcodec.chances.plans import (
    exclusion,
    is_tested,
    parts_tested,
    plan_lines,
)
from pavcodec.errors import ModelTooLarge
from pavcodec.legal import LEGAL_ENDINGS
from pavcodec.limits import MEMORY, Clock, TimeIsUp, time_limited
from pavcodec.numberings import numbering
from pavcodec.questions.asking import (
    Answer,
    QuestionError,
    as_in,
    ask,
    meanwhile,
    note,
    working,
)
from pavcodec.questions.deals import Deals, Endings, Request, excluding, space_of
from pavcodec.questions.shares import (
    LevelCount,
    MixCount,
    Types,
    WeightCount,
    Weights,
    level_of,
    mix_of,
    weighted_of,
)
from pavcodec.questions.words import whole

if TYPE_CHECKING:
    from pavcodec.chances.plans import CountedSpace
    from pavcodec.constraints import Estimate, Expression
    from pavcodec.constraints.spaces.deals import CountableSpace as Space

_TRIES = 2000
_SECONDS, _MEMORY = 20, 1500 << 20
"""The most seconds and bytes of counting; what takes more is estimated."""
_AT_ONCE = 5.0
"""The seconds of counting before the estimate is told."""


@dataclass(frozen=True)
class Count(Weights, Types, Endings, Deals):
    """Count the deals that satisfy a condition, exactly."""

    name: ClassVar[str] = "count"
    examples: ClassVar[str] = """\
  pavcodec count 'hcp(south) >= 20'
  pavcodec count 'hearts(north) >= 5' --predeal 'south SAKQ,HA'
  pavcodec count -f notrump.dlr --level weak,strong --shares 1,2"""
    details: ClassVar[str] = """\
A condition is in the language of the classic dealer program: hcp(north), spades(west), shape(south,
any 4333 + 5xxx), controls, losers, hascard(east, SA) and more, with && || !, == != < <= > >= and +
- * / %.

The number of deals and the probability are exact; count rounds percentages and odds. If there are
no deals, count names the parts of the condition that exclude each other. With known cards, or cards
and lengths that are dealt first, count prints the probability among the deals with them, then the
probability among all deals. From a script, count uses the condition and the predealt cards only.

--cards N --legal counts the endings that legal play can reach in some denomination. The first
probability is that among the legal endings of N cards, the second that among all endings.

Parts that use rnd or tricks cannot be counted. count tests them on random deals that satisfy the
other parts, and prints an estimate. It also prints an estimate, and says why, if counting needs
more than --seconds or --memory, unless you choose --method exact. While it counts for long, it
tells the estimate on stderr. Where tests take longer than --seconds, as of tricks, the estimate is
from fewer deals. --explain prints the plan that 'deal' uses.

--mix counts the deals of each type: the deals that satisfy EXPR and this type, and no earlier type.
--level counts the types of a script as 'deal --level' deals them. "By nature" is the share of a
type among all these deals; "deals per board" is this share divided by the share of the boards. With
{{level-mix:NAME}} in the script, count prints these lines with the shares filled in.

With weights, count counts the deals with a weight: those that 'deal' can deal.

A script may stand in place of the condition, as a text.

--json prints one object: "cardinality" (decimal digits in a text), "probability" (a fraction in a
text) and "exact" (true). "conflict" lists parts that exclude each other. "predealt" has the
"cardinality" of the deals with the predealt cards and the "probability" among them; with --legal,
"legal" has the same of all legal endings of N cards. For an estimate, "exact" is false,
"cardinality" and "probability" are null, and "estimate" has "value", "low" and "high" (the ends of
a 95 % confidence interval), "accepted" and "tried". --explain adds "counted", "tested" ("part" and
"reason"), "plan" (the counted seats of a condition that is too large, else null), "seats", "nodes",
"bytes" and "seconds". --level adds "lists", the types of each list."""

    condition: str | None = ask(
        "the condition, or the text of a script (default: the script's condition, or the known "
        "cards)",
        default=None, flag="", metavar="EXPR", label="Condition",
    )  # fmt: skip
    method: str = ask(
        "plan: count the largest part of the condition that is quick to count, and test the rest; "
        "exact: count all parts, however long it takes; test: test all parts (default: plan)",
        default="plan", choices=("plan", "exact", "test"),
    )  # fmt: skip
    seconds: int | None = ask(
        "the most seconds of counting; what takes longer is estimated "
        f"(default: {_SECONDS}; with --method exact: no limit)",
        default=None, metavar="S", read=whole, most=100_000, local=True,
    )  # fmt: skip
    memory: int | None = as_in(
        Deals, "memory",
        help="the memory limit for counting, as in 500M or 16G (default: "
        f"{_MEMORY >> 20}M; with --method exact, types or weights: 4G)",
    )  # fmt: skip
    tries: int | None = ask(
        f"the number of deals to test for an estimate (default: {_TRIES}, and more while tests are "
        "quick, until enough deals pass)",
        default=None, metavar="N", read=whole, most=100_000,
    )  # fmt: skip
    explain: bool = ask(
        "print which parts count counts and tests, and the size of the model",
        default=False, group="output",
    )  # fmt: skip
    conflict: bool = ask(
        "print only the parts that exclude each other, one a line; nothing if there are deals",
        default=False, group="output",
    )  # fmt: skip

    keys: ClassVar[dict[str, str]] = {
        "cardinality": "the number of deals, in decimal digits; null for an estimate",
        "probability": "the share of all deals, as a fraction; null for an estimate",
        "exact": "whether the deals were counted",
        "conflict": "the parts that exclude each other, if there are no deals",
        "predealt": "the cardinality of the deals with the predealt cards, and the share of those",
        "legal": "the cardinality of the legal endings of so many cards, and the share of those",
        "estimate": "the value, its 95 % confidence interval from low to high, accepted and tried",
        "types": "of a mix, the condition, the share and the cardinality of each type",
        "lists": "of levels, the types of each list",
        "order": "of levels, whether the types are drawn or even",
        "missing": "of levels, the types that are missing from each list",
        "untyped": "of levels, the share of deals without a type",
        "natural_untyped": "of levels, the share of such deals by nature",
        "text": "of levels, the lines of a script, filled in",
    }

    def find(self) -> Answer:
        """Return the number; an estimate if a part of the condition is tested."""
        if self.tries == 0:
            raise QuestionError("{tries} is at least 1", "tries")
        given = (self.script, self.predeal, self.template, self.mix, self.weights, self.is_known)
        if self.condition is None and self.cards is None and not any(given):
            raise QuestionError(
                "give a condition, as in 'hcp(south) >= 20', or a script with -f", "condition"
            )
        request = self.request(self.condition, "condition")
        levelled = level_of(self, request)
        if levelled is not None:
            return LevelCount(levelled, self.tries or _TRIES, request.text)
        weighted = weighted_of(self, request)
        if weighted is not None:
            return WeightCount(weighted)
        mix = mix_of(self, request)
        if mix is not None:
            return MixCount(mix, self.tries or _TRIES)
        return _Counting(self, request).answer()


def count(condition: str | None = None, **fields: Any) -> Answer:
    """Count the deals that satisfy a condition, exactly, as the command `count` does.

    The fields are those of `Count`. The answer has `lines()` for the screen, `to_dict()` for JSON.

    >>> print(count("hcp(south) >= 20"))
    775,210,323,410,809,268,643,158,400 deals
    probability 134948017/9338434700: 1 in 69.2, 1.445 %
    """
    return Count(condition=condition, **fields).answer()


class _Counting:
    """Counts the deals of a request in the way that is quickest.

    Rule 1: a large condition is counted without a model to draw from, which takes less. What takes
    longer than `_AT_ONCE` first gets the plan of `deal`, and the estimate from its deals is told.
    Rule 2: then the condition is counted within the limits of seconds and memory. They decide
    whether the answer is a number or the estimate; they change no plan and no deal. The seconds are
    those of the whole answer; only a plan, and an estimate of `_AT_ONCE`, may take longer.
    """

    def __init__(self, asked: Count, request: Request) -> None:
        self._asked, self._request, self._clock = asked, request, Clock()
        self._among: int | None = None
        if request.predealt is not None:
            predealt = replace(request.condition, node=request.predealt)
            self._among = space_of(predealt).counted.cardinality
        is_exact = asked.method == "exact"
        self._seconds = (
            asked.seconds if asked.seconds is not None else inf if is_exact else _SECONDS
        )
        self._at_once = self._seconds if is_exact else min(self._seconds, _AT_ONCE)
        memory = asked.memory or (MEMORY if is_exact else _MEMORY)
        self._condition = replace(request.condition, memory=memory)
        self._total: int | None = None
        self._why = ""
        """Which limit ended the counting; the error itself would hold all that was counted."""
        self._is_late = False
        self._is_tried = False

    def answer(self) -> Answer:
        """Return the number, an estimate, or only the parts that exclude each other."""
        asked, request = self._asked, self._request
        is_alone = asked.cards is None and not asked.explain and not asked.conflict
        if request.node is not None and is_alone and request.condition.is_large:
            self._count(self._at_once)
            if self._total:
                everything = space_of(request.condition.of(()))
                return self._exactly(_number_of(everything, self._among), ())
        start = time.perf_counter()
        number = self._of_plan()
        if isinstance(number, Number) and asked.explain:
            number.seconds = time.perf_counter() - start
        return number

    def _of_plan(self) -> Number | Conflict:
        """Return the number, or the estimate from the deals of the plan."""
        from pavcodec.constraints.counting.recent import forget_models

        asked = self._asked
        space = space_of(self._request.condition, "test" if asked.method == "test" else "plan")
        if asked.conflict:
            return Conflict(tuple(map(str, excluding(space))))
        number = _number_of(space, self._among, explains=asked.explain)
        if not is_tested(space) or not space.counted.cardinality:
            number.conflict = excluding(space)
            return number
        where = space.where
        if not self._is_tried:
            self._count(self._at_once)
        if self._total is None:
            tries = asked.tries
            left = inf if tries else max(self._seconds - self._clock.passed, _AT_ONCE)
            with working("testing deals"), time_limited(left):
                guess = space.estimate(tries, seed="cardinality") if tries else space.cardinality
            number.estimate = guess
            left = self._seconds - self._clock.passed
            if self._is_late and left > 0:
                about = many(rounded(guess.value), "deal")
                meanwhile(f"estimated: about {about}; counting takes up to {ceil(left)} s more")
                del space
                forget_models()  # so that counting has the memory of the plan
                self._count(self._seconds, self._clock)
        if self._total is not None:
            return self._exactly(number, () if self._total else (where,))
        if self._why:
            note(f"this is an estimate: {self._why}")
        return number

    def _exactly(self, number: Number, conflict: tuple[Expression, ...]) -> Number:
        """Return the number that was counted, in place of that of a part or of an estimate."""
        assert self._total is not None
        number.total = self._total
        number.share = Fraction(self._total, numbering("deal").cardinality)
        number.estimate, number.conflict = None, conflict
        return number

    def _count(self, seconds: float, since: Clock | None = None) -> None:
        """Count without a model to draw from, if that is possible within so many seconds."""
        from pavcodec.constraints.counting.compile import NotCountableError

        self._is_tried, asked, condition = True, self._asked, self._condition
        cannot = self._request.node is None or asked.method == "test" or asked.tries
        if cannot or any(condition.reasons):
            return
        try:
            with working("counting"), time_limited(seconds, since), suppress(NotCountableError):
                self._total = condition.cardinality
        except (ModelTooLarge, TimeIsUp) as error:
            if asked.method == "exact":
                raise
            self._why, self._is_late = str(error), isinstance(error, TimeIsUp)


@dataclass
class Number(Answer):
    """A number of deals: exact, or an estimate if some parts of the condition were tested.

    `total` is the exact number, and the `share` of all deals; with an estimate, those of the deals
    of the `counted` parts, from which it was drawn. `tested` are the other parts with their
    reasons. `among` is the number of deals with the predealt cards. For endings, `cards` is the
    size of a hand. An answer that explains itself has its models and the seconds that it took.
    """

    total: int
    share: Fraction
    kind: str
    cards: int
    counted: tuple[Expression, ...]
    tested: tuple[tuple[Expression, str], ...]
    plan: str
    plan_lines: tuple[str, ...]
    models: tuple[list[str], int, int] | None
    """The seats, nodes and bytes of the models from which deals are drawn."""
    estimate: Estimate[int] | None = None
    conflict: tuple[Expression, ...] = ()
    among: int | None = None
    seconds: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the number as JSON."""
        row = self._to_dict() if self.estimate is None else self.estimate.to_dict()
        return row if self.models is None else row | self._explained()

    def _to_dict(self) -> dict[str, Any]:
        row: dict[str, Any] = {"cardinality": str(self.total)}
        row |= {"probability": str(self.share), "exact": True}
        if self.among:
            share = Fraction(self.total, self.among)
            row["predealt"] = {"cardinality": str(self.among), "probability": str(share)}
        if self.legal:
            share = Fraction(self.total, self.legal)
            row["legal"] = {"cardinality": str(self.legal), "probability": str(share)}
        return row | ({"conflict": [str(part) for part in self.conflict]} if self.conflict else {})

    def lines(self) -> Iterator[str]:
        """Yield the number as text."""
        yield from self._exactly() if self.estimate is None else self._estimated(self.estimate)
        if self.models is not None:
            yield from self._explanation()

    def _exactly(self) -> Iterator[str]:
        total, share = self.total, self.share
        yield many(total, self.kind)
        if not total:
            yield exclusion(self.conflict)
        elif share == 1:
            yield f"probability 1: all {'endings' if self.legal else self.kind + 's'}"
        else:
            of_all = " of all endings" if self.legal else ""
            if self.among and self.among > total:  # else all of them satisfy it
                yield self._share_of_predealt(Fraction(total, self.among))
                of_all = of_all or f" of all {self.kind}s"
            if self.legal > total:
                legal = Fraction(total, self.legal)
                what, cards = many(self.legal, "legal ending"), many(self.cards, "card")
                told = f"{chances(legal)}, {percent(legal)} of the {what} of {cards}"
                yield f"probability {legal}: {told}"
            yield f"probability {share}: {chances(share)}, {percent(share)}{of_all}"

    @property
    def legal(self) -> int:
        """The number of legal endings of so many cards; 0 if illegal endings count as well."""
        return LEGAL_ENDINGS[self.cards] if self.kind == "legal ending" else 0

    def _share_of_predealt(self, share: Fraction, what: str = "probability") -> str:
        """Return a line on the share of the deals with the predealt cards."""
        assert self.among is not None
        of = f"of the {many(self.among, self.kind)} with what is dealt beforehand"
        told = f"{chances(share)}, {percent(share)} {of}"
        return f"{what}: {told}" if what != "probability" else f"{what} {share}: {told}"

    def _explained(self) -> dict[str, Any]:
        """Return how the number was found, for JSON."""
        row: dict[str, Any] = {"counted": [*map(str, self.counted)]}
        row["tested"] = [{"part": str(part), "reason": reason} for part, reason in self.tested]
        row["plan"] = self.plan or None
        row |= zip(("seats", "nodes", "bytes"), self.models or (), strict=True)
        return row | {"seconds": round(self.seconds or 0, 3)}

    def _explanation(self) -> Iterator[str]:
        """Yield how the number was found, as text."""
        from pavcodec.constraints.nodes.format import show_text

        yield from self.plan_lines
        for counting in self.counted:
            yield f"counted  {show_text(counting.node)}"
        for part, reason in self.tested:
            yield f"tested   {show_text(part.node)}: {reason}"
        seats, nodes, size = self.models or ((), 0, 0)
        yield f"seats    {' '.join(seats) or 'none'}"
        yield f"model    {many(nodes, 'node')}, {many(size, 'byte')}"
        yield f"time     {self.seconds:.2f} s"

    def _estimated(self, guess: Estimate[int]) -> Iterator[str]:
        low, high = rounded(guess.low, up=False), rounded(guess.high, up=True)
        yield f"estimated: about {many(rounded(guess.value), 'deal')}"
        yield f"estimated: {low:,} to {high:,} with 95 % confidence"
        share = guess.acceptance * self.share
        if share and self.among:
            within = Fraction(guess.accepted * guess.total, guess.tried * self.among)
            yield self._share_of_predealt(within, "estimated probability")
        if share:
            of_all = " of all deals" if self.among else ""
            yield f"estimated probability: {chances(share)}, {percent(share)}{of_all}"
        tried = f"{guess.accepted:,} of {many(guess.tried, 'deal')} passed"
        yield f"{tried}; they were drawn from {guess.total:,}, the exact number for the other parts"


@dataclass
class Conflict(Answer):
    """The parts of a condition that exclude each other; none if there are deals."""

    parts: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the parts for JSON."""
        return {"conflict": [*self.parts]}

    def lines(self) -> Iterator[str]:
        """Yield the parts."""
        yield from self.parts


def _number_of(space: Space, among: int | None, *, explains: bool = False) -> Number:
    """Return the number of deals of the counted part of a space, without the space."""
    counted = space.counted
    return Number(
        counted.cardinality,
        counted.probability,
        counted.noun,
        getattr(counted, "cards", 0),
        tuple(counted.where.parts),
        tuple(parts_tested(space)),
        space.plan if is_tested(space) else "",
        tuple(plan_lines(space)),
        _models(counted) if explains else None,
        among=among,
    )


def _models(counted: CountedSpace) -> tuple[list[str], int, int]:
    """Return seats, nodes and bytes of the models from which deals are drawn, one for each case."""
    models = [each.model for each in getattr(counted, "spaces", [counted])]
    seats = sorted({seat for model in models for seat in model.seats})
    nodes, size = sum(model.nodes for model in models), sum(model.memory for model in models)
    return [Seat(seat).letter for seat in seats], nodes, size
