"""`pavcodec count`, `odds` and `cases`: exact numbers, estimates that say so, faults, listings."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

import pytest
from packages import needs

import pavcodec as pav
from pavcodec import ConstrainedDeals, deals, forget_models
from pavcodec.constraints.counting import condition
from pavcodec.questions import count
from pavcodec.studies.cases import CaseTable

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli


@pytest.mark.slow
def test_explain_tells_how_it_was_found(cli: Cli) -> None:
    where = "hcp(south) >= 20 && spades(west) == 5 && rnd(2) == 1"
    heads = [line.split() for line in cli("count", "--explain", "--tries", "10", where).lines[-6:]]
    assert [head for head, *_ in heads] == [
        "counted",
        "counted",
        "tested",
        "seats",
        "model",
        "time",
    ]
    row = json.loads(cli("count", "--explain", "--json", "--tries", "10", where).out)
    assert row["counted"] == ["hcp(south) >= 20", "spades(west) == 5"]
    assert [tested["part"] for tested in row["tested"]] == ["rnd(2) == 1"]
    assert row["seats"] == ["S", "W"]
    assert row["nodes"] > 0
    assert row["bytes"] > 0
    assert row["seconds"] >= 0
    assert "model" not in cli("count", "hcp(south) >= 20").out


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "suffix", "begin"),
    [
        (["hcp(north)"], "svg", b"<?xml"),
        (["hcp(north)", "spades(north)"], "pdf", b"%PDF"),
    ],
)
def test_plots(cli: Cli, tmp_path: Path, words: list[object], suffix: str, begin: bytes) -> None:
    needs("matplotlib")
    one, other = tmp_path / f"plot.{suffix}", tmp_path / f"again.{suffix}"
    for path in (one, other):
        assert cli("odds", *words, "--plot", path).code == 0
    assert one.read_bytes().startswith(begin)
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.slow
def test_an_interrupted_listing_goes_on(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("fcntl")
    path, part = tmp_path / "long.cases", tmp_path / "long.cases.part"
    words = ("cases", "hcp(north) == 10 && hcp(south) <= 7", "-o", path, "--force")
    assert cli(*words) == (0, "", f"168,736 cases written to {path}\n")
    assert os.listdir(tmp_path) == ["long.cases"]
    expected = path.read_bytes()
    path.unlink()
    work_out = CaseTable._step

    def fails(self: CaseTable, step: int) -> object:
        if step == 700:
            raise KeyboardInterrupt
        return work_out(self, step)

    kept = f"65,536 cases kept in {part}: the same command continues from there\n"
    with monkeypatch.context() as patch:
        patch.setattr(CaseTable, "_step", fails)
        assert cli(*words, "--resume") == (130, "", kept)
        assert cli(*words, "--resume") == (130, "", f"continuing after 65,536 cases\n{kept}")
        assert cli(*words).code == 130
    assert sorted(os.listdir(tmp_path)) == [part.name, f"{part.name}.index"]
    written = "continuing after 65,536 cases\n168,736 cases written to"
    assert cli(*words, "--resume") == (0, "", f"{written} {path}\n")
    assert path.read_bytes() == expected
    assert os.listdir(tmp_path) == ["long.cases"]
