"""Deals by the method of 1999, for `pavcodec deal`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pavcodec.cards import Seat, Suit
from pavcodec.cli.commands.deals.deal_sources import DealSource, Draw
from pavcodec.cli.options.conditions import Request
from pavcodec.cli.options.sessions import refuse_together
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.targets import UsageError
from pavcodec.cli.parsers import option_group

if TYPE_CHECKING:
    from pavcodec.constraints.evaluation import Evaluation
    from pavcodec.layout import Deal
    from pavcodec.studies.dealer1999 import Dealer1999


METHOD = "1999"

_WEIGHT = re.compile(r"\s*(\w+)\s*\(\s*(\w+)\s*\)\s*:\s*([0-9]{1,18})\s*")


def add_weights(parser: argparse.ArgumentParser) -> None:
    """Add the option that sets weights."""
    option_group(parser, "method").add_argument(
        "--weight",
        dest="weights",
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
            f"expected as in 'diamonds(west) : 3', not {text!r}; --weight-of takes other weights"
        )
    return seats[match[2].lower()], suits[match[1].lower()], int(match[3])


def dealer_of(args: argparse.Namespace, request: Request) -> Dealer1999 | None:
    """Return the dealer of the options; None for another method."""
    if args.method != METHOD:
        if args.weights:
            raise UsageError("--weight is for --method 1999")
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
    for seat, suit, weight in args.weights:
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


class Dealt1999(DealSource):
    """Deals by the method of 1999: all of them, or none."""

    def __init__(self, dealer: Dealer1999, draw: Draw) -> None:
        self.dealer = dealer
        self.draw = draw
        self.count = draw.count

    def deals(self) -> Iterator[Deal]:
        """Yield the deals, once the last of them has been dealt."""
        draw = self.draw
        with waiting("dealing"):
            return iter(self.dealer.sample(draw.count, seed=draw.seed, start=draw.start))

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the deals with the values that expressions have for them."""
        from pavcodec.constraints.evaluation import evaluations

        return evaluations(self.deals(), self.draw.seed, self.draw.start)
