"""What is told of conditions that are long: short tags, names of variables, figures of predeals."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

import pavcodec as pav

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

SHAPES = "shape(north, any 5332 + any 5422 + any 6322 + any 6421)"
LINES = [
    "strong = hcp(north) >= 20 || (hcp(north) >= 18 && losers(north) <= 3)",
    f"blacks = strong && {SHAPES} && spades(north) > 4",
    f"reds = strong && {SHAPES} && hearts(north) > 4",
    "good = blacks || reds",
]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A script whose condition has no room in a tag."""
    path = tmp_path / "our strong hands.dlr"
    path.write_text("\n".join([*LINES, "condition good && hcp(south) > 5"]))
    return path


def counted(where: str) -> pav.ConstrainedDeals:
    """The deals of a condition that can be counted."""
    space = pav.deals(where)
    assert isinstance(space, pav.ConstrainedDeals)
    return space


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, 5000])
def test_a_long_condition_stands_once_in_a_file(
    cli: Cli, script: Path, tmp_path: Path, count: int
) -> None:
    target = tmp_path / "strong.pbn"
    outcome = cli("deal", "-f", script, "-n", count, "--seed", 7, "-o", target)
    assert outcome.code == 0, outcome.err
    text = target.read_bytes().decode()
    assert max(map(len, text.split("\r\n"))) <= 253
    head, *_ = text.split("[Event", 1)
    said = " ".join(line.removeprefix("%") for line in head.split("\r\n")[3:])
    where = str(pav.expression(" ".join(said.split())))
    digest = sha256(where.encode()).hexdigest()[:16]
    boards = list(pav.read(target))
    assert len(boards) == count
    tag = f"pavcodec {pav.__version__} seed=7 script=our_strong_hands where=sha256:{digest}"
    assert {board.tags["Generator"] for board in boards} == {tag}
    assert all(board.layout in pav.deals(where) for board in boards[:3])


def test_a_short_condition_stands_in_the_tag_as_ever(cli: Cli) -> None:
    where = "hcp(south) >= 20"
    outcome = cli("deal", where, "--seed", 7, "--to", "pbn")
    assert f'[Generator "pavcodec {pav.__version__} seed=7 where={where}"]' in outcome.out
    assert outcome.out.splitlines()[:3] == ["% PBN 2.1", "% EXPORT", '[Event "?"]']


@pytest.mark.slow
@pytest.mark.parametrize("over", [0, 1])
def test_the_longest_line_is_one_of_pbn(cli: Cli, over: int) -> None:
    room = 253 - len(f'[Generator "pavcodec {pav.__version__} seed=7 where="]') + over
    where = "hcp(south) > 9"
    while len(where) + 34 < room:
        where += " && hcp(east) < 90"
    where += " && hcp(east) < 1"
    where += "0" * (room - len(where))
    assert len(where) == room
    text = cli("deal", where, "--seed", 7, "--to", "pbn").out
    [line] = [line for line in text.splitlines() if line.startswith("[Generator")]
    assert len(line) <= 253
    assert ("sha256" in line) == ("% condition:" in text) == bool(over)


@pytest.mark.slow
def test_messages_name_variables(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "never.dlr"
    path.write_text("\n".join([*LINES, "condition good && hcp(north) < 5"]))
    outcome = cli("deal", "-f", path, "--seed", 7)
    assert outcome.err == (
        "pavcodec deal: there are no deals: good (line 4) and 'hcp(north) < 5' exclude each other\n"
    )
    explained = cli("count", "-f", path, "--explain").lines
    assert explained[1] == "good (line 4) and 'hcp(north) < 5' exclude each other"
    assert explained[2:4] == ["counted  good (line 4)", "counted  hcp(north) < 5"]
    text = " ".join(line.partition("= ")[2] for line in LINES[:1])
    assert "line 4" not in cli("count", f"({text}) && hcp(north) < 5").out  # names end with a run


@pytest.mark.slow
def test_cases_select_by_holdings(cli: Cli) -> None:
    where = "holding(north, spades, KQxx) && hcp(north) == 10"
    outcome = cli("deal", where, "--method", "cases", "-n", 3, "--seed", 7)
    assert outcome.code == 0, outcome.err
    assert all(pav.Deal.from_pbn(line) in pav.deals(where) for line in outcome.lines)
