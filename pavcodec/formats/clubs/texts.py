"""Text files of clubs and of Big Deal: BHG, CSV and GOE."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

from pavcodec.boards.board import Board, Context, Vulnerability
from pavcodec.cards import HAND_SIZE, Seat
from pavcodec.codes import CARD_CODES
from pavcodec.errors import LayoutError, PavError, ReadError, RecordError, TextError
from pavcodec.files.text import lines
from pavcodec.formats.plain.texts import shorten
from pavcodec.layout import Deal
from pavcodec.layout.layout import describe_sizes
from pavcodec.records.files import split_records

# Functions shared by the formats of clubs and dealing machines: deals, board numbers, and frames.
#
# Such a file holds only deals. Only CSV has dealer and vulnerability; in other files they follow
# from the board number, and are unknown without one.


CODES = {code.name: code for code in CARD_CODES}
"""The texts of deals by name, as in `pavcodec.codes`."""


def frame(name: str) -> Any:
    """Return the declaration of a frame by its name; this loads construct."""
    from pavcodec.records.declarations import FRAMES

    return FRAMES[name]


def deal_of_code(name: str, text: str, *, board: int | None = None) -> Deal:
    """Return the deal of a text in a code; raise `PavError` with the text if it has no deal."""
    try:
        return CODES[name].parse(text, board=board)
    except TextError as error:
        raise PavError(error.message) from None
    except LayoutError as error:
        raise LayoutError(f"{error}: {shorten(text)}") from None


def deal_of_hands(hands: Iterable[str]) -> Deal:
    """Return the deal of four hands N E S W of PBN; raise `PavError` for hands that are no deal.

    >>> deal_of_hands(["AKQJT98765432...", ".AKQJT98765432..", "..AKQJT98765432.", "..."])["E"].hcp
    Traceback (most recent call last):
    ...
    pavcodec.errors.PavError: a deal has 13 cards in each hand; here N holds 13, E 13, S 13, W 0
    """
    try:
        return Deal.from_pbn(f"N:{' '.join(hands)}", lenient=True)
    except TextError as error:
        raise PavError(error.message) from None
    except LayoutError as error:
        raise PavError(str(error)) from None


def tagged(deal: Deal, number: int | None, *, line: int | None = None) -> Board:
    """Return a deal as a board, with a number if there is one."""
    return Board(deal, Board.make(deal, number=number or None).entries, line=line)


def report(context: Context, board: Board, reason: str) -> None:
    """Report a board that cannot be written, with its cards."""
    context.problem(board.line, f"{reason}: '{board.layout}'", board.tags.get("Board"))


def deals_of(boards: Iterable[Board], context: Context) -> Iterator[tuple[Board, Deal]]:
    """Yield the boards that are deals; boards with other cards are problems."""
    for board in boards:
        layout = board.layout
        if layout is None:
            continue
        if layout.is_deal:
            yield board, Deal.unchecked(layout.owners)
        else:
            sizes = describe_sizes(layout)
            report(context, board, f"a deal has {HAND_SIZE} cards in each hand; {sizes}")


class BoardNumbers:
    """The numbers of boards in a file: their own, or the next number for boards without one.

    `keeps_rules`: the file also holds dealer and vulnerability. `most`: the greatest number of the
    format. `in_turn`: each number is one more than the previous number. `upwards`: each is greater.
    """

    def __init__(
        self,
        name: str,
        most: int,
        *,
        in_turn: bool = False,
        upwards: bool = False,
        keeps_rules: bool = False,
    ) -> None:
        self._name, self._most = name, most
        self._keeps_rules = keeps_rules
        self._in_turn, self._upwards = in_turn, upwards
        self._last: int | None = None

    def of(self, board: Board) -> int:
        """Return the number of the next board; raise `PavError` if the file cannot hold it."""
        number = board.number
        if number is None:
            text = board.tags.get("Board", "")
            if text not in ("", "?"):
                raise PavError(f"{self._name} numbers boards 1 to {self._most}, not {text!r}")
            number = (self._last or 0) + 1
        if number > self._most:
            raise PavError(f"{self._name} numbers boards 1 to {self._most}, not {number}")
        last, name = self._last, self._name
        if last is not None and self._in_turn and number != last + 1:
            rule = f"after board {last} comes {last + 1}, without gaps"
            raise PavError(f"in {name} {rule}, not {number}")
        if last is not None and self._upwards and number <= last:
            raise PavError(f"in {name} after board {last} come greater numbers, not {number}")
        self._last = number
        return number

    def numbered(
        self, boards: Iterable[Board], context: Context
    ) -> Iterator[tuple[Board, Deal, int]]:
        """Yield the deals among boards with their numbers; other boards are problems."""
        for board, deal in deals_of(boards, context):
            try:
                number = self.of(board)
            except PavError as error:
                report(context, board, str(error))
            else:
                tell_differences(board, number, context, keeps_rules=self._keeps_rules)
                yield board, deal, number


def tell_differences(
    board: Board, number: int | None, context: Context, *, keeps_rules: bool = False
) -> None:
    """Call `context.differ` for parts of a board that do not follow from its number in the file."""
    if number != board.number:
        context.differ("number")
    if not keeps_rules:
        rules = Board.make(None, number=number)
        if board.dealer not in (None, rules.dealer):
            context.differ("dealer")
        if board.vulnerable not in (None, rules.vulnerable):
            context.differ("vulnerability")


def read_frames(
    name: str,
    stream: BinaryIO,
    context: Context,
    board_of: Callable[[int, dict[str, Any]], Board],
    *,
    begin: int = 0,
) -> Iterator[Board]:
    """Yield a board for each frame of a stream, by its index and its parts.

    A frame for which `board_of` raises `PavError`, or that is cut off, is a problem with its index
    from 0 and the offset of its first byte; the first frame starts at `begin`.
    """
    shape = frame(name)
    size = shape.sizeof()

    def report(error: RecordError) -> None:
        index = error.index or 0
        context.problem(None, str(error.at(index, begin + index * size)))

    for index, data in split_records(name, size, stream, report):
        try:
            board = board_of(index, shape.parse(data))
        except ReadError:  # strict reading stops at a problem
            raise
        except PavError as error:
            report(RecordError(name, str(error), index))
        else:
            yield board


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
    for line, raw in lines(stream):
        text = raw.strip(" \t\x1a")
        if line == 1 and text:
            skipped = 0
            context.problem(line, f"expected a blank first line, not {shorten(text)}")
        if not text:
            continue
        number = line - skipped
        try:
            deal = deal_of_code("bhg", text, board=number)
        except PavError as error:
            context.problem(line, str(error), str(number))
        else:
            yield tagged(deal, number, line=line)


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
    for line, raw in rows:
        text = raw.strip(" \t\x1a")
        if not text:
            continue
        try:
            yield _board_of_row(text, line)
        except PavError as error:
            context.problem(line, f"{error}: {shorten(text)}")


def _board_of_row(text: str, line: int) -> Board:
    try:
        (row,) = csv.reader([text], strict=True)
    except csv.Error as error:
        raise PavError(f"this is no row of CSV, {error}") from None
    if len(row) != _FIELDS:
        raise PavError(f"a row has 16 suits, the board, and dealer/vulnerability, not {len(row)}")
    *suits, number, rules = row
    dealer_and_side = _RULES.fullmatch(rules)
    if not _NUMBER.fullmatch(number) or not int(number):
        raise PavError(f"{shorten(number)} is no number of a board")
    if dealer_and_side is None:
        raise PavError(f"dealer and vulnerability are as in 'N/-' or 'E/NS', not {shorten(rules)}")
    deal = deal_of_hands(".".join(suits[start : start + 4]) for start in range(0, 16, 4))
    board = Board.make(
        deal,
        number=int(number),
        dealer=Seat.of(dealer_and_side[1]),
        vulnerable=Vulnerability.parse(dealer_and_side[2]),
    )
    return Board(deal, board.entries, line=line)


def write_csv(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a row of CSV for each deal and return how many. Other boards are problems.

    If a board has no dealer or vulnerability, it follows from the number.
    """
    written = 0
    numbers = BoardNumbers("csv", _MOST_IN_CSV, keeps_rules=True)
    for board, deal, number in numbers.numbered(boards, context):
        rules = Board.make(deal, number=number)
        parsed = {"Dealer": board.dealer, "Vulnerable": board.vulnerable}
        unread = (board.tags.get(name, "") for name, value in parsed.items() if value is None)
        wrong = next((text for text in unread if text not in ("", "?")), None)
        if wrong is not None:
            report(context, board, f"csv has no dealer or vulnerability {wrong!r}")
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


# GOE: the number of Big Deal, aligned on the right


def write_goe(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write each deal's number with commas, aligned on the right, and return how many."""
    assert context.numbering is not None, "the format names its numbering"
    written = 0
    for _, deal in deals_of(boards, context):
        stream.write(f"{context.numbering.rank(deal):>{_WIDTH_OF_GOE},}\n".encode())
        written += 1
    return written
