"""Decode: the deal or ending of a number or of a code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from pavcodec.boards import Board
from pavcodec.boards.board import board_row
from pavcodec.questions.asking import Answer, QuestionError, ask
from pavcodec.questions.coders import Coded, Row
from pavcodec.questions.inputs import ARGUMENTS


@dataclass(frozen=True)
class Decode(Coded):
    """Print the deal or ending of each number."""

    name: ClassVar[str] = "decode"
    examples: ClassVar[str] = """\
  pavcodec decode 0 12345678901234567890123456789
  pavcodec decode --where 'spades(west) == 9' 0 4968111751882804000475999
  pavcodec encode event.pbn | pavcodec decode --to pbn -o same.pbn"""
    details: ClassVar[str] = """\
A number is decimal, or hexadecimal after 0x. An argument that is not a number is a file of numbers,
one a line.

--where reads each number as an index among the deals of the condition. --as zbs reads words of 8
hexadecimal digits: four words whose flags join them are a layout; a single word is one suit, which
decode shows as spades."""

    number: int | str = ask("a number or a code", default=0, flag="", label="Number", most=200)
    hex: bool = ask("read hexadecimal digits, with or without 0x", default=False, group="numbering")

    keys: ClassVar[dict[str, str]] = {
        "number": "the number, in decimal digits, if the scheme is a numbering",
        "code": "the code, if the scheme is a code",
        "words": "the words of ZBS, if the scheme is zbs",
        "deal": "the cards in the notation of PBN",
    }

    def find(self) -> Decoded:
        """Return the deal of the number or of the code."""
        reasons: list[str] = []
        texts = [((ARGUMENTS, 1), str(self.number))]
        decoded = list(self.coder.decode(texts, lambda _, reason: reasons.append(reason)))
        if len(decoded) != 1:
            said = reasons[0] if reasons else f"expected one deal, not {len(decoded):,}"
            raise QuestionError("{said}", "number", said=said)
        return Decoded(*decoded[0])


def decode(number: int | str, **fields: Any) -> Answer:  # noqa: ANN401 (of the question)
    """Return the deal of a number or of a code, as the command `decode` does.

    The fields are those of `Decode`. The answer has `lines()` for the screen, `to_dict()` for JSON.

    >>> print(decode(0))
    N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432
    """
    return Decode(number=number, **fields).answer()


@dataclass
class Decoded(Answer):
    """The board of a number or a code, with the keys of this for JSON."""

    code: Row
    board: Board

    def to_dict(self) -> Row:
        """Return the number or the code, and the deal, for JSON."""
        return self.code | board_row(self.board, "deal")

    def lines(self) -> Iterator[str]:
        """Yield the deal."""
        yield str(self.board.layout)
