"""Mixes: deals of several types, each with the frequency of its weight, without rejection.

Types are conditions in an order. The type of a deal that fits several of them is the first, so the
deals of type i are those of `given && type i && !(type 1) && … && !(type i-1)`. They are a space
like any other: counted, and sampled exactly. Types without weights have their natural weights,
their exact numbers of deals; then a mix is the deals that fit any type.

The definition of sample k of a seed, by the stream pav-1, which never changes:

1. w₁, w₂, … are the weights in smallest integers, in the given proportion. The type is the first
   for which w₁ + … + wᵢ is greater than further number 0 of sample k, which is drawn below the sum
   of all.
2. The deal is that at index k of the stream in the space of the type, as in a sample of this space
   alone. No sample takes a second index.
3. For a type with a part that is tested (rnd, tricks, Python functions), this is the first
   candidate. While a candidate fails, the next one's index is the next further number. `rnd` draws
   further numbers as well, for each candidate after its index.
4. `rnd` in actions draws the further numbers after these.

So a sample is a function of the mix, the seed and k alone, for all kinds of types.

A mix in an even order (`pavcodec.constraints.mixes.orders`) has its types from there, instead of
rule 1. The other rules apply, and further number 0 is not used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, SupportsIndex, Unpack, cast

from pavcodec.cards import DECK_SIZE
from pavcodec.constraints.evaluation import Evaluation
from pavcodec.constraints.expressions import expression
from pavcodec.constraints.known import KnownCards, with_known_cards
from pavcodec.constraints.mixes.orders import EvenOrder, Order
from pavcodec.constraints.nodes.format import format_mix_script, show
from pavcodec.constraints.nodes.syntax import Node, Not, conjunction, parts_of
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.spaces.constrained import ConstrainedDeals
from pavcodec.constraints.spaces.deals import DealSpace, deals
from pavcodec.constraints.spaces.estimates import Acceptance, Estimate, count_row
from pavcodec.errors import NumberError, PavError
from pavcodec.layout import Deal
from pavcodec.layout.drawings import notebook_table, percent
from pavcodec.limits import MEMORY
from pavcodec.numberings import numbering
from pavcodec.numberings.chain import Chain
from pavcodec.numberings.space import Rows, Space, parts_of_stream
from pavcodec.sampling import (
    SAMPLES,
    Seed,
    Stream,
    Weight,
    draw_indexes,
    proportion,
    unweighted,
    weight_of,
)

if TYPE_CHECKING:
    from pavcodec.arrays import Owners, Threads
    from pavcodec.constraints.spaces.rejection import TestedDeals

ConditionLike = Expression | Node | str | int


@dataclass(frozen=True)
class MixType:
    """A type of a mix: a condition, its deals without those of earlier types, its frequency.

    `space` holds the deals of the type: no deal has two types.
    """

    condition: Node
    weight: Fraction
    """The given weight; without one, the number of deals."""
    share: Fraction
    """The share of this type in the mix."""
    space: DealSpace
    base: Node
    """The condition that all types share."""
    memory: int = field(default=MEMORY, compare=False, repr=False)

    @property
    def where(self) -> Expression:
        """The condition as it was written."""
        return Expression(self.condition)

    @property
    def cardinality(self) -> int | Estimate[int]:
        """The number of deals of the type; an estimate where a part is tested."""
        return self.space.cardinality

    @cached_property
    def fitting(self) -> DealSpace:
        """All deals that fit the condition, also those of earlier types."""
        whole = joined(self.base, self.condition)
        return self.space if self.space.where.node == whole else deals(whole, memory=self.memory)

    @property
    def overlap(self) -> int | None:
        """The deals of the condition with an earlier type; None if they cannot be counted."""
        fitting, left = self.fitting, self.space
        if fitting.is_tested or left.is_tested:
            return None
        return fitting.counted.cardinality - left.counted.cardinality


def joined(*conditions: Node) -> Node:
    """Return the conjunction of some conditions."""
    return conjunction([part for each in conditions for part in parts_of(each)])


@dataclass(frozen=True)
class Mix(Space[Deal]):
    """Random deals of several types, each with exactly the probability of its weight.

    Made by `pavcodec.mix(types)`. Sample k of a seed depends only on the mix, the seed and k. `str`
    gives the statement of the mix for a script.

    >>> from pavcodec import mix
    >>> openings = mix([("hcp(south) >= 20", 1), ("hcp(south) >= 12", "2.5")])
    >>> openings.weights, [kind.share for kind in openings.types]
    ((2, 5), [Fraction(2, 7), Fraction(5, 7)])
    >>> [kind.overlap for kind in openings.types]
    [0, 775210323410809268643158400]
    >>> [deal["S"].hcp for deal in openings.sample(7, seed=7)]
    [12, 12, 23, 13, 12, 12, 16]
    >>> print(openings)
    mix hcp(south) >= 20 : 1, hcp(south) >= 12 : 5/2
    """

    types: tuple[MixType, ...]
    base: Node
    is_natural: bool
    """Whether the weights are the numbers of deals."""
    order: Order | None = None
    """The type of each sample; without an order, types are drawn."""
    layout_type = Deal
    is_uniform = False

    @property
    def text(self) -> str:
        """The statement of the mix for a script."""
        return str(self)

    @property
    def interleaved(self) -> Mix:
        """The mix in an even order: any few consecutive deals have all types, by their shares.

        Raises `NumberError` for natural weights, and for given weights that sum to more than 65,536
        in smallest integers.

        >>> from pavcodec import mix
        >>> openings = mix([("hcp(south) >= 20", 1), ("hcp(south) >= 12", 3)]).interleaved
        >>> list(openings.places(12, seed=7))
        [1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1]
        """
        if self.is_natural:
            raise NumberError("types in an even order have weights: give them to all types")
        return replace(self, order=EvenOrder(self.weights))

    @property
    def given(self) -> Expression:
        """The condition that the deals of all types satisfy."""
        return Expression(self.base)

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The weights in smallest integers."""
        return proportion([kind.weight for kind in self.types])

    @cached_property
    def _chain(self) -> Chain:
        return Chain(self.weights)

    def places(
        self, count: SupportsIndex, *, seed: Seed | None = None, start: SupportsIndex = 0
    ) -> Iterator[int]:
        """Yield the place in `types` of the type of each sample.

        >>> from pavcodec import mix
        >>> coin = mix(["hascard(north, AS)", "1"])
        >>> list(coin.places(5, seed=7))
        [1, 1, 0, 1, 1]
        >>> ["A" in str(deal["N"]).split(".")[0] for deal in coin.sample(5, seed=7)]
        [False, False, True, False, False]
        """
        key, begin, many = self._slice(count, seed, start)
        parts = (self._places(key, part) for part in parts_of_stream(begin + many, begin))
        return (kind for part in parts for kind in part)

    def evaluations(
        self,
        count: SupportsIndex,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
        acceptance: Acceptance | None = None,
    ) -> Iterator[Evaluation]:
        """Yield the samples with the values that expressions have for them.

        `acceptance` counts the candidates of types with a part that is tested, and those that
        passed.
        """
        key, begin, many = self._slice(count, seed, start)
        return self._evaluations(key, begin, begin + many, Acceptance.of(acceptance))

    def rows(self, seed: int, part: range, *, threads: Threads = 1) -> Rows:
        """Return the samples of a part of the stream of a seed, of tested types as well."""
        import numpy as np

        places, owners = self._counted_rows(seed, part, threads)
        tested = {place for place, kind in enumerate(self.types) if kind.space.is_tested}
        for row, place in enumerate(places if tested else ()):
            if place in tested:
                trial = self._evaluation(Stream(seed), part[row], place, Acceptance())
                owners[row] = np.frombuffer(trial.deal.owners, np.uint8)
        return Rows(owners)

    def _counted_rows(self, seed: int, part: range, threads: Threads) -> tuple[list[int], Owners]:
        """Return (types, owners) of some samples; rows of tested types have no deal yet."""
        import numpy as np

        places = self._places(seed, part)
        kinds, owners = np.array(places, np.intp), np.zeros((len(part), DECK_SIZE), np.uint8)
        for place in set(places):
            space, rows = self.types[place].space, np.flatnonzero(kinds == place)
            if isinstance(space, ConstrainedDeals):
                indexes = draw_indexes(seed, part.start, len(part), space.cardinality)[rows]
                owners[rows] = space.unrank_many(indexes, threads=threads)
        return places, owners

    def _each(self, seed: int, start: int, count: int | None) -> Iterator[Deal]:
        end = SAMPLES if count is None else start + count
        evaluations = self._evaluations(seed, start, end, Acceptance())
        return (cast("Deal", each.deal) for each in evaluations)

    def _evaluations(
        self, seed: int, start: int, end: int, counts: Acceptance
    ) -> Iterator[Evaluation]:
        stream = Stream(seed)
        for part in parts_of_stream(end, start):
            for k, place, row in zip(part, *self._counted_rows(seed, part, None), strict=True):
                if self.types[place].space.is_tested:
                    yield self._evaluation(stream, k, place, counts)
                else:
                    yield Evaluation(Deal.unchecked(row.tobytes()), stream.chance(k, first=1))

    def _places(self, seed: int, part: range) -> list[int]:
        """Return the places of the types of some samples."""
        if self.order is not None:
            return self.order.places(seed, part.start, len(part))
        numbers = draw_indexes(seed, part.start, len(part), self._chain.cardinality, substream=0)
        places: list[int] = self._chain.parts_of(numbers).tolist()
        return places

    def _evaluation(self, stream: Stream, k: int, place: int, counts: Acceptance) -> Evaluation:
        """Return sample k, whose type is tested: the first of its candidates that passes."""
        space = cast("TestedDeals", self.types[place].space)
        total, chance = space.counted.cardinality, stream.chance(k, first=1)
        index = stream.index(k, total)
        for _ in range(space.max_consecutive_rejections):
            deal, test = space.candidate(index)
            trial = Evaluation(deal, chance, space.solver)
            counts.tried += 1
            if trial.value(test):
                counts.accepted += 1
                return trial
            index = chance(total)
        raise PavError(
            f"{space.max_consecutive_rejections:,} deals in a row did not pass "
            f"{show(space.tested.node)}: there may be none"
        )

    def to_dict(self) -> dict[str, object]:
        """Return the numbers of all types for JSON, as `pavcodec count --json` prints them."""
        return mix_row(self.types, estimates_of(self.types))

    def _repr_html_(self) -> str:
        """Return the types with their shares in HTML; notebooks call this. It tests no deals."""
        return mix_html(self.types, str(self.given))

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Mix, (self.types, self.base, self.is_natural, self.order)

    def __str__(self) -> str:
        weighted = [(k.condition, None if self.is_natural else k.weight) for k in self.types]
        base = self.base if parts_of(self.base) else None
        return f"{format_mix_script(weighted, base)}{' interleaved' if self.order else ''}"


