"""Practice sets as tasks: boards, odds and files are those of the command and of Python."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pavcodec.errors import PavError
from pavcodec.practice import situation
from pavcodec.web.tasks.practice import (
    PracticeFileQuestion,
    PracticeQuestion,
    practice,
    practice_file,
)

if TYPE_CHECKING:
    from web_files_support import Command

SETS: list[dict[str, Any]] = [
    {"situation": ("two-clubs",), "n": 2, "seed": "7"},
    {
        "situation": ("two-clubs=2", "gambling-notrump=1/2"),
        "n": 3,
        "seed": "Club 'x'",
        "hands": "EW",
        "turn": True,
        "start": 5,
    },
    {
        "situation": ("weak-two-hearts",),
        "n": 1,
        "seed": "0012",
        "hands": "all",
        "turn": True,
        "difficulty": "easy",
    },
]


@pytest.mark.slow
@pytest.mark.parametrize("given", SETS)
def test_command_and_python_have_the_same_boards(command: Command, given: dict[str, Any]) -> None:
    found = practice(PracticeQuestion(**given))
    numbers = [each.board.view and each.board.view.deal for each in found.boards]
    text = command(found.command).decode()
    assert [line[5:] for line in text.splitlines() if line.startswith("deal ")] == numbers
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(found.python, {"__name__": "user"})  # noqa: S102 (our own lines)
    printed = out.getvalue()
    for each in found.boards:
        assert each.board.view is not None
        assert each.board.view.pbn in printed
        assert "\n".join(each.solution) in printed
        assert "\n".join(each.solution) in text


WRITING = {
    "html": "pav.write_practice(practice, '{}', paper='letter')",
    "pbn": "pav.write(practice.commented, '{}', preface=practice.preface)",
    "lin": "pav.write(practice.boards, '{}', preface=practice.preface)",
    "dlm": "pav.write(practice.boards, '{}', preface=practice.preface)",
}
"""A line of Python that writes a set in each format."""


@pytest.mark.slow
@pytest.mark.parametrize("given", SETS)
@pytest.mark.parametrize("to", WRITING)
def test_command_and_python_write_the_file(
    command: Command, tmp_path: Path, given: dict[str, Any], to: Any
) -> None:
    question = PracticeFileQuestion(**given, to=to, paper="letter")
    file, answer = practice_file(question), practice(question)
    data = b"".join(file.chunks)
    command(f"{answer.command} -o {file.name}" + " --paper letter" * (to == "html"))
    assert (tmp_path / file.name).read_bytes() == data
    (tmp_path / file.name).unlink()
    exec("\n".join([answer.python, WRITING[to].format(file.name)]), {"__name__": "user"})  # noqa: S102 (our own lines)
    assert (tmp_path / file.name).read_bytes() == data


@pytest.mark.slow
def test_pages_with_tricks(command: Command, tmp_path: Path) -> None:
    pytest.importorskip("typst")
    pytest.importorskip("endplay")
    question = PracticeFileQuestion(situation=("two-clubs",), n=2, seed="7", solve=True)
    file, answer = practice_file(question), practice(question)
    data = b"".join(file.chunks)
    command(f"{answer.command} -o {file.name}")
    assert (tmp_path / file.name).read_bytes() == data
    assert answer.boards[0].board.tricks


@pytest.mark.slow
def test_a_board_of_a_set_is_that_of_the_whole_set() -> None:
    given: dict[str, Any] = {"situation": ("two-clubs", "preempt=2"), "n": 3, "seed": "7"}
    whole = practice(PracticeQuestion(**given, turn=True))
    for number in (1, 2, 3):
        one = practice(PracticeQuestion(**given, turn=True, board=number))
        assert one.boards == whole.boards[number - 1 : number]
        assert (one.command, one.python) == (whole.command, whole.python)
    with pytest.raises(PavError, match="no board 4"):
        practice(PracticeQuestion(**given, board=4))


@pytest.mark.slow
def test_the_odds_are_those_of_the_hand() -> None:
    found = practice(PracticeQuestion(situation=("two-clubs",), n=1, seed="7")).boards[0]
    one = situation("two-clubs")
    assert found.question is not None
    assert one.question is not None
    deal = one.deals().sample(1, seed=7)[0]
    assert found.question.probability == str(one.question.odds(one.deals(), deal))
    assert found.question.happens == (deal["N"].hcp + deal["S"].hcp >= 25)
    assert found.question.seat == "S"


@pytest.mark.parametrize(
    ("situations", "reason"),
    [
        (("two-club",), "did you mean 'two-clubs'"),
        (("two-clubs=x",), "x"),
        (("two-clubs; rm",), "expected a situation"),
        (("two-clubs=-1",), "-1"),
    ],
)
def test_says_what_is_wrong(situations: tuple[str, ...], reason: str) -> None:
    with pytest.raises(PavError, match=reason):
        practice(PracticeQuestion(situation=situations))
