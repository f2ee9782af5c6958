"""`pavcodec practice`: the deals of `deal`, turned, on pages that agree with each other."""

from __future__ import annotations

import gzip
import io
import json
import re
import shlex
from typing import TYPE_CHECKING

import pytest
from oracles import FIXTURES

import pavcodec as pav
from pavcodec.boards import Vulnerability
from pavcodec.boards.turning import Turn, turn_layout
from pavcodec.cards import Seat

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli, Outcome

STRONG = "hcp(south) >= 20 && spades(north) <= 3"
SCRIPTS = FIXTURES / "scripts"


@pytest.fixture(autouse=True)
def no_recent_models() -> None:
    """Keep the models of the tests before: all tests are about the same few situations."""


def boards(outcome: Outcome) -> list[pav.Board]:
    """The boards of printed PBN."""
    assert outcome.code == 0, outcome.err
    return list(pav.read(io.BytesIO(outcome.out.encode()), format="pbn", strict=True))


def hands_of(page: str) -> list[tuple[str, ...]]:
    """The rows of a player's page."""
    rows = [tuple(line.split()) for line in page.splitlines()[4:]]
    assert all(len(row) == 7 for row in rows)
    return rows


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [(), (STRONG,), ("cardracks",), ("--predeal", "north SAKQ"), ("-f", "SCRIPT")]
)
def test_the_deals_are_those_of_deal(cli: Cli, words: tuple[str, ...], tmp_path: Path) -> None:
    script = tmp_path / "some.dlr"
    script.write_text(f"condition {STRONG}\naction printoneline\n")
    words = tuple(word.replace("SCRIPT", str(script)) for word in words)
    same = tuple(pav.situation(word).where if word == "cardracks" else word for word in words)
    made = cli("practice", *words, "-n", 5, "--seed", 7, "--start", 3, "--to", "lines")
    dealt = cli("deal", *same, "-n", 5, "--seed", 7, "--start", 3, "--to", "lines")
    assert made.code == dealt.code == 0
    assert made.lines == dealt.lines
    assert "seed 7" in made.err


