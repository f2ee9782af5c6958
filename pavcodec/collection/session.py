"""The boards of a run of deals: board numbers, dealer and vulnerability, tags, and their source.

Anyone can make the boards again from the tag `Generator`: it has the program, the seed, the first
sample and the condition.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, cast

from pavcodec._version import __version__
from pavcodec.boards import Board, Vulnerability
from pavcodec.boards.rows import board_row
from pavcodec.boards.vulnerability import dealer_of_board
from pavcodec.cards import Seat
from pavcodec.numberings import Numbering

if TYPE_CHECKING:
    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.arrays.words.limbs import Limbs
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.layout import Deal

__all__ = ["Session", "generator", "preface"]

_LONGEST = 253 - len('[Generator ""]')
"""The most characters of a value of the tag `Generator` in one line of PBN."""
_STEM = 60
"""The most characters of a script's name."""


@dataclass(frozen=True)
class Session:
    """Values that all boards of a run share; None if the board number decides."""

    seed: int | None
    start: int
    method: str
    where: str
    ranks: Numbering
    dealer: Seat | None
    vulnerable: Vulnerability | None
    script: str | None
    tags: Mapping[str, str] = field(default_factory=dict)
    """The tags of the event."""

    @cached_property
    def generator(self) -> str:
        """The text of the tag `Generator`."""
        return generator(self.seed, self.start, self.where, self.method, script=self.script)

    def board(self, number: int, deal: Deal, kind: object = None) -> Board:
        """Make a board; `kind` is the name of its type, or the names of both."""
        tags = {
            **self.tags,
            "Generator": self.generator,
            "DealId": f"{self.ranks.name}:{self.ranks.rank(deal)}",
        }
        if kind is not None:
            tags["HandType"] = kind if isinstance(kind, str) else " ".join(cast("list[str]", kind))
        return Board.make(
            deal,
            number=number,
            dealer=self.dealer,
            vulnerable=self.vulnerable,
            tags=tags,
        )

    def batch(self, first: int, owners: Owners, numbers: Limbs | None) -> BoardBatch:
        """Make many boards, the first of which has this number."""
        from pavcodec.boards.batch import BoardBatch

        return BoardBatch(
            owners,
            first=first,
            dealer=self.dealer,
            vulnerable=self.vulnerable,
            tags={**self.tags, "Generator": self.generator},
            numbers=numbers,
            numbering=self.ranks.name,
        )

    def row(self, number: int, deal: Deal) -> dict[str, object]:
        """Return a board for JSON."""
        dealer = dealer_of_board(number) if self.dealer is None else self.dealer
        vulnerable = self.vulnerable or Vulnerability.of_board(number)
        board = Board.make(deal, dealer=dealer, vulnerable=vulnerable)
        row = board_row(board, "board deal number dealer vulnerable", self.ranks)
        return row | {"board": number, "seed": None if self.seed is None else str(self.seed)}


def generator(  # noqa: PLR0913
    seed: int | None,
    start: int,
    where: str,
    method: str = "",
    *,
    script: str | None = None,
    spare: int = 0,
) -> str:
    """Return the text of the tag `Generator`, from which anyone can make the boards again.

    No seed means deals in order. If the condition makes a line of PBN too long, the text has its
    hash and the name of the script. `spare` is the number of characters that the caller adds.
    """
    words = [f"pavcodec {__version__}"]
    words += ["in order" if seed is None else f"seed={seed}"]
    words += [f"start={start}"] if start else []
    words += [method] if method else []
    if not where:
        return " ".join(words)
    whole = " ".join([*words, f"where={where}"])
    if _is_a_line(whole, _LONGEST - spare):
        return whole
    if script:
        from pathlib import Path

        stem = re.sub(r"[^\w.-]+", "_", Path(script).stem, flags=re.ASCII)[:_STEM]
        words += [f"script={stem}"] if stem else []
    return " ".join([*words, f"where=sha256:{sha256(where.encode()).hexdigest()[:16]}"])


def preface(where: str, made: str) -> tuple[str, ...]:
    """Return lines with the whole condition for a file whose boards only have its hash."""
    return () if made.endswith(where) else ("condition:", *where.split("\n"))


def _is_a_line(value: str, longest: int) -> bool:
    """Return whether the value of a tag of PBN is one line of at most `longest` characters."""
    return "\n" not in value and len(value) + sum(map(value.count, '"\\')) <= longest
