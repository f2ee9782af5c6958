"""The option of counting, and the models and the name of a plan."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pavcodec.cli.parsers import option_group
from pavcodec.odds.plans import is_tested

if TYPE_CHECKING:
    from pavcodec.constraints.counting.models.model import Model
    from pavcodec.odds.questions import Space

__all__ = ["add_counting", "models_of", "plan_name"]


def add_counting(parser: argparse.ArgumentParser) -> None:
    """Add the option that chooses which parts of a condition are counted."""
    option_group(parser, "condition").add_argument(
        "--method",
        choices=["plan", "exact", "test"],
        default="plan",
        help="plan: count the largest part of the condition that is quick to count, and test the "
        "rest; exact: count all parts, however long it takes; test: test all parts (default: plan)",
    )


def models_of(space: Space) -> list[Model]:
    """Return the models from which deals are drawn: one for each case."""
    counted = space.counted if is_tested(space) else space
    return [each.model for each in getattr(counted, "spaces", [counted])]


def plan_name(space: Space) -> str:
    """Return the plan for the tags of boards; empty if the whole condition is counted."""
    return f"plan={space.plan}" if is_tested(space) and space.plan else ""
