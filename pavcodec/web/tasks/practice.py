"""Practice: boards of situations, and their files."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Literal

from pydantic import Field

from pavcodec.boards import Context
from pavcodec.boards.turning import Turn
from pavcodec.errors import PavError
from pavcodec.formats import format_of
from pavcodec.numberings import numbering
from pavcodec.practice.exercises import Exercise, PracticeSession
from pavcodec.practice.making import USUAL_BOARDS, Source, exercises_of, session_of_library
from pavcodec.practice.sets import practice_document
from pavcodec.printing.pages import WRITERS
from pavcodec.sampling import fresh_seed, parse_seed
from pavcodec.web.tasks.exact import percent
from pavcodec.web.tasks.files.reading import FileBoard, file_board
from pavcodec.web.tasks.task import PAGE_BOARDS, Answer, Download, Fields, Question, Task
from pavcodec.web.tasks.writing import file_of, media_types

# Boards for practice: hands, the key question with its exact odds, and the solution.


_SHORT_SEEDS = 10**9


class PracticeQuestion(Question):
    """The situations of a set, its boards, and who sits where."""

    situation: tuple[str, ...] = Field(
        ("strong-notrump",),
        min_length=1,
        max_length=50,
        description="names of the library, each with a weight after = if there are several",
    )
    n: int = Field(USUAL_BOARDS, ge=1, le=PAGE_BOARDS, description="the number of boards")
    seed: str = Field("", max_length=200, description="a number or a text; without one, a new seed")
    start: int = Field(0, ge=0, le=10**9, description="how many boards of the seed to skip")
    hands: Literal["NS", "EW", "all"] = Field("NS", description="the players")
    turn: bool = Field(
        default=False, description="turn the table, so that each player gets each role"
    )
    difficulty: Literal["", "easy", "medium", "hard"] = Field("", description="only such boards")
    solve: bool = Field(default=False, description="compute the double-dummy tricks")
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

    situation: str
    summary: str = Field(description="what the players know")
    level: str = Field(description="the difficulty, with the figure that decides it")
    board: FileBoard
    question: KeyQuestion | None
    solution: tuple[str, ...]


class PracticeAnswer(Answer):
    """Boards to practise with; others make the same ones from the question with this seed."""

    title: str
    seed: str
    boards: tuple[PracticeBoard, ...]
    notes: tuple[str, ...] = Field(description="what the solutions say about the whole set")


def practice(question: PracticeQuestion) -> PracticeAnswer:
    """Return boards of situations, with the key question of each and its solution."""
    seed = question.seed.strip() or str(fresh_seed() % _SHORT_SEEDS)
    whole, _ = session_of(question, seed)
    if question.board is not None and question.board > question.n:
        raise PavError(f"the set has {question.n} boards, and no board {question.board}")
    first = question.start + (question.board or 1) - 1
    some = question.model_copy(
        update={"start": first, "n": question.n if question.board is None else 1}
    )
    session, source = session_of(some, seed)
    exercises = exercises_of(session, source, solve=question.solve)
    if question.board is not None:  # the odds of the whole situations are for the whole set
        whole = replace(whole, odds="none")
    return PracticeAnswer(
        title=whole.title,
        seed=seed,
        boards=tuple(_view(session, each) for each in exercises),
        notes=whole.practice(exercises, brief=True).notes[:-1],  # without the command
        command=whole.again,
        python="\n".join(
            [
                *_python_lines(question, seed),
                "for board, notes in zip(practice.boards, practice.board_notes):",
                '    print(board.number, board.layout, *notes, sep="\\n")',
            ]
        ),
    )


def session_of(question: PracticeQuestion, seed: str) -> tuple[PracticeSession, Source]:
    """Return the session of a question, and the source of its deals."""
    return session_of_library(
        question.situation,
        question.n,
        seed=parse_seed(seed),
        start=question.start,
        hands=question.hands,
        turning=question.turn,
        difficulty=question.difficulty or None,
        solve=question.solve,
    )


def _python_lines(question: PracticeQuestion, seed: str) -> list[str]:
    """Return the lines of Python that make the set as `practice`."""
    options = [f"seed={int(seed) if seed.isdecimal() and seed.isascii() else seed!r}"]
    options += [f"start={question.start}"] if question.start else []
    options += [f"hands={question.hands!r}"] if question.hands != "all" else []
    options += ["turning=True"] if question.turn else []
    options += [f"difficulty={question.difficulty!r}"] if question.difficulty else []
    options += ["solve=True"] if question.solve else []
    given = f"{list(question.situation)!r}, {question.n}, {', '.join(options)}"
    return ["import pavcodec as pav", "", f"practice = pav.practice_set({given})"]


def _view(session: PracticeSession, exercise: Exercise) -> PracticeBoard:
    situation = exercise.topic.situation
    assert situation is not None
    turn = Turn.of(exercise.places)
    return PracticeBoard(
        situation=situation.title,
        summary=turn.text(situation.summary),
        level=situation.difficulty.describe(exercise.deal),
        board=file_board(exercise.board),
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


PRACTICE = Task(
    "practice",
    "Return boards of situations, with the key question of each, its odds, and its solution.",
    practice,
    PracticeQuestion(situation=("stayman",), n=2, seed="7"),
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
    seed = question.seed.strip() or str(fresh_seed())
    session, source = session_of(question, seed)
    made = session.practice(exercises_of(session, source, solve=question.solve), brief=True)
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
    PracticeFileQuestion(situation=("stayman",), n=2, seed="7", to="pbn"),
    media_types=media_types([".pdf", ".html", ".pbn", ".lin", ".dlm"]),
)
