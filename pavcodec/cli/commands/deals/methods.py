"""The methods of the studies, for `pavcodec deal`.

By cases, the two most constrained hands are listed, in memory or in a file, and the rest is
selected from them. The method of 1999 is biased, and is here for comparison.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from pavcodec.cards import Seat, Suit
from pavcodec.chances.plans import counted_of
from pavcodec.cli.commands.deals.deal_sources import Draw, RandomSource
from pavcodec.cli.options.sessions import refuse_together
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.targets import UsageError
from pavcodec.cli.parsers import option_group
from pavcodec.questions.deals import Request

if TYPE_CHECKING:
    from pavcodec.chances.questions import Space
    from pavcodec.layout import Deal
    from pavcodec.studies.dealer1999 import Dealer1999


METHOD = "1999"

_WEIGHT = re.compile(r"\s*(\w+)\s*\(\s*(\w+)\s*\)\s*:\s*([0-9]{1,18})\s*")


@dataclass(frozen=True)
class Chosen:
    """A space of deals, and the name of its method."""

    space: Space
    method: str


def add_method(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose the study's method."""
    group = option_group(parser, "method")
    group.add_argument(
        "--method",
        choices=["plan", "exact", "test", "cases", "1999"],
        default="plan",
        help="plan: count the largest part of the condition that is quick to count, and test the "
        "rest; exact: count all parts, however long it takes; test: test all parts; cases: list "
        "the two most constrained hands, and select on the rest; 1999: the biased dealer of 1999, "
        "for comparison (default: plan)",
    )
    group.add_argument(
        "--listing",
        metavar="FILE",
        help="deal from a listing of 'pavcodec cases -o'; a condition selects among its deals",
    )


def space_by_cases(args: argparse.Namespace, request: Request) -> Chosen | None:
    """Return the deals of the options by cases; None without such an option."""
    if args.listing is None and args.method != "cases":
        return None
    if args.listing is None and request.node is None:
        raise UsageError("--method cases needs a condition, as in 'spades(west) == 9'")
    from pavcodec.studies.cases import NotCasesError, deals_by_cases, open_cases
    from pavcodec.studies.cases.table import select

    if args.listing is not None:
        listed = open_cases(args.listing).deals
        return Chosen(
            cast("Space", select(listed, request.condition.parts)), f"listing={listed.where}"
        )
    try:
        with waiting("listing cases"):
            space = deals_by_cases(request.condition.node)
            counted_of(cast("Space", space)).cardinality  # noqa: B018 (goes through the cases)
    except NotCasesError as error:
        raise UsageError(str(error)) from None
    return Chosen(cast("Space", space), "method=cases")


def add_weights(parser: argparse.ArgumentParser) -> None:
    """Add the option that sets weights."""
    option_group(parser, "method").add_argument(
        "--suit-weight",
        type=_weight,
        action="append",
        default=[],
        metavar="WEIGHT",
        help="the weight of a suit for --method 1999, as in 'diamonds(west) : 3'; may be repeated",
    )


def _weight(text: str) -> tuple[Seat, Suit, int]:
    """Read a weight, for argparse."""
    match = _WEIGHT.fullmatch(text)
    suits = {suit.name.lower(): suit for suit in Suit}
    seats = {seat.name.lower(): seat for seat in Seat}
    if not match or match[1].lower() not in suits or match[2].lower() not in seats:
        raise argparse.ArgumentTypeError(
            f"expected as in 'diamonds(west) : 3', not {text!r}; --weights takes other weights"
        )
    return seats[match[2].lower()], suits[match[1].lower()], int(match[3])


def dealer_of(args: argparse.Namespace, request: Request) -> Dealer1999 | None:
    """Return the dealer of the options; None for another method."""
    if args.method != METHOD:
        if args.suit_weight:
            raise UsageError("--suit-weight is for --method 1999")
        return None
    name = f"--method {METHOD}"
    refuse_together(
        (
            ("--all", args.all, name, True),
            ("--cards", args.cards is not None, name, True),
            ("--distinct", args.distinct, name, True),
        )
    )
    from pavcodec.studies.dealer1999 import NotLimitsError, deals_as_in_1999

    weights: dict[Seat | str, list[int | None]] = {}
    for seat, suit, weight in args.suit_weight:
        weights.setdefault(seat, [None] * len(Suit))[suit] = weight
    try:
        return deals_as_in_1999(request.condition.node, weights=weights)
    except NotLimitsError as error:
        raise UsageError(str(error)) from None


def method_of(dealer: Dealer1999) -> str:
    """Return the method and the given weights, for tags."""
    words = [f"method={METHOD}"]
    for seat, hand in zip(Seat, dealer.hands, strict=True):
        words += [
            f"weight={suit.name.lower()}({seat.name.lower()}):{weight}"
            for suit, weight in zip(Suit, hand.weights, strict=True)
            if weight is not None
        ]
    return " ".join(words)


class Dealt1999(RandomSource):
    """Deals by the method of 1999: all of them, or none."""

    def __init__(self, dealer: Dealer1999, draw: Draw) -> None:
        super().__init__(draw)
        self.dealer = dealer

    def deals(self) -> Iterator[Deal]:
        """Yield the deals, once the last of them has been dealt."""
        draw = self.draw
        with waiting("dealing"):
            return iter(self.dealer.sample(draw.count, seed=draw.seed, start=draw.start))
