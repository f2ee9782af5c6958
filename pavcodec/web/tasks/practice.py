"""Practice: what the page draws of boards, with their solutions, and their files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pavcodec.boards.turning import Turn
from pavcodec.chances.figures import plain_percent
from pavcodec.practice.exercises import Exercise
from pavcodec.questions.asking import call_of, command_of
from pavcodec.questions.practice import PracticeBoards
from pavcodec.questions.showing import board_facts
from pavcodec.web.tasks.asked import file_task_of, task_of


def view_of(answer: PracticeBoards) -> dict[str, Any]:
    """Return the boards for the page, what the solutions say about the set, and how to get it."""
    session = answer.session
    whole = replace(answer.asked, board=None)
    one = session if answer.asked.board is None else replace(session, odds="none")
    return {
        "boards": [_board(answer, each) for each in answer.exercises],
        "notes": one.practice(answer.exercises, brief=True).notes[:-1],  # without the command
        "whole": {"command": command_of(whole), "python": call_of(whole)},
    }


def _board(answer: PracticeBoards, exercise: Exercise) -> dict[str, Any]:
    topic, turn = exercise.topic, Turn.of(exercise.places)
    situation, question, odds = topic.situation, topic.question, exercise.odds
    key = question and odds is not None and {
        "seat": turn.seats[question.asker].letter,
        "event": turn.text(question.text),
        "percent": plain_percent(odds),
        "probability": str(odds),
        "happens": exercise.happens,
    }  # fmt: skip
    return {
        "title": topic.kind or topic.title,
        "summary": topic.where if situation is None else turn.text(situation.summary),
        "board": board_facts(exercise.board),
        "question": key,
        "solution": answer.session.solution(exercise),
    }


_EXAMPLE: dict[str, Any] = {"situations": ("stayman",), "n": 2, "seed": "7"}
PRACTICE = task_of("practice", _EXAMPLE, view_of)
PRACTICE_FILE = file_task_of("practice", _EXAMPLE, "pbn")
