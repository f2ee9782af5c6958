"""`pavcodec count`: how many deals satisfy a condition."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING

from pavcodec.cards import Seat
from pavcodec.cli.options.conditions import (
    add_cards,
    add_condition,
    add_counting,
    add_legal,
    excluding,
    has_known,
    read_request,
    space_of,
    whole,
)
from pavcodec.cli.options.shares import LevelCount, MixCount, add_level, add_mix, level_of, mix_of
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.streams import add_common
from pavcodec.cli.output.targets import UsageError
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import ModelTooLarge
from pavcodec.legal import LEGAL_ENDINGS
from pavcodec.numberings import numbering
from pavcodec.odds.figures import chances, many, percent, rounded
from pavcodec.odds.plans import (
    counted_of,
    exclusion,
    is_large,
    is_tested,
    kind_of,
    parts_tested,
    plan_lines,
)

if TYPE_CHECKING:
    from pavcodec.cli.options.conditions import Request
    from pavcodec.constraints import Estimate, Expression
    from pavcodec.constraints.spaces.deals import Method
    from pavcodec.odds.plans import CountedSpace
    from pavcodec.odds.questions import Space


Exact = Callable[[], "int | None"]
"""Counts the condition without a model; None if that is impossible or not needed."""

_TRIES = 2000

_EXAMPLES = """\
  pavcodec count 'hcp(south) >= 20'
  pavcodec count 'hearts(north) >= 5' --predeal 'south SAKQ,HA'
  pavcodec count -f notrump.dlr --level weak,strong --shares 1,2"""

_DETAILS = """\
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
other parts, and prints an estimate. It also prints an estimate if counting needs more than
--memory, unless you choose --method exact. --explain prints the plan that 'deal' uses.

--mix counts the deals of each type: the deals that satisfy EXPR and this type, and no earlier type.
--level counts the types of a script as 'deal --level' deals them. "By nature" is the share of a
type among all these deals; "deals per board" is this share divided by the share of the boards. With
{{level-mix:NAME}} in the script, count prints these lines with the shares filled in.

--json prints one object: "cardinality" (decimal digits in a text), "probability" (a fraction in a
text) and "exact" (true). "conflict" lists parts that exclude each other. "predealt" has the
"cardinality" of the deals with the predealt cards and the "probability" among them; with --legal,
"legal" has the same of all legal endings of N cards. For an estimate, "exact" is false,
"cardinality" and "probability" are null, and "estimate" has "value", "low" and "high" (the ends of
a 95 % confidence interval), "accepted" and "tried". --explain adds "counted", "tested" ("part" and
"reason"), "plan" (the counted seats of a condition that is too large, else null), "seats", "nodes",
"bytes" and "seconds". --level adds "lists", the types of each list."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    add_condition(parser, without="the script's condition, or the known cards")
    add_cards(parser)
    add_legal(parser)
    add_counting(parser)
    option_group(parser, "condition").add_argument(
        "--tries",
        type=whole,
        metavar="N",
        help=f"the number of deals to test for an estimate (default: {_TRIES}, and more while "
        "tests are quick, until enough deals pass)",
    )
    add_mix(parser)
    add_level(parser)
    group = option_group(parser, "output")
    group.add_argument(
        "--explain",
        action="store_true",
        help="print which parts count counts and tests, and the size of the model",
    )
    group.add_argument(
        "--conflict",
        action="store_true",
        help="print only the parts that exclude each other, one a line; nothing if there are deals",
    )
    add_common(parser, output=False)


