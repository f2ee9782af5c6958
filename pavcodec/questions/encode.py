"""Encode: the number or the code of a deal, in one scheme or in all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pavcodec.boards import Board
from pavcodec.boards.board import board_row
from pavcodec.codes import Encoded, encode_all
from pavcodec.errors import LayoutError
from pavcodec.questions.asking import Answer, QuestionError, as_in, ask
from pavcodec.questions.coders import Coded, Row, board_of_text
from pavcodec.questions.inputs import ARGUMENTS, Inputs, Problems, boards_of, named_format
from pavcodec.questions.words import whole


@dataclass(frozen=True)
class Encode(Coded):
    """Print the number of each deal or ending."""

    name: ClassVar[str] = "encode"
    examples: ClassVar[str] = """\
  pavcodec encode event.pbn
  pavcodec encode 'N:AKQ... - .AKQ.. -' --as base5
  pavcodec encode --where 'spades(west) == 9' nine.pbn
  pavcodec encode --all 'N:A... K... Q... J...'"""
    details: ClassVar[str] = """\
A file holds boards in any format, or one deal a line, with '-' for a hand without cards. encode
skips boards without a deal. A deal in a line is, for example,

  N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3

--where numbers the deals of the condition from 0, and reports every other layout as a problem. --as
zbs prints four words of 8 hexadecimal digits for each layout, one for each suit.

--all prints a line for each numbering and code that contains the layout: its name and the number or
the code. The codes that have the number of a board take that of the file, else 1."""

    takes: ClassVar[tuple[str, str]] = "DEAL", "deals or files of deals; - or none is stdin"
    nothing: ClassVar[str] = "no deals"

    deal: str = ask("a deal in any notation, a number or a code", default="", flag="", label="Deal")
    numbering: str = as_in(Coded, "numbering")
    where: str | None = as_in(Coded, "where")
    one_based: bool = as_in(Coded, "one_based")
    hex: bool = ask(
        "print hexadecimal numbers with 0x and all digits", default=False, group="numbering"
    )
    all: bool = ask(
        "print the layout in all numberings and codes", default=False, group="numbering"
    )
    board: int | None = ask(
        "the number of the board of deals in arguments, for codes that contain it",
        default=None, group="numbering", metavar="N", read=whole, most=999_999,
    )  # fmt: skip
    from_format: str | None = as_in(Inputs, "from_format")

    keys: ClassVar[dict[str, str]] = {
        "number": "the number, in decimal digits, if the scheme is a numbering",
        "code": "the code, if the scheme is a code",
        "words": "the words of ZBS, if the scheme is zbs",
        "schemes": "with 'all': each scheme with its kind, and the number and hex, or the code",
        "deal": "the cards in the notation of PBN",
        "board": "the number of the board",
        "file": "the file of the deal; 'arguments' for a text",
        "line": "the line of the deal",
    }

    def check(self) -> None:
        """Raise `PavError` if the fields do not go together."""
        if self.all and (self.where is not None or self.numbering != "deal" or self.hex):
            raise QuestionError(
                "{all} prints all numberings and codes; leave out {numbering}, {where} and {hex}",
                "all",
            )
        if self.board == 0:
            raise QuestionError("boards have numbers from 1", "board")

    def find(self) -> Answer:
        """Return the deal in one scheme or in all."""
        self.check()
        board = board_of_text(self.deal, "deal", self.coder.numbering)
        try:
            return self.of_board(board, ARGUMENTS)
        except LayoutError as error:
            raise QuestionError("{said}", "deal", said=f"{error}: '{board.layout}'") from None

    def answers(self, inputs: Sequence[str], problems: Problems) -> Iterator[Answer]:
        """Return the number of each deal, in one scheme or in all."""
        self.check()
        ranks = self.coder.numbering
        boards = boards_of(inputs, problems, format_name=named_format(self), ranks=ranks)

        def answers() -> Iterator[Answer]:
            for source, board in boards:
                if board.layout is None:
                    continue
                try:
                    yield self.of_board(board, source)
                except LayoutError as error:
                    told = f"{error}: '{board.layout}'"
                    problems.report(source, board.line, told, board.tags.get("Board"))

        return answers()

    def of_board(self, board: Board, source: str) -> InScheme | InSchemes:
        """Return a board with cards in one scheme or in all; raise `LayoutError` if it has none."""
        if source == ARGUMENTS and self.board is not None:
            board = board.with_tags({"Board": str(self.board)})
        if not self.all:
            return InScheme(board, source, self.coder.encode(board), self)
        assert board.layout is not None
        encoded = encode_all(board.layout, board=board.number, one_based=self.one_based)
        return InSchemes(board, source, encoded, self.one_based)


def encode(deal: str, **fields: Any) -> Answer:
    """Return the number or the code of a deal, as the command `encode` does.

    The fields are those of `Encode`. The answer has `lines()` for the screen, `to_dict()` for JSON.

    >>> print(encode("N:A... K... Q... J...", numbering="balanced"))
    2058009868335972036308496610386240
    """
    return Encode(deal=deal, **fields).answer()


@dataclass
class InScheme(Answer):
    """A board in one scheme."""

    board: Board
    source: str
    text: str
    asked: Encode

    def to_dict(self) -> Row:
        """Return the number or the code, and the deal, for JSON."""
        return self.asked.coder.row(self.text) | _place(self.board, self.source)

    def lines(self) -> Iterator[str]:
        """Yield the number or the code."""
        yield self.text


@dataclass
class InSchemes(Answer):
    """A board in all numberings and codes that contain it."""

    board: Board
    source: str
    schemes: list[Encoded]
    one_based: bool

    def to_dict(self) -> Row:
        """Return all numbers and codes, and the deal, for JSON."""
        return {"schemes": list(map(_row, self.schemes))} | _place(self.board, self.source)

    def lines(self) -> Iterator[str]:
        """Yield a line for each scheme."""
        for encoded in self.schemes:
            yield f"{encoded.scheme:<18} {encoded.text}"


def _place(board: Board, source: str) -> Row:
    """Return a deal and where it stands, for JSON."""
    return board_row(board, "deal label") | {"file": source, "line": board.line}


def _row(encoded: Encoded) -> Row:
    """Return a number or a code for JSON."""
    if encoded.number is None:
        return {"scheme": encoded.scheme, "kind": "code", "code": encoded.text}
    row: Row = {"scheme": encoded.scheme, "kind": "numbering"}
    return row | {"number": encoded.text, "hex": hex(encoded.number)}
