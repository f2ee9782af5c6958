"""`pavcodec count`: exact numbers, estimates that say so, and what excludes what."""

from __future__ import annotations

import json
import re
import weakref
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from oracles import DEALS, FIXTURES, vectors

import pavcodec as pav
from pavcodec import ConstrainedDeals, deals, forget_models
from pavcodec.constraints.counting import condition
from pavcodec.limits import TimeIsUp
from pavcodec.questions import count

if TYPE_CHECKING:
    from formats_support import Cli

BALANCED = "shape({}, any 4333 + any 4432 + any 5332)"
MAJOR = "(spades(south) >= 5 || hearts(south) >= 5)"
GOLDEN = {
    "B": (
        f"{BALANCED.format('south')} && hcp(south) >= 15 && hcp(south) <= 17",
        2610137721058114653884217600,
    ),
    "C": ("spades(west) == 9", 4968111751882804000476000),
    "D": (
        "spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6",
        5793043221084319200000,
    ),
    "E": (
        f"{BALANCED.format('north')} && hcp(north) >= 28 && hcp(north) <= 30 && {MAJOR}",
        338295781978660393372800,
    ),
    "F": ("shape(east, any 5332) && hcp(east) == 34", 63865442143086998400),
    "G": ("hcp(north) == 2 && hcp(south) <= 1", 1278148448607631735680000),
}
"""The conditions on which dealing programs were compared."""
VECTORS = vectors("constraints")


@pytest.mark.slow
@pytest.mark.parametrize("name", GOLDEN)
def test_golden_counts(cli: Cli, name: str) -> None:
    where, number = GOLDEN[name]
    share = Fraction(number, DEALS)
    outcome = cli("count", where)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.lines[0] == f"{number:,} deals"
    assert outcome.lines[1].startswith(f"probability {share}: 1 in ")
    (line,) = cli("count", "--json", where).lines
    expected = {"cardinality": str(number), "probability": str(share), "exact": True}
    assert json.loads(line) == expected


@pytest.mark.slow
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["where"]))
def test_golden_vectors(cli: Cli, vector: dict[str, str]) -> None:
    assert cli("count", vector["where"]).lines[0] == f"{int(vector['count']):,} deals"


def test_the_figures_are_rounded_from_the_exact_probability(cli: Cli) -> None:
    assert cli("count", "spades(west) == 9").out == (
        "4,968,111,751,882,804,000,476,000 deals\n"
        "probability 11761893/127002711920: 1 in 10,798, 0.009261 %\n"
    )
    assert cli("count", "hascard(west, SA)").lines[1] == "probability 1/4: 1 in 4, 25 %"
    nearly = cli("count", "spades(west) < 12").lines[1]
    assert (
        nearly == "probability 158753389773/158753389900: all but 1 in 1,250,026,692, 99.9999999 %"
    )
    assert cli("count", "hcp(west) < 38").out == f"{DEALS:,} deals\nprobability 1: all deals\n"


def test_predeals_are_part_of_the_condition(cli: Cli) -> None:
    outcome = cli("count", "hearts(north) == 0", "--predeal", "north SAKQ", "--predeal", "south HA")
    cards = " && ".join(f"hascard(north, {rank}S)" for rank in "AKQ")
    expected = pav.deals(f"{cards} && hascard(south, AH) && hearts(north) == 0").cardinality
    assert outcome.lines[0] == f"{expected:,} deals"
    both = cli("count", "--predeal", "north SAKQ, HA", "--predeal", "spades(south) == 5")
    assert both.code == 0
    expected = pav.deals(f"{cards} && hascard(north, AH) && spades(south) == 5").cardinality
    assert both.lines[0] == f"{expected:,} deals"


@pytest.mark.slow
def test_a_script_gives_its_condition(cli: Cli) -> None:
    outcome = cli("count", "-f", FIXTURES / "scripts" / "predeal.dlr", "--json")
    row = json.loads(outcome.out)
    assert outcome.err == ""
    assert 0 < int(row["cardinality"]) < DEALS
    assert Fraction(row["probability"]) == Fraction(int(row["cardinality"]), DEALS)


@pytest.mark.slow
def test_parts_that_exclude_each_other_are_named(cli: Cli) -> None:
    where = "hcp(north) > 30 && spades(east) == 5 && hcp(south) > 30"
    outcome = cli("count", where)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == "0 deals\n'hcp(north) > 30' and 'hcp(south) > 30' exclude each other\n"
    row = json.loads(cli("count", "--json", where).out)
    parts = ["hcp(north) > 30", "hcp(south) > 30"]
    assert row == {"cardinality": "0", "probability": "0", "exact": True, "conflict": parts}
    assert cli("count", "--conflict", where).lines == parts
    assert json.loads(cli("count", "--conflict", "--json", where).out) == {"conflict": parts}
    assert cli("count", "--conflict", "hcp(north) > 30") == (0, "", "")


