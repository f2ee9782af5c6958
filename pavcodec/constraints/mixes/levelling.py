"""Levelling: the types of a script as a mix with chosen shares, in an even order.

A condition selects deals, and a list of types sorts them: the type of a deal is the first type that
it fits. The frequency of each type is its share, and not its natural frequency. With two lists,
both lists have their shares together, and pairs of types keep their natural proportions as far as
possible (`pavcodec.constraints.mixes.orders`). Numbers of deals are exact; if a part of a
condition is tested, they are estimates, but the deals are still exact samples.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from fractions import Fraction
from itertools import product
from operator import index as as_integer

from pavcodec.constraints.counting.compile import NotCountableError
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.expressions import expression
from pavcodec.constraints.language.decimals import integer_of, places_of
from pavcodec.constraints.language.parser import parse_condition, parse_script
from pavcodec.constraints.language.script import MARKS, SHARE, Script
from pavcodec.constraints.language.source import SourceText, branches, near, words
from pavcodec.constraints.mixes.mixes import ConditionLike, Mix, MixType, joined
from pavcodec.constraints.mixes.orders import EvenOrder, EvenPairs, MarginsError, fitted_table
from pavcodec.constraints.nodes.format import format_mix, format_node
from pavcodec.constraints.nodes.syntax import (
    HasCard,
    Node,
    Not,
    Number,
    Random,
    children,
    conjunction,
    disjunction,
    distinct,
    parts_of,
)
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.scripts.plain import (
    PlainScript,
    drawable,
    level_text,
    with_levels,
    write_plain,
)
from pavcodec.constraints.spaces.deals import DealSpace, deals
from pavcodec.constraints.spaces.estimates import Estimate
from pavcodec.constraints.spaces.rejection import TRIALS, TestedDeals
from pavcodec.errors import ModelTooLarge, PavError, check_text
from pavcodec.layout.drawings import percent
from pavcodec.limits import MEMORY, TimeIsUp, memory_of, time_limited
from pavcodec.numberings import numbering
from pavcodec.sampling import Weight, proportion, share_of

# The table of a levelled mix: its types, their deals and their shares.


Cell = tuple[int, ...]


NOTHING: Estimate[int] = Estimate.exact(0)


def amount_of(space: DealSpace, tries: int) -> Estimate[int]:
    """Return how many deals a space has, estimated from so many deals if a part is tested."""
    if isinstance(space, TestedDeals):
        return space.estimate(tries, seed="cardinality")
    return Estimate.exact(space.cardinality)


@dataclass(frozen=True)
class TypeList:
    """A list of types with names, conditions and requested shares, in order.

    Types that never occur have the share 0; the remaining types divide it.
    """

    names: tuple[str, ...]
    conditions: tuple[Node, ...]
    shares: tuple[Fraction, ...]
    missing: tuple[str, ...] = ()
    """The requested types of which there are no deals."""

    def condition(self, index: int) -> Node:
        """Return the condition of the deals of a type: its condition, and no earlier condition."""
        return joined(self.conditions[index], *map(Not, self.conditions[:index]))


@dataclass(frozen=True)
class LevelRow:
    """A type in the table of a levelled mix.

    `natural` is its share of all deals of the condition, `share` that of the boards. `overlap` is
    the number of deals that fit the type and have an earlier type, None if they cannot be counted.
    """

    place: int
    """The number of the list, from 0."""
    name: str
    where: Expression
    share: Fraction
    deals: Estimate[int]
    natural: Estimate[Fraction] | None
    overlap: int | None

    @property
    def deals_per_board(self) -> Estimate[Fraction] | None:
        """The number of deals without levelling that one board of this type represents."""
        if not self.share or self.natural is None:
            return None
        return self.natural.over(self.share)


@dataclass(frozen=True)
class LevelTable:
    """The numbers of a levelled mix: a row for each type, and the deals of no type."""

    rows: tuple[LevelRow, ...]
    untyped: Estimate[int]
    """The deals of the condition that fit no type; with two lists, no type of one list."""
    natural_untyped: Estimate[Fraction] | None
    """Their share of all deals of the condition."""

    @property
    def is_exact(self) -> bool:
        """Whether all numbers are exact."""
        return self.untyped.is_exact and all(row.deals.is_exact for row in self.rows)


# The types that a script marks for levelling, by its names and comments.
#
# Collections of practice scripts mark types by names, so that every program reads the scripts:
# `HandType_NAME` is a type and `HandType_NAME_Share` is its share of the boards (1 by default).
# `LevelType_NAME` are types of a finer list; if a script has both lists, the finer list is
# levelled. Comments `# level-types: a, b` and `# level-target: even` or `3, 1` do the same for
# other variables, and so does the statement `mix`. In the text for players, `{{level-mix:NAME}}`
# is the share of a type, and `{{level-mix}}` is a list of all.


_OWN = ("levelTheDeal", "keepTheDeal")
_COMMENT = re.compile(
    r"^[ \t]*#+[ \t]*level-(types|target)[ \t]*:[ \t]*(.*?)[ \t\r]*$", re.MULTILINE | re.IGNORECASE
)
_RUNG = re.compile(
    r"^[ \t]*\w+[ \t]*=[ \t]*\(?[ \t]*(\w+)[ \t]+and[ \t]+keep\w*[ \t]*\)?[ \t]*(?://.*)?$",
    re.MULTILINE,
)
_MARKER = re.compile(r"\{\{\s*level-mix\s*(?::\s*([^{}]*?)\s*)?\}\}")


@dataclass(frozen=True)
class Named:
    """Types by name, in order of precedence, each with its condition and the requested share."""

    names: tuple[str, ...]
    conditions: tuple[Node, ...]
    weights: tuple[Fraction, ...]


def marked_types(script: Script, text: str, shares: str | None = None) -> Named:
    """Return the types that a script marks; raise `PavError` if it marks none.

    `shares` are those of `named_types`, instead of the script's.

    >>> from pavcodec.constraints.language.parser import parse_script
    >>> text = "HandType_weak = hcp(south) < 12  HandType_rest = 1  HandType_weak_Share = 3"
    >>> marked = marked_types(parse_script(text), text)
    >>> marked.names, marked.weights
    (('weak', 'rest'), (Fraction(3, 1), Fraction(1, 1)))
    """
    comments = {match[1].lower(): match[2] for match in _COMMENT.finditer(text)}
    listed = [name.strip() for name in comments.get("types", "").split(",") if name.strip()]
    variables = listed or _marked(script, MARKS[1]) or _marked(script, MARKS[0])
    if not variables and script.mix:
        return _mixed(script, shares)
    if not variables:
        example = ",".join(laddered(text, script)) or "weak,strong"
        raise PavError(
            "the script marks no types: there is no variable HandType_…; name variables, as in "
            f"--level {example}"
        )
    _refuse_stray_shares(script)
    target = comments.get("target", "even")
    if shares is None and target.lower() not in ("", "even"):
        shares = target
    return named_types(script, variables, shares)


def _mixed(script: Script, shares: str | None) -> Named:
    """Return the types of the statement `mix`, called by their variables or else by numbers."""
    known = {node: name for name, node in script.variables.items()}
    names = [known.get(node, f"{i}") for i, (node, _) in enumerate(script.mix, 1)]
    weights = [Fraction(1) if weight is None else weight for _, weight in script.mix]
    if shares is not None:
        given = _shares(names, shares)
        weights = [given.get(*pair) for pair in zip(names, weights, strict=True)]
    elif any(weight is None for _, weight in script.mix):
        raise PavError("the types of mix have no weights: give them, as in mix a : 1, b : 2")
    return Named(tuple(map(label, names)), tuple(node for node, _ in script.mix), tuple(weights))


def _marked(script: Script, prefix: str) -> list[str]:
    """Return the variables with a prefix that name types."""
    marked = (name for name in script.variables if name.startswith(prefix))
    return [name for name in marked if not name.endswith(SHARE) and name != prefix]


def _refuse_stray_shares(script: Script) -> None:
    """Refuse a share without a type: one of the two names has a typing error."""
    for prefix in MARKS:
        types = _marked(script, prefix)
        for name in script.variables:
            stem = name.removesuffix(SHARE)
            if name.startswith(prefix) and stem != name and stem not in types:
                raise PavError(f"{name!r} is the share of no type; {near('type', stem, types)}")


def named_types(script: Script, names: Sequence[str], shares: str | None = None) -> Named:
    """Return types by the names of variables, which may leave out HandType_ and hold a `*`.

    A name may have its share after a colon. `shares` are those of all types in order, or of some by
    name. Without such a share, the share is the variable NAME_Share, or 1.

    >>> from pavcodec.constraints.language.parser import parse_script
    >>> script = parse_script("HandType_weak = hcp(south) < 12  HandType_rest = 1")
    >>> named_types(script, ["weak", "rest"], "1, 2.5").weights
    (Fraction(1, 1), Fraction(5, 2))
    >>> named_types(script, ["Hand*"], "rest:3").weights
    (Fraction(1, 1), Fraction(3, 1))
    """
    given: dict[str, Fraction] = {}
    variables: list[str] = []
    for text in names:
        check_text("a type", text)
        name, colon, weight = (part.strip() for part in text.partition(":"))
        meant = _variables(script, name)
        if colon:
            given |= dict.fromkeys(meant, share_of(weight))
        variables += meant
    twice = next((name for name in variables if variables.count(name) > 1), None)
    if twice is not None:
        raise PavError(f"the type {twice!r} stands twice among those to level")
    if shares is not None:
        if given:
            raise PavError(
                "give the shares with the names of the types, or after --shares, not both"
            )
        given = _shares(variables, shares)
    weights = [given[name] if name in given else _own_share(script, name) for name in variables]
    conditions = tuple(script.variables[name] for name in variables)
    return Named(tuple(map(label, variables)), conditions, tuple(weights))


def label(variable: str) -> str:
    """Return the name of a type: its variable without the mark.

    >>> label("HandType_12_14"), label("strong")
    ('12_14', 'strong')
    """
    for prefix in MARKS:
        if variable.startswith(prefix):
            return variable.removeprefix(prefix).lstrip("_-") or variable
    return variable


def _variables(script: Script, name: str) -> list[str]:
    """Return the variables that a name means."""
    if "*" in name:
        known = (variable for variable in script.variables if not variable.endswith(SHARE))
        fitting = [variable for variable in known if fnmatchcase(variable, name)]
        if not fitting:
            raise PavError(f"no variable of the script fits {name!r}")
        return fitting
    for variable in (name, *(f"{prefix}_{name}" for prefix in MARKS)):
        if variable in script.variables:
            return [variable]
    if not name:
        raise PavError("a name is missing: names of variables have commas between them")
    raise PavError(near("variable", name, _typed(script)))


def _shares(variables: Sequence[str], text: str) -> dict[str, Fraction]:
    """Read shares: one for each type in order, or some by name."""
    parts = text.replace(",", " ").split()
    if not any(":" in part for part in parts):
        if len(parts) != len(variables):
            raise PavError(f"there are {len(parts)} shares for {len(variables)} types")
        return dict(zip(variables, map(share_of, parts), strict=True))
    shares = {}
    for part in parts:
        name, _, weight = part.partition(":")
        meant = [variable for variable in variables if name in (variable, label(variable))]
        if not meant:
            raise PavError(near("type", name, list(map(label, variables))))
        shares[meant[0]] = share_of(weight)
    return shares


def _own_share(script: Script, variable: str) -> Fraction:
    """Return the share that a script gives a type."""
    node = script.variables.get(f"{variable}{SHARE}", Number(1))
    share = integer_of(node)
    if not isinstance(share, Number) or share.value < 0:
        raise PavError(
            f"'{variable}{SHARE}' is a share: a number from 0 on, the same for all deals"
        )
    return Fraction(share.value, 10 ** places_of(node))


def laddered(text: str, script: Script) -> list[str]:
    r"""Return the variables before a `keep…` in assignments: the types of such a levelling.

    The pieces of the ladder, such as `keep06`, are no types.

    >>> from pavcodec.constraints.language.parser import parse_script
    >>> text = "low = hcp(south) < 9\nkeep25 = hascard(west, 2C)\nlevLow = low and keep25"
    >>> laddered(text, parse_script(text))
    ['low']
    """
    typed = _typed(script)
    names = dict.fromkeys(match[1] for match in _RUNG.finditer(text))
    return [name for name in names if name in typed]


def _typed(script: Script) -> list[str]:
    """Return the variables that may be types: shares and pieces of ladders are none.

    A piece of a ladder is random, or looks at single cards only.
    """
    return [
        name
        for name, node in script.variables.items()
        if not name.endswith(SHARE)
        and not all(isinstance(leaf, HasCard | Number | Random) for leaf in _leaves(node))
    ]


def _leaves(node: Node) -> Iterator[Node]:
    return (each for each in distinct(node) if not children(each) or isinstance(each, Random))


def own_levelling(script: Script) -> str | None:
    """Return the variable by which a script itself levels its deals, if its condition has one."""
    kept = () if script.condition is None else parts_of(script.condition)
    for name in _OWN:
        parts = parts_of(script.variables.get(name, Number(1)))
        if parts and all(part in kept for part in parts):
            return name
    return None


def unlevelled(script: Script, text: str, name: str) -> Script:
    """Return a script with the condition that it has if a variable is always true.

    >>> from pavcodec.constraints.language.parser import parse_script
    >>> text = "levelTheDeal = hascard(west, 2C)  condition hcp(north) > 9 and levelTheDeal"
    >>> print(Expression(unlevelled(parse_script(text), text, "levelTheDeal").condition))
    hcp(north) > 9
    """
    source = SourceText(text)
    statements = source.tree("script")
    for part in branches(statements):
        if part.data == "assignment" and words(part)[0] == name:
            start, end = source.span(branches(part)[0])
            text = f"{text[:start]}1{' ' * (end - start - 1)}{text[end:]}"
    condition = parse_script(text).condition
    return replace(script, condition=None if condition is None else joined(condition))


def filled_lines(text: str, shares: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a script with marks for shares, filled in.

    >>> list(filled_lines("12-14 HCP ({{level-mix:low}})", {"low": "20 %"}))
    ['12-14 HCP (20 %)']
    """
    for line, filled in zip(text.splitlines(), _filled(text, shares).splitlines(), strict=True):
        if filled != line:
            yield filled


