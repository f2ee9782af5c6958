"""`pavcodec deal`: the same deals for the same seed, scripts that run, boards, whole listings."""

from __future__ import annotations

import io
import json
import re
from functools import cache
from typing import TYPE_CHECKING

import pytest
from formats_support import Cli, Outcome, without_header
from oracles import FIXTURES

import pavcodec as pav
from pavcodec.constraints.evaluation import Evaluation, evaluate
from pavcodec.constraints.language.parser import parse_script
from pavcodec.constraints.scripts.report import run_actions
from pavcodec.questions import sources
from pavcodec.questions.deals import space_of

if TYPE_CHECKING:
    from pathlib import Path

SCRIPTS = sorted((FIXTURES / "scripts").glob("*.dlr"))
NINE = "spades(west) == 9"
SMALL = "spades(north) == 13 && hearts(east) == 13 && clubs(south) == 1"
"""The 169 deals where South has twelve diamonds and a club."""


def notes(outcome: Outcome, code: int = 0) -> list[str]:
    """The lines on the error stream of a command that did its work."""
    assert outcome.code == code, outcome.err
    assert "Traceback" not in outcome.err
    return outcome.err.splitlines()


def space(where: str) -> pav.ConstrainedDeals:
    """The deals of a condition that can be counted."""
    found = pav.deals(where)
    assert isinstance(found, pav.ConstrainedDeals)
    return found


def test_without_a_condition_all_deals_are_meant(cli: Cli) -> None:
    outcome = cli("deal", "-n", 3, "--seed", 7)
    assert outcome.lines == [str(deal) for deal in pav.numbering("deal").sample(3, seed=7)]
    assert notes(outcome) == ["seed 7"]


def test_a_run_without_a_seed_can_be_repeated(cli: Cli) -> None:
    first = cli("deal")
    (note,) = notes(first)
    seed = note.removeprefix("seed ")
    assert cli("deal", "--seed", seed) == first
    assert cli("deal").out != first.out
    assert len(first.lines) == 1


@pytest.mark.slow
@pytest.mark.parametrize("where", [NINE, "hcp(north) + hcp(south) >= 30", "hcp(north) >= 0"])
def test_deals_are_those_of_sample(cli: Cli, where: str) -> None:
    outcome = cli("deal", where, "-n", 5, "--seed", "a text")
    deals = space(where).sample(5, seed="a text")
    assert outcome.lines == [str(deal) for deal in deals]
    numbers = [str(pav.numbering("deal").rank(deal)) for deal in deals]
    assert cli("deal", where, "-n", 5, "--seed", "a text", "--numbers").lines == numbers
    assert cli("deal", where, "-n", 5, "--seed", "a text", "--to", "numbers").lines == numbers


@pytest.mark.slow
@pytest.mark.parametrize("where", [NINE, f"{NINE} && rnd(2) == 1"])
def test_slices_agree(cli: Cli, where: str) -> None:
    whole = cli("deal", where, "-n", 12, "--seed", 9).lines
    parts = [cli("deal", where, "-n", 4, "--start", k, "--seed", 9).lines for k in (0, 4, 8)]
    assert [line for part in parts for line in part] == whole


@pytest.mark.slow
def test_distinct_deals(cli: Cli) -> None:
    with_repeats = cli("deal", SMALL, "-n", 100, "--seed", 1).lines
    assert len(set(with_repeats)) < 100
    distinct = cli("deal", SMALL, "-n", 100, "--seed", 1, "--distinct").lines
    assert len(set(distinct)) == 100
    assert distinct == [str(d) for d in space(SMALL).sample(100, seed=1, distinct=True)]
    outcome = cli("deal", SMALL, "-n", 170, "--seed", 1, "--distinct")
    assert (outcome.code, outcome.out) == (1, "")
    assert "170 different ones cannot be drawn from 169" in outcome.err
    tested = cli("deal", f"{SMALL} && rnd(2) == 1", "-n", 100, "--seed", 1, "--distinct").lines
    assert len(set(tested)) == 100


@pytest.mark.slow
def test_all_deals_in_order(cli: Cli) -> None:
    outcome = cli("deal", SMALL, "--all")
    assert notes(outcome) == []
    assert outcome.lines == [str(deal) for deal in space(SMALL)]
    assert len(outcome.lines) == 169
    part = cli("deal", SMALL, "--all", "--start", 160, "-n", 5).lines
    assert part == outcome.lines[160:165]
    assert cli("deal", SMALL, "--all", "--start", 160).lines == outcome.lines[160:]
    numbers = cli("deal", SMALL, "--all", "--numbers").lines
    assert [int(number) for number in numbers] == sorted(map(int, numbers))
    assert cli("deal", "--all", "-n", 2, "--numbers").lines == ["0", "1"]


@pytest.mark.slow
def test_predeals(cli: Cli) -> None:
    words = ("--predeal", "north SAQ542, HKJ87, D32, CAK", "--predeal", "spades(south)==4")
    for line in cli("deal", *words, "-n", 3).lines:
        assert line.startswith("N:AQ542.KJ87.32.AK ")
        assert len(line.split()[2].split(".")[0]) == 4


