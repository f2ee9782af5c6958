"""The boards of a run of deals: board numbers, dealer and vulnerability, tags, and their source.

Anyone can make the boards again from the tag `Generator`: it has the program, the seed, the first
sample and the condition. `pavcodec deal` needs a session also where nothing is counted or tested,
and starts without what the parts of deals need.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, cast

from pavcodec.boards import Board, Vulnerability
from pavcodec.boards.board import board_row, dealer_of_board
from pavcodec.cards import Seat
from pavcodec.numberings import Numbering
from pavcodec.sampling import generator

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs, Owners
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.layout import Deal


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
            deal, number=number, dealer=self.dealer, vulnerable=self.vulnerable, tags=tags
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
