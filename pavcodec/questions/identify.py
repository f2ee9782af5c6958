"""Identify: what a number, a code or a deal may mean, in every scheme."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, overload

from pavcodec.boards import Context, Problem
from pavcodec.cards import HAND_SIZE, Seat
from pavcodec.codes import Reading, code, code_names
from pavcodec.errors import PavError, TextError, check_text
from pavcodec.formats import format_of
from pavcodec.formats.pasted import HANDS
from pavcodec.formats.pasted import identify as readings_of
from pavcodec.formats.plain.texts import numbered_lines
from pavcodec.layout import Layout
from pavcodec.numberings import numbering
from pavcodec.questions.asking import (
    Answer,
    FieldTextError,
    QuestionError,
    ask,
    note,
    screen_width,
)
from pavcodec.questions.inputs import ARGUMENTS, OfEach, Problems, open_input
from pavcodec.questions.tables import ruled_lines


@dataclass(frozen=True)
class Identify(OfEach):
    """List what a number or a code may mean, in every scheme."""

    name: ClassVar[str] = "identify"
    examples: ClassVar[str] = """\
  pavcodec identify 6976424A64820BB4FF80D8A08EB9
  pavcodec identify --json 12345678901234567890123456789
  pavcodec identify 'North: ♠AK9 ♥Q10 ♦9642 ♣KJ53'
  pavcodec identify --list"""
    details: ClassVar[str] = """\
identify reads a text as a number in every numbering, and in every code whose form it has: 52
digits, 28 hexadecimal digits, 26 letters with a check, and so on. It prints one line for each
scheme in which the text is a deal, with the number, or with the board if the code holds one; if
there are several texts, the line begins with the text. Numbers are decimal, or hexadecimal after 0x
or with letters among the digits; marks or blanks may divide the thousands.

