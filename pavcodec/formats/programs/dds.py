"""Lists of deals for the tests of the double-dummy solver DDS.

The first line is `NUMBER n`. A deal is a line `PBN dealer vulnerable trump first "N:..."` and lines
with the expected results: `TABLE` are the tricks of the 20 contracts, S H D C NT, and in each
N E S W. PBN has no place for the other lines; they are stored as tags, `DdsFut` and so on. Trump
and first are the strain and the leader of the lines `FUT` and `PLAY`, also stored as tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import BinaryIO

from pavcodec.boards.board import Board, Tag
from pavcodec.boards.context import Context
from pavcodec.boards.vulnerability import Vulnerability
from pavcodec.cards import HAND_SIZE, Seat, Strain
from pavcodec.errors import PavError, ReadError
from pavcodec.files.text import first_control
from pavcodec.formats.plain.texts import numbered_lines, shorten
from pavcodec.formats.programs.deal_lines import layout_of, reason_of, write_each
from pavcodec.layout import TrickTable
from pavcodec.layout.layout import layout_from_owners
from pavcodec.layout.notation import parse_owners

__all__ = ["read_dds", "write_dds"]

_PBN = re.compile(r'PBN +([0-3]) +([0-3]) +([0-4]) +([0-3]) +"([^"]*)"')
_NUMBER = re.compile(r"NUMBER +([0-9]{1,9})")
_WORDS = ("FUT", "TABLE", "PAR", "PAR2", "PLAY", "TRACE")
"""The lines that may follow a deal, in order."""
_TABLE = "TABLE"
_TRICKS = re.compile("[0-9]|1[0-3]")
_TRUMP, _FIRST = "DdsTrump", "DdsFirst"
_VULNERABLE = (Vulnerability.NONE, Vulnerability.ALL, Vulnerability.NS, Vulnerability.EW)
_STRAINS = (Strain.SPADES, Strain.HEARTS, Strain.DIAMONDS, Strain.CLUBS, Strain.NOTRUMP)


def read_dds(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each deal, with its tricks and tags."""
    board: Board | None = None
    told, deals = 0, 0
    for line, text in numbered_lines(stream, context):
        word, _, rest = text.partition(" ")
        if word == "PBN":
            if board is not None:
                yield board
            board = _board(text, line, context)
            deals += 1
        elif word in _WORDS:
            if board is not None:
                board = _with(board, word, rest.strip(), line, context)
        elif found := _NUMBER.fullmatch(text):
            told += int(found[1])
        else:
            expected = ", ".join(("NUMBER", "PBN", *_WORDS))
            context.problem(line, f"expected one of {expected}: {shorten(text)}")
    if board is not None:
        yield board
    if told and told != deals:
        context.problem(None, f"NUMBER is {told}, and there are {deals} deals")


def _board(text: str, line: int, context: Context) -> Board | None:
    """Return the board of a line; report a wrong line and return None."""
    found = _PBN.fullmatch(text)
    try:
        if found is None:
            raise ReadError(
                "expected PBN, dealer, vulnerability, trump and first, and a deal text in quotes"
            )
        layout = layout_from_owners(parse_owners(found[5], lenient=not context.strict))
    except PavError as error:
        context.problem(line, f"{reason_of(error)}: {shorten(text)}")
        return None
    dealer, vulnerable = Seat(int(found[1])), _VULNERABLE[int(found[2])]
    tags = {_TRUMP: found[3], _FIRST: found[4]}
    made = Board.make(layout, dealer=dealer, vulnerable=vulnerable, tags=tags)
    return Board(layout, made.entries, line=line)


def _with(board: Board, word: str, text: str, line: int, context: Context) -> Board:
    """Return the board with the values of a line; report a wrong line and return the board."""
    entries: tuple[Tag, ...] = (Tag(_tag(word), text),)
    if word == _TABLE:
        numbers = text.split()
        if len(numbers) != len(Seat) * len(Strain) or not all(map(_TRICKS.fullmatch, numbers)):
            context.problem(line, f"expected 20 numbers from 0 to {HAND_SIZE}: {shorten(text)}")
            return board
        rows = {s: numbers[4 * i : 4 * i + 4] for i, s in enumerate(_STRAINS)}
        tricks = TrickTable(bytes(int(taken) for strain in Strain for taken in rows[strain]))
        entries = Board.solved(None, tricks).entries
    return Board(board.layout, (*board.entries, *entries), line=board.line)


def _tag(word: str) -> str:
    """Return the name of the tag of a line."""
    return f"Dds{word.title()}"


def write_dds(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write the number of the boards that have cards, and these boards; return the number."""
    deals = BytesIO()
    written = write_each(boards, deals, context, _text_of)
    if written:
        stream.write(f"NUMBER {written} \n".encode())
        stream.write(deals.getvalue())
    return written


def _text_of(board: Board) -> str:
    dealer, vulnerable = board.dealer, board.vulnerable
    if dealer is None or vulnerable is None:
        raise ReadError("the list needs a dealer and a vulnerability")
    trump, first = board.tags.get(_TRUMP, "0"), board.tags.get(_FIRST, str(int(dealer)))
    places = f"{int(dealer)} {_VULNERABLE.index(vulnerable)} {trump} {first}"
    text = f'PBN {places} "{layout_of(board).to_pbn(dealer)}"'
    if not _PBN.fullmatch(text):
        raise ReadError(f"{_TRUMP} is 0 to 4 and {_FIRST} 0 to 3, not {trump!r} and {first!r}")
    rows = {word: board.tags[_tag(word)] for word in _WORDS if _tag(word) in board.tags}
    rows.pop(_TABLE, None)
    if board.tricks is not None:
        tricks = board.tricks
        rows[_TABLE] = " ".join(str(tricks[seat, s]) for s in _STRAINS for seat in Seat)
    for word, row in rows.items():
        if "\n" in row or first_control(row.encode()) is not None:
            raise ReadError(f"the tag {_tag(word)} is more than a line: {shorten(row)}")
    lines = [text, *(f"{word} {rows[word]}" for word in _WORDS if word in rows)]
    return "".join(f"{line} \n" for line in lines)
