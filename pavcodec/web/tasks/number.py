"""The questions of the pages Number and Ending."""

from __future__ import annotations

import io
from shlex import quote

from pydantic import Field

from pavcodec.boards import Context
from pavcodec.boards.play import board_of_line
from pavcodec.errors import PavError
from pavcodec.formats import format_of
from pavcodec.questions.coders import board_of_text
from pavcodec.questions.ending import Verdict
from pavcodec.web.tasks.asked import answer_within, model_of, question_of, task_of
from pavcodec.web.tasks.task import TEXT, Answer, Download, Question, Task
from pavcodec.web.tasks.writing import file_of, media_types

_DEAL = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
_ENDING = "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"

IDENTIFY = task_of("identify", {"text": "gjacljgkbedpjpaadglmfnnhmk007"})
ENCODE = task_of("encode", {"deal": _DEAL, "all": True})
DECODE = task_of("decode", {"number": 5, "numbering": "deal"})
ENDING = task_of("ending", {"layout": _ENDING, "denomination": "NT"})


class TricksQuestion(Question):
    """A deal whose tricks are asked."""

    deal: str = Field("", max_length=TEXT, description="the deal in any notation, or its number")


class TricksAnswer(Answer):
    """The double-dummy tricks of a deal."""

    tricks: tuple[tuple[str, tuple[int, ...]], ...] = Field(
        description="the tricks of N, S, E and W with NT S H D C"
    )


def tricks(question: TricksQuestion) -> TricksAnswer:
    """Return the double-dummy tricks of a deal; raise `PavError` without the package endplay."""
    from pavcodec.printing.document import facts_of
    from pavcodec.solving.double_dummy import solved_boards

    board = board_of_text(question.deal, "deal")
    if board.layout is None or not board.layout.is_deal:
        raise PavError("only a deal of 13 cards in each hand has these tricks")
    (solved,) = solved_boards([board])
    return TricksAnswer(
        tricks=facts_of(solved).tricks,
        command=f"pavcodec solve {quote(str(board.layout))}",
        python=(
            "import pavcodec as pav\n"
            "import numpy as np\n\n"
            f"deal = pav.Deal.from_pbn({str(board.layout)!r})\n"
            "owners = np.frombuffer(deal.owners, np.uint8)\n"
            "(tricks,) = pav.solve_many(owners.reshape(1, 52))\n"
            "print(pav.TrickTable(bytes(tricks)))\n"
        ),
    )


TRICKS = Task(
    "tricks",
    "Return the double-dummy tricks of a deal.",
    tricks,
    TricksQuestion(deal=_DEAL),
    starts_threads=True,
)


def ending_file(fields: Question) -> Download:
    """Return the deal and the play to a legal ending as a file of PBN."""
    answer = answer_within(question_of("ending", fields))
    assert isinstance(answer, Verdict)
    found = answer.legality
    if found.line is None:
        raise PavError(f"no play reaches this ending: {found.reason}")
    stream = io.BytesIO()
    format_of("pbn").write([board_of_line(found.line)], stream, Context("ending.pbn"))
    return file_of("ending.pbn", stream.getvalue())


ENDING_FILE = Task(
    "ending/file",
    "Return the deal and the play to a legal ending as a file of PBN.",
    ending_file,
    model_of("ending").model_validate({"layout": _ENDING}),
    media_types([".pbn"]),
)
