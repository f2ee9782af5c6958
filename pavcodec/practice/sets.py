"""A practice set, and the facts of each board on its pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pavcodec.boards import Board, Vulnerability
from pavcodec.boards.board import Tag
from pavcodec.boards.turning import Turn, turn_layout
from pavcodec.cards import STRAIN_SIGNS, Seat, Suit
from pavcodec.layout import Deal, Layout
from pavcodec.layout.drawings import diagram
from pavcodec.numberings.catalogue import numbering
from pavcodec.printing.document import Document, Hands, Notes, Paper, Part, Records, facts_of

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
        boards = []
        for board, notes in self.boards_with_notes:
            comment = tuple(f"{{{line}}}" for line in notes)
            tags = (
                Tag(tag.name, tag.value, comment if tag.name == SITUATION else tag.lines)
                for tag in board.entries
            )
            boards.append(Board(board.layout, tuple(tags)))
        return tuple(boards)

    @property
    def boards_with_notes(self) -> Iterator[tuple[Board, tuple[str, ...]]]:
        """Each board, and the lines below it."""
        return zip(self.boards, self.board_notes or ((),) * len(self.boards), strict=True)


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


def text_pages(practice: PracticeSet) -> str:
    """Return all pages as text, separated by form feeds."""
    facts = [Facts.of(board) for board in practice.boards]
    pages = [_player(practice, seat, facts) for seat in practice.players]
    pages.append(_solution(practice, facts))
    return "\f".join("".join(f"{line}\n" for line in page) for page in pages)


def _heading(practice: PracticeSet, whose: str) -> Iterator[str]:
    yield practice.title
    yield from practice.event
    yield f"{whose}, {practice.span}"
    yield ""


def _player(practice: PracticeSet, seat: Seat, facts: Sequence[Facts]) -> Iterator[str]:
    yield from _heading(practice, seat.name.title())
    rows = [HEADS, *(board.row(seat) for board in facts)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, *cells in rows:
        padded = map(str.ljust, cells, widths[1:])
        yield _GAP.join([number.rjust(widths[0]), *padded]).rstrip()


def _solution(practice: PracticeSet, facts: Sequence[Facts]) -> Iterator[str]:
    yield from _heading(practice, "Solution")
    yield from practice.notes
    for (board, notes), known in zip(practice.boards_with_notes, facts, strict=True):
        points = _GAP.join(f"{seat.letter} {known.layout[seat].hcp}" for seat in Seat)
        yield ""
        yield f"Board {known.number}: dealer {known.dealer}, vulnerable {known.vulnerable}"
        yield from diagram(known.layout)
        yield f"HCP  {points}"
        yield from _tricks(board)
        yield f"deal {known.identity}"
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
    notes = tuple(
        (*lines, f"deal {Facts.of(board).identity}") for board, lines in practice.boards_with_notes
    )
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
