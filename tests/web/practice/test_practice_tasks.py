"""Practice sets as tasks: the view of a board, and files that are those of the command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from packages import needs
from same_support import value_of
from web_tasks import content_of

from pavcodec.errors import PavError
from pavcodec.practice import situation
from pavcodec.web.tasks.practice import PRACTICE, PRACTICE_FILE

if TYPE_CHECKING:
    from pathlib import Path

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
    {"situations": ("stayman(north=8-9)=2", "hcp(south) >= 20 : 1"), "n": 3, "seed": "7"},
    {"situations": ("weak-two-hearts",), "n": 1, "seed": "0012", "turn": True},
]


def practice(**fields: Any) -> Any:
    """Return the answer of the task; its keys are those of the command."""
    return PRACTICE.work(PRACTICE.question(**fields))


def saved(**fields: Any) -> Any:
    """Return the file of a set."""
    return PRACTICE_FILE.work(PRACTICE_FILE.question(**fields))


@pytest.mark.slow
@pytest.mark.parametrize("given", SETS)
@pytest.mark.parametrize("to", ["html", "pbn", "lin", "dlm", "text"])
def test_a_file_is_that_of_the_command(
    command: Command, tmp_path: Path, given: dict[str, Any], to: str
) -> None:
    file = saved(**given, to=to, paper="letter")
    answer = practice(**given)
    data = content_of(file)
    command(f"{answer.command} -o {file.name} --paper letter")
    assert (tmp_path / file.name).read_bytes() == data
    assert value_of(answer.python).to_dict()["boards"] == answer.model_dump()["boards"]


@pytest.mark.slow
def test_pages_with_tricks(command: Command, tmp_path: Path) -> None:
    needs("typst")
    needs("endplay")
    given: dict[str, Any] = {"situations": ("two-clubs",), "n": 2, "seed": "7", "solve": True}
    file, answer = saved(**given, to="pdf"), practice(**given)
    data = content_of(file)
    command(f"{answer.command} -o {file.name}")
    assert (tmp_path / file.name).read_bytes() == data
    assert answer.view["boards"][0]["board"]["tricks"]


@pytest.mark.slow
def test_a_board_of_a_set_is_that_of_the_whole_set() -> None:
    given: dict[str, Any] = {"situations": ("two-clubs", "preempt=2"), "n": 3, "seed": "7"}
    whole = practice(**given, turn=True)
    for number in (1, 2, 3):
        one = practice(**given, turn=True, board=number)
        assert one.view["boards"] == whole.view["boards"][number - 1 : number]
        assert one.view["whole"] == whole.view["whole"]
        assert one.boards == whole.boards[number - 1 : number]
    with pytest.raises(PavError, match="no board 4"):
        practice(**given, board=4)


@pytest.mark.slow
def test_the_odds_are_those_of_the_hand() -> None:
    found = practice(situations=("two-clubs",), n=1, seed="7").view["boards"][0]["question"]
    one = situation("two-clubs")
    assert one.question is not None
    deal = one.deals().sample(1, seed=7)[0]
    assert found["probability"] == str(one.question.odds(one.deals(), deal))
    assert found["happens"] == (deal["N"].hcp + deal["S"].hcp >= 25)
    assert found["seat"] == "S"
