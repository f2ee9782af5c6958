"""Files of a practice set: pages for each player with solutions apart, and boards for programs."""

from __future__ import annotations

import io
from typing import Literal

from pydantic import Field

from pavcodec.boards import Context
from pavcodec.formats import format_of
from pavcodec.numberings import numbering
from pavcodec.practice.making import exercises_of
from pavcodec.practice.pages import practice_document
from pavcodec.printing.pages import WRITERS
from pavcodec.sampling import fresh_seed
from pavcodec.web.tasks.media import file_of, media_types
from pavcodec.web.tasks.practice.boards import PracticeQuestion, session_of
from pavcodec.web.tasks.task import Download, Task

__all__ = ["PRACTICE_FILE", "PracticeFileQuestion", "practice_file"]


class PracticeFileQuestion(PracticeQuestion):
    """A set, and the file that is wanted."""

    to: Literal["pdf", "html", "pbn", "lin", "dlm"] = Field(
        "pdf", description="pages to print, pages for the browser, or boards"
    )
    paper: Literal["a4", "letter"] = Field("a4", description="the size of the paper")


def _name(question: PracticeFileQuestion, seed: str) -> str:
    stem = seed if seed.isalnum() and seed.isascii() and len(seed) <= 40 else "set"
    return f"practice-{stem}.{question.to}"


def practice_file(question: PracticeFileQuestion) -> Download:
    """Return a file of a practice set."""
    seed = question.seed.strip() or str(fresh_seed())
    session, source = session_of(question, seed)
    made = session.practice(exercises_of(session, source, solve=question.solve), brief=True)
    name = _name(question, seed)
    if question.to in WRITERS:
        data = WRITERS[question.to](practice_document(made, question.paper))
        return file_of(name, data)
    target, stream = format_of(question.to), io.BytesIO()
    boards = made.commented if target.keeps_tags else made.boards
    context = Context("practice", numbering=numbering("deal"), preface=made.preface)
    target.write(boards, stream, context)
    return file_of(name, stream.getvalue())


PRACTICE_FILE = Task(
    "practice/file",
    "Return a file of a practice set: pages for the players with solutions, or boards.",
    practice_file,
    PracticeFileQuestion(situation=("stayman",), n=2, seed="7", to="pbn"),
    media_types=media_types([".pdf", ".html", ".pbn", ".lin", ".dlm"]),
)
