"""Boards as data: what a page draws and the JSON interface returns for one board."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from pavcodec.boards import Board
from pavcodec.cards import Seat
from pavcodec.layout import Deal, Layout
from pavcodec.numberings import numbering

__all__ = ["BoardView", "HandView", "board_view"]


class HandView(BaseModel):
    """One hand: the ranks of each suit from the highest, and its high-card points."""

    model_config = ConfigDict(frozen=True)

    spades: str
    hearts: str
    diamonds: str
    clubs: str
    points: int


class BoardView(BaseModel):
    """One board: its number, its cards, and the number of its deal."""

    model_config = ConfigDict(frozen=True)

    number: int | None = Field(description="the number of the board")
    dealer: str | None = Field(description="N, E, S or W")
    vulnerable: str | None = Field(description="None, NS, EW or All")
    hands: dict[str, HandView] = Field(description="the hands of N, E, S and W")
    pbn: str = Field(description="the cards in the notation of PBN")
    deal: str | None = Field(description="the number of the deal in the numbering 'deal', as text")


def board_view(board: Board) -> BoardView:
    """Return a board with cards as data.

    >>> view = board_view(Board.make(numbering("deal")[0], number=1))
    >>> view.dealer, view.deal, view.hands["N"].spades
    ('N', '0', 'AKQJT98765432')
    """
    layout = board.layout
    assert layout is not None, "a board without cards has no view"
    dealer, vulnerable = board.dealer, board.vulnerable
    return BoardView(
        number=board.number,
        dealer=dealer.name[0] if dealer is not None else None,
        vulnerable=vulnerable.value if vulnerable is not None else None,
        hands={seat.name[0]: _hand_view(layout, seat) for seat in Seat},
        pbn=layout.to_pbn(),
        deal=str(numbering("deal").rank(layout)) if isinstance(layout, Deal) else None,
    )


def _hand_view(layout: Layout, seat: Seat) -> HandView:
    hand = layout[seat]
    spades, hearts, diamonds, clubs = str(hand).split(".") if len(hand) else [""] * 4
    return HandView(spades=spades, hearts=hearts, diamonds=diamonds, clubs=clubs, points=hand.hcp)
