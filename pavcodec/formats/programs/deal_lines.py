"""The output of programs that deal, one deal a line: `dealer`, Andrews' `deal`, GIB.

Each format is a pattern for the line and a function that writes it. The reader joins the hands to a
deal text, so the rules for hands are those of PBN.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from pavcodec.boards.board import Board, Tag
from pavcodec.boards.context import Context
from pavcodec.boards.tricks import RESULT_TABLE, RESULT_TABLE_COLUMNS, format_results
from pavcodec.cards import HAND_SIZE, Seat, Strain
from pavcodec.errors import PavError, ReadError, TextError
from pavcodec.files.text import lines
from pavcodec.formats.plain.texts import is_text, shorten
from pavcodec.layout import Layout, TrickTable
from pavcodec.layout.layout import describe_sizes, layout_from_owners
from pavcodec.layout.notation import parse_owners

__all__ = [
    "DEALER_REPORT",
    "LINE_FORMATS",
    "LineFormat",
    "deal_of_hands",
    "hands_of",
    "layout_of",
    "layout_of_hands",
    "read_deal_lines",
    "read_each",
    "reason_of",
    "write_deal_lines",
    "write_each",
]

_STRAINS_OF_DEAL = (Strain.SPADES, Strain.HEARTS, Strain.DIAMONDS, Strain.CLUBS, Strain.NOTRUMP)
_LEADERS_OF_GIB = (Seat.SOUTH, Seat.EAST, Seat.NORTH, Seat.WEST)
_CONTRACTS_OF_GIB = [(Seat((leader - 1) % 4), s) for s in Strain for leader in _LEADERS_OF_GIB]
_UNKNOWN = "-"
_REMARK = re.compile(r"\{[^{}]*\}")
DEALER_REPORT = re.compile(r"(Generated|Produced|Initial random seed|Time needed)\b.*")
"""The lines that dealer prints below the deals."""


@dataclass(frozen=True)
class LineFormat:
    """Reads and writes deals, one a line."""

    pattern: re.Pattern[str]
    expected: str
    """An example of a line, for messages."""
    board_of: Callable[[re.Match[str]], Board]
    text_of: Callable[[Board], str]
    """Returns the line of a board that has cards; raises `PavError` for boards that do not fit."""
    remark: re.Pattern[str] = DEALER_REPORT
    """Lines that the reader skips."""
    has_long_remarks: bool = False
    """Whether remarks in braces may be several lines long."""

    def match(self, line: str) -> re.Match[str] | None:
        """Match a line; blanks at its ends may be void suits, and may be missing."""
        texts = (line, line.strip(), f"{line} ")
        return next(filter(None, map(self.pattern.fullmatch, texts)), None)

    def parse(self, text: str) -> Board | None:
        """Return the board of a line; None for a remark."""
        found = self.match(text)
        if found is not None:
            return self.board_of(found)
        if self.remark.fullmatch(text.strip()):
            return None
        raise ReadError(f"expected {self.expected}")


def read_deal_lines(stream: BinaryIO, context: Context, *, name: str) -> Iterator[Board]:
    """Yield a board for each line of the format of a name."""
    chosen = LINE_FORMATS[name]
    found = lines(stream)
    if chosen.has_long_remarks:
        found = _without_remarks(found, context)
    return _boards_of(found, context, chosen.parse)


def write_deal_lines(
    boards: Iterable[Board], stream: BinaryIO, context: Context, *, name: str
) -> int:
    """Write a line for each board that has cards, and return how many."""
    text_of = LINE_FORMATS[name].text_of
    return write_each(boards, stream, context, lambda board: f"{text_of(board)}\n")


def read_each(
    stream: BinaryIO, context: Context, parse: Callable[[str], Board | None]
) -> Iterator[Board]:
    """Yield the board of each line; a line that `parse` refuses is a problem."""
    return _boards_of(lines(stream), context, parse)


def _without_remarks(
    found: Iterable[tuple[int, str]], context: Context
) -> Iterator[tuple[int, str]]:
    """Yield lines without the remarks in braces, which may be several lines long."""
    opened = 0
    for number, line in found:
        text = line
        if opened:
            _, brace, text = line.partition("}")
            if not brace:
                continue
            opened = 0
        text = _REMARK.sub("", text)
        if "{" in text:
            text, opened = text[: text.index("{")], number
        yield number, text
    if opened:
        context.problem(opened, "the remark opened by '{' here is not closed")


def _boards_of(
    found: Iterable[tuple[int, str]], context: Context, parse: Callable[[str], Board | None]
) -> Iterator[Board]:
    for number, text in found:
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        if not is_text(text):
            context.problem(number, "this is not text: expected one deal a line")
            return
        try:
            board = parse(text)
        except PavError as error:
            context.problem(number, f"{reason_of(error)}: {shorten(text)}")
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


def reason_of(error: PavError) -> str:
    """Return the message of an error, without the text of a `TextError`."""
    return error.message if isinstance(error, TextError) else str(error)


def layout_of_hands(hands: Iterable[str]) -> Layout:
    """Return the layout of four hands N E S W, as deal texts have them; raise `TextError`."""
    return layout_from_owners(parse_owners(f"N:{' '.join(hands)}", lenient=True))


def deal_of_hands(hands: Iterable[str]) -> Layout:
    """Return the deal of four hands N E S W; raise `PavError` for another layout."""
    return _full(layout_of_hands(hands))


def _full(layout: Layout) -> Layout:
    if not layout.is_deal:
        raise ReadError(f"a deal has {HAND_SIZE} cards in each hand; {describe_sizes(layout)}")
    return layout


def hands_of(board: Board) -> list[str]:
    """Return the hands of a deal, N E S W, with dots; raise `ReadError` unless they are full."""
    return [hand.to_pbn() for hand in _full(layout_of(board))]


def layout_of(board: Board) -> Layout:
    """Return the cards of a board that has any."""
    assert board.layout is not None, "boards without cards were left out"
    return board.layout


# the output of printoneline in dealer


def _oneline_text(board: Board) -> str:
    return "".join(f"{seat} {hand} " for seat, hand in zip("nesw", hands_of(board), strict=True))


# the output of Andrews' deal: suits with blanks between, digits, and hands with tricks


def _spaced_text(board: Board) -> str:
    return "|".join(hands_of(board)).replace(".", " ")


def _owners_of_digits(digits: str) -> bytes:
    """Return the owners of digits; a deal has the digit 0, or the digit 4."""
    first = 1 if "4" in digits else 0
    return bytes(int(digit) - first for digit in digits)


def _digits_text(board: Board) -> str:
    return "".join(map(str, _full(layout_of(board)).owners))


def _solved_board(found: re.Match[str]) -> Board:
    """Return a deal with tricks: for N E S W, each with S H D C NT."""
    parts = found[0].split("|")
    taken = {}
    for seat, group in zip(Seat, parts[len(Seat) :], strict=True):
        for strain, number in zip(_STRAINS_OF_DEAL, group.split(), strict=True):
            if int(number) > HAND_SIZE:
                raise ReadError(f"nobody takes {number} tricks")
            taken[seat, strain] = int(number)
    return Board.solved(deal_of_hands(parts[: len(Seat)]), _table(taken))


def _table(taken: dict[tuple[Seat, Strain], int]) -> TrickTable:
    return TrickTable(bytes(taken[seat, strain] for strain in Strain for seat in Seat))


def _solved_text(board: Board) -> str:
    tricks = board.tricks
    if tricks is None:
        raise ReadError("this format needs the double-dummy tricks of each deal")
    groups = [" ".join(str(tricks[seat, strain]) for strain in _STRAINS_OF_DEAL) for seat in Seat]
    return "|".join([*hands_of(board), *groups])


# GIB: hands W N E S, then the tricks of N and S by strain and leader


def _gib_board(found: re.Match[str]) -> Board:
    west, north, east, south = found["hands"].split(" ")
    layout = layout_of_hands([north, east, south, west])
    digits = found["tricks"] or _UNKNOWN * len(_CONTRACTS_OF_GIB)
    told = zip(_CONTRACTS_OF_GIB, digits, strict=True)
    taken = {
        contract: _taken(layout, contract[0], digit)
        for contract, digit in told
        if digit != _UNKNOWN
    }
    if len(taken) == len(_CONTRACTS_OF_GIB):
        return Board.solved(layout, _table(taken))
    return Board(
        layout, (Tag(RESULT_TABLE, RESULT_TABLE_COLUMNS, format_results(taken)),) if taken else ()
    )


def _taken(layout: Layout, declarer: Seat, digit: str) -> int:
    """Return the tricks of a declarer, from a digit for the tricks of North and South."""
    most, ours = _tricks_of(layout), int(digit, 16)
    if ours > most:
        raise ReadError(f"the digit {digit} is more than the {most} tricks there are")
    return ours if declarer % 2 == 0 else most - ours


def _tricks_of(layout: Layout) -> int:
    """Return how many tricks are played; raise `ReadError` for hands that are not equally long."""
    if len(set(layout.sizes)) > 1:
        raise ReadError(f"only hands of equal lengths have tricks; {describe_sizes(layout)}")
    return layout.sizes[0]


def _gib_text(board: Board) -> str:
    layout, tricks = layout_of(board), board.tricks
    north, east, south, west = (hand.to_pbn().replace(_UNKNOWN, "...") for hand in layout)
    digits = _UNKNOWN * len(_CONTRACTS_OF_GIB)
    if tricks is not None:
        digits = "".join(_gib_digit(layout, tricks, *each) for each in _CONTRACTS_OF_GIB)
    return f"{west} {north} {east} {south}:{digits}"


def _gib_digit(layout: Layout, tricks: TrickTable, declarer: Seat, strain: Strain) -> str:
    most, taken = _tricks_of(layout), tricks[declarer, strain]
    if taken > most:
        raise ReadError(f"{taken} tricks are given for hands with {most} cards")
    return f"{taken if declarer % 2 == 0 else most - taken:X}"


_HAND = r"[AKQJT98765432]*(?:\.[AKQJT98765432]*){3}"
_SUITS = r"[AKQJT98765432]*(?: [AKQJT98765432]*){3}"

LINE_FORMATS = {
    "dealer": LineFormat(
        re.compile(rf"n ({_HAND}) +e ({_HAND}) +s ({_HAND}) +w ({_HAND})"),
        "'n S.H.D.C e S.H.D.C s S.H.D.C w S.H.D.C'",
        lambda found: Board(deal_of_hands(found.groups())),
        _oneline_text,
    ),
    "deal-lines": LineFormat(
        re.compile(rf"({_SUITS})\|({_SUITS})\|({_SUITS})\|({_SUITS})"),
        "four hands with '|' between, the suits of each with blanks between",
        lambda found: Board(deal_of_hands(hand.replace(" ", ".") for hand in found.groups())),
        _spaced_text,
    ),
    "deal-digits": LineFormat(
        re.compile(r"[0-3]{52}|[1-4]{52}"),
        "52 digits from 0 to 3, or from 1 to 4",
        lambda found: Board(_full(layout_from_owners(_owners_of_digits(found[0])))),
        _digits_text,
    ),
    "deal-ddline": LineFormat(
        re.compile(rf"{_HAND}(?:\|{_HAND}){{3}}(?:\|\d{{1,2}}(?: \d{{1,2}}){{4}}){{4}}", re.ASCII),
        "four hands and four groups of five numbers, with '|' between",
        _solved_board,
        _solved_text,
    ),
    "gib": LineFormat(
        re.compile(rf"(?P<hands>{_HAND}(?: {_HAND}){{3}})(?::(?P<tricks>[0-9A-Fa-f-]{{20}})?)?"),
        "four hands W N E S, a colon and 20 hexadecimal digits",
        _gib_board,
        _gib_text,
        has_long_remarks=True,
    ),
}
"""The formats by their names."""
