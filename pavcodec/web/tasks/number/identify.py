"""What a text means: its layouts in all schemes; and the layout of a number."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from pavcodec.boards import Board
from pavcodec.codes import Reading, code, code_names
from pavcodec.errors import PavError
from pavcodec.formats import format_of
from pavcodec.formats.pasted.identify import HANDS
from pavcodec.formats.plain.texts import parse_number
from pavcodec.numberings import numbering
from pavcodec.web.tasks.boards import BoardView, board_view
from pavcodec.web.tasks.exact import Whole
from pavcodec.web.tasks.limits import PAGE_BOARDS
from pavcodec.web.tasks.number.cards import CardsQuestion, readings_of, text_of
from pavcodec.web.tasks.problem import Problem, problem_of
from pavcodec.web.tasks.shell import argument
from pavcodec.web.tasks.task import Answer, Question, Task

__all__ = [
    "DECODE",
    "IDENTIFY",
    "RECOGNISE",
    "DecodeAnswer",
    "IdentifyAnswer",
    "ReadingView",
    "summary_of",
]

_MOST_NAMES = 6
"""The schemes that one sentence lists."""


class ReadingView(BaseModel):
    """A meaning of a text: the scheme, and the board."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    scheme: str = Field(description="the name of the numbering, the code or the format")
    kind: str = Field(description="numbering, code, format or hands")
    summary: str = Field(description="what the scheme is")
    number: Whole | None = Field(description="the number, if the scheme is a numbering")
    board: BoardView = Field(description="the cards, and the board number if there is one")


class IdentifyAnswer(Answer):
    """All meanings of a text."""

    readings: list[ReadingView] = Field(description=f"the first {PAGE_BOARDS} meanings")
    more: int = Field(description="the number of further meanings")
    problems: list[str] = Field(description="the parts of the text that cannot be read")


def summary_of(scheme: str) -> tuple[str, str]:
    """Return what kind of scheme a name is, and its summary.

    >>> summary_of("lines")
    ('format', 'a deal in the notation of PBN')
    """
    if scheme == HANDS:
        return "hands", "hands as people type them"
    if scheme in code_names():
        return "code", code(scheme).summary
    if scheme == "lines":
        return "format", "a deal in the notation of PBN"
    return "format", format_of(scheme).summary


def _view(one: Reading) -> ReadingView:
    if one.number is not None:
        kind, summary = "numbering", numbering(one.scheme).summary
    else:
        kind, summary = summary_of(one.scheme)
    board = board_view(Board.make(one.layout, number=one.board))
    return ReadingView(
        scheme=one.scheme, kind=kind, summary=summary, number=one.number, board=board
    )


def identify(question: CardsQuestion) -> IdentifyAnswer:
    """Return all meanings of a text."""
    readings, problems = readings_of(question)
    return IdentifyAnswer(
        readings=[_view(one) for one in readings[:PAGE_BOARDS]],
        more=max(0, len(readings) - PAGE_BOARDS),
        problems=[str(problem).partition(":")[2].strip() for problem in problems],
        command=_command(question),
        python=(
            "import pavcodec as pav\n\n"
            f"for reading in pav.identify({_arguments(question)}):\n"
            "    print(reading.scheme, reading.number, reading.layout)\n"
        ),
    )


def _command(question: CardsQuestion) -> str:
    return f"pavcodec identify {'--one-based ' * question.one_based}{argument(text_of(question))}"


def _arguments(question: CardsQuestion) -> str:
    """Return the arguments of `pav.identify`."""
    return f"{text_of(question)!r}{', one_based=True' * question.one_based}"


IDENTIFY = Task(
    "identify",
    "Return all meanings of a number, a code or a deal.",
    identify,
    CardsQuestion(text="gjacljgkbedpjpaadglmfnnhmk007"),
)


class RecogniseAnswer(Answer):
    """What a text is, in a sentence; or the problem while it is none of these yet."""

    words: str = Field(description="the schemes of the text; empty if there is a problem")
    problem: Problem | None = Field(description="why the text cannot be read yet")


def recognise(question: CardsQuestion) -> RecogniseAnswer:
    """Return what a text is in a sentence; a text that cannot be read is no error."""
    try:
        readings, _ = readings_of(question)
    except PavError as error:
        return RecogniseAnswer(words="", problem=problem_of(error))
    found = f"pav.identify({_arguments(question)})"
    return RecogniseAnswer(
        words=_words(readings),
        problem=None,
        command=_command(question),
        python=f"import pavcodec as pav\n\nprint([one.scheme for one in {found}])\n",
    )


def _words(readings: list[Reading]) -> str:
    """Return the schemes of readings as a sentence."""
    if len(readings) == 1:
        scheme, board = readings[0].scheme, readings[0].board
        what = (
            numbering(scheme).summary if readings[0].number is not None else summary_of(scheme)[1]
        )
        return f"This is {what}{'' if board is None else f', board {board}'}."
    names = [
        one.scheme if one.board is None else f"{one.scheme} board {one.board}" for one in readings
    ]
    more = len(names) - _MOST_NAMES
    return f"This may be: {', '.join(names[:_MOST_NAMES])}{f' and {more} more' * (more > 0)}."


RECOGNISE = Task(
    "recognise",
    "Return what a text is, in a sentence, while somebody types it.",
    recognise,
    CardsQuestion(text="12,345,678,901"),
)


_LEAST_ROUNDED = 1 << 53
"""From this number on, decimal numbers of JSON may be another whole one that was rounded."""


def _number(value: object) -> object:
    """Return a number that somebody typed; other values unchanged."""
    if isinstance(value, float) and abs(value) >= _LEAST_ROUNDED:
        raise ValueError("a decimal number of 2^53 or more is rounded: send it whole, or as a text")
    return parse_number(value) if isinstance(value, str) else value


class DecodeQuestion(Question):
    """A number in a numbering."""

    number: Annotated[Whole, BeforeValidator(_number)] = Field(0, description="the number")
    numbering: str = Field("deal", description="the name of the numbering")


class DecodeAnswer(Answer):
    """The deal of a number."""

    board: BoardView


def decode(question: DecodeQuestion) -> DecodeAnswer:
    """Return the layout of a number in one numbering."""
    name, number = question.numbering, question.number
    return DecodeAnswer(
        board=board_view(Board.make(numbering(name).unrank(number))),
        command=f"pavcodec decode --as {name} {number}",
        python=f"import pavcodec as pav\n\nprint(pav.numbering({name!r}).unrank({number}))\n",
    )


DECODE = Task(
    "decode", "Return the deal of a number.", decode, DecodeQuestion(number=5, numbering="deal")
)
