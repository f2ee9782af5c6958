"""`deal --permuted` and `deal --sorted`: deals without repeats, alone and in parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import pavcodec as pav

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli, Outcome


def refused(outcome: Outcome, code: int) -> str:
    """The error of a command that fails."""
    assert outcome.code == code
    assert not outcome.out
    return outcome.err


SMALL = "hcp(south) == 37 && spades(south) == 4 && hcp(north) == 3"
"""A condition of some ten thousand millions of deals."""


@pytest.mark.slow
def test_permuted_deals_are_those_of_the_numbering(cli: Cli) -> None:
    order = pav.permuted(pav.deals(SMALL, method="counted"), 7)
    assert cli("deal", SMALL, "--permuted", "-n", 20, "--seed", 7).lines == [
        str(deal) for deal in order[:20]
    ]
    later = cli("deal", SMALL, "--permuted", "-n", 5, "--start", 15, "--seed", 7).lines
    assert later == [str(deal) for deal in order[15:20]]
    everything = cli("deal", "--permuted", "-n", 3, "--seed", 7).lines
    assert everything == [str(deal) for deal in pav.permuted(pav.numbering("deal"), 7)[:3]]


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--permuted", "--sorted"])
def test_many_deals_are_those_of_few(cli: Cli, option: str) -> None:
    many = cli("deal", SMALL, option, "-n", 4100, "--seed", 7, "--numbers").lines
    assert len(set(many)) == 4100
    if option == "--permuted":
        assert cli("deal", SMALL, option, "-n", 100, "--seed", 7, "--numbers").lines == many[:100]
        return
    assert many == sorted(many, key=int)
    sample = pav.SortedSample(pav.deals(SMALL, method="counted").cardinality, 4100, 7)
    [rows] = sample.part(0, 4100)
    places = [high << 64 | low for high, low in rows.tolist()]
    deals = pav.numbering("deal")
    assert many[::100] == [
        str(deals.rank(pav.deals(SMALL, method="counted")[place])) for place in places[::100]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--permuted", "--sorted"])
def test_scripts_and_json(cli: Cli, option: str, tmp_path: Path) -> None:
    script = tmp_path / "a.dlr"
    script.write_text(f'condition {SMALL}\nproduce 5\naction average "points" hcp(south)\n')
    assert "points: 37" in cli("deal", "-f", script, option, "--seed", 7).out
    script.write_text(f'condition {SMALL}\nproduce 5000\naction average "points" hcp(south)\n')
    assert "points: 37" in cli("deal", "-f", script, option, "--seed", 7).out
    assert cli("deal", SMALL, option, "-n", 2, "--seed", 7, "--json").out.count('"board"') == 2


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--permuted", "--sorted"])
def test_parts(cli: Cli, option: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    options = ["deal", SMALL, "--seed", 7]
    made = ["-n", 90, "--parts", 3, "--to", "numbers", "--workers", 1, "-o", folder]
    done = cli(*options, option, *made)
    assert "complete, 3 parts" in done.err
    found = "".join((folder / f"part-{k:06}.numbers").read_text() for k in range(3)).split()
    assert found == cli(*options, option, "-n", 90, "--numbers").lines
    assert "3 verified" in cli(*options, "--workers", 1, "-o", folder).err
    other = {"--permuted": "--sorted", "--sorted": "--permuted"}[option]
    again = cli(*options, other, "--workers", 1, "-o", folder)
    assert "this folder has another collection" in refused(again, 1)


@pytest.mark.slow
def test_tested_conditions_and_mixes_have_no_order(cli: Cli, tmp_path: Path) -> None:
    tested = cli("deal", f"{SMALL} && rnd(2) == 1", "--permuted")
    assert "tested deal by deal, so its deals have no permuted order" in refused(tested, 1)
    script = tmp_path / "a.dlr"
    script.write_text(f"condition {SMALL}\nweight north: hcp {{3: 1}}\n")
    weighted = cli("deal", "-f", script, "--sorted")
    assert "not equally likely" in refused(weighted, 1)
