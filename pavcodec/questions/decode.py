"""Decode: the deal or ending of a number or of a code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pavcodec.boards import Board, Context
from pavcodec.boards.board import board_row
from pavcodec.errors import PavError
from pavcodec.formats.plain.texts import numbered_lines
from pavcodec.questions.asking import Answer, QuestionError, as_in, ask, progress
from pavcodec.questions.coders import Coded, Row, SourceLine
from pavcodec.questions.inputs import ARGUMENTS, Problems, name_of, open_decompressed


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

    takes: ClassVar[tuple[str, str]] = "NUMBER", "numbers or files of numbers; - or none is stdin"
    nothing: ClassVar[str] = "no numbers"
    usual_format: ClassVar[str] = "lines"
    gives_boards: ClassVar[bool] = True

    number: int | str = ask("a number or a code", default=0, flag="", label="Number", most=200)
    numbering: str = as_in(Coded, "numbering")
    where: str | None = as_in(Coded, "where")
    one_based: bool = as_in(Coded, "one_based")
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

    def answers(self, inputs: Sequence[str], problems: Problems) -> Iterator[Answer]:
        """Return the deal of each number or code."""
        return (Decoded(*each) for each in self._decoded(inputs, problems))

    def to_write(
        self, inputs: Sequence[str], problems: Problems
    ) -> tuple[Iterator[Board], Context]:
        """Return the board of each number or code."""
        context = Context("numbers", problems, problems.strict, self.coder.numbering)
        return (board for _, board in self._decoded(inputs, problems)), context

    def _decoded(self, inputs: Sequence[str], problems: Problems) -> Iterator[tuple[Row, Board]]:
        texts = self._texts(inputs, problems)
        return self.coder.decode(texts, lambda at, reason: problems.report(*at, reason))

    def _texts(self, inputs: Sequence[str], problems: Problems) -> Iterator[tuple[SourceLine, str]]:
        """Yield each code of the arguments, of files and of the standard input."""
        for position, word in enumerate(inputs or ["-"], start=1):
            reason = "" if word == "-" else self._why_no_code(word)
            if word != "-" and not reason:
                yield (ARGUMENTS, position), word
                continue
            try:
                with open_decompressed(word) as stream:
                    context = Context(name_of(word), problems, problems.strict)
                    watching = progress(stream, context.source, "numbers")
                    for line, text in watching.watch(numbered_lines(stream, context)):
                        yield (context.source, line), text
            except OSError as error:
                if word == "-":
                    problems.report("stdin", None, f"cannot be read: {error.strerror}")
                else:
                    reason = f"{reason}, or the name of a file ({error.strerror})"
                    problems.report(ARGUMENTS, position, reason)

    def _why_no_code(self, word: str) -> str:
        """Return the reason why an argument is no code; "" for a code."""
        try:
            self.coder.check(word)
        except PavError as error:
            return str(error)
        return ""


def decode(number: int | str, **fields: Any) -> Answer:
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