def _filled(text: str, shares: Mapping[str, str]) -> str:
    """Return a script with its marks filled in; raise `PavError` for one of another type."""
    every = ", ".join(f"{name} {share}" for name, share in shares.items())

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        if name is None:
            return every
        if name not in shares:
            raise PavError(f"{match[0]}: {near('type', name, shares)}")
        return shares[name]

    return _MARKER.sub(fill, text)


def shares_shown(lists: Sequence[TypeList]) -> dict[str, str]:
    """Return the shares of the types of all lists, as marks in a text show them."""
    pairs = [pair for each in lists for pair in zip(each.names, each.shares, strict=True)]
    return {name: f"{percent(share)} %" if share else "0 %" for name, share in pairs}


Types = Mapping[str, ConditionLike | tuple[ConditionLike, Weight]] | Sequence[str]
Shares = Mapping[str, Weight] | Sequence[Weight]


_LITTLE = 1 << 26


@dataclass(frozen=True)
class Levelled(Mix):
    """A mix of named types with chosen shares; made by `pavcodec.level`.

    Its `types` are those of the list with a share above 0, or the pairs of types of two lists.

    >>> from pavcodec import level
    >>> bands = level(
    ...     "shape(south, any 4333 + any 4432 + any 5332)",
    ...     types={"weak": "hcp(south) < 12", "opening": "hcp(south) < 15", "strong": 1},
    ...     shares=[1, 2, 1],
    ... )
    >>> [kind.share for kind in bands.types]
    [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]
    >>> [bands.names_of(kind) for kind in bands.places(8, seed=7)]
    [('opening',), ('strong',), ('opening',), ('weak',), ('opening',), ('strong',), \
('opening',), ('weak',)]
    >>> rows = bands.table().rows
    >>> [(row.name, str(row.share), round(float(row.natural.value), 4)) for row in rows]
    [('weak', '1/4', 0.6503), ('opening', '1/2', 0.2034), ('strong', '1/4', 0.1463)]
    >>> [round(float(row.deals_per_board.value), 3) for row in rows]
    [2.601, 0.407, 0.585]
    """

    lists: tuple[TypeList, ...] = ()
    cells: tuple[Cell, ...] = ()
    """The places in the lists of each type of the mix."""
    spaces: Mapping[Cell, DealSpace] = field(default_factory=dict, compare=False, repr=False)
    """The deals of every type or pair, also of those with the share 0."""
    memory: int = field(default=MEMORY, compare=False, repr=False)

    def names_of(self, place: int) -> tuple[str, ...]:
        """Return the names of a type of the mix: one, or one of each list."""
        pairs = zip(self.lists, self.cells[place], strict=True)
        return tuple(each.names[i] for each, i in pairs)

    @property
    def drawn(self) -> Levelled:
        """The same mix with types drawn one by one, by their shares, instead of an even order."""
        return replace(self, order=None)

    @property
    def interleaved(self) -> Levelled:
        """The same mix in its even order."""
        return replace(self, order=_even_order(self.lists, self.cells, self.types))

    def table(self, tries: int = TRIALS, *, overlaps: bool = True) -> LevelTable:
        """Return the natural numbers of deals, and the shares.

        If a condition is tested, the numbers are estimates from `tries` deals. Without `overlaps`,
        the result lacks the overlaps that would have to be counted with the condition.
        """
        tries = as_integer(tries)
        amounts = {cell: amount_of(space, tries) for cell, space in self.spaces.items()}
        typed = sum(amounts.values(), NOTHING)
        untyped = self._untyped(typed, tries)
        rows = []
        for axis, types in enumerate(self.lists):
            for i, name in enumerate(types.names):
                own = [amount for cell, amount in amounts.items() if cell[axis] == i]
                others = [amount for cell, amount in amounts.items() if cell[axis] != i]
                fitting, rest = sum(own, NOTHING), sum(others, untyped)
                where = Expression(types.conditions[i])
                overlap = self._overlap(axis, i, counts=overlaps)
                natural = fitting.among(rest)
                rows.append(LevelRow(axis, name, where, types.shares[i], fitting, natural, overlap))
        return LevelTable(tuple(rows), untyped, untyped.among(typed))

    def _untyped(self, typed: Estimate[int], tries: int) -> Estimate[int]:
        """Return how many deals fit no type; estimated where the condition or a type is tested."""
        whole = deals(self.base, memory=self.memory)
        if typed.is_exact and not whole.is_tested:
            return Estimate.exact(whole.counted.cardinality - typed.value)
        typed_at_all = conjunction([disjunction(each.conditions) for each in self.lists])
        return amount_of(deals(joined(self.base, Not(typed_at_all)), memory=self.memory), tries)

    def _overlap(self, axis: int, i: int, *, counts: bool) -> int | None:
        """Return how many deals fit a type and have an earlier type of the list."""
        types = self.lists[axis]
        if not i or self._are_apart(types, i):
            return 0
        if not counts:
            return None
        fitting = deals(joined(self.base, types.conditions[i]), memory=self.memory)
        alone = self.spaces.get((i,))  # with one list, the rest was counted before
        left = alone or deals(joined(self.base, types.condition(i)), memory=self.memory)
        if fitting.is_tested or left.is_tested:
            return None
        return fitting.counted.cardinality - left.counted.cardinality

    def _are_apart(self, types: TypeList, i: int) -> bool:
        """Return whether a small count shows that no deal fits both a type and an earlier type."""
        both = joined(types.conditions[i], disjunction(types.conditions[:i]))
        try:
            return not deals(both, memory=_LITTLE).counted.cardinality
        except ModelTooLarge:
            return False

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        own = (self.lists, self.cells, dict(self.spaces), self.memory)
        return Levelled, (self.types, self.base, self.is_natural, self.order, *own)

    def __str__(self) -> str:
        given = f"condition {self.given} " if parts_of(self.base) else ""
        pairs = (zip(each.conditions, each.shares, strict=True) for each in self.lists)
        told = (format_mix([(node, Fraction(share)) for node, share in each]) for each in pairs)
        return given + " ".join(f"level {text}" for text in told) + (" drawn" * (not self.order))