def test_pbn_tells_where_it_comes_from(cli: Cli) -> None:
    outcome = cli("deal", NINE, "-n", 17, "--seed", 7, "--to", "pbn")
    boards = list(pav.read(io.BytesIO(outcome.out.encode()), format="pbn"))
    deals = space(NINE).sample(17, seed=7)
    assert [board.layout for board in boards] == deals
    assert [board.number for board in boards] == list(range(1, 18))
    assert [board.tags["Dealer"] for board in boards] == list("NESWNESWNESWNESWN")
    found = [board.vulnerable for board in boards]
    assert found == [pav.Vulnerability.of_board(n) for n in range(1, 18)]
    generator = f"pavcodec {pav.__version__} seed=7 where={NINE}"
    for board, deal in zip(boards, deals, strict=True):
        assert board.tags["Generator"] == generator
        assert board.tags["DealId"] == f"deal:{pav.numbering('deal').rank(deal)}"
    text = "\n".join(without_header(outcome.out.encode()))
    assert text.count("[Generator ") == 17
    assert 'seed=7 start=3"]' in cli("deal", "--seed", 7, "--start", 3, "--to", "pbn").out


def test_json(cli: Cli) -> None:
    rows = [json.loads(line) for line in cli("deal", "-n", 2, "--seed", 7, "--json").lines]
    deals = pav.numbering("deal").sample(2, seed=7)
    numbers = [str(pav.numbering("deal").rank(deal)) for deal in deals]
    shared = {"seed": "7"}
    assert rows == [
        {"board": 1, "deal": str(deals[0]), "number": numbers[0]}
        | {"dealer": "N", "vulnerable": "None"} | shared,
        {"board": 2, "deal": str(deals[1]), "number": numbers[1]}
        | {"dealer": "E", "vulnerable": "NS"} | shared,
    ]  # fmt: skip
    assert json.loads(cli("deal", SMALL, "--all", "-n", 1, "--json").out)["seed"] is None


@pytest.mark.slow
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_every_script_runs_and_prints_what_its_actions_say(
    cli: Cli, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "space_of", cache(space_of))  # counted once, dealt twice
    outcome = cli("deal", "-f", path, "-n", 3, "--seed", 7)
    script = parse_script(path.read_text())
    warning, *rest = notes(outcome)
    assert warning == f"{path}: warning: -n replaces 'produce {script.produce}'"
    assert rest == ["seed 7"]
    lines = cli("deal", "-f", path, "-n", 3, "--seed", 7, "--to", "lines").lines
    deals = [pav.Deal.from_pbn(line) for line in lines]
    assert len(deals) == 3
    for each in deals:
        assert script.condition is not None
        assert evaluate(script.condition, each)
        assert all(evaluate(node, each) for node in script.predeal)
    out = io.StringIO()
    drawn = map(Evaluation, deals)
    run_actions(script.actions, drawn, out, dealer=script.dealer, vulnerable=script.vulnerable)
    shown = re.sub(r'\[Event "pavcodec .*"\]', '[Event "Hand simulated by pavcodec"]', outcome.out)
    assert shown == out.getvalue()


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.dlr"
    path.write_text(
        "produce 4\nseed 99\ndealer south\nvulnerable EW\n"
        "hcp(north) > 12\ncondition hcp(north) > 15\naction printpbn\n"
    )
    return path


def test_random_numbers_in_actions_repeat(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.dlr"
    path.write_text(r'produce 50 action printes rnd(1000), " ", \n, average "r" rnd(1000)')
    once = cli("deal", "-f", path, "--seed", 7)
    assert cli("deal", "-f", path, "--seed", 7) == once
    assert cli("deal", "-f", path, "--seed", 8).out != once.out
    assert len(set(once.lines)) > 40


@pytest.mark.slow
@pytest.mark.parametrize("condition", ["hcp(north) > 9", "die > 1", "spades(west) + die > 4"])
def test_random_numbers_belong_to_the_deal(cli: Cli, tmp_path: Path, condition: str) -> None:
    path = tmp_path / "a.dlr"
    actions = r'printes die, " ", rnd(1000), \n'
    path.write_text(f"die = rnd(6) produce 20 condition {condition} action {actions}")
    lines = cli("deal", "-f", path, "--seed", 7).lines
    assert cli("deal", "-f", path, "--seed", 7, "--start", 5, "-n", 3).lines == lines[5:8]
    if condition == "die > 1":
        assert {line[0] for line in lines} == set("2345")


def test_parts_of_a_run_are_the_whole(cli: Cli) -> None:
    for option in ("--json", "--to=pbn"):
        whole = cli("deal", "-n", 9, "--seed", 7, option).out
        first = cli("deal", "-n", 4, "--seed", 7, option).out
        rest = cli("deal", "-n", 5, "--seed", 7, option, "--start", 4).out
        boards = rest.replace(" start=4", "").removeprefix("% PBN 2.1\r\n% EXPORT\r\n")
        blank = "" if option == "--json" else "\r\n"
        assert first + blank + boards == whole, option


def test_output_is_complete_or_absent(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "deals.pbn"
    assert cli("deal", "-n", 3, "--seed", 7, "-o", path) == (0, "", "seed 7\n")
    deals = [board.layout for board in pav.read(path)]
    assert deals == pav.numbering("deal").sample(3, seed=7)
    lines = tmp_path / "deals.txt"
    cli("deal", "-n", 3, "--seed", 7, "-o", lines)
    assert lines.read_text().splitlines() == [str(deal) for deal in deals]
    solved = tmp_path / "deals.zrd"
    outcome = cli("deal", "-n", 3, "--seed", 7, "-o", solved)
    assert outcome.code == 1
    assert "needs the double-dummy tricks of each deal: use --solve" in outcome.err
    assert not solved.exists()
