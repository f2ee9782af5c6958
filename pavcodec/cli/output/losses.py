"""Messages about differences between read and written boards, and about repeated boards."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pavcodec.boards import Board
from pavcodec.cli.output.figures import many
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import option_group
from pavcodec.formats import Format

__all__ = ["Differences", "Repeated", "add_unique", "listed", "tell_event"]


def add_unique(parser: argparse.ArgumentParser) -> None:
    """Add the option `--unique`, the argument `chosen` of `Repeated`."""
    option_group(parser, "output").add_argument(
        "--unique",
        action=argparse.BooleanOptionalAction,
        help="write boards with the same number and deal once, as they repeat in files of results "
        "(default: in formats of clubs and dealing machines)",
    )


def listed(words: Sequence[str]) -> str:
    """Return words with commas and a last `and`.

    >>> listed(["number", "dealer", "play"])
    'number, dealer and play'
    """
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def tell_event(target: Format, tags: Mapping[str, str]) -> None:
    """Print a line about the tags of an event that the output format has no place for."""
    lost = [name.lower() for name in tags if not target.shows_tag(name)]
    if lost:
        complain(f"{target.name} has no place for the {listed(lost)} of the event")


class Differences(Counter[str]):
    """A counter of boards that the output format gives another number, dealer or vulnerability."""

    def note(self, kind: str) -> None:
        """Count a board by the kind of its difference; use this as the `differ` of a `Context`."""
        self[kind] += 1

    def tell(self, target: Format) -> None:
        """Print a line about new board numbers, and a line about dealers and vulnerabilities."""
        numbers = self["number"]
        if numbers:
            are = "has no number and is" if numbers == 1 else "have no number and are"
            complain(f"{target.name}: {many(numbers, 'board')} {are} numbered in turn")
        rules = [
            f"the {kind} of {many(self[kind], 'board')}"
            for kind in ("dealer", "vulnerability")
            if self[kind]
        ]
        if rules:
            become = "become those" if len(rules) > 1 else "becomes that"
            complain(f"{target.name}: {' and '.join(rules)} {become} of the board number")


class Repeated:
    """A filter that removes boards with the number and the deal of an earlier board.

    `chosen` is the choice of the user, or None. With None, the filter works only for formats that
    hold the boards of a session, and only on boards with a number: a file of results has each board
    once for each table.
    """

    def __init__(self, target: Format, *, chosen: bool | None) -> None:
        self.left_out = 0
        self.is_looked_for = target.is_of_boards if chosen is None else chosen
        self._is_asked_for = chosen is not None
        self._seen: set[tuple[str, bytes]] = set()

    def without(self, boards: Iterable[Board]) -> Iterator[Board]:
        """Yield the boards without repetitions; all boards without cards are yielded."""
        for board in boards:
            number = board.tags.get("Board", "")
            if board.layout is not None and (number or self._is_asked_for):
                key = number, bytes(board.layout.owners)
                if key in self._seen:
                    self.left_out += 1
                    continue
                self._seen.add(key)
            yield board

    def tell(self) -> None:
        """Print the number of removed boards, and the option that writes them."""
        if self.left_out:
            way = "" if self._is_asked_for else "; --no-unique writes them"
            boards = many(self.left_out, "board")
            complain(f"{boards} left out that came before, with the same number and deal{way}")
