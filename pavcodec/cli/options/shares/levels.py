"""Levelling on the command line: the types, the lines on them, and their deals."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pavcodec.cli.options.conditions import Request
from pavcodec.cli.options.shares.mixes import refuse_beside_mix, warn_of_generate
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.streams import UsageError, complain
from pavcodec.cli.output.tables import table_lines
from pavcodec.cli.parsers import option_group
from pavcodec.errors import PavError
from pavcodec.numberings import numbering
from pavcodec.odds.figures import chances, digits, many, percent, rounded
from pavcodec.odds.plans import is_tested

if TYPE_CHECKING:
    from pavcodec.constraints import Levelled, LevelRow, LevelTable
    from pavcodec.constraints.language.script import Script
    from pavcodec.constraints.mixes.level_table import Amount
    from pavcodec.constraints.mixes.marks import Named

__all__ = ["LevelCount", "add_level", "level_lines", "level_of"]


def add_level(parser: argparse.ArgumentParser) -> None:
    """Add the options that level the types of a script."""
    group = option_group(parser, "types of deals")
    group.add_argument(
        "--level",
        action="append",
        nargs="?",
        const="",
        default=[],
        metavar="NAME,NAME,…",
        help="deal these types, variables of the script, equally often; without names: the "
        "variables HandType_…; repeat it to level a second list",
    )
    group.add_argument(
        "--shares",
        action="append",
        default=[],
        metavar="N,N,…",
        help="the shares of the types of --level, as in 1,2,1 or weak:3,strong:1; once for each "
        "--level",
    )
    group.add_argument(
        "--condition",
        metavar="EXPR",
        help="use this condition instead of the script's; it may use the script's variables",
    )
    group.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="NAME",
        help="remove a variable from the script's condition, as in --without levelTheDeal",
    )
    group.add_argument(
        "--interleave",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="deal the types in an even order, so that any ten deals are mixed (default: with "
        "--level, not with --mix)",
    )


def level_of(args: argparse.Namespace, request: Request) -> Levelled | None:
    """Return the levelled mix of the options, counted; None without --level."""
    if not args.level:
        if args.shares:
            raise UsageError("--shares says how much of each type: name the types with --level")
        return None
    script = request.script
    if script is None:
        raise UsageError("--level names variables of a script: give the script with -f")
    if args.mix:
        raise UsageError("--level and --mix do not go together")
    refuse_beside_mix(args)
    if len(args.level) > 2:
        raise UsageError("at most two lists are levelled at once: give --level twice at most")
    if len(args.shares) > len(args.level):
        raise UsageError("there are more --shares than --level")
    if script.mix:
        request.warn("--level replaces 'mix'")
    lists = [
        _named(request, script, names, args.shares[i] if i < len(args.shares) else None)
        for i, names in enumerate(args.level)
    ]
    found = _counted(args, request, lists)
    _tell_of_marks(request, script)
    for each in found.lists:
        for name in each.missing:
            complain(f"{request.source}: note: type {name!r} never occurs: {_NEVER}")
    if any(map(is_tested, found.spaces.values())):
        warn_of_generate(request)
    return found


_NEVER = "no deal of the condition fits it and no type before it"


def _named(request: Request, script: Script, names: str, shares: str | None) -> Named:
    """Return the types of one --level."""
    from pavcodec.constraints.mixes.marks import marked_types, named_types

    if names:
        try:
            return named_types(script, names.split(","), shares)
        except PavError as error:
            raise UsageError(f"--level: {error}") from None
    try:
        return marked_types(script, request.text, shares)
    except PavError as error:
        raise PavError(f"{request.source}: {error}") from None


def _counted(args: argparse.Namespace, request: Request, lists: Sequence[Named]) -> Levelled:
    """Return the mix with its models built."""
    from pavcodec.constraints.mixes.levelling import levelled

    condition = request.condition
    with waiting("counting"):
        even = args.interleave is not False
        return levelled(condition.node, lists, interleave=even, memory=condition.memory)


def _tell_of_marks(request: Request, script: Script) -> None:
    """Print a note if the condition of a script levels, too."""
    from pavcodec.constraints.mixes.marks import own_levelling

    own = own_levelling(script)
    if own is not None:
        complain(
            f"{request.source}: note: the condition contains {own!r}, which also levels: "
            f"--without {own} removes it"
        )


def level_lines(mix: Levelled, table: LevelTable | None = None) -> Iterator[str]:
    """Yield the lines on a levelled mix, as tables and notes.

    Without a table, numbers that need an estimate are absent.
    """
    if table is None and any(map(is_tested, mix.spaces.values())):
        yield from _shares(mix)
        yield "how often types come by nature is estimated by: pavcodec count --level"
    else:
        with waiting("counting"):
            found = table or mix.table(overlaps=False)
        yield from _tables(mix, found)
        yield from _notes(found)
    yield _order(mix)


def _shares(mix: Levelled) -> Iterator[str]:
    for each in mix.lists:
        rows = ([name, percent(share)] for name, share in zip(each.names, each.shares, strict=True))
        yield from table_lines(["type", "share"], rows)


def _tables(mix: Levelled, table: LevelTable) -> Iterator[str]:
    columns = ["type", "share", "by nature", "deals per board", "deals"]
    for place in range(len(mix.lists)):
        rows = [row for row in table.rows if row.place == place]
        yield from table_lines(columns, map(_cells, rows))


def _cells(row: LevelRow) -> list[str]:
    per_board = row.deals_per_board
    return [
        row.name,
        percent(row.share) if row.share else "0 %",
        "-" if row.natural is None else _told(row.natural, Fraction(100), " %"),
        "-" if per_board is None else _told(per_board),
        f"{int(row.deals.value):,}"
        if row.deals.is_exact
        else f"about {rounded(int(row.deals.value)):,}",
    ]


def _told(amount: Amount, times: Fraction = Fraction(1), unit: str = "") -> str:
    """Return a number as text, an estimate with its interval."""
    if amount.is_exact:
        return f"{digits(amount.value * times)}{unit}"
    value, low, high = (digits(end * times, 3) for end in (amount.value, amount.low, amount.high))
    return f"about {value}{unit} ({low} to {high})"


def _notes(table: LevelTable) -> Iterator[str]:
    """Yield the overlaps, and the deals of no type."""
    for row in table.rows:
        if row.overlap:
            whole = many(int(row.deals.value) + row.overlap, "deal")
            yield (
                f"{row.name}: {row.overlap:,} deals that fit it are of earlier types"
                if (any(other.place != row.place for other in table.rows))
                else f"{row.name}: {row.overlap:,} of {whole} that fit it are of earlier types"
            )
        elif row.overlap is None:
            yield f"{row.name}: deals that fit an earlier type as well are of that"
    if table.untyped.value and table.natural_untyped is not None:
        share = _told(table.natural_untyped, Fraction(100), " %")
        about = "" if table.untyped.is_exact else "about "
        number = int(table.untyped.value)
        deals = many(number if not about else rounded(number), "deal")
        yield f"of no type, and not dealt: {about}{deals}, {share} of those of the condition"


def _order(mix: Levelled) -> str:
    """Return the line on the order of the types."""
    from pavcodec.constraints.mixes.orders import EvenOrder, EvenPairs, is_mixed

    if isinstance(mix.order, EvenPairs):
        return f"order: even; every {mix.order.round:,} deals have the shares of both lists"
    if isinstance(mix.order, EvenOrder):
        most = "" if is_mixed(mix.order.weights) else " or one more or less"
        return f"order: even; any 10 deals in a row have the shares, rounded up or down{most}"
    return "order: the type of each deal is drawn"


class LevelCount:
    """The numbers of deals of a levelled mix by nature: exact, or estimates where it is tested."""

    def __init__(self, mix: Levelled, tries: int, text: str) -> None:
        from pavcodec.constraints.mixes.marks import filled_lines

        self.mix = mix
        with waiting("counting"):
            self.table = mix.table(tries)
        shares = {
            name: percent(share) if share else "0 %"
            for each in mix.lists
            for name, share in zip(each.names, each.shares, strict=True)
        }
        self.text = list(filled_lines(text, shares))
        typed = [row.deals.value for row in self.table.rows if not row.place]
        self.total = int(sum(typed) + self.table.untyped.value)

    def row(self) -> dict[str, object]:
        """Return the numbers for JSON."""
        table, exact = self.table, self.table.is_exact
        share = Fraction(self.total, numbering("deal").cardinality)
        lists: list[list[dict[str, object]]] = [[] for _ in self.mix.lists]
        for row in table.rows:
            lists[row.place].append(_row(row))
        return {
            "cardinality": str(self.total) if exact else None,
            "probability": str(share) if exact else None,
            "exact": exact,
            "lists": lists,
            "untyped": _amount(table.untyped),
            "natural_untyped": _amount(table.natural_untyped),
            "missing": [list(each.missing) for each in self.mix.lists],
            "order": "even" if self.mix.order else "drawn",
            "text": self.text,
        }

    def lines(self) -> Iterator[str]:
        """Yield the numbers as text."""
        yield from level_lines(self.mix, self.table)
        share = Fraction(self.total, numbering("deal").cardinality)
        if self.table.is_exact and share:
            told = "all deals" if share == 1 else f"{chances(share)}, {percent(share)}"
            yield f"the condition has {many(self.total, 'deal')}: {told}"
        if self.text:
            yield "the text of the script, filled in:"
            yield from self.text


def _row(row: LevelRow) -> dict[str, object]:
    """Return a type for JSON."""
    return {
        "type": row.name,
        "share": str(row.share),
        "cardinality": _amount(row.deals),
        "natural": _amount(row.natural),
        "deals_per_board": _amount(row.deals_per_board),
        "overlap": None if row.overlap is None else str(row.overlap),
    }


def _amount(amount: Amount | None) -> object:
    """Return a number as a text; an estimate as its value and its ends."""
    if amount is None:
        return None
    if amount.is_exact:
        return str(amount.value)
    return {name: str(getattr(amount, name)) for name in ("value", "low", "high")}
