"""The base classes of the actions of a run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TextIO, TypeVar

from pavcodec.boards import Vulnerability
from pavcodec.cards import Seat
from pavcodec.constraints.evaluation import Evaluation
from pavcodec.constraints.language.actions import Action, expressions_of

if TYPE_CHECKING:
    from pavcodec.constraints.arrays.operators import Values


@dataclass(frozen=True)
class Run:
    """The values that all actions of a run share: outputs, and the numbers and names of boards."""

    out: TextIO
    rows: TextIO
    exported: TextIO
    dealer: Seat | None
    vulnerable: Vulnerability | None
    first_number: int
    event: str
    date: str


class Dealt:
    """A deal with its number and its values; its hands are written once for all actions."""

    def __init__(self, number: int, drawn: Evaluation) -> None:
        self.number = number
        self.drawn = drawn

    @cached_property
    def hands(self) -> list[str]:
        """The hands of N, E, S and W as suits between dots; a void is empty."""
        return self.drawn.deal.to_pbn()[2:].split(" ")


A = TypeVar("A", bound=Action)


class Job(Generic[A]):
    """An action of a run: it processes each deal, and then finishes."""

    def __init__(self, run: Run, action: A) -> None:
        self.run = run
        self.action = action
        self.write = run.out.write

    def see(self, dealt: Dealt) -> None:
        """Take in a deal."""

    def finish(self) -> None:
        """Print the results that need all deals."""


class Tally(Job[A], ABC):
    """An action that only sums the values of its expressions, in any order."""

    def __init__(self, run: Run, action: A) -> None:
        super().__init__(run, action)
        self.nodes = expressions_of(action)

    def see(self, dealt: Dealt) -> None:
        """Take in a deal."""
        self.add([dealt.drawn.value(node) for node in self.nodes])

    @abstractmethod
    def add(self, values: Sequence[int]) -> None:
        """Add the values of the expressions for a deal: this is the definition of `add_many`."""

    @abstractmethod
    def add_many(self, columns: Sequence[Values]) -> None:
        """Add a column of values, `int64[n]`, for each of the expressions."""
