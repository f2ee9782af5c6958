"""Counters of partition walks that only tests need."""

from __future__ import annotations

from dataclasses import dataclass, field

from pavcodec.kernel.reference.walk import State, multinomial


@dataclass(frozen=True, slots=True)
class AnyOwner:
    """Count the words in which any owner may get each card: a power."""

    cards: int
    owners: int

    @property
    def start(self) -> State:
        return (self.cards,)

    def place(self, state: State, owner: int) -> State | None:
        return (state[0] - 1,) if state[0] else None

    def completions(self, state: State) -> int:
        ways: int = self.owners ** state[0]
        return ways


@dataclass(frozen=True, slots=True)
class LegalHands:
    """Count legal endings with `each` cards in every hand; the last owner has the cards played.

    A state is (cards left, cards of this suit gone, tricks that must still have been led), and for
    each seat twice the number of cards that it still gets, plus one if it holds this suit. The
    number of completions does not depend on which seat has which of these values, so states that
    differ only in that are *folded* into one.
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
            return int(multinomial((*rooms, left - sum(rooms))))
        if gone + left < need:
            return 0
        key = (left, gone, need, *sorted(seats))
        ways = self._known.get(key)
        if ways is None:
            after = (self.place(key, owner) for owner in range(self.owners))
            ways = self._known[key] = sum(self.completions(each) for each in after if each)
        return ways

    def __reduce__(self) -> tuple[object, tuple[int, int, int, int]]:
        return LegalHands, (self.seats, self.suits, self.ranks, self.each)
