"""The two plain formats: `lines` (one deal text a line) and `numbers` (one number a line).

Readers skip blank lines and lines that start with `#`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from pavcodec.boards.board import Board, Context, Ranks
from pavcodec.cards import SEAT_LETTERS
from pavcodec.errors import LayoutError, NumberError, PavError, TextError
from pavcodec.files.text import first_control, lines
from pavcodec.layout.layout import layout_from_owners
from pavcodec.layout.notation import parse_owners

_DECIMAL = re.compile(r"[0-9]+|[0-9]{1,3}(,[0-9]{3})+")
_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]+")
_BARE_HEXADECIMAL = re.compile(r"[0-9a-fA-F]+")
_BARE_HANDS = re.compile(r"(?i:[AKQJT2-9]*(\.[AKQJT2-9]*){3}(\s+|$)){4}")
"""Four hands, North first, without the seat."""
_MOST_SHOWN = 60
_MOST_DIGITS = 200  # the largest numbering has 37


def shorten(text: str) -> str:
    """Quote a text for a message, cut where it is long."""
    return repr(text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…")


def parse_number(text: str, *, hexadecimal: bool = False) -> int:
    """Read a number as people write it: decimal, with commas, or hexadecimal after `0x`.

    `hexadecimal` reads digits without `0x` as hexadecimal too. A sign is allowed, so that the
    numbering can refuse negative numbers. Raises `NumberError`.

    >>> parse_number("1,000"), parse_number("0xff"), parse_number("ff", hexadecimal=True)
    (1000, 255, 255)
    """
    digits = text.strip()
    if len(digits) > _MOST_DIGITS:
        raise NumberError(f"{shorten(text)} has {len(digits)} characters; no number is that long")
    sign = -1 if digits.startswith("-") else 1
    digits = digits.removeprefix("-") if sign < 0 else digits.removeprefix("+")
    if _HEXADECIMAL.fullmatch(digits) or (hexadecimal and _BARE_HEXADECIMAL.fullmatch(digits)):
        return sign * int(digits, 16)
    if not hexadecimal and _DECIMAL.fullmatch(digits):
        return sign * int(digits.replace(",", ""))
    expected = "hexadecimal digits" if hexadecimal else "decimal, or hexadecimal after 0x"
    raise NumberError(f"{shorten(text)} is no number; expected {expected}")


def looks_like_lines(line: str) -> bool:
    """Return whether a line looks like a deal text: a seat and a colon, or four hands."""
    word = line.lstrip()
    if _BARE_HANDS.fullmatch(word.rstrip()):
        return True
    return len(word) > 1 and word[0].upper() in SEAT_LETTERS and word[1] == ":"


def looks_like_number(line: str) -> bool:
    """Return whether a line is a number."""
    try:
        parse_number(line)
    except NumberError:
        return False
    return True


def numbered_lines(stream: BinaryIO, context: Context) -> Iterator[tuple[int, str]]:
    """Yield (line number, text) of lines except blank lines and remarks; stop at binary data."""
    return items(lines(stream), context)


def items(numbered: Iterable[tuple[int, str]], context: Context) -> Iterator[tuple[int, str]]:
    """Yield the items of `numbered_lines` for some lines."""
    for number, line in numbered:
        if not is_text(line):
            context.problem(number, "this is not text: expected one item a line")
            return
        text = line.strip()
        if text and not text.startswith("#"):
            yield number, text


def is_text(line: str) -> bool:
    """Return whether a line has no control characters."""
    return first_control(line.encode("utf-8", "replace")) is None


def read_lines(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each deal text; other lines are problems."""
    return boards_of_lines(numbered_lines(stream, context), context)


def boards_of_lines(numbered: Iterable[tuple[int, str]], context: Context) -> Iterator[Board]:
    """Yield a board for each of the items that is a deal text; other lines are problems."""
    for number, text in numbered:
        is_bare = not context.strict and _BARE_HANDS.fullmatch(text)
        try:
            deal = f"N:{text}" if is_bare else text
            layout = layout_from_owners(parse_owners(deal, lenient=not context.strict))
        except TextError as error:
            context.problem(number, f"{error.message}: {shorten(text)}")
        else:
            yield Board(layout, line=number)


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


def write_lines(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write one deal text a line, North first, and return how many boards have cards."""
    return write_each(boards, stream, context, lambda board: f"{board.layout}\n")


def _numbering(context: Context) -> Ranks:
    if context.numbering is None:
        raise PavError("the format 'numbers' needs a numbering")
    return context.numbering


def read_numbers(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each number of the context's numbering; other lines are problems."""
    return boards_of_numbers(numbered_lines(stream, context), context)


def boards_of_numbers(numbered: Iterable[tuple[int, str]], context: Context) -> Iterator[Board]:
    """Yield a board for each of the items that is a number; other lines are problems."""
    unrank = _numbering(context).unrank
    for line, text in numbered:
        try:
            layout = unrank(parse_number(text))
        except NumberError as error:
            context.problem(line, str(error))
        else:
            yield Board(layout, line=line)


def write_numbers(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write each layout's number in decimal; return how many. Other layouts are problems."""
    written = 0
    rank = _numbering(context).rank
    for board in boards:
        if board.layout is not None:
            try:
                number = rank(board.layout)
            except LayoutError as error:
                context.problem(board.line, f"{error}: '{board.layout}'", board.tags.get("Board"))
            else:
                stream.write(b"%d\n" % number)
                written += 1
    return written
