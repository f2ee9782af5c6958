"""The boards of a run of `deal`, and the request behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from itertools import count
from typing import TYPE_CHECKING, cast

from pavcodec.boards import Board, Context, Vulnerability
from pavcodec.boards.rows import board_row
from pavcodec.boards.vulnerability import dealer_of_board
from pavcodec.cards import Seat
from pavcodec.cli.commands.deals.deal_sources import DealSource, Draw, draw, draw_mix, watched
from pavcodec.cli.commands.deals.dealer1999 import Dealt1999
from pavcodec.cli.commands.deals.weighted_source import WeightedSource
from pavcodec.cli.options.sessions import generator
from pavcodec.cli.options.shares.levels import level_lines
from pavcodec.cli.options.shares.mixes import mix_lines
from pavcodec.cli.options.shares.weights import weighted_lines
from pavcodec.cli.options.spaces import is_tested
from pavcodec.cli.output.progress import waiting
from pavcodec.formats import Format
from pavcodec.numberings import Numbering

if TYPE_CHECKING:
    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.arrays.words.limbs import Limbs
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.constraints import Levelled, Mix, WeightedDeals
    from pavcodec.layout import Deal
    from pavcodec.odds.questions import Space
    from pavcodec.studies.dealer1999 import Dealer1999

__all__ = ["Asked", "Session", "batches_of_run", "boards_of_run"]


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


@dataclass(frozen=True)
class Asked:
    """The requested deals: a space, with or without weights, a mix, the dealer of 1999, or all."""

    space: Space | None = None
    mix: Mix | None = None
    levelled: Levelled | None = None
    dealer1999: Dealer1999 | None = None
    method: str = ""
    weighted: WeightedDeals | None = None

    @property
    def where(self) -> str:
        """The condition."""
        if self.dealer1999 is not None:
            return str(self.dealer1999.where)
        if self.weighted is not None:
            return str(self.weighted)
        if self.space is None:
            return str(self.mix or "")
        return str(self.space.where) if is_tested(self.space) else self.space.name

    def source(self, wanted: Draw) -> DealSource:
        """Return the source of the deals of a draw."""
        if self.dealer1999 is not None:
            return Dealt1999(self.dealer1999, wanted)
        if self.weighted is not None:
            return WeightedSource(self.weighted, wanted)
        return draw(self.space, wanted) if self.mix is None else draw_mix(self.mix, wanted)

    def lines(self) -> Iterator[str]:
        """Yield the lines on the types."""
        if self.levelled is not None:
            yield from level_lines(self.levelled)
        elif self.mix is not None:
            yield from mix_lines(self.mix)
        elif self.weighted is not None:
            yield from weighted_lines(self.weighted)


def boards_of_run(
    target: Format, output: str, source: DealSource, session: Session
) -> Iterator[Board]:
    """Yield the boards, one by one."""
    deals = watched(source, source.deals(), output)
    if target.is_cards_only:
        return map(Board, deals)
    first, most = session.start + 1, target.cycle
    numbers = (number if most is None else (number - 1) % most + 1 for number in count(first))
    numbered = zip(numbers, deals, strict=False)
    if not source.is_named:
        return (session.board(*each) for each in numbered)
    kinds = (extra["type"] for extra in source.extras())
    return (session.board(*each, kind) for each, kind in zip(numbered, kinds, strict=False))


def batches_of_run(
    target: Format, output: str, source: DealSource, session: Session
) -> Iterator[BoardBatch]:
    """Yield the boards in batches; the first board loads the loops."""
    numbered: Iterator[tuple[Owners, Limbs | None]] = source.numbered()
    if not target.keeps_tag("DealId"):
        numbered = ((owners, None) for owners in source.batches())
    number = session.start + 1
    for owners, numbers in watched(source, numbered, output, lambda batch: len(batch[0])):
        batch = session.batch(number, owners, numbers)
        if number == session.start + 1:
            with waiting("loading the loops; they are compiled when they run for the first time"):
                rehearsal = Context("deal", lambda _: None, numbering=session.ranks)
                target.write_batches([batch.rows(0, 1)], BytesIO(), rehearsal)
        yield batch
        number += len(batch)
