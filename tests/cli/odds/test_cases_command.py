"""`pavcodec cases`: the tables of the study, numbers that pick cases, listings in files."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from cases_support import CONDITIONS
from packages import needs

import pavcodec as pav
from pavcodec.studies.cases import CaseTable

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

NINE = "spades(west) == 9"
SIDES = CONDITIONS["west-9-spades-east-6-6-minors"]


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
    refused = cli("cases", NINE, "-o", path, "--force", "--resume")
    reason = "it belongs to another condition or version"
    anew = f"{part} is not used, and the listing starts again: {reason}\n"
    assert refused == (0, "", f"{anew}15 cases written to {path}\n")
    with monkeypatch.context() as patch:
        patch.setattr(CaseTable, "_step", fails)
        cli(*words, "--resume")
    written = "continuing after 65,536 cases\n168,736 cases written to"
    assert cli(*words, "--resume") == (0, "", f"{written} {path}\n")
    assert path.read_bytes() == expected
    assert os.listdir(tmp_path) == ["long.cases"]


@pytest.mark.slow
def test_a_listing_is_written_and_read(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "sides.cases"
    outcome = cli("cases", SIDES, "-o", path)
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err == f"30 cases written to {path}\n"
    for words in ([], ["--json"], ["--tsv"], ["--select", 5], ["-n", 3]):
        assert cli("cases", "--listing", path, *words).out == cli("cases", SIDES, *words).out
    text = tmp_path / "sides.tsv"
    assert cli("cases", SIDES, "--tsv", "-o", text).code == 0
    assert text.read_text() == cli("cases", SIDES, "--tsv").out
    assert sorted(os.listdir(tmp_path)) == ["sides.cases", "sides.tsv"]


def test_info_tells_what_a_listing_is(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "sides.cases"
    cli("cases", SIDES, "-o", path)
    (facts,) = json.loads(cli("info", "--json", path).out)
    assert facts["condition"] == SIDES
    assert (facts["seats"], facts["cases"], facts["total"]) == ("W E", 30, "556991252532000")
    assert facts["bytes"] == path.stat().st_size
    data = bytearray(path.read_bytes())
    data[17] ^= 1
    path.write_bytes(data)
    outcome = cli("info", path)
    assert outcome.code == 1
    assert "cases 1 to 30 were changed" in outcome.complaint


@pytest.mark.slow
def test_deals_come_from_a_listing(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "nine.cases"
    cli("cases", NINE, "-o", path)
    expected = [str(deal) for deal in pav.case_table(NINE).deals.sample(5, seed=7)]
    drawn = cli("deal", "--listing", path, "-n", 5, "--seed", 7)
    assert (drawn.lines, drawn.err) == (expected, "seed 7\n")
    assert cli("deal", NINE, "--method", "cases", "-n", 5, "--seed", 7).lines == expected
    rest = cli("deal", "--listing", path, "-n", 2, "--seed", 7, "--start", 3)
    assert rest.lines == expected[3:]
    numbers = cli("deal", "--listing", path, "-n", 5, "--seed", 7, "--numbers").lines
    assert numbers == [str(pav.numbering("deal").rank(pav.Deal.from_pbn(d))) for d in expected]
    ordered = cli("deal", "--listing", path, "-n", 3, "--all").lines
    assert ordered == [str(deal) for deal in pav.case_table(NINE).deals[:3]]


@pytest.mark.slow
def test_deals_of_a_listing_are_selected(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "nine.cases"
    cli("cases", NINE, "-o", path)
    words = ("-n", 4, "--seed", 7)
    outcome = cli("deal", "hcp(north) >= 10", "--listing", path, *words)
    both = cli("deal", f"{NINE} && hcp(north) >= 10", *words)
    assert len(outcome.lines) == 4
    assert "passed 'hcp(north) >= 10'" in outcome.err
    assert outcome.lines != both.lines
    for line in outcome.lines:
        deal = pav.Deal.from_pbn(line)
        assert deal["W"].shape[0] == 9
        assert deal["N"].hcp >= 10
    outcome = cli("deal", "hcp(north) >= 10", "--listing", path, *words, "--to", "pbn")
    assert f'listing={NINE} where={NINE} && hcp(north) >= 10"' in outcome.out


def test_a_file_that_is_no_listing(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "wrong.cases"
    path.write_bytes(b"not a listing, but longer than the foot of one")
    for words in (["cases", "--listing", path], ["deal", "--listing", path], ["info", path]):
        outcome = cli(*words)
        assert (outcome.code, outcome.out) == (1, "")
        assert outcome.complaint.endswith("this is no complete case listing")
