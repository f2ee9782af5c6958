"""A practice set: its boards at the table, and its pages as text, HTML and PDF."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pavcodec.boards import Board, Vulnerability
from pavcodec.boards.board import Tag
from pavcodec.boards.turning import Turn, turn_layout
from pavcodec.cards import STRAIN_SIGNS, Seat, Suit
from pavcodec.errors import UnknownNameError, check_text
from pavcodec.files.opening import open_output
from pavcodec.layout import Deal, Layout
from pavcodec.layout.drawings import diagram
from pavcodec.numberings.catalogue import numbering
from pavcodec.printing.document import (
    PAPERS,
    Document,
    Hands,
    Notes,
    Paper,
    Part,
    Records,
    facts_of,
)
from pavcodec.printing.pages import WRITERS, format_of_suffix

SITUATION = "Situation"
"""The tag with the name of a board's situation."""
USUAL_BOARDS = 16
"""The boards of a set, unless another number is given."""
MOST_BOARDS = 1000
MOST_WITH_ODDS = 36
"""The most boards of a set in which each board has its own odds."""


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
        return tuple(
            Board(board.layout, commented_tags(board, notes))
            for board, notes in self.boards_with_notes
        )

    @property
    def boards_with_notes(self) -> Iterator[tuple[Board, tuple[str, ...]]]:
        """Each board, and the lines below it."""
        return zip(self.boards, self.board_notes or ((),) * len(self.boards), strict=True)


def commented_tags(board: Board, notes: Iterable[str]) -> tuple[Tag, ...]:
    """Return the tags of a board with notes as comments after its situation."""
    comment = tuple(f"{{{line}}}" for line in notes)
    return tuple(
        Tag(tag.name, tag.value, comment if tag.name == SITUATION else tag.lines)
        for tag in board.entries
    )


# Assign the hands of a condition to the seats of a board, with dealer and vulnerability.


