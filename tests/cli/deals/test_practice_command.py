"""`pavcodec practice`: the deals of `deal`, turned, on pages that agree with each other."""

from __future__ import annotations

import gzip
import io
import json
import re
import shlex
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from packages import needs

import pavcodec as pav
from pavcodec.boards import Vulnerability
from pavcodec.boards.turning import Turn, turn_layout
from pavcodec.cards import Seat, Strain
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.language.parser import parse_condition
from pavcodec.practice import situation
from pavcodec.practice.exercises import side_tricks
from pavcodec.solving.double_dummy import double_dummy

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli, Outcome

STRONG = "hcp(south) >= 20 && spades(north) <= 3"
MIX = ("cardracks=2", "two-clubs", "weak-two-spades=1")
TRICKS = r"tricks NT ♠ ♥ ♦ ♣(  [NESW]( \d+){5}){4}"
SOLVED = ("practice", "cardracks", "--odds", "none", "--seed", "7", "-n", "4")


@pytest.fixture(autouse=True)
def no_recent_models() -> None:
    """Keep the models of the tests before: all tests are about the same few situations."""


def boards(outcome: Outcome) -> list[pav.Board]:
    """The boards of printed PBN."""
    assert outcome.code == 0, outcome.err
    return list(pav.read(io.BytesIO(outcome.out.encode()), format="pbn", strict=True))


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
@pytest.mark.parametrize(
    "words", [(), (STRONG,), ("cardracks",), ("--predeal", "north SAKQ"), ("-f", "SCRIPT")]
)
def test_the_deals_are_those_of_deal(cli: Cli, words: tuple[str, ...], tmp_path: Path) -> None:
    script = tmp_path / "some.dlr"
    script.write_text(f"condition {STRONG}\naction printoneline\n")
    words = tuple(word.replace("SCRIPT", str(script)) for word in words)
    same = tuple(situation(word).where if word == "cardracks" else word for word in words)
    made = cli("practice", *words, "-n", 5, "--seed", 7, "--start", 3, "--to", "lines")
    dealt = cli("deal", *same, "-n", 5, "--seed", 7, "--start", 3, "--to", "lines")
    assert made.code == dealt.code == 0
    assert made.lines == dealt.lines
    assert "seed 7" in made.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "turns", "dealers"),
    [
        ([], {0}, ""),
        (["--turn", "--hands", "NS"], {0, 2}, ""),
        (["--turn", "--hands", "EW"], {1, 3}, ""),
        (["--turn"], {0, 1, 2, 3}, "NESW" * 7 + "NE"),
    ],
)
def test_a_board_of_a_mix_is_that_of_its_situation_alone(
    cli: Cli, words: list[str], turns: set[int], dealers: str
) -> None:
    found = rows(cli, *MIX, *words, "-n", 30, "--seed", 7, "--start", 4, "--odds", "none")
    alone = {
        name: situation(name).deals().sample(30, seed=7, start=4)
        for name in ("cardracks", "two-clubs", "weak-two-spades")
    }
    assert {row["situation"] for row in found} == set(alone)
    for place, row in enumerate(found):
        one = situation(row["situation"])
        assert (row["board"], row["title"]) == (5 + place, one.title)
        assert straight(row) == alone[row["situation"]][place]
        assert row["dealer"] == Seat((one.dealer + row["turned"]) % 4).letter
    assert {row["turned"] for row in found} == turns
    assert not dealers or "".join(row["dealer"] for row in found) == dealers


@pytest.mark.slow
def test_weights_are_those_of_the_draw(cli: Cli) -> None:
    found = rows(cli, *MIX, "-n", 200, "--seed", 7, "--odds", "none")
    counts = Counter(row["situation"] for row in found)
    assert counts == {"cardracks": 102, "two-clubs": 49, "weak-two-spades": 49}
    even = rows(cli, *MIX, "-n", 40, "--seed", 7, "--interleave", "--odds", "none")
    for first in range(37):
        part = Counter(row["situation"] for row in even[first : first + 4])
        assert part == {"cardracks": 2, "two-clubs": 1, "weak-two-spades": 1}
    plain = rows(cli, "two-clubs", "-n", 3, "--seed", 7)
    assert rows(cli, "two-clubs=5", "-n", 3, "--seed", 7) == plain


@pytest.mark.slow
def test_dealer_and_vulnerability_turn_with_the_table(cli: Cli) -> None:
    words = ("two-clubs", "-n", 4, "--odds", "none", "--dealer", "W", "--vulnerable", "ns")
    found = [(row["dealer"], row["vulnerable"]) for row in rows(cli, *words, "--turn")]
    assert found == [("N", "EW"), ("E", "NS"), ("S", "EW"), ("W", "NS")]
    assert {(row["dealer"], row["vulnerable"]) for row in rows(cli, *words)} == {("W", "NS")}


