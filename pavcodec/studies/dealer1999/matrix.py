"""The matrix of excess space, which draws the patterns of hands.

Rule 1: A hand with a range of any length is *shaped*; only shaped hands get patterns.
Rule 2: The excess of a hand in a suit is the number of cards that it can still get there: the
minimum of the difference between its maximum and minimum length, its slots without a suit, and the
suit's slots without a hand.
Rule 3: The weight of a suit is its initial excess, or the user's weight. It does not change until
the excess is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pavcodec.cards import HAND_SIZE, SUIT_SIZE, Seat, Suit
from pavcodec.errors import PavError
from pavcodec.studies.dealer1999.limits import HandLimits

__all__ = ["Chance", "DealFailedError", "Matrix", "weighted"]

Chance = Callable[[int], int]
"""A function that draws a number from 0 to n - 1 for n."""


class DealFailedError(PavError):
    """The dealer of 1999 reached a dead end, which its method allows."""


def weighted(weights: Sequence[int], chance: Chance) -> int:
    """Draw an index in proportion to its weight; at least one weight must be above 0.

    >>> [weighted([8, 0, 36, 52], lambda total: number) for number in (7, 8, 43, 44, 95)]
    [0, 2, 2, 3, 3]
    """
    number = chance(sum(weights))
    for place, weight in enumerate(weights):
        if number < weight:
            return place
        number -= weight
    raise AssertionError("the number is below the sum of the weights")


class Matrix:
    """The slots of hands and suits, and the number of open ones.

    `lengths` are the slots of shaped hands by suit, at first their minimum lengths; `free` are the
    slots of a suit that no shaped hand has. Raise `PavError` if no deal is within the limits.

    >>> west = HandLimits(spades=(5, 6), hearts=(4, 4))
    >>> east = HandLimits(diamonds=(4, 13))
    >>> matrix = Matrix((HandLimits(), east, HandLimits(), west))
    >>> matrix.free, matrix.excess[3], matrix.excess[1], matrix.relative_probabilities(3)
    ([8, 9, 9, 13], [1, 0, 4, 4], [8, 9, 9, 9], [8, 0, 36, 52])
    """

    def __init__(self, hands: Sequence[HandLimits]) -> None:
        self.hands = hands
        self.shaped = [seat for seat in Seat if hands[seat].has_lengths]
        self.lengths = [[low for low, _ in hand.lengths] for hand in hands]
        self.soft = [HAND_SIZE - sum(lengths) for lengths in self.lengths]
        self.free = [SUIT_SIZE - sum(held) for held in zip(*self.lengths, strict=True)]
        self._refuse_too_much()
        self.excess = [
            [
                min(high - low, self.soft[seat], self.free[suit])
                for suit, (low, high) in enumerate(hands[seat].lengths)
            ]
            for seat in Seat
        ]
        self.weights = [
            [
                room if given is None else given
                for room, given in zip(self.excess[seat], hands[seat].weights, strict=True)
            ]
            for seat in Seat
        ]
        self._refuse_too_little()

    def _refuse_too_much(self) -> None:
        for seat in Seat:
            if self.soft[seat] < 0:
                least = HAND_SIZE - self.soft[seat]
                raise PavError(f"no deal has this: {seat.name.lower()} has {least} cards at least")
        for suit in Suit:
            if self.free[suit] < 0:
                least = SUIT_SIZE - self.free[suit]
                raise PavError(f"no deal has this: {least} {suit.name.lower()} at least")

    def _refuse_too_little(self) -> None:
        for seat in Seat:
            if sum(self.excess[seat]) < self.soft[seat]:
                most = HAND_SIZE - self.soft[seat] + sum(self.excess[seat])
                raise PavError(f"no deal has this: {seat.name.lower()} has {most} cards at most")
        for suit in Suit:
            room = sum(self.excess[seat][suit] for seat in Seat)
            if room < self.free[suit]:
                most = SUIT_SIZE - self.free[suit] + room
                raise PavError(f"no deal has this: {most} {suit.name.lower()} at most")

    def draw_patterns(self, chance: Chance) -> None:
        """Draw the pattern of each shaped hand, the hands in random order.

        Raise `DealFailedError` if no pattern is possible for a hand.
        """
        waiting = list(self.shaped)
        while waiting:
            seat = waiting.pop(chance(len(waiting)))
            others = [each for each in Seat if each in waiting or each not in self.shaped]
            self._take_what_is_forced(seat, others)
            while self.soft[seat]:
                chances = self.relative_probabilities(seat)
                if not any(chances):
                    raise DealFailedError(f"no suit has room for a card of {seat.name.lower()}")
                self.take(seat, weighted(chances, chance))

    def relative_probabilities(self, seat: int) -> list[int]:
        """Return by suit the weight times the available cards; 0 without excess."""
        return [
            weight * left if room else 0
            for weight, left, room in zip(
                self.weights[seat], self.free, self.excess[seat], strict=True
            )
        ]

    def _take_what_is_forced(self, seat: int, others: Sequence[int]) -> None:
        """Take the slots of each suit that exceed the room of the other hands."""
        for suit in Suit:
            forced = self.free[suit] - sum(self.excess[other][suit] for other in others)
            for _ in range(forced):
                if not self.excess[seat][suit]:
                    reason = f"{suit.name.lower()} are left over, and no hand has room for them"
                    raise DealFailedError(reason)
                self.take(seat, suit)

    def take(self, seat: int, suit: int) -> None:
        """Give a hand a slot in a suit."""
        self.lengths[seat][suit] += 1
        self.soft[seat] -= 1
        self.free[suit] -= 1
        self.excess[seat][suit] -= 1
        self.excess[seat] = [min(room, self.soft[seat]) for room in self.excess[seat]]
        for other in self.excess:
            other[suit] = min(other[suit], self.free[suit])