def level(
    source: ConditionLike,
    types: Types | None = None,
    *,
    shares: Shares | None = None,
    also: Types | None = None,
    memory: int | str = MEMORY,
) -> Levelled:
    """Return a mix of named types with chosen shares, in an even order.

    `source` is the text of a script or of a condition, or an expression. `types` has a condition
    for each name, or a pair of a condition and a share; or it lists variables of the script, as
    "strong" or "strong:2". Without `types`, the types are those that the script marks, as
    `HandType_…`. The type of a deal is the first that it fits. `shares` are the shares of
    `types`, in order or by name. A share is a weight; the default is 1, and 0 leaves a type out.
    `also` is a second list of types, whose shares hold at the same time. `memory` is that of
    `deals`, for each type. The attribute `drawn` of the mix has no even order. A part of the
    script's condition that levels by itself, `levelTheDeal`, is left out.

    Raises `PavError` if no type has deals, or if two lists exclude each other's shares, `TextError`
    for an invalid text and `NumberError` for an invalid share.

    >>> from pavcodec import level
    >>> script = "HandType_weak = hcp(south) < 12   HandType_rest = 1   condition hcp(north) > 9"
    >>> practice = level(script)
    >>> [deal["S"].hcp for deal in practice.sample(8, seed=7)]
    [14, 6, 13, 11, 17, 11, 12, 4]
    """
    if isinstance(source, str):
        script = parse_script(source)
        own = own_levelling(script)
        script = script if own is None else unlevelled(script, source, own)
        given = [] if script.condition is None else [script.condition]
        base = joined(*script.predeal, *given)
    else:
        script, base = Script(), expression(source).node
    if types is None and isinstance(source, str):
        lists = [_with_shares(marked_types(script, source), shares)]
    elif types is None:
        raise PavError("give the types: an expression marks none")
    else:
        lists = [_named(script, types, shares)]
    if also is not None:
        lists.append(_named(script, also, None))
    return levelled(base, lists, memory=memory_of(memory))


