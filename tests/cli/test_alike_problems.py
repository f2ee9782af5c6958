"""Problems of a kind are told in a few lines, however many there are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, Cli

if TYPE_CHECKING:
    from pathlib import Path

GAME = '[Board "{}"]\n[Dealer "X"]\n[Deal "{}"]\n\n'
REASON = "is not one of N E S W"


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """A file with 500 problems of a kind and one of another."""
    path = tmp_path / "event.pbn"
    games = [GAME.format(number, DEAL) for number in range(1, 501)]
    path.write_text("".join(games) + '[Vulnerable "E"]\n[Board "501"]\n')
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("convert", "{}", "-", "--to", "lines"),
        ("encode", "{}"),
        ("info", "{}"),
        ("grep", "1", "{}"),
        ("stats", "{}"),
        ("show", "{}", "-o", "{}.html"),
        ("pack", "{}", "-o", "{}.pav"),
    ],
)
def test_problems_of_a_kind_are_counted(cli: Cli, event: Path, words: tuple[str, ...]) -> None:
    outcome = cli(*(word.format(event) for word in words))
    told = [line for line in outcome.err.splitlines() if REASON in line]
    assert told == [
        *(f"{event}:{4 * n - 2}: board {n}: dealer 'X' {REASON}" for n in (1, 2, 3)),
        f"{event}: 497 more of the same kind: dealer '…' {REASON}",
    ]
    other = [line for line in outcome.err.splitlines() if "vulnerability 'E'" in line]
    assert len(other) == 1
    assert outcome.code == 1


@pytest.mark.slow
def test_the_number_of_problems_is_that_of_all(cli: Cli, event: Path, tmp_path: Path) -> None:
    outcome = cli("convert", "--json", event, tmp_path / "out.txt")
    assert json.loads(outcome.out)["problems"] == 501


def test_each_file_has_its_own_count(cli: Cli, tmp_path: Path) -> None:
    for name in ("a.pbn", "b.pbn"):
        (tmp_path / name).write_text("".join(GAME.format(n, DEAL) for n in range(1, 8)))
    outcome = cli("encode", tmp_path / "a.pbn", tmp_path / "b.pbn")
    more = [line for line in outcome.err.splitlines() if "more of the same kind" in line]
    assert more == [
        f"{tmp_path / name}: 4 more of the same kind: dealer '…' {REASON}"
        for name in ("a.pbn", "b.pbn")
    ]


def test_a_few_problems_of_a_kind_are_all_told(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.pbn").write_text("".join(GAME.format(n, DEAL) for n in range(1, 6)))
    outcome = cli("encode", tmp_path / "a.pbn")
    places = [line.split(": ")[1] for line in outcome.err.splitlines()]
    assert places == [f"board {n}" for n in range(1, 6)]


def test_kinds_of_problems_are_told_in_the_order_of_their_first(cli: Cli, tmp_path: Path) -> None:
    other = "N:AA... - - -"
    lines = ["first", *[other] * 7, *["first"] * 6]
    (tmp_path / "a.txt").write_text("".join(f"{line}\n" for line in lines))
    told = cli("encode", "--from", "lines", tmp_path / "a.txt").err.splitlines()
    assert [line.split(": ")[1] for line in told[-2:]] == ["4 more of the same kind"] * 2
    assert ["starts with the first seat" in line for line in told[-2:]] == [True, False]


def test_what_is_left_to_say_comes_before_what_stops_a_command(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("nothing\n" * 10)
    outcome = cli("convert", "--from", "lines", tmp_path / "a.txt", tmp_path / "a.pbn")
    lines = outcome.err.splitlines()
    assert len(lines) == 5
    assert "7 more of the same kind" in lines[3]
    assert "nothing to write" in lines[4]
