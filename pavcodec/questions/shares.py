"""How often deals of some kind are drawn: types with shares, and weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from pavcodec.chances.figures import chances, digits, many, percent, rounded
from pavcodec.chances.plans import is_tested
from pavcodec.errors import PavError, TextError
from pavcodec.numberings import numbering
from pavcodec.questions.asking import (
    Answer,
    FieldTextError,
    Question,
    QuestionError,
    ask,
    is_given,
    note,
    working,
)
from pavcodec.questions.deals import Request, refuse_empty, space_of, warn
from pavcodec.questions.tables import table_lines

if TYPE_CHECKING:
    from pavcodec.constraints import (
        Estimate,
        LeveledScript,
        Levelled,
        LevelRow,
        LevelTable,
        Mix,
        MixType,
        WeightedDeals,
    )
    from pavcodec.constraints.language.script import Script
    from pavcodec.constraints.language.weights import MixTypes
    from pavcodec.constraints.mixes.levelling import Named
    from pavcodec.constraints.nodes.syntax import Weight
    from pavcodec.constraints.spaces.deals import CountableSpace as Space
    from pavcodec.constraints.spaces.deals import Method


Fields: TypeAlias = Any
"""A question with the fields below."""


@dataclass(frozen=True, kw_only=True)
class Types(Question):
    """The fields of a question that choose types of deals."""

    mix: tuple[str, ...] = ask(
        "a type of deals with its weight, as in 'hcp(south) >= 20 : 35', once for each type; "
        "without weights, the types keep their natural frequencies",
        default=(), group="types of deals", metavar="TYPE", label="Types of deals", most=20,
    )  # fmt: skip
    level: tuple[str, ...] = ask(
        "deal these types, variables of the script, equally often; without names: the variables "
        "HandType_…; repeat it to level a second list",
        default=(), group="types of deals", metavar="NAME,NAME,…", if_bare="", most=2,
    )  # fmt: skip
    shares: tuple[str, ...] = ask(
        "the shares of the types of --level, as in 1,2,1 or weak:3,strong:1; once for each --level",
        default=(), group="types of deals", metavar="N,N,…", most=2,
    )  # fmt: skip
    condition_instead: str | None = ask(
        "use this condition instead of the script's; it may use the script's variables",
        default=None, flag="--condition", group="types of deals", metavar="EXPR",
    )  # fmt: skip
    without: tuple[str, ...] = ask(
        "remove a variable from the script's condition, as in --without levelTheDeal",
        default=(), group="types of deals", metavar="NAME", most=20,
    )  # fmt: skip
    interleave: bool | None = ask(
        "deal the types in an even order, so that any ten deals are mixed (default: with --level, "
        "not with --mix)",
        default=None, group="types of deals", label="In an even order",
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Weights(Question):
    """The field of a question that weighs deals."""

    weights: tuple[str, ...] = ask(
        "a weight of each deal, as in 'north: hcp {12: 1, 13-15: 3}' or 'hcp(south) + 1'; may be "
        "repeated, and all weights multiply",
        default=(), metavar="WEIGHT", label="Weights", most=20,
    )  # fmt: skip


# Mixes: the requested types, the lines on them, and their deals.


_MOST_NAMED = 4
"""The greatest number of earlier types that a line names."""
_WITHOUT_MIXES = ("all", "cards", "conflict", "distinct", "explain", "listing", "method")
"""Fields that exclude a mix."""


def mix_of(asked: Fields, request: Request) -> Mix | None:
    """Return the mix of the options or the script, counted; None if there is none."""
    types = _types(asked, request)
    if not types:
        if asked.interleave is not None:
            raise QuestionError(
                "{interleave} orders types: name them with {level} or {mix}", "interleave"
            )
        return None
    refuse_beside_mix(asked)
    from pavcodec.constraints import mix

    condition = request.condition
    with working("counting"):
        counted = mix(types, given=condition.node, memory=condition.memory)
        counted = counted.interleaved if asked.interleave else counted
        for kind in counted.types:
            kind.overlap  # noqa: B018 (builds the models)
    if any(is_tested(kind.space) for kind in counted.types):
        warn_of_generate(request)
    return counted


def refuse_beside_mix(asked: Fields) -> None:
    """Raise `QuestionError` for options that exclude a mix."""
    _refuse_beside(asked, _WITHOUT_MIXES, "a mix")


def _refuse_beside(asked: Fields, names: tuple[str, ...], what: str) -> None:
    for name in names:
        if is_given(asked, name):
            raise QuestionError(f"{{{name}}} and {what} do not go together", name)


def warn_of_generate(request: Request) -> None:
    """Warn that a script's limit of deals does not hold for a mix."""
    if request.script is not None and request.script.generate is not None:
        request.warn("'generate' is ignored: for each deal of a mix, deal tests deals until one "
                     "passes")  # fmt: skip


