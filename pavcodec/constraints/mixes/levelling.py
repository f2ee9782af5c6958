"""Levelling: the types of a script as a mix with chosen shares, in an even order.

A condition selects deals, and a list of types sorts them: the type of a deal is the first type that
it fits. The frequency of each type is its share, and not its natural frequency. With two lists,
both lists have their shares together, and pairs of types keep their natural proportions as far as
possible (`pavcodec.constraints.mixes.margins`). Numbers of deals are exact; if a part of a
condition is tested, they are estimates, but the deals are still exact samples.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from operator import index as as_integer

from pavcodec.constraints.counting.condition import conjunction_of
from pavcodec.constraints.expressions import Expression, expression
from pavcodec.constraints.language.build import disjunction, parts_of
from pavcodec.constraints.language.parser import parse_condition, parse_script
from pavcodec.constraints.language.script import Script
from pavcodec.constraints.language.source import near
from pavcodec.constraints.mixes.level_table import (
    NOTHING,
    Amount,
    Cell,
    LevelRow,
    LevelTable,
    TypeList,
)
from pavcodec.constraints.mixes.margins import MarginsError, fitted_table
from pavcodec.constraints.mixes.marks import Named, marked_types, named_types
from pavcodec.constraints.mixes.mixes import Mix
from pavcodec.constraints.mixes.orders import EvenOrder, EvenPairs
from pavcodec.constraints.mixes.types import ConditionLike, MixType, counted_part, joined
from pavcodec.constraints.nodes.format import format_mix
from pavcodec.constraints.nodes.syntax import Node, Not
from pavcodec.constraints.spaces.constrained import ConstrainedDeals
from pavcodec.constraints.spaces.deals import DealSpace, deals
from pavcodec.constraints.spaces.rejection import TRIALS, TestedDeals
from pavcodec.errors import ModelTooLarge, PavError
from pavcodec.limits.memory import MEMORY, memory_of
from pavcodec.sampling.weights import Weight, proportion, share_of

__all__ = ["Levelled", "Shares", "Types", "level", "levelled"]

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
    >>> [bands.names_of(place) for place in bands.places(8, seed=7)]
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
        amounts = {cell: Amount.of(space, tries) for cell, space in self.spaces.items()}
        typed = sum(amounts.values(), NOTHING)
        untyped = self._untyped(typed, tries)
        rows = []
        for place, each in enumerate(self.lists):
            for i, name in enumerate(each.names):
                own = [amount for cell, amount in amounts.items() if cell[place] == i]
                others = [amount for cell, amount in amounts.items() if cell[place] != i]
                found, rest = sum(own, NOTHING), sum(others, untyped)
                where, overlap = (
                    Expression(each.conditions[i]),
                    self._overlap(place, i, counts=overlaps),
                )
                natural = found.among(rest)
                rows.append(LevelRow(place, name, where, each.shares[i], found, natural, overlap))
        return LevelTable(tuple(rows), untyped, untyped.among(typed))

    def _untyped(self, typed: Amount, tries: int) -> Amount:
        """Return how many deals fit no type; estimated where the condition or a type is tested."""
        whole = deals(self.base, memory=self.memory)
        if typed.is_exact and isinstance(whole, ConstrainedDeals):
            return Amount.exact(whole.cardinality - int(typed.value))
        typed_at_all = conjunction_of([disjunction(each.conditions) for each in self.lists])
        return Amount.of(deals(joined(self.base, Not(typed_at_all)), memory=self.memory), tries)

    def _overlap(self, place: int, i: int, *, counts: bool) -> int | None:
        """Return how many deals fit a type and have an earlier type of the list."""
        each = self.lists[place]
        if not i or self._are_apart(each, i):
            return 0
        if not counts:
            return None
        fitting = deals(joined(self.base, each.conditions[i]), memory=self.memory)
        alone = self.spaces.get((i,))  # with one list, the rest was counted before
        left = alone or deals(joined(self.base, each.condition(i)), memory=self.memory)
        if isinstance(fitting, TestedDeals) or isinstance(left, TestedDeals):
            return None
        return fitting.cardinality - left.cardinality

    def _are_apart(self, each: TypeList, i: int) -> bool:
        """Return whether a small count shows that no deal fits both a type and an earlier type."""
        earlier = disjunction(each.conditions[:i])
        try:
            both = counted_part(deals(joined(each.conditions[i], earlier), memory=_LITTLE))
            found = both.cardinality
        except ModelTooLarge:
            return False
        return not found

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
    `deals`, for each type. The attribute `drawn` of the mix has no even order.

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


def _with_shares(found: Named, shares: Shares | None) -> Named:
    """Return types with the shares that are given instead of their own."""
    if shares is None:
        return found
    if isinstance(shares, Mapping):
        stray = next((name for name in shares if name not in found.names), None)
        if stray is not None:
            raise PavError(near("type", stray, found.names))
        pairs = zip(found.names, found.weights, strict=True)
        weights = tuple(share_of(shares.get(name, weight)) for name, weight in pairs)
        return replace(found, weights=weights)
    if len(shares) != len(found.names):
        raise PavError(f"there are {len(shares)} shares for {len(found.names)} types")
    return replace(found, weights=tuple(map(share_of, shares)))


def levelled(
    base: Node, lists: Sequence[Named], *, interleave: bool = True, memory: int = MEMORY
) -> Levelled:
    """Return the mix of one list of types or of two; see `level`."""
    if not 1 <= len(lists) <= 2:
        raise PavError(f"one list of types or two can be levelled, not {len(lists)}")
    spaces = dict(_spaces(base, lists, memory))
    occurring = [_occurring(each, place, spaces) for place, each in enumerate(lists)]
    weights = _weights(occurring, spaces)
    total = sum(weights.values())
    kinds = tuple(
        MixType(_condition(occurring, cell), weight, weight / total, spaces[cell], base, memory)
        for cell, weight in weights.items()
    )
    found = Levelled(
        kinds,
        base,
        is_natural=False,
        lists=tuple(occurring),
        cells=tuple(weights),
        spaces=spaces,
        memory=memory,
    )
    return found.interleaved if interleave else found


def _spaces(base: Node, lists: Sequence[Named], memory: int) -> Iterator[tuple[Cell, DealSpace]]:
    """Yield the deals of each type, or of each pair, that has deals."""
    bare = [TypeList(each.names, each.conditions, each.weights) for each in lists]
    for cell in product(*(range(len(each.names)) for each in lists)):
        parts = [each.condition(i) for each, i in zip(bare, cell, strict=True)]
        space = deals(joined(base, *parts), memory=memory)
        if counted_part(space):
            yield cell, space


def _occurring(each: Named, place: int, spaces: Iterable[Cell]) -> TypeList:
    """Return a list with the shares of the types that have deals."""
    found = {cell[place] for cell in spaces}
    weights = [weight if i in found else Fraction(0) for i, weight in enumerate(each.weights)]
    missing = tuple(name for i, name in enumerate(each.names) if i not in found)
    if not sum(weights):
        raise PavError(
            f"no type with a share has deals: there are none of {' or '.join(each.names)}"
        )
    shares = tuple(weight / sum(weights) for weight in weights)
    return TypeList(each.names, each.conditions, shares, missing)


def _condition(lists: Sequence[TypeList], cell: Cell) -> Node:
    return conjunction_of(
        [part for each, i in zip(lists, cell, strict=True) for part in parts_of(each.conditions[i])]
    )


def _weights(lists: Sequence[TypeList], spaces: Mapping[Cell, DealSpace]) -> dict[Cell, Fraction]:
    """Return the share of the mix for each type or pair that occurs."""
    if len(lists) == 1:
        [alone] = lists
        return {cell: alone.shares[cell[0]] for cell in spaces if alone.shares[cell[0]]}
    rows, columns = ([i for i, share in enumerate(each.shares) if share] for each in lists)
    counts = [[_count(spaces[i, j]) if (i, j) in spaces else 0 for j in columns] for i in rows]
    first, second = (proportion([share for share in each.shares if share]) for each in lists)
    try:
        table = fitted_table(counts, first, second)
    except MarginsError as error:
        few = [rows[i] for i in error.rows], [columns[j] for j in error.columns]
        raise PavError(_excluding(lists, *few)) from None
    total = sum(map(sum, table))
    pairs = zip(product(rows, columns), (part for row in table for part in row), strict=True)
    return {pair: Fraction(part, total) for pair, part in pairs if part}


def _count(space: DealSpace) -> int:
    return int(Amount.of(space, TRIALS).value)


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
    rows, columns = (sorted({cell[place] for cell in cells}) for place in (0, 1))
    parts = dict(zip(cells, weights, strict=True))
    table = tuple(tuple(parts.get((i, j), 0) for j in columns) for i in rows)
    first = proportion([lists[0].shares[i] for i in rows])
    second = proportion([lists[1].shares[j] for j in columns])
    return EvenPairs(first, second, table)