def mix(
    types: Iterable[ConditionLike | tuple[ConditionLike, Weight | None]],
    *,
    given: ConditionLike = 1,
    memory: int = MEMORY,
    **known: Unpack[KnownCards],
) -> Mix:
    """Return a mix of types of deals; the type of a deal is the first type that it fits.

    A type is a condition and its weight: an integer, a `Fraction`, or a text such as "2.5" or
    "1/3". Only the proportion of weights counts. If no type has a weight, each has its natural
    weight, its exact number of deals. All deals satisfy `given`, and have the known cards, whose
    arguments are those of `deals`. `memory` is that of `deals`, for each type. Raises
    `NumberError` for wrong weights, `PavError` for a type without deals.

    >>> from pavcodec import mix
    >>> strong = mix(["hcp(south) >= 20", "hcp(north) >= 20"], given="spades(south) == 7")
    >>> [round(float(kind.share), 3) for kind in strong.types]
    [0.4, 0.6]
    >>> mix([("hcp(south) >= 20", 1), ("hcp(south) == 25", 1)])
    Traceback (most recent call last):
    ...
    pavcodec.errors.PavError: there are no deals of type 2, 'hcp(south) == 25': all \
14,177,105,294,953,847,378,428,800 that fit it are of earlier types
    """
    conditions, weights = _read(types)
    base = with_known_cards(expression(given).node, known, "mix")
    spaces = list(_spaces(base, conditions, memory))
    is_natural = not weights
    if is_natural:
        weights = [_natural(*each) for each in zip(count(), conditions, spaces)]
    kinds = [
        MixType(condition, weight, weight / sum(weights), space, base, memory)
        for condition, weight, space in zip(conditions, weights, spaces, strict=True)
    ]
    return Mix(tuple(kinds), base, is_natural)


