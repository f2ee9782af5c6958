"""Diagrams of plain text, as people and programs draw them, read and written.

North is at the top, then West and East side by side, then South: twelve lines. Each holding follows
the sign of its suit, which may be ♠ ♥ ♦ ♣, S H D C, or `?` if a program could not print it; then
the order determines the suits. A void is `-` or empty.

    Board 7
                    ♠ 9742
                    ♥ Q2
                    ♦ AKT4
                    ♣ 832
    ♠ KQJ5                          ♠ 3
    ...
    South deals, all vulnerable

The reader parses lines between diagrams with the number of the board, the dealer, the
vulnerability, the contract or the double-dummy tricks, and skips all other lines. Lines below a
diagram, up to the next number, belong to its board.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from textwrap import wrap
from typing import BinaryIO, NoReturn

from pavcodec.boards.board import Board, Context, Vulnerability, caption_of
from pavcodec.cards import HAND_SIZE, SEAT_LETTERS, STRAIN_SIGNS, Seat, Strain, Suit
from pavcodec.errors import ReadError, TextError
from pavcodec.files.text import lines
from pavcodec.formats.plain.lines import layout_of_hands, write_each
from pavcodec.formats.plain.texts import is_text, shorten
from pavcodec.layout import TrickTable
from pavcodec.layout.drawings import Caption, diagram, svg_diagrams
from pavcodec.printing.document import VOID, Document, facts_of
from pavcodec.printing.pages import board_document

_MOST = 200
"""The longest line that is parsed; no diagram is wider."""
_SIGNS = ("♠♤S?", "♥♡H?", "♦♢D?", "♣♧C?")
_HOLDING = r"([♠♤♥♡♦♢♣♧SHDC?])[: ]? *((?:10|[AKQJT98765432])*|[-–—]+)"
_ONE = re.compile(rf"\s*{_HOLDING}\s*")
_TWO = re.compile(rf"\s*{_HOLDING}\s+{_HOLDING}\s*")
_NUMBER = re.compile(r"\s*(?:Board|Deal)\b:? *(?:no\.?)? *([0-9]{1,9})\b.*", re.IGNORECASE)
_DEALER = re.compile(r"\b(North|East|South|West) deals\b|\bdealer:? *(\w+)", re.IGNORECASE)
_WHO = r"(none|all|both|NS|EW|N-S|E-W|love)\b"
_VULNERABLE = re.compile(rf"\b{_WHO}:? +vul|\bvul\w*:? *{_WHO}", re.IGNORECASE)
_SIDES = {
    "none": Vulnerability.NONE,
    "love": Vulnerability.NONE,
    "all": Vulnerability.ALL,
    "both": Vulnerability.ALL,
    "ns": Vulnerability.NS,
    "ew": Vulnerability.EW,
}
_CONTRACT = re.compile(
    r"contract ([1-7](?:[SHDC]|NT)X{0,2})(?: by ([NESW]))?(?:, ([0-9]|1[0-3]) tricks)?"
)
_STRAINS = " ".join(f"{strain.letters}([0-9]|1[0-3])" for strain in Strain)
_TRICKS = re.compile(rf"\b([NESW]) {_STRAINS}\b")
_HEADS = {"N": Strain.NOTRUMP}
_HEADS |= {head: strain for strain in Strain for head in (strain.letters, STRAIN_SIGNS[strain])}
_ROW = re.compile(r"\s*([NESW])(?:\s+(?:[0-9]|1[0-3])){5}\s*")
_ROWS = 3 * len(Suit)
_ENDS = re.compile(rf"[\s=_*~-]*|{_NUMBER.pattern}", re.IGNORECASE)
"""Lines that are no damaged row, so that a diagram may follow them."""


@dataclass
class _Diagram:
    """The parts of a diagram so far, and the tags of its board."""

    rows: list[tuple[str, ...]] = field(default_factory=list)
    line: int = 0
    number: int | None = None
    dealer: Seat | None = None
    vulnerable: Vulnerability | None = None
    tags: dict[str, str] = field(default_factory=dict)
    heads: list[Strain] = field(default_factory=list)
    """The columns of a table of tricks."""
    taken: dict[Seat, list[int]] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether all rows are there."""
        return len(self.rows) == _ROWS

    def is_cut_by(self, text: str) -> bool:
        """Return whether a line without holdings is an error here; a blank line is none."""
        may_come = self.is_whole or (len(self.rows) % len(Suit) == 0 and not text.strip())
        return bool(self.rows) and not may_come

    def wants(self, text: str) -> tuple[str, ...] | None:
        """Return the holdings of a line that is valid at this place."""
        block, row = divmod(len(self.rows) % _ROWS, len(Suit))
        match = (_TWO if block == 1 else _ONE).fullmatch(text)
        if match is None or any(sign not in _SIGNS[row] for sign in match.groups()[::2]):
            return None
        return tuple(holding.strip("-–—") for holding in match.groups()[1::2])

    def take(self, text: str) -> None:
        """Store the tags of a line."""
        if match := _DEALER.search(text):
            letter = (match[1] or match[2])[0].upper()
            self.dealer = Seat(SEAT_LETTERS.index(letter)) if letter in SEAT_LETTERS else None
        if match := _VULNERABLE.search(text):
            self.vulnerable = _SIDES[(match[1] or match[2]).lower().replace("-", "")]
        if match := _CONTRACT.fullmatch(text.strip()):
            values = zip(("Contract", "Declarer", "Result"), match.groups(), strict=True)
            self.tags |= {name: value for name, value in values if value is not None}
        elif text.strip() == "passed out":
            self.tags |= {"Contract": "Pass"}
        self._take_tricks(text)

    def _take_tricks(self, text: str) -> None:
        """Store the tricks of a line: the head or a row of a table, or those of two seats."""
        words = text.split()
        strains = [_HEADS[word] for word in words if word in _HEADS]
        if len(strains) == len(set(strains)) == len(Strain):
            self.heads = strains
        elif self.heads and (row := _ROW.fullmatch(text)):
            taken = dict(zip(self.heads, map(int, words[1:]), strict=True))
            self.taken[Seat.of(row[1])] = [taken[strain] for strain in Strain]
        for seat, *old in _TRICKS.findall(text):
            self.taken[Seat.of(seat)] = list(map(int, old))

    def board(self, context: Context) -> Iterator[Board]:
        """Yield the board of a complete diagram; report an incomplete one."""
        north, middle, south = (self.rows[begin : begin + 4] for begin in (0, 4, 8))
        west, east = zip(*middle, strict=True)
        suits = [[suit for (suit,) in north], east, [suit for (suit,) in south], west]
        hands = list(map(".".join, suits))
        try:
            layout = layout_of_hands(hands)
        except TextError as error:
            context.problem(self.line, f"{error.message}: {shorten(' '.join(hands))}")
            return
        board = Board.make(
            layout,
            number=self.number,
            dealer=self.dealer,
            vulnerable=self.vulnerable,
            tags=self.tags,
            tricks=self._tricks(),
        )
        yield Board(layout, board.entries, line=self.line)

    def _tricks(self) -> TrickTable | None:
        if len(self.taken) < len(Seat) or max(map(max, self.taken.values())) > HAND_SIZE:
            return None
        return TrickTable(bytes(self.taken[seat][strain] for strain in Strain for seat in Seat))


