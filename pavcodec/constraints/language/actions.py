"""The actions of a script: they print deals, and compute averages and frequencies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pavcodec.cards import Seat
from pavcodec.constraints.nodes.syntax import Node, Score, Tricks

Term = Node | str | tuple[Seat, ...] | tuple[Tricks, ...]
"""A column of a report: a number, a text, hands of some seats, or tricks of some declarers."""


class Action:
    """An action that a script does for every deal."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PrintAll(Action):
    """Print the four hands side by side."""


@dataclass(frozen=True, slots=True)
class PrintSide(Action):
    """Print the two hands of a partnership side by side: South and North, or West and East."""

    left: Seat
    right: Seat


@dataclass(frozen=True, slots=True)
class PrintHands(Action):
    """At the end, print the hands of each seat in `seats`, four deals side by side."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class PrintPbn(Action):
    """Print a board in PBN."""


@dataclass(frozen=True, slots=True)
class PrintCompact(Action):
    """Print one hand in each line, and then a number if there is an expression."""

    expression: Node | None


@dataclass(frozen=True, slots=True)
class PrintOneLine(Action):
    """Print the four hands in one line, and then a number if there is an expression."""

    expression: Node | None


@dataclass(frozen=True, slots=True)
class PrintText(Action):
    r"""Print texts and numbers one after another; a line break is the text `"\n"`."""

    parts: tuple[Node | str, ...]


@dataclass(frozen=True, slots=True)
class PrintReport(Action):
    """Print a row of a report; if `is_file`, the rows are written to a separate file."""

    terms: tuple[Term, ...]
    is_file: bool


@dataclass(frozen=True, slots=True)
class Export(Action):
    """Print the hands of some seats in the notation of `predeal`, as rows of a file."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Average(Action):
    """At the end, print the average of an expression."""

    label: str | None
    expression: Node


@dataclass(frozen=True, slots=True)
class Counted:
    """An expression whose values from `low` to `high` are counted in buckets of `size` values.

    The last bucket contains `high`. All values below `low` are counted together, and so are all
    values above the last bucket.
    """

    expression: Node
    low: int
    high: int
    size: int = 1

    @property
    def buckets(self) -> int:
        """The number of buckets from low to high."""
        return 1 + (self.high - self.low) // self.size


@dataclass(frozen=True, slots=True)
class Frequency(Action):
    """At the end, print the frequency of each value of an expression, or of each pair of values.

    `has_buckets` is true for `bktfreq`, which prints the table in another layout.
    """

    label: str | None
    rows: Counted
    columns: Counted | None
    has_buckets: bool = False


@dataclass(frozen=True, slots=True)
class EvalContract(Action):
    """At the end, print the results of a contract, and the games and slams that it missed.

    South is the declarer for the side NS, West for EW.
    """

    side: str
    contract: Score


def expressions_of(action: Action) -> tuple[Node, ...]:
    """Return the expressions that an action evaluates for each deal, in order.

    >>> from pavcodec.constraints.nodes.syntax import Number
    >>> expressions_of(PrintText((Number(1), "points")))
    (Number(value=1),)
    """
    evaluated: Sequence[object] = ()
    match action:
        case PrintCompact(expression) | PrintOneLine(expression):
            evaluated = [expression]
        case PrintText(parts):
            evaluated = parts
        case PrintReport(terms):
            evaluated = [
                part for each in terms for part in (each if isinstance(each, tuple) else [each])
            ]
        case Average(_, expression):
            evaluated = [expression]
        case Frequency(_, rows, columns):
            evaluated = [rows.expression, columns and columns.expression]
        case EvalContract(_, contract):
            evaluated = [contract.tricks]
    return tuple(each for each in evaluated if isinstance(each, Node))


def word_of(action: Action) -> str:
    """Return the word that starts an action.

    >>> word_of(PrintAll()), word_of(PrintReport((), is_file=True))
    ('printall', 'csvrpt')
    """
    match action:
        case PrintReport(_, is_file):
            return "csvrpt" if is_file else "printrpt"
        case Frequency(has_buckets=True):
            return "bktfreq"
        case PrintSide(left):
            return "printew" if left == Seat.WEST else "printns"
    return _WORDS[type(action)]


_WORDS: dict[type[Action], str] = {
    PrintAll: "printall",
    PrintHands: "print",
    PrintPbn: "printpbn",
    PrintCompact: "printcompact",
    PrintOneLine: "printoneline",
    PrintText: "printes",
    Export: "export",
    Average: "average",
    Frequency: "frequency",
    EvalContract: "evalcontract",
}
