"""Text files of clubs and of Big Deal: BHG, CSV and GOE."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.boards.vulnerability import Vulnerability
from pavcodec.cards import SEAT_LETTERS, Seat
from pavcodec.errors import PavError
from pavcodec.files.text import lines
from pavcodec.formats.clubs.boards import (
    CODES,
    BoardNumbers,
    deal_of_code,
    deal_of_hands,
    deals_of,
    report,
    tagged,
)
from pavcodec.formats.plain.texts import shorten

__all__ = [
    "boards_of_rows",
    "read_bhg",
    "read_csv",
    "write_bhg",
    "write_csv",
    "write_goe",
]

_MOST_IN_BHG = 9999
_MOST_IN_CSV = 10**18 - 1
_WIDTH_OF_GOE = 38  # 29 digits and 9 commas

_FIELDS = 18
_NUMBER = re.compile("[0-9]{1,18}")
_RULES = re.compile("([NESW])/(-|NS|EW|All)")


# BHG: a line a board, after a blank line


def read_bhg(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each line of BHG; the line after the first is board 1, and so on.

    A line begins with the hand of its dealer, so it cannot be read without that number. A blank
    line is a board that the file does not have. A file whose first line is not blank has lost that
    line, and begins with board 1.
    """
    skipped = 1
    for place, line in lines(stream):
        text = line.strip(" \t\x1a")
        if place == 1 and text:
            skipped = 0
            context.problem(place, f"expected a blank first line, not {shorten(text)}")
        if not text:
            continue
        number = place - skipped
        try:
            deal = deal_of_code("bhg", text, board=number)
        except PavError as error:
            context.problem(place, str(error), str(number))
        else:
            yield tagged(deal, number, line=place)


def write_bhg(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a line of BHG for each deal and return how many. Other boards are problems.

    The first line is blank, and so is the line of each missing number.
    """
    written, last = 0, -1
    for _, deal, number in BoardNumbers("bhg", _MOST_IN_BHG, upwards=True).numbered(
        boards, context
    ):
        stream.write(b"\n" * (number - last - 1))
        stream.write(f"{CODES['bhg'].format(deal, board=number)}\n".encode())
        written, last = written + 1, number
    return written


# CSV: sixteen suits, the board, dealer and vulnerability


def read_csv(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each line of Big Deal's CSV."""
    return boards_of_rows(lines(stream), context)


def boards_of_rows(rows: Iterable[tuple[int, str]], context: Context) -> Iterator[Board]:
    """Yield the boards of rows of CSV, each with the number of its line."""
    for place, line in rows:
        text = line.strip(" \t\x1a")
        if not text:
            continue
        try:
            yield _board_of_row(text, place)
        except PavError as error:
            context.problem(place, f"{error}: {shorten(text)}")


def _board_of_row(text: str, place: int) -> Board:
    try:
        (row,) = csv.reader([text], strict=True)
    except csv.Error as error:
        raise PavError(f"this is no row of CSV, {error}") from None
    if len(row) != _FIELDS:
        raise PavError(f"a row has 16 suits, the board, and dealer/vulnerability, not {len(row)}")
    *suits, number, rules = row
    told = _RULES.fullmatch(rules)
    if not _NUMBER.fullmatch(number) or not int(number):
        raise PavError(f"{shorten(number)} is no number of a board")
    if told is None:
        raise PavError(f"dealer and vulnerability are as in 'N/-' or 'E/NS', not {shorten(rules)}")
    deal = deal_of_hands(".".join(suits[start : start + 4]) for start in range(0, 16, 4))
    made = Board.make(
        deal,
        number=int(number),
        dealer=Seat(SEAT_LETTERS.index(told[1])),
        vulnerable=Vulnerability.parse(told[2]),
    )
    return Board(deal, made.entries, line=place)


def write_csv(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a row of CSV for each deal and return how many. Other boards are problems.

    If a board has no dealer or vulnerability, it follows from the number.
    """
    written = 0
    numbers = BoardNumbers("csv", _MOST_IN_CSV, keeps_rules=True)
    for board, deal, number in numbers.numbered(boards, context):
        rules = Board.make(deal, number=number)
        told = ("Dealer", board.dealer), ("Vulnerable", board.vulnerable)
        wrong = [board.tags[name] for name, value in told if _is_odd(board, name, value)]
        if wrong:
            report(context, board, f"csv has no dealer or vulnerability {wrong[0]!r}")
            continue
        dealer = rules.dealer if board.dealer is None else board.dealer
        vulnerable = board.vulnerable or rules.vulnerable
        assert dealer is not None
        assert vulnerable is not None
        word = "-" if vulnerable is Vulnerability.NONE else vulnerable.value
        hands = deal.to_pbn()[2:].replace(" ", ".").split(".")
        row = '","'.join([*hands, str(number), f"{dealer.letter}/{word}"])
        stream.write(f'"{row}"\n'.encode())
        written += 1
    return written


def _is_odd(board: Board, name: str, value: object) -> bool:
    """Return whether a tag has a value that is not unknown and cannot be parsed."""
    return value is None and board.tags.get(name, "") not in ("", "?")


# GOE: the number of Big Deal, aligned on the right


def write_goe(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write each deal's number with commas, aligned on the right, and return how many."""
    assert context.numbering is not None, "the format names its numbering"
    written = 0
    for _, deal in deals_of(boards, context):
        stream.write(f"{context.numbering.rank(deal):>{_WIDTH_OF_GOE},}\n".encode())
        written += 1
    return written
