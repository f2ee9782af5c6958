"""Codes of deals, one a line.

`programs/formats.py` declares the formats; this module is loaded when one of them is read or
written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.boards.vulnerability import Vulnerability
from pavcodec.codes.catalogue import code
from pavcodec.errors import LayoutError, ReadError
from pavcodec.formats.clubs.boards import tell_differences
from pavcodec.formats.programs.deal_lines import layout_of, read_each, write_each

__all__ = ["read_codes", "write_codes"]

_BBA = "bba"
_BOARDS_OF_BBA = 256
_NUMBERED = (_BBA, "saycbridge")
"""The codes that hold the number of a board."""
_REMARK = "%"


def read_codes(stream: BinaryIO, context: Context, *, name: str) -> Iterator[Board]:
    """Yield a board for each line of the code of a name."""
    chosen = code(name)

    def parse(line: str) -> Board | None:
        text = line.strip()
        if name == _BBA and text.startswith(_REMARK):  # as in PBN
            text = text.removeprefix(_REMARK).strip()
            if not chosen.fits(text):
                return None
        if not chosen.fits(text):
            raise ReadError(f"expected {chosen.summary}")
        deal, number = chosen.parse_board(text)
        return Board.make(deal, number=number or None)

    return read_each(stream, context, parse)


def write_codes(boards: Iterable[Board], stream: BinaryIO, context: Context, *, name: str) -> int:
    """Write a line in the code of a name for each deal, and return how many."""
    chosen = code(name)
    last = 0

    def text_of(board: Board) -> str:
        nonlocal last
        number = board.number
        if name == _BBA:
            number = last = number or last % _BOARDS_OF_BBA + 1
            _refuse_other_rules(board, number)
        if name in _NUMBERED:
            tell_differences(board, number, context)
        return f"{chosen.format(layout_of(board), board=number)}\n"

    return write_each(boards, stream, context, text_of)


def _refuse_other_rules(board: Board, number: int) -> None:
    """Refuse a board whose dealer or vulnerability is not that of its number."""
    rules = Board.make(None, number=number)
    for word, mine, its in (
        ("dealer", board.dealer, rules.dealer),
        ("vulnerability", board.vulnerable, rules.vulnerable),
    ):
        if mine not in (None, its):
            raise LayoutError(
                f"code 'bba' holds the {word} that board {number} has by its number, "
                f"{_word(its)}, not {_word(mine)}"
            )


def _word(rule: object) -> str:
    return str(rule.value if isinstance(rule, Vulnerability) else getattr(rule, "letter", rule))