_SEATS = len(Seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """Makes boards from the deals of a condition.

    `players` get the hands: all four, or two partners. `dealer` and `vulnerable` belong to the
    condition before rotation, and rotate with it; without them, they follow from the board number.

    With `turning`, the rotation changes from board to board. For four players, the dealer rotates
    as in tournaments; without a dealer, board 1 is not rotated. Two players exchange their seats.
    With `across`, a condition for North and South is first rotated to East and West.

    >>> seating = Seating(players=(Seat.NORTH, Seat.SOUTH), turning=True)
    >>> [seating.places(number) for number in (1, 2, 3, 4)]
    [0, 2, 0, 2]
    >>> seating = Seating(dealer=Seat.SOUTH, turning=True)
    >>> board = seating.board(1, numbering("deal")[0])
    >>> seating.places(1), board.dealer, board.vulnerable
    (2, <Seat.NORTH: 0>, <Vulnerability.NONE: 'None'>)
    """

    players: tuple[Seat, ...] = tuple(Seat)
    dealer: Seat | None = None
    vulnerable: Vulnerability | None = None
    turning: bool = False
    across: bool = False

    def places(self, number: int) -> int:
        """Return the number of places by which a board is rotated clockwise."""
        first = int(self.across)
        if not self.turning:
            return first
        if len(self.players) == _SEATS:
            return (number - 1 - (self.dealer or 0)) % _SEATS
        return first + 2 * ((number - 1) % 2)

    def describe(self) -> str:
        """Return a sentence about the rotation of the boards; "" if there is none.

        >>> Seating(dealer=Seat.EAST, turning=True).describe()
        'The table is turned: East of the condition is the dealer of each board.'
        """
        seats = ""
        if self.turning and (self.dealer is not None or len(self.players) == _SEATS):
            dealer = Seat(self.dealer or 0).name.title()
            seats = f"{dealer} of the condition is the dealer of each board"
        elif self.turning:
            seats = "on even boards partners have changed places"
        elif self.across:
            seats = "South of the condition is West, and North is East"
        return seats and f"The table is turned: {seats}."

    def board(self, number: int, deal: Deal, tags: Mapping[str, str] | None = None) -> Board:
        """Return the board of a deal; its tag `DealId` has the number of the rotated deal."""
        places = self.places(number)
        turned = turn_layout(deal, Turn.of(places))
        identity = {"DealId": f"deal:{numbering('deal').rank(turned)}"}
        return Board.make(
            turned,
            number=number,
            dealer=None if self.dealer is None else Seat((self.dealer + places) % _SEATS),
            vulnerable=self.vulnerable and Turn.of(places).sides(self.vulnerable.value),
            tags={**(tags or {}), **identity},
        )


# The pages of a practice set as text: one for each player, and the solution.


_GAP = "  "
_HEADS = ("board", "dealer", "vulnerable", *(suit.symbol for suit in Suit))
"""The heads of the columns on a player's page."""


def text_pages(practice: PracticeSet) -> str:
    """Return all pages as text, separated by form feeds."""
    pages = [_player(practice, seat) for seat in practice.players]
    pages.append(_solution(practice))
    return "\f".join("".join(f"{line}\n" for line in page) for page in pages)


def _about(board: Board) -> tuple[str, str, str, Layout]:
    """Return number, dealer, vulnerability and cards of a board of a set."""
    assert board.layout is not None
    assert board.dealer is not None
    assert board.vulnerable is not None
    return str(board.number), board.dealer.name.title(), board.vulnerable.value, board.layout


def _identity(board: Board) -> str:
    return f"deal {board.tags['DealId'].partition(':')[2]}"


def _heading(practice: PracticeSet, whose: str) -> Iterator[str]:
    yield practice.title
    yield from practice.event
    yield f"{whose}, {practice.span}"
    yield ""


def _player(practice: PracticeSet, seat: Seat) -> Iterator[str]:
    yield from _heading(practice, seat.name.title())
    rows = [_HEADS]
    for *about, layout in map(_about, practice.boards):
        rows.append((*about, *(layout[seat].suit(suit) or "-" for suit in Suit)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, *cells in rows:
        padded = map(str.ljust, cells, widths[1:])
        yield _GAP.join([number.rjust(widths[0]), *padded]).rstrip()


def _solution(practice: PracticeSet) -> Iterator[str]:
    yield from _heading(practice, "Solution")
    yield from practice.notes
    for board, notes in practice.boards_with_notes:
        number, dealer, vulnerable, layout = _about(board)
        points = _GAP.join(f"{seat.letter} {layout[seat].hcp}" for seat in Seat)
        yield ""
        yield f"Board {number}: dealer {dealer}, vulnerable {vulnerable}"
        yield from diagram(layout)
        yield f"HCP  {points}"
        yield from _tricks(board)
        yield _identity(board)
        yield from notes


def _tricks(board: Board) -> Iterator[str]:
    """Yield the lines of the tricks and of par, if the board has tricks."""
    facts = facts_of(board)
    if facts.tricks:
        rows = (" ".join((seat, *map(str, taken))) for seat, taken in facts.tricks)
        yield _GAP.join((f"tricks {' '.join(STRAIN_SIGNS)}", *rows))
        yield f"par  {facts.par}"


# The pages of a practice set as a document, for HTML and for PDF.
#
# Rule 1: Each player has a table of own hands, with room for the bidding. The tables of two players
# with at most eight boards share a sheet, to cut in the middle; a longer table fills sheets of its
# own.
# Rule 2: The solutions start a new sheet: a diagram of each board with its notes and the number of
# its deal, then the notes of the set.


_HALF_A_SHEET = 8
"""The most boards of a player for which two players share a sheet."""


def practice_document(practice: PracticeSet, paper: Paper = "a4") -> Document:
    """Return the pages of a practice set.

    >>> from pavcodec import numbering
    >>> from pavcodec.practice.sets import Seating
    >>> board = Seating().board(1, numbering("deal")[0])
    >>> document = practice_document(PracticeSet("Slams", (board,)))
    >>> [type(part).__name__ for part in document.parts]
    ['Hands', 'Records']
    """
    few = len(practice.boards) <= _HALF_A_SHEET
    span = practice.span.capitalize()
    notes = tuple((*lines, _identity(board)) for board, lines in practice.boards_with_notes)
    parts: list[Part] = [
        Hands(
            practice.boards,
            practice.players,
            heading=span,
            layout="rows",
            per_page=2 if few else 1,
        ),
        Records(practice.boards, heading=f"Solution, {practice.span}", notes=notes),
    ]
    if practice.notes:
        parts += [Notes(practice.notes, starts_page=False)]
    return Document(practice.title, tuple(parts), lines=practice.event, paper=paper)


def write_practice(
    practice: PracticeSet,
    target: str | os.PathLike[str],
    *,
    format: str | None = None,
    paper: Paper = "a4",
) -> None:
    """Write the pages of a practice set: a page for each player, and the solutions.

    The format is `format`, `pdf` or `html`, else that of the suffix. A file is complete or absent.
    Raises `UnknownNameError` for another format or paper, and `PavError` without the package typst.
    """
    if not isinstance(practice, PracticeSet):
        raise TypeError(f"a PracticeSet is written, not {type(practice).__name__!r}")
    check_text("the name of a paper", paper)
    if paper not in PAPERS:
        raise UnknownNameError(f"no paper is called {paper!r}; expected {' or '.join(PAPERS)}")
    if format is not None:
        check_text("the name of a format", format)
    kind = format or format_of_suffix(target)
    if kind not in WRITERS:
        named = repr(format or os.fspath(target))
        raise UnknownNameError(f"pages are written as pdf or html, not as {named}: name the format")
    data = WRITERS[kind](practice_document(practice, paper))
    with open_output(target) as stream:
        stream.write(data)
