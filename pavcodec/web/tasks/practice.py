"""Practice: boards of situations and conditions, and their files."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from pydantic import Field

from pavcodec.boards import Context
from pavcodec.boards.turning import Turn
from pavcodec.errors import PavError
from pavcodec.formats import format_of
from pavcodec.numberings import numbering
from pavcodec.practice.exercises import Exercise, PracticeSession
from pavcodec.practice.sets import practice_document
from pavcodec.printing.pages import WRITERS
from pavcodec.questions.practice import Practice
from pavcodec.questions.showing import board_facts
from pavcodec.sampling import fresh_seed
from pavcodec.web.tasks.asked import (
    AskedAnswer,
    AskedTask,
    model_of,
    problems_of,
    question_of,
    told,
)
from pavcodec.web.tasks.exact import percent
from pavcodec.web.tasks.task import MEMORY, PAGE_BOARDS, Download, Fields, Task
from pavcodec.web.tasks.writing import file_of, media_types

# Boards for practice: hands, the key question with its exact odds, and the solution.


_SHORT_SEEDS = 10**9
_FIELDS = model_of(Practice.name)


class PracticeQuestion(_FIELDS):  # type: ignore[misc,valid-type]  # made of declarations
    """The situations and conditions of a set, its boards, and who sits where."""

    n: int | None = Field(None, ge=1, le=PAGE_BOARDS, description="the number of boards")
    board: int | None = Field(
        None, ge=1, le=PAGE_BOARDS, description="only this board of the set, counted from 1"
    )


class KeyQuestion(Fields):
    """The key decision of a board, with the exact chance for the hand of the player."""

    seat: str = Field(description="the player who decides")
    event: str = Field(description="what may be true of the hidden hands")
    percent: str
    probability: str = Field(description="the exact chance, a fraction")
    happens: bool = Field(description="whether it is so on this board")


class PracticeBoard(Fields):
    """A board of a set."""

    title: str
    summary: str = Field(description="what the players know, or the condition")
    board: dict[str, Any]
    question: KeyQuestion | None
    solution: tuple[str, ...]


@dataclass(frozen=True)
class PracticeView:
    """What the page shows: boards, and what the solutions say about the whole set."""

    boards: Sequence[PracticeBoard]
    notes: Sequence[str]


def practice(question: PracticeQuestion) -> AskedAnswer:
    """Return boards of a set, with the key question of each and its solution."""
    with problems_of():
        asked = _asked(question, fresh_seed() % _SHORT_SEEDS)
        whole = replace(asked, memory=MEMORY).chosen()
    some, odds = whole, whole.odds
    if question.board is not None:
        if question.board > whole.count:
            raise PavError(f"the set has {whole.count} boards, and no board {question.board}")
        some = replace(whole, start=whole.start + question.board - 1, count=1)
        odds = "none"  # those of the whole situations are for the whole set
    answer = some.answered(some.deals(), some.odds)
    exercises = answer.exercises
    view = PracticeView(
        tuple(_view(answer.session, each) for each in exercises),
        whole.session(odds).practice(exercises, brief=True).notes[:-1],  # without the command
    )
    return AskedAnswer(**told(answer, replace(asked, n=whole.count)), view=view)


def _asked(question: PracticeQuestion, seed: int) -> Practice:
    """Return the question of the fields, with a seed."""
    asked = cast("Practice", question_of(Practice.name, question))
    return replace(asked, seed=(question.seed or "").strip() or str(seed))


def _view(session: PracticeSession, exercise: Exercise) -> PracticeBoard:
    topic, turn = exercise.topic, Turn.of(exercise.places)
    situation = topic.situation
    return PracticeBoard(
        title=topic.kind or topic.title,
        summary=topic.where if situation is None else turn.text(situation.summary),
        board=board_facts(exercise.board),
        question=_question(exercise, turn),
        solution=session.solution(exercise),
    )


def _question(exercise: Exercise, turn: Turn) -> KeyQuestion | None:
    question, odds = exercise.topic.question, exercise.odds
    if question is None or odds is None:
        return None
    return KeyQuestion(
        seat=turn.seats[question.asker].letter,
        event=turn.text(question.text),
        percent=percent(odds),
        probability=str(odds),
        happens=exercise.happens,
    )


PRACTICE = AskedTask(
    "practice",
    "Return boards of situations, with the key question of each, its odds, and its solution.",
    practice,  # type: ignore[arg-type]  # the class of its example says what it takes
    PracticeQuestion(situations=("stayman",), n=2, seed="7"),
    asked=Practice.name,
)


# Files of a practice set: pages for each player with solutions apart, and boards for programs.


class PracticeFileQuestion(PracticeQuestion):
    """A set, and the file that is wanted."""

    to: Literal["pdf", "html", "pbn", "lin", "dlm"] = Field(
        "pdf", description="pages to print, pages for the browser, or boards"
    )
    paper: Literal["a4", "letter"] = Field("a4", description="the size of the paper")


def practice_file(question: PracticeFileQuestion) -> Download:
    """Return a file of a practice set."""
    with problems_of():
        asked = replace(_asked(question, fresh_seed()), memory=MEMORY)
        chosen = asked.chosen()
    made = chosen.answered(chosen.deals(), chosen.odds).practice()
    seed = asked.seed or ""
    stem = seed if seed.isalnum() and seed.isascii() and len(seed) <= 40 else "set"
    name = f"practice-{stem}.{question.to}"
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
    PracticeFileQuestion(situations=("stayman",), n=2, seed="7", to="pbn"),
    media_types=media_types([".pdf", ".html", ".pbn", ".lin", ".dlm"]),
)
