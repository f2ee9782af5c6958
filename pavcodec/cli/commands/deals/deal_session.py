"""What `deal` says of each board, and of what was asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

from pavcodec.boards import Board, Vulnerability
from pavcodec.boards.rows import board_row
from pavcodec.boards.vulnerability import dealer_of_board
from pavcodec.cards import Seat
from pavcodec.cli.options.levels import level_lines
from pavcodec.cli.options.mixes import mix_lines
from pavcodec.cli.options.sessions import generator
from pavcodec.numberings import Numbering

if TYPE_CHECKING:
    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.arrays.words.limbs import Limbs
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.cli.options.conditions import Space
    from pavcodec.constraints import Levelled, Mix
    from pavcodec.layout import Deal
    from pavcodec.studies.dealer1999 import Dealer1999

__all__ = ["Asked", "Session"]


@dataclass(frozen=True)
class Session:
    """What all boards of a run share; None where the board's number tells."""

    seed: int | None
    start: int
    method: str
    where: str
    ranks: Numbering
    dealer: Seat | None
    vulnerable: Vulnerability | None
    script: str | None

    @cached_property
    def generator(self) -> str:
        """What made the boards, and how to make them again."""
        return generator(self.seed, self.start, self.where, self.method, script=self.script)

    def board(self, number: int, deal: Deal, kind: object = None) -> Board:
        """Make a board; `kind` is the name of its type, or the names of both."""
        tags = {
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
            tags={"Generator": self.generator},
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


@dataclass(frozen=True)
class Asked:
    """What is dealt from: a space, a mix, the dealer of 1999, or if none of them all deals."""

    space: Space | None = None
    mix: Mix | None = None
    levelled: Levelled | None = None
    dealer1999: Dealer1999 | None = None
    method: str = ""

    @property
    def where(self) -> str:
        """The condition."""
        known = self.dealer1999 or self.space
        return str(self.mix or "") if known is None else str(known.where)

    def lines(self) -> Iterator[str]:
        """Yield what there is to say of the types."""
        if self.levelled is not None:
            yield from level_lines(self.levelled)
        elif self.mix is not None:
            yield from mix_lines(self.mix)
