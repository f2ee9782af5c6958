"""Options of `deal` and `practice`: the draw, dealer and vulnerability, and options that clash."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from pavcodec.boards import Vulnerability
from pavcodec.cards import Seat
from pavcodec.cli.output.targets import UsageError
from pavcodec.cli.parsers import option_group
from pavcodec.errors import NumberError
from pavcodec.questions.deals import Request, whole
from pavcodec.sampling import fresh_seed, parse_seed


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
    group.add_argument("--dealer", type=Seat.parse, metavar="SEAT", help=f"the dealer {of}")
    group.add_argument(
        "--vulnerable",
        type=_vulnerable,
        metavar="WORD",
        help=f"the vulnerability {of}: none, NS, EW or all",
    )


def _vulnerable(text: str) -> Vulnerability:
    words = {word.value.lower(): word for word in Vulnerability} | {"both": Vulnerability.ALL}
    if text.lower() not in words:
        raise argparse.ArgumentTypeError(f"expected none, NS, EW or all, not {text!r}")
    return words[text.lower()]


def refuse_together(pairs: Iterable[tuple[str, object, str, object]]) -> None:
    """Raise `UsageError` for two options that exclude each other, each a name and a truth value."""
    for one, has_one, other, has_other in pairs:
        if has_one and has_other:
            raise UsageError(f"{one} and {other} do not go together")


def overrides(request: Request, option: str, statement: str, *, both: object) -> None:
    """Warn if an option replaces a statement of the script."""
    if both:
        request.warn(f"{option} replaces {statement!r}")


def given_seed(args: argparse.Namespace) -> int | None:
    """Return the seed that the options give, if they do."""
    if args.seed is None:
        return None
    try:
        return parse_seed(args.seed)
    except NumberError as error:
        raise UsageError(f"--seed: {error}") from None


def chosen_seed(given: int | None, request: Request) -> int:
    """Return the seed of the options, else of the script, else a fresh one."""
    script = request.script
    if script is not None and script.seed is not None:
        overrides(request, "--seed", f"seed {script.seed}", both=given is not None)
        return script.seed if given is None else given
    return fresh_seed() if given is None else given


def rules(
    args: argparse.Namespace, request: Request, *, by_number: bool = False
) -> tuple[Seat | None, Vulnerability | None]:
    """Return dealer and vulnerability of the options, else of the script; None for neither.

    With `by_number`, the script is ignored.
    """
    script = request.script
    if script is None or by_number:
        return args.dealer, args.vulnerable
    dealer, vulnerable = script.dealer, script.vulnerable
    if args.dealer is not None:
        overrides(request, "--dealer", "dealer", both=dealer is not None)
        dealer = args.dealer
    if args.vulnerable is not None:
        overrides(request, "--vulnerable", "vulnerable", both=vulnerable is not None)
        vulnerable = args.vulnerable
    return dealer, vulnerable
