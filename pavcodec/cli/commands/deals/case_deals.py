"""Deals by the study's method, for `pavcodec deal`: from a listing in a file, or in memory."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from pavcodec.cli.options.conditions import Request
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.targets import UsageError
from pavcodec.cli.parsers import option_group
from pavcodec.odds.plans import counted_of

if TYPE_CHECKING:
    from pavcodec.odds.questions import Space


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
