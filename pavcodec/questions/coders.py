"""The forms of boards that `encode` prints and `decode` reads: numbers, codes, the words of ZBS."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import Protocol

from pavcodec.boards import Board, Problem
from pavcodec.codes import Code, code, code_names
from pavcodec.errors import NumberError, PavError, TextError, suggest
from pavcodec.formats.plain.texts import parse_number, shorten
from pavcodec.formats.records.boards import board_of_suits, diagrams, suits_of_board, words_of
from pavcodec.numberings import Numbering, numbering, numbering_names
from pavcodec.questions.asking import FieldTextError, QuestionError, ask
from pavcodec.questions.inputs import OfEach
from pavcodec.questions.words import size

SourceLine = tuple[str, int]
"""A source and a line."""
Row = dict[str, object]
"""The keys of a code for JSON."""
Report = Callable[[SourceLine, str], None]

_NAMES = [*numbering_names(partial=True, classes=True), "zbs", *code_names()]
"""The values of `--as`: numberings, `zbs` and codes."""


class Coder(Protocol):
    """A way to write boards down."""

    @property
    def numbering(self) -> Numbering:
        """The numbering of the numbers that `decode` reads."""

    def encode(self, board: Board) -> str:
        """Return the code of a board that has cards; raise `LayoutError` if it has none."""

    def row(self, code: str) -> Row:
        """Return the keys for JSON of a code from `encode`."""

    def check(self, text: str) -> None:
        """Raise `PavError` for a text that cannot be a code."""

    def decode(
        self, texts: Iterable[tuple[SourceLine, str]], report: Report
    ) -> Iterator[tuple[Row, Board]]:
        """Yield each code with its board; report each text that is no code."""


@dataclass(frozen=True)
class Coded(OfEach):
    """The fields of a question that choose the form of a deal."""

    numbering: str = ask(
        f"the numbering (default: deal; one of {', '.join(_NAMES)})",
        default="deal", flag="--as", group="numbering", metavar="NUMBERING", most=40,
    )  # fmt: skip
    where: str | None = ask(
        "number only the deals of this condition, in the order of their deal numbers",
        default=None, group="numbering", metavar="EXPR",
    )  # fmt: skip
    one_based: bool = ask("numbers start at 1, as in books", default=False, group="numbering")
    hex: bool = ask("hexadecimal numbers", default=False, group="numbering")
    memory: int | None = ask(
        "the memory limit for counting, as in 500M or 16G (default: 4G)",
        default=None, group="numbering", metavar="SIZE", read=size, local=True,
    )  # fmt: skip

    @cached_property
    def coder(self) -> Coder:
        """The coder that the fields choose; raises `PavError` if there is none."""
        if self.where is not None:
            if self.numbering != "deal":
                raise QuestionError("argument {where}: not allowed with argument {numbering}")
            from pavcodec.questions.deals import space_of_text  # it loads the counting

            space = space_of_text(self.where, self.memory)
            return _Numbers(space.one_based() if self.one_based else space, is_hex=self.hex)
        if self.numbering == "zbs":
            if self.one_based or self.hex:
                raise QuestionError(
                    "{one_based} and {hex} are for numbers; the words of zbs are none"
                )
            return _Words()
        if self.numbering in code_names():
            if self.one_based or self.hex:
                raise QuestionError("{one_based} and {hex} are for numbers, not for codes")
            return _Texts(code(self.numbering))
        if self.numbering not in _NAMES:
            raise suggest("numbering or code", self.numbering, _NAMES)
        return _Numbers(numbering(self.numbering, one_based=self.one_based), is_hex=self.hex)


def board_of_text(text: str, field: str, ranks: Numbering | None = None) -> Board:
    """Return the board of a deal, a number, a code or a link, as commands read it among files.

    Only a code that is as short as a name is no file here. Raises `QuestionError` for a text
    without a deal, and for a text with several.
    """
    from pavcodec.formats import read
    from pavcodec.formats.pasted import as_file, identify

    problems: list[Problem] = []
    if not text.strip():
        raise QuestionError("expected a number, a code or a deal", field)
    try:
        content = as_file(text)
        if content is None:
            content = identify(text)[0].layout.to_pbn().encode()
    except TextError as error:
        raise FieldTextError(field, error) from None
    except PavError as error:
        raise QuestionError("{said}", field, said=error) from None
    found = read(BytesIO(content), numbering=ranks or "deal", report=problems.append)
    boards = [board for board in found if board.layout is not None]
    if len(boards) == 1:
        return boards[0]
    reason = problems[0].reason if problems else "expected a deal"
    if boards:
        reason = f"expected one deal, not {len(boards):,}"
    raise QuestionError("{said}", field, said=reason)


class _Numbers:
    """Numbers of a numbering, decimal or hexadecimal."""

    def __init__(self, chosen: Numbering, *, is_hex: bool) -> None:
        self.numbering = chosen
        self._rank = chosen.rank
        self._is_hex = is_hex
        digits = -(-chosen.last.bit_length() // 4)
        self._format = f"0x{{:0{digits}x}}" if is_hex else "{}"

    def encode(self, board: Board) -> str:
        assert board.layout is not None
        return self._format.format(self._rank(board.layout))

    def row(self, code: str) -> Row:
        return {"number": str(int(code, 0))}

    def check(self, text: str) -> None:
        parse_number(text, hexadecimal=self._is_hex)

    def decode(
        self, texts: Iterable[tuple[SourceLine, str]], report: Report
    ) -> Iterator[tuple[Row, Board]]:
        for at, text in texts:
            try:
                number = parse_number(text, hexadecimal=self._is_hex)
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
