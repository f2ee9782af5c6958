"""Lists of deals for the tests of the double-dummy solver DDS.

The first line is `NUMBER n`. A deal is a line `PBN dealer vulnerable trump first "N:..."` and lines
with what the solver is to find: `TABLE` are the tricks of the 20 contracts, S H D C NT, and in each
N E S W. What the other lines say has no place in PBN; they are kept as tags, `DdsFut` and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from pavcodec.cards import HAND_SIZE, Seat, Strain
from pavcodec.errors import PavError, ReadError, TextError
from pavcodec.formats.board import Board, Context, Tag, Vulnerability
from pavcodec.formats.deal_lines import write_each
from pavcodec.formats.plain import numbered_lines, shorten
from pavcodec.layout import Layout, TrickTable
from pavcodec.layout.layout import wrap
from pavcodec.layout.notation import parse_owners

__all__ = ["looks_like_dds", "read_dds", "write_dds"]

_PBN = re.compile(r'PBN +(\d) +(\d) +(\d) +(\d) +"([^"]*)"')
_NUMBER = re.compile(r"NUMBER +\d{1,9}")
_MORE = {word: f"Dds{word.title()}" for word in ("FUT", "PAR", "PAR2", "PLAY", "TRACE")}
_TRUMP, _FIRST = "DdsTrump", "DdsFirst"
_VULNERABLE = (Vulnerability.NONE, Vulnerability.ALL, Vulnerability.NS, Vulnerability.EW)
_STRAINS = (Strain.SPADES, Strain.HEARTS, Strain.DIAMONDS, Strain.CLUBS, Strain.NOTRUMP)


def looks_like_dds(line: str) -> bool:
    """Tell whether a line is the first one of a list."""
    return _NUMBER.fullmatch(line.strip()) is not None


def read_dds(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each deal, with its tricks and what else is known of it."""
    board: Board | None = None
    for number, text in numbered_lines(stream, context):
        word, _, rest = text.partition(" ")
        if word == "PBN":
            if board is not None:
                yield board
            board = _board(text, number, context)
        elif word in _MORE and board is not None:
            board = _with(board, Tag(_MORE[word], rest.strip()))
        elif word == "TABLE" and board is not None:
            board = _with_tricks(board, rest, number, context)
        elif not _NUMBER.fullmatch(text) and (word not in _MORE and word != "TABLE"):
            context.problem(number, f"expected NUMBER, PBN, TABLE or another word: {shorten(text)}")
    if board is not None:
        yield board


def _board(text: str, line: int, context: Context) -> Board | None:
    """Return the board of a line, or None and report why there is none."""
    found = _PBN.fullmatch(text)
    try:
        if found is None:
            raise ReadError("expected PBN, four numbers and a deal text between quotes")
        dealer, vulnerable = int(found[1]), int(found[2])
        if dealer >= len(Seat) or vulnerable >= len(_VULNERABLE):
            raise ReadError("dealer and vulnerability are numbers from 0 to 3")
        layout = wrap(parse_owners(found[5], lenient=not context.strict))
    except PavError as error:
        reason = error.message if isinstance(error, TextError) else str(error)
        context.problem(line, f"{reason}: {shorten(text)}")
        return None
    tags = {_TRUMP: found[3], _FIRST: found[4]}
    made = Board.make(layout, dealer=Seat(dealer), vulnerable=_VULNERABLE[vulnerable], tags=tags)
    return Board(layout, made.entries, line=line)


def _with(board: Board, tag: Tag) -> Board:
    return Board(board.layout, (*board.entries, tag), line=board.line)


def _with_tricks(board: Board, text: str, line: int, context: Context) -> Board:
    """Return the board with the tricks of a table, or as it was if the table is wrong."""
    words = text.split()
    is_right = len(words) == len(Seat) * len(Strain) and all(
        word.isdecimal() and int(word) <= HAND_SIZE for word in words
    )
    if not is_right:
        context.problem(line, f"expected 20 numbers from 0 to {HAND_SIZE}: {shorten(text)}")
        return board
    rows = {s: words[4 * i : 4 * i + 4] for i, s in enumerate(_STRAINS)}
    tricks = TrickTable(bytes(int(word) for strain in Strain for word in rows[strain]))
    solved = Board.make(board.layout, tricks=tricks)
    return Board(board.layout, (*board.entries, *solved.entries), line=board.line)


def write_dds(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a list of the boards that have cards, and return how many; it tells how many first."""
    some = [board for board in boards if board.layout is not None]
    stream.write(f"NUMBER {len(some)} \n".encode())
    return write_each(some, stream, context, _text_of)


def _text_of(board: Board) -> str:
    dealer, vulnerable = board.dealer, board.vulnerable
    if dealer is None or vulnerable is None:
        raise ReadError("the list needs a dealer and a vulnerability")
    trump, first = board.tags.get(_TRUMP, "0"), board.tags.get(_FIRST, str(int(dealer)))
    layout = board.layout
    assert isinstance(layout, Layout)
    places = f"{int(dealer)} {_VULNERABLE.index(vulnerable)} {trump} {first}"
    text = [f'PBN {places} "{layout.to_pbn(dealer)}"']
    lines = {word: board.tags[name] for word, name in _MORE.items() if name in board.tags}
    if board.tricks is not None:
        tricks = board.tricks
        lines["TABLE"] = " ".join(str(tricks[seat, s]) for s in _STRAINS for seat in Seat)
    order = ("FUT", "TABLE", "PAR", "PAR2", "PLAY", "TRACE")
    text += [f"{word} {lines[word]}" for word in order if word in lines]
    return "".join(f"{line} \n" for line in text)
