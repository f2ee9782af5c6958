"""Options of `practice` for the draw, dealer and vulnerability; options that clash."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from pavcodec.cli.output.targets import UsageError
from pavcodec.cli.parsers import option_group
from pavcodec.questions.dealing import seat_letter, vulnerability_word
from pavcodec.questions.deals import whole


def add_draw(parser: argparse.ArgumentParser, count: str) -> None:
    """Add the options of a random draw: how many deals, the seed, the first deal."""
    group = option_group(parser, "random draw")
    group.add_argument("-n", dest="count", type=whole, metavar="N", help=count)
    group.add_argument(
        "--seed",
        metavar="SEED",
        help="a number below 2^128, or a text (default: a fresh number)",
    )
    group.add_argument(
        "--start", type=whole, default=0, metavar="K", help="skip the first K deals (default: 0)"
    )


def add_rules(parser: argparse.ArgumentParser, of: str = "of every board") -> None:
    """Add the options of dealer and vulnerability; `of` names the boards."""
    group = option_group(parser, "boards")
    group.add_argument("--dealer", type=seat_letter, metavar="SEAT", help=f"the dealer {of}")
    group.add_argument(
        "--vulnerable",
        type=vulnerability_word,
        metavar="WORD",
        help=f"the vulnerability {of}: none, NS, EW or all",
    )


def refuse_together(pairs: Iterable[tuple[str, object, str, object]]) -> None:
    """Raise `UsageError` for two options that exclude each other, each a name and a truth value."""
    for one, has_one, other, has_other in pairs:
        if has_one and has_other:
            raise UsageError(f"{one} and {other} do not go together")
