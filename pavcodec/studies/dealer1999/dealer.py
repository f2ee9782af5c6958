"""The dealer of 1999: it draws the patterns first, then the honours, then the other cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import index as as_integer
from typing import SupportsIndex

from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, UNUSED, Seat, Suit
from pavcodec.constraints.expressions import Expression
from pavcodec.constraints.nodes.syntax import Node
from pavcodec.errors import PavError
from pavcodec.layout import Deal
from pavcodec.sampling import Seed, Stream, check_many, check_slice, given_seed, seed_of
from pavcodec.studies.dealer1999.honours import Honours, draw_goals, goal_ranges
from pavcodec.studies.dealer1999.limits import HandLimits, condition_of, limits_of
from pavcodec.studies.dealer1999.matrix import Chance, DealFailedError, Matrix

__all__ = ["Dealer1999", "deals_as_in_1999"]

LANE = 2
"""The lane of the random stream that the dealer uses."""

_RANKS = 4


@dataclass(frozen=True)
class Dealer1999:
    """Deals by Pavlicek's method of 1999, which is fast but biased; for comparison only.

    `hands` are the limits of North, East, South and West. All deals are within them, but they are
    not equally likely. Raise `PavError` if no deal is within the limits.

    >>> dealer = deals_as_in_1999("spades(west) >= 5 && hearts(west) == 4 && hcp(west) >= 11")
    >>> deal = dealer.sample(1, seed=7)[0]
    >>> print(deal)
    N:KJ94.AKT.976.J92 A.73.QJ85432.AT7 752.8654.T.K8643 QT863.QJ92.AK.Q5
    """

    hands: tuple[HandLimits, ...]

    def __post_init__(self) -> None:
        if len(self.hands) != len(Seat):
            raise PavError(f"there are limits for {len(Seat)} hands, not {len(self.hands)}")
        Matrix(self.hands)
        goal_ranges(self.hands)

    @property
    def where(self) -> Expression:
        """The condition of the limits."""
        return condition_of(self.hands)

    def sample(
        self,
        count: SupportsIndex,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
    ) -> list[Deal]:
        """Return samples `start` to `start + count - 1`; raise `DealFailedError` if one fails.

        After a failure no deal is returned, as in 1999.
        """
        return list(self.samples(check_many(count), seed=seed, start=start))

    def samples(
        self,
        count: SupportsIndex,
        *,
        seed: Seed | None = None,
        start: SupportsIndex = 0,
    ) -> Iterator[Deal]:
        """Return an iterator over the same deals, which deals each one on demand."""
        begin, many, _ = check_slice(start, count, 1)
        number = given_seed(seed)
        return (self.deal(k, seed=number) for k in range(begin, begin + many))

    def deal(self, k: SupportsIndex, *, seed: Seed) -> Deal:
        """Return sample k of a seed; raise `DealFailedError` if the method fails.

        >>> dealer = deals_as_in_1999("spades(west) == 6 && hcp(west) == 25")
        >>> dealer.deal(3, seed=7)["W"].hcp
        25
        """
        sample = as_integer(k)
        chance = Stream(seed_of(seed)).chance(sample, lane=LANE)
        try:
            return Deal(bytes(self._owners(chance)))
        except DealFailedError as error:
            reason = f"the dealer of 1999 failed at sample {sample}: {error}"
            raise DealFailedError(reason) from None

    def _owners(self, chance: Chance) -> bytearray:
        matrix = Matrix(self.hands)
        matrix.draw_patterns(chance)
        honours = Honours(matrix, draw_goals(goal_ranges(self.hands), chance))
        honours.meet_goals(chance)
        owners = bytearray([UNUSED]) * DECK_SIZE
        for seat, cards in honours.held.items():
            for card in cards:
                owners[card] = seat
        *hands, last = sorted(Seat, key=self._order)
        for seat in hands:
            _fill(owners, seat, matrix, self.hands[seat], chance)
        return self._with_last(owners, last)

    def _order(self, seat: Seat) -> tuple[bool, bool]:
        """Return the sort key of a hand: hands with points first, and then those with lengths."""
        hand = self.hands[seat]
        return not hand.has_points, not hand.has_lengths

    def _with_last(self, owners: bytearray, last: Seat) -> bytearray:
        """Give the remaining cards to the last hand."""
        left = [card for card, owner in enumerate(owners) if owner == UNUSED]
        if self.hands[last].has_points and any(card % SUIT_SIZE < _RANKS for card in left):
            raise DealFailedError(f"honours are left over, and {last.name.lower()} has its points")
        for card in left:
            owners[card] = last
        return owners


def _fill(
    owners: bytearray, seat: Seat, matrix: Matrix, limits: HandLimits, chance: Chance
) -> None:
    """Draw the other cards of a hand; a hand with limited points gets no more honours."""
    first = _RANKS if limits.has_points else 0
    if not limits.has_lengths:
        while owners.count(seat) < HAND_SIZE:
            suits = [suit for suit in Suit if matrix.free[suit]]
            card = _draw_card(owners, seat, suits, first, chance)
            matrix.free[card // SUIT_SIZE] -= 1
        return
    for suit in Suit:
        cards = slice(suit * SUIT_SIZE, (suit + 1) * SUIT_SIZE)
        while owners[cards].count(seat) < matrix.lengths[seat][suit]:
            _draw_card(owners, seat, [suit], first, chance)


def _draw_card(
    owners: bytearray, seat: Seat, suits: Sequence[int], first: int, chance: Chance
) -> int:
    """Give a hand a random card of some suits, of rank `first` or lower; return the card."""
    left = [
        card
        for suit in suits
        for card in range(suit * SUIT_SIZE + first, (suit + 1) * SUIT_SIZE)
        if owners[card] == UNUSED
    ]
    if not left:
        raise DealFailedError(f"there are no cards left to fill {seat.name.lower()}")
    card = left[chance(len(left))]
    owners[card] = seat
    return card


def deals_as_in_1999(
    where: Expression | Node | str | int,
    *,
    weights: Mapping[Seat | str, Sequence[int | None]] | None = None,
) -> Dealer1999:
    """Return the dealer of 1999 for a condition that limits lengths and points, hand by hand.

    `weights` maps a seat to four weights, S H D C; each is a number that replaces the excess of
    that suit, or None. Raise `NotLimitsError` for any other condition, and `PavError` if no deal is
    within the limits.

    >>> dealer = deals_as_in_1999("diamonds(west) >= 4", weights={"W": (None, None, 1, None)})
    >>> dealer.hands[3].weights
    (None, None, 1, None)
    """
    hands = list(limits_of(where))
    if weights is not None and not isinstance(weights, Mapping):
        raise TypeError(f"weights are four numbers by seat, not {type(weights).__name__!r}")
    for name, given in (weights or {}).items():
        seat = Seat.of(name)
        hands[seat] = replace(hands[seat], weights=tuple(given))
    return Dealer1999(tuple(hands))