def run(args: argparse.Namespace) -> int:
    """Count."""
    given = (args.script, args.predeal, args.template, args.mix, has_known(args))
    if args.expression is None and args.cards is None and not any(given):
        raise UsageError("give a condition, as in 'hcp(south) >= 20', or a script with -f")
    if args.tries == 0:
        raise UsageError("--tries is at least 1")
    request = read_request(args)
    levelled = level_of(args, request)
    mix = None if levelled else mix_of(args, request)
    if levelled is not None or mix is not None:
        counts: LevelCount | MixCount
        if levelled is not None:
            counts = LevelCount(levelled, args.tries or _TRIES, request.text)
        elif mix is not None:
            counts = MixCount(mix, args.tries or _TRIES)
        print(json.dumps(counts.row()) if args.json else "\n".join(counts.lines()))
        return 0
    among = None
    if request.predealt is not None:
        predealt = replace(request.condition, node=request.predealt)
        among = counted_of(space_of(predealt)).cardinality
    exact = cache(partial(_exact, request, args))  # if it fails, it fails once
    count = _without_model(request, args, exact, among)
    if count is None:
        return _run_with_space(request, args, exact, among)
    print(json.dumps(count.row()) if args.json else "\n".join(count.lines()))
    return 0


def _run_with_space(
    request: Request, args: argparse.Namespace, exact: Exact, among: int | None
) -> int:
    """Count the deals that a draw would use, and print the result."""
    start = time.perf_counter()
    method: Method = "test" if args.method == "test" else "plan"
    space = space_of(request.condition, method)
    if args.conflict:
        parts = [str(part) for part in excluding(space)]
        print(json.dumps({"conflict": parts}) if args.json else "\n".join(parts), end="")
        print(end="\n" if args.json or parts else "")
        return 0
    count = _count(space, args, exact, among)
    seconds = time.perf_counter() - start
    if args.json:
        explained = _explain(space, seconds) if args.explain else {}
        print(json.dumps(count.row() | explained))
    else:
        print(*count.lines(), sep="\n")
        if args.explain:
            print(*_explanation(space, seconds), sep="\n")
    return 0


def _without_model(
    request: Request, args: argparse.Namespace, exact: Exact, among: int | None
) -> _Count | None:
    """Count a large condition without a model to draw from; None if a model is as good."""
    if request.node is None or args.cards is not None or args.explain or args.conflict:
        return None
    if not is_large(request.node):
        return None
    total = exact()
    if not total:
        return None
    return _Count(counted_of(space_of(request.condition.of(()))), None, (), among, total)


@dataclass(frozen=True)
class _Count:
    """The result: the counted deals, and an estimate if some parts were tested.

    `among` is the number of deals with the predealt cards.
    """

    counted: CountedSpace
    estimate: Estimate | None
    conflict: tuple[Expression, ...]
    among: int | None = None
    exact: int | None = None
    """The number of deals, where it was counted and `counted` is a part of the condition."""

    @property
    def total(self) -> int:
        """The exact number of deals."""
        return self.counted.cardinality if self.exact is None else self.exact

    @property
    def share(self) -> Fraction:
        """The exact share of all deals."""
        if self.exact is None:
            return self.counted.probability
        return Fraction(self.exact, numbering("deal").cardinality)

    def row(self) -> dict[str, object]:
        """Return the number as JSON."""
        if self.estimate is not None:
            return self.estimate.to_dict()
        row: dict[str, object] = {"cardinality": str(self.total)}
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
        if self.estimate is not None:
            yield from self._estimated(self.estimate)
            return
        total, share = self.total, self.share
        yield many(total, kind_of(self.counted))
        if not total:
            yield exclusion(self.conflict)
        elif share == 1:
            yield f"probability 1: all {'endings' if self.legal else kind_of(self.counted) + 's'}"
        else:
            of_all = " of all endings" if self.legal else ""
            if self.among and self.among > total:  # else all of them satisfy it
                yield self._share_of_predealt(Fraction(total, self.among))
                of_all = of_all or f" of all {kind_of(self.counted)}s"
            if self.legal > total:
                legal = Fraction(total, self.legal)
                what, cards = many(self.legal, "legal ending"), many(self.counted.sizes[0], "card")
                told = f"{chances(legal)}, {percent(legal)} of the {what} of {cards}"
                yield f"probability {legal}: {told}"
            yield f"probability {share}: {chances(share)}, {percent(share)}{of_all}"

    @property
    def legal(self) -> int:
        """The number of legal endings of so many cards; 0 if illegal endings count as well."""
        counted = self.counted
        if kind_of(counted) != "legal ending":
            return 0
        return LEGAL_ENDINGS[counted.sizes[0]]

    def _share_of_predealt(self, share: Fraction, what: str = "probability") -> str:
        """Return a line on the share of the deals with the predealt cards."""
        assert self.among is not None
        of = f"of the {many(self.among, kind_of(self.counted))} with what is dealt beforehand"
        told = f"{chances(share)}, {percent(share)} {of}"
        return f"{what}: {told}" if what != "probability" else f"{what} {share}: {told}"

    def _estimated(self, guess: Estimate) -> Iterator[str]:
        low, high = rounded(guess.low, up=False), rounded(guess.high, up=True)
        yield f"estimated: about {many(rounded(guess.value), 'deal')}"
        yield f"estimated: {low:,} to {high:,} with 95 % confidence"
        share = guess.acceptance * self.counted.probability
        if share and self.among:
            within = Fraction(guess.accepted * guess.total, guess.tried * self.among)
            yield self._share_of_predealt(within, "estimated probability")
        if share:
            of_all = " of all deals" if self.among else ""
            yield f"estimated probability: {chances(share)}, {percent(share)}{of_all}"
        tried = f"{guess.accepted:,} of {many(guess.tried, 'deal')} passed"
        yield f"{tried}; they were drawn from {guess.total:,}, the exact number for the other parts"


