"""The model of printed pages: a document and its parts, independent of HTML and PDF.

A document is a title, some lines below it, and parts. `html_document` and `pdf_document` write the
same document as a web page and as a PDF file.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import Literal

from pavcodec.boards.board import UNKNOWN, Board
from pavcodec.boards.par import BOOK, PAIRS, par
from pavcodec.cards import HAND_SIZE, STRAIN_SIGNS, Seat, Strain, Suit
from pavcodec.layout import Layout, TrickTable

Paper = Literal["a4", "letter"]
RecordLayout = Literal["records", "large", "single"]
HandLayout = Literal["curtain", "slips", "rows"]

PAPERS: tuple[Paper, ...] = ("a4", "letter")
RECORD_LAYOUTS: tuple[RecordLayout, ...] = ("records", "large", "single")
HAND_LAYOUTS: tuple[HandLayout, ...] = ("curtain", "slips", "rows")


_NUMBER = re.compile(r"|[+−-]?[0-9][0-9., ]*%?|[–-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a document: an optional heading, and whether it starts a new page."""

    heading: str = ""
    starts_page: bool = True
    """Whether the part starts a new page; the first part of a document never makes a blank page."""


@dataclass(frozen=True, slots=True)
class Records(Part):
    """Diagrams of boards: `records` for 18 to 24 on a page, `large` print, or a `single` one.

    Without `solutions` only the cards, the dealer and the vulnerability are printed. Each board may
    have `notes`, lines of text below its diagram: an empty tuple, or as many as there are boards.
    A board without cards is printed with its number only.
    """

    boards: tuple[Board, ...]
    layout: RecordLayout = "records"
    solutions: bool = True
    notes: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Hands(Part):
    """The hands of some seats, each hand alone, for players who must not see the other hands.

    `curtain` makes a card for each hand, the seats of a board beside each other, with cut lines;
    `slips` make a sheet of narrow slips for each seat, with cut lines; `rows` make a table for each
    seat, a row for each board, with an empty column of the name `space` to write in. Up to
    `per_page` tables of `rows` share a page and fill it; `points` adds the high-card points. Each
    board may have `notes`, printed in its row.
    """

    boards: tuple[Board, ...]
    seats: tuple[Seat, ...] = tuple(Seat)
    layout: HandLayout = "curtain"
    points: bool = False
    space: str = "Bidding"
    per_page: int = 1
    notes: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Table(Part):
    """A table of texts: the heads of the columns, the rows, and a caption.

    The first cell of each row is the head of the row. `align` has a letter for each column, `l`,
    `c` or `r`; the default is `l` for the first column and `r` for the columns of numbers.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    align: str = ""

    @property
    def alignment(self) -> str:
        """The letter of each column."""
        if self.align:
            return self.align
        columns = [[row[index] for row in self.rows] for index in range(len(self.heads))]
        return "".join(
            "r" if index and all(map(_NUMBER.fullmatch, cells)) else "l"
            for index, cells in enumerate(columns)
        )


@dataclass(frozen=True, slots=True)
class Notes(Part):
    """Paragraphs of text; with `fixed` in a font of fixed width, for hashes and commands."""

    paragraphs: tuple[str, ...]
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """Pages to print: a title, `lines` below it, the parts, and the footer of each page.

    `lines` are facts of the event, such as its site, its date and its session. `footer` is a text
    such as a seed or a proof; the number of the page follows it. `code` is the text of a QR code in
    the footer, "" for none.

    >>> Document("Club night", (Notes(("Welcome.",)),), lines=("24 November 2026",)).paper
    'a4'
    """

    title: str
    parts: tuple[Part, ...]
    lines: tuple[str, ...] = ()
    footer: str = ""
    code: str = ""
    paper: Paper = "a4"


# The facts of a board on a page, computed once for every kind of page.


VOID = "–"

_MINUS = "−"
_SCORE = re.compile(r"(NS|EW) ([+-]?)([0-9]{1,5})")
_CONTRACT = re.compile(r"(NS|EW|[NESW]) ([1-7])(NT?|[SHDC])(X{0,2})(=|[+-][0-9]{1,2})?")


@dataclass(frozen=True, slots=True)
class HandFacts:
    """A hand: its seat, the ranks of each suit (a dash for a void), and its high-card points."""

    seat: Seat
    suits: tuple[str, str, str, str]
    hcp: int


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """The facts of a board as texts; empty where they are unknown."""

    number: str
    dealer: str
    vulnerable: str
    """NS, EW, All or None; "" if it is unknown."""
    hands: tuple[HandFacts, ...]
    """North, East, South and West; none for a board without cards."""
    tricks: tuple[tuple[str, tuple[int, ...]], ...]
    """The tricks of N, S, E and W with NT S H D C; none if they are unknown."""
    makeable: tuple[tuple[str, tuple[str, ...]], ...]
    """The highest contracts of NS and EW, as `4♠`, or `3/2♠` where the partners differ."""
    par_score: str
    par_contracts: tuple[str, ...]

    @property
    def title(self) -> str:
        """The heading of the board."""
        return f"Board {self.number}" if self.number else "Board"

    @property
    def par(self) -> str:
        """The par score with its contracts, in one line."""
        return ": ".join(filter(None, (self.par_score, ", ".join(self.par_contracts))))


def facts_of(board: Board) -> BoardFacts:
    """Return the facts of a board.

    Par is that of the tags OptimumScore and ParContract; without them, that of the tricks.

    >>> from pavcodec import numbering
    >>> tricks = TrickTable(bytes([7, 5, 7, 5] + [10, 3, 10, 3] + [5, 8, 5, 8] * 3))
    >>> facts = facts_of(Board.make(numbering("deal")[0], number=1, tricks=tricks))
    >>> facts.title, facts.makeable, facts.par
    ('Board 1', (('NS', ('4♠', '1NT')), ('EW', ('2♣', '2♦', '2♥'))), 'NS +420: 4♠ NS =')
    """
    number = board.tags.get("Board", "").strip()
    score, contracts = _par(board)
    return BoardFacts(
        number="" if number in UNKNOWN else number,
        dealer="" if board.dealer is None else board.dealer.letter,
        vulnerable="" if board.vulnerable is None else board.vulnerable.value,
        hands=() if board.layout is None else tuple(_hand(board.layout, seat) for seat in Seat),
        tricks=() if board.tricks is None else tuple(_rows(board.tricks)),
        makeable=_makeable(board),
        par_score=score,
        par_contracts=contracts,
    )


def _hand(layout: Layout, seat: Seat) -> HandFacts:
    hand = layout[seat]
    spades, hearts, diamonds, clubs = (hand.suit(suit) or VOID for suit in Suit)
    return HandFacts(seat, (spades, hearts, diamonds, clubs), hand.hcp)


def _rows(tricks: TrickTable) -> list[tuple[str, tuple[int, ...]]]:
    seats = [seat for pair in PAIRS.values() for seat in pair]
    return [(seat.letter, tuple(tricks[seat, strain] for strain in Strain)) for seat in seats]


def _is_deal(board: Board) -> bool:
    """Return whether each hand has 13 cards, as far as the cards are known."""
    layout = board.layout
    return layout is None or all(len(layout[seat]) == HAND_SIZE for seat in Seat)


def _makeable(board: Board) -> tuple[tuple[str, tuple[str, ...]], ...]:
    tricks = board.tricks
    if tricks is None or not _is_deal(board):
        return ()
    makeable = []
    for pair, seats in PAIRS.items():
        contracts = []
        for strain in reversed(Strain):
            levels = [max(0, tricks[seat, strain] - BOOK) for seat in seats]
            texts = [str(level) if level else VOID for level in levels]
            if any(levels):
                level = texts[0] if len(set(texts)) == 1 else "/".join(texts)
                contracts.append((max(levels), level + STRAIN_SIGNS[strain]))
        contracts.sort(key=lambda contract: -contract[0])
        makeable.append((pair, tuple(text for _, text in contracts)))
    return tuple(makeable)


def _par(board: Board) -> tuple[str, tuple[str, ...]]:
    """Return the par score and the par contracts, from the tags or from the tricks."""
    computed = _computed_par(board)
    told = _SCORE.fullmatch(board.tags.get("OptimumScore", "").strip())
    if told is None:
        return computed
    contracts = (text.strip() for text in board.tags.get("ParContract", "").split(";"))
    matches = [match for text in contracts if (match := _CONTRACT.fullmatch(text))]
    score = _score(int(told[2] + told[3]) * (1 if told[1] == "NS" else -1))
    if not matches and score == computed[0]:
        return computed
    return score, tuple(map(_contract, matches))


def _computed_par(board: Board) -> tuple[str, tuple[str, ...]]:
    dealer, vulnerable, tricks = board.dealer, board.vulnerable, board.tricks
    if dealer is None or vulnerable is None or tricks is None or not _is_deal(board):
        return "", ()
    best = par(tricks, dealer, vulnerable)
    if not best.contracts:
        return "0", ("all pass",)
    matches = (_CONTRACT.fullmatch(str(contract)) for contract in best.contracts)
    return _score(best.score), tuple(_contract(match) for match in matches if match)


def _score(score: int) -> str:
    """Return the score of the side that wins points."""
    return f"{'NS' if score > 0 else 'EW'} +{abs(score)}" if score else "0"


def _contract(match: re.Match[str]) -> str:
    """Return a contract of ParContract with signs, as `4♠X NS −1`."""
    declarers, level, strain, doubled, over = match.groups()
    sign = STRAIN_SIGNS[Strain.parse(strain)]
    result = f" {over.replace('-', _MINUS)}" if over else ""
    return f"{level}{sign}{doubled} {declarers}{result}"


# QR codes as SVG, through the package segno.


_MODULE = 0.36
"""The width of a module in millimetres that telephones can still read."""
_SMALLEST = 11.0
_QUIET = 2
"""The modules of white around a code; the page around it is white too."""


def qr_code(text: str) -> str:
    """Return a QR code of a text as SVG; "" for an empty text."""
    if not text:
        return ""
    import segno

    stream = io.BytesIO()
    segno.make_qr(text, error="l").save(
        stream,
        kind="svg",
        border=_QUIET,
        xmldecl=False,
        svgclass=None,
        lineclass=None,
        omitsize=True,
    )
    return stream.getvalue().decode().strip()


def code_millimetres(text: str) -> float:
    """Return the width of a QR code on paper, in millimetres."""
    import segno

    modules, _ = segno.make_qr(text, error="l").symbol_size(border=_QUIET)
    return max(_SMALLEST, float(modules) * _MODULE)
