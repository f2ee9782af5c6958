"""Draw goals of high-card points, and then honours until all goals are met.

Rule 1: A hand with a range of points is *pointed*; only pointed hands have goals and draw honours.
Rule 2: All honours are drawn at random, and a hand returns honours at random.
Rule 3: Every loop has a limit; to reach it is a failure.
"""

from __future__ import annotations

from collections.abc import Sequence

from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, Seat, Suit
from pavcodec.errors import PavError
from pavcodec.layout.hand_functions import HCP
from pavcodec.studies.dealer1999.limits import HandLimits, Range
from pavcodec.studies.dealer1999.matrix import Chance, DealFailedError, Matrix, weighted

__all__ = [
    "CYCLES",
    "DRAWS",
    "EXPECTANCIES",
    "REDRAWS",
    "RETURNED",
    "Honours",
    "draw_goals",
    "goal_ranges",
]

EXPECTANCIES = (
    *(3639, 7884, 13561, 24624, 38454, 51862, 65541, 80281, 88922, 93562, 94051),
    *(89447, 80269, 69143, 56933, 44237, 33109, 23617, 16051, 10362, 6435, 3779),
    *(2100, 1119, 559, 264, 117, 49, 19, 7, 2),
)
"""The number of hands in a million with 0 to 30 points (Telfer, 1963); 31 to 37 together have 1."""

DRAWS = 20
"""The maximum number of honours that a hand draws in a cycle."""
RETURNED = 3
"""The number of honours that each hand returns after a failed cycle."""
CYCLES = 1000
"""The maximum number of cycles."""
REDRAWS = 1000
"""The maximum number of draws of goals."""

_ALL_POINTS = HCP.most(DECK_SIZE)
_HUGE = len(EXPECTANCIES)
_RANKS = HCP.named_ranks


def goal_ranges(hands: Sequence[HandLimits]) -> dict[Seat, Range]:
    """Return the range of points of each pointed hand, limited by the minimums of the others.

    Raise `PavError` if no deal has such points.

    >>> limits = (HandLimits(hcp=(15, 37)), HandLimits(), HandLimits(hcp=(12, 14)), HandLimits())
    >>> goal_ranges(limits)
    {<Seat.NORTH: 0>: (15, 28), <Seat.SOUTH: 2>: (12, 14)}
    """
    given = {seat: hands[seat].hcp for seat in Seat if hands[seat].has_points}
    least = sum(low for low, _ in given.values())
    if least > _ALL_POINTS:
        raise PavError(f"no deal has this: {least} hcp at least, and there are {_ALL_POINTS}")
    most = sum(high for _, high in given.values())
    if len(given) == len(Seat) and most < _ALL_POINTS:
        raise PavError(f"no deal has this: {most} hcp at most, and there are {_ALL_POINTS}")
    return {
        seat: (low, min(high, _ALL_POINTS - least + low)) for seat, (low, high) in given.items()
    }


def draw_goals(ranges: dict[Seat, Range], chance: Chance) -> dict[Seat, int]:
    """Draw exact points for each range, again while their sum is impossible.

    >>> draw_goals({Seat.SOUTH: (15, 17)}, lambda total: 44237)
    {<Seat.SOUTH: 2>: 16}
    """
    for _ in range(REDRAWS):
        goals = {seat: _goal(*points, chance) for seat, points in ranges.items()}
        together = sum(goals.values())
        if together == _ALL_POINTS or (together < _ALL_POINTS and len(goals) < len(Seat)):
            return goals
    raise DealFailedError(f"{REDRAWS} draws of goals had no possible sum of points")


def _goal(low: int, high: int, chance: Chance) -> int:
    """Draw the points of a range by the table; above 30, each is 4 times as likely as the next."""
    weights = list(EXPECTANCIES[low : high + 1]) + [1] * (high >= _HUGE)
    goal = low + weighted(weights, chance)
    if goal < _HUGE:
        return goal
    low = max(low, _HUGE)
    return low + weighted([4 ** (high - points) for points in range(low, high + 1)], chance)


class Honours:
    """The sixteen honours while pointed hands draw them until they meet their goals.

    `held` are the honours of each seat as cards of the deck, in the order of their draws; `left`
    are the remaining honours of each suit.
    """

    def __init__(self, matrix: Matrix, goals: dict[Seat, int]) -> None:
        self.matrix = matrix
        self.goals = goals
        self.held: dict[int, list[int]] = {seat: [] for seat in goals}
        self.left = [list(range(suit * SUIT_SIZE, suit * SUIT_SIZE + _RANKS)) for suit in Suit]

    def meet_goals(self, chance: Chance) -> None:
        """Draw in cycles until all goals are met; raise `DealFailedError` after `CYCLES` cycles."""
        for _ in range(CYCLES):
            for seat in self.goals:
                self._try(seat, chance)
            if all(self._points(seat) == goal for seat, goal in self.goals.items()):
                return
            for seat in self.goals:
                for _ in range(min(RETURNED, len(self.held[seat]))):
                    self._return(seat, chance)
        raise DealFailedError(f"the goals of points were not met in {CYCLES} cycles")

    def _try(self, seat: int, chance: Chance) -> None:
        """Draw honours for a hand until its goal is met, or until it may draw no more."""
        goal, draws = self.goals[Seat(seat)], 0
        while self._points(seat) < goal and draws < DRAWS:
            chances = self._relative_probabilities(seat)
            if not any(chances):
                return
            suit = weighted(chances, chance)
            self._take(seat, suit, chance(len(self.left[suit])))
            draws += 1
            while self._points(seat) > goal:
                self._return(seat, chance, keep=1 if len(self.held[seat]) > 1 else 0)

    def _points(self, seat: int) -> int:
        return sum(HCP.weights[card % SUIT_SIZE] for card in self.held[seat])

    def _relative_probabilities(self, seat: int) -> list[int]:
        """Return the weights of the suits: open slots times honours left, or only honours left."""
        honours = [len(left) for left in self.left]
        if seat not in self.matrix.shaped:
            has_room = len(self.held[seat]) < HAND_SIZE
            return [
                left if has_room and slots else 0
                for left, slots in zip(honours, self.matrix.free, strict=True)
            ]
        held = [sum(card // SUIT_SIZE == suit for card in self.held[seat]) for suit in Suit]
        lengths = self.matrix.lengths[seat]
        return [(n - m) * left for n, m, left in zip(lengths, held, honours, strict=True)]

    def _take(self, seat: int, suit: int, place: int) -> None:
        self.held[seat].append(self.left[suit].pop(place))
        if seat not in self.matrix.shaped:
            self.matrix.free[suit] -= 1

    def _return(self, seat: int, chance: Chance, *, keep: int = 0) -> None:
        """Return a random honour of a hand to `left`, except for the last `keep` ones."""
        held = self.held[seat]
        card = held.pop(chance(len(held) - keep))
        suit = card // SUIT_SIZE
        self.left[suit] = sorted([*self.left[suit], card])
        if seat not in self.matrix.shaped:
            self.matrix.free[suit] += 1
