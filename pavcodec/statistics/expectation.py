"""The exact tally of all deals of a condition: the expectation for a random collection.

Rule 1: The result equals that of `Tally.add` for each deal of the condition once.
Rule 2: The model of the condition counts the hands of its seats. The other seats, the free ones,
share the *pool*: the remaining cards. All choices of a hand from the pool are equally likely. So it
is enough to count the cards of each kind in the pool; the number of hands with given numbers of
cards of each kind is a product of binomials.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from math import comb, prod
from operator import add, mul
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, Seat, Suit
from pavcodec.constraints.counting.models.layers import DEAD
from pavcodec.constraints.counting.models.model import Model
from pavcodec.constraints.expressions import (
    Expression,
    aces,
    controls,
    diamonds,
    hcp,
    hearts,
    jacks,
    kings,
    queens,
    spades,
)
from pavcodec.constraints.spaces.constrained import ConstrainedDeals
from pavcodec.constraints.spaces.deals import deals
from pavcodec.errors import PavError
from pavcodec.layout.hand_functions import CONTROLS, HCP
from pavcodec.limits.memory import MEMORY
from pavcodec.odds.questions import ConditionLike, distribution
from pavcodec.shapes import shape_index
from pavcodec.statistics.tally import COUNTS, Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["expected_tally", "holders_of", "space_of"]

_HONOURS = 4
_NORTH_SOUTH = (Seat.NORTH, Seat.SOUTH)

Kind = Callable[[Seat], Expression]
"""A number of a seat: how many cards of one kind it has."""

Cards = tuple[int, ...]
"""The numbers of cards of each kind: by suit, or aces, kings, queens, jacks and other cards."""

_SUITS: Cards = (SUIT_SIZE,) * len(Suit)
_RANKS: Cards = (len(Suit),) * _HONOURS + (DECK_SIZE - _HONOURS * len(Suit),)


def space_of(given: ConditionLike, memory: int | str = MEMORY) -> ConstrainedDeals:
    """Return the deals of a condition; raise `PavError` if they are uncountable or there are none.

    >>> space_of("spades(west) == 9").cardinality
    4968111751882804000476000
    """
    space = given if isinstance(given, ConstrainedDeals) else None
    if space is None and isinstance(given, Expression | str | int):
        found = deals(given, memory=memory, method="exact")
        if not isinstance(found, ConstrainedDeals):
            raise PavError(f"expectations need exact counts, but {found.reasons[0]}")
        space = found
    if space is None:
        raise PavError(f"expectations need a condition with exact counts, not {given!r}")
    if not space.cardinality:
        raise PavError(f"there are no deals with '{space.where}'")
    return space


def expected_tally(given: ConditionLike = 1, *, memory: int | str = MEMORY) -> Tally:
    """Return the tally of all deals that satisfy a condition, by exact counting.

    Its counts are integers of any size. Raise `PavError` if they cannot be counted, and
    `ModelTooLarge` if counting needs too much memory.

    >>> tally = expected_tally("spades(west) == 9")
    >>> tally.deals, tally.counts["hcp"][3, 37]
    (4968111751882804000476000, 0)
    >>> from fractions import Fraction
    >>> Fraction(tally.counts["holders"][0, 3], tally.deals)  # West has the ace of spades
    Fraction(9, 13)
    """
    return _Expectation(space_of(given, memory), memory).tally()


@dataclass(frozen=True)
class _Expectation:
    space: ConstrainedDeals
    memory: int | str

    def tally(self) -> Tally:
        """Return the tally with all counts."""
        tally = Tally()
        tally.deals = self.space.cardinality
        tally.counts = {name: _zeros(sizes) for name, sizes in COUNTS.items()}
        equal = {seat: Seat(self._free[0]) if seat in self._free else seat for seat in Seat}
        lengths_of = {seat: self._lengths([seat]) for seat in set(equal.values())}
        worth_of = {seat: self._worth([seat]) for seat in set(equal.values())}
        for seat in Seat:
            for (s, h, d, c), ways in lengths_of[equal[seat]].items():
                tally.counts["shapes"][int(seat), shape_index((s, h, d, c))] += ways
            for (worth, tops), ways in worth_of[equal[seat]].items():
                tally.counts["hcp"][seat, worth] += ways
                tally.counts["controls"][seat, tops] += ways
        for lengths, ways in self._lengths(_NORTH_SOUTH).items():
            tally.counts["side_lengths"][lengths[:-1]] += ways
        for (worth, tops), ways in self._worth(_NORTH_SOUTH).items():
            tally.counts["side_hcp"][worth] += ways
            tally.counts["side_controls"][tops] += ways
        tally.counts["holders"] = holders_of(self.space.model)
        return tally

    @cached_property
    def _free(self) -> tuple[int, ...]:
        return self.space.model.free

    def _lengths(self, seats: Sequence[Seat]) -> Counter[Cards]:
        """Return the number of deals for each combination of suit lengths of the seats together."""
        if all(seat in self._free for seat in seats):
            found: Counter[Cards] = Counter()
            for pool, ways in self._pool_of_suits.items():
                for lengths, share in self._choices(pool, ways, HAND_SIZE * len(seats)):
                    found[lengths] += share
            return found
        suits = [_together(suit, seats) for suit in (spades, hearts, diamonds)]
        return Counter(dict(self._completed(self._counts_by(suits), HAND_SIZE * len(seats))))

    def _worth(self, seats: Sequence[Seat]) -> Counter[tuple[int, int]]:
        """Return the number of deals for each pair of points and controls of the seats together."""
        found: Counter[tuple[int, int]] = Counter()
        if all(seat in self._free for seat in seats):
            for pool, ways in self._pool_of_ranks.items():
                for held, share in self._choices(pool, ways, HAND_SIZE * len(seats)):
                    found[_worth_of(held)] += share
            return found
        both = [_together(each, seats) for each in (hcp, controls)]
        for (worth, tops), ways in self._counts_by(both).items():
            found[worth, tops] += ways
        return found

    @cached_property
    def _pool_of_suits(self) -> dict[Cards, int]:
        """The number of deals for each pool, by its cards of each suit."""
        return self._pool(_SUITS, [spades, hearts, diamonds])

    @cached_property
    def _pool_of_ranks(self) -> dict[Cards, int]:
        """The number of deals for each pool, by its aces, kings, queens, jacks and others."""
        return self._pool(_RANKS, [aces, kings, queens, jacks])

    def _pool(self, deck: Cards, kinds: Sequence[Kind]) -> dict[Cards, int]:
        conditioned = [seat for seat in Seat if seat not in self._free]
        if not conditioned:
            return {deck: self.space.cardinality}
        counts = self._counts_by([_together(kind, conditioned) for kind in kinds])
        return {
            tuple(all_ - some for all_, some in zip(deck, taken, strict=True)): ways
            for taken, ways in self._completed(counts, HAND_SIZE * len(conditioned))
        }

    def _choices(self, pool: Cards, ways: int, size: int) -> Iterator[tuple[Cards, int]]:
        """Yield (cards of each kind, deals) for hands of `size` cards from a pool."""
        choices = comb(sum(pool), size)
        *rows, of_last = ([comb(most, taken) for taken in range(most + 1)] for most in pool)
        found: list[tuple[Cards, int, int]] = [((), size, ways)]  # held, still to choose, ways
        for row in rows:
            found = [
                ((*held, taken), left - taken, share * of_kind)
                for held, left, share in found
                for taken, of_kind in enumerate(row[: left + 1])
            ]
        for held, left, share in found:
            if left < len(of_last):
                yield (*held, left), share * of_last[left] // choices

    def _counts_by(self, numbers: Sequence[Expression]) -> dict[Cards, int]:
        """Return the number of deals for each combination of values of the numbers."""
        found = distribution(*numbers, given=self.space, memory=self.memory)
        return {row: ways for row, ways in found.counts.items() if isinstance(row, tuple)}

    @staticmethod
    def _completed(counts: dict[Cards, int], size: int) -> Iterator[tuple[Cards, int]]:
        """Yield counts with the number of cards of the last kind added: the rest of `size`."""
        for some, ways in counts.items():
            yield (*some, size - sum(some)), ways


def _together(kind: Kind, seats: Sequence[Seat]) -> Expression:
    return reduce(add, map(kind, seats))


@cache
def _worth_of(held: Cards) -> tuple[int, int]:
    """Return points and controls of some aces, kings, queens, jacks and other cards."""
    worth, tops = (sum(map(mul, held[:_HONOURS], function.weights)) for function in (HCP, CONTROLS))
    return worth, tops


def _zeros(sizes: tuple[int, ...]) -> NDArray[np.object_]:
    zeros = np.empty(sizes, object)
    zeros[...] = 0
    return zeros


def holders_of(model: Model) -> NDArray[np.object_]:
    """Return the number of deals of a model with each card at each seat: integers `[cards, seats]`.

    A child of a node assigns the card to a seat. The number of words through it is the number of
    ways from the first card to the node, times that from the child to the last card. Free seats
    share a letter, in proportion to their sizes.
    """
    sizes = [model.sizes[seat] for seat in model.free]
    arrangements = prod(comb(sum(sizes[place:]), size) for place, size in enumerate(sizes))
    found = _zeros((len(model.layers), len(model.sizes)))
    arrived = np.array([1], object)
    for card, layer in enumerate(model.layers):
        is_last = card + 1 == len(model.layers)
        onward = np.array([1], object) if is_last else _integers(model.layers[card + 1].ways)
        after = np.array([0] * len(onward), object)
        for letter, children in enumerate(layer.children.T):
            living = children != DEAD
            reached, words = children[living], arrived[living]
            np.add.at(after, reached, words)
            ways = int((words * onward[reached]).sum()) * arrangements
            if letter < len(model.seats):
                found[card, model.seats[letter]] += ways
            else:
                for seat, size in zip(model.free, sizes, strict=True):
                    found[card, seat] += ways * size // sum(sizes)
        arrived = after
    return found


def _integers(limbs: NDArray[np.uint64]) -> NDArray[np.object_]:
    high, low = (limbs[:, column].astype(object) for column in (0, 1))
    whole: NDArray[np.object_] = high * (1 << 64) + low
    return whole