# A levelled script for other programs, which draw how many deals of a type stay.


_SECONDS = 60
"""The most seconds of counting a type; the rates of another are from estimates."""
_PASSED = 100_000
"""The deals of a type from which its number is estimated, if arrays test them."""


@dataclass(frozen=True)
class LeveledScript(PlainScript):
    """A script whose condition keeps deals of each type by a draw; `str` is its text.

    `shares` are those of the types of each list, by the rates as they are rounded in the text. If a
    type is tested, they are estimates.
    """

    rates: Mapping[Cell, Fraction] = field(default_factory=dict)
    """How many of the deals of each type, or pair of types, stay."""
    shares: tuple[tuple[Fraction, ...], ...] = ()
    error: Fraction = Fraction(0)
    """The greatest difference of such a share and the share that was asked for."""
    tried: Fraction = Fraction(0)
    """How many random deals a program tries for one that stays."""
    uncertainty: Fraction = Fraction(0)
    """The most that the estimates of tested types may move a share (95 %); 0 if all are counted."""

    @property
    def is_exact(self) -> bool:
        """Whether all types are counted."""
        return not self.uncertainty


def write_leveled(
    text: str,
    types: Types | None = None,
    *,
    shares: Shares | None = None,
    also: Types | None = None,
    memory: int | str = MEMORY,
) -> LeveledScript:
    r"""Return a script for the classic dealer, BBO and Dealer3 that levels types.

    The arguments are those of `level`. The other programs deal at random and reject; here the rate
    at which the deals of each type stay follows from exact numbers of deals.

    >>> from pavcodec import write_leveled
    >>> text = "weak = hcp(south) < 12\nhcp(north) > 9"
    >>> written = write_leveled(text, {"weak": "weak", "rest": "1"})
    >>> print(written, end="")
    weak = hcp(south) < 12
    levelTheDeal = weak ? rnd(8675) < 2909 : 1
    condition (hcp(north) > 9) && levelTheDeal
    >>> float(written.error) < 1e-7, round(float(written.tried), 3)
    (True, 3.745)
    """
    return leveled_script(text, level(text, types, shares=shares, also=also, memory=memory))


