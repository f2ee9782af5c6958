"""The options of reading and writing, and the functions that receive problems and losses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, SupportsIndex

from pavcodec.errors import ReadError
from pavcodec.layout import Layout

__all__ = ["Context", "Problem", "Ranks", "raise_problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that could not be read or written: where, and why.

    >>> print(Problem("event.pbn", 12, "tag pair without a value: '[Event]'", "3"))
    event.pbn:12: board 3: tag pair without a value: '[Event]'
    """

    source: str
    line: int | None
    reason: str
    board: str | None = None

    def __str__(self) -> str:
        place = self.source if self.line is None else f"{self.source}:{self.line}"
        board = f"board {self.board}: " if self.board else ""
        return f"{place}: {board}{self.reason}"


class Ranks(Protocol):
    """The part of a numbering that the formats of numbers need."""

    def rank(self, layout: Layout) -> int:
        """Return the number of a layout."""

    def unrank(self, number: SupportsIndex) -> Layout:
        """Return the layout of a number."""

    def index(self, layout: Layout) -> int:
        """Return the number of a layout, counted from 0."""

    def __getitem__(self, position: int) -> Layout:
        """Return the layout of a number, counted from 0."""


def raise_problem(problem: Problem) -> None:
    """Stop at a problem: raise it as a `ReadError`."""
    raise ReadError(str(problem))


def _disregard(_fact: object) -> None:
    """Ignore a count or a note."""


@dataclass(frozen=True, slots=True)
class Context:
    """The options of reading or writing one stream; `source` is the name of the input in messages.

    Readers and writers call `report` with each problem, and continue when it returns; the default
    raises `ReadError`. A `strict` reader refuses known deviations from a standard. Readers of
    batches call `on_skipped` with the number of boards without cards. Writers call `differ` for
    each board whose `number`, `dealer` or `vulnerability` changes, because the format derives it.
    `preface` are lines for the start of a file, where its format has a place for them. `title` is
    the title of written pages. Writers call `note` once for each kind of change in what they write;
    a note is no problem.
    """

    source: str
    report: Callable[[Problem], None] = raise_problem
    strict: bool = False
    numbering: Ranks | None = None
    encoding: str | None = None
    on_skipped: Callable[[int], None] = _disregard
    differ: Callable[[str], None] = _disregard
    preface: tuple[str, ...] = ()
    note: Callable[[str], None] = _disregard
    title: str = ""

    def problem(self, line: int | None, reason: str, board: str | None = None) -> None:
        """Report a problem at a line, or in the stream as a whole."""
        self.report(Problem(self.source, line, reason, board))