def _types(asked: Fields, request: Request) -> MixTypes:
    """Return the types of the options, else those of the script."""
    if not asked.mix and request.script is None:
        return ()
    from pavcodec.sampling import unweighted

    types: MixTypes = ()
    for index, text in enumerate(asked.mix):
        types += types_of_text(text, f"mix.{index}")
    missing = unweighted([weight for _, weight in types])
    if missing is not None:
        raise QuestionError(
            f"{{mix}}: type {missing + 1} has no weight, but other types have: "
            "give weights to all or none",
            "mix",
        )
    scripted = () if request.script is None else request.script.mix
    if types and scripted:
        request.warn("--mix replaces 'mix'")
    return types or scripted


def types_of_text(text: str, field: str = "mix") -> MixTypes:
    """Return the types of a text with their weights; raise `FieldTextError` where it is wrong."""
    from pavcodec.constraints.language.parser import parse_mix

    try:
        return parse_mix(text, warn=warn)
    except TextError as error:
        raise FieldTextError(field, error) from None


def mix_lines(mix: Mix, estimates: list[Estimate[int] | None] | None = None) -> Iterator[str]:
    """Yield the lines on a mix, as a table and notes."""
    from pavcodec.constraints.mixes.mixes import natural_share

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
                earlier = [f"type {other}" for other in range(1, number)]
                yield f"type {number}: {_precedence(earlier)}"
        elif kind.overlap:
            assert not is_tested(kind.fitting)
            fitting = many(kind.fitting.cardinality, "deal")
            yield f"type {number}: {kind.overlap:,} of {fitting} that fit it are of earlier types"


def _deals(kind: MixType, guess: Estimate[int] | None) -> str:
    if not is_tested(kind.space):
        return f"{kind.space.cardinality:,}"
    return (
        f"at most {kind.space.counted.cardinality:,}" if guess is None else f"about {guess.value:,}"
    )