@pytest.mark.slow
@pytest.mark.parametrize("hands", ["NS", "EW", "all"])
@pytest.mark.parametrize("turn", [[], ["--turn"]])
def test_pages_solution_and_pbn_agree(cli: Cli, hands: str, turn: list[str]) -> None:
    words = ("practice", "cardracks", "--hands", hands, *turn, "-n", 6, "--seed", 7)
    *pages, solution = cli(*words).out.split("\f")
    players = {"NS": "NS", "EW": "EW", "all": "NESW"}[hands]
    found = boards(cli(*words, "--to", "pbn"))
    assert len(pages) == len(players)
    for page, letter in zip(pages, players, strict=True):
        assert page.splitlines()[1] == f"{Seat.parse(letter).name.title()}, boards 1 to 6"
        for row, board in zip(hands_of(page), found, strict=True):
            assert board.layout is not None
            assert board.dealer is not None
            assert board.vulnerable is not None
            suits = [suit or "-" for suit in str(board.layout[letter]).split(".")]
            about = (str(board.number), board.dealer.name.title(), board.vulnerable.value)
            assert row == (*about, *suits)
    numbers = re.findall(r"^deal (\d+)$", solution, re.MULTILINE)
    assert cli("decode", *numbers).lines == [str(board.layout) for board in found]
    assert [board.tags["DealId"] for board in found] == [f"deal:{number}" for number in numbers]
    points = [
        " ".join(line.split()[1:]) for line in re.findall(r"^HCP .*$", solution, re.MULTILINE)
    ]
    assert points == [
        " ".join(f"{seat.letter} {board.layout[seat].hcp}" for seat in Seat)
        for board in found
        if board.layout is not None
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cardracks", "takeout-double"])
def test_turned_deals_fit_when_turned_back(cli: Cli, name: str) -> None:
    straight = pav.situation(name).deals().sample(8, seed=7)
    for hands in ("NS", "EW", "all"):  # in one test, so that its models are built once
        words = ("practice", name, "--hands", hands, "--turn", "-n", 8, "--seed", 7)
        rows = [json.loads(line) for line in cli(*words, "--json").lines]
        for row, deal in zip(rows, straight, strict=True):
            back = Turn.of(-row["turned"])
            assert turn_layout(pav.Deal.from_pbn(row["deal"]), back) == deal
            opener = Seat((pav.situation(name).dealer + row["turned"]) % 4)
            assert row["dealer"] == opener.letter
        places = [row["turned"] for row in rows]
        assert set(places) == {"NS": {0, 2}, "EW": {1, 3}, "all": {0, 1, 2, 3}}[hands]
        if hands == "all":
            assert [row["dealer"] for row in rows] == list("NESWNESW")
        else:  # the pair that plays is the pair that the situation is about
            south = {Seat((Seat.SOUTH + row["turned"]) % 4).letter for row in rows}
            assert south == set(hands)


@pytest.mark.slow
def test_parts_of_a_set_are_made_by_themselves(cli: Cli) -> None:
    words = ("practice", STRONG, "--turn", "--seed", 7, "--json")
    whole = cli(*words, "-n", 9).lines
    assert cli(*words, "-n", 4).lines + cli(*words, "--start", 4, "-n", 5).lines == whole


@pytest.mark.slow
def test_dealer_and_vulnerability(cli: Cli) -> None:
    free = boards(cli("practice", STRONG, "--to", "pbn"))
    assert len(free) == 16
    assert [b.dealer for b in free] == [Seat((n - 1) % 4) for n in range(1, 17)]
    assert [b.vulnerable for b in free] == [Vulnerability.of_board(n) for n in range(1, 17)]
    for one in boards(cli("practice", "two-clubs", "-n", 4, "--to", "pbn")):
        assert one.dealer == Seat.SOUTH
    fixed = ("--dealer", "W", "--vulnerable", "ns", "-n", 4, "--to", "pbn")
    found = boards(cli("practice", "two-clubs", *fixed))
    assert {(b.dealer, b.vulnerable) for b in found} == {(Seat.WEST, Vulnerability.NS)}
    found = boards(cli("practice", "two-clubs", *fixed, "--turn"))
    sides = [Vulnerability.EW, Vulnerability.NS] * 2
    assert [(b.dealer, b.vulnerable) for b in found] == list(zip(Seat, sides, strict=True))


@pytest.mark.slow
def test_a_script_says_dealer_vulnerability_seed_and_how_many(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "some.dlr"
    script.write_text(
        f"produce 5\nseed 9\ndealer east\nvulnerable EW\ncondition {STRONG}\naction printall\n"
    )
    outcome = cli("practice", "-f", script, "--to", "pbn")
    found = boards(outcome)
    assert outcome.err == "seed 9\n"
    assert [(b.number, b.dealer, b.vulnerable) for b in found] == [
        (number, Seat.EAST, Vulnerability.EW) for number in range(1, 6)
    ]
    outcome = cli("practice", "-f", script, "-n", 4, "--seed", 1, "--dealer", "S", "--to", "lines")
    assert len(outcome.lines) == 4
    for statement in ("produce 5", "seed 9", "dealer"):
        assert f"replaces '{statement}'" in outcome.err


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cardracks", "flannery-misfit", "strong-notrump", "preempt"])
def test_classic_scripts_make_sets(cli: Cli, name: str) -> None:
    outcome = cli("practice", "-f", SCRIPTS / f"{name}.dlr", "--hands", "EW", "--seed", 1)
    assert outcome.code == 0
    assert outcome.out.startswith("Practice\nEast, boards 1 to ")


@pytest.mark.slow
def test_the_solution_says_how_to_make_the_set_again(cli: Cli) -> None:
    words = ["--predeal", "north SA,H2", "--hands", "NS", "--turn", "--dealer", "W"]
    words += ["--vulnerable", "All", "--title", "it's <new>", "-n", "5", "--start", "2"]
    for condition in (STRONG, "two-clubs"):
        first = cli("practice", condition, *words, "--seed", "a text")
        (command,) = re.findall(r"^Made by: pavcodec (.*)$", first.out, re.MULTILINE)
        again = cli(*shlex.split(command))
        assert (again.code, again.out) == (0, first.out)


def test_a_condition_that_starts_with_a_minus_is_made_again(cli: Cli) -> None:
    first = cli("practice", "--seed", 1, "--", "-hcp(south) < -20")
    (command,) = re.findall(r"^Made by: pavcodec (.*)$", first.out, re.MULTILINE)
    assert cli(*shlex.split(command)).out == first.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "starts"),
    [
        ("set.html", b"<!DOCTYPE html>"),
        ("set.HTM", b"<!DOCTYPE html>"),
        ("set.txt", b"Strong two clubs\nNorth"),
        ("set.pdf", b"%PDF-"),
        ("set.txt.gz", b"\x1f\x8b"),
        ("set.pbn", b"% PBN 2.1"),
        ("set.numbers", b""),
        ("set.deal12", b""),
        ("set", b"Strong two clubs\nNorth"),
    ],
)
def test_the_suffix_tells_the_format(cli: Cli, tmp_path: Path, file: str, starts: bytes) -> None:
    path = tmp_path / file
    outcome = cli("practice", "two-clubs", "-n", 4, "--seed", 7, "-o", path)
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "seed 7\n")
    assert path.read_bytes().startswith(starts)
    if file == "set.deal12":
        assert len(path.read_bytes()) == 4 * 12
    if file == "set.txt.gz":
        assert gzip.decompress(path.read_bytes()).startswith(b"Strong two clubs\nNorth")
        return
    named = cli(
        "practice", "two-clubs", "-n", 4, "--seed", 7, "-o", path, "--to", "lines", "--force"
    )
    assert named.code == 0
    assert path.read_text().splitlines() == cli("decode", "--to", "lines", *_numbers(cli)).lines