def leveled_script(text: str, mix: Levelled, *, condition: str | None = None) -> LeveledScript:
    """Return the script of a mix of its types; `condition` is another condition for the script."""
    script = parse_script(text)
    amounts = {cell: _counted(mix.spaces[cell], mix.memory) for cell in mix.cells}
    wanted = {cell: kind.share for cell, kind in zip(mix.cells, mix.types, strict=True)}
    most = max(share / amounts[cell].value for cell, share in wanted.items())
    rates = {c: drawable(share / amounts[c].value / most) for c, share in wanted.items()}
    left = {cell: amounts[cell].over(1 / rate) for cell, rate in rates.items()}
    found = [
        [_share_of(left, axis, i) for i in range(len(each.names))]
        for axis, each in enumerate(mix.lists)
    ]
    shares = tuple(tuple(share.value for share in own) for own in found)
    uncertainty = max(
        max(share.high - share.value, share.value - share.low) for own in found for share in own
    )
    error = max(
        abs(share - asked)
        for own, each in zip(shares, mix.lists, strict=True)
        for share, asked in zip(own, each.shares, strict=True)
    )
    texts = [
        [_variable(script, *one) for one in zip(each.names, each.conditions, strict=True)]
        for each in mix.lists
    ]
    used = {name for some in texts for name in some}
    levels = level_text(texts, rates)
    empty = (name for name in _OWN if parts_of(script.variables.get(name, Not(Number(1)))) == ())
    own = own_levelling(script) or next(empty, None)
    text = _filled(text, shares_shown(mix.lists))
    plain = write_plain(with_levels(text, levels, used, own=own, condition=condition))
    tried = numbering("deal").cardinality / sum((each.value for each in left.values()), Fraction(0))
    return LeveledScript(plain.text, plain.notes, rates, shares, error, tried, uncertainty)


