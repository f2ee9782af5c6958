"""Deals as the classic dealer program prints them in several lines: `printcompact`, `printall`.

`printcompact` has a hand on a line, `n S.H.D.C` and so on. `printall` has a line with the number of
the deal, four lines for the suits, each with the holdings of N E S W in columns of 20, the ranks
with blanks between and `-` for a void, and an empty line. Some versions print a title and a row of
heads; both are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from pavcodec.cards import SEAT_LETTERS, Suit
from pavcodec.errors import PavError, ReadError, TextError
from pavcodec.formats.board import Board, Context
from pavcodec.formats.deal_lines import DEALER_REPORT, board_of_hands, hands_of, write_each
from pavcodec.formats.plain import numbered_lines, shorten
from pavcodec.formats.text import lines

__all__ = [
    "looks_like_compact",
    "looks_like_printall",
    "read_compact",
    "read_printall",
    "write_compact",
    "write_printall",
]

_HAND = re.compile(r"(?i:([nesw]) ([AKQJT98765432]*(?:\.[AKQJT98765432]*){3}))")
_NUMBER = re.compile(r" *(\d{1,9})\.\s*")
_COLUMN = 20
_HOLDING = re.compile(r"-|[AKQJT98765432](?: [AKQJT98765432])*|")
_HEADS = re.compile(r"\s*North\s+East\s+South\s+West\s*", re.IGNORECASE)


def looks_like_compact(line: str) -> bool:
    """Tell whether a line is a hand of `printcompact`."""
    return _HAND.fullmatch(line.strip()) is not None


def looks_like_printall(line: str) -> bool:
    """Tell whether a line is the number above a deal of `printall`."""
    return _NUMBER.fullmatch(line) is not None


def read_compact(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each four hands N E S W."""
    hands: list[str] = []
    begin = 0
    for number, text in numbered_lines(stream, context):
        found = _HAND.fullmatch(text)
        seat = found[1].upper() if found else ""
        if hands and seat != SEAT_LETTERS[len(hands)]:
            wanted = SEAT_LETTERS[len(hands)].lower()
            context.problem(begin, f"expected the hand '{wanted} S.H.D.C' next: {shorten(text)}")
            hands = []
        if found is None:
            if not DEALER_REPORT.fullmatch(text):
                context.problem(number, f"expected a hand 'n S.H.D.C': {shorten(text)}")
            continue
        if not hands and seat != SEAT_LETTERS[0]:
            context.problem(number, f"expected a deal to begin with 'n': {shorten(text)}")
            continue
        begin = begin if hands else number
        hands.append(found[2])
        if len(hands) == len(SEAT_LETTERS):
            yield from _board(hands, begin, context)
            hands = []
    if hands:
        context.problem(begin, f"the deal ends after {len(hands)} of 4 hands")


def _board(hands: list[str], line: int, context: Context, number: str = "") -> Iterator[Board]:
    """Yield the board of four hands, or report why there is none."""
    try:
        layout = board_of_hands(hands).layout
    except TextError as error:
        context.problem(line, f"{error.message}: {shorten(' '.join(hands))}", number or None)
        return
    entries = Board.make(layout, number=int(number)).entries if number and int(number) else ()
    yield Board(layout, entries, line=line)


def write_compact(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write four lines for each deal, and return how many."""

    def text_of(board: Board) -> str:
        assert board.layout is not None
        hands = hands_of(board.layout)
        return "".join(
            f"{seat.lower()} {hand}\n" for seat, hand in zip(SEAT_LETTERS, hands, strict=True)
        )

    return write_each(boards, stream, context, text_of)


def read_printall(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each number with four lines of suits."""
    number, begin = "", 0
    rows: list[list[str]] = []
    for line, text in lines(stream):
        found = _NUMBER.fullmatch(text)
        if found is not None or not text.strip():
            if number and rows:
                context.problem(begin, f"the deal ends after {len(rows)} of 4 suits", number)
                number, rows = "", []
            if found is not None:
                number, begin = found[1], line
            continue
        if not number:
            if not _is_passed_over(text):
                context.problem(line, f"expected the number of a deal: {shorten(text)}")
            continue
        if _HEADS.fullmatch(text):
            continue
        try:
            rows.append(_holdings(text))
        except PavError as error:
            context.problem(line, f"{error}: {shorten(text)}", number)
            number, rows = "", []
            continue
        if len(rows) == len(Suit):
            hands = [".".join(suits) for suits in zip(*rows, strict=True)]
            yield from _board(hands, begin, context, number)
            number, rows = "", []
    if number and rows:
        context.problem(begin, f"the deal ends after {len(rows)} of 4 suits", number)


def _is_passed_over(text: str) -> bool:
    """Tell whether a line outside of deals is one that dealer prints, or a title."""
    return DEALER_REPORT.fullmatch(text.strip()) is not None or text.strip().isalpha()


def _holdings(text: str) -> list[str]:
    """Return the four holdings of a suit, N E S W."""
    wide = text.ljust(_COLUMN * len(SEAT_LETTERS))
    cells = [wide[place : place + _COLUMN].strip() for place in range(0, 60, _COLUMN)]
    cells.append(wide[60:].strip())  # of which the last may be longer
    if not all(_HOLDING.fullmatch(cell) for cell in cells):
        raise ReadError("expected four holdings in columns of 20, as in 'A K 3' or '-'")
    return [cell.replace(" ", "").replace("-", "") for cell in cells]


def write_printall(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a number and four lines for each deal, and return how many."""
    done = 0

    def text_of(board: Board) -> str:
        nonlocal done
        assert board.layout is not None
        hands_of(board.layout)
        done += 1
        rows = [_row([hand.suit(suit) for hand in board.layout]) for suit in Suit]
        return f"{board.number or done:4}.\n" + "".join(f"{row}\n" for row in rows) + "\n"

    return write_each(boards, stream, context, text_of)


def _row(holdings: list[str]) -> str:
    """Return a line of holdings; the last column is as wide as it has to be."""
    *first, last = map(_spaced, holdings)
    return "".join(f"{cell:<{_COLUMN}}" for cell in first) + last


def _spaced(holding: str) -> str:
    return "".join(f"{rank} " for rank in holding) or "- "
