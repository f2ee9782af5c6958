"""The dealer of 1999: Pavlicek's method of that year, for comparison with exact dealing.

A condition becomes limits of lengths and points, hand by hand. The dealer draws the patterns of the
limited hands by a matrix of excess space, then goals of points and honours until the goals are met,
then the other cards. Each step can fail, and not all deals are equally likely.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import index as as_integer
from typing import SupportsIndex

from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, UNUSED, Seat, Suit
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import expression
from pavcodec.constraints.functions import card_sum
from pavcodec.constraints.nodes.format import show
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    Choice,
    Comparison,
    InShapes,
    Length,
    Negate,
    Node,
    Not,
    Number,
    OfHand,
    Or,
    conjunction,
    distinct,
    parts_of,
)
from pavcodec.constraints.operators import Expression
from pavcodec.errors import PavError
from pavcodec.layout import Deal, Layout
from pavcodec.layout.hand import HCP
from pavcodec.sampling import Seed, Stream, check_many, check_slice, given_seed, seed_of
from pavcodec.shapes import SHAPES

# Convert a condition to limits: ranges of lengths and of high-card points, hand by hand.
#
# The method needs a conjunction of parts that each limit one length or the points of one hand.
# `evaluate` computes each part for each value, so a part has the same meaning as elsewhere.


Range = tuple[int, int]
"""The minimum and the maximum, both included."""

_SUITS = tuple(suit.name.lower() for suit in Suit)
_ANY: dict[str, Range] = dict.fromkeys(_SUITS, (0, SUIT_SIZE)) | {"hcp": (0, HCP.most(HAND_SIZE))}
"""The numbers of a hand that have limits, with their whole ranges."""
_HONOUR_RANKS = HCP.named_ranks
_HONOURS = [SUIT_SIZE * suit + rank for rank in range(_HONOUR_RANKS) for suit in Suit]
"""The honours, the highest ones first."""
_OPERATORS = (And, Arithmetic, Choice, Comparison, Negate, Not, Or)
_NEEDS = "the dealer of 1999 needs ranges of lengths and of hcp, each of one hand"


class NotLimitsError(PavError):
    """A condition is no conjunction of ranges of lengths and points, hand by hand."""


@dataclass(frozen=True)
class HandLimits:
    """The minimum and maximum of each length and of the points of a hand, and the user's weights.

    A weight, in the order S H D C, replaces the hand's excess in a suit (see `Dealing`); None keeps
    it. Raise `PavError` for invalid ranges or weights.

    >>> west = HandLimits(spades=(5, 6), hearts=(4, 4), hcp=(11, 15))
    >>> west.lengths, west.has_lengths, west.has_points
    (((5, 6), (4, 4), (0, 13), (0, 13)), True, True)
    """

    spades: Range = _ANY["spades"]
    hearts: Range = _ANY["hearts"]
    diamonds: Range = _ANY["diamonds"]
    clubs: Range = _ANY["clubs"]
    hcp: Range = _ANY["hcp"]
    weights: tuple[int | None, ...] = (None,) * len(Suit)

    def __post_init__(self) -> None:
        for name, (_, most) in _ANY.items():
            low, high = map(as_integer, getattr(self, name))
            if not 0 <= low <= high <= most:
                raise PavError(f"a range of {name} lies in 0 to {most}, not {low} to {high}")
        given = [weight for weight in self.weights if weight is not None]
        if len(self.weights) != len(Suit) or any(as_integer(weight) < 0 for weight in given):
            raise PavError(f"weights are four numbers from 0 on, or None, not {self.weights!r}")
        if given and not self.has_lengths:
            raise PavError("weights are for a hand with a range of some length; this one has none")

    @property
    def lengths(self) -> tuple[Range, ...]:
        """The ranges of the four lengths, S H D C."""
        return self.spades, self.hearts, self.diamonds, self.clubs

    @property
    def has_lengths(self) -> bool:
        """Whether a length is limited."""
        return any(getattr(self, suit) != _ANY[suit] for suit in _SUITS)

    @property
    def has_points(self) -> bool:
        """Whether the points are limited."""
        return self.hcp != _ANY["hcp"]


def limits_of(where: Expression | Node | str | int) -> tuple[HandLimits, ...]:
    """Return the limits of the four hands, N E S W, in a condition.

    Raise `NotLimitsError` if the condition contains anything else, and `PavError` if no hand is
    within the limits.

    >>> limits_of("15 <= hcp(south) && hcp(south) <= 17 && shape(north, 5xxx)")[2].hcp
    (15, 17)
    >>> limits_of("spades(west) != 5")
    Traceback (most recent call last):
    ...
    pavcodec.studies.dealer1999.NotLimitsError: 'spades(west) != 5' leaves a gap; \