def _count(space: Space, args: argparse.Namespace, exact: Exact, among: int | None) -> _Count:
    """Count, or estimate."""
    counted = counted_of(space)
    if not is_tested(space) or not counted.cardinality:
        return _Count(counted, None, excluding(space), among)
    total = exact()
    if total is not None:
        return _Count(counted, None, () if total else (space.where,), among, total)
    with waiting("testing deals"):
        tries = args.tries
        guess = space.estimate(tries, seed="cardinality") if tries else space.cardinality
        return _Count(counted, guess, (), among)


def _exact(request: Request, args: argparse.Namespace) -> int | None:
    """Count without a model to draw from; None if that is impossible or not needed."""
    from pavcodec.constraints.counting.diagrams.compile import NotCountableError

    if request.node is None or args.method == "test" or args.tries:
        return None
    if any(request.condition.reasons):
        return None
    try:
        with waiting("counting"):
            return request.condition.cardinality
    except NotCountableError:
        return None
    except ModelTooLarge:
        if args.method == "exact":
            raise
        return None


def _explain(space: Space, seconds: float) -> dict[str, object]:
    """Return how the number was found, for JSON."""
    counted = counted_of(space)
    row: dict[str, object] = {"counted": [str(part) for part in counted.where.parts]}
    row["tested"] = [{"part": str(part), "reason": reason} for part, reason in parts_tested(space)]
    row["plan"] = space.plan or None if is_tested(space) else None
    row["seats"], row["nodes"], row["bytes"] = _models(counted)
    return row | {"seconds": round(seconds, 3)}


def _models(counted: CountedSpace) -> tuple[list[str], int, int]:
    """Return seats, nodes and bytes of the models from which deals are drawn, one for each case."""
    models = [each.model for each in getattr(counted, "spaces", [counted])]
    seats = sorted({seat for model in models for seat in model.seats})
    nodes, size = sum(model.nodes for model in models), sum(model.memory for model in models)
    return [Seat(seat).letter for seat in seats], nodes, size


def _explanation(space: Space, seconds: float) -> Iterator[str]:
    """Yield how the number was found, as text."""
    from pavcodec.constraints.nodes.format import show_text

    counted = counted_of(space)
    yield from plan_lines(space)
    for counting in counted.where.parts:
        yield f"counted  {show_text(counting.node)}"
    for part, reason in parts_tested(space):
        yield f"tested   {show_text(part.node)}: {reason}"
    seats, nodes, size = _models(counted)
    yield f"seats    {' '.join(seats) or 'none'}"
    yield f"model    {many(nodes, 'node')}, {many(size, 'byte')}"
    yield f"time     {seconds:.2f} s"