def _share_of(left: Mapping[Cell, Estimate[Fraction]], axis: int, place: int) -> Estimate[Fraction]:
    """Return the share of a type among the deals that stay of each type."""
    none = Estimate.exact(Fraction(0))
    own = sum((each for cell, each in left.items() if cell[axis] == place), none)
    others = sum((each for cell, each in left.items() if cell[axis] != place), none)
    return own.among(others) or none


def _counted(space: DealSpace, memory: int) -> Estimate[int]:
    """Return how many deals a type has, counted if that is possible in `_SECONDS`."""
    if not isinstance(space, TestedDeals):
        return Estimate.exact(space.cardinality)
    with suppress(NotCountableError, ModelTooLarge, TimeIsUp), time_limited(_SECONDS):
        return Estimate.exact(Condition(space.where.node, memory).cardinality)
    return space.estimate_until(_PASSED)


def _variable(script: Script, name: str, condition: Node) -> str:
    """Return the variable of a type, or the text of its condition if it has none."""
    known = (each for each, node in script.variables.items() if node == condition)
    text = format_node(condition)
    text = text if text.isdecimal() else f"({text})"
    return next((each for each in known if label(each) == name), text)


def _named(script: Script, types: Types, shares: Shares | None) -> Named:
    """Return types that are given as conditions, or as variables of a script."""
    if not isinstance(types, Mapping):
        return _with_shares(named_types(script, types), shares)
    pairs = [each if isinstance(each, tuple) else (each, 1) for each in types.values()]
    nodes = tuple(
        parse_condition(each, script=script) if isinstance(each, str) else expression(each).node
        for each, _ in pairs
    )
    weights = tuple(share_of(weight) for _, weight in pairs)
    return _with_shares(Named(tuple(types), nodes, weights), shares)