def _read(
    types: Iterable[ConditionLike | tuple[ConditionLike, Weight | None]],
) -> tuple[list[Node], list[Fraction]]:
    """Return the conditions and the weights; no weights if they are natural."""
    pairs = [each if isinstance(each, tuple) else (each, None) for each in types]
    if not pairs:
        raise NumberError("a mix has at least one type")
    conditions = [expression(condition).node for condition, _ in pairs]
    weights = [None if weight is None else weight_of(weight) for _, weight in pairs]
    missing = unweighted(weights)
    if missing is not None:
        name = _name(missing, conditions[missing])
        raise NumberError(
            f"{name}, has no weight, but other types have: give weights to all or none"
        )
    known = [weight for weight in weights if weight is not None]
    if known:
        proportion(known)  # which refuses sums that are too large for a draw
    return conditions, known


def _name(kind: int, condition: Node) -> str:
    return f"type {kind + 1}, {show(condition)}"


def _spaces(base: Node, conditions: Sequence[Node], memory: int) -> Iterator[DealSpace]:
    """Yield the space of each type; raise `PavError` for one without deals."""
    for kind, condition in enumerate(conditions):
        earlier = map(Not, conditions[:kind])
        space = deals(joined(base, condition, *earlier), memory=memory)
        if not space.counted:
            fitting = deals(joined(base, condition), memory=memory).counted
            gone = f"all {fitting.cardinality:,} that fit it are of earlier types"
            reason = gone if fitting else _reason(fitting)
            raise PavError(f"there are no deals of {_name(kind, condition)}: {reason}")
        yield space