def read_diagrams(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each diagram; one that is not whole is a problem."""
    now = _Diagram()  # a complete diagram waits for the lines below it
    is_lost = False  # after damage, up to a line without cards
    for line, whole in lines(stream):
        text = whole[:_MOST]
        if not is_text(whole):
            context.problem(line, "this is not text: expected diagrams")
            return
        if is_lost and (_ONE.fullmatch(text) or _TWO.fullmatch(text)):
            continue
        holdings = now.wants(text)
        if holdings is not None:
            if now.is_whole:
                yield from now.board(context)
                now = _Diagram()
            now.line = line if not now.rows else now.line
            now.rows.append(holdings)
            continue
        is_lost = False
        if now.is_cut_by(text):
            _report(now, context, text)
            now, is_lost = _Diagram(), not _ENDS.fullmatch(text)
        if number := _NUMBER.fullmatch(text):
            if now.is_whole:
                yield from now.board(context)
            now = _Diagram(number=int(number[1]) or None)
        now.take(text)
    if now.is_whole:
        yield from now.board(context)
    elif now.rows:
        _report(now, context, None)


def _report(now: _Diagram, context: Context, text: str | None) -> None:
    """Report that a diagram is not whole; `text` is the line after it, None at the end."""
    end = "end" if text is None else f"line {shorten(text)}"
    number = str(now.number) if now.number else None
    reason = f"a diagram has {_ROWS} lines; after {len(now.rows)} comes the {end}"
    context.problem(now.line, reason, number)


def write_diagrams(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a diagram of each board that has cards, and return how many."""
    return write_each(boards, stream, context, lambda board: "\n".join([*drawing_of(board), ""]))


def drawing_of(board: Board) -> list[str]:
    """Return the lines of a diagram with its caption; the last line is empty."""
    assert board.layout is not None
    caption = caption_of(board)
    heading = [caption.heading] if caption.heading else []
    return [*heading, *diagram(board.layout), *caption.notes, *caption.table_lines, ""]


# Pages of boards in HTML and PDF, and pictures in SVG.
#
# They are written and not read. HTML and SVG need no scripts, fonts or other files, follow the
# screen's choice of light or dark, and print black on white.


_WIDEST = 56
"""The most characters of a line below a picture."""


def write_html(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write hand records of the boards that have cards; return how many boards there were."""
    from pavcodec.printing.html import html_lines

    all_boards = list(boards)
    stream.writelines(line.encode() for line in html_lines(_document(all_boards, context)))
    return len(all_boards)


def write_pdf(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write hand records of the boards that have cards; return how many boards there were.

    Raises `PavError` without the package typst, and for too many boards.
    """
    from pavcodec.printing.pages import MOST_BOARDS, check_pdf, pdf_document

    check_pdf()
    first_boards = list(islice(boards, MOST_BOARDS + 1))
    stream.write(pdf_document(_document(first_boards, context)))
    return len(first_boards)


def _document(boards: list[Board], context: Context) -> Document:
    with_cards = [board for board in boards if board.layout is not None]
    return board_document(with_cards, title=context.title)


def write_svg(boards: Iterable[Board], stream: BinaryIO, _context: Context) -> int:
    """Write a picture of the boards that have cards; return how many boards there were."""
    all_boards = list(boards)
    pictures = [(board.layout, _caption(board)) for board in all_boards if board.layout is not None]
    stream.write(svg_diagrams(pictures).encode())
    return len(all_boards)


def _caption(board: Board) -> Caption:
    """Return the caption of a picture, with the makeable contracts and par."""
    caption, facts = caption_of(board), facts_of(board)
    makes = [f"{pair} {' '.join(contracts) or VOID}" for pair, contracts in facts.makeable]
    more = [f"Makes  {'  '.join(makes)}"] if makes else []
    more += [f"Par  {facts.par}"] if facts.par else []
    lines = (line for text in more for line in wrap(text, _WIDEST))
    return replace(caption, notes=(*caption.notes, *lines))


def read_page(_stream: BinaryIO, context: Context) -> NoReturn:
    """Refuse a page: its diagrams are for people."""
    raise ReadError(f"{context.source}: pages of HTML, PDF and SVG are written, and not read")
