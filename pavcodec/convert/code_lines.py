"""The codes of deals as formats, one code a line.

They are made from the list of codes. A code that is the whole of another format's files, such as
`dlm`, or that stands in its lines, as `digits` in `deal-digits`, is not a format once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from pavcodec.convert.format import Format
from pavcodec.errors import LayoutError, ReadError
from pavcodec.formats.board import Board, Context, Vulnerability
from pavcodec.formats.deal_lines import layout_of, read_each, write_each
from pavcodec.layout.codes import Code
from pavcodec.numberings.codes import code, code_names

__all__ = ["CODE_FORMATS"]

_ELSEWHERE = {"dlm", "ber", "digits", "bri", "bhg", "cds", "zrd"}
_BOARDS_OF_BBA = 256
_REMARK = "%"
_TELLING = {
    "bba": re.compile(r"(?=.*[A-Fa-f])[0-9A-Fa-f]{28}"),
    "saycbridge": re.compile(r"[0-9]{1,6}-[0-9A-Fa-f]{26}(:.*)?"),
}
"""The texts that are nothing but a code, where there are any; the first has a letter."""


class _CodeLines:
    """Reads and writes the lines of a code."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._is_bba = code.name == "bba"

    def read(self, stream: BinaryIO, context: Context) -> Iterator[Board]:
        """Yield a board for each line."""
        return read_each(stream, context, self._parse)

    def write(self, boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
        """Write a line for each deal, and return how many."""
        last = 0

        def text_of(board: Board) -> str:
            nonlocal last
            number = board.number
            if self._is_bba:
                number = last = number or last % _BOARDS_OF_BBA + 1
                _refuse_other_rules(board, number)
            return f"{self._code.format(layout_of(board), board=number)}\n"

        return write_each(boards, stream, context, text_of)

    def recognises(self, line: str) -> bool:
        """Tell whether a line is a code of this kind and of no other."""
        telling = _TELLING.get(self._code.name)
        return telling is not None and telling.fullmatch(line.strip()) is not None

    def _parse(self, line: str) -> Board | None:
        text = line.strip()
        if self._is_bba and text.startswith(_REMARK):  # as it stands in PBN
            text = text.removeprefix(_REMARK).strip()
            if not self._code.fits(text):
                return None
        if not self._code.fits(text):
            raise ReadError(f"expected {self._code.summary}")
        deal, number = self._code.parse_board(text)
        return Board.make(deal, number=number or None)


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


def _format_of(code: Code) -> Format:
    """Make the format of the lines of a code."""
    made = _CodeLines(code)
    has_boards = code.name in ("bba", "saycbridge")
    lost = "all other tags; dealer and vulnerability follow from the board number"
    return Format(
        code.name,
        (),
        f"one code a line: {code.summary}",
        "the cards of deals, and board numbers" if has_boards else "the cards of deals",
        made.read,
        made.write,
        of_cards=not has_boards,
        recognises=made.recognises if code.name in _TELLING else None,
        loses=lost if has_boards else "all other tags",
    )


CODE_FORMATS = tuple(_format_of(code(name)) for name in code_names() if name not in _ELSEWHERE)
"""In the order of the codes."""
