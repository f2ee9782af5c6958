"""The counter of legal endings: how the partition walk counts them.

The number of completions of a partly placed deck depends on few values: how many cards of the
current suit are gone, how many cards each seat still gets, whether it holds the current suit, and
how many tricks the play must have led in this suit and the later suits. It does not depend on
which seat has which of these values. So states that differ only in that are *folded* into one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pavcodec.walk.counters import FixedSizes, State

__all__ = ["LegalHands"]


@dataclass(frozen=True, slots=True)
class LegalHands:
    """Count legal endings with `each` cards in every hand; the last owner has the cards played.

    A state is (cards left, cards of this suit gone, tricks that must still have been led), and for
    each seat twice the number of cards that it still gets, plus one if it holds this suit.

    >>> hands = LegalHands(seats=2, suits=2, ranks=4, each=3)
    >>> hands.completions(hands.start), 8 * 7 * 20 // 2
    (272, 560)
    """

    seats: int
    suits: int
    ranks: int
    each: int
    _known: dict[State, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def cards(self) -> int:
        return self.suits * self.ranks

    @property
    def owners(self) -> int:
        return self.seats + 1

    @property
    def start(self) -> State:
        tricks = self.cards // self.seats - self.each
        return (self.cards, 0, tricks, *[2 * self.each] * self.seats)

    def place(self, state: State, owner: int) -> State | None:
        left, gone, need, *seats = state
        if owner == self.seats:
            if left <= sum(seat >> 1 for seat in seats):
                return None
            gone += 1
        elif seats[owner] < 2:
            return None
        else:
            seats[owner] = seats[owner] - 2 | 1
        left -= 1
        if left % self.ranks == 0:
            holders = sum(seat & 1 for seat in seats)
            need = max(0, need - gone // max(1, holders))
            gone = 0
            seats = [seat & ~1 for seat in seats]
        return (left, gone, need, *seats)

    def completions(self, state: State) -> int:
        left, gone, need, *seats = state
        if not need:
            rooms = [seat >> 1 for seat in seats]
            sizes = (*rooms, left - sum(rooms))
            return FixedSizes(sizes).completions(sizes)
        if gone + left < need:
            return 0
        key = (left, gone, need, *sorted(seats))
        ways = self._known.get(key)
        if ways is None:
            after = (self.place(key, owner) for owner in range(self.owners))
            ways = self._known[key] = sum(self.completions(each) for each in after if each)
        return ways

    def capacities(self, state: State) -> State:
        return ()

    def cumulative_counts(self, state: State, completions: int) -> list[int]:
        ends, total = [], 0
        for owner in range(self.owners):
            after = self.place(state, owner)
            total += self.completions(after) if after else 0
            ends.append(total)
        return ends

    def __reduce__(self) -> tuple[object, tuple[int, int, int, int]]:
        return LegalHands, (self.seats, self.suits, self.ranks, self.each)
