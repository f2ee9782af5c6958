"""The problems of inputs, as lines on the error stream."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from typing import ClassVar

from pavcodec.boards import Problem
from pavcodec.errors import ReadError

__all__ = ["Problems", "complain"]


def complain(line: str) -> None:
    """Print a line on the error stream, if there is one and its device is not full."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(line, file=sys.stderr)


_SHOWN = 3
"""The number of problems of a kind that are printed immediately."""
_FEW = 5
"""The greatest number of problems of a kind that are all printed."""

_VALUES = re.compile(r"'[^']*'|\"[^\"]*\"|[0-9]+")
"""The parts of a reason that differ between problems of the same kind."""

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


@dataclass(slots=True)
class _Kind:
    """The problems of a source with the same reason, apart from quoted texts and numbers."""

    held: list[Problem] = field(default_factory=list)
    count: int = 0

    def take(self, problem: Problem) -> None:
        """Print a problem, or store it for `tell`."""
        self.count += 1
        if self.count <= _SHOWN:
            complain(str(problem))
        elif self.count <= _FEW:
            self.held.append(problem)

    def tell(self) -> None:
        """Print the stored problems if they are few, otherwise their number."""
        if self.count <= _FEW:
            for problem in self.held:
                complain(str(problem))
        else:
            first = self.held[0]
            reason = _QUOTED.sub("'…'", first.reason)
            more = f"{self.count - _SHOWN:,} more of the same kind: {reason}"
            complain(str(Problem(first.source, None, more)))


class Problems:
    """A counter of problems that prints each problem as a line on the error stream.

    If many problems are of the same kind, only the first ones are printed. At the end, `tell`
    prints the number of the others in one line.
    """

    _made: ClassVar[list[Problems]] = []

    def __init__(self, *, strict: bool = False) -> None:
        self.count = 0
        self.strict = strict
        self._kinds: dict[tuple[str, str], _Kind] = {}
        self._made.append(self)

    def __call__(self, problem: Problem) -> None:
        """Count and print a problem; raise it as a `ReadError` with `--strict`."""
        if self.strict:
            raise ReadError(str(problem))
        self.count += 1
        key = problem.source, _VALUES.sub("", problem.reason)
        self._kinds.setdefault(key, _Kind()).take(problem)

    def tell(self) -> None:
        """Print the number of further problems of each kind, and forget them."""
        for kind in self._kinds.values():
            kind.tell()
        self._kinds.clear()

    @classmethod
    def tell_all(cls) -> None:
        """Call `tell` for every object of this class, at the end of a command."""
        while cls._made:
            cls._made.pop(0).tell()

    def report(self, source: str, line: int | None, reason: str, board: str | None = None) -> None:
        """Report a problem by its parts."""
        self(Problem(source, line, reason, board))

    def report_at(self, place: tuple[str, int], reason: str) -> None:
        """Report a problem at a place: (source, line)."""
        self.report(*place, reason)

    @property
    def exit_code(self) -> int:
        """1 if there was a problem, otherwise 0."""
        return 1 if self.count else 0