def _reason(space: ConstrainedDeals) -> str:
    """Return why there are no deals, for a message."""
    shown = [f"'{part}'" for part in space.conflict()]
    return f"{' and '.join(shown)} {'is never true' if len(shown) < 2 else 'exclude each other'}"


def _natural(kind: int, condition: Node, space: DealSpace) -> Fraction:
    """Return the number of deals of a type as its weight."""
    if space.is_tested:
        name, reason = _name(kind, condition), space.reasons[0]
        raise NumberError(f"{name}, has no natural weight, for {reason}: give weights")
    return Fraction(space.counted.cardinality)


# Mixes as rows of JSON: the exact numbers of each type, and estimates where a part is tested.


def estimates_of(types: Sequence[MixType]) -> list[Estimate[int] | None]:
    """Return for each type the estimate of its deals; None where they are counted."""
    cardinalities = [kind.cardinality for kind in types]
    return [each if isinstance(each, Estimate) else None for each in cardinalities]


def natural_share(types: Sequence[MixType], kind: MixType) -> Fraction | None:
    """Return the share of a type in all deals of a mix; None if it is not counted."""
    if any(each.space.is_tested for each in types):
        return None
    total = sum(each.space.counted.cardinality for each in types)
    return Fraction(kind.space.counted.cardinality, total)


def mix_row(
    types: Sequence[MixType], estimates: Sequence[Estimate[int] | None]
) -> dict[str, object]:
    """Return the numbers of a mix for JSON; the command `count` prints them.

    >>> from pavcodec import mix
    >>> types = mix([("hcp(south) >= 20", 1), ("hcp(south) >= 12", 3)]).types
    >>> mix_row(types, [None, None])["types"][1]["share"]
    '3/4'
    """
    total = None
    if not any(estimates):
        total = sum(kind.space.counted.cardinality for kind in types)
    rows = [_type_row(types, kind, guess) for kind, guess in zip(types, estimates, strict=True)]
    return count_row(total, numbering("deal").cardinality) | {"types": rows}


def mix_html(types: Sequence[MixType], given: str) -> str:
    """Return the types of a mix as a table in HTML; it counts no more and tests nothing."""
    heads, rows = ["type", "share, %", "weight", "deals", "condition"], []
    for number, kind in enumerate(types, start=1):
        counted = f"{kind.space.counted.cardinality:,}"
        shown = f"at most {counted}" if kind.space.is_tested else counted
        rows.append([number, percent(kind.share), kind.weight, shown, str(kind.where)])
    most = max(kind.share for kind in types)
    bars = [kind.share / most for kind in types]
    notes = [] if given == "1" else [f"all deals satisfy {given}"]
    return notebook_table("mix", heads, rows, texts=(4,), bars=bars, notes=notes)


def _type_row(
    types: Sequence[MixType], kind: MixType, guess: Estimate[int] | None
) -> dict[str, object]:
    natural, overlap = natural_share(types, kind), kind.overlap
    row: dict[str, object] = {"condition": str(kind.where), "weight": str(kind.weight)}
    row |= {"share": str(kind.share), "natural": None if natural is None else str(natural)}
    row["cardinality"] = str(kind.cardinality) if guess is None else None
    row["overlap"] = None if overlap is None else str(overlap)
    return row if guess is None else row | {"estimate": guess.ends()}
