"""Show: boards as diagrams, and all that is known of a board as data.

The faces share the data of a board: the command prints it as JSON, and pages draw it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar

from pavcodec.boards import Board, Context
from pavcodec.boards.board import UNKNOWN, board_row, caption_of
from pavcodec.boards.play import auction_of, played_cards, strain_of
from pavcodec.cards import Seat, Suit
from pavcodec.errors import PavError
from pavcodec.formats.drawings.diagrams import drawing_of
from pavcodec.layout import Layout
from pavcodec.layout.drawings import diagram
from pavcodec.numberings import numbering
from pavcodec.printing.document import facts_of
from pavcodec.questions.asking import Answer, function_of
from pavcodec.questions.inputs import Numbered, OfEach, Problems
from pavcodec.questions.searching import Boards


@dataclass(frozen=True)
class Show(Boards, Numbered, OfEach):
    """Draw boards on the screen, as a web page or as a picture."""

    name: ClassVar[str] = "show"
    examples: ClassVar[str] = """\
  pavcodec show event.pbn --boards 3,5-7
  pavcodec show 12345678901234567890123456789
  pavcodec show event.pbn -o event.html
  pavcodec show event.pbn -o 'board-#.svg'
  pavcodec deal 'hcp(south) >= 20' | pavcodec show"""
    details: ClassVar[str] = """\
show draws diagrams on the screen, in colour if the screen has colours. --to or the suffix of -o
chooses hand records as HTML or PDF, or a picture in SVG. If the name of an SVG file has a '#', each
board is a file of its own, with its number for the '#'. 'pavcodec print' has more layouts.

A deal, a number, a code or a link of a hand viewer may stand in place of a file, here and in all
commands that read boards."""
    takes: ClassVar[tuple[str, str]] = "FILE", "files to read; - or none is stdin"
    nothing: ClassVar[str] = "no boards"
    gives_boards: ClassVar[bool] = True
    draws: ClassVar[bool] = True

    keys: ClassVar[dict[str, str]] = {
        "boards": "the boards: the heading, notes and diagram of each, and its cards, dealer, "
        "vulnerability, tags, contract, auction, play, double-dummy tricks and par",
    }

    def find(self) -> Shown:
        """Return the boards."""
        return Shown(list(self._shown(Problems(strict=self.strict))))

    def answers(self, inputs: Sequence[str], problems: Problems) -> Iterator[Shown]:  # noqa: ARG002
        """Return each board."""
        return (Shown([board]) for board in self._shown(problems))

    def to_write(
        self,
        inputs: Sequence[str],  # noqa: ARG002 (they are the files)
        problems: Problems,
    ) -> tuple[Iterator[Board], Context]:
        """Return the boards, for pages and pictures."""
        return self._shown(problems), Context("show", problems)

    def _shown(self, problems: Problems) -> Iterator[Board]:
        """Yield the chosen boards that have cards; one that is named and has none is a problem."""
        for source, board in self.read_named(problems, self.ranks):
            if board.layout is not None:
                yield board
            elif self.boards is not None:
                problems.report(source, board.line, f"board {board.number} has no cards")


show = function_of(Show)


@dataclass
class Shown(Answer):
    """Boards as diagrams and as data."""

    boards: list[Board]

    def to_dict(self) -> dict[str, Any]:
        """Return all that is known of the boards, for JSON."""
        return {"boards": list(map(board_facts, self.boards))}

    def documents(self) -> Iterator[dict[str, Any]]:
        """Yield each board, as the command prints it."""
        return map(board_facts, self.boards)

    def lines(self) -> Iterator[str]:
        """Yield the diagrams."""
        return chain.from_iterable(map(drawing_of, self.boards))

    def _repr_html_(self) -> str:
        """Return the diagrams for a notebook."""
        return "".join(board._repr_html_() or "" for board in self.boards)


# A board as data.


_SHOWN_TAGS = (
    "Event", "Site", "Date", "Round", "Table", "Room", "Scoring",
    "North", "East", "South", "West", "HomeTeam", "VisitTeam", "Score", "ScoreIMP", "ScoreMP",
)  # fmt: skip
_MOST_SHOWN = 200


def hands_facts(board: Board) -> dict[str, Any]:
    """Return the number, the dealer, the vulnerability and the cards of a board.

    >>> facts = hands_facts(Board.make(numbering("deal")[0], number=1))
    >>> facts["dealer"], facts["number"], facts["hands"]["N"]["spades"]
    ('N', '0', 'AKQJT98765432')
    """
    layout = board.layout
    assert layout is not None, "a board without cards has no hands"
    row: dict[str, Any] = board_row(board, "deal board dealer vulnerable source")
    row["hands"] = {seat.letter: _hand(layout, seat) for seat in Seat}
    row["number"] = str(numbering("deal").rank(layout)) if layout.is_deal else None
    return row


def _hand(layout: Layout, seat: Seat) -> dict[str, Any]:
    hand = layout[seat]
    suits = str(hand).split(".") if len(hand) else [""] * len(Suit)
    named = zip((suit.name.lower() for suit in Suit), suits, strict=True)
    return {**dict(named), "points": hand.hcp}


def board_facts(board: Board) -> dict[str, Any]:
    """Return all that is known of a board, for JSON."""
    caption, facts = caption_of(board), facts_of(board)
    row: dict[str, Any] = {"deal": None}
    if board.layout is not None:
        row = hands_facts(board)
        row["diagram"] = diagram(board.layout)
    unread: list[str] = []
    dealer, calls = facts.dealer, []
    try:
        auction = auction_of(board)
        if auction is not None:
            dealer = auction.dealer.letter
            calls = [
                {"call": call.word, "note": _cut(call.note), "alert": call.alert}
                for call in auction.calls
            ]
    except PavError as error:
        unread.append(f"The auction is not shown: {error}")
    cards: Sequence[str] = ()
    try:
        cards = played_cards(board, strain_of(board.tags.get("Contract", "")))
    except PavError as error:
        unread.append(f"The play is not shown: {error}")
    tags = {name: board.tags.get(name, "") for name in _SHOWN_TAGS}
    return row | {
        "heading": caption.heading,
        "notes": [*caption.notes, *caption.table_lines],
        "title": facts.title,
        "line": board.line,
        "tags": {name: _cut(text) for name, text in tags.items() if text.strip() not in UNKNOWN},
        "contract": _contract(board),
        "begins": dealer,
        "auction": calls,
        "play": [
            list(cards[start : start + len(Seat)]) for start in range(0, len(cards), len(Seat))
        ],
        "tricks": [[seat, list(tricks)] for seat, tricks in facts.tricks],
        "par": facts.par,
        "unread": unread,
    }


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"


def _contract(board: Board) -> str:
    """Return the contract in words, as `4SX by South, 9 tricks`."""
    contract, declarer, result = (
        board.tags.get(name, "").strip() for name in ("Contract", "Declarer", "Result")
    )
    if contract in UNKNOWN:
        return ""
    if contract.lower() == "pass":
        return "passed out"
    letter = declarer.removeprefix("^")
    names = {seat.letter: seat.name.title() for seat in Seat}
    by = f" by {names[letter]}" if letter in names else ""
    return _cut(f"{contract}{by}" + ("" if result in UNKNOWN else f", {result} tricks"))
