"""DUP, the file of Duplimate's older dealing machines: 156 bytes a board.

A record is the cards as in BRI, the hands as in DGE, and ten bytes on the set of boards. Big Deal
writes these into every record, other programs only into the first. The reader takes them from the
first record; in later records they must be the same or blank.

An earlier format of this name, lines of 78 digits without a number, is not supported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple, cast

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.errors import PavError
from pavcodec.files.reading import read_up_to
from pavcodec.files.text import Rejoined, lines
from pavcodec.formats.clubs.boards import (
    CODES,
    BoardNumbers,
    deal_of_code,
    frame,
    read_frames,
    tagged,
)
from pavcodec.formats.clubs.records import deal_of_picture, picture_of, text_of
from pavcodec.formats.plain.texts import shorten
from pavcodec.layout import Deal

__all__ = ["MOST_BOARDS", "read_dup", "write_dup"]

MOST_BOARDS = 99
_HAND = 17
_BLANK = re.compile(rb"[ \0]*")
_NUMBER = re.compile(rb" *(0*[1-9][0-9]*)[ \0]*")
_ANSWERS = re.compile(b"[YN][YN]")
_ORDER = ("random", "reverse", "lowest", "copies", "highest")
_LINE = re.compile(rb"[0-9]{78}\r?\n")
_LINE_SIZE = 80


class _Set(NamedTuple):
    """The values of the ten bytes: lowest and highest board, and whether they count down."""

    lowest: int
    highest: int
    counts_down: bool

    @classmethod
    def of(cls, parts: dict[str, bytes]) -> _Set:
        """Return the values of the ten bytes; raise `PavError` for invalid bytes."""
        lowest, highest = _NUMBER.fullmatch(parts["lowest"]), _NUMBER.fullmatch(parts["highest"])
        answers = parts["random"] + parts["reverse"]
        if not _ANSWERS.fullmatch(answers) or lowest is None or highest is None:
            shown = shorten(text_of(b"".join(parts[name] for name in _ORDER)))
            raise PavError(
                "the first record ends with Y or N, Y or N, the lowest board, the copies and "
                f"the highest board, as in 'YN1  0 36 ', not {shown}"
            )
        return cls(int(lowest[1]), int(highest[1]), parts["reverse"] == b"Y")


def read_dup(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each record of DUP, numbered from the lowest board of the set on."""
    start = read_up_to(stream, _LINE_SIZE)
    whole = cast("BinaryIO", Rejoined(start, stream.read))
    if _LINE.match(start):
        yield from _read_lines(whole, context)
    else:
        yield from _Reader(context).read(whole)


def _read_lines(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each line of the older DUP."""
    for number, line in lines(stream):
        if line.strip(" \x1a"):
            try:
                deal = deal_of_code("bri", line)
            except PavError as error:
                context.problem(number, str(error))
            else:
                yield Board(deal, line=number)


class _Reader:
    """Reads the records of one file."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._set: _Set | None = None
        self._order = b""
        self._records = 0

    def read(self, stream: BinaryIO) -> Iterator[Board]:
        """Yield the boards; another number of boards than that of the ten bytes is a problem."""
        yield from read_frames("dup", stream, self._context, self._board)
        told, found = self._set, self._records
        if told is None:
            return
        if told.highest not in (found, told.lowest + found - 1):  # some write how many there are
            boards = f"boards {told.lowest} to {told.highest}"
            self._problem(f"the set should have {boards}, and here are {found}")

    def _board(self, index: int, parts: dict[str, Any]) -> Board:
        self._records = index + 1
        self._look_at_order(index, parts)
        deal = deal_of_code("bri", text_of(parts["cards"]))
        number = None if self._set is None else self._set.lowest + index
        self._compare(deal, parts["picture"], index, number)
        return tagged(deal, number)

    def _look_at_order(self, index: int, parts: dict[str, Any]) -> None:
        """Store the ten bytes of the first record, and compare those of later records."""
        order = b"".join(parts[name] for name in _ORDER)
        if index == 0:
            self._order = order
            try:
                self._set = _Set.of(parts)
            except PavError as error:
                self._problem(str(error))
            if self._set is not None and self._set.counts_down:
                self._problem("the boards count backwards, which nobody describes; read upwards")
        elif order != self._order and not _BLANK.fullmatch(order):
            expected, found = shorten(text_of(self._order)), shorten(text_of(order))
            self._problem(f"record {index} ends with {found}, and the first one with {expected}")

    def _compare(self, deal: Deal, picture: bytes, index: int, number: int | None) -> None:
        """Report hands that differ from the cards, and invalid hands; they may be blank."""
        if _BLANK.fullmatch(picture):
            return
        hands = [picture[start : start + _HAND] for start in range(0, len(picture), _HAND)]
        try:
            other = deal_of_picture(hands)
        except PavError as error:
            self._problem(f"record {index}: the cards are read, for {error}", number)
        else:
            if other != deal:
                reason = f"record {index} has the cards of {deal}, which are read, and the hands of"
                self._problem(f"{reason} {other}", number)

    def _problem(self, reason: str, number: int | None = None) -> None:
        self._context.problem(None, f"dup: {reason}", None if number is None else str(number))


def write_dup(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a record of DUP for each deal and return how many. Other boards are problems.

    The boards have numbers without gaps up to 99. The writer keeps all boards until the end,
    because each record has the highest number.
    """
    numbers = BoardNumbers("dup", MOST_BOARDS, in_turn=True)
    deals = [(number, deal) for _, deal, number in numbers.numbered(boards, context)]
    built = frame("dup").built
    for _, deal in deals:
        record = built(
            cards=CODES["bri"].format(deal).encode(),
            picture=b"".join(picture_of(deal)),
            random=b"Y",
            reverse=b"N",
            lowest=b"%-3d" % deals[0][0],
            copies=b"0 ",
            highest=b"%02d " % deals[-1][0],
        )
        stream.write(record)
    return len(deals)
