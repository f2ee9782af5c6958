"""A counter of partition walks that only tests need."""

from __future__ import annotations

from dataclasses import dataclass

from pavcodec.kernel.reference.walk import State


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
