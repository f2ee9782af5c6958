"""A practice set, and the facts of each board on its pages."""

from __future__ import annotations

from dataclasses import dataclass

from pavcodec.boards import Board
from pavcodec.boards.board import Tag
from pavcodec.cards import Seat, Suit
from pavcodec.layout import Layout

__all__ = ["HEADS", "SITUATION", "Facts", "PracticeSet"]

SITUATION = "Situation"
"""The tag with the name of a board's situation."""
HEADS = ("board", "dealer", "vulnerable", *(suit.symbol for suit in Suit))
"""The heads of the columns on a player's page."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a board on the pages, as texts."""

    number: str
    dealer: str
    vulnerable: str
    layout: Layout
    identity: str

    @classmethod
    def of(cls, board: Board) -> Facts:
        """Return the facts of a board that has layout, dealer, vulnerability and `DealId`."""
        assert board.layout is not None
        assert board.dealer is not None
        assert board.vulnerable is not None
        identity = board.tags["DealId"].partition(":")[2]
        dealer, vulnerable = board.dealer.name.title(), board.vulnerable.value
        return cls(str(board.number), dealer, vulnerable, board.layout, identity)

    def row(self, seat: Seat) -> tuple[str, ...]:
        """Return a line of a player's page: the board, and the player's hand suit by suit."""
        hand = self.layout[seat]
        suits = (hand.suit(suit) or "-" for suit in Suit)
        return self.number, self.dealer, self.vulnerable, *suits


@dataclass(frozen=True, slots=True)
class PracticeSet:
    """Boards for practice, with a title, the players, and notes for the solution.

    The boards have a number, a dealer, a vulnerability, and the tag `DealId`, like those of
    `Seating`. `notes` are lines for the page of the solution, which players do not see. So are
    `board_notes`, the lines below each board: an empty tuple, or as many as there are boards.
    `event` are lines below the title: the place, the date, the session.
    """

    title: str
    boards: tuple[Board, ...]
    players: tuple[Seat, ...] = tuple(Seat)
    notes: tuple[str, ...] = ()
    board_notes: tuple[tuple[str, ...], ...] = ()
    event: tuple[str, ...] = ()
    preface: tuple[str, ...] = ()
    """Lines for the start of a file of the boards: conditions that no tag has room for."""

    @property
    def span(self) -> str:
        """The numbers of the boards, as in `boards 1 to 16`."""
        first, last = self.boards[0].number, self.boards[-1].number
        return f"board {first}" if first == last else f"boards {first} to {last}"

    @property
    def commented(self) -> tuple[Board, ...]:
        """The boards with their notes as comments, for formats that keep comments."""
        notes = self.board_notes or ((),) * len(self.boards)
        return tuple(map(_commented, self.boards, notes))

    def notes_of(self, place: int) -> tuple[str, ...]:
        """Return the lines below a board."""
        return self.board_notes[place] if self.board_notes else ()


def _commented(board: Board, notes: tuple[str, ...]) -> Board:
    """Return a board with lines as comments at the tag of its situation."""
    comment = tuple(f"{{{line}}}" for line in notes)
    return Board(
        board.layout,
        tuple(
            Tag(tag.name, tag.value, comment if tag.name == SITUATION else tag.lines)
            for tag in board.entries
        ),
    )
