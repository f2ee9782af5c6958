"""What a script does with the deals: prints them, averages and counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pavcodec.cards import Seat
from pavcodec.constraints.nodes.syntax import Node, Score, Tricks

__all__ = [
    "Action",
    "Average",
    "Counted",
    "EvalContract",
    "Export",
    "Frequency",
    "PrintAll",
    "PrintCompact",
    "PrintHands",
    "PrintOneLine",
    "PrintPbn",
    "PrintReport",
    "PrintSide",
    "PrintText",
    "Term",
    "expressions_of",
    "word_of",
]

Term = Node | str | tuple[Seat, ...] | tuple[Tricks, ...]
"""A column of a report: a number, a text, the hands of some seats, or tricks in some contracts."""


class Action:
    """Something to do with every deal."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PrintAll(Action):
    """Print the four hands side by side."""


@dataclass(frozen=True, slots=True)
class PrintSide(Action):
    """Print the two hands of a side side by side: South and North, or West and East."""

    left: Seat
    right: Seat


@dataclass(frozen=True, slots=True)
class PrintHands(Action):
    """At the end, print the hands of each of some seats, four deals side by side."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class PrintPbn(Action):
    """Print a board in PBN."""


@dataclass(frozen=True, slots=True)
class PrintCompact(Action):
    """Print a hand a line, and then a number if there is one."""

    expression: Node | None


@dataclass(frozen=True, slots=True)
class PrintOneLine(Action):
    """Print the four hands in one line, and then a number if there is one."""

    expression: Node | None


@dataclass(frozen=True, slots=True)
class PrintText(Action):
    """Print texts and numbers one after another; a new line is the text of it."""

    parts: tuple[Node | str, ...]


@dataclass(frozen=True, slots=True)
class PrintReport(Action):
    """Print a row of a report; `is_file` tells that rows have a file of their own."""

    terms: tuple[Term, ...]
    is_file: bool


@dataclass(frozen=True, slots=True)
class Export(Action):
    """Print the hands of some seats as they are dealt beforehand, for the rows of a file."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Average(Action):
    """At the end, print the average of a number."""

    label: str | None
    expression: Node


@dataclass(frozen=True, slots=True)
class Counted:
    """A number whose values from `low` to `high` are counted by `size` at a time, others together.

    Values below `low` are counted together, and so are those above the last bucket, which is the
    one of `high`.
    """

    expression: Node
    low: int
    high: int
    size: int = 1

    @property
    def buckets(self) -> int:
        """How many buckets there are from low to high."""
        return 1 + (self.high - self.low) // self.size


@dataclass(frozen=True, slots=True)
class Frequency(Action):
    """At the end, print how often a number had each value, or two numbers each pair of values.

    `has_buckets` tells that it is `bktfreq`, which prints another layout.
    """

    label: str | None
    rows: Counted
    columns: Counted | None
    has_buckets: bool = False


@dataclass(frozen=True, slots=True)
class EvalContract(Action):
    """At the end, print what a contract scored, and what games and slams were missed.

    South declares for the side NS, West for EW.
    """

    side: str
    contract: Score


def expressions_of(action: Action) -> tuple[Node, ...]:
    """Return the expressions that an action asks of each deal, in its order.

    >>> from pavcodec.constraints.nodes.syntax import Number
    >>> expressions_of(PrintText((Number(1), "points")))
    (Number(value=1),)
    """
    found: Sequence[object] = ()
    match action:
        case PrintCompact(expression) | PrintOneLine(expression):
            found = [expression]
        case PrintText(parts):
            found = parts
        case PrintReport(terms):
            found = [
                part for each in terms for part in (each if isinstance(each, tuple) else [each])
            ]
        case Average(_, expression):
            found = [expression]
        case Frequency(_, rows, columns):
            found = [rows.expression, columns and columns.expression]
        case EvalContract(_, contract):
            found = [contract.tricks]
    return tuple(each for each in found if isinstance(each, Node))


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