Any other text is a deal in a format, such as PBN, LIN or an address of Bridge Base's hand viewer,
or hands as people type them. An argument may have several lines. identify prints a line for each
board. In the standard input, each line is a text."""

    takes: ClassVar[tuple[str, str]] = "CODE", "texts to read; - or none is stdin"
    nothing: ClassVar[str] = ""

    text: str = ask(
        "a number, a code, or a deal in any notation",
        default="", flag="", label="A number, a code or a deal",
    )  # fmt: skip
    one_based: bool = ask("numbers start at 1", default=False, group="input")
    codes: bool = ask("list the codes", default=False, flag="--list", group="output", local=True)

    keys: ClassVar[dict[str, str]] = {
        "code": "the text",
        "schemes": "each scheme in which the text is a deal, with its kind and summary, the deal, "
        "whether this is a deal, an ending, the middle of a trick or another part, the number "
        "with its hex, or the number of the board",
    }

    @property
    def indent(self) -> int | None:  # type: ignore[override]
        """The indent of JSON: that of lists for people."""
        return 2 if self.codes else None

    def find(self) -> Readings | CodeList:
        """Return all meanings of the text; notes what of it cannot be read."""
        if self.codes:
            return CodeList()
        if not self.text.strip():
            raise QuestionError("expected a number, a code or a deal", "text")

        def tell(problem: Problem) -> None:
            note(str(problem).partition(":")[2].strip())

        try:
            return self.readings(tell)
        except TextError as error:
            raise FieldTextError("text", error) from None
        except PavError as error:
            raise QuestionError("{said}", "text", said=error) from None

    def answers(self, inputs: Sequence[str], problems: Problems) -> Iterator[Answer]:
        """Return the meanings of each text; several texts begin their lines."""
        if self.codes:
            yield CodeList()
            return
        several = len(inputs) > 1 or list(inputs) in ([], ["-"])
        for source, line, text in self._texts(inputs or ["-"], problems):
            faults: list[Problem] = []
            start = f"{' '.join(text.splitlines())}  " if several else ""
            try:
                readings = replace(self, text=text).readings(faults.append, start)
            except PavError as error:
                reason = error.message if isinstance(error, TextError) else str(error)
                problems.report(source, line, reason)
                continue
            for fault in faults:
                problems.report(source, line, fault.reason, fault.board)
            yield readings

    def _texts(self, inputs: Sequence[str], problems: Problems) -> Iterator[tuple[str, int, str]]:
        """Yield (source, line, text) for each text."""
        for position, word in enumerate(inputs, 1):
            if word != "-":
                yield ARGUMENTS, position, word
                continue
            with open_input(word) as stream:
                for line, text in numbered_lines(stream, Context("stdin", problems)):
                    yield "stdin", line, text

    def readings(self, report: Callable[[Problem], None] | None, start: str = "") -> Readings:
        """Return all meanings of the text; report what of it cannot be read.

        `start` begins each line of the answer.
        """
        found = readings_of(self.text, one_based=self.one_based, report=report)
        return Readings(self.text, found, start)


def identify(
    text: str, *, one_based: bool = False, report: Callable[[Problem], None] | None = None
) -> Readings:
    """Return all possible meanings of a text: of numbers, of codes, of deals in any notation.

    The answer is a sequence of `Reading`, and has `lines()` for the screen and `to_dict()` for
    JSON. Each numbering that contains a number reads it, and each code whose form a text has;
    any other text is read as boards of a format, or as hands as people type them. `one_based` reads
    numbers that start at 1. Boards that cannot be read go to `report` as `Problem`, or become
    Python warnings. Raises `PavError`, if possible with the place of the error, for a text without
    any meaning.

    >>> for text in ("md|1SAK,,SQJ,|", "South: ♠AK ♥Q10"):
    ...     print([(one.scheme, str(one.layout)) for one in identify(text)])
    [('lin', 'N:QJ... - AK... -')]
    [('hands', 'N:- - AK.QT.. -')]
    """
    check_text("a number, a code or a deal", text)
    return Identify(text, one_based=one_based).readings(report)


@dataclass
class Readings(Answer, Sequence[Reading]):
    """The meanings of a text."""

    text: str = field(compare=False)
    readings: list[Reading]
    start: str = field(default="", compare=False)

    def __len__(self) -> int:
        return len(self.readings)

    @overload
    def __getitem__(self, index: int) -> Reading: ...
    @overload
    def __getitem__(self, index: slice) -> list[Reading]: ...
    def __getitem__(self, index: int | slice) -> Reading | list[Reading]:
        return self.readings[index]

    def to_dict(self) -> dict[str, Any]:
        """Return the text and its meanings for JSON."""
        return {"code": self.text, "schemes": list(map(_row, self.readings))}

    def lines(self) -> Iterator[str]:
        """Yield a line for each meaning, two on a screen."""
        for reading in self.readings:
            columns = f"{self.start}{reading.scheme:<18} {_number_or_board(reading):<37}"
            if screen_width():  # a pipe has one line for each
                yield columns.rstrip()
                yield f"    {reading.layout}"
            else:
                yield f"{columns} {reading.layout}"


def kind_of(reading: Reading) -> str:
    """Return what the scheme of a reading is: a numbering, a code or a format."""
    if reading.number is not None:
        return "numbering"
    return "code" if reading.scheme in code_names(rare=True) else "format"


def _number_or_board(reading: Reading) -> str:
    """Return the number of a reading, otherwise its board, otherwise ""."""
    if reading.number is not None:
        return str(reading.number)
    return "" if reading.board is None else f"board {reading.board}"


def _row(reading: Reading) -> dict[str, object]:
    """Return a reading for JSON."""
    kind = kind_of(reading)
    row: dict[str, object] = {"scheme": reading.scheme, "kind": kind}
    row |= {"summary": _summary(reading.scheme, kind), "deal": str(reading.layout)}
    row["form"] = layout_form(reading.layout)
    if reading.number is not None:
        row |= {"number": str(reading.number), "hex": hex(reading.number)}
    if reading.board is not None:
        row["board"] = reading.board
    return row


def _summary(scheme: str, kind: str) -> str:
    """Return what a scheme is."""
    if kind == "numbering":
        return numbering(scheme).summary
    if kind == "code":
        return code(scheme).summary
    known = {HANDS: "hands as people type them", "lines": "a deal in the notation of PBN"}
    return known.get(scheme) or format_of(scheme).summary


def layout_form(layout: Layout) -> str:
    """Return whether a layout is a deal, an ending, in the middle of a trick, or a part of a deal.

    >>> layout_form(Layout.from_pbn("N:A... K... Q... -"))
    'trick'
    >>> layout_form(Layout.from_pbn("N:AK... - - -"))
    'part'
    """
    if layout.is_deal:
        return "deal"
    sizes = layout.sizes
    if len(set(sizes)) == 1:
        return "ending" if sizes[0] else "part"
    fewest = min(sizes)
    more = [size - fewest for size in sizes]
    turns = sum(1 for seat in range(len(Seat)) if more[seat] != more[seat - 1])
    return "trick" if max(more) == 1 and turns == 2 and fewest + 1 <= HAND_SIZE else "part"


@dataclass
class CodeList(Answer):
    """All codes of deals."""

    def to_dict(self) -> list[dict[str, str]]:
        """Return the names and the summaries for JSON."""
        return [{"name": each.name, "summary": each.summary} for each in _codes()]

    def lines(self) -> Iterator[str]:
        """Yield the table of the codes."""
        rows = [(each.name, each.summary) for each in _codes()]
        return ruled_lines(("code", "how a deal is written"), rows, folds=True)


def _codes() -> list[Any]:
    return [code(name) for name in code_names(rare=True)]