@pytest.mark.slow
def test_a_script_says_dealer_vulnerability_seed_and_how_many(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "some.dlr"
    script.write_text(
        f"produce 5\nseed 9\ndealer east\nvulnerable EW\ncondition {STRONG}\naction printall\n"
    )
    outcome = cli("practice", "-f", script, "--to", "pbn")
    assert outcome.err == "seed 9\n"
    assert [(b.number, b.dealer, b.vulnerable) for b in boards(outcome)] == [
        (number, Seat.EAST, Vulnerability.EW) for number in range(1, 6)
    ]
    outcome = cli("practice", "-f", script, "-n", 4, "--seed", 1, "--dealer", "S", "--to", "lines")
    assert len(outcome.lines) == 4
    for statement in ("produce 5", "seed 9", "dealer"):
        assert f"replaces '{statement}'" in outcome.err


@pytest.mark.slow
def test_the_mix_the_types_and_other_conditions_of_a_script(cli: Cli, tmp_path: Path) -> None:
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
    board, *_ = boards(cli("practice", *words, "--level", "--to", "pbn"))
    assert board.tags["HandType"] == board.tags["Event"] in {"weak", "strong"}
    first = cli("practice", *words, "--level", "--interleave")
    assert cli(*made_by(first)).out == first.out
    script.write_text("weak = hcp(south) < 9\nlong = spades(south) >= 6\nweak && long\n")
    for more in (("--condition", "!weak && long"), ("--without", "weak", "--difficulty", "easy")):
        souths = [straight(row)["S"] for row in rows(cli, *words, *more)]
        assert all(hand.shape[0] >= 6 for hand in souths)
        assert any(hand.hcp > 8 for hand in souths)


def made_by(outcome: Outcome) -> list[str]:
    """The command that a solution names."""
    (command,) = re.findall(r"^Made by: pavcodec (.*)$", outcome.out, re.MULTILINE)
    return shlex.split(command)


ONE_TOPIC = "--predeal 'north SA,H2' --hands NS --turn --dealer W --vulnerable All --start 2"
AGAIN = [
    f"{shlex.quote(STRONG)} {ONE_TOPIC} --title \"it's <new>\" -n 3 --seed 'a text'",
    f"two-clubs {ONE_TOPIC} -n 3 --odds none --seed 1",
    "--seed 1 -- '-hcp(south) < -20'",
    f"{' '.join(MIX)} 'hcp(south) >= 20 : 2' --difficulty medium --interleave -n 5 --seed 3",
    f"{MIX[1]} --event 'Class 3' --date 2026-11-24 --template 'N:A... - - -' --odds set --seed 3",
    "cardracks --odds none --seed 7 -n 2 --solve",
]


@pytest.mark.slow
@pytest.mark.parametrize("words", AGAIN)
def test_the_solution_says_how_to_make_the_set_again(cli: Cli, words: str) -> None:
    if "--solve" in words:
        needs("endplay")
    first = cli("practice", *shlex.split(words))
    again = cli(*made_by(first))
    assert (first.code, again.code, again.out) == (0, 0, first.out)


@pytest.mark.slow
def test_the_suffix_tells_the_format(cli: Cli, tmp_path: Path) -> None:
    words = ("practice", "two-clubs", "-n", 2, "--seed", 7, "--odds", "none")
    for file, starts in {
        "set.HTM": b"<!DOCTYPE html>",
        "set.txt.gz": b"\x1f\x8b",
        "set.pdf": b"%PDF-",
        "set": b"Strong two clubs\nNorth",
    }.items():
        assert cli(*words, "-o", tmp_path / file) == (0, "", "seed 7\n"), file
        assert (tmp_path / file).read_bytes().startswith(starts), file
    data = (tmp_path / "set").read_bytes()
    assert gzip.decompress((tmp_path / "set.txt.gz").read_bytes()) == data


@pytest.mark.slow
def test_a_part_that_is_tested(cli: Cli, tmp_path: Path) -> None:
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
def test_a_level_of_difficulty(cli: Cli) -> None:
    words = ("cardracks", "-n", 4, "--seed", 7, "--hands", "EW", "--turn", "--difficulty", "hard")
    found, one = rows(cli, *words), situation("cardracks")
    where = f"{one.where} && {one.difficulty.where('hard')}"
    assert [straight(row) for row in found] == pav.deals(where).sample(4, seed=7)
    for row in found:
        figure = straight(row)["N"].hcp + straight(row)["S"].hcp
        assert row["difficulty"] == {"level": "hard", "figure": figure}
    medium = ("-n", 3, "--seed", 7, "--difficulty", "medium", "--odds", "none")
    mixed = rows(cli, "cardracks", "hcp(south) >= 20", *medium)
    plain = rows(cli, *medium, "--predeal", "north SAK")
    assert {row["difficulty"]["level"] for row in [*mixed, *plain]} == {"medium"}


@pytest.mark.slow
def test_odds_of_the_key_decision(cli: Cli) -> None:
    words = ("transfer", "-n", 3, "--seed", 7, "--turn")
    question, deals = situation("transfer").question, situation("transfer").deals()
    assert question is not None
    for row in rows(cli, *words):
        told, deal = row["question"], straight(row)
        assert Fraction(told["probability"]) == question.odds(deals, deal)
        assert Fraction(told["probability_of_situation"]) == question.odds(deals)
        assert told["happens"] == bool(evaluate(parse_condition(question.event), deal))
    for odds, whole in (("set", 1), ("none", 0)):
        page = cli("practice", *words, "--odds", odds).out
        assert (page.count("\nChance for "), page.count("\nKey decision of ")) == (0, whole)
    many = rows(cli, "transfer", "-n", 37, "--seed", 7)
    assert {row["question"]["probability"] for row in many} == {None}


@pytest.mark.slow
def test_boards_carry_their_situation_and_the_event(cli: Cli) -> None:
    words = (*MIX, "-n", 6, "--seed", 7, "--turn", "--to")
    found = boards(cli("practice", *words, "pbn"))
    titles = [situation(board.tags["Situation"]).title for board in found]
    assert [board.tags["Event"] for board in found] == titles
    for board, title in zip(found, titles, strict=True):
        assert board.tags["Difficulty"] in {"easy", "medium", "hard"}
        comment = " ".join(board.sections["Situation"])
        assert re.match(rf"\{{{title}[.:].*\{{Chance for ", comment)
    for name, form in (("lin", "vg|{},"), ("rbn", "\nE {}\n")):
        text = cli("practice", *words, name).out
        assert all(form.format(title) in text for title in titles)
    two = boards(cli("practice", "two-clubs", "--turn", "-n", 3, "--seed", 7, "--to", "pbn"))
    ends = ["where=hcp(south) >= 22 turned=2", "where=hcp(south) >= 22"]
    assert [two[k].tags["Generator"].partition("seed=7 ")[2] for k in (0, 2)] == ends
    event = ("--event", "Class 3", "--site", "School", "--date", "2026-11-24", "--session", "2")
    board, *_ = boards(cli("practice", *words, "pbn", *event))
    tags = [board.tags[name] for name in ("Event", "Site", "Date", "Session")]
    assert tags == ["Class 3", "School", "2026.11.24", "2"]
    page = cli("practice", *words[:-1], *event, "--title", "My pages").out
    assert page.startswith("My pages\nClass 3\nSchool\n24 November 2026\nSession 2\nNorth, boards")
    for to, name in ((("--to", "numbers"), "numbers"), (("--json",), "--json")):
        lost = cli("practice", *words[:-1], *to, "--site", "Delft").err
        assert f"{name} has no place for the site" in lost


@pytest.mark.slow
@pytest.mark.parametrize("hands", ["EW", "all"])
def test_the_side_of_the_tricks_turns_with_the_hands(cli: Cli, hands: str) -> None:
    needs("endplay")
    words = (*SOLVED[1:], "--turn", "--hands", hands)
    for row, other in zip(rows(cli, *words, "--solve"), rows(cli, *words), strict=True):
        side = Turn.of(row["turned"]).seats[Seat.SOUTH]
        assert row["contract"]["side"] == ("NS" if side in (Seat.NORTH, Seat.SOUTH) else "EW")
        deal = pav.Deal.from_pbn(row["deal"])
        tricks = {s.letter: {d.letters: double_dummy(deal, s, d) for d in Strain} for s in Seat}
        assert row == {**other, **{key: row[key] for key in ("tricks", "par", "contract")}}
        assert row["tricks"] == tricks


@pytest.mark.slow
def test_texts_pages_and_files_with_tricks(cli: Cli) -> None:
    needs("endplay")
    solved, plain = cli(*SOLVED, "--solve"), cli(*SOLVED)
    made = cli(*SOLVED, "--solve", "--to", "pbn")
    assert made.out.count("[OptimumResultTable ") == made.out.count("{Tricks: NS can make") == 4
    for board in boards(made):
        assert board.tricks is not None
        assert f"Tricks: {side_tricks(board.tricks, Seat.SOUTH)}" in solved.lines
    tricks = [line for line in solved.lines if line.startswith("tricks ")]
    assert len([line for line in tricks if re.fullmatch(TRICKS, line)]) == 4
    own = ("tricks ", "par  ", "Tricks: ")
    lines = [line.replace(" --solve", "") for line in solved.lines if not line.startswith(own)]
    assert lines == plain.lines
    page = cli(*SOLVED, "--solve", "--to", "html").out
    assert page.count('<p class="par">') == page.count("Tricks: NS can make") == 4
    note = "lin has no place for the double-dummy tricks"
    assert note in cli(*SOLVED, "--solve", "--to", "lin").err
    assert "no place" not in made.err + cli(*SOLVED, "--to", "lin").err
