"""Boards of files as data: their facts, auction and play beside the cards."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field

from pavcodec.boards import Board
from pavcodec.boards.auction import auction_of
from pavcodec.boards.play import played_cards, strain_of
from pavcodec.cards import Seat
from pavcodec.errors import PavError
from pavcodec.printing.facts import facts_of
from pavcodec.web.tasks.boards import BoardView, board_view

__all__ = ["CallView", "FileBoard", "file_board"]

_UNKNOWN = ("", "?", "-")
_SHOWN_TAGS = (
    "Event", "Site", "Date", "Round", "Table", "Room", "Scoring",
    "North", "East", "South", "West", "HomeTeam", "VisitTeam", "Score", "ScoreIMP", "ScoreMP",
)  # fmt: skip
_MOST_SHOWN = 200
_TRICK = 4


class CallView(BaseModel):
    """A call of an auction, such as `1NT`, and its note."""

    model_config = ConfigDict(frozen=True)

    call: str
    note: str = ""
    alert: bool = False


class FileBoard(BaseModel):
    """A board of a file: its cards, its tags, its auction and play, and its tricks."""

    model_config = ConfigDict(frozen=True)

    title: str = Field(description="the heading, such as Board 3")
    line: int | None = Field(description="the line of the deal in its file")
    view: BoardView | None = Field(description="the cards; null for a board without cards")
    tags: dict[str, str] = Field(description="the tags of the event and of the players")
    contract: str = Field(description="contract, declarer and tricks; empty if they are unknown")
    dealer: str = Field(description="who begins the auction: N, E, S or W")
    auction: tuple[CallView, ...] = Field(description="the calls from the dealer on")
    play: tuple[tuple[str, ...], ...] = Field(description="the cards, trick by trick from the lead")
    tricks: tuple[tuple[str, tuple[int, ...]], ...] = Field(
        description="the double-dummy tricks of N, S, E and W with NT S H D C"
    )
    par: str = Field(description="the par score and its contracts")
    notes: tuple[str, ...] = Field(description="what cannot be shown, and why")


def file_board(board: Board) -> FileBoard:
    """Return a board of a file as data.

    >>> from pavcodec import numbering
    >>> file_board(Board.make(numbering("deal")[0], number=3)).title
    'Board 3'
    """
    facts, notes = facts_of(board), []
    calls: tuple[CallView, ...] = ()
    dealer = facts.dealer
    try:
        auction = auction_of(board)
        if auction is not None:
            dealer = auction.dealer.letter
            calls = tuple(
                CallView(call=call.word, note=_cut(call.note), alert=call.alert)
                for call in auction.calls
            )
    except PavError as error:
        notes.append(f"The auction is not shown: {error}")
    play: tuple[tuple[str, ...], ...] = ()
    try:
        cards = played_cards(board, strain_of(board.tags.get("Contract", "")))
        play = tuple(tuple(cards[start : start + _TRICK]) for start in range(0, len(cards), _TRICK))
    except PavError as error:
        notes.append(f"The play is not shown: {error}")
    return FileBoard(
        title=facts.title,
        line=board.line,
        view=None if board.layout is None else board_view(board),
        tags=dict(_tags(board)),
        contract=_contract(board),
        dealer=dealer,
        auction=calls,
        play=play,
        tricks=facts.tricks,
        par=facts.par,
        notes=tuple(notes),
    )


def _tags(board: Board) -> Iterator[tuple[str, str]]:
    tags = board.tags
    for name in _SHOWN_TAGS:
        if tags.get(name, "").strip() not in _UNKNOWN:
            yield name, _cut(tags[name])


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"


def _contract(board: Board) -> str:
    """Return the contract in words, as `4SX by South, 9 tricks`."""
    contract, declarer, result = (
        board.tags.get(name, "").strip() for name in ("Contract", "Declarer", "Result")
    )
    if contract in _UNKNOWN:
        return ""
    if contract.lower() == "pass":
        return "passed out"
    letter = declarer.removeprefix("^")
    names = {seat.letter: seat.name.title() for seat in Seat}
    by = f" by {names[letter]}" if letter in names else ""
    return _cut(f"{contract}{by}" + ("" if result in _UNKNOWN else f", {result} tricks"))