def _with_shares(named: Named, shares: Shares | None) -> Named:
    """Return types with the shares that are given instead of their own."""
    if shares is None:
        return named
    if isinstance(shares, Mapping):
        stray = next((name for name in shares if name not in named.names), None)
        if stray is not None:
            raise PavError(near("type", stray, named.names))
        pairs = zip(named.names, named.weights, strict=True)
        weights = tuple(share_of(shares.get(name, weight)) for name, weight in pairs)
        return replace(named, weights=weights)
    if len(shares) != len(named.names):
        raise PavError(f"there are {len(shares)} shares for {len(named.names)} types")
    return replace(named, weights=tuple(map(share_of, shares)))


def levelled(
    base: Node, lists: Sequence[Named], *, interleave: bool = True, memory: int = MEMORY
) -> Levelled:
    """Return the mix of one list of types or of two; see `level`."""
    if not 1 <= len(lists) <= 2:
        raise PavError(f"one list of types or two can be levelled, not {len(lists)}")
    spaces = dict(_spaces(base, lists, memory))
    occurring = [_occurring(each, axis, spaces) for axis, each in enumerate(lists)]
    weights = _weights(occurring, spaces)
    total = sum(weights.values())
    kinds = []
    for cell, weight in weights.items():
        condition = joined(*(each.conditions[i] for each, i in zip(occurring, cell, strict=True)))
        kinds.append(MixType(condition, weight, weight / total, spaces[cell], base, memory))
    mix = Levelled(
        tuple(kinds),
        base,
        is_natural=False,
        lists=tuple(occurring),
        cells=tuple(weights),
        spaces=spaces,
        memory=memory,
    )
    return mix.interleaved if interleave else mix


