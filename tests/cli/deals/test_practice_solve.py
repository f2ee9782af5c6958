"""`pavcodec practice --solve`: double-dummy tricks, par, and the tricks against contract."""

from __future__ import annotations

import io
import json
import re
import shlex
from typing import TYPE_CHECKING

import pytest
from packages import needs

import pavcodec as pav
from pavcodec.boards.turning import Turn
from pavcodec.cards import Seat, Strain
from pavcodec.practice.exercises import side_tricks
from pavcodec.solving.double_dummy import double_dummy

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

needs("endplay")
SET = ("practice", "cardracks", "--odds", "none", "--seed", "7", "-n", "4")


@pytest.mark.slow
@pytest.mark.parametrize("hands", ["NS", "EW", "all"])
def test_the_side_turns_with_the_hands(cli: Cli, hands: str) -> None:
    outcome = cli(*SET, "--turn", "--hands", hands, "--solve", "--json")
    assert outcome.code == 0, outcome.err
    rows = [json.loads(line) for line in outcome.lines]
    plain = [json.loads(line) for line in cli(*SET, "--turn", "--hands", hands, "--json").lines]
    for row, other in zip(rows, plain, strict=True):
        side = Turn.of(row["turned"]).seats[Seat.SOUTH]
        assert row["contract"]["side"] == ("NS" if side in (Seat.NORTH, Seat.SOUTH) else "EW")
        assert hands == "all" or row["contract"]["side"] == hands
        deal = pav.Deal.from_pbn(row["deal"])
        tricks = {s.letter: {d.letters: double_dummy(deal, s, d) for d in Strain} for s in Seat}
        assert row["tricks"] == tricks
        assert set(row) - set(other) == {"tricks", "par", "contract"}
        assert other == {key: row[key] for key in other}


@pytest.mark.slow
def test_text_has_tricks_par_and_the_line_of_the_side(cli: Cli) -> None:
    outcome = cli(*SET, "--solve")
    boards = pav.read(io.BytesIO(cli(*SET, "--solve", "--to", "pbn").out.encode()), format="pbn")
    for board in boards:
        assert board.tricks is not None
        line = f"Tricks: {side_tricks(board.tricks, Seat.SOUTH)}"
        assert line in outcome.lines
    tricks = [line for line in outcome.lines if line.startswith("tricks ")]
    assert len(tricks) == len([line for line in outcome.lines if line.startswith("par  ")]) == 4
    assert all(re.fullmatch(r"tricks NT ♠ ♥ ♦ ♣(  [NESW]( \d+){5}){4}", line) for line in tricks)
    assert max(map(len, tricks)) <= 80


def test_without_solve_nothing_else_changes(cli: Cli) -> None:
    solved, plain = cli(*SET, "--solve"), cli(*SET)
    own = ("tricks ", "par  ", "Tricks: ")
    lines = [line.replace(" --solve", "") for line in solved.lines if not line.startswith(own)]
    assert lines == list(plain.lines)


def test_the_set_is_made_again_with_its_tricks(cli: Cli) -> None:
    first = cli(*SET, "--solve")
    (command,) = re.findall(r"^Made by: pavcodec (.*)$", first.out, re.MULTILINE)
    assert cli(*shlex.split(command)).out == first.out


@pytest.mark.slow
def test_pages_and_formats_have_the_tricks(cli: Cli, tmp_path: Path) -> None:
    for suffix in ("html", "pdf", "lin"):
        assert cli(*SET, "--solve", "-o", tmp_path / f"x.{suffix}").code == 0
    page = (tmp_path / "x.html").read_text("utf-8")
    assert page.count('<p class="par">') == page.count("Tricks: NS can make") == 4
    made = cli(*SET, "--solve", "--to", "pbn").out
    assert made.count("[OptimumResultTable ") == made.count("{Tricks: NS can make") == 4


@pytest.mark.slow
def test_a_format_without_tricks_says_so(cli: Cli) -> None:
    note = "lin has no place for the double-dummy tricks"
    assert note in cli(*SET, "--solve", "--to", "lin").err
    assert note not in cli(*SET, "--to", "lin").err
    assert "no place" not in cli(*SET, "--solve", "--to", "pbn").err
