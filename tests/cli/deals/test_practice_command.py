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
from pypdf import PdfReader

import pavcodec as pav
from pavcodec.boards import Vulnerability
from pavcodec.boards.turning import Turn, turn_layout
from pavcodec.cards import Seat, Strain
from pavcodec.chances.figures import percent
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


def hands_of(page: str) -> list[tuple[str, ...]]:
    """The rows of a player's page."""
    found = [tuple(line.split()) for line in page.splitlines()[4:]]
    assert all(len(row) == 7 for row in found)
    return found


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
    ("hands", "players", "turn"),
    [("NS", "NS", ()), ("EW", "EW", ("--turn",)), ("all", "NESW", ("--turn",))],
)
def test_pages_solution_and_pbn_agree(
    cli: Cli, hands: str, players: str, turn: tuple[str, ...]
) -> None:
    words = ("practice", "cardracks", "--hands", hands, *turn, "-n", 6, "--seed", 7)
    *pages, solution = cli(*words).out.split("\f")
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
    points = [" ".join(line.split()[1:]) for line in re.findall(r"(?m)^HCP .*$", solution)]
    assert points == [
        " ".join(f"{seat.letter} {board.layout[seat].hcp}" for seat in Seat)
        for board in found
        if board.layout is not None
    ]


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
def test_dealer_and_vulnerability(cli: Cli) -> None:
    free = boards(cli("practice", STRONG, "--to", "pbn"))
    assert [b.dealer for b in free] == [Seat((n - 1) % 4) for n in range(1, 17)]
    assert [b.vulnerable for b in free] == [Vulnerability.of_board(n) for n in range(1, 17)]
    two = ("practice", "two-clubs", "-n", 4, "--odds", "none", "--to", "pbn")
    assert {one.dealer for one in boards(cli(*two))} == {Seat.SOUTH}
    fixed = ("--dealer", "W", "--vulnerable", "ns")
    found = boards(cli(*two, *fixed))
    assert {(b.dealer, b.vulnerable) for b in found} == {(Seat.WEST, Vulnerability.NS)}
    found = boards(cli(*two, *fixed, "--turn"))
    sides = [Vulnerability.EW, Vulnerability.NS] * 2
    assert [(b.dealer, b.vulnerable) for b in found] == list(zip(Seat, sides, strict=True))


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
    for found in (
        rows(cli, *words, "--condition", "!weak && long"),
        rows(cli, *words, "--without", "weak", "--difficulty", "easy"),
    ):
        souths = [straight(row)["S"] for row in found]
        assert all(len(str(hand).partition(".")[0]) >= 6 for hand in souths)
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


STARTS = {
    "set.html": b"<!DOCTYPE html>",
    "set.HTM": b"<!DOCTYPE html>",
    "set.txt.gz": b"Strong two clubs\nNorth",
    "set.pdf": b"%PDF-",
    "set.pbn": b"% PBN 2.1",
    "set.numbers": b"",
    "set.deal12": b"",
    "set": b"Strong two clubs\nNorth",
}


@pytest.mark.slow
def test_the_suffix_tells_the_format(cli: Cli, tmp_path: Path) -> None:
    words = ("practice", "two-clubs", "-n", 2, "--seed", 7, "--odds", "none")
    for file, starts in STARTS.items():
        path = tmp_path / file
        assert cli(*words, "-o", path) == (0, "", "seed 7\n"), file
        data = path.read_bytes()
        assert (gzip.decompress(data) if file.endswith(".gz") else data).startswith(starts)
    assert (tmp_path / "set.deal12").stat().st_size == 2 * 12
    assert cli(*words, "-o", path, "--to", "lines", "--force").code == 0
    dealt = cli("deal", "hcp(south) >= 22", "-n", 2, "--seed", 7)
    assert path.read_text() == dealt.out


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
    names = pav.situation_names()
    outcome = cli("practice", "--list")
    body = outcome.out.replace("\n    ", " ").replace("\n      ", " ")  # below each row
    every = [" ".join(line.split()) for line in body.split("\n")]
    lines = [line for line in every if line.partition(" ")[0] in names]
    assert [line.split()[0] for line in lines] == names
    for line, name in zip(lines, names, strict=True):
        assert situation(name).summary in line
        assert f"{situation(name).cardinality:,}" in line
    subjects = [line for line in outcome.lines if line and " " not in line and line[0].isupper()]
    assert subjects[:2] == ["Openings", "Rebids"]
    every_row = json.loads(cli("practice", "--list", "--json").out)
    assert [row["name"] for row in every_row] == names
    one_row = json.loads(cli("practice", "two-clubs", "--list", "--json").out)
    assert one_row == every_row[names.index("two-clubs")]
    raises = json.loads(cli("practice", "--list", "raises", "SPADE", "--json").out)
    assert [row["name"] for row in raises] == ["single-raise", "limit-raise", "splinter"]
    lines = cli("practice", "--list", "slam-zone").lines
    assert any(line.startswith("hard       the longest fit of North and South") for line in lines)
    decision = "what is the chance that North and South have 33 points or more together?"
    assert " ".join(" ".join(lines[-2:]).split()) == f"decision South: {decision}"


