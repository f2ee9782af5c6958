"""Practice sets as tasks: boards, odds and files are those of the command and of Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from same_support import printed_by, value_of
from web_tasks import content_of

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
    {"situations": ("two-clubs",), "n": 2, "seed": "7"},
    {
        "situations": ("two-clubs=2", "gambling-notrump=1/2"),
        "n": 3,
        "seed": "Club 'x'",
        "hands": "EW",
        "turn": True,
        "start": 5,
    },
    {"situations": ("hcp(south) >= 20",), "n": 2, "seed": "7", "difficulty": "hard"},
    {"situations": ("stayman=2", "hcp(south) >= 20 : 1"), "n": 3, "seed": "7", "hands": "NS"},
    {
        "situations": ("weak-two-hearts",),
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
    text = command(found.command).decode()
    for each in found.view.boards:
        assert each.board["hands"]
        assert "\n".join(each.solution) in text
    row = {key: found.model_dump()[key] for key in ("title", "seed", "boards")}
    assert value_of(found.python).to_dict() == row
    lines = printed_by(found.command, "--json").splitlines()
    assert [json.loads(line) for line in lines] == row["boards"]


WRITING = {
    "html": "pav.write_practice(answer.practice(), '{}', paper='letter')",
    "pbn": "pav.write(answer.practice().commented, '{}', preface=answer.session.preface())",
    "lin": "pav.write(answer.practice().boards, '{}', preface=answer.session.preface())",
    "dlm": "pav.write(answer.practice().boards, '{}', preface=answer.session.preface())",
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
    data = content_of(file)
    command(f"{answer.command} -o {file.name}" + " --paper letter" * (to == "html"))
    assert (tmp_path / file.name).read_bytes() == data
    (tmp_path / file.name).unlink()
    exec("\n".join([answer.python, WRITING[to].format(file.name)]), {"__name__": "user"})  # noqa: S102 (our own lines)
    assert (tmp_path / file.name).read_bytes() == data


@pytest.mark.slow
def test_pages_with_tricks(command: Command, tmp_path: Path) -> None:
    pytest.importorskip("typst")
    pytest.importorskip("endplay")
    question = PracticeFileQuestion(situations=("two-clubs",), n=2, seed="7", solve=True)
    file, answer = practice_file(question), practice(question)
    data = content_of(file)
    command(f"{answer.command} -o {file.name}")
    assert (tmp_path / file.name).read_bytes() == data
    assert answer.view.boards[0].board["tricks"]


@pytest.mark.slow
def test_a_board_of_a_set_is_that_of_the_whole_set() -> None:
    given: dict[str, Any] = {"situations": ("two-clubs", "preempt=2"), "n": 3, "seed": "7"}
    whole = practice(PracticeQuestion(**given, turn=True))
    for number in (1, 2, 3):
        one = practice(PracticeQuestion(**given, turn=True, board=number))
        assert one.view.boards == whole.view.boards[number - 1 : number]
        assert (one.command, one.python) == (whole.command, whole.python)
    with pytest.raises(PavError, match="no board 4"):
        practice(PracticeQuestion(**given, board=4))


@pytest.mark.slow
def test_the_odds_are_those_of_the_hand() -> None:
    found = practice(PracticeQuestion(situations=("two-clubs",), n=1, seed="7")).view.boards[0]
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
        (("two-clubs; rm",), "expected an operator or the end"),
        (("two-clubs=-1",), "-1"),
    ],
)
def test_says_what_is_wrong(situations: tuple[str, ...], reason: str) -> None:
    with pytest.raises(PavError, match=reason):
        practice(PracticeQuestion(situations=situations))
