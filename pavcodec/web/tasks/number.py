"""The questions of the pages Number and Ending."""

from __future__ import annotations

import io
from dataclasses import replace

from pavcodec.boards import Context
from pavcodec.boards.play import board_of_line
from pavcodec.errors import PavError
from pavcodec.formats import format_of
from pavcodec.questions.ending import Verdict
from pavcodec.web.tasks.asked import answer_within, model_of, question_of, task_of
from pavcodec.web.tasks.task import Download, Question, Task
from pavcodec.web.tasks.writing import file_of, media_types

_DEAL = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
_ENDING = "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"

IDENTIFY = task_of("identify", {"text": "gjacljgkbedpjpaadglmfnnhmk007"})
ENCODE = task_of("encode", {"deal": _DEAL, "all": True})
DECODE = task_of("decode", {"number": 5, "numbering": "deal"})
ENDING = task_of("ending", {"layout": _ENDING, "denomination": "NT"})


SOLVE = replace(task_of("solve", {"files": (_DEAL,)}), starts_threads=True)


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