the dealer of 1999 needs ranges of lengths and of hcp, each of one hand
    """
    hands = [HandLimits() for _ in Seat]
    for part in parts_of(expression(where).node):
        for seat, name, (low, high) in _limits_in(part):
            least, most = getattr(hands[seat], name)
            limits = max(least, low), min(most, high)
            if limits[0] > limits[1]:
                none_left = f"no number is left for {name}({seat.name.lower()})"
                raise PavError(f"no deal satisfies all of this: {none_left}")
            hands[seat] = replace(hands[seat], **{name: limits})
    return tuple(hands)


def condition_of(hands: tuple[HandLimits, ...]) -> Expression:
    """Return the condition that all hands are within their limits.

    >>> print(condition_of(limits_of("hcp(west) == 10 && hcp(north) < 8")))
    hcp(north) <= 7 && hcp(west) == 10
    """
    parts: list[Node] = []
    for seat, hand in zip(Seat, hands, strict=True):
        for name, (least, most) in _ANY.items():
            number, (low, high) = _number(seat, name), getattr(hand, name)
            if low == high:
                parts.append(Comparison("==", number, Number(low)))
                continue
            parts += [Comparison(">=", number, Number(low))] * (low > least)
            parts += [Comparison("<=", number, Number(high))] * (high < most)
    return Expression(conjunction(parts))


def _number(seat: Seat, name: str) -> Node:
    """Return the node of a number that has limits."""
    return Length(seat, Suit.of(name)) if name in _SUITS else card_sum(seat, None, HCP.weights)


def _limits_in(part: Node) -> Iterator[tuple[Seat, str, Range]]:
    """Yield seat, name and range of each limit in a part."""
    if isinstance(part, InShapes):
        ranges = [(min(lengths), max(lengths)) for lengths in zip(*part.shapes, strict=True)]
        inside = {
            shape
            for shape in SHAPES
            if all(low <= n <= high for n, (low, high) in zip(shape, ranges, strict=False))
        }
        if not ranges or inside != part.shapes:
            raise _refusal(part, "is no range of each length")
        yield from ((part.seat, name, limits) for name, limits in zip(_SUITS, ranges, strict=True))
        return
    leaves = _leaves(part)
    if not leaves:
        if not evaluate(part, Layout(bytes([UNUSED]) * DECK_SIZE)):
            raise PavError(f"no deal satisfies {show(part)}")
        return
    leaf, *more = leaves
    if more:
        raise _refusal(part, "combines several numbers")
    seat = leaf.seat if isinstance(leaf, OfHand) else Seat.NORTH
    name = next((name for name in _ANY if leaf == _number(seat, name)), None)
    if name is None:
        raise _refusal(part, "is no limit of a length or of hcp")
    yield seat, name, _range_of(part, seat, name)


def _refusal(part: Node, reason: str) -> NotLimitsError:
    return NotLimitsError(f"{show(part)} {reason}; {_NEEDS}")


def _leaves(node: Node) -> list[Node]:
    """Return the functions in a node, each once, without constant numbers."""
    nodes = distinct(node, stop=lambda part: not isinstance(part, _OPERATORS))
    return [part for part in nodes if not isinstance(part, (*_OPERATORS, Number))]


def _range_of(part: Node, seat: Seat, name: str) -> Range:
    """Return the values of a number for which a part holds; raise if they are no range."""
    values = range(_ANY[name][1] + 1)
    held = [value for value in values if evaluate(part, _layout_with(seat, name, value))]
    if not held:
        raise PavError(f"no deal satisfies {show(part)}")
    if held != list(range(held[0], held[-1] + 1)):
        raise _refusal(part, "leaves a gap")
    return held[0], held[-1]


def _layout_with(seat: Seat, name: str, value: int) -> Layout:
    """Return a layout in which a number of a hand has a value, and no other hand has cards.

    A sum of points is one of honours, the highest possible first.
    """
    owners = bytearray([UNUSED]) * DECK_SIZE
    if name in _SUITS:
        first = SUIT_SIZE * _SUITS.index(name)
        owners[first : first + value] = bytes([seat]) * value
        return Layout(bytes(owners))
    for card in _HONOURS:
        if HCP.weights[card % SUIT_SIZE] <= value:
            value -= HCP.weights[card % SUIT_SIZE]
            owners[card] = seat
    return Layout(bytes(owners))


# The goals of high-card points of the hands.
#
# Rule 1: A hand with a range of points is *pointed*; only pointed hands have goals and draw
# honours. Rule 2: A goal is drawn by a table of expectancies. Rule 3: Every loop has a limit; to
# reach it is a failure.


Chance = Callable[[int], int]
"""A function that draws a number from 0 to n - 1 for n."""

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


class DealFailedError(PavError):
    """The dealer of 1999 reached a dead end, which its method allows."""


def weighted(weights: Sequence[int], chance: Chance) -> int:
    """Draw an index in proportion to its weight; at least one weight must be above 0.

    >>> [weighted([8, 0, 36, 52], lambda total: number) for number in (7, 8, 43, 44, 95)]
    [0, 2, 2, 3, 3]
    """
    ends = list(accumulate(weights))
    return bisect_right(ends, chance(ends[-1]))


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


# A deal while it is dealt: the patterns of hands, then their honours, then the other cards.
#
# Rule 1: A hand with a range of any length is *shaped*; only shaped hands get patterns. Rule 2: The
# excess of a hand in a suit is the number of cards that it can still get there: the minimum of the
# difference between its maximum and minimum length, its slots without a suit, and the suit's slots
# without a hand. Rule 3: The weight of a suit is its initial excess, or the user's weight. It does
# not change until the excess is 0. Rule 4: All honours are drawn at random, and a hand returns
# honours at random. Rule 5: A pointed hand gets no honours but those of its goal.


class Dealing:
    """The slots and the cards of hands and suits, and the number of open slots.

    `lengths` are the slots of shaped hands by suit, at first their minimum lengths; `free` are the
    slots of a suit that no shaped hand has. `held` are the cards of each hand in the order of their
    draws; `honours` and `spots` are the other cards of each suit. Raise `PavError` if no deal is
    within the limits.

    >>> west = HandLimits(spades=(5, 6), hearts=(4, 4))
    >>> east = HandLimits(diamonds=(4, 13))
    >>> dealing = Dealing((HandLimits(), east, HandLimits(), west))
    >>> dealing.free, dealing.excess[3], dealing.excess[1], dealing.chances_of_slots(3)
    ([8, 9, 9, 13], [1, 0, 4, 4], [8, 9, 9, 9], [8, 0, 36, 52])
    """

    def __init__(self, hands: Sequence[HandLimits]) -> None:
        self.hands = hands
        self.shaped = [seat for seat in Seat if hands[seat].has_lengths]
        self.lengths = [[low for low, _ in hand.lengths] for hand in hands]
        self.soft = [HAND_SIZE - sum(lengths) for lengths in self.lengths]
        self.free = [SUIT_SIZE - sum(held) for held in zip(*self.lengths, strict=True)]
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
        self.held: list[list[int]] = [[] for _ in Seat]
        suits = [list(range(SUIT_SIZE * suit, SUIT_SIZE * (suit + 1))) for suit in Suit]
        self.honours = [cards[:_HONOUR_RANKS] for cards in suits]
        self.spots = [cards[_HONOUR_RANKS:] for cards in suits]
        self._refuse()

    def _refuse(self) -> None:
        """Raise `PavError` if a hand or a suit has too many cards at least, or too few at most."""
        hands = [
            (f"{seat.name.lower()} has {{}} cards", HAND_SIZE, self.soft[seat], sum(row))
            for seat, row in zip(Seat, self.excess, strict=True)
        ]
        suits = [
            (f"{{}} {suit}", SUIT_SIZE, free, sum(excess))
            for suit, free, excess in zip(
                _SUITS, self.free, zip(*self.excess, strict=True), strict=True
            )
        ]
        for what, size, missing, _ in (*hands, *suits):
            if missing < 0:
                raise PavError(f"no deal has this: {what.format(size - missing)} at least")
        for what, size, missing, room in (*hands, *suits):
            if room < missing:
                raise PavError(f"no deal has this: {what.format(size - missing + room)} at most")

    def draw_patterns(self, chance: Chance) -> None:
        """Draw the pattern of each shaped hand, the hands in random order.

        Raise `DealFailedError` if no pattern is possible for a hand.
        """
        waiting = list(self.shaped)
        while waiting:
            seat = waiting.pop(chance(len(waiting)))
            others = [other for other in Seat if other in waiting or other not in self.shaped]
            self.take_what_is_forced(seat, others)
            while self.soft[seat]:
                chances = self.chances_of_slots(seat)
                if not any(chances):
                    raise DealFailedError(f"no suit has room for a card of {seat.name.lower()}")
                self.take_slot(seat, weighted(chances, chance))

    def chances_of_slots(self, seat: int) -> list[int]:
        """Return by suit the weight times the available cards; 0 without excess."""
        suits = zip(self.weights[seat], self.free, self.excess[seat], strict=True)
        return [weight * left if room else 0 for weight, left, room in suits]

    def take_what_is_forced(self, seat: int, others: Sequence[int]) -> None:
        """Take the slots of each suit that exceed the room of the other hands."""
        for suit in Suit:
            forced = self.free[suit] - sum(self.excess[other][suit] for other in others)
            for _ in range(forced):
                if not self.excess[seat][suit]:
                    reason = f"{suit.name.lower()} are left over, and no hand has room for them"
                    raise DealFailedError(reason)
                self.take_slot(seat, suit)

    def take_slot(self, seat: int, suit: int) -> None:
        """Give a hand a slot in a suit."""
        self.lengths[seat][suit] += 1
        self.soft[seat] -= 1
        self.free[suit] -= 1
        self.excess[seat][suit] -= 1
        self.excess[seat] = [min(room, self.soft[seat]) for room in self.excess[seat]]
        for other in self.excess:
            other[suit] = min(other[suit], self.free[suit])

    def draw_honours(self, goals: Mapping[Seat, int], chance: Chance) -> None:
        """Draw in cycles until all goals are met; raise `DealFailedError` after `CYCLES` cycles."""
        for _ in range(CYCLES):
            for seat, goal in goals.items():
                self._draw_towards(seat, goal, chance)
            if all(self._points(seat) == goal for seat, goal in goals.items()):
                return
            for seat in goals:
                for _ in range(min(RETURNED, len(self.held[seat]))):
                    self._return(seat, chance(len(self.held[seat])))
        raise DealFailedError(f"the goals of points were not met in {CYCLES} cycles")

    def _draw_towards(self, seat: int, goal: int, chance: Chance) -> None:
        """Draw honours for a hand until its goal is met, or until it may draw no more."""
        for _ in range(DRAWS):
            chances = self.chances_of_honours(seat)
            if self._points(seat) == goal or not any(chances):
                return
            suit = weighted(chances, chance)
            self.take(seat, self.honours[suit][chance(len(self.honours[suit]))])
            while self._points(seat) > goal:  # the new card is returned only if it is alone
                self._return(seat, chance(max(1, len(self.held[seat]) - 1)))

    def _points(self, seat: int) -> int:
        return sum(HCP.weights[card % SUIT_SIZE] for card in self.held[seat])

    def chances_of_honours(self, seat: int) -> list[int]:
        """Return by suit the open slots times the honours left, or only the honours left."""
        left = list(map(len, self.honours))
        if seat in self.shaped:
            held = [card // SUIT_SIZE for card in self.held[seat]]
            return [(self.lengths[seat][suit] - held.count(suit)) * left[suit] for suit in Suit]
        has_room = len(self.held[seat]) < HAND_SIZE
        return [left[suit] if has_room and self.free[suit] else 0 for suit in Suit]

    def take(self, seat: int, card: int) -> None:
        """Give a hand a card."""
        suit, rank = divmod(card, SUIT_SIZE)
        (self.honours if rank < _HONOUR_RANKS else self.spots)[suit].remove(card)
        self.held[seat].append(card)
        self.free[suit] -= seat not in self.shaped

    def _return(self, seat: int, index: int) -> None:
        """Return an honour of a hand to those that are left."""
        card = self.held[seat].pop(index)
        suit = card // SUIT_SIZE
        insort(self.honours[suit], card)
        self.free[suit] += seat not in self.shaped

    def fill(self, chance: Chance) -> bytes:
        """Draw the other cards, and return the owners of the deal.

        Hands with points come first, then those with lengths; the last hand gets what is left.
        """
        *hands, last = sorted(
            Seat,
            key=lambda seat: (not self.hands[seat].has_points, not self.hands[seat].has_lengths),
        )
        for seat in hands:
            if seat not in self.shaped:
                while len(self.held[seat]) < HAND_SIZE:
                    self._draw_card(seat, [suit for suit in Suit if self.free[suit]], chance)
                continue
            held = [card // SUIT_SIZE for card in self.held[seat]]
            for suit, length in enumerate(self.lengths[seat]):
                for _ in range(length - held.count(suit)):
                    self._draw_card(seat, [suit], chance)
        if self.hands[last].has_points and any(self.honours):
            raise DealFailedError(f"honours are left over, and {last.name.lower()} has its points")
        owners = bytearray([last]) * DECK_SIZE
        for hand in hands:
            for card in self.held[hand]:
                owners[card] = hand
        return bytes(owners)

    def _draw_card(self, seat: Seat, suits: Sequence[int], chance: Chance) -> None:
        """Give a hand a random card of some suits; a hand with limited points gets no honours."""
        cards: list[int] = []
        for suit in suits:
            cards += self.honours[suit] * (not self.hands[seat].has_points) + self.spots[suit]
        if not cards:
            raise DealFailedError(f"there are no cards left to fill {seat.name.lower()}")
        self.take(seat, cards[chance(len(cards))])


# The dealer of 1999.


LANE = 2
"""The lane of the random stream that the dealer uses."""


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
        Dealing(self.hands)
        goal_ranges(self.hands)

    @property
    def where(self) -> Expression:
        """The condition of the limits."""
        return condition_of(self.hands)

    def sample(
        self, count: SupportsIndex, *, seed: Seed | None = None, start: SupportsIndex = 0
    ) -> list[Deal]:
        """Return samples `start` to `start + count - 1`; raise `DealFailedError` if one fails.

        After a failure no deal is returned, as in 1999.
        """
        return list(self.samples(check_many(count), seed=seed, start=start))

    def samples(
        self, count: SupportsIndex, *, seed: Seed | None = None, start: SupportsIndex = 0
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
        dealing = Dealing(self.hands)
        try:
            dealing.draw_patterns(chance)
            dealing.draw_honours(draw_goals(goal_ranges(self.hands), chance), chance)
            return Deal(dealing.fill(chance))
        except DealFailedError as error:
            reason = f"the dealer of 1999 failed at sample {sample}: {error}"
            raise DealFailedError(reason) from None


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
