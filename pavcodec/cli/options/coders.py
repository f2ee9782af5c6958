"""The forms of boards that `encode` prints and `decode` reads: numbers, codes, the words of ZBS."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from pavcodec.boards import Board
from pavcodec.cli.output.streams import chosen_numbering, coder_names
from pavcodec.cli.output.targets import UsageError
from pavcodec.codes import Code, code, code_names
from pavcodec.errors import NumberError, PavError, TextError, suggest
from pavcodec.formats.plain.texts import parse_number, shorten
from pavcodec.formats.records.boards import board_of_suits, diagrams, suits_of_board, words_of
from pavcodec.numberings import Numbering, numbering, numbering_names

SourceLine = tuple[str, int]
"""A source and a line."""
Row = dict[str, object]
"""The keys of a code for `--json`."""
Report = Callable[[SourceLine, str], None]


class Coder(Protocol):
    """A way to write boards down."""

    @property
    def numbering(self) -> Numbering:
        """The numbering of the numbers that `decode` reads."""

    def encode(self, board: Board) -> str:
        """Return the code of a board that has cards; raise `LayoutError` if it has none."""

    def row(self, code: str) -> Row:
        """Return the keys for `--json` of a code from `encode`."""

    def check(self, text: str) -> None:
        """Raise `PavError` for a text that cannot be a code."""

    def decode(
        self, texts: Iterable[tuple[SourceLine, str]], report: Report
    ) -> Iterator[tuple[Row, Board]]:
        """Yield each code with its board; report each text that is no code."""


def coder_of(args: argparse.Namespace) -> Coder:
    """Return the coder that `--as` or `--where`, `--hex` and `--one-based` choose."""
    if args.where is not None:
        from pavcodec.questions.deals import space_of_text

        space = space_of_text(args.where, args.memory)
        chosen = space.one_based() if args.one_based else space
        return _Numbers(chosen, hexadecimal=args.hex)
    if args.numbering == "zbs":
        if args.one_based or args.hex:
            raise UsageError("--one-based and --hex are for numbers; the words of zbs are none")
        return _Words()
    if args.numbering in code_names():
        if args.one_based or args.hex:
            raise UsageError("--one-based and --hex are for numbers, not for codes")
        return _Texts(code(args.numbering))
    if args.numbering not in numbering_names(partial=True, classes=True):
        raise suggest("numbering or code", args.numbering, coder_names())
    return _Numbers(chosen_numbering(args), hexadecimal=args.hex)


class _Numbers:
    """Numbers of a numbering, decimal or hexadecimal."""

    def __init__(self, chosen: Numbering, *, hexadecimal: bool) -> None:
        self.numbering = chosen
        self._rank = chosen.rank
        self._hexadecimal = hexadecimal
        digits = -(-chosen.last.bit_length() // 4)
        self._format = f"0x{{:0{digits}x}}" if hexadecimal else "{}"

    def encode(self, board: Board) -> str:
        assert board.layout is not None
        return self._format.format(self._rank(board.layout))

    def row(self, code: str) -> Row:
        return {"number": str(int(code, 0))}

    def check(self, text: str) -> None:
        parse_number(text, hexadecimal=self._hexadecimal)

    def decode(
        self, texts: Iterable[tuple[SourceLine, str]], report: Report
    ) -> Iterator[tuple[Row, Board]]:
        for at, text in texts:
            try:
                number = parse_number(text, hexadecimal=self._hexadecimal)
                layout = self.numbering.unrank(number)
            except NumberError as error:
                report(at, str(error))
            else:
                yield {"number": str(number)}, Board(layout)


class _Texts:
    """The texts of a code, with the number of the board where the code holds it."""

    def __init__(self, chosen: Code) -> None:
        self.numbering = numbering("deal")
        self._code = chosen

    def encode(self, board: Board) -> str:
        assert board.layout is not None
        return self._code.format(board.layout, board=board.number)

    def row(self, code: str) -> Row:
        return {"code": code}

    def check(self, text: str) -> None:
        try:
            self._code.parse(text)
        except TextError as error:
            raise PavError(error.message) from None

    def decode(
        self, texts: Iterable[tuple[SourceLine, str]], report: Report
    ) -> Iterator[tuple[Row, Board]]:
        for at, text in texts:
            try:
                deal, number = self._code.parse_board(text)
            except TextError as error:
                report(at, error.message)
            except PavError as error:
                report(at, f"{error}: {shorten(text)}")
            else:
                yield self.row(text), Board.make(deal, number=number)


class _Words:
    """The words of ZBS in hexadecimal, those of a board on one line."""

    def __init__(self) -> None:
        self.numbering = numbering("deal")

    def encode(self, board: Board) -> str:
        suits = suits_of_board(board)
        assert suits is not None
        return " ".join(f"{word:08x}" for word in words_of(suits))

    def row(self, code: str) -> Row:
        return {"words": code.split()}

    def check(self, text: str) -> None:
        for word in text.split():
            _parse_word(word)

    def decode(
        self, texts: Iterable[tuple[SourceLine, str]], report: Report
    ) -> Iterator[tuple[Row, Board]]:
        for _, suits in diagrams(_words_in(texts, report), report):
            board = board_of_suits(suits)
            yield self.row(self.encode(board)), board


def _words_in(
    texts: Iterable[tuple[SourceLine, str]], report: Report
) -> Iterator[tuple[SourceLine, int | None]]:
    """Yield the words of texts; for a text that is no word, report it and yield None."""
    for at, text in texts:
        for word in text.split():
            try:
                yield at, _parse_word(word)
            except NumberError as error:
                report(at, str(error))
                yield at, None


def _parse_word(text: str) -> int:
    word = parse_number(text, hexadecimal=True)
    if not 0 <= word < 1 << 32:
        raise NumberError(f"{shorten(text)} is no word of 32 bits, 8 hexadecimal digits")
    return word