@pytest.mark.slow
def test_a_level_of_difficulty(cli: Cli) -> None:
    words = ("cardracks", "-n", 4, "--seed", 7, "--hands", "EW", "--turn", "--difficulty", "hard")
    found, one = rows(cli, *words), situation("cardracks")
    where = f"{one.where} && {one.difficulty.where('hard')}"
    assert [straight(row) for row in found] == pav.deals(where).sample(4, seed=7)
    for row in found:
        figure = straight(row)["N"].hcp + straight(row)["S"].hcp
        assert row["difficulty"] == {"level": "hard", "figure": figure}
    page = cli("practice", *words).out
    assert page.count("\nDifficulty: hard (") == 4
    assert "Difficulty hard: North and South have" in page
    medium = ("--seed", 7, "--difficulty", "medium", "--odds", "none")
    mixed = rows(cli, "cardracks", "hcp(south) >= 20", "-n", 9, *medium)
    plain = rows(cli, "-n", 3, *medium, "--predeal", "north SAK")
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
    page = cli("practice", *words).out
    assert page.count("\nChance for ") == 3
    assert f"that {question.text}: {percent(question.odds(deals))}\n" in page
    for odds, whole in (("set", 1), ("none", 0)):
        page = cli("practice", *words, "--odds", odds).out
        assert (page.count("\nChance for "), page.count("\nKey decision of ")) == (0, whole)
    many = rows(cli, "transfer", "-n", 37, "--seed", 7)
    assert {row["question"]["probability"] for row in many} == {None}


@pytest.mark.slow
def test_boards_carry_their_situation_and_the_event(cli: Cli) -> None:
    words = (*MIX, "-n", 6, "--seed", 7, "--turn", "--to")
    found = boards(cli("practice", *words, "pbn"))
    for board in found:
        name = board.tags["Situation"]
        assert board.tags["Event"] == situation(name).title
        assert board.tags["Difficulty"] in {"easy", "medium", "hard"}
        comment = " ".join(board.sections["Situation"])
        assert re.match(rf"\{{{situation(name).title}[.:]", comment)
        assert "{Chance for " in comment
    for name, title in (("lin", "vg|{},"), ("rbn", "\nE {}\n")):
        text = cli("practice", *words, name).out
        assert all(title.format(board.tags["Event"]) in text for board in found)
    two = boards(cli("practice", "two-clubs", "--turn", "-n", 3, "--seed", 7, "--to", "pbn"))
    ends = ["where=hcp(south) >= 22 turned=2", "where=hcp(south) >= 22"]
    assert [two[k].tags["Generator"].partition("seed=7 ")[2] for k in (0, 2)] == ends
    event = ("--event", "Class 3", "--site", "School", "--date", "2026-11-24", "--session", "2")
    board, *_ = boards(cli("practice", *words, "pbn", *event))
    tags = [board.tags[name] for name in ("Event", "Site", "Date", "Session")]
    assert tags == ["Class 3", "School", "2026.11.24", "2"]
    page = cli("practice", *words[:-1], *event, "--title", "My pages").out
    facts = "Class 3\nSchool\n24 November 2026\nSession 2\n"
    assert page.startswith(f"My pages\n{facts}North, boards 1 to 6\n")
    lost = cli("practice", *words, "numbers", "--site", "Delft").err
    assert "numbers has no place for the site" in lost
    assert (
        "--json has no place for the site"
        in cli("practice", *words[:-1], "--site", "Delft", "--json").err
    )


@pytest.mark.slow
@pytest.mark.parametrize(("name", "paper"), [("stayman", "a4"), ("takeout-double", "letter")])
def test_eight_boards_for_two_players_are_two_sheets(
    cli: Cli, tmp_path: Path, name: str, paper: str
) -> None:
    words = ("--hands", "EW", "--turn", "-n", 8, "--seed", 3, "--paper", paper)
    assert cli("practice", name, *words, "-o", tmp_path / "x.pdf").code == 0
    hands, solution = [page.extract_text() for page in PdfReader(tmp_path / "x.pdf").pages]
    for word in ("East", "West", "Bidding"):
        assert word in hands
    for word in ("Chance", "Difficulty", "Solution"):
        assert word not in hands
        assert word in solution


@pytest.mark.slow
@pytest.mark.parametrize("hands", ["EW", "all"])
def test_the_side_of_the_tricks_turns_with_the_hands(cli: Cli, hands: str) -> None:
    needs("endplay")
    words = (*SOLVED[1:], "--turn", "--hands", hands)
    for row, other in zip(rows(cli, *words, "--solve"), rows(cli, *words), strict=True):
        side = Turn.of(row["turned"]).seats[Seat.SOUTH]
        assert row["contract"]["side"] == ("NS" if side in (Seat.NORTH, Seat.SOUTH) else "EW")
        assert hands == "all" or row["contract"]["side"] == hands
        deal = pav.Deal.from_pbn(row["deal"])
        tricks = {s.letter: {d.letters: double_dummy(deal, s, d) for d in Strain} for s in Seat}
        assert row["tricks"] == tricks
        assert set(row) - set(other) == {"tricks", "par", "contract"}
        assert other == {key: row[key] for key in other}


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
    assert len(tricks) == len([line for line in solved.lines if line.startswith("par  ")]) == 4
    assert all(re.fullmatch(r"tricks NT ♠ ♥ ♦ ♣(  [NESW]( \d+){5}){4}", line) for line in tricks)
    assert max(map(len, tricks)) <= 80
    own = ("tricks ", "par  ", "Tricks: ")
    lines = [line.replace(" --solve", "") for line in solved.lines if not line.startswith(own)]
    assert lines == list(plain.lines)
    page = cli(*SOLVED, "--solve", "--to", "html").out
    assert page.count('<p class="par">') == page.count("Tricks: NS can make") == 4
    note = "lin has no place for the double-dummy tricks"
    assert note in cli(*SOLVED, "--solve", "--to", "lin").err
    assert note not in cli(*SOLVED, "--to", "lin").err
    assert "no place" not in made.err
