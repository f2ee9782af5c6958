"""What becomes otherwise when boards are written: numbers, dealers, and boards that came before."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator

from pavcodec.boards import Board
from pavcodec.cli.output.figures import many
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import option_group
from pavcodec.formats import Format

__all__ = ["Differences", "Repeated", "add_unique"]


def add_unique(parser: argparse.ArgumentParser) -> None:
    """Add the option that says whether boards are written once, for `Repeated`."""
    option_group(parser, "output").add_argument(
        "--unique",
        action=argparse.BooleanOptionalAction,
        help="write boards with the same number and deal once, as they repeat in files of results "
        "(default: in formats of clubs and dealing machines)",
    )


class Differences(Counter[str]):
    """Counts boards that will be read with another number, dealer or vulnerability."""

    def note(self, kind: str) -> None:
        """Count a board, by what differs of it; this is the `differ` of a `Context`."""
        self[kind] += 1

    def tell(self, target: Format) -> None:
        """Print a line for new numbers, and one for what follows from numbers."""
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
    """Leaves out boards that came before, with the same number and the same deal.

    `chosen` is the answer of the user. Without one, boards of a format that holds the boards of a
    session come once, if they have numbers: a file of results has each once per table.
    """

    def __init__(self, target: Format, *, chosen: bool | None) -> None:
        self.left_out = 0
        self.is_looked_for = target.is_of_boards if chosen is None else chosen
        self._is_asked_for = chosen is not None
        self._seen: set[tuple[str, bytes]] = set()

    def without(self, boards: Iterable[Board]) -> Iterator[Board]:
        """Yield the boards that did not come before; those without cards never did."""
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
        """Print how many were left out, and how to keep them."""
        if self.left_out:
            way = "" if self._is_asked_for else "; --no-unique writes them"
            boards = many(self.left_out, "board")
            complain(f"{boards} left out that came before, with the same number and deal{way}")
