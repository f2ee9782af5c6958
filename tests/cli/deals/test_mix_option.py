"""Mixes on the command line: options, scripts, what is told, what is refused."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

import pavcodec as pav

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli, Outcome

STRONG, REST = "hcp(south) >= 20", "hcp(south) >= 12"
OPTIONS = ("--mix", f"{STRONG} : 1", "--mix", f"{REST}:2.5")


def mix() -> pav.Mix:
    """The mix of `OPTIONS`."""
    return pav.mix([(STRONG, 1), (REST, "2.5")])


def notes(outcome: Outcome, code: int = 0) -> list[str]:
    """The lines on the error stream."""
    assert outcome.code == code, outcome.err
    assert "Traceback" not in outcome.err
    return outcome.err.splitlines()


def test_deals_of_a_mix(cli: Cli) -> None:
    outcome = cli("deal", *OPTIONS, "-n", 20, "--seed", 7)
    assert outcome.lines == [str(deal) for deal in mix().sample(20, seed=7)]
    seed, head, first, strong, second, rest, overlap = notes(outcome)
    assert (seed, head.split()) == ("seed 7", ["type", "share", "weight", "by", "nature", "deals"])
    assert strong == f"    condition: {STRONG}"
    assert rest.startswith("    condition: ")
    [one, two] = mix().types
    assert first.split() == ["1", "28.57", "%", "1", *natural(0), f"{one.cardinality:,}"]
    assert second.split()[:4] == ["2", "71.43", "%", "5/2"]
    both = one.cardinality, pav.deals(REST).cardinality
    assert two.cardinality == both[1] - both[0]  # type: ignore[operator]
    assert overlap == f"type 2: {both[0]:,} of {both[1]:,} deals that fit it are of earlier types"


def natural(place: int) -> list[str]:
    """The share of a type by nature, as it is printed."""
    ways = [kind.cardinality for kind in mix().types]
    share = 100 * ways[place] / sum(ways)  # type: ignore[operator, arg-type]
    return [f"{share:.4g}", "%"]


def test_a_run_is_what_its_parts_give_and_numbers_are_those_of_the_deals(cli: Cli) -> None:
    whole = cli("deal", *OPTIONS, "-n", 12, "--seed", 7)
    late = cli("deal", *OPTIONS, "-n", 5, "--seed", 7, "--start", 7)
    assert late.lines == whole.lines[7:]
    numbers = cli("deal", *OPTIONS, "-n", 12, "--seed", 7, "--numbers")
    ranks = pav.numbering("deal")
    assert [str(ranks.unrank(int(line))) for line in numbers.lines] == whole.lines


def test_json_tells_the_type(cli: Cli) -> None:
    rows = [
        json.loads(line) for line in cli("deal", *OPTIONS, "-n", 9, "--seed", 7, "--json").lines
    ]
    assert [row["type"] - 1 for row in rows] == list(mix().places(9, seed=7))
    assert [row["deal"] for row in rows] == [str(deal) for deal in mix().sample(9, seed=7)]
    plain = cli("deal", STRONG, "--json")
    assert "type" not in json.loads(plain.out)


@pytest.mark.slow
def test_pbn_tells_the_mix(cli: Cli) -> None:
    out = cli("deal", *OPTIONS, "hcp(north) >= 3", "--seed", 7, "--to", "pbn").out
    text = f"condition hcp(north) >= 3 mix {STRONG} : 1, {REST} : 5/2"
    assert f'[Generator "pavcodec {pav.__version__} seed=7 where={text}"]' in out


@pytest.mark.slow
def test_the_condition_and_what_is_dealt_hold_for_all_types(cli: Cli) -> None:
    options = ("--predeal", "north SA", "spades(east) == 0")
    outcome = cli("deal", *OPTIONS, *options, "-n", 30, "--seed", 1)
    for line in outcome.lines:
        deal = pav.Deal.from_pbn(line)
        assert "A" in str(deal["N"]).split(".")[0]
        assert deal["E"].shape[0] == 0
        assert deal["S"].hcp >= 12


SCRIPT = """\
produce 400  seed 7
strong = hcp(south) >= 20
mix strong : 1, hcp(south) >= 12 : 2.5   # two types
action average "strong" 700 * strong, average "die" rnd(6)
"""


@pytest.mark.slow
def test_a_script_with_a_mix(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "mix.dlr"
    path.write_text(SCRIPT)
    outcome = cli("deal", "-f", path)
    places = Counter(mix().places(400, seed=7))
    assert outcome.lines[0] == f"strong: {700 * places[0] / 400:g}"
    assert notes(outcome)[0] == "seed 7"
    lines = cli("deal", "-f", path, "-n", 5, "--to", "lines").lines
    assert lines == [str(deal) for deal in mix().sample(5, seed=7)]
    other = cli("deal", "-f", path, "-n", 5, "--to", "lines", "--mix", REST)
    assert other.lines == [str(deal) for deal in pav.mix([REST]).sample(5, seed=7)]
    assert f"{path}: warning: --mix replaces 'mix'" in notes(other)
    count = json.loads(cli("count", "-f", path, "--json").out)
    assert [kind["share"] for kind in count["types"]] == ["2/7", "5/7"]


def test_a_mix_in_one_option_and_without_weights(cli: Cli) -> None:
    outcome = cli("deal", "--mix", f"{STRONG}, {REST}", "-n", 5, "--seed", 7)
    assert outcome.lines == [str(deal) for deal in pav.mix([STRONG, REST]).sample(5, seed=7)]
    assert notes(outcome)[1].split() == ["type", "share", "deals", "condition"]


@pytest.mark.slow
def test_types_that_are_tested(cli: Cli, tmp_path: Path) -> None:
    options = ("--mix", f"{STRONG} && rnd(2) == 0 : 1", "--mix", "spades(south) >= 6:1")
    outcome = cli("deal", *options, "-n", 8, "--seed", 7)
    *_, overlap, passed = notes(outcome)
    assert outcome.err.count("at most") == 2
    assert overlap == "type 2: deals that are also type 1 count as type 1"
    assert passed == "8 of 14 deals passed the tests of their types (57.14 %)"
    count = cli("count", *options, "--tries", 50)
    assert sum("about" in line for line in count.lines) == 2
    row = json.loads(cli("count", *options, "--tries", 50, "--json").out)
    assert (row["cardinality"], row["exact"]) == (None, False)
    assert [kind["estimate"]["tried"] for kind in row["types"]] == [50, 50]
    path = tmp_path / "mix.dlr"
    path.write_text("generate 100 mix rnd(2) : 1, 1 : 2")
    warned = notes(cli("deal", "-f", path, "-n", 2))
    assert any("'generate' is ignored" in line for line in warned)
