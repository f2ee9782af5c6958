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
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, count
from typing import TYPE_CHECKING, SupportsIndex, Unpack, cast

from pavcodec.constraints.evaluation import Chance, Evaluation
from pavcodec.constraints.expressions import expression
from pavcodec.constraints.known import KnownCards, with_known_cards
from pavcodec.constraints.mixes.orders import EvenOrder, Order
from pavcodec.constraints.mixes.types import (
    ConditionLike,
    MixType,
    counted_part,
    estimates_of,
    joined,
    mix_html,
    mix_row,
)
from pavcodec.constraints.nodes.format import format_mix_script, show
from pavcodec.constraints.nodes.syntax import Node, Not
from pavcodec.constraints.nodes.trees import parts_of
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.spaces.constrained import ConstrainedDeals
from pavcodec.constraints.spaces.deals import DealSpace, deals
from pavcodec.constraints.spaces.rejection import TestedDeals
from pavcodec.constraints.spaces.share import Acceptance
from pavcodec.errors import NumberError, PavError
from pavcodec.layout import Deal
from pavcodec.limits import MEMORY
from pavcodec.numberings import numbering
from pavcodec.sampling import (
    Seed,
    Stream,
    Weight,
    check_many,
    check_slice,
    given_seed,
    proportion,
    unweighted,
    weight_of,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pavcodec.constraints.counting.model import Model


_AT_ONCE = 1 << 15


@dataclass(frozen=True)
class Mix:
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
    def _bounds(self) -> tuple[int, ...]:
        return tuple(accumulate(self.weights))

    def sample(
        self, count: SupportsIndex, *, seed: Seed | None = None, start: SupportsIndex = 0
    ) -> list[Deal]:
        """Return samples `start` to `start + count - 1` of a seed.

        Without a seed, the method draws a fresh one and does not report it. Raises `NumberError`
        for arguments out of range.
        """
        return list(self.samples(check_many(count), seed=seed, start=start))

    def samples(
        self, count: SupportsIndex, *, seed: Seed | None = None, start: SupportsIndex = 0
    ) -> Iterator[Deal]:
        """Yield the deals of `sample`; a large number of deals takes little memory."""
        evaluations = self.evaluations(count, seed=seed, start=start)
        return (cast("Deal", each.deal) for each in evaluations)

    def draw(
        self, count: SupportsIndex, *, seed: Seed | None = None, start: SupportsIndex = 0
    ) -> NDArray[np.uint64]:
        """Return the deal numbers of samples: `uint64[n, 2]`, columns high and low.

        Row k is the number, in the numbering `deal`, of item k of `sample` with the same arguments.
        """
        import numpy as np

        from pavcodec.constraints.mixes.batch import mixed_deals

        begin, many, key = self._slice(check_many(count), seed, start)
        places = np.array(self._places(key, begin, many), np.intp)
        models = self._models(places)
        numbers, _ = mixed_deals(models, places, key, begin)
        tested = [kind for kind, model in enumerate(models) if model is None]
        for row in np.flatnonzero(np.isin(places, tested)).tolist():
            deal = self._evaluation(Stream(key), begin + row, places[row]).deal
            numbers[row] = divmod(numbering("deal").rank(deal), 1 << 64)
        return numbers

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
        begin, many, key = self._slice(count, seed, start)
        end = begin + many
        cuts = ((first, min(_AT_ONCE, end - first)) for first in range(begin, end, _AT_ONCE))
        parts = (self._places(key, first, some) for first, some in cuts)
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
        begin, many, key = self._slice(count, seed, start)
        counts = Acceptance.of(acceptance)
        return self._evaluations(key, begin, begin + many, counts)

    def _slice(
        self, count: SupportsIndex, seed: Seed | None, start: SupportsIndex
    ) -> tuple[int, int, int]:
        begin, many, _ = check_slice(start, count, self._bounds[-1])
        return begin, many, given_seed(seed)

    def _evaluations(
        self, key: int, begin: int, end: int, counts: Acceptance
    ) -> Iterator[Evaluation]:
        stream = Stream(key)
        for first in range(begin, end, _AT_ONCE):
            places = self._places(key, first, min(_AT_ONCE, end - first))
            made = self._made(key, first, places)
            for k, (kind, deal) in enumerate(zip(places, made, strict=True), first):
                if deal is not None:
                    yield Evaluation(deal, stream.chance(k, first=1))
                else:
                    yield self._evaluation(stream, k, kind, counts)

    def _places(self, key: int, start: int, count: int) -> list[int]:
        """Return the places of the types of some samples."""
        if self.order is not None:
            return self.order.places(key, start, count)
        from pavcodec.constraints.mixes.batch import places_of

        places: list[int] = places_of(key, start, count, self.weights).tolist()
        return places

    def _made(self, key: int, start: int, places: Sequence[int]) -> Iterator[Deal | None]:
        """Yield the deals of samples, made in one batch; None for samples of tested types."""
        import numpy as np

        from pavcodec.constraints.mixes.batch import mixed_deals

        drawn = np.array(places, np.intp)
        models = self._models(drawn)
        _, owners = mixed_deals(models, drawn, key, start)
        for kind, row in zip(places, owners, strict=True):
            yield None if models[kind] is None else Deal.unchecked(row.tobytes())

    def _evaluation(
        self, stream: Stream, k: int, kind: int, counts: Acceptance | None = None
    ) -> Evaluation:
        """Return sample k, whose type is at a place and is tested."""
        space = cast("TestedDeals", self.types[kind].space)
        chance, index = stream.chance(k, first=1), stream.index(k, space.counted.cardinality)
        return _first_that_passes(space, index, chance, counts)

    def _models(self, places: NDArray[np.intp]) -> list[Model | None]:
        """Return the models of the types of samples; None for other types and tested ones."""
        drawn = set(places.tolist())
        spaces = [kind.space if place in drawn else None for place, kind in enumerate(self.types)]
        return [each.model if isinstance(each, ConstrainedDeals) else None for each in spaces]

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
        if not counted_part(space):
            fitting = counted_part(deals(joined(base, condition), memory=memory))
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
    if isinstance(space, TestedDeals):
        name, reason = _name(kind, condition), space.reasons[0]
        raise NumberError(f"{name}, has no natural weight, for {reason}: give weights")
    return Fraction(space.cardinality)


def _first_that_passes(
    space: TestedDeals, index: int, chance: Chance, counts: Acceptance | None
) -> Evaluation:
    """Test candidates, the first at an index, until one passes."""
    total = space.counted.cardinality
    tally = counts if counts is not None else Acceptance()
    for _ in range(space.max_consecutive_rejections):
        deal, test = space.candidate(index)
        trial = Evaluation(deal, chance, space.solver)
        tally.tried += 1
        if trial.value(test):
            tally.accepted += 1
            return trial
        index = chance(total)
    raise PavError(
        f"{space.max_consecutive_rejections:,} deals in a row did not pass "
        f"{show(space.tested.node)}: there may be none"
    )