def _spaces(base: Node, lists: Sequence[Named], memory: int) -> Iterator[tuple[Cell, DealSpace]]:
    """Yield the deals of each type, or of each pair, that has deals."""
    bare = [TypeList(each.names, each.conditions, each.weights) for each in lists]
    for cell in product(*(range(len(each.names)) for each in lists)):
        parts = [each.condition(i) for each, i in zip(bare, cell, strict=True)]
        space = deals(joined(base, *parts), memory=memory)
        if space.counted:
            yield cell, space


def _occurring(types: Named, axis: int, spaces: Iterable[Cell]) -> TypeList:
    """Return a list with the shares of the types that have deals."""
    present = {cell[axis] for cell in spaces}
    weights = [weight if i in present else Fraction(0) for i, weight in enumerate(types.weights)]
    missing = tuple(name for i, name in enumerate(types.names) if i not in present)
    if not sum(weights):
        raise PavError(
            f"no type with a share has deals: there are none of {' or '.join(types.names)}"
        )
    shares = tuple(weight / sum(weights) for weight in weights)
    return TypeList(types.names, types.conditions, shares, missing)


def _weights(lists: Sequence[TypeList], spaces: Mapping[Cell, DealSpace]) -> dict[Cell, Fraction]:
    """Return the share of the mix for each type or pair that occurs."""
    if len(lists) == 1:
        [alone] = lists
        return {cell: alone.shares[cell[0]] for cell in spaces if alone.shares[cell[0]]}
    rows, columns = ([i for i, share in enumerate(each.shares) if share] for each in lists)
    chosen = (cell for cell in product(rows, columns) if cell in spaces)
    amounts = {cell: amount_of(spaces[cell], TRIALS) for cell in chosen}
    counts = [[amounts.get((i, j), NOTHING).value for j in columns] for i in rows]
    first, second = (proportion([share for share in each.shares if share]) for each in lists)
    try:
        table = fitted_table(counts, first, second)
    except MarginsError as error:
        few = [rows[i] for i in error.rows], [columns[j] for j in error.columns]
        raise PavError(_excluding(lists, *few)) from None
    total = sum(map(sum, table))
    pairs = zip(product(rows, columns), (part for row in table for part in row), strict=True)
    return {pair: Fraction(part, total) for pair, part in pairs if part}


def _excluding(lists: Sequence[TypeList], rows: Sequence[int], columns: Sequence[int]) -> str:
    """Return the message that shares of two lists exclude each other."""
    one, other = lists
    first = ", ".join(one.names[i] for i in rows)
    wanted = sum(one.shares[i] for i in rows)
    met = ", ".join(other.names[j] for j in columns) or "no type of the other list"
    room = sum(other.shares[j] for j in columns)
    return (
        f"the shares of the two lists exclude each other: {first} ({wanted} of the boards) "
        f"have deals only with {met} ({room} of the boards)"
    )


def _even_order(
    lists: Sequence[TypeList], cells: Sequence[Cell], kinds: Sequence[MixType]
) -> EvenOrder | EvenPairs:
    """Return the even order of the types, or of the pairs of types, of a mix."""
    weights = proportion([kind.weight for kind in kinds])
    if len(lists) == 1:
        return EvenOrder(weights)
    rows, columns = (sorted({cell[axis] for cell in cells}) for axis in (0, 1))
    parts = dict(zip(cells, weights, strict=True))
    table = tuple(tuple(parts.get((i, j), 0) for j in columns) for i in rows)
    first = proportion([lists[0].shares[i] for i in rows])
    second = proportion([lists[1].shares[j] for j in columns])
    return EvenPairs(first, second, table)
