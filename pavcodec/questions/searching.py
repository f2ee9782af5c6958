"""The boards of files that are wanted: by their numbers, by a condition, and in new seats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from pavcodec.boards import Board, Problem
from pavcodec.boards.batch import Arrivals
from pavcodec.boards.turning import IN_TURN_TAGS, Turn, turn_board
from pavcodec.cards import SEAT_LETTERS, Seat
from pavcodec.chances.figures import many
from pavcodec.errors import PavError
from pavcodec.numberings import Numbering, numbering
from pavcodec.questions.asking import (
    Question,
    QuestionError,
    ask,
    note,
)
from pavcodec.questions.inputs import (
    Asked,
    ChosenBoards,
    Inputs,
    Problems,
    board_numbers,
    boards_of,
    named_format,
)
from pavcodec.questions.words import seat_letter

if TYPE_CHECKING:
    from pavcodec.constraints.nodes.syntax import Node

Found: TypeAlias = tuple[str, Board]
"""A board, and the name of its file."""

_FEW = 4096
"""The most boards for which loading numpy saves no time."""
_AT_ONCE = 4096


class Search:
    """Tests boards, and counts them by result; `problems` are told in their order.

    The boards that are searched come from readers that report to `problems`.
    """

    def __init__(self, condition: Node, problems: Problems, *, invert: bool = False) -> None:
        from pavcodec.constraints.search import Search as Tests
        from pavcodec.constraints.search import Searched

        self.counts = Searched()
        self._tests = Tests(condition, wanted=not invert)
        self._told = problems
        alone = 0 if self._tests.solves else _FEW
        self._arrivals = Arrivals[Found](problems, alone=alone, at_once=_AT_ONCE)
        self.problems = _Held(problems, self._arrivals)

    def found(self, boards: Iterator[Found]) -> Iterator[Found]:
        """Yield the boards that are wanted."""
        from pavcodec.constraints.search import search_boards

        return search_boards(self._tests, self._arrivals.of(boards), self.counts, self._told)


class _Held(Problems):
    """Problems that are told after the boards before them are searched."""

    def __init__(self, problems: Problems, arrivals: Arrivals[Found]) -> None:
        super().__init__(strict=problems.strict)
        self._hear = problems if problems.strict else arrivals.hold

    def __call__(self, problem: Problem) -> None:
        """Hold a problem; raise it in strict reading."""
        self._hear(problem)


# The choice of boards that questions about files share.


_SWAPS = {"NS": "SENW", "EW": "NWSE"}
"""The seats after two partners have swapped theirs."""


def _places(text: str) -> int:
    """Return a number of places; raise `PavError` for another text."""
    if text not in ("1", "2", "3"):
        raise PavError(f"a player moves 1, 2 or 3 places, not {text!r}")
    return int(text)


def _seats(text: str) -> str:
    """Return new seats such as SWNE; raise `PavError` for another text."""
    Turn.of(seats=text)
    return text


@dataclass(frozen=True)
class NewSeats(Question):
    """A question about boards whose players may have new seats."""

    places: int | None = ask(
        "move each player so many places clockwise: 1, 2 or 3",
        default=None, group="seats", metavar="N", read=_places, label="Places clockwise", most=3,
    )  # fmt: skip
    seats: str | None = ask(
        "the new seats of North, East, South and West, as in SWNE",
        default=None, group="seats", metavar="NESW", read=_seats, most=4,
    )  # fmt: skip
    swap: str | None = ask(
        "swap the seats of these partners",
        default=None, group="seats", read=str.upper, choices=tuple(_SWAPS),
    )  # fmt: skip
    declarer: str | None = ask(
        "turn each board so that declarer sits here",
        default=None, group="seats", metavar="SEAT", read=seat_letter, most=5,
    )  # fmt: skip
    dealer: str | None = ask(
        "turn each board so that the dealer sits here",
        default=None, group="seats", metavar="SEAT", read=seat_letter, most=5,
    )  # fmt: skip

    WAYS: ClassVar[tuple[str, ...]] = ("places", "seats", "swap", "declarer", "dealer")

    @property
    def is_turning(self) -> bool:
        """Whether the players have new seats; raises `QuestionError` for two ways to turn."""
        ways = [way for way in self.WAYS if getattr(self, way) is not None]
        if len(ways) > 1:
            one, other = ways[:2]
            raise QuestionError(f"argument {{{other}}}: not allowed with argument {{{one}}}", other)
        return bool(ways)

    def turned(self, boards: Iterable[Found]) -> Iterator[Found]:
        """Yield the boards, turned; tell at the end which lose or lack something."""
        missing = shortened = 0
        for source, board in boards:
            new = self._turn_of(board)
            missing += new is None
            if new is None:
                yield source, board
                continue
            shortened += not new.is_rotation and any(
                tag.name in IN_TURN_TAGS for tag in board.entries
            )
            yield source, turn_board(board, new, numbering)
        if missing:
            who = "dealer" if self.declarer is None else "declarer"
            are = "is" if missing == 1 else "are"
            note(f"{many(missing, 'board')} without a {who} {are} not turned")
        if shortened:
            lose = "loses" if shortened == 1 else "lose"
            note(
                f"{many(shortened, 'board')} {lose} auction, play, double-dummy tricks or "
                "par: in these seats nobody plays in turn"
            )

    def _turn_of(self, board: Board) -> Turn | None:
        """Return the turn of a board; None if it lacks the declarer or dealer of the field."""
        if self.seats is not None:
            return Turn.of(seats=self.seats)
        if self.swap is not None:
            return Turn.of(seats=_SWAPS[self.swap])
        if self.places is not None:
            return Turn.of(self.places)
        seat, wanted = board.dealer, self.dealer
        if self.declarer is not None:
            letter = board.tags.get("Declarer", "").removeprefix("^")
            seat = Seat.parse(letter) if letter in tuple(SEAT_LETTERS) else None
            wanted = self.declarer
        return None if seat is None or wanted is None else Turn.of(Seat.parse(wanted) - seat)


def _numbers_text(text: str) -> str:
    """Return a text of board numbers; raise `PavError` for another text."""
    board_numbers(text)
    return text


@dataclass(frozen=True)
class Boards(Inputs, NewSeats):
    """A question about the boards of files, or about some of them."""

    boards: str | None = ask(
        "take only the boards with these numbers",
        default=None, group="input", metavar="N,A-B", read=_numbers_text, label="Boards", most=200,
    )  # fmt: skip

    where: str | None = ask(
        "take only the boards whose deals satisfy this condition",
        default=None, group="input", metavar="EXPR", label="Condition",
    )  # fmt: skip

    def read(self, problems: Problems, ranks: Numbering | None = None) -> Iterator[Board]:
        """Yield the chosen boards of all files."""
        return (board for _, board in self.read_named(problems, ranks))

    def read_named(
        self, problems: Problems, ranks: Numbering | None = None
    ) -> Iterator[tuple[str, Board]]:
        """Yield the name of the source and the board, for the chosen boards of all files."""
        search = search_of(self, problems)
        heard = problems if search is None else search.problems
        boards = boards_of(self.files, heard, format_name=named_format(self), ranks=ranks)
        chosen = ChosenBoards(self.boards)
        named = chosen.named(boards)
        found = named if search is None else search.found(named)
        yield from self.turned(found) if self.is_turning else found
        chosen.report_missing(self.files, problems)
        if not problems.count:
            nothing_found(search)


def search_of(asked: Asked, problems: Problems) -> Search | None:
    """Return the search for the boards of the condition `where`; None without one."""
    if not asked.where:
        return None
    from pavcodec.questions.deals import condition_of_text  # it loads the counting

    return Search(condition_of_text(asked.where, "where"), problems)


def nothing_found(search: Search | None) -> None:
    """Raise `PavError` if a search found none of its boards; tell how many it could not test."""
    if search is None:
        return
    counts = search.counts
    if counts.without_deal:
        note(f"{many(counts.without_deal, 'board')} without a complete deal skipped")
    if counts.boards and not counts.found:
        raise PavError(f"none of {many(counts.boards, 'board')} satisfies the condition")