@pytest.mark.parametrize("where", ["hcp(south) >= 38", "hcp(south) >= 38 && rnd(2) == 1"])
def test_one_part_that_is_never_true(cli: Cli, where: str) -> None:
    outcome = cli("count", where)
    assert outcome == (0, "0 deals\n'hcp(south) >= 38' is never true\n", "")
    assert json.loads(cli("count", "--json", where).out)["exact"] is True


def test_an_estimate_says_that_it_is_one(cli: Cli) -> None:
    where = "hcp(south) >= 20 && rnd(4) == 1"
    outcome = cli("count", where, "--tries", "500")
    assert (outcome.code, outcome.err) == (0, "")
    *estimates, tried = outcome.lines
    assert all(line.startswith("estimated") for line in estimates)
    assert "of 500 deals passed" in tried
    row = json.loads(cli("count", "--json", where, "--tries", "500").out)
    estimate = row.pop("estimate")
    assert row == {"cardinality": None, "probability": None, "exact": False}
    low, value, high = (int(estimate[name]) for name in ("low", "value", "high"))
    quarter = pav.deals("hcp(south) >= 20").cardinality
    assert isinstance(quarter, int)
    assert low < value < high < quarter
    assert low < quarter // 4 < high
    assert (estimate["tried"], 50 < estimate["accepted"] < 200) == (500, True)


def test_nothing_accepted_is_no_reason_to_fail(cli: Cli) -> None:
    outcome = cli("count", "rnd(1000000) == 5", "--tries", "10")
    assert outcome.code == 0
    assert outcome.lines[0] == "estimated: about 0 deals"


def test_explain_tells_how_it_was_found(cli: Cli) -> None:
    where = "hcp(south) >= 20 && spades(west) == 5 && rnd(2) == 1"
    lines = cli("count", "--explain", "--tries", "10", where).lines
    assert "counted  hcp(south) >= 20" in lines
    assert "counted  spades(west) == 5" in lines
    assert any(line.startswith("tested   rnd(2) == 1: ") for line in lines)
    assert "seats    S W" in lines
    assert lines[-2].startswith("model    ")
    assert re.fullmatch(r"time     \d+\.\d\d s", lines[-1])
    row = json.loads(cli("count", "--explain", "--json", "--tries", "10", where).out)
    assert row["counted"] == ["hcp(south) >= 20", "spades(west) == 5"]
    assert [tested["part"] for tested in row["tested"]] == ["rnd(2) == 1"]
    assert row["seats"] == ["S", "W"]
    assert row["nodes"] > 0
    assert row["bytes"] > 0
    assert row["seconds"] >= 0
    assert "model" not in cli("count", "hcp(south) >= 20").out


def test_a_wrong_expression_is_shown_with_carets(cli: Cli) -> None:
    outcome = cli("count", "hcp(nroth) > 12")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        "pavcodec count: hcp takes a seat (north, east, south or west) here, not 'nroth'; "
        "did you mean 'north'? (see 'pavcodec count --help')\n"
        "  hcp(nroth) > 12\n"
        "      ^^^^^\n"
    )


@pytest.mark.parametrize("text", ["", "# nothing\n\n"])
def test_an_empty_script_is_noted(cli: Cli, text: str) -> None:
    outcome = cli("count", "-f", "-", stdin=text)
    assert (outcome.code, outcome.lines[1]) == (0, "probability 1: all deals")
    assert outcome.complaint == "stdin: the script is empty: it has no condition"


