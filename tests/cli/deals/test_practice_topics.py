"""`pavcodec practice` with several topics, levels of difficulty, odds and event tags."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from pypdf import PdfReader

import pavcodec as pav
from pavcodec.boards.turning import Turn, turn_layout
from pavcodec.cards import Seat
from pavcodec.chances.figures import percent
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.language.parser import parse_condition
from pavcodec.practice import situation

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

MIX = ("cardracks=2", "two-clubs", "weak-two-spades=1")
OWN = ("hcp(south) >= 25 : 3", "two-clubs", "spades(south) >= 8 : 1/2")


@pytest.fixture(autouse=True)
def no_recent_models() -> None:
    """Keep the models of the tests before: all tests are about the same few situations."""


def rows(cli: Cli, *words: object) -> list[dict[str, Any]]:
    """The rows of a set."""
    outcome = cli("practice", *words, "--json")
    assert outcome.code == 0, outcome.err
    return [json.loads(line) for line in outcome.lines]


def straight(row: dict[str, Any]) -> pav.Deal:
    """The deal of a board before it was turned."""
    deal = turn_layout(pav.Deal.from_pbn(row["deal"]), Turn.of(-row["turned"]))
    assert isinstance(deal, pav.Deal)
    return deal


@pytest.mark.slow
@pytest.mark.parametrize("turn", [[], ["--turn"]])
def test_a_board_of_a_mix_is_that_of_its_situation_alone(cli: Cli, turn: list[str]) -> None:
    found = rows(cli, *MIX, *turn, "-n", 30, "--seed", 7, "--start", 5, "--odds", "none")
    alone = {
        name: situation(name).deals().sample(30, seed=7, start=5)
        for name in ("cardracks", "two-clubs", "weak-two-spades")
    }
    assert {row["situation"] for row in found} == set(alone)
    for place, row in enumerate(found):
        assert row["board"] == 6 + place
        assert straight(row) == alone[row["situation"]][place]
        assert row["title"] == situation(row["situation"]).title


@pytest.mark.slow
def test_weights_are_those_of_the_draw(cli: Cli) -> None:
    found = rows(cli, *MIX, "-n", 1000, "--seed", 7)
    counts = Counter(row["situation"] for row in found)
    assert counts == {"cardracks": 497, "two-clubs": 246, "weak-two-spades": 257}
    parts = [rows(cli, *MIX, "-n", 500, "--seed", 7, "--start", start) for start in (0, 500)]
    assert [row["deal"] for part in parts for row in part] == [row["deal"] for row in found]
    even = rows(cli, *MIX, "-n", 40, "--seed", 7, "--interleave", "--odds", "none")
    for first in range(37):
        part = Counter(row["situation"] for row in even[first : first + 4])
        assert part == {"cardracks": 2, "two-clubs": 1, "weak-two-spades": 1}


def test_event_tags_without_a_place_are_told(cli: Cli) -> None:
    words = ("practice", "two-clubs", "-n", "1", "--seed", "1", "--odds", "none", "--site", "Delft")
    assert "numbers has no place for the site" in cli(*words, "--to", "numbers").err
    assert "--json has no place for the site" in cli(*words, "--json").err
    for name in ("pbn", "html", "text"):
        assert "no place" not in cli(*words, "--to", name).err


@pytest.mark.slow
def test_one_situation_draws_the_same_deals_with_any_weight(cli: Cli) -> None:
    plain = rows(cli, "two-clubs", "-n", 3, "--seed", 7)
    assert rows(cli, "two-clubs=5", "-n", 3, "--seed", 7) == plain
    assert [straight(row) for row in plain] == situation("two-clubs").deals().sample(3, seed=7)


@pytest.mark.slow
def test_conditions_of_your_own_with_weights(cli: Cli) -> None:
    nodes = {"hcp": parse_condition("hcp(south) >= 25"), "long": parse_condition("spades(south)>7")}
    found = rows(cli, *OWN, "-n", 60, "--seed", 1, "--odds", "none")
    for row in found:
        deal, own = straight(row), row["situation"] is None
        assert own == (row["title"] == "Practice")
        assert not own or evaluate(nodes["hcp"], deal) or evaluate(nodes["long"], deal)
    page = cli("practice", *OWN, "-n", 2, "--seed", 1).out
    for line in ("66.67 % of the boards:", "Strong two clubs (22.22 %): South has 22 points"):
        assert line in page
    both = rows(cli, "hcp(south) >= 25 : 3, spades(south) > 7 : 1", "two-clubs=2", "-n", 4)
    assert len(both) == 4  # one argument may have several conditions


@pytest.mark.slow
def test_a_situation_inside_another_is_a_topic_too(cli: Cli) -> None:
    found = rows(cli, "strong-notrump", "stayman", "-n", 20, "--seed", 7, "--odds", "none")
    assert {row["situation"] for row in found} == {"strong-notrump", "stayman"}


@pytest.mark.slow
def test_the_mix_and_the_types_of_a_script(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "types.dlr"
    script.write_text("mix hcp(south) >= 20 : 1, spades(south) >= 7 : 3\n")
    words = ("-f", script, "-n", 8, "--seed", 7)
    dealt = cli("deal", *words, "--to", "lines").lines
    assert cli("practice", *words, "--to", "lines").lines == dealt
    script.write_text("HandType_weak = hcp(south) < 9\nHandType_strong = hcp(south) > 19\n")
    found = rows(cli, *words, "--level", "--turn")
    assert Counter(row["title"] for row in found) == {"weak": 4, "strong": 4}
    for row in found:
        assert (straight(row)["S"].hcp < 9) == (row["title"] == "weak")
    board, *_ = pav.read(
        io.BytesIO(cli("practice", *words, "--level", "--to", "pbn").out.encode()), format="pbn"
    )
    assert board.tags["HandType"] == board.tags["Event"] in {"weak", "strong"}
    first = cli("practice", *words, "--level", "--interleave")
    (command,) = re.findall(r"^Made by: pavcodec (.*)$", first.out, re.MULTILINE)
    assert cli(*shlex.split(command)).out == first.out


@pytest.mark.slow
def test_another_condition_for_a_script(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "weak.dlr"
    script.write_text("weak = hcp(south) < 9\nlong = spades(south) >= 6\nweak && long\n")
    words = ("-f", script, "-n", 4, "--seed", 7)
    for found in (
        rows(cli, *words, "--condition", "!weak && long"),
        rows(cli, *words, "--without", "weak", "--difficulty", "easy"),
    ):
        souths = [straight(row)["S"] for row in found]
        assert all(len(str(hand).partition(".")[0]) >= 6 for hand in souths)
        assert any(hand.hcp > 8 for hand in souths)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_a_level_of_difficulty(cli: Cli, level: str) -> None:
    words = ("cardracks", "-n", 6, "--seed", 7, "--hands", "EW", "--turn")
    found = rows(cli, *words, "--difficulty", level)
    one = situation("cardracks")
    where = f"{one.where} && {one.difficulty.where(level)}"
    assert [straight(row) for row in found] == pav.deals(where).sample(6, seed=7)
    for row in found:
        pair = [seat for seat in Seat if (seat + row["turned"]) % 2 == 0]
        figure = straight(row)["N"].hcp + straight(row)["S"].hcp
        assert pair
        assert row["difficulty"] == {"level": level, "figure": figure}
    page = cli("practice", *words, "--difficulty", level).out
    assert page.count(f"\nDifficulty: {level} (") == 6
    assert f"Difficulty {level}: North and South have" in page
    mixed = rows(cli, "cardracks", "hcp(south) >= 20", "-n", 9, "--difficulty", level)
    assert all(row["difficulty"]["level"] == level for row in mixed)
    plain = rows(cli, "-n", 3, "--difficulty", level, "--predeal", "north SAK")
    assert all(row["difficulty"]["level"] == level for row in plain)


@pytest.mark.slow
def test_texts_turn_with_the_hands(cli: Cli) -> None:
    words = ("takeout-double", "-n", 4, "--seed", 7)
    summary = situation("takeout-double").summary
    *_, solution = cli("practice", *words, "--turn").out.split("\f")
    found = rows(cli, *words, "--turn")
    for row, board in zip(found, solution.split("\nBoard ")[1:], strict=True):
        told = Turn.of(row["turned"]).text(summary)
        opener = Turn.of(row["turned"]).seats[Seat.EAST]
        assert told.startswith(f"{opener.name.title()} opens one heart")
        assert (f"\nTakeout double: {told}.\n" in board) == (row["turned"] != 0)
        doubler = Turn.of(row["turned"]).seats[Seat.SOUTH]
        assert row["question"]["seat"] == doubler.letter
        assert f"\nChance for {doubler.name.title()} that " in board
    *_, across = cli("practice", *words, "--hands", "EW").out.split("\f")
    assert "South opens one heart; West has four spades" in across
    assert "Key decision of West: chance that East has four spades or more" in across


@pytest.mark.slow
def test_odds_of_the_key_decision(cli: Cli) -> None:
    words = ("transfer", "-n", 3, "--seed", 7, "--turn")
    one = situation("transfer")
    question, space = one.question, one.deals()
    assert question is not None
    for row in rows(cli, *words):
        told, deal = row["question"], straight(row)
        assert Fraction(told["probability"]) == question.odds(space, deal)
        assert Fraction(told["probability_of_situation"]) == question.odds(space)
        assert told["happens"] == bool(evaluate(parse_condition(question.event), deal))
    page = cli("practice", *words).out
    assert page.count("\nChance for ") == 3
    assert f"that {question.text}: {percent(question.odds(space))}\n" in page
    for odds, lines, whole in (("set", 0, 1), ("none", 0, 0)):
        page = cli("practice", *words, "--odds", odds).out
        assert page.count("\nChance for ") == lines
        assert page.count("\nKey decision of ") == whole
    many = rows(cli, "transfer", "-n", 37, "--seed", 7)
    assert {row["question"]["probability"] for row in many} == {None}


@pytest.mark.slow
def test_boards_carry_their_situation_and_the_event(cli: Cli) -> None:
    words = (*MIX, "-n", 6, "--seed", 7, "--turn", "--to")
    found = list(pav.read(io.BytesIO(cli("practice", *words, "pbn").out.encode()), format="pbn"))
    for board in found:
        name = board.tags["Situation"]
        assert board.tags["Event"] == situation(name).title
        assert board.tags["Difficulty"] in {"easy", "medium", "hard"}
        comment = " ".join(board.sections["Situation"])
        assert re.match(rf"\{{{situation(name).title}[.:]", comment)
        assert "{Chance for " in comment
    for name, title in (("lin", "vg|{},"), ("rbn", "\nE {}\n")):
        text = cli("practice", *words, name).out
        for board in found:
            assert title.format(board.tags["Event"]) in text
    event = ("--event", "Class 3", "--site", "School", "--date", "2026-11-24", "--session", "2")
    board, *_ = pav.read(
        io.BytesIO(cli("practice", *words, "pbn", *event).out.encode()), format="pbn"
    )
    tags = [board.tags[name] for name in ("Event", "Site", "Date", "Session")]
    assert tags == ["Class 3", "School", "2026.11.24", "2"]
    page = cli("practice", *words[:-1], *event, "--title", "My pages").out
    facts = "Class 3\nSchool\n24 November 2026\nSession 2\n"
    assert page.startswith(f"My pages\n{facts}North, boards 1 to 6\n")


@pytest.mark.slow
def test_a_set_of_several_topics_is_made_again(cli: Cli) -> None:
    words = ["--difficulty", "medium", "--interleave", "--event", "Class 3", "--date", "2026-11-24"]
    words += ["--template", "N:A... - - -", "--odds", "set", "-n", "5", "--hands", "NS"]
    first = cli("practice", *MIX, "hcp(south) >= 20 : 2", *words, "--seed", "a text")
    assert first.code == 0, first.err
    (command,) = re.findall(r"^Made by: pavcodec (.*)$", first.out, re.MULTILINE)
    again = cli(*shlex.split(command))
    assert (again.code, again.out) == (0, first.out)


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 1000])
def test_the_smallest_and_the_largest_set(cli: Cli, count: int) -> None:
    *players, solution = cli("practice", "two-clubs", "-n", count, "--seed", 7).out.split("\f")
    assert [len(page.splitlines()) for page in players] == [4 + count] * 4
    assert len(re.findall(r"^Board \d+: ", solution, re.MULTILINE)) == count


@pytest.mark.slow
def test_a_list_names_levels_and_questions(cli: Cli) -> None:
    lines = cli("practice", "--list", "slam-zone").lines
    assert any(line.startswith("hard       the longest fit of North and South") for line in lines)
    decision = "what is the chance that North and South have 33 points or more together?"
    assert " ".join(" ".join(lines[-2:]).split()) == f"decision South: {decision}"
    found = json.loads(cli("practice", "--list", "stayman", "--json").out)
    assert found["difficulty"]["hard"]["where"].startswith("(hcp(north) + hcp(south) >= 24")
    assert found["question"]["seat"] == "N"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stayman", "reverse", "weak-two-diamonds", "takeout-double"])
def test_eight_boards_for_two_players_are_two_sheets(cli: Cli, tmp_path: Path, name: str) -> None:
    for paper in ("a4", "letter"):  # in one test, so that its models are built once
        path = tmp_path / f"{paper}.pdf"
        words = ("--hands", "EW", "--turn", "-n", 8, "--seed", 3, "--paper", paper, "-o", path)
        assert cli("practice", name, *words).code == 0
        pages = [page.extract_text() for page in PdfReader(path).pages]
        assert len(pages) == 2
        hands, solution = pages
        for word in ("East", "West", "Bidding"):
            assert word in hands
        for word in ("Chance", "Difficulty", "Solution"):
            assert word not in hands
            assert word in solution
