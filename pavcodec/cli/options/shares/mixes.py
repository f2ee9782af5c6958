"""Mixes on the command line: the requested types, the lines on them, and their deals."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from pavcodec.cli.options.conditions import ExpressionError, Request
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.streams import UsageError, complain
from pavcodec.cli.output.tables import table_lines
from pavcodec.cli.parsers import option_group
from pavcodec.errors import TextError
from pavcodec.numberings import numbering
from pavcodec.odds.figures import chances, many, percent
from pavcodec.odds.plans import counted_of, is_tested

if TYPE_CHECKING:
    from pavcodec.constraints import Estimate, Mix, MixType
    from pavcodec.constraints.language.mix import MixTypes

__all__ = ["MixCount", "add_mix", "mix_lines", "mix_of", "refuse_beside_mix", "warn_of_generate"]

_ALONE = {
    "all": False,
    "cards": None,
    "conflict": False,
    "distinct": False,
    "explain": False,
    "listing": None,
    "method": "plan",
}
"""Options that exclude a mix, and their defaults."""


def add_mix(parser: argparse.ArgumentParser) -> None:
    """Add the option that makes a mix; the condition then applies to all types."""
    option_group(parser, "types of deals").add_argument(
        "--mix",
        action="append",
        default=[],
        metavar="TYPE",
        help="a type of deals with its weight, as in 'hcp(south) >= 20 : 35', once for each type; "
        "without weights, the types keep their natural frequencies",
    )


def mix_of(args: argparse.Namespace, request: Request) -> Mix | None:
    """Return the mix of the options or the script, counted; None if there is none."""
    types = _types(args, request)
    if not types:
        if args.interleave is not None:
            raise UsageError("--interleave orders types: name them with --level or --mix")
        return None
    refuse_beside_mix(args)
    from pavcodec.constraints import mix

    condition = request.condition
    with waiting("counting"):
        found = mix(types, given=condition.node, memory=condition.memory)
        found = found.interleaved if args.interleave else found
        for kind in found.types:
            kind.overlap  # noqa: B018 (builds the models)
    if any(is_tested(kind.space) for kind in found.types):
        warn_of_generate(request)
    return found


def refuse_beside_mix(args: argparse.Namespace) -> None:
    """Raise `UsageError` for options that exclude a mix."""
    for option, absent in _ALONE.items():
        if getattr(args, option, absent) != absent:
            raise UsageError(f"--{option} and a mix do not go together")


def warn_of_generate(request: Request) -> None:
    """Warn that a script's limit of deals does not hold for a mix."""
    if request.script is not None and request.script.generate is not None:
        request.warn("'generate' is ignored: for each deal of a mix, deal tests deals until one "
                     "passes")  # fmt: skip


def _types(args: argparse.Namespace, request: Request) -> MixTypes:
    """Return the types of the options, else those of the script."""
    if not args.mix and request.script is None:
        return ()
    from pavcodec.constraints.language.parser import parse_mix
    from pavcodec.sampling.weights import unweighted

    types: MixTypes = ()
    for text in args.mix:
        try:
            types += parse_mix(text, warn=lambda reason: complain(f"warning: {reason}"))
        except TextError as error:
            raise ExpressionError(error) from None
    missing = unweighted([weight for _, weight in types])
    if missing is not None:
        raise UsageError(
            f"--mix: type {missing + 1} has no weight, but other types have: "
            "give weights to all or none"
        )
    scripted = () if request.script is None else request.script.mix
    if types and scripted:
        request.warn("--mix replaces 'mix'")
    return types or scripted


def mix_lines(mix: Mix, estimates: list[Estimate | None] | None = None) -> Iterator[str]:
    """Yield the lines on a mix, as a table and notes."""
    from pavcodec.constraints.mixes.rows import natural_share

    guesses = estimates or [None] * len(mix.types)
    weighing = [] if mix.is_natural else ["weight", "by nature"]
    rows = []
    for number, (kind, guess) in enumerate(zip(mix.types, guesses, strict=True), start=1):
        natural = natural_share(mix.types, kind)
        cells = [str(kind.weight), "-" if natural is None else percent(natural)]
        told = [_deals(kind, guess), str(kind.where)]
        rows.append([str(number), percent(kind.share), *cells[: len(weighing)], *told])
    yield from table_lines(["type", "share", *weighing, "deals", "condition"], rows)
    for number, kind in enumerate(mix.types, start=1):
        if kind.overlap is None:
            if number > 1:
                yield f"type {number}: deals that fit an earlier type are of that, however many"
        elif kind.overlap:
            assert not is_tested(kind.fitting)
            fitting = many(kind.fitting.cardinality, "deal")
            yield f"type {number}: {kind.overlap:,} of {fitting} that fit it are of earlier types"


def _deals(kind: MixType, guess: Estimate | None) -> str:
    if not is_tested(kind.space):
        return f"{kind.space.cardinality:,}"
    return (
        f"at most {kind.space.counted.cardinality:,}" if guess is None else f"about {guess.value:,}"
    )


class MixCount:
    """The exact numbers of deals of a mix, and estimates for types with a part that is tested."""

    def __init__(self, mix: Mix, tries: int) -> None:
        self.mix = mix
        with waiting("testing deals"):
            self.estimates = [
                kind.space.estimate(tries, seed="cardinality") if is_tested(kind.space) else None
                for kind in mix.types
            ]
        self.total: int | None = None
        if not any(self.estimates):
            self.total = sum(counted_of(kind.space).cardinality for kind in mix.types)

    def row(self) -> dict[str, object]:
        """Return the numbers for JSON."""
        from pavcodec.constraints.mixes.rows import mix_row

        return mix_row(self.mix.types, self.estimates)

    def lines(self) -> Iterator[str]:
        """Yield the numbers as text."""
        yield from mix_lines(self.mix, self.estimates)
        if self.total is not None:
            share = Fraction(self.total, numbering("deal").cardinality)
            told = "all deals" if share == 1 else f"{chances(share)}, {percent(share)}"
            yield f"together {many(self.total, 'deal')}: {told}"
