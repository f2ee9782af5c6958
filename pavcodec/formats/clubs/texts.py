"""What formats of clubs and of dealing machines share, and the text files BHG of Borel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

from pavcodec.boards.board import Board, Context
from pavcodec.codes import CARD_CODES
from pavcodec.errors import LayoutError, PavError, ReadError, RecordError, TextError
from pavcodec.files.text import lines
from pavcodec.formats.plain.lines import BoardNumbers, reason_of
from pavcodec.formats.plain.texts import shorten
from pavcodec.layout import Deal
from pavcodec.records.files import split_records

# Functions shared by the formats of clubs and dealing machines: deals, board numbers, and frames.
#
# Such a file holds only deals. Dealer and vulnerability follow from the board number, and are
# unknown without one.


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


def tagged(deal: Deal, number: int | None, *, line: int | None = None) -> Board:
    """Return a deal as a board, with a number if there is one."""
    return Board(deal, Board.make(deal, number=number or None).entries, line=line)


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
            report(RecordError(name, reason_of(error), index))
        else:
            yield board


_MOST_IN_BHG = 9999


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
    numbers = BoardNumbers("bhg", _MOST_IN_BHG, context, upwards=True)
    for _, deal, number in numbers.numbered(boards):
        stream.write(b"\n" * (number - last - 1))
        stream.write(f"{CODES['bhg'].format(deal, board=number)}\n".encode())
        written, last = written + 1, number
    return written
