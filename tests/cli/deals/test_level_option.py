"""Levelling on the command line: options, marks of scripts, what is said, what is refused."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

import pavcodec as pav

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli, Outcome

TEXT = """\
// Five cards: {{level-mix:weak}} weak, {{level-mix:strong}} strong
keep25 = hascard(west, 2C)
HandType_weak   = hcp(south) <= 9
HandType_middle = hcp(south) <= 14
HandType_strong = hcp(south) >= 18
HandType_strong_Share = 2
long = spades(south) >= 6
short = spades(south) < 6
levWeak = HandType_weak and keep25
levelTheDeal = levWeak or HandType_middle
condition spades(south) >= 5 and levelTheDeal
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A script whose types are marked."""
    path = tmp_path / "script.dlr"
    path.write_text(TEXT)
    return path


def notes(outcome: Outcome, code: int = 0) -> list[str]:
    """The lines on the error stream."""
    assert outcome.code == code, outcome.err
    assert "Traceback" not in outcome.err
    return outcome.err.splitlines()


@pytest.mark.slow
def test_what_levels_by_itself_is_left_out(cli: Cli, script: Path) -> None:
    options = ("deal", "-f", script, "--level", "weak,strong", "-n", 4, "--seed", 7)
    left_out = f"{script}: 'levelTheDeal' levels as well, and is left out: --level has the shares"
    outcome, named = cli(*options), cli(*options, "--without", "levelTheDeal")
    assert left_out in notes(outcome)
    assert left_out not in notes(named)
    assert outcome.lines == named.lines
    kept = cli(*options, "--condition", "long and levelTheDeal")
    assert left_out not in notes(kept)
    mix = pav.level(TEXT, ["weak", "strong:2"])
    assert outcome.lines == [str(deal) for deal in mix.sample(4, seed=7)]


@pytest.mark.slow
def test_types_that_are_tested(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "tested.dlr"
    path.write_text("a = rnd(2) == 1 && hcp(south) > 12\nb = hcp(south) < 6\nspades(north) == 5")
    outcome = cli("deal", "-f", path, "--level", "a,b", "-n", 6, "--seed", 1, "--json")
    assert Counter(json.loads(line)["type"] for line in outcome.lines) == {"a": 3, "b": 3}
    assert "how often types come by nature is estimated by: pavcodec count --level" in notes(
        outcome
    )
    counted = cli("count", "-f", path, "--level", "a,b", "--tries", 200)
    assert counted.lines[1].split()[:4] == ["a", "50", "%", "about"]
    found = json.loads(cli("count", "-f", path, "--level", "a,b", "--tries", 200, "--json").out)
    assert (found["exact"], found["cardinality"]) == (False, None)
    assert set(found["lists"][0][0]["natural"]) == {"value", "low", "high"}


@pytest.mark.slow
def test_a_script_for_other_programs(cli: Cli, script: Path, tmp_path: Path) -> None:
    path = tmp_path / "bbo.dlr"
    outcome = cli("deal", "-f", script, "--write-leveled", path)
    head, weak, _, strong, rounding, tried = notes(outcome)[-6:]
    assert head.split() == ["type", "share", "of", "its", "deals", "stay"]
    assert (weak.split()[0], strong.split()[:2]) == ("weak", ["strong", "50"])
    assert rounding.startswith("rounding of the rates moves no share by more than ")
    assert tried.startswith("a program tries ")
    written = pav.write_leveled(TEXT)
    assert (outcome.out, path.read_text()) == ("", written.text)
    chosen = cli("deal", "-f", script, "--level", "weak,strong", "--write-leveled", "-")
    assert chosen.out == pav.write_leveled(TEXT, ["weak", "strong"]).text
    other = ("--condition", "long", "--write-leveled", "-")
    assert "condition (long) && levelTheDeal" in cli("deal", "-f", script, *other).out
    plain = cli("deal", "-f", script, "--write-plain", "-")
    assert plain.out == TEXT
    assert cli("deal", "seed 7 hcp(n) > 9", "--write-plain", "-").out == " hcp(north) > 9\n"


NOT_WRITTEN: list[tuple[int, list[object], str]] = [
    (2, ["hcp(south) > 9", "--write-plain", "-"], "--write-plain is for a script"),
    (2, ["a = 1 a", "--write-plain", "-", "-n", 4], "--write-plain and -n do not go together"),
    (2, ["a = 1 a", "--write-leveled", "-", "--predeal", "north SA"], "known cards belong into it"),
    (1, ["a = 1 a", "--write-leveled", "-"], "the script marks no types"),
    (1, ["a = 1 a action printside(NS)", "--write-plain", "-"], "'printside' has no equal"),
]


@pytest.mark.slow
def test_scripts_that_are_not_written(cli: Cli) -> None:
    for code, options, message in NOT_WRITTEN:
        outcome = cli("deal", *options)
        assert message in " ".join(notes(outcome, code))
