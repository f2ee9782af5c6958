"""What becomes otherwise when boards are written: numbers, dealers, vulnerabilities."""

from __future__ import annotations

from collections import Counter

from pavcodec.cli.figures import many
from pavcodec.cli.streams import complain
from pavcodec.convert import Format

__all__ = ["Differences"]


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