def _numbers(cli: Cli) -> list[str]:
    """The numbers of the deals of the test above."""
    return cli("deal", "hcp(south) >= 22", "-n", 4, "--seed", 7, "--numbers").lines


@pytest.mark.slow
def test_json(cli: Cli) -> None:
    outcome = cli("practice", "two-clubs", "--hands", "NS", "-n", 4, "--seed", 7, "--json")
    first = json.loads(outcome.lines[0])
    assert len(outcome.lines) == 4
    deal = pav.Deal.from_pbn(first["deal"])
    assert first == {
        "board": 1,
        "deal": str(deal),
        "number": str(pav.numbering("deal").rank(deal)),
        "dealer": "S",
        "vulnerable": "None",
        "seed": "7",
        "turned": 0,
        "hands": {"N": str(deal["N"]), "S": str(deal["S"])},
        "hcp": {seat.letter: deal[seat].hcp for seat in Seat},
        "situation": "two-clubs",
        "title": "Strong two clubs",
        "difficulty": {"level": "medium", "figure": 31},
        "sensible": "3NT",
        "question": {
            "seat": "S",
            "event": "North and South have 25 points or more together",
            "probability": "2467/2812",
            "probability_of_situation": "432990781891/472841123081",
            "happens": True,
        },
    }


@pytest.mark.slow
def test_tags_of_pbn(cli: Cli) -> None:
    found = boards(cli("practice", "two-clubs", "--turn", "-n", 4, "--seed", 7, "--to", "pbn"))
    generator = found[0].tags["Generator"]
    assert found[0].tags["Event"] == "Strong two clubs"
    assert generator.endswith("seed=7 where=hcp(south) >= 22 turned=2")
    assert found[2].tags["Generator"].endswith("where=hcp(south) >= 22")


@pytest.mark.slow
def test_a_part_that_is_tested(cli: Cli, tmp_path: Path) -> None:
    outcome = cli("practice", "rnd(2) == 1 && hcp(south) >= 20", "-n", 4, "--seed", 7)
    assert outcome.code == 0
    assert "passed" in outcome.err
    script, path = tmp_path / "rare.dlr", tmp_path / "set.html"
    script.write_text("generate 10\ncondition rnd(1000000) == 1\n")
    outcome = cli("practice", "-f", script, "--seed", 7, "-o", path)
    assert outcome.code == 1
    assert outcome.err.endswith("pavcodec practice: there are no boards to write\n")
    assert not path.exists()
    script.write_text("generate 10\ncondition rnd(2) == 1\n")
    outcome = cli("practice", "-f", script, "--seed", 7)
    assert outcome.code == 1
    assert "only " in outcome.err
    assert outcome.out.startswith("Practice\nNorth, boards 1 to ")


@pytest.mark.slow
def test_the_list(cli: Cli) -> None:
    outcome = cli("practice", "--list")
    assert outcome.code == 0
    body = outcome.out.replace("\n    ", " ").replace("\n      ", " ")  # below each row
    every = [" ".join(line.split()) for line in body.split("\n")]
    lines = [line for line in every if line.partition(" ")[0] in pav.situation_names()]
    assert [line.split()[0] for line in lines] == pav.situation_names()
    for line, name in zip(lines, pav.situation_names(), strict=True):
        one = pav.situation(name)
        assert one.summary in line
        assert f"{one.cardinality:,}" in line
    rows = json.loads(cli("practice", "--list", "--json").out)
    assert [row["name"] for row in rows] == pav.situation_names()
    one_row = json.loads(cli("practice", "two-clubs", "--list", "--json").out)
    assert one_row == rows[pav.situation_names().index("two-clubs")]
    assert one_row["cardinality"] == str(pav.situation("two-clubs").cardinality)
    subjects = [line for line in outcome.lines if line and " " not in line and line[0].isupper()]
    assert subjects[:2] == ["Openings", "Rebids"]
    raises = json.loads(cli("practice", "--list", "raises", "SPADE", "--json").out)
    assert [row["name"] for row in raises] == ["single-raise", "limit-raise", "splinter"]
    assert "condition  hcp(south) >= 22" in cli("practice", "--list", "two-clubs").lines


@pytest.mark.parametrize("name", pav.situation_names())
def test_a_description_fits_the_screen(cli: Cli, name: str) -> None:
    lines = cli("practice", "--list", name).lines
    assert max(map(len, lines)) <= 80
    assert pav.situation(name).where in " ".join(" ".join(lines).split())


def test_the_known_formats_are_named_once(cli: Cli) -> None:
    known = cli("practice", "--to", "xyz").complaint.partition("Known: ")[2].partition(" (see")[0]
    names = known.split(", ")
    assert names[:3] == ["text", "html", "pdf"]
    assert len(names) == len(set(names))