class MixCount(Answer):
    """The exact numbers of deals of a mix, and estimates for types with a part that is tested."""

    def __init__(self, mix: Mix, tries: int) -> None:
        self.mix = mix
        with working("testing deals"):
            self.estimates = [
                kind.space.estimate(tries, seed="cardinality") if is_tested(kind.space) else None
                for kind in mix.types
            ]
        self.total: int | None = None
        if not any(self.estimates):
            self.total = sum(kind.space.counted.cardinality for kind in mix.types)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers for JSON."""
        from pavcodec.constraints.mixes.mixes import mix_row

        return mix_row(self.mix.types, self.estimates)

    def lines(self) -> Iterator[str]:
        """Yield the numbers as text."""
        yield from mix_lines(self.mix, self.estimates)
        if self.total is not None:
            share = Fraction(self.total, numbering("deal").cardinality)
            told = "all deals" if share == 1 else f"{chances(share)}, {percent(share)}"
            yield f"together {many(self.total, 'deal')}: {told}"


# Levelling: the types, the lines on them, and their deals.


def level_of(asked: Fields, request: Request) -> Levelled | None:
    """Return the levelled mix of the options, counted; None without --level."""
    if not asked.level:
        if asked.shares:
            raise QuestionError(
                "{shares} says how much of each type: name the types with {level}", "shares"
            )
        return None
    from pavcodec.constraints.mixes.levelling import levelled

    script = request.script
    if script is None:
        raise QuestionError("{level} names variables of a script: give the script with -f", "level")
    if asked.mix:
        raise QuestionError("{level} and {mix} do not go together", "mix")
    refuse_beside_mix(asked)
    if len(asked.level) > 2:
        raise QuestionError(
            "at most two lists are levelled at once: give {level} twice at most", "level"
        )
    if len(asked.shares) > len(asked.level):
        raise QuestionError("there are more {shares} than {level}", "shares")
    if script.mix and not _takes_mix(asked, script):
        request.warn("--level replaces 'mix'")
    lists = [
        _named(request, script, names, asked.shares[i] if i < len(asked.shares) else None)
        for i, names in enumerate(asked.level)
    ]
    condition, even = request.condition, asked.interleave is not False
    with working("counting"):
        mix = levelled(condition.node, lists, interleave=even, memory=condition.memory)
    never = "no deal of the condition fits it and no type before it"
    for each in mix.lists:
        for name in each.missing:
            note(f"{request.source}: note: type {name!r} never occurs: {never}")
    if any(map(is_tested, mix.spaces.values())):
        warn_of_generate(request)
    return mix


def _takes_mix(asked: Fields, script: Script) -> bool:
    """Return whether the types are those of `mix`: the script marks no others."""
    from pavcodec.constraints.language.script import MARKS

    return not any(asked.level) and not any(name.startswith(MARKS) for name in script.variables)


def _named(request: Request, script: Script, names: str, shares: str | None) -> Named:
    """Return the types of one --level."""
    from pavcodec.constraints.mixes.levelling import marked_types, named_types

    if names:
        try:
            return named_types(script, names.split(","), shares)
        except PavError as error:
            raise QuestionError("{level}: {said}", "level", said=error) from None
    try:
        return marked_types(script, request.text, shares)
    except PavError as error:
        raise PavError(f"{request.source}: {error}") from None


def level_lines(mix: Levelled, table: LevelTable | None = None) -> Iterator[str]:
    """Yield the lines on a levelled mix, as tables and notes.

    Without a table, numbers that need an estimate are absent.
    """
    if table is None and any(map(is_tested, mix.spaces.values())):
        for each in mix.lists:
            shares = map(percent, each.shares)
            yield from table_lines(["type", "share"], zip(each.names, shares, strict=True))
        yield "how often types come by nature is estimated by: pavcodec count --level"
    else:
        with working("counting"):
            counted = table or mix.table(overlaps=False)
        columns = ["type", "share", "by nature", "deals per board", "deals"]
        for index in range(len(mix.lists)):
            rows = [row for row in counted.rows if row.place == index]
            yield from table_lines(columns, map(_cells, rows))
        yield from _notes(counted)
    yield _order(mix)


def _cells(row: LevelRow) -> list[str]:
    per_board = row.deals_per_board
    return [
        row.name,
        percent(row.share) if row.share else "0 %",
        "-" if row.natural is None else _told(row.natural, Fraction(100), " %"),
        "-" if per_board is None else _told(per_board),
        f"{row.deals.value:,}" if row.deals.is_exact else f"about {rounded(row.deals.value):,}",
    ]


def _told(amount: Estimate[Fraction], times: Fraction = Fraction(1), unit: str = "") -> str:
    """Return a number as text, an estimate with its interval."""
    if amount.is_exact:
        return f"{digits(amount.value * times)}{unit}"
    value, low, high = (digits(end * times, 3) for end in (amount.value, amount.low, amount.high))
    return f"about {value}{unit} ({low} to {high})"


def _notes(table: LevelTable) -> Iterator[str]:
    """Yield the overlaps, and the deals of no type."""
    for row in table.rows:
        if row.overlap:
            whole = many(row.deals.value + row.overlap, "deal")
            yield (
                f"{row.name}: {row.overlap:,} deals that fit it are of earlier types"
                if (any(other.place != row.place for other in table.rows))
                else f"{row.name}: {row.overlap:,} of {whole} that fit it are of earlier types"
            )
        elif row.overlap is None:
            rows = table.rows[: table.rows.index(row)]
            earlier = [other.name for other in rows if other.place == row.place]
            yield f"{row.name}: {_precedence(earlier)}"
    if table.untyped.value and table.natural_untyped is not None:
        share = _told(table.natural_untyped, Fraction(100), " %")
        about = "" if table.untyped.is_exact else "about "
        number = table.untyped.value
        deals = many(number if not about else rounded(number), "deal")
        yield f"of no type, and not dealt: {about}{deals}, {share} of those of the condition"


def written_lines(mix: Levelled, written: LeveledScript) -> Iterator[str]:
    """Yield the lines on a levelled script for other programs."""
    for axis, each in enumerate(mix.lists):
        rows = []
        for i, (name, share) in enumerate(zip(each.names, each.shares, strict=True)):
            rates = [rate for cell, rate in written.rates.items() if cell[axis] == i]
            stays = f"{digits(100 * min(rates, default=Fraction(0)))} %"
            if rates and min(rates) < max(rates):
                stays += f" to {digits(100 * max(rates))} %"
            rows.append([name, percent(share) if share else "0 %", stays])
        yield from table_lines(["type", "share", "of its deals stay"], rows)
    if not written.is_exact:
        most = f"{digits(100 * written.uncertainty, 2)} %"
        yield f"the numbers of tested deals are estimates: they may move a share by {most} (95 %)"
    yield f"rounding of the rates moves no share by more than {digits(100 * written.error, 2)} %"
    yield f"a program tries {digits(written.tried)} deals for each board"


def _precedence(earlier: Sequence[str]) -> str:
    """Return a sentence: deals of a type that also fit earlier types are of the first of these."""
    if len(earlier) > _MOST_NAMED:
        return "deals that also fit an earlier type count as the first that they fit"
    if len(earlier) == 1:
        return f"deals that are also {earlier[0]} count as {earlier[0]}"
    *others, last = earlier
    return f"deals that are also {', '.join(others)} or {last} count as the first of these"


def _order(mix: Levelled) -> str:
    """Return the line on the order of the types."""
    from pavcodec.constraints.mixes.orders import EvenOrder, EvenPairs, is_mixed

    if isinstance(mix.order, EvenPairs):
        return f"order: even; every {mix.order.round:,} deals have the shares of both lists"
    if isinstance(mix.order, EvenOrder):
        most = "" if is_mixed(mix.order.weights) else " or one more or less"
        return f"order: even; any 10 deals in a row have the shares, rounded up or down{most}"
    return "order: the type of each deal is drawn"


class LevelCount(Answer):
    """The numbers of deals of a levelled mix by nature: exact, or estimates where it is tested."""

    def __init__(self, mix: Levelled, tries: int, text: str) -> None:
        from pavcodec.constraints.mixes.levelling import filled_lines, shares_shown

        self.mix = mix
        with working("counting"):
            self.table = mix.table(tries)
        self.text = list(filled_lines(text, shares_shown(mix.lists)))
        typed = [row.deals.value for row in self.table.rows if not row.place]
        self.total = sum(typed) + self.table.untyped.value

    def to_dict(self) -> dict[str, Any]:
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


def _amount(amount: Estimate[Any] | None) -> object:
    """Return a number as a text; an estimate as its value and its ends."""
    if amount is None:
        return None
    if amount.is_exact:
        return str(amount.value)
    return {name: str(getattr(amount, name)) for name in ("value", "low", "high")}


# Weights: those of the fields and of a script, and their deals.


_WITHOUT_WEIGHTS = ("all", "cards", "conflict", "explain", "level", "listing", "method", "mix")
"""Fields that exclude weights."""


def weighted_of(asked: Fields, request: Request) -> WeightedDeals | None:
    """Return the weighted deals of the options and the script; None without weights.

    Raises `QuestionError` for options that exclude weights, and `PavError` if no deal has a weight.
    """
    weights = _weights(asked, request)
    if not weights:
        return None
    _refuse_beside(asked, _WITHOUT_WEIGHTS, "weights")
    if request.script is not None and request.script.mix:
        request.warn("weights replace 'mix'")
    from pavcodec.constraints.weighing import weighted_deals_of

    with working("counting"):
        weighted = weighted_deals_of(request.condition, weights)
        weighted.check()
    return weighted


def counted_space(
    asked: Fields, request: Request, method: Method = "exact"
) -> Space | WeightedDeals:
    """Return the weighted deals, or the counted deals of a condition; refuse an empty space."""
    weighted = weighted_of(asked, request)
    if weighted is not None:
        return weighted
    space = space_of(request.condition, method)
    refuse_empty(space, "given" if hasattr(asked, "given") else "condition")
    return space


def _weights(asked: Fields, request: Request) -> tuple[Weight, ...]:
    """Return the weights of the options and the script."""
    weights = () if request.script is None else request.script.weights
    if asked.weights:
        from pavcodec.constraints.language.parser import parse_weights

        for text in asked.weights:
            try:
                weights += parse_weights(
                    text,
                    script=request.script,
                    warn=warn,
                )
            except TextError as error:
                raise FieldTextError("weights", error) from None
    return weights


def weighted_lines(space: WeightedDeals) -> Iterator[str]:
    """Yield the lines on weighted deals."""
    share = Fraction(space.cardinality, space.given.cardinality)
    what = "the condition" if space.given.condition.parts else "all deals"
    of = "" if share == 1 else f": {percent(share)} of {what}"
    yield f"{many(space.cardinality, 'deal')} with a weight{of}"


class WeightCount(Answer):
    """The number of deals with a weight."""

    def __init__(self, weighted: WeightedDeals) -> None:
        self.weighted = weighted
        self.share = Fraction(weighted.cardinality, numbering("deal").cardinality)

    def to_dict(self) -> dict[str, Any]:
        """Return the number for JSON."""
        total = str(self.weighted.cardinality)
        return {"cardinality": total, "probability": str(self.share), "exact": True}

    def lines(self) -> Iterator[str]:
        """Yield the number as text."""
        yield from weighted_lines(self.weighted)
        if self.share != 1:
            told = f"{chances(self.share)}, {percent(self.share)}"
            yield f"probability {self.share}: {told}"
