"""`pavcodec odds`: exact answers, estimates that say so, scripts, plots."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import pavcodec as pav

if TYPE_CHECKING:
    from formats_support import Cli

NINE = "spades(north) + spades(south) == 9"


def test_an_event(cli: Cli) -> None:
    outcome = cli("odds", "spades(east) == 2", "--given", NINE)
    assert outcome.code == 0
    assert outcome.err == ""
    assert outcome.lines == [
        "probability 234/575: 1 in 2.457, 40.7 %",
        "odds 1.457 to 1 against",
    ]
    row = json.loads(cli("odds", "spades(east) == 2", "--given", NINE, "--json").out)
    assert row == {"event": "spades(east) == 2", "probability": "234/575", "exact": True}
    assert cli("odds", "spades(east) < 4", "--given", NINE).lines[1] == "odds 19.91 to 1 on"


@pytest.mark.parametrize(
    ("event", "line"),
    [("hcp(north) > 40", "probability 0: never"), ("hcp(north) < 40", "probability 1: always")],
)
def test_certainties(cli: Cli, event: str, line: str) -> None:
    assert cli("odds", event).lines == [line]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        ("hascard(west, SA) || hascard(south, SA)", "odds even"),
        ("spades(west) == 13", "odds 635,013,559,599 to 1 against"),
        ("spades(west) < 13", "odds 635,013,559,599 to 1 on"),
    ],
)
def test_odds_are_read_easily(cli: Cli, event: str, line: str) -> None:
    assert cli("odds", event).lines[1] == line


def test_points_of_a_column_are_aligned(cli: Cli) -> None:
    heads, *rows, _ = cli("odds", "hcp(north)").lines
    assert len({row.index(".") for row in rows}) == 1
    assert rows[22].endswith(" 0.21       ▏")
    assert rows[37].endswith(" 6.299e-10  ▏")
    assert heads.split() == ["hcp(north)", "deals", "share,", "%"]
    _, _, *table = cli("odds", "aces(north)", "kings(north)").lines
    places = [[place for place, char in enumerate(row) if char == "."] for row in table[:3]]
    assert places[0] == places[1] == places[2]


def test_a_number_that_never_changes(cli: Cli) -> None:
    assert cli("odds", "hcp(north) * 0").lines[-1] == "average 0, standard deviation 0"
    estimate = cli("odds", "hcp(north) * 0 + 3", "--simulate", 10).lines[-1]
    assert estimate == "average about 3 (standard error 0), standard deviation 0"


def test_a_number(cli: Cli) -> None:
    lines = cli("odds", "aces(north)").lines
    heads, *rows, average = lines
    assert heads.split() == ["aces(north)", "deals", "share,", "%"]
    assert len(rows) == 5
    value, deals, share, bar = rows[1].split()
    exact = pav.distribution("aces(north)")
    assert (value, deals) == ("1", f"{exact.counts[1]:,}")
    assert share == "43.88"
    assert bar == "█" * max(len(row.split()[-1]) for row in rows)
    assert len(rows[1]) == 80
    assert average == "average 1, standard deviation 0.8402"


@pytest.mark.slow
def test_numbers_as_json(cli: Cli) -> None:
    row = json.loads(cli("odds", "aces(north)", "--given", NINE, "--json").out)
    exact = pav.distribution("aces(north)", given=NINE)
    assert row["exact"] is True
    assert row["numbers"] == ["aces(north)"]
    assert Fraction(row["average"]) == exact.mean
    assert Fraction(row["variance"]) == exact.variance
    assert row["total"] == str(pav.deals(NINE).cardinality)
    found = {each["value"]: Fraction(each["probability"]) for each in row["values"]}
    assert found == dict(exact)


def test_two_numbers(cli: Cli) -> None:
    outcome = cli("odds", "aces(north)", "kings(north)")
    title, heads, *rows, sums = outcome.lines
    assert title == "aces(north) down, kings(north) across, in percent"
    assert heads.split() == ["0", "1", "2", "3", "4", "all"]
    assert [row.split()[0] for row in rows] == ["0", "1", "2", "3", "4"]
    assert sums.split()[-1] == "100"
    row = json.loads(cli("odds", "aces(north)", "kings(north)", "--json").out)
    assert [each["value"] for each in row["values"]][:2] == [[0, 0], [0, 1]]
    assert "average" not in row


@pytest.mark.parametrize(
    ("words", "breaks"),
    [
        (
            ["spades(west)", "--given", NINE],
            ["2–2 40.7 234/575", "3–1 49.74 286/575", "4–0 9.565 11/115"],
        ),
        (
            ["hearts(west)", "--hand", "S AKQ2.K85.AJ4.T63", "--hand", "N J3.AQ74.KQ2.AK54"],
            ["3–3 35.53 286/805", "4–2 48.45 78/161", "5–1 14.53 117/805", "6–0 1.491 12/805"],
        ),
        (["spades(north)", "--given", NINE], []),
        (["spades(east)", "--given", "spades(west) == 3"], []),
        (["spades(east)", "--given", f"{NINE} && spades(west) == 3"], []),
        (["hcp(east)", "--given", NINE], []),
        (["spades(east)", "--given", NINE, "--simulate", "50"], []),
    ],
)
def test_breaks_of_a_suit(cli: Cli, words: list[str], breaks: list[str]) -> None:
    lines = [" ".join(line.split()) for line in cli("odds", *words).lines]
    heads = "break share, % probability"
    assert lines[lines.index(heads) :] == [heads, *breaks] if breaks else heads not in lines
    rows = json.loads(cli("odds", *words, "--json").out).get("breaks", [])
    told = [f"{'–'.join(map(str, row['break']))} {row['probability']}" for row in rows]
    assert told == [f"{line.split()[0]} {line.split()[2]}" for line in breaks]


@pytest.mark.slow
def test_what_cannot_be_counted_is_estimated(cli: Cli) -> None:
    outcome = cli("odds", "rnd(4) == 0", "--simulate", 1000)
    assert outcome.code == 0
    first, second = outcome.lines
    assert first.startswith("estimated probability: about 2")
    assert second.endswith(" of 1,000 deals passed")
    outcome = cli("odds", "rnd(4) == 0", "--json")
    told = "rnd(4) == 0: rnd is tested deal by deal, so this is an estimate\n"
    assert outcome.err == told
    row = json.loads(outcome.out)
    assert (row["exact"], row["probability"]) == (False, None)
    guess = row["estimate"]
    assert guess["low"] < 0.25 < guess["high"]
    assert guess["tried"] == 10_000


@pytest.mark.slow
def test_simulation_is_repeated_by_its_seed(cli: Cli) -> None:
    words = ("odds", "hcp(north)", "--simulate", 300)
    once = cli(*words)
    assert once.lines[0] == "estimated from 300 deals"
    assert once.lines[1].split() == ["hcp(north)", "deals", "share,", "%", "95", "%:", "from", "to"]
    assert once.lines[-1].startswith("average about ")
    assert "standard error" in once.lines[-1]
    assert cli(*words) == once
    assert cli(*words, "--seed", 7).out != once.out
    row = json.loads(cli(*words, "--json").out)
    assert row["exact"] is False
    assert row["standard_error"] > 0
    assert row["values"][5]["probability"] is None


def test_a_single_deal_has_no_standard_error(cli: Cli) -> None:
    outcome = cli("odds", "hcp(north)", "--simulate", 1)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.lines[-1] == "average about 6, standard deviation 0"
    row = json.loads(cli("odds", "hcp(north)", "--simulate", 1, "--json").out)
    assert row["standard_error"] is None


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "a.dlr"
    path.write_text(
        "condition hcp(south) >= 15 && hcp(south) <= 17\n"
        'action printall, average "points" hcp(north), frequency "spades" (spades(north), 3, 5),\n'
        "frequency (aces(north), 0, 4, aces(south), 1, 2)\n"
    )
    return path


@pytest.mark.slow
def test_actions_of_a_script_are_answered(cli: Cli, script: Path) -> None:
    outcome = cli("odds", "-f", script)
    lines = outcome.lines
    exact = pav.distribution("hcp(north)", given="hcp(south) >= 15 && hcp(south) <= 17")
    assert lines[0] == f"points: {float(exact.mean):.6g}"
    assert lines[1] == "spades"
    assert [line.split()[0] for line in lines[3:8]] == ["low", "3", "4", "5", "high"]
    ends = {len(line) - len(line.lstrip()) + len(line.split()[0]) for line in lines[3:8]}
    assert ends == {len("spades(north)")}
    assert lines[8] == "average 3.25 (13/4), standard deviation 1.364"
    assert lines[9] == "aces(north) down, aces(south) across, in percent"
    assert lines[10].split() == ["low", "1", "2", "high", "all"]
    rows = json.loads(cli("odds", "-f", script, "--json").out)
    assert [row["exact"] for row in rows] == [True, True, True]
    assert Fraction(rows[0]["average"]) == exact.mean
    assert sum(Fraction(each["probability"]) for each in rows[1]["values"]) == 1


def test_actions_of_a_script_are_a_table(cli: Cli, script: Path) -> None:
    lines = cli("odds", "-f", script, "--csv").lines
    assert [line for line in lines if "deals" in line] == [
        "points,deals,probability,decimal",
        "spades(north),deals,probability,decimal",
        "aces(north),aces(south),deals,probability,decimal",
    ]


def test_a_question_about_the_condition_of_a_script(cli: Cli, script: Path) -> None:
    expected = pav.probability("aces(north) == 0", given="hcp(south) >= 15 && hcp(south) <= 17")
    row = json.loads(cli("odds", "aces(north) == 0", "-f", script, "--json").out)
    assert Fraction(row["probability"]) == expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("12345678901234567890123456789", ""),
        ("N:A.KJ93.Q765.T962 972.A8764.A82.AK QJ643.QT5.K43.74 KT85.2.JT9.QJ853", ""),
        ("http://www.bridgebase.com/tools/handviewer.html?s=SQJ643HQT5DK43C74", ""),
        ("9" * 32, "--hand numbering 'deal' has numbers 0 to "),
        ("https://example.org/x", "--hand 'https://example.org/x' is no deal"),
    ],
)
def test_the_hand_of_a_deal_is_known(cli: Cli, text: str, told: str) -> None:
    outcome = cli("odds", "spades(east) == 2", "--hand", f"S {text}")
    assert told in outcome.err
    known = cli("odds", "spades(east) == 2", "--hand", "S QJ643.QT5.K43.74")
    assert (outcome.code, outcome.lines) == ((2, []) if told else (0, known.lines))


def test_known_cards(cli: Cli) -> None:
    row = json.loads(cli("odds", "hascard(north, SK)", "--predeal", "south SA", "--json").out)
    assert row["probability"] == "13/51"


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [["hcp(north)"], ["hcp(north)", "spades(north)"]])
@pytest.mark.parametrize("simulated", [(), ("--simulate", 50)])
def test_plots(cli: Cli, tmp_path: Path, numbers: list[str], simulated: tuple[object, ...]) -> None:
    pytest.importorskip("matplotlib")
    begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for suffix, begin in begins.items():
        path = tmp_path / f"plot.{suffix}"
        assert cli("odds", *numbers, *simulated, "--plot", path).code == 0
        first = path.read_bytes()
        assert first.startswith(begin)
        cli("odds", *numbers, *simulated, "--plot", path)
        assert path.read_bytes() == first
