"""What a script does with the deals: prints them, averages and counts."""

from __future__ import annotations

from dataclasses import dataclass

from pavcodec.cards import Seat
from pavcodec.constraints.syntax import Node

__all__ = [
    "Action",
    "Average",
    "Counted",
    "Frequency",
    "PrintAll",
    "PrintCompact",
    "PrintEW",
    "PrintHands",
    "PrintOneLine",
    "PrintPbn",
    "PrintText",
]


class Action:
    """Something to do with every deal."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PrintAll(Action):
    """Print the four hands side by side."""


@dataclass(frozen=True, slots=True)
class PrintEW(Action):
    """Print the hands of West and East side by side."""


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
class Average(Action):
    """At the end, print the average of a number."""

    label: str | None
    expression: Node


@dataclass(frozen=True, slots=True)
class Counted:
    """A number whose values are counted one by one from `low` to `high`, others together."""

    expression: Node
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Frequency(Action):
    """At the end, print how often a number had each value, or two numbers each pair of values."""

    label: str | None
    rows: Counted
    columns: Counted | None
