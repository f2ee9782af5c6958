"""What the programs that deal print, one deal a line: `dealer`, Andrews' `deal`, GIB.

Each is a pattern for the line and a way to write it. The hands are put together as a deal text, so
that all of them are read, and refused, as PBN is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from pavcodec.cards import HAND_SIZE, Seat, Strain
from pavcodec.errors import PavError, ReadError, TextError
from pavcodec.formats.board import Board, Context
from pavcodec.formats.plain import is_text, shorten
from pavcodec.formats.text import lines
from pavcodec.layout import Layout, TrickTable
from pavcodec.layout.layout import wrap
from pavcodec.layout.notation import parse_owners

__all__ = [
    "DEALER_REPORT",
    "LINE_FORMATS",
    "LineFormat",
    "board_of_hands",
    "hands_of",
    "read_each",
    "write_each",
]

_STRAINS_OF_DEAL = (Strain.SPADES, Strain.HEARTS, Strain.DIAMONDS, Strain.CLUBS, Strain.NOTRUMP)
_LEADERS_OF_GIB = (Seat.SOUTH, Seat.EAST, Seat.NORTH, Seat.WEST)
_WNES = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
DEALER_REPORT = re.compile(r"(Generated|Produced|Initial random seed|Time needed)\b.*")
"""What dealer prints below the deals."""


@dataclass(frozen=True)
class LineFormat:
    """Reads and writes deals, one a line."""

    pattern: re.Pattern[str]
    expected: str
    """What a line looks like, for a message."""
    board_of: Callable[[re.Match[str]], Board]
    text_of: Callable[[Board], str]
    """Returns the line of a board that has cards; raises `PavError` for what it cannot tell."""

    def looks_like(self, line: str) -> bool:
        """Tell whether a line is one of this format."""
        return self._match(line) is not None

    def read(self, stream: BinaryIO, context: Context) -> Iterator[Board]:
        """Yield a board for each line."""
        return read_each(stream, context, self._parse)

    def write(self, boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
        """Write a line for each board that has cards, and return how many."""
        return write_each(boards, stream, context, lambda board: f"{self.text_of(board)}\n")

    def _match(self, line: str) -> re.Match[str] | None:
        """Match a line; blanks at its ends may be void suits, and may have got lost."""
        texts = (line, line.strip(), f"{line} ")
        return next(filter(None, map(self.pattern.fullmatch, texts)), None)

    def _parse(self, text: str) -> Board | None:
        found = self._match(text)
        if found is None:
            if DEALER_REPORT.fullmatch(text.strip()):
                return None
            raise ReadError(f"expected {self.expected}")
        return self.board_of(found)


def read_each(
    stream: BinaryIO, context: Context, parse: Callable[[str], Board | None]
) -> Iterator[Board]:
    """Yield the board of each line; what `parse` refuses is a problem."""
    for number, text in lines(stream):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        if not is_text(text):
            context.problem(number, "this is not text: expected one deal a line")
            return
        try:
            board = parse(text)
        except PavError as error:
            reason = error.message if isinstance(error, TextError) else str(error)
            context.problem(number, f"{reason}: {shorten(text)}")
            continue
        if board is not None:
            yield Board(board.layout, board.entries, line=number)


def write_each(
    boards: Iterable[Board], stream: BinaryIO, context: Context, text_of: Callable[[Board], str]
) -> int:
    """Write the text of each board that has cards; one that cannot be written is a problem."""
    written = 0
    for board in boards:
        if board.layout is None:
            continue
        try:
            text = text_of(board)
        except PavError as error:
            context.problem(board.line, f"{error}: '{board.layout}'", board.tags.get("Board"))
            continue
        stream.write(text.encode())
        written += 1
    return written


def board_of_hands(hands: Iterable[str], tricks: TrickTable | None = None) -> Board:
    """Return the board of four hands N E S W, as deal texts have them; `TextError` for no cards."""
    layout = wrap(parse_owners(f"N:{' '.join(hands)}", lenient=True))
    return Board(layout) if tricks is None else Board.make(layout, tricks=tricks)


def hands_of(layout: Layout) -> list[str]:
    """Return the hands of a deal, N E S W, with dots; raise `ReadError` unless they are full."""
    if not layout.is_deal:
        raise ReadError("only complete deals can be written in this format")
    return [hand.to_pbn() for hand in layout]


def _deal_of(board: Board) -> Layout:
    assert board.layout is not None
    return board.layout


_HAND = r"[AKQJT98765432]*(?:\.[AKQJT98765432]*){3}"
_SUITS = r"[AKQJT98765432]*(?: [AKQJT98765432]*){3}"


def _oneline_text(board: Board) -> str:
    hands = hands_of(_deal_of(board))
    return "".join(f"{seat} {hand} " for seat, hand in zip("nesw", hands, strict=True))


def _spaced_text(board: Board) -> str:
    return "|".join(hands_of(_deal_of(board))).replace(".", " ")


def _digits_board(found: re.Match[str]) -> Board:
    layout = wrap(bytes(map(int, found[0])))
    if not layout.is_deal:
        sizes = ", ".join(map(str, layout.sizes))
        raise ReadError(f"the digits give N, E, S and W {sizes} cards, expected 13 each")
    return Board(layout)


def _digits_text(board: Board) -> str:
    hands_of(_deal_of(board))
    return "".join(map(str, _deal_of(board).owners))


def _solved_board(found: re.Match[str]) -> Board:
    """Return a deal with tricks: for N E S W, each with S H D C NT."""
    hands = found[0].split("|")[:4]
    by_seat = [list(map(int, group.split())) for group in found[0].split("|")[4:]]
    if any(taken > HAND_SIZE for group in by_seat for taken in group):
        raise ReadError(f"nobody takes more than {HAND_SIZE} tricks")
    taken = {(s, _STRAINS_OF_DEAL[i]): n for s in Seat for i, n in enumerate(by_seat[s])}
    return board_of_hands(hands, _table(taken))


def _table(taken: dict[tuple[Seat, Strain], int]) -> TrickTable:
    return TrickTable(bytes(taken[seat, strain] for strain in Strain for seat in Seat))


def _solved_text(board: Board) -> str:
    hands = hands_of(_deal_of(board))
    tricks = _tricks_of(board)
    groups = [" ".join(str(tricks[seat, strain]) for strain in _STRAINS_OF_DEAL) for seat in Seat]
    return "|".join([*hands, *groups])


def _tricks_of(board: Board) -> TrickTable:
    if board.tricks is None:
        raise ReadError("this format needs the double-dummy tricks of each deal")
    return board.tricks


def _gib_board(found: re.Match[str]) -> Board:
    """Return a deal of GIB: hands W N E S, then the tricks of N and S by strain and leader."""
    west, north, east, south = found["hands"].split()
    digits = found["tricks"]
    tricks = None
    if "-" not in digits:
        tricks = _table(dict(_gib_tricks(digits)))
    return board_of_hands([north, east, south, west], tricks)


def _gib_tricks(digits: str) -> Iterator[tuple[tuple[Seat, Strain], int]]:
    for place, digit in enumerate(digits):
        strain, leader = divmod(place, len(Seat))
        declarer = Seat((_LEADERS_OF_GIB[leader] - 1) % len(Seat))
        ours = int(digit, 16)
        if ours > HAND_SIZE:
            raise ReadError(f"nobody takes {ours} tricks, as the digit {digit} says")
        yield (declarer, Strain(strain)), ours if declarer % 2 == 0 else HAND_SIZE - ours


def _gib_text(board: Board) -> str:
    north, east, south, west = hands_of(_deal_of(board))
    digits = "-" * (len(Strain) * len(Seat))
    if board.tricks is not None:
        digits = "".join(
            _gib_digit(board.tricks, s, each) for s in Strain for each in _LEADERS_OF_GIB
        )
    return f"{west} {north} {east} {south}:{digits}"


def _gib_digit(tricks: TrickTable, strain: Strain, leader: Seat) -> str:
    declarer = Seat((leader - 1) % len(Seat))
    taken = tricks[declarer, strain]
    return f"{taken if declarer % 2 == 0 else HAND_SIZE - taken:X}"


LINE_FORMATS = {
    "dealer": LineFormat(
        re.compile(rf"n ({_HAND}) +e ({_HAND}) +s ({_HAND}) +w ({_HAND})"),
        "'n S.H.D.C e S.H.D.C s S.H.D.C w S.H.D.C'",
        lambda found: board_of_hands(found.groups()),
        _oneline_text,
    ),
    "deal-lines": LineFormat(
        re.compile(rf"({_SUITS})\|({_SUITS})\|({_SUITS})\|({_SUITS})"),
        "four hands with '|' between, the suits of each with blanks between",
        lambda found: board_of_hands(hand.replace(" ", ".") for hand in found.groups()),
        _spaced_text,
    ),
    "deal-digits": LineFormat(
        re.compile(r"[0-3]{52}"), "52 digits from 0 to 3", _digits_board, _digits_text
    ),
    "deal-ddline": LineFormat(
        re.compile(rf"{_HAND}(?:\|{_HAND}){{3}}(?:\|\d+(?: \d+){{4}}){{4}}"),
        "four hands and four groups of five numbers, with '|' between",
        _solved_board,
        _solved_text,
    ),
    "gib": LineFormat(
        re.compile(rf"(?P<hands>{_HAND}(?: {_HAND}){{3}}):(?P<tricks>[0-9A-Fa-f-]{{20}})"),
        "four hands W N E S, a colon and 20 hexadecimal digits",
        _gib_board,
        _gib_text,
    ),
}
"""The formats by their names."""