def test_a_wrong_script_is_shown_with_carets(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "wrong.dlr"
    path.write_text("produce 3\n# a remark\ncondition hcp(nroth) > 12\n")
    outcome = cli("count", "-f", path)
    assert (outcome.code, outcome.out) == (1, "")
    first, *shown = outcome.err.splitlines()
    assert first.startswith(f"pavcodec count: {path}:3: hcp takes a seat")
    assert shown == ["  condition hcp(nroth) > 12", "                ^^^^^"]
    missing = cli("count", "-f", tmp_path / "absent.dlr")
    assert missing.code == 1
    assert missing.complaint.endswith("absent.dlr: No such file or directory")
    assert (
        cli("count", "-f", "-", stdin="hcp(north) == 37").lines[0]
        == "337,912,392,291,465,600 deals"
    )


def test_a_condition_that_may_mean_something_else_is_warned_of(cli: Cli) -> None:
    chain = cli("count", "5 <= hcp(north) <= 7")
    assert chain.err == (
        "warning: a <= b <= c is read as a <= b && b <= c; "
        "the classic dealer reads it as (a <= b) <= c\n"
    )
    assert chain.out == cli("count", "5 <= hcp(north) && hcp(north) <= 7").out
    assert cli("count", "15").err == "warning: '15' is always true, whatever the deal\n"
    assert cli("count", "1").err == ""


@pytest.mark.slow
def test_numbers_that_cannot_be_counted_are_tested(cli: Cli) -> None:
    row = json.loads(cli("count", "--json", "--explain", "hcp(north) * 999999999999999999 > 0").out)
    assert row["exact"] is False
    assert row["counted"] == []
    (part,) = row["tested"]
    assert part["part"] == "hcp(north) * 999999999999999999 > 0"
    assert "more than 2^61" in part["reason"]
    assert row["estimate"]["accepted"] > 1900


def test_what_chance_can_never_be(cli: Cli) -> None:
    outcome = cli("count", "rnd(2) == 5 && hcp(north) > 3")
    assert outcome.code == 0
    assert outcome.lines == ["0 deals", "'rnd(2) == 5 && hcp(north) > 3' is never true"]


LARGE = "hcp(north) > 31 && hcp(south) < 2 && spades(west) > 5 && losers(east) > 9"


@pytest.mark.slow
def test_what_is_too_large_to_draw_from_is_counted(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = deals(LARGE, method="exact")
    assert isinstance(space, ConstrainedDeals)
    monkeypatch.setattr(condition, "WHOLE", 1 << 16)
    for options in ([], ["--method", "exact"], ["--explain"]):
        lines = cli("count", LARGE, *options).lines
        assert lines[0] == f"{space.cardinality:,} deals"
        assert lines[1].startswith(f"probability {space.probability}: ")
    assert re.fullmatch(
        r"plan: what the condition says of \w+( and \w+)* is counted, "
        r"\d parts? of the condition (is|are) tested",
        lines[2],
    )
    explained = json.loads(cli("count", LARGE, "--explain", "--json").out)
    assert set(explained["plan"]) <= set("NESW")
    assert {row["reason"] for row in explained["tested"]} == {condition.TOO_LARGE}
    assert cli("count", LARGE, "--method", "test", "--tries", 9).lines[0].startswith("estimated")
    monkeypatch.setattr(count, "_AT_ONCE", 0)
    slow = cli("count", LARGE)
    assert (slow.code, slow.lines) == (0, lines[:2])
    assert re.fullmatch(
        r"estimated: about [\d,]+ deals; counting takes up to (1[5-9]|20) s more\n", slow.err
    )


def test_what_was_counted_in_vain_is_gone_before_the_plan(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Counted:
        pass

    made: list[weakref.ref[Counted]] = []

    def count_layouts(*_: object, **__: object) -> int:
        counted = Counted()
        made.append(weakref.ref(counted))
        raise TimeIsUp("counting takes more than 0 s")

    def meanwhile(_: str) -> None:
        assert [each() for each in made] == [None]

    monkeypatch.setattr(condition, "count_layouts", count_layouts)
    monkeypatch.setattr(condition, "WHOLE", 1 << 16)
    monkeypatch.setattr(count, "meanwhile", meanwhile)
    assert cli("count", LARGE).err == "this is an estimate: counting takes more than 0 s\n"
    assert len(made) == 2


@pytest.mark.slow
def test_a_limit_of_counting_gives_an_estimate(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    number = deals(LARGE, method="counted").cardinality
    forget_models()
    monkeypatch.setattr(condition, "WHOLE", 1 << 16)
    why = "counting takes more than 0 s; allow more with --seconds or seconds="
    said = f"this is an estimate: {why}"
    outcome = cli("count", LARGE, "--seconds", 0)
    assert (outcome.code, outcome.err) == (0, f"{said}\n")
    assert outcome.lines[0].startswith("estimated: about ")
    assert cli("count", LARGE, "--seconds", 0) == outcome
    row = json.loads(cli("count", LARGE, "--seconds", 0, "--json").out)
    assert (row["cardinality"], row["probability"], row["exact"]) == (None, None, False)
    assert int(row["estimate"]["low"]) < number < int(row["estimate"]["high"])
    assert row["estimate"]["tried"] >= 2000
    answer = pav.count(LARGE, seconds=0)
    assert answer.to_dict() == row
    assert [*answer.notes] == [said]
    refused = cli("count", LARGE, "--seconds", 0, "--method", "exact")
    assert (refused.code, refused.complaint) == (1, f"pavcodec count: {why}")
    monkeypatch.setattr(count, "_MEMORY", 1 << 16)
    outcome = cli("count", LARGE)
    assert outcome.err.startswith("this is an estimate: ")
    assert "more than 64 KiB" in outcome.err
    assert cli("count", LARGE, "--method", "exact").lines[0] == f"{number:,} deals"


@pytest.mark.slow
def test_a_plan_of_deals(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(condition, "WHOLE", 1 << 16)
    outcome = cli("deal", LARGE, "-n", 2, "--seed", 7, "--to", "pbn")
    assert outcome.code == 0
    assert outcome.err.startswith("plan: what the condition says of ")
    assert re.search(r'\[Generator "pavcodec \S+ seed=7 plan=[NESW]+ where=hcp', outcome.out)
    assert cli("deal", LARGE, "-n", 2, "--seed", 7, "--to", "pbn") == outcome
    assert "plan:" not in cli("deal", LARGE, "-n", 1, "--method", "exact", "--seed", 7).err
