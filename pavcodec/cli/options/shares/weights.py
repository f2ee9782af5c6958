"""Weights on the command line: the weights of the options and of a script, and their deals."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from pavcodec.cli.options.conditions import ExpressionError, Request
from pavcodec.cli.options.spaces import refuse_empty, space_of
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.streams import UsageError, complain
from pavcodec.cli.parsers import option_group
from pavcodec.errors import TextError
from pavcodec.odds.figures import many, percent

if TYPE_CHECKING:
    from pavcodec.constraints import WeightedDeals
    from pavcodec.constraints.nodes.weights import Weight
    from pavcodec.constraints.spaces.deals import Method
    from pavcodec.odds.questions import Space

__all__ = ["add_weights_of_deals", "counted_space", "weighted_lines", "weighted_of"]


_ALONE: dict[str, object] = {
    "all": False,
    "cards": None,
    "level": [],
    "listing": None,
    "method": "plan",
    "mix": [],
}
"""Options that exclude weights, and their defaults."""


def add_weights_of_deals(parser: argparse.ArgumentParser, option: str) -> None:
    """Add the option that weighs deals."""
    option_group(parser, "condition").add_argument(
        option,
        dest="weight",
        action="append",
        default=[],
        metavar="WEIGHT",
        help="a weight of each deal, as in 'north: hcp {12: 1, 13-15: 3}' or 'hcp(south) + 1'; may "
        "be repeated, and all weights multiply",
    )


def weighted_of(args: argparse.Namespace, request: Request) -> WeightedDeals | None:
    """Return the weighted deals of the options and the script; None without weights.

    Raises `UsageError` for options that exclude weights, and `PavError` if no deal has a weight.
    """
    weights = _weights(args, request)
    if not weights:
        return None
    for option, absent in _ALONE.items():
        if getattr(args, option, absent) != absent:
            raise UsageError(f"--{option} and weights do not go together")
    from pavcodec.constraints.weighing.weighted_deals import weighted_deals_of

    with waiting("counting"):
        found = weighted_deals_of(request.condition, weights)
        found.check()
    return found


def counted_space(
    args: argparse.Namespace, request: Request, method: Method = "exact"
) -> Space | WeightedDeals:
    """Return the weighted deals, or the counted deals of a condition; refuse an empty space."""
    weighted = weighted_of(args, request)
    if weighted is not None:
        return weighted
    space = space_of(request.condition, method)
    refuse_empty(space)
    return space


def _weights(args: argparse.Namespace, request: Request) -> tuple[Weight, ...]:
    """Return the weights of the options and the script."""
    found = () if request.script is None else request.script.weights
    if args.weight:
        from pavcodec.constraints.language.parser import parse_weights

        for text in args.weight:
            try:
                found += parse_weights(
                    text,
                    script=request.script,
                    warn=lambda reason: complain(f"warning: {reason}"),
                )
            except TextError as error:
                raise ExpressionError(error) from None
    return found


def weighted_lines(space: WeightedDeals) -> Iterator[str]:
    """Yield the lines on weighted deals."""
    share = Fraction(space.cardinality, space.given.cardinality)
    what = "the condition" if space.given.condition.parts else "all deals"
    of = "" if share == 1 else f": {percent(share)} of {what}"
    yield f"{many(space.cardinality, 'deal')} with a weight{of}"
